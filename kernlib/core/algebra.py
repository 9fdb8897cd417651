"""The algebra of kernels: a·k, k + k', k·k', k**m and constants, each again a kernel.

`Sum` and `Product` are separate classes and keep the tree as it was written: (a·b) + c stays a
sum of a product, and prints so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from ..errors import DomainError
from ..numerics.blocks import integer_power
from ..values.arrays import Array
from ..values.declare import makes, param, whole
from ..values.domains import check_rows
from .base import Kernel, Memo, owned, require_kernel
from .folding import Fold, Shared, folded
from .steps import Pointwise


@makes("constant")
@dataclass(frozen=True, repr=False)
class Constant(Kernel):
    """The same similarity for every pair of rows, k(x, x') = c.

    Added to a kernel it raises all values, as the '+1' of pairwise kernels does ([K] 3.4.1).

    Raises ParameterError for a negative value: the result would not be positive semi-definite.

    >>> from kernlib import Linear
    >>> Linear() + 1
    Linear() + 1.0
    """

    value: float = param(1.0, symbol="c", help="value of every pair of rows", low=0.0, high=10.0, minimum=0.0)

    formula = r"k(x,x') = c"
    source = "[D] Tricks for Constructing Kernels"
    cost = "O(n²)"

    def checked_rows(self, X: object) -> Array:
        return check_rows("any", X, "Constant")

    def gram(self, X: Array, Y: Array | None) -> Array:
        return np.full((len(X), len(X if Y is None else Y)), self.value)

    def gram_diag(self, X: Array) -> Array:
        return np.full(len(X), self.value)

    @property
    def _number(self) -> str:
        return repr(self.value)

    def _written(self) -> str:
        return f"Constant(value={self.value!r})"


@makes("multiple")
@dataclass(frozen=True, repr=False)
class Scaled(Pointwise):
    """A kernel times a number, (a·k)(x, x') = a k(x, x') with a ≥ 0.

    Raises ParameterError for a negative factor: the result would not be positive semi-definite.

    >>> from kernlib import Linear
    >>> (0.5 * Linear())([[2.0]], [[3.0]])
    array([[3.]])
    """

    _binds = 2

    factor: float = param(
        1.0, symbol="a", help="multiplies every value", low=0.01, high=100.0, scale="log", minimum=0.0
    )

    formula = r"(a\,k)(x,x') = a\,k(x,x')"
    source = "[D] Tricks for Constructing Kernels"
    cost = "O(n²)"

    def chip(self) -> str:
        return f"×{self.factor:g}"

    def change_entries(self, values: Array) -> Array:
        values *= self.factor
        return values

    @property
    def has_factor(self) -> bool:
        return self.kernel.has_factor

    def factor_rows(self, X: Array) -> Array:
        return np.asarray(np.sqrt(self.factor) * self.kernel.factor_rows(X))

    def _written(self) -> str:
        return f"{self.factor!r} * {_bracketed(self.kernel, above='product', side='right')}"


@makes("power")
@dataclass(frozen=True, repr=False)
class Monomial(Pointwise):
    """An integer power of a kernel, k(x, x')ᵐ: the product of m copies.

    Raises ParameterError where m is not an integer from 1 on; for 0 < p ≤ 1 see `Power`.

    >>> from kernlib import Linear
    >>> (Linear() ** 3)([[2.0]], [[1.0]])
    array([[8.]])
    """

    _binds = 3

    exponent: int = whole(2, "m", "number of copies that are multiplied", 1, 8, minimum=1, maximum=64)

    formula = r"k(x,x')^m"
    source = "[D] Tricks for Constructing Kernels"
    cost = "O(n²)"

    def chip(self) -> str:
        return f"(·)^{self.exponent}"

    @property
    def rounding(self) -> float:
        return self.exponent * self.kernel.rounding

    def change_entries(self, values: Array) -> Array:
        return integer_power(values, self.exponent)

    def _written(self) -> str:
        return f"{_bracketed(self.kernel, above='power', side='left')} ** {self.exponent}"


class Joint(Kernel):
    """Several kernels over the same rows, joined entry by entry; a subclass implements `joined`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        domains = {kernel.reads for kernel in self.children} - {"any"}
        if len(domains) > 1:
            raise DomainError(
                f"{type(self).__name__}: the kernels read {' and '.join(sorted(domains))} rows; expected one kind. Put "
                "each on its own columns with On(columns, kernel)."
            )

    def joined(self, values: Sequence[Array]) -> Array:
        """Return the values of the whole from those of each kernel, of which the first may be overwritten."""
        raise NotImplementedError

    def learn_joint(self, matrices: Sequence[Array], y: Array | None) -> Self:
        """Return the kernel, around fitted ones, with what it learns itself from their Gram matrices."""
        return self

    def checked_rows(self, X: object) -> Array:
        rows: Any = X
        # A kernel may refuse rows that another accepts (gaps, any number of columns).
        for kernel in [kernel for kernel in self.children if kernel.reads != "any"] or self.children[:1]:
            rows = kernel.checked_rows(rows)
        return rows  # type: ignore[no-any-return]

    def gram(self, X: Array, Y: Array | None) -> Array:
        first, *others = (kernel.gram(X, Y) for kernel in self.children)
        return self.joined([owned(first), *others])

    def gram_diag(self, X: Array) -> Array:
        first, *others = (kernel.gram_diag(X) for kernel in self.children)
        return self.joined([first.copy(), *others])

    @property
    def needs(self) -> tuple[Kernel, ...]:
        return self.children

    def fit_rows(self, X: Array, y: Array | None) -> Self:
        if self.learns_itself:
            return self.fold_rows(X, None, y).kernel  # type: ignore[no-any-return]
        return self.with_children(lambda kernel: kernel if kernel.fitted else kernel.fit_rows(X, y))

    def fold_rows(self, train: Array, test: Array | None, y: Array | None, shared: Shared | None = None) -> Fold:
        folds = [folded(kernel, train, test, y, shared) for kernel in self.children]
        left = iter(folds)
        fitted = self.with_children(lambda kernel: next(left).kernel).learn_joint([fold.K for fold in folds], y)
        first, *others = folds
        K = fitted.joined([owned(first.K), *(fold.K for fold in others)])
        if test is None:
            return Fold(fitted, K, None, None)
        new: Any = [(fold.K_star, fold.k_diag) for fold in others]
        K_star = fitted.joined([owned(first.K_star), *(a for a, _ in new)])  # type: ignore[arg-type]
        return Fold(fitted, K, K_star, fitted.joined([first.k_diag.copy(), *(d for _, d in new)]))  # type: ignore[union-attr]

    def bind_rows(self, rows: Array, memo: Memo) -> Kernel:
        return self.bind_children(rows, memo)


@dataclass(frozen=True, repr=False)
class Joined(Joint):
    """Two kernels over the same rows, joined entry by entry."""

    left: Kernel
    right: Kernel

    symbol: ClassVar[str] = "?"

    def __post_init__(self) -> None:
        require_kernel(type(self).__name__, "left", self.left)
        require_kernel(type(self).__name__, "right", self.right)
        super().__post_init__()

    def chip(self) -> str:
        return f" {self.symbol} ".join(" → ".join(k.chain()) for k in (self.left, self.right))


@makes("sum")
@dataclass(frozen=True, repr=False)
class Sum(Joined):
    """The sum of two kernels, k(x, x') + k'(x, x'): their feature spaces side by side.

    >>> from kernlib import Linear, RBF
    >>> Linear() + RBF(sigma=1.5) + 2.0
    Linear() + RBF(sigma=1.5) + 2.0
    """

    formula = r"k(x,x') + k'(x,x')"
    source = "[D] Tricks for Constructing Kernels"
    cost = "both kernels' cost"
    symbol: ClassVar[str] = "+"
    _binds = 1

    def joined(self, values: Sequence[Array]) -> Array:
        A, B = values
        A += B
        return A

    @property
    def has_factor(self) -> bool:
        return self.left.has_factor and self.right.has_factor

    def factor_rows(self, X: Array) -> Array:
        return np.hstack([self.left.factor_rows(X), self.right.factor_rows(X)])

    def _written(self) -> str:
        left, right = _bracketed(self.left, "sum", "left"), _bracketed(self.right, "sum", "right")
        if not self.left._number:
            right = self.right._number or right
        return f"{left} + {right}"


@makes("product")
@dataclass(frozen=True, repr=False)
class Product(Joined):
    """The product of two kernels, k(x, x')·k'(x, x'): every feature of one times every feature of the other.

    >>> from kernlib import Linear, RBF
    >>> Linear() * (RBF(sigma=1.5) + Linear())
    Linear() * (RBF(sigma=1.5) + Linear())
    """

    formula = r"k(x,x')\,k'(x,x')"
    source = "[D] Tricks for Constructing Kernels"
    cost = "both kernels' cost"
    symbol: ClassVar[str] = "·"
    _binds = 2

    @property
    def rounding(self) -> float:
        return self.left.rounding + self.right.rounding

    def joined(self, values: Sequence[Array]) -> Array:
        A, B = values
        A *= B
        return A

    def _written(self) -> str:
        left, right = _bracketed(self.left, "product", "left"), _bracketed(self.right, "product", "right")
        return f"{left} * {right}"


_ABOVE = {"sum": 1, "product": 2, "power": 3}


def _bracketed(kernel: Kernel, above: str, side: str) -> str:
    """Return the kernel's repr, in brackets if Python would otherwise parse another tree."""
    own, needed = kernel._binds, _ABOVE[above]
    # + and * associate to the left, so an equal operator on the right needs its brackets.
    loose = own < needed or (own == needed and (side == "right" or above == "power"))
    return f"({kernel!r})" if loose else repr(kernel)
