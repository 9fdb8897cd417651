"""The diffusion kernel against scipy's matrix exponential, and what is refused of a matrix."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from scipy.linalg import expm

from kernlib import Deep, Diffusion, Empirical, KernlibError, Power, Precomputed, TransductiveError

from .rows import ROWS

PATH = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])


@settings(deadline=None)
@given(ROWS["node"])
def test_equals_the_matrix_exponential(A):
    off = A - np.diag(np.diag(A))
    L = np.diag(off.sum(axis=1)) - off
    for beta in (0.05, 0.3, 2.0):
        np.testing.assert_allclose(Diffusion(beta=beta)(A), expm(-beta * L), atol=1e-12)


def test_bound_to_the_graph_it_is_a_kernel_on_its_nodes():
    n = np.arange(3)
    bound = Diffusion(beta=0.3).bind(PATH)
    np.testing.assert_allclose(bound(n), Diffusion(beta=0.3)(PATH))
    np.testing.assert_allclose(bound(n).sum(axis=1), 1.0)  # heat is neither lost nor made
    fold = bound.fold([0, 1], [2])
    np.testing.assert_allclose(fold.K_star, bound([2], [0, 1]))
    np.testing.assert_allclose(Power(Diffusion(beta=0.3), p=0.5).bind(PATH)(n), np.sqrt(bound(n)))


def test_every_form_of_the_same_graph():
    expected = Diffusion()(PATH)
    np.testing.assert_array_equal(Diffusion()(sp.csr_array(PATH)), expected)
    np.testing.assert_array_equal(Diffusion()(PATH.astype(int).tolist()), expected)
    np.testing.assert_array_equal(Diffusion()(PATH + 7 * np.eye(3)), expected)  # its diagonal is not read
    np.testing.assert_array_equal(Diffusion(beta=3.0)(np.zeros((2, 2))), np.eye(2))


def test_wrapped_and_unbound_it_still_sees_all_nodes():
    K = Diffusion()(PATH)
    np.testing.assert_allclose(Empirical(Diffusion())(PATH), K @ K)
    np.testing.assert_allclose(Empirical(Diffusion()).diag(PATH), np.diag(K @ K))
    deep = Deep(Diffusion())
    assert deep.transductive
    np.testing.assert_allclose(deep.bind(PATH).fit(np.arange(3))(np.arange(3)), deep(PATH))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Diffusion(beta=0.0), "Diffusion: beta must be a finite number with 0 < beta; got 0.0"),
        (lambda: Diffusion()([[0, 1], [0, 0]]), "entry (0, 1) is 1 and entry (1, 0) is 0. Take (S + S.T) / 2"),
        (lambda: Diffusion()([[0, -1], [-1, 0]]), "weights from 0 on; entry (0, 1) is -1. Put 0 where there is no"),
        (lambda: Diffusion()([[0, 1, 0], [1, 0, 1]]), "got shape (2, 3). Next: bind the kernel to the whole square"),
        (lambda: Diffusion()([[0, np.inf], [np.inf, 0]]), "row 0, column 1 is inf"),
        (lambda: Precomputed()([[0, 1], [2, 0]]), "Precomputed: the matrix must be symmetric; entry (0, 1) is 1"),
        (lambda: Precomputed()([[0, 1]]), "Precomputed reads a square (n, n) matrix"),
        (lambda: Precomputed()(PATH, PATH + 1), "Precomputed(): rows of two matrices cannot be distinguished"),
        (lambda: Precomputed().fold(PATH, PATH), "Next: bound = kernel.bind(S), then bound(test, train)"),
        (lambda: Precomputed().bind(PATH)([3]), "row 3 does not exist; expected row numbers from 0 to 2"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(KernlibError) as error:
        call()
    assert message in str(error.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda: Diffusion()(PATH, PATH),
        lambda: Diffusion().fold(PATH[:2, :2], PATH),
        lambda: Power(Diffusion(), p=0.5).fold(PATH, PATH),
        lambda: Empirical(Diffusion()).fit(PATH)(2 * PATH),
    ],
)
def test_new_nodes_need_the_whole_graph(call):
    with pytest.raises(TransductiveError, match=r"kernel\.bind\("):
        call()
