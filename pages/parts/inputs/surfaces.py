"""Surfaces to draw on with mouse, finger or keys: those of the lessons, and a curve that is bent by pulling it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
  const root = parentElement.querySelector('.kernlib-surface'), now = JSON.stringify([data, letters()]);
  if (shown.get(root) === now) return;
  shown.set(root, now);
  const focused = root.contains(root.getRootNode().activeElement);
  root.replaceChildren();
  bend(root, data, at => setTriggerValue('bent', at));
  if (focused) root.querySelector('svg').focus({preventScroll: true});
}
"""
_bend = st.components.v2.component("kernlib_bend", html=PLACE, css=STYLE, js=SCRIPT + _BEND)


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
