"""Spectrum figures on small, degenerate and hostile data."""

import base64
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from kernlib.analysis import diagnose, kernel_pca
from kernlib.analysis.relevant import permutation_band, relevant_dimension, relevant_dimension_loo
from kernlib.figures import feature_map, noise_dimension_map, spectrum, theme

from .checking import HOSTILE, check


def gram_of(X):
    return np.exp(-((X[:, None] - X) ** 2).sum(-1) / 4)


@pytest.fixture
def two_classes():
    y = np.arange(24) % 2
    X = np.random.default_rng(1).standard_normal((24, 2)) + 2 * y[:, None]
    return X, gram_of(X), y


@pytest.mark.parametrize("values", [[], [1.0], [3.0, 0.0, -1.0], np.zeros(4), np.geomspace(1, 1e-12, 300)])
def test_eigenvalues(values):
    check(spectrum.eigenvalue_plot(values, cut=1))


def test_negative_eigenvalues_have_a_colour_and_those_of_rounding_are_left_out():
    fig = spectrum.eigenvalue_plot(diagnose(np.diag([3.0, 0.0, -1.0])))
    assert [t.name for t in fig.data] == ["positive", "negative"]
    assert "1 negative, 1 zero to rounding" in theme.alt(fig)


def bars(fig):
    return [trace for trace in fig.data if trace.type == "bar"]


def test_bars_that_rise_above_the_floor_have_a_colour_of_their_own(two_classes):
    _, K, y = two_classes
    rd = relevant_dimension(K, y)
    fig = spectrum.coefficient_plot(rd, d=rd.dimension + 2)
    check(fig)
    size = np.concatenate([trace.y for trace in bars(fig)])
    assert_allclose(np.sort(size), np.sort(np.abs(rd.coefficients)), rtol=1e-6)
    above = next(trace for trace in bars(fig) if trace.marker.color == spectrum.INFORMATION)
    assert len(above.x) == rd.rising
    assert (np.asarray(above.y) ** 2 > rd.floor).all()
    assert max(above.x) <= rd.dimension
    lines = [t for t in fig.data if t.name.startswith("root mean square")]
    assert all(t.name in fig.layout.annotations[-1].text for t in lines), "the figure says what its lines are"
    assert [t.y[0] for t in lines] == pytest.approx([variance**0.5 for variance in rd.variances])
    uprights = [shape.x0 for shape in fig.layout.shapes if shape.x0 == shape.x1]
    assert uprights == [rd.dimension + 0.5]
    assert [set(t.x) for t in fig.data if t.name == "now"] == [{rd.dimension + 2.5}]
    first = spectrum.coefficient_plot(rd, cut=False)
    check(first)
    assert not first.layout.shapes
    assert "d̂" not in str(first.to_dict())


def test_coefficients_of_few_rows_of_zeros_and_of_several_classes():
    check(spectrum.coefficient_plot(relevant_dimension(np.eye(2) + 1, [0, 1])))
    check(spectrum.coefficient_plot(relevant_dimension(gram_of(np.arange(9.0)[:, None]), np.arange(9) % 3), d=9))
    check(spectrum.coefficient_plot(relevant_dimension(np.zeros((8, 8)), np.arange(8.0))))


def likelihood(K, y, most=1000):
    """The plot, its cut, the alternative and the shuffled labels."""
    rd, loo = relevant_dimension(K, y), relevant_dimension_loo(K, y)
    band = permutation_band(rd, permutations=20)
    fig = spectrum.likelihood_plot(rd, loo, band, most)
    check(fig)
    return fig, rd, loo, band


def test_likelihood_marks_the_minimum(two_classes):
    _, K, y = two_classes
    fig, rd, loo, band = likelihood(K, y)
    star = next(t for t in fig.data if t.marker.symbol == "star")
    assert star.x[0] == rd.dimension
    assert band.verdict in theme.caption(fig)
    # Late dimensions blow the leave-one-out error up: the view stays where it means something.
    loo.loo_error[loo.dimension :] = 1e6
    assert spectrum.likelihood_plot(rd, loo, band, 1000).layout.yaxis2.range[1] < 10


def test_pca_with_row_numbers_without_labels_with_targets_with_one_direction_and_hostile_ids():
    pca = kernel_pca(gram_of(np.random.default_rng(0).standard_normal((len(HOSTILE), 2))))
    fig = feature_map(pca, np.arange(len(HOSTILE)) % 2, ("a", "b"))
    (first,) = [trace for trace in fig.data if trace.name == "a"]
    rows = first.customdata[:, 0]
    assert_array_equal(rows % 2, 0)
    assert_allclose(first.x, pca.scores[rows, 0], rtol=1e-6)
    apart = np.where(np.arange(len(HOSTILE))[:, None] % 2, 9.0, 0.01)
    tight = feature_map(replace(pca, eigenvectors=apart * pca.eigenvectors), np.arange(len(HOSTILE)) % 2)
    assert [trace.customdata[0, 0] % 2 for trace in tight.data] == [1, 0], "the class close together lies on top"
    check(feature_map(pca, ids=HOSTILE))
    check(feature_map(pca, y=pca.scores[:, 0]))
    check(feature_map(pca, y=np.arange(len(HOSTILE)), classes=HOSTILE))
    check(feature_map(kernel_pca([[2.0]]), y=[0], classes=("only",)))
    # Rounding is no map: a direction that is one value for all rows is drawn as one.
    noise = 1e-16 * pca.scores[:, 0]
    alike = replace(pca, eigenvalues=np.ones(2), eigenvectors=np.c_[0.17 + noise, pca.scores[:, 1]])
    assert np.ptp(feature_map(alike).data[0].x) == 0


@pytest.mark.parametrize("kind", ["two", "three", "real"])
def test_labels_are_rebuilt_by_the_first_directions(two_classes, kind):
    X, K, y = two_classes
    labels = {"two": np.r_[1 - y[0], y[1:]], "three": np.arange(24) % 3, "real": X[:, 0]}[kind]
    rd = relevant_dimension(K, labels)
    scene = spectrum.Rebuilt(rd)
    for d in (1, rd.dimension, 24):
        fig = spectrum.rebuilt_labels(rd, scene, d, () if kind == "real" else HOSTILE[: 2 + (kind == "three")], None)
        check(fig)
        points = [t for t in fig.data if t.customdata is not None]
        rows = np.concatenate([t.customdata[:, 0] for t in points])
        up = np.concatenate([t.y for t in points])[np.argsort(rows)]
        expected = rd.margin_at(d) if kind == "three" else rd.denoised_at(d)
        assert_allclose(up, np.clip(expected, *scene.range), rtol=1e-5, atol=1e-6)
        ringed = next((len(t.x) for t in fig.data if t.name == "misfit"), 0)
        assert ringed == len(rd.disputed_at(d))
        assert f"; {ringed} misfit." in theme.alt(fig)
    assert ringed == 0, "all directions rebuild all labels"


def test_some_rows_are_drawn_and_a_column_stands_across(two_classes):
    X, K, _ = two_classes
    rd = relevant_dimension(K, X[:, 0], centred=True)
    rows = np.array([3, 5, 8])
    fig = spectrum.rebuilt_labels(rd, spectrum.Rebuilt(rd, rows, X[rows, 1]), ids=HOSTILE[:3], column=HOSTILE[0])
    check(fig)
    assert_allclose(fig.data[-1].x if len(fig.data) == 2 else fig.data[1].x, X[rows, 1], rtol=1e-6)


def places(trace):
    return np.frombuffer(base64.b64decode(trace["places"]), "<u2").reshape(-1, 2) / 65535


@pytest.mark.parametrize("kind", ["two", "real"])
def test_a_frame_has_the_places_of_the_figure_at_rest(two_classes, kind):
    X, K, y = two_classes
    rd = relevant_dimension(K, y if kind == "two" else X[:, 0])
    scene, view = spectrum.Rebuilt(rd), 12
    frames = [spectrum.CutFrame.of(rd, scene, view, d) for d in (1, 4)]
    coefficients, drawn = spectrum.cut_frames("page", [*frames, None], rd, scene, view)
    assert drawn["frames"][-1] is None
    for frame, d in zip(drawn["frames"], (1, 4), strict=False):
        low, high = scene.range
        rings = [places(trace) for trace in frame["traces"] if trace["symbol"].endswith("open")]
        assert sum(map(len, rings)) == len(rd.disputed_at(d))
        up = np.concatenate([places(t)[:, 1] for t in frame["traces"] if t["kind"] == "markers" and t["size"] == 7])
        assert_allclose(np.sort(low + up * (high - low)), np.sort(scene.at(rd, d)[0]), atol=1e-3)
    top = spectrum.coefficient_plot(rd).layout.yaxis.range[1]
    (frame, _, _) = coefficients["frames"]
    size = np.concatenate([places(trace)[:, 1] for trace in frame["traces"] if trace["kind"] == "bar"]) * top
    assert_allclose(np.sort(size), np.sort(np.abs(rd.coefficients[:view])), atol=1e-3 * top)


def test_landmarks():
    published = {"banana": (24, 0.088), "splice": (92, 0.092)}
    fig = noise_dimension_map(published, ("<b>mine", 3, 0.2))
    check(fig)
    assert theme.table(fig)["series"].tolist() == ["published", "published", "here"]
    joined = noise_dimension_map(published, ours={"banana": (26, 0.1), "splice": (9, 0.2)})
    check(joined)
    assert "0 of 2 data sets stay in the quadrant" in theme.caption(joined)
    check(noise_dimension_map({"x": (np.nan, 0.1)}))


def test_both_plots_show_what_is_around_the_cut():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 2))
    y = (X[:, 0] + 0.3 * rng.standard_normal(300) > 0).astype(int)
    rd = relevant_dimension(gram_of(X), y)
    most = 3 * rd.dimension
    fig = spectrum.coefficient_plot(rd, most=most)
    check(fig)
    assert most < fig.layout.xaxis.range[1] < most + 1
    assert f"({most} of 300)" in fig.layout.xaxis.title.text
    assert spectrum.coefficient_plot(rd).layout.xaxis.range[1] > 300
    fig, _, loo, shuffled = likelihood(gram_of(X), y, most)
    low, high = fig.layout.yaxis.range
    assert fig.layout.yaxis2.range[0] < loo.loo_error.min()
    # The valley fills the picture: its minimum is in view, the first spike need not be.
    assert low < rd.minimum < high
    seen = rd.neg_log_likelihood[:most]
    assert high - low <= 3.5 * (np.median(seen) - seen.min())
    # Labels that mean something: the cuts of shuffled labels are far above, and a note says where.
    assert shuffled.threshold > high
    assert any("↑ shuffled labels" in one.text for one in fig.layout.annotations)
    fig, _, _, band = likelihood(gram_of(X), rng.permutation(y))
    assert band.threshold in [shape.y0 for shape in fig.layout.shapes]
    low, high = fig.layout.yaxis.range
    assert low < band.threshold < high


def test_the_plausible_dimensions_are_shaded():
    x = np.linspace(-4, 4, 60)
    K = np.exp(-((x[:, None] - x) ** 2))
    fig, rd, _, _ = likelihood(K, np.sinc(x) + 0.1 * np.random.default_rng(0).standard_normal(60))
    low, high = rd.plausible
    assert [(s.x0, s.x1) for s in fig.layout.shapes if s.type == "rect"] == [(low - 0.5, high + 0.5)]
    assert f"d from {low} to {high} are plausible" in theme.caption(fig)


def test_signal_and_noise_are_drawn_over_each_other():
    fig = spectrum.signal_and_noise_plot([3.0, 0.1], [0.2, 0.3])
    check(fig)
    assert_allclose([fig.data[0].y, fig.data[1].y], [[3.0, 0.1], [0.2, 0.3]], rtol=1e-6)
