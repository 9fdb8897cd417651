"""Parameters declared once: one field carries its symbol, ranges, scale, default and help.

Widgets, links, validation and documentation are generated from these declarations, so that a new kernel or machine
needs no change of a page.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import importlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Literal, Self, TypeVar, cast

from ..errors import ParameterError

T = TypeVar("T", bound="Declared")
Kind = Literal["float", "int", "choice", "bool", "other"]

#: Bounds on the size of numbers other than 0. Widths and bandwidths are squared, and the square must be a number too;
#: for data, values beyond these bounds are equivalent to 0 or ∞.
SMALLEST, LARGEST = 1e-150, 1e150
#: Largest whole number up to which floats, JSON and a browser's slider represent every integer.
MOST = 2**53 - 1

_LETTERS = {
    r"\alpha": "α",
    r"\beta": "β",
    r"\gamma": "γ",
    r"\lambda": "λ",
    r"\sigma": "σ",
    r"\ell": "ℓ",
    r"\Psi": "Ψ",
    r"\ell_{\max}": "ℓ",
}


def ordinary(value: Any) -> bool:
    """Return whether `value` is a finite real number that is 0 or of a size between `SMALLEST` and `LARGEST`.

    >>> [ordinary(v) for v in (0, -1.5, 5e-324, 10**400, float("nan"), True, "1")]
    [True, True, False, False, False, False, False]
    """
    # float and int first: a test for Real alone takes eight times as long, and every parameter comes here.
    if isinstance(value, bool) or not isinstance(value, (float, int, Real)):
        return False
    value = cast(Any, value)  # compared as it is: an integer of 400 digits has no float
    return bool(value == 0 or SMALLEST <= abs(value) <= LARGEST)


@dataclass(frozen=True)
class Parameter:
    """What is known about one parameter before it has a value.

    `low`/`high` is the range that a slider offers; `minimum`/`maximum` (with `open_minimum`,
    `open_maximum`) is the hard bound outside which construction is refused. `choices` are the
    values of a "choice", or words allowed besides numbers, such as "median" for a bandwidth that
    is learnt. A parameter of kind "other" is converted by `convert`, and `check` returns what is wrong with it.
    `span` are the ends of the slider in units of the heuristic, where the rows suggest one.
    `quiet` marks a parameter that is printed only where it differs from its default, and that is no axis.
    `each` says that a tuple of such numbers is a value too: one for each "column" of the rows, one for each "kernel"
    inside, or one for each of 1…n, where n is the value of the parameter named `each`.
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
    span: tuple[float, float] | None = None
    quiet: bool = False
    each: str = ""
    convert: Callable[[Any], Any] | None = dataclasses.field(default=None, compare=False)
    check: Callable[[Any], str | None] | None = dataclasses.field(default=None, compare=False)

    @property
    def letter(self) -> str:
        """Return the symbol as a letter that a screen reader can say; "" if it is a word or has no such letter.

        >>> Parameter("sigma", "float", 1.0, r"\\sigma", "width").letter
        'σ'
        """
        if self.symbol.startswith(r"\mathrm"):
            return ""
        return _LETTERS.get(self.symbol, self.symbol if self.symbol.isalnum() else "")

    def around(self, anchor: float | None) -> Parameter:
        """Return the parameter with the range that suits rows whose heuristic is `anchor`; itself without a `span`.

        >>> scaled = Parameter("beta", "float", 0.1, "b", "weight", low=0.001, high=2.0, span=(0.01, 1.4))
        >>> scaled.around(0.5).high
        0.7
        """
        if self.span is None or not anchor:
            return self
        low, high = (float(f"{end * anchor:.2g}") for end in self.span)
        return dataclasses.replace(self, low=low, high=high)

    def bounds(self) -> str:
        """Return the hard bound as text, e.g. ``0 < p <= 1``."""
        if self.kind == "choice":
            return "one of " + ", ".join(repr(c) for c in self.choices)
        if self.kind == "bool":
            return "True or False"
        left = "" if self.minimum is None else f"{self.minimum:g} {'<' if self.open_minimum else '<='} "
        right = "" if self.maximum is None else f" {'<' if self.open_maximum else '<='} {self.maximum:g}"
        number = "an integer" if self.kind == "int" else "a finite number"
        words = f"{number} with {left}{self.name}{right}" if left or right else number
        each = ", or a tuple of one for each column" if self.each else ""
        return words + "".join(f", or {c!r}" for c in self.choices) + each

    def clean(self, value: Any, owner: str) -> Any:
        """Return `value` as a plain Python value; raise ParameterError, which names owner, parameter and bound."""
        if self.each and self.kind != "other" and isinstance(value, tuple | list) and value:
            one = dataclasses.replace(self, choices=(), each="")
            return tuple(one.clean(v, owner) for v in value)
        if self.kind == "other":
            value = self.convert(value) if self.convert else value
            # Before the check, which may print the value: Python cannot print an integer of 5000 digits.
            problem = _extreme(value) or (self.check(value) if self.check else None)
            if problem:
                raise ParameterError(f"{owner}: {self.name} {_cut(problem, 400)}.")
            return value
        if self.kind == "bool":
            if isinstance(value, bool):
                return value
        elif any(type(value) is type(c) and value == c for c in self.choices):
            return value
        elif self.kind == "int":
            if isinstance(value, Integral) and not isinstance(value, bool) and self._inside(value):
                return int(value)
        # math.inf is allowed only where the declaration names it as a choice (C of a hard margin).
        elif self.kind == "float" and ordinary(value) and self._inside(value):
            return float(value) + 0.0  # −0.0 is 0.0, and prints so
        beyond = ""
        number: Any = value if isinstance(value, Real) and value == value and abs(value) != math.inf else None
        if self.kind == "float" and number is not None and not ordinary(number):
            beyond = f" and a size from {SMALLEST:g} to {LARGEST:g}"
        elif self.kind == "int" and number is not None and abs(number) > MOST:
            beyond = f", at most {MOST}"
        nearby = "" if self.low is None else f", or a value between {self.low} and {self.high}"
        raise ParameterError(
            f"{owner}: {self.name} must be {self.bounds()}{beyond}; got {shown(value)}. "
            f"Try {self.name}={self.default!r}{nearby}."
        )

    def _inside(self, value: Any) -> bool:
        if self.kind == "int" and abs(value) > MOST:
            return False
        if self.minimum is not None and (value < self.minimum or (self.open_minimum and value == self.minimum)):
            return False
        return not (
            self.maximum is not None and (value > self.maximum or (self.open_maximum and value == self.maximum))
        )


def shown(value: object) -> str:
    """Return a value as printed, shortened if long; Python cannot print an integer of thousands of digits."""
    if isinstance(value, Integral) and abs(int(value)) > 10**60:
        return f"an integer of about {int(value).bit_length() * 0.30103:.0f} digits"
    return _cut(repr(value), 200)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def _extreme(value: object) -> str | None:
    """Return what is wrong with a number, or a number in a tuple, that is too large or small; None if nothing is."""
    for number in value if isinstance(value, tuple) else (value,):
        if isinstance(number, Real) and not isinstance(number, bool) and number == number and not ordinary(number):
            return f"must hold numbers that are 0 or of a size from {SMALLEST:g} to {LARGEST:g}; got {shown(number)}"
    return None


def floats(value: Any) -> Any:
    """Return a sequence of numbers as a tuple of floats; entries that are no ordinary numbers are left for the check.

    >>> floats([1, 2.5, None]), floats("median")
    ((1.0, 2.5, None), 'median')
    """
    if not isinstance(value, Sequence) or isinstance(value, str):
        return value
    return tuple(float(v) if ordinary(v) else v for v in value)


def weights_problem(what: str, example: str) -> Callable[[Any], str | None]:
    """Return the check of a parameter that is None or a tuple of weights, which are ≥ 0 and not all 0."""

    def problem(value: Any) -> str | None:
        if value is None:
            return None
        if isinstance(value, tuple) and all(ordinary(v) and v >= 0 for v in value) and any(value):
            return None
        expected = f"a tuple of {what}, none negative and at least one above 0"
        return f"must be None or {expected}; got {value!r}. Try {example}"

    return problem


def param(
    default: Any = dataclasses.MISSING, *, kind: Kind = "float", choices: Sequence[Any] = (), **declared: Any
) -> Any:
    """Return a dataclass field that declares a parameter; keyword arguments are the fields of `Parameter`.

    `symbol` and `help` may be left out only in a function for `kernel_from`, which then makes them from the name.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, repr=False)
    ... class Ridge(Declared):
    ...     ridge: float = param(1.0, symbol=r"\\lambda", help="penalty", minimum=0, open_minimum=True)
    >>> Ridge(2)
    Ridge(ridge=2.0)
    """
    known = None if default is dataclasses.MISSING else default
    parameter = Parameter("", kind, known, choices=tuple(choices), **{"symbol": "", "help": ""} | declared)
    return dataclasses.field(default=default, metadata={"parameter": parameter})


def positive(default: Any, symbol: str, help: str, low: float, high: float, **declared: Any) -> Any:
    """Return a declared number above 0, whose slider from `low` to `high` is logarithmic."""
    given: dict[str, Any] = {"scale": "log", "minimum": 0.0, "open_minimum": True} | declared
    return param(default, symbol=symbol, help=help, low=low, high=high, **given)


def whole(default: Any, symbol: str, help: str, low: int, high: int, **declared: Any) -> Any:
    """Return a declared whole number, with a slider from `low` to `high`."""
    return param(default, kind="int", symbol=symbol, help=help, low=low, high=high, **declared)


def one_of(default: Any, symbol: str, help: str, choices: Sequence[Any], **declared: Any) -> Any:
    """Return a declared choice between values."""
    return param(default, kind="choice", symbol=symbol, help=help, choices=choices, **declared)


@functools.cache
def _parameters(cls: type[Declared]) -> tuple[Parameter, ...]:
    declared = (f for f in dataclasses.fields(cls) if "parameter" in f.metadata)
    return tuple(dataclasses.replace(f.metadata["parameter"], name=f.name) for f in declared)


@dataclass(frozen=True, repr=False)
class Declared:
    """A frozen value that checks its parameters, compares by them and prints as its own call."""

    def __new__(cls, *args: Any, **named: Any) -> Self:
        # Python's error for a misspelt name does not list the names that exist.
        known = [f.name for f in dataclasses.fields(cls) if f.init]
        for name in (name for name in named if name not in known):
            near = difflib.get_close_matches(name, known, n=1)
            raise ParameterError(
                f"{cls.__name__}: unknown parameter {name!r}; expected {', '.join(known) or 'no parameters'}."
                + (f" Did you mean {near[0]}?" if near else f" See help({cls.__name__}).")
            )
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for p in self.parameters():
            object.__setattr__(self, p.name, p.clean(getattr(self, p.name), type(self).__name__))

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the declared parameters, in the order of the constructor."""
        return _parameters(cls)  # type: ignore[arg-type]

    def unit_of(self, name: str) -> str:
        """Return the unit in which the parameter `name` is measured, as text; "" for a plain number."""
        return ""

    def _printed(self) -> Iterator[dataclasses.Field[Any]]:
        """Return the fields that the repr shows: all, except quiet parameters at their default."""
        quiet = {p.name for p in self.parameters() if p.quiet and getattr(self, p.name) == p.default}
        return (f for f in dataclasses.fields(self) if f.init and f.repr and f.name not in quiet)

    def __repr__(self) -> str:
        shown = (f"{f.name}={getattr(self, f.name)!r}" for f in self._printed())
        return f"{type(self).__name__}({', '.join(shown)})"


def with_values(owner: Any, changes: Mapping[tuple[str, ...], Any]) -> Any:
    """Return a copy of a declared value, or of a tuple of such, with new values at paths of names inside it.

    All changes of one value are made at once; a part that is replaced is changed after that. Raises ParameterError for
    a name that the value does not have, and what a value raises.
    """
    parts = (
        {str(place): part for place, part in enumerate(owner)}
        if isinstance(owner, tuple)
        else {f.name: getattr(owner, f.name) for f in dataclasses.fields(owner) if f.init}
    )
    inside: dict[str, dict[tuple[str, ...], Any]] = {}
    for (head, *rest), value in changes.items():
        if head not in parts:
            raise ParameterError(f"{type(owner).__name__} has no parameter {head!r}; choose one of its parameters.")
        if rest:
            inside.setdefault(head, {})[tuple(rest)] = value
        else:
            parts[head] = value
    for head, below in inside.items():
        parts[head] = with_values(parts[head], below)
    return tuple(parts.values()) if isinstance(owner, tuple) else dataclasses.replace(owner, **parts)


def listed(namespace: Mapping[str, object], base: type[T]) -> tuple[type[T], ...]:
    """Return the subclasses of `base` that a package imports, in the order of its import lines.

    >>> from kernlib import machines
    >>> [machine.__name__ for machine in listed(vars(machines), machines.Machine)][:2]
    ['SVM', 'NearestCentroid']
    """
    classes = (value for value in namespace.values() if isinstance(value, type) and issubclass(value, base))
    return tuple(dict.fromkeys(subclass for subclass in classes if subclass is not base))


Made = TypeVar("Made")

_MADE: dict[str, Callable[..., Any]] = {}


def makes(operation: str) -> Callable[[type[Made]], type[Made]]:
    """Return a class decorator that registers the class as the result of an operation on kernels."""

    def register(cls: type[Made]) -> type[Made]:
        _MADE[operation] = cls
        return cls

    return register


def made(operation: str) -> Callable[..., Any]:
    """Return the class registered for an operation."""
    return _MADE[operation]


def above(name: str) -> Any:
    """Import and return a module above this one at the first use."""
    return importlib.import_module(f"kernlib.{name}")
