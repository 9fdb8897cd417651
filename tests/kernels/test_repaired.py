"""Spectrum repair, and the √K scheme, from the eigenvalues."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings

from kernlib import (
    RBF,
    Diffusion,
    Linear,
    Polynomial,
    Power,
    Precomputed,
    Repaired,
    SquareRoot,
)

from .rows import ROWS

METHODS = ("clip", "flip", "shift", "psi")
PSI = {
    "clip": lambda v: max(v, 0.0),
    "flip": abs,
    "psi": lambda v: 1.0 + v if v > 0 else 0.0,
}
SCORES = np.array([[0.0, 2.0, 1.0], [2.0, 0.0, -1.0], [1.0, -1.0, 3.0]])


@settings(deadline=None)
@given(ROWS["matrix"])
def test_eigenvalues_go_through_psi(S):
    values, U = np.linalg.eigh(S)
    assume(np.abs(values).min() > 1e-6)
    for method, psi in PSI.items():
        expected = sum(psi(v) * np.outer(u, u) for v, u in zip(values, U.T, strict=True))
        np.testing.assert_allclose(Repaired(Precomputed(), method=method)(S), expected, atol=1e-10)
    shifted = Repaired(Precomputed(), method="shift")(S)
    np.testing.assert_allclose(shifted, S - min(values[0], 0.0) * np.eye(len(S)), atol=1e-10)
    np.testing.assert_allclose(Repaired(Precomputed(), method="square")(S), S @ S.T, atol=1e-10)


def test_psi_leaves_a_zero_eigenvalue_at_zero():
    """(3.18) jumps by one at 0: rounding must not make a rank-one matrix one of full rank."""
    S = np.outer([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) / 7.0
    np.testing.assert_allclose(Repaired(Precomputed(), method="psi")(S), S * (1 + 13.0) / 13.0, atol=1e-12)


def test_what_the_inner_kernel_learns_it_learns_from_all_rows():
    X = np.random.default_rng(0).normal(size=(6, 2))
    kernel = Repaired(Power(RBF(sigma="median"), p=0.5))
    whole = RBF(sigma="median").fit(X)
    np.testing.assert_allclose(kernel.bind(X)([0, 1]), Repaired(Power(whole, p=0.5))(X)[:2, :2])
    # A kernel that was fitted by hand keeps what it has learnt.
    few = RBF(sigma="median").fit(X[:3])
    np.testing.assert_allclose(SquareRoot(few)(X) @ SquareRoot(few)(X), few(X), atol=1e-12)


class TestSquareRoot:
    def test_its_square_is_the_kernel(self):
        X = np.random.default_rng(2).normal(size=(8, 3))
        for kernel in (Linear(), RBF(), Polynomial(degree=2)):
            A = SquareRoot(kernel)(X)
            np.testing.assert_allclose(A @ A, kernel(X), atol=1e-9)
            assert np.linalg.eigvalsh(A).min() > -1e-10

    @pytest.mark.parametrize("kernel", [Linear(), RBF(sigma=2.0), RBF(sigma="median")])
    def test_the_scheme_with_the_identity_gives_k_back(self, kernel):
        """[O] 3: 'if φ is the identity, then we have K = K''."""
        X = np.random.default_rng(3).normal(size=(9, 4))
        scheme = Repaired(Power(SquareRoot(kernel), p=1.0), method="square")
        assert scheme.transductive
        np.testing.assert_allclose(scheme(X), kernel(X), atol=1e-10)
        fold = scheme.bind(X).fold(range(6), range(6, 9))
        np.testing.assert_allclose(fold.K, kernel(X)[:6, :6], atol=1e-10)
        np.testing.assert_allclose(fold.K_star, kernel(X)[6:, :6], atol=1e-10)
        np.testing.assert_allclose(fold.k_diag, np.diag(kernel(X))[6:], atol=1e-10)

    def test_over_nodes(self):
        A = np.ones((4, 4)) - np.eye(4)
        root = SquareRoot(Diffusion(beta=0.4)).bind(A)(np.arange(4))
        np.testing.assert_allclose(root, Diffusion(beta=0.2)(A))
