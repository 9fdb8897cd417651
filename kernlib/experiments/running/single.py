"""A run over several data sets or protocols, split into runs of one data set and one protocol each."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ...errors import ParameterError
from ..axis import Axis, with_value
from ..spec import RunSpec
from .folds import REFERENCE, FoldResult


@dataclass(frozen=True)
class SingleRun:
    """A run on one data set with one protocol, and the place of its results in the whole run.

    `place` holds the whole run's values of the axes over data and protocol, None where the single run has an axis
    itself; `first_split` is the number of its first split.
    """

    spec: RunSpec
    place: tuple[Any, ...]
    varies: tuple[bool, ...]
    first_split: int

    def outward(self, result: FoldResult) -> FoldResult:
        """Return a result with the value and the split number of the whole run."""
        return replace(result, value=self.outward_value(result.value), split=result.split + self.first_split)

    def outward_value(self, value: Any) -> Any:
        """Return the value of the whole run's axes for a value of this one's."""
        if value == REFERENCE or not self.place:
            return value
        inner = iter(value if isinstance(value, tuple) and sum(self.varies) > 1 else (value,))
        whole = tuple(next(inner) if varies else given for varies, given in zip(self.varies, self.place, strict=True))
        return whole if len(whole) > 1 else whole[0]

    def inward(self, done: set[tuple[Any, int]]) -> set[tuple[Any, int]]:
        """Return the whole run's (value, split) pairs that belong to this run, with its own values and numbers."""
        values = {self.outward_value(value): value for value in (*self.spec.values, REFERENCE)}
        splits = range(self.first_split, self.first_split + self.spec.protocol.count)
        return {(values[v], s - self.first_split) for v, s in done if v in values and s in splits}


def single_runs(spec: RunSpec) -> tuple[SingleRun, ...]:
    """Return the runs that a spec consists of: one per value of a data or protocol axis, and per draw.

    >>> from kernlib import RBF
    >>> spec = RunSpec("twonorm", RBF(), axis=Axis("data.n", (50, 100)), draws=3)
    >>> runs = single_runs(spec)
    >>> len(runs), runs[4].spec.parameters, runs[4].first_split
    (6, (('n', 100), ('seed', 1)), 25)
    """
    outer = [axis for axis in spec.axes if axis.outside]
    inner = [axis for axis in spec.axes if not axis.outside]
    if not outer and spec.draws == 1:
        return (SingleRun(spec, (), (), 0),)
    varies = tuple(not axis.outside for axis in spec.axes)
    runs = []
    for values in itertools.product(*(axis.values for axis in outer)):
        one = replace(spec, axis=inner[0] if inner else None, second=inner[1] if len(inner) > 1 else None, draws=1)
        for axis, value in zip(outer, values, strict=True):
            one = _elsewhere(one, axis, value)
        place = iter(values)
        whole = tuple(None if v else next(place) for v in varies)
        for draw in range(spec.draws):
            first = draw * one.protocol.count
            runs.append(SingleRun(_redrawn(one, draw) if spec.draws > 1 else one, whole, varies, first))
    return tuple(runs)


def _elsewhere(spec: RunSpec, axis: Axis, value: Any) -> RunSpec:
    part, name = axis.path.split(".", 1)
    if part == "protocol":
        return replace(spec, protocol=with_value(spec.protocol, name.split("."), value))
    given = dict(spec.parameters) | {name: value}
    return replace(spec, parameters=tuple(given.items()))


def _redrawn(spec: RunSpec, draw: int) -> RunSpec:
    """Return the spec with the seeds of data and splits increased by `draw`."""
    seed = int(dict(spec.parameters).get("seed", 0))
    moved = _elsewhere(spec, Axis("data.seed", (seed,)), seed + draw)
    return replace(moved, protocol=with_value(spec.protocol, ["seed"], spec.protocol.seed + draw))  # type: ignore[attr-defined]


def taking_turns(streams: list[Iterator[FoldResult]]) -> Iterator[FoldResult]:
    """Yield one result of each stream in turn, so that the whole curve appears early."""
    while streams:
        for stream in list(streams):
            result = next(stream, None)
            if result is None:
                streams.remove(stream)
            else:
                yield result


def require_single(spec: RunSpec, owner: str) -> None:
    """Raise ParameterError for a run over several data sets or protocols."""
    if len(single_runs(spec)) > 1:
        raise ParameterError(
            f"{owner}: expected one data set and one protocol; got a run over several. Choose one value of "
            f"{', '.join(axis.path for axis in spec.axes if axis.outside) or 'draws'}."
        )
