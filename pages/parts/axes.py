"""What an error curve can run over: parameters that are there, and steps that could be put on top."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kernlib import Deep, Empirical, Kernel, Power
from kernlib.experiments import Place, available_axes
from kernlib.machines import Machine

__all__ = ["Choice", "choices", "path_below"]

_LANDMARKS = (10, 20, 50, 100, 200, 500)
_P_GRID = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True)
class Choice:
    """An entry of the axis menu: the kernel that is swept, and the place in it."""

    label: str
    kernel: Kernel
    place: Place
    preferred: tuple[Any, ...] = ()

    def grid(self, points: int = 11) -> tuple[Any, ...]:
        """The values that are tried unless the person says otherwise."""
        return self.preferred or self.place.grid(points)


def choices(kernel: Kernel, machine: Machine) -> list[Choice]:
    """All that can be swept for this kernel and machine; the sources' two axes first."""
    found = [Choice(place.label, kernel, place) for place in available_axes(kernel, machine)]
    there = {c.place.path: c for c in found}
    first: list[Choice] = []
    if kernel.has_factor:
        # What stands on top of landmarks compares all rows with all again: what is there is varied, below them.
        first = [Choice("number of landmarks", c.kernel, c.place, _LANDMARKS) for c in found if _of_landmarks(c.place)]
        taken = {c.place.path for c in first}
        return [*first, *(c for c in found if c.place.path not in taken)]
    if not any(c.place.owner == "Power" for c in found):
        first.append(
            _on_top(
                "power p on top, then the empirical map", Empirical(Power(kernel)), "kernel.kernel.p", machine, _P_GRID
            )
        )
    else:
        first += [Choice("p of the power step", c.kernel, c.place, _P_GRID) for c in found if c.place.owner == "Power"]
    if "kernel.level" in there:
        first.append(Choice("depth", kernel, there["kernel.level"].place, tuple(range(6))))
    else:
        first.append(_on_top("depth: levels on top", Deep(kernel, level=0), "kernel.level", machine, tuple(range(6))))
    taken = {c.place.path for c in first if c.kernel == kernel}
    return first + [c for c in found if c.place.path not in taken]


def _of_landmarks(place: Place) -> bool:
    return (place.owner, place.parameter.name) == ("Nystrom", "landmarks")


def path_below(path: str, inner: Kernel, outer: Kernel) -> str:
    """The path of a parameter of `inner` as seen from `outer`, which wraps it."""
    if not path.startswith("kernel."):
        return path
    while outer != inner:
        path = f"kernel.{path}"
        outer = outer.children[0]
    return path


def _on_top(label: str, kernel: Kernel, path: str, machine: Machine, grid: tuple[Any, ...]) -> Choice:
    place = next(p for p in available_axes(kernel, machine) if p.path == path)
    return Choice(label, kernel, place, grid)
