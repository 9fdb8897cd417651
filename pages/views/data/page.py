"""Data: the rows, their classes, and the upload of your own."""

from __future__ import annotations

import streamlit as st

from kernlib.data import CATALOGUE, LEFT_OUT, Dataset
from pages.parts.frame import layout, pictures, reading
from pages.parts.inputs.plain import code, plain
from pages.parts.results import choosing, compute
from pages.parts.server.holder import deferred
from pages.parts.session import state, uploaded
from pages.parts.session.value import DataChoice, current
from pages.views.data import upload


def compare(data: Dataset) -> None:
    """Compare kernels on these rows, and open the page that shows it."""
    job = choosing.job_of(data)
    if job is None or not (job.active or choosing.is_complete(job, data)):
        choosing.start(data, seconds=choosing.BUDGETS[choosing.BUDGET])
    state.put(goes="choose")


def compare_button(data: Dataset) -> None:
    """Draw the button that compares kernels on these rows."""
    if compute.labelled(data):
        st.button(
            "Which kernel suits these rows?",
            key="data.compare",
            on_click=deferred(compare, data),
            icon=":material/trophy:",
            type="primary",
            help="Opens the page Choose and compares kernels of many families on these rows",
        )


def show(data: Dataset, choice: DataChoice) -> None:
    """Draw the pictures, the numbers and the rows of the present data."""
    main, beside = st.columns(layout.MAIN, gap="small")
    with main, layout.guarded():
        shown = compute.in_view(data)
        pictures.draw(shown)
        if shown is not data:
            st.caption(f"The picture shows a sample of {shown.n:,} of {data.n:,} rows, classes in proportion.")
    with beside:
        if not choice.uploaded:
            compare_button(data)
        kind = ("Columns", data.d) if data.d is not None else ("Kind of row", data.row_kind.row)
        filled = "The kernel fills them from training rows. A missing category is the category '?'."
        missing = [("Missing numbers", data.missing, filled)] if data.missing else []
        layout.numbers(
            ("Rows", data.n, "Number of examples; the Gram matrix compares all pairs of them."),
            (*kind, "What a row is made of."),
            ("Classes", len(data.classes) or None, "Distinct labels."),
            *missing,
            width=layout.BESIDE,
        )
        for warning in data.warnings:
            st.warning(plain(warning))
        if data.classes:
            pictures.counts(data)
        if data.note:
            st.caption(plain(data.note))
        if data.source:
            st.caption(f"**Source:** {plain(data.source) if choice.uploaded else data.source}")
        if data.citation:
            st.caption(f"**Cite:** {plain(data.citation)}")
        if data.licence:
            st.caption(f"**Licence:** {plain(data.licence)}")

    st.subheader("Rows", anchor=False)
    st.dataframe(layout.row_table(data, list(range(min(200, data.n))), full=True), hide_index=True, height=320)
    made = f" · made by {code(data.recipe)}" if data.recipe else ""
    st.caption(f"SHA-256 of rows and labels: `{data.digest[:16]}…`{made}")


choice = current().data
data = choice.load()
entry = CATALOGUE.get(choice.name)
head = st.container()
above = st.container()  # the panel of an uploaded file, in the place of the picture, until its rows are used
with st.expander(
    "Bring your own data", icon=":material/upload_file:", key=uploaded.BOX, on_change="rerun",
    expanded=choice.uploaded or uploaded.present() is not None,
):  # fmt: skip
    upload.draw()
with above:
    picture, line = st.container(), st.container()
    with picture:
        waits = reading.panel(state.take_upload, line)
        if choice.uploaded and not waits:
            show(data, choice)
with head:
    if waits:
        layout.heading("How is this file read?", f"All pages show {plain(data.title)} until you use these rows.")
    else:
        layout.heading(plain(data.title), data.look_for or (entry.look_for if entry else "Your own data."))
        if choice.uploaded:  # while the panel is open, its label may be another one than that of the pages
            compare_button(data)
if not waits and not choice.uploaded:
    show(data, choice)
if LEFT_OUT:
    titles = "; ".join(sample.title for sample in LEFT_OUT.values())
    st.caption(f"Not installed, because their sources state no licence: {titles}. A clone of the repository has them.")
