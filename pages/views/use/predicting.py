"""New rows: a file without labels becomes a table of predictions."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from kernlib import Kernel
from kernlib.data import Dataset, new_rows
from kernlib.experiments import Predictions, predict_rows, result_in_subprocess
from kernlib.machines import Machine
from kernlib.values.words import number
from pages.parts.frame import layout
from pages.parts.inputs.controls import plain
from pages.parts.results import compute
from pages.parts.server.jobs import READING, late_reading, whole_of
from pages.parts.server.runs import deferred, keep, kept, latest
from pages.parts.session.uploaded import most_bytes

_FILE, _LINES = "use.file", 200


@layout.drawer("use.new", "Predict new rows")
def draw(data: Dataset, kernel: Kernel, machine: Machine) -> None:
    """Draw the chooser of a file of new rows, and its predictions."""
    whole = whole_of(data)
    wanted = f"with the columns {', '.join(whole.columns[:8])}{', …' if len(whole.columns) > 8 else ''}"
    if whole.d is None:
        wanted = f"of {whole.row_kind.called}"
    given = st.file_uploader(
        plain(f"A file of new rows {wanted}"),
        key=_FILE,
        on_change=deferred(_emptied),
        max_upload_size=most_bytes(),
        help="Labels are not read. New rows never influence the machine. The file stays in this session.",
    )
    if given is not None:
        keep(_FILE, (given.name, given.getvalue()))
    held: tuple[str, bytes] | None = kept(_FILE, lambda: None)
    if held is None:
        return

    def predicted() -> tuple[Dataset, Predictions]:
        new = result_in_subprocess(new_rows, (*held, whole), READING, late_reading(held[0]))
        compute.require_quick(whole, kernel, 1 + new.n // whole.n)
        return new, predict_rows(kernel, machine, whole, new)

    with layout.guarded(), st.spinner("Reading the file and predicting its rows…"):
        new, found = latest("use.predicted", (whole.digest, repr(kernel), repr(machine), held), predicted)
        _show(new, found, held[0] if given is None else "")


def _emptied() -> None:
    """Discard the file when a person removes it from the chooser."""
    if not st.session_state.get(_FILE):
        keep(_FILE, None)


def _show(new: Dataset, found: Predictions, kept_file: str) -> None:
    """Draw the predictions of the first rows, how many rows each class has, and the download of all."""
    if isinstance(found.predicted[0], str):
        counts = ", ".join(f"{name} {count:,}" for name, count in Counter(found.predicted).most_common(8))
    else:
        values = [float(value) for value in found.predicted]
        counts = f"{number(min(values))} to {number(max(values))}"
    here = f" of {plain(kept_file[:100])}" if kept_file else ""
    st.markdown(f"**{new.n:,} rows{here} predicted:** {plain(counts)}")
    if new.note:
        st.warning(plain(new.note))
    rows = list(range(min(_LINES, new.n)))
    added = {"predicted": [found.predicted[i] for i in rows]}
    st.dataframe(layout.row_table(new, rows, added), hide_index=True)
    if new.n > _LINES:
        st.caption(f"The first {_LINES} of {new.n:,} rows; the file has all.")
    layout.download("predictions.csv", found.to_csv, "use.predictions", type="primary")
