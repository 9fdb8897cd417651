"""Depth: what each level of a deep kernel machine does to the Gram matrix."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from kernlib import Deep, Kernel
from kernlib.analysis.levels import LevelNumbers
from kernlib.figures import depth as figures
from pages.parts import compute, layout, state

FIRST_LINES = ("effective_rank", "alignment", "off_diagonal_spread", "dimension", "neg_log_likelihood", "errors")

layout.heading(
    "How deep should the kernel be?",
    "Each level turns distances in feature space into a new kernel. The first levels often bring the classes out; "
    "too many drive the matrix towards a constant or the identity, and the information is gone.",
)
view = state.current_view()
data = view.data


def base_of(kernel: Kernel) -> Kernel:
    """The kernel below the outermost deep steps: level 0 of this page."""
    while isinstance(kernel, Deep):
        kernel = kernel.kernel
    return kernel


def strip_words(told: LevelNumbers) -> str:
    """What stands under a picture of the film-strip."""
    words = [
        f"bandwidth {'–' if told.bandwidth is None else format(told.bandwidth, '.3g')}",
        f"rank {told.effective_rank:.1f}",
        f"diagonal {told.diagonal_ratio:.2g}×",
    ]
    if told.dimension is not None:
        words += [f"aligned {told.alignment:.2f}", f"dimension {told.dimension}", f"noise {told.noise:.2g}"]
    return "  \n".join(words)


base = base_of(view.kernel)
current = view.kernel.level if isinstance(view.kernel, Deep) and not isinstance(view.kernel.kernel, Deep) else 0
how_many, errors, manual = st.columns([2, 1, 1], vertical_alignment="bottom")
count = how_many.slider("Levels", 1, 10, 5, key="depth.levels", persist_state="session")
with_errors = errors.toggle(
    "Test errors",
    True,
    key="depth.errors",
    persist_state="session",
    help="Nearest centroid and 1-nearest neighbour, mean of 5 stratified random 50–50 splits, seed 0. Bandwidths are "
    "learnt from each training half.",
)
by_hand = manual.toggle(
    "Bandwidths by hand",
    False,
    key="depth.by-hand",
    persist_state="session",
    help="Otherwise h is the mean distance between rows in feature space, level by level.",
)
bandwidths: tuple[float | None, ...] = ()
if by_hand:
    heuristic = compute.levels(data, base, count, ())
    places = st.columns(min(count, 5))
    chosen = []
    for level in range(1, count + 1):
        h = heuristic[level].bandwidth
        factor = places[(level - 1) % len(places)].select_slider(
            f"h of level {level}, in units of {h:.3g}",
            [0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0],
            1.0,
            key=f"depth.h.{level}",
            persist_state="session",
        )
        chosen.append(None if factor == 1.0 else factor * h)
    bandwidths = tuple(chosen) if any(chosen) else ()

with layout.guarded():
    levels = compute.levels(data, base, count, bandwidths)
    order = compute.order(data, base, "class" if data.y is not None else "clustering")

    strip = st.container(horizontal=True)
    words = []
    for level, picture in zip(levels, figures.strip_images(levels, order), strict=True):
        with strip.container(width=138, gap="small"):
            st.markdown(f"**Level {level.level}**" + (" · current" if level.level == current else ""))
            st.image(picture, width="stretch")
            words.append(st.empty())
            st.button(
                "Use",
                key=f"depth.use.{level.level}",
                disabled=level.level == current,
                width="stretch",
                help="Make this level the kernel of all pages",
                on_click=state.adopt,
                args=(base if level.level == 0 else Deep(base, level=level.level, bandwidths=bandwidths or None),),
            )
    # The pictures are there at once; the numbers, each from an eigendecomposition, follow.
    numbers = compute.level_table(data, base, count, bandwidths, 5 if with_errors else 0)
    for place, told in zip(words, numbers, strict=True):
        place.caption(strip_words(told))
    st.caption(
        "Level 0 is the kernel itself. All pictures on one colour scale, each level divided by its mean diagonal; "
        "rows in the same order" + (", class by class." if data.y is not None else ".")
    )
    table = pd.DataFrame(
        {
            "level": told.level,
            "bandwidth h": told.bandwidth,
            "effective rank": told.effective_rank,
            "participation ratio": told.participation_ratio,
            "off-diagonal spread": told.off_diagonal_spread,
            "diagonal ratio": told.diagonal_ratio,
            "alignment": told.alignment,
            "separability": told.separability,
            "relevant dimension": told.dimension,
            "−log ℓ": told.neg_log_likelihood,
            "noise": told.noise,
            **{f"error, {name}": value for name, value in told.errors.items()},
        }
        for told in numbers
    )
    drawable = [q for q in figures.QUANTITIES if q != "errors" or with_errors]
    wanted = st.multiselect(
        "Lines",
        drawable,
        [q for q in FIRST_LINES if q in drawable],
        key=f"depth.lines.{with_errors}",
        persist_state="session",
        format_func=lambda q: figures.QUANTITIES[q][0],
    )
    layout.figure(figures.level_lines(numbers, wanted), "depth.chart", name="levels", data=lambda: table)
    with st.expander("All numbers"):
        st.dataframe(table, hide_index=True)
