"""Surfaces to draw on with mouse, finger or keys: those of the lessons, and a curve that is bent by pulling it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import ArrayLike

from kernlib.explain.leaves import Responses
from kernlib.labs.entries import POINTS
from kernlib.values.declare import Parameter
from kernlib.values.words import number
from kernlib.wrappers.elementwise import knots
from pages.parts.inputs.controls import Take, button
from pages.parts.server.runs import deferred

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
    "kernlib_draw",
    html=PLACE,
    css=STYLE,
    js=SCRIPT
    + _BEND.replace(
        "bend(root, data, at => setTriggerValue('bent', at))",
        "draw(root, data, drawn => setTriggerValue('drawn', drawn))",
    ),
)


def draw_function(
    heights: ArrayLike,
    top: float,
    words: tuple[str, str],
    key: str,
    take: Take,
    starts: Mapping[str, tuple[float, ...]],
    rising: bool = True,
    bottom: float = 0.0,
    cloud: Mapping[str, Any] | None = None,
) -> None:
    """Draw a function on 0…top, or on logarithmic axes from `bottom` > 0 on; `take` receives its heights over the top.

    `heights` of the `POINTS` points; `words` name what the function is of, and the function; `starts` are heights to
    begin with. Where it must not fall, a falling stretch is made level. `cloud` are marks that lie on the curve: "x"
    from 0 to 1 along the axis, "off" pixels below it, "kind" 0, 1 or 2, and the "names" of the kinds.
    """
    start, places = np.asarray(heights, dtype=np.float64), knots(top, bottom, POINTS)
    least = min(bottom / top, float(start[start > 0].min(initial=1.0))) if bottom else 0.0
    start = np.maximum(start, least)

    def axis(values: Any) -> Any:
        return np.log10(values) if bottom else values

    def given(values: Any) -> None:
        known = [v if isinstance(v, int | float) else None for v in values] if isinstance(values, list) else []
        if len(known) == POINTS:
            sizes = (v if v is None or not bottom else 10.0**v for v in known)
            filled = [first if v is None else v / top for v, first in zip(sizes, start, strict=True)]
            drawn = np.clip(filled, least, 1.0)
            drawn = np.maximum.accumulate(drawn) if rising else drawn
            if drawn.any():
                take(tuple(float(f"{v:.4g}") for v in drawn))

    with st.container(horizontal=True, gap="small"):
        for name, heights_of in starts.items():
            button(name, f"{key}.{name}", take, heights_of, type="tertiary")
    _draw(
        key=key,
        data={
            "label": f"{words[1]}: draw it, or choose a place with ← → and set it with ↑ ↓.",
            "across": words[0],
            "up": words[1],
            "x": [number(float(v), 2) for v in places],
            "low": float(axis(top * least)),
            "high": float(axis(top)),
            "powers": bool(bottom),
            "start": axis(top * start).round(6).tolist(),
            "cloud": None if cloud is None else dict(cloud),
        },
        on_drawn_change=deferred(lambda clicked: given(clicked.get("drawn")), reads=key),
    )


def bend(found: Responses, parameters: Sequence[Parameter], key: str, take: Take) -> None:
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
