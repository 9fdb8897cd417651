"""Labs: one question of the sources each, one picture, one thing to drag."""

from __future__ import annotations

import streamlit as st

from pages.parts.frame import layout
from pages.parts.inputs.controls import button, in_row, plain, value_of
from pages.views.labs.contents import LABS, SHELVES
from pages.views.labs.shelf import OPEN, Lab, on_own_data, open_lab, view_of


def main() -> None:
    """Draw the open lab, or the shelf."""
    lab = value_of(OPEN, None, LABS.__getitem__)
    if lab is None:
        _shelf()
    else:
        _open(lab)


def _shelf() -> None:
    layout.heading(
        "Which question would you like to answer?",
        "Each lab answers one question by pictures that you move. A letter such as [O] names a source: see *Papers*.",
    )
    for shelf, names in SHELVES.items():
        st.markdown(f"#### {shelf}")
        for place, lab in layout.grid(map(LABS.__getitem__, names)):
            with place.container(border=True, height="stretch"):
                st.markdown(f"**{lab.question}**")
                st.caption(f"{plain(lab.title)} · {lab.source}")
                button("Open", f"labs.open.{lab.name}", open_lab, lab.name, icon=":material/science:")


def _open(lab: Lab) -> None:
    with in_row(key="lab-bar", gap="small"):
        button("All labs", "labs.shelf", open_lab, "", icon=":material/apps:", type="tertiary")
        st.markdown(f"**{lab.question}** {lab.source}", width="stretch")
        own = on_own_data(lab)
        with st.container(key="tools", width="content"):
            layout.projector_switch()
    layout.lead(lab.shown)
    with layout.guarded():
        lab.draw(lab, view_of(lab, own))


main()
