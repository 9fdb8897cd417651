"""Facts on which sentences of lessons, the glossary and the doctor stand, each computed."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from scipy.special import erf

from kernlib import RBF, Deep, Linear, Normalized, Subsequence, WeisfeilerLehman
from kernlib.analysis import diagonal_ratio, examine
from kernlib.analysis.levels import DeepLevel, collapse, level_numbers
from kernlib.data import load_dataset
from kernlib.figures.depth import collapse_words
from kernlib.protocols import errors_on_halves
from kernlib.values.words import GLOSSARY
from kernlib.wrappers.deep import InfiniteWidth

from .test_lessons import LESSONS


def off(K: np.ndarray) -> np.ndarray:
    return K[~np.eye(len(K), dtype=bool)]


def text_of(lesson: str) -> str:
    return " ".join(step.text for step in LESSONS[lesson].steps)


def test_an_indefinite_matrix_may_have_no_negative_squared_distance_of_two_rows():
    S = load_dataset("digit-shift-scores").rows
    values, vectors = np.linalg.eigh(S)
    assert values[0] < -0.1
    squared = S.diagonal()[:, None] - 2 * S + S.diagonal()
    assert off(squared).min() > 0
    assert vectors[:, 0] @ S @ vectors[:, 0] < 0, "a weighted sum of rows has a negative squared length"
    finding = next(f for f in examine(S) if f.name == "indefinite")
    assert "weighted sums of rows have a negative squared length" in finding.meaning


@pytest.mark.parametrize("sizes", [(15, 5), (18, 2), (10, 10)])
def test_rows_that_coincide_are_named_where_most_pairs_do(sizes):
    rows = np.repeat(np.array([[1.0, 0.0], [-1.0, 0.5]]), sizes, axis=0)
    names = {f.name: f for f in examine(rows @ rows.T)}
    assert "distinct rows" not in names
    assert len(names["rows that coincide"].rows) == 20
    assert "rows that coincide" not in {f.name for f in examine(np.ones((20, 20)))}


def test_a_row_that_dominates_has_the_leading_direction_and_the_largest_distances():
    rows = np.random.default_rng(0).normal(size=(50, 5))
    rows[7] *= 20
    K = np.eye(50) + 0.3
    K[7, 7] = 50
    for matrix in (rows @ rows.T, K):
        assert next(f for f in examine(matrix) if f.name == "a row that dominates").rows == (7,)
        assert np.linalg.eigh(matrix)[1][7, -1] ** 2 > 0.9
        squared = matrix.diagonal()[:, None] - 2 * matrix + matrix.diagonal()
        others = np.delete(np.delete(squared, 7, 0), 7, 1)
        assert np.delete(squared[7], 7).min() > others.max()


def test_lesson_2_most_pairs_share_subsequences_that_count_little_and_a_power_raises_all_values():
    strings = load_dataset("markov-strings", n=50, seed=0).rows
    shared = [bool({*combinations(s, 3)} & {*combinations(t, 3)}) for s, t in combinations(strings, 2)]
    assert np.mean(shared) > 0.9
    assert np.median(off(Normalized(Subsequence(order=3, decay=0.25))(strings))) < 0.001
    K = Subsequence(order=3, decay=0.25)(strings)
    assert K.max() < 1, "below 1 a power raises every value, large ones less"
    assert (K**0.5 >= K).all()
    assert diagonal_ratio(K**0.5) < diagonal_ratio(K) / 5


@pytest.mark.parametrize(
    ("kernel", "kind", "verdict"),
    [
        (Deep(RBF(sigma=1.8), level=50), "constant", "memorises"),
        (InfiniteWidth(Linear(), level=30, weights=1.0), "everywhere", "does not learn"),
        (InfiniteWidth(Linear(), level=50, activation="erf", weights=0.7), "everywhere", "does not learn"),
    ],
    ids=repr,
)
def test_a_collapse_has_two_ends(kernel, kind, verdict):
    data = load_dataset("banana", n=120)
    numbers = level_numbers(DeepLevel(kernel.level, None, kernel(data.inputs)))
    errors = errors_on_halves(kernel, data.inputs, data.y)
    assert (collapse({kernel.level: numbers}).kind, errors.verdict) == (kind, verdict)
    assert ("rows nearly coincide" in collapse_words(collapse({kernel.level: numbers}))) == (kind == "everywhere")
    assert errors.training == 0 if kind == "constant" else errors.training > 0.4
    meaning = next(term.meaning for term in GLOSSARY if term.name == "collapse")
    assert "Constant off the diagonal, a machine memorises any labels; constant everywhere, rows coincide" in meaning


def test_lesson_6_the_most_frequent_class_has_forty_percent():
    data = load_dataset("wine", n=100, seed=0)
    assert len(data.classes) == 3
    assert max(data.class_counts.values()) == 40
    assert "about 67%, always naming the most frequent class 60%" in text_of("06-fooling-oneself")


def test_lesson_11_the_edge_of_chaos_is_on_its_slider():
    z, weights = np.polynomial.hermite_e.hermegauss(80)
    weights /= weights.sum()

    def slope(variance: float, bias: float) -> float:
        q = 1.0
        for _ in range(500):
            q = variance * float(weights @ erf(np.sqrt(q) * z) ** 2) + bias
        return variance * float(weights @ (4 / np.pi * np.exp(-2 * q * z**2)))

    step = LESSONS["11-depth-in-an-infinite-network"].steps[-1]
    kernel = step.view.scene().kernel
    edge = float(re.search(r"the edge is at (\d\.\d+)", step.text)[1])
    assert edge in step.view.values
    assert slope(edge, kernel.biases) == pytest.approx(1, abs=0.005)
    assert slope(step.view.values[0], kernel.biases) < 0.9 < 1.1 < slope(step.view.values[-1], kernel.biases)


def test_lesson_12_molecules_stay_similar_since_all_levels_count():
    molecules = load_dataset("mutag").rows
    means = [float(off(Normalized(WeisfeilerLehman(level=level))(molecules)).mean()) for level in (0, 2, 4, 6)]
    assert means == sorted(means, reverse=True)
    assert means[-1] > 0.5
    deep = WeisfeilerLehman(level=6)(molecules) - WeisfeilerLehman(level=5)(molecules)
    assert (off(deep) == 0).mean() > 0.5, "labels of the last level alone rarely match"
    heavy = {str(label) for graph in molecules for label in graph.labels}
    assert len(heavy) <= 7
