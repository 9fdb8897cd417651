"""The number at hand: which of the kernel's numbers the overview moves, its values, the kernel at each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernlib import Deep, Empirical, Kernel, Power
from kernlib.data import Dataset
from kernlib.experiments import Place, available_axes
from kernlib.experiments.axis import with_value
from kernlib.machines import NearestCentroid
from kernlib.wrappers.nystrom import with_landmarks

from .widgets import plain_symbol

__all__ = ["Number", "difference", "most_telling", "numbers", "on_top"]

#: The numbers that the sources are about, most telling first.
_TELLING = (("Power", "p"), ("Deep", "level"))
_P = tuple(round(0.1 + 0.05 * i, 2) for i in range(19))
_LEVELS = tuple(range(7))
_LANDMARKS = (10, 20, 50, 100, 200, 500)


@dataclass(frozen=True)
class Number:
    """One number of a kernel: where it stands, and what it is called."""

    kernel: Kernel
    place: Place

    @property
    def path(self) -> str:
        return self.place.path

    @property
    def symbol(self) -> str:
        """The letter, or the name where there is none."""
        return plain_symbol(self.place.parameter) or self.place.parameter.name

    @property
    def label(self) -> str:
        """What a menu says."""
        name = self.place.parameter.name.replace("_", " ")
        letter = "" if self.symbol == self.place.parameter.name else f" {self.symbol}"
        return f"{name}{letter} of {self.place.owner}"

    @property
    def log(self) -> bool:
        return self.place.parameter.scale == "log"

    @property
    def current(self) -> float | int | None:
        """The present value; None where a word such as "median" stands for a learnt one."""
        value = self.place.current
        return value if isinstance(value, int | float) and math.isfinite(value) else None

    def at(self, value: Any) -> Kernel:
        """The kernel with another value here."""
        return with_value(self.kernel, self.path.split(".")[1:], value)

    def values(self, anchor: float | None = None, points: int = 19) -> tuple[Any, ...]:
        """What is tried: the same values wherever the slider stands, so that they are computed once.

        `anchor` is what the rows suggest: on a logarithmic scale of many decades, one on each side of it.
        """
        p = self.place.parameter
        if (self.place.owner, p.name) == ("Power", "p"):
            return _P if points >= len(_P) else _P[::2]
        if (self.place.owner, p.name) == ("Deep", "level"):
            return _LEVELS
        if (self.place.owner, p.name) == ("Nystrom", "landmarks"):
            return _LANDMARKS
        if p.scale == "log" and anchor and p.low is not None and p.high is not None:
            low, high = max(p.low, anchor / 12), min(p.high, anchor * 12)
            return tuple(dict.fromkeys(float(f"{v:.2g}") for v in np.geomspace(low, high, points)))
        return self.place.grid(min(points, 13))


def numbers(kernel: Kernel) -> list[Number]:
    """All numbers of the kernel that a slider can move, outermost first; seeds are no such number."""
    places = available_axes(kernel, NearestCentroid())
    return [
        Number(kernel, place)
        for place in places
        if place.path.startswith("kernel.") and place.parameter.name != "seed" and place.parameter.low is not None
    ]


def most_telling(found: list[Number]) -> Number | None:
    """p, else the level, else the base kernel's own first number."""
    for owner, name in _TELLING:
        for number in found:
            if (number.place.owner, number.place.parameter.name) == (owner, name):
                return number
    if not found:
        return None
    deepest = max(number.path.count(".") for number in found)
    return next(number for number in found if number.path.count(".") == deepest)


def difference(before: Kernel, after: Kernel) -> str | None:
    """The path of the one number in which two kernels of one shape differ; None for any other change."""
    old, new = numbers(before), numbers(after)
    if [n.path for n in old] != [n.path for n in new]:
        return None
    moved = [b for a, b in zip(old, new, strict=True) if a.place.current != b.place.current]
    if len(moved) != 1:
        return None
    there = moved[0].path.split(".")[1:]
    return moved[0].path if with_value(before, there, moved[0].place.current) == after else None


def on_top(kernel: Kernel, data: Dataset) -> dict[str, Kernel]:
    """The steps that bring in one of the sources' two numbers, where the kernel has it not yet."""
    present = {number.place.owner for number in numbers(kernel)}
    offered = {}
    if "Power" not in present:
        offered["add a power p, then the empirical map"] = Empirical(Power(kernel, p=0.5))
    if "Deep" not in present:
        offered["add deep levels"] = Deep(kernel, level=1)
    # Landmarks stay the last step: what stands on them compares all rows with all again.
    return {name: with_landmarks(step) for name, step in offered.items()} if kernel.has_factor else offered
