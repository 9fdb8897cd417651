"""A race: kernels compared by cross-validation, round by round; significantly worse ones get no more splits."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.base import Kernel
from ...data import Dataset
from ...machines import Machine
from ...numerics.blas import one_blas_thread
from ...protocols import GroupedSplits, Protocol, RepeatedKFold
from ...statistics import not_separable_from_best
from ...values.arrays import Array
from ..axis import Axis, with_value
from ..proposals import default_machine
from ..running.folds import Setting, groups, parts, run
from ..running.sweep import labels_of
from ..spec import RunSpec

#: C that are tried, in units of one over the kernel's spread.
COSTS = (0.1, 1.0, 10.0, 100.0)
#: Folds of a round, and rounds at most.
FOLDS, ROUNDS = 5, 5


@dataclass(frozen=True)
class Runner:
    """A kernel in a race: its `machine` with the C that suits it, and its cross-validated `error`.

    `rounds` that it ran; `dropped` whether it is significantly worse than the leader; its error is then the leader's
    plus their difference on the splits that both ran. `problem` says why a kernel could not run.
    """

    kernel: Kernel
    machine: Machine
    error: float = float("inf")
    rounds: int = 0
    dropped: bool = False
    problem: str = ""


@dataclass(frozen=True)
class Race:
    """The state of a race after a round: `runners`, the best first, `rounds` so far, `fits` of machines, `all_fits`
    that all kernels would have taken on all splits, `losses` per row of the runners that are not dropped."""

    runners: tuple[Runner, ...]
    rounds: int
    fits: int
    all_fits: int
    losses: dict[Kernel, Array]

    @property
    def over(self) -> bool:
        """Return whether no further round can change anything."""
        return self.rounds >= ROUNDS or len(self.losses) <= 1


def race(
    data: Dataset, kernels: Sequence[Kernel], *, measure: str = "", cancelled: Callable[[], bool] = lambda: False
) -> Iterator[Race]:
    """Compare kernels by repeated cross-validation and yield the state after every round; the last one is complete.

    A round is one 5-fold cross-validation of all rows, the same folds for all kernels; groups stay together. The first
    two folds try C = 0.1, 1, 10, 100 over the spread of the training part for every kernel, the other folds of the
    first round the better two, and later rounds the best alone. After each round a kernel drops out whose losses per
    row (per group) are significantly larger than those of the leader: paired t-tests at 5%, corrected for the number
    of kernels (`not_separable_from_best`). A race ends after five rounds, or when one kernel is left.

    Parameters: `data` with labels; `kernels` specifications; `measure` "error" or "balanced error" for classes, by
    default the error; real targets have the squared error over their variance.
    Raises DataError for data without labels, or classes of a single row.
    """
    y, task = labels_of(data)
    kernels = list(dict.fromkeys(kernels))
    classes = data.task == "classification"
    machine = default_machine(data)
    smallest = int(np.unique(y, return_counts=True)[1].min()) if classes else data.n
    folds = max(2, min(FOLDS, smallest))
    protocol: Protocol = RepeatedKFold(folds=folds, repeats=ROUNDS, seed=0)
    if data.groups is not None:
        protocol = GroupedSplits(repeats=FOLDS * ROUNDS, train=0.8, seed=0)
    costs = COSTS if classes else ()
    spec = RunSpec(
        data.name, kernels[0], machine, protocol, "error" if classes else "squared error",
        Axis("kernel", tuple(map(repr, kernels))), second=Axis("machine.C", costs) if costs else None,
    )  # fmt: skip
    yield from _Track(spec, data, kernels, measure or spec.measure, cancelled).rounds(y, task)


class _Track:
    """The losses of all kernels and machines that are still in a race."""

    def __init__(
        self, spec: RunSpec, data: Dataset, kernels: list[Kernel], measure: str, cancelled: Callable[[], bool]
    ) -> None:
        self.spec, self.data, self.cancelled = spec, data, cancelled
        self.kernels = {repr(kernel): kernel for kernel in kernels}
        self.active: dict[str, list[Any]] = {name: list(self._costs) for name in self.kernels}
        self.problems: dict[str, str] = {}
        self.dropped: dict[str, tuple[float, int]] = {}
        self.machines: dict[str, Machine] = {}
        self.fits = 0
        self.weights = _weights(data, measure)
        self.sums: dict[Any, Array] = {value: np.zeros(data.n) for value in spec.values}
        self.tested = np.zeros(data.n)

    @property
    def _costs(self) -> tuple[Any, ...]:
        return self.spec.second.values if self.spec.second else (None,)

    def _value(self, name: str, cost: Any) -> Any:
        return name if cost is None else (name, cost)

    def rounds(self, y: Array, task: Any) -> Iterator[Race]:
        """Yield the state after every round."""
        spec = self.spec
        setting = Setting.of(spec, task, self.data.groups)
        made = groups(spec)
        splits = parts(spec, y, task, self.data)
        per_round = spec.protocol.count // ROUNDS
        bound: dict[int, Any] = {}
        memo: dict[Any, Any] = {}

        def keep(value: Any, predicted: Array, _: Array) -> None:
            wrong = predicted != y[part.test] if task != "regression" else (predicted - y[part.test]) ** 2
            self.sums[value][part.test] += wrong * self.weights[part.test]

        for number in range(1, ROUNDS + 1):
            for fold in range(per_round):
                if number == 1 and fold == 2:
                    self._keep_costs(2)
                part = next(splits)
                self.tested[part.test] += 1
                for place, group in enumerate(made):
                    wanted = {self._value(name, cost) for name, costs in self.active.items() for cost in costs}
                    todo = tuple(i for i, point in enumerate(group.points) if point.value in wanted)
                    if not todo:
                        continue
                    with one_blas_thread():
                        if place not in bound:
                            bound[place] = group.bind(self.data.inputs, memo)
                        results = run(bound[place], todo, part, setting, y, self.cancelled, keep)
                    if self.cancelled():
                        return
                    self.fits += len(results)
                    for result in results:
                        if result.problem:
                            self._fail(result.value, result.problem)
            yield self._judge(number)
            if len(self.active) <= 1:
                return

    def _fail(self, value: Any, problem: str) -> None:
        name, cost = value if isinstance(value, tuple) else (value, None)
        costs = self.active.get(name, [])
        if cost in costs:
            costs.remove(cost)
        if not costs and name in self.active:
            del self.active[name]
            self.problems[name] = problem

    def _keep_costs(self, count: int) -> None:
        """Keep the C with the smallest losses so far for every kernel; of equal ones those nearest to the default."""
        default = getattr(self.spec.machine, "C", 1.0)
        for name, costs in self.active.items():
            far = {cost: abs(math.log(cost / default)) if cost else 0.0 for cost in costs}
            costs.sort(key=lambda cost, name=name, far=far: (self._losses(name, cost).sum(), far[cost]))  # type: ignore[misc]
            del costs[count:]

    def _judge(self, number: int) -> Race:
        """Keep the best C of every kernel, drop what is significantly worse than the leader, and return the state."""
        self._keep_costs(1)
        table = {name: self._losses(name, costs[0]) for name, costs in self.active.items()}
        self.machines |= {name: self._machine(costs[0]) for name, costs in self.active.items()}
        if len(table) > 1 and len(next(iter(table.values()))) > 2:
            judged = not_separable_from_best(table, 0.0)
            for name in set(table) - set(judged.names):
                self.dropped[name] = (judged.differences[name].mean, number)
                del self.active[name]
        left = {name: float(table[name].mean()) for name in self.active}
        best = min(left.values(), default=float("inf"))
        runners = [Runner(self.kernels[name], self.machines[name], error, number) for name, error in left.items()]
        runners += [
            Runner(self.kernels[name], self.machines[name], best + gap, rounds, dropped=True)
            for name, (gap, rounds) in self.dropped.items()
        ]
        failed = [Runner(self.kernels[name], self.spec.machine, problem=why) for name, why in self.problems.items()]
        runners.sort(key=lambda runner: (runner.error, runner.dropped))
        per_split = len(self.kernels) * len(self._costs)
        return Race(
            (*runners, *failed), number, self.fits, per_split * self.spec.protocol.count,
            {self.kernels[name]: table[name] for name in self.active},
        )  # fmt: skip

    def _machine(self, cost: Any) -> Machine:
        machine: Machine = self.spec.machine if cost is None else with_value(self.spec.machine, ["C"], cost)
        return machine

    def _losses(self, name: str, cost: Any) -> Array:
        """Return the mean loss of each row that was tested, or of each group."""
        known = self.tested > 0
        losses = self.sums[self._value(name, cost)][known] / self.tested[known]
        if self.data.groups is None:
            return np.asarray(losses)
        _, codes, sizes = np.unique(np.asarray(self.data.groups)[known], return_inverse=True, return_counts=True)
        return np.asarray(np.bincount(codes, weights=losses) / sizes.mean())


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
