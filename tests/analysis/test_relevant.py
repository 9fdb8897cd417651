"""The relevant dimension against rdetools (oracle) and against its definition.

tests/oracles/relevant_dimension_sinc.json holds values computed with the CRAN package rdetools 1.0;
its `_about` states the conventions.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import chi2, norm

from kernlib import RBF, Diffusion, Overlap
from kernlib.analysis.relevant import cut_in_words, permutation_band, relevant_dimension, relevant_dimension_loo
from kernlib.analysis.spectrum import Decomposition, decompose, kernel_pca
from kernlib.data import load_dataset
from kernlib.values.words import percent
from tests.benchmarks.dimension_coverage import coverage, sinc, twonorm

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "relevant_dimension_sinc.json").read_text())["sinc"]


@pytest.mark.parametrize("width", ORACLE["widths"])
def test_equals_rdetools(width):
    x, y, theirs = np.array(ORACLE["X"]), np.array(ORACLE["y"]), ORACLE["widths"][width]
    K = np.exp(-((x[:, None] - x) ** 2) / theirs["two_w_is"])
    rd, loo = relevant_dimension(K, y), relevant_dimension_loo(K, y)
    assert (rd.dimension, loo.dimension) == (theirs["dim"], theirs["dim_loo"])
    # Where an eigenvalue is lost in rounding its eigenvector is anybody's choice.
    sure = min(20, int((rd.eigenvalues > 1e-10 * rd.eigenvalues[0]).sum()))
    assert sure >= 12
    for ours, name in ((rd.neg_log_likelihood, "neg_log_likelihood"), (loo.loo_error, "loo_error")):
        assert_allclose(ours[:sure], theirs[name][:sure], rtol=1e-4)
    assert_allclose(np.abs(rd.coefficients)[:sure], theirs["abs_coefficients"][:sure], rtol=1e-2, atol=1e-5)
    assert_allclose(rd.eigenvalues[:sure], theirs["eigenvalues"][:sure], rtol=1e-4)
    assert_allclose(rd.denoised, theirs["denoised"], atol=1e-7)
    assert rd.noise == pytest.approx(theirs["noise"], rel=1e-7)
    assert loo.noise == pytest.approx(theirs["noise_loo"], rel=1e-7)
    # Beyond the rank nothing is searched: there a cut would hang on the last bit.
    rank = int((np.abs(rd.eigenvalues) > len(K) * np.finfo(float).eps * rd.eigenvalues[0]).sum())
    assert len(rd.neg_log_likelihood) == len(loo.loo_error) == min(50, rank)
    assert permutation_band(rd).reliable


def curve(energy, last):
    n = len(energy)
    return [d / n * math.log(energy[:d].mean()) + (n - d) / n * math.log(energy[d:].mean()) for d in range(1, last + 1)]


def gram(seed, n=18):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    return np.exp(-((X[:, None] - X) ** 2).sum(-1)), X


@given(st.integers(0, 10**6), st.sampled_from([2, 3, 4]))
@settings(max_examples=25)
def test_definition_for_classes(seed, classes):
    K, _ = gram(seed)
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(classes), rng.integers(0, classes, 18 - classes)]
    rd = relevant_dimension(K, np.array(list("wxyz"))[y], max_dimension=17)
    Y = 2.0 * y[:, None] - 1 if classes == 2 else np.eye(classes)[y]
    assert_allclose(rd.energy, ((rd.eigenvectors.T @ Y) ** 2).sum(1))
    assert_allclose(rd.neg_log_likelihood, curve(rd.energy, 17), rtol=1e-8, atol=1e-12)
    ordered = [rd.energy[:d].mean() >= rd.energy[d:].mean() for d in range(1, 18)]
    assert rd.candidates.tolist() == (ordered if any(ordered) else [True] * 17)
    assert rd.dimension == np.where(rd.candidates, rd.neg_log_likelihood, np.inf).argmin() + 1
    printed = relevant_dimension(K, np.array(list("wxyz"))[y], max_dimension=17, leading=False)
    assert printed.dimension == printed.neg_log_likelihood.argmin() + 1
    assert printed.candidates.all()
    fitted = rd.eigenvectors[:, : rd.dimension] @ rd.eigenvectors[:, : rd.dimension].T @ Y
    assert_allclose(rd.denoised.reshape(fitted.shape), fitted, atol=1e-12)
    guess = (fitted[:, 0] > 0).astype(int) if classes == 2 else fitted.argmax(1)
    assert rd.noise == pytest.approx(np.mean(guess != y))
    assert rd.disputed.tolist() == np.flatnonzero(guess != y).tolist()
    assert rd.minimum == rd.neg_log_likelihood[rd.dimension - 1]
    assert rd.variances == pytest.approx((rd.energy[: rd.dimension].mean(), rd.energy[rd.dimension :].mean()))
    # Orthogonal eigenvectors keep the length of the labels.
    assert rd.energy.sum() == pytest.approx((Y**2).sum())
    assert rd.noise_at(18) == 0


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=20)
def test_loo_is_the_closed_form_of_the_hat_matrix(seed, real):
    K, X = gram(seed)
    y = X[:, 0] if real else np.arange(18) % 3
    loo = relevant_dimension_loo(K, y)
    Y = y[:, None] if real else np.eye(3)[y]
    for d in (1, 4, 9):
        S = loo.eigenvectors[:, :d] @ loo.eigenvectors[:, :d].T
        # A row that stands almost alone: 1 − S_ii is then rounding, in the formula and by hand alike.
        assume((1 - np.diag(S)).min() > 1e-6)
        # Left out by hand: least squares on u_1…u_d without row i, predicting row i.
        U, by_hand = loo.eigenvectors[:, :d], 0.0
        for i in range(18):
            keep = np.arange(18) != i
            weights = np.linalg.lstsq(U[keep], Y[keep], rcond=None)[0]
            by_hand += ((Y[i] - U[i] @ weights) ** 2).sum() / 18
        assert loo.loo_error[d - 1] == pytest.approx(by_hand, rel=1e-6)


def test_a_row_that_stands_alone_is_predicted_by_nothing():
    loo = relevant_dimension_loo(np.diag([4.0, 3.0, 2.0, 1.0]), [1.0, 2.0, 3.0, 4.5])
    assert_allclose(loo.loo_error, (1 + 4 + 9 + 4.5**2) / 4)


def test_no_second_decomposition_when_one_is_given(monkeypatch):
    K, X = gram(0)
    found, pca = decompose(K), kernel_pca(K)
    expected = relevant_dimension(K, X[:, 0])
    monkeypatch.setattr(np.linalg, "eigh", None)
    for given_one in (found, pca):
        rd = relevant_dimension(K, X[:, 0], decomposition=given_one)
        assert rd.dimension == expected.dimension
        relevant_dimension_loo(K, X[:, 0], decomposition=given_one)
        permutation_band(rd, permutations=20)
    # A few leading pairs: the same curve as far as they go, with all that they do not explain in its second part.
    some = relevant_dimension(K, X[:, 0], decomposition=type(found)(found.eigenvalues[:3], found.eigenvectors[:, :3]))
    every = relevant_dimension(K, X[:, 0], decomposition=found)
    assert_allclose(some.neg_log_likelihood, every.neg_log_likelihood[:3], rtol=1e-12)


def test_labels_without_noise_are_cut_where_they_end():
    K, _ = gram(5, 40)
    found = decompose(K)
    for d in (1, 3, 8):
        y = found.eigenvectors[:, :d] @ np.linspace(1, 2, d)
        rd = relevant_dimension(K, y, decomposition=found)
        assert rd.dimension == d
        assert np.isfinite(rd.neg_log_likelihood).all()
        assert rd.noise < 1e-25


def test_equal_rows_leave_nothing_to_rounding():
    """Twelve different rows among 150: the cut, and so the choice of a width, does not hang on the last bits."""
    rng = np.random.default_rng(0)
    different = rng.normal(size=(12, 3))
    X = different[rng.integers(0, 12, 150)]
    y = np.sign(X[:, 0] + 0.8 * rng.normal(size=150))
    for width in (0.2, 1.0, 5.0):
        K = np.exp(-((X[:, None] - X) ** 2).sum(-1) / (2 * width**2))
        noise = rng.normal(size=K.shape) * 1e-16
        plain, shaken = (relevant_dimension(M, y) for M in (K, K + noise + noise.T))
        assert plain.dimension == shaken.dimension <= 12
        assert plain.minimum == pytest.approx(shaken.minimum, rel=1e-9)
        assert plain.noise == shaken.noise
        assert relevant_dimension_loo(K, y).dimension == relevant_dimension_loo(K + noise + noise.T, y).dimension


def test_band_tells_structure_from_chance():
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(-3, 3, 60))
    K = np.exp(-((x[:, None] - x) ** 2))
    good = permutation_band(relevant_dimension(K, np.sign(x + 0.01)), seed=1)
    assert good.reliable
    assert good.verdict == "The cut is sharper than 200 of 200 cuts of shuffled labels (p = 0.005)."
    reliable = [
        permutation_band(relevant_dimension(K, rng.normal(size=60)), permutations=99).reliable for _ in range(20)
    ]
    assert sum(reliable) <= 5
    rd = relevant_dimension(K, rng.normal(size=60))
    one, same = permutation_band(rd, seed=3), permutation_band(rd, seed=3)
    assert (one.minima == same.minima).all()
    assert f"No reliable cut: it is only sharper than {(one.minima > one.observed).sum()} of 200" in one.verdict
    assert "No reliable cut" in permutation_band(relevant_dimension(np.eye(40), np.arange(40) % 2)).verdict


@pytest.mark.parametrize("beta", [0.1, 0.3, 0.6])
def test_directions_that_hold_nothing_are_no_cut(beta):
    """The karate club: classes of one size, and a constant first direction, of whose zero only rounding is left."""
    data = load_dataset("karate")
    K = Diffusion(beta=beta).bind(data.rows)(np.arange(data.n))
    printed, rd = (relevant_dimension(K, data.y, leading=leading) for leading in (False, True))
    assert (printed.dimension, printed.noise) == (1, 0.5)
    assert "leading directions hold less of the labels" in permutation_band(printed).verdict
    assert rd.coefficients[0] == pytest.approx(0, abs=1e-12)
    assert rd.energy[1] / rd.energy.sum() > 0.6
    assert (rd.dimension, rd.noise) == (4, pytest.approx(1 / 34))
    assert not rd.candidates[0]
    assert permutation_band(rd).reliable
    assert rd.plausible[0] > 1


def test_a_trailing_cut_is_the_fit_of_the_source_where_no_other_exists():
    pairs = decompose(np.diag(np.arange(12.0, 0, -1)))
    y = pairs.eigenvectors @ np.r_[np.zeros(9), 1.0, 1.0, 1.0]
    rd = relevant_dimension(pairs.eigenvectors * pairs.eigenvalues @ pairs.eigenvectors.T, y, decomposition=pairs)
    assert rd.candidates.all()
    assert rd.dimension == rd.neg_log_likelihood.argmin() + 1
    assert rd.words() == "no leading directions hold the labels"
    assert not permutation_band(rd).reliable


def test_band_by_hand():
    K, X = gram(3)
    y = X[:, 1]
    rd = relevant_dimension(K, y)
    assert rd.max_dimension == 9
    band = permutation_band(rd, permutations=1, seed=4)
    shuffled = y[np.random.default_rng(4).permuted(np.arange(18)[:, None], axis=0)[:, 0]]
    assert band.minima[0] == pytest.approx(relevant_dimension(K, shuffled).minimum)


def test_units_and_origin_of_real_labels_do_not_matter():
    K, X = gram(5)
    y = np.sin(X[:, 0]) + 0.3 * np.random.default_rng(0).normal(size=18)
    here = relevant_dimension(K, y, centred=True)
    assert relevant_dimension(1e6 * K, y, centred=True).dimension == here.dimension
    for unit, origin in ((1000.0, 0.0), (0.01, 5.0), (-2.0, 300.0)):
        there = relevant_dimension(K, unit * y + origin, centred=True)
        assert there.dimension == here.dimension
        assert_allclose(there.neg_log_likelihood - here.neg_log_likelihood, 2 * math.log(abs(unit)), atol=1e-9)
        assert there.noise_share == pytest.approx(here.noise_share)
        assert there.noise == pytest.approx(unit**2 * here.noise)
        assert there.disputed.tolist() == here.disputed.tolist()
        assert_allclose(there.denoised, unit * here.denoised + origin, rtol=1e-9, atol=1e-9)
        assert (
            relevant_dimension_loo(K, unit * y + origin, centred=True).dimension
            == relevant_dimension_loo(K, y, centred=True).dimension
        )
        assert permutation_band(there).p_value == permutation_band(here).p_value
    # It is the fit of y less its mean, with the mean given back.
    plain = relevant_dimension(K, y - y.mean())
    assert_allclose(here.neg_log_likelihood, plain.neg_log_likelihood)
    assert_allclose(here.denoised, plain.denoised + y.mean())
    labels = np.arange(18) % 2
    centred = relevant_dimension(K, labels, centred=True)
    assert centred.noise_share == centred.noise == relevant_dimension(K, labels).noise


@pytest.mark.parametrize("classes", [None, 2, 3])
def test_disputed_rows_follow_the_cut(classes):
    K, X = gram(7)
    rng = np.random.default_rng(1)
    y = np.where(np.arange(18) == 3, 9.0, X[:, 0]) if classes is None else rng.permutation(np.arange(18) % classes)
    rd = relevant_dimension(K, y)
    told = {d: rd.disputed_at(d).tolist() for d in (1, 4, 18)}
    assert told[18] == []  # all directions say everything
    assert told[1] != told[4] or classes is None
    assert rd.disputed.tolist() == rd.disputed_at(rd.dimension).tolist()
    for d, rows in told.items():
        if classes is None:
            residual = (y - rd.denoised_at(d)) ** 2
            assert rows == np.flatnonzero(residual > max(9 * residual.mean(), 1e-25)).tolist()
        else:
            assert rows == np.flatnonzero(rd.margin_at(d) < 0).tolist()
    assert classes is not None or told[1] == [3]


@pytest.mark.parametrize("problem", [sinc, twonorm])
def test_the_plausible_dimensions_are_those_of_the_likelihood_ratio(problem):
    K, _, _, y = problem(50, np.random.default_rng(0))
    rd = relevant_dimension(K, y)

    def log_likelihood(d):
        parts = (rd.coefficients[:d], rd.coefficients[d:])
        return sum(norm.logpdf(part, scale=np.sqrt((part**2).mean())).sum() for part in parts)

    values = np.array([log_likelihood(d) for d in range(1, rd.max_dimension + 1)])
    values[~rd.candidates] = -np.inf
    kept = np.flatnonzero(2 * (values.max() - values) <= chi2.ppf(0.95, 1)) + 1
    assert rd.plausible == (kept.min(), kept.max())
    assert kept.min() <= rd.dimension <= kept.max()
    share, width = coverage(problem, 60, 60)  # of 200 draws 94.5% and more, see the benchmark
    assert share >= 0.9
    assert width <= 4


def test_directions_beyond_the_cut_that_hold_labels_are_said():
    iris = load_dataset("iris")
    rd = relevant_dimension(RBF(sigma=2.4)(iris.rows), iris.y)
    later = int((rd.energy[rd.dimension :] > rd.floor).sum())
    assert later > 3 * 0.01 * len(rd.energy)
    rise = f"{later} rise above the noise limit: they hold some of the labels."
    said = f" Of the {len(rd.energy) - rd.dimension} beyond, {rise}"
    assert cut_in_words(rd, permutation_band(rd)).endswith(said)


def test_the_sentence_counts_the_directions_that_rise_and_what_the_kernel_cannot_reach():
    data = load_dataset("twonorm", n=200, seed=0)
    rd = relevant_dimension(RBF(sigma=4.5)(data.rows), data.y)
    share = rd.energy / rd.energy.sum()
    assert share[1] > 0.8 > 100 * share[0]
    words = "81% of the labels lie within the first 2 directions; 1 of them rises above the noise of the rest"
    assert rd.words() == words
    assert rd.outside == rd.missed == 0
    low, high = rd.plausible
    around = f" (plausibly {low}–{high})" if low < high else ""
    assert cut_in_words(rd, permutation_band(rd)) == (
        f"81% of the labels lie within the first 2 of 200 directions{around}.\n"
        "These put 192 of 200 rows on the correct side. "
        "One by one, only direction 2 of the 2 rises above the noise limit. "
        "The rest looks like noise: 4 of 198 above its limit."
    )
    assert len(rd.disputed) == 8, "as many as the sentence says"
    side = np.repeat([0, 1], 100)
    X = 6.0 * side[:, None] - 3 + np.random.default_rng(0).normal(size=(200, 1))
    rd = relevant_dimension(RBF(sigma=3.1)(X), side)
    first = int(rd.energy.argmax())
    assert rd.energy[first] > 0.9 * rd.energy[: rd.dimension].sum()
    assert f" Direction {first + 1} alone holds " in cut_in_words(rd, permutation_band(rd)), "one bar towers"
    monks = load_dataset("monks-1")
    K = Overlap()(monks.rows)
    rd = relevant_dimension(K, monks.y)
    values, U = np.linalg.eigh(K)
    y = np.where(monks.y == 1, 1.0, -1.0)
    span = U[:, values > 1e-9 * values[-1]]
    assert rd.outside == pytest.approx(1 - ((span.T @ y) ** 2).sum() / len(y))
    assert rd.words().endswith(f" {percent(rd.outside)} lie outside")
    assert f"within the {rd.dimension} directions searched; " in rd.words()
    # A smooth kernel reaches many directions up to rounding only: what noise holds there is no fault of it.
    banana = load_dataset("banana")
    rd = relevant_dimension(RBF(sigma=1.8)(banana.rows), banana.y)
    assert rd.outside > 0.1
    assert rd.missed == 0
    assert "outside" not in rd.words()
    # Of directions of noise, one in a hundred lies above the floor.
    rng = np.random.default_rng(0)
    pairs = Decomposition(np.arange(400.0, 0, -1), np.linalg.qr(rng.normal(size=(400, 400)))[0])
    for labels in (lambda: rng.normal(size=400), lambda: rng.integers(0, 4, 400)):
        cuts = [relevant_dimension(np.eye(400), labels(), decomposition=pairs) for _ in range(20)]
        above = np.mean(np.concatenate([cut.energy[cut.dimension :] > cut.floor for cut in cuts]))
        assert above == pytest.approx(0.01, abs=0.005)
