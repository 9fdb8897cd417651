"""No click is lost: the callbacks of one request run to their end, in the order of the clicks.

Streamlit checks for newer requests at every access to `st.session_state` and with every element, also inside a
callback. A request that is ended there is used up: its widget keeps the new value and its callback never runs again.
Streamlit checks once more right after the callbacks, so a newer request waits for a few milliseconds at most.

Requests that wait become one, in which Streamlit puts the buttons of the newer request before those of the older one,
and has each button once: a suggested kernel and *Undo* at once would undo the click before them, and *Undo* twice would
undo one.

With `runner.fastReruns` off (`.streamlit/config.toml`) one thread serves all requests of a session in their order.
So that a long computation keeps no click waiting, `interruptible` lets it go on in a thread of its own. The thread ends
where no request waits. A request that came right after its end would begin another thread, and what the ended one had
drawn, but not yet sent, would be dropped: `_in_turn` lets the request wait until it is sent.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import ContextVar, copy_context
from functools import wraps
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import RerunData, add_script_run_ctx, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils import script_requests
from streamlit.runtime.scriptrunner_utils.script_requests import _has_active_trigger_value
from streamlit.runtime.state import SafeSessionState

from pages.parts.server.limits import HOLD

T = TypeVar("T")
_apart: ContextVar[bool] = ContextVar("apart", default=False)
#: Seconds between two looks for a newer request.
LOOK = 0.02


def keep_presses() -> None:
    """Replace three functions of Streamlit, once a server, so that no click is lost."""
    for owner, name, replacement in (
        (SafeSessionState, "on_script_will_rerun", _whole),
        (script_requests, "_coalesce_widget_states", _ordered),
        (AppSession, "_create_scriptrunner", _in_turn),
    ):
        original = getattr(owner, name)
        if not hasattr(original, "__wrapped__"):
            setattr(owner, name, wraps(original)(replacement(original)))


def _whole(original: Callable[..., None]) -> Callable[..., None]:
    """Let Streamlit look for newer requests before and after callbacks, not inside them."""

    def whole(self: SafeSessionState, fresh_widget_states: WidgetStates | None, **named: Any) -> None:
        runner: Any = self._yield_callback.__self__  # type: ignore[attr-defined]
        looks, runner._execing = runner._execing, False
        # Callbacks run under the session's lock: what they compute must not wait for it in another thread.
        token = _apart.set(True)
        try:
            *first, last = _once_each(fresh_widget_states)
            for some in first:
                original(self, some)
            original(self, last, **named)
        finally:
            _apart.reset(token)
            runner._execing = looks

    return whole


def _ordered(original: Callable[..., WidgetStates | None]) -> Callable[..., WidgetStates | None]:
    """Let Streamlit call the callbacks of requests that became one in the order of the clicks."""

    def ordered(old: WidgetStates | None, new: WidgetStates | None) -> WidgetStates | None:
        if not old or not new:
            return original(old, new)
        pressed = _has_active_trigger_value
        # Of the older request stay its clicks, and what the newer one left as it was.
        left = {widget.SerializeToString() for widget in new.widgets if not pressed(widget)}
        first = [widget for widget in old.widgets if pressed(widget) or widget.SerializeToString() in left]
        known = {widget.SerializeToString() for widget in first if not pressed(widget)}
        then = [widget for widget in new.widgets if pressed(widget) or widget.SerializeToString() not in known]
        return WidgetStates(widgets=[*first, *then])

    return ordered


def _in_turn(original: Callable[..., None]) -> Callable[..., None]:
    """Let Streamlit begin a session's next thread when all messages of the one before are handled."""
    waiting: WeakKeyDictionary[AppSession, list[RerunData]] = WeakKeyDictionary()

    def in_turn(self: AppSession, initial_rerun_data: RerunData) -> None:
        requests = waiting.setdefault(self, [])
        requests.append(initial_rerun_data)
        if len(requests) == 1:  # else a look at them is scheduled
            serve(self)

    def serve(session: AppSession) -> None:
        requests = waiting[session]
        while requests and session._state is not AppSessionState.SHUTDOWN_REQUESTED:
            # The last message of a thread, which names no thread any more, arrives after all others.
            if session._scriptrunner is None:
                original(session, requests.pop(0))
            elif session._scriptrunner.request_rerun(requests[0]):
                del requests[0]
            else:
                session._event_loop.call_later(LOOK, serve, session)
                return

    return in_turn


def _once_each(states: WidgetStates | None) -> list[WidgetStates | None]:
    """Return the states in parts, each of which has every widget once."""
    if states is None:
        return [None]
    parts: list[dict[str, WidgetState]] = [{}]
    for widget in states.widgets:
        if widget.id in parts[-1]:
            parts.append({})
        parts[-1][widget.id] = widget
    return [WidgetStates(widgets=part.values()) for part in parts]


def look() -> None:
    """End the run here if a newer request has come."""
    "state" in st.session_state  # noqa: B015  (Streamlit looks at every access)


def widget_id(key: str) -> str:
    """Return the id of the widget that was drawn last under a key."""
    run: Any = get_script_run_ctx()
    own: str | None = run.session_state._state.get_widget_id_from_key(key)
    return own or key


def widget_value(widget: str) -> Any:
    """Return the value of the widget with this id, also where its key names a newer one by now."""
    run: Any = get_script_run_ctx()
    return run.session_state[widget]


def interruptible(work: Callable[[], T]) -> T:
    """Return what `work` returns; after HOLD seconds a newer request ends the wait for it.

    The work itself then goes on to its end, unwatched. Quick clicks would leave many such threads behind, so the
    first second waits: one click then waits for the work of the one before.
    """
    run = get_script_run_ctx(suppress_warning=True)
    if run is None or _apart.get():
        return work()
    context, future = copy_context(), Future[T]()
    context.run(_apart.set, True)

    def compute() -> None:
        try:
            future.set_result(context.run(work))
        except BaseException as error:  # the waiting run raises it
            future.set_exception(error)

    thread = threading.Thread(target=compute, daemon=True)
    add_script_run_ctx(thread, run)
    thread.start()
    timeout = HOLD
    while True:
        try:
            return future.result(timeout)
        except TimeoutError:
            if future.done():  # the work's own
                raise
            timeout = LOOK
            look()
