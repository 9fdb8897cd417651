"""Parameters tuned on a few splits and then left alone: the median of what those splits chose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from statistics import median_low
from typing import Any

from .folds import FoldResult
from .spec import RunSpec, Tuned

__all__ = ["median_choice", "settled_sweep"]


def median_choice(chosen: list[Tuned]) -> Tuned:
    """For every tuned path the median of the choices, the lower of two; of words the most frequent.

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


def settled_sweep(
    spec: RunSpec, sweep: Callable[..., Iterator[FoldResult]], done: set[tuple[Any, int]]
) -> Iterator[FoldResult]:
    """The results of a run whose tuning is `settled` on its first splits; `sweep` computes what it is given.

    The first splits' test rows have no part in the choice, but rows that one split tests are among those that
    another one tunes on: the price of this protocol, which its users pay knowingly.
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
            # Not one of the first splits could be tuned: they say why, and the others have nothing to go by.
            yield from (r for r in failed.get(value, ()) if r.split not in known)
            continue
        middle = median_choice(chosen[value])
        kernel, machine = spec.tuned(value, middle)
        alone = replace(
            spec, kernel=kernel, machine=machine, axis=None, second=None, tuning=(), settled=0, selection="splits"
        )  # fmt: skip
        for result in sweep(alone, done={(None, split) for split in known}):
            seconds = result.seconds + spent.get((value, result.split), 0.0)
            yield replace(result, value=value, tuned=middle, seconds=seconds)
