"""What rows without labels can answer: which groups are there, are they stable, and which rows are unusual?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from kernlib import Kernel
from kernlib.analysis.groups import OVERLAPPING, Groups
from kernlib.data import Dataset
from kernlib.experiments.proposals import default_machine
from kernlib.figures.groups import grouped_gram, grouped_plane, stability_plot, unusual_plot
from kernlib.values.words import number as rounded
from kernlib.values.words import percent
from pages.parts.frame import layout, waiting
from pages.parts.inputs.controls import number, tabs
from pages.parts.results import compute, inside
from pages.parts.results.asking import Done
from pages.views.machine import predicting

_LINES = 50


def draw(data: Dataset, kernel: Kernel) -> None:
    """Draw the rows in the order of their groups, how stable the groups are, and the most unusual rows."""
    with st.spinner("Looking for 2 to 10 groups…"):
        groups = inside.grouped(data, kernel)
    pairs = inside.agreement(data, kernel)
    if tested := pairs.done():
        groups = replace(groups, agreement=np.array(pairs.value()))
    main, beside = st.columns(layout.MAIN, gap="small")
    with beside:
        counts = groups.counts.tolist()
        count = counts[0]
        if len(counts) > 1:
            count = number("Number of groups", counts[0], counts[-1], groups.proposed, "machine.groups", 1)
        verdict = st.container()
        at = groups.at(count)
        codes = groups.codes[at]
        sizes = np.bincount(codes).tolist()
        layout.numbers(
            (
                "Silhouette",
                float(groups.silhouette[at]),
                "Mean over rows, −1 to 1. Above 0.5 rows are much nearer to their own group.",
            ),
            ("Stability", float(groups.stability[at]), "Agreement of groups of random subsamples, chance is 0."),
            ("Largest group", sizes[0], "Rows in the largest group."),
            ("Smallest group", sizes[-1], "Rows in the smallest group."),
            width=layout.BESIDE,
        )
        st.caption("Spectral clustering of the normalised kernel. Negative similarities count as 0.")
        layout.csv(lambda: _groups(data, codes), "machine.groups.rows", "groups", "The group of every row")
    with main:
        layout.figure(
            grouped_gram(compute.gram(data, kernel), codes, data.ids),
            "machine.groups.gram",
            fill="page",
            name="groups",
            data=lambda: _groups(data, codes),
        )
    names = ["Groups by number", "Groups in the plane", "Unusual rows"]
    names += ["New rows"] if data.task == "regression" and not data.row_kind.together else []
    title, place = tabs(names, "machine.unlabelled")
    with place, layout.guarded():
        if title == "Unusual rows":
            _unusual(data, kernel)
        elif title == "New rows":
            predicting.draw(data, kernel, default_machine(data))
        elif title == "Groups in the plane":
            scores = inside.plane(data, kernel)
            layout.figure(grouped_plane(scores, codes, data.ids), "machine.groups.plane", name="groups-plane")
        elif tested:
            layout.figure(stability_plot(groups), "machine.groups.stability", name="stability")
        else:
            st.caption("This appears when all subsamples are compared.")
    with verdict:
        if isinstance(waiting.show(pairs), Done):
            st.markdown(_verdict(replace(groups, agreement=np.array(pairs.value())), count))


def _unusual(data: Dataset, kernel: Kernel) -> None:
    nu = number(
        "ν, at most this share of rows outside", 0.01, 0.5, 0.05, "machine.nu", 0.01,
        help="A larger ν draws the border closer around most rows.",
    )  # fmt: skip
    scores = inside.unusual(data, kernel, nu)
    order = np.argsort(scores.score, kind="stable")
    layout.figure(unusual_plot(scores, data.ids), "machine.unusual", name="unusual",
                  data=lambda: _scored(data, order.tolist(), scores.score))  # fmt: skip
    st.markdown(f"**{len(scores.outside)} of {data.n} rows lie outside, the most unusual first**")
    st.dataframe(_scored(data, order[:_LINES].tolist(), scores.score), hide_index=True)


def _scored(data: Dataset, rows: list[int], score: np.ndarray) -> pd.DataFrame:
    return layout.row_table(data, rows, {"score": score[rows]})


def _groups(data: Dataset, codes: np.ndarray) -> pd.DataFrame:
    return layout.row_table(data, list(range(data.n)), {"group": codes + 1})


def _verdict(groups: Groups, count: int) -> str:
    """Return whether the groups are stable, as text that claims no more than two measures can."""
    at = groups.at(count)
    stability, silhouette = rounded(float(groups.stability[at]), 2), rounded(float(groups.silhouette[at]), 2)
    ordered = (
        f"A distance within a group exceeds one between groups in {percent(float(groups.overlap[at]))} of comparisons "
        f"(silhouette {silhouette})."
    )
    holding = [str(c) for c in groups.counts.tolist() if groups.holds(c)]
    if groups.holds(count) and groups.overlap[at] > OVERLAPPING:
        return (
            f"**{count} groups are stable.** Random subsamples give the same groups (stability {stability}). {ordered} "
            "They may lie apart, or be parts of one cloud: a line cut in two looks like this."
        )
    if groups.holds(count):
        return (
            f"**{count} groups are stable and lie apart.** Random subsamples give the same groups (stability "
            f"{stability}). {ordered} Only the rows themselves can show what the groups mean."
        )
    others = f" Stable numbers of groups: {', '.join(holding)}." if holding else ""
    if groups.stable(count):
        return (
            f"**{count} groups are stable, but they touch** (stability {stability}). {ordered} They may be parts of "
            f"one cloud.{others}"
        )
    if not holding:
        others = " No other number of groups is stable either: this kernel does not divide all rows into clear groups."
    return f"**{count} groups are not stable.** Other subsamples give other groups (stability {stability}).{others}"
