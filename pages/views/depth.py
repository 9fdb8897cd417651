"""Depth: what each level of a deep kernel machine does to the Gram matrix."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from kernlib import Deep
from kernlib.analysis import LevelNumbers, collapse, informative_peak
from kernlib.figures import before_after
from kernlib.figures import depth as figures
from pages.parts import compute, layout, sheet, state
from pages.parts import levels as deep
from pages.parts.inert import plain
from pages.parts.jobs import Job, registry, session_id

LINES = ("errors", "alignment", "effective_rank", "off_diagonal_spread", "dimension", "neg_log_likelihood")
HALF = {"nearest centroid": "centroid", "ridge, leave-one-out": "ridge"}

layout.heading(
    "How deep should the kernel be?",
    "Each level makes a new kernel of the distances below it. The first often bring the classes out; too many leave a "
    "constant or the identity.",
)
view = state.current_view()
data = view.data


def words_of(told: LevelNumbers) -> str:
    """What stands under a picture: the words that matter, the rest is in the table."""
    words = [f"rank {told.effective_rank:.3g}"]
    if told.dimension is not None:
        words += [f"aligned {told.alignment:.2f}", f"dimension {told.dimension}"]
    unit = "of var y" if data.task == "regression" else ""
    errors = [f"{HALF[name]} {error:.1%} {unit}".strip() for name, error in told.errors.items() if name in HALF]
    return " · ".join(words) + ("  \nquick error: " + " · ".join(errors) if errors else "")


base, current = deep.level_0(data, view.kernel)
how_many, more = st.columns([4, 1], vertical_alignment="bottom", gap="medium")
count = how_many.slider("Levels", 1, 10, 5, key="depth.levels", persist_state="session")
with more.popover("View and bandwidths", icon=":material/tune:", width="stretch"):
    common = layout.first_of(
        "Colours",
        ("One scale", "Each its own"),
        "depth.scale",
        "On one scale a collapse shows; each on its own, faint structure shows and colours no longer compare.",
    )
    difference = not layout.first_of("Shown", ("Levels", "Change from level 0"), "depth.shown")
    by_hand = st.toggle(
        "Bandwidths by hand",
        False,
        key="depth.by-hand",
        persist_state="session",
        help="Otherwise h is the mean distance between rows in feature space, level by level.",
    )
    bandwidths: tuple[float | None, ...] = ()
    if by_hand:
        heuristic = deep.levels(data, base, count, ())
        chosen = []
        for level in range(1, count + 1):
            h = heuristic[level].bandwidth
            factor = st.select_slider(
                f"h of level {level}, in units of {h:.3g}",
                [0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0],
                1.0,
                key=f"depth.h.{level}",
                persist_state="session",
            )
            chosen.append(None if factor == 1.0 else factor * h)
        bandwidths = tuple(chosen) if any(chosen) else ()


def contact_sheet() -> tuple[LevelNumbers, ...]:
    """All levels as pictures; their words follow, one eigendecomposition each."""
    levels = deep.levels(data, base, count, bandwidths)
    order = compute.order(data, base, "class" if data.y is not None else "clustering")
    contact = figures.contact_sheet(levels, order, data.y, data.classes, data.ids, common, difference)
    words = []
    strip = st.container(key="depth-strip", horizontal=True, gap="small")
    for level, picture in zip(levels, contact.figures, strict=True):
        with strip.container(width=330, gap="xsmall"):
            head = st.container(horizontal=True, vertical_alignment="center", gap="small")
            h = "" if level.bandwidth is None else f" · h {level.bandwidth:.3g}"
            head.markdown(f"**Level {level.level}**{h}", width="stretch")
            head.button(
                "In use" if level.level == current else "Use",
                key=f"depth.use.{level.level}",
                disabled=level.level == current,
                help="Make this level the kernel of all pages",
                on_click=state.adopt,
                args=(base if level.level == 0 else Deep(base, level=level.level, bandwidths=bandwidths or None),),
            )
            layout.chart(picture, f"depth.picture.{level.level}", "strip", config={"displayModeBar": False})
            words.append(st.empty())
    if contact.bar is not None:
        layout.chart(contact.bar, "depth.bar", config={"displayModeBar": False})
    st.caption(
        plain(contact.caption)
        + " Above each: its bandwidth **h**, the mean distance between the rows of the level below unless it is set by "
        "hand. Below: the **rank** says over how many directions the rows spread"
        + ("." if data.y is None else ", **aligned** how far the matrix agrees with the labels (1 is wholly), ")
        + ("" if data.y is None else "the **dimension** how many directions carry them.")
    )
    numbers = []
    for place, level in zip(words, levels, strict=True):
        numbers.append(deep.numbers_of(data, base, count, bandwidths, level.level))
        place.caption(words_of(numbers[-1]))
    peak, fall = informative_peak(numbers), collapse(numbers)
    for place, told in zip(words, numbers, strict=True):
        marks = []
        if peak is not None and told.level == peak.level:
            marks.append(f":material/star: **Most informative**: {peak.rule}")
        if fall is not None and told.level == fall.level:
            marks.append(f":material/water_drop: **Collapsed, nearly {fall.kind}**, from here on: {fall.rule}")
        place.caption("  \n".join([words_of(told), *marks]))
    return tuple(numbers)


def errors_in_words() -> None:
    """What the errors are, and the one that depth cannot change."""
    if not compute.labelled(data):
        return
    told = (
        "Quick errors are for choosing, not for publishing: ridge regression leaves out one row at a time in closed "
        "form, at the best of 19 ridges; bandwidths are learnt from all rows."
    )
    nearest = deep.nearest_neighbour(data, base)
    if nearest is not None:
        told = (
            "Quick errors are for choosing, not for publishing: the nearest centroid is tested on 5 random halvings, "
            "ridge regression leaves out one row at a time in closed form, at the best of 19 ridges; bandwidths are "
            f"learnt from all rows. A nearest neighbour errs on {nearest:.1%} at *every* level: each level only "
            "shrinks or stretches the distances of the one below, so the neighbours stay the same."
        )
    st.caption(told)


def lines(numbers: tuple[LevelNumbers, ...]) -> None:
    """The numbers over the level, as far as they have come."""
    drawable = [q for q in figures.QUANTITIES if q != "errors" or numbers[0].errors]
    wanted = st.multiselect(
        "Lines",
        drawable,
        [q for q in LINES if q in drawable],
        key=f"depth.lines.{bool(numbers[0].errors)}",
        persist_state="session",
        format_func=lambda q: figures.QUANTITIES[q][0],
        label_visibility="collapsed",
    )
    layout.figure(figures.level_lines(numbers, wanted), "depth.chart", name="levels", data=lambda: table(numbers))


def table(numbers: tuple[LevelNumbers, ...]) -> pd.DataFrame:
    """All numbers, one row per level."""
    return pd.DataFrame(
        {
            "level": told.level,
            "bandwidth h": told.bandwidth,
            "effective rank": told.effective_rank,
            "participation ratio": told.participation_ratio,
            "off-diagonal spread": told.off_diagonal_spread,
            "diagonal ratio": told.diagonal_ratio,
            "alignment": told.alignment,
            "separability": told.separability,
            "relevant dimension": told.dimension,
            "−log ℓ": told.neg_log_likelihood,
            "noise": told.noise,
            **{f"error, {name}": value for name, value in told.errors.items()},
        }
        for told in numbers
    )


def svm_job() -> Job | None:
    """The run behind this page that tests a support vector machine at every level, started where nothing else runs."""
    if data.task != "classification" or not compute.labelled(data):
        return None
    spec = deep.svm_run(data, base, count, bandwidths)
    job = registry().find(spec, data, session_id())
    other: Job | None = st.session_state.get("job")
    busy = other is not None and other.active
    if (job is None or job.state == "stopped") and not busy:
        job = registry().start(spec, data, session_id())
    return job


@st.fragment(run_every=1.0)
def arriving(numbers: tuple[LevelNumbers, ...], job: Job) -> None:
    """Draw again while the support vector machine goes on; one last full run when it ends."""
    job.watch()
    st.caption(f"Support vector machine: {len(job.results)} of {job.total} test errors")
    lines(deep.with_svm(numbers, job.spec, list(job.results)))
    if not job.active:
        st.rerun()


with layout.guarded():
    told = contact_sheet()
    errors_in_words()
    over, beside, two, everything = st.tabs(
        ["Numbers over the level", "Two levels side by side", "Sheet over two numbers", "All numbers"],
        key="depth.tab",
        on_change="rerun",
    )
    if over.open:
        with over, layout.guarded():
            job = svm_job()
            if job is not None and job.active:
                arriving(told, job)
            else:
                lines(told if job is None else deep.with_svm(told, job.spec, list(job.results)))
    if beside.open:
        with beside, layout.guarded():
            numbers = list(range(count + 1))
            first, second, own = st.columns([2, 2, 1], vertical_alignment="bottom")
            a = first.select_slider("Left: level", numbers, 0, key=f"depth.first.{count}", persist_state="session")
            b = second.select_slider("Right: level", numbers, 1, key=f"depth.second.{count}", persist_state="session")
            apart = own.toggle("Own scales", not common, key="depth.own-scales", persist_state="session")
            levels = deep.levels(data, base, count, bandwidths)
            # On one scale in units of the mean diagonal, as above: a level's own size is not what compares.
            first_K, second_K = (levels[i].K if apart else deep.in_units(levels[i]) for i in (a, b))
            units = "" if apart else ", over its mean diagonal"
            layout.figure(
                before_after(
                    first_K,
                    second_K,
                    titles=(f"level {a}{units}", f"level {b}{units}"),
                    order=compute.order(data, base, "class" if data.y is not None else "clustering"),
                    y=data.y,
                    classes=data.classes,
                    ids=data.ids,
                    common=not apart,
                ).update_layout(height=560),
                "depth.beside",
                name="two-levels",
            )
    if two.open:
        with two, layout.guarded():
            sheet.two_numbers(data, base, current)
    if everything.open:
        with everything:
            job = svm_job()
            complete = told if job is None else deep.with_svm(told, job.spec, list(job.results))
            st.dataframe(table(complete), hide_index=True)
