"""What texts on screen claim, computed: each sentence with the numbers that it rests on."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import (
    RBF,
    Centered,
    CommuteTime,
    Conformal,
    InfiniteWidth,
    Linear,
    Log,
    Overlap,
    Power,
    PriorSpectrum,
    Sigmoid,
    Spectrum,
    Subsequence,
)
from kernlib.analysis import DeepLevel, cosine, decompose, level_numbers
from kernlib.analysis.doctor import examine
from kernlib.analysis.gram import diagonal_ratio
from kernlib.analysis.levels import collapse
from kernlib.data import load_dataset
from kernlib.figures.depth import collapse_words
from kernlib.machines import NearestNeighbour
from kernlib.papers.claims import ERRATA
from kernlib.protocols import errors_on_halves

LESSONS = Path(__file__).parents[1] / "pages" / "stories"


def test_copies_of_long_rows_make_the_error_optimistic():
    rng = np.random.default_rng(1)
    rows, y = rng.normal(size=(60, 8)), rng.integers(0, 2, 60)
    rows, y = np.vstack([rows, rows]), np.tile(y, 2)  # labels of noise, every row twice
    half = rng.permutation(120)
    nearest = NearestNeighbour(k=1)
    K = Linear()(rows)
    machine = nearest.fit(K[np.ix_(half[:60], half[:60])], y[half[:60]])
    wrong = machine.predict(K[np.ix_(half[60:], half[:60])], K.diagonal()[half[60:]]) != y[half[60:]]
    assert wrong.mean() < 0.4, "half of the rows have their copy among the training rows"
    (meaning,) = (found.meaning for found in examine(K) if found.name == "rows that coincide")
    assert "If they are copies of one object, the error is optimistic" in meaning
    assert "If rows have few values, new rows will coincide too, and the error is right" in meaning


def test_a_machine_may_still_learn_from_rows_that_nearly_coincide():
    data = load_dataset("banana-like", n=120, seed=0)
    kernel = InfiniteWidth(Linear(), level=50, activation="erf", weights=0.7, biases=0.05)
    K = kernel(data.rows)
    fall = collapse({50: level_numbers(DeepLevel(50, None, K))})
    assert fall.kind == "everywhere"
    assert errors_on_halves(kernel, data.inputs, data.y).test < 0.3
    assert "rows nearly coincide" in collapse_words(fall)
    assert "nothing" not in collapse_words(fall)


def test_the_promoters_of_the_lesson_and_of_the_source():
    text = (LESSONS / "06-fooling-oneself.md").read_text()
    results = json.loads((Path(__file__).parents[1] / "kernlib" / "papers" / "results.json").read_text())
    (k1,) = [r["outcomes"] for r in results if r["item"] == "Promoters, k1"]
    ours = {o["label"]: o["ours"] for o in k1}
    assert (
        f"*Papers* measures {100 * ours['chosen on training rows']:.1f}% and {100 * ours['chosen on test rows']:.1f}%"
        in text
    )
    assert k1[0]["published"] == pytest.approx(0.0382)
    assert "printed = 3.8" in text


def test_a_logarithm_changes_values_below_1_hardly_and_those_above_1_much():
    rows = load_dataset("markov-strings").rows
    K = Subsequence()(rows)
    assert K.max() < 1
    assert diagonal_ratio(Log(Subsequence())(rows)) / diagonal_ratio(K) > 0.98
    large = np.diag([1e6, 1e6]) + 10.0
    assert diagonal_ratio(np.log1p(large)) < 10 < 1e4 < diagonal_ratio(large)
    assert "hardly change" in Log.__doc__


def test_a_power_leaves_values_of_0_and_1_as_they_are():
    rows = load_dataset("promoters-categorical").rows[:60, :6]
    K = Overlap(composition="product")(rows)
    assert set(np.unique(K)) == {0.0, 1.0}
    assert diagonal_ratio(Power(Overlap(composition="product"), p=0.3)(rows)) == diagonal_ratio(K) > 5
    assert "unless all values are 0 or of one size" in " ".join(Power.__doc__.split())


def test_words_of_one_prior_probability_give_a_multiple_of_the_spectrum():
    rows = ["ab", "ba", "abab"]
    K, plain = PriorSpectrum(length=2, of="letters")(rows), Spectrum(length=2)(rows)
    assert_allclose(K, K[0, 0] / plain[0, 0] * plain)
    assert K[0, 0] > 1.1 * plain[0, 0]
    assert "a multiple of `Spectrum`" in " ".join(PriorSpectrum.__doc__.split())


def test_a_smaller_offset_of_the_sigmoid_may_leave_more_or_less_of_it_negative():
    X = np.random.default_rng(0).normal(size=(30, 3))

    def negative(r):
        values = np.linalg.eigvalsh(Centered(Sigmoid(gamma=0.1, offset=r))(X))
        return -values[values < 0].sum() / np.abs(values).sum()

    shares = [negative(r) for r in (-4.0, -3.0, -2.0, -1.0, 0.0)]
    assert min(np.diff(shares)) < 0 < max(np.diff(shares)), "a smaller offset may leave more of it negative, or less"
    assert "negative" not in Sigmoid.parameters()[1].help


def test_a_factor_below_0_turns_a_row_around():
    X = np.array([[1.0, 0.2], [0.5, 1.0]])
    K = Conformal(Linear(), f=lambda rows: np.array([2.0, -3.0]))(X)
    assert cosine(K)[0, 1] == pytest.approx(-cosine(X @ X.T)[0, 1])
    assert "where f > 0" in Conformal.__doc__


def test_commute_times_are_those_of_the_connected_part():
    path = np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])
    A = np.zeros((5, 5))
    A[:3, :3], A[3:, 3:] = path, [[0, 7.0], [7, 0]]
    K = CommuteTime()(A)
    d2 = K[0, 0] - 2 * K[0, 2] + K[2, 2]
    # By hand: from one end of a path of three nodes to the other and back takes 8 steps.
    assert d2 * path.sum() == pytest.approx(8)
    assert d2 * A.sum() != pytest.approx(8)
    assert "both of the connected part" in " ".join(CommuteTime.__doc__.split())


def test_errata_of_two_sources():
    # [R]: f_i with 1/l_i is u_i on the rows; the projection on the unit vector v_i is √l_i u_i.
    X = np.random.default_rng(0).normal(size=(20, 3))
    K = RBF()(X)
    pairs = decompose(K)
    l, u = pairs.eigenvalues[:4], pairs.eigenvectors[:, :4]
    assert_allclose(K @ u / l, u, atol=1e-10)
    assert_allclose(((K @ u) / np.sqrt(l)).T @ ((K @ u) / np.sqrt(l)), np.diag(l), atol=1e-10)
    assert any("1/√l_i" in words for _, words in ERRATA["R"])
    # [K] (2.26) without α ≤ γ: of two equal rows with different labels its maximum is infinite.
    K, y = np.ones((2, 2)), np.array([1.0, -1.0])
    dual = [2 * a - 0.5 * (a * y) @ K @ (a * y) for a in (1.0, 10.0, 100.0)]
    assert dual == [2.0, 20.0, 200.0]
    assert any("(2.26) lacks α ≤ γ" in words for _, words in ERRATA["K"])
