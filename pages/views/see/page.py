"""See: the Gram matrix, large, with the feature map and the errors over the parameter in hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from kernlib.analysis.summary import Summary, plain_words, turned
from kernlib.data import Dataset
from kernlib.figures import data as figures
from kernlib.figures.frames import matrix_frames, point_frames, sentence_frames
from pages.parts.frame import layout, pictures, slider
from pages.parts.frame.slider import Hand, hand_of
from pages.parts.frame.view import View, current_view
from pages.parts.results import compute
from pages.parts.server.holder import keep, kept
from pages.parts.session.state import current
from pages.views.see import evidence, pair

#: The map that was drawn last, by its data: the next one is rotated onto it, so that nothing flips.
_MAP = "see.map"


def main(view: View) -> None:
    """Draw the sentence, the slider, the matrix, and beside it the map or two rows."""
    data, kernel = view.data, view.kernel
    moving = hand_of(view)
    frame = compute.frame(data, kernel) if moving is None else moving.now()
    with st.container(key="sentence"):
        st.subheader(_sentence(data, frame), anchor=False)
    frame = _turned(view, frame)
    order = evidence.chosen_order(view, moving)
    _slider(moving, view, frame)
    left, right = st.columns([9, 7], gap="medium")
    with left, layout.guarded():
        K = compute.gram(data, kernel)
        title = "Gram matrix: bright pairs are similar, click one to see why"
        colours = evidence.chosen_range(frame.diagonal_ratio)
        pictures.of_gram(K, order, data, title, "see", "gram-matrix", colours)
    layout.after_the_picture()
    with right, layout.guarded():
        rows = pair.chosen(data)
        if rows is not None:
            pair.draw(view, rows)
        elif not frame.problem:
            fig = figures.feature_map(frame, data.y, data.classes, data.ids)
            beside: layout.Fill = "half" if compute.labelled(data) else "controls"
            layout.panel("Feature map", fig, "see.map", fill=beside, name="feature-map")
            if moving is not None and frame.errors is not None:
                slider.error_curve(
                    "see.curve",
                    moving.frames,
                    {moving.value: frame},
                    moving.stops,
                    moving.value,
                    partial(slider.take_stop, moving),
                    moving.number.symbol,
                    moving.number.log,
                )
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        slider.which_predicts_best(moving, "see.next")
        st.page_link("views/stories/page.py", label="New to kernels? Take the first lesson", icon=":material/school:")
    evidence.draw(view)


def _sentence(data: Dataset, frame: Summary) -> str:
    return plain_words(frame, data.row_kind.one, data.row_kind.many)


def _slider(moving: Hand | None, view: View, frame: Summary) -> None:
    """Draw the slider, again and again until the frames of all its stops are known."""
    if moving is None:
        slider.draw(None, view)
        return
    here = {moving.value: frame}

    def draw(known: Mapping[Any, Summary]) -> None:
        slider.draw(moving, view, _targets(moving, {**known, **here}))

    slider.as_frames_arrive(moving.frames, draw, "see.frames")


def _targets(moving: Hand, known: Mapping[Any, Summary]) -> list[dict[str, Any]]:
    """Return the frames that the browser draws over the page's figures."""
    data = moving.view.data
    frames = [known.get(v) if v in known and not known[v].problem else None for v in moving.stops]
    order = compute.film_order(data, moving.middle)
    cells = [None if f is None else f.cells.astype(np.float64) * f.unit for f in frames]
    ranges = [None if f is None else evidence.chosen_range(f.diagonal_ratio) for f in frames]
    y = data.y[order] if data.y is not None and data.task == "classification" else None
    targets = [matrix_frames("see-gram", cells, ranges, y)]
    targets.append(sentence_frames([_sentence(data, known[v]) if v in known else None for v in moving.stops]))
    if current().controls.get(pair.PAIR) is not None or not any(frames):
        return targets
    there = [f for f in frames if f is not None]
    here = known[moving.value]
    planes = iter(turned([f.plane for f in there], start=there.index(here) if here in there else 0))
    places = [None if f is None else next(planes) for f in frames]
    titles = [() if f is None else figures.map_titles(f.explained) for f in frames]
    targets.append(point_frames("see-map", places, data.y if data.task == "classification" else None, titles))
    if data.y is not None:
        targets.append(slider.error_rings("see-curve", moving.stops, known))
    return targets


def _turned(view: View, frame: Summary) -> Summary:
    """Return the frame with its map rotated onto the one that was drawn before."""
    digest, before = kept(_MAP, lambda: ("", None))
    if frame.problem or not len(frame.plane):
        return frame
    if digest == view.data.digest and before is not None and before.shape == frame.plane.shape:
        frame = replace(frame, plane=turned([frame.plane], like=before)[0])
    keep(_MAP, (view.data.digest, frame.plane))
    return frame


main(current_view("Pictures and errors show {rows}"))
