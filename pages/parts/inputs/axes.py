"""What an error curve can vary: parameters of kernel and machine, and those of steps on top."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from kernlib import Deep, Empirical, Kernel, Power
from kernlib.data import Dataset
from kernlib.experiments import Place, available_axes, outside_axes
from kernlib.machines import Machine, NearestCentroid
from kernlib.protocols import Protocol
from kernlib.values.words import number as in_words
from pages.parts.inputs.controls import binding, options, span, value_of
from pages.parts.inputs.controls import number as number_control
from pages.parts.results import compute
from pages.parts.session import state
from pages.parts.session.numbers import TunableParameter
from pages.parts.session.value import DataChoice

_LANDMARKS = (10, 20, 50, 100, 200, 500)
_SHARES = (0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875)
#: Values of a range at most.
_MOST = 60
_P_GRID, _LEVEL_GRID = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0), tuple(range(6))


def choices(kernel: Kernel, machine: Machine) -> list[TunableParameter]:
    """Return all that can be varied for this kernel and machine; the sources' two axes first."""
    places = available_axes(kernel, machine)

    def where(fits: Callable[[Place], bool], label: str, grid: tuple[Any, ...]) -> list[TunableParameter]:
        return [TunableParameter(kernel, place, label, grid) for place in places if fits(place)]

    if kernel.has_factor:
        # What stands on top of landmarks compares all rows with all again: what is there is varied, below them.
        landmarks = ("Nystrom", "landmarks")
        first = where(lambda p: (p.owner, p.parameter.name) == landmarks, "number of landmarks", _LANDMARKS)
    else:
        first = where(lambda place: place.parameter.name == "p", "p of the power step", _P_GRID) or [
            _on_top(
                "power p on top, then the empirical map", Empirical(Power(kernel)), "kernel.kernel.p", machine, _P_GRID
            )
        ]
        first += where(lambda p: p.path == "kernel.level", "depth", _LEVEL_GRID) or [
            _on_top("depth: levels on top", Deep(kernel, level=0), "kernel.level", machine, _LEVEL_GRID)
        ]
    taken = {c.path for c in first if c.kernel == kernel}
    return first + [TunableParameter(kernel, place, place.label) for place in places if place.path not in taken]


def outside(kernel: Kernel, choice: DataChoice, protocol: Protocol) -> list[TunableParameter]:
    """Return what a run can vary beside kernel and machine: parameters of the data and of the splits."""
    numbers = []
    for place in outside_axes(choice.name, choice.parameters, protocol):
        shares = place.path == "protocol.train" and place.parameter.kind == "float"
        numbers.append(TunableParameter(kernel, place, place.label, _SHARES if shares else ()))
    return numbers


def grid_control(choice: TunableParameter, name: str, data: Dataset, points: int = 11) -> tuple[Any, ...]:
    """Draw the values of a parameter, and return those that the state chooses.

    A slider has their ends. *More values* takes other ends within the declared bounds, and their count. The values of a
    width are placed around the median distance of the rows. Of words a menu chooses some.
    """
    p = choice.place.parameter
    letter = p.letter or p.name.replace("_", " ")
    if p.kind == "choice":
        return tuple(options(f"Values of {letter}", p.choices, name, p.choices)) or p.choices
    anchor = compute.heuristics(data, choice.kernel).get(p.name) if p.scale == "log" and p.heuristic else None
    grid = choice.values(anchor, points) if anchor and not choice.preferred else choice.grid(points)
    read: Callable[[str], Any] = int if p.kind == "int" else float

    def ends(words: str) -> tuple[Any, Any]:
        low, high = (p.clean(read(word), p.name) for word in words.split("|"))
        return min(low, high), max(low, high)

    low, high = value_of(name, (grid[0], grid[-1]), ends)
    stops = sorted({*grid, low, high})
    count = 0
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if len(stops) > 2:
            span(f"Range of {letter}", stops, name, format_func=in_words)
        with st.popover("", icon=":material/more_horiz:", help=f"More values of {letter}"):
            _end("From", p, low, name, lambda value: f"{value}|{high}")
            _end("To", p, high, name, lambda value: f"{low}|{value}")
            count = number_control(
                "Number of values",
                0,
                _MOST,
                0,
                f"{name}.count",
                draw=st.number_input,
                help="Spaced evenly, on a logarithmic scale where the parameter has one. 0 takes the usual values.",
            )
    if count:
        return spaced(low, high, count, p.kind == "int", choice.log and low > 0)
    return tuple(v for v in stops if low <= v <= high)


def _end(label: str, p: Any, value: Any, name: str, write: Callable[[Any], str]) -> None:
    """Draw the box of one end of a range."""
    least, most = (None if bound is None else type(value)(bound) for bound in (p.minimum, p.maximum))
    st.number_input(
        label,
        least,
        most,
        value,
        1 if p.kind == "int" else None,
        None if p.kind == "int" else "%g",
        **binding(f"{name}.{label.lower()}", value, lambda end: state.choose(name, write(end))),
    )


def spaced(low: float, high: float, count: int, whole: bool, log: bool) -> tuple[Any, ...]:
    """Return values from low to high, both included, evenly spaced, on a logarithmic scale if `log`.

    Inner values are rounded to whole numbers if `whole`, otherwise to four significant digits, or more in a narrow
    range.
    """
    values = np.geomspace(low, high, count) if log else np.linspace(low, high, count)
    if whole:
        return tuple(sorted({round(v) for v in values}))
    digits = 3 if high - low > 0.01 * abs(high) else 3 - math.floor(math.log10(max((high - low) / abs(high), 1e-9)))
    inner = (float(f"{v:.{digits + 1}g}") for v in values[1:-1])
    return tuple(dict.fromkeys((low, *inner, high)))


def axis_label(kernel: Kernel, path: str) -> str:
    """Return the menu's name of a parameter of this kernel, or of the power that would stand on top of it."""
    menu = choices(kernel, NearestCentroid())
    return next((c.label for c in menu if c.kernel == kernel and c.place.path == path), menu[0].label)


def path_below(path: str, inner: Kernel, outer: Kernel) -> str:
    """Return the path of a parameter of `inner` as seen from `outer`, which wraps it."""
    if not path.startswith("kernel."):
        return path
    while outer != inner:
        path = f"kernel.{path}"
        outer = outer.children[0]
    return path


def _on_top(label: str, kernel: Kernel, path: str, machine: Machine, grid: tuple[Any, ...]) -> TunableParameter:
    place = next(p for p in available_axes(kernel, machine) if p.path == path)
    return TunableParameter(kernel, place, label, grid)
