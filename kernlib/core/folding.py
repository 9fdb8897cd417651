"""Gram matrices of a training and a test part, and results that several kernels share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..errors import KernlibError
from ..numerics.linalg import finite_gram, finite_lengths, finite_values, overflow_checked_later
from ..values.arrays import Array, Factor


class Fold(NamedTuple):
    """The Gram matrices of a training and a test part, for a kernel fitted on the training part.

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
    """State learnt from training rows; equal only if it is the same object.

    `value` is the learnt value, `rows` the training rows if new rows are compared with them.
    """

    value: Any
    rows: Any = None


class Shared:
    """Folds of kernels that several other kernels use, kept until the last of them has used them.

    All are for one training and one test part: the levels of a deep kernel, the values of p around one base, or both
    axes of a map share the folds of their common kernels, each computed once.
    """

    def __init__(self, kernels: Iterable[Any]) -> None:
        self._left: Counter[Any] = Counter()
        self._folds: dict[Any, Fold | Exception] = {}
        for kernel in kernels:
            self._count(kernel)

    def _count(self, kernel: Any) -> None:
        self._left[kernel] += 1
        if self._left[kernel] == 1:
            for below in kernel.needs:
                self._count(below)

    def fold(self, kernel: Any, train: Array, test: Array | None, y: Array | None) -> Fold:
        """Return the kernel's fold, computed at the first call."""
        fold = self._folds.get(kernel)
        if isinstance(fold, Exception):
            raise fold
        if fold is None:
            try:
                fold = finite_fold(kernel, lambda: kernel.fold_rows(train, test, y, self))
            except (KernlibError, MemoryError) as error:
                self._folds[kernel] = error  # kernels above it raise the same error
                raise
            if self._left[kernel] > 1:
                for matrix in (fold.K, fold.K_star):
                    if matrix is not None:
                        matrix.flags.writeable = False  # copied before it is overwritten
                self._folds[kernel] = fold
        self._left[kernel] -= 1
        if self._left[kernel] <= 0:
            self._folds.pop(kernel, None)
        return fold


def folded(kernel: Any, train: Array, test: Array | None, y: Array | None, shared: Shared | None = None) -> Fold:
    """Return a kernel's fold; a kernel that was fitted before is not fitted again."""
    if kernel._learnt is not None:
        return kernel.fold_fitted(train, test)  # type: ignore[no-any-return]
    return kernel.fold_rows(train, test, y) if shared is None else shared.fold(kernel, train, test, y)


def factored(kernel: Any, train: Array, test: Array | None, y: Array | None) -> FactoredFold:
    """Return a fold with factors instead of matrices, of a kernel that `has_factor`; errors as in `finite_fold`."""
    with overflow_checked_later():
        fitted = kernel if kernel.fitted else kernel.fit_rows(train, y)
        F = Factor(fitted.factor_rows(train))
        F_star = None if test is None else Factor(fitted.factor_rows(test))
    finite_lengths(F.diagonal, kernel)
    k_diag = None if F_star is None else finite_lengths(F_star.diagonal, kernel)
    return FactoredFold(fitted, F, F_star, k_diag)


def finite_fold(kernel: Any, fold: Callable[[], Fold]) -> Fold:
    """Return a fold without NumPy's overflow warnings; raise DegenerateError for a value that is not finite."""
    with overflow_checked_later():
        result = fold()
    psd = kernel.is_psd
    finite_gram(result.K, psd, kernel)
    if result.k_diag is not None:
        finite_lengths(result.k_diag, kernel)
    if result.K_star is not None and not psd:  # else bounded by the two diagonals
        finite_values(result.K_star, kernel)
    return result
