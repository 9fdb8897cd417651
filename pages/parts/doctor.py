"""What the matrix doctor found, and its remedies, each previewed before it is taken."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from kernlib import Kernel, KernlibError, Repaired
from kernlib.analysis import Finding, Remedy
from kernlib.data import Dataset
from kernlib.figures import gram as figures

from . import compute, layout, state
from .inert import plain
from .numbers import numbers

__all__ = ["consultation", "summary"]


def summary(findings: Sequence[Finding]) -> None:
    """One line beside the matrix: whether it is healthy."""
    ill = [f.name for f in findings if not f.sound]
    if ill:
        words = "; ".join(ill)
        st.warning(f"**{words[0].upper()}{words[1:]}.** The tab *Doctor* says what that means, and shows ways out.",
                   icon=":material/stethoscope:")  # fmt: skip
    else:
        st.success("The doctor finds nothing wrong: a valid kernel matrix.", icon=":material/check:")


def consultation(data: Dataset, kernel: Kernel, findings: Sequence[Finding], order: np.ndarray) -> None:
    """Every check; for those that failed the meaning, and the remedies with what they would make of the matrix."""
    for found in findings:
        if found.sound:
            continue
        st.markdown(f"##### {found.name[0].upper()}{found.name[1:]}")
        st.markdown(f"{found.verdict} {found.meaning}")
        if found.rows and found.name != "not symmetric":
            with st.expander("The row" if len(found.rows) == 1 else f"The {len(found.rows)} rows"):
                st.dataframe(layout.row_table(data, list(found.rows[:200])), hide_index=True)
        remedies = [*_suggested(data, kernel, found), *found.remedies]
        if remedies:
            _remedies(data, kernel, found, remedies, order)
    sound = [f":material/check: **{f.name[0].upper()}{f.name[1:]}.** {f.verdict}" for f in findings if f.sound]
    if sound:
        st.markdown("  \n".join(sound))
    if any(f.name == "indefinite" for f in findings):
        _all_repairs(data, kernel)


def _suggested(data: Dataset, kernel: Kernel, found: Finding) -> list[Remedy]:
    """Values that the rows suggest, where a parameter stands far from them: the likely cause of a bad scale."""
    if found.name not in ("nearly the identity", "nearly constant"):
        return []
    suggested, remedies = compute.heuristics(data, kernel), []
    for number in numbers(kernel):
        value, now = suggested.get(number.place.parameter.name), number.current
        if value is None or now is None or 0.67 * value <= now <= 1.5 * value:
            continue
        words = f"set {number.label} to what the rows suggest, {value:.3g} instead of {now:.3g}"
        remedies.append(Remedy(words, lambda _, n=number, v=float(f"{value:.3g}"): n.at(v)))
    return remedies


def _remedies(data: Dataset, kernel: Kernel, found: Finding, remedies: Sequence[Remedy], order: np.ndarray) -> None:
    chosen = remedies[0]
    if len(remedies) > 1:
        chosen = st.radio(
            "Remedy",
            range(len(remedies)),
            format_func=lambda i: remedies[i].words,
            key=f"doctor.{found.name}.{len(remedies)}",
        )
        chosen = remedies[chosen]
    else:
        st.markdown(f"Remedy: {chosen.words}.")
    if not chosen.inductive:
        st.caption("Needs all rows at once: it cannot meet new rows.")
    cured = chosen.apply(kernel)
    try:
        after = compute.gram(data, cured)
    except KernlibError as error:
        st.info(f"This remedy does not work here: {plain(error)}")
        return
    layout.figure(
        figures.before_after(
            compute.gram(data, kernel), after, titles=("now", "with the remedy"), order=order, y=data.y,
            classes=data.classes, ids=data.ids, common=False,
        ),
        f"doctor.picture.{found.name}",
        name="remedy",
    )  # fmt: skip
    st.dataframe(_compared(data, {"now": kernel, "with the remedy": cured}), hide_index=True)
    st.button("Take the remedy", key=f"doctor.take.{found.name}", on_click=state.adopt, args=(cured,), type="primary")


def _all_repairs(data: Dataset, kernel: Kernel) -> None:
    """The five ways to make an indefinite matrix a kernel, side by side."""
    st.markdown("##### All repairs of the spectrum")
    methods = {p.name: p.choices for p in Repaired.parameters()}["method"]
    made = {str(method): Repaired(kernel, method=method) for method in methods}
    st.dataframe(_compared(data, made), hide_index=True)
    with st.container(horizontal=True):
        for method, repaired in made.items():
            st.button(
                method.capitalize(),
                key=f"gram.repair.{method}",
                on_click=state.adopt,
                args=(repaired,),
                help="Add this repair as a step",
            )


def _compared(data: Dataset, kernels: dict[str, Kernel]) -> pd.DataFrame:
    rows = []
    for name, kernel in kernels.items():
        told = compute.diagnostics(data, kernel)
        rows.append(
            {
                "matrix": name,
                "still wrong": "; ".join(f.name for f in compute.findings(data, kernel) if not f.sound) or "nothing",
                "smallest eigenvalue": told.smallest,
                "diagonal ratio": told.diagonal_ratio,
                "effective rank": told.effective_rank,
                "alignment": told.alignment,
                "needs all rows at once": kernel.transductive,
            }
        )
    return pd.DataFrame(rows)
