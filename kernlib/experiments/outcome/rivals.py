"""Feature selection as the rival of a power: the same machine on the best columns, on the same splits. [O] 4.1."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from ...core.base import Kernel
from ...core.steps import RowStep, Wrapper, normal_form
from ...errors import DomainError, ParameterError
from ...measures import MEASURES
from ...values.words import number
from ...wrappers import Empirical, Power
from ...wrappers.best import BestColumns
from ..axis import Axis, whole_kernel
from ..running.folds import REFERENCE
from ..spec import RunSpec
from .curve import Curve, gap_from_best
from .verdict import difference_in_words, listed, significant_side

T = TypeVar("T")

#: How many numbers of columns a run compares.
_COUNTS = 7


def selection_run(spec: RunSpec, columns: int) -> RunSpec | None:
    """Return the run of the same powers, and of the kernel without them on the best of so many `columns`.

    Each training part chooses its columns. None where the run does not vary the p of one power alone, where a step
    other than the empirical map follows it, where it predicts no classes, and where the kernel does not read any number
    of columns.

    >>> from kernlib import Empirical, Linear
    >>> spec = RunSpec("colon-noise", Power(Linear()), axis=Axis("kernel.p", (0.5, 1.0)))
    >>> selection_run(spec, 12000).values[1:4]
    ('Power(Linear(), p=1.0)', 'BestColumns(Linear(), columns=12)', 'BestColumns(Linear(), columns=38)')
    """
    axis, power = spec.axis, _power(spec.kernel)
    if power is None or axis is None or spec.second is not None or MEASURES[spec.measure].task != "classification":
        return None
    if spec.settled or not _on_top(spec.kernel):
        return None
    powers = [spec.at(value)[0] for value in axis.values]
    varied = [p.p for kernel in powers if (p := _power(kernel)) is not None]
    if varied != list(axis.values) or any(one.path.startswith("kernel") for one in spec.tuning) or columns < 3:
        return None
    below, counts = power.kernel, np.geomspace(max(1.0, columns / 1000), columns, _COUNTS)
    kept = sorted({min(columns, int(float(f"{count:.2g}"))) for count in counts} | {columns})
    if _fixed_columns(below):
        return None
    try:
        selected = [_on_best(below, count) for count in kept]
        values = tuple(map(repr, (*powers, *selected)))
        return replace(spec, axis=Axis("kernel", values), reference=below, also=(), leaky=False)
    except (DomainError, ParameterError):  # such as more values than an axis has
        return None


def _power(kernel: Kernel) -> Power | None:
    """Return the one power of a chain of steps."""
    kernel, found = normal_form(kernel), list[Power]()
    while isinstance(kernel, Wrapper):
        found += [kernel] if isinstance(kernel, Power) else []
        kernel = kernel.kernel
    return found[0] if len(found) == 1 else None


def _on_top(kernel: Kernel) -> bool:
    """Return whether nothing but the empirical map follows the power: what follows would be the power's alone."""
    while isinstance(kernel, Empirical):
        kernel = kernel.kernel
    return isinstance(kernel, Power)


def _on_best(kernel: Kernel, count: int) -> Kernel:
    """Return the kernel on the best columns, chosen after gaps are filled."""
    passes = isinstance(kernel, Wrapper) and not isinstance(kernel, RowStep) and not kernel.reads_rows
    if isinstance(kernel, Wrapper) and (passes or kernel.fills_gaps):
        return replace(kernel, kernel=_on_best(kernel.kernel, count))
    if any(part.fills_gaps for part in kernel.walk()):
        raise DomainError("BestColumns: the gaps are filled in a later step; expected Imputed before all other steps")
    return BestColumns(kernel, count)


def _fixed_columns(kernel: Kernel) -> bool:
    """Return whether a parameter belongs to certain columns: the shape of an image, one width per column."""
    return any(
        p.name == "shape" or (p.each == "column" and isinstance(getattr(part, p.name), tuple))
        for part in kernel.walk()
        for p in part.parameters()
    )


def _kept(value: object) -> int | None:
    """Return how many columns a value of the run keeps; None for a power."""
    kernel = whole_kernel(str(value))
    return next((part.columns for part in kernel.walk() if isinstance(part, BestColumns)), None)


def rival_lines(spec: RunSpec, drawn: Curve) -> tuple[Curve, Curve] | None:
    """Return the curves over p and over the share of columns kept; None for a run that compares something else."""
    if spec.axis is None or spec.axis.path != "kernel" or spec.second is not None:
        return None
    powers, shares = _places(spec)
    found = [_power(whole_kernel(str(spec.values[i]))) for i in powers]
    if not shares or not powers or None in found:
        return None
    p = tuple(power.p for power in found if power is not None)
    kept = [_kept(spec.values[i]) or 0 for i in shares]
    share = tuple(count / max(kept) for count in kept)
    return (
        drawn.part(powers, p, "p", "p", "power p"),
        drawn.part(shares, share, "share of columns kept", "share of columns", "best columns"),
    )


def _places(spec: RunSpec) -> tuple[list[int], list[int]]:
    """Return which values of the run are powers, and which keep columns."""
    kept = [_kept(value) for value in spec.values]
    return [i for i, k in enumerate(kept) if not k], [i for i, k in enumerate(kept) if k]


@dataclass(frozen=True, eq=False)
class Rivals:
    """Both ways at their best: `lines` over p and over the share of columns, their `names` and `values` of the run."""

    lines: tuple[Curve, Curve]
    names: tuple[str, str]
    values: tuple[object, object]
    #: Whether each of the two is the kernel without either: the power 1 alone, or all columns.
    without: tuple[bool, bool]
    #: Which of the two is better.
    first: int

    def in_words(self, drawn: Curve, guess: float | None = None) -> str:
        """Return the better of both ways, the other, the kernel without either, and guessing, in one sentence."""
        (best, best_score), (other, score) = (
            (name, line.in_words(float(line.mean[line.best or 0])))
            for name, line in zip(self._in_order(self.names), self._in_order(self.lines), strict=True)
        )
        known = math.isfinite(drawn.reference_mean)
        without = f"; the kernel without either {drawn.in_words(drawn.reference_mean)}" if known else ""
        level = "" if guess is None else f"; guessing {drawn.in_words(guess)}"
        if best_score == score:
            return f"{best[0].upper()}{best[1:]} and {other} have the same {drawn.measure}, {score}{without}{level}."
        return f"Best: {best} with {drawn.measure} {best_score}, before {other} with {score}{without}{level}."

    def _in_order(self, pair: tuple[T, T]) -> tuple[T, T]:
        return pair if self.first == 0 else pair[::-1]

    def compared(self, drawn: Curve) -> tuple[str, list[str]]:
        """Return how the other way and the kernel without either differ from the better way, and the tests.

        The choice of the best of all values is corrected for: the best of several looks better than it is.
        """
        other = self.values[1 - self.first]
        plain, other_plain = self._in_order(self.without)
        others = {} if other_plain else {self.names[1 - self.first]: other}
        others |= {} if plain else {"the kernel without either": REFERENCE}
        sides: dict[str, list[str]] = {"worse": [], "better": [], "": []}
        tests = []
        for name, value in others.items():
            found = gap_from_best(drawn, value)
            if found is not None:
                tests.append(difference_in_words(found, drawn, name))
                sides[significant_side(found)].append(name)
        parts = [f"Significantly {side}: {listed(names)}." for side, names in sides.items() if side and names]
        parts += [f"Not significantly different from the best: {listed(sides[''])}."] if sides[""] else []
        return " ".join(parts), tests


def rivals(spec: RunSpec, drawn: Curve) -> Rivals | None:
    """Return both ways at their best; None for a run that compares something else, or without results."""
    lines = rival_lines(spec, drawn)
    if lines is None or drawn.best is None or None in (lines[0].best, lines[1].best):
        return None
    powers, shares = _places(spec)
    power, share = (spec.values[at[line.best or 0]] for at, line in zip((powers, shares), lines, strict=True))
    few, most = _kept(share) or 0, max(_kept(spec.values[i]) or 0 for i in shares)
    best = "the best" if few == 1 else f"the {few:,} best"
    columns = f"the kernel on {f'all {most:,}' if few == most else f'{best} of {most:,}'} columns"
    p = lines[0].values[lines[0].best or 0]
    without = p == 1.0 and isinstance(whole_kernel(str(power)), Power), few == most
    return Rivals(lines, (f"the power p = {number(p)}", columns), (power, share), without, int(drawn.best in shares))
