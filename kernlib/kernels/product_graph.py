"""Walks in direct product graphs, which are never formed: sums of the series over all pairs of nodes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..values.arrays import Array
from ..values.graph import GENERIC, Graph

#: Relative size of the last term of a sum of positive, geometrically falling terms.
_NEGLIGIBLE = 1e-14


class Diverges(Exception):
    """The geometric series of the graph at this place of a block has no limit."""


@dataclass(frozen=True, eq=False)
class Block:
    """Some graphs of one side, one after the other, each with at least one node."""

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
    """All graphs of one side of a Gram matrix, their labels as numbers."""

    def __init__(self, graphs: Sequence[Graph], node_codes: Mapping[Any, int], edge_codes: Mapping[Any, int]) -> None:
        self.graphs = graphs
        self.sizes = np.array([g.n for g in graphs])
        self.widest = int(self.sizes.max())
        self.undirected = all(g.undirected for g in graphs)
        self._codes = [np.array([node_codes[x] for x in g.labels], dtype=np.intp) for g in graphs]
        self._edges = [_edge_list(g, edge_codes) for g in graphs]
        self._radii = np.array([_radius_bound(g.adjacency) for g in graphs])

    def part(self, i: int) -> Block | None:
        """Return one graph alone; None for the graph without nodes."""
        return self._block([i]) if self.sizes[i] else None

    def blocks(self, nodes: int) -> list[Block]:
        """Return the graphs in order, about `nodes` nodes together."""
        groups: list[list[int]] = []
        room = 0
        for i in np.flatnonzero(self.sizes):
            if not groups or room < self.sizes[i]:
                groups.append([])
                room = nodes
            groups[-1].append(int(i))
            room -= int(self.sizes[i])
        return [self._block(group) for group in groups]

    def _block(self, numbers: list[int]) -> Block:
        sizes = self.sizes[numbers]
        n, shift = int(sizes.sum()), np.concatenate(([0], np.cumsum(sizes)[:-1]))
        lists = [self._edges[i] for i in numbers]
        tail, head, code = (
            np.concatenate([part[axis] + (step if axis < 2 else 0) for part, step in zip(lists, shift, strict=True)])
            for axis in range(3)
        )
        weight = np.concatenate([part[3] for part in lists])
        edges = {}
        for label in np.unique(code):
            chosen = code == label
            edges[int(label)] = _operator(tail[chosen], head[chosen], weight[chosen], n)
        return Block(
            np.array(numbers), sizes, np.concatenate([self._codes[i] for i in numbers]), edges, self._radii[numbers]
        )


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

    def matrix(self, place: int) -> Any:
        """Return βE_× with one graph of the block, as a sparse matrix over the nodes of equal labels."""
        from scipy.sparse import csr_array, kron

        start = int(self.block.starts[place])
        nodes = slice(start, start + int(self.block.sizes[place]))
        keep = np.flatnonzero(self.mask[nodes].ravel())
        size = self.mask[nodes].size
        total = csr_array((size, size))
        for E_block, E_graph in self._common:
            total = total + kron(csr_array(E_block)[nodes, nodes], csr_array(E_graph), format="csr")
        return self.beta * csr_array(total)[keep][:, keep]


def series_sums(product: Product, undirected: bool, bound: float, exponential: bool) -> Array:
    """Return Σ_n λ_n 1'E_×ⁿ1, term by term until the rest is negligible; every term is ≥ 0.

    In undirected graphs two vectors give two more terms, 1'E²ᵏ1 = ⟨Eᵏ1, Eᵏ1⟩ and
    1'E²ᵏ⁺¹1 = ⟨Eᵏ1, Eᵏ⁺¹1⟩, so that half the steps suffice.
    """
    v = product.mask
    total = product.sums(v, v)
    n, weight = 0, 1.0
    left = _NEGLIGIBLE if exponential else _NEGLIGIBLE * (1.0 - bound)
    with np.errstate(over="ignore", invalid="ignore"):
        while True:
            following = product(v)
            for term in (
                (product.sums(v, following), product.sums(following, following))
                if undirected
                else (product.sums(product.mask, following),)
            ):
                n += 1
                weight = weight / n if exponential else 1.0
                last = weight * term
                total = total + last
            falling = not exponential or 2.0 * bound < n
            # `not >` also ends the loop where the sums have overflowed; that is reported by the caller.
            if falling and not (last > left * total).any():
                return np.asarray(total)
            if not np.isfinite(total).all():
                return np.asarray(total)
            v = following


def conjugate_gradients(product: Product, sure: bool, at_most: int = 3000) -> Array:
    """Return 1'(I − βE_×)⁻¹1 for undirected graphs, all graphs of the block at once.

    The sum is Σ_j α_j‖r_j‖² of conjugate gradients from 0, whose error is the square of the
    solution's. Where 1/ρ(E_×) is not known to exceed β (`sure`), the solution x itself decides: a
    matrix without positive entries off the diagonal that maps some x ≥ 0 to a positive vector is
    an M-matrix, so x ≥ 0 holds exactly where the series converges (Berman, Plemmons 1979, ch. 6).
    """
    p = product.mask
    r = p.copy()
    rr = product.sums(r, r)
    total, x = np.zeros_like(rr), None if sure else np.zeros_like(r)
    for _ in range(at_most):
        Ap = p - product(p)
        curvature = product.sums(p, Ap)
        open_ = rr > 0.0
        if not sure:
            flat = open_ & (curvature <= 1e-13 * product.sums(p, p))
            if flat.any():
                raise Diverges(int(flat.argmax()))
        alpha = np.divide(rr, curvature, where=open_, out=np.zeros_like(rr))
        gain = alpha * rr
        total += gain
        step = product.spread(alpha)
        if x is not None:
            x += step * p
        Ap *= step
        r -= Ap
        new = product.sums(r, r)
        # A residual within rounding carries no information: the pair has converged.
        new[new <= 1e-30 * total] = 0.0
        if not (gain > _NEGLIGIBLE * total).any():
            break
        p = p * product.spread(np.divide(new, rr, where=open_, out=np.zeros_like(rr)))
        p += r
        rr = new
    else:
        return solved(product)
    if x is not None and (x < 0.0).any():
        wrong = np.repeat(np.arange(len(rr)), product.block.sizes)[(x < 0.0).any(axis=1)]
        raise Diverges(int(wrong[0]))
    return total


def solved(product: Product) -> Array:
    """Return 1'(I − βE_×)⁻¹1 near the bound, where iterations take long, by a sparse solve per pair.

    As above, the series converges exactly if x ≥ 0.
    """
    from scipy.sparse import eye_array
    from scipy.sparse.linalg import splu

    totals = np.zeros(len(product.block.sizes))
    for place in range(len(totals)):
        E = product.matrix(place)
        if not E.shape[0]:
            continue
        try:
            x = splu((eye_array(E.shape[0]) - E).tocsc()).solve(np.ones(E.shape[0]))
        except RuntimeError:  # exactly singular
            raise Diverges(place) from None
        if not (x >= 0.0).all():
            raise Diverges(place)
        totals[place] = x.sum()
    return totals


def _edge_list(graph: Graph, codes: Mapping[Hashable, int]) -> tuple[Array, Array, Array, Array]:
    tail, head = np.nonzero(graph.adjacency)
    if graph.edge_labels is None:
        code = np.full(len(tail), codes[GENERIC], dtype=np.intp)
    else:
        code = np.array([codes[x] for x in graph.edge_labels[tail, head]], dtype=np.intp)
    return tail, head, code, graph.adjacency[tail, head]


def _operator(tail: Array, head: Array, weight: Array, n: int) -> Any:
    """Return a dense matrix where that multiplies faster, else a sparse one."""
    if n <= 64 or len(tail) > 0.05 * n * n:
        E = np.zeros((n, n))
        E[tail, head] = weight
        return E
    from scipy.sparse import csr_array

    return csr_array((weight, (tail, head)), shape=(n, n))


def _radius_bound(E: Array) -> float:
    """Return ρ(E), or for large graphs the smaller of the largest row and column sum, which is no less."""
    if not E.size:
        return 0.0
    if len(E) <= 256:
        return spectral_radius(E)
    return float(min(E.sum(axis=0).max(), E.sum(axis=1).max()))


def spectral_radius(E: Any) -> float:
    """Return the largest eigenvalue in modulus of a matrix without negative entries."""
    if E.shape[0] > 1500:
        from scipy.sparse.linalg import eigs

        return float(abs(eigs(E, k=1, v0=np.ones(E.shape[0]), return_eigenvectors=False)[0]))
    dense = E if isinstance(E, np.ndarray) else E.toarray()
    if (dense == dense.T).all():
        return float(max(np.linalg.eigvalsh(dense)[-1], 0.0))
    return float(np.abs(np.linalg.eigvals(dense)).max())
