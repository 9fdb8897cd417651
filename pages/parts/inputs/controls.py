"""Widgets that show what the state chooses: a run draws them from the state, and their callbacks change the state.

A control keeps its choice as the text that the link has, under a name that begins with its page; a text that fits none
of the present options shows the default. A declared parameter has one widget, whatever kernel, machine or generator it
belongs to.

Foreign words are shown literally. Streamlit reads most texts as Markdown, in which a word from outside can fetch a
picture from anywhere, be a link that looks like ours, or vanish. Every page shows such words through `plain` or `code`,
errors included, since they quote what was wrong; figures have `kernlib.figures.theme.escape`, and tables to download
`inert_cells`.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from kernlib import Kernel, KernlibError
from kernlib.values.declare import Parameter
from kernlib.values.words import GLOSSARY, inert_cell, terms_in
from kernlib.values.words import number as number_in_words
from pages.parts.server.runs import deferred, keep, kept, session_holder, take_clicks
from pages.parts.session import state
from pages.parts.session.state import current, read_parameter

#: WORD JOINER: invisible, breaks no line, and stops an address from becoming a link.
_APART = "\u2060"
_MARKS = re.compile(r"([\\`*_\[\]$~<>#|&])")
#: Addresses, icons and emoji are found in the finished text, where a backslash no longer helps.
_SPELT = re.compile(r"(?<=:)(?=[\w+/-])|(?<=www)(?=\.)|(?<=@)(?=\w)|(?<=-)(?=-)", re.IGNORECASE)
_ARROWS = re.compile(r"(?<=-)(?=\\>)|(?<=<)(?=-)")


def plain(text: object) -> str:
    """Return text that Markdown shows literally: no emphasis, link, image, formula, icon, list or HTML.

    Signs of control or direction are left out, and all white space is one blank.

    >>> plain("<b>*a*</b> [x](//y) \\u202e$z$")
    '\\\\<b\\\\>\\\\*a\\\\*\\\\</b\\\\> \\\\[x\\\\](//y) \\\\$z\\\\$'
    """
    shown = _visible(text)
    shown = _ARROWS.sub(_APART, _SPELT.sub(_APART, _MARKS.sub(r"\\\1", shown)))
    # A first sign that would begin a list or a line across the page.
    return _APART + shown if re.match(r"[-+=]|\d+[.)]", shown) else shown


def code(text: object) -> str:
    """Return text between backticks, more of them than the text contains.

    >>> code("a`b")
    '``a`b``'
    """
    shown = _visible(text) or " "
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _visible(text: object) -> str:
    words = " ".join(str(text).split())
    return "".join(c for c in words if unicodedata.category(c)[0] != "C")


def inert_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table for a CSV export: words that a spreadsheet would run as a formula begin with an apostrophe.

    The download that a table on the page brings with it gives the cells as they were read: they are the person's own.

    >>> inert_cells(pd.DataFrame({"=a": ["=cmd()", "-1.5", "b"]})).to_csv(index=False).split()
    ["'=a", "'=cmd()", '-1.5', 'b']
    """

    def inert(value: Any) -> Any:
        return inert_cell(value) if isinstance(value, str) else value

    safe = frame.rename(columns=inert)
    for j in range(safe.shape[1]):
        if safe.dtypes.iloc[j].kind not in "ifbc":
            safe.isetitem(j, safe.iloc[:, j].map(inert))
    return safe


#: The meanings, for `picture.js`, which shows them: a link names its term by the term's slug.
SCRIPT = f"const MEANINGS = {json.dumps({t.slug: [t.name, t.meaning] for t in GLOSSARY}, ensure_ascii=False)};\n"
#: Where the session keeps at which place of the page each term stands first: a fragment's run agrees with the page's.
_FIRST = "terms.first"
#: Markdown in which no link can stand: code, formulas, links, directives. Bounded: a link may begin at each bracket.
_CLOSED = re.compile(r"`[^`]*`|\$[^$]*\$|!?\[[^\]]{0,500}\]\([^)]{0,500}\)|:[\w/]+:|:[\w-]+\[")


def begin_page() -> None:
    """Forget which terms the page has explained: a run of the whole page begins."""
    keep(_FIRST, {})


def explained(markdown: str, place: str | None) -> str:
    """Return Markdown in which each term's first use on the page links to its meaning.

    Parameters: `place` the text's own name on the page; None explains every term, for a text that is folded away.
    """
    first: dict[str, str | None] = {} if place is None else kept(_FIRST, dict)
    closed = [match.span() for match in _CLOSED.finditer(markdown)]
    linked: set[str] = set()
    pieces, end = [], 0
    for start, stop, term in terms_in(markdown):
        apart = all(stop <= a or b <= start for a, b in closed)
        if apart and term.slug not in linked and first.setdefault(term.slug, place) == place:
            linked.add(term.slug)
            pieces += [markdown[end:start], f"[{markdown[start:stop]}](#term-{term.slug})"]
            end = stop
    return "".join([*pieces, markdown[end:]])


def meanings(label: str, place: str) -> str:
    """Return the meanings of the terms that a label uses first on the page, as Markdown below its help."""
    first = kept(_FIRST, dict[str, str | None])
    terms = {term for _, _, term in terms_in(label) if first.setdefault(term.slug, place) == place}
    return "".join(f"\n\n**{term.name}**: {term.meaning}" for term in sorted(terms, key=lambda term: term.name))


T = TypeVar("T")
#: Receives what a person chooses.
Take = Callable[[Any], None]
_drawn: ContextVar[set[str]] = ContextVar("drawn")


#: The place of elements side by side.
in_row = partial(st.container, horizontal=True, vertical_alignment="center")


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


def binding(name: str, value: Any, take: Take) -> dict[str, Any]:
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


def option(
    draw: Callable[..., Any], label: str, choices: Sequence[T], name: str, default: T | None = None, **more: Any
) -> T:
    """Draw a menu, a segmented control or a slider of stops, and return the option that the state chooses."""
    first = choices[0] if default is None or default not in choices else default
    value = value_of(name, first, {str(one): one for one in choices}.__getitem__)
    bound = _control(name, value, first, str)
    shown: dict[str, dict[str, Any]] = {
        "selectbox": {"index": list(choices).index(value)},
        "select_slider": {"value": value},
    }
    draw(label, choices, **shown.get(draw.__name__, {"default": value, "required": True}), **more, **bound)
    return value


def options(label: str, choices: Sequence[T], name: str, default: Sequence[T] = (), **more: Any) -> list[T]:
    """Draw a menu of several options, and return those that the state chooses."""
    by_text = {str(one): one for one in choices}
    first = list(default)
    value = value_of(name, first, lambda words: [by_text[word] for word in words.split("|") if word])
    st.multiselect(label, choices, value, **more, **_control(name, value, first, lambda some: "|".join(map(str, some))))
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


def text(label: str, default: str, name: str, **more: Any) -> str:
    """Draw a line to type in, and return the text that the state has."""
    value = value_of(name, default, str)
    st.text_input(label, value, **more, **_control(name, value, default, str))
    return value


def button(
    label: str,
    key: str | None,
    act: Callable[..., object],
    *given: Any,
    draw: Callable[..., object] = st.button,
    **more: Any,
) -> None:
    """Draw a button; the run that a click causes begins with `act(*given)`, whose error becomes a notice."""
    draw(label, key=key, on_click=deferred(_act, act, *given), **more)


def _act(act: Callable[..., object], *given: Any) -> None:
    try:
        act(*given)
    except KernlibError as error:
        state.change(state.notify, str(error))


def expander(label: str, name: str) -> Any:
    """Draw an expander, and return its container where the state has it open: a closed one costs nothing."""
    value = value_of(name, False, {"True": True}.__getitem__)
    bound = _control(name, value, False, str)
    # An expander that begins otherwise than the one in the browser is another one to Streamlit.
    box = st.expander(label, expanded=session_holder().widgets[name].first, **bound)
    return box if value else None


_NICE = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)


def label_of(p: Parameter) -> str:
    """Return the parameter's name and its symbol as text, since screen readers read labels aloud."""
    words = p.name.replace("_", " ")
    return words if p.letter in ("", p.name) else f"{words} {p.letter}"


def parameter_widget(
    p: Parameter,
    value: Any,
    key: str,
    take: Take,
    *,
    suggested: float | None = None,
    entries: int = 0,
) -> None:
    """Draw the widget of a parameter at `value`; `take` receives what a person chooses.

    `entries` is the number of what can have a number each, such as columns.
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


def _word(p: Parameter, value: Any, key: str, take: Take, suggested: float | None) -> None:
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


def _for_each(p: Parameter, value: Any, key: str, take: Take, suggested: float | None, entries: int) -> None:
    """Draw, behind one click, one number for each column or length: learnt, or written in a line."""
    first, learnt = ("The default", p.choices) if p.kind == "other" else ("One for all", p.choices[1:])
    alone = p.default if p.kind == "other" else suggested or p.default
    given, by_hand = isinstance(value, tuple), "Set by hand"
    modes: dict[str, Any] = {first: alone} | {f"Learn: {word}": word for word in learnt}
    if given or entries:
        start = next((float(one) for one in (value, alone, p.high) if isinstance(one, int | float)), 1.0)
        modes[by_hand] = (start,) * entries
    now = by_hand if given else f"Learn: {value}" if value in learnt else first

    def written(words: str) -> None:
        try:
            numbers = tuple(map(float, words.split(",")))
            if entries and len(numbers) != entries:
                raise ValueError
        except ValueError:
            many = f"{entries} numbers" if entries else "numbers"
            expected = f"expected {many} with commas between them, one for each {p.each}"
            state.change(state.notify, f"{p.name}: {expected}; got {words[:80]!r}.")
        else:
            take(numbers)

    noun = label_of(p).split(" ")[0].removesuffix("s")
    with st.popover(f"{noun} of each {p.each}".capitalize(), width="stretch"):
        st.selectbox(
            p.each.capitalize() + "s",
            list(modes),
            list(modes).index(now),
            help=p.help,
            **binding(f"{key}.each", now, lambda mode: take(modes[mode])),
        )
        if given:
            numbers = ", ".join(map(repr, value))
            label = f"Numbers of the {len(value)} {p.each}s, with commas between"
            st.text_input(label, numbers, **binding(f"{key}.given", numbers, written))


def number_widget(p: Parameter, value: Any, key: str, take: Take) -> None:
    """Draw the widget of a parameter: a slider over the declared range, or a box for a value beyond it."""
    number = int if p.kind == "int" else float
    value = number(value)
    more = {"help": p.help, **binding(key, value, take)}
    assert p.low is not None
    assert p.high is not None
    if p.scale == "log":
        # Round numbers, ten a decade, and the value itself wherever it lies.
        decades = range(math.floor(math.log10(p.low)), math.ceil(math.log10(p.high)) + 1)
        nice = {float(f"{m * 10.0**d:.6g}") for d in decades for m in _NICE}
        stops = sorted({v for v in nice if p.low <= v <= p.high} | {value})
        short = Counter(map(value_words, stops))  # three digits, or all where two stops would look the same
        st.select_slider(
            label_of(p),
            stops,
            value,
            format_func=lambda v: repr(v) if short[value_words(v)] > 1 else value_words(v),
            **more,
        )
        return
    step = number(p.step or (1 if p.kind == "int" else (p.high - p.low) / 100))
    if p.low <= value <= p.high:
        st.slider(label_of(p), number(p.low), number(p.high), value, step, **more)
    else:  # on a slider that reached so far, the values that matter would be one pixel
        number_box(p, label_of(p), value, step, **more)


def number_box(p: Parameter, label: str, value: Any, step: Any = None, **more: Any) -> None:
    """Draw a box for a number within the parameter's hard bounds."""
    low, high = (None if bound is None else type(value)(bound) for bound in (p.minimum, p.maximum))
    st.number_input(label, low, high, value, step, None if p.kind == "int" else "%g", **more)


def value_words(value: float | int) -> str:
    """Return a number as its slider words it."""
    return number_in_words(value, 3)


def formula(kernel: type[Kernel], small: int = 1000) -> None:
    """Draw a kernel's formula, smaller beyond `small` characters; definitions of symbols may begin a line."""
    if not kernel.formula:
        return
    words = kernel.formula.replace(r",\quad", r",\quad\allowbreak")
    st.latex((r"\small " if len(kernel.formula) > small else "") + words)
