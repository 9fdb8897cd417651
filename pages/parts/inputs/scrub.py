"""The slider of the parameter in hand: frames computed ahead are drawn in the browser while it moves."""

from __future__ import annotations

import hashlib
import json
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
#: Holds a bundle of pictures in the browser, for the slider.
_bundle = st.components.v2.component(
    "kernlib_frames",
    js="""
        export default function ({ data }) {
          const pictures = (document[Symbol.for('kernlib.pictures')] ??= new Map());
          for (const [name, frame] of Object.entries(data)) pictures.set(name, frame);
          return () => {
            for (const [name, frame] of Object.entries(data)) if (pictures.get(name) === frame) pictures.delete(name);
          };
        }
    """,
)
#: Where the session keeps the number of the last move that was done, and the bundles of pictures that were sent.
_DONE, _SENT = "scrub.done", "scrub.sent"
#: Kinds of frames that are short, and come with the slider.
_SHORT = ("sentence", "mark")
#: Letters of a bundle from which on Streamlit keeps it in the browser.
_LARGE = 12_000


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

    light, sent = _bundled(name, targets)

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
            "targets": light,
            "words": list(words),
        },
        on_moved_change=deferred(moved, reads=key),
    )
    for bundle in sent:
        _bundle(key=f"{key}.frames.{next(iter(bundle))}", data=bundle)


def _bundled(name: str, targets: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the targets with names in place of their pictures, and the pictures by name, in bundles.

    While more arrive, and after a move, the slider is drawn again with the same pictures. What is new is one bundle. It
    does not change any more once it is so large that Streamlit does not send it to the browser again.
    """
    before = kept(_SENT, dict[str, list[dict[str, Any]]]).get(name, [])
    there = {known for bundle in before for known in bundle}
    light: list[dict[str, Any]] = []
    new, used = dict[str, Any](), set[str]()
    for target in targets:
        if target["kind"] in _SHORT:
            light.append(dict(target))
            continue
        names = [None if frame is None else _digest(frame) for frame in target["frames"]]
        light.append({**target, "frames": names})
        found = {one: frame for one, frame in zip(names, target["frames"], strict=True) if one is not None}
        used |= found.keys()
        new |= {one: frame for one, frame in found.items() if one not in there}
    if new and before and len(json.dumps(before[-1])) < _LARGE:
        before, new = before[:-1], before[-1] | new
    sent = [bundle for bundle in (*before, new) if used & bundle.keys()]
    keep(_SENT, {name: sent})
    return light, sent


def _digest(frame: Any) -> str:
    return hashlib.blake2b(json.dumps(frame).encode(), digest_size=9).hexdigest()
