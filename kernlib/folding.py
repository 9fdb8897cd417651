"""A training part and a test part seen through kernels, and what several kernels have in common there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from .errors import KernlibError
from .finite import finite_gram, finite_lengths, finite_values, overflow_told_later
from .values.arrays import Array
from .values.factor import Factor

__all__ = ["FactoredFold", "Fold", "Learnt", "Shared", "factored", "finite_fold", "folded"]


class Fold(NamedTuple):
    """One training part and one test part seen through a kernel that was fitted on the former.

    `K` is (n, n) on the training rows, `K_star` (m, n) test rows against training rows, `k_diag`
    (m,) the test rows' own k(x, x); the last two are None where no test rows were given.
    """

    kernel: Any
    K: Array
    K_star: Array | None
    k_diag: Array | None


class FactoredFold(NamedTuple):
    """A `Fold` of a kernel that `has_factor`: n and m short rows where the matrices would be."""

    kernel: Any
    K: Factor
    K_star: Factor | None
    k_diag: Array | None


@dataclass(frozen=True, eq=False)
class Learnt:
    """What a kernel took from training rows; two are the same only when they are one object.

    `value` is what it computes with, `rows` the training rows where new rows are held against them.
    """

    value: Any
    rows: Any = None


class Shared:
    """Folds of kernels that several others stand on, kept for as long as one of them still needs them.

    All for one training and one test part: the levels of a deep kernel, the values of p above one base, both axes
    of a map come out of what they have in common, computed once.
    """

    def __init__(self, kernels: Iterable[Any]) -> None:
        self._left: Counter[Any] = Counter()
        self._folds: dict[Any, Fold | Exception] = {}
        for kernel in kernels:
            self._count(kernel)

    def _count(self, kernel: Any) -> None:
        self._left[kernel] += 1
        if self._left[kernel] == 1:
            for below in kernel._needs:
                self._count(below)

    def fold(self, kernel: Any, train: Array, test: Array | None, y: Array | None) -> Fold:
        """The kernel's fold, computed at the first call."""
        found = self._folds.get(kernel)
        if isinstance(found, Exception):
            raise found
        if found is None:
            try:
                found = finite_fold(kernel, lambda: kernel._fold(train, test, y, self))
            except (KernlibError, MemoryError) as error:
                self._folds[kernel] = error  # who stands on it fails by the same words
                raise
            if self._left[kernel] > 1:
                for matrix in (found.K, found.K_star):
                    if matrix is not None:
                        matrix.flags.writeable = False  # who writes takes a copy
                self._folds[kernel] = found
        self._left[kernel] -= 1
        if self._left[kernel] <= 0:
            self._folds.pop(kernel, None)
        return found


def folded(kernel: Any, train: Array, test: Array | None, y: Array | None, shared: Shared | None = None) -> Fold:
    """A kernel's fold; one that was fitted before is evaluated as it is."""
    if kernel._learnt is not None:
        return kernel._as_fitted(train, test)  # type: ignore[no-any-return]
    return kernel._fold(train, test, y) if shared is None else shared.fold(kernel, train, test, y)


def factored(kernel: Any, train: Array, test: Array | None, y: Array | None) -> FactoredFold:
    """A fold whose matrices are never made, of a kernel that `has_factor`; errors as of `finite_fold`."""
    with overflow_told_later():
        fitted = kernel if kernel.fitted else kernel._fit(train, y)
        F = Factor(fitted._factor(train))
        F_star = None if test is None else Factor(fitted._factor(test))
    finite_lengths(F.diagonal, kernel)
    k_diag = None if F_star is None else finite_lengths(F_star.diagonal, kernel)
    return FactoredFold(fitted, F, F_star, k_diag)


def finite_fold(kernel: Any, fold: Callable[[], Fold]) -> Fold:
    """A fold all of whose values are finite, or DegenerateError, and no warning on the way."""
    with overflow_told_later():
        found = fold()
    psd = kernel.is_psd
    finite_gram(found.K, psd, kernel)
    if found.k_diag is not None:
        finite_lengths(found.k_diag, kernel)
    if found.K_star is not None and not psd:  # else bounded by the two diagonals
        finite_values(found.K_star, kernel)
    return found
