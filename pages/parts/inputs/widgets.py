"""One widget for one declared parameter, whatever kernel, machine or generator it belongs to."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from kernlib import Kernel
from kernlib.values.declare import Parameter
from kernlib.values.words import number as number_in_words
from pages.parts.inputs.controls import binding, value_of
from pages.parts.session import state
from pages.parts.session.machine import read_parameter

#: One number for each column or length is set by sliders up to this many.
SLIDERS = 24
#: Modes of a parameter that may have one number for each column: one for all, and numbers set by hand.
_ALONE, _GIVEN = "alone", "given"
_NICE = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)


def label_of(p: Parameter) -> str:
    """Return the parameter's name and its symbol as text, since screen readers read labels aloud."""
    words = p.name.replace("_", " ")
    return words if p.letter in ("", p.name) else f"{words} {p.letter}"


def parameter_widget(
    p: Parameter,
    value: Any,
    key: str,
    take: Callable[[Any], None],
    *,
    suggested: float | None = None,
    entries: Sequence[str] = (),
) -> None:
    """Draw the widget of a parameter at `value`; `take` receives what a person chooses.

    `entries` are the names of what can have a number each, such as columns.
    """
    if p.kind == "choice":
        choices = list(p.choices)
        st.selectbox(
            label_of(p).capitalize(),
            choices,
            choices.index(value),
            format_func=lambda c: "none" if c is None else str(c),
            help=p.help,
            **binding(key, value, take),
        )
    elif p.kind == "bool":
        st.toggle(label_of(p), value, help=p.help, **binding(key, value, take))
    elif p.kind != "other" and p.low is not None and p.high is not None:
        if p.choices:
            _word(p, value, key, take, suggested)
        if value not in p.choices and not isinstance(value, tuple):
            number_widget(p, value, key, take)
    if p.each:
        _for_each(p, value, key, take, suggested, entries)


def parameter_control(p: Parameter, default: Any, name: str) -> Any:
    """Draw the widget of a parameter that a page chooses, and return what the state has for it."""
    value = value_of(name, default, partial(read_parameter, p))
    parameter_widget(p, value, name, lambda chosen: state.choose(name, None if chosen == default else str(chosen)))
    return value


def _word(p: Parameter, value: Any, key: str, take: Callable[[Any], None], suggested: float | None) -> None:
    """Draw the toggle between a number and the word that stands for a value learnt from the training rows."""
    word = p.choices[0]
    fixed = {math.inf: "∞", None: "none"}  # values that nothing is learnt for
    shown = fixed.get(word, str(word))
    here = f", {value_words(suggested)} here" if suggested is not None else ""
    symbol = p.letter or p.name
    start = suggested or p.default
    if start in p.choices:
        assert p.low is not None
        assert p.high is not None
        start = math.sqrt(p.low * p.high) if p.scale == "log" else p.low
    st.toggle(
        f"{symbol} = {shown}" if word in fixed else f"Learn {symbol}: {shown}{here}",
        value == word,
        help=p.help if p.heuristic is None else f"{p.help}. Learnt from the training rows: {p.heuristic}.",
        **binding(f"{key}.word", value == word, lambda on: take(word if on else start)),
    )


def _for_each(
    p: Parameter, value: Any, key: str, take: Callable[[Any], None], suggested: float | None, entries: Sequence[str]
) -> None:
    """Draw, behind one click, one number for each column or length: learnt, or set by sliders."""
    assert p.low is not None
    assert p.high is not None
    alone = p.default if p.kind == "other" else suggested or p.default
    given = isinstance(value, tuple)
    learnt = p.choices if p.kind == "other" else p.choices[1:]
    modes = {_ALONE: "The default" if p.kind == "other" else "One for all"}
    modes |= {word: f"Learn: {word}" for word in learnt}
    modes |= {_GIVEN: "Set by hand"} if given or entries else {}
    now = _GIVEN if given else value if value in learnt else _ALONE
    start = value if isinstance(value, int | float) else alone if isinstance(alone, int | float) else p.high

    def chosen(mode: str) -> None:
        take(alone if mode == _ALONE else (float(start),) * len(entries) if mode == _GIVEN else mode)

    def changed(place: int, number: float) -> None:
        take((*value[:place], number, *value[place + 1 :]))

    noun = label_of(p).split(" ")[0].removesuffix("s")
    with st.popover(f"{noun} of each {p.each}".capitalize(), width="stretch"):
        st.selectbox(
            p.each.capitalize() + "s",
            list(modes),
            list(modes).index(now),
            format_func=modes.__getitem__,
            help=p.help,
            **binding(f"{key}.each", now, chosen),
        )
        if not given:
            return
        if len(value) > SLIDERS:
            st.caption(f"{len(value)} values: more than sliders here.")
            return
        names = entries if len(entries) == len(value) else [f"{p.each} {i + 1}" for i in range(len(value))]
        for i, (name, one) in enumerate(zip(names, value, strict=True)):
            slider = replace(p, name=name, symbol=r"\mathrm{}", kind="float", choices=(), each="")
            number_widget(slider, one, f"{key}.{i}", partial(changed, i))


def number_widget(p: Parameter, value: Any, key: str, take: Callable[[Any], None]) -> None:
    """Draw the widget of a parameter: a slider over the declared range, or a box for a value beyond it."""
    number = int if p.kind == "int" else float
    value = number(value)
    more = {"help": p.help, **binding(key, value, take)}
    assert p.low is not None
    assert p.high is not None
    if p.scale == "log":
        stops = _log_options(p.low, p.high, value)
        st.select_slider(label_of(p), stops, value, format_func=_words(stops), **more)
        return
    step = number(p.step or (1 if p.kind == "int" else (p.high - p.low) / 100))
    if p.low <= value <= p.high:
        st.slider(label_of(p), number(p.low), number(p.high), value, step, **more)
    else:  # on a slider that reached so far, the values that matter would be one pixel
        low, high = (None if bound is None else number(bound) for bound in (p.minimum, p.maximum))
        st.number_input(label_of(p), low, high, value, step, None if p.kind == "int" else "%g", **more)


def value_words(value: float | int) -> str:
    """Return a number as its slider words it."""
    return number_in_words(value, 3)


def formula(kernel: type[Kernel], small: int = 1000) -> None:
    """Draw a kernel's formula, smaller beyond `small` characters; definitions of symbols may begin a line."""
    if not kernel.formula:
        return
    words = kernel.formula.replace(r",\quad", r",\quad\allowbreak")
    st.latex((r"\small " if len(kernel.formula) > small else "") + words)


def _log_options(low: Any, high: Any, value: float) -> list[float]:
    """Round numbers, ten a decade, and the value itself wherever it lies."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    nice = {float(f"{m * 10.0**d:.6g}") for d in decades for m in _NICE}
    return sorted({v for v in nice if low <= v <= high} | {value})


def _words(options: list[float]) -> Callable[[float], str]:
    """Return a format of three digits, or of all where two options would look the same."""
    short = Counter(map(value_words, options))
    return lambda v: repr(v) if short[value_words(v)] > 1 else value_words(v)
