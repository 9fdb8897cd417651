"""One card per kernel, drawn from its class."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress

import pandas as pd
import streamlit as st

from kernlib import DataError, Kernel, KernlibError, Wrapper
from kernlib.data import CATALOGUE, Dataset
from kernlib.experiments.decisions import starting
from kernlib.figures.frames import png
from kernlib.kinds import KINDS
from pages.parts.inputs.controls import button, formula, in_row
from pages.parts.results import compute
from pages.parts.server.caching import known
from pages.parts.session import state
from pages.parts.session.chain import can_wrap
from pages.parts.session.state import current, data_set, first_choice, prepared


def first_line(kernel: type[Kernel]) -> str:
    """Return the first line of the kernel's docstring."""
    return (inspect.getdoc(kernel) or "").partition("\n")[0]


#: Search words for what reads rows of any kind.
_ANY = "steps step any rows"
#: Words without meaning in a search.
_SMALL = {"a", "an", "and", "for", "have", "i", "in", "kernel", "kernels", "my", "of", "row", "rows", "the", "with"}


def matches(kernel: type[Kernel], query: str) -> bool:
    """Return whether all search words occur in the name, source, description, or the words for the kernel's domain."""
    kind = KINDS.get(kernel.domain)
    text = f"{kernel.__name__} {kernel.source} {inspect.getdoc(kernel)} {kind.search if kind else _ANY}".lower()
    words = [word for word in query.lower().split() if word not in _SMALL]
    # "string" is a part of "strings"; "strings" matches "string" too.
    return all(word in text or (len(word) > 3 and word.rstrip("s") in text) for word in words)


def card(kernel: type[Kernel]) -> None:
    """Draw formula, examples to try, parameters, source and cost."""
    formula(kernel)
    _try_on(kernel)
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


_matrix = known()(compute.small_matrix)


def small_matrix(kernel: type[Kernel]) -> None:
    """Draw a small Gram matrix of the kernel, on the same rows for all kernels of one kind of row."""
    fitting = [name for name, entry in CATALOGUE.items() if entry.row_kind.name == kernel.domain]
    if issubclass(kernel, Wrapper) or not fitting:
        return
    data = _few(name := KINDS[kernel.domain].stand_in or fitting[0])
    with suppress(KernlibError):
        made = starting(kernel, data)
        if made is not None:
            picture = _matrix(data, prepared(made, data))
            st.image(png(picture), width=56, alt=f"{kernel.__name__} on {data.n} rows of {CATALOGUE[name].title}")


@known()
def _few(name: str) -> Dataset:
    """Return a few rows of a data set of the catalogue as it is first shown: dozens of cards ask for the same."""
    return compute.few_rows(data_set(name, first_choice(name).parameters))


_IMAGES = ("digits-3-8", "digits")


def _try_on(kernel: type[Kernel]) -> None:
    """Draw buttons that set the kernel on data, or add the step to the present kernel, and open the Gram matrix."""
    if issubclass(kernel, Wrapper):
        if can_wrap(kernel):
            button(
                "Add it to the current kernel",
                f"try.{kernel.__name__}",
                _go,
                None,
                lambda data: kernel(current().kernel, **kernel.shown_with),
                icon=":material/add:",
            )
        return
    fitting = [n for n, entry in CATALOGUE.items() if entry.row_kind.name == kernel.domain]
    images = any(p.name == "shape" for p in kernel.parameters())
    names = list(_IMAGES if images else fitting[:3])
    if not names:
        return
    with in_row():
        st.markdown("Try it on")
        for name in names:
            button(
                CATALOGUE[name].title, f"try.{kernel.__name__}.{name}", _go, name, lambda data: starting(kernel, data)
            )


def _go(name: str | None, make: Callable[[Dataset], Kernel | None]) -> None:
    """Show the data and the kernel on the Gram matrix page; DataError where they do not fit."""
    choice = current().data if name is None else first_choice(name)
    data = choice.load()
    made = make(data)
    if made is None:
        raise DataError("This kernel needs rows of another shape.")
    state.show("see", choice, made if name is None else prepared(made, data))
