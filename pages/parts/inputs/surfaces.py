"""Surfaces to draw on with mouse, finger or keys: those of the lessons, and a curve that is bent by pulling it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from kernlib.explain.workings import Responses
from kernlib.values.declare import Parameter
from kernlib.values.words import number
from pages.parts.server.holder import deferred

_HERE = Path(__file__).parent
SCRIPT, STYLE = (_HERE / "surfaces.js").read_text(), (_HERE / "surfaces.css").read_text()
#: The element in which a surface is drawn.
PLACE = '<div class="kernlib-surface"></div>'
_BEND = """
const shown = new WeakMap();
export default function ({data, parentElement, setTriggerValue}) {
  const root = parentElement.querySelector('.kernlib-surface');
  function show() { // again where the place gets another width, such as a menu that opens on a phone
    const now = JSON.stringify([data, letters(), root.clientWidth]);
    if (!root.clientWidth || shown.get(root) === now) return;
    shown.set(root, now);
    const focused = root.contains(root.getRootNode().activeElement);
    root.replaceChildren();
    bend(root, data, at => setTriggerValue('bent', at));
    if (focused) root.querySelector('svg').focus({preventScroll: true});
  }
  show();
  const width = new ResizeObserver(show);
  width.observe(root);
  return () => width.disconnect();
}
"""
_bend = st.components.v2.component("kernlib_bend", html=PLACE, css=STYLE, js=SCRIPT + _BEND)
_draw = st.components.v2.component(
    "kernlib_draw", html=PLACE, css=STYLE,
    js=SCRIPT + _BEND.replace("bend(root, data, at => setTriggerValue('bent', at))",
                              "draw(root, data, drawn => setTriggerValue('drawn', drawn))"),
)  # fmt: skip
#: Points of a function that is drawn.
POINTS = 9
#: Functions to begin with, on values from 0 to 1.
STARTS: dict[str, Callable[[Any], Any]] = {
    "unchanged": lambda v: v, "√": np.sqrt, "log": lambda v: np.log1p(9 * v) / np.log(10), "v²": np.square,
}  # fmt: skip


def draw_function(
    heights: Sequence[float],
    top: float,
    words: tuple[str, str],
    key: str,
    take: Callable[[Any], None],
    starts: Mapping[str, Callable[[Any], Any]] = STARTS,
    rising: bool = True,
) -> None:
    """Draw a function on 0…top; `take` receives its heights in units of the top.

    `words` name what the function is of, and the function; `starts` are functions to begin with. Where it must not
    fall, a falling stretch is made level.
    """  # fmt: skip
    places = np.linspace(0.0, 1.0, POINTS)
    start = np.interp(places, np.linspace(0.0, 1.0, len(heights)), heights)

    def given(values: Any) -> None:
        known = [v if isinstance(v, int | float) else None for v in values] if isinstance(values, list) else []
        if len(known) == POINTS:
            filled = [first if v is None else v / top for v, first in zip(known, start, strict=True)]
            drawn = np.clip(filled, 0.0, 1.0).round(4)
            drawn = np.maximum.accumulate(drawn) if rising else drawn
            if drawn.any():
                take(tuple(drawn.tolist()))

    with st.container(horizontal=True, gap="small"):
        for name, function in starts.items():
            heights_of = tuple(np.asarray(function(places)).round(4).tolist())
            st.button(name, key=f"{key}.{name}", type="tertiary", on_click=deferred(take, heights_of))
    _draw(
        key=key,
        data={
            "label": f"{words[1]}: draw it, or choose a place with ← → and set it with ↑ ↓.",
            "across": words[0],
            "up": words[1],
            "x": [number(float(v), 2) for v in top * places],
            "low": 0.0,
            "high": top,
            "start": (top * start).round(6).tolist(),
        },
        on_drawn_change=deferred(lambda clicked: given(clicked.get("drawn")), reads=key),
    )


def bend(found: Responses, parameters: Sequence[Parameter], key: str, take: Callable[[Any], None]) -> None:
    """Draw r(λ) with the eigenvalues as ticks; `take` receives the parameter's value of the curve that was pulled."""

    def pulled(clicked: Any) -> None:
        at = clicked.get("bent")
        if isinstance(at, int) and 0 <= at < len(found.values):
            take(found.values[at])

    letter = next((p.letter or p.name for p in parameters if p.name == found.name), "")
    names = [f"{letter} = {number(value, 3)}" if letter else "no parameter" for value in found.values]
    pulls = "Pull the curve, or press ↑ and ↓." if len(found.values) > 1 else ""
    st.caption(f"How much of each eigenvector the kernel keeps. {pulls}".rstrip())
    _bend(
        key=key,
        data={
            "label": f"Response r of the eigenvalues λ of the graph's Laplacian. {pulls}".rstrip(),
            "across": "λ: eigenvalue of the Laplacian",
            "up": "r(λ), the largest 1",
            "x": np.round(found.places, 4).tolist(),
            "ticks": np.round(found.ticks, 4).tolist(),
            "curves": np.round(found.curves, 3).tolist(),
            "names": names,
            "at": found.at,
        },
        on_bent_change=deferred(pulled, reads=key),
    )
