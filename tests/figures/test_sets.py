"""Figures of several sets: a bar for each set and kernel, a line for each mean rank."""

from dataclasses import replace

import numpy as np
import pytest

from kernlib import RBF, Linear
from kernlib.advice import MultiComparison, OnSet
from kernlib.figures import sets, theme

from .checking import HOSTILE, check


def made(count, title="S"):
    """Sets on which the second kernel errs least and the third most."""
    rng = np.random.default_rng(0)
    kernels = (Linear(), RBF(sigma=1.0), RBF(sigma=2.0))
    errors = [np.array([[0.2], [0.1], [0.4]]) + rng.normal(0, 0.01, (3, 4)) for _ in range(count)]
    one = [OnSet(f"{title}{i}", str(i), 40, kernels, of, "error", 1.0) for i, of in enumerate(errors)]
    return MultiComparison(("A", HOSTILE[0], "C"), tuple(one), count)


def test_bars_are_the_improvements_over_the_first():
    state = made(3, HOSTILE[4])
    fig = sets.improvement_bars(state)
    check(fig)
    assert [trace.type for trace in fig.data] == ["bar", "bar"]
    for place, trace in enumerate(fig.data, 1):
        gains = [one.improvements[place] for one in state.sets]
        assert list(trace.y) == pytest.approx([max(-1.0, gain.value) for gain in gains])
        assert list(trace.error_y.array) == pytest.approx([gain.spread for gain in gains])
    assert "on 3" in theme.alt(fig)
    alike = replace(
        state, sets=tuple(replace(one, title=f"{'long title ' * 4}{i}") for i, one in enumerate(state.sets))
    )
    bars = sets.improvement_bars(alike)
    assert list(bars.data[0].x) == [0, 1, 2]
    assert len(set(bars.layout.xaxis.ticktext)) == 1
    begun = state.sets[0].errors.copy()
    begun[:, 2:] = np.nan
    half = replace(state, sets=(*state.sets[1:], replace(state.sets[0], errors=begun)))
    check(sets.improvement_bars(half))


def test_a_line_a_kernel_the_best_rank_first():
    fig = sets.rank_lines(made(8))
    check(fig)
    (means,) = [trace for trace in fig.data if trace.name == "mean rank"]
    assert list(means.x) == [1.0, 2.0, 3.0]
    assert list(means.marker.symbol) == ["circle", "circle", "circle-open"]
    (band,) = fig.layout.shapes
    assert 2.0 < band.x1 < 3.0
    check(sets.rank_lines(made(1)))


def test_the_report_holds_both_figures_and_plotly_once():
    html = sets.sets_page(made(2))
    assert html.count("plotly-graph-div") == 2
    assert len(html) < 7e6
