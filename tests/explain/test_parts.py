"""Single parts against the definitions and the worked examples of [D]: a sum alone could be right by scaling."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import (
    ANOVA,
    RBF,
    Alignment,
    Convolution,
    Deep,
    Diffusion,
    Empirical,
    Graph,
    LabelPairs,
    LabelSequences,
    LatentSemantic,
    Linear,
    Mismatch,
    Normalized,
    Polynomial,
    Power,
    ProbabilityOverlap,
    Spectrum,
    SquareRoot,
    Standardized,
    Subsequence,
    VectorSpace,
    WeightedDegree,
)
from kernlib.errors import ExplainError
from kernlib.explain import explain_rows
from kernlib.explain.features import label_pair_walks
from kernlib.explain.leaves import direct_product, recursion_tables, walks_by_labels
from kernlib.numerics.sizes import all_sizes

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

    def definition(s):
        found = Counter()
        for places in itertools.combinations(range(len(s)), order):
            found["".join(s[p] for p in places)] += decay ** (places[-1] - places[0] + 1)
        return found

    a, b = (definition(s) for s in strings)
    kernel = Subsequence(order=order, decay=decay)
    wanted = {word: a[word] * b[word] for word in a if word in b}
    assert named(kernel.explain(*strings)) == {word: pytest.approx(value, rel=1e-10) for word, value in wanted.items()}
    tables = recursion_tables(*strings, order, decay)
    assert decay**2 * tables[-1].sum() == pytest.approx(sum(wanted.values()), rel=1e-10)
    with all_sizes(30):  # too many words to name
        by_place = kernel.explain(*strings)
    if len(strings[0]) * len(strings[1]) <= 30:
        assert [text for text, _ in by_place.parts] == ["words that end at letter 4 (T)"]
    else:
        assert len(by_place.parts) == len(wanted), "tables of too many pairs of letters"


def test_words_counts_and_stretches():
    assert named(Spectrum(length=2).explain("ATATG", "TATT")) == {"AT": 2.0, "TA": 1.0}
    assert named(Mismatch(length=2, mismatches=1, alphabet="ab").explain("aab", "bb")) == {
        "ab": 2.0,
        "ba": 1.0,
        "bb": 1.0,
    }
    told = Mismatch(length=12, mismatches=6, alphabet="acgt").explain(*PROMOTERS)
    assert told.parts == (("all features together", told.value),)
    told = WeightedDegree(degree=2).explain("ACGTT", "ACCTT")
    assert told.parts == (("AC at places 1–2", 5.0), ("TT at places 4–5", 5.0))
    told = Alignment(match=2.0, mismatch=-1.0, gap=-1.0).explain("gatta", "gatca")
    assert [v for _, v in told.parts] == [6.0, -1.0, 2.0]
    assert told.parts[1].text == "t against c, at letter 4"
    told = Alignment(match=2.0, mismatch=-3.0, gap=-1.0).explain("accttgga", "accgga")
    assert [text for text, _ in told.parts] == [
        "acc in both, from letter 1",
        "tt left out, at letter 4",
        "gga in both, from letter 6",
    ]


def test_convolution_of_atg():
    """[D]'s two ways to split ATG; the four pairs of ways, each a product of shared letters."""
    told = Convolution("two-substrings", (Spectrum(length=1), Spectrum(length=1))).explain("ATG", "ATG")
    assert dict(told.parts) == {
        "A|TG with A|TG": 2.0,
        "A|TG with AT|G": 1.0,
        "AT|G with A|TG": 1.0,
        "AT|G with AT|G": 2.0,
    }


def test_the_six_node_graph():
    """[D], Matrix Example: LEL' and LE²L'."""
    ring = Graph(np.roll(np.eye(6), 1, axis=1) + np.roll(np.eye(6), -1, axis=1), labels="CCCNCC")
    walks = label_pair_walks(ring, 2)
    order = [("C", "C"), ("C", "N"), ("N", "C"), ("N", "N")]
    assert [walks[1][pair] for pair in order] == [8.0, 2.0, 2.0, 0.0]
    assert [walks[2][pair] for pair in order] == [18.0, 2.0, 2.0, 2.0]
    told = LabelPairs(beta=0.2).explain(ring, ring)
    whole = sum(0.2**n / math.factorial(n) * np.linalg.matrix_power(ring.adjacency, n) for n in range(30))
    assert named(told)["from N to N"] == pytest.approx(whole[3, 3] ** 2, rel=1e-12)
    told = LabelSequences(beta=0.1).explain(ring, Graph([[0, 1], [1, 0]], labels="CN"))
    assert named(told)["C"] == 5.0
    assert named(told)["C–N–C"] == pytest.approx(0.1**2 * 4 * 1)  # to N and back, by either neighbour


def test_columns():
    x, z = [1.0, 0.0, 2.0], [1.0, 1.0, 0.0]
    told = RBF(sigma=2.0).explain(x, z, columns=("age", "size", "weight"))
    assert [v for _, v in told.apart] == [0.0, 0.125, 0.5]
    assert told.apart[2].text == "weight: 2 and 0"
    assert math.exp(-sum(v for _, v in told.apart)) == pytest.approx(told.value, rel=1e-12)
    assert [v for _, v in told.parts] == pytest.approx(told.value * np.exp([0, -0.125, -0.5]) / 2.4890275, rel=1e-6)
    assert [v for _, v in Polynomial(degree=2, offset=1.0).explain(x, z).parts] == [2.0, 0.0, 0.0, 2.0]
    wide = np.random.default_rng(0).normal(size=(2, 12))
    told = ANOVA(order=3, sigma=2.0).explain(wide[0], wide[1])
    e = np.exp(-((wide[0] - wide[1]) ** 2) / 8)
    by_hand = sum(e[0] * e[a] * e[b] for a, b in itertools.combinations(range(1, 12), 2)) / 3
    assert told.parts[0].value == pytest.approx(by_hand, rel=1e-10)


def test_a_rare_agreement_counts_more():
    rows = np.array([["a", "x"], ["a", "x"], ["a", "y"], ["b", "y"]], dtype=object)
    told = ProbabilityOverlap().fit(rows).explain(["a", "y"], ["a", "y"], columns=("kind", "side"))
    assert [text for text, _ in told.parts] == [
        "kind: a in both, P = 0.75",
        "side: y in both, P = 0.5",
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
    assert [text for text, _ in told.steps] == ["Subsequence(2, 0.5)", "|·|^0.5", "empirical map"]
    assert [v for _, v in told.steps] == pytest.approx([base[0, 1], base[0, 1] ** 0.5, (base**0.5 @ base**0.5)[0, 1]])
    assert [v for _, v in told.parts] == pytest.approx((base[0] ** 0.5 * base[1] ** 0.5).tolist())

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


def test_levels_over_what_exists_for_all_rows_at_once():
    X = np.random.default_rng(3).normal(size=(12, 2))
    for kernel, rows in ((Deep(SquareRoot(RBF()), level=2), X), (Deep(Diffusion(beta=0.5)), np.abs(X @ X.T))):
        told = explain_rows(kernel, rows, 3, 7)
        assert told.value == kernel(rows)[3, 7]
        assert math.fsum(v for _, v in told.parts) == pytest.approx(told.value, rel=1e-10)


def test_row_steps_name_their_columns():
    X = np.array([[0.0, 100.0], [2.0, 300.0]])
    told = Standardized(Linear()).fit(X).explain(X[0], X[1], columns=("a", "b"))
    assert told.parts == (("a: −1 × 1", -1.0), ("b: −1 × 1", -1.0))
    assert told.steps[0].text == "standardised → Linear"


def test_heat_by_walks():
    """A path 0–1–2: no walk of one step leads from 0 to 2; the shares follow the binomials of a lazy walk."""
    path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    told = explain_rows(Diffusion(beta=0.3), path, 0, 2)
    assert told.parts[0].text == "walks of 2 steps"
    stay = np.eye(3) - (np.diag([1, 2, 1]) - np.array(path)) / 2
    wanted = math.exp(-0.6) * 0.6**3 / 6 * np.linalg.matrix_power(stay, 3)[0, 2]
    assert told.parts[1].value == pytest.approx(wanted, rel=1e-12)


def test_long_rows_are_summed_and_not_held():
    """Parts too many to list are listed as sums of the same value."""
    path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    by_walks = explain_rows(Diffusion(beta=0.3), path, 0, 2)
    with all_sizes(1):
        by_directions = explain_rows(Diffusion(beta=0.3), path, 0, 2)
    assert by_directions.value == by_walks.value
    assert by_directions.parts[0].text.startswith("direction 1 of the graph, s = ")
    with (
        all_sizes(100),
        pytest.raises(ExplainError, match="57 with 57 letters is too long to be traced; expected at most 100"),
    ):
        Alignment().explain(*PROMOTERS)


def test_walks_of_the_product_are_pairs_of_walks_with_the_same_labels():
    first = Graph(np.ones((3, 3)) - np.eye(3), labels="CCO", edge_labels={(0, 1): "double"})
    second = Graph([[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]], labels="COCC")
    product = direct_product(first, second)
    assert product.n == 2 * 3 + 1
    reached = np.ones(product.n)
    for length in range(3):
        counted = [walks_by_labels(graph, length) for graph in (first, second)]
        assert reached.sum() == sum(counted[0].get(labels, 0) * n for labels, n in counted[1].items())
        reached = product.adjacency @ reached
    assert direct_product(first, Graph(np.zeros((0, 0)))).n == 0
