"""Numbers behind the pictures of how a kernel works."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kernels.categorical import ProbabilityOverlap, inverting
from ..kernels.nodes import Diffusion
from ..kernels.nominal import missing
from ..values.arrays import Array


class Weighed(NamedTuple):
    """h(z) over [0, 1], and the categories of a column where they stand on it, commonest first."""

    z: Array
    h: Array
    categories: tuple[str, ...]
    shares: Array
    weights: Array


def weighed(column: Array, alpha: float) -> Weighed:
    """Return h(z) = (1 − z^α)^{1/α} with a column's own probabilities marked ([C] 4.1).

    >>> marked = weighed(np.array(["a", "a", "a", "b"], dtype=object), alpha=1.0)
    >>> marked.categories, marked.shares.tolist(), marked.weights.round(3).tolist()
    (('a', 'b'), [0.75, 0.25], [0.25, 0.75])
    """
    (pmf,) = ProbabilityOverlap(alpha=alpha).fit(np.asarray(column).reshape(-1, 1)).pmf
    order = sorted(pmf, key=lambda m: -pmf[m])
    shares = np.array([pmf[m] for m in order])
    z = np.linspace(0.0, 1.0, 201)
    names = tuple("missing" if missing(m) else str(m) for m in order)
    return Weighed(z, inverting(z, alpha), names, shares, inverting(shares, alpha))


class HeatTable(NamedTuple):
    """exp(−βL) from one node: `heat` (times, n) at every β of `betas`."""

    betas: Array
    heat: Array


def heat(A: Array, start: int, betas: Array) -> HeatTable:
    """Return where a unit of heat is after β, for several β ([K] 3.2).

    >>> heat(np.array([[0.0, 1.0], [1.0, 0.0]]), 0, np.array([0.5])).heat.round(4)
    array([[0.6839, 0.3161]])
    """
    return HeatTable(np.asarray(betas), np.array([Diffusion(beta=float(b))(A)[start] for b in betas]))


def pair_distances(X: Array, at_most: int = 500) -> Array:
    """Return Euclidean distances of all pairs of (at most `at_most`, evenly spaced) rows."""
    from scipy.spatial.distance import pdist

    rows = X if len(X) <= at_most else X[np.linspace(0, len(X) - 1, at_most).astype(np.intp)]
    return np.asarray(pdist(rows))
