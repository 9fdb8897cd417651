"""What Streamlit keeps of one session, in one plain object, and the clicks that wait for the next run.

Streamlit may end a run, also inside a callback, at every access to `st.session_state` and with every element. At none
to this object: a callback only writes down what was clicked, in the holder that it was given when its widget was drawn.
(`st.cache_resource(scope="session")` would be emptied when the connection drops; `st.session_state` comes back.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import streamlit as st

T = TypeVar("T")
_KEY = "holder"


@dataclass(eq=False)
class Holder:
    """The session's state, the clicks that wait for the next run, and what its widgets show.

    `undone` is the number of the last click on undo or redo that was done. `widgets` has the widget in the browser by
    its name, None where the browser may hold another value, and `renewals` counts those that were replaced. `kept` has
    what is no choice of a person, such as guesses and runs; `computed` what can be computed again, and goes while its
    browser is away. `left` is when the browser went, 0 while it is here; `uploaded` has the bytes of its files.
    """

    state: Any = None
    clicks: list[Callable[[], object]] = field(default_factory=list)
    undone: int = 0
    widgets: dict[str, Any] = field(default_factory=dict)
    renewals: int = 0
    kept: dict[str, Any] = field(default_factory=dict)
    computed: dict[str, Any] = field(default_factory=dict)
    left: float = 0.0
    uploaded: int = 0

    def begin_anew(self) -> None:
        """Forget everything, as if the session had not begun; a browser that comes back may still have its widgets."""
        vars(self).update(vars(Holder(widgets=dict.fromkeys(self.widgets), renewals=self.renewals)))


_holder: ContextVar[Holder | None] = ContextVar("holder", default=None)


def session_holder() -> Holder:
    """Return the holder of this session: the one in use, else the one that Streamlit keeps."""
    own = _holder.get()
    if own is None:
        own = st.session_state.setdefault(_KEY, Holder())
    return own


@contextmanager
def using(own: Holder) -> Iterator[None]:
    """Use this holder inside the block, without asking Streamlit for it."""
    token = _holder.set(own)
    try:
        yield
    finally:
        _holder.reset(token)


def look() -> None:
    """End the run here if a newer request has come."""
    _KEY in st.session_state  # noqa: B015  (Streamlit looks at every access)


def kept(name: str, make: Callable[[], T]) -> T:
    """Return what this session keeps under a name; the first time, make it."""
    return _made(session_holder().kept, name, make)


def computed(name: str, make: Callable[[], T]) -> T:
    """Return what this session has computed under a name; the first time, and after an absence, make it."""
    return _made(session_holder().computed, name, make)


def latest(name: str, asked: Any, make: Callable[[], T]) -> T:
    """Return what was computed last under a name; made anew where something else is `asked`, or after an absence."""
    last = session_holder().computed
    if name not in last or last[name][0] != asked:
        last[name] = asked, make()
    value: T = last[name][1]
    return value


def _made(own: dict[str, Any], name: str, make: Callable[[], T]) -> T:
    if name not in own:
        own[name] = make()
    value: T = own[name]
    return value


def keep(name: str, value: Any) -> None:
    """Keep a value under a name, in place of the one before."""
    session_holder().kept[name] = value


def deferred(function: Callable[..., object], *args: Any, reads: str = "", **named: Any) -> Callable[[], None]:
    """Return a callback that leaves `function(*args, **named)` to the beginning of the run that it causes.

    The callback itself only writes down the click. Streamlit may end a run anywhere, and never calls a callback again:
    what is written down stays until it is done. `reads` is the key of a widget whose value lasts for one run, such as
    the entry of a menu that was clicked: the function receives it first.
    """
    clicks = session_holder().clicks

    def clicked() -> None:
        value: tuple[Any, ...] = ()
        try:
            value = (st.session_state[reads],) if reads else ()
        finally:
            if reads and not value:  # a newer request ended the first access, and does not end a second one
                value = (st.session_state[reads],)
            clicks.append(partial(function, *value, *args, **named))

    return clicked


def take_clicks() -> None:
    """Do what the clicks since the last run ask for, in their order, each once.

    A click whose run is ended stays for the next run. One that fails does not: it would fail in every run.
    """
    clicks = session_holder().clicks
    while clicks:
        try:
            clicks[0]()
        except Exception:
            del clicks[0]
            raise
        del clicks[0]
