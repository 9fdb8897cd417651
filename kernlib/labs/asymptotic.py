"""Eigenvalues and label coefficients of n rows beside those of infinitely many: [R]'s theorem."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..analysis import decompose
from ..data.generators import NormalInputs
from ..kernels.vectors import RBF
from ..values.arrays import Array
from ..values.words import number

#: Directions that are drawn.
DIRECTIONS = 20
#: Places where the target of normal inputs is looked for its largest value: beyond, it falls.
_FAR = 6.0


@dataclass(frozen=True, eq=False)
class Constants:
    """The constants of [R]'s theorem, the first three for r = 1, 2, …

    `size` is a_r = Σ|αᵢ| up to r, `tail` Λ_r the sum of the eigenvalues after r, `rest` T_r the norm of what the first
    r eigenfunctions leave of the target g, `largest` A the largest |g|.
    """

    size: Array
    tail: Array
    rest: Array
    largest: float


@dataclass(frozen=True, eq=False)
class Asymptotic:
    """What infinitely many rows give: eigenvalues λ, and |σ| of the target; without constants all rows stand in."""

    eigenvalues: Array
    coefficients: Array
    constants: Constants | None = None


@dataclass(frozen=True, eq=False)
class OfRows:
    """What n rows give, of the leading directions: l of K/n, |u′G|/√n, and |u′ε|/√n where ε is known."""

    n: int
    eigenvalues: Array
    information: Array
    noise: Array | None


def of_rows(K: ArrayLike, G: ArrayLike, noise: ArrayLike | None = None, count: int = DIRECTIONS) -> OfRows:
    """Return eigenvalues and coefficients of n rows: `K` (n, n), targets `G` (n,) or (n, c), `noise` (n,) or None.

    Several targets have the length of their coefficients.

    >>> of_rows(np.diag([4.0, 2.0]), [1.0, 1.0]).eigenvalues
    array([2., 1.])
    """
    n = len(np.asarray(K))
    pairs = decompose(K, owner="of_rows")
    U, root = pairs.eigenvectors[:, :count], np.sqrt(n)
    return OfRows(
        n,
        np.asarray(pairs.eigenvalues[:count]) / n,
        np.linalg.norm(U.T @ np.reshape(G, (n, -1)), axis=1) / root,
        None if noise is None else np.abs(U.T @ np.asarray(noise)) / root,
    )


def normal_truth(generator: NormalInputs, count: int = DIRECTIONS) -> Asymptotic:
    """Return the true spectrum of normal inputs under an RBF kernel, and the coefficients of their target."""
    values, sigma = generator.eigenvalues(count), np.abs(generator.coefficients(count))
    ratio = values[1] / values[0]  # eigenvalues of normal inputs are a geometric sequence
    after = np.append(np.cumsum(sigma[::-1] ** 2)[-2::-1], 0.0)
    places = np.linspace(-_FAR, _FAR, 20_001)[:, None]
    constants = Constants(
        size=np.cumsum(sigma / values),
        tail=values * ratio / (1 - ratio),
        rest=np.sqrt(after),
        largest=float(np.abs(generator.target(places)).max()),
    )
    return Asymptotic(values, sigma, constants)


def normal_rows(generator: NormalInputs, n: int, count: int = DIRECTIONS) -> OfRows:
    """Return the spectrum and coefficients of the first n rows of the generator."""
    data = generator.__class__(n=n, noise=generator.noise, width=generator.width, seed=generator.seed).generate()
    X, G = np.asarray(data.rows), generator.target(np.asarray(data.rows))
    return of_rows(RBF(sigma=generator.width)(X), G, np.asarray(data.y) - G, count)


def leading_term(rows: OfRows, constants: Constants) -> Array:
    """Return 2 lᵢ a_r cᵢ, the leading term of [R]'s bound on |uᵢ′G|/√n, with all r directions of the target.

    Eigenvalues stand alone: cᵢ = 1.
    """
    return 2.0 * rows.eigenvalues * float(constants.size[-1])


def whole_bound(rows: OfRows, constants: Constants) -> Array:
    """Return the sum of all terms of [R]'s bound at the r with the smallest, each factor O(…) of the theorem as 1.

    2 lᵢ a_r cᵢ (1 + r n^−¼) + r a_r Λ_r + T_r + √(A T_r) n^−¼ + r a_r √Λ_r n^−½
    """
    r = np.arange(1, len(constants.size) + 1)
    slow, fast = rows.n**-0.25, rows.n**-0.5
    a, tail, rest = constants.size, constants.tail, constants.rest
    others = r * a * tail + rest + np.sqrt(constants.largest * rest) * slow + r * a * np.sqrt(tail) * fast
    return np.asarray((2.0 * rows.eigenvalues[:, None] * a * (1 + r * slow) + others).min(axis=1))


def asymptotic_sentence(rows: OfRows, truth: Asymptotic) -> str:
    """Return how far the first eigenvalue is from its limit, and what the coefficients do beside the noise."""
    gap = abs(float(rows.eigenvalues[0] - truth.eigenvalues[0]))
    limit = "its limit" if truth.constants is not None else "that of all rows"
    value = number(truth.eigenvalues[0], 3)
    first = f"With {rows.n:,} rows the largest eigenvalue is {number(gap, 2)} from {limit}, {value}."
    if rows.noise is None:
        far = float(np.abs(rows.information - truth.coefficients[: len(rows.information)]).mean())
        return f"{first} Its label coefficients are on average {number(far, 2)} from those of all rows."
    typical = float(np.sqrt(np.mean(rows.noise**2)))
    above = int((rows.information > typical).sum())
    return (
        f"{first} {above} of {len(rows.noise)} label coefficients rise above the noise, typically {number(typical, 2)}."
    )
