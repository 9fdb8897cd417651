"""Random sequences of clicks lead to the data and the kernel of a plain model.

KERNLIB_SEQUENCES sets the number of sequences, KERNLIB_SEED the first of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from kernlib import parse
from kernlib.experiments.decisions import presets_for
from pages.parts.inputs.texts import plain as escaped

from . import model as plain
from .drive import (
    assert_sound,
    can,
    choose,
    choose_data,
    ending,
    figures,
    heat,
    kernel,
    link,
    open_app,
    session,
    show,
    starting,
    undo,
)

SEQUENCES, PRESSES = int(os.environ.get("KERNLIB_SEQUENCES", 2)), 12


class Driver:
    """Clicks in the app what the model clicks."""

    def __init__(self, kernel: str = "") -> None:
        self.view = "data"
        self.app: AppTest = open_app("data", data="banana", **{"kernel": kernel} if kernel else {})
        self.model = plain.Model("banana", {"n": 120})
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
        """Click and run; a click of the sidebar as a person does it, a reload by the address."""
        kind, *rest = action
        app = self.app
        if kind == "data":
            choose_data(app, rest[0])
        elif kind == "page":
            self.view = rest[0]
            show(app, rest[0])
        elif kind == "away":  # a page without the sidebar's widgets
            show(app, "stories")
            assert_sound(app)
            show(app, self.view)
        elif kind == "jump":
            choose(show(app, "reference"), "reference.rows", "Vectors")
            choose(app, "reference.card.RBF", "True")
            app.button(key="try.RBF.iris").click().run()
            self.view = "see"
            show(app, "see")
        elif kind == "reload":
            self.app = open_app(self.view, **link(app))
        elif kind == "preset":
            name = presets_for(self.model.rows())[1].name
            app.button(key=f"preset.{self.model.rows().domain}.{name}").click().run()
        elif kind in ("undo", "redo"):
            undo(app, kind)
        elif kind == "add":
            app.menu_button(key=f"adding.{session(app).steps[0].uid}").click(rest[0]).run()
        else:
            uid = session(app).steps[rest[0]].uid
            if kind == "switch":
                toggle = ending(app.toggle, f"on.{uid}")
                toggle.set_value(not toggle.value).run()
            elif kind in ("remove", "earlier"):
                app.button(key=f"{'away' if kind == 'remove' else 'up'}.{uid}").click().run()
            else:
                name, value = rest[1:]
                ending(
                    (*app.slider, *app.select_slider, *app.number_input),
                    f"{uid}.{self.model.steps[rest[0]].name}.{name}",
                ).set_value(value).run()
                assert self.view == "see" or session(app).touched.endswith(f".{name}"), "it is in hand on other pages"
        plain.press(self.model, action)

    def check(self) -> None:
        """Compare chips, widgets, address and state with the model."""
        app, model = self.app, self.model
        assert_sound(app)
        assert session(app).data.name == model.data
        assert kernel(app) == model.kernel()
        assert (link(app)["data"], link(app)["kernel"]) == (model.data, repr(model.kernel()))
        assert [(s.name, s.on) for s in session(app).steps] == [
            (s.name, s.on or i == 0) for i, s in enumerate(model.steps)
        ]
        assert starting(app.selectbox, "data.").value == model.data
        assert list(starting(app.button_group, "chain.").options) == list(map(escaped, model.kernel().chain()))
        assert can(app, "undo") == bool(model.past)
        assert can(app, "redo") == bool(model.future)
        shown = {
            w.key.split("~")[-1]: w.value
            for w in (*app.slider, *app.select_slider, *app.number_input, *app.toggle, *app.selectbox)
        }
        for there, step in zip(session(app).steps, model.steps, strict=True):
            for name, value in step.values.items():
                key = f"{there.uid}.{step.name}.{name}"
                if key in shown:
                    assert shown[key] == value, key
        if self.view == "see":
            assert figures(app)["see.gram"]["data"]


@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_a_sequence_of_presses_leads_where_the_model_leads(seed):
    random = Random(f"{os.environ.get('KERNLIB_SEED', 'model')}{seed}")
    driver = Driver()
    driver.follow(plain.chosen(random, driver.model) for _ in range(PRESSES))
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
