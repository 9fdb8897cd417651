"""More rows than a page compares: what would work, each by one click, and the command that needs no browser."""

from __future__ import annotations

import shlex

import streamlit as st

from kernlib.experiments import RunSpec
from kernlib.measures import MEASURES
from kernlib.protocols import RepeatedSplits
from kernlib.values.words import seconds_in_words
from kernlib.wrappers.landmarks import landmarks_of
from pages.parts.frame import layout
from pages.parts.inputs.plain import plain
from pages.parts.results import compute
from pages.parts.server.holder import deferred
from pages.parts.server.large import LANDMARKS, most_rows
from pages.parts.session import state
from pages.parts.session.machine import machine_of
from pages.parts.session.uploaded import present
from pages.parts.session.value import DataChoice

#: Of many rows few splits say enough.
SPLITS = RepeatedSplits(repeats=5, train=0.5, seed=0)
#: As often an eigenvalue computation commonly evaluates all pairs.
PASSES = 12
DAY = 86400.0


def panel(error: compute.TooLargeError, choice: DataChoice) -> None:
    """Draw the sentence; landmarks and fewer rows as buttons; a run to save and the command for all rows."""
    st.info(plain(error), icon=":material/hourglass_empty:")
    data, short = error.data, error.short
    by_landmarks = short is not None and data.n <= most_rows(short)
    with st.container(horizontal=True, vertical_alignment="center"):
        if by_landmarks:
            st.button(
                "Make landmarks the last step" if landmarks_of(error.kernel) else f"Use {LANDMARKS} landmarks",
                key="large.landmarks",
                type="primary",
                icon=":material/scatter_plot:",
                on_click=deferred(state.adopt, short),
                help="Every row is compared with a few landmark rows only, drawn at random. The page shows the "
                "error of this approximation.",
            )
        if choice.uploaded and "n" in dict(choice.parameters):  # a sample of the file, to be drawn again
            st.page_link("pages/views/data/page.py", label=f"Draw at most {error.most:,} rows on the Data page")
        else:
            st.button(
                f"Take {error.most:,} rows",
                key="large.rows",
                type="secondary" if by_landmarks else "primary",
                icon=":material/filter_list:",
                on_click=deferred(state.take_rows, error.most),
                help="A sample of the rows, classes in proportion; a generator makes new rows. All numbers then "
                "describe only these rows.",
            )
    spec, command_line = command(error, choice)
    if spec is None:
        st.caption(command_line)
        return
    st.markdown(
        plain(
            f"Or all rows without the browser, {_what(error, spec)}: save the run, and run the command in its folder."
        )
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        layout.download("run.json", spec.to_json, "large.run")
        st.code(command_line, language="console", wrap_lines=True)


def _exact_seconds(error: compute.TooLargeError) -> float:
    """Return the seconds for the leading eigenpairs, with every pass evaluating all pairs of rows."""
    return PASSES * compute.gram_costs(error.data, error.kernel).seconds


def _what(error: compute.TooLargeError, spec: RunSpec) -> str:
    if compute.labelled(error.data):
        return f"errors on {SPLITS.repeats} random halves" + (" by landmarks" if spec.kernel.has_factor else "")
    if spec.kernel.has_factor:
        return "the leading eigenpairs by landmarks"
    return f"the 50 leading eigenpairs of the exact matrix, {seconds_in_words(_exact_seconds(error))}"


def command(error: compute.TooLargeError, choice: DataChoice) -> tuple[RunSpec | None, str]:
    """Return the run with data and kernel, and its command; None and the reason where no command can finish.

    With labels the command computes errors on splits, by landmarks; without labels the leading eigenpairs.
    """
    data, labelled = error.data, compute.labelled(error.data)
    short = error.kernel if error.short is None else error.short
    kernel = short if labelled or _exact_seconds(error) > DAY else error.kernel
    if kernel.transductive or data.row_kind.square:
        return None, (
            "The kernel exists for all rows at once: its matrix is decomposed as a whole. For this many "
            "rows that takes hours or days, also on the command line. Take fewer rows, or leave that step out."
        )
    task = data.task or "classification"
    measure = next(m.name for m in MEASURES.values() if m.task == task)
    spec = RunSpec(choice.run_name(data), kernel, machine_of(data), SPLITS, measure, parameters=choice.parameters)
    file = present()
    files = [] if not choice.uploaded else ["FILE"] if file is None else [name for name, _ in file.files]
    words = ["python", "-m", "kernlib"]
    if labelled:
        words += ["run", "run.json", "--out", "results", *(["--data", *files] if files else [])]
    else:
        words += ["gram", "run.json", *files, "--leading", "50", "--pairs", "pairs.npz"]
    return spec, shlex.join(words)
