"""What a page shows of the session's state: rows and a kernel that works on them."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from kernlib import Kernel, KernlibError
from kernlib.data import Dataset
from pages.parts.frame import too_large, waiting
from pages.parts.inputs.plain import plain
from pages.parts.results import compute
from pages.parts.server.holder import keep, kept
from pages.parts.session.presets import default_kernel
from pages.parts.session.value import DataChoice, current

_GOOD = "good_view"


class PageEnd(Exception):
    """Nothing follows on this page; an open menu does. `st.stop` would end that as well."""


@dataclass(frozen=True)
class View:
    """A data set and a kernel that works on it.

    `data` are the rows that pictures show, `whole` all of them; they are the same up to `large.MAX_ROWS`.
    """

    data: Dataset
    kernel: Kernel
    choice: DataChoice
    whole: Dataset


def current_view(scope: str = "This page shows {rows}") -> View:
    """Return the data and the kernel of the state; the last working kernel replaces one that fails.

    One sentence above the page says what failed. For large data one line says what the page shows: `scope` names what
    is of `{rows}` and what of all `{n}`.
    """
    now = current()
    whole = now.load(now.data)
    data = compute.in_view(whole)
    try:
        compute.gram(data, now.kernel)
    except KernlibError as error:
        good = _good_instead(error, now.data, data, whole)
        st.caption(f"Still shown: {plain(' → '.join(good.kernel.chain()))}")
        return good
    view = View(data, now.kernel, now.data, whole)
    keep(_GOOD, view)
    _say_what_is_shown(view, scope)
    return view


def _good_instead(error: KernlibError, choice: DataChoice, data: Dataset, whole: Dataset) -> View:
    """Return the last view that worked, or the proposed one; the page ends where that fails as well."""
    _explain(error, choice)
    good: View | None = kept(_GOOD, lambda: None)
    if good is not None and good.choice == choice:
        return good
    good = View(data, default_kernel(data), choice, whole)
    try:
        compute.gram(data, good.kernel)
    except KernlibError as other:
        offered = isinstance(error, compute.TooLargeError | compute.TooLongError)  # above
        if isinstance(other, compute.TooLongError) or (isinstance(other, compute.TooLargeError) and not offered):
            _explain(other, choice)
        raise PageEnd from None
    return good


def _explain(error: KernlibError, choice: DataChoice) -> None:
    """Draw why there is no view, and the ways out."""
    if isinstance(error, compute.TooLargeError):
        too_large.panel(error, choice)
    elif isinstance(error, compute.TooLongError):
        waiting.panel(error)
    else:
        st.error(plain(error), icon=":material/error:")


def _say_what_is_shown(view: View, scope: str) -> None:
    """Draw one line where pictures show some of the rows, or values are approximate."""
    parts, more = [], ""
    if view.whole is not view.data:
        rows = f"{view.data.n:,} of {view.whole.n:,} rows, a {'stratified' if view.data.classes else 'random'} sample"
        parts.append(scope.format(rows=rows, n=f"{view.whole.n:,}"))
    error = compute.landmarks_cost(view.data, view.kernel)
    if error is not None:
        parts.append(error.short_words())
        more = error.words()
    if parts:
        st.caption(plain(" · ".join(parts)), help=plain(more) or None)
