"""Spectrum figures on small, degenerate and hostile data."""

import numpy as np
import pytest

from kernlib.analysis import dimension_interval
from kernlib.analysis.relevant import permutation_band, relevant_dimension, relevant_dimension_loo
from kernlib.errors import DataError
from kernlib.figures import relevant, spectrum, theme

from .checking import HOSTILE, check


def gram_of(X):
    return np.exp(-((X[:, None] - X) ** 2).sum(-1) / 4)


@pytest.fixture
def two_classes():
    y = np.arange(24) % 2
    X = np.random.default_rng(1).standard_normal((24, 2)) + 2 * y[:, None]
    return X, gram_of(X), y


@pytest.mark.parametrize("log", [True, False])
@pytest.mark.parametrize("values", [[], [1.0], [3.0, 0.0, -1.0], np.zeros(4), np.geomspace(1, 1e-12, 300)])
def test_eigenvalues(values, log):
    check(spectrum.eigenvalue_plot(values, log=log, cut=1))


@pytest.mark.parametrize("sort", [True, False])
def test_coefficients_lie_on_both_sides_of_the_cut(two_classes, sort):
    _, K, y = two_classes
    rd = relevant_dimension(K, y)
    fig = spectrum.coefficient_plot(rd, sort=sort, log=sort)
    check(fig)
    information = next(t for t in fig.data if t.name.startswith("information"))
    assert len(information.x) == rd.dimension
    np.testing.assert_allclose(information.y, np.abs(rd.coefficients[: rd.dimension]), rtol=1e-6)
    assert f"first {rd.dimension} " in theme.alt(fig)


def test_coefficients_of_two_rows_and_of_several_classes():
    check(spectrum.coefficient_plot(relevant_dimension(np.eye(2) + 1, [0, 1])))
    check(spectrum.coefficient_plot(relevant_dimension(gram_of(np.arange(9.0)[:, None]), np.arange(9) % 3), d=9))


def test_likelihood_marks_the_minimum(two_classes):
    _, K, y = two_classes
    rd = relevant_dimension(K, y)
    fig = spectrum.likelihood_plot(rd, relevant_dimension_loo(K, y), permutation_band(rd, permutations=20))
    check(fig)
    star = next(t for t in fig.data if t.marker.symbol == "star")
    assert star.x[0] == rd.dimension
    assert permutation_band(rd, permutations=20).verdict in theme.caption(fig)
    # Late dimensions blow the leave-one-out error up: the view stays where it means something.
    loo = relevant_dimension_loo(K, y)
    loo.loo_error[loo.dimension :] = 1e6
    assert spectrum.likelihood_plot(rd, loo).layout.yaxis2.range[1] < 10
    check(spectrum.likelihood_plot(rd))


@pytest.mark.parametrize("dims", [(1, 2), (2, 1), (1, 2, 3)])
def test_pca_carries_row_numbers(two_classes, dims):
    X, _, y = two_classes
    fig = spectrum.pca_scatter(
        np.c_[X, X[:, :1]], y, ("a", "b"), dims=dims, highlight=[3], explained=[0.5, np.nan, 0.1]
    )
    check(fig)
    first = fig.data[0]
    rows = first.customdata[:, 0]
    np.testing.assert_array_equal(y[rows], 0)
    np.testing.assert_allclose(first.x, np.c_[X, X[:, :1]][rows, dims[0] - 1], rtol=1e-6)


def test_pca_without_labels_with_targets_with_one_direction_and_hostile_ids():
    scores = np.random.default_rng(0).standard_normal((len(HOSTILE), 2))
    check(spectrum.pca_scatter(scores, ids=HOSTILE))
    check(spectrum.pca_scatter(scores, y=scores[:, 0]))
    check(spectrum.pca_scatter(scores[:, :1]))
    # Rounding is no map: a direction that is one value for all rows is drawn as one.
    alike = np.c_[0.17 + 1e-16 * scores[:, 0], scores[:, 1]]
    fig = spectrum.pca_scatter(alike)
    assert np.ptp(fig.data[0].x) == 0
    assert "alike for all rows" in fig.layout.xaxis.title.text
    check(spectrum.pca_scatter(scores[:1], y=[0], classes=("only",)))
    check(spectrum.pca_scatter(scores, y=np.arange(len(HOSTILE)), classes=HOSTILE))
    with pytest.raises(DataError, match="two or three directions"):
        spectrum.pca_scatter(scores, dims=(1,))


def test_eigenvectors_over_input(two_classes):
    X, K, _ = two_classes
    U = np.linalg.eigh(K)[1]
    fig = spectrum.eigenvectors_over_input(X[:, 0], U, 3)
    check(fig)
    assert (np.diff(fig.data[0].x) >= 0).all()
    check(spectrum.eigenvectors_over_input(X, U, 4))
    with pytest.raises(DataError, match="one or two columns"):
        spectrum.eigenvectors_over_input(np.zeros((4, 3)), np.eye(4))


def test_denoised_labels_ring_the_disputed(two_classes):
    X, K, y = two_classes
    flipped = y.copy()
    flipped[0] = 1 - flipped[0]
    rd = relevant_dimension(K, flipped)
    fig = relevant.denoised_labels(rd, flipped, HOSTILE[:2])
    check(fig)
    assert f"; {len(rd.disputed)} labels are disputed" in theme.alt(fig)
    check(relevant.denoised_labels(rd, d=1))
    check(relevant.denoised_labels(relevant_dimension(K, X[:, 0])))
    check(relevant.denoised_labels(relevant_dimension(K, np.arange(24) % 3)))


def test_landmarks():
    fig = relevant.noise_dimension_map({"banana": (24, 0.088), "splice": (92, 0.092)}, ("<b>mine", 3, 0.2))
    check(fig)
    assert theme.table(fig)["series"].tolist() == ["published", "published", "here"]
    check(relevant.noise_dimension_map([("x", np.nan, 0.1)]))
    check(relevant.noise_dimension_map([], [("a", 1, 0.0), ("b", 5, 0.5)]))


def test_both_plots_show_what_is_around_the_cut():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 2))
    y = (X[:, 0] + 0.3 * rng.standard_normal(300) > 0).astype(int)
    rd = relevant_dimension(gram_of(X), y)
    most = 3 * rd.dimension
    fig = spectrum.coefficient_plot(rd, most=most)
    check(fig)
    assert most < fig.layout.xaxis.range[1] < 1.1 * most + 1
    assert f"first {most} of 300 are in view" in theme.caption(fig)
    levels = [t for t in fig.data if t.name.startswith("typical size of ")]
    variances = np.sqrt(rd.variances)
    assert [t.y[0] for t in levels] == pytest.approx(list(variances))
    assert [t.x[-1] for t in levels] == [rd.dimension + 0.5, 300.5]
    assert spectrum.coefficient_plot(rd).layout.xaxis.range[1] > 300
    fig = spectrum.likelihood_plot(rd, relevant_dimension_loo(gram_of(X), y), most=most)
    check(fig)
    low, high = fig.layout.yaxis.range
    assert fig.layout.yaxis2.range[0] < relevant_dimension_loo(gram_of(X), y).loo_error.min()
    # The valley fills the picture: its minimum is in view, the first spike need not be.
    assert low < rd.minimum < high
    seen = rd.neg_log_likelihood[:most]
    assert high - low <= 3.5 * (np.median(seen) - seen.min())
    shuffled = permutation_band(rd, permutations=20)
    fig = spectrum.likelihood_plot(rd, band=shuffled, most=most)
    assert fig.layout.yaxis.range == (low, high)
    # Labels that mean something: the band stands above the picture, so no key promises it, and a note says where it is.
    assert shuffled.band[0][:most].min() > high
    assert not any(t.showlegend for t in fig.data if "shuffled" in t.name)
    assert "↑ shuffled labels" in fig.layout.annotations[0].text
    assert "lies above the visible range" in theme.caption(fig)
    rd = relevant_dimension(gram_of(X), rng.permutation(y))
    fig = spectrum.likelihood_plot(rd, band=permutation_band(rd, permutations=20))
    assert any(t.showlegend for t in fig.data if "shuffled" in t.name)
    assert "the grey band" in theme.caption(fig)


def test_log_coefficients_without_noise_have_a_floor():
    x = np.linspace(-1, 1, 40)
    K = np.outer(x, x)
    low, high = spectrum.coefficient_plot(relevant_dimension(K, 3 * x), log=True).layout.yaxis.range
    assert high - low < 9


def test_the_squared_error_chooses_and_the_likelihood_stands_below():
    fig = spectrum.selection_curve(
        (0.1, 1.0, 10.0), [0.2, 0.5, np.nan], [1.0, -2.0, np.nan], [5, 3, None], HOSTILE[0], 1.0, log=True
    )
    check(fig)
    marks = {trace.marker.symbol: trace.x[0] for trace in fig.data if trace.mode == "markers"}
    assert marks == {"star": 0.1, "diamond": 1.0}
    assert "with d̂ = 5; −log ℓ(d̂) smallest" in theme.alt(fig)
    assert fig.layout.xaxis.type == fig.layout.xaxis2.type == "log"
    assert (fig.layout.shapes[0].x0, fig.layout.annotations[0].x) == (1.0, 0.0)
    check(spectrum.selection_curve((), [], [], [], "σ"))
    check(spectrum.selection_curve((1, 2), [np.nan] * 2, [np.nan] * 2, [None] * 2, "level", None))


def test_the_plausible_dimensions_are_shaded_on_both_figures():
    x = np.linspace(-4, 4, 60)
    K = np.exp(-((x[:, None] - x) ** 2))
    rd = relevant_dimension(K, np.sinc(x) + 0.1 * np.random.default_rng(0).standard_normal(60))
    interval = dimension_interval(rd)
    low, high = interval.profile
    for fig in (spectrum.likelihood_plot(rd, interval=interval), spectrum.coefficient_plot(rd, interval=interval)):
        check(fig)
        shade = [shape for shape in fig.layout.shapes if shape.type == "rect"]
        assert [(s.x0, s.x1) for s in shade] == [(low - 0.5, high + 0.5)]
    assert f"Shaded: plausible dimensions at 95%: {low} to {high}" in theme.caption(
        spectrum.likelihood_plot(rd, interval=interval)
    )
