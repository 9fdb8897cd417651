"""No click is lost and none is half done: a newer request may come at any moment of a callback."""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import MagicMock

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
from streamlit.testing.v1 import AppTest

from kernlib import parse
from pages import PAGES
from pages.parts.frame import slider
from pages.parts.frame.slider import hand_of
from pages.parts.frame.waiting import View
from pages.parts.inputs import controls
from pages.parts.server.runs import using
from pages.parts.session import state as change
from pages.parts.session.state import Session

from .drive import (
    GIVEN,
    add,
    ending,
    give,
    holder,
    kernel,
    open_app,
    rows,
    sentences,
    session,
    starting,
    undo,
)

LINK = {"data": "banana", "kernel": "Power(Normalized(RBF(sigma=1.0)), p=0.5)", "g.n": "20"}
#: Where a newer request comes: the callback of a button runs after point 0, at which Streamlit loses it.
POINTS = (1, 2, 4, 8, 16)
#: Every kind of callback: the page, the beginning or end of a widget's key with the steps' numbers, and what it gets: a
#: value, the place of one in a menu, or a click.
CLICK = object()
PRESSES: dict[str, tuple[str, str, Any]] = {
    "slider": ("see", "Power.p", 0.7),
    "switch": ("see", "on.{1}", False),
    "menu of the page": ("depth", "depth.recipes", 1),
    "projector": ("see", "all.projector", True),
    "earlier": ("see", "up.{2}", CLICK),
    "add": ("see", "adding.{0}", "Deep"),
    "away": ("see", "away.{1}", CLICK),
    "base": ("see", "base.{0}", "Polynomial"),
    "rows": ("see", "g.banana.n", 60),
    "preset": ("see", "preset.", CLICK),
    "data": ("see", "data.", "iris"),
    "number": ("see", "hand.which", 1),
    "range": ("curves", "choose.range.to", 0.8),
    "machine": ("use", "all.machine", 1),
}


def press(app: AppTest, name: str, value: Any) -> None:
    """Click or change a widget, without the run that follows."""
    uids = [step.uid for step in session(app).steps]
    name = name.format(*uids)
    found = [w for kind in (*GIVEN, "button", "menu_button", "button_group") for w in getattr(app, kind) if w.key]
    widget = next(w for w in found if w.key.endswith(name) or w.key.split("~")[-1].startswith(name))
    if widget.type == "menu_button":
        widget.click(value)
    elif value is CLICK:
        widget.click()
    elif widget.type == "selectbox" and isinstance(value, int):
        widget.select_index(value)
    else:
        widget.set_value(value)


def test_a_click_on_a_step_of_the_kernel_before_says_so():
    """The menu is drawn last: for a moment it shows the steps of the kernel that other data have replaced."""
    app = open_app(**LINK)
    starting(app.selectbox, "data.").select("iris")
    for made in (False, True):
        add(app, "Deep")
        assert session(app).data.name == "iris"
        assert ("Deep" in repr(kernel(app))) == made
        assert ("was not made. Make it again." in sentences(app)) != made


def test_a_click_on_the_slider_of_the_kernel_before_says_so():
    app = open_app(data="iris", kernel="Power(RBF(sigma=1.0), p=0.5)")
    with using(holder(app)):
        hand = hand_of(View(rows(app), kernel(app), session(app).data, rows(app)))
        change.adopt(parse("Power(Linear(), p=0.5)"))
        slider.take_stop(hand, 0)
        assert kernel(app) == parse("Power(Linear(), p=0.5)")
        change.adopt(parse("Power(RBF(sigma=3.0), p=0.6)"))
        slider.take_stop(hand, 0)  # the steps are the same: no quick click is lost
        assert kernel(app) == parse(f"Power(RBF(sigma=3.0), p={hand.stops[0]})")
        change.choose_data("banana")
        change.adopt(parse("Power(RBF(sigma=3.0), p=0.6)"))
        slider.take_stop(hand, 0)
        assert kernel(app).p == 0.6
    assert "was not made. Make it again." in sentences(app.run())
    with using(holder(app)):
        change.set_values(session(app).steps[1].uid, {"p": -1.0})
    assert "p must be a finite number" in sentences(app.run())
    assert kernel(app).p == 0.6, "what makes no kernel changes nothing"


def opened(view: str) -> AppTest:
    """Return a page with something to undo and something to redo."""
    app = open_app(view, **LINK)
    give(app, "Power.p", 0.6)
    give(app, "Power.p", 0.65)
    return undo(app)


def content(state: Session) -> Any:
    """Return all that a state says, without the numbers that name steps."""

    def plain(chain: Any) -> Any:
        return [(s.name, s.values, s.on, {k: plain(c) for k, c in s.chains.items()}) for s in chain]

    moments = [[(data, plain(steps)) for data, steps in ms] for ms in ([state.moment], state.past, state.future)]
    return moments, repr(state.kernel), sorted(state.controls.items()), state.touched


def run_twice(app: AppTest, point: int) -> bool:
    """Run the page; at the point of this number a newer request comes, in which nothing is clicked.

    Returns whether there was such a point.
    """
    newer, left, asked = app._tree.get_widget_states(), itertools.count(point, -1), []
    clicked = [w for w in newer.widgets if w.WhichOneof("value") in ("trigger_value", "string_trigger_value")]
    for widget in clicked:
        newer.widgets.remove(widget)
    original = ScriptRunner._maybe_handle_execution_control_request

    def ask(runner: ScriptRunner) -> None:
        if not asked and runner._execing and next(left) == 0:
            asked.append(runner._requests.request_rerun(RerunData(widget_states=newer)))
        original(runner)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ScriptRunner, "_maybe_handle_execution_control_request", ask)
        app.run()
    return bool(asked)


@pytest.mark.parametrize("view", sorted({view for view, *_ in PRESSES.values()}))
def test_a_click_is_done_once_wherever_a_newer_request_comes(view):
    app = opened(view)
    for number, (name, (page, widget, value)) in enumerate(PRESSES.items()):
        if page != view:
            continue
        old = session(app)
        done = {str(content(old))}
        for point in (POINTS[number % len(POINTS)], POINTS[(number + 2) % len(POINTS)]):
            press(app, widget, value)
            assert run_twice(app, point), name
            done.add(str(content(session(app))))
            holder(app).state = old
            app.run()
            assert len(done) == 2, f"{name}, at point {point}: {done}"


def test_a_callback_with_the_value_that_is_shown_changes_nothing(monkeypatch):
    """Streamlit calls the callbacks of widgets whose value is the same, after a page without them."""
    asked: list[tuple[Callable[[Any], None], str]] = []
    original = controls.deferred
    monkeypatch.setattr(
        controls,
        "deferred",
        lambda take, *given, reads="": (reads and asked.append((take, reads))) or original(take, *given, reads=reads),
    )
    for page in PAGES:
        app = open_app(page.view, **LINK)
        before = session(app)
        assert asked or not page.line
        holder(app).clicks += [partial(take, app.session_state[key]) for take, key in asked if key in app.session_state]
        assert session(app.run()) is before, page.title
        asked.clear()


def test_a_click_that_fails_fails_once():
    app = opened("see")
    before = session(app)
    holder(app).clicks += [lambda: 1 / 0]
    with pytest.raises(AssertionError, match="encountered an error"):
        app.run()
    assert session(app.run()) is before


def states(*values: tuple[Any, dict[str, Any]]) -> WidgetStates:
    """Return what the browser sends for some widgets, each by its message and its value."""
    return WidgetStates(widgets=[dict(id=widget.id, **value) for widget, value in values])


def test_a_click_and_a_slider_that_wait_together_are_both_done():
    """Of requests that wait, Streamlit makes one."""
    app, waiting = opened("see"), ScriptRequests()
    slid = ending(app.slider, "Power.p").proto, {"double_array_value": {"data": [0.7]}}
    for clicked in ([], [(ending(app.button, "Large diagonal").proto, {"trigger_value": True})]):
        waiting.request_rerun(RerunData(widget_states=states(slid, *clicked)))
    app._run(waiting.on_scriptrunner_ready().rerun_data.widget_states)
    done = kernel(app)
    assert kernel(undo(app)).p == 0.7
    assert kernel(undo(app, "redo")) == done


#: The page below has begun; it may go on.
BEGUN, GO_ON = threading.Event(), threading.Event()
#: What it writes behind each text.
RUN = ["first"]
PAGE = """
import streamlit as st
from pages.parts.server.runs import part
from tests.pages.test_presses import BEGUN, GO_ON, RUN
BEGUN.set()
GO_ON.wait(60)
st.text(f"above {RUN[0]}")
part(lambda: st.text(f"in it {RUN[0]}"))
with st.container():
    st.text(f"below {RUN[0]}")
    part(lambda: st.text(f"last {RUN[0]}"))
"""


class Browser:
    """The tree of a page as Streamlit's frontend keeps it: a new element may replace one or be the next, no more."""

    def __init__(self) -> None:
        self.root: dict[str, Any] = {"children": [{"children": []} for _ in range(4)]}  # main, sidebar, event, bottom
        self.run = ""

    def receive(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.run = message.metadata.run.script_run_id
        elif kind == "delta":
            *above, last = message.metadata.delta_path
            node = self.root
            for index in above:
                node = node["children"][index]
            block = message.delta.WhichOneof("type") == "add_block"
            assert last <= len(node["children"]), f"nowhere to place {list(message.metadata.delta_path)}"
            before = node["children"][last]["children"] if block and last < len(node["children"]) else []
            text = message.delta.new_element.text.body
            node["children"][last : last + 1] = [{"children": before, "run": self.run, "text": text}]
        elif kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            for root in self.root["children"]:
                self._remove_old(root)

    def _remove_old(self, node: dict[str, Any]) -> None:
        """Remove what the page's run has not drawn again."""
        node["children"] = [child for child in node["children"] if child["run"] == self.run]
        for child in node["children"]:
            self._remove_old(child)

    def texts(self) -> list[str]:
        def below(node: dict[str, Any]) -> list[str]:
            return [t for t in [node.get("text", "")] if t] + [t for child in node["children"] for t in below(child)]

        return below(self.root)


@pytest.mark.parametrize("number", range(2))
def test_what_a_page_has_drawn_stays_when_a_part_is_asked_for_during_its_run(tmp_path, monkeypatch, number):
    """Streamlit drops what the page has drawn of a part that is asked for, and not yet sent."""
    monkeypatch.setattr(Runtime, "_instance", MagicMock())
    script = tmp_path / "page.py"
    script.write_text(PAGE)
    browser = Browser()

    async def receive(session: AppSession, end: int) -> None:
        ended = False
        while not ended:
            await asyncio.sleep(0.01)
            for message in session.flush_browser_queue():
                browser.receive(message)
                ended = ended or (message.WhichOneof("type") == "script_finished" and message.script_finished == end)

    async def press() -> None:
        session = AppSession(ScriptData(str(script)), MagicMock(), ScriptCache(), None, {})
        RUN[0] = "first"
        GO_ON.set()
        session.request_rerun(None)
        await receive(session, ForwardMsg.FINISHED_SUCCESSFULLY)
        asked = ClientState(fragment_id=list(session._fragment_storage._fragments)[number])
        BEGUN.clear()
        RUN[0] = "second"
        GO_ON.clear()
        session.request_rerun(None)
        assert BEGUN.wait(60)
        thread = session._scriptrunner._script_thread
        session.request_rerun(asked)
        GO_ON.set()
        thread.join(60)  # its messages wait for the loop, which waits here
        await receive(session, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
        session.shutdown()

    asyncio.run(press())
    assert browser.texts() == ["above second", "in it second", "below second", "last second"]


def test_a_press_on_a_figure_that_was_drawn_again_meanwhile_is_heard():
    """The browser sends the click before it has the new drawing, whose id is another one under the same key."""

    def what_if() -> Any:
        (chart,) = [c.proto for c in app.get("plotly_chart") if "-see.curve~" in c.proto.id]
        return chart

    app = open_app("see", **LINK)
    before = what_if()
    give(app, "Power.p", 0.6)
    assert what_if().id != before.id
    points = [{"curve_number": 0, "point_index": 4, "point_number": 4, "x": 0.25, "y": 0.1}]
    selection = {"points": points, "point_indices": [4], "box": [], "lasso": []}
    app._run(states((before, {"string_value": json.dumps({"selection": selection})})))
    assert kernel(app).p == 0.25
