"""Depth: what each level of a deep kernel machine does to the Gram matrix."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from kernlib import Deep
from kernlib.analysis import LevelNumbers, collapse, level_verdict, peaks
from kernlib.figures import before_after
from kernlib.figures import depth as figures
from pages.parts.blocks import sheet
from pages.parts.frame import layout
from pages.parts.frame.view import current_view
from pages.parts.inputs.controls import number, option, options, switch, tabs
from pages.parts.inputs.plain import plain
from pages.parts.results import compute
from pages.parts.results import levels as deep
from pages.parts.server.jobs import Job, registry, session_id
from pages.parts.session import state, value
from pages.parts.session.polling import until_done

LINES = ("errors", "squared", "alignment", "effective_rank", "off_diagonal_spread", "dimension")
HALF = {"nearest centroid": "centroid", "ridge, leave-one-out": "ridge"}

layout.heading(
    "How deep should the kernel be?",
    "Each level makes a new kernel from the distances below it. The first levels often separate the classes; too "
    "many leave a constant or the identity.",
)
view = current_view()
data = view.data


def words_of(level: LevelNumbers) -> str:
    """Return the text under a picture; the table has the other numbers."""
    words = [f"rank {level.effective_rank:.3g}"]
    if level.dimension is not None:
        words += [f"aligned {level.alignment:.2f}", f"dimension {level.dimension}"]
    unit = "of var y" if data.task == "regression" else ""
    errors = [f"{HALF[name]} {error:.1%} {unit}".strip() for name, error in level.errors.items() if name in HALF]
    return " · ".join(words) + ("  \nquick error: " + " · ".join(errors) if errors else "")


base, current = deep.level_0(data, view.kernel)
how_many, more = st.columns([4, 1], vertical_alignment="bottom", gap="medium")
with how_many:
    last = deep.last_level(data, base)
    count = number(
        "Levels", 1, last, min(5, last), "depth.levels",
        help=f"The slider ends at level {last}"
        + (", where all pairs look alike." if data.n <= deep.QUICK else ": more than 1,000 rows take long a level."),
    )  # fmt: skip
with more.popover("View and bandwidths", icon=":material/tune:", width="stretch"):
    common = layout.first_of(
        "Colours",
        ("One scale", "Each its own"),
        "depth.scale",
        "One scale shows a collapse. Separate scales show faint structure, but colours no longer compare.",
    )
    difference = not layout.first_of("Shown", ("Levels", "Change from level 0"), "depth.shown")
    by_hand = switch(
        "Bandwidths by hand",
        False,
        "depth.by-hand",
        help="Otherwise h is the mean distance between rows in feature space, level by level.",
    )
    bandwidths: tuple[float | None, ...] = ()
    if by_hand:
        heuristic = deep.levels(data, base, count, ())
        chosen = []
        for level in range(1, count + 1):
            h = heuristic[level].bandwidth
            factor = option(
                st.select_slider,
                f"h of level {level}, in units of {h:.3g}",
                [0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0],
                f"depth.h.{level}",
                1.0,
            )
            chosen.append(None if factor == 1.0 or h is None else factor * h)
        bandwidths = tuple(chosen) if any(chosen) else ()


def contact_sheet() -> tuple[LevelNumbers, ...]:
    """Return all levels as pictures; their words follow, one eigendecomposition each."""
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
        + " Above each: its bandwidth **h**, by default the mean distance between the rows of the level below. "
        "Below: the **rank** is the number of directions over which the rows spread"
        + ("." if data.y is None else ", **aligned** how far the matrix agrees with the labels (1: fully), ")
        + ("" if data.y is None else "the **dimension** how many directions carry them.")
    )
    verdict = st.empty()
    numbers = []
    for place, level in zip(words, levels, strict=True):
        numbers.append(deep.numbers_of(data, base, count, bandwidths, level.level))
        place.caption(words_of(numbers[-1]))
    best, fall = peaks(numbers), collapse(numbers)
    for place, one in zip(words, numbers, strict=True):
        marks = []
        for peak in best[:2]:
            if one.level == peak.level:
                mark = ":material/star: **Best level**" if peak == best[0] else ":material/diamond: Another criterion"
                marks.append(f"{mark}: {peak.rule}")
        if fall is not None and one.level == fall.level:
            marks.append(f":material/water_drop: **Collapsed, nearly {fall.kind}**, from here on: {fall.rule}")
        place.caption("  \n".join([words_of(one), *marks]))
    if level_verdict(numbers):
        verdict.markdown(f"**{plain(level_verdict(numbers))}**")
    return tuple(numbers)


def errors_in_words() -> None:
    """Draw the caption that explains the errors, with the one error that depth cannot change."""
    if not compute.labelled(data):
        return
    caption = (
        "Quick errors are for choosing, not for publishing. Ridge regression leaves out one row at a time in closed "
        "form, at the best of 19 ridges. Bandwidths are learnt from all rows."
    )
    nearest = deep.nearest_neighbour(data, base)
    if nearest is not None:
        caption = (
            "Quick errors are for choosing, not for publishing. The nearest centroid is tested on 5 random halves. "
            "Ridge regression leaves out one row at a time in closed form, at the best of 19 ridges. Bandwidths are "
            f"learnt from all rows. A nearest neighbour errs on {nearest:.1%} at *every* level. A level keeps the "
            "order of all distances, so the neighbours stay the same."
        )
    st.caption(caption)


def lines(numbers: tuple[LevelNumbers, ...]) -> None:
    """Draw the numbers over the level, as far as they are computed."""
    drawable = [q for q in figures.QUANTITIES if q != "errors" or numbers[0].errors]
    wanted = options(
        "Lines",
        drawable,
        "depth.lines",
        [q for q in LINES if q in drawable],
        format_func=lambda q: figures.QUANTITIES[q][0],
        label_visibility="collapsed",
    )
    layout.figure(figures.level_lines(numbers, wanted), "depth.chart", name="levels", data=lambda: table(numbers))


def table(numbers: tuple[LevelNumbers, ...]) -> pd.DataFrame:
    """Return all numbers, one row per level."""
    return pd.DataFrame(
        {
            "level": level.level,
            "bandwidth h": level.bandwidth,
            "effective rank": level.effective_rank,
            "participation ratio": level.participation_ratio,
            "off-diagonal spread": level.off_diagonal_spread,
            "diagonal ratio": level.diagonal_ratio,
            "alignment": level.alignment,
            "separability": level.separability,
            "relevant dimension": level.dimension,
            "−log ℓ": level.neg_log_likelihood,
            "squared leave-one-out error": level.squared,
            "noise": level.noise,
            **{f"error, {name}": value for name, value in level.errors.items()},
        }
        for level in numbers
    )


def svm_job() -> Job | None:
    """Return the background run that tests a support vector machine at every level; start it if nothing else runs."""
    if data.task != "classification" or not compute.labelled(data):
        return None
    spec = deep.svm_run(data, base, count, bandwidths)
    job = registry().find(spec, data, session_id())
    other = value.current().job
    busy = other is not None and other.active
    if (job is None or job.state == "stopped") and not busy:
        job = registry().start(spec, data, session_id())
    return job


def draw_with_svm(numbers: tuple[LevelNumbers, ...], job: Job) -> None:
    """Draw the numbers with the test errors so far of the support vector machine, again until its run has ended."""

    def draw() -> None:
        job.watch()
        if job.active:
            st.caption(f"Support vector machine: {len(job.results)} of {job.total} test errors")
        lines(deep.with_svm(numbers, job.spec, list(job.results)))

    if until_done(lambda: not job.active, draw):
        draw()


with layout.guarded():
    computed = contact_sheet()
    errors_in_words()
    opened = tabs(
        ["Numbers over the level", "Two levels side by side", "Sheet over two numbers", "All numbers"], "depth.tab"
    )
    if "Numbers over the level" in opened:
        with opened["Numbers over the level"], layout.guarded():
            job = svm_job()
            if job is None:
                lines(computed)
            else:
                draw_with_svm(computed, job)
    if "Two levels side by side" in opened:
        with opened["Two levels side by side"], layout.guarded():
            numbers = list(range(count + 1))
            first, second, own = st.columns([2, 2, 1], vertical_alignment="bottom")
            a = option(first.select_slider, "Left: level", numbers, "depth.first", 0)
            b = option(second.select_slider, "Right: level", numbers, "depth.second", 1)
            with own:
                apart = switch("Own scales", not common, "depth.own-scales")
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
    if "Sheet over two numbers" in opened:
        with opened["Sheet over two numbers"], layout.guarded():
            sheet.two_numbers(data, base, current)
    if "All numbers" in opened:
        with opened["All numbers"]:
            job = svm_job()
            complete = computed if job is None else deep.with_svm(computed, job.spec, list(job.results))
            st.dataframe(table(complete), hide_index=True)
