"""Kernel logistic regression against its definition, minimised over α."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.special import expit, logsumexp

from kernlib import RBF
from kernlib.data import load_dataset
from kernlib.errors import DegenerateError
from kernlib.machines import KernelLogisticRegression
from kernlib.values.arrays import Factor

rng = np.random.default_rng(0)
X, NEW = rng.normal(size=(45, 2)), rng.normal(size=(12, 2))
TWO = (X[:, 0] + 0.6 * rng.normal(size=45) > 0.3).astype(int)
THREE = np.digitize(X[:, 0] + 0.6 * rng.normal(size=45), [-0.4, 0.6])
K, K_STAR = RBF()(X), RBF()(NEW, X)


def smallest(loss, size):
    return minimize(loss, np.zeros(size), jac=True, method="BFGS", options=dict(maxiter=20_000, gtol=1e-8)).x


@pytest.mark.parametrize("C", [1e-3, 1.0, 30.0])
def test_two_classes_minimise_the_penalised_log_loss_over_the_weights_of_rows(C):
    sign = 2.0 * TWO - 1

    def loss(p):
        f = K @ p[:-1] + p[-1]
        slope = -sign * expit(-sign * f)
        value = 0.5 * p[:-1] @ K @ p[:-1] + C * np.logaddexp(0, -sign * f).sum()
        return value, np.r_[K @ (p[:-1] + C * slope), C * slope.sum()]

    p = smallest(loss, len(X) + 1)
    machine = KernelLogisticRegression(C=C).fit(K, TWO)
    assert_allclose(machine.decision(K_STAR), K_STAR @ p[:-1] + p[-1], atol=2e-4)
    assert_allclose(machine.probabilities(K_STAR)[:, 1], expit(K_STAR @ p[:-1] + p[-1]), atol=1e-4)
    assert machine.converged_
    assert machine.cost_ == C


def test_three_classes_minimise_the_multinomial_loss():
    chosen = np.eye(3)[THREE]

    def loss(p):
        A, b = p[:-3].reshape(-1, 3), p[-3:]
        f = K @ A + b
        whole = logsumexp(f, axis=1, keepdims=True)
        slope = np.exp(f - whole) - chosen
        value = 0.5 * np.sum(A * (K @ A)) + (whole[:, 0] - f[chosen > 0]).sum()
        return value, np.r_[(K @ (A + slope)).ravel(), slope.sum(axis=0)]

    p = smallest(loss, 3 * len(X) + 3)
    f = K_STAR @ p[:-3].reshape(-1, 3) + p[-3:]
    expected = np.exp(f - logsumexp(f, axis=1, keepdims=True))
    found = KernelLogisticRegression().fit(K, np.array(["c", "a", "b"])[THREE])
    assert_allclose(found.probabilities(K_STAR)[:, [2, 0, 1]], expected, atol=1e-4)


def test_a_constant_added_to_the_kernel_and_its_unit_change_nothing():
    machine = KernelLogisticRegression(C=5.0, scale="spread")
    expected = machine.fit(K, TWO).decision(K_STAR)
    for moved, new in ((K + 3.0, K_STAR + 3.0), (1e-90 * K, 1e-90 * K_STAR), (1e90 * K, 1e90 * K_STAR)):
        assert_allclose(machine.fit(moved, TWO).decision(new), expected, atol=1e-3)


def test_negative_eigenvalues_are_left_out_for_new_rows_too():
    S = rng.normal(size=(57, 57))
    S = S + S.T
    train, new = np.arange(45), np.arange(45, 57)
    values, vectors = np.linalg.eigh(S[np.ix_(train, train)])
    kept = values > 1e-9
    F = vectors[:, kept] * np.sqrt(values[kept])
    F_star = S[np.ix_(new, train)] @ vectors[:, kept] / np.sqrt(values[kept])
    machine = KernelLogisticRegression(C=0.1)
    expected = machine.fit(Factor(F), TWO).decision(Factor(F_star))
    found = machine.fit(S[np.ix_(train, train)], TWO).decision(S[np.ix_(new, train)])
    assert_allclose(found, expected, atol=1e-5)
    with pytest.raises(DegenerateError, match=r"must have a positive eigenvalue; got none, its largest is -1"):
        machine.fit(-np.eye(4), [0, 0, 1, 1])


def test_rows_that_coincide_have_the_shares_of_the_classes():
    machine = KernelLogisticRegression().fit(np.ones((4, 4)), [0, 1, 1, 1])
    assert_allclose(machine.probabilities(np.ones((1, 4))), [[0.25, 0.75]], atol=1e-5)
    with pytest.raises(DegenerateError, match=r"KernelLogisticRegression.fit: C=10 on the scale .* all coincide"):
        KernelLogisticRegression(C=10.0, scale="spread").fit(np.ones((4, 4)), [0, 1, 1, 1])


def test_real_rows_are_solved_to_the_end():
    data = load_dataset("promoters")
    from kernlib import Spectrum

    gram = Spectrum(length=4)(data.inputs)
    for C in (0.01, 10.0, 1e4):
        assert KernelLogisticRegression(C=C, scale="spread").fit(gram, data.y).converged_
