"""Columns brought to mean 0 and standard deviation 1 before a kernel reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from ..base import Fold, Kernel, Memo, Wrapper
from ..errors import DomainError
from ..values.arrays import Array
from ..values.domains import Domain

__all__ = ["Standardized"]


class _Columns(NamedTuple):
    mean: Array
    spread: Array


@dataclass(frozen=True, repr=False)
class Standardized(Wrapper):
    """A kernel on columns in units of their own spread, so that no unit of measurement dominates.

        k((x − m) / s, (x' − m) / s),  m and s each column's mean and standard deviation

    Learns m and s from the training rows; test rows are scaled with these. A column that is
    constant in training keeps its unit.

    Parameters: a kernel that reads vectors; DomainError for any other.

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> Standardized(Linear())(np.array([[0.0, 100.0], [2.0, 300.0]]))
    array([[ 2., -2.],
           [-2.,  2.]])
    """

    domain: ClassVar[Domain] = "vector"
    formula: ClassVar[str] = r"k\big((x-m)/s,\ (x'-m)/s\big)"
    source: ClassVar[str] = "usual practice; columns of unlike units, [O] 4.1 note on scaling"
    cost: ClassVar[str] = "the kernel's cost"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kernel.reads not in ("vector", "any"):
            raise DomainError(
                f"Standardized: expected a kernel that reads vectors; got {self.kernel!r}, which reads "
                f"{self.kernel.reads} rows. Columns of letters or categories have no mean: leave this step out."
            )

    @property
    def learns_itself(self) -> bool:
        return True

    def chip(self) -> str:
        return "standardised"

    def chain(self) -> tuple[str, ...]:
        return (self.chip(), *self.kernel.chain())

    def heuristics(self, X: Any) -> dict[str, float]:
        rows = self._rows(X)
        return self.kernel.heuristics(_scaled(rows, _columns(rows)))

    def _gram(self, X: Array, Y: Array | None) -> Array:
        return self.kernel._gram(self._in_units(X), None if Y is None else self._in_units(Y))

    def _diag(self, X: Array) -> Array:
        return self.kernel._diag(self._in_units(X))

    def _in_units(self, X: Array) -> Array:
        columns: _Columns = self._state
        self._require_as_learnt(X, len(columns.mean))
        return _scaled(X, columns)

    def _fit(self, X: Array, y: Array | None) -> Self:
        columns = _columns(X)
        inner = self.kernel._fit(_scaled(X, columns), y) if self.kernel.learns else self.kernel
        return self._with_state(columns, kernel=inner)

    # What is transformed here are rows, not a Gram matrix: folds and binding are those of a leaf.
    def _fold(self, train: Array, test: Array | None, y: Array | None) -> Fold:
        return Kernel._fold(self, train, test, y)

    def _bind(self, rows: Array, memo: Memo) -> Kernel:
        if self.kernel.transductive:  # it exists for all rows at once, and so do their means
            return self.kernel._bind(_scaled(rows, self._state or _columns(rows)), {})
        return Kernel._bind(self, rows, memo)


def _columns(X: Array) -> _Columns:
    spread = X.std(axis=0)
    # Rounding gives a constant column a spread of about 1e-16 of its size; dividing by it makes noise.
    constant = spread <= 1e-12 * np.maximum(np.abs(X).max(axis=0), 1e-300)
    return _Columns(X.mean(axis=0), np.where(constant, 1.0, spread))


def _scaled(X: Array, columns: _Columns) -> Array:
    return np.asarray((X - columns.mean) / columns.spread)
