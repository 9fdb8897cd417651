"""The facts that the labs say, each computed from what is drawn."""

import numpy as np
import pytest

from kernlib import Power, Subsequence
from kernlib.analysis import diagonal_ratio
from kernlib.data import load_dataset
from kernlib.data.generators import NormalInputs
from kernlib.kernels.vectors import RBF
from kernlib.labs import asymptotic, entries
from kernlib.protocols import errors_on_halves


@pytest.mark.parametrize("width", [0.3, 0.5, 2.0])
def test_eigenfunctions_of_normal_inputs_solve_their_equation_by_quadrature(width):
    """∫ k(s, t) ψ(t) p(t) dt = λ ψ(s), and ∫ ψᵢ ψⱼ p = δᵢⱼ, p the density of the inputs."""
    made = NormalInputs(width=width)
    places, weights = np.polynomial.hermite_e.hermegauss(120)
    weights = weights / weights.sum()
    inside = np.abs(places) < 12
    places, weights = places[inside], weights[inside]
    psi, lam = made.eigenfunctions(places, 6), made.eigenvalues(6)
    np.testing.assert_allclose(psi.T @ (weights[:, None] * psi), np.eye(6), atol=1e-6)
    s = np.array([-1.5, 0.0, 0.7])
    image = RBF(sigma=width)(s[:, None], places[:, None]) @ (weights[:, None] * psi)
    np.testing.assert_allclose(image, made.eigenfunctions(s, 6) * lam, atol=1e-5)
    np.testing.assert_allclose(made.eigenvalues(2000).sum(), 1.0, atol=1e-6)  # the mean of k(x, x)
    target = psi.T @ (weights * made.target(places[:, None]))
    np.testing.assert_allclose(target[:6], made.coefficients(6), atol=1e-6)


def test_eigenvalues_and_coefficients_approach_their_limits_and_noise_stays_flat():
    gaps, far = [], []
    for n in (50, 200, 800):
        drawn = [(asymptotic.normal_rows(made, n), asymptotic.normal_truth(made)) for made in map(_seeded, range(8))]
        gaps.append(np.mean([abs(rows.eigenvalues[0] - truth.eigenvalues[0]) for rows, truth in drawn]))
        far.append(np.mean([np.abs(rows.information - truth.coefficients)[:5].mean() for rows, truth in drawn]))
        noise = np.sqrt(np.mean([rows.noise**2 for rows, _ in drawn], axis=0) * n)
        np.testing.assert_allclose(noise[:10].mean(), noise[10:].mean(), rtol=0.25)
        np.testing.assert_allclose(noise.mean(), 0.2, rtol=0.25)
    np.testing.assert_allclose(gaps, [0.030, 0.015, 0.007], rtol=0.35)
    assert far[0] > far[1] > far[2]


def _seeded(seed):
    return NormalInputs(seed=seed)


def test_the_constants_of_the_bound_are_those_of_quadrature():
    """Λ_r = ∫ (k(x, x) − Σ λᵢ ψᵢ²) p, T_r² = ∫ (g − Σ σᵢ ψᵢ)² p, each sum over the first r."""
    made, count = NormalInputs(), 8
    places, weights = np.polynomial.hermite_e.hermegauss(150)
    weights = weights / weights.sum()
    psi, lam, sigma = made.eigenfunctions(places, count), made.eigenvalues(count), made.coefficients(count)
    constants = asymptotic.normal_truth(made, count).constants
    tail = 1.0 - np.cumsum(weights @ (lam * psi**2))
    np.testing.assert_allclose(constants.tail, tail, atol=1e-6)
    g = made.target(places[:, None])
    left = g[:, None] - np.cumsum(sigma * psi, axis=1)
    np.testing.assert_allclose(constants.rest, np.sqrt(weights @ left**2), atol=1e-6)
    np.testing.assert_allclose(constants.size, np.cumsum(np.abs(weights @ (g[:, None] * psi)) / lam), atol=1e-4)
    assert np.abs(g).max() <= constants.largest < 1.02 * np.abs(made.target(np.linspace(-3, 3, 200)[:, None])).max()


def test_the_leading_term_holds_where_the_eigenvalue_is_not_rounding_and_the_whole_bound_everywhere():
    made = NormalInputs()
    truth = asymptotic.normal_truth(made)
    for n in (25, 800):
        rows = asymptotic.normal_rows(made, n)
        assert (rows.information <= asymptotic.whole_bound(rows, truth.constants)).all()
    assert (rows.information <= asymptotic.leading_term(rows, truth.constants))[rows.eigenvalues > 1e-4].all()
    words = asymptotic.asymptotic_sentence(rows, truth)
    floor = np.sqrt((rows.noise**2).mean())
    assert f"{(rows.information > floor).sum()} of 20 label coefficients" in words


def test_the_square_root_drawn_through_the_entries_is_the_square_root():
    data = load_dataset("markov-strings")
    kernel = Subsequence(order=3, decay=0.25)
    K = kernel.fold(data.inputs).K
    phi = entries.start(K)
    assert phi.unchanged
    assert entries.with_functions(kernel, phi, phi) is kernel
    phi = entries.start(K, entries.named_heights(phi.low, phi.high)["√"])
    drawn = entries.entrywise(kernel, phi).fold(data.inputs).K
    power = Power(kernel, p=0.5).fold(data.inputs).K
    np.testing.assert_allclose(drawn / drawn.max(), power / power.max(), rtol=1e-3, atol=1e-5)
    before, after = (
        errors_on_halves(k, data.inputs, data.y)
        for k in (kernel, entries.with_functions(kernel, phi, entries.start(np.linalg.eigvalsh(drawn).clip(0))))
    )
    assert after.test < before.test - 0.1
    words = entries.entries_sentence(K, drawn, phi, before, after)
    assert f"{diagonal_ratio(drawn):.3g}" in words
    assert words.endswith("power 0.5.")


def test_pairs_stand_at_their_place_on_the_axis_with_their_kind():
    K = np.array([[1.0, 0.1, 0.001], [0.1, 1.0, 0.0], [0.001, 0.0, 1.0]])
    share, kinds = entries.pair_cloud(K, [0, 0, 1], 0.01, 1.0)
    np.testing.assert_allclose(share, [0.5, 0.0, 1.0, 1.0, 1.0])  # the pair of 0 has no place over the logarithm
    assert kinds.tolist() == [0, 1, 2, 2, 2]
