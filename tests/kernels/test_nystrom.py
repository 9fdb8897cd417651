"""The Nyström approximation against its definition, and against what it approximates."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from kernlib import (
    RBF,
    Deep,
    Empirical,
    Normalized,
    Nystrom,
    ParameterError,
    Power,
    Standardized,
    parse,
)
from kernlib.kernels import vectors

X = np.random.default_rng(0).normal(size=(60, 3))


def test_the_formula_with_the_landmarks_that_were_drawn():
    kernel = Nystrom(RBF(sigma=1.5), landmarks=9, seed=3).fit(X[:40])
    L = kernel.kept_rows
    assert len(L) == 9
    assert all((row == X[:40]).all(axis=1).any() for row in L), "training rows"
    k = RBF(sigma=1.5)
    expected = k(X[40:], L) @ np.linalg.pinv(k(L)) @ k(L, X[:40])
    assert_allclose(kernel(X[40:], X[:40]), expected, rtol=1e-6, atol=1e-9)
    assert_allclose(kernel(L), k(L), rtol=1e-6, atol=1e-9)
    F = kernel.factor(X)
    assert_allclose(F @ F.T, kernel(X))
    assert F.shape[1] <= 9


TWO_MOONS = np.random.default_rng(1).normal(size=(400, 2)) * [1.0, 30.0]


def test_landmarks_are_different_training_rows():
    draw = Nystrom(Standardized(RBF(sigma=1.0)), landmarks=30)
    kernel = draw.fit(TWO_MOONS)
    assert len({tuple(row) for row in kernel.kept_rows}) == 30
    assert {tuple(row) for row in kernel.kept_rows} <= {tuple(row) for row in TWO_MOONS}
    assert_array_equal(kernel.kept_rows, draw.fit(TWO_MOONS).kept_rows)
    assert not np.array_equal(kernel.kept_rows, Nystrom(draw.kernel, 30, 1).fit(TWO_MOONS).kept_rows)
    # Row steps change places with other steps: the landmarks must not notice.
    swapped = Standardized(Nystrom(RBF(sigma=1.0), landmarks=30))
    assert_allclose(swapped.fit(TWO_MOONS)(TWO_MOONS), kernel(TWO_MOONS), atol=1e-9)


def test_the_draw_that_old_links_name_is_the_only_one():
    old = parse("Nystrom(RBF(sigma=5.0), landmarks=300, seed=0, choice='uniform')")
    assert old == Nystrom(RBF(sigma=5.0), landmarks=300)
    with pytest.raises(ParameterError, match="choice must be 'uniform'"):
        Nystrom(RBF(), choice="leverage")


def test_the_probe_covers_the_error_it_estimates():
    rows = np.random.default_rng(2).normal(size=(400, 3))
    for sigma, landmarks in ((2.0, 20), (0.5, 60), (0.02, 60)):  # the last: a matrix that is all diagonal
        kernel = Nystrom(RBF(sigma=sigma), landmarks=landmarks).fit(rows)
        K = RBF(sigma=sigma)(rows)
        true = np.linalg.norm(K - kernel(rows)) / np.linalg.norm(K)
        probes = [kernel.error(rows, seed=s) for s in range(8)]
        z = [(p.relative - true) / max(p.standard_error, 1e-12 * true) for p in probes]
        assert sigma < 0.1 or sum(abs(v) < 3 for v in z) >= 7, (sigma, true, z)
        assert abs(np.mean([p.relative for p in probes]) / true - 1) < 0.05
        assert_allclose(probes[0].missing, 1 - np.trace(kernel(rows)) / np.trace(K), rtol=1e-6)
    # With few landmarks the error and the kernel's own size vary together, and their ratio far less.
    few = Nystrom(RBF(sigma=0.4), landmarks=5).fit(rows)
    probes = [few.error(rows, seed=s) for s in range(20)]
    scatter = np.std([p.relative for p in probes], ddof=1)
    assert 0.6 < scatter / np.mean([p.standard_error for p in probes]) < 1.5
    whole = Nystrom(RBF(sigma=2.0), landmarks=400).fit(rows).error(rows)
    assert whole.relative < 1e-6
    assert "values are exact" in whole.words()


def test_what_is_learnt_from_a_matrix_is_learnt_from_the_landmarks_alone(monkeypatch):
    sizes = []

    def counted(A, B, *more, true=vectors.gaussian):
        sizes.append(len(A) * len(A if B is None else B))
        return true(A, B, *more)

    monkeypatch.setattr(vectors, "gaussian", counted)
    rows = np.random.default_rng(3).normal(size=(300, 3))
    kernel = Nystrom(Deep(Empirical(Power(Standardized(RBF(sigma=1.0)), p=0.5)), level=2), landmarks=10)
    fitted = kernel.fit(rows)
    F = fitted.factor(rows)
    for bound in (kernel.bind(rows), Deep(kernel).bind(rows)):
        bound.fold(np.arange(200), np.arange(200, 300))
    assert max(sizes) <= 300 * 10
    # Exact on the landmarks, where Standardized knows all rows and the steps above know the landmarks.
    standard = Standardized(RBF(sigma=1.0)).fit(rows)
    L = fitted.kept_rows
    exact = Deep(Empirical(Power(standard, p=0.5)), level=2).fit(L)
    assert_allclose(fitted(L), exact(L), atol=1e-8)
    assert_allclose(F @ F.T, fitted(rows), atol=1e-12)


@pytest.mark.parametrize("around", [Normalized, lambda k: 0.3 * k, lambda k: k + 2.0 * Normalized(k)])
def test_steps_that_keep_the_rows_short(around):
    kernel = around(Nystrom(RBF(sigma=1.0), landmarks=7)).fit(X)
    assert kernel.has_factor
    assert_allclose(kernel.factor_rows(X[:9]) @ kernel.factor_rows(X).T, kernel(X[:9], X), atol=1e-12)
    assert not Power(Nystrom(RBF()), p=0.5).has_factor
