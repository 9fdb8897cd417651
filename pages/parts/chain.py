"""A kernel taken apart into the steps that the builder shows, and put together again."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kernlib import KERNELS, Kernel, Nystrom, RowStep, Wrapper, normal_form
from kernlib.data import Dataset
from kernlib.wrappers.nystrom import with_landmarks

from .large import Sample

__all__ = [
    "Chain", "Step", "assemble", "base_of", "can_wrap", "edited", "stages", "steps_shown",
    "take_apart", "with_off",
]  # fmt: skip

_numbers = itertools.count()
_BY_NAME = {k.__name__: k for k in KERNELS}


@dataclass(frozen=True)
class Step:
    """One node of a chain: the base kernel first, then what is done to it.

    `values` are the parameters as they were when the step came to be: the widgets start from them. `chains` are the
    kernels inside that are not the chain's own, by the field that holds them: the second kernel of a sum ("right"),
    the base of a pair kernel ("kernel"), the parts of a convolution ("kernels.0", "kernels.1"). `uid` keys the
    widgets, so that a new step never inherits an old one's slider.
    """

    name: str
    values: dict[str, Any] = field(default_factory=dict)
    chains: dict[str, Chain] = field(default_factory=dict)
    on: bool = True
    uid: int = field(default_factory=lambda: next(_numbers))

    @property
    def cls(self) -> type[Kernel]:
        return _BY_NAME[self.name]

    @property
    def is_join(self) -> bool:
        """Whether this step brings in a second kernel."""
        return "right" in self.chains

    @property
    def changes_rows(self) -> bool:
        """Whether it is done to the rows, before the base kernel reads them."""
        return issubclass(self.cls, RowStep)

    @property
    def content(self) -> Any:
        """All but what keys the widgets."""
        return (self.name, self.values, {key: [s.content for s in chain] for key, chain in self.chains.items()})


Chain = tuple[Step, ...]


def take_apart(kernel: Kernel) -> list[Step]:
    """The steps of a kernel in its normal form, from the rows outwards."""
    kernel, steps = normal_form(kernel), list[Step]()
    while True:
        values = {p.name: getattr(kernel, p.name) for p in kernel.parameters()}
        below = _continues(type(kernel))
        chains = {key: tuple(take_apart(inner)) for key, inner in _inside(kernel) if key != below}
        steps.insert(0, Step(type(kernel).__name__, values, chains))
        if below is None:
            return steps
        kernel = getattr(kernel, below)


def _continues(cls: type[Kernel]) -> str | None:
    """The field in which a step's own chain goes on; a kernel that stands first in a menu begins one."""
    if issubclass(cls, Wrapper) and not cls.begins_chain:
        return "kernel"
    return "left" if "left" in {f.name for f in dataclasses.fields(cls)} else None


def _inside(kernel: Kernel) -> list[tuple[str, Kernel]]:
    found: list[tuple[str, Kernel]] = []
    for f in dataclasses.fields(kernel):
        value = getattr(kernel, f.name)
        if isinstance(value, Kernel):
            found.append((f.name, value))
        elif isinstance(value, tuple):
            found += [(f"{f.name}.{i}", part) for i, part in enumerate(value) if isinstance(part, Kernel)]
    return found


def assemble(steps: Sequence[Step], values: dict[int, dict[str, Any]]) -> Kernel:
    """The kernel of the steps that are switched on, with the widgets' `values` by uid."""
    kernel: Kernel | None = None
    for step in steps:
        if kernel is not None and not step.on:
            continue
        arguments: dict[str, Any] = {**step.values, **values.get(step.uid, {})}
        for key, chain in step.chains.items():
            name, dot, _ = key.partition(".")
            inner = assemble(chain, values)
            arguments[name] = (*arguments.get(name, ()), inner) if dot else inner
        if kernel is not None:
            arguments[_continues(step.cls) or "kernel"] = kernel
        kernel = step.cls(**arguments)
    assert kernel is not None
    return kernel


def with_off(fresh: Sequence[Step], before: Sequence[Step]) -> list[Step]:
    """A kernel's steps, and between them those of an earlier chain of the same kernel that were switched off.

    Where the two are no chains of one kernel, the fresh ones alone.
    """
    on = [s.name for i, s in enumerate(before) if s.on or i == 0]
    if on != [s.name for s in fresh]:
        return list(fresh)
    found, coming = list[Step](), iter(fresh)
    for i, s in enumerate(before):
        if not s.on and i > 0:
            found.append(s)
            continue
        new = next(coming)
        chains = {key: tuple(with_off(chain, s.chains.get(key, ()))) for key, chain in new.chains.items()}
        found.append(replace(new, chains=chains))
    return found


def edited(steps: Sequence[Step], uid: int, change: Callable[[Chain, int], Sequence[Step]]) -> list[Step]:
    """The steps with the chain that holds step `uid`, at whatever depth, replaced by `change(chain, place)`."""
    for place, step in enumerate(steps):
        if step.uid == uid:
            return list(change(tuple(steps), place))
    return [
        replace(step, chains={key: tuple(edited(chain, uid, change)) for key, chain in step.chains.items()})
        for step in steps
    ]


def base_of(kernel: Kernel) -> Kernel:
    """The kernel under all steps that work on the matrix, with what is done to its rows: level 0 of all depth."""
    kernel = normal_form(kernel)
    while isinstance(kernel, Wrapper) and not isinstance(kernel, RowStep):
        kernel = kernel.kernel
    return kernel


def stages(kernel: Kernel) -> list[Kernel]:
    """The kernels that the chain goes through, from the one on the rows to the whole.

    What joins two kernels begins the chain: its parts are not its stages.
    """
    found = [kernel]
    while len(found[0].children) == 1 and found[0].children[0].reads == kernel.reads:
        found.insert(0, found[0].children[0])
    return found


def steps_shown(data: Dataset, kernel: Kernel) -> tuple[list[Kernel], list[str]]:
    """The stages that a page can show, and the step that each ends with: of many rows each by the same landmarks."""
    landmarks = kernel if isinstance(data, Sample) and isinstance(kernel, Nystrom) else None
    found = stages(kernel if landmarks is None else landmarks.kernel)
    words = [stage.chip() for stage in found]
    return found if landmarks is None else [with_landmarks(stage, like=landmarks) for stage in found], words


def typical(kernel: Kernel) -> Kernel:
    """The kernel with the usual values of all real numbers but those of steps on its rows.

    What its rows suggest, and about how long it takes, does not depend on these: a slider need not ask anew.

    >>> from kernlib import RBF, Power
    >>> typical(Power(RBF(sigma=7.5), p=0.3))
    Power(RBF(sigma=1.0), p=1.0)
    """
    changes: dict[str, Any] = {}
    for f in dataclasses.fields(kernel):
        value = getattr(kernel, f.name) if f.init else None
        if isinstance(value, Kernel):
            changes[f.name] = typical(value)
        elif isinstance(value, tuple) and any(isinstance(part, Kernel) for part in value):
            changes[f.name] = tuple(typical(part) if isinstance(part, Kernel) else part for part in value)
    if not isinstance(kernel, RowStep):
        changes |= {
            p.name: p.default
            for p in kernel.parameters()
            if p.kind == "float" and isinstance(getattr(kernel, p.name), float) and isinstance(p.default, float)
        }
    return dataclasses.replace(kernel, **changes) if changes else kernel


def can_wrap(cls: type[Kernel]) -> bool:
    """Whether the builder can add this wrapper without being told more than its defaults."""
    needed = [
        f.name
        for f in dataclasses.fields(cls)
        if f.init and f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
    ]
    return needed == ["kernel"]
