"""Rows without labels: their groups, and the stability of the groups."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError
from ..values.arrays import Array, RowNumbers
from ..values.notebook import Pictured
from .matrix import cosine, squared_distances, symmetric

#: The smallest mean adjusted Rand index over subsamples of stable groups. The smallest silhouette of a reasonable
#: structure: below it a stable cut may divide one cloud (Kaufman and Rousseeuw 1990, table 4).
STABLE, APART = 0.8, 0.5
#: Groups also lie apart if no larger share of the distances within a group exceeds a distance between groups. A large
#: k(x, x) adds one number to all squared distances and lowers the silhouette, but changes no order.
OVERLAPPING = 0.01
#: The share of the rows in a subsample.
_SHARE = 0.8


def affinity_of(K: ArrayLike) -> Array:
    r"""Return similarities in 0…1 for spectral clustering: the normalised kernel, negative values as 0.

    .. math:: A_{ij} = \max\Big(0, \frac{K_{ij}}{\sqrt{K_{ii} K_{jj}}}\Big)

    A row with k(x, x) ≤ 0 is similar only to itself. Parameters: `K` (n, n) symmetric.

    >>> affinity_of([[4.0, 2.0], [2.0, 4.0]])
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    affinity: Array = np.clip(cosine(symmetric(K, "affinity_of")), 0.0, 1.0)
    np.fill_diagonal(affinity, 1.0)
    return affinity


def _embedded(affinity: Array, dimensions: int, seed: int) -> Array:
    """Return the leading eigenvectors of the normalised affinity, (n, dimensions)."""
    from sklearn.manifold import spectral_embedding

    with warnings.catch_warnings():
        # A disconnected graph is not an error: its components are the groups.
        warnings.simplefilter("ignore", UserWarning)
        embedding: Array = spectral_embedding(affinity, n_components=dimensions, drop_first=False, random_state=seed)
    return embedding


def _cut(embedding: Array, groups: int, seed: int) -> NDArray[np.intp]:
    """Return the groups of k-means on the first eigenvectors, the largest group first."""
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer different rows than groups
        clusters = KMeans(groups, random_state=seed, n_init=4).fit_predict(embedding[:, :groups])
    _, first, codes, sizes = np.unique(clusters, return_index=True, return_inverse=True, return_counts=True)
    rank = np.argsort(np.lexsort((first, -sizes)))
    return np.asarray(rank[codes], dtype=np.intp)


@dataclass(frozen=True, eq=False, repr=False)
class Groups(Pictured):
    """Spectral clusterings into several numbers of groups.

    `counts` (c,) numbers of groups; `codes` (c, n) the group of every row; `silhouette` (c,) in feature space, −1…1;
    `agreement` (r, c) the adjusted Rand index of clusterings of two random subsamples on the rows that both have, for r
    pairs of subsamples: 1 for the same groups, 0 for chance. `overlap` (c,) the share of all comparisons of a distance
    within a group and one between groups in which the first is the larger: 0 where the groups do not overlap.
    """

    _drawn_by = "machine.stability_plot"

    counts: RowNumbers
    codes: NDArray[np.intp]
    silhouette: Array
    agreement: Array
    overlap: Array

    @property
    def stability(self) -> Array:
        """Return the mean agreement for each number of groups, (c,); NaN without subsamples."""
        return self.agreement.mean(axis=0) if len(self.agreement) else np.full(len(self.counts), np.nan)

    @property
    def proposed(self) -> int:
        """Return the number of groups with the largest silhouette."""
        return int(self.counts[np.argmax(self.silhouette)])

    def at(self, groups: int) -> int:
        """Return the place of a number of groups in `counts`."""
        return int(np.flatnonzero(self.counts == groups)[0])

    def stable(self, groups: int) -> bool:
        """Return whether subsamples of the rows have the same groups."""
        return bool(self.stability[self.at(groups)] >= STABLE)

    def holds(self, groups: int) -> bool:
        """Return whether the groups are stable in subsamples and separated from each other."""
        at = self.at(groups)
        return self.stable(groups) and bool(self.silhouette[at] >= APART or self.overlap[at] <= OVERLAPPING)


def spectral_groups(K: ArrayLike, most: int = 10, repeats: int = 10) -> Groups:
    r"""Return spectral clusterings into 2…`most` groups, with their silhouettes and their stability.

    K-means on the leading eigenvectors of D^-½ A D^-½, A = `affinity_of` K and D its row sums; the largest group first.

    The silhouette of a row is (b − a)/max(a, b): a its mean distance in feature space, d² = K_ii − 2K_ij + K_jj, to its
    own group, b that to the nearest other group. The overlap compares ranks of distances. Stability is the mean of
    `repeats` times `subsample_agreement`.

    Parameters: `K` (n, n) symmetric, n ≥ 5.
    Reference: Shi and Malik, Normalized cuts and image segmentation, 2000; Rousseeuw, Silhouettes, 1987; by
    scikit-learn.

    >>> rows = np.r_[np.random.default_rng(0).normal(0, 0.1, 20), np.random.default_rng(1).normal(3, 0.1, 20)]
    >>> found = spectral_groups(np.exp(-(rows[:, None] - rows) ** 2), most=3, repeats=3)
    >>> found.proposed, found.holds(2)
    (2, True)
    """
    from sklearn.metrics import silhouette_score

    affinity = affinity_of(K)
    n = len(affinity)
    if n < 5:
        raise DataError(f"spectral_groups: expected at least 5 rows to look for groups among; got {n}. Take more rows.")
    counts = np.arange(2, max(2, min(most, n // 2 - 1)) + 1)
    distances = np.sqrt(squared_distances(K))
    whole = _embedded(affinity, int(counts[-1]), 0)
    codes = np.stack([_cut(whole, int(c), 0) for c in counts])
    apart = [
        float(silhouette_score(distances, one, metric="precomputed")) if 2 <= len(np.unique(one)) < n else 0.0
        for one in codes
    ]
    agreed = [subsample_agreement(K, counts.tolist(), i) for i in range(repeats)]
    return Groups(
        counts, codes, np.array(apart), np.array(agreed).reshape(repeats, len(counts)), _overlaps(distances, codes)
    )


def _overlaps(distances: Array, codes: NDArray[np.intp]) -> Array:
    """Return the share of comparisons in which a distance within a group exceeds one between groups, ties one half."""
    from scipy.stats import rankdata

    i, j = np.triu_indices(len(distances), 1)
    within = codes[:, i] == codes[:, j]
    few, many = within.sum(axis=1), (~within).sum(axis=1)
    above = within @ rankdata(distances[i, j]) - few * (few + 1) / 2
    return np.asarray(np.divide(above, few * many, out=np.ones(len(codes)), where=few * many > 0))


def subsample_agreement(K: ArrayLike, counts: Sequence[int], seed: int = 0) -> Array:
    """Return the agreement of the groups of two random subsamples, (c,), for each number of groups.

    The adjusted Rand index of two clusterings, each of 80% of the rows, on the rows that both have.

    Parameters: `K` (n, n) symmetric, n ≥ 5; `counts` (c,) numbers of groups, below n/2.
    Reference: Ben-Hur, Elisseeff and Guyon, Stability of clustered data, 2002; Hubert and Arabie, Comparing
    partitions, 1985; by scikit-learn.

    >>> subsample_agreement(np.kron(np.eye(2), np.ones((8, 8))), [2])
    array([1.])
    """
    from sklearn.metrics import adjusted_rand_score

    affinity = affinity_of(K)
    n, rng = len(affinity), np.random.default_rng(seed)
    first, second = (np.sort(rng.choice(n, int(_SHARE * n), replace=False)) for _ in range(2))
    _, mine, other = np.intersect1d(first, second, return_indices=True)
    one, two = (_embedded(affinity[np.ix_(part, part)], max(counts), seed) for part in (first, second))
    return np.array([adjusted_rand_score(_cut(one, c, seed)[mine], _cut(two, c, seed)[other]) for c in counts])
