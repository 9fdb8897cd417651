"""The same kernels on several data sets: errors on held-out rows, improvement over the first kernel, mean ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ..core.base import Kernel
from ..core.steps import normal_form
from ..data import Dataset
from ..errors import KernlibError, ParameterError
from ..experiments.axis import Axis
from ..experiments.proposals import default_kernel, default_machine
from ..experiments.running.sweep import labels_of, sweep
from ..experiments.spec import RunSpec
from ..measures import Improvement, improvement_over_splits
from ..statistics import MeanRanks, confidence_band, mean_ranks, paired_difference, posterior_difference
from ..values.arrays import Array
from ..values.words import number, percent
from ..wrappers import Deep, Imputed
from .find import ROWS, halves, looked_at, proposed_measure, raceable, too_costly
from .measuring import with_tuned_cost
from .writing import Section, versions

if TYPE_CHECKING:
    from pandas import DataFrame

#: The title of the report.
SETS_TITLE = "Kernels on several data sets"
#: Random halves of every set.
HALVES = 10
#: Differences of errors up to this one count as none.
ROPE = 0.01
#: Levels of each set's proposed kernel that are compared where no kernels are given.
LEVELS = (0, 1, 2, 3)
#: The assumptions of mean ranks.
ASSUMES = (
    "Ranks count every set alike and ignore how large a difference is. They take the sets as independent: two versions "
    "of one source are not."
)


@dataclass(frozen=True, eq=False)
class OnSet:
    """The kernels on one set, by its `title` and `digest`.

    `n` rows are compared; `kernels` as they are for these rows; `errors` (kernels, splits) by `measure` on held-out
    rows, nan where a split is still missing, for real targets the unexplained variance; `test_over_train` of
    a split. `problem` says why the set is left out.
    """

    title: str
    digest: str
    n: int = 0
    kernels: tuple[Kernel, ...] = ()
    errors: Array = field(default_factory=lambda: np.empty((0, 0)))
    measure: str = ""
    test_over_train: float = 1.0
    problem: str = ""

    @property
    def complete(self) -> bool:
        """Return whether all splits are computed."""
        return not self.problem and self.errors.size > 0 and bool(np.isfinite(self.errors).all())

    @property
    def improvements(self) -> tuple[Improvement, ...]:
        """Return the share of the first kernel's error that each kernel avoids, over the splits that are computed."""
        done = np.isfinite(self.errors).all(axis=0)
        right = 1.0 - self.errors[:, done]
        return tuple(improvement_over_splits(row, right[0], self.test_over_train) for row in right)

    def in_words(self, error: float) -> str:
        """Return an error by this set's measure as text: a share of the rows, or of the variance."""
        return percent(error, 3)


@dataclass(frozen=True, eq=False)
class MultiComparison:
    """The state of a comparison on several sets: `names` of the kernels, `sets` so far, `total` sets."""

    names: tuple[str, ...]
    sets: tuple[OnSet, ...]
    total: int

    @property
    def compared(self) -> tuple[OnSet, ...]:
        """Return the sets that are complete."""
        return tuple(one for one in self.sets if one.complete)

    @property
    def ranks(self) -> MeanRanks | None:
        """Return the mean ranks over the complete sets; None for fewer than two."""
        errors = [one.errors.mean(axis=1) for one in self.compared]
        return mean_ranks(errors) if len(errors) > 1 else None

    def to_frame(self) -> DataFrame:
        """Return a table with a row for each set and kernel: error with its 95% interval, improvement, spread, rank."""
        from pandas import DataFrame

        rows = []
        for one in self.compared:
            (placed,) = mean_ranks([one.errors.mean(axis=1)]).table
            for name, kernel, errors, gain, rank in zip(
                self.names, one.kernels, one.errors, one.improvements, placed, strict=True
            ):
                band = confidence_band(errors, one.test_over_train)
                rows.append(
                    {
                        "set": one.title, "rows": one.n, "name": name, "kernel": repr(kernel), "measure": one.measure,
                        "error": band.mean, "low": max(0.0, band.low), "high": band.high, "improvement": gain.value,
                        "spread": gain.spread, "improvement_low": gain.low, "improvement_high": gain.high,
                        "rank": rank, "splits": band.count,
                    }
                )  # fmt: skip
        return DataFrame(rows)


def compare_sets(
    sets: Sequence[Dataset],
    kernels: Sequence[Kernel] = (),
    *,
    rows: int = ROWS,
    splits: int = HALVES,
    known: MultiComparison | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[MultiComparison]:
    """Yield the state of a comparison of kernels on several sets after every split, the complete one last.

    Every set is halved at random `splits` times, the same halves for all kernels. A support vector machine learns one
    half, with C tuned by 5-fold cross-validation inside it, and is tested on the other; real targets have ridge
    regression with its penalty chosen inside. Kernels are taken as they are; one that does not impute missing values
    imputes them as the data say.

    Parameters: `kernels`, the first of them the one that others improve on; without any, each set's proposed kernel
    at levels 0 to 3. `rows` of a larger set that are drawn; `known` an earlier state, whose complete sets are not
    computed again. A set that cannot be compared is listed with its problem, one that is given twice counts once.
    Raises ParameterError for a single kernel, fewer than four rows or fewer than two splits.
    Reference: Wang 2011, figure 3.1; Demšar, Journal of Machine Learning Research 7, 2006.

    >>> from kernlib.data import load_dataset
    >>> *_, found = compare_sets([load_dataset("iris"), load_dataset("wine")], rows=60, splits=3)
    >>> found.names, [one.errors.shape for one in found.sets]
    (('level 0', 'level 1', 'level 2', 'level 3'), [(4, 3), (4, 3)])
    """
    kernels = tuple(dict.fromkeys(kernels))
    if len(kernels) == 1 or rows < 4 or splits < 2:
        raise ParameterError(
            f"compare_sets: expected two kernels or none, rows >= 4 and splits >= 2; got {len(kernels)}, {rows} and "
            f"{splits}. Add a kernel to compare with."
        )
    names = tuple(" → ".join(kernel.chain()) for kernel in kernels) or tuple(f"level {level}" for level in LEVELS)
    sets = list({data.digest: data for data in sets}.values())
    earlier = {} if known is None else {one.digest: one for one in known.compared}
    state = MultiComparison(names, (), len(sets))
    for data in sets:
        before = state.sets
        try:
            for one in _on_set(data, kernels, rows, splits, earlier.get(data.digest), cancelled):
                state = replace(state, sets=(*before, one))
                yield state
        except KernlibError as error:
            state = replace(state, sets=(*before, OnSet(data.title, data.digest, problem=str(error))))
            yield state
        if cancelled():
            return


def _on_set(
    data: Dataset, kernels: Sequence[Kernel], rows: int, splits: int, known: OnSet | None,
    cancelled: Callable[[], bool],
) -> Iterator[OnSet]:  # fmt: skip
    labels_of(data)  # raises for a set without labels
    sample = looked_at(data, rows)
    sample = raceable(sample)[0] or sample
    one = OnSet(data.title, data.digest, sample.n, measure=proposed_measure(sample)[0])
    wrong = [kernel for kernel in kernels if not kernel.can_read(sample.domain)]
    if wrong:
        yield replace(one, problem=f"{wrong[0]!r} reads {wrong[0].reads} rows, and these are {sample.domain}.")
        return
    own = tuple(imputed(kernel, sample) for kernel in kernels) or tuple(
        normal_form(Deep(default_kernel(sample), level=level)) if level else default_kernel(sample) for level in LEVELS
    )
    if known is not None and (known.kernels, known.n, known.errors.shape[1]) == (own, sample.n, splits):
        yield known
        return
    problem = too_costly(own[0], sample)
    if problem:
        yield replace(one, problem=problem)
        return
    protocol = halves(sample, splits)
    axis = Axis("kernel", tuple(map(repr, own)))
    spec = RunSpec("rows", own[0], default_machine(sample, one.measure), protocol, one.measure, axis)
    errors = np.full((len(axis.values), splits), np.nan)
    places = [axis.values.index(repr(kernel)) for kernel in own]  # two may be one on these rows
    one = replace(one, kernels=own, test_over_train=protocol.test_over_train)
    for result in sweep(with_tuned_cost(spec, sample), sample, cancelled=cancelled):
        if result.problem:
            yield replace(one, problem=f"{result.value}: {result.problem}")
            return
        errors[axis.values.index(result.value), result.split] = result.score
        if np.isfinite(errors[:, result.split]).all():
            yield replace(one, errors=errors[places])


def imputed(kernel: Kernel, data: Dataset) -> Kernel:
    """Return the kernel around rows without missing values: as the data say, unless the kernel imputes itself."""
    if not data.fill or any(part.fills_gaps for part in kernel.walk()):
        return kernel
    return normal_form(Imputed(kernel, strategy=data.fill))


def pair_in_words(one: OnSet, names: Sequence[str], rope: float = ROPE) -> str:
    """Return wins, ties and losses of the first two kernels on a set, their corrected test and the Bayesian one.

    Parameters: `rope` up to which a difference of errors counts as none; `names` of the kernels.

    >>> errors = np.array([[0.10, 0.12, 0.11], [0.20, 0.25, 0.21]])
    >>> pair_in_words(OnSet("S", "", errors=errors, measure="error"), ("A", "B")).partition(". ")[0]
    'On 3 splits A is better on 3, B on 0, and 0 are equal'
    """
    first, second = one.errors[:2]
    difference = paired_difference(first, second, one.test_over_train)
    posterior = posterior_difference(first, second, one.test_over_train, rope)
    p = f"p = {number(difference.p_value, 2)}"
    return (
        f"On {difference.count} splits {names[0]} is better on {int((first < second).sum())}, {names[1]} on "
        f"{int((first > second).sum())}, and {int((first == second).sum())} are equal. Their errors, "
        f"{one.in_words(float(first.mean()))} and {one.in_words(float(second.mean()))}, differ "
        f"{'significantly' if difference.separable else 'not significantly'} by the corrected resampled t-test ({p}). "
        f"Probability that the first is better: {posterior.below:.2f}; that they differ by {one.in_words(rope)} or "
        f"less: {posterior.within:.2f}; that the second is better: {posterior.above:.2f}."
    )


def sets_in_words(state: MultiComparison, rope: float = ROPE) -> list[str]:
    """Return the result of the comparison so far in sentences: the mean ranks and the test, and what both assume.

    `pair_in_words`, which has the parameter `rope`, compares two kernels on a single set.
    """
    mean, k = state.ranks, len(state.names)
    lines = []
    if state.total == 1 and k == 2 and state.compared:
        lines.append(pair_in_words(state.compared[0], state.names, rope))
    elif mean is None:
        lines.append("Mean ranks need two sets that are compared completely.")
    else:
        best = int(mean.ranks.argmin())
        name, shared = state.names[best], int((mean.ranks == mean.ranks[best]).sum()) - 1
        lines.append(
            f"{name[0].upper()}{name[1:]} has the best mean rank over {mean.sets} sets: {mean.ranks[best]:.2f} of {k}"
            + (f", as {shared} more." if shared else ".")
        )
        worse = [state.names[i] for i in mean.worse]
        test = f"Friedman's test: p = {number(mean.p_value, 2)}; critical difference {mean.critical_difference:.2f}."
        if worse:
            lines.append(f"Significantly worse by rank: {', '.join(worse)}. {test}")
        elif mean.critical_difference >= k - 1:
            lines.append(f"{mean.sets} sets are too few for any difference between {k} kernels. {test}")
        else:
            lines.append(f"No kernel is significantly worse by rank. {test}")
        lines.append(ASSUMES)
    lines += [f"{one.title} is left out: {one.problem}" for one in state.sets if one.problem]
    return lines


def sets_sections(state: MultiComparison, script: str = "", rope: float = ROPE) -> tuple[Section, ...]:
    """Return the parts of the report; `script` is the command that repeats it, `rope` as in `pair_in_words`."""
    rows = tuple(
        (
            one.title, str(one.n), one.measure, *(one.in_words(float(error)) for error in one.errors.mean(axis=1)),
        )
        for one in state.compared
    )  # fmt: skip
    mean = state.ranks
    if mean is not None:
        rows += (("mean rank", "", "", *(f"{rank:.2f}" for rank in mean.ranks)),)
    splits = max((one.errors.shape[1] for one in state.compared), default=0)
    protocol = (
        f"{splits} random halves of every set, the same for all kernels. C is tuned by 5-fold cross-validation inside "
        f"the training half. Improvement is the share of {state.names[0]}'s error that a kernel avoids."
    )
    return (
        Section("Verdict", tuple(sets_in_words(state, rope))),
        Section("Errors on held-out rows", header=("set", "rows", "measure", *state.names), rows=rows),
        Section("Protocol", (protocol,)),
        *([Section("Command", code=script)] if script else []),
        Section(
            "Sources",
            (
                "Improvement: Wang 2011, figure 3.1. Mean ranks and critical difference: Demšar, Journal of Machine "
                "Learning Research 7, 2006. Spread over splits: Nadeau and Bengio, Machine Learning 52, 2003.",
            ),
        ),
        Section("Versions", (versions(),)),
    )
