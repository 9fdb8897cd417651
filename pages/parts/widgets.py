"""One widget for one declared parameter, whatever kernel, machine or generator it belongs to."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import streamlit as st

from kernlib import Kernel
from kernlib.declare import Parameter

__all__ = ["formula", "label_of", "number_slider", "parameter_ahead", "parameter_widget", "plain_symbol"]

_LETTERS = {
    r"\alpha": "α",
    r"\beta": "β",
    r"\gamma": "γ",
    r"\lambda": "λ",
    r"\sigma": "σ",
    r"\ell": "ℓ",
    r"\Psi": "Ψ",
    r"\ell_{\max}": "ℓ",
}
_NICE = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)


def label_of(p: Parameter) -> str:
    """The parameter's words and its symbol, as text: labels are read aloud too."""
    symbol = plain_symbol(p)
    words = p.name.replace("_", " ")
    return words if symbol in ("", p.name) else f"{words} {symbol}"


def plain_symbol(p: Parameter) -> str:
    """The symbol as a letter that a screen reader can say; "" where it is a word or has no letter."""
    if p.symbol.startswith(r"\mathrm"):
        return ""
    return _LETTERS.get(p.symbol, p.symbol if p.symbol.isalnum() else "")


def parameter_widget(p: Parameter, value: Any, key: str, *, suggested: float | None = None) -> Any:
    """Draw the widget and return the value; a parameter without a widget keeps its value."""
    common: dict[str, Any] = {"key": key, "help": p.help, "persist_state": "session"}
    if p.kind == "choice":
        options = list(p.choices)
        return st.selectbox(
            label_of(p),
            options,
            index=options.index(value),
            format_func=lambda c: "none" if c is None else str(c),
            **common,
        )
    if p.kind == "bool":
        return st.toggle(label_of(p), value=value, **common)
    if p.kind == "other" or p.low is None or p.high is None:
        return value
    if p.choices:
        return _number_or_word(p, value, common, suggested)
    return _number(p, value, common)


def parameter_ahead(p: Parameter, value: Any, key: str) -> Any:
    """What `parameter_widget` will return, before it is drawn; KeyError where only drawing it can tell."""
    if p.kind not in ("choice", "bool"):
        if p.kind == "other" or p.low is None or p.high is None:
            return value
        if p.choices and st.session_state.get(f"{key}.word", value in p.choices):
            return p.choices[0]
        if value in p.choices:
            return st.session_state[key]
    return st.session_state.get(key, value)


def _number_or_word(p: Parameter, value: Any, common: dict[str, Any], suggested: float | None) -> Any:
    """A number, or one word that stands for a value learnt from the training rows."""
    word = p.choices[0]
    shown = "∞" if word == math.inf else str(word)
    note = f", {suggested:.3g} here" if suggested is not None else ""
    symbol = plain_symbol(p) or p.name
    name = f"{symbol} = {shown}" if word == math.inf else f"Learn {symbol}: {shown}{note}"
    chosen = st.toggle(
        name,
        value=value in p.choices,
        key=f"{common['key']}.word",
        persist_state="session",
        help=p.help if p.heuristic is None else f"{p.help}. Learnt from the training rows: {p.heuristic}.",
    )
    if chosen:
        return word
    start = value if value not in p.choices else (suggested or p.default)
    if start in p.choices:
        start = math.sqrt(p.low * p.high) if p.scale == "log" else p.low
    return _number(p, start, common)


def _number(p: Parameter, value: Any, common: dict[str, Any]) -> Any:
    """A slider over the declared range; a link's value beyond it is one more stop of it, or stands in a box."""
    if p.scale == "log":
        options = _log_options(p.low, p.high, float(value))
        return st.select_slider(label_of(p), options, value=float(value), format_func=_words(options), **common)
    number = int if p.kind == "int" else float
    step = number(p.step or (1 if p.kind == "int" else (p.high - p.low) / 100))
    if not p.low <= value <= p.high:
        # A slider that reached so far would leave the values that matter to its first pixel.
        return st.number_input(
            label_of(p), _bound(p.minimum, number), _bound(p.maximum, number), number(value), step,
            None if p.kind == "int" else "%g", **common,
        )  # fmt: skip
    return st.slider(label_of(p), number(p.low), number(p.high), number(value), step=step, **common)


def _bound(bound: float | None, number: type) -> Any:
    return None if bound is None else number(bound)


def number_slider(p: Parameter, current: float | int, key: str, take: Callable[[Any], None]) -> None:
    """One number's slider that gives `take` what the hand chose, and begins anew where another widget moved the number.

    Were it told the new value instead, that would take the place of what the hand did meanwhile.
    """
    count, start = st.session_state.get(key, (0, None))
    if start is None or st.session_state.get(f"{key}.{count}", start) != current:
        count, start = count + 1, current
        st.session_state[key] = (count, start)
    own = f"{key}.{count}"

    def moved() -> None:
        if st.session_state[key] == (count, start):  # else a browser that has not yet heard of the new slider
            take(st.session_state[own])

    common: dict[str, Any] = {"key": own, "help": p.help, "on_change": moved}
    low, high = min(p.low, start), max(p.high, start)
    if p.scale == "log" and p.kind != "int":
        values = _log_options(p.low, p.high, float(start))
        st.select_slider(label_of(p), values, value=float(start), format_func=_words(values), **common)
    elif low < high:
        number = int if p.kind == "int" else float
        step = number(p.step or (1 if p.kind == "int" else (p.high - p.low) / 100))
        st.slider(label_of(p), number(low), number(high), number(start), step=step, **common)


def formula(kernel: type[Kernel], small: int = 1000) -> None:
    """A kernel's formula, in smaller letters beyond `small` characters; what explains its symbols may begin a line."""
    words = kernel.formula.replace(r",\quad", r",\quad\allowbreak")
    st.latex((r"\small " if len(kernel.formula) > small else "") + words)


def _log_options(low: Any, high: Any, value: float) -> list[float]:
    """Round numbers, ten a decade, and the value itself wherever it lies."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    nice = {float(f"{m * 10.0**d:.6g}") for d in decades for m in _NICE}
    return sorted({v for v in nice if low <= v <= high} | {value})


def _words(options: list[float]) -> Callable[[float], str]:
    """Three digits, or all where two would read alike: a browser says by its words which one was chosen."""
    short = Counter(f"{v:.3g}" for v in options)
    return lambda v: repr(v) if short[f"{v:.3g}"] > 1 else f"{v:.0f}" if 1000 <= v < 1e6 else f"{v:.3g}"
