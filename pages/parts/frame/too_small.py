"""Classes with too few rows to be split: named where a run would begin, with the ways out as buttons."""

from __future__ import annotations

from typing import Any

import streamlit as st

from kernlib.protocols import ClassTooSmall, Protocol, RepeatedKFold
from pages.parts.frame.view import View
from pages.parts.inputs.plain import plain
from pages.parts.server.holder import deferred
from pages.parts.session import state
from pages.parts.session.uploaded import leave_out, present


def ways_out(error: ClassTooSmall, view: View, protocol: Protocol) -> None:
    """Draw the warning, a button that leaves such classes out of an upload, and one for fewer folds."""
    st.warning(plain(error), icon=":material/call_split:")
    data, names = view.data, tuple(str(name) for name in error.classes)
    stay = len(data.classes) - len(names)
    with st.container(horizontal=True):
        if view.choice.uploaded and stay > 1:
            if "n" in dict(view.choice.parameters):  # the sample is drawn again from the other classes
                st.page_link("pages/views/data/page.py", label="Leave them out on the Data page")
            else:
                many = f"{len(names)} classes" if len(names) > 1 else f"class {names[0][:40]}"
                st.button(
                    plain(f"Leave out {many}"), key="choose.leave-out", on_click=deferred(_leave_out, view, names)
                )
        if isinstance(protocol, RepeatedKFold) and 2 <= error.most < protocol.folds:
            st.button(f"{error.most:d} folds", key="choose.fewer-folds", on_click=deferred(_fewer, error.most))


def _leave_out(view: View, names: tuple[str, ...]) -> None:
    """Leave classes out as the Data page does, so that the Data page shows it too."""
    file = present()
    if file is not None and file.shown == (view.data.digest, view.data.fill):
        leave_out(names)
    left_out: tuple[tuple[str, Any], ...] = tuple((f"without:{name}", True) for name in names)
    state.take_upload(view.data.without_classes(*names), view.choice.parameters + left_out)


def _fewer(folds: int) -> None:
    """Choose as many folds as the smallest class has rows."""
    state.choose("choose.RepeatedKFold.folds", str(folds))
