"""Leading components of all rows: beside scikit-learn's kernel PCA, and nothing of them without all rows."""

from __future__ import annotations

import numpy as np
from sklearn.decomposition import KernelPCA

from kernlib import RBF, Centered, PrincipalComponents

X = np.random.default_rng(0).normal(size=(12, 3))


def test_centred_it_is_kernel_pca_of_all_rows():
    kernel = PrincipalComponents(Centered(RBF(sigma=1.0)), components=3)
    theirs = KernelPCA(3, kernel="precomputed").fit_transform(RBF(sigma=1.0)(X))
    bound = kernel.bind(X)
    fold = bound.fold(range(8), range(8, 12))
    np.testing.assert_allclose(fold.K, (theirs @ theirs.T)[:8, :8], atol=1e-12)
    np.testing.assert_allclose(fold.K_star, (theirs @ theirs.T)[8:, :8], atol=1e-12)
    np.testing.assert_allclose(fold.k_diag, (theirs**2).sum(axis=1)[8:], atol=1e-12)
    assert kernel.transductive
    assert np.linalg.matrix_rank(bound(np.arange(12))) == 3
