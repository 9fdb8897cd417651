"""Data: what is predicted and compared, a picture of the rows, their first lines, and a file of your own."""

from __future__ import annotations

import streamlit as st

from kernlib import KernlibError
from kernlib.data import LEFT_OUT, LIMITS, Dataset
from kernlib.figures.theme import class_words
from pages.parts.frame import layout, pictures, reading
from pages.parts.inputs.controls import button, plain
from pages.parts.results import choosing, compute
from pages.parts.server.runs import deferred
from pages.parts.session import state, uploaded
from pages.parts.session.state import DataChoice, current
from pages.parts.session.uploaded import chooser_key, emptied, most_bytes, present, uploaded_file

#: Columns and classes whose names are written out, and rows in the table.
_COLUMNS, _CLASSES, _ROWS = 8, 4, 100


def compare(data: Dataset) -> None:
    """Compare kernels on these rows, and open the page that shows it."""
    job = choosing.job_of(data)
    if job is None or not (job.active or choosing.is_complete(job, data)):
        choosing.start(data)
    state.put(goes="choose")


def words_of(data: Dataset) -> str:
    """Return the page's sentence: how many rows of what, and what always predicting the largest class misclassifies."""
    rows = f"{data.n:,} {data.row_kind.many}"
    if data.y is None:
        return f"{rows}, nothing to predict."
    if data.task == "regression":
        return f"{rows}; the label is a number from {data.y.min():.4g} to {data.y.max():.4g}."
    counts = list(data.class_counts.values())
    if len(counts) == 1:
        return f"{rows}, all of one class, {class_words(data.classes)[0]}: nothing to predict."
    if len(counts) > 1 and min(counts) == max(counts):
        return f"{rows} in {len(data.classes)} classes of equal size."
    count, largest = max(zip(counts, class_words(data.classes), strict=True), key=lambda one: one[0])
    return f"{rows} in {len(data.classes)} classes; the largest, {largest}, has {count / data.n:.0%}."


def roles_of(data: Dataset) -> str:
    """Return what is predicted from which columns."""
    label = (
        "nothing"
        if data.y is None
        else "a number"
        if data.task == "regression"
        else " or ".join(class_words(data.classes))
        if len(data.classes) <= _CLASSES
        else f"{len(data.classes)} classes"
    )
    names = ", ".join(data.columns[:_COLUMNS])
    more = f" and {len(data.columns) - _COLUMNS:,} more" if len(data.columns) > _COLUMNS else ""
    return f"predict: {label} · compared: {names or data.row_kind.many}{more}"


def show(data: Dataset, choice: DataChoice, roles: bool) -> None:
    """Draw the sentence, the next step, and the picture of the rows beside the first of them."""
    layout.sentence(words_of(data))
    if data.look_for:
        st.caption(data.look_for)
    if roles:
        st.caption(plain(roles_of(data)))
    for warning in data.warnings:
        st.warning(plain(warning))
    if not compute.labelled(data):
        st.page_link("views/see/page.py", label="See which rows are similar", icon=":material/arrow_forward:")
    else:
        button(
            "Which kernel suits these rows?",
            "data.compare",
            compare,
            data,
            icon=":material/arrow_forward:",
            type="primary",
            help="Opens the page Choose and compares kernels of many families on these rows",
        )
    left, right = layout.main_and_beside()
    with left, layout.guarded():
        shown = compute.in_view(data)
        pictures.of_data(shown)
        if shown is not data:
            st.caption(f"The picture shows a sample of {shown.n:,} of {data.n:,} rows, classes in proportion.")
    with right:
        st.markdown(f"**First rows**{f' · {data.missing:,} missing numbers' if data.missing else ''}")
        table = layout.row_table(data, list(range(min(_ROWS, data.n))), full=True)
        st.dataframe(table, hide_index=True, height=380)
    source = plain(data.source) if choice.uploaded else data.source
    for words in (plain(data.note), source, plain(data.citation), plain(data.licence)):
        if words:
            st.caption(words)


def choose_file() -> None:
    """Draw the file chooser; a file is kept and shown by the panel, and nothing else changes."""
    files = st.file_uploader(
        "Your own data",
        accept_multiple_files=True,
        key=(key := chooser_key()),
        on_change=deferred(emptied, reads=key),
        max_upload_size=most_bytes(),
        help=f"{LIMITS.words()} 100,000 rows of 20 numbers take about 10 s. "
        "The file stays in this session and is discarded when it ends.",
    )
    st.caption(
        f"Tables, arrays, sequences, graphs, matrices, texts, up to {most_bytes()} MB. Larger files: "
        "`python -m kernlib advise FILE`."
    )
    before = present()
    try:
        if uploaded_file(files) is not before:
            st.rerun()  # the panel stands above the chooser, where this run has not drawn it
    except KernlibError as error:
        st.error(plain(str(error)), icon=":material/error:")


choice = current().data
data = choice.load()
own = choice.uploaded or uploaded.present() is not None
# A file's panel stands above its chooser, which reads the file first; the chooser stands above the rows of a sample.
first, second = st.container(), st.container()
above, box = (first, second) if own else (second, first)
with box.expander(
    "Bring your own data", icon=":material/upload_file:", key=uploaded.BOX, on_change="rerun", expanded=own
):
    choose_file()
with above:
    file = uploaded.present()
    if file is not None and file.open:
        layout.heading("How is this file read?", f"All pages show {plain(data.title)} until you use these rows.")
    line = st.container()
    waits = reading.panel(line)
    if not waits:
        show(data, choice, roles=uploaded.file_of(choice) is None)
if LEFT_OUT:
    titles = "; ".join(sample.title for sample in LEFT_OUT.values())
    st.caption(f"Not installed, because their sources state no licence: {titles}. A clone of the repository has them.")
