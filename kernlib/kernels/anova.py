"""The ANOVA kernel: products over every choice of D columns, summed."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..core.base import Kernel
from ..errors import ParameterError
from ..numerics.blocks import over_row_blocks, same_rows
from ..values.arrays import Array
from ..values.declare import positive, whole
from ..values.domains import Domain


@dataclass(frozen=True, repr=False)
class ANOVA(Kernel):
    """All interactions of exactly D columns: rows are similar if D columns agree together.

        k_D(x, x') = Σ_{1 ≤ i_1 < … < i_D ≤ N} Π_d k(x_{i_d}, x'_{i_d}),
        k(u, v) = exp(−(u − v)² / 2σ²) in each of the N columns

    D = 1 is the direct sum of the columns' kernels, D = N their tensor product (the RBF kernel).
    Computed by the recursion over columns S_s^{(j)} = S_s^{(j−1)} + k(x_j, x'_j) S_{s−1}^{(j−1)},
    N·D steps in place of N-choose-D products.

    Parameters: order D, an integer from 1 to 64; sigma σ > 0 in the units of the columns. An order
    above the number of columns leaves no term: the matrix is zero, with a UserWarning. Raises
    ParameterError outside the ranges, and where N-choose-D is beyond double precision.

    [D] Convolution Kernels (cont'd); Stitson et al., "Support vector regression with ANOVA
    decomposition kernels", 1997.

    >>> ANOVA(order=2)([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]).round(4)
    array([[3.    , 2.2131],
           [2.2131, 3.    ]])
    """

    order: int = whole(2, "D", "number of columns that interact; 1 is the direct sum", 1, 8, minimum=1, maximum=64)
    sigma: float = positive(1.0, r"\sigma", "width of every column's Gaussian", 0.01, 1000.0)

    domain: ClassVar[Domain] = "vector"
    formula: ClassVar[str] = r"\sum_{1\le i_1<\dots<i_D\le N}\ \prod_{d=1}^{D}{e^{-(x_{i_d}-x'_{i_d})^2/2\sigma^2}}"
    source: ClassVar[str] = "[D] Convolution Kernels"
    cost: ClassVar[str] = "O(n²·N·D)"

    def gram(self, X: Array, Y: Array | None) -> Array:
        if self._terms(X.shape[1]) == 0.0:
            warnings.warn(
                f"ANOVA: order={self.order} asks for more columns than the {X.shape[1]} there are, so no term is "
                f"left and every value is 0. Try order={X.shape[1]}.",
                UserWarning,
                stacklevel=3,
            )
            return np.zeros((len(X), len(X if Y is None else Y)))
        Y = None if same_rows(X, Y) else Y
        A = np.ascontiguousarray(X.T)
        B = A if Y is None else np.ascontiguousarray(Y.T)
        K = np.empty((A.shape[1], B.shape[1]))

        def sum_of_products(block: Array, start: int) -> None:
            stop = start + len(block)
            first = start if Y is None else 0  # the lower triangle is a copy of the upper
            with np.errstate(over="ignore"):  # far rows: an infinite square, and a kernel of 0
                values = self._recursion(A[:, start:stop], B[:, first:])
            block[:, first:] = values
            if Y is None:
                K[stop:, start:stop] = values[:, stop - start :].T

        over_row_blocks(K, sum_of_products)
        return K

    def _recursion(self, A: Array, B: Array) -> Array:
        """Return the order-D sum for rows A[:, i] against B[:, j]; D arrays of a block's size are alive."""
        shape = (A.shape[1], B.shape[1])
        columns = len(A)
        width = math.sqrt(2.0) * self.sigma
        sums: list[Array] = []  # sums[s − 1] is S_s; S_0 = 1 is never stored
        k, product = np.empty(shape), np.empty(shape)
        for j in range(columns):
            # Differences first: what is scaled before is rounded before.
            np.subtract(A[j][:, None], B[j], out=k)
            k /= width
            np.multiply(k, k, out=k)
            np.negative(k, out=k)
            np.exp(k, out=k)
            # Orders from which D can no longer be reached with the columns that are left are skipped.
            lowest = max(1, self.order - (columns - j - 1))
            if len(sums) < self.order:
                sums.append(np.zeros(shape))
            for s in range(len(sums), lowest - 1, -1):
                if s == 1:
                    sums[0] += k
                else:
                    sums[s - 1] += np.multiply(k, sums[s - 2], out=product)
        return sums[self.order - 1]

    def gram_diag(self, X: Array) -> Array:
        return np.full(len(X), self._terms(X.shape[1]))  # k(u, u) = 1: one for every choice of columns

    def _terms(self, columns: int) -> float:
        """Return N-choose-D, the value of every k(x, x); 0 where D > N."""
        terms = math.comb(columns, self.order)
        if terms.bit_length() > 1000:
            raise ParameterError(
                f"ANOVA: order={self.order} of {columns} columns makes 2^{terms.bit_length()} terms; expected a sum "
                "within double precision. Try a smaller order."
            )
        return float(terms)
