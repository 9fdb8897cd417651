"""The matrix doctor's findings, and remedies, each previewed before it is applied."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from kernlib import Kernel, KernlibError, Repaired
from kernlib.analysis import Finding, Remedy
from kernlib.analysis.doctor import LARGE_DIAGONAL
from kernlib.data import Dataset
from kernlib.figures.gram import gram_heatmap
from kernlib.values.words import value_in_words
from pages.parts.frame import layout
from pages.parts.inputs.controls import option
from pages.parts.inputs.texts import plain
from pages.parts.results import compute
from pages.parts.server.holder import deferred
from pages.parts.session import state
from pages.parts.session.parameters import TunableParameter, numbers


def consultation(data: Dataset, kernel: Kernel, findings: Sequence[Finding], order: np.ndarray) -> None:
    """Draw every check; for failed ones their meaning and remedies, with the matrix that each remedy would give."""
    for finding in findings:
        if finding.sound:
            continue
        st.markdown(f"##### {finding.name[0].upper()}{finding.name[1:]}")
        st.markdown(f"{finding.verdict} {finding.meaning}")
        if finding.rows and finding.name != "not symmetric":
            with st.expander("The row" if len(finding.rows) == 1 else f"The {len(finding.rows)} rows"):
                st.dataframe(layout.row_table(data, list(finding.rows[:200])), hide_index=True)
        remedies = [*_suggested(data, kernel, finding), *finding.remedies]
        if remedies:
            _remedies(data, kernel, finding, remedies, order)
    sound = [f":material/check: **{f.name[0].upper()}{f.name[1:]}.** {f.verdict}" for f in findings if f.sound]
    if sound:
        st.markdown("  \n".join(sound))
    if any(f.name == "indefinite" for f in findings):
        _all_repairs(data, kernel)


def _suggested(data: Dataset, kernel: Kernel, finding: Finding) -> list[Remedy]:
    """Return remedies that set a parameter, the likely cause of a bad scale, to the value that the rows suggest."""
    if finding.name not in (LARGE_DIAGONAL, "nearly constant"):
        return []
    suggested, remedies = compute.heuristics(data, kernel), []
    for number in numbers(kernel):
        value, now = suggested.get(number.place.parameter.name), number.current
        if value is None or now is None or 0.67 * value <= now <= 1.5 * value:
            continue
        rounded = float(f"{value:.3g}")
        words = (
            f"set {number.label} to what the rows suggest, {value_in_words(rounded)} instead of {value_in_words(now)}"
        )
        remedies.append(Remedy(words, partial(_moved, number, rounded)))
    return remedies


def _moved(number: TunableParameter, value: float, _: Kernel) -> Kernel:
    return number.at(value)


def _remedies(data: Dataset, kernel: Kernel, finding: Finding, remedies: Sequence[Remedy], order: np.ndarray) -> None:
    chosen = remedies[0]
    if len(remedies) > 1:
        place = option(
            st.radio, "Remedy", range(len(remedies)), f"gram.{finding.name}", format_func=lambda i: remedies[i].words
        )
        chosen = remedies[place]
    else:
        st.markdown(f"Remedy: {chosen.words}.")
    if not chosen.inductive:
        st.caption("This remedy needs all rows at once, so it cannot evaluate new rows.")
    cured = chosen.apply(kernel)
    try:
        after = compute.gram(data, cured)
    except KernlibError as error:
        st.info(f"This remedy does not work here: {plain(error)}")
        return
    both = (("now", compute.gram(data, kernel)), ("with the remedy", after))
    for column, (title, K) in zip(st.columns(2, gap="medium"), both, strict=True):
        fig = gram_heatmap(K, order, data.y, data.classes, data.ids)
        with column:
            layout.panel(title.capitalize(), fig, f"doctor.picture.{finding.name}.{title}", name="remedy", fill="half")
    st.dataframe(_compared(data, {"now": kernel, "with the remedy": cured}), hide_index=True)
    st.button(
        "Apply the remedy", key=f"doctor.take.{finding.name}", on_click=deferred(state.adopt, cured), type="primary"
    )


def _all_repairs(data: Dataset, kernel: Kernel) -> None:
    """Draw the five repairs of an indefinite matrix side by side."""
    st.markdown("##### All repairs of the spectrum")
    methods = {p.name: p.choices for p in Repaired.parameters()}["method"]
    made: dict[str, Kernel] = {str(method): Repaired(kernel, method=method) for method in methods}
    st.dataframe(_compared(data, made), hide_index=True)
    with st.container(horizontal=True):
        for method, repaired in made.items():
            st.button(
                method.capitalize(),
                key=f"gram.repair.{method}",
                on_click=deferred(state.adopt, repaired),
                help="Add this repair as a step",
            )


def _compared(data: Dataset, kernels: dict[str, Kernel]) -> pd.DataFrame:
    rows = []
    for name, kernel in kernels.items():
        measured = compute.diagnostics(data, kernel)
        rows.append(
            {
                "matrix": name,
                "still wrong": "; ".join(f.name for f in compute.findings(data, kernel) if not f.sound) or "nothing",
                "smallest eigenvalue": measured.smallest,
                "diagonal ratio": measured.diagonal_ratio,
                "effective rank": measured.effective_rank,
                "alignment": measured.alignment,
                "needs all rows at once": kernel.transductive,
            }
        )
    return pd.DataFrame(rows)
