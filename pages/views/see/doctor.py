"""The matrix doctor's findings, and what each of its remedies would give."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from kernlib import Kernel, KernlibError, Repaired
from kernlib.analysis import Finding, Remedy
from kernlib.analysis.doctor import LARGE_DIAGONAL
from kernlib.data import Dataset
from kernlib.values.words import value_in_words
from pages.parts.frame import layout
from pages.parts.inputs.controls import button, plain
from pages.parts.results import compute
from pages.parts.session import state
from pages.parts.session.chain import TunableParameter, numbers


def consultation(data: Dataset, kernel: Kernel, findings: Sequence[Finding]) -> None:
    """Draw every check; for failed ones their meaning, and what each remedy would give."""
    for finding in findings:
        if finding.sound:
            continue
        st.markdown(f"##### {finding.name[0].upper()}{finding.name[1:]}")
        st.markdown(f"{finding.verdict} {finding.meaning}")
        if finding.rows and finding.name != "not symmetric":
            with st.expander("The row" if len(finding.rows) == 1 else f"The {len(finding.rows)} rows"):
                st.dataframe(layout.row_table(data, list(finding.rows[:200])), hide_index=True)
        remedies = [*_suggested(data, kernel, finding), *finding.remedies]
        if finding.name == "indefinite":
            methods = {p.name: p.choices for p in Repaired.parameters()}["method"]
            remedies += [
                Remedy(f"repair the eigenvalues: {method}", partial(Repaired, method=method), inductive=False)
                for method in methods
                if method != "clip"  # among the finding's own
            ]
        if remedies:
            _remedies(data, kernel, finding.name, remedies)
    sound = [f":material/check: **{f.name[0].upper()}{f.name[1:]}.** {f.verdict}" for f in findings if f.sound]
    if sound:
        st.markdown("  \n".join(sound))


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


def _remedies(data: Dataset, kernel: Kernel, finding: str, remedies: Sequence[Remedy]) -> None:
    """Draw the matrix as it is and with each remedy as a table, and a button for each remedy."""
    rows = [_measured(data, kernel, "now")]
    for place, remedy in enumerate(remedies):
        cured = remedy.apply(kernel)
        try:
            rows.append(_measured(data, cured, remedy.words))
        except KernlibError as error:
            st.info(f"A remedy does not work here: {plain(error)}")
            continue
        button(
            f"{remedy.words[0].upper()}{remedy.words[1:]}",
            f"doctor.take.{finding}.{place}",
            state.adopt,
            cured,
            help=None if remedy.inductive else "It needs all rows at once, so it cannot evaluate new rows.",
        )
    st.dataframe(pd.DataFrame(rows), hide_index=True)


def _measured(data: Dataset, kernel: Kernel, name: str) -> dict[str, Any]:
    measured = compute.diagnostics(data, kernel)
    return {
        "matrix": name,
        "still wrong": "; ".join(f.name for f in compute.findings(data, kernel) if not f.sound) or "nothing",
        "smallest eigenvalue": measured.smallest,
        "diagonal ratio": measured.diagonal_ratio,
        "effective rank": measured.effective_rank,
        "alignment": measured.alignment,
    }
