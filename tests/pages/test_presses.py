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
from pages.parts.inputs import controls
from pages.parts.server.holder import using
from pages.parts.session import state as change
from pages.parts.session.state import Session

from .drive import assert_sound, can, ending, hold, kernel, open_app, own, sentences, session, starting, undo

Press = Callable[[AppTest], Any]


def _step(app: AppTest, place: int) -> int:
    return session(app).steps[place].uid


LINK = {"data": "banana", "kernel": "Power(Normalized(RBF(sigma=1.0)), p=0.5)", "g.n": "20"}


def _chip(app: AppTest) -> Any:
    chips = starting(app.button_group, "chain.")
    return chips.set_value(_step(app, 2 if chips.value == _step(app, 0) else 0))


#: Where a newer request comes: the callback of a button runs after point 0, at which Streamlit loses it.
POINTS = (1, 2, 4, 8, 16)
#: Every kind of callback: the page, and the click without its run.
PRESSES: dict[str, tuple[str, Press]] = {
    "slider": ("see", lambda app: ending(app.slider, "Power.p").set_value(0.7)),
    "switch": ("see", lambda app: ending(app.toggle, f"on.{_step(app, 1)}").set_value(False)),
    "chip": ("see", lambda app: _chip(app)),
    "menu of the page": ("depth", lambda app: starting(app.selectbox, "depth.recipes").select_index(1)),
    "projector": ("see", lambda app: starting(app.toggle, "all.projector").set_value(True)),
    "earlier": ("see", lambda app: app.button(key=f"up.{_step(app, 2)}").click()),
    "add": ("see", lambda app: app.menu_button(key=f"adding.{_step(app, 0)}").click("Deep")),
    "away": ("see", lambda app: app.button(key=f"away.{_step(app, 1)}").click()),
    "base": ("see", lambda app: ending(app.selectbox, f"base.{_step(app, 0)}").select("Polynomial")),
    "rows": ("see", lambda app: ending(app.slider, "g.banana.n").set_value(60)),
    "preset": ("see", lambda app: next(b for b in app.button if (b.key or "").startswith("preset.")).click()),
    "data": ("see", lambda app: starting(app.selectbox, "data.").select("iris")),
    "number": ("see", lambda app: starting(app.selectbox, "hand.which").select_index(1)),
    "range": ("curves", lambda app: ending(app.number_input, "choose.range.to").set_value(0.8)),
    "machine": ("use", lambda app: starting(app.selectbox, "all.machine").select_index(1)),
}


def test_a_click_on_a_step_of_the_kernel_before_says_so():
    """The menu is drawn last: for a moment it shows the steps of the kernel that other data have replaced."""
    app = open_app(**LINK)
    starting(app.selectbox, "data.").select("iris")
    app.menu_button(key=f"adding.{_step(app, 0)}").click("Deep").run()
    assert session(app).data.name == "iris"
    assert "Deep" not in repr(kernel(app))
    assert "was not made. Make it again." in sentences(app)
    app.menu_button(key=f"adding.{_step(app, 0)}").click("Deep").run()
    assert "Deep" in repr(kernel(app))
    assert "Make it again." not in sentences(app)


def test_a_click_on_the_slider_of_the_kernel_before_says_so():
    app = open_app(data="iris", kernel="Power(RBF(sigma=1.0), p=0.5)")
    with using(app.session_state["holder"]):
        hand = hand_of(own(app)["good_view"])
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
    with using(app.session_state["holder"]):
        change.set_values(_step(app, 1), {"p": -1.0})
    assert "p must be a finite number" in sentences(app.run())
    assert kernel(app).p == 0.6, "what makes no kernel changes nothing"


def opened(view: str) -> AppTest:
    """Return a page with something to undo and something to redo."""
    app = open_app(view, **LINK)
    ending(app.slider, "Power.p").set_value(0.6).run()
    ending(app.slider, "Power.p").set_value(0.65).run()
    return undo(app)


def content(state: Session) -> Any:
    """Return all that a state says, without the numbers that name steps."""

    def plain(chain: Any) -> Any:
        return [(s.name, s.values, s.on, {k: plain(c) for k, c in s.chains.items()}) for s in chain]

    moments = [[(m.data, plain(m.steps)) for m in ms] for ms in (state.past, state.future)]
    opened = next((place for place, s in enumerate(state.steps) if s.uid == state.opened[0]), None)
    return (
        state.data,
        plain(state.steps),
        repr(state.kernel),
        sorted(state.controls.items()),
        state.touched,
        opened,
        moments,
    )


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
    assert_sound(app)
    return bool(asked)


@pytest.mark.parametrize("view", sorted({view for view, _ in PRESSES.values()}))
def test_a_click_is_done_once_wherever_a_newer_request_comes(view):
    app = opened(view)
    for number, (name, (page, press)) in enumerate(PRESSES.items()):
        if page != view:
            continue
        old, done = session(app), set()
        for point in (POINTS[number % len(POINTS)], POINTS[(number + 2) % len(POINTS)]):
            press(app)
            assert run_twice(app, point), name
            assert content(session(app)) != content(old), f"{name}: the click changes nothing at point {point}"
            done.add(str(content(session(app))))
            hold(app, old)
            app.run()
        assert len(done) == 1, name


def test_a_callback_with_the_value_that_is_shown_changes_nothing(monkeypatch):
    """Streamlit calls the callbacks of widgets whose value is the same, after a page without them."""
    asked: list[tuple[Callable[[Any], None], str]] = []
    original = controls.deferred
    monkeypatch.setattr(
        controls, "deferred", lambda take, reads: asked.append((take, reads)) or original(take, reads=reads)
    )
    for page in PAGES:
        app = open_app(page.view, **LINK)
        before, changes = session(app), asked[:]
        asked.clear()
        assert changes or not page.line
        app.session_state["holder"].clicks += [
            partial(take, app.session_state[key]) for take, key in changes if key in app.session_state
        ]
        app.run()
        assert_sound(app)
        assert session(app) is before, page.title
        asked.clear()


def test_a_click_that_fails_fails_once():
    app = opened("see")
    before = session(app)
    app.session_state["holder"].clicks += [lambda: 1 / 0]
    app.run()
    assert app.exception
    app.run()
    assert_sound(app)
    assert session(app) is before


def heard_together(app: AppTest, *requests: list[tuple[Any, Any]]) -> None:
    """Run the page for requests that waited, of which Streamlit makes one; each has the values of some widgets."""
    waiting = ScriptRequests()
    for request in requests:
        states = WidgetStates()
        for widget, value in request:
            state = states.widgets.add(id=widget.proto.id)
            if value is True:
                state.trigger_value = True
            else:
                state.double_array_value.data.append(value)
        waiting.request_rerun(RerunData(widget_states=states))
    app._run(waiting.on_scriptrunner_ready().rerun_data.widget_states)
    assert_sound(app)


def test_a_click_and_a_slider_that_wait_together_are_both_done():
    app = opened("see")
    preset = next(b for b in app.button if b.label == "Large diagonal")
    heard_together(app, [(ending(app.slider, "Power.p"), 0.7)], [(ending(app.slider, "Power.p"), 0.7), (preset, True)])
    done = kernel(app)
    assert kernel(undo(app)).p == 0.7
    assert kernel(undo(app, "redo")) == done


def clicks(app: AppTest, log: Any) -> None:
    """Run the page with this list of clicks on undo and redo, as the browser sends it."""
    (buttons,) = [e.proto for e in app.get("bidi_component") if e.proto.component_name.endswith("kernlib_history")]
    states = WidgetStates()
    states.widgets.add(id=buttons.id, json_value=json.dumps({"log": log}))
    app._run(states)
    assert_sound(app)


def test_every_click_on_undo_counts_once_however_often_the_browser_sends_it():
    app = opened("see")
    for p in (0.6, 0.7, 0.8):
        ending(app.slider, "Power.p").set_value(p).run()
    clicks(app, [[1, "undo"], [2, "undo"]])
    assert kernel(app).p == 0.6
    clicks(app, [[1, "undo"], [2, "undo"], [3, "redo"]])
    assert kernel(app).p == 0.7
    for damaged in (None, 3, "undo", [1], [[4, "adopt"]], [["5", "undo"]], [[3, "undo"]], [{"6": "undo"}]):
        clicks(app, damaged)
        assert kernel(app).p == 0.7
    clicks(app, [[8, "undo"]] + [[n, "undo"] for n in range(9, 20)])
    assert not can(app, "undo")


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

    app = open_app("see", data="banana", kernel="Power(Normalized(RBF(sigma=1.0)), p=0.5)", **{"g.n": "40"})
    before = what_if()
    ending(app.slider, "Power.p").set_value(0.6).run()
    assert what_if().id != before.id
    points = [{"curve_number": 0, "point_index": 4, "point_number": 4, "x": 0.25, "y": 0.1}]
    selection = {"points": points, "point_indices": [4], "box": [], "lasso": []}
    states = WidgetStates()
    states.widgets.add(id=before.id, string_value=json.dumps({"selection": selection}))
    app._run(states)
    assert_sound(app)
    assert kernel(app).p == 0.25
