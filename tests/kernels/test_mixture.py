"""Several kernels at once: sums by hand, weights that maximise the alignment, and labels of the training rows alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from kernlib import RBF, Linear, Mixture
from kernlib.analysis import centred_alignment

X = np.random.default_rng(0).normal(size=(40, 3))
Y = np.where(X[:, 0] + 0.5 * X[:, 1] ** 2 > 0.3, "a", "b")
KERNELS = (Linear(), RBF(sigma=0.5), RBF(sigma=2.0), RBF(sigma=8.0))


def test_weights_by_hand():
    K = Mixture(KERNELS, weights=(1.0, 0.0, 2.0, 0.5))(X)
    np.testing.assert_allclose(K, Linear()(X) + 2 * RBF(sigma=2.0)(X) + 0.5 * RBF(sigma=8.0)(X))
    np.testing.assert_allclose(Mixture(KERNELS)(X), sum(k(X) for k in KERNELS) / 4)


def test_learnt_weights_have_the_largest_alignment():
    """No other weights ≥ 0 do better: searched from many starts."""
    signs = np.where(Y == "a", 1.0, -1.0)
    fitted = Mixture(KERNELS, weights="alignment").fit(X, Y)
    weights = np.array(fitted.used_weights())
    assert weights.min() >= 0.0
    assert weights.sum() == pytest.approx(1.0)
    matrices = [k(X) for k in KERNELS]

    def loss(v: np.ndarray) -> float:
        return -centred_alignment(sum(w * K for w, K in zip(np.abs(v) + 1e-12, matrices, strict=True)), signs)

    starts = np.random.default_rng(1).random((6, 4))
    best = min(minimize(loss, v, method="Nelder-Mead", options={"maxiter": 2000, "xatol": 1e-8}).fun for v in starts)
    assert -centred_alignment(fitted(X), signs) <= best + 1e-6
    assert max(centred_alignment(K, signs) for K in matrices) <= centred_alignment(fitted(X), signs) + 1e-12


def test_test_rows_never_influence_the_weights():
    kernel = Mixture(KERNELS, weights="alignment")
    train, test = np.arange(25), np.arange(25, 40)
    fold = kernel.fold(X[train], X[test], Y[train])
    bound = kernel.bind(X).fold(train, test, Y[train])
    np.testing.assert_allclose(fold.K_star, bound.K_star)
    np.testing.assert_allclose(fold.kernel.used_weights(), kernel.fit(X[train], Y[train]).used_weights())
    np.testing.assert_allclose(fold.kernel(X[test], X[train]), fold.K_star)
    np.testing.assert_allclose(fold.kernel.diag(X[test]), fold.k_diag)


def test_real_targets_and_three_classes():
    target = X[:, 0] ** 2
    real = Mixture(KERNELS, weights="alignment").fit(X, target)
    assert real.used_weights()[0] < max(real.used_weights())
    three = Mixture(KERNELS, weights="alignment").fit(X, np.digitize(X[:, 0], [-0.5, 0.5]))
    assert sum(three.used_weights()) == pytest.approx(1.0)
