"""One card per kernel, drawn from its class."""

from __future__ import annotations

import inspect

import pandas as pd
import streamlit as st

from kernlib import Kernel
from kernlib.kinds import KINDS
from pages.parts.inputs.widgets import formula
from pages.views.reference import workings


def by_domain(kernels: tuple[type[Kernel], ...]) -> list[tuple[str, list[type[Kernel]]]]:
    """Return the kernels under the title of the domain that they read."""
    return [(kind.title, [k for k in kernels if k.domain == kind.name]) for kind in KINDS.values()]


def first_line(kernel: type[Kernel]) -> str:
    """Return the first line of the kernel's docstring."""
    return (inspect.getdoc(kernel) or "").partition("\n")[0]


#: Search words for what reads rows of any kind.
_ANY = "steps step any rows"
#: Words without meaning in a search.
_SMALL = {"a", "an", "and", "for", "have", "i", "in", "kernel", "kernels", "my", "of", "row", "rows", "the", "with"}


def matches(kernel: type[Kernel], query: str) -> bool:
    """Return whether all search words occur in the name, source, description, or the words for the kernel's domain.

    >>> from kernlib import Overlap, Spectrum
    >>> matches(Overlap, "rows with categories"), matches(Spectrum, "rows with categories")
    (True, False)
    """
    kind = KINDS.get(kernel.domain)
    text = f"{kernel.__name__} {kernel.source} {inspect.getdoc(kernel)} {kind.search if kind else _ANY}".lower()
    words = [word for word in query.lower().split() if word not in _SMALL]
    # "string" is a part of "strings"; "strings" matches "string" too.
    return all(word in text or (len(word) > 3 and word.rstrip("s") in text) for word in words)


def card(kernel: type[Kernel]) -> None:
    """Draw formula, picture, examples to try, parameters, source and cost."""
    formula(kernel)
    workings.small_matrix(kernel)
    workings.draw(kernel)
    workings.try_on(kernel)
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
