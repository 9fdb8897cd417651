"""The diffusion kernel on the nodes of one graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..core.base import Kernel
from ..errors import DomainError
from ..numerics.blocks import same_rows
from ..numerics.linalg import eigenpairs
from ..values.arrays import Array
from ..values.declare import param
from ..values.domains import Domain
from .matrices import symmetric_matrix


@dataclass(frozen=True, repr=False)
class Diffusion(Kernel):
    """The heat that diffuses from one node to another: many short paths make two nodes similar.

        K = exp(−βL) = U diag(e^{−βs}) U',  L = D − A = U diag(s) U',  d_i = Σ_{j≠i} A_ij

    Rows: the nodes of one undirected graph, given as its symmetric adjacency matrix A (n, n), binary
    or weighted, e.g. ½·friends + ½·collaborated (3.7). Its diagonal is not read: a node is not its own
    neighbour (3.3). Transductive: a node's values depend on the whole graph, test nodes included, so the kernel
    is used bound: `Diffusion(beta=0.3).bind(A)(np.arange(n))`.

    Parameters: beta β > 0; a small β makes K the identity, a large one constant on each connected part.
    Raises ParameterError for β ≤ 0, DomainError where A is not square, symmetric and ≥ 0,
    TransductiveError for k(X, Y) and fold before `bind`.

    [K] eqs. 3.2–3.7; Kondor and Lafferty 2002.

    >>> Diffusion(beta=0.5)([[0, 1], [1, 0]]).round(4)  # L has eigenvalues 0 and 2: (1 ± 1/e)/2
    array([[0.6839, 0.3161],
           [0.3161, 0.6839]])
    """

    beta: float = param(
        0.1, symbol=r"\beta", help="diffusion time; larger values reach more distant nodes",
        low=0.01, high=10.0, scale="log", minimum=0.0, open_minimum=True,
    )  # fmt: skip

    domain: ClassVar[Domain] = "node"
    formula: ClassVar[str] = r"{\exp(-\beta L)} = U\,\mathrm{diag}(e^{-\beta s})\,U^\top,\quad {L = D - A}"
    source: ClassVar[str] = "[K] eqs. 3.2–3.7"
    cost: ClassVar[str] = "O(n³), one eigendecomposition"
    transductive: ClassVar[bool] = True

    def checked_rows(self, X: Any) -> Array:
        A = symmetric_matrix("node", X, type(self).__name__)
        if A.min() < 0:
            i, j = np.unravel_index(int(A.argmin()), A.shape)
            raise DomainError(
                f"{type(self).__name__}: the adjacency matrix must hold weights from 0 on; entry ({i}, {j}) is "
                f"{A[i, j]:g}. Put 0 where there is no edge, or choose Precomputed for scores."
            )
        return A

    def gram(self, X: Array, Y: Array | None) -> Array:
        if not same_rows(X, Y):
            self.require_fitted("k(X, Y)")
        B = self._halves(X)
        return np.asarray(B @ B.T)

    def gram_diag(self, X: Array) -> Array:
        return np.asarray((self._halves(X) ** 2).sum(axis=1))

    def _halves(self, A: Array) -> Array:
        """Return U diag(e^{−βs/2}), whose product with its transpose is symmetric to the last bit."""
        # L is positive semi-definite; an eigenvalue below 0 is rounding.
        s, U = eigenpairs(laplacian(A), "Diffusion")
        return np.asarray(U * np.exp(-0.5 * self.beta * np.maximum(s, 0.0)))


def laplacian(A: Array) -> Array:
    """Return L = D − A, (n, n); the diagonal of A is not read.

    >>> laplacian(np.array([[5.0, 1.0], [1.0, 0.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    L = -A
    np.fill_diagonal(L, 0.0)
    np.fill_diagonal(L, -L.sum(axis=1))
    return np.asarray(L)
