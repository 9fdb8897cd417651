"""Where a click leads, the page stays: no choice that the browser still holds comes back with the next click.

A browser keeps the value of each widget by its id, and sends all of them with every click. The one below never forgets
any, as Streamlit's does while it waits for the run that follows a click.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from kernlib import RBF
from kernlib.experiments import RunSpec
from kernlib.machines import NearestCentroid

from .drive import assert_sound, choose, choose_data, ending, open_app, session, show, undo


def _button(key: str) -> Callable[[AppTest], Any]:
    return lambda app: next(b for b in app.button if b.key == key).click().run()


def _file(app: AppTest) -> None:
    run = RunSpec("banana", RBF(sigma=2.0), NearestCentroid())
    app.file_uploader(key="choose.file").set_value(("run.json", run.to_json().encode(), "application/json")).run()


def _menu_file(app: AppTest) -> None:
    app.file_uploader(key="line.files").set_value([("rows.csv", b"a,b\n1,x\n2,y\n3,x\n4,y\n", "text/csv")]).run()
    assert {"Use these rows", "Discard the file"} <= {b.label for b in show(app, "data").button}


#: Every jump that the product offers: the data and the page where it is clicked, controls of this page, the click, and
#: the data and the page where it leads.
JUMPS: dict[str, tuple[str, str, dict[str, str], Callable[[AppTest], Any], str, str]] = {
    **{
        f"a row of a paper, on {view}": (
            "iris",
            "papers",
            {"papers.row.Table 1": "p = 0.6"},
            _button(f"papers.open.{view}.Table 1"),
            "markov-strings",
            view,
        )
        for view in ("see", "choose")
    },
    "a kernel on a sample": (
        "banana",
        "reference",
        {"reference.card.RBF": "True"},
        _button("try.RBF.iris"),
        "iris",
        "see",
    ),
    "a step on the kernel in view": (
        "iris",
        "reference",
        {"reference.rows": "Steps", "reference.card.Power": "True"},
        _button("try.Power"),
        "iris",
        "see",
    ),
    "a lesson's view": (
        "iris",
        "stories",
        {"stories.lesson": "03-how-deep", "stories.step": "6"},
        _button("stories.try"),
        "banana-like",
        "see",
    ),
    "a lesson's own rows": (
        "iris",
        "stories",
        {"stories.lesson": "08-abba-and-baba", "stories.step": "5"},
        _button("stories.try"),
        "upload:",
        "see",
    ),
    "error bars of the parameter in view": ("iris", "see", {}, _button("see.next"), "iris", "choose"),
    "kernels that suit these rows": ("iris", "data", {}, _button("data.compare"), "iris", "choose"),
    "a file": ("iris", "see", {}, _menu_file, "iris", "data"),
    "a run from a file": ("iris", "curves", {}, _file, "banana", "choose"),
    "undo to other data": ("banana", "see", {}, undo, "iris", "see"),
}


def held(app: AppTest) -> dict[str, Any]:
    """Return what the browser has of the widgets on screen, but for clicks, by their ids."""
    clicks = ("trigger_value", "string_trigger_value")
    return {w.id: w for w in app._tree.get_widget_states().widgets if w.WhichOneof("value") not in clicks}


def click(app: AppTest, old: dict[str, Any]) -> None:
    """Run the page for a click of a browser that still has these values."""
    states = app._tree.get_widget_states()
    for widget in states.widgets:
        widget.CopyFrom(old.get(widget.id, widget))
    app._run(states)


@pytest.fixture(scope="module")
def app():
    return open_app("see", data="iris")


@pytest.mark.parametrize("name", JUMPS)
def test_what_a_jump_shows_stays_under_the_next_clicks(app, name):
    data, view, controls, jump, leads_to, page = JUMPS[name]
    show(app, "see")
    choose_data(app, "iris")
    choose_data(app, data)
    show(app, view)
    for control, text in controls.items():
        choose(app, control, text)
    old = held(app)
    jump(app)
    there = session(app)
    assert there.data.name.startswith(leads_to)
    assert there.page == page
    show(app, page)
    new = held(app)
    assert {key: new[key] for key in old.keys() & new.keys()} == {key: old[key] for key in old.keys() & new.keys()}
    for _ in range(2):  # a value is a change for Streamlit only in the run after the one that has drawn its widget
        click(app, old)
        assert_sound(app)
        now = session(app)
        assert (now.data, now.kernel, now.controls) == (there.data, there.kernel, there.controls)
    # One's own change goes on from there.
    if there.kernel.parameters() and any(w.key and w.key.endswith(".sigma") for w in app.select_slider):
        ending(app.select_slider, ".sigma").set_value(5.0).run()
        assert session(app).data == there.data
        assert "sigma=5.0" in repr(session(app).kernel)
    assert next(box for box in app.selectbox if box.label == "Data").value == there.data.name
