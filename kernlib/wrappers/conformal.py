"""Conformal transformations: every row rescaled in feature space, angles kept."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from ..base import Fold, Kernel, Memo, Wrapper, owned
from ..declare import param
from ..errors import DegenerateError
from ..values.arrays import Array

__all__ = ["FUNCTIONS", "Conformal"]


def _inverse_norm(d: Array) -> Array:
    return np.divide(1.0, np.sqrt(np.maximum(d, 0.0)), where=d > 0, out=np.zeros_like(d))


def _norm(d: Array) -> Array:
    return np.sqrt(np.maximum(d, 0.0))


def _gaussian(d: Array) -> Array:
    return np.asarray(np.exp(-0.5 * np.maximum(d, 0.0)))


#: Functions f by name, of a row's squared length k(x, x), (n,) → (n,); any other f is given as a callable.
FUNCTIONS: Mapping[str, Callable[[Array], Array]] = MappingProxyType(
    {"inverse-norm": _inverse_norm, "gaussian": _gaussian, "norm": _norm}
)


class _Tabulated:
    """f over row numbers: what a callable f becomes once the rows are bound."""

    def __init__(self, values: Array) -> None:
        self.values = values

    def __call__(self, rows: Array) -> Array:
        return np.asarray(self.values[rows])


@dataclass(frozen=True, repr=False)
class Conformal(Wrapper):
    """A conformal transformation: every row is rescaled by f, and all angles stay as they were.

        k(x, x') ↦ f(x) k(x, x') f(x')

    f by name is a function of the squared length k(x, x): "inverse-norm", 1/√k(x, x), which is
    `Normalized`; "gaussian", exp(−k(x, x)/2), under which rows far from the origin fade; "norm",
    √k(x, x), under which they grow. It may also be a Python callable from rows (n, …) to n finite
    numbers; such a kernel prints with the callable's own repr, which `parse` does not read back, and
    is equal only to one with the same callable.

    Raises ParameterError for an unknown name, DegenerateError where f gives anything but n finite
    numbers.

    [D] Conformal Transformations; Amari and Wu, "Improving support vector machine classifiers by
    modifying kernel functions", 1999.

    The exponential of the linear kernel at unit length is the RBF kernel:

    >>> from kernlib import RBF, Exponential, Linear
    >>> X = [[0.0], [1.0]]
    >>> bool(abs(Conformal(Exponential(Linear()), f="inverse-norm")(X) - RBF(sigma=1.0)(X)).max() < 1e-12)
    True
    """

    f: str | Callable[[Any], Any] = param(  # noqa: RUF009 (a field, as everywhere)
        "inverse-norm", kind="choice", symbol="f", help="what rescales each row", choices=tuple(FUNCTIONS)
    )

    formula: ClassVar[str] = r"f(x)\,k(x,x')\,f(x')"
    source: ClassVar[str] = "[D] Conformal Transformations"
    cost: ClassVar[str] = "O(n²)"

    def __post_init__(self) -> None:
        if not callable(self.f):
            super().__post_init__()

    def chip(self) -> str:
        name = self.f if isinstance(self.f, str) else getattr(self.f, "__name__", type(self.f).__name__)
        return f"conformal ({name})"

    def _factors(self, X: Array, d: Array) -> Array:
        """f of every row, (n,), from the rows and their k(x, x)."""
        if isinstance(self.f, str):
            return FUNCTIONS[self.f](d)
        values = np.asarray(self.f(X))
        if values.shape != (len(X),) or values.dtype.kind not in "fiub" or not np.isfinite(values).all():
            raise DegenerateError(
                f"Conformal: f must give one finite number for each row; expected shape ({len(X)},), got "
                f"{'values that are not finite' if values.shape == (len(X),) else f'shape {values.shape}'}. "
                "f reads all rows at once."
            )
        return values.astype(np.float64)

    def _scaled(self, K: Array, fx: Array, fy: Array) -> Array:
        # The two factors first, so that a symmetric matrix stays symmetric to the last bit.
        K *= np.multiply.outer(fx, fy)
        return K

    def _gram(self, X: Array, Y: Array | None) -> Array:
        K = owned(self.kernel._gram(X, Y))
        if Y is None:
            fx = self._factors(X, K.diagonal())
            return self._scaled(K, fx, fx)
        return self._scaled(K, *(self._factors(Z, self.kernel._diag(Z)) for Z in (X, Y)))

    def _diag(self, X: Array) -> Array:
        d = self.kernel._diag(X)
        return np.asarray(self._factors(X, d) ** 2 * d)

    def _fold(self, train: Array, test: Array | None, y: Array | None) -> Fold:
        inner = self.kernel._fold(train, test, y)
        fitted = self._with_state(None, kernel=inner.kernel)
        f_train = self._factors(train, inner.K.diagonal())
        K = self._scaled(owned(inner.K), f_train, f_train)
        if test is None or inner.K_star is None or inner.k_diag is None:
            return Fold(fitted, K, None, None)
        f_test = self._factors(test, inner.k_diag)
        return Fold(fitted, K, self._scaled(owned(inner.K_star), f_test, f_train), f_test**2 * inner.k_diag)

    def _bind(self, rows: Array, memo: Memo) -> Kernel:
        if isinstance(self.f, str):
            return super()._bind(rows, memo)
        from ..binding import Lookup

        # A callable reads rows, and a bound kernel has row numbers only: f is evaluated here, once.
        values = _Tabulated(self._factors(rows, np.empty(0)))
        bound = dataclasses.replace(self, kernel=self.kernel._bind(rows, memo), f=values)
        return Lookup(self, bound._gram(np.arange(len(rows)), None)) if bound.fitted else bound
