"""Functions of a graph's Laplacian against matrix inverses, powers and a random walk."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from scipy.linalg import expm

from kernlib import CommuteTime, Diffusion, RandomWalkSteps, RegularisedLaplacian
from kernlib.data import load_dataset
from kernlib.kernels.nodes import laplacian

from .rows import ROWS

A = np.array(load_dataset("karate").rows, dtype=float)
L = laplacian(A)
D = np.diag(1 / np.sqrt(A.sum(axis=0)))
WALK = np.eye(len(A)) - D @ A @ D


def test_by_matrices():
    np.testing.assert_allclose(RegularisedLaplacian(sigma=0.7)(A), np.linalg.inv(np.eye(len(A)) + 0.49 * L), atol=1e-12)
    np.testing.assert_allclose(CommuteTime()(A), np.linalg.pinv(L, rcond=1e-10, hermitian=True), atol=1e-10)
    powers = np.linalg.matrix_power(2.5 * np.eye(len(A)) - WALK, 4)
    np.testing.assert_allclose(RandomWalkSteps(steps=4, a=2.5)(A), powers, atol=1e-10)


def test_commute_times_of_a_walk():
    """The mean number of steps to a node solves a linear system of its own."""
    P = A / A.sum(axis=1, keepdims=True)
    n = len(A)

    def hitting(to: int) -> np.ndarray:
        rest = np.delete(np.arange(n), to)
        h = np.zeros(n)
        h[rest] = np.linalg.solve(np.eye(n - 1) - P[np.ix_(rest, rest)], np.ones(n - 1))
        return h

    K = CommuteTime()(A)
    commute = hitting(33)[0] + hitting(0)[33]
    assert A.sum() * (K[0, 0] - 2 * K[0, 33] + K[33, 33]) == pytest.approx(commute, rel=1e-9)


def test_a_graph_in_parts_and_nodes_without_edges():
    parts = np.array([[0.0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    assert CommuteTime()(parts)[2].tolist() == [0, 0, 0, 0]
    for kernel in (RegularisedLaplacian(), RandomWalkSteps(), Diffusion(), CommuteTime()):
        K = kernel(parts)
        assert np.isfinite(K).all()
        np.testing.assert_allclose(K[:2, 2:], 0.0, atol=1e-12)
        np.testing.assert_allclose(kernel.diag(parts), np.diag(K))
        assert np.isfinite(kernel([[0.0]])).all()


def test_heat_in_units_of_the_graph():
    """Weights a hundred times as large need a hundredth of the time."""
    suited = Diffusion().heuristics(A)["beta"]
    assert Diffusion().heuristics(100 * A)["beta"] == pytest.approx(suited / 100)
    np.testing.assert_allclose(Diffusion(beta=suited / 100)(100 * A), Diffusion(beta=suited)(A), atol=1e-9)
    assert Diffusion().heuristics(np.zeros((3, 3))) == {}


PATH = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])


@settings(deadline=None)
@given(ROWS["node"])
def test_equals_the_matrix_exponential(A):
    off = A - np.diag(np.diag(A))
    L = np.diag(off.sum(axis=1)) - off
    for beta in (0.05, 0.3, 2.0):
        np.testing.assert_allclose(Diffusion(beta=beta)(A), expm(-beta * L), atol=1e-12)


def test_every_form_of_the_same_graph():
    expected = Diffusion()(PATH)
    np.testing.assert_array_equal(Diffusion()(sp.csr_array(PATH)), expected)
    np.testing.assert_array_equal(Diffusion()(PATH.astype(int).tolist()), expected)
    np.testing.assert_array_equal(Diffusion()(PATH + 7 * np.eye(3)), expected)  # its diagonal is not read
    np.testing.assert_array_equal(Diffusion(beta=3.0)(np.zeros((2, 2))), np.eye(2))
