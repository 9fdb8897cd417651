"""A plain model of what data and kernel a sequence of clicks leads to, and the clicks themselves at random."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

from kernlib import KERNELS, Kernel, RowStep, normal_form
from kernlib.data import Dataset, load_dataset
from kernlib.experiments.decisions import prepared, presets_for, starting

CLASSES = {cls.__name__: cls for cls in KERNELS}
#: Small data sets of several kinds, with the parameters under which they are first shown.
DATA = {"iris": {}, "promoters": {}, "karate": {}, "monks-1": {}}
#: Steps that any of them can take, with the values that they begin with.
STEPS: dict[str, dict[str, Any]] = {
    "Power": {"p": 0.5},
    "Normalized": {},
    "Centered": {},
    "Deep": {"level": 1, "bandwidths": None},
    "Scaled": {"factor": 1.0},
}
#: Numbers that a slider sets, by step and parameter.
VALUES: dict[tuple[str, str], tuple[Any, ...]] = {
    ("Power", "p"): (0.2, 0.4, 0.6, 0.8),
    ("Deep", "level"): (0, 1, 2, 3),
    ("RBF", "sigma"): (0.5, 1.0, 2.0, 5.0),
    ("Polynomial", "degree"): (2, 3, 4),
}


@dataclass
class Step:
    """One step: its name, its numbers, whether it is on."""

    name: str
    values: dict[str, Any]
    on: bool = True


@dataclass
class Model:
    """Data and kernel as plain values, and what undo and redo return to."""

    data: str
    parameters: dict[str, Any] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    past: list[Any] = field(default_factory=list)
    future: list[Any] = field(default_factory=list)

    @property
    def moment(self) -> Any:
        return deepcopy((self.data, self.parameters, self.steps))

    def rows(self) -> Dataset:
        """Return the data set."""
        return load_dataset(self.data, **self.parameters)

    def kernel(self) -> Kernel:
        """Return the kernel of the steps that are on."""
        base, *steps = self.steps
        kernel = CLASSES[base.name](**base.values)
        for step in steps:
            if step.on:
                kernel = CLASSES[step.name](kernel, **step.values)
        return normal_form(kernel)

    def take(self, kernel: Kernel) -> None:
        """Take the steps of a kernel that is one chain."""
        kernel = normal_form(kernel)
        self.steps = []
        while True:
            values = {p.name: getattr(kernel, p.name) for p in kernel.parameters()}
            self.steps.insert(0, Step(type(kernel).__name__, values))
            if not kernel.children:
                return
            (kernel,) = kernel.children

    def propose(self) -> None:
        """Take the kernel that is proposed for the data."""
        rows = self.rows()
        self.take(prepared(presets_for(rows)[0].kernel, rows))

    def changed(self, before: Any) -> None:
        """Record a change for undo, where data or kernel are others than before."""
        now = self.moment
        self.data, self.parameters, self.steps = before
        kernel = self.kernel()
        self.data, self.parameters, self.steps = now
        if (now[:2], self.kernel()) != (before[:2], kernel):
            self.past.append(before)
            self.future.clear()

    def undo(self) -> None:
        self.future.append(self.moment)
        self.data, self.parameters, self.steps = self.past.pop()

    def redo(self) -> None:
        self.past.append(self.moment)
        self.data, self.parameters, self.steps = self.future.pop()


def offered(model: Model) -> list[tuple[Any, ...]]:
    """Return the clicks that are possible now."""
    presses: list[tuple[Any, ...]] = [("data", name) for name in DATA if name != model.data]
    presses += [("page", view) for view in ("see", "data", "reference")]
    presses += [(kind,) for kind in ("reload", "preset", "away", "jump")]
    presses += [("undo",)] * 4 if model.past else []
    presses += [("redo",)] * 4 if model.future else []
    matrix_steps = [s for s in model.steps[1:] if not issubclass(CLASSES[s.name], RowStep)]
    if len(model.steps) < 5:
        presses += [("add", name) for name in STEPS]
    for place, step in enumerate(model.steps):
        if place:
            presses += [("switch", place), ("remove", place)]
            if place > 1 and step in matrix_steps and model.steps[place - 1] in matrix_steps:
                presses += [("earlier", place)]
        if step.on or place == 0:
            presses += [
                ("slide", place, name, value)
                for (owner, name), values in VALUES.items()
                if owner == step.name and isinstance(step.values[name], int | float)
                for value in values
                if value != step.values[name]
            ]
    return presses


def press(model: Model, action: tuple[Any, ...]) -> None:
    """Let the model follow a click."""
    kind, *rest = action
    before = model.moment
    if kind == "data":
        model.data, model.parameters = rest[0], dict(DATA[rest[0]])
        model.propose()
    elif kind == "jump":  # a card's kernel on a sample
        model.data, model.parameters = "iris", {}
        rows = model.rows()
        model.take(prepared(starting(CLASSES["RBF"], rows), rows))
    elif kind == "preset":
        rows = model.rows()
        model.take(prepared(presets_for(rows)[1].kernel, rows))
    elif kind == "add":
        model.steps.append(Step(rest[0], dict(STEPS[rest[0]])))
    elif kind == "switch":
        model.steps[rest[0]].on = not model.steps[rest[0]].on
    elif kind == "remove":
        del model.steps[rest[0]]
    elif kind == "earlier":
        place = rest[0]
        model.steps[place - 1 : place + 1] = reversed(model.steps[place - 1 : place + 1])
    elif kind == "slide":
        place, name, value = rest
        model.steps[place].values[name] = value
    elif kind == "reload":
        model.take(model.kernel())
        model.past.clear()
        model.future.clear()
        return
    elif kind in ("undo", "redo"):
        getattr(model, kind)()
        return
    model.changed(before)


def chosen(random: Random, model: Model) -> tuple[Any, ...]:
    """Return one of the clicks that are possible now, each kind as often as another."""
    presses = offered(model)
    kind = random.choice(sorted({p[0] for p in presses}))
    return random.choice([p for p in presses if p[0] == kind])
