"""Kernels that compare graphs by their labelled walks, by sums over product graphs that are never formed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from ..core.base import Kernel
from ..errors import ParameterError
from ..numerics.workers import one_blas_thread
from ..values.arrays import Array
from ..values.declare import one_of, positive
from ..values.domains import Graph
from .subgraphs import nodes_of

#: The largest βρ(E)ρ(Ẽ) of a geometric series, whose steps grow without bound towards 1.
_CLOSEST = 0.999
#: Relative size of the last term of a sum of positive, geometrically falling terms.
_NEGLIGIBLE = 1e-14


@dataclass(frozen=True, eq=False)
class Block:
    """Some graphs, one after the other, each with at least one node."""

    numbers: Array
    sizes: Array
    codes: Array
    edges: dict[int, Any]
    radii: Array

    @cached_property
    def starts(self) -> Array:
        return np.concatenate(([0], np.cumsum(self.sizes)[:-1]))

    @cached_property
    def radius(self) -> float:
        return float(self.radii.max())


class Side:
    """All graphs of a Gram matrix, equal labels with equal numbers, from which blocks are taken."""

    def __init__(self, graphs: Sequence[Graph]) -> None:
        self.nodes = nodes_of(graphs)
        self.sizes = np.array([g.n for g in graphs])
        self.undirected = all(g.undirected for g in graphs)
        self._starts = np.concatenate(([0], np.cumsum(self.sizes)))
        self._codes = self.nodes.edges()
        self._weights = np.concatenate([g.adjacency[g.adjacency > 0] for g in graphs])
        self.radii = np.array([spectral_radius(g.adjacency) for g in graphs])

    def blocks(self, begin: int, nodes: int) -> list[Block]:
        """Return the graphs from `begin` on, about `nodes` nodes together; those without nodes are left out."""
        numbers = begin + np.flatnonzero(self.sizes[begin:])
        cuts = np.flatnonzero(np.diff(np.cumsum(self.sizes[numbers]) // nodes)) + 1
        return [self.block(group) for group in np.split(numbers, cuts) if len(group)]

    def block(self, numbers: Array) -> Block:
        """Return successive graphs with nodes."""
        first, last = self._starts[numbers[0]], self._starts[numbers[-1] + 1]
        chosen = slice(*np.searchsorted(self.nodes.tail, (first, last)))
        tail, head, code, weight = (
            self.nodes.tail[chosen],
            self.nodes.head[chosen],
            self._codes[chosen],
            self._weights[chosen],
        )
        edges = {}
        for label in np.unique(code):
            own = code == label
            edges[int(label)] = _operator(tail[own] - first, head[own] - first, weight[own], last - first)
        return Block(numbers, self.sizes[numbers], self.nodes.label[first:last], edges, self.radii[numbers])


class Product:
    """βE_× of one graph with each graph of a block, applied to one value per pair of nodes."""

    def __init__(self, graph: Block, block: Block, beta: float) -> None:
        self.graph, self.block, self.beta = graph, block, beta
        #: 1 where two nodes carry the same label: (nodes of the block, nodes of the graph).
        self.mask = (block.codes[:, None] == graph.codes).astype(np.float64)
        self._common = [(block.edges[e], graph.edges[e]) for e in graph.edges.keys() & block.edges.keys()]
        self._scaled_mask = beta * self.mask

    def __call__(self, P: Array) -> Array:
        total = None
        for E_block, E_graph in self._common:
            right = P @ E_graph.T if isinstance(E_graph, np.ndarray) else (E_graph @ P.T).T
            step = E_block @ np.ascontiguousarray(right)
            total = step if total is None else total + step
        if total is None:
            return np.zeros_like(P)
        total *= self._scaled_mask
        return np.asarray(total)

    def sums(self, A: Array, B: Array) -> Array:
        """Return ⟨A, B⟩ for each graph of the block."""
        return np.asarray(np.add.reduceat(np.einsum("ij,ij->i", A, B), self.block.starts))

    def spread(self, values: Array) -> Array:
        """Return values of the graphs of the block as a column with one value per node."""
        return np.repeat(values, self.block.sizes)[:, None]


def series_sums(product: Product, bound: float, exponential: bool) -> Array:
    """Return Σ_n λ_n 1'E_×ⁿ1, term by term until the rest is negligible; every term is ≥ 0."""
    v = product.mask
    total = product.sums(v, v)
    n, weight = 0, 1.0
    left = _NEGLIGIBLE if exponential else _NEGLIGIBLE * (1.0 - bound)
    with np.errstate(over="ignore", invalid="ignore"):
        while True:
            n, v = n + 1, product(v)
            weight = weight / n if exponential else 1.0
            last = weight * product.sums(product.mask, v)
            total = total + last
            falling = not exponential or 2.0 * bound < n
            # `not >` also ends the loop where the sums have overflowed; that is reported by the caller.
            if (falling and not (last > left * total).any()) or not np.isfinite(total).all():
                return np.asarray(total)


def conjugate_gradients(product: Product) -> Array:
    """Return 1'(I − βE_×)⁻¹1 for undirected graphs, all graphs of the block at once, where βρ(E_×) < 1.

    The sum is Σ_j α_j‖r_j‖² of conjugate gradients from 0, whose error is the square of the solution's.
    """
    p = product.mask
    r = p.copy()
    rr = product.sums(r, r)
    total = np.zeros_like(rr)
    while True:
        Ap = p - product(p)
        open_ = rr > 0.0
        alpha = np.divide(rr, product.sums(p, Ap), where=open_, out=np.zeros_like(rr))
        gain = alpha * rr
        total += gain
        if not (gain > _NEGLIGIBLE * total).any():
            return total
        Ap *= product.spread(alpha)
        r -= Ap
        new = product.sums(r, r)
        # A residual within rounding carries no information: the pair has converged.
        new[new <= 1e-30 * total] = 0.0
        p = p * product.spread(np.divide(new, rr, where=open_, out=np.zeros_like(rr)))
        p += r
        rr = new


def _operator(tail: Array, head: Array, weight: Array, n: int) -> Any:
    """Return a dense matrix where that multiplies faster, else a sparse one."""
    if n <= 64 or len(tail) > 0.05 * n * n:
        E = np.zeros((n, n))
        E[tail, head] = weight
        return E
    from scipy.sparse import csr_array

    return csr_array((weight, (tail, head)), shape=(n, n))


def spectral_radius(E: Array) -> float:
    """Return ρ, the largest eigenvalue in modulus, of a matrix without negative entries.

    Of more than 1500 nodes, whose eigenvalues take seconds: the smaller of the largest row and column sum, no less.
    """
    if len(E) > 1500:
        return float(min(E.sum(axis=0).max(), E.sum(axis=1).max()))
    eigenvalues = np.linalg.eigvalsh(E) if (E == E.T).all() else np.linalg.eigvals(E)
    return float(np.abs(eigenvalues).max(initial=0.0))


_SERIES = ("geometric", "exponential")
#: Product nodes handled at once: the vectors of one step stay in a core's second-level cache, and its
#: matrix products are so small that BLAS uses one core.
_BLOCK_ENTRIES = 1 << 14


def _walk_weight(radius: str) -> float:
    """Return the declaration of β."""
    declared: float = positive(
        0.1,
        r"\beta",
        f"weight of longer walks; the geometric series needs beta < 1/{radius}",
        0.001,
        2.0,
        heuristic="share of the bound of convergence",
        span=(0.01, 1.4),
    )
    return declared


@dataclass(frozen=True, repr=False)
class LabelPairs(Kernel):
    """Common walks, matched by the labels of their first and last node.

        Φ(G) = L (Σ_n λ_n E^n) L',  k(G, G̃) = ⟨Φ(G), Φ(G̃)⟩

    L is the 0/1 matrix of labels (rows) and nodes (columns), E the adjacency matrix; Φ has one
    entry per pair of labels. Labels on edges are not read.

    Parameters: beta β > 0; series "exponential", λ_n = βⁿ/n!, or "geometric", λ_n = βⁿ, which
    converges for β < 1/ρ(E) alone, ρ the largest eigenvalue in modulus. Raises ParameterError,
    naming the bound, for a geometric β that reaches 1/ρ(E) of one of the graphs, DomainError where a
    row is not a Graph.

    [D] Kernels Based on Label Pairs (after Gärtner, Flach, Wrobel 2003).

    >>> edge, path = Graph([[0, 1], [1, 0]]), Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> LabelPairs(beta=0.1, series="geometric")([edge], [path]).round(4)  # 2/(1-β) · (3+4β)/(1-2β²)
    array([[7.7098]])
    """

    beta: float = _walk_weight("ρ(E)")
    series: str = one_of("exponential", r"\lambda_n", "how the weights of longer walks decrease", _SERIES)

    domain = "graph"
    formula = (
        r"\Big\langle L\big(\textstyle\sum_n\lambda_nE^n\big)L^\top,\ "
        r"\tilde L\big(\textstyle\sum_n\lambda_n\tilde E^n\big)\tilde L^\top\Big\rangle"
    )
    source = "[D] Kernels Based on Label Pairs"
    cost = "O(v³) for each graph of v nodes, then one matrix product"

    def heuristics(self, X: Any) -> dict[str, float]:
        return _suited(self.series, _largest_radius(self.checked_rows(X)))

    def gram(self, X: Array, Y: Array | None) -> Array:
        F = self._features(_all(X, Y))
        K: Array = (F[: len(X)] @ F[0 if Y is None else len(X) :].T).toarray()
        return (K + K.T) / 2.0 if Y is None else K

    def gram_diag(self, X: Array) -> Array:
        F = self._features(_all(X, None))
        return np.asarray(F.multiply(F).sum(axis=1))

    def _features(self, graphs: list[Graph]) -> Any:
        """Return Φ(G) of every graph as a sparse matrix."""
        from scipy.sparse import csr_array

        nodes = nodes_of(graphs)
        labels = 1 + int(nodes.label.max(initial=0))
        places, values = [], []
        for i, graph in enumerate(graphs):
            own, place = np.unique(nodes.label[nodes.graph == i], return_inverse=True)
            L = np.zeros((len(own), graph.n))
            L[place, np.arange(graph.n)] = 1.0
            with one_blas_thread():  # threads that wait for each other take longer than a small matrix
                values.append(self.walk_sums(graph, L, i).ravel())
            places.append(np.add.outer(own * labels, own).ravel())
        used, column = np.unique(np.concatenate(places), return_inverse=True)
        ends = np.cumsum([0, *map(len, places)])
        return csr_array((np.concatenate(values), column, ends), shape=(len(graphs), len(used)))

    def walk_sums(self, graph: Graph, L: Array, number: int) -> Array:
        """Return L (Σ_n λ_n E^n) L'."""
        E = graph.adjacency
        if not graph.n:
            return np.zeros((0, 0))
        if self.series == "exponential":
            from scipy.linalg import expm

            return _finite_walks(L @ expm(self.beta * E) @ L.T, self)
        rho = spectral_radius(E)
        if self.beta * rho >= 1.0 - 1e-12:
            self._refuse(number, rho)
        return _finite_walks(L @ np.linalg.solve(np.eye(graph.n) - self.beta * E, L.T), self)

    def _refuse(self, number: int, rho: float) -> NoReturn:
        raise ParameterError(
            f"LabelPairs: the geometric series of graph {number} converges only for beta < 1/ρ(E) = {1 / rho:.4g}; "
            f"got beta={self.beta:g}. Choose a smaller beta, or series='exponential'."
        )


@dataclass(frozen=True, repr=False)
class LabelSequences(Kernel):
    """Common walks, matched by all their node and edge labels.

        k(G, G̃) = Σ_{ij} [Σ_n λ_n E_×ⁿ]_ij

    E_× is the adjacency matrix of the direct product graph: its nodes are the pairs of nodes with
    equal labels, its edges the pairs of edges with equal labels, so that a walk in it is a walk in
    each graph with the same label sequence. It is never formed: (E_× P) = M ∘ (Ẽ P E'), P one value
    for each pair of nodes, M the 0/1 matrix of equal labels.

    Parameters: beta β > 0; series "geometric", λ_n = βⁿ, which converges for β < 1/(ρ(E)ρ(Ẽ)) ≤ 1/ρ(E_×),
    or "exponential", λ_n = βⁿ/n!. Raises ParameterError, naming the bound, for a geometric β beyond 0.999 times it
    for a pair of graphs, DomainError where a row is not a Graph.

    [D] Kernels Based on Contiguous Label Sequences (after Gärtner, Flach, Wrobel 2003).

    >>> co, cc = Graph([[0, 1], [1, 0]], labels="CO"), Graph([[0, 1], [1, 0]], labels="CC")
    >>> LabelSequences(beta=0.5)([co, cc])  # C–O: 2/(1-β); C–C: 4/(1-β); shared: the two nodes C
    array([[4., 2.],
           [2., 8.]])
    """

    beta: float = _walk_weight("(ρ(E)ρ(E'))")
    series: str = one_of("geometric", r"\lambda_n", "how the weights of longer walks decrease", _SERIES)

    domain = "graph"
    formula = r"\sum_{i,j}\Big[\sum_{n=0}^{\infty}\lambda_nE_\times^{\,n}\Big]_{ij}"
    source = "[D] Kernels Based on Contiguous Label Sequences"
    cost = "O(v·e) for each step and pair of graphs of v nodes and e edges"

    def heuristics(self, X: Any) -> dict[str, float]:
        return _suited(self.series, _largest_radius(self.checked_rows(X)) ** 2)

    def gram(self, X: Array, Y: Array | None) -> Array:
        side, n = Side(_all(X, Y)), len(X)
        begin = 0 if Y is None else n
        self._require_convergence(float(side.radii[:n].max() * side.radii[begin:].max()))
        K = np.zeros((n, len(side.sizes) - begin))
        blocks = side.blocks(begin, max(1, _BLOCK_ENTRIES // max(1, int(side.sizes[:n].max()))))
        for i in np.flatnonzero(side.sizes[:n]):
            graph = side.block(np.array([i]))
            for block in blocks:
                if Y is not None or block.numbers[-1] >= i:
                    K[i, block.numbers - begin] = self._values(graph, block, side.undirected)
        if Y is None:
            upper = np.triu(K)
            K = upper + np.triu(upper, 1).T
        return _finite_walks(K, self)

    def gram_diag(self, X: Array) -> Array:
        side, values = Side(_all(X, None)), np.zeros(len(X))
        self._require_convergence(float(side.radii.max() ** 2))
        for graph in side.blocks(0, 1):
            values[graph.numbers] = self._values(graph, graph, side.undirected)
        return _finite_walks(values, self)

    def _require_convergence(self, radii: float) -> None:
        """Raise ParameterError for a geometric series beyond the bound, given the largest ρ(E)ρ(Ẽ) of two graphs."""
        if self.series == "geometric" and self.beta * radii > _CLOSEST:
            raise ParameterError(
                "LabelSequences: the geometric series of these graphs converges for sure only for beta < 1/(ρ(E)ρ(Ẽ)); "
                f"expected beta <= {0.99 / radii:.3g}, got {self.beta:g}. Choose a smaller beta, or "
                "series='exponential'."
            )

    def _values(self, graph: Block, block: Block, undirected: bool) -> Array:
        """Return k of one graph with every graph of a block."""
        bound = self.beta * graph.radius * block.radius
        product = Product(graph, block, self.beta)
        if self.series == "geometric" and undirected:
            return conjugate_gradients(product)
        return series_sums(product, bound, self.series == "exponential")


#: The suggested β of a series in units of 1/ρ, below which the geometric series converges for sure.
_OF_BOUND = {"geometric": 0.7, "exponential": 3.0}


def _largest_radius(graphs: Array) -> float:
    return max((spectral_radius(g.adjacency) for g in graphs), default=0.0)


def _suited(series: str, radius: float) -> dict[str, float]:
    """Return the β that suits graphs of this radius; the slider ends at 1.4 times it, within the bound."""
    return {"beta": _OF_BOUND[series] / radius} if radius > 0 else {}


def _all(X: Array, Y: Array | None) -> list[Graph]:
    return [*X] if Y is None else [*X, *Y]


def _finite_walks(values: Array, kernel: LabelPairs | LabelSequences) -> Array:
    if np.isfinite(values).all():
        return values
    raise ParameterError(
        f"{type(kernel).__name__}: beta={kernel.beta:g} makes the weighted number of walks larger than a float "
        "can hold; expected exp(beta·ρ) < 1e308. Choose a smaller beta."
    )
