"""Single parts against the definitions and the worked examples of [D]: a sum alone could be right by scaling."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import (
    RBF,
    Deep,
    Empirical,
    LabelPairs,
    LatentSemantic,
    Linear,
    Mismatch,
    Normalized,
    Polynomial,
    Power,
    ProbabilityOverlap,
    Spectrum,
    Standardized,
    Subsequence,
    VectorSpace,
    WeightedDegree,
)
from tests.kernels.test_definitions import subsequences
from tests.kernels.test_graphs import RING

PROMOTERS = (
    "tactagcaatacgcttgcgttcggtggttaagtatgtataatgcgcgggcttgtcgt",  # the first two of the UCI promoters
    "tgctatcctgacagttgtcacgctgattggtgtcgttacaatctaacgcatcgccaa",
)


def named(told) -> dict[str, float]:
    """Values by the word or column that a part begins with."""
    return {text.split(":")[0].strip("‘’"): value for text, value in told.parts}


def test_abba():
    """[D]: Φ_AB(ABBA) = λ² + λ³; the other string is the word itself."""
    told = Subsequence(order=2, decay=0.5).explain("ABBA", "AB")
    assert told.parts == (("AB: 0.375 × 0.25", (0.5**2 + 0.5**3) * 0.5**2),)


@pytest.mark.parametrize("strings", [("CART", "CAT"), PROMOTERS])
def test_subsequences_by_their_definition(strings):
    decay, order = 0.4, 3
    a, b = (subsequences(order, decay, s) for s in strings)
    kernel = Subsequence(order=order, decay=decay)
    wanted = {word: a[word] * b[word] for word in a if word in b}
    assert named(kernel.explain(*strings)) == {word: pytest.approx(value, rel=1e-10) for word, value in wanted.items()}


def test_words_counts_and_stretches():
    assert named(Spectrum(length=2).explain("ATATG", "TATT")) == {"AT": 2.0, "TA": 1.0}
    assert named(Mismatch(length=2, mismatches=1, alphabet="ab").explain("aab", "bb")) == {
        "ab": 2.0,
        "ba": 1.0,
        "bb": 1.0,
    }
    told = Mismatch(length=12, mismatches=6, alphabet="acgt").explain(*PROMOTERS)
    assert told.parts == (("the whole value", told.value),)
    told = named(WeightedDegree(degree=2).explain("ACGTT", "ACCTT"))
    assert told == {word: pytest.approx(2.0 if len(word) == 6 else 1.0) for word in told}
    assert set(told) == {"A at 1", "C at 2", "AC at 1", "T at 4", "T at 5", "TT at 4"}


def test_the_six_node_graph():
    """[D], Matrix Example."""
    told = LabelPairs(beta=0.2).explain(RING, RING)
    whole = sum(0.2**n / math.factorial(n) * np.linalg.matrix_power(RING.adjacency, n) for n in range(30))
    assert named(told)["from N to N"] == pytest.approx(whole[3, 3] ** 2, rel=1e-12)


def test_columns():
    x, z = [1.0, 0.0, 2.0], [1.0, 1.0, 0.0]
    told = RBF(sigma=2.0).explain(x, z, columns=("age", "size", "weight"))
    assert [v for _, v in told.apart] == [0.0, 0.125, 0.5]
    assert told.apart[2].text == "weight: 2 and 0"
    assert math.exp(-sum(v for _, v in told.apart)) == pytest.approx(told.value, rel=1e-12)
    assert [v for _, v in told.parts] == pytest.approx(told.value * np.exp([0, -0.125, -0.5]) / 2.4890275, rel=1e-6)
    assert [v for _, v in Polynomial(degree=2, offset=1.0).explain(x, z).parts] == [2.0, 0.0, 0.0, 2.0]


def test_a_rare_agreement_counts_more():
    rows = np.array([["a", "x"], ["a", "x"], ["a", "y"], ["b", "y"]], dtype=object)
    told = ProbabilityOverlap().fit(rows).explain(["a", "y"], ["a", "y"], columns=("kind", "side"))
    assert [text for text, _ in told.parts] == [
        "kind: a and a, P = 0.75 and 0.75",
        "side: y and y, P = 0.5 and 0.5",
    ]
    assert [v for _, v in told.parts] == pytest.approx([0.125, 0.25])


def test_texts():
    texts = ["the cat purrs", "the dog", "cat and cat"]
    assert named(VectorSpace().fit(texts).explain("cat the cat", "the cat")) == {"cat": 2.0, "the": 1.0}
    kernel = LatentSemantic(concepts=2).fit(texts)
    assert all("concept" in text for text, _ in kernel.explain(*texts[:2]).parts)


def test_steps_tell_how_the_value_changed():
    """The base, then each step; parts follow p, through every landmark."""
    strings = ["gattaca", "attacca", "ccggtta"]
    told = Empirical(Power(Subsequence(order=2, decay=0.5), p=0.5)).fit(strings).explain(*strings[:2])
    base = Subsequence(order=2, decay=0.5)(strings)
    assert [text for text, _ in told.steps] == ["Subsequence(2, 0.5)", "power 0.5", "empirical map"]
    assert [v for _, v in told.steps] == pytest.approx([base[0, 1], base[0, 1] ** 0.5, (base**0.5 @ base**0.5)[0, 1]])
    assert [v for _, v in told.parts] == pytest.approx((base[0] ** 0.5 * base[1] ** 0.5).tolist())
    assert told.below is not None
    assert told.below.value == pytest.approx(base[0, 1])
    assert "tt" in {text.split(":")[0] for text, _ in told.below.parts}, "what the two strings share"

    def share(p: float) -> float:
        """What goes through the two rows themselves."""
        parts = Empirical(Power(Subsequence(order=2, decay=0.5), p=p)).fit(strings).explain(*strings[:2]).parts
        return (parts[0].value + parts[1].value) / math.fsum(v for _, v in parts)

    assert share(0.2) < share(0.6) < share(1.0)


def test_deep_and_normalised_keep_proportions():
    x, z = np.array([1.0, 2.0, 0.5]), np.array([0.5, 1.0, 2.0])
    X = np.random.default_rng(1).normal(size=(20, 3))
    inner = np.array([v for _, v in Linear().explain(x, z).parts])
    unit = np.array([v for _, v in Normalized(Linear()).explain(x, z).parts])
    assert_allclose(unit, inner / (np.linalg.norm(x) * np.linalg.norm(z)))
    deep = Deep(Linear()).fit(X)
    (h,) = deep.learnt_bandwidths
    told = deep.explain(x, z)
    nothing = math.exp(-(x @ x + z @ z) / (2 * h * h)) / (math.sqrt(2 * math.pi) * h)
    assert told.parts[0].value == pytest.approx(nothing, rel=1e-12)
    assert_allclose([v for _, v in told.parts[1:]] / inner, (told.value - nothing) / inner.sum())


def test_row_steps_name_their_columns():
    X = np.array([[0.0, 100.0], [2.0, 300.0]])
    told = Standardized(Linear()).fit(X).explain(X[0], X[1], columns=("a", "b"))
    assert told.parts == (("a: −1 × 1", -1.0), ("b: −1 × 1", -1.0))
    assert told.steps[0].text == "standardised → Linear"
