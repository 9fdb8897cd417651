"""Figures of a comparison: one line per kernel, one square per setting."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib.advice import candidates, guessing, recommended, search
from kernlib.data import Dataset, load_dataset
from kernlib.figures import choose, theme
from kernlib.values.words import percent

from .checking import check

DATA = load_dataset("iris", n=60)


@pytest.fixture(scope="module")
def states():
    return list(search(DATA))


def test_one_line_a_kernel_the_best_first(states):
    state = states[-1]
    fig = choose.race_lines(state, guessing(DATA))
    check(fig)
    traces = {trace.name: trace for trace in fig.data}
    words = [note.text for note in fig.layout.annotations]
    assert [any(theme.escape(one.chain, 60) in text for text in words) for one in state.best] == [True] * len(
        state.best
    )
    assert traces["pictures"].z.shape[0] == 50 * len(state.best)
    heights = {note.y for note in fig.layout.annotations if note.yref != "paper"}
    assert heights == set(traces["names"].y), "a click on a name is a click on its line"
    assert [round(y) for y in traces["names"].y] == list(traces["names"].customdata)
    assert not fig.layout.shapes
    assert fig.layout.xaxis.showgrid is False
    for upright in ("the best", "guessing"):
        ends = [y for y in traces[upright].y if y is not None] if upright in traces else []
        assert not any(a < y < b for a, b in zip(ends[::2], ends[1::2], strict=True) for y in heights)
    assert "guessing has 66.7%" in theme.alt(fig)
    dots = traces["error"]
    worse = [one.measured.dropped for one in state.best]
    assert [symbol == "circle-open" for symbol in dots.marker.symbol] == worse
    assert state.best[list(dots.marker.symbol).index("star")] is recommended(state.best)
    gaps = [one.measured.difference for one in state.best]
    assert_allclose(dots.x, [0.0 if gap is None else gap.mean for gap in gaps], atol=1e-12)
    for gap, end, dropped in zip(gaps, dots.x - dots.error_x.arrayminus, worse, strict=True):
        assert end == pytest.approx(0.0 if gap is None else gap.low, abs=1e-12)
        assert (end > 0) == dropped, "a bar that does not reach 0 is significantly worse"
    assert all(f"<b>{percent(one.error, 3)}</b>" in "".join(words) for one in state.best)


def test_settings_appear_as_they_are_compared(states):
    settings = candidates(DATA)
    empty, begun, done = (choose.settings_grid(settings, state) for state in (None, states[3], states[-1]))
    for fig in (empty, begun, done):
        check(fig)
    assert [trace.name for trace in empty.data] == ["not compared yet"]
    assert empty.data[0].marker.symbol == "circle", "an empty square looks like a checkbox"
    assert sum(len(trace.x) for trace in begun.data) == len(settings)
    assert [trace.name for trace in done.data] == ["squared leave-one-out error"]


def test_real_targets_have_a_share_of_the_variance():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(40, 2))
    data = Dataset("r", "r", "vector", rows, y=rows[:, 0] + 0.1 * rng.normal(size=40), task="regression")
    *_, state = search(data)
    fig = choose.race_lines(state, guessing(data))
    check(fig)
