"""The folds of a run: kernels and machines on one training part and one test part.

Every kernel is evaluated once per part and shared by all machines that read it. Parts that several kernels share, as
the levels of a deep kernel or the base under several p, are evaluated once, too.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..analysis.matrix import Checked, looked_at
from ..analysis.relevant import relevant_dimension
from ..core.base import Kernel, Memo
from ..core.folding import Shared, factored
from ..core.steps import Shorthand, normal_form
from ..data import Dataset
from ..errors import DataError, DegenerateError, KernlibError
from ..machines import Machine
from ..measures import MEASURES, Decided, Judge
from ..protocols import ClassTooSmall
from ..values.arrays import Array, Factor
from ..values.labels import AskedTask, read_labels
from .spec import REFERENCE as REFERENCE
from .spec import RunSpec, Tuned

# Means over inner splits whose relative difference is smaller are equal up to rounding; the first of the grid wins.
_EQUAL = 1e-12

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class FoldResult:
    """One machine trained and tested once.

    `value` is the axis' value (None without an axis, a pair for two, REFERENCE for the reference kernel), `split` the
    split's number; `score` is nan for a failed fold, whose `problem` is the reason. `tuned` holds the (path, value)
    pairs chosen inside the training part; `leaky` the best score of any combination on the test rows, for a leaky spec;
    `warning` names a class without rows or a solver that did not converge; `also` the scores by the spec's further
    measures, in their order; `constant` whether the machine decides for one class on all test rows, which are of two
    classes or more.
    """

    value: Any
    split: int
    score: float
    n_train: int
    n_test: int
    seconds: float = field(compare=False)
    problem: str = ""
    tuned: Tuned = ()
    leaky: float | None = None
    warning: str = ""
    also: tuple[float, ...] = ()
    constant: bool = False


#: A kernel, by its place in the group, and a machine.
Pair = tuple[int, Machine]


class Candidate(NamedTuple):
    """A kernel and a machine, and the tuned combination that they belong to."""

    pair: Pair
    tuned: Tuned


class Point(NamedTuple):
    """One value of the axis with all candidates of the tuning."""

    value: Any
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class Part:
    """One split: its number, training, test and validation rows; `warning` names a class without rows."""

    number: int
    train: Array
    test: Array
    validation: Array | None = None
    warning: str = ""


@dataclass(frozen=True)
class Setting:
    """What all folds of a run share: its spec, the labels and their task.

    `owners` is the group of each row, for an inner protocol that keeps groups whole.
    """

    spec: RunSpec
    y: Array = field(compare=False)
    task: AskedTask
    owners: Array | None = field(default=None, compare=False)

    @classmethod
    def of(cls, spec: RunSpec, data: Dataset) -> Setting:
        """Return the setting of a run on data; raise DataError for data without labels."""
        return cls(spec, *labels_of(data), None if data.groups is None else np.asarray(data.groups))


def labels_of(data: Dataset) -> tuple[Array, AskedTask]:
    """Return labels and task; raise DataError for data without labels."""
    if data.y is None:
        raise DataError(f"{data.name}: error curves need labels; expected one per row, got none. Name a label column.")
    return data.y, data.task or "auto"


class _Matrices(NamedTuple):
    """The matrices of a fold, checked once for all machines."""

    K: Checked | Factor
    K_star: Checked | Factor | None
    k_diag: Array | None


@dataclass(frozen=True, eq=False)
class Group:
    """Points whose kernels share evaluations, and these kernels, which are evaluated together.

    `kernels` are specifications; after `bind`, `bound` holds the same kernels over row numbers, by place, or the reason
    why one of them cannot be evaluated on these rows.
    """

    points: tuple[Point, ...]
    kernels: tuple[Kernel, ...]
    bound: tuple[Kernel | str, ...] = ()
    #: Large: a cluster sends a group to each worker once, not with every fold.
    nbytes: ClassVar[int] = 1 << 30

    def bind(self, rows: Any, memo: Memo) -> Group:
        """Return the same group over the numbers of these rows."""
        bound: list[Kernel | str] = []
        for kernel in self.kernels:
            try:
                bound.append(normal_form(kernel).bind(rows, memo))
            except KernlibError as error:
                # A value that the kernel cannot have on this data does not stop the others.
                bound.append(str(error))
        return replace(self, bound=tuple(bound))

    def folds(
        self, places: list[int], train: Array, test: Array | None, y: Array
    ) -> Iterator[tuple[int, _Matrices | str]]:
        """Yield the matrices of each kernel in `places`, or its error as text; shared evaluations happen once.

        A kernel that `has_factor` returns its factor: no n × n matrix is allocated.
        """
        kernels = {place: self.bound[place] for place in places}
        shared = Shared(kernel for kernel in kernels.values() if not isinstance(kernel, str) and not kernel.has_factor)
        for place, kernel in kernels.items():
            yield place, kernel if isinstance(kernel, str) else _matrices(kernel, train, test, y, shared)


def _matrices(kernel: Kernel, train: Array, test: Array | None, y: Array, shared: Shared) -> _Matrices | str:
    try:
        if kernel.has_factor:
            return _Matrices(*factored(kernel, train, test, y)[1:])
        _, K, K_star, k_diag = shared.fold(kernel, train, test, y)
        return _Matrices(looked_at(K, "fold"), None if K_star is None else looked_at(K_star, "fold", "K_star"), k_diag)
    except Exception as error:
        return _words(error)


def groups(spec: RunSpec) -> list[Group]:
    """Return the points of a run, grouped by kernels that share evaluations in every fold.

    >>> from kernlib import Deep, RBF
    >>> from kernlib.experiments import Axis
    >>> [len(g.points) for g in groups(RunSpec("colon", Deep(RBF()), axis=Axis("kernel.level", (0, 1, 2))))]
    [3]
    >>> [len(g.points) for g in groups(RunSpec("colon", RBF(), axis=Axis("kernel.sigma", (1.0, 2.0))))]
    [1, 1]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    values = spec.values if spec.reference is None else (*spec.values, REFERENCE)
    tried = [spec.candidates(value) for value in values]
    number_of: dict[Kernel, int] = {}
    shared = [
        (number, number_of.setdefault(part, len(tried) + len(number_of)))
        for number, candidates in enumerate(tried)
        for kernel, _, _ in candidates
        for part in _evaluated(normal_form(kernel))
    ]
    size = len(tried) + len(number_of)
    links = coo_array((np.ones(len(shared)), np.transpose(shared)), (size, size))
    points: dict[int, list[Point]] = defaultdict(list)
    kernels: dict[int, dict[Kernel, int]] = defaultdict(dict)
    for value, candidates, group in zip(values, tried, connected_components(links, directed=False)[1], strict=False):
        places = kernels[group]
        known = [Candidate((places.setdefault(_bare(k), len(places)), m), tuned) for k, m, tuned in candidates]
        points[group].append(Point(value, tuple(known)))
    return [Group(tuple(points[group]), tuple(kernels[group])) for group in points]


def _bare(kernel: Kernel) -> Kernel:
    """Return the kernel without a step that changes nothing: level 0 is the kernel below, and measured with it."""
    while isinstance(kernel, Shorthand) and kernel.stands_for in kernel.children:
        kernel = kernel.stands_for
    return kernel


def _evaluated(kernel: Kernel) -> Iterator[Kernel]:
    """Yield the kernels that every fold of this one evaluates, down to those that learn nothing (look-ups)."""
    while isinstance(kernel, Shorthand):
        kernel = kernel.stands_for
    yield kernel
    if not kernel.fitted:
        for below in kernel.needs:
            yield from _evaluated(below)


#: Called with a value, a split, and the predictions and decisions on its test rows.
Keep = Callable[[Any, Part, Array, Array], object]


class _Cancelled(Exception):
    """The run was cancelled between two fits."""


def run(
    group: Group,
    todo: Sequence[Point],
    part: Part,
    setting: Setting,
    cancelled: Callable[[], bool],
    keep: Keep | None = None,
) -> list[FoldResult]:
    """Return the results of the points `todo` on one split; none after a cancellation.

    `keep` is called with the value, the split, the predictions and the decisions of every point. An exception in a
    fold becomes its `problem`, and the run continues.
    """
    trial = _Trial(group, part, setting, cancelled)
    start, spec = time.perf_counter(), setting.spec
    try:
        chosen = trial.chosen(todo)
        tuning = (time.perf_counter() - start) / max(1, len(todo))
        pairs = {
            one.pair
            for point, best in zip(todo, chosen, strict=True)
            if isinstance(best, Candidate)
            for one in (point.candidates if spec.leaky else (best,))
        }
        measured = trial.measured(pairs, part.train, part.test, (spec.measure, *spec.also))
        outcomes = {pair: (result, decided) for pair, result, decided in measured}
    except _Cancelled:
        return []
    results = []
    for point, best in zip(todo, chosen, strict=True):
        if isinstance(best, str):
            sizes = len(part.train), len(part.test)
            failed = FoldResult(point.value, part.number, np.nan, *sizes, tuning, best, warning=part.warning)
            results.append(failed)
            continue
        found, decided = outcomes[best.pair]
        if keep is not None and decided:
            keep(point.value, part, *decided[False])
        leaky = None
        if spec.leaky:
            scores = [outcomes[one.pair][0].score for one in point.candidates]
            leaky = float((np.fmin if MEASURES[spec.measure].lower_is_better else np.fmax).reduce(scores))
        warning = " ".join(filter(None, (part.warning, found.warning)))
        own: dict[str, Any] = {"value": point.value, "seconds": tuning + found.seconds, "warning": warning}
        results.append(replace(found, **own, tuned=best.tuned, leaky=leaky))
    return results


class _Trial:
    """The machines of a group on one split of the rows; `cancelled` is asked before every fit."""

    def __init__(self, group: Group, part: Part, setting: Setting, cancelled: Callable[[], bool]) -> None:
        self.group, self.part, self.setting, self.cancelled = group, part, setting, cancelled
        self.spec, self.y = setting.spec, setting.y

    def chosen(self, points: Sequence[Point]) -> list[Candidate | str]:
        """Return the best candidate of every point by the training rows alone, or why there is none."""
        pairs = {one.pair for point in points if len(point.candidates) > 1 for one in point.candidates}
        try:
            judge = self._by_splits if self.spec.selection == "splits" else self._by_likelihood
            values = judge(pairs) if pairs else {}
        except _Cancelled:
            raise
        except Exception as error:
            return [_words(error)] * len(points)
        return [_best(point.candidates, values) for point in points]

    def _by_splits(self, pairs: set[Pair]) -> dict[Pair, tuple[float, str]]:
        """Return the mean measure of every pair over the inner splits, small is good, and why it is nan."""
        part, spec, owners = self.part, self.spec, self.setting.owners
        if part.validation is not None:
            inner = [(part.train, part.validation)]
        else:
            groups = None if owners is None else owners[part.train]
            numbered = spec.inner.splits(self.y[part.train], task=self.setting.task, groups=groups)
            inner = [(part.train[first], part.train[second]) for _, first, second in numbered]
        found: dict[Pair, list[FoldResult]] = {pair: [] for pair in pairs}
        for train, test in inner:
            for pair, result, _ in self.measured(pairs, train, test, (spec.measure,)):
                found[pair].append(result)
        sign = 1.0 if MEASURES[spec.measure].lower_is_better else -1.0
        # A combination that fails on one inner split is excluded: others are compared on more splits.
        return {
            pair: (sign * float(np.mean([one.score for one in own])), next((o.problem for o in own if o.problem), ""))
            for pair, own in found.items()
        }

    def _by_likelihood(self, pairs: set[Pair]) -> dict[Pair, tuple[float, str]]:
        """Return −log ℓ(d̂) of every pair on the Gram matrix of the training part, and why it is nan.

        It centres real targets where the machine does.
        """
        values: dict[Pair, tuple[float, str]] = {}
        train, task = self.part.train, self.setting.task
        for place, fold in self.group.folds(sorted({place for place, _ in pairs}), train, None, self.y[train]):
            self._go_on()
            for pair in (one for one in pairs if one[0] == place):
                try:
                    if isinstance(fold, str):
                        raise DegenerateError(fold)
                    centred = bool(getattr(pair[1], "centred", False))
                    values[pair] = relevant_dimension(fold.K, self.y[train], task=task, centred=centred).minimum, ""
                except KernlibError as error:
                    values[pair] = np.nan, str(error)
        return values

    def measured(
        self, pairs: set[Pair], train: Array, test: Array, names: tuple[str, ...]
    ) -> Iterator[tuple[Pair, FoldResult, Decided]]:
        """Yield every pair, trained on `train` and measured on `test`, with its result and its decisions.

        The value of the result and the choice of the tuning are left to the caller.
        """
        machines: dict[int, list[Machine]] = defaultdict(list)
        for place, machine in pairs:
            machines[place].append(machine)
        self._go_on()
        start, judge = time.perf_counter(), Judge(self.y[train], self.y[test], names, self.setting.task)
        for place, fold in self.group.folds(sorted(machines), train, test, self.y[train]):
            for machine in machines[place]:
                self._go_on()
                decided: Decided = {}
                try:
                    if isinstance(fold, str):
                        raise DegenerateError(fold)
                    more, decided = judge(machine, *fold)
                except Exception as error:
                    more = {"score": np.nan, "problem": _words(error)}
                begun, start = start, time.perf_counter()
                sizes: Any = {"n_train": len(train), "n_test": len(test), "seconds": start - begun}
                yield (place, machine), FoldResult(None, self.part.number, **sizes, **more), decided

    def _go_on(self) -> None:
        if self.cancelled():
            raise _Cancelled


def _best(candidates: tuple[Candidate, ...], values: dict[Pair, tuple[float, str]]) -> Candidate | str:
    """Return the candidate with the smallest value, the first of equal ones; or why no candidate has a value."""
    if len(candidates) == 1:
        return candidates[0]
    found = np.array([values[one.pair][0] for one in candidates])
    if np.isnan(found).all():
        return f"Tuning: {values[candidates[0].pair][1]}"
    # Relative, because a squared error has the units of y²: targets in metres may have errors of 10⁻¹⁴.
    least = np.nanmin(found)
    return candidates[int(np.flatnonzero(found <= least + _EQUAL * abs(least))[0])]


def _words(error: Exception) -> str:
    """Return an exception as a sentence; an unexpected one is also logged with its traceback."""
    if isinstance(error, KernlibError):
        return str(error)
    _log.warning("a fold raised %r", error, exc_info=error)
    return f"{type(error).__name__}: {error}"


def parts(setting: Setting, data: Dataset) -> Iterator[Part]:
    """Return the protocol's splits; raise DataError with the class names, before any split, if rows are too few."""
    protocol, y, task = setting.spec.protocol, setting.y, setting.task
    try:
        drawn = protocol.parts(y, task=task, groups=data.groups, published=data.splits)
    except ClassTooSmall as error:
        raise error.named(data.classes) from None
    classes = None if read_labels(y, task).classes is None else np.unique(y)
    # Drawn here and not in the generator, so that the call itself raises.
    return (Part(n, train, test, validation, _lost(classes, y, train, test)) for n, train, validation, test in drawn)


def _lost(classes: Array | None, y: Array, train: Array, test: Array) -> str:
    """Return a sentence about a class without rows in a part of this split, or ""."""
    if classes is None:
        return ""
    for name, rows in (("training", train), ("test", test)):
        missing = np.setdiff1d(classes, y[rows])
        if len(missing):
            return f"No {name} row of class {missing[0].item()!r}: its errors are not counted."
    return ""
