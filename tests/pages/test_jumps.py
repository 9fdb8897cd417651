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

from .drive import choose, choose_data, drop, give, open_app, press, session, show, undo


def _file(app: AppTest) -> None:
    run = RunSpec("banana", RBF(sigma=2.0), NearestCentroid())
    drop(app, "run.json", run.to_json().encode(), "choose.file")


def _menu_file(app: AppTest) -> None:
    drop(app, "rows.csv", b"a,b\n1,x\n2,y\n3,x\n4,y\n", "line.files")
    assert {"upload.use", "Discard the file"} <= {name for b in show(app, "data").button for name in (b.key, b.label)}


#: Every jump that the product offers: the data and the page where it is clicked, controls of this page, the click (a
#: button, or a function), and where it leads: data, beginning of the kernel, page.
JUMPS: dict[str, tuple[str, str, dict[str, str], str | Callable[[AppTest], Any], str, str]] = {
    "a row of a paper": (
        "iris",
        "papers",
        {"papers.row.Table 1": "p = 0.6"},
        "papers.open.see.Table 1",
        "markov-strings Empirical(Power(Subsequence(order=3, decay=0.25), p=0.6)",
        "see",
    ),
    "its run": (
        "iris",
        "papers",
        {"papers.row.Table 1": "p = 0.6"},
        "papers.open.choose.Table 1",
        "markov-strings Empirical(Power(Subsequence(order=3, decay=0.25), p=0.6)",
        "choose",
    ),
    "a kernel on a sample": ("banana", "reference", {"reference.card.RBF": "True"}, "try.RBF.iris", "iris RBF", "see"),
    "a step on the kernel in view": (
        "iris",
        "reference",
        {"reference.rows": "Steps", "reference.card.Power": "True"},
        "try.Power",
        "iris Power(",
        "see",
    ),
    "a lesson's view": (
        "iris",
        "stories",
        {"stories.lesson": "03-how-deep", "stories.step": "6"},
        "stories.try",
        "banana-like Deep(Linear(), level=1,",
        "see",
    ),
    "a lesson's own rows": (
        "iris",
        "stories",
        {"stories.lesson": "08-abba-and-baba", "stories.step": "5"},
        "stories.try",
        "upload Subsequence(order=2",
        "see",
    ),
    "error bars of the parameter in view": ("iris", "see", {}, "see.next", "iris", "choose"),
    "kernels that suit these rows": ("iris", "data", {}, "data.compare", "iris", "choose"),
    "a file": ("iris", "see", {}, _menu_file, "iris", "data"),
    "a run from a file": ("iris", "curves", {}, _file, "banana RBF(sigma=2.0)", "choose"),
    "undo to other data": ("banana", "see", {}, undo, "iris", "see"),
}


def held(app: AppTest) -> dict[str, Any]:
    """Return what the browser has of the widgets on screen, but for clicks, by their ids."""
    clicks = ("trigger_value", "string_trigger_value")
    return {w.id: w for w in app._tree.get_widget_states().widgets if w.WhichOneof("value") not in clicks}


@pytest.fixture(scope="module")
def app():
    return open_app("see", data="iris")


@pytest.mark.parametrize("name", JUMPS)
def test_what_a_jump_shows_stays_under_the_next_clicks(app, name):
    data, view, controls, jump, leads_to, page = JUMPS[name]
    for step in dict.fromkeys(("iris", data)):
        choose_data(show(app, "see"), step)
    show(app, view)
    for control, text in controls.items():
        choose(app, control, text)
    old = held(app)
    press(app, jump) if isinstance(jump, str) else jump(app)
    there = session(app)
    assert f"{there.data.name.partition(':')[0]} {there.kernel!r}".startswith(leads_to)
    assert there.page == page
    show(app, page)
    new = held(app)
    assert {key: new[key] for key in old.keys() & new.keys()} == {key: old[key] for key in old.keys() & new.keys()}
    for _ in range(2):  # a value is a change for Streamlit only in the run after the one that has drawn its widget
        states = app._tree.get_widget_states()
        for widget in states.widgets:
            widget.CopyFrom(old.get(widget.id, widget))
        app._run(states)
        now = session(app)
        assert (now.data, now.kernel, now.controls) == (there.data, there.kernel, there.controls)
    # One's own change goes on from there.
    if there.kernel.parameters() and any(w.key and w.key.endswith(".sigma") for w in app.select_slider):
        give(app, ".sigma", 5.0)
        assert session(app).data == there.data
        assert "sigma=5.0" in repr(session(app).kernel)
