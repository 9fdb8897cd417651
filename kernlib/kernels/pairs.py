"""Kernels on pairs of objects, made from a kernel on the objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self, cast

import numpy as np

from ..core.base import Kernel, Memo, require_kernel
from ..errors import DomainError
from ..numerics.blocks import over_row_blocks
from ..values.arrays import Array, kept
from ..values.declare import param
from ..values.domains import Domain, Pairs, check_rows
from .matrices import Precomputed


@dataclass(frozen=True, repr=False)
class _OverPairs(Kernel):
    """A kernel on pairs from a base kernel on objects; a subclass joins four base values.

    If the base kernel is bound, pairs are numbers (n, 2) of its rows; else the pairs come with their rows, as
    `Pairs(rows, numbers)` or the tuple (rows, numbers). An unbound base kernel learns from the objects of the training
    pairs.
    """

    kernel: Kernel = field(default_factory=Precomputed)

    domain = "pair"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_kernel(type(self).__name__, "kernel", self.kernel)

    def _join(self, a: Array, b: Array, c: Array, d: Array) -> Array:
        """Return k of pairs from K(p1,q1), K(p2,q2), K(p1,q2), K(p2,q1), each of which may be overwritten."""
        raise NotImplementedError

    @property
    def reads(self) -> Domain:
        return "pair"

    @property
    def bound(self) -> bool:
        """Return whether the base kernel is bound to its rows."""
        return self.kernel.reads == "row"

    @property
    def fitted(self) -> bool:
        return self._learnt is not None or self.kernel.fitted

    def chain(self) -> tuple[str, ...]:
        return (*self.kernel.chain(), self.chip())

    def heuristics(self, X: Any) -> dict[str, float]:
        return {} if self.bound else self.kernel.heuristics(cast(Any, self.checked_rows(X)).rows)

    def checked_rows(self, X: Any) -> Array:
        if self.bound:
            if isinstance(X, Pairs | tuple):
                raise DomainError(
                    f"{type(self).__name__}: the base kernel is already bound to its rows; expected only row numbers "
                    f"(n, 2), got pairs with rows. Pass pairs.numbers, or use an unbound base kernel."
                )
            numbers = check_rows("pair", X, type(self).__name__)
            self.kernel.checked_rows(numbers.ravel())
            return numbers.astype(np.intp, copy=False)
        if isinstance(X, tuple) and len(X) == 2:
            X = Pairs(*X)
        if not isinstance(X, Pairs):
            raise DomainError(
                f"{type(self).__name__}: the base kernel {self.kernel!r} is not bound to rows; expected "
                f"{type(self).__name__}(kernel.bind(rows)) for plain numbers, or Pairs(rows, numbers) in their place; "
                f"got a {type(X).__name__}."
            )
        return cast(Array, Pairs(self.kernel.checked_rows(X.rows), X.numbers))

    def base_kernel(self, X: Any) -> Kernel:
        """Return the base kernel over row numbers."""
        if self.bound:
            return self.kernel
        if self.state is not None:
            rows, base = self.state
            self._same_rows(rows, X.rows)
            return cast(Kernel, base)
        return self.kernel.bind_rows(X.rows, {})

    def _same_rows(self, known: Any, given: Any) -> None:
        if known is not given and not np.array_equal(known, given):
            raise DomainError(
                f"{type(self).__name__}: both sets of pairs must number the same rows; got two sets of "
                f"{len(known)} and {len(given)} different rows. Put all objects into one: Pairs(rows, train), "
                "Pairs(rows, test)."
            )

    def gram(self, X: Array, Y: Array | None) -> Array:
        base, p = self.base_kernel(X), pair_numbers(X)
        if Y is None:
            return self._values(base, p, None)
        if not self.bound:
            self._same_rows(cast(Any, X).rows, cast(Any, Y).rows)
        return self._values(base, p, pair_numbers(Y))

    def _values(self, base: Kernel, p: Array, q: Array | None) -> Array:
        # Each object once: n pairs name at most 2n of them, often far fewer.
        left, p = np.unique(p, return_inverse=True)
        right, q = (None, p) if q is None else np.unique(q, return_inverse=True)
        B = self._lifted(base.gram(left, right))
        K = np.empty((len(p), len(q)))
        q1, q2 = q[:, 0], q[:, 1]

        def join(block: Array, start: int) -> None:
            first, second = (B[p[start : start + len(block), side]] for side in (0, 1))
            block[:] = self._join(first[:, q1], second[:, q2], first[:, q2], second[:, q1])

        over_row_blocks(K, join)
        return K

    def gram_diag(self, X: Array) -> Array:
        base, numbers = self.base_kernel(X), pair_numbers(X)
        values = np.empty(len(numbers))
        for start in range(0, len(numbers), 256):
            own, p = np.unique(numbers[start : start + 256], return_inverse=True)
            B = self._lifted(base.gram(own, None))
            p1, p2 = p[:, 0], p[:, 1]
            values[start : start + 256] = self._join(B[p1, p1], B[p2, p2], B[p1, p2], B[p2, p1])
        return values

    def _lifted(self, B: Array) -> Array:
        return B

    def fit_rows(self, X: Array, y: Array | None) -> Self:
        base = self.base_kernel(X)
        if not base.fitted and not self.kernel.transductive:
            # Labels belong to pairs, not to objects: the base kernel learns without labels.
            base = base.fit_rows(np.unique(pair_numbers(X)), None)
        if self.bound:
            return self.with_kernel(base)
        return self.with_state((kept(cast(Any, X).rows), base))

    def bind_rows(self, rows: Array, memo: Memo) -> Kernel:
        if self.bound or self._learnt is not None:
            return super().bind_rows(rows, memo)
        # A separate memo for the objects: the same kernel may also be bound to the pairs themselves, as in `+ 1`.
        base = self.kernel.bind_rows(cast(Any, rows).rows, memo.setdefault("objects of pairs", {}))
        return self.with_kernel(base).bind_rows(pair_numbers(rows), {})


@dataclass(frozen=True, repr=False)
class TensorPairs(_OverPairs):
    """The tensor product pairwise kernel (TPPK): pairs are similar if their members are.

        k((p1, p2), (q1, q2)) = K(p1, q1) K(p2, q2) + K(p1, q2) K(p2, q1)

    Rows: pairs of row numbers (n, 2) into the base kernel's rows; the order within a pair does
    not count. `TensorPairs(kernel.bind(rows))(pairs)`, or unbound `TensorPairs(kernel)` with
    `Pairs(rows, pairs)` in place of the numbers, in `bind` too. Its sum with `MetricPairs` is
    `TensorPairs(k) + MetricPairs(k)`.

    Parameters: kernel, the base kernel on objects; shift c ≥ 0, added to the base kernel, the '+1' that avoids
    negative values. Raises DomainError if the base kernel is not bound and the pairs come without rows, or if a
    pair names a row that does not exist.

    [K] eq. 3.19; Ben-Hur and Noble 2005.

    >>> base = Precomputed().bind([[2.0, 1.0], [1.0, 3.0]])
    >>> TensorPairs(base)([[0, 1], [0, 0]])  # 2·3 + 1·1, 2·1 + 2·1, 2·2 + 2·2
    array([[7., 4.],
           [4., 8.]])
    """

    shift: float = param(
        0.0, symbol="c", help="added to the base kernel; 1 avoids negative values", low=0.0, high=10.0, minimum=0.0
    )

    formula = r"K(p_1,q_1)\,K(p_2,q_2) + K(p_1,q_2)\,K(p_2,q_1)"
    source = "[K] eq. 3.19"
    cost = "the base kernel's Gram matrix, then O(n²)"

    def chip(self) -> str:
        return f"TPPK, base + {self.shift:g}" if self.shift else "TPPK"

    def _lifted(self, B: Array) -> Array:
        return B + self.shift if self.shift else B

    def _join(self, a: Array, b: Array, c: Array, d: Array) -> Array:
        a *= b
        c *= d
        a += c
        return a


@dataclass(frozen=True, repr=False)
class MetricPairs(_OverPairs):
    """The metric learning pairwise kernel (MLPK): pairs are similar if their differences are.

        k((p1, p2), (q1, q2)) = [K(p1, q1) + K(p2, q2) − K(p1, q2) − K(p2, q1)]²
                              = ⟨φ(p1) − φ(p2), φ(q1) − φ(q2)⟩²

    The square makes the order within a pair irrelevant and, as a product of a kernel with itself, stays
    positive semi-definite where K is. Rows, parameters and errors as for `TensorPairs`; a number added to K cancels,
    so there is no shift parameter.

    [K] eqs. 3.20–3.22; Vert, Qiu, Noble 2007.

    >>> base = Precomputed().bind([[2.0, 1.0], [1.0, 3.0]])
    >>> MetricPairs(base)([[0, 1]])  # (2 + 3 − 1 − 1)²
    array([[9.]])
    """

    formula = r"\big[{K(p_1,q_1) + K(p_2,q_2)} - {K(p_1,q_2) - K(p_2,q_1)}\big]^2"
    source = "[K] eqs. 3.20–3.22"
    cost = "the base kernel's Gram matrix, then O(n²)"

    def chip(self) -> str:
        return "MLPK"

    def _join(self, a: Array, b: Array, c: Array, d: Array) -> Array:
        # Sums of two before the difference: a symmetric matrix stays symmetric to the last bit.
        a += b
        c += d
        a -= c
        a *= a
        return a


def pair_numbers(X: Any) -> Array:
    return X.numbers if isinstance(X, Pairs) else np.asarray(X)
