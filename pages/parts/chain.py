"""A kernel taken apart into the steps that the builder shows, and put together again."""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass, field
from typing import Any

from kernlib import KERNELS, Kernel, Wrapper

__all__ = ["ROW_STEPS", "Step", "assemble", "can_wrap", "stages", "take_apart"]

_numbers = itertools.count()
#: Steps that change the rows and not the matrix.
ROW_STEPS = ("Standardized", "Imputed")

_BY_NAME = {k.__name__: k for k in KERNELS}


@dataclass(frozen=True)
class Step:
    """One node of the chain: the base kernel first, then what is done to it.

    `values` are the parameters as they were when the step came to be: the widgets start from them.
    `fixed` holds what no widget edits, such as the second kernel of a sum. `uid` keys the widgets,
    so that a new step never inherits an old one's slider.
    """

    name: str
    values: dict[str, Any] = field(default_factory=dict)
    fixed: dict[str, Any] = field(default_factory=dict)
    on: bool = True
    uid: int = field(default_factory=lambda: next(_numbers))

    @property
    def cls(self) -> type[Kernel]:
        return _BY_NAME[self.name]

    @property
    def is_join(self) -> bool:
        """Whether this step brings in a second kernel."""
        return "right" in self.fixed


def take_apart(kernel: Kernel) -> list[Step]:
    """The steps of a kernel, from the rows outwards."""
    steps: list[Step] = []
    while True:
        values = {p.name: getattr(kernel, p.name) for p in kernel.parameters()}
        others = {
            f.name: getattr(kernel, f.name) for f in dataclasses.fields(kernel) if f.init and f.name not in values
        }
        inner = "kernel" if isinstance(kernel, Wrapper) else "left" if "left" in others else None
        fixed = {name: value for name, value in others.items() if name != inner}
        steps.insert(0, Step(type(kernel).__name__, values, fixed))
        if inner is None:
            return steps
        kernel = others[inner]


def assemble(steps: list[Step], values: dict[int, dict[str, Any]]) -> Kernel:
    """The kernel of the steps that are switched on, with the widgets' `values` by uid."""
    kernel: Kernel | None = None
    for step in steps:
        if kernel is not None and not step.on:
            continue
        arguments = {**step.values, **step.fixed, **values.get(step.uid, {})}
        if kernel is not None:
            arguments["left" if step.is_join else "kernel"] = kernel
        kernel = step.cls(**arguments)
    assert kernel is not None
    return kernel


def stages(kernel: Kernel) -> list[Kernel]:
    """The kernels that the chain goes through, from the one on the rows to the whole.

    What joins two kernels begins the chain: its parts are not its stages.
    """
    found = [kernel]
    while len(found[0].children) == 1 and found[0].children[0].reads == kernel.reads:
        found.insert(0, found[0].children[0])
    return found


def can_wrap(cls: type[Kernel]) -> bool:
    """Whether the builder can add this wrapper without being told more than its defaults."""
    needed = [
        f.name
        for f in dataclasses.fields(cls)
        if f.init and f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
    ]
    return needed == ["kernel"]
