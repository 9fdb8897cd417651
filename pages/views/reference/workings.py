"""The figure on a kernel's card that shows how it works, with its sliders."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from kernlib import (
    RBF,
    CodonImproved,
    DataError,
    Diffusion,
    GeneralOverlap,
    Kernel,
    KernlibError,
    LocalityImprovedImage,
    LocalityImprovedSequence,
    Mismatch,
    ProbabilityOverlap,
    Subsequence,
    Wrapper,
)
from kernlib.data import CATALOGUE, Dataset
from kernlib.experiments.proposals import starting
from kernlib.explain.features import neighbours
from kernlib.explain.leaves import recursion_tables
from kernlib.explain.workings import heat, masses_from_few, pair_distances, weighed
from kernlib.figures import workings as figures
from kernlib.figures.frames import png
from kernlib.kernels.categorical import inverting
from kernlib.kernels.images import pyramid
from kernlib.kinds import KINDS
from pages.parts.frame import layout
from pages.parts.inputs.controls import option, text
from pages.parts.inputs.widgets import parameter_control
from pages.parts.results import compute
from pages.parts.server.caching import known
from pages.parts.server.holder import deferred
from pages.parts.session import state
from pages.parts.session.chain import can_wrap
from pages.parts.session.presets import prepared
from pages.parts.session.value import current, data_set, first_choice

#: Letters that can be typed for a table, and words of a neighbourhood that are listed.
_TYPED, _WORDS = 24, 400


def draw(kernel: type[Kernel]) -> None:
    """Draw the picture of a kernel that has one."""
    if kernel in _WORKINGS:
        st.markdown("**How it works**")
        _WORKINGS[kernel](kernel)


_small_matrix = known()(compute.small_matrix)


def small_matrix(kernel: type[Kernel]) -> None:
    """Draw a small Gram matrix of the kernel, on the same rows for all kernels of one kind of row."""
    fitting = [name for name, entry in CATALOGUE.items() if entry.row_kind.name == kernel.domain]
    if issubclass(kernel, Wrapper) or not fitting:
        return
    data = compute.few_rows(_sample(name := KINDS[kernel.domain].stand_in or fitting[0]))
    with suppress(KernlibError):
        made = starting(kernel, data)
        if made is not None:
            caption = f"{data.n} rows of {CATALOGUE[name].title}; bright: similar"
            picture = _small_matrix(data, prepared(made, data))
            st.image(png(picture), caption, width=160, alt=f"Gram matrix of {kernel.__name__}")


def _data(kernel: type[Kernel]) -> Dataset:
    """Return the present data where the kernel reads it; else a sample, named in a caption."""
    data = current().data.load()
    if data.row_kind.name == kernel.domain:
        return data
    name = KINDS[kernel.domain].stand_in
    st.caption(f"Shown on {CATALOGUE[name].title}, because the current data has other rows.")
    return _sample(name)


def _sample(name: str) -> Dataset:
    """Return a data set of the catalogue as it is first shown."""
    return data_set(name, first_choice(name).parameters)


def _value(kernel: type[Kernel], name: str, start: Any = None) -> Any:
    (p,) = (p for p in kernel.parameters() if p.name == name)
    p = replace(p, choices=p.choices[:1], each="") if p.each else p  # no word that needs labels
    return parameter_control(p, p.default if start is None else start, f"reference.{kernel.__name__}.{name}")


def _rare(kernel: type[Kernel]) -> None:
    data = _data(kernel)
    alpha = _value(kernel, "alpha")
    column = option(
        st.selectbox,
        "Column",
        range(data.rows.shape[1]),
        f"reference.{kernel.__name__}.column",
        format_func=data.columns.__getitem__,
    )
    weights = weighed(data.rows[:, column], alpha)
    layout.figure(figures.inverting_plot(weights, alpha, data.columns[column]), f"card.{kernel.__name__}", name="h")
    st.markdown("**P is estimated**: what h becomes when few training rows are there")
    few = masses_from_few(data.rows[:, column], lambda p: inverting(p, alpha))
    layout.figure(figures.few_rows_plot(few, data.columns[column]), f"card.{kernel.__name__}.few", name="few-rows")


@known()
def _distances(data: Dataset) -> np.ndarray:
    return pair_distances(data.complete().rows)


def _gaussian(kernel: type[Kernel]) -> None:
    data = _data(kernel)
    width = RBF().heuristics(data.complete().rows)["sigma"]
    sigma = _value(kernel, "sigma", float(f"{width:.2g}") if width > 0 else 1.0)
    layout.figure(
        figures.gaussian_profile(width if sigma == "median" else sigma, _distances(data)),
        "card.RBF",
        name="gaussian",
    )


def _recursion(kernel: type[Kernel]) -> None:
    left, right = st.columns(2)
    s = text("First string", "CART", "reference.Subsequence.s", draw=left.text_input, max_chars=_TYPED)
    t = text("Second string", "CAT", "reference.Subsequence.t", draw=right.text_input, max_chars=_TYPED)
    order, decay = int(min(_value(kernel, "order", 2), 8)), _value(kernel, "decay", 0.5)
    if not s or not t:
        st.info("Type at least one letter into both.")
        return
    tables = recursion_tables(s, t, order, decay)
    shown = option(
        st.segmented_control, "Length of the words", list(range(1, order + 1)), "reference.Subsequence.table", order
    )
    value = float(Subsequence(order=order, decay=decay)([s], [t])[0, 0]) if min(len(s), len(t)) >= order else 0.0
    layout.figure(
        figures.recursion_table(tables[shown - 1], s, t, shown, value),
        "card.Subsequence",
        name="recursion",
        data=lambda: pd.DataFrame(tables[shown - 1], index=list(s), columns=list(t)).reset_index(),
    )


def _neighbourhood(kernel: type[Kernel]) -> None:
    word = text("A word", "ACGTA", "reference.Mismatch.word", max_chars=8)
    letters = text("The alphabet", "ACGT", "reference.Mismatch.alphabet", max_chars=26)
    alphabet = "".join(dict.fromkeys(letters + word))
    mismatches = int(min(_value(kernel, "mismatches"), 2))
    counted = [(sum(a != b for a, b in zip(u, word, strict=True)), u) for u in neighbours(word, mismatches, alphabet)]
    st.caption(
        f"This word is counted as {len(counted)} words: those that differ from it in at most {mismatches} letters."
    )
    table = pd.DataFrame(sorted(counted)[:_WORDS], columns=["letters that differ", "word"])
    st.dataframe(table, hide_index=True, height=260)
    if len(counted) > _WORDS:
        st.caption(f"The first {_WORDS} of them.")


def _window(kernel: type[Kernel]) -> None:
    window = int(_value(kernel, "window"))
    make: Callable[..., Any] = kernel
    made = make(window=window)
    unit = "letter" if made.compared == 1 else "triplet"
    layout.figure(figures.window_bars(made.window_weights(), unit), f"card.{kernel.__name__}", name="window")


def _square(kernel: type[Kernel]) -> None:
    width = int(_value(kernel, "width"))
    middle = pyramid((width, width), width)[(width * width) // 2].reshape(width, width)
    layout.figure(figures.window_square(middle), "card.LocalityImprovedImage", name="window")


def _heat(kernel: type[Kernel]) -> None:
    data = _data(kernel)
    beta = _value(kernel, "beta")
    start = option(
        st.selectbox,
        "Heat begins at",
        range(data.n),
        "reference.Diffusion.start",
        format_func=lambda i: f"{i} · {data.ids[i]}",
    )
    spread = heat(data.rows, int(start), np.array([beta]))
    layout.figure(figures.heat_on_graph(data.rows, spread, 0, int(start), data.ids), "card.Diffusion", name="heat")


_WORKINGS: dict[type[Kernel], Callable[[type[Kernel]], None]] = {
    ProbabilityOverlap: _rare,
    GeneralOverlap: _rare,
    RBF: _gaussian,
    Subsequence: _recursion,
    Mismatch: _neighbourhood,
    LocalityImprovedSequence: _window,
    CodonImproved: _window,
    LocalityImprovedImage: _square,
    Diffusion: _heat,
}

#: The kernels with a picture of how they work.
PICTURED = tuple(_WORKINGS)


# -- try it on ----------------------------------------------------------------------------------

_IMAGES = ("digits-3-8", "digits")


def try_on(kernel: type[Kernel]) -> None:
    """Draw buttons that set the kernel on data, or add the step to the present kernel, and open the Gram matrix."""
    if issubclass(kernel, Wrapper):
        if can_wrap(kernel):
            st.button(
                "Add it to the current kernel",
                key=f"try.{kernel.__name__}",
                icon=":material/add:",
                on_click=deferred(_go, None, lambda data: kernel(current().kernel, **kernel.shown_with)),
            )
        return
    fitting = [n for n, entry in CATALOGUE.items() if entry.row_kind.name == kernel.domain]
    images = any(p.name == "shape" for p in kernel.parameters())
    names = list(_IMAGES if images else fitting[:3])
    if not names:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("Try it on")
        for name in names:
            st.button(
                CATALOGUE[name].title,
                key=f"try.{kernel.__name__}.{name}",
                on_click=deferred(_go, name, lambda data: starting(kernel, data)),
            )


def _go(name: str | None, make: Callable[[Dataset], Kernel | None]) -> None:
    """Show the data and the kernel on the Gram matrix page; where they do not fit, a notice says why."""
    choice = current().data if name is None else first_choice(name)
    try:
        data = choice.load()
        made = make(data)
        if made is None:
            raise DataError("This kernel needs rows of another shape.")
        wanted = prepared(made, data) if name is not None else made
        compute.gram(data, wanted)
    except KernlibError as error:
        if not isinstance(error, compute.TooLongError):  # the page offers to compute that
            state.change(state.notify, str(error))
            return
    state.show("see", choice, wanted)
