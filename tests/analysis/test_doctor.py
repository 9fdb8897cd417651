"""The doctor finds what was done to a matrix, and its remedies cure it."""

import numpy as np
import pytest

from kernlib import RBF, Linear, Polynomial, Precomputed, PrecomputedDistances
from kernlib.analysis.doctor import examine

X = np.random.default_rng(0).normal(size=(30, 4))


def ill(K, y=None):
    return {f.name: f for f in examine(K, y) if not f.sound}


def gram(kernel, rows=X):
    return kernel.fit(rows)(rows)


def test_a_healthy_matrix_passes_every_check():
    found = examine(gram(RBF(sigma=2.0)))
    assert [f.name for f in found if not f.sound] == []
    assert len(found) == 7
    assert all(f.verdict and f.meaning for f in found)


def test_asymmetry_ends_the_examination():
    K = gram(RBF(sigma=2.0)).copy()
    K[3, 5] += 1e-3
    (found,) = examine(K)
    assert not found.sound
    assert found.rows in ((3, 5), (5, 3))
    assert "K[3, 5]" in found.verdict


def test_indefinite_is_cured():
    S = np.random.default_rng(1).normal(size=(20, 20))
    S = (S + S.T) / 2 + 4 * np.eye(20)
    found = ill(S)["indefinite"]
    negative = int((np.linalg.eigvalsh(S) < 0).sum())
    assert found.verdict.startswith(f"{negative} of 20 eigenvalues are negative")
    for remedy in found.remedies:
        kernel = remedy.apply(Precomputed()).bind(S)
        rows = np.arange(20)
        cured = kernel(rows) if remedy.inductive is False else kernel.fit(rows)(rows)
        assert "indefinite" not in ill(cured)
        assert remedy.apply(Precomputed()).transductive is not remedy.inductive


def test_distances_are_called_so_and_given_an_origin():
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    assert "PrecomputedDistances" in ill(gram(Precomputed(), D))["probably distances"].meaning
    found = ill(gram(PrecomputedDistances(), D))["distances without an origin"]
    for remedy in found.remedies:
        assert ill(gram(remedy.apply(PrecomputedDistances()), D)) == {}


def test_dominating_row_constant_and_identity_are_cured():
    rows = X.copy()
    rows[7] *= 40
    found = ill(gram(Linear(), rows))["a row that dominates"]
    assert found.rows == (7,)
    assert "row 7" in found.verdict
    assert "a row that dominates" not in ill(gram(found.remedies[0].apply(Linear()), rows))
    flat = Polynomial(degree=1, offset=5000.0)
    found = ill(gram(flat))["nearly constant"]
    assert "nearly constant" not in ill(gram(found.remedies[0].apply(flat)))
    assert "a large diagonal" not in ill(gram(flat))
    narrow = RBF(sigma=0.7)
    found = ill(gram(narrow))["a large diagonal"]
    assert "a large diagonal" not in ill(gram(found.remedies[0].apply(narrow)))


def test_rows_without_length_and_twins():
    rows = X.copy()
    rows[4] = 0.0
    rows[9] = rows[2] * (1 + 1e-9)
    found = ill(gram(Linear(), rows), np.arange(30) % 2)
    assert found["rows without length"].rows == (4,)
    assert found["rows that coincide"].rows == (2, 9)
    assert "1 of 1 disagree" in found["rows that coincide"].verdict
    assert "agree in their labels" in ill(gram(Linear(), rows), np.zeros(30))["rows that coincide"].verdict


@pytest.mark.parametrize("K", [[[1.0]], np.zeros((3, 3)), np.ones((4, 4)), np.eye(3), -np.eye(3), [[0.0, 1], [1, 0]]])
def test_degenerate_matrices_are_told_and_not_refused(K):
    found = examine(K)
    assert all("nan" not in f.verdict for f in found)
    assert len(found) >= 2


def test_lengths_that_order_the_classes_are_named_and_cured():
    rng = np.random.default_rng(1)
    y = np.arange(60) % 2
    rows = rng.normal(size=(60, 5)) * np.where(y, 3.0, 1.0)[:, None]
    found = ill(gram(Linear(), rows), y)["lengths that order the classes"]
    assert "area under its ROC curve is 0.9" in found.verdict or "is 1" in found.verdict
    cured = found.remedies[0].apply(Linear())
    assert "lengths that order the classes" not in ill(gram(cured, rows), y)
    assert "lengths that order the classes" not in ill(gram(Linear(), rows), rng.permutation(y))
