"""Kernels on the nodes of one graph that are functions of the Laplacian's eigenvalues."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..core.base import Kernel
from ..errors import DomainError
from ..numerics.blocks import same_rows
from ..numerics.linalg import eigenpairs
from ..values.arrays import Array
from ..values.declare import param, positive, whole
from .matrices import symmetric_matrix


class OfLaplacian(Kernel):
    """K = Σ_i r(s_i) u_i u_i' for eigenpairs (s_i, u_i) of a Laplacian; a subclass implements `response`.

    Rows: the nodes of one undirected graph, as a symmetric adjacency matrix with weights from 0 on, whose diagonal is
    not read. Transductive: a node's values depend on the whole graph.
    """

    domain = "node"
    transductive = True
    edited_as = "response"
    #: Whether the Laplacian is that of the walk, 1 − D^{−1/2} A D^{−1/2}, whose eigenvalues lie in 0…2.
    normalised: ClassVar[bool] = False

    def response(self, s: Array) -> Array:
        """Return r(s) ≥ 0 of eigenvalues s ≥ 0, (n,)."""
        raise NotImplementedError

    def checked_rows(self, X: Any) -> Array:
        A = symmetric_matrix("node", X, type(self).__name__)
        if A.min() < 0:
            i, j = np.unravel_index(int(A.argmin()), A.shape)
            raise DomainError(
                f"{type(self).__name__}: the adjacency matrix must hold weights from 0 on; entry ({i}, {j}) is "
                f"{A[i, j]:g}. Put 0 where there is no edge, or choose Precomputed for scores."
            )
        return A

    def eigenvalues(self, A: Array) -> tuple[Array, Array]:
        """Return eigenvalues, ascending, and eigenvectors of the Laplacian; rounding below 0 is 0."""
        L = laplacian(A)
        if self.normalised:
            root = np.sqrt(L.diagonal())
            scale = np.divide(1.0, root, where=root > 0, out=np.zeros_like(root))
            L = L * np.multiply.outer(scale, scale)
        s, U = eigenpairs(L, type(self).__name__)
        return np.maximum(s, 0.0), U

    def gram(self, X: Array, Y: Array | None) -> Array:
        if not same_rows(X, Y):
            self.require_fitted("k(X, Y)")
        B = self._halves(X)
        return np.asarray(B @ B.T)

    def gram_diag(self, X: Array) -> Array:
        return np.asarray((self._halves(X) ** 2).sum(axis=1))

    def _halves(self, A: Array) -> Array:
        """Return U diag(√r), whose product with its transpose is symmetric to the last bit."""
        s, U = self.eigenvalues(A)
        return np.asarray(U * np.sqrt(self.response(s)))


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


@dataclass(frozen=True, repr=False)
class Diffusion(OfLaplacian):
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

    beta: float = positive(
        0.1,
        r"\beta",
        "diffusion time; larger values reach more distant nodes",
        0.01,
        10.0,
        heuristic="time in units of the graph",
        span=(0.01, 30.0),
    )

    formula = r"{\exp(-\beta L)} = U\,\mathrm{diag}(e^{-\beta s})\,U^\top,\quad {L = D - A}"
    source = "[K] eqs. 3.2–3.7"
    cost = "O(n³), one eigendecomposition"

    def heuristics(self, X: Any) -> dict[str, float]:
        s, _ = self.eigenvalues(self.checked_rows(X))
        return {"beta": 5.0 / float(s[-1])} if s[-1] > 0 else {}

    def response(self, s: Array) -> Array:
        return np.asarray(np.exp(-self.beta * s))


@dataclass(frozen=True, repr=False)
class RegularisedLaplacian(OfLaplacian):
    r"""The inverse of a regularised Laplacian: all paths count, longer ones less.

        K = (1 + σ² L)^{−1},  r(s) = 1 / (1 + σ² s),  L = D − A

    Rows: the nodes of one graph, as for `Diffusion`; a node without edges is similar only to itself. Used bound:
    `RegularisedLaplacian(sigma=1.0).bind(A)(np.arange(n))`.

    Parameters: sigma σ > 0; a small one makes K the identity. Raises ParameterError for σ ≤ 0, DomainError where A is
    not square, symmetric and ≥ 0, TransductiveError for k(X, Y) before `bind`.

    Smola and Kondor, "Kernels and Regularization on Graphs", COLT 2003, eq. 13.

    >>> RegularisedLaplacian(sigma=1.0)([[0, 1], [1, 0]]).round(4)  # 1 + L has the inverse [[2, 1], [1, 2]] / 3
    array([[0.6667, 0.3333],
           [0.3333, 0.6667]])
    """

    sigma: float = positive(1.0, r"\sigma", "larger values let distant nodes be similar", 0.05, 20.0)

    formula = r"(1 + \sigma^2 L)^{-1},\quad L = D - A"
    source = "Smola and Kondor 2003, eq. 13"
    cost = "O(n³), one eigendecomposition"

    def response(self, s: Array) -> Array:
        return np.asarray(1.0 / (1.0 + self.sigma**2 * s))


@dataclass(frozen=True, repr=False)
class CommuteTime(OfLaplacian):
    r"""The pseudo-inverse of the Laplacian, whose distances are the commute times of a random walk.

        K = L⁺,  r(s) = 1/s and r(0) = 0;  K_ii − 2 K_ij + K_jj = c(i, j) / vol(A)

    c(i, j) is the mean number of steps from i to j and back, vol(A) the sum of all weights, both of the connected part
    that holds i and j. Parts of the graph that no edge connects have the value 0 with each other, and so has a node
    without edges with itself.

    Rows: the nodes of one graph, as for `Diffusion`; used bound. Raises DomainError where A is not square, symmetric
    and ≥ 0, TransductiveError for k(X, Y) before `bind`.

    Fouss, Pirotte, Renders and Saerens, IEEE TKDE 19, 2007, eq. 3.

    >>> CommuteTime()([[0, 1], [1, 0]])
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """

    formula = r"L^{+},\quad L = D - A"
    source = "Fouss et al. 2007, eq. 3"
    cost = "O(n³), one eigendecomposition"

    def response(self, s: Array) -> Array:
        zero = s <= 1e-10 * s.max(initial=0.0)
        return np.asarray(np.divide(1.0, s, where=~zero, out=np.zeros_like(s)))


@dataclass(frozen=True, repr=False)
class RandomWalkSteps(OfLaplacian):
    r"""Where a lazy random walk is after p steps.

        K = (a − L̃)^p,  r(s) = (a − s)^p,  L̃ = 1 − D^{−1/2} A D^{−1/2}

    Nodes are similar as far as p steps lead; a node without edges is similar only to itself.

    Rows: the nodes of one graph, as for `Diffusion`; used bound. Parameters: steps p, an integer from 1; a ≥ 2, since
    eigenvalues of L̃ reach 2: a larger one stays longer. Raises ParameterError outside these, DomainError where A is not
    square, symmetric and ≥ 0, TransductiveError for k(X, Y) before `bind`.

    Smola and Kondor, "Kernels and Regularization on Graphs", COLT 2003, eq. 15.

    >>> RandomWalkSteps(steps=1, a=2.0)([[0, 1], [1, 0]])
    array([[1., 1.],
           [1., 1.]])
    """

    steps: int = whole(3, "p", "steps of the walk", 1, 20, minimum=1, maximum=200)
    a: float = param(2.0, symbol="a", help="larger values make the walk stay longer", low=2.0, high=10.0, minimum=2.0)

    normalised: ClassVar[bool] = True
    formula = r"(a - \tilde L)^p,\quad \tilde L = 1 - D^{-1/2} A\,D^{-1/2}"
    source = "Smola and Kondor 2003, eq. 15"
    cost = "O(n³), one eigendecomposition"

    def response(self, s: Array) -> Array:
        return np.asarray(np.maximum(self.a - s, 0.0) ** self.steps)
