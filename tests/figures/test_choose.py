"""Figures of a comparison: one line per kernel, one square per setting."""

import numpy as np
import pytest

from kernlib.advice import candidates, expected, guessing, recommended, search
from kernlib.data import Dataset, load_dataset
from kernlib.figures import choose, theme

from .checking import check

DATA = load_dataset("iris", n=60)


@pytest.fixture(scope="module")
def states():
    return list(search(DATA))


def test_one_line_a_kernel_the_best_first(states):
    state = states[-1]
    fig = choose.race_lines(state, guessing(DATA), expected(state))
    check(fig)
    traces = {trace.name: trace for trace in fig.data}
    words = [note.text for note in fig.layout.annotations]
    assert [any(theme.escape(one.chain, 60) in text for text in words) for one in state.best] == [True] * len(
        state.best
    )
    assert traces["pictures"].z.shape[0] == 50 * len(state.best)
    heights = {note.y for note in fig.layout.annotations if note.yref != "paper"}
    assert heights == set(traces["names"].y), "a click on a name is a click on its line"
    assert [round(y + 0.3) for y in traces["names"].y] == list(traces["names"].customdata)
    assert not fig.layout.shapes
    (place,) = traces["expected on new rows"].y
    assert state.best[round(place - 0.26)] is recommended(state.best), "the number is that of the kernel to take"
    assert fig.layout.xaxis.showgrid is False
    for upright in ("the best", "guessing"):
        ends = [y for y in traces[upright].y if y is not None] if upright in traces else []
        assert not any(a < y < b for a, b in zip(ends[::2], ends[1::2], strict=True) for y in heights)
    assert "guessing has 66.7%" in theme.alt(fig)
    dots = traces["error"]
    assert list(dots.x) == [one.error for one in state.best]
    worse = [one.measured.dropped for one in state.best]
    assert [symbol == "circle-open" for symbol in dots.marker.symbol] == worse
    ends = dots.x - dots.error_x.arrayminus
    for one, end in list(zip(state.best, ends, strict=True))[1:]:
        leader = one.error - one.measured.difference.mean
        assert end == pytest.approx(leader + one.measured.difference.low)
        assert (end > leader) == one.measured.dropped


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
    fig = choose.race_lines(state, guessing(data), expected(state), share=False)
    check(fig)
    assert "unexplained variance" in fig.layout.xaxis.title.text
