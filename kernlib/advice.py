"""Advice at a glance: what each kernel that is proposed for a data set shows of it, the most promising first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .analysis import decompose, examine, relevant_dimension
from .analysis.doctor import Finding
from .base import Kernel
from .data import Dataset
from .errors import DataError, DegenerateError, KernlibError
from .experiments import UPLOAD, RunSpec, gram_cost
from .experiments.proposals import default_machine, presets_for, settled
from .overview import QuickErrors, observe, plain_words, quick_errors
from .protocols import GroupedSplits, RepeatedSplits
from .values.words import percent

__all__ = ["ROWS", "RUN_ROWS", "SCORES", "SECONDS", "Advice", "advise", "alike", "follow_up"]

#: So many rows are looked at, unless told otherwise.
ROWS = 400
#: Rows of a score matrix that are decomposed together in half a minute.
SCORES = 3000
#: Of a larger file, the run that follows takes so many rows: it is done in a minute.
RUN_ROWS = 2000
#: A Gram matrix that would take longer on one core is not for a glance.
SECONDS = 60.0


@dataclass(frozen=True)
class Advice:
    """What a glance at one proposed kernel tells.

    `name` and `kernel`; `shows`, why it is proposed; `n` rows that were looked at; `errors` at a glance, None without
    labels; `dimension` d̂, None where there is none; `sentence` that reads the picture; `findings` of the doctor that
    are not sound. Where the kernel could not be looked at, `problem` says why and the rest is empty.
    """

    name: str
    kernel: Kernel
    shows: str
    n: int = 0
    errors: QuickErrors | None = None
    dimension: int | None = None
    sentence: str = ""
    findings: tuple[Finding, ...] = ()
    problem: str = ""

    @property
    def guesses(self) -> bool:
        """Whether the error is no better than that of always saying the commonest class, or the mean."""
        return self.errors is not None and self.error >= self.errors.chance

    @property
    def error(self) -> float:
        """The smaller of the errors at a glance; inf where there is none."""
        best = math.nan if self.errors is None else self.errors.best
        return best if math.isfinite(best) else math.inf

    def words(self) -> str:
        """The advice in a few lines.

        >>> from kernlib import RBF
        >>> print(Advice("Gaussian", RBF(), "Near rows are alike.", problem="It took too long.").words())
        Gaussian: RBF(sigma=1.0)
          Near rows are alike.
          Not looked at: It took too long.
        """
        lines = [self.shows.partition(". ")[0].rstrip(".") + "."]  # what follows is what to do on a page
        if self.problem:
            lines.append(f"Not looked at: {self.problem}")
        if self.sentence:
            lines.append(self.sentence)
        if self.errors is not None and self.errors.task == "classification" and math.isfinite(self.errors.ridge):
            lines.append(f"Ridge regression errs on {percent(self.errors.ridge)}, each row left out in turn.")
        for found in self.findings:
            remedy = f" Remedy: {found.remedies[0].words}." if found.remedies else ""
            lines.append(f"{found.name[0].upper()}{found.name[1:]}: {found.verdict}{remedy}")
        return "\n  ".join([f"{self.name}: {self.kernel!r}", *lines])


def advise(data: Dataset, rows: int = ROWS, seed: int = 0) -> tuple[Advice, ...]:
    """What the kernels that are proposed for the data show of it, the smallest error at a glance first.

    The errors are for choosing, never for publishing: whoever takes the best of several is flattered by it. What
    `follow_up` writes down measures the first against the second on rows that neither has seen.

    Parameters: `rows`, of a larger set so many are drawn class by class with the `seed`; the nodes of a graph and the
    rows of a score matrix are what they are together, and all are looked at, of scores up to `SCORES` rows. Without
    labels the proposals keep their order. Raises DataError for fewer than two rows.

    >>> from kernlib.data import load_dataset
    >>> [advice.name for advice in advise(load_dataset("wine"))]
    ['Gaussian', 'Two levels deep', 'Memorising']
    """
    if rows < 2:
        raise DataError(f"advise: expected at least two rows to look at; got {rows}.")
    together = {"node": data.n, "matrix": SCORES}
    whole = data.n <= max(rows, together.get(data.domain, 0))
    sample = data if whole else data.stratified_sample(rows, seed=seed)
    found = [_glance(p.name, settled(p.kernel, sample), p.shows, sample) for p in presets_for(sample)]
    return tuple(sorted(found, key=lambda advice: (bool(advice.problem), advice.error)))


def _glance(name: str, kernel: Kernel, shows: str, data: Dataset) -> Advice:
    blank = Advice(name, kernel, shows)
    try:
        cost = gram_cost(kernel, data)
        if cost.seconds > SECONDS:
            return replace(
                blank, problem=f"its Gram matrix of {data.n} rows would take {cost.words()}. Look at fewer rows."
            )
        K = kernel(data.inputs)
        found = decompose(K)
        errors, relevant = None, None
        if data.y is not None:
            errors = quick_errors(K, data.y, task=data.task or "auto", groups=data.groups, decomposition=found)
            try:
                relevant = relevant_dimension(K, data.y, task=data.task or "auto", decomposition=found, centred=True)
            except DegenerateError:  # every label is the same: nothing is to be told
                relevant = None
        seen = observe(K, data.y, task=data.task or "auto", relevant=relevant, errors=errors)
        unsound = tuple(f for f in examine(K, data.y, eigenvalues=found.eigenvalues) if not f.sound)
    except KernlibError as error:
        return replace(blank, problem=str(error))
    return Advice(name, kernel, shows, data.n, errors, seen.dimension, plain_words(seen), unsound)


def alike(found: Sequence[Advice]) -> int:
    """How many of the first proposals the rows cannot tell from the first; 0 where there are no shares of errors.

    Two errors on the same rows differ by at least twice the standard error of their difference when they are told
    apart, and that is at most √((e₁ + e₂)/n), where no row is missed by both (McNemar).

    >>> from kernlib.data import load_dataset
    >>> alike(advise(load_dataset("iris")))
    3
    """
    known = [a for a in found if a.errors is not None and a.errors.task == "classification" and math.isfinite(a.error)]
    least = known[0].error if known else 0.0
    return sum(a.error - least <= 2 * math.sqrt((a.error + least) / a.n) for a in known)


def follow_up(
    data: Dataset, found: Sequence[Advice], parameters: tuple[tuple[str, object], ...] = (), *, uploaded: bool = False
) -> RunSpec:
    """The run that measures the first of what `advise` found, beside the second, on splits that hold rows back.

    Parameters: `data`, all of it, and the `parameters` that made it, or if it was `uploaded` how its file was read; of
    more than `RUN_ROWS` uploaded rows a stratified sample is measured, which the spec says by `n` and `seed`.
    Raises DataError for data without labels, or where no kernel could be looked at.

    >>> from kernlib.data import load_dataset
    >>> wine = load_dataset("wine")
    >>> follow_up(wine, advise(wine)).kernel
    Standardized(RBF(sigma=5.0))
    """
    usable = [advice.kernel for advice in found if not advice.problem]
    if data.y is None:
        raise DataError(f"{data.name}: a run needs labels, and there are none. Say which column holds them.")
    if not usable:
        raise DataError(f"{data.name}: no proposed kernel could be looked at: {found[0].problem if found else 'none.'}")
    if uploaded and data.n > RUN_ROWS and data.domain not in ("node", "matrix"):
        data, parameters = data.stratified_sample(RUN_ROWS, seed=0), (*parameters, ("n", RUN_ROWS), ("seed", 0))
    spec = RunSpec(
        UPLOAD + data.digest if uploaded else data.name,
        usable[0],
        default_machine(data),
        RepeatedSplits() if data.groups is None else GroupedSplits(),
        "squared error" if data.task == "regression" else "error",
        reference=usable[1] if len(usable) > 1 else None,
        parameters=parameters,
    )
    # Whoever tests on other groups also tunes on other groups.
    return spec if data.groups is None else replace(spec, inner=GroupedSplits(repeats=5, train=0.8, seed=0))
