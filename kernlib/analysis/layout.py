"""Positions for the nodes of a graph drawing."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..values.arrays import Array


def graph_layout(adjacency: ArrayLike, rounds: int = 60) -> Array:
    """Return positions of the nodes, (n, 2) in −1…1: a spectral start, then springs; the same on every run.

    Parameters: `adjacency` (n, n), symmetrised by the larger weight; `rounds` of the springs, none beyond 600
    nodes. Reference: Fruchterman and Reingold, Software: Practice and Experience 21, 1991, for the springs.

    >>> graph_layout([[0, 1], [1, 0]]).round(3).tolist()
    [[1.0, 0.0], [-1.0, 0.0]]
    """
    A = np.abs(np.asarray(adjacency, dtype=np.float64))
    A = np.maximum(A, A.T)
    np.fill_diagonal(A, 0.0)
    n = len(A)
    turn = 2 * np.pi * np.arange(n) / max(n, 1)
    if n < 4 or not A.any():
        return np.column_stack([np.cos(turn), np.sin(turn)]) * (n > 1)
    degree = A.sum(axis=1)
    root = 1 / np.sqrt(np.maximum(degree, 1e-12))
    root[degree == 0] = 0.0
    vectors = np.linalg.eigh(np.eye(n) - root[:, None] * A * root)[1]
    # A small fixed circle separates nodes with one spectral position.
    P = vectors[:, 1:3] / (np.abs(vectors[:, 1:3]).max(axis=0) + 1e-12)
    P = P + 0.05 * np.column_stack([np.cos(7 * turn + 1), np.sin(11 * turn + 2)])
    if n <= 600:
        k, weight = 1.6 / np.sqrt(n), A / A.max()
        for step in np.linspace(0.12, 0.004, rounds):
            norms = (P**2).sum(axis=1)
            d2 = np.maximum(norms[:, None] - 2 * P @ P.T + norms, 1e-12)
            push = k**2 / d2 - weight * np.sqrt(d2) / k
            np.fill_diagonal(push, 0.0)
            # Σ_j push_ij (P_i − P_j), and a weak spring to the centre that holds components together.
            move = P * push.sum(axis=1, keepdims=True) - push @ P - 0.8 * P
            length = np.sqrt((move**2).sum(axis=1, keepdims=True)) + 1e-12
            P = P + move / length * np.minimum(length, step)
    P = P - (P.max(axis=0) + P.min(axis=0)) / 2
    placed: Array = P / (np.abs(P).max() or 1.0)
    return placed
