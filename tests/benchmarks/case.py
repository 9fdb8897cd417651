"""A row of the benchmark: a computation at a size, our implementation, and the peers'."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kernlib.values.arrays import Array


def relative(ours: Any, theirs: Any) -> float:
    """Return the largest difference of two arrays, as a share of the largest entry.

    >>> relative(np.array([2.0, 1.0]), np.array([2.0, 0.9])).__round__(3)
    0.05
    """
    a, b = np.asarray(ours, dtype=float), np.asarray(theirs, dtype=float)
    if a.shape != b.shape:
        return float("inf")
    return float(np.abs(a - b).max() / max(float(np.abs(b).max()), 1e-300))


@dataclass(frozen=True)
class Peer:
    """Another implementation: `call`, and `same`, which converts its result to the form of ours.

    `same` is None where the peer does different work and only times compare. `package` must be installed.
    """

    name: str
    call: Callable[[], Any]
    same: Callable[[Any], Any] | None = lambda result: result
    package: str = ""


@dataclass(frozen=True)
class Case:
    """A computation at one size.

    `check` returns the difference from values of the definition, where no peer computes the same.
    """

    ours: Callable[[], Any]
    peers: tuple[Peer, ...]
    check: Callable[[Any], float] | None = None
    difference: Callable[[Any, Any], float] = relative


@dataclass(frozen=True)
class Work:
    """A row of the table: `make` returns the case for n rows; `sizes` of a full, a quick and a toy run.

    `goal` is the target ratio to the first peer; `tolerance` the largest difference that counts as equal.
    """

    name: str
    make: Callable[[int], Case]
    sizes: tuple[int, int, int]
    goal: float
    tolerance: float = 1e-9


def strings(n: int, length: int, letters: str) -> list[str]:
    """Return n random strings, the same in every run."""
    drawn = np.random.default_rng(0).choice(list(letters), (n, length))
    return ["".join(row) for row in drawn]


def numbers(n: int, d: int) -> Array:
    """Return an (n, d) matrix of standard normal numbers, the same in every run."""
    return np.random.default_rng(0).normal(size=(n, d))
