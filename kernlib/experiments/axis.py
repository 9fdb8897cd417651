"""The parameter that a sweep varies: one in the kernel's tree, of the machine or the protocol."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from ..core.base import Kernel
from ..core.steps import RowStep
from ..errors import ParameterError
from ..parse import parse
from ..values.declare import Declared, Parameter, with_values
from ..values.domains import Pairs, form
from ..values.words import value_in_words
from ..wrappers.rows import BestColumns

#: Numbers of protocols that an error does not depend on but by chance.
_IDLE = ("seed", "repeats", "most")


@dataclass(frozen=True)
class Axis:
    """A parameter, by its path, and the values that are tried.

    `path` leads from ``kernel`` or ``machine`` to a parameter by attribute names:
    ``kernel.kernel.p`` is the p of the Power inside an Empirical map. ``kernel`` alone takes whole kernels as Python
    expressions. ``protocol.train`` varies a parameter of the protocol.

    A value that is given twice counts once. Raises ParameterError for no values, or more than 200.
    """

    path: str
    values: tuple[Any, ...]

    def __post_init__(self) -> None:
        # NumPy's numbers do not print as plain numbers in links and scripts.
        plain = dict.fromkeys((isinstance(v, bool), v) for v in map(self._plain, self.values))
        object.__setattr__(self, "values", tuple(v for _, v in plain))
        if not 1 <= len(self.values) <= 200:
            raise ParameterError(
                f"Axis {self.path}: expected 1 to 200 values; got {len(self.values)}. Choose a coarser grid."
            )

    @property
    def outside(self) -> bool:
        """Return whether the protocol varies, not the kernel or the machine."""
        return self.path.startswith("protocol.")

    def in_words(self, value: Any) -> str:
        """Return a value as text; a whole kernel as its steps."""
        return " → ".join(whole_kernel(value).chain()) if self.path == "kernel" else value_in_words(value)

    def _plain(self, value: Any) -> Any:
        """Return a value that JSON and a script can hold."""
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, tuple | list):
            return tuple(map(self._plain, value))
        if value == "inf":  # as JSON has it
            value = math.inf
        known = value is None or isinstance(value, bool | int | float | str)
        if not known or value != value or value == -math.inf:
            raise ParameterError(
                f"Axis {self.path}: values must be numbers, text, None or tuples of these; got {value!r:.60}. "
                "Infinity is math.inf; NaN is not allowed."
            )
        return value


@dataclass(frozen=True)
class Place:
    """A parameter that could be an axis: its path, its declaration, its owner and its unit."""

    path: str
    parameter: Parameter
    owner: str
    current: Any
    unit: str = ""

    @property
    def label(self) -> str:
        """Return the parameter's name, its owner and its unit, as a menu shows them."""
        if self.path == "protocol.train" and self.parameter.kind == "float":
            return "training size (share of rows)"
        return f"{self.parameter.name} of {self.owner}" + (f", in {self.unit}" if self.unit else "")

    def grid(self, points: int = 11, digits: int = 3) -> tuple[Any, ...]:
        """Return values over the declared range, evenly spaced on the declared scale; `digits` of a logarithmic one."""
        p = self.parameter
        if p.low is None or p.high is None:
            return tuple(c for c in p.choices)
        if p.kind == "int":
            low, high = int(p.low), int(p.high)
            return tuple(sorted({round(v) for v in np.linspace(low, high, min(points, high - low + 1))}))
        if p.scale == "log":
            return tuple(float(f"{v:.{digits}g}") for v in np.geomspace(p.low, p.high, points))
        return tuple(float(f"{v:.4g}") for v in np.linspace(p.low, p.high, points))


def whole_kernel(text: str) -> Kernel:
    """Return a kernel of the axis `kernel` from its repr; unlike a link's, it may choose columns by the labels."""
    return parse(text, (BestColumns,))


def available_axes(kernel: Kernel, machine: Declared) -> tuple[Place, ...]:
    """Return every parameter and every choice in the kernel's tree, outermost first, and in the machine.

    >>> from kernlib import Empirical, Power, Linear
    >>> from kernlib.machines import SVM
    >>> [place.path for place in available_axes(Empirical(Power(Linear(), p=0.5)), SVM())]
    ['kernel.landmarks', 'kernel.kernel.p', 'machine.C']
    """
    return tuple(_places(kernel, "kernel")) + tuple(_places(machine, "machine"))


def protocol_axes(protocol: Declared) -> tuple[Place, ...]:
    """Return every parameter of a protocol that an error depends on beyond chance.

    >>> from kernlib.protocols import RepeatedSplits
    >>> [place.path for place in protocol_axes(RepeatedSplits())]
    ['protocol.train']
    """
    places = (replace(place, owner="the splits") for place in _places(protocol, "protocol"))
    return tuple(place for place in places if place.parameter.name not in _IDLE)


def _places(value: Declared, path: str) -> Iterator[Place]:
    idle = value.idle if isinstance(value, Kernel) else frozenset()
    for p in value.parameters():
        tied = any(q.each == p.name and isinstance(getattr(value, q.name), tuple) for q in value.parameters())
        if p.name in idle or tied:  # another value would need another number of weights
            continue
        if p.kind in ("int", "float") or (p.kind == "choice" and len(p.choices) > 1 and not p.quiet):
            yield Place(f"{path}.{p.name}", p, type(value).__name__, getattr(value, p.name), value.unit_of(p.name))
    for f in dataclasses.fields(value):
        child = getattr(value, f.name)
        if isinstance(child, Kernel):
            yield from _places(child, f"{path}.{f.name}")
        elif isinstance(child, tuple):
            for i, part in enumerate(child):
                if isinstance(part, Kernel):
                    yield from _places(part, f"{path}.{f.name}.{i}")


def with_value(owner: Any, names: list[str], value: Any) -> Any:
    """Return a copy of `owner` in which the parameter at the path `names` has `value`.

    >>> from kernlib import Deep, Linear
    >>> with_value(Deep(Linear(), level=1), ["level"], 3)
    Deep(Linear(), level=3, bandwidths=None)
    """
    return with_values(owner, {tuple(names): value})


@dataclass(frozen=True)
class FromRows:
    """A parameter that equals the heuristic of all rows, test rows included; `word` learns it from training rows."""

    path: str
    parameter: Parameter
    value: float

    @property
    def word(self) -> Any:
        """Return the value with which each training part learns the parameter."""
        return self.parameter.choices[0]

    def learnt(self, kernel: Kernel) -> Kernel:
        """Return the kernel that learns the parameter from its training rows."""
        return cast(Kernel, with_value(kernel, self.path.split(".")[1:], self.word))

    def __str__(self) -> str:
        return (
            f"{self.parameter.name} = {self.value:g} is the {self.parameter.heuristic} of all rows, test rows "
            "included; no label was used."
        )


def from_all_rows(kernel: Kernel, X: Any) -> tuple[FromRows, ...]:
    """Return the parameters of a kernel that equal, to two digits, the heuristic of all these rows.

    The median distance of all rows depends on the rows that a run tests. The effect is small, because no label is used;
    a curve reports it, and offers to learn the width from each training part.

    >>> from kernlib import RBF, Deep
    >>> rows = [[0.0], [1.0], [4.0]]
    >>> [str(number) for number in from_all_rows(Deep(RBF(sigma=3.0)), rows)]
    ['sigma = 3 is the median distance of all rows, test rows included; no label was used.']
    >>> from_all_rows(Deep(RBF(sigma="median")), rows)
    ()
    """
    return tuple(_statistics(kernel, kernel.checked_rows(X), "kernel"))


def _statistics(kernel: Kernel, X: Any, path: str) -> Iterator[FromRows]:
    own = [p for p in kernel.parameters() if p.heuristic and p.choices and getattr(kernel, p.name) not in p.choices]
    if own:
        suggested = kernel.heuristics(X)
        for p in own:
            value = getattr(kernel, p.name)
            if not isinstance(value, float) or p.name not in suggested:
                continue
            if float(f"{value:.2g}") == float(f"{suggested[p.name]:.2g}"):
                yield FromRows(f"{path}.{p.name}", p, value)
    rows = kernel.fitted_step(X, None).map_rows(X) if isinstance(kernel, RowStep) else X
    rows = rows.rows if isinstance(rows, Pairs) and form(kernel.domain).layout == "pairs" else rows
    for f in dataclasses.fields(kernel):
        child = getattr(kernel, f.name)
        if isinstance(child, Kernel):
            yield from _statistics(child, rows, f"{path}.{f.name}")
