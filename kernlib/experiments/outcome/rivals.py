"""Feature selection as the rival of a power: the same machine on the best columns, on the same splits. [O] 4.1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from ...core.base import Kernel
from ...core.steps import RowStep, Wrapper, normal_form
from ...errors import DomainError
from ...measures import MEASURES
from ...statistics import Difference
from ...values.words import number
from ...wrappers import Imputed, Power
from ...wrappers.best import BestColumns
from ..axis import Axis, whole_kernel
from ..running.folds import REFERENCE
from ..spec import RunSpec
from .curve import Curve
from .verdict import difference_in_words, listed

T = TypeVar("T")

#: How many numbers of columns a run compares.
_COUNTS = 7


def selection_run(spec: RunSpec, columns: int) -> RunSpec | None:
    """Return the run of the same powers, and of the kernel without them on the best of so many `columns`.

    Each training part chooses its columns. None where the run does not vary the p of one power alone, where it predicts
    no classes, and where the kernel does not read any number of columns.

    >>> from kernlib import Empirical, Linear
    >>> spec = RunSpec("colon-noise", Power(Linear()), axis=Axis("kernel.p", (0.5, 1.0)))
    >>> selection_run(spec, 12000).values[1:4]
    ('Power(Linear(), p=1.0)', 'BestColumns(Linear(), columns=12)', 'BestColumns(Linear(), columns=38)')
    """
    axis, power = spec.axis, _power(spec.kernel)
    if power is None or axis is None or spec.second is not None or MEASURES[spec.measure].task != "classification":
        return None
    powers = [spec.at(value)[0] for value in axis.values]
    varied = [p.p for kernel in powers if (p := _power(kernel)) is not None]
    if varied != list(axis.values) or any(one.path.startswith("kernel") for one in spec.tuning) or columns < 3:
        return None
    below, counts = power.kernel, np.geomspace(max(1.0, columns / 1000), columns, _COUNTS)
    kept = sorted({min(columns, int(float(f"{count:.2g}"))) for count in counts} | {columns})
    try:
        selected = [_on_best(below, count) for count in kept]
    except DomainError:
        return None
    if _fixed_columns(below):
        return None
    values = tuple(map(repr, (*powers, *selected)))
    return replace(spec, axis=Axis("kernel", values), reference=below, also=(), leaky=False)


def _power(kernel: Kernel) -> Power | None:
    """Return the one power of a chain of steps."""
    kernel, found = normal_form(kernel), list[Power]()
    while isinstance(kernel, Wrapper):
        found += [kernel] if isinstance(kernel, Power) else []
        kernel = kernel.kernel
    return found[0] if len(found) == 1 else None


def _on_best(kernel: Kernel, count: int) -> Kernel:
    """Return the kernel on the best columns, chosen after gaps are filled."""
    passes = isinstance(kernel, Wrapper) and not isinstance(kernel, RowStep) and not kernel.reads_rows
    if isinstance(kernel, Wrapper) and (passes or isinstance(kernel, Imputed)):
        return replace(kernel, kernel=_on_best(kernel.kernel, count))
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
    kept = [_kept(value) for value in spec.values]
    shares, powers = [i for i, k in enumerate(kept) if k], [i for i, k in enumerate(kept) if not k]
    found = [_power(whole_kernel(str(spec.values[i]))) for i in powers]
    if not shares or not powers or None in found:
        return None
    p = tuple(power.p for power in found if power is not None)
    share = tuple((kept[i] or 0) / (kept[shares[-1]] or 1) for i in shares)
    return (
        drawn.part(powers, p, "p", "p", "power p"),
        drawn.part(shares, share, "share of columns kept", "share of columns", "best columns"),
    )


@dataclass(frozen=True, eq=False)
class Rivals:
    """Both ways at their best: `lines` over p and over the share of columns, their `names` and `values` of the run."""

    lines: tuple[Curve, Curve]
    names: tuple[str, str]
    values: tuple[object, object]
    #: Which of the two is better.
    first: int

    def in_words(self, drawn: Curve, guess: float | None = None) -> str:
        """Return the better of both ways, the other, the kernel without either, and guessing, in one sentence."""
        one, other = (
            (name, line.in_words(float(line.mean[line.best or 0]))) for name, line in self._in_order(self.names)
        )
        without = f"; the kernel without either {drawn.in_words(drawn.reference_mean)}"
        level = "" if guess is None else f"; guessing {drawn.in_words(guess)}"
        return f"Best: {one[0]} with {drawn.measure} {one[1]}, before {other[0]} with {other[1]}{without}{level}."

    def _in_order(self, pair: tuple[T, T]) -> list[tuple[T, Curve]]:
        return list(zip(pair, self.lines, strict=True))[:: 1 if self.first == 0 else -1]

    def compared(self, difference: Callable[[object, object], Difference | None]) -> tuple[str, list[str]]:
        """Return what is not significantly different from the better way, in a sentence, and the tests.

        Only the choice of the better one is corrected for: the best of several looks better than it is.

        Parameters: `difference` of the second value's loss from the first one's, paired by rows.
        """
        (best, winner), (other, _) = self._in_order(self.values)
        others = {self.names[1 - self.first]: other, "the kernel without either": REFERENCE}
        alike, worse, tests = list[str](), list[str](), list[str]()
        for name, value in others.items():
            same = value == REFERENCE and best == self.values[1] and winner.values[winner.best or 0] == 1.0
            found = None if same else difference(best, value)
            if found is not None:
                tests.append(difference_in_words(found, winner, name))
                (alike if "cannot be distinguished" in tests[-1] else worse).append(name)
        parts = [f"Significantly worse: {listed(worse)}."] if worse else []
        parts += [f"Not significantly different from the best: {listed(alike)}."] if alike else []
        return " ".join(parts), tests


def rivals(spec: RunSpec, drawn: Curve) -> Rivals | None:
    """Return both ways at their best; None for a run that compares something else, or without results."""
    lines = rival_lines(spec, drawn)
    if lines is None or drawn.best is None or None in (lines[0].best, lines[1].best):
        return None
    powers, shares = lines
    count = len(powers.values)
    at, kept = powers.best or 0, count + (shares.best or 0)
    few, most = _kept(spec.values[kept]), _kept(spec.values[-1])
    columns = f"all {most:,} columns" if few == most else f"the {few:,} best of {most:,} columns"
    names = f"the power p = {number(powers.values[at])}", columns
    return Rivals(lines, names, (spec.values[at], spec.values[kept]), int(drawn.best >= count))
