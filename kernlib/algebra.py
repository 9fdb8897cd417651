"""The algebra of kernels: a·k, k + k', k·k', k**m and constants, each again a kernel.

`Sum` and `Product` are separate classes and keep the tree as it was written: (a·b) + c stays a
sum of a product, and prints so.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from numbers import Real
from typing import ClassVar, Self

import numpy as np

from .base import Fold, Kernel, Memo, Wrapper, owned, require_kernel
from .declare import param
from .errors import DomainError
from .values.arrays import Array
from .values.domains import check_rows

__all__ = ["Constant", "Monomial", "Product", "Scaled", "Sum", "promoted"]


@dataclass(frozen=True, repr=False)
class Constant(Kernel):
    """The same similarity for every pair of rows, k(x, x') = c.

    Added to a kernel it lifts all values, as the '+1' of pairwise kernels does ([K] 3.4.1).

    Raises ParameterError for a negative value, which would be no kernel.

    >>> from kernlib import Linear
    >>> Linear() + 1
    Linear() + 1.0
    """

    value: float = param(1.0, symbol="c", help="the value for every pair of rows", low=0.0, high=10.0, minimum=0.0)

    formula: ClassVar[str] = r"k(x,x') = c"
    source: ClassVar[str] = "[D] Tricks for Constructing Kernels"
    cost: ClassVar[str] = "O(n²)"

    def _rows(self, X: object) -> Array:
        return check_rows("any", X, "Constant")

    def _gram(self, X: Array, Y: Array | None) -> Array:
        return np.full((len(X), len(X if Y is None else Y)), self.value)

    def _diag(self, X: Array) -> Array:
        return np.full(len(X), self.value)

    def __repr__(self) -> str:
        return f"Constant(value={self.value!r})"


@dataclass(frozen=True, repr=False)
class Scaled(Wrapper):
    """A kernel times a number, (a·k)(x, x') = a k(x, x') with a ≥ 0.

    Raises ParameterError for a negative factor: the result would not be positive semi-definite.

    >>> from kernlib import Linear
    >>> (0.5 * Linear())([[2.0]], [[3.0]])
    array([[3.]])
    """

    factor: float = param(
        1.0, symbol="a", help="multiplies every value", low=0.01, high=100.0, scale="log", minimum=0.0
    )

    formula: ClassVar[str] = r"(a\,k)(x,x') = a\,k(x,x')"
    source: ClassVar[str] = "[D] Tricks for Constructing Kernels"
    cost: ClassVar[str] = "O(n²)"

    def chip(self) -> str:
        return f"×{self.factor:g}"

    def _point(self, K: Array, dx: Array, dy: Array) -> Array:
        K *= self.factor
        return K

    def _point_diag(self, d: Array) -> Array:
        return self.factor * d

    def __repr__(self) -> str:
        return f"{self.factor!r} * {_bracketed(self.kernel, above='product', side='right')}"


@dataclass(frozen=True, repr=False)
class Monomial(Wrapper):
    """An integer power of a kernel, k(x, x')^m: the product of m copies.

    Raises ParameterError where m is not an integer from 1 on; for 0 < p ≤ 1 see `Power`.

    >>> from kernlib import Linear
    >>> (Linear() ** 3)([[2.0]], [[1.0]])
    array([[8.]])
    """

    exponent: int = param(
        2, kind="int", symbol="m", help="how many copies are multiplied", low=1, high=8, minimum=1, maximum=64
    )

    formula: ClassVar[str] = r"k(x,x')^m"
    source: ClassVar[str] = "[D] Tricks for Constructing Kernels"
    cost: ClassVar[str] = "O(n²)"

    def chip(self) -> str:
        return f"(·)^{self.exponent}"

    def _point(self, K: Array, dx: Array, dy: Array) -> Array:
        return np.asarray(np.power(K, self.exponent, out=K))

    def _point_diag(self, d: Array) -> Array:
        return np.asarray(d**self.exponent)

    def __repr__(self) -> str:
        return f"{_bracketed(self.kernel, above='power', side='left')} ** {self.exponent}"


@dataclass(frozen=True, repr=False)
class _Two(Kernel):
    """Two kernels over the same rows, joined entry by entry."""

    left: Kernel
    right: Kernel

    symbol: ClassVar[str] = "?"

    def __post_init__(self) -> None:
        require_kernel(type(self).__name__, "left", self.left)
        require_kernel(type(self).__name__, "right", self.right)
        super().__post_init__()
        domains = {self.left.reads, self.right.reads} - {"any"}
        if len(domains) > 1:
            raise DomainError(
                f"{type(self).__name__}: the left kernel reads {self.left.reads} rows and the right one "
                f"{self.right.reads} rows; expected one kind. Put each on its own columns with "
                "On(columns, kernel)."
            )

    def _join(self, A: Array, B: Array) -> Array:
        raise NotImplementedError

    def chip(self) -> str:
        return f" {self.symbol} ".join(" → ".join(k.chain()) for k in (self.left, self.right))

    def _rows(self, X: object) -> Array:
        if self.left.reads == "any":
            return self.right._rows(X)
        rows = self.left._rows(X)
        # What one of the two lets pass (gaps, any number of columns) the other may refuse.
        return rows if self.right.reads == "any" else self.right._rows(rows)

    def _gram(self, X: Array, Y: Array | None) -> Array:
        return self._join(owned(self.left._gram(X, Y)), self.right._gram(X, Y))

    def _diag(self, X: Array) -> Array:
        return self._join(self.left._diag(X).copy(), self.right._diag(X))

    def _fit(self, X: Array, y: Array | None) -> Self:
        fitted = {n: k._fit(X, y) if k.learns else k for n, k in self._named_children().items()}
        return dataclasses.replace(self, **fitted)

    def _fold(self, train: Array, test: Array | None, y: Array | None) -> Fold:
        a, b = self.left._fold(train, test, y), self.right._fold(train, test, y)
        kernel = dataclasses.replace(self, left=a.kernel, right=b.kernel)
        K = self._join(owned(a.K), b.K)
        if a.K_star is None or b.K_star is None or a.k_diag is None or b.k_diag is None:
            return Fold(kernel, K, None, None)
        return Fold(kernel, K, self._join(owned(a.K_star), b.K_star), self._join(a.k_diag.copy(), b.k_diag))

    def _bind(self, rows: Array, memo: Memo) -> Kernel:
        from .binding import Lookup

        bound = dataclasses.replace(self, left=self.left._bind(rows, memo), right=self.right._bind(rows, memo))
        return Lookup(self, bound._gram(np.arange(len(rows)), None)) if bound.fitted else bound


@dataclass(frozen=True, repr=False)
class Sum(_Two):
    """The sum of two kernels, k(x, x') + k'(x, x'): their feature spaces side by side.

    >>> from kernlib import Linear, RBF
    >>> Linear() + RBF(sigma=1.5) + 2.0
    Linear() + RBF(sigma=1.5) + 2.0
    """

    formula: ClassVar[str] = r"k(x,x') + k'(x,x')"
    source: ClassVar[str] = "[D] Tricks for Constructing Kernels"
    cost: ClassVar[str] = "both kernels' cost"
    symbol: ClassVar[str] = "+"

    def _join(self, A: Array, B: Array) -> Array:
        A += B
        return A

    def __repr__(self) -> str:
        left, right = _bracketed(self.left, "sum", "left"), _bracketed(self.right, "sum", "right")
        if isinstance(self.right, Constant) and not isinstance(self.left, Constant):
            right = repr(self.right.value)
        return f"{left} + {right}"


@dataclass(frozen=True, repr=False)
class Product(_Two):
    """The product of two kernels, k(x, x')·k'(x, x'): every feature of one with every one of the other.

    >>> from kernlib import Linear, RBF
    >>> Linear() * (RBF(sigma=1.5) + Linear())
    Linear() * (RBF(sigma=1.5) + Linear())
    """

    formula: ClassVar[str] = r"k(x,x')\,k'(x,x')"
    source: ClassVar[str] = "[D] Tricks for Constructing Kernels"
    cost: ClassVar[str] = "both kernels' cost"
    symbol: ClassVar[str] = "·"

    def _join(self, A: Array, B: Array) -> Array:
        A *= B
        return A

    def __repr__(self) -> str:
        left, right = _bracketed(self.left, "product", "left"), _bracketed(self.right, "product", "right")
        return f"{left} * {right}"


def promoted(other: object) -> Kernel | None:
    """A kernel as it is, a number as a `Constant`, anything else as None."""
    if isinstance(other, Kernel):
        return other
    return Constant(value=other) if isinstance(other, Real) else None  # type: ignore[arg-type]


_BINDING = {"sum": 1, "product": 2, "power": 3}


def _bracketed(kernel: Kernel, above: str, side: str) -> str:
    """The kernel's repr, in brackets where Python would otherwise read another tree."""
    own = {Sum: 1, Product: 2, Scaled: 2, Monomial: 3}.get(type(kernel), 4)
    needed = _BINDING[above]
    # + and * associate to the left, so an equal operator on the right needs its brackets.
    loose = own < needed or (own == needed and (side == "right" or above == "power"))
    return f"({kernel!r})" if loose else repr(kernel)
