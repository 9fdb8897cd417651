"""Depth: what each level of a deep kernel machine does to the Gram matrix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernlib import Kernel
from kernlib.analysis import DeepLevel, LevelNumbers, Recipe, compare_levels, level_sentences
from kernlib.data import Dataset
from kernlib.figures import (
    QUANTITIES,
    Beside,
    before_after,
    borders_beside,
    correlations_beside,
    distances_beside,
    level_film,
    level_lines,
    recipe_lines,
)
from kernlib.protocols import halves_machine, suitable_measure
from kernlib.values.declare import Parameter
from kernlib.values.words import percent, value_in_words
from kernlib.wrappers.infinite import Layers
from pages.parts.frame import layout, waiting
from pages.parts.frame.film import frame_button
from pages.parts.frame.view import View, current_view
from pages.parts.inputs.controls import number, option, options, switch, tabs, value_of
from pages.parts.inputs.plain import plain
from pages.parts.inputs.widgets import parameter_control, parameter_value
from pages.parts.results import compute
from pages.parts.results import levels as deep
from pages.parts.results.asking import Done, Together
from pages.parts.server.holder import deferred
from pages.parts.session import state
from pages.views.depth import sheet

#: Data on which levels help: the nearest centroid's error falls by more than half.
#: Bandwidths that can be set, in units of the heuristic.
FACTORS = [0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0]
#: Parameters that the menu of recipes chooses.
FIXED = ("order", "of")
LINES = ("errors", "alignment", "effective_rank", "off_diagonal_spread", "dimension")


@dataclass(frozen=True)
class Scene:
    """What the page draws: levels 0…`count` of a recipe over the rows, and which of them is in use.

    `used` is the outermost levels of the kernel in use. `side` names what stands beside the matrix; `common` is one
    colour scale for all levels, `difference` the change from level 0 in place of the levels.
    """

    data: Dataset
    recipes: tuple[Recipe, ...]
    used: Kernel | None
    recipe: Recipe
    count: int
    bandwidths: deep.Bandwidths
    side: str
    common: bool
    difference: bool

    @property
    def current(self) -> int | None:
        """Return the level in use; None where the levels of another recipe are."""
        return deep.level_of(self.recipe, self.used)

    @property
    def levels(self) -> tuple[DeepLevel, ...]:
        """Return the Gram matrices of the levels."""
        return deep.levels(self.data, self.recipe, self.count, self.bandwidths)

    @property
    def order(self) -> np.ndarray:
        """Return the order of the rows in every matrix."""
        return compute.order(self.data, self.recipe.base, "class" if self.data.y is not None else "clustering")


def take(scene: Scene, level: int) -> None:
    """Make a level the kernel of all pages."""
    kernel, own = scene.recipe.at(level), scene.bandwidths
    state.adopt(kernel.with_fields({"bandwidths": own}) if kernel.level_step == "distances" and own else kernel)


def tuned(one: Recipe, outer: Kernel | None, value: Callable[[Parameter, Any, str], Any]) -> Recipe:
    """Return a recipe with the parameters chosen here; by default those of the levels in use, if these are its own."""
    own = {p.name: p for p in type(one.kernel).parameters() if p.name not in ("level", "bandwidths", *FIXED)}
    used = outer if type(outer) is type(one.kernel) else one.kernel
    chosen = {
        name: value(p, getattr(used, name), f"depth.{type(one.kernel).__name__}.{name}") for name, p in own.items()
    }
    return replace(one, kernel=replace(one.kernel, **chosen))


def in_use(recipes: tuple[Recipe, ...], outer: Kernel | None) -> Recipe:
    """Return the recipe of the outermost levels in use; the first one if there are none."""
    like = [one for one in recipes if type(one.kernel) is type(outer)]
    same = [one for one in like if all(getattr(one.kernel, p, 0) == getattr(outer, p, 0) for p in FIXED)]
    return next(iter(same or like), recipes[0])


def chosen_bandwidths(data: Dataset, recipe: Recipe, count: int) -> deep.Bandwidths:
    """Draw the switch and the slider of one level's bandwidth; return all that were set."""
    own = switch(
        "Set the bandwidths",
        False,
        "depth.by-hand",
        help="Otherwise h is the mean distance between rows in feature space, level by level.",
    )
    if not own:
        return ()
    heuristic = deep.levels(data, recipe, count, ())
    level = number("Level", 1, count, 1, "depth.h.level")
    option(
        st.select_slider,
        f"h of level {level}, in units of {value_in_words(heuristic[level].bandwidth)}",
        FACTORS,
        f"depth.h.{level}",
        1.0,
    )
    factors = [value_of(f"depth.h.{one.level}", 1.0, float) for one in heuristic[1:]]
    pairs = zip(factors, heuristic[1:], strict=True)
    chosen = tuple(None if f == 1.0 or one.bandwidth is None else f * one.bandwidth for f, one in pairs)
    return chosen if any(chosen) else ()


def chosen_scene(data: Dataset, kernel: Kernel, head: DeltaGenerator) -> tuple[Scene, DeltaGenerator]:
    """Draw the menus above the matrix; return what they choose, and the place of the buttons among them."""
    recipes, outer = deep.recipes(data, kernel)
    named = {one.name: one for one in recipes}
    with head:
        taking = st.container(width="content")
        recipe = named[
            option(
                st.selectbox,
                "What a level is",
                list(named),
                "depth.recipe",
                in_use(recipes, outer).name,
                label_visibility="collapsed",
                width=330,
                help="What makes the next kernel from the one below. Rows of every kind have their own choices.",
            )
        ]
    recipe = tuned(recipe, outer, parameter_value)
    network = isinstance(recipe.kernel, Layers)
    sides = ["Numbers"] + (
        ["Correlations"] if network else ["Distances"] if recipe.kernel.level_step == "distances" else []
    )
    sides += ["Border"] if deep.has_borders(data, recipe) else []
    with head:
        side = option(
            st.segmented_control,
            "Beside the matrix",
            sides,
            "depth.side",
            label_visibility="collapsed",
            help="Beside the matrix: numbers over the level, what a level does to distances or correlations, or "
            "borders in the plane.",
        )
    presses = head.container(horizontal=True, width="stretch", gap="small")
    with head.popover("", icon=":material/tune:", help="Levels, colours and bandwidths"):
        tuned(recipe, outer, parameter_control)
        last = deep.last_level(data, recipe)
        count = number(
            "Last level", 1, last, last, "depth.levels",
            help=f"The slider ends at level {last}"
            + (
                ", where all pairs look alike."
                if last != deep.TEN
                else ": over 1,000 rows, each level takes long." if data.n > deep.QUICK else "."
            ),
        )  # fmt: skip
        common = layout.first_of(
            "Colours",
            ("One scale", "Each its own"),
            "depth.scale",
            "One scale shows a collapse. Separate scales show faint structure, but colours of levels no longer match.",
        )
        difference = not layout.first_of("Shown", ("Levels", "Change from level 0"), "depth.shown")
        bandwidths = chosen_bandwidths(data, recipe, count) if recipe.kernel.level_step == "distances" else ()
    scene = Scene(data, recipes, outer, recipe, count, bandwidths, side, common, difference)
    with taking:
        frame_button("depth.take", partial(take, scene), "Use this level")
    return scene, presses


def beside(scene: Scene) -> Beside | None:
    """Return what stands beside the matrix; None for the numbers over the level."""
    data, chosen = scene.data, (scene.data, scene.recipe, scene.count)
    if scene.side == "Distances":
        return distances_beside(deep.distances(*chosen, scene.bandwidths), data.ids)
    if scene.side == "Correlations":
        trained = getattr(scene.recipe.kernel, "of", "") == "ntk"
        return correlations_beside(deep.correlations(*chosen), data.ids, trained=trained)
    if scene.side == "Border" and data.y is not None:
        borders = deep.borders(*chosen, scene.bandwidths)
        return borders_beside(borders, data.inputs, data.y, data.classes, data.ids, data.columns)
    return None


def film(scene: Scene, numbers: tuple[LevelNumbers, ...]) -> None:
    """Draw the large matrix with its scrubber through all levels, and the numbers that are known."""
    data = scene.data
    fig = level_film(
        scene.levels,
        numbers,
        scene.order,
        data.y,
        data.classes,
        data.ids,
        common=scene.common,
        difference=scene.difference,
        beside=beside(scene),
        start=scene.current or 0,
        used=scene.current,
        narrow=layout.narrow(),
    )
    with st.container(key="film"):
        layout.figure(fig, layout.film_key("depth"), fill="film", name="levels", data=lambda: table(numbers))


#: How levels are compared.
_TESTED = (
    "All levels have the same five halves. Each is compared with the best by a corrected resampled t-test, at 5% over "
    "all levels together (Holm)."
)


def judged(scene: Scene, numbers: tuple[LevelNumbers, ...], presses: DeltaGenerator) -> None:
    """Draw whether levels help here, and the button that takes the level of the star."""
    lines = level_sentences(numbers)
    if not lines:
        st.markdown("**Without labels no error says how deep to go.** Look where blocks sharpen, and where they fade.")
        return
    first, *more = map(plain, lines)
    st.markdown(" ".join([f"**{first}**", *more]), help=_TESTED)
    choice = compare_levels(numbers)
    with presses:
        if choice is not None and choice.level not in (0, scene.current):
            st.button(
                f"Use level {choice.level}",
                key="depth.best",
                type="tertiary",
                icon=":material/star:",
                help="Make this level the kernel of all pages.",
                on_click=deferred(take, scene, choice.level),
            )


def errors_in_words(scene: Scene) -> None:
    """Draw the caption that explains the errors, with the one error that depth cannot change."""
    if scene.data.y is None or not compute.labelled(scene.data):
        return
    measure = suitable_measure(scene.data.y, scene.data.task or "auto")
    caption = (
        f"Errors are those of a {halves_machine(measure).describe()}, on five random halves. The kernel learns from "
        "the training half alone."
    )
    nearest = (
        deep.nearest_neighbour(scene.data, scene.recipe.base) if scene.recipe.kernel.level_step == "distances" else None
    )
    if nearest is not None:
        caption += (
            f" A nearest neighbour misclassifies {percent(nearest)} at *every* level. A level keeps the order of all "
            "distances, so the neighbours stay the same."
        )
    st.caption(caption)


def lines(numbers: tuple[LevelNumbers, ...]) -> None:
    """Draw the chosen numbers over the level, as far as they are known."""
    drawable = [q for q in QUANTITIES if q != "errors" or any(one.errors for one in numbers)]
    chosen = options(
        "Lines",
        drawable,
        "depth.lines",
        [q for q in LINES if q in drawable],
        format_func=lambda q: QUANTITIES[q][0],
        label_visibility="collapsed",
    )
    layout.figure(level_lines(numbers, chosen), "depth.chart", name="levels", data=lambda: table(numbers))


def two_recipes(scene: Scene) -> None:
    """Draw the numbers of this recipe and of another one over each other, as far as they are known."""
    data, recipe = scene.data, scene.recipe
    named = {one.name: one for one in scene.recipes}
    others = [name for name in named if name != recipe.name]
    name = option(st.selectbox, "Compared with", others, "depth.other", others[-1], width=420)
    other = tuned(named[name], scene.used, parameter_value)

    levels_of_both = min(scene.count, deep.TEN)
    both = Together(
        deep.numbers(data, recipe, levels_of_both, scene.bandwidths), deep.numbers(data, other, levels_of_both, ())
    )

    def draw(known: tuple[dict[int, LevelNumbers], ...]) -> None:
        named = {key: tuple(one.values()) for key, one in zip((recipe.name, name), known, strict=True)}
        layout.figure(recipe_lines(named), "depth.recipes", name="recipes")

    waiting.show(both, draw)


def two_levels(scene: Scene) -> None:
    """Draw the Gram matrices of two levels side by side."""
    left, right, own = st.columns([2, 2, 1], vertical_alignment="bottom")
    a = option(left.select_slider, "Left: level", range(scene.count + 1), "depth.first", 0)
    b = option(right.select_slider, "Right: level", range(scene.count + 1), "depth.second", 1)
    with own:
        apart = switch("Own scales", not scene.common, "depth.own-scales")
    # On one scale in units of the mean diagonal, as above: a level's own size is not what compares.
    first, second = (scene.levels[i].K if apart else deep.in_units(scene.levels[i]) for i in (a, b))
    units = "" if apart else ", over its mean diagonal"
    layout.figure(
        before_after(
            first,
            second,
            titles=(f"level {a}{units}", f"level {b}{units}"),
            order=scene.order,
            y=scene.data.y,
            classes=scene.data.classes,
            ids=scene.data.ids,
            common=not apart,
        ).update_layout(height=560),
        "depth.beside",
        name="two-levels",
    )


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
            "noise": level.noise,
            **level.errors,
        }
        for level in numbers
    )


def main(view: View) -> None:
    """Draw the verdict, the menus, the film, and what is below it."""
    data = view.data
    verdict = st.container(key="verdict")
    head = st.container(key="depth-head", horizontal=True, vertical_alignment="center", gap="small")
    scene, presses = chosen_scene(data, view.kernel, head)
    with layout.guarded():
        measured = deep.numbers(data, scene.recipe, scene.count, scene.bandwidths)
        complete = measured.done()
        computed = tuple(measured.value().values())
        film(scene, computed)
        errors_in_words(scene)
        title, place = tabs(
            ["All numbers", "Two recipes", "Two levels side by side", "Sheet over two numbers"], "depth.tab"
        )
        with place, layout.guarded():
            if title == "All numbers":
                lines(computed)
                st.dataframe(table(computed), hide_index=True)
            elif title == "Two recipes":
                two_recipes(scene)
            elif title == "Two levels side by side":
                two_levels(scene)
            else:
                sheet.two_numbers(data, scene.recipe, scene.current or 0)
        with verdict:  # last: the first slice of numbers is computed when all else has been sent
            if isinstance(waiting.show(measured), Done):
                if not complete:  # the last level was measured below: film and table lack it
                    st.rerun()
                judged(scene, computed, presses)


layout.heading(
    "How deep should the kernel be?",
    "Each level makes a new kernel from the one below. The first levels often separate the classes; too many make all "
    "pairs alike.",
)
main(current_view())
