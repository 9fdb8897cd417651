"""Use: the trained machine, its border, the rows most in doubt, predictions for new rows, and its script."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from kernlib import Kernel
from kernlib.advice import machine_sections, markdown, page
from kernlib.data import Dataset
from kernlib.errors import KernlibError
from kernlib.experiments import RunSpec, predict_script, scikit_script
from kernlib.explain import Across, Field, Trained, often_wrong
from kernlib.figures import machine as figures
from kernlib.figures.frames import figure_frames, sentence_frames
from kernlib.figures.theme import figure_html
from kernlib.machines import Machine
from kernlib.protocols import suitable_measure
from kernlib.values.labels import HalvesErrors
from kernlib.values.words import percent
from pages.parts.frame import layout, pictures, slider
from pages.parts.frame.slider import hand_of
from pages.parts.frame.waiting import View, current_view
from pages.parts.inputs.controls import in_row, option, parameter_control, plain
from pages.parts.results import compute, machines
from pages.parts.server.caching import known
from pages.parts.server.jobs import Sample, whole_of
from pages.parts.session.state import (
    MACHINE,
    PAIR,
    Pair,
    closest_pair,
    control_of,
    machine_of,
    offered,
    pair_of,
    pairs_of,
    proposed_machine,
)
from pages.parts.session.uploaded import files_of, label_name
from pages.views.use import evidence, groups, predicting

#: Doubtful rows beside the border, and in the report.
_DOUBTFUL, _REPORTED = 12, 50
#: Pixels of the table: no higher than the picture in a low window, so that the next step stays in view.
_TABLE = 300


def main(view: View) -> None:
    """Draw the machine of labelled rows; the groups of others."""
    data = view.data
    if not compute.labelled(data):
        groups.draw(view)
        return
    moving = hand_of(view)
    frame = compute.frame(data, view.kernel) if moving is None else moving.now()
    sentence = st.container(key="sentence")
    machine, classes = machine_of(data), data.task == "classification"
    between = pair_of(data) if classes else (0, 1)
    if moving is None:
        slider.draw(None, view)
    else:
        # The machine of each stop, until all are known.
        quick = data.n <= compute.LATER and not isinstance(data, Sample)
        frames = moving.pieces(_stop, moving.middle, machine, between, quick, first=(moving.value,))

        def draw(found: Mapping[Any, tuple[str, Shown | None]]) -> None:
            sentences, shown = zip(*(found.get(v, (None, None)) for v in moving.stops), strict=True)
            slider.draw(moving, view, [_picture_frames(data, shown), sentence_frames(sentences)])

        slider.as_frames_arrive(frames, draw)
    left, right = layout.main_and_beside()
    fig: go.Figure | None = None
    with left, layout.guarded():
        if classes:
            trained, picture = machines.border(data, view.kernel, machine, between)
            words = words_of(trained, picture, machine, frame.errors, len(data.classes) > 2)
            if not trained.converged:
                st.warning("The solver did not converge: results for this C are not reliable. Choose a smaller C.")
            title = plain(figures.border_title(trained, picture))
            fig = figures.border_plot(trained, picture, np.asarray(data.rows), data.ids, data.columns)
        else:
            words = error_in_words(machine, frame.errors)
            title, fig = _fit(view, machine)
        layout.sentence(words, sentence)
        layout.panel(title, fig, "use.border", fill="controls")
    layout.after_the_picture()
    doubtful = pd.DataFrame()
    with right, layout.guarded():
        about, doubtful = _in_doubt(view, machine)
        with st.container(key="use-doubtful"):
            _draw_doubtful(data, about, doubtful.head(_DOUBTFUL))
    _next_step(view, machine, frame.errors, doubtful, fig)
    if not data.row_kind.together:
        predicting.draw(data, view.kernel, machine)
    if classes or (data.row_kind.points and data.d == 1):  # else the page itself shows the one figure
        evidence.draw(view, machine)


def error_in_words(machine: Machine, errors: HalvesErrors | None) -> str:
    """Return the machine's error on new rows as a sentence."""
    name = machine.label
    if errors is None or not math.isfinite(errors.test):
        return f"{name.capitalize()} has no test error here."
    guessing = "predicting the mean" if errors.task == "regression" else "guessing"
    half = f"Trained on half of the rows, the {name} has {errors.measure} {percent(errors.test)} on the others"
    return f"{half}; {guessing} has {percent(errors.chance)}."


def words_of(
    trained: Trained, picture: Field | Across, machine: Machine, errors: HalvesErrors | None, several: bool = False
) -> str:
    """Return the page's sentences: the machine's error on new rows, and what its picture shows.

    With `several` classes, the second sentence names the two of the border.
    """
    if (trained.decision > 0).all() or (trained.decision < 0).all():
        winner = trained.classes[int(trained.decision[0] > 0)]
        at, more = (" at this C", " Raise C.") if hasattr(machine, "C") else ("", "")
        return f"Every row is assigned to {winner}: the machine has learnt nothing{at}.{more}"
    error = error_in_words(machine, errors)
    f, ringed = figures.decided(trained, picture)
    if f is not trained.decision:
        tested = "In the picture each row is tested once"
        if several:
            tested = f"The picture has only {trained.classes[0]} and {trained.classes[1]}, each row tested once"
        return f"{error}\n{tested}: {len(ringed)} of {len(f)} lie on the wrong side."
    if not len(trained.support):
        return error
    border = f"the border between {trained.classes[0]} and {trained.classes[1]}" if several else "the border"
    own, wrong = len(trained.rows), int((trained.margin <= 0).sum())
    return f"{error}\nOf its own {own} training rows it misclassifies {wrong}; {len(trained.support)} define {border}."


#: What the picture of a stop shows: the border of a machine, or its predictions over one column.
Shown = tuple[Trained, Field | Across] | Field


@known()
def _stop(
    data: Dataset, kernel: Kernel, middle: Kernel, machine: Machine, between: Pair, quick: bool
) -> tuple[str, Shown | None]:
    """Return the sentence of a stop, and its picture; None where that is not quick."""
    frame = compute.frame(data, kernel, middle)
    if data.task != "classification":
        over_column = quick and not frame.problem and machines.over_columns(data, kernel) and data.d == 1
        return error_in_words(machine, frame.errors), machines.fit(data, kernel, machine) if over_column else None
    if frame.problem or not quick:
        return "", None
    try:
        picture = machines.border(data, kernel, machine, between)
    except KernlibError:
        return "", None
    return words_of(*picture, machine, frame.errors, len(data.classes) > 2), picture


def _picture_frames(data: Dataset, pictures: Sequence[Any]) -> dict[str, Any]:
    """Return the frames of the border, over two columns or across feature space; of predictions over one column."""
    if data.y is not None and any(isinstance(picture, Field) for picture in pictures):
        return figure_frames("use-border", figures.fit_figure(pictures, data.inputs, data.y, data.ids, ("x", "y")))
    return figures.border_frames("use-border", pictures, data.rows)


def _machine(data: Dataset) -> None:
    """Draw the menu of the machine, the one place that changes it for all pages."""
    machine, menu = machine_of(data), offered(data)
    with st.popover(f"Machine: {machine.label}", icon=":material/settings:"):
        proposed = type(proposed_machine(data)).__name__
        option(st.selectbox, "Machine", list(menu), MACHINE, proposed, format_func=lambda name: menu[name].label)
        start = proposed_machine(data, type(machine))
        for p in machine.parameters():
            if data.task == "regression" or p.name not in machine.regression_only:
                parameter_control(p, getattr(start, p.name), control_of(p))
        st.caption("All pages measure this machine. *Choose* tunes its C; published results keep their own machine.")
        if len(data.classes) > 2:
            option(
                st.selectbox,
                "Border between",
                pairs_of(data),
                PAIR,
                closest_pair(data),
                format_func=lambda p: f"{data.classes[p[0]]} and {data.classes[p[1]]}"[:60],
                help="The figures show the machine of these two classes, at first the two that are closest.",
            )


def _fit(view: View, machine: Machine) -> tuple[str, go.Figure]:
    """Return the predictions of real targets and their title: over one column, or beside the targets."""
    data, kernel, name = view.data, view.kernel, label_name() or "target"
    if machines.over_columns(data, kernel) and data.d == 1:
        field = machines.fit(data, kernel, machine)
        assert data.y is not None
        (fig,) = figures.fit_figure([field], data.rows, data.y, data.ids, (*data.columns[:1], name))
        return f"The predicted {plain(name)}", fig
    return evidence.predicted(view, machine)


def _in_doubt(view: View, machine: Machine) -> tuple[str, pd.DataFrame]:
    """Return the rows that are predicted worst while they are test rows, the worst first, and a sentence about them."""
    data, kernel = view.data, view.kernel
    if data.task == "regression":
        far = machines.residuals(data, kernel, machine).head(_REPORTED)
        words = "Rows most in doubt: those whose prediction is furthest off"
        return words, layout.row_table(data, far.index.tolist(), {"predicted": far.predicted.round(4).tolist()})
    tests = machines.decisions_of(data, kernel, machine)
    misses = often_wrong(tests.row, tests.y, tests.predicted, tests.decision)
    count = int((misses.wrong > 0).sum())
    words = f"Rows most in doubt: {count} are misclassified as test rows in some of {machines.SPLITS} halvings"
    if not count:
        words = f"No row is in doubt: none is misclassified in {machines.SPLITS} random halvings"
    misses = misses.head(min(count, _REPORTED))
    wrong = [f"{w} of {t}" for w, t in zip(misses.wrong, misses.tested, strict=True)]
    return words, layout.row_table(data, misses.index.tolist(), {"wrong as a test row": wrong})


def _draw_doubtful(data: Dataset, words: str, table: pd.DataFrame) -> None:
    st.markdown(f"**{words}**")
    rows = table["row"].tolist()
    if not rows:
        return
    names = [f"{data.ids[row]}" for row in rows]
    drawn = pictures.of_rows(data, rows, names, "use.doubtful", "doubtful-rows", across=4)
    height: Any = 215 if drawn else _TABLE if len(rows) > 8 else "content"
    st.dataframe(table, hide_index=True, height=height)


def _next_step(
    view: View, machine: Machine, errors: HalvesErrors | None, doubtful: pd.DataFrame, fig: go.Figure | None
) -> None:
    """Draw what to take away: the machine as a script, as a scikit-learn pipeline, as a report; and its menu."""
    whole, choice = whole_of(view.data), view.choice
    assert whole.y is not None
    measure = suitable_measure(whole.y, whole.task or "auto")
    spec = RunSpec(
        choice.run_name(whole), view.kernel.specification, machine, measure=measure, parameters=choice.parameters
    )
    files = files_of(choice)
    title = f"{machine.label.capitalize()} on {whole.title}"
    here = layout.address()

    def sections() -> Any:
        cells = tuple(map(str, doubtful.columns)), [tuple(row) for row in doubtful.map(str).to_numpy().tolist()]
        return machine_sections(spec, whole, errors, cells, predict_script(spec, *files), here)

    with in_row():
        layout.download(
            "predict.py",
            lambda: predict_script(spec, *files),
            "use.script",
            "Take the machine: predict.py",
            type="primary",
            help="Trains this machine again and predicts the rows of any file. It needs kernlib alone.",
        )
        layout.download(
            "pipeline.py",
            lambda: scikit_script(spec, *files),
            "use.pipeline",
            help="The kernel and the machine as a scikit-learn pipeline.",
        )
        layout.report(
            lambda: page(title, sections(), "" if fig is None else figure_html(fig)),
            lambda: markdown(title, sections()),
            "use",
        )
        _machine(view.data)


main(current_view("The machine is trained on {rows}"))
