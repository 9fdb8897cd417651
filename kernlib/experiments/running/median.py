"""Parameters tuned on the first splits, whose median is used on all splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from statistics import median_low
from typing import Any

from ..spec import RunSpec, Tuned
from .folds import FoldResult


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
