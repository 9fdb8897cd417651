"""Evidence for the recommendation: all settings, how the error was measured, and the comparison without the browser."""

from __future__ import annotations

import shlex

import streamlit as st

from kernlib.advice import REGRETS, ROWS, Comparison, expected_in_words, joined, stages
from kernlib.advice.report import written
from kernlib.data import Dataset
from kernlib.figures import choose as figures
from pages.parts.frame import layout
from pages.parts.inputs.controls import plain
from pages.parts.results import choosing
from pages.parts.session import uploaded
from pages.parts.session.state import current


@layout.drawer("choose.evidence")
def draw(data: Dataset, found: Comparison) -> None:
    """Draw the evidence of a finished comparison."""
    for line in (*expected_in_words(found, data), *stages(found, data), *found.notes):
        st.markdown(plain(line))
    fig = figures.settings_grid(choosing.settings(data), found, [one.kernel for one in found.best])
    layout.figure(fig, "choose.grid", name="settings")
    st.caption(plain(REGRETS))
    st.markdown("The same without the browser:")
    st.code(command(data, found) or written(data, min(ROWS, data.n), joined(found), machine=choosing.machine(data)))


def command(data: Dataset, found: Comparison) -> str:
    """Return the command that repeats the comparison of a file, with the answers of its reading; "" for a sample.

    Python repeats that of a sample, whose rows and seed no command takes.
    """
    if not current().data.uploaded:
        return ""
    words = uploaded.words_of(current().data)
    words += [word for kernel in joined(found) for word in ("--own", repr(kernel))]
    if machine := choosing.machine(data):
        words += ["--machine", repr(machine)]
    return shlex.join(["python", "-m", "kernlib", "advise", *words, "--report", "report.html"])
