"""A run that consists of others: over data sets or protocols, or with the median of the first splits' choices."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from statistics import median_low
from typing import Any

from ...errors import ParameterError
from ..axis import Axis, with_value
from ..spec import RunSpec, Tuned
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


def median_choice(chosen: list[Tuned]) -> Tuned:
    """Return the median of the choices for every tuned path, the lower of two; for words the most frequent.

    >>> median_choice([(("machine.C", 1.0),), (("machine.C", 100.0),), (("machine.C", 10.0),)])
    (('machine.C', 10.0),)
    """
    columns = [[value for _, value in column] for column in zip(*chosen, strict=True)]
    paths = [path for path, _ in chosen[0]] if chosen else []
    return tuple((path, _middle(values)) for path, values in zip(paths, columns, strict=True))


def _middle(values: list[Any]) -> Any:
    if all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
        return median_low(values)
    return Counter(values).most_common(1)[0][0]


def median_sweep(
    spec: RunSpec, sweep: Callable[..., Iterator[FoldResult]], done: set[tuple[Any, int]]
) -> Iterator[FoldResult]:
    """Yield the results of a run that tunes on its first splits alone (`RunSpec.settled`); `sweep` computes a spec.

    A split's own test rows do not influence its choice, but the rows that one split tests are among those that another
    split tunes on. Older benchmarks accept this.
    """
    tuned = replace(spec, settled=0, also=())
    later = {(value, split) for value in spec.values for split in range(spec.settled, spec.splits)}
    chosen: dict[Any, list[Tuned]] = {}
    failed: dict[Any, list[FoldResult]] = {}
    spent: dict[tuple[Any, int], float] = {}
    for result in sweep(tuned, done=later):
        spent[result.value, result.split] = result.seconds
        if result.problem:
            failed.setdefault(result.value, []).append(result)
        else:
            chosen.setdefault(result.value, []).append(result.tuned)
    for value in spec.values:
        known = {split for v, split in done if v == value}
        if value not in chosen:
            # No first split could be tuned: their results name the reason, and the others have no choice to use.
            yield from (r for r in failed.get(value, ()) if r.split not in known)
            continue
        middle = median_choice(chosen[value])
        kernel, machine = spec.tuned(value, middle)
        alone = replace(
            spec, kernel=kernel, machine=machine, axis=None, second=None, tuning=(), settled=0, selection="splits"
        )
        for result in sweep(alone, done={(None, split) for split in known}):
            seconds = result.seconds + spent.get((value, result.split), 0.0)
            yield replace(result, value=value, tuned=middle, seconds=seconds)
