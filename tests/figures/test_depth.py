"""The strip of levels, how they compare, the border and the map."""

from dataclasses import replace

import numpy as np
import pytest

from kernlib import RBF, Deep
from kernlib.analysis.levels import levels_of
from kernlib.analysis.summary import Summary, summarise
from kernlib.figures import depth, gram
from kernlib.protocols import HalvesErrors

from .checking import HOSTILE, check


def halves(test, training=0.02):
    return HalvesErrors("classification", "error", (test - 0.01, test, test + 0.01), (training,) * 3, 0.5, 40, 20)


@pytest.fixture
def levels():
    X = np.random.default_rng(0).standard_normal((20, 3))
    return levels_of(X @ X.T, 5)


@pytest.mark.parametrize("K", [np.ones((1, 1)), np.zeros((2, 2)), np.ones((5, 5)), np.eye(3), -np.eye(3)])
def test_degenerate_levels(K):
    check(depth.level_strip([gram.small_picture(K)], 0))


def test_the_strip_has_a_picture_and_a_point_for_each_level_and_frames_the_one_in_view(levels):
    fig = depth.level_strip([gram.small_picture(one.K) for one in levels], 4)
    check(fig)
    pictures, words, points, frame = fig.data
    assert list(points.customdata) == [0, 1, 2, 3, 4, 5]
    assert list(words.text) == ["0", "1", "2", "3", "4", "5"]
    assert min(frame.x) < points.x[4] < max(frame.x)
    shown = pictures.z[:40, 4 * 52 : 4 * 52 + 40]
    assert shown.max() > shown.min(), "blocks are seen"


def test_a_flat_level_is_one_shade():
    assert np.ptp(gram.small_picture(1 + 1e-12 * np.arange(16.0).reshape(4, 4))) < 1e-9
    assert np.ptp(gram.small_picture(np.ones((6, 6)) + 1e-14 * np.eye(6))) < 0.01


def test_the_map_has_the_errors_of_each_cell_as_colours_and_says_which_are_worse():
    X = np.random.default_rng(1).normal(size=(20, 3))
    y = np.arange(20) % 2
    values, levels = (0.5, 2.0), (0, 1)
    errors = {(0.5, 0): halves(0.4), (0.5, 1): halves(0.4), (2.0, 0): halves(0.1, 0.1), (2.0, 1): halves(0.1)}
    frames = {
        (s, level): summarise(Deep(RBF(sigma=s), level=level)(X), y, np.arange(20), errors=errors[s, level])
        for s in values
        for level in levels
    }
    fig = depth.level_map("σ", values, levels, frames, (2.0, 1))
    check(fig)
    # A frame is as wide as its picture is small: a line of fixed width would hide the ground on a phone.
    grounds = [shape.fillcolor for shape in fig.layout.shapes if shape.fillcolor][::2]
    assert grounds[0] == grounds[1] != grounds[2] == grounds[3], "one test error has one colour"
    assert list(fig.data[2].customdata) == [0, 1, 2, 3]
    alike = {place: replace(one, errors=halves(0.0, 0.0)) for place, one in frames.items()}
    bar = depth.level_map("σ", values, levels, alike, None).data[2].marker
    assert (bar.cmin, bar.cmax) == (0.0, 0.5), "equal errors: a bar without a range is drawn from −50%"
    first, second = depth.map_words("σ", errors, (0.5, 1))
    assert depth.recommended_cell(errors, None) == (2.0, 0)
    assert first == "Take σ = 2 and level 0: test error 10%. The kernel in use has 40%."
    marked = depth.level_map("σ", values, levels, frames, (2.0, 1), (2.0, 0))
    assert [text for one in marked.data for text in one.text or () if "★" in text] == ["<b>★</b> <b>10%</b>"]
    worse = "By 3 halves, {} of the other {} are significantly worse."
    assert second == "It is the smallest of 4, on the map's edge: beyond, it may be smaller. " + worse.format(2, 3)
    deeper = {**errors, (9.0, 2): halves(0.5, 0.0), (9.0, 3): halves(0.5, 0.5)}
    first, second = depth.map_words("σ", deeper, (2.0, 0))
    assert first == "Keep σ = 2 and level 0: test error 10%."
    assert second == "It is the smallest of 6. " + worse.format(4, 5)
    near = {(0.5, 0): replace(halves(0.12), tests=(0.15, 0.1, 0.11)), (2.0, 3): halves(0.1), (9.0, 1): halves(0.4)}
    first, second = depth.map_words("σ", near, None)
    assert first == "Take σ = 0.5 and level 0: test error 12%."
    smaller = "The smallest of 3 is 10%, at σ = 2 and level 3, on the map's edge: beyond, it may be smaller."
    assert second.startswith(f"{smaller} At level 0, 12% is within one standard error of it.")
    assert depth.recommended_cell({**near, (0.6, 0): near[0.5, 0]}, (0.6, 0)) == (0.6, 0), "no change without a reason"
    alike = {**near, (0.6, 0): halves(near[0.5, 0].test)}
    assert depth.recommended_cell(alike, (0.6, 0)) == (0.6, 0), "of equal errors the kernel in use"
    some = {(0.5, 0): Summary(20, problem="no <b>inverse</b>")}
    check(depth.level_map(HOSTILE[0], values, levels, some, None))
    assert depth.map_words("σ", {}, None) == ["No kernel has an error."]
    blind = {(0.5, 0): halves(0.5, 0.0), (2.0, 0): halves(0.45, 0.0)}
    assert depth.recommended_cell(blind, (2.0, 0)) is None
    said = "No kernel of the map learns: the smallest test error is 45%, guessing 50%."
    assert depth.map_words("σ", blind, (2.0, 0)) == [said]


@pytest.mark.parametrize(
    "K", [np.full((8, 8), 0.3) + 0.2 * np.eye(8), 9.0 * np.eye(8) + np.arange(64.0).reshape(8, 8) / 40]
)
def test_a_small_picture_has_the_colours_of_the_large_one(K):
    """A level that memorises was green where it is large, and nearly black where it is small."""
    large = gram.gram_heatmap(K).data[0]
    shades = np.clip((K - large.zmin) / (large.zmax - large.zmin), 0, 1)
    np.testing.assert_allclose(gram.small_picture(K)[::5, ::5], shades, atol=1e-6)
