"""The film: its size, its fixed scales, what moves; the small figures of the overview."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from kernlib.errors import DataError
from kernlib.figures import gram, overview, theme
from kernlib.figures.film import film_figure, film_limits
from kernlib.figures.lecture import offline_page
from kernlib.overview.film import Film, frame_of, missing_frame
from kernlib.protocols import errors_of_matrix

from .checking import HOSTILE, check


def film(n=40, values=(0.5, 1.0, 2.0, 4.0), labelled=True):
    rng = np.random.default_rng(0)
    y = np.arange(n) % 2
    X = rng.standard_normal((n, 2)) + 1.5 * y[:, None]
    d2 = ((X[:, None] - X) ** 2).sum(-1)
    order = np.argsort(y, kind="stable")
    label = y if labelled else None
    frames = []
    for v in values:
        K = np.exp(-d2 / (2 * v * v))
        frames.append(frame_of(K, label, order, v, errors=errors_of_matrix(K, y) if labelled else None))
    return Film("σ", tuple(frames)), y, order


def test_all_four_pictures_move_and_scales_stand():
    made, y, order = film()
    fig = film_figure(made, y, ("a", "b"), order=order, log=True, start=1)
    check(fig)
    assert [f.name for f in fig.frames] == ["0.5", "1", "2", "4"]
    kinds = [t.type for t in fig.data]
    assert kinds == ["heatmap", "scatter", "scatter", "bar", *["scatter"] * 3]
    for place in (0, 1, 3, 6):
        drawn = [json.dumps(f.to_plotly_json()["data"][place], default=lambda v: v.tolist()) for f in fig.frames]
        assert len(set(drawn)) == 4, f"trace {place} moves"
    assert all(f.data[0].z.dtype == np.uint8 for f in fig.frames)
    assert len({tuple(f.data[0].colorbar.ticktext) for f in fig.frames}) == 1
    assert all(set(f.layout.to_plotly_json()) == {"title"} for f in fig.frames), "no diagonal is cut"
    assert "Colours reach to the mean diagonal" in theme.caption(fig)
    assert fig.layout.sliders[0].active == 1
    pulled = film_figure(made, y, ("a", "b"), order=order, stretched=True)
    marked = [[line.name for line in f.layout.shapes].count("diagonal") for f in pulled.frames]
    assert marked == [2 * (limit < 1) for limit in [film_limits(made.frames)[1]] * 4], "a cut diagonal is marked"
    assert "one range for all frames" in theme.caption(pulled)
    assert pulled.data[0].colorbar.ticktext[-1].startswith("≥ ")
    assert fig.data[0].colorbar.ticktext[-1] == "1"
    own = film_figure(made, y, ("a", "b"), order=order, per_frame=True)
    assert len({tuple(f.data[0].colorbar.ticktext) for f in own.frames}) == 4
    assert len({tuple(f.layout.to_plotly_json()["xaxis2"]["range"]) for f in own.frames}) == 4
    assert "own range" in theme.caption(own)


def test_on_a_telephone_panels_stand_below_each_other_and_the_sentence_is_whole():
    made, y, order = film()
    wide, narrow = (film_figure(made, y, ("a", "b"), order=order, narrow=upright) for upright in (False, True))
    check(narrow)
    assert narrow.layout.xaxis.domain == (0, 1)
    assert narrow.layout.xaxis2.domain == (0, 1)
    assert narrow.layout.yaxis2.domain[1] < narrow.layout.yaxis.domain[0]
    assert narrow.layout.yaxis3.domain[1] < narrow.layout.yaxis2.domain[0]
    for one, other in zip(wide.frames, narrow.frames, strict=True):
        lines = re.sub("</?b>", "", other.layout.title.text).split("<br>")
        assert max(map(len, lines)) <= 48
        assert " ".join(lines) == re.sub("</?b>", "", one.layout.title.text).replace("<br>", " ")


def test_shades_are_the_values_to_half_a_step():
    made, y, order = film()
    fig = film_figure(made, y, order=order, stretched=True)
    low, high = film_limits(made.frames)
    back = low + np.asarray(fig.frames[2].data[0].z, dtype=float) / 255 * (high - low)
    inside = np.clip(made.frames[2].cells, low, high)
    assert np.abs(back - inside).max() <= 0.51 * (high - low) / 255


@pytest.mark.parametrize("n", [40, 300])
def test_film_and_live_draw_a_large_diagonal_alike_and_as_what_it_is(n):
    """σ = 0.02: each row is similar only to itself, so all cells but the diagonal are dark in both."""
    made, y, order = film(n, (0.02, 0.5, 4.0))
    fig = film_figure(made, y, order=order)
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 2)) + 1.5 * y[:, None]
    d2 = ((X[:, None] - X) ** 2).sum(-1)
    for place, sigma in enumerate((0.02, 0.5, 4.0)):
        trace = gram.gram_panel(np.exp(-d2 / (2 * sigma**2)), order, y).data[0]
        assert (trace.zmin, trace.zmax) == (0.0, 1.0)
        shades = np.asarray(fig.frames[place].data[0].z, dtype=float) / 255
        live = np.asarray(trace.z)
        assert np.diagonal(shades).min() == np.diagonal(live).min() == 1.0
        off = [one[~np.eye(len(one), dtype=bool)] for one in (shades, live)]
        np.testing.assert_allclose(*[one.mean() for one in off], atol=0.01)
        if not place:
            assert max(np.quantile(one, 0.99) for one in off) < 0.1


def test_a_film_of_569_rows_stays_under_three_megabytes():
    made, y, order = film(569, tuple(np.geomspace(0.3, 30, 3)))
    whole = Film("σ", tuple(replace(made.frames[i % 3], value=float(i)) for i in range(19)))
    fig = film_figure(whole, y, ("a", "b"), order=order)
    assert fig.data[0].z.shape[0] <= 120
    assert len(check(fig)) < 3_000_000
    assert "Each cell averages 5×5 entries, and the diagonal shows k(x, x)" in theme.caption(fig)


def test_a_value_at_which_the_kernel_does_not_exist_is_a_frame_with_its_reason():
    made, y, order = film()
    whole = Film("σ", (missing_frame(0.1, 40, "sigma must be larger"), *made.frames))
    fig = film_figure(whole, y, order=order)
    check(fig)
    assert "sigma must be larger" in fig.frames[0].layout.title.text
    with pytest.raises(DataError, match="sigma must be larger"):
        film_figure(Film("σ", whole.frames[:1]), y, order=order)


def test_without_labels_two_pictures_are_left_and_nothing_is_invented():
    made, _, order = film(labelled=False)
    fig = film_figure(made, order=order)
    check(fig)
    assert {t.type for t in fig.data} == {"heatmap", "scatter"}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_are_inert(text):
    made, y, order = film()
    check(film_figure(Film(text, made.frames), y, (text, "b"), [text] * 40, order))
    check(overview.feature_map(made.frames[0], y, (text, "b"), [text] * 40))
    page = offline_page(overview.coefficient_bars(made.frames[0]), text, text)
    assert "<script>alert" not in page


def test_what_if_shows_what_is_known_and_the_present_value():
    made, _, _ = film()
    errors = [f.errors for f in made.frames]
    fig = overview.what_if(made.values, [errors[0], None, None, errors[3]], "σ", 1.0, errors[1], log=True)
    check(fig)
    test, training, now = fig.data
    assert np.isnan(test.y[1:3]).all()
    assert test.y[3] == errors[3].test
    assert training.y[0] == errors[0].training
    assert list(now.y) == [errors[1].test]
    whole = overview.what_if(made.values, errors, "σ", 1.0, errors[1], log=True)
    low, high = (replace(errors[0], tests=(error,), trainings=(0.0,), chance=0.5) for error in (0.1, 0.49))
    ends = [overview.what_if((1.0, 2.0), pair, "σ", 1.0, low) for pair in ([low, high], [high, low])]
    sides = [next(a.xanchor for a in fig.layout.annotations if a.text == "most frequent class") for fig in ends]
    assert sides == ["left", "right"], "the words stand where the curve is not"
    far = [replace(one, tests=(0.05,), trainings=(0.0,), chance=0.6) for one in errors]
    near = overview.what_if(made.values, far, "σ", 1.0, far[1])
    assert near.layout.yaxis.range[1] < 0.1, "guessing does not flatten the curves"
    assert "most frequent class 60% ↑" in [note.text for note in near.layout.annotations]
    assert whole.layout.xaxis.range == fig.layout.xaxis.range, "the axis does not move while points arrive"
    assert "from the training half alone" in theme.caption(fig)


def test_coefficients_up_to_three_times_the_cut():
    made, _, _ = film()
    frame = made.frames[1]
    fig = overview.coefficient_bars(frame)
    check(fig)
    assert len(fig.data[0].x) == max(20, 3 * frame.dimension)
    assert f"d̂ = {frame.dimension}" in fig.layout.annotations[0].text


def test_the_offline_page_holds_plotly_and_asks_for_nothing():
    made, y, order = film()
    page = offline_page(film_figure(made, y, ("a", "b"), order=order), "My film", "http://localhost/?a=1&b=2")
    assert len(page) > 3_000_000
    assert "http://localhost/?a=1&amp;b=2" in page
    assert "<link" not in page
    assert not re.search(r"<[a-z]+ [^<>]*src=.?http", page), "no tag; Plotly's code names the hosts of maps"
    assert "ArrowRight" in page
