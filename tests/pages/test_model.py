"""Random sequences of clicks lead to the data and the kernel of a plain model.

KERNLIB_SEQUENCES sets the number of sequences, KERNLIB_SEED the first of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from kernlib import KERNELS, Kernel, RowStep, normal_form, parse
from kernlib.data import Dataset, load_dataset
from kernlib.experiments.decisions import prepared, presets_for
from kernlib.experiments.decisions import starting as starting_kernel

from .drive import (
    GIVEN,
    add,
    can,
    choose,
    choose_data,
    figures,
    give,
    heat,
    kernel,
    link,
    open_app,
    press,
    session,
    show,
    starting,
    undo,
)

SEQUENCES, PRESSES = int(os.environ.get("KERNLIB_SEQUENCES", 2)), 12
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

    def back(self, past: list[Any], future: list[Any]) -> None:
        """Return to the last of the past; what is left behind becomes future."""
        future.append(self.moment)
        self.data, self.parameters, self.steps = past.pop()


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


def chosen(random: Random, model: Model) -> tuple[Any, ...]:
    """Return one of the clicks that are possible now, each kind as often as another."""
    presses = offered(model)
    kind = random.choice(sorted({p[0] for p in presses}))
    return random.choice([p for p in presses if p[0] == kind])


class Driver:
    """The app, and beside it the model of where the same clicks lead."""

    def __init__(self, kernel: str = "") -> None:
        self.view = "data"
        self.app: AppTest = open_app("data", data="banana", **{"kernel": kernel} if kernel else {})
        self.model = Model("banana", {"n": 120})
        if kernel:
            self.model.take(parse(kernel))
        else:
            self.model.propose()

    def follow(self, actions: Iterable[tuple[Any, ...]]) -> None:
        """Click one after the other, and compare after each."""
        done = []
        for action in actions:
            done.append(action)
            try:
                self.press(action)
                self.check()
            except AssertionError as error:
                raise AssertionError(f"after {done}") from error

    def press(self, action: tuple[Any, ...]) -> None:
        """Click and run, and let the model follow: each case is what the app does, and what the model does."""
        app, model, before = self.app, self.model, self.model.moment
        uids, steps = [step.uid for step in session(app).steps], model.steps
        match action:
            case "page", view:
                self.view = view
                show(app, view)
            case ("away",):  # a page without the widgets of the line
                show(app, "stories")
                show(app, self.view)
            case "data", name:
                choose_data(app, name)
                model.data, model.parameters = name, dict(DATA[name])
                model.propose()
            case ("jump",):  # a card's kernel on a sample
                choose(show(app, "reference"), "reference.rows", "Vectors")
                choose(app, "reference.card.RBF", "True")
                press(app, "try.RBF.iris")
                self.view = "see"
                show(app, "see")
                model.data, model.parameters = "iris", {}
                rows = model.rows()
                model.take(prepared(starting_kernel(CLASSES["RBF"], rows), rows))
            case ("preset",):
                rows = model.rows()
                preset = presets_for(rows)[1]
                press(app, f"preset.{rows.domain}.{preset.name}")
                model.take(prepared(preset.kernel, rows))
            case ("undo",):
                undo(app)
                model.back(model.past, model.future)
                return
            case ("redo",):
                undo(app, "redo")
                model.back(model.future, model.past)
                return
            case ("reload",):
                self.app = open_app(self.view, **link(app))
                model.take(model.kernel())
                model.past.clear()
                model.future.clear()
                return
            case "add", name:
                add(app, name)
                steps.append(Step(name, dict(STEPS[name])))
            case "switch", place:
                steps[place].on = not steps[place].on
                give(app, f"on.{uids[place]}", steps[place].on)
            case "remove", place:
                press(app, f"away.{uids[place]}")
                del steps[place]
            case "earlier", place:
                press(app, f"up.{uids[place]}")
                steps[place - 1 : place + 1] = reversed(steps[place - 1 : place + 1])
            case "slide", place, name, value:
                give(app, f"{uids[place]}.{steps[place].name}.{name}", value)
                assert self.view == "see" or session(app).touched.endswith(f".{name}"), "it is in hand on other pages"
                steps[place].values[name] = value
        model.changed(before)

    def check(self) -> None:
        """Compare widgets, address and state with the model."""
        app, model = self.app, self.model
        assert session(app).data.name == model.data
        assert kernel(app) == model.kernel()
        assert {"data": model.data, "kernel": repr(model.kernel())}.items() <= link(app).items()
        assert [(s.name, s.on) for s in session(app).steps] == [(s.name, s.on) for s in model.steps]
        assert starting(app.selectbox, "data.").value == model.data
        assert (can(app, "undo"), can(app, "redo")) == (bool(model.past), bool(model.future))
        shown = {w.key.split("~")[-1]: w.value for kind in GIVEN for w in getattr(app, kind)}
        for there, step in zip(session(app).steps, model.steps, strict=True):
            values = {f"{there.uid}.{step.name}.{name}": value for name, value in step.values.items()}
            assert shown | values == values | shown, "what is drawn has the model's value"
        if self.view == "see":
            assert figures(app)["see.gram"]["data"]


@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_a_sequence_of_presses_leads_where_the_model_leads(seed):
    random = Random(f"{os.environ.get('KERNLIB_SEED', 'model')}{seed}")
    driver = Driver()
    driver.follow(chosen(random, driver.model) for _ in range(PRESSES))
    # A new session that follows the address shows the same picture.
    show(driver.app, "see")
    assert heat(open_app("see", **link(driver.app))) == heat(driver.app)


#: Over Power(Normalized(RBF)): undo to a chain of another shape keeps what is switched off; a step is added, set,
#: switched off and on, and removed; two steps change places.
SCRIPTS: tuple[list[tuple[Any, ...]], ...] = (
    [("switch", 1), ("remove", 2), ("undo",), ("undo",), ("redo",), ("switch", 1)],
    [("add", "Deep"), ("slide", 3, "level", 3), ("switch", 3), ("slide", 2, "p", 0.2), ("switch", 3), ("remove", 3)],
    [("earlier", 2), ("slide", 1, "p", 0.4), ("undo",), ("undo",)],
)


@pytest.mark.parametrize("script", SCRIPTS)
def test_steps_are_edited_as_the_model_says(script):
    Driver("Power(Normalized(RBF(sigma=1.0)), p=0.5)").follow(script)
