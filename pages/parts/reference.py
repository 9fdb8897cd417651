"""One card per kernel, from its class alone."""

from __future__ import annotations

import inspect

import pandas as pd
import streamlit as st

from kernlib import Kernel

__all__ = ["by_domain", "card", "first_line", "matches"]

_TITLES = {
    "vector": "Vectors",
    "categorical": "Categorical rows",
    "sequence": "Sequences",
    "text": "Text",
    "graph": "Graphs",
    "node": "Nodes of one graph",
    "pair": "Pairs",
    "matrix": "Score matrices",
    "mixed": "Mixed columns",
}


def by_domain(kernels: tuple[type[Kernel], ...]) -> list[tuple[str, list[type[Kernel]]]]:
    """The kernels under the title of the domain that they read."""
    return [(title, [k for k in kernels if k.domain == domain]) for domain, title in _TITLES.items()]


def first_line(kernel: type[Kernel]) -> str:
    """What the kernel is, in one line."""
    return inspect.getdoc(kernel).split("\n")[0] if kernel.__doc__ else ""


def matches(kernel: type[Kernel], wanted: str) -> bool:
    """Whether a search word occurs in the name, the source or the description."""
    text = f"{kernel.__name__} {kernel.source} {inspect.getdoc(kernel)}".lower()
    return all(word in text for word in wanted.lower().split())


def card(kernel: type[Kernel]) -> None:
    """Formula, parameters, source, cost, and the docstring's text."""
    st.latex(kernel.formula)
    parameters = kernel.parameters()
    if parameters:
        st.dataframe(
            pd.DataFrame(
                {"parameter": p.name, "meaning": p.help, "allowed": p.bounds(), "default": repr(p.default)}
                for p in parameters
            ),
            hide_index=True,
        )
    psd = "positive semi-definite" if kernel.psd else "not always positive semi-definite"
    st.caption(f"Source: {kernel.source} · {psd} · cost {kernel.cost}")
    # The first line stands above already.
    st.code((inspect.getdoc(kernel) or "").partition("\n\n")[2], language=None, wrap_lines=True)
