"""A kernel as a chain of steps, as the builder shows it, and its parameters that a slider moves or a run varies."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from kernlib import KERNELS, Deep, Empirical, Kernel, Power, RowStep, Wrapper, normal_form, own_kernels
from kernlib.experiments import Place, available_axes
from kernlib.experiments.axis import with_value
from kernlib.machines import Machine, NearestCentroid
from kernlib.wrappers.landmarks import with_landmarks

_numbers = itertools.count()
_BY_NAME = {k.__name__: k for k in KERNELS}


@dataclass(frozen=True)
class Step:
    """One node of a chain: the base kernel first, then the steps on top of it.

    `values` are the present parameters. `chains` are the kernels inside that do not continue the chain, by the field
    that holds them: the second kernel of a sum ("right"), the base of a pair kernel ("kernel"), the parts of a
    convolution ("kernels.0", "kernels.1"). `uid` names the step in the keys of its widgets.
    """

    name: str
    values: dict[str, Any] = field(default_factory=dict)
    chains: dict[str, Chain] = field(default_factory=dict)
    on: bool = True
    uid: int = field(default_factory=lambda: next(_numbers))

    @property
    def cls(self) -> type[Kernel]:
        return _BY_NAME.get(self.name) or next(k for k in own_kernels() if k.__name__ == self.name)

    @property
    def is_join(self) -> bool:
        """Return whether this step brings in a second kernel."""
        return "right" in self.chains

    @property
    def changes_rows(self) -> bool:
        """Return whether this step changes the rows, before the base kernel reads them."""
        return issubclass(self.cls, RowStep)


Chain = tuple[Step, ...]


def take_apart(kernel: Kernel) -> Chain:
    """Return the steps of a kernel in its normal form, the base kernel first."""
    kernel, steps = normal_form(kernel), list[Step]()
    while True:
        values = {p.name: getattr(kernel, p.name) for p in kernel.parameters()}
        below, chains = continues(type(kernel)), dict[str, Chain]()
        for f in dataclasses.fields(kernel):
            value = getattr(kernel, f.name)
            if isinstance(value, Kernel) and f.name != below:
                chains[f.name] = take_apart(value)
            elif isinstance(value, tuple):
                chains |= {f"{f.name}.{i}": take_apart(one) for i, one in enumerate(value) if isinstance(one, Kernel)}
        steps.insert(0, Step(type(kernel).__name__, values, chains))
        if below is None:
            return tuple(steps)
        kernel = getattr(kernel, below)


def continues(cls: type[Kernel]) -> str | None:
    """Return the field in which a step's own chain continues; a kernel that stands first in a menu begins one."""
    if issubclass(cls, Wrapper) and not cls.begins_chain:
        return "kernel"
    return "left" if "left" in {f.name for f in dataclasses.fields(cls)} else None


def assemble(chain: Chain) -> Kernel:
    """Return the kernel of the steps that are switched on; KernlibError where they make none."""
    kernel: Kernel | None = None
    for step in steps_on(chain):
        arguments: dict[str, Any] = dict(step.values)
        for key, inside in step.chains.items():
            name, dot, _ = key.partition(".")
            inner = assemble(inside)
            arguments[name] = (*arguments.get(name, ()), inner) if dot else inner
        if kernel is not None:
            arguments[continues(step.cls) or "kernel"] = kernel
        kernel = step.cls(**arguments)
    assert kernel is not None
    return kernel


def steps_on(chain: Chain) -> Chain:
    """Return the steps that make the kernel: the base, and what is switched on."""
    return tuple(step for place, step in enumerate(chain) if step.on or place == 0)


def place_of(chain: Chain, path: str) -> tuple[int, str] | None:
    """Return the step, by its uid, and its parameter at a path in the chain's kernel; None where there is none."""
    *below, top = steps_on(chain)
    inside = dict(top.chains) | {continues(top.cls) or "": tuple(below)}
    for key, inner in inside.items():
        if path.startswith(f"{key}."):
            return place_of(inner, path.removeprefix(f"{key}."))
    return (top.uid, path) if path in top.values else None


def edited(chain: Chain, uid: int, change: Callable[[Chain, int], Sequence[Step]]) -> Chain | None:
    """Return the steps with the chain that holds step `uid`, at any depth, replaced by `change(chain, place)`.

    None where no chain holds it.
    """
    for place, step in enumerate(chain):
        if step.uid == uid:
            return tuple(change(chain, place))
        for key, inside in step.chains.items():
            if (new := edited(inside, uid, change)) is not None:
                return replaced(chain, place, chains={**step.chains, key: new})
    return None


def replaced(chain: Chain, place: int, **fields: Any) -> Chain:
    """Return the chain with other fields of the step at a place."""
    return (*chain[:place], replace(chain[place], **fields), *chain[place + 1 :])


def base_of(kernel: Kernel) -> Kernel:
    """Return the kernel below all steps that change the matrix, with its row steps: level 0 of all depth."""
    kernel = normal_form(kernel)
    while isinstance(kernel, Wrapper) and not isinstance(kernel, RowStep):
        kernel = kernel.kernel
    return kernel


def kernel_below(kernel: Kernel, path: str) -> Kernel:
    """Return the kernel below the step whose parameter `path` varies; the kernel itself where no step holds it.

    >>> from kernlib import RBF, Empirical, Normalized, Power
    >>> kernel_below(Empirical(Power(Normalized(RBF(sigma=2.0)), p=0.5)), "kernel.kernel.p")
    Normalized(RBF(sigma=2.0))
    >>> kernel_below(Normalized(RBF(sigma=2.0)), "kernel.kernel.sigma")
    Normalized(RBF(sigma=2.0))
    """
    if not path.startswith("kernel."):
        return kernel
    owner: Any = kernel
    for name in path.split(".")[1:-1]:
        owner = owner[int(name)] if name.isdecimal() else getattr(owner, name)
    return owner.kernel if isinstance(owner, Wrapper) and not isinstance(owner, RowStep) else kernel


def typical(kernel: Kernel) -> Kernel:
    """Return the kernel with default values for all real numbers but those of its row steps.

    The heuristics of the rows and the cost do not depend on these parameters: one answer serves all slider positions.

    >>> from kernlib import RBF, Power
    >>> typical(Power(RBF(sigma=7.5), p=0.3))
    Power(RBF(sigma=1.0), p=1.0)
    """
    kernel = kernel.with_children(typical)
    if isinstance(kernel, RowStep):
        return kernel
    changes: dict[str, Any] = {
        p.name: p.default
        for p in kernel.parameters()
        if p.kind == "float" and isinstance(getattr(kernel, p.name), float) and isinstance(p.default, float)
    }
    return dataclasses.replace(kernel, **changes)


def can_wrap(cls: type[Kernel]) -> bool:
    """Return whether the builder can add this wrapper with its defaults alone."""
    needed = [
        f.name
        for f in dataclasses.fields(cls)
        if f.init and f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
    ]
    return needed == ["kernel"]


#: The parameters that the sources are about, most telling first.
_TELLING = tuple((cls.__name__, cls.telling) for cls in KERNELS if cls.telling)
_STOPS = {(cls.__name__, name): stops for cls in KERNELS for name, stops in cls.stops.items()}


@dataclass(frozen=True)
class TunableParameter:
    """A parameter that a slider moves or a run varies: its place, in the kernel that is varied.

    `words` and `preferred` replace the label and the values that follow from its declaration.
    """

    kernel: Kernel
    place: Place
    words: str = ""
    preferred: tuple[Any, ...] = ()

    @property
    def path(self) -> str:
        return self.place.path

    @property
    def symbol(self) -> str:
        """Return the letter, or the name where there is none."""
        return self.place.parameter.letter or self.place.parameter.name

    @property
    def label(self) -> str:
        """Return the parameter's name in a menu."""
        if self.words:
            return self.words
        name = self.place.parameter.name.replace("_", " ")
        letter = "" if self.symbol == self.place.parameter.name else f" {self.symbol}"
        return f"{name}{letter} of {self.place.owner}"

    @property
    def log(self) -> bool:
        return self.place.parameter.scale == "log"

    @property
    def current(self) -> float | int | None:
        """Return the present value; None where a word such as "median" stands for a learnt one."""
        value = self.place.current
        return value if isinstance(value, int | float) and math.isfinite(value) else None

    def at(self, value: Any) -> Kernel:
        """Return the kernel with another value here."""
        kernel: Kernel = with_value(self.kernel, self.path.split(".")[1:], value)
        return kernel

    def grid(self, points: int = 11) -> tuple[Any, ...]:
        """Return the values of a run, unless a person chooses others."""
        return self.preferred or self.place.grid(points)

    def values(self, anchor: float | None = None, points: int = 19) -> tuple[Any, ...]:
        """Return the values of a curve, the same wherever the slider stands, so that they are computed once.

        `anchor` is the heuristic of the rows: a logarithmic scale keeps one decade on each side of it.
        """
        p = self.place.parameter.around(anchor)
        stops = _STOPS.get((self.place.owner, p.name), ())
        if stops:
            return stops if points >= len(stops) else stops[::2]
        if (p.span or p.scale == "log") and anchor and p.low is not None and p.high is not None:
            low, high = (p.low, p.high) if p.span else (max(p.low, anchor / 12), min(p.high, anchor * 12))
            return tuple(dict.fromkeys(float(f"{v:.2g}") for v in np.geomspace(low, high, points)))
        return self.place.grid(min(points, 13))


def numbers(kernel: Kernel) -> list[TunableParameter]:
    """Return all parameters of the kernel that a slider can move, outermost first; seeds are not among them."""
    places = available_axes(kernel, NearestCentroid())
    return [
        TunableParameter(kernel, place)
        for place in places
        if place.path.startswith("kernel.") and place.parameter.name != "seed" and place.parameter.low is not None
    ]


def most_telling(numbers: list[TunableParameter]) -> TunableParameter | None:
    """Return the parameter that a page varies first: p, else the level, else the base kernel's first parameter."""
    known = {(number.place.owner, number.place.parameter.name): number for number in reversed(numbers)}
    if telling := next((known[one] for one in _TELLING if one in known), None):
        return telling
    return min(numbers, key=lambda number: -number.path.count("."), default=None)


def power_on_top(kernel: Kernel) -> TunableParameter:
    """Return the power p of a step that would stand on top: at p = 1 it changes nothing."""
    return numbers(Power(kernel, p=1.0))[0]


def difference(before: Kernel, after: Kernel) -> str | None:
    """Return the path of the one parameter in which two kernels of one shape differ; None for any other change."""
    old, new = numbers(before), numbers(after)
    if [n.path for n in old] != [n.path for n in new]:
        return None
    moved = [b for a, b in zip(old, new, strict=True) if a.place.current != b.place.current]
    if len(moved) != 1:
        return None
    there = moved[0].path.split(".")[1:]
    return moved[0].path if with_value(before, there, moved[0].place.current) == after else None


#: Steps that bring in one of the sources' two parameters: their names in the slider's menu, and what makes them.
_ON_TOP: dict[str, tuple[str, Callable[[Kernel], Kernel]]] = {
    "add a power p, then the empirical map": ("p", lambda kernel: Empirical(Power(kernel, p=0.5))),
    "add deep levels": ("level", lambda kernel: Deep(kernel, level=1)),
}


def steps_on_top(kernel: Kernel) -> list[str]:
    """Return the names of the steps whose parameter the kernel has not yet."""
    present = {part.telling for part in kernel.walk()}
    return [name for name, (parameter, _) in _ON_TOP.items() if parameter not in present]


def with_step(kernel: Kernel, name: str) -> Kernel:
    """Return the kernel with a step on top."""
    made = _ON_TOP[name][1](kernel)
    # Landmarks stay the last step: what stands on them compares all rows with all again.
    return with_landmarks(made) if kernel.has_factor else made


_LANDMARKS = (10, 20, 50, 100, 200, 500)
_P_GRID, _LEVEL_GRID = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0), tuple(range(6))


def choices(kernel: Kernel, machine: Machine) -> list[TunableParameter]:
    """Return all that can be varied for this kernel and machine; the sources' two axes first."""
    places = available_axes(kernel, machine)
    # What stands on top of landmarks compares all rows with all again: what is there is varied, below them.
    wanted: list[tuple[str, str, str, tuple[Any, ...], Kernel | None]]
    if kernel.has_factor:
        wanted = [("number of landmarks", "", "landmarks", _LANDMARKS, None)]
    else:
        power, deep = Empirical(Power(kernel)), Deep(kernel, level=0)
        wanted = [
            ("p of the power step", "power p on top, then the empirical map", "p", _P_GRID, power),
            ("depth", "depth: levels on top", "level", _LEVEL_GRID, deep),
        ]
    first: list[TunableParameter] = []
    for inside, on_top, name, grid, step in wanted:
        here = [p for p in places if p.parameter.name == name and (name != "level" or p.path == "kernel.level")]
        first += [TunableParameter(kernel, place, inside, grid) for place in here]
        if not here and step is not None:
            place = next(p for p in available_axes(step, machine) if p.parameter.name == name)
            first.append(TunableParameter(step, place, on_top, grid))
    taken = {c.path for c in first if c.kernel == kernel}
    return first + [TunableParameter(kernel, place, place.label) for place in places if place.path not in taken]


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
