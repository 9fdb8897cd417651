"""Depth: what each level of a kernel does to the Gram matrix, to the border, and to the errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from kernlib.analysis import Summary, compare_levels, level_sentences
from kernlib.analysis.levels import LevelChoice, collapse
from kernlib.data import Dataset
from kernlib.figures import depth
from kernlib.figures.depth import collapse_words
from kernlib.figures.frames import mark_frames
from kernlib.figures.machine import border_frames, border_plot, border_title, decided
from pages.parts.frame import layout, slider, waiting
from pages.parts.frame.slider import error_words, scrub
from pages.parts.frame.waiting import View, current_view
from pages.parts.inputs.controls import binding, button, in_row, option, plain, value_of
from pages.parts.results import compute
from pages.parts.results import levels as deep
from pages.parts.results.levels import Levels
from pages.parts.session import state
from pages.views.depth import evidence
from pages.views.depth.map import map_of

#: What a level compares, by the declaration of the kernel that makes the levels.
_COMPARED = {
    "distances": "distances one level below",
    "angles": "angles one level below",
    "neighbourhoods": "neighbourhoods one step wider",
}


def main(view: View) -> None:
    """Draw the sentence, the slider of levels, the large picture, and the errors over the level."""
    data = view.data
    offered, outer = deep.recipes(data, view.kernel)
    named = {one.name: one for one in offered}
    kept = value_of("depth.recipe", offered[0].name, {name: name for name in named}.__getitem__)
    chosen = offered[0] if outer is not None else named[kept]
    levels, used = deep.levels_of_page(data, chosen, outer)
    stops = range(levels.count + 1)
    ways = ["Matrix", *(["Border"] if deep.has_border(data) else []), "Map"]
    if deep.in_the_plane(data, levels):
        ways.insert(0, ways.pop(1))  # shows most there
    way = value_of("depth.view", ways[0], {one: one for one in ways}.__getitem__)
    measured = deep.measured(data, levels)
    targets = [] if way == "Map" else _targets(data, levels, way)
    shown = map_of(data, levels, used) if way == "Map" else None
    wrong = _wrong(data, levels) if way == "Border" else {}

    def use(name: str, level: int) -> None:
        """Make a level of a recipe the kernel of all pages."""
        state.choose("depth.recipe", name)
        state.adopt(named[name].at(level))

    take = partial(use, chosen.name)

    def star(known: Mapping[int, Summary]) -> int | None:
        choice = _choice(levels, known)
        return choice.level if choice is not None and choice.helps else None

    def head(known: Mapping[int, Summary]) -> None:
        rings = [slider.error_rings("depth-curve", stops, known)] if compute.labelled(data) else []
        if shown is None:
            layout.sentence(_sentences(data, levels, known))
        with in_row(key="hand", vertical_alignment="top", gap="medium"):
            option(st.segmented_control, "Picture", ways, "depth.view", label_visibility="collapsed")
            names = list(named)
            st.selectbox(
                "What a level is",
                names,
                index=names.index(chosen.name),
                format_func=lambda name: f"{name}, in use" if name == chosen.name and used > 0 else name,
                label_visibility="collapsed",
                width=300,
                help="What makes the next kernel from the one below. Rows of every kind have their own choices.",
                **binding(f"depth.recipes.{'|'.join(names)}", chosen.name, lambda name: use(name, max(used, 1))),
            )
            if shown is not None:
                shown.menu()
            scrub(
                "hand.slider",
                f"{data.digest[:12]}.{chosen.name}",
                "level",
                list(map(str, stops)),
                used,
                take,
                [*targets, *rings],
                [f"{error_words(known[i].errors)}{wrong.get(i, '')}" if i in known else "" for i in stops],
            )

    above = st.container()
    waiting.show(measured, head)
    left, right = layout.main_and_beside()
    with left, layout.guarded():
        if shown is not None:
            shown.draw()
            with above:  # drawing the map may have measured the last of its cells
                layout.sentence(shown.words())
        elif way == "Map":
            st.info("This kernel has no parameter but its level.")
        else:
            _large(data, levels, way, used)
    layout.after_the_picture()
    with right, layout.guarded():
        if way != "Map":
            layout.panel(
                f"All levels{deep.of_rows(data)}",
                depth.level_strip(deep.small_pictures(data, levels), used),
                "depth.levels",
                fill="half",
                on_press=partial(slider.take_pressed, stops, used, take),
            )
        if compute.labelled(data):
            slider.error_curve(
                "depth.curve",
                measured,
                {},
                stops,
                used,
                take,
                "level",
                star=star,
                fill="controls" if way == "Map" else "half",
            )
    known = measured.value()
    choice = _choice(levels, known)
    _next_step(view, used, choice, take)
    evidence.draw(data, known, choice)


def _choice(levels: Levels, known: Mapping[int, Summary]) -> LevelChoice | None:
    """Return the comparison of all levels; None before they are measured, and without errors."""
    return compare_levels(known) if len(known) > levels.count else None


def _next_step(view: View, used: int, choice: LevelChoice | None, take: Callable[[int], None]) -> None:
    """Draw the one next step: take the level that the sentence names, else measure the levels with error bars."""
    if choice is not None and choice.helps and choice.level != used:
        best = choice.level
        button(f"Use level {best}", "depth.best", take, best, type="primary", icon=":material/star:")
    elif compute.labelled(view.data):
        varied = "depth" if view.kernel.level_step else "depth: levels on top"
        icon = ":material/arrow_forward:"
        button("Which level predicts best?", "depth.next", state.vary, varied, type="primary", icon=icon)


def _sentences(data: Dataset, levels: Levels, known: Mapping[int, Summary]) -> str:
    if len(known) <= levels.count:
        return f"Each level is made from the one before: measuring {len(known)} of {levels.count + 1} levels."
    lines = level_sentences(known)
    if not lines:
        lines = ["Without labels, no error says how deep to go." if data.y is None else "No error could be measured."]
        lines += filter(None, [collapse_words(collapse(known))])
    return "\n".join(lines[:2])


def _wrong(data: Dataset, levels: Levels) -> dict[int, str]:
    """Return how many rows of the border's picture lie on the wrong side at each level, in words."""
    found = {}
    for level, (trained, picture) in enumerate(deep.machines(data, levels)):
        f, ringed = decided(trained, picture)
        if f is not trained.decision:
            found[level] = f"; in the picture {len(ringed)} of {len(f)} rows on the wrong side"
    return found


def _large(data: Dataset, levels: Levels, way: str, used: int) -> None:
    """Draw the matrix of a level, or its border: in the plane of the rows, or across feature space."""
    if way == "Border":
        rows, (trained, picture) = deep.drawn(data), deep.machines(data, levels)[used]
        some = f": {plain(' or '.join(trained.classes))}" if len(data.classes) > 2 else ""
        title = f"{plain(border_title(trained, picture))}{some}{deep.of_rows(data)}"
        fig = border_plot(trained, picture, rows.inputs, rows.ids, rows.columns)
        layout.panel(title, fig, "depth.border", fill="controls")
        return
    K = compute.gram(data, levels.kernel(used))
    title = f"Gram matrix: a level compares rows by {_COMPARED[levels.recipe.kernel.level_step]}"
    layout.gram_panel(K, deep.order(data, levels), data, title, "depth", f"level-{used}")


def _targets(data: Dataset, levels: Levels, way: str) -> list[dict[str, Any]]:
    """Return the frames of the page's figures, one for each level."""
    if way == "Border":
        target = border_frames("depth-border", deep.machines(data, levels), deep.drawn(data).inputs)
    else:
        target = deep.frames(data, levels)
    count = levels.count + 1
    return [target, mark_frames("depth-levels", [depth.strip_mark(level, count) for level in range(count)])]


main(current_view())
