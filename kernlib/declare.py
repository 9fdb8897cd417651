"""Parameters declared once: one field carries its symbol, ranges, scale, default and help.

Widgets, the link's codec, validation and documentation are all made from these declarations,
so that adding a kernel or a machine touches no page.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Literal

from .errors import ParameterError

__all__ = ["Declared", "Parameter", "param"]

Kind = Literal["float", "int", "choice", "bool", "other"]


@dataclass(frozen=True)
class Parameter:
    """What is known about one parameter before it has a value.

    `low`/`high` is the range that a slider offers; `minimum`/`maximum` (with `open_minimum`,
    `open_maximum`) is the hard bound outside which construction is refused. `choices` are the
    values of a "choice", or words allowed beside numbers, such as "median" for a bandwidth that
    is learnt.
    """

    name: str
    kind: Kind
    default: Any
    symbol: str
    help: str
    low: float | None = None
    high: float | None = None
    step: float | None = None
    scale: Literal["linear", "log"] = "linear"
    minimum: float | None = None
    maximum: float | None = None
    open_minimum: bool = False
    open_maximum: bool = False
    choices: tuple[Any, ...] = ()
    heuristic: str | None = None
    check: Callable[[Any], str | None] | None = dataclasses.field(default=None, compare=False)

    def bounds(self) -> str:
        """The hard bound in words, e.g. ``0 < p <= 1``."""
        if self.kind == "choice":
            return "one of " + ", ".join(repr(c) for c in self.choices)
        if self.kind == "bool":
            return "True or False"
        left = "" if self.minimum is None else f"{self.minimum:g} {'<' if self.open_minimum else '<='} "
        right = "" if self.maximum is None else f" {'<' if self.open_maximum else '<='} {self.maximum:g}"
        number = "an integer" if self.kind == "int" else "a finite number"
        words = f"{number} with {left}{self.name}{right}" if left or right else number
        return words + "".join(f", or {c!r}" for c in self.choices)

    def clean(self, value: Any, owner: str) -> Any:
        """`value` as a plain Python value, or ParameterError naming owner, parameter and bound."""
        if self.kind == "other":
            problem = self.check(value) if self.check else None
            if problem:
                raise ParameterError(f"{owner}: {self.name} {problem}.")
            return value
        if self.kind == "bool":
            if isinstance(value, bool):
                return value
        elif any(type(value) is type(c) and value == c for c in self.choices):
            return value
        elif self.kind == "int":
            if isinstance(value, Integral) and not isinstance(value, bool) and self._inside(int(value)):
                return int(value)
        elif self.kind == "float" and isinstance(value, Real) and not isinstance(value, bool):
            if self._inside(float(value)):
                return float(value)
        raise ParameterError(
            f"{owner}: {self.name} must be {self.bounds()}; got {value!r}. "
            f"Try {self.name}={self.default!r}, or a value between {self.low} and {self.high}."
            if self.low is not None
            else f"{owner}: {self.name} must be {self.bounds()}; got {value!r}. Try {self.name}={self.default!r}."
        )

    def _inside(self, value: float) -> bool:
        # math.inf is allowed only where the declaration names it as a choice (C of a hard margin).
        if not math.isfinite(value):
            return False
        if self.minimum is not None and (value < self.minimum or (self.open_minimum and value == self.minimum)):
            return False
        return not (
            self.maximum is not None and (value > self.maximum or (self.open_maximum and value == self.maximum))
        )


def param(
    default: Any = dataclasses.MISSING,
    *,
    symbol: str,
    help: str,
    kind: Kind = "float",
    low: float | None = None,
    high: float | None = None,
    step: float | None = None,
    scale: Literal["linear", "log"] = "linear",
    minimum: float | None = None,
    maximum: float | None = None,
    open_minimum: bool = False,
    open_maximum: bool = False,
    choices: Sequence[Any] = (),
    heuristic: str | None = None,
    check: Callable[[Any], str | None] | None = None,
) -> Any:
    """A dataclass field that declares a parameter; see `Parameter` for the words.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, repr=False)
    ... class Ridge(Declared):
    ...     ridge: float = param(1.0, symbol=r"\\lambda", help="penalty", minimum=0, open_minimum=True)
    >>> Ridge(2)
    Ridge(ridge=2.0)
    """
    declared = dict(
        kind=kind, symbol=symbol, help=help, low=low, high=high, step=step, scale=scale,
        minimum=minimum, maximum=maximum, open_minimum=open_minimum, open_maximum=open_maximum,
        choices=tuple(choices), heuristic=heuristic, check=check,
    )  # fmt: skip
    return dataclasses.field(default=default, metadata={"parameter": declared})


@dataclass(frozen=True, repr=False)
class Declared:
    """A frozen value that checks its parameters, compares by them and prints as its own call."""

    def __post_init__(self) -> None:
        for p in self.parameters():
            object.__setattr__(self, p.name, p.clean(getattr(self, p.name), type(self).__name__))

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """The declared parameters, in the order of the constructor."""
        found = []
        for f in dataclasses.fields(cls):
            if "parameter" in f.metadata:
                default = None if f.default is dataclasses.MISSING else f.default
                found.append(Parameter(name=f.name, default=default, **f.metadata["parameter"]))
        return tuple(found)

    def __repr__(self) -> str:
        shown = [f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.init and f.repr]
        return f"{type(self).__name__}({', '.join(shown)})"
