"""What every page has beside it: the data, the kernel as a chain of chips, the builder."""

from __future__ import annotations

from typing import Any

import streamlit as st

from kernlib.data import CATALOGUE
from kernlib.errors import KernlibError

from . import builder, state
from .widgets import parameter_widget

__all__ = ["draw"]

_DOMAIN_WORDS = {
    "vector": "numbers",
    "categorical": "categories",
    "sequence": "sequences",
    "text": "texts",
    "graph": "graphs",
    "node": "nodes of a graph",
    "pair": "pairs",
    "matrix": "a matrix of scores",
}


def draw() -> None:
    """Draw the sidebar; afterwards the state holds the data and kernel that it shows."""
    _data()
    data = state.data_choice().load()
    st.divider()
    chain = st.empty()
    builder.kernel_builder(data)
    chain.markdown(f"rows → {builder.chips(st.session_state['kernel'])}")
    st.caption("The address bar is a link to this data and kernel.")


def _data() -> None:
    choice = state.data_choice()
    names = [n for n, e in CATALOGUE.items() if _usable(n)]
    key = f"data.{choice.name}"
    st.selectbox(
        "Data",
        names,
        index=names.index(choice.name),
        key=key,
        on_change=_change_data,
        args=(key,),
        format_func=lambda n: f"{CATALOGUE[n].title} · {_DOMAIN_WORDS[CATALOGUE[n].domain]}",
    )
    entry = CATALOGUE[choice.name]
    data = choice.load()
    classes = ", ".join(f"{name} {count}" for name, count in list(data.class_counts.items())[:4])
    st.caption(f"n = {data.n}" + (f" · {classes}" if classes else ""))
    with st.expander("Sample and seed" if entry.kind == "sample" else "Generator"):
        given = dict(choice.parameters)
        chosen: list[tuple[str, Any]] = []
        for p in entry.parameters():
            start = given.get(p.name, p.default)
            value = parameter_widget(p, start, f"g.{choice.name}.{p.name}")
            if value != p.default:
                chosen.append((p.name, value))
        if tuple(chosen) != choice.parameters:
            try:
                state.choose_data(state.DataChoice(choice.name, tuple(chosen)))
            except KernlibError as error:
                st.error(str(error))
            st.rerun()


def _usable(name: str) -> bool:
    """Data whose domain has a kernel that can be proposed."""
    from .presets import PRESETS

    return CATALOGUE[name].domain in PRESETS


def _change_data(key: str) -> None:
    state.choose_data(state.first_choice(st.session_state[key]))
