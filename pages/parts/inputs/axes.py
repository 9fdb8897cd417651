"""What an error curve can vary: parameters of kernel and machine, and those of steps on top."""

from __future__ import annotations

from typing import Any

from kernlib import Deep, Empirical, Kernel, Power
from kernlib.experiments import Place, available_axes
from kernlib.machines import Machine, NearestCentroid
from pages.parts.session.numbers import Number

_LANDMARKS = (10, 20, 50, 100, 200, 500)
_P_GRID = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def choices(kernel: Kernel, machine: Machine) -> list[Number]:
    """Return all that can be varied for this kernel and machine; the sources' two axes first."""
    numbers = [Number(kernel, place, place.label) for place in available_axes(kernel, machine)]
    there = {c.place.path: c for c in numbers}
    first: list[Number] = []
    if kernel.has_factor:
        # What stands on top of landmarks compares all rows with all again: what is there is varied, below them.
        first = [
            Number(c.kernel, c.place, "number of landmarks", _LANDMARKS) for c in numbers if _of_landmarks(c.place)
        ]
        taken = {c.place.path for c in first}
        return [*first, *(c for c in numbers if c.place.path not in taken)]
    if not any(c.place.owner == "Power" for c in numbers):
        first.append(
            _on_top(
                "power p on top, then the empirical map", Empirical(Power(kernel)), "kernel.kernel.p", machine, _P_GRID
            )
        )
    else:
        first += [
            Number(c.kernel, c.place, "p of the power step", _P_GRID) for c in numbers if c.place.owner == "Power"
        ]
    if "kernel.level" in there:
        first.append(Number(kernel, there["kernel.level"].place, "depth", tuple(range(6))))
    else:
        first.append(_on_top("depth: levels on top", Deep(kernel, level=0), "kernel.level", machine, tuple(range(6))))
    taken = {c.place.path for c in first if c.kernel == kernel}
    return first + [c for c in numbers if c.place.path not in taken]


def axis_label(kernel: Kernel, path: str) -> str:
    """Return the menu's name of a number of this kernel, or of the power that would stand on top of it."""
    menu = choices(kernel, NearestCentroid())
    return next((c.label for c in menu if c.kernel == kernel and c.place.path == path), menu[0].label)


def _of_landmarks(place: Place) -> bool:
    return (place.owner, place.parameter.name) == ("Nystrom", "landmarks")


def path_below(path: str, inner: Kernel, outer: Kernel) -> str:
    """Return the path of a parameter of `inner` as seen from `outer`, which wraps it."""
    if not path.startswith("kernel."):
        return path
    while outer != inner:
        path = f"kernel.{path}"
        outer = outer.children[0]
    return path


def _on_top(label: str, kernel: Kernel, path: str, machine: Machine, grid: tuple[Any, ...]) -> Number:
    place = next(p for p in available_axes(kernel, machine) if p.path == path)
    return Number(kernel, place, label, grid)
