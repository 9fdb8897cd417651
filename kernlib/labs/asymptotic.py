"""Eigenvalues and label coefficients of n rows beside those of infinitely many: [R]'s theorem."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..analysis import decompose
from ..data.generators.vectors import ALPHA, NormalInputs
from ..kernels.vectors import RBF
from ..values.arrays import Array
from ..values.words import number

#: Directions that are drawn.
DIRECTIONS = 20


@dataclass(frozen=True, eq=False)
class Asymptotic:
    """What infinitely many rows give: eigenvalues λ, |σ| of the target, Σ|α|; `known` is False for a stand-in."""

    eigenvalues: Array
    coefficients: Array
    size: float | None
    known: bool = True


@dataclass(frozen=True, eq=False)
class OfRows:
    """What n rows give, of the leading directions: l of K/n, |u′G|/√n, and |u′ε|/√n where ε is known."""

    n: int
    eigenvalues: Array
    information: Array
    noise: Array | None


def of_rows(K: ArrayLike, G: ArrayLike, noise: ArrayLike | None = None, count: int = DIRECTIONS) -> OfRows:
    """Return eigenvalues and coefficients of n rows: `K` (n, n), targets `G` (n,), `noise` (n,) or None.

    >>> of_rows(np.diag([4.0, 2.0]), [1.0, 1.0]).eigenvalues
    array([2., 1.])
    """
    n = len(np.asarray(K))
    pairs = decompose(K, owner="of_rows")
    U, root = pairs.eigenvectors[:, :count], np.sqrt(n)
    return OfRows(
        n,
        np.asarray(pairs.eigenvalues[:count]) / n,
        np.abs(U.T @ np.asarray(G)) / root,
        None if noise is None else np.abs(U.T @ np.asarray(noise)) / root,
    )


def normal_truth(generator: NormalInputs, count: int = DIRECTIONS) -> Asymptotic:
    """Return the true spectrum of normal inputs under an RBF kernel, and the coefficients of their target."""
    return Asymptotic(generator.eigenvalues(count), np.abs(generator.coefficients(count)), float(np.abs(ALPHA).sum()))


def normal_rows(generator: NormalInputs, n: int, count: int = DIRECTIONS) -> OfRows:
    """Return the spectrum and coefficients of the first n rows of the generator."""
    data = generator.__class__(n=n, noise=generator.noise, width=generator.width, seed=generator.seed).generate()
    X, G = np.asarray(data.rows), generator.target(np.asarray(data.rows))
    return of_rows(RBF(sigma=generator.width)(X), G, np.asarray(data.y) - G, count)


def envelope(rows: OfRows, truth: Asymptotic) -> Array | None:
    """Return 2 lᵢ a_r cᵢ, the leading term of [R]'s bound on |uᵢ′G|/√n, for eigenvalues that stand alone (cᵢ = 1).

    a_r = Σ|αᵢ|. The further terms have constants that [R] does not give. None where α is unknown.
    """
    return None if truth.size is None else 2.0 * rows.eigenvalues * truth.size


def asymptotic_sentence(rows: OfRows, truth: Asymptotic) -> str:
    """Return how far the first eigenvalue is from its limit, and what the coefficients do beside the noise."""
    gap = abs(float(rows.eigenvalues[0] - truth.eigenvalues[0]))
    limit = "its limit" if truth.known else "that of all rows"
    value = number(truth.eigenvalues[0], 3)
    first = f"With {rows.n:,} rows the first eigenvalue is {number(gap, 2)} from {limit}, {value}."
    if rows.noise is None:
        far = float(np.abs(rows.information - truth.coefficients[: len(rows.information)]).mean())
        return f"{first} Its label coefficients are on average {number(far, 2)} from those of all rows."
    floor = float(np.sqrt(np.mean(rows.noise**2)))
    above = int((rows.information > floor).sum())
    return f"{first} Noise is flat at {number(floor, 2)}; {above} of {len(rows.noise)} coefficients of G rise above it."
