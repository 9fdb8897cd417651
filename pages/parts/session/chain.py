"""A kernel as a chain of steps, as the builder shows it, and the kernel of a chain."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kernlib import KERNELS, Kernel, RowStep, Wrapper, normal_form, own_kernels

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
