"""What rows without classes can answer: which groups are there, and are they stable?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from kernlib.analysis.groups import OVERLAPPING, Groups
from kernlib.figures.machine import grouped_gram, grouped_plane, stability_plot
from kernlib.values.words import number as rounded
from pages.parts.frame import layout, slider, waiting
from pages.parts.frame.waiting import View
from pages.parts.inputs.controls import number
from pages.parts.results import compute, machines


def draw(view: View) -> None:
    """Draw the rows by group, the plane, and how stable the groups are."""
    data, kernel = view.data, view.kernel
    sentence = st.container(key="sentence")
    slider.draw(slider.hand_of(view), view)
    with layout.guarded():
        groups = machines.grouped(data, kernel)
        counts = groups.counts.tolist()
        count = counts[0]
        if len(counts) > 1:
            count = number("Number of groups", counts[0], counts[-1], groups.proposed, "use.groups", 1)
        codes = groups.codes[groups.at(count)]
        pairs = machines.agreement(data, kernel)
        tested = pairs.done() and pairs.failure() is None
        if tested:
            groups = replace(groups, agreement=np.array([*pairs.value().values()]))
        layout.sentence(_words(groups, count) if tested else f"The rows are cut into {count} groups.", sentence)
        left, right = layout.main_and_beside()
        with left:
            fig = grouped_gram(compute.gram(data, kernel), codes, data.ids)
            layout.panel(
                "Gram matrix by group",
                fig,
                "use.groups.gram",
                fill="controls",
                name="groups",
                data=lambda: layout.row_table(data, list(range(data.n)), {"group": codes + 1}),
            )
        layout.after_the_picture()
        with right:
            fig = grouped_plane(machines.plane(data, kernel), codes, data.ids)
            layout.panel("Feature map: groups by colour", fig, "use.groups-plane")
        if tested:
            _evidence(groups)
        waiting.show(pairs)


@layout.drawer("use.evidence")
def _evidence(groups: Groups) -> None:
    layout.panel("Stable numbers of groups", stability_plot(groups), "use.stability")


def _words(groups: Groups, count: int) -> str:
    """Return whether the groups are stable, as text that claims no more than two measures can."""
    at = groups.at(count)
    stability = rounded(float(groups.stability[at]), 2)
    if groups.holds(count) and groups.overlap[at] > OVERLAPPING:
        return f"{count} groups are stable (stability {stability}), and may be parts of one cloud."
    if groups.holds(count):
        return f"{count} groups are stable and lie apart (stability {stability})."
    others = [str(c) for c in groups.counts.tolist() if groups.holds(c)]
    more = f" Stable numbers of groups: {', '.join(others)}." if others else " No other number of groups is stable."
    if groups.stable(count):
        return f"{count} groups are stable (stability {stability}), but they touch.{more if others else ''}"
    if not others:
        return f"No number of groups is stable: subsamples give other groups (stability of {count}: {stability})."
    return f"{count} groups are not stable: subsamples give other groups (stability {stability}).{more}"
