"""No click is lost and none is half done: a newer request may come at any moment of a callback."""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
from collections.abc import Callable
from typing import Any
from unittest.mock import MagicMock

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner, StopException
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
from streamlit.runtime.state import SafeSessionState
from streamlit.testing.v1 import AppTest

from pages.parts.frame import sidebar
from pages.parts.server import presses
from pages.parts.session.value import Session

from .drive import assert_sound, choose_data, ending, kernel, open_app, session, starting

Press = Callable[[AppTest], Any]


def _step(app: AppTest, place: int) -> int:
    return session(app).steps[place].uid


LINK = {"data": "banana", "kernel": "Power(Normalized(RBF(sigma=1.0)), p=0.5)", "g.n": "40"}
#: Every kind of callback: the page, and the click without its run.
PRESSES: dict[str, tuple[str, Press]] = {
    "redo": ("gram", lambda app: app.button(key="history.redo").click()),
    "undo": ("gram", lambda app: app.button(key="history.undo").click()),
    "slider": ("gram", lambda app: ending(app.slider, "Power.p").set_value(0.7)),
    "word": ("gram", lambda app: ending(app.toggle, "RBF.sigma.word").set_value(True)),
    "switch": ("gram", lambda app: ending(app.toggle, f"on.{_step(app, 1)}").set_value(False)),
    "chip": ("gram", lambda app: starting(app.sidebar.button_group, "chain.").set_value(_step(app, 0))),
    "menu of the page": ("gram", lambda app: app.selectbox(key="gram.order").select("as read")),
    "projector": ("gram", lambda app: app.toggle(key="all.projector").set_value(True)),
    "earlier": ("gram", lambda app: app.button(key=f"up.{_step(app, 2)}").click()),
    "add": ("gram", lambda app: app.menu_button(key=f"adding.{_step(app, 0)}").click("Deep")),
    "away": ("gram", lambda app: app.button(key=f"away.{_step(app, 1)}").click()),
    "base": ("gram", lambda app: ending(app.selectbox, f"base.{_step(app, 0)}").select("Polynomial")),
    "rows": ("gram", lambda app: ending(app.slider, "g.banana.n").set_value(60)),
    "seed": ("gram", lambda app: ending(app.slider, "g.banana.seed").set_value(3)),
    "preset": ("gram", lambda app: next(b for b in app.button if (b.key or "").startswith("preset.")).click()),
    "data": ("gram", lambda app: starting(app.sidebar.selectbox, "data.").select("iris")),
    "number": ("overview", lambda app: starting(app.selectbox, "overview.which").select_index(1)),
    "film": ("overview", lambda app: app.segmented_control(key="overview.how").set_value("Film")),
    "range": ("curves", lambda app: app.select_slider(key="curves.range").set_range(0.2, 0.8)),
    "axis": ("curves", lambda app: app.selectbox(key="curves.axis").select_index(1)),
    "machine": ("curves", lambda app: app.selectbox(key="curves.machine").select_index(1)),
    "levels": ("depth", lambda app: app.slider(key="depth.levels").set_value(2)),
}


def opened(view: str) -> AppTest:
    """Return a page with something to undo and something to redo."""
    app = open_app(view, **LINK)
    ending(app.slider, "Power.p").set_value(0.6).run()
    ending(app.slider, "Power.p").set_value(0.65).run()
    return app.button(key="history.undo").click().run()


def content(state: Session) -> Any:
    """Return all that a state says, without the numbers that name steps."""

    def plain(chain: Any) -> Any:
        return [(s.name, s.values, s.on, {k: plain(c) for k, c in s.chains.items()}) for s in chain]

    moments = [[(m.data, plain(m.steps), repr(m.kernel)) for m in ms] for ms in (state.past, state.future)]
    opened = next((place for place, s in enumerate(state.steps) if s.uid == state.opened[0]), None)
    return (state.data, plain(state.steps), repr(state.kernel), state.controls, state.touched, opened, moments)


class Interrupted:
    """Runs the callbacks of one click again and again, each time ended at a later point where Streamlit may end them.

    `states` are the states that they left, the last one by callbacks that came to their end.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.states: list[Any] = []
        self.left: int | None = None
        whole = SafeSessionState.on_script_will_rerun
        bare = getattr(whole, "__wrapped__", whole)

        def ask(runner: ScriptRunner) -> None:
            if self.left is not None:
                self.left -= 1
                if self.left < 0:
                    raise StopException

        def on_script_will_rerun(state: SafeSessionState, *args: Any, **named: Any) -> None:
            inner = state._state
            widgets = inner._new_widget_state
            kept = dict(inner._old_state), dict(inner._new_session_state), dict(widgets.states)
            for k in itertools.count():
                self.left = k
                try:
                    bare(state, *args, **named)
                except StopException:
                    ended = False
                else:
                    ended = True
                self.left = None
                self.states.append(content(inner["state"]))
                if ended:
                    return
                inner._old_state, inner._new_session_state, widgets.states = (dict(part) for part in kept)

        monkeypatch.setattr(ScriptRunner, "_maybe_handle_execution_control_request", ask)
        monkeypatch.setattr(SafeSessionState, "on_script_will_rerun", on_script_will_rerun)


@pytest.mark.parametrize("view", sorted({view for view, _ in PRESSES.values()}))
def test_a_callback_that_ends_anywhere_leaves_the_old_state_or_the_new_one(view, monkeypatch):
    app = opened(view)
    for name, (page, press) in PRESSES.items():
        if page != view:
            continue
        old = content(session(app))
        with monkeypatch.context() as patch:
            runs = Interrupted(patch)
            press(app)
            app.run()
        new = runs.states[-1]
        assert new == content(session(app))
        assert new != old, f"{name}: the click changes nothing"
        assert len(runs.states) > 2, name
        assert all(state in (old, new) for state in runs.states), name


def slow_page() -> None:
    """A page whose first run computes until the second one has begun."""
    import threading

    import streamlit as st
    from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx

    from pages.parts.server.presses import interruptible

    begun: threading.Event = st.session_state.setdefault("begun", threading.Event())
    runs = st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    if runs == 2:
        begun.set()
        st.text(f"{runs} runs")
        return

    def work() -> bool:
        get_script_run_ctx().script_requests.request_rerun(RerunData())
        return begun.wait(20)

    interruptible(work)
    st.text("the first run came to its end")


def test_a_long_computation_keeps_no_press_waiting(monkeypatch):
    monkeypatch.setattr(presses, "HOLD", 0.01)
    app = AppTest.from_function(slow_page, default_timeout=60).run()
    assert not app.exception
    assert [text.value for text in app.text] == ["2 runs"]


def test_a_newer_request_waits_for_the_callbacks_of_the_one_before(monkeypatch):
    """A request that comes inside a callback neither ends the callback nor is it lost."""
    app = opened("gram")
    asked: list[bool] = []
    original = ScriptRunner._maybe_handle_execution_control_request

    def ask(runner: ScriptRunner) -> None:
        if not asked and not runner._execing:  # inside the callbacks
            asked.append(runner._requests.request_rerun(RerunData()))
        original(runner)

    started: list[object] = []
    drawn = sidebar.draw
    monkeypatch.setattr(ScriptRunner, "_maybe_handle_execution_control_request", ask)
    monkeypatch.setattr(sidebar, "draw", lambda: (started.append(1), drawn()))
    choose_data(app, "iris")
    assert asked == [True]
    assert started == [1], "the first run ends at once, the newer one draws the page"
    assert_sound(app)
    assert session(app).data.name == "iris"


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


def test_presses_that_wait_together_are_heard_in_their_order():
    app = opened("gram")
    before, slider, undo = kernel(app), ending(app.slider, "Power.p"), app.button(key="history.undo")
    preset = next(b for b in app.button if b.label == "Large diagonal")
    heard_together(app, [(slider, 0.6), (preset, True)], [(slider, 0.6), (undo, True)])
    assert kernel(app) == before, "Undo takes back the suggested kernel, and nothing else"
    slider, undo = ending(app.slider, "Power.p"), app.button(key="history.undo")
    heard_together(app, [(slider, 0.6), (undo, True)], [(slider, 0.8)])
    assert kernel(app).p == 0.8
    app.button(key="history.undo").click().run()
    assert kernel(app).p == 0.5


def test_a_button_that_is_pressed_again_while_the_first_press_waits_is_heard_twice():
    app = opened("gram")
    for p in (0.6, 0.7, 0.8):
        ending(app.slider, "Power.p").set_value(p).run()
    undo, redo = app.button(key="history.undo"), app.button(key="history.redo")
    heard_together(app, [(undo, True)], [(undo, True)])
    assert kernel(app).p == 0.6
    slider = ending(app.slider, "Power.p")
    heard_together(app, [(slider, 0.6), (redo, True)], [(slider, 0.6), (undo, True)], [(slider, 0.6), (redo, True)])
    assert kernel(app).p == 0.7
    heard_together(app, [(undo, True)], [(undo, True)], [(undo, True)], [(redo, True)])
    assert kernel(app).p == 0.6


#: The page below has begun; it may go on.
BEGUN, GO_ON = threading.Event(), threading.Event()
#: What it writes behind each text.
RUN = ["first"]
PAGE = """
import streamlit as st
from pages.parts.session.polling import part
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
@pytest.mark.parametrize("at_once", [True, False])
def test_what_a_page_has_drawn_stays_when_a_part_is_asked_for_during_its_run_or_after(
    tmp_path, monkeypatch, number, at_once
):
    """Streamlit drops what an ended thread has not yet handed over, and of an asked part what is not yet sent."""
    monkeypatch.setattr(AppSession, "_create_scriptrunner", AppSession._create_scriptrunner)  # set back afterwards
    presses.keep_presses()
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
        if at_once:
            GO_ON.clear()
        session.request_rerun(None)
        assert BEGUN.wait(60)
        thread = session._scriptrunner._script_thread
        if at_once:
            session.request_rerun(asked)
            GO_ON.set()
        thread.join(60)  # its messages wait for the loop, which waits here
        if not at_once:
            session.request_rerun(asked)
        await receive(session, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
        session.shutdown()

    asyncio.run(press())
    assert browser.texts() == ["above second", "in it second", "below second", "last second"]


def test_a_press_on_a_figure_that_was_drawn_again_meanwhile_is_heard():
    """The browser sends the click before it has the new drawing, whose id is another one under the same key."""

    def what_if() -> Any:
        (chart,) = [c.proto for c in app.get("plotly_chart") if c.proto.id.endswith("-overview.what-if")]
        return chart

    app = open_app("overview", data="banana", kernel="Power(Normalized(RBF(sigma=1.0)), p=0.5)", **{"g.n": "40"})
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
