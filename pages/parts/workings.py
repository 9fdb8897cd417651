"""How a kernel works, on its card: one picture with the sliders that move it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from kernlib import (
    RBF,
    CodonImproved,
    Diffusion,
    GeneralOverlap,
    Kernel,
    LocalityImprovedImage,
    LocalityImprovedSequence,
    Mismatch,
    ProbabilityOverlap,
    Subsequence,
    Wrapper,
)
from kernlib.data import CATALOGUE, Dataset
from kernlib.experiments.proposals import starting
from kernlib.explain.spaces import neighbours
from kernlib.explain.strings import recursion_tables
from kernlib.explain.workings import heat, pair_distances, weighed
from kernlib.figures import workings as figures
from kernlib.kernels.images import pyramid

from . import compute, layout, state
from .caching import cached
from .chain import can_wrap
from .presets import settled
from .widgets import parameter_widget

__all__ = ["PICTURED", "draw", "try_on"]

#: What a card shows where the data at hand is of another kind.
_STAND_INS = {"vector": "banana", "categorical": "solar-flare", "node": "karate"}
#: Letters that can be typed for a table, and words of a neighbourhood that are listed.
_TYPED, _WORDS = 24, 400


def draw(kernel: type[Kernel]) -> None:
    """The picture of a kernel that has one."""
    if kernel in _WORKINGS:
        st.markdown("**How it works**")
        _WORKINGS[kernel](kernel)


def _data(domain: str) -> Dataset:
    """The data at hand where it fits, else a sample, said."""
    data = state.data_choice().load()
    if data.domain == domain:
        return data
    name = _STAND_INS[domain]
    st.caption(f"Shown on {CATALOGUE[name].title}, since the data at hand is of another kind.")
    return compute.data_set(name, state.first_choice(name).parameters)


def _value(kernel: type[Kernel], name: str, start: Any = None) -> Any:
    (p,) = (p for p in kernel.parameters() if p.name == name)
    return parameter_widget(p, p.default if start is None else start, f"card.{kernel.__name__}.{name}")


def _rare(kernel: type[Kernel]) -> None:
    data = _data("categorical")
    alpha = _value(kernel, "alpha")
    column = st.selectbox(
        "Column", range(data.rows.shape[1]), format_func=lambda j: data.columns[j], key=f"card.{kernel.__name__}.column"
    )
    told = weighed(data.rows[:, column], alpha)
    layout.figure(figures.inverting_plot(told, alpha, data.columns[column]), f"card.{kernel.__name__}", name="h")


@cached(8)
def _distances(data: Dataset, kernel: Kernel) -> np.ndarray:
    return pair_distances(data.complete().rows)


def _gaussian(kernel: type[Kernel]) -> None:
    data = _data("vector")
    width = RBF().heuristics(data.complete().rows)["sigma"]
    sigma = _value(kernel, "sigma", float(f"{width:.2g}") if width > 0 else 1.0)
    layout.figure(
        figures.gaussian_profile(width if sigma == "median" else sigma, _distances(data, RBF())),
        "card.RBF",
        name="gaussian",
    )


def _recursion(kernel: type[Kernel]) -> None:
    left, right = st.columns(2)
    s = left.text_input("First string", "CART", max_chars=_TYPED, key="card.Subsequence.s")
    t = right.text_input("Second string", "CAT", max_chars=_TYPED, key="card.Subsequence.t")
    order, decay = int(min(_value(kernel, "order", 2), 8)), _value(kernel, "decay", 0.5)
    if not s or not t:
        st.info("Type a letter or more into both.")
        return
    tables = recursion_tables(s, t, order, decay)
    shown = st.segmented_control(
        "Words of so many letters", list(range(1, order + 1)), default=order, key=f"card.Subsequence.table.{order}"
    )
    value = float(Subsequence(order=order, decay=decay)([s], [t])[0, 0]) if min(len(s), len(t)) >= order else 0.0
    layout.figure(
        figures.recursion_table(tables[(shown or order) - 1], s, t, shown or order, value),
        "card.Subsequence",
        name="recursion",
        data=lambda: pd.DataFrame(tables[(shown or order) - 1], index=list(s), columns=list(t)).reset_index(),
    )


def _neighbourhood(kernel: type[Kernel]) -> None:
    word = st.text_input("A word", "ACGTA", max_chars=8, key="card.Mismatch.word")
    letters = st.text_input("The alphabet", "ACGT", max_chars=26, key="card.Mismatch.alphabet")
    alphabet = "".join(dict.fromkeys(letters + word))
    mismatches = int(min(_value(kernel, "mismatches"), 2))
    found = [(sum(a != b for a, b in zip(u, word, strict=True)), u) for u in neighbours(word, mismatches, alphabet)]
    st.caption(f"{len(found)} words count this one: those within {mismatches} letters of it.")
    table = pd.DataFrame(sorted(found)[:_WORDS], columns=["letters that differ", "word"])
    st.dataframe(table, hide_index=True, height=260)
    if len(found) > _WORDS:
        st.caption(f"The first {_WORDS} of them.")


def _window(kernel: type[Kernel]) -> None:
    window = int(_value(kernel, "window"))
    made: Any = kernel(window=window)
    unit = "letter" if made.compared == 1 else "triplet"
    layout.figure(figures.window_bars(made._v(), unit), f"card.{kernel.__name__}", name="window")


def _square(kernel: type[Kernel]) -> None:
    width = int(_value(kernel, "width"))
    middle = pyramid((width, width), width)[(width * width) // 2].reshape(width, width)
    layout.figure(figures.window_square(middle), "card.LocalityImprovedImage", name="window")


def _heat(kernel: type[Kernel]) -> None:
    data = _data("node")
    beta = _value(kernel, "beta")
    start = st.selectbox("Heat begins at", range(data.n), format_func=lambda i: f"{i} · {data.ids[i]}", key="card.heat")
    told = heat(data.rows, int(start), np.array([beta]))
    layout.figure(figures.heat_on_graph(data.rows, told, 0, int(start), data.ids), "card.Diffusion", name="heat")


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
#: A step that does nothing at its default begins with a number that shows something.
_STARTS: dict[str, dict[str, Any]] = {"Power": {"p": 0.5}}


def try_on(kernel: type[Kernel]) -> None:
    """Buttons that put the kernel on data, or the step on the kernel at hand, and lead to the Gram matrix."""
    if issubclass(kernel, Wrapper):
        if can_wrap(kernel) and st.button(
            "Put it on the kernel at hand", key=f"try.{kernel.__name__}", icon=":material/add:"
        ):
            _go(None, lambda data: kernel(st.session_state["kernel"], **_STARTS.get(kernel.__name__, {})))
        return
    fitting = [n for n, entry in CATALOGUE.items() if entry.domain == kernel.domain]
    names = list(_IMAGES if kernel is LocalityImprovedImage else fitting[:3])
    if not names:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("Try it on")
        for name in names:
            if st.button(CATALOGUE[name].title, key=f"try.{kernel.__name__}.{name}"):
                _go(name, lambda data: starting(kernel, data))


def _go(name: str | None, make: Callable[[Dataset], Kernel | None]) -> None:
    """Take the data and the kernel, and turn to the Gram matrix; a sentence where they do not fit."""
    choice = state.data_choice() if name is None else state.first_choice(name)
    with layout.guarded():
        data = choice.load()
        made = make(data)
        if made is None:
            st.info("This kernel needs rows of another shape.")
            return
        wanted = settled(made, data) if name is not None else made
        compute.gram(data, wanted)
        state.choose_data(choice)
        state.adopt(wanted)
        st.switch_page("pages/views/gram.py")
