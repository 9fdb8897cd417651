"""Signal and noise apart, noisier labels, eigenvectors as functions, and what fewer rows show."""

import numpy as np
import pytest
from scipy.integrate import quad

from kernlib import RBF
from kernlib.analysis import (
    decompose,
    functions_at,
    noisier_labels,
    projection_bound,
    relevant_dimension,
    row_parts,
    spectrum_notes,
    split_signal,
)
from kernlib.analysis.signal import eigenvalue_errors
from kernlib.data import generator_of, load_dataset
from kernlib.errors import DataError
from kernlib.explain import functions_over_input
from kernlib.figures import (
    dimension_over_rows,
    fit_over_input,
    noisier_plot,
    signal_and_noise_plot,
    signal_over_eigenvalues,
    theme,
)
from kernlib.statistics import rank_correlation
from kernlib.values.words import number, percent
from tests.figures.checking import check

SINC = load_dataset("sinc", n=64)
K = RBF(sigma=0.6)(SINC.rows)
PAIRS = decompose(K)


@pytest.mark.parametrize("name", ["sinc", "two-clusters", "banana-like"])
def test_signal_and_noise_are_the_two_parts_of_the_coefficients(name):
    data = load_dataset(name, n=60)
    made = generator_of(name, n=60)
    G, variance = made.target(data.rows), made.noise_variance(data.rows)
    rd = relevant_dimension(RBF()(data.rows), data.y, task=data.task, centred=True)
    parts = split_signal(rd, G, variance)
    U, y = rd.eigenvectors, rd.targets
    np.testing.assert_allclose(parts.signal, np.abs(U.T @ (G - rd.offset)), atol=1e-9)
    np.testing.assert_allclose(parts.noise, np.abs(U.T @ (y - G)), atol=1e-9)
    drawn = np.random.default_rng(0).standard_normal((60, 4000)) * np.sqrt(variance)[:, None]
    np.testing.assert_allclose(parts.floor, np.sqrt(((U.T @ drawn) ** 2).mean(axis=1)), rtol=0.08)
    np.testing.assert_allclose(parts.distance[4], ((rd.denoised_at(5) - G) ** 2).mean())
    check(signal_and_noise_plot(parts.signal, parts.noise, parts.floor, rd.dimension))
    fig = signal_over_eigenvalues(parts.signal, parts.noise, rd.eigenvalues, rd.dimension)
    check(fig)
    kept = (parts.signal[: rd.dimension] ** 2).sum() / (parts.signal**2).sum()
    assert f"hold {kept:.1%} of the signal" in theme.caption(fig)


def test_the_target_of_the_crescents_is_the_ratio_of_their_densities():
    made = generator_of("banana-like", noise=0.3)
    for x in ([0.0, 0.5], [1.2, 0.1], [0.4, -0.3]):

        def density(curve, x=x):
            return quad(lambda t: np.exp(-((x[0] - curve(t)[0]) ** 2 + (x[1] - curve(t)[1]) ** 2) / 0.18), 0, np.pi)[0]

        minus = density(lambda t: (np.cos(t), np.sin(t)))
        plus = density(lambda t: (1 - np.cos(t), 0.5 - np.sin(t)))
        assert made.target(np.array([x]))[0] == pytest.approx((plus - minus) / (plus + minus), rel=1e-4)
    assert generator_of("banana-like", noise=0.0).target(np.zeros((1, 2))) is None


def test_more_noise_flips_the_same_rows_and_more():
    y = np.arange(40) % 3
    few, first = noisier_labels(y, 0.1, classes=3)
    many, more = noisier_labels(y, 0.4, classes=3)
    assert (len(first), len(more)) == (4, 16)
    assert set(first) < set(more)
    assert np.flatnonzero(few != y).tolist() == first.tolist()
    assert (many[first] == few[first]).all()
    real = np.linspace(0, 1, 4000)
    louder, none = noisier_labels(real, 2.0)
    assert (louder - real).std() == pytest.approx(2 * real.std(), rel=0.05)
    assert len(none) == 0


def test_eigenvectors_are_functions_that_pass_through_their_rows():
    at_rows = functions_at(K, PAIRS, 20)
    known = PAIRS.eigenvalues[:20] > 1e-9 * PAIRS.eigenvalues[0]
    np.testing.assert_allclose(at_rows[:, known], PAIRS.eigenvectors[:, :20][:, known], atol=1e-6)
    assert not at_rows[:, ~known].any()
    field = functions_over_input(RBF(sigma=0.6), SINC.rows, SINC.y, PAIRS, 5)
    np.testing.assert_allclose(field.draws[:, 0].T, functions_at(RBF(sigma=0.6)(field.points, SINC.rows), PAIRS, 5))
    rd = relevant_dimension(K, SINC.y, centred=True)
    fig = fit_over_input(field, rd, 3, SINC.rows, target=generator_of("sinc").target(field.points))
    check(fig)
    fit = next(trace for trace in fig.data if trace.name == "ŷ from 3 directions")
    np.testing.assert_allclose(fit.y, rd.coefficients[:3] @ field.draws[:3, 0] + rd.offset, atol=1e-6)


def test_the_fit_in_the_plane_has_the_border_of_two_classes_and_refuses_more():
    data = load_dataset("banana-like", n=60)
    gram, y = RBF()(data.rows), np.arange(60) % 3
    field = functions_over_input(RBF(), data.rows, None, decompose(gram), 4)
    fig = fit_over_input(field, relevant_dimension(gram, data.y), 4, data.rows, data.classes)
    check(fig)
    assert "border ŷ = 0 from 4 directions" in [trace.name for trace in fig.data]
    with pytest.raises(DataError, match="found 3 classes"):
        fit_over_input(field, relevant_dimension(gram, y), 4, data.rows)


def test_parts_of_the_rows_are_cut_as_data_of_their_own():
    G = generator_of("sinc").target(SINC.rows)
    parts = row_parts(K, SINC.y, G)
    assert [part.n for part in parts] == [8] * 8 + [16] * 4 + [32] * 2 + [64]
    rd = relevant_dimension(K, SINC.y, centred=True)
    assert (parts[-1].dimension, parts[-1].noise_share) == (rd.dimension, rd.noise_share)
    assert parts[-1].distance == pytest.approx(((rd.denoised - G) ** 2).mean())
    order = np.random.default_rng(0).permutation(64)
    half, others = np.sort(order[:32]), np.sort(order[32:])
    U, left = decompose(K[np.ix_(half, half)]).eigenvectors, []
    for j in range(1, 6):  # the residual of other rows on the span of Σ_i u_ij Φ(x_i), by least squares
        span = U[:, :j].T @ K[np.ix_(half, half)] @ U[:, :j]
        inner = K[np.ix_(others, half)] @ U[:, :j]
        left.append(np.mean(1 - np.einsum("ij,jk,ik->i", inner, np.linalg.inv(span), inner)))
    np.testing.assert_allclose(parts[-3].residual[:5], left, atol=1e-8)
    bound = projection_bound(parts[-3].eigenvalues, np.ones(32))
    assert (parts[-3].residual <= bound).all()
    assert (np.diff(bound) <= 0).all()
    check(dimension_over_rows(parts, regression=True))
    # [R]: |l_i − λ_i| falls as λ_i does, measured on the eighths.
    eighths, whole = [part.eigenvalues for part in parts if part.n == parts[0].n], parts[-1].eigenvalues
    kept = [j for j in range(30) if j < parts[0].n and whole[j] > 1e-6 * whole[0]]
    off = [np.mean([abs(own[j] - whole[j]) for own in eighths]) for j in kept]
    told = eigenvalue_errors(parts)
    assert f"first {len(kept)} eigenvalues shrinks with" in told
    assert f"rank correlation {number(rank_correlation(off, whole[kept]), 2)}." in told
    assert f"median is {percent(np.median(np.array(off) / whole[kept]))} of" in told
    flat = row_parts(np.eye(64))
    assert "does not shrink" in eigenvalue_errors(flat)
    assert eigenvalue_errors(flat[-1:]) == ""
    uneven = row_parts(K[:37, :37], SINC.y[:37])
    assert [part.n for part in uneven] == [10, 9, 9, 9, 19, 18, 37]
    mean = next(t for t in dimension_over_rows(uneven, regression=True).data if t.name == "mean")
    assert list(mean.x) == [9.25, 18.5, 37]
    assert mean.y[0] == np.mean([part.dimension for part in uneven[:4]]), "parts that differ by one row are of one size"
    unlabelled = row_parts(K)
    assert unlabelled[-1].dimension is None
    np.testing.assert_allclose(unlabelled[-1].tail[:3], 1 - np.cumsum(PAIRS.eigenvalues)[:3] / PAIRS.eigenvalues.sum())


def test_noisier_labels_as_a_figure():
    lines = [(0.0, 9, 8, 10, 0.1, 0.02), (0.2, 5, 3, 9, 0.3, 0.21)]
    fig = noisier_plot(lines, 0.2, flips=True)
    check(fig)
    assert next(t for t in fig.data if t.name == "with the noise added").y == pytest.approx([0.02, 0.212])
    assert "d̂ falls from 9 to 5" in theme.alt(fig)
    run_queue = {(9, 9): "stays 9", (9, 30): "rises from 9 to 30", (2, 30): "goes from 9 through 2 to 30"}
    for (inner, last), change in run_queue.items():
        lines = [(0.0, 9, 8, 9, 0.1, 0.02), (0.2, inner, 1, 30, 0.2, 0.2), (0.4, last, 8, 30, 0.3, 0.4)]
        words = theme.caption(noisier_plot(lines, 0.0, flips=True))
        assert f"d̂ {change}, and the noise floor rises from 0.1 to 0.3." in words


def test_degenerate_cases_in_words():
    x = np.arange(8.0)
    indefinite = np.subtract.outer(x, x) ** 2
    notes = " ".join(spectrum_notes(relevant_dimension(indefinite, x % 3), decompose(indefinite)))
    assert "Only 8 rows" in notes
    assert "rank 3 of 8" in notes
    assert "2 negative eigenvalues" in notes
    assert "3 classes" in notes
    notes = spectrum_notes(relevant_dimension(K, SINC.y), PAIRS)
    assert notes[-1].startswith("Real labels")
