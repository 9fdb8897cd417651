"""Find a kernel: a declared grid of settings, squared leave-one-out errors for all of them, a race of the ten best."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..analysis import decompose, order_rows
from ..analysis.doctor import ORDERED
from ..analysis.matrix import block_means
from ..analysis.outcomes import class_auc
from ..analysis.quick import QuickErrors, quick_errors, shuffled_squares
from ..analysis.spectrum import Decomposition
from ..core.base import Kernel, Memo
from ..core.folding import folded
from ..core.steps import normal_form
from ..data import Dataset
from ..errors import DataError, KernlibError
from ..experiments import UPLOAD
from ..experiments.axis import Axis, Place
from ..experiments.cost import gram_cost
from ..experiments.decisions import default_machine, own_presets, prepared
from ..experiments.folds import labels_of
from ..experiments.race import COSTS, FOLDS, ROUNDS, Race, Runner, race
from ..experiments.spec import RunSpec
from ..kinds import KINDS, Setting
from ..machines import Machine
from ..numerics.workers import one_blas_thread
from ..parse import parse
from ..protocols import GroupedSplits, RepeatedKFold, halves_protocol, suitable_measure
from ..values.arrays import Array
from ..values.declare import Parameter
from ..values.labels import read_labels
from ..values.words import number, percent


def candidates(data: Dataset) -> tuple[Setting, ...]:
    """Return the settings for the data's kind of rows, those of one family one after another, each kernel once.

    The grids are the same for every data set of a kind; widths are multiples of the rows' median distance. What is
    proposed for the data (`presets_for`) is among the settings.

    >>> from kernlib.data import load_dataset
    >>> found = candidates(load_dataset("monks-2"))
    >>> len(found), found[1]
    (35, Setting(family='Overlap', kernel=Overlap(composition='mean', before=None, after=None, gamma=1.0) ** 2))
    """
    unique = {setting.kernel: setting for setting in data.row_kind.candidates(data)}
    for setting in _own(data):
        unique.setdefault(setting.kernel, setting)
    return tuple(unique.values())


def _own(data: Dataset) -> Iterator[Setting]:
    """Yield the user-defined kernels for these rows: each parameter at places of its slider, the others as they are."""
    for preset in own_presets(data):
        kernel = preset.kernel
        yield Setting(preset.name, prepared(kernel, data))
        for p in kernel.parameters():
            for value in _places(p):
                yield Setting(preset.name, prepared(dataclasses.replace(kernel, **{p.name: value}), data))


def _places(p: Parameter) -> tuple[Any, ...]:
    """Return values of a parameter along its slider: five numbers, or all choices."""
    if p.kind == "bool":
        return (False, True)
    values = Place(p.name, p, "", None).grid(7)
    return values[1:-1] if len(values) == 7 and p.kind != "choice" else values


def settings_text(settings: Sequence[Setting]) -> str:
    """Return settings as text that `read_settings` reads: a line for each kernel, below its family after a #.

    >>> from kernlib import RBF, Linear
    >>> print(settings_text([Setting("Gaussian", RBF(sigma=2.0)), Setting("Straight", Linear())]))
    # Gaussian
    RBF(sigma=2.0)
    # Straight
    Linear()
    """
    families = dict.fromkeys(one.family for one in settings)
    return "\n".join(
        line
        for family in families
        for line in (f"# {family}", *(repr(one.kernel) for one in settings if one.family == family))
    )


def read_settings(text: str) -> tuple[Setting, ...]:
    """Return the settings of a text as `settings_text` writes it, each kernel once.

    Raises DataError for a line that is no kernel, with its number, and for fewer than two kernels.

    >>> read_settings("# Gaussian\\nRBF(sigma=2.0)\\n\\n# Straight\\nLinear()")[1]
    Setting(family='Straight', kernel=Linear())
    """
    settings: dict[Kernel, Setting] = {}
    family = "Your own grid"
    for place, line in enumerate(map(str.strip, text.splitlines()), 1):
        if line.startswith("#"):
            family = line.lstrip("# ") or family
        elif line:
            try:
                kernel = parse(line)
            except KernlibError as error:
                raise DataError(f"settings, line {place}: expected a kernel such as RBF(sigma=2.0); {error}") from None
            settings.setdefault(kernel, Setting(family, kernel))
    if len(settings) < 2:
        raise DataError(f"settings: expected two kernels or more, one in a line; got {len(settings)}. Add a line.")
    return tuple(settings.values())


if TYPE_CHECKING:
    from .nested import NestedLosses

#: Rows of a larger set that are compared by default.
ROWS = 400
#: Kernels that race: the best setting of each of the best families, then the next best settings.
RACING, FAMILIES = 10, 8
#: A single Gram matrix that takes longer on one core is left out.
SECONDS = 60.0
#: A family whose first setting takes longer is compared after the others.
SLOW = 1.0
#: The share of a budget that the settings' Gram matrices may take before the race.
_SHARE = 0.6
#: With fewer rows, differences between kernels are not reliable.
FEW = 60
#: Rows up to which Gram matrices that several settings share are kept.
KEPT = 1000
#: Cells along a side of a kernel's small picture.
_CELLS = 40
#: The family of kernels that are compared by request.
OWN = "Your own"
#: Shuffles of two classes or of real targets, and of more classes, each of which takes longer.
_SHUFFLES, _FEWER = 99, 39
#: From this number of standard errors below chance, shuffled labels need not be tried.
CLEAR = 8
#: Folds of nested cross-validation: each repeats the whole comparison on four fifths of the rows.
OUTER = 5


@dataclass(frozen=True)
class Advice:
    """One kernel that was compared.

    `name` its family and `kernel`; `n` rows; `errors` quick errors, None without labels; `measured` its place in the
    race, None where it did not race; `machine` with the C that suits it. `problem` says why a kernel was not compared;
    `shows` what a proposed kernel shows. `picture` (b, b) block means of the Gram matrix over its
    mean diagonal, rows in the order of their labels.
    """

    name: str
    kernel: Kernel
    shows: str = ""
    n: int = 0
    errors: QuickErrors | None = None
    problem: str = ""
    measured: Runner | None = None
    picture: Array | None = field(default=None, compare=False, repr=False)

    @property
    def error(self) -> float:
        """Return the cross-validated error of a kernel in the race, else the leave-one-out error; inf without one."""
        if self.measured is not None:
            return self.measured.error
        best = math.nan if self.errors is None else self.errors.ridge
        return best if math.isfinite(best) else math.inf

    @property
    def squared(self) -> float:
        """Return the squared leave-one-out error; inf where there is none, or where a problem stands in its place."""
        squared = math.inf if self.problem or self.errors is None else self.errors.squared
        return squared if math.isfinite(squared) else math.inf

    @property
    def machine(self) -> Machine | None:
        """Return the machine with the C that suits the kernel, None where it did not race."""
        return None if self.measured is None else self.measured.machine

    @property
    def chain(self) -> str:
        """Return the kernel as text, from the rows outwards.

        >>> from kernlib import RBF, Standardized
        >>> Advice("Gaussian", Standardized(RBF(sigma=2.0))).chain
        'standardised → RBF(2)'
        """
        return " → ".join(self.kernel.chain())

    def words(self) -> str:
        """Return the advice in a few lines.

        >>> from kernlib import RBF
        >>> print(Advice("Gaussian", RBF(), problem="It takes too long.").words())
        Gaussian: RBF(sigma=1.0)
          Not compared: It takes too long.
        """
        lines = [self.shows.partition(". ")[0].rstrip(".") + "."] if self.shows else []
        if self.problem:
            lines.append(f"Not compared: {self.problem}")
        classes = self.errors is None or self.errors.task == "classification"
        if self.measured is not None:
            error = percent(self.error)
            errs = f"misclassifies {error} of the rows" if classes else f"leaves {error} of the variance unexplained"
            dropped = ", significantly worse than the first" if self.measured.dropped else ""
            rounds = f"{self.measured.rounds} {'round' if self.measured.rounds == 1 else 'rounds'}"
            lines.append(f"{self.measured.machine.describe()}: {errs} in {rounds} of cross-validation{dropped}.")
        return "\n  ".join([f"{self.name}: {self.kernel!r}", *lines])


@dataclass(frozen=True)
class Comparison:
    """The state of a comparison.

    `stage` "settings", "race", "nested" or "done"; `settings` all compared kernels with their quick errors, the
    smallest squared leave-one-out error first, those that could not be compared last; `race` the state of the race,
    None before it; `best` the kernels that raced, the best first; `total` settings of the grid; `n` rows; `seconds`
    so far; `notes` what was left out, `caveats` what in the rows may mislead, in sentences. `shuffled` the smallest
    squared leave-one-out error of all settings for each of several shuffles of the labels, whose first leaves them as
    they are and is the only one where none were tried; None where a setting is clearly better. `grid` the settings
    that were given in place of the declared ones. `nested` the losses of rows that no choice has seen, None where the
    comparison is not repeated on parts of the rows. `machine` of the race, None for the suggested one.
    """

    stage: str
    settings: tuple[Advice, ...]
    total: int
    n: int
    seconds: float
    race: Race | None = None
    best: tuple[Advice, ...] = ()
    notes: tuple[str, ...] = field(default=())
    caveats: tuple[str, ...] = field(default=())
    shuffled: Array | None = field(default=None, compare=False, repr=False)
    grid: tuple[Setting, ...] = ()
    nested: NestedLosses | None = field(default=None, compare=False, repr=False)
    machine: Machine | None = None

    @property
    def p_value(self) -> float:
        """Return how often a setting is as good for shuffled labels; 0 where that is out of the question or unknown."""
        if self.shuffled is None or len(self.shuffled) < 2:
            return 0.0
        return float(np.mean(self.shuffled <= self.shuffled[0] * (1 + 1e-12)))

    @property
    def shuffles(self) -> int:
        """Return how many times the labels were shuffled; 0 where they were not, or could not be."""
        return 0 if self.shuffled is None else len(self.shuffled) - 1

    @property
    def progress(self) -> tuple[int, int]:
        """Return the finished steps of the stage, and all of them."""
        if self.stage == "nested":
            return (0, OUTER) if self.nested is None else (self.nested.folds, self.nested.total)
        if self.stage == "race":
            return 0 if self.race is None else self.race.rounds, ROUNDS
        return len(self.settings), max(1, self.total)


def compared(
    sample: Dataset,
    *,
    grid: Sequence[Setting] = (),
    own: Sequence[Kernel] = (),
    machine: Machine | None = None,
    known: Comparison | None = None,
    seconds: float | None = None,
    memo: Memo | None = None,
    costly: Mapping[str, str] | None = None,
    shuffles: bool = True,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Comparison]:
    """Yield the state of `search` on these labelled rows after every setting and every round of the race.

    Parameters: `grid` settings in place of the declared ones; `memo` evaluations of kernels bound to the same rows;
    `costly` why a family is not compared, "" where it is: families that are not named are timed; `shuffles` whether
    labels are shuffled, pictures drawn and notes made. The others as in `search`.
    """
    order = _interleaved(grid or candidates(sample), own)
    places = {setting.kernel: place for place, setting in enumerate(order)}
    if known is not None and not {one.kernel for one in known.settings} <= {*places}:
        known = None
    start = time.perf_counter()
    begun = start - (0.0 if known is None else known.seconds)
    end = math.inf if seconds is None else start + seconds
    limit = math.inf if seconds is None else start + _SHARE * seconds
    settings = [] if known is None else list(known.settings)
    order = [setting for setting in order if setting.kernel not in {one.kernel for one in settings}]
    rows = _shuffles(sample) if shuffles else [np.arange(sample.n)]
    shuffled = np.full(len(rows), np.inf) if known is None else known.shuffled
    costly, spent, notes = dict(costly or {}), dict[str, float](), tuple[str, ...]()
    warned = caveats(sample) if shuffles else ()
    pictured = order_rows(np.zeros((sample.n, sample.n)), sample.y, "class") if shuffles else None
    memo = {} if memo is None else memo

    def state() -> Comparison:
        ranked = tuple(sorted(settings, key=lambda advice: (advice.squared, places[advice.kernel])))
        passed = time.perf_counter() - begun
        found = Comparison("settings", ranked, len(places), sample.n, passed, notes=notes, shuffled=shuffled)
        return replace(found, grid=tuple(grid), machine=machine, caveats=warned)

    while order:
        # Every family once, then slow ones last, so that many kernels are compared when the time is over.
        order.sort(key=lambda setting: spent.get(setting.family, 0.0) > SLOW)
        if cancelled() or time.perf_counter() > limit:
            notes = (*notes, f"{len(order)} of {len(places)} settings are not compared: the time is over.")
            break
        setting, *order = order
        before = time.perf_counter()
        if setting.family not in costly:  # the first kernel of a family represents all of them
            costly[setting.family] = too_costly(setting.kernel, sample, min(SECONDS, limit - before))
        kept = memo if sample.n <= KEPT else {}
        advice, pairs = _quick(setting, sample, kept, costly[setting.family], pictured)
        settings.append(advice)
        spent.setdefault(setting.family, time.perf_counter() - before)
        if shuffles and shuffled is not None and pairs is not None and advice.errors is not None:
            if advice.errors.squared + CLEAR * advice.errors.squared_se < 1:
                shuffled = None
            else:
                y, task = labels_of(sample)
                shuffled = np.fmin(shuffled, shuffled_squares(pairs, y, rows, task=task, groups=sample.groups))
        yield state()
    raced, note = raceable(sample)
    notes = (*notes, *note)
    found = state()
    yield found
    racing = {advice.kernel: advice for advice in _chosen(found.settings, own)}
    if not racing or raced is None or cancelled():
        return
    found = replace(found, stage="race")
    yield found
    for one in race(
        raced,
        list(racing),
        measure=proposed_measure(sample)[0],
        machine=machine,
        known=None if known is None else known.race,
        memo=memo if raced is sample else None,  # other rows have other matrices
        cancelled=lambda: cancelled() or time.perf_counter() > end,
    ):
        best = (replace(racing[r.kernel], measured=None if r.problem else r, problem=r.problem) for r in one.runners)
        found = replace(found, race=one, best=tuple(best), seconds=time.perf_counter() - begun)
        yield found
    if found.race is None or not found.race.over:
        yield replace(found, notes=(*found.notes, "The budget or a stop ended the race early."))


def looked_at(data: Dataset, rows: int = ROWS) -> Dataset:
    """Return the rows on which kernels are compared."""
    return data if data.n <= max(rows, data.row_kind.compared) else data.stratified_sample(rows, seed=0)


def proposed_measure(data: Dataset) -> tuple[str, str]:
    """Return the measure that suits the data's labels, and why it is not the error rate, or "".

    >>> import numpy as np
    >>> y = np.r_[np.zeros(91), np.ones(9)]
    >>> proposed_measure(Dataset("d", "d", "vector", np.zeros((100, 1)), y=y, classes=("no", "yes")))[0]
    'balanced error'
    """
    if data.task == "regression":
        return "unexplained variance", ""
    counts = {name: count for name, count in data.class_counts.items() if count > 1}  # a single row cannot be tested
    if len(counts) < 2 or data.y is None or suitable_measure(data.y, "classification") == "error":
        return "error", ""
    rows = sum(counts.values())
    rare, share = min(counts, key=lambda name: counts[name]), min(counts.values()) / rows
    common = max(counts.values()) / rows
    return "balanced error", (
        f"Only {percent(share)} of the rows are {rare!s:.40}: always predicting the most frequent class misclassifies "
        f"only {percent(1 - common)}. The balanced error counts every class alike; the AUC is the alternative."
    )


def _shuffles(data: Dataset) -> list[Array]:
    """Return row numbers as they are, and shuffled; groups are shuffled whole, so that rows of one stay alike."""
    rng, (y, task) = np.random.default_rng(0), labels_of(data)
    targets = read_labels(y, task).targets
    count = _SHUFFLES if targets.ndim == 1 else _FEWER
    rows = np.arange(data.n)
    if data.groups is None:
        return [rows, *(rng.permutation(data.n) for _ in range(count))]
    _, first, codes = np.unique(np.asarray(data.groups), return_index=True, return_inverse=True)
    if (y[first][codes] != y).any():  # labels vary within groups: shuffled rows would not be as alike
        return [rows]
    return [rows, *(first[rng.permutation(len(first))][codes] for _ in range(count))]


def _interleaved(settings: Sequence[Setting], own: Sequence[Kernel]) -> list[Setting]:
    """Return `own` kernels, then the first setting of every family, then the second: an early stop has seen each."""
    given = {kernel: Setting(OWN, kernel) for kernel in own}
    given |= {one.kernel: one for one in settings if one.kernel in given}
    others = [one for one in settings if one.kernel not in given]
    families = [one.family for one in others]
    turns = [families[:place].count(family) for place, family in enumerate(families)]
    return [*given.values(), *(others[place] for place in np.argsort(turns, kind="stable"))]


def _quick(
    setting: Setting, data: Dataset, memo: Memo, problem: str, order: Array | None
) -> tuple[Advice, Decomposition | None]:
    blank = Advice(setting.family, setting.kernel, n=data.n, problem=problem)
    if problem:
        return blank, None
    y, task = labels_of(data)
    try:
        with one_blas_thread():
            over_rows = normal_form(setting.kernel).bind(data.inputs, memo)
            K = folded(over_rows, np.arange(data.n), None, y).K
            pairs = decompose(K)
            errors = quick_errors(K, y, task=task, groups=data.groups, decomposition=pairs)
    except KernlibError as error:
        return replace(blank, problem=str(error)), None
    advice = replace(blank, errors=errors)
    if order is not None:
        cells, size = block_means(K, _CELLS, order)[0], float(np.abs(K.diagonal()).mean())
        advice = replace(advice, picture=(cells / (size or 1.0)).astype(np.float32))
    return advice, pairs


def _chosen(ranked: Sequence[Advice], own: Sequence[Kernel]) -> list[Advice]:
    """Return the kernels that race: the best of each of the best families, then the next best, and `own`."""
    usable = [advice for advice in ranked if math.isfinite(advice.squared)]
    first: dict[str, Advice] = {}
    for advice in usable:
        first.setdefault(advice.name, advice)
    chosen = list(first.values())[:FAMILIES]
    chosen += [advice for advice in usable if advice not in chosen]
    return [*chosen[:RACING], *(advice for advice in chosen[RACING:] if advice.kernel in own)]


def joined(state: Comparison) -> tuple[Kernel, ...]:
    """Return the kernels of a comparison that were given: those of no declared setting, and what raced unasked."""
    raced = {one.kernel for one in state.best} - {one.kernel for one in _chosen(state.settings, ())}
    return tuple(one.kernel for one in state.settings if one.name == OWN or one.kernel in raced)


def raceable(data: Dataset) -> tuple[Dataset | None, tuple[str, ...]]:
    """Return the rows that can be cross-validated, without classes of a single row, and a sentence about the others."""
    single = single_classes(data)
    if not single:
        return data, ()
    if sum(count > 1 for count in data.class_counts.values()) < 2:
        return None, ("No kernel races: fewer than two classes have two rows.",)
    note = f"{len(single)} {'row' if len(single) == 1 else 'rows'} without another row of the class: not in the race."
    if data.row_kind.square:  # a part of these rows is another problem
        return None, (note,)
    return data.without_classes(*single), (note,)


def single_classes(data: Dataset) -> list[str]:
    """Return the classes of a single row, which cannot be split."""
    return [name for name, count in data.class_counts.items() if count == 1]


def too_costly(kernel: Kernel, data: Dataset, limit: float = SECONDS) -> str:
    """Return that the Gram matrix takes longer than `limit` seconds, as text; "" if it does not."""
    # Kernels on rows of numbers or categories, and on matrices, take a moment for a sample of rows.
    if all(KINDS[kind].quick for kind in data.kinds or (data.domain,)):
        return ""
    cost = gram_cost(kernel, data, limit / 10)
    return f"its Gram matrix of {data.n} rows takes {cost.words()}." if cost.seconds > limit else ""


def recommended(advice: Sequence[Advice]) -> Advice | None:
    """Return the simplest kernel within one standard error of the first; None without a race.

    The simplest has the fewest parts; of equally many, the one with the smallest error.

    >>> from kernlib.advice import advise
    >>> from kernlib.data import load_dataset
    >>> found = advise(load_dataset("iris"))
    >>> parts = len(list(recommended(found).kernel.walk()))
    >>> parts == min(len(list(one.kernel.walk())) for one in as_good(found))
    True
    """
    return min(as_good(advice), key=lambda one: len(list(one.kernel.walk())), default=None)


def as_good(advice: Sequence[Advice]) -> tuple[Advice, ...]:
    """Return the kernels whose error is within one standard error of the first's, the first among them."""
    raced = [(one, one.measured) for one in advice if one.measured is not None and not one.measured.dropped]
    return tuple(
        one
        for place, (one, runner) in enumerate(raced)
        if not place or (runner.difference is not None and runner.difference.within_one_error)
    )


#: From this share of rows on that overlap with another row, a comparison says so.
_OVERLAPPING = 0.05


def caveats(data: Dataset) -> tuple[str, ...]:
    """Return what in the rows may mislead a comparison: lengths that order the classes, and rows that overlap."""
    found, sizes, shared = [], data.row_kind.sizes(data), data.row_kind.overlapping(data)
    if sizes is not None and data.task == "classification" and data.y is not None:
        area = class_auc(sizes, data.y)
        if area >= ORDERED:
            found.append(
                f"The length of the rows alone orders the classes (AUC {number(area, 2)}): a kernel may measure "
                "nothing else. Compare with rows of equal length."
            )
    if shared >= _OVERLAPPING * data.n:
        found.append(
            f"{shared} of {data.n} rows share half their letters in one piece with another row: for rows unlike all of "
            "these the error may be larger."
        )
    return tuple(found)


#: Rows of a larger file that the run measures, and halves of them: it takes about a minute.
RUN_ROWS, SPLITS = 2000, 25


def follow_up(
    data: Dataset, advice: Sequence[Advice], parameters: tuple[tuple[str, object], ...] = (), *, uploaded: bool = False
) -> RunSpec:
    """Return the run that measures the first kernel of `advise` and its second, with C tuned inside each training part.

    Parameters: `data`, all of it, and the `parameters` that made it, or if it was `uploaded` how its file was read; of
    more than `RUN_ROWS` uploaded rows a stratified sample is measured, given in the spec by `n` and `seed`. Classes of
    a single row, which cannot be split, are left out of an upload, given in the spec by `without:<class>`.
    Raises DataError for data without labels or without two classes to split, or if no kernel could be compared.

    >>> from kernlib.advice import advise
    >>> from kernlib.data import load_dataset
    >>> iris = load_dataset("iris")
    >>> spec = follow_up(iris, advise(iris))
    >>> spec.machine, spec.tuning
    (SVM(C=10.0, scale='spread'), (Axis(path='machine.C', values=(0.1, 1.0, 10.0, 100.0)),))
    """
    usable = [one.kernel for one in advice if not one.problem]
    if data.y is None:
        raise DataError(f"{data.name}: a run needs labels, and there are none. Name the column that holds them.")
    if not usable:
        why = advice[0].problem if advice else "none."
        raise DataError(f"{data.name}: no kernel could be compared: {why}")
    single = single_classes(data)
    if single and not (uploaded and len(data.classes) - len(single) > 1):
        raise DataError(
            f"{data.name}: a run needs two rows of every class, one to train on and one to test; class "
            f"{single[0]!s:.40} has one. Remove its row, or join the class with another."
        )
    if single:
        data, parameters = data.without_classes(*single), (*parameters, *((f"without:{name}", True) for name in single))
    if uploaded and data.n > RUN_ROWS and not data.row_kind.square:
        data, parameters = data.stratified_sample(RUN_ROWS, seed=0), (*parameters, ("n", RUN_ROWS), ("seed", 0))
    spec = RunSpec(
        UPLOAD + data.digest if uploaded else data.name,
        usable[0],
        default_machine(data, proposed_measure(data)[0]),
        halves_protocol(data.groups is not None, SPLITS),
        proposed_measure(data)[0],
        reference=usable[1] if len(usable) > 1 else None,
        parameters=parameters,
    )
    # Half of a class trains, and every inner fold needs one of its rows; real targets have nothing to tune.
    folds = min([FOLDS, *(count // 2 for count in data.class_counts.values())])
    if data.task == "classification" and folds >= 2:
        inner = RepeatedKFold(folds=folds, repeats=1, seed=0)
        spec = replace(spec, tuning=(Axis("machine.C", COSTS),), inner=inner)
    # Tuning keeps groups whole as testing does.
    return spec if data.groups is None else replace(spec, inner=GroupedSplits(repeats=5, train=0.8, seed=0))
