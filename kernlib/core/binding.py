"""Kernels over row numbers: `Kernel.bind` replaces leaves by them.

A look-up returns slices of a matrix that was computed once. A kernel that learns (a probability mass function, a
singular value decomposition, landmarks) is fitted on the rows of each training part, so that test rows never influence
a fit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ..errors import DomainError
from ..values.arrays import Array
from ..values.declare import makes
from ..values.domains import Domain, check_rows
from .base import Kernel
from .folding import Fold, Shared, folded


@dataclass(frozen=True, repr=False, eq=False)
class _OverRowNumbers(Kernel):
    """Common part: row numbers are checked against the number of rows that were bound."""

    kernel: Kernel
    domain: ClassVar[Domain] = "row"

    # Two look-ups are the same only when they are the same object: matrices are not compared.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @property
    def children(self) -> tuple[Kernel, ...]:
        return ()

    @property
    def n(self) -> int:
        raise NotImplementedError

    @property
    def psd(self) -> bool:  # type: ignore[override]
        return self.kernel.is_psd

    @property
    def rounding(self) -> float:
        return self.kernel.rounding

    def chip(self) -> str:
        return self.kernel.chip()

    def chain(self) -> tuple[str, ...]:
        return self.kernel.chain()

    def checked_rows(self, X: object) -> Array:
        rows = check_rows("row", X, type(self).__name__)
        if rows.min() < 0 or rows.max() >= self.n:
            bad = rows[(rows < 0) | (rows >= self.n)][0]
            raise DomainError(
                f"{self!r}: row {bad} does not exist; expected row numbers from 0 to {self.n - 1}. "
                "Bind the kernel to all rows, training and test, first."
            )
        return rows

    def _written(self) -> str:
        return f"{self.kernel!r}.bind(<{self.n} rows>)"


@makes("look-up")
@dataclass(frozen=True, repr=False, eq=False)
class Lookup(_OverRowNumbers):
    """A kernel that learns nothing, evaluated once on all rows: k(i, j) = matrix[i, j]."""

    matrix: Array = field(default_factory=lambda: np.empty((0, 0)))

    def __post_init__(self) -> None:
        self.matrix.flags.writeable = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        # A pickle forgets that the matrix is read-only, and a step around this one would overwrite it.
        self.__dict__.update(state)
        self.matrix.flags.writeable = False

    @property
    def n(self) -> int:
        return len(self.matrix)

    def gram(self, X: Array, Y: Array | None) -> Array:
        if Y is None and len(X) == self.n and X[0] == 0 and np.array_equal(X, np.arange(self.n)):
            return self.matrix.view()  # a view of a read-only array cannot be made writable
        # Rows first, then columns: two contiguous passes are faster than one gather over index pairs. Unlike an index,
        # `take` leaves the rows contiguous.
        return self.matrix.take(X, axis=0).take(X if Y is None else Y, axis=1)

    def gram_diag(self, X: Array) -> Array:
        return self.matrix.diagonal()[X]


@makes("over rows")
@dataclass(frozen=True, repr=False, eq=False)
class OverRows(_OverRowNumbers):
    """A kernel that learns, unchanged, over the numbers of the bound rows."""

    rows: Array = field(default_factory=lambda: np.empty(0))
    learns_itself: ClassVar[bool] = True

    @property
    def n(self) -> int:
        return len(self.rows)

    def learn(self, X: Array, y: Array | None) -> Kernel:
        return self.kernel.fit_rows(self.rows[X], y)

    def fold_rows(self, train: Array, test: Array | None, y: Array | None, shared: Shared | None = None) -> Fold:
        # The kernel's own fold shares intermediate results between K, K_star and k_diag.
        inner = folded(self.kernel, self.rows[train], None if test is None else self.rows[test], y)
        return inner._replace(kernel=self.with_state(inner.kernel))

    def gram(self, X: Array, Y: Array | None) -> Array:
        fitted: Kernel = self.state
        return fitted.gram(self.rows[X], None if Y is None else self.rows[Y])

    def gram_diag(self, X: Array) -> Array:
        fitted: Kernel = self.state
        return fitted.gram_diag(self.rows[X])

    @property
    def has_factor(self) -> bool:
        return self.kernel.has_factor

    def factor_rows(self, X: Array) -> Array:
        fitted: Kernel = self.state
        return fitted.factor_rows(self.rows[X])
