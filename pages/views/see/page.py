"""See: the Gram matrix, large, with the feature map, or two rows, and the errors over the parameter in hand."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from kernlib import Kernel
from kernlib.analysis import ORDERINGS
from kernlib.analysis.summary import Summary, plain_words, turned
from kernlib.data import Dataset
from kernlib.explain import Explanation
from kernlib.explain.explanation import Part, contrast_in_words, similarity_rank_in_words
from kernlib.figures.data import feature_map
from kernlib.figures.frames import figure_frames, matrix_frames, sentence_frames
from kernlib.figures.gram import ValueRange, diagonal_histogram, usual_range
from kernlib.figures.kinds import level_graphs, neighbourhood_level, pictures_of
from kernlib.figures.machine import parts_bars
from kernlib.figures.theme import escape
from kernlib.kinds import KINDS
from kernlib.values.words import number
from pages.parts.frame import layout, slider, waiting
from pages.parts.frame.slider import Hand, hand_of
from pages.parts.frame.waiting import View, current_view
from pages.parts.inputs.controls import button, explained, in_row, option, plain, value_of
from pages.parts.results import compute, machines
from pages.parts.server.runs import keep, kept
from pages.parts.session import state
from pages.parts.session.state import Pair, current
from pages.views.see import doctor

#: The map that was drawn last, by its data: the next one is rotated onto it, so that nothing flips.
_MAP = "see.map"


def main(view: View) -> None:
    """Draw the sentence, the slider, the matrix, and beside it the map or two rows."""
    data, kernel = view.data, view.kernel
    moving = hand_of(view)
    frame = compute.frame(data, kernel) if moving is None else moving.now()
    layout.sentence(_sentence(data, frame))
    frame = _turned(view, frame)
    order = chosen_order(view, moving)
    if moving is None:
        slider.draw(None, view)
    else:

        def draw(known: Mapping[Any, Summary]) -> None:
            slider.draw(moving, view, _targets(moving, {**known, moving.value: frame}))

        slider.as_frames_arrive(moving.frames, draw)
    rows = _chosen_pair(data)
    left, right = layout.main_and_beside()
    with left, layout.guarded():
        K = compute.gram(data, kernel)
        title = "Gram matrix: bright pairs are similar, click one to see why"
        colours = chosen_range(frame.diagonal_ratio)
        layout.gram_panel(K, order, data, title, "see", "gram-matrix", colours, rows)
    layout.after_the_picture()
    with right, layout.guarded():
        if rows is not None:
            _two_rows(view, rows)
        elif not frame.problem:
            fig = feature_map(frame, data.y, data.classes, data.ids)
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
    with in_row(gap="medium"):
        slider.which_predicts_best(moving, "see.next")
        st.page_link("views/stories/page.py", label="New to kernels? Take the first lesson", icon=":material/school:")
    _evidence(view)


def _sentence(data: Dataset, frame: Summary) -> str:
    return plain_words(frame, data.row_kind.one, data.row_kind.many)


def _targets(moving: Hand, known: Mapping[Any, Summary]) -> list[dict[str, Any]]:
    """Return the frames that the browser draws over the page's figures."""
    data = moving.view.data
    frames = [known.get(v) if v in known and not known[v].problem else None for v in moving.stops]
    order = compute.film_order(data, moving.middle)
    cells = [None if f is None else f.cells.astype(np.float64) * f.unit for f in frames]
    ranges = [None if f is None else chosen_range(f.diagonal_ratio) for f in frames]
    y = data.y[order] if data.y is not None and data.task == "classification" else None
    targets = [matrix_frames("see-gram", cells, ranges, y)]
    targets.append(sentence_frames([_sentence(data, known[v]) if v in known else None for v in moving.stops]))
    if current().controls.get(PAIR) is not None or not any(frames):
        return targets
    there = [f for f in frames if f is not None]
    here = known[moving.value]
    planes = iter(turned([f.plane for f in there], start=there.index(here) if here in there else 0))
    y = data.y if data.task == "classification" else None
    maps = [None if f is None else feature_map(replace(f, plane=next(planes)), y, data.classes) for f in frames]
    targets.append(figure_frames("see-map", maps, own_axes=True))
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


#: The control that has the two rows.
PAIR = "see.pair"


def _chosen_pair(data: Dataset) -> Pair | None:
    """Return the two rows that the state chooses; None where the map is shown."""

    def read(text: str) -> Pair | None:
        first, second = map(int, text.split("|"))
        return (first, second) if max(first, second) < data.n and min(first, second) >= 0 else None

    return value_of(PAIR, None, read)


def _two_rows(view: View, rows: Pair) -> None:
    """Draw how similar two rows are, why, with the bars of their parts, and the rows themselves."""
    data, kernel = view.data, view.kernel
    names = machines.row_names(data)
    explanation = machines.alike(data, kernel, *rows)
    with in_row():
        words = f"**{plain(names[rows[0]])}** and **{plain(names[rows[1]])}**: k = {number(explanation.value, 3)}"
        if rows[0] != rows[1] and data.n > 2:
            words += f", {similarity_rank_in_words(compute.gram(data, kernel), *rows)}"
        st.markdown(words)
        button("Back to the map", "see.back", state.choose, PAIR, None, icon=":material/scatter_plot:", type="tertiary")
    if data.columns and data.rows.ndim == 2:
        nominal = [KINDS[kind].nominal for kind in data.kinds or (data.domain,) * len(data.columns)]
        terms = [one.value for one in explanation.apart]
        st.markdown(plain(contrast_in_words(data.rows, data.columns, nominal, *rows, terms)))
    title, parts, value = "Parts of the similarity", explanation.parts, explanation.value
    what, caption = "k(x, x')", explanation.how
    if explanation.apart:
        title, parts, what = "What sets the rows apart", explanation.apart, "the distance"
        value = sum(one.value for one in parts)
        caption = "Terms of the distance by column: a long bar makes the rows less similar."
        if np.isclose(math.exp(-value), explanation.value, atol=0.0):
            title += f": together {number(value, 2)}, and k = exp(−{number(value, 2)})"
    elif explanation.below is not None:
        below, steps = explanation.below, explanation.steps
        chain = " → ".join(f"{one.text}: {number(one.value, 3)}" for one in steps)
        others = [one.text.partition(":")[0] for one in sorted(parts, key=lambda part: -abs(part.value))[:2]]
        through = bool(others) and others[0].startswith("through")
        if below.parts:
            chain += ". The bars sum to the first value"
            chain += f"; the last comes mostly {' and '.join(others)}" if through else ""
            title, parts, value, caption = "What both rows share", below.parts, below.value, below.how
            if " × " in parts[0].text:  # a part of both is a product of what each row has of it
                title += ": its weight in one row × in the other"
            what = escape(steps[0].text)
        elif through:
            title = f"They share nothing that {steps[0].text} counts, but both resemble other rows"
        else:
            parts, chain = (), f"{chain}. These two rows have nothing in common"
        st.caption(explained(plain(f"{chain}."), "see.steps"))
    elif len(parts) == 1:  # the value above
        parts = ()
    elif not parts:
        st.info("These two rows have nothing in common: the value is 0.")
    if parts:
        # What a part says behind its column is in the kernel's units: the row's own cells stand above.
        named = [Part(one.text.split(":")[0], one.value) if data.columns else one for one in parts]
        fig = parts_bars(named, value, what=what, most=6, caption=caption)
        layout.panel(title, fig, "see.parts", data=lambda: pd.DataFrame(parts, columns=["part", "value"]))
    _rows(data, rows, [names[i] for i in rows], explanation, kernel)


def _rows(data: Dataset, pair: Pair, names: list[str], explanation: Explanation, kernel: Kernel) -> None:
    """Draw the two rows by the pictures of their kind, or as the kernel sees them, and as a table."""
    pictures, rows = pictures_of(data), list(pair)
    levels = neighbourhood_level(kernel)
    if levels:
        level = option(
            st.select_slider,
            "Neighbourhoods of level",
            range(levels + 1),
            "alike.level",
            1,
            help="The kernel counts the labels of all levels: at level 0 those of the nodes, then of neighbourhoods.",
        )
        drawn = level_graphs([data.rows[i] for i in rows], names, level)
    else:
        drawn = pictures.of_pair(data, pair, names)
    parts = pictures.of_parts(data, explanation)
    drawn += [] if parts is None else [parts]
    for i, (place, fig) in enumerate(zip(st.columns(len(drawn)) if drawn else (), drawn, strict=True)):
        with place:
            layout.figure(fig, f"alike.{i}", name=f"two-rows-{i}")
    st.dataframe(layout.row_table(data, rows), hide_index=True)


_RANGES: dict[str, ValueRange] = {
    "automatic": None,
    "0 to the mean of k(x, x)": "diagonal",
    "without the diagonal": "off-diagonal",
    "all entries": "full",
}


def _orders(view: View) -> list[str]:
    return [order for order in ORDERINGS if view.data.y is not None or "class" not in order]


def chosen_order(view: View, moving: Hand | None) -> np.ndarray:
    """Return the order of the rows: that of the slider's frames, unless another one is chosen."""
    by = value_of("see.order", "", str)
    if by in _orders(view):
        return compute.order(view.data, view.kernel, by)
    return compute.film_order(view.data, view.kernel if moving is None else moving.middle)


def chosen_range(ratio: float) -> ValueRange:
    """Return the range of the colours; by default the usual one."""
    return _RANGES.get(value_of("see.range", "automatic", str)) or usual_range(ratio)


@layout.drawer("see.evidence")
def _evidence(view: View) -> None:
    """Draw the entries, the menus of order and colours, and the numbers."""
    data, kernel = view.data, view.kernel
    left, right = st.columns(2, gap="medium")
    with left:
        layout.panel("Entries", diagonal_histogram(compute.gram(data, kernel)), "see.entries")
        orders = _orders(view)
        option(st.selectbox, "Rows in the order", orders, "see.order", orders[1])
        option(
            st.selectbox,
            "Colours",
            list(_RANGES),
            "see.range",
            "automatic",
            help="Automatic: up to the mean of k(x, x), unless the diagonal would hide the rest.",
        )
    with right:
        _numbers(view)


def _numbers(view: View) -> None:
    data, kernel = view.data, view.kernel
    later = compute.eigenpairs(data, kernel)
    if later is not None:
        waiting.show(later)
        return
    findings = compute.findings(data, kernel)
    if not any(finding.name == "not symmetric" for finding in findings):  # there are no eigenvalues
        seen = compute.diagnostics(data, kernel)
        layout.numbers(
            ("Diagonal ratio", seen.diagonal_ratio, "Mean diagonal over mean |off-diagonal|."),
            ("Effective rank", seen.effective_rank, "The number of directions over which the rows spread."),
            ("Alignment", seen.alignment, "Centred alignment with the ideal matrix for these labels, −1 to 1."),
            ("Least eigenvalue", seen.smallest, "Below zero, beyond rounding, the kernel is not an inner product."),
            width=layout.BESIDE,
        )
    doctor.consultation(data, kernel, findings)


main(current_view("Pictures and errors show {rows}"))
