"""The slider of the parameter in hand: frames computed ahead are drawn in the browser while it moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from pages.parts.server.holder import deferred, keep, kept
from pages.parts.server.jobs import session_id

_HTML = """
<div class="row">
  <button type="button" aria-label="Play">▶</button><input type="range" min="0" step="1"><output></output>
</div>
<div class="words" aria-live="polite"></div>
"""
_LOOK = """
.row { display: flex; align-items: center; gap: 0.75rem; }
input { flex: 1; min-width: 6rem; height: 1.6rem; margin: 0; accent-color: var(--st-primary-color); cursor: pointer; }
input::-webkit-slider-runnable-track {
  height: 0.35rem; border-radius: 0.2rem; background: linear-gradient(to right,
    light-dark(#dcdfe6, #3a3f4b) var(--from), light-dark(#9ec7e3, #2d5f80) var(--from),
    light-dark(#9ec7e3, #2d5f80) var(--to), light-dark(#dcdfe6, #3a3f4b) var(--to));
}
input::-webkit-slider-thumb {
  appearance: none; width: 1.1rem; height: 1.1rem; border-radius: 50%; margin-top: -0.375rem;
  background: var(--st-primary-color);
}
input { appearance: none; background: none; }
input::-moz-range-track { height: 0.35rem; border-radius: 0.2rem; background: light-dark(#dcdfe6, #3a3f4b); }
input:focus-visible, button:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 2px; }
output { min-width: 3.5rem; font-weight: 600; color: var(--st-primary-color); font-variant-numeric: tabular-nums; }
button {
  font: inherit; color: inherit; background: none; cursor: pointer; width: 2rem; height: 2rem; border-radius: 0.5rem;
  border: 1px solid light-dark(#d6d9e0, #3a3f4b);
}
.words { min-height: 1.3rem; font-size: 0.875rem; opacity: 0.85; }
"""
_component = st.components.v2.component(
    "kernlib_scrub", html=_HTML, css=_LOOK, js=(Path(__file__).parent / "scrub.js").read_text()
)
#: Where the session keeps the number of the last move that was done.
_DONE = "scrub.done"


def scrub(
    key: str,
    name: str,
    label: str,
    stops: Sequence[str],
    index: int,
    take: Callable[[int], object],
    targets: Sequence[Mapping[str, Any]] = (),
    words: Sequence[str] = (),
) -> None:
    """Draw the slider; `take` receives the place of the stop where it is let go.

    Parameters: `name` of what moves, so that a move of what is gone changes nothing; `stops` as text; `index` of the
    present one; `targets` from `kernlib.figures.frames`, each over the figure with the key "figure"; `words` one text
    for each stop, "" where it is not known.
    """

    def moved(state: Any) -> None:
        match state.get("moved"):
            case [int(number), str(of), int(place)] if number > kept(_DONE, int):
                keep(_DONE, number)
                if of == name and 0 <= place < len(stops) and place != index:
                    take(place)

    _component(
        key=key,
        data={
            "session": session_id(),
            "done": kept(_DONE, int),
            "name": name,
            "label": label,
            "stops": list(stops),
            "index": index,
            "targets": list(targets),
            "words": list(words),
        },
        on_moved_change=deferred(moved, reads=key),
    )
