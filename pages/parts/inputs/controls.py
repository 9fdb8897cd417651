"""Widgets that show what the state chooses: a run draws them from the state, and their callbacks change the state.

A control keeps its choice as the text that the link has, under a name that begins with its page; a text that fits none
of the present options shows the default.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import streamlit as st

from pages.parts.server.holder import deferred, session_holder, take_clicks
from pages.parts.session import state
from pages.parts.session.value import current

T = TypeVar("T")
_drawn: ContextVar[set[str]] = ContextVar("drawn")


def begin() -> None:
    """Begin a run: what was clicked is done, and no widget is drawn yet."""
    take_clicks()
    _drawn.set(set())


def once(name: str) -> bool:
    """Return True the first time that a run asks for this name."""
    drawn = _drawn.get(set())
    first = name not in drawn
    drawn.add(name)
    return first


@dataclass
class _Widget:
    """A widget in the browser: its key, the value that it shows, and the one with which it began."""

    key: str
    value: Any
    first: Any


def end() -> None:
    """End a run whose elements all reach the browser: what it has not drawn comes back as a new widget."""
    widgets, drawn = session_holder().widgets, _drawn.get()
    for name in widgets.keys() - drawn:
        widgets[name] = None


def leave() -> None:
    """End a run that leads to another page: Streamlit forgets the value of every widget, the browser does not."""
    _drawn.set(set())
    end()


def _widget(name: str, value: Any) -> _Widget:
    """Return the widget that shows `value`: a new one where the browser may have another value under its key.

    State comes before widgets. Streamlit gives a widget its value once and then leaves it to the browser, which sends
    an old choice back with the next click. So a key has a number that changes with every change of the value that is
    not made by the widget itself, such as a jump, a link or undo: an old choice belongs to no widget.
    """
    own = session_holder()
    widget = own.widgets.get(name)
    if widget is None or not _same(widget.value, value):
        key = name
        if name in own.widgets:
            own.renewals += 1
            key = f"{own.renewals}~{name}"
        own.widgets[name] = widget = _Widget(key, value, value)
    _drawn.get(set()).add(name)
    return widget


def _same(current: Any, value: Any) -> bool:
    return (
        list(current) == list(value)
        if isinstance(current, list | tuple) and isinstance(value, list | tuple)
        else current == value
    )


def value_of(name: str, default: T, read: Callable[[str], T]) -> T:
    """Return what the state chooses for a control, read from its text; the default where it chooses nothing."""
    words = current().controls.get(name)
    if words is None:
        return default
    try:
        return read(words)
    except (ValueError, LookupError):
        return default


def binding(name: str, value: Any, take: Callable[[Any], None]) -> dict[str, Any]:
    """Return the key of a widget that shows `value`, and its callback: `take` receives what a person chooses.

    Streamlit also calls the callback of a widget whose value is the one that was shown, after a page without it: this
    changes nothing.
    """
    widget = _widget(name, value)

    def changed(chosen: Any) -> None:
        if _same(chosen, widget.value):
            return
        try:
            take(chosen)
        except Exception:
            widget.value = chosen
            raise
        widget.value = chosen

    return {"key": widget.key, "on_change": deferred(changed, reads=widget.key)}


def _control(name: str, value: Any, default: Any, write: Callable[[Any], str]) -> dict[str, Any]:
    """Return the binding of a page control, which keeps its choice as a text."""

    def take(chosen: Any) -> None:
        state.choose(name, None if chosen is None or _same(chosen, default) else write(chosen))

    return binding(name, value, take)


@cache
def _parameters(draw: Callable[..., Any]) -> frozenset[str]:
    """Return the names of a widget's parameters, read once: a signature takes longer than most of a widget."""
    return frozenset(inspect.signature(draw).parameters)


def option(
    draw: Callable[..., Any], label: str, choices: Sequence[T], name: str, default: T | None = None, **more: Any
) -> T:
    """Draw a menu, a segmented control or a slider of stops, and return the option that the state chooses."""
    first = choices[0] if default is None or default not in choices else default
    value = value_of(name, first, {str(one): one for one in choices}.__getitem__)
    bound = _control(name, value, first, str)
    takes = _parameters(getattr(draw, "__func__", draw))
    if "index" in takes:
        more |= {"index": list(choices).index(value)}
    elif "value" in takes:
        more |= {"value": value}
    else:
        more |= {"default": value, "required": True}
    draw(label, choices, **more, **bound)
    return value


def option_or_none(label: str, choices: Sequence[T], name: str, **more: Any) -> T | None:
    """Draw a menu that begins empty, and return the option that the state chooses."""
    value: T | None = value_of(name, None, {str(one): one for one in choices}.__getitem__)
    index = None if value is None else list(choices).index(value)
    st.selectbox(label, choices, index, **more, **_control(name, value, None, str))
    return value


def options(label: str, choices: Sequence[T], name: str, default: Sequence[T] = (), **more: Any) -> list[T]:
    """Draw a menu of several options, and return those that the state chooses."""
    by_text = {str(one): one for one in choices}
    value = value_of(name, list(default), lambda words: [by_text[word] for word in words.split("|") if word])
    st.multiselect(
        label,
        choices,
        value,
        **more,
        **_control(name, value, list(default), lambda several: "|".join(map(str, several))),
    )
    return value


def span(label: str, stops: Sequence[T], name: str, **more: Any) -> tuple[T, T]:
    """Draw a slider with two ends, and return the stops that the state chooses."""
    by_text, default = {str(one): one for one in stops}, (stops[0], stops[-1])

    def read(words: str) -> tuple[T, T]:
        low, high = words.split("|")
        return by_text[low], by_text[high]

    value = value_of(name, default, read)
    bound = _control(name, value, default, lambda ends: "|".join(map(str, ends)))
    st.select_slider(label, stops, value, **more, **bound)
    return value


def switch(label: str, default: bool, name: str, **more: Any) -> bool:
    """Draw a toggle, and return whether the state has it on."""
    value = value_of(name, default, {"True": True, "False": False}.__getitem__)
    st.toggle(label, value, **more, **_control(name, value, default, str))
    return value


def number(
    label: str,
    low: T,
    high: T,
    default: T,
    name: str,
    step: T | None = None,
    *,
    draw: Callable[..., Any] = st.slider,
    **more: Any,
) -> T:
    """Draw a slider or a box for a parameter, and return the value that the state chooses."""

    def read(words: str) -> T:
        kind: Callable[[str], Any] = type(default)
        chosen: T = max(low, min(high, kind(words)))
        return chosen

    value = value_of(name, default, read)
    draw(label, low, high, value, step, **more, **_control(name, value, default, repr))
    return value


def text(label: str, default: str, name: str, *, draw: Callable[..., Any] = st.text_input, **more: Any) -> str:
    """Draw a line or an area to type in, and return the text that the state has."""
    value = value_of(name, default, str)
    draw(label, value, **more, **_control(name, value, default, str))
    return value


def tabs(names: Sequence[str], name: str) -> tuple[str, Any]:
    """Draw tabs, and return the title and the container of the open one: the others cost nothing."""
    value = value_of(name, names[0], {one: one for one in names}.__getitem__)
    bound = _control(name, value, names[0], str)
    drawn = st.tabs(list(names), default=_first(name, names), **bound)
    return value, drawn[names.index(value)]


def expander(label: str, name: str) -> Any:
    """Draw an expander, and return its container where the state has it open: a closed one costs nothing."""
    value = value_of(name, False, {"True": True}.__getitem__)
    bound = _control(name, value, False, str)
    box = st.expander(label, expanded=_first(name, (True, False)), **bound)
    return box if value else None


def _first(name: str, choices: Sequence[Any]) -> Any:
    """Return the value with which the widget began: a tab or an expander with another one is another to Streamlit."""
    widget: _Widget = session_holder().widgets[name]
    if widget.first not in choices:
        widget.first = widget.value
    return widget.first
