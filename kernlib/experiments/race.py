"""A race: kernels compared by cross-validation, round by round; significantly worse ones get no more splits."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..core.base import Kernel, Memo
from ..data import Dataset
from ..machines import Machine
from ..numerics.workers import one_blas_thread
from ..protocols import GroupedSplits, Protocol, RepeatedKFold
from ..statistics import Difference, compare_settings
from ..values.arrays import Array
from .axis import Axis, whole_kernel
from .decisions import default_machine
from .folds import Part, Setting, groups, labels_of, parts, run
from .spec import RunSpec
from .sweep import Work

#: C that are tried, in units of one over the kernel's spread.
COSTS = (0.1, 1.0, 10.0, 100.0)
#: Folds of a round, and rounds at most.
FOLDS, ROUNDS = 5, 5
#: Levels of the comparison after each round but the last, and after the last: all together 4%.
EARLY, LAST = 0.0025, 0.03


@dataclass(frozen=True)
class Runner:
    """A kernel in a race: its `machine` with the C that suits it, and its cross-validated `error`.

    `rounds` that it ran; `dropped` whether it is significantly worse than the leader; its error is then the leader's
    plus their difference on the splits that both ran. `difference` from the leader of its last round, over the splits,
    corrected for the number of kernels; None where it ran alone. `problem` says why a kernel could not run.
    """

    kernel: Kernel
    machine: Machine
    error: float = float("inf")
    rounds: int = 0
    dropped: bool = False
    problem: str = ""
    difference: Difference | None = None


@dataclass(frozen=True)
class Race:
    """The state of a race after a round.

    `runners`, the best first; `rounds` so far; `fits` of machines, `all_fits` that all kernels would have taken on all
    splits; `losses` per row of the runners that are not dropped; `first` the losses of the first round for every kernel
    and both C that it tried on all rows; `test_over_train` of a split.
    """

    runners: tuple[Runner, ...]
    rounds: int
    fits: int
    all_fits: int
    losses: dict[Kernel, Array] = field(compare=False)
    test_over_train: float
    first: dict[Any, Array] = field(compare=False, repr=False)

    @property
    def over(self) -> bool:
        """Return whether no further round can change anything."""
        return self.rounds >= ROUNDS or len(self.losses) <= 1


def race(
    data: Dataset,
    kernels: Sequence[Kernel],
    *,
    measure: str = "",
    machine: Machine | None = None,
    known: Race | None = None,
    memo: Memo | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Race]:
    """Compare kernels by repeated cross-validation and yield the state after every round; the last one is complete.

    A round is one 5-fold cross-validation of all rows, the same folds for all kernels; groups stay together. The first
    two folds try C = 0.1, 1, 10, 100 over the spread of the training part for every kernel, the other folds of the
    first round the better two, and later rounds the best alone. After each round a kernel drops out that
    `compare_settings` finds significantly worse than the leader on the same splits, corrected for the number of
    kernels. Each of the first four rounds tests at 0.25% and the last at 3%, so that a kernel as good as the leader
    drops out in at most 4% of races. A race ends after five rounds, or when one kernel is left.

    Parameters: `data` with labels; `kernels` specifications; `measure` "error" or "balanced error" for classes, by
    default the error; real targets have the squared error over their variance; `machine` of another kind than the
    suggested one, whose C is tuned where it has one; `known` a race on the same data that is over, which is not run
    again if it is of the same kernels; `memo` the evaluations of kernels bound to the same rows.
    Raises DataError for data without labels, or classes of a single row.
    """
    y = labels_of(data)[0]
    kernels = list(dict.fromkeys(kernels))
    if known is not None and known.over and {runner.kernel for runner in known.runners} == set(kernels):
        yield known
        return
    classes = data.task == "classification"
    machine = machine or default_machine(data, measure)
    smallest = int(np.unique(y, return_counts=True)[1].min()) if classes else data.n
    folds = max(2, min(FOLDS, smallest))
    protocol: Protocol = RepeatedKFold(folds=folds, repeats=ROUNDS, seed=0)
    if data.groups is not None:
        protocol = GroupedSplits(repeats=FOLDS * ROUNDS, train=0.8, seed=0)
    costs = COSTS if classes and hasattr(machine, "C") else ()
    spec = RunSpec(
        data.name,
        kernels[0],
        machine,
        protocol,
        "error" if classes else "squared error",
        Axis("kernel", tuple(map(repr, kernels))),
        second=Axis("machine.C", costs) if costs else None,
    )
    yield from _Track(spec, data, measure or spec.measure).rounds({} if memo is None else memo, cancelled)


class _Track:
    """The results of a race so far, by the run's values: the repr of a kernel, with a C or without."""

    def __init__(self, spec: RunSpec, data: Dataset, measure: str) -> None:
        self.spec, self.data = spec, data
        self.weights = _weights(data, measure)
        self.fits = 0
        #: The values that a kernel still tries, and the one that suits it, by its name.
        self.active: dict[str, list[Any]] = defaultdict(list)
        self.chosen: dict[str, Any] = {}
        for value in spec.values:
            self.active[_name(value)].append(value)
        #: Summed losses of each row, how often it was tested, and the score of each split.
        self.sums: dict[Any, Array] = {value: np.zeros(data.n) for value in spec.values}
        self.tested = np.zeros(data.n)
        self.scores: dict[Any, list[float]] = defaultdict(list)
        self.first: dict[Any, Array] = {}
        self.problems: dict[str, str] = {}
        #: The difference from the leader when a kernel dropped out, and the rounds that it ran.
        self.dropped: dict[str, tuple[Difference, int]] = {}

    def rounds(self, memo: Memo, cancelled: Callable[[], bool]) -> Iterator[Race]:
        """Yield the state after every round."""
        setting, per_round = Setting.of(self.spec, self.data), self.spec.protocol.count // ROUNDS

        def keep(value: Any, part: Part, predicted: Array, _: Array) -> None:
            y = setting.y[part.test]
            wrong = predicted != y if setting.task != "regression" else (predicted - y) ** 2
            losses = wrong * self.weights[part.test]
            self.sums[value][part.test] += losses
            self.scores[value].append(float(losses.mean()))

        def skip(value: Any, _: int) -> bool:
            return value not in self.active.get(_name(value), ())

        work = Work(setting, self.data, groups(self.spec), skip, cancelled, memo=memo)
        for part in parts(setting, self.data):
            if part.number == 2:
                self._keep_best(2)
            self.tested[part.test] += 1
            with one_blas_thread():
                for task in work.on(part):
                    results = run(*task, setting, cancelled, keep)
                    self.fits += len(results)
                    for result in results:
                        if result.problem:
                            self._fail(result.value, result.problem)
            if cancelled():  # also between two tasks: a part that is not complete is never judged
                return
            if (part.number + 1) % per_round == 0:
                yield self._judge((part.number + 1) // per_round)
                if len(self.active) <= 1:
                    return

    def _fail(self, value: Any, problem: str) -> None:
        name = _name(value)
        self.active[name].remove(value)
        if not self.active[name]:
            del self.active[name]
            self.problems[name] = problem

    def _keep_best(self, count: int) -> None:
        """Keep the C with the smallest losses so far for every kernel; of equal ones those nearest to the default."""

        def order(value: Any) -> tuple[float, float]:
            far = 0.0 if isinstance(value, str) else abs(math.log(value[1] / getattr(self.spec.machine, "C", 1.0)))
            return self._losses(value).sum(), far

        for values in self.active.values():
            values[:] = sorted(values, key=order)[:count]

    def _judge(self, number: int) -> Race:
        """Keep the best C of every kernel, drop what is significantly worse than the leader, and return the state."""
        if number == 1:
            self.first = {value: self._losses(value) for values in self.active.values() for value in values}
        self._keep_best(1)
        self.chosen |= {name: value for name, (value,) in self.active.items()}
        table = {name: self._losses(self.chosen[name]) for name in self.active}
        differences: dict[str, Difference] = {}
        if len(table) > 1:
            alpha = LAST if number == ROUNDS else EARLY
            splits = {name: self.scores[self.chosen[name]] for name in table}
            judged = compare_settings(splits, self.spec.protocol.test_over_train, level=1 - alpha)
            differences = judged.differences
            for name in judged.worse:
                self.dropped[name] = (differences[name], number)
                del self.active[name]
        entered = {name: self.spec.at(value) for name, value in self.chosen.items()}
        left = {name: float(table[name].mean()) for name in self.active}
        best = min(left.values(), default=float("inf"))
        runners = [
            Runner(*entered[name], error, number, difference=differences.get(name)) for name, error in left.items()
        ]
        runners += [
            Runner(*entered[name], best + gap.mean, rounds, dropped=True, difference=gap)
            for name, (gap, rounds) in self.dropped.items()
        ]
        runners.sort(key=lambda runner: (runner.error, runner.dropped))
        failed = [Runner(whole_kernel(name), self.spec.machine, problem=why) for name, why in self.problems.items()]
        return Race(
            (*runners, *failed),
            number,
            self.fits,
            len(self.spec.values) * self.spec.protocol.count,
            {entered[name][0]: table[name] for name in self.active},
            self.spec.protocol.test_over_train,
            self.first,
        )

    def _losses(self, value: Any) -> Array:
        """Return the mean loss of each row that was tested, or of each group."""
        known = self.tested > 0
        losses = self.sums[value][known] / self.tested[known]
        if self.data.groups is None:
            return np.asarray(losses)
        _, codes, sizes = np.unique(np.asarray(self.data.groups)[known], return_inverse=True, return_counts=True)
        return np.asarray(np.bincount(codes, weights=losses) / sizes.mean())


def _name(value: Any) -> str:
    """Return the kernel of a value: its repr."""
    return value if isinstance(value, str) else str(value[0])


def _weights(data: Dataset, measure: str) -> Array:
    """Return a weight for each row, so that the mean weighted loss is the measure."""
    assert data.y is not None
    if data.task == "regression":
        variance = float(np.var(data.y.astype(np.float64)))
        return np.full(data.n, 1 / variance if variance > 0 else 1.0)
    if measure == "balanced error":
        _, codes, counts = np.unique(data.y, return_inverse=True, return_counts=True)
        return np.asarray(data.n / (len(counts) * counts[codes]))
    return np.ones(data.n)
