"""Spectrum: within how many directions do the labels lie, and how do these directions rebuild them?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from kernlib.analysis import RelevantDimension, beyond_in_words, cut_in_words, rebuilt_in_words
from kernlib.figures import spectrum as figures
from kernlib.figures.frames import mark_frames, sentence_frames
from kernlib.figures.spectrum import CutFrame
from kernlib.values.words import percent
from pages.parts.frame import layout, slider, waiting
from pages.parts.frame.slider import Lens, hand_of, lens_in_hand
from pages.parts.frame.waiting import PageEnd, View, current_view
from pages.parts.inputs.controls import value_of
from pages.parts.results import compute, directions
from pages.parts.server.jobs import Sample
from pages.views.spectrum import evidence

#: The control of the directions kept, the most stops of its slider, and the most points of all frames together.
_D, _STOPS, _POINTS = "spectrum.d", 40, 40_000

#: What the labels are as the first d directions rebuild them: of real labels, of two classes, of more.
_TITLES = (
    "Labels as the first d directions rebuild them",
    "Each row's side by the first d directions, fitted to all rows",
    "Each row's class by the first d directions, fitted to all rows",
)


def main(view: View) -> None:
    """Draw the sentence, the slider, the coefficients, and beside them the labels that the directions rebuild."""
    data, kernel = view.data, view.kernel
    moving = hand_of(view)
    later = compute.eigenpairs(data, kernel)
    whole = later is None
    cut = directions.relevant(data, kernel) if whole else directions.leading(data, kernel)
    known = min(max(3 * cut.dimension, 20), len(cut.coefficients)) if whole else len(cut.coefficients)
    stops = _stops(known, cut.dimension, max(12, min(_STOPS, _POINTS // data.n)))
    chosen = value_of(_D, cut.dimension, int)
    d = min(stops, key=lambda stop: abs(stop - chosen))
    band = directions.band(data, kernel) if whole else None
    sentence = _leading_words(cut) if band is None else cut_in_words(cut, band)
    trusted = band is not None and band.reliable
    sentences = [
        sentence if stop == cut.dimension else rebuilt_in_words(cut, stop) + _beside_the_cut(cut, stop, whole, trusted)
        for stop in stops
    ]
    layout.sentence(sentences[stops.index(d)] if lens_in_hand(_D) else sentence)
    scene = directions.rebuilt(data, cut)
    frames = [
        replace(CutFrame.of(cut, scene, 0, stop), sentence=words) for stop, words in zip(stops, sentences, strict=True)
    ]
    lens = Lens(_D, "Directions kept, d", stops, d, [frame.words for frame in frames])
    if lens_in_hand(_D) or moving is None:
        targets = [
            mark_frames("spectrum-coefficients", [figures.cut_mark(cut, stop, known) for stop in stops]),
            figures.cut_frames("spectrum", frames, cut, scene, known)[1],
            sentence_frames(sentences),
        ]
        slider.draw(moving, view, targets, lens=lens)
    else:
        here = {moving.value: replace(CutFrame.of(cut, scene, known), sentence=sentence)}

        def draw(found: Mapping[Any, CutFrame | None]) -> None:
            """Draw the slider of the parameter in hand with the cut of each of its stops."""
            cuts = [{**found, **here}.get(value) for value in moving.stops]
            targets = [
                *figures.cut_frames("spectrum", cuts, cut, scene, known),
                sentence_frames([None if f is None else f.sentence for f in cuts]),
            ]
            slider.draw(moving, view, targets, lens=lens, words=["" if f is None else f.words for f in cuts])

        if data.n > compute.LATER or isinstance(data, Sample):  # all eigenvectors for each value take too long
            draw({})
        else:
            slider.as_frames_arrive(moving.pieces(directions.cut_frame, known), draw)
    left, right = layout.main_and_beside()
    with left:
        layout.panel(
            _TITLES[min(cut.targets.ndim, 2) if data.classes else 0],
            figures.rebuilt_labels(cut, scene, d, data.classes, data.ids, data.columns[0] if scene.over_column else ""),
            "spectrum.rebuilt",
            fill="controls",
            name="rebuilt-labels",
        )
    with right:
        layout.panel(
            "Label coefficients of each direction, cut at d̂",
            figures.coefficient_plot(cut, known, d, cut=whole),
            "spectrum.coefficients",
            fill="controls",
            data=lambda: pd.DataFrame({"i": np.arange(1, len(cut.energy) + 1), "s2": cut.energy}),
        )
    layout.after_the_picture()
    slider.which_predicts_best(moving, "spectrum.next")
    if later is not None:
        waiting.show(later)
        return
    if band is not None:
        evidence.draw(view, cut, band, known)


def _beside_the_cut(cut: RelevantDimension, d: int, whole: bool, trusted: bool) -> str:
    if not whole:
        return "."
    if trusted and d > cut.dimension:
        return f".\nThe cut d̂ is {cut.dimension}. {beyond_in_words(cut)}"
    return f".\nThe cut d̂ is {cut.dimension}."


def _leading_words(cut: RelevantDimension) -> str:
    known = len(cut.eigenvalues)
    held = percent(float(cut.energy[:known].sum() / cut.energy.sum()))
    return f"The first {known} directions hold {held} of the labels. The cut follows when all are known."


def _stops(known: int, dimension: int, most: int) -> tuple[int, ...]:
    """Return the dimensions of the slider: all that are in view, or some of many, with d̂ among them."""
    some = np.arange(1, known + 1) if known <= most else np.geomspace(1, known, most).round()
    return tuple(sorted({*some.astype(int).tolist(), dimension}))


def without_labels(view: View) -> None:
    """Draw the eigenvalues alone: the relevant dimension needs labels that differ."""
    values = np.maximum(compute.spectrum(view.data, view.kernel).eigenvalues, 0.0)
    share = np.cumsum(values) / (float(values.sum()) or 1.0)
    count = int(np.searchsorted(share, 0.9)) + 1
    why = "This data has no labels" if view.data.y is None else "All labels are alike"
    first = "the first direction holds" if count == 1 else f"the first {count} of {len(values)} directions hold"
    layout.sentence(f"{why}: {first} 90% of the kernel.")
    slider.draw(hand_of(view), view)
    layout.panel(
        "Eigenvalues",
        figures.eigenvalue_plot(compute.spectrum(view.data, view.kernel).eigenvalues),
        "spectrum.eigenvalues",
        fill="controls",
    )


shown = current_view("Pictures show {rows}; numbers use all rows, in the directions that the landmarks span")
if not compute.labelled(shown.data):
    with layout.guarded():
        without_labels(shown)
    raise PageEnd
with layout.guarded():
    main(shown)
