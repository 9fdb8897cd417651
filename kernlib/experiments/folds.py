"""The folds of a run: kernels and machines on one training part and one test part.

Every kernel is evaluated once per part and shared by all machines that read it. Parts that several kernels share, as
the levels of a deep kernel or the base under several p, are evaluated once, too.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from ..analysis.gram import centred_alignment
from ..analysis.matrix import Checked, looked_at
from ..analysis.relevant import relevant_dimension
from ..analysis.spectrum import decompose
from ..core.base import Kernel, Memo
from ..core.folding import FactoredFold, Fold, Shared, factored
from ..core.steps import Shorthand, normal_form
from ..data import Dataset
from ..errors import DataError, DegenerateError, KernlibError
from ..machines import Machine
from ..machines.regression import left_out_errors
from ..measures import MEASURES, Measure
from ..protocols import ClassTooSmall, FixedSplits
from ..values.arrays import Array, Factor
from ..values.labels import AskedTask, Labels, read_labels
from .spec import REFERENCE as REFERENCE
from .spec import RunSpec, Tuned

AnyFold = Fold | FactoredFold

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


@dataclass(frozen=True)
class Candidate:
    """A kernel, by its place in the group, a machine, and the tuned combination that they belong to."""

    kernel: int
    machine: Machine
    tuned: Tuned

    @property
    def pair(self) -> Pair:
        return self.kernel, self.machine


@dataclass(frozen=True)
class Point:
    """One value of the axis with all candidates of the tuning."""

    value: Any
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class Part:
    """One split: its number, training, test and validation rows; `warning` names a class without rows.

    `labels` are those of the training rows, read once for all groups by `parts`; None if each fold reads its own. A
    copy with other rows does not inherit them.
    """

    number: int
    train: Array
    test: Array
    validation: Array | None = None
    warning: str = ""
    labels: Labels | None = field(default=None, init=False, repr=False, compare=False)


@dataclass(frozen=True)
class Setting:
    """What all folds of a run share: its spec, the task, and the names of the measures of the test rows.

    `owners` is the number of each row's group, for an inner protocol that keeps groups whole.
    """

    spec: RunSpec
    task: AskedTask
    measures: tuple[str, ...]
    owners: Array | None = field(default=None, compare=False)

    @classmethod
    def of(cls, spec: RunSpec, task: AskedTask, groups: Sequence[str] | None) -> Setting:
        codes = None if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1].reshape(-1)
        return cls(spec, task, (spec.measure, *spec.also), codes)


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
    ) -> Iterator[tuple[int, AnyFold | str]]:
        """Yield the fold of each kernel in `places`, or its error as text; shared evaluations happen once.

        A kernel that `has_factor` returns its factor: no n × n matrix is allocated.
        """
        kernels = {place: self.bound[place] for place in places}
        shared = Shared(kernel for kernel in kernels.values() if not isinstance(kernel, str) and not kernel.has_factor)
        for place, kernel in kernels.items():
            yield place, kernel if isinstance(kernel, str) else _guarded(kernel, train, test, y, shared)


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
    tried = [(value, spec.candidates(value)) for value in values]
    number_of: dict[Kernel, int] = {}
    shared = [
        (number, number_of.setdefault(part, len(tried) + len(number_of)))
        for number, (_, candidates) in enumerate(tried)
        for kernel, _, _ in candidates
        for part in _evaluated(normal_form(kernel))
    ]
    size = len(tried) + len(number_of)
    links = coo_array((np.ones(len(shared)), np.transpose(shared)), (size, size))
    members: dict[int, list[Any]] = {}
    for one, group in zip(tried, connected_components(links, directed=False)[1], strict=False):
        members.setdefault(group, []).append(one)
    return list(map(_group, members.values()))


def _evaluated(kernel: Kernel) -> Iterator[Kernel]:
    """Yield the kernels that every fold of this one evaluates, down to those that learn nothing (look-ups)."""
    while isinstance(kernel, Shorthand):
        kernel = kernel.stands_for
    yield kernel
    if not kernel.fitted:
        for below in kernel.needs:
            yield from _evaluated(below)


def _group(tried: list[tuple[Any, tuple[tuple[Kernel, Machine, Tuned], ...]]]) -> Group:
    places: dict[Kernel, int] = {}
    points = []
    for value, candidates in tried:
        of_point = [Candidate(places.setdefault(k, len(places)), machine, tuned) for k, machine, tuned in candidates]
        points.append(Point(value, tuple(of_point)))
    return Group(tuple(points), tuple(places))


#: A kernel, by its place in the group, and a machine.
Pair = tuple[int, Machine]
#: Predictions and decisions on the test rows, kept on request.
Kept = dict[Pair, tuple[Array, Array]]


#: Called with a value, a split, and the predictions and decisions on its test rows.
Keep = Callable[[Any, Part, Array, Array], object]


class _Cancelled(Exception):
    """The run was cancelled between two fits."""


def run(
    group: Group,
    todo: tuple[int, ...],
    part: Part,
    setting: Setting,
    y: Array,
    cancelled: Callable[[], bool],
    keep: Keep | None = None,
) -> list[FoldResult]:
    """Return the results of the points `todo` on one split; none after a cancellation.

    `keep` is called with the value, the split, the predictions and the decisions of every point. An exception in a
    fold becomes its `problem`, and the run continues.
    """
    kept: Kept | None = None if keep is None else {}
    points = [group.points[i] for i in todo]
    start = time.perf_counter()
    try:
        chosen, problems = _choose(group, points, part, setting, y, cancelled)
        tuning = (time.perf_counter() - start) / max(1, len(points))
        pairs = {
            c.pair for i, best in chosen.items() for c in (points[i].candidates if setting.spec.leaky else (best,))
        }
        outcomes = dict(_outcomes(group, pairs, part.train, part.test, setting, y, cancelled, kept, part.labels))
    except _Cancelled:
        return []
    results = []
    for i, point in enumerate(points):
        best = chosen.get(i)
        sizes = len(part.train), len(part.test)
        found = FoldResult(None, 0, np.nan, *sizes, 0.0, problems[i]) if best is None else outcomes[best.pair]
        if best is not None and keep is not None and kept and best.pair in kept:
            keep(point.value, part, *kept[best.pair])
        results.append(
            replace(
                found,
                value=point.value,
                split=part.number,
                seconds=tuning + found.seconds,
                tuned=() if best is None else best.tuned,
                leaky=_leak(point, outcomes, setting) if best is not None and setting.spec.leaky else None,
                warning=" ".join(filter(None, (part.warning, found.warning))),
            )
        )
    return results


def _leak(point: Point, outcomes: dict[Pair, FoldResult], setting: Setting) -> float:
    """Return the best test score of all candidates of a point."""
    scores = [outcomes[c.pair].score for c in point.candidates]
    best = min if MEASURES[setting.spec.measure].lower_is_better else max
    return best((score for score in scores if not np.isnan(score)), default=float("nan"))


def _choose(
    group: Group, points: list[Point], part: Part, setting: Setting, y: Array, cancelled: Callable[[], bool]
) -> tuple[dict[int, Candidate], dict[int, str]]:
    """Return the best candidate of every point by the training rows alone, or why there is none."""
    tuned = [point for point in points if len(point.candidates) > 1]
    pairs = {c.pair for point in tuned for c in point.candidates}
    try:
        judge = _by_splits if setting.spec.selection == "splits" else _by_matrix
        values = judge(group, pairs, part, setting, y, cancelled) if pairs else {}
    except _Cancelled:
        raise
    except Exception as error:
        return {}, dict.fromkeys(range(len(points)), _words(error))
    chosen, problems = {}, {}
    for i, point in enumerate(points):
        if len(point.candidates) == 1:
            chosen[i] = point.candidates[0]
            continue
        found = np.array([values[c.pair][0] for c in point.candidates])
        if np.isnan(found).all():
            problems[i] = f"Tuning: {values[point.candidates[0].pair][1]}"
            continue
        # Relative, because a squared error has the units of y²: targets in metres may have errors of 10⁻¹⁴.
        least = np.nanmin(found)
        chosen[i] = point.candidates[int(np.flatnonzero(found <= least + _EQUAL * abs(least))[0])]
    return chosen, problems


def _by_splits(
    group: Group, pairs: set[Pair], part: Part, setting: Setting, y: Array, cancelled: Callable[[], bool]
) -> dict[Pair, tuple[float, str]]:
    """Return the mean measure of every pair over the inner splits, small is good, and why it is nan."""
    if part.validation is not None:
        inner = [(part.train, part.validation)]
    else:
        owners = None if setting.owners is None else setting.owners[part.train]
        numbered = setting.spec.inner.splits(y[part.train], task=setting.task, groups=owners)
        inner = [(part.train[first], part.train[second]) for _, first, second in numbered]
    alone = replace(setting, measures=setting.measures[:1])
    found: dict[Pair, list[FoldResult]] = {pair: [] for pair in pairs}
    for train, test in inner:
        for pair, outcome in _outcomes(group, pairs, train, test, alone, y, cancelled):
            found[pair].append(outcome)
    sign = 1.0 if MEASURES[setting.spec.measure].lower_is_better else -1.0
    # A combination that fails on one inner split is excluded: others are compared on more splits.
    return {
        pair: (sign * float(np.mean([one.score for one in own])), next((one.problem for one in own if one.problem), ""))
        for pair, own in found.items()
    }


def _by_matrix(
    group: Group, pairs: set[Pair], part: Part, setting: Setting, y: Array, cancelled: Callable[[], bool]
) -> dict[Pair, tuple[float, str]]:
    """Return the criterion of every pair on the Gram matrix of the training part, small is good, and why it is nan."""
    values: dict[Pair, tuple[float, str]] = {}
    labels = y[part.train]
    for place, fold in group.folds(sorted({place for place, _ in pairs}), part.train, None, labels):
        if cancelled():
            raise _Cancelled
        for pair in (one for one in pairs if one[0] == place):
            try:
                if isinstance(fold, str):
                    raise DegenerateError(fold)
                values[pair] = criterion(setting.spec.selection, fold.K, labels, pair[1], setting.task), ""
            except KernlibError as error:
                values[pair] = np.nan, str(error)
    return values


def criterion(name: str, K: Array | Factor, y: Array, machine: Machine, task: AskedTask) -> float:
    """Return −log ℓ(d̂), 1 − centred alignment, or the leave-one-out squared error; small is good.

    Parameters: `name` "likelihood", "alignment" or "leave-one-out", of ridge regression at the machine's ridge, or at
    the best of a grid.

    >>> from kernlib.machines import KernelRidge
    >>> x = np.linspace(-1, 1, 20)
    >>> criterion("leave-one-out", np.outer(x, x), 3 * x, KernelRidge(ridge=10.0), "auto").__round__(4)
    1.1889
    """
    if name == "likelihood":
        return float(relevant_dimension(K, y, task=task, centred=_centres(machine)).minimum)
    if name == "alignment":
        return 1.0 - centred_alignment(K, read_labels(y, task, owner="alignment").targets)
    given = getattr(machine, "ridge", "")
    ridges = None if isinstance(given, str) else np.array([given])
    pairs = decompose(K, owner="leave-one-out")
    labels = read_labels(y, task, owner="leave-one-out")
    errors = left_out_errors(pairs, labels, _centres(machine), ridges)[1]
    return float(errors.min()) if len(errors) else math.nan


def _centres(machine: Machine) -> bool:
    """Return whether the machine centres real targets; its criteria do the same."""
    return bool(getattr(machine, "centred", False))


def _outcomes(
    group: Group,
    pairs: set[Pair],
    train: Array,
    test: Array,
    setting: Setting,
    y: Array,
    cancelled: Callable[[], bool],
    kept: Kept | None = None,
    known: Labels | None = None,
) -> Iterator[tuple[Pair, FoldResult]]:
    """Yield the outcome of every pair of kernel and machine, trained on `train` and measured on `test`.

    Value, split and what belongs to a choice are left to the caller.
    """
    machines: dict[int, list[Machine]] = {}
    for place, machine in pairs:
        machines.setdefault(place, []).append(machine)
    if cancelled():
        raise _Cancelled
    trial = _Trial(y[train], y[test], setting, known)
    for place, fold in group.folds(sorted(machines), train, test, y[train]):
        for machine in machines[place]:
            if cancelled():
                raise _Cancelled
            try:
                outcome, predictions = trial.of(fold, machine)
                if kept is not None and predictions is not None:
                    kept[place, machine] = predictions
            except Exception as error:
                outcome = trial.outcome(np.nan, problem=_words(error))
            yield (place, machine), outcome


class _Trial:
    """Machines trained and measured on one split: labels are read once, a fold's matrices are checked once."""

    def __init__(self, train: Array, test: Array, setting: Setting, known: Labels | None) -> None:
        self._train, self._test, self._setting = train, test, setting
        self._labels: Array | Labels = train if known is None else known
        self._measures = [MEASURES[name] for name in setting.measures]
        self._judges: dict[str, Callable[..., float]] = {}
        self._fold: AnyFold | None = None
        self._K: Any = None
        self._K_star: Any = None
        self._start = time.perf_counter()

    def outcome(self, score: float, **more: Any) -> FoldResult:
        """Return an outcome with the seconds since the last one, or since the split began."""
        start, self._start = self._start, time.perf_counter()
        return FoldResult(None, 0, score, len(self._train), len(self._test), self._start - start, **more)

    def of(self, fold: AnyFold | str, machine: Machine) -> tuple[FoldResult, tuple[Array, Array] | None]:
        """Return a machine's outcome on a fold, and its predictions and decisions unless only K is measured."""
        if isinstance(fold, str):  # the reason why the kernel has none
            return self.outcome(np.nan, problem=fold), None
        if fold is not self._fold:
            self._fold, self._K, self._K_star = fold, fold.K, fold.K_star
        task, warning, constant = self._setting.task, "", False
        # Predictions and decisions, by whether they are of the training rows.
        decided: dict[bool, tuple[Array, Array]] = {}
        if any(m.of_training is None for m in self._measures):
            name = type(machine).__name__
            K = self._K = _checked(self._K, f"{name}.fit")
            fitted = machine.fit(K, self._labels, task=task)
            self._labels = labels = fitted.labels_
            self._K_star = _checked(self._K_star, f"{name}.decision", "K_star")
            decision = fitted.decision(self._K_star, fold.k_diag)
            decided[False] = predicted, _ = fitted.labels_of(decision), decision
            if any(m.on_training for m in self._measures):
                diagonal = K.diagonal if isinstance(K, Factor) else np.ascontiguousarray(np.diagonal(K.matrix))
                on_training = fitted.decision(K, diagonal)
                decided[True] = fitted.labels_of(on_training), on_training
            if not getattr(fitted, "converged_", True):
                warning = f"{machine!r}: the solver did not converge. Choose another C, or distrust the score."
            # To count the labels of the test rows and of the predictions in every fit took 5% of a sweep.
            same = labels.codes is not None and bool((predicted == predicted[:1]).all())
            constant = same and len(set(self._test)) > 1
        score, *also = (
            float(self._judge(m, fitted.classes_)(*decided[m.on_training]))
            if m.of_training is None
            else m.of_training(fold.K, self._train, task)
            for m in self._measures
        )
        return self.outcome(score, warning=warning, also=tuple(also), constant=constant), decided.get(False)

    def _judge(self, measure: Measure, classes: Array | None) -> Callable[..., float]:
        """Return the measure on the labels of the training or the test rows, whichever it needs."""
        if measure.name not in self._judges:
            self._judges[measure.name] = measure.on(self._train if measure.on_training else self._test, classes)
        return self._judges[measure.name]


def _checked(K: Array | Checked | Factor, owner: str, name: str = "K") -> Checked | Factor:
    return K if isinstance(K, Factor) else looked_at(K, owner, name)


def _guarded(kernel: Kernel, train: Array, test: Array | None, y: Array, shared: Shared) -> AnyFold | str:
    try:
        if kernel.has_factor:
            return factored(kernel, train, test, y)
        return shared.fold(kernel, train, test, y)
    except Exception as error:
        return _words(error)


def _words(error: Exception) -> str:
    """Return an exception as a sentence; an unexpected one is also logged with its traceback."""
    if isinstance(error, KernlibError):
        return str(error)
    _log.warning("a fold raised %r", error, exc_info=error)
    return f"{type(error).__name__}: {error}"


def parts(spec: RunSpec, y: Array, task: AskedTask, data: Dataset) -> Iterator[Part]:
    """Return the protocol's splits; raise DataError with the class names, before any split, if rows are too few."""
    protocol = spec.protocol
    try:
        if isinstance(protocol, FixedSplits) and protocol.validation:
            drawn: Iterator[tuple[int, Array, Array | None, Array]] = protocol.parts(y, task=task)
        else:
            pairs = protocol.splits(y, task=task, groups=data.groups, published=data.splits)
            drawn = ((number, train, None, test) for number, train, test in pairs)
    except ClassTooSmall as error:
        raise error.named(data.classes) from None
    classes = None if read_labels(y, task).classes is None else np.unique(y)
    # Drawn here and not in the generator, so that the call itself raises.
    return (
        _part(Part(n, train, test, validation, _lost(classes, y, train, test)), y, task)
        for n, train, validation, test in drawn
    )


def _part(part: Part, y: Array, task: AskedTask) -> Part:
    with suppress(DataError):  # every fold reports it as its problem
        object.__setattr__(part, "labels", read_labels(y[part.train], task))
    return part


def _lost(classes: Array | None, y: Array, train: Array, test: Array) -> str:
    """Return a sentence about a class without rows in a part of this split, or ""."""
    if classes is None:
        return ""
    for name, rows in (("training", train), ("test", test)):
        missing = np.setdiff1d(classes, y[rows])
        if len(missing):
            return f"No {name} row of class {missing[0].item()!r}: its errors are not counted."
    return ""
