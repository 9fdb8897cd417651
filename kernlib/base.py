"""The kernel: an immutable value that can be fitted, evaluated, bound to rows, and combined.

Every operation on a kernel gives a kernel. A subclass is a frozen dataclass whose fields are its
parameters, plus the mathematics: `_gram` and `_diag`, and `_learn` where something is learnt from
training rows.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from .declare import Declared
from .errors import DomainError, NotFittedError, ParameterError, TransductiveError
from .values.arrays import Array, kept
from .values.domains import Domain, check_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .explain import Explanation, Features
    from .wrappers.centered import Centered
    from .wrappers.normalized import Normalized

__all__ = ["Fold", "Kernel", "Wrapper"]

Memo = dict["Kernel", "Kernel"]


class Fold(NamedTuple):
    """One training part and one test part seen through a kernel that was fitted on the former.

    `K` is (n, n) on the training rows, `K_star` (m, n) test rows against training rows, `k_diag`
    (m,) the test rows' own k(x, x); the last two are None where no test rows were given.
    """

    kernel: Kernel
    K: Array
    K_star: Array | None
    k_diag: Array | None


@dataclass(frozen=True, repr=False)
class Kernel(Declared):
    """A similarity k(x, x') that is an inner product in some feature space.

    Equality, hash and repr speak of the specification alone: a fitted kernel equals the one it
    was made from, and `parse(repr(k)) == k`.
    """

    domain: ClassVar[Domain] = "any"
    formula: ClassVar[str] = ""
    source: ClassVar[str] = ""
    cost: ClassVar[str] = ""
    #: True when k(X) is positive semi-definite for every X, whatever the parameters.
    psd: ClassVar[bool] = True

    _state: Any = field(default=None, init=False, repr=False, compare=False)

    # -- what a kernel knows about itself ---------------------------------------------------

    @property
    def reads(self) -> Domain:
        """The domain of the rows that this kernel, with all it wraps, reads."""
        domains = {c.reads for c in self.children} - {"any"}
        return domains.pop() if domains else self.domain

    @property
    def children(self) -> tuple[Kernel, ...]:
        """The kernels that this one is made from."""
        values = (getattr(self, f.name) for f in dataclasses.fields(self) if f.init)
        return tuple(v for v in values if isinstance(v, Kernel))

    @property
    def learns_itself(self) -> bool:
        """Whether this kernel, apart from those it wraps, takes something from training rows."""
        return False

    @property
    def learns(self) -> bool:
        """Whether anything in this kernel is estimated from training rows."""
        return self.learns_itself or any(c.learns for c in self.children)

    @property
    def fitted(self) -> bool:
        """Whether nothing is left to learn, so that the kernel can meet new rows."""
        own = not self.learns_itself or self._state is not None
        return own and all(c.fitted for c in self.children)

    @property
    def transductive(self) -> bool:
        """Whether the kernel exists only for all rows at once, test rows included."""
        return any(c.transductive for c in self.children)

    @property
    def is_psd(self) -> bool:
        """Whether every Gram matrix is sure to be positive semi-definite."""
        return self.psd and all(c.is_psd for c in self.children)

    def chip(self) -> str:
        """A few characters that name this step in a chain: its numbers, and words that are not the default.

        >>> from kernlib import LabelSequences
        >>> LabelSequences().chip(), LabelSequences(beta=0.5, series="exponential").chip()
        ('LabelSequences(0.1)', 'LabelSequences(0.5, exponential)')
        """
        given = [(p, getattr(self, p.name)) for p in self.parameters()]
        shown = [_short(value) for p, value in given if _is_number(value) or value != p.default]
        return f"{type(self).__name__}({', '.join(shown)})" if shown else type(self).__name__

    def chain(self) -> tuple[str, ...]:
        """The chips from the rows to this kernel.

        >>> from kernlib import Empirical, Power, Subsequence
        >>> Empirical(Power(Subsequence(order=3, decay=0.25), p=0.6)).chain()
        ('Subsequence(3, 0.25)', '|·|^0.6', 'empirical map')
        """
        if len(self.children) == 1:
            return (*self.children[0].chain(), self.chip())
        return (self.chip(),)

    def heuristics(self, X: Any) -> dict[str, float]:
        """Values that the rows suggest for parameters with a heuristic, by parameter name."""
        return {}

    # -- public evaluation ------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None) -> Self:
        """A fitted copy; a kernel with nothing to learn returns itself."""
        if not self.learns:
            return self
        rows = self._rows(X)
        return self._fit(kept(rows), self._labels(y, len(rows), "fit"))

    def __call__(self, X: Any, Y: Any = None) -> Array:
        """The Gram matrix: (n, n) for X alone, (m, n) of X's m rows against Y's n.

        An unfitted kernel that has something to learn is fitted on X when X stands alone;
        with Y it raises NotFittedError.
        """
        rows = self._rows(X)
        if Y is None:
            return self._gram(rows, None) if self.fitted else self._fold(rows, None, None).K
        self._require_fitted("k(X, Y)")
        others = self._rows(Y)
        self._require_same_columns(rows, others)
        return self._gram(rows, others)

    def diag(self, X: Any) -> Array:
        """k(x, x) for every row of X, (n,), without the (n, n) matrix."""
        rows = self._rows(X)
        return self._diag(rows) if self.fitted else self._fit(rows, None)._diag(rows)

    def fold(self, train: Any, test: Any = None, y: Any = None) -> Fold:
        """Fit on `train` and evaluate K, K_star and k_diag, sharing what they have in common.

        Without `test`, the fitted kernel and its Gram matrix on the training rows.

        >>> import numpy as np
        >>> from kernlib import Deep, Linear
        >>> X = np.arange(8.0).reshape(4, 2)
        >>> Deep(Linear(), level=2).fold(X[:3], X[3:]).K_star.shape
        (1, 3)
        """
        rows = self._rows(train)
        others = None if test is None else self._rows(test)
        if others is not None:
            self._require_same_columns(rows, others)
        labels = self._labels(y, len(rows), "fold")
        return self._fold(kept(rows) if self.learns else rows, others, labels)

    def bind(self, X: Any, memo: Memo | None = None) -> Kernel:
        """The same kernel over row numbers 0…n−1 of X.

        What learns nothing is evaluated on all rows now and becomes a look-up; what learns is
        kept and fitted on each training part. `memo` shares look-ups of leaf kernels between
        several kernels bound to the same X, so that a sweep computes its base matrix once.

        >>> import numpy as np
        >>> from kernlib import Linear
        >>> bound = Linear().bind(np.array([[1.0], [2.0], [3.0]]))
        >>> bound([0, 2], [1]).ravel()
        array([2., 6.])
        """
        rows = self._rows(X)
        return self._bind(rows if self.fitted else kept(rows), {} if memo is None else memo)

    def unfitted(self) -> Self:
        """The specification alone: a copy that has learnt nothing."""
        return dataclasses.replace(self, **{n: c.unfitted() for n, c in self._named_children().items()})

    def explain(self, x: Any, y: Any, *, columns: Sequence[str] = (), rows: Sequence[str] = ()) -> Explanation:
        """k(x, y) of two rows taken apart: `.parts` in words summing to `.value`, `.steps` along the chain.

        `columns` and `rows` name the columns and the training rows in the words. Raises NotFittedError where the
        kernel must first learn, ExplainError where it exists for all rows at once only
        (`kernlib.explain.explain_rows` explains those) or nothing is known about its class.

        >>> from kernlib import Spectrum
        >>> Spectrum(length=2).explain("ATAT", "CAT").parts
        (Part(text='‘AT’: 2 × 1', value=2.0),)
        """
        from .explain import Words, explain

        return explain(self, x, y, Words(tuple(columns), tuple(rows)))

    def features(self, X: Any, names: Sequence[str] | None = None, *, columns: Sequence[str] = ()) -> Features:
        """Φ as (sparse matrix (n, m), names), with ΦΦ' = k(X), where the kernel has an explicit feature space.

        With `names` of another call the columns are those, in that order: a feature that they do not name is left
        out. An unfitted kernel that learns is fitted on X. Raises ExplainError where there is no such space, or
        where it is too large to be written down.

        >>> from kernlib import Spectrum
        >>> matrix, names = Spectrum(length=2).features(["ATAT", "CAT"])
        >>> names, matrix.toarray().tolist()
        (('AT', 'CA', 'TA'), [[2.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
        """
        from .explain import Words, features

        return features(self, X, names, Words(tuple(columns)))

    def normalized(self) -> Normalized:
        """k(x, x') / √(k(x, x) k(x', x')): every row has length 1 in feature space."""
        from .wrappers.normalized import Normalized

        return Normalized(self)

    def centered(self) -> Centered:
        """The same kernel with the training rows' mean moved to the origin of feature space."""
        from .wrappers.centered import Centered

        return Centered(self)

    # -- what a subclass says: the mathematics ----------------------------------------------

    def _gram(self, X: Array, Y: Array | None) -> Array:
        """A fresh (n, n) or (m, n) matrix, exactly symmetric when Y is None."""
        raise NotImplementedError

    def _diag(self, X: Array) -> Array:
        raise NotImplementedError

    def _learn(self, X: Array, y: Array | None) -> Any:
        """What a leaf takes from training rows; never None."""
        raise NotImplementedError

    # -- machinery that wrappers refine -----------------------------------------------------

    def _rows(self, X: Any) -> Array:
        return check_rows(self.domain, X, type(self).__name__)

    def _fit(self, X: Array, y: Array | None) -> Self:
        return self._with_state(self._learn(X, y)) if self.learns_itself else self

    def _fold(self, train: Array, test: Array | None, y: Array | None) -> Fold:
        fitted = self._fit(train, y) if self.learns else self
        K = fitted._gram(train, None)
        if test is None:
            return Fold(fitted, K, None, None)
        return Fold(fitted, K, fitted._gram(test, train), fitted._diag(test))

    def _bind(self, rows: Array, memo: Memo) -> Kernel:
        from .binding import Lookup, OverRows

        if not self.fitted:
            return OverRows(self, rows)
        if self not in memo or self._state is not None:
            bound = Lookup(self, self._gram(rows, None))
            if self._state is not None:  # equal to the unfitted kernel, yet not the same function
                return bound
            memo[self] = bound
        return memo[self]

    def _with_state(self, state: Any, **changes: Any) -> Self:
        copy = dataclasses.replace(self, **changes)
        object.__setattr__(copy, "_state", state)
        return copy

    def _named_children(self) -> dict[str, Kernel]:
        values = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.init}
        return {name: v for name, v in values.items() if isinstance(v, Kernel)}

    def _labels(self, y: Any, n: int, what: str) -> Array | None:
        if y is None:
            return None
        if len(y) != n:
            raise DomainError(
                f"{type(self).__name__}.{what}: expected one label per row; got {n} rows and "
                f"{len(y)} labels. Pass labels of the same length, or none."
            )
        return np.asarray(y)

    def _require_same_columns(self, X: Array, Y: Array) -> None:
        if X.ndim == 2 and X.shape[1] != Y.shape[1] and self.reads not in ("node", "matrix"):
            raise DomainError(
                f"{type(self).__name__}: X has {X.shape[1]} columns and Y has {Y.shape[1]}; "
                "expected the same. Give both the same columns in the same order."
            )

    def _require_as_learnt(self, X: Array, known: int) -> None:
        """Rows that meet what was learnt from rows of `known` columns have as many."""
        if X.ndim == 2 and X.shape[1] != known and self.reads not in ("node", "matrix"):
            raise DomainError(
                f"{type(self).__name__}: X has {X.shape[1]} columns; expected {known} as in the training rows. "
                "Give the same columns in the same order, or fit again."
            )

    def _require_fitted(self, what: str) -> None:
        if self.transductive:
            raise TransductiveError(
                f"{what}: {self!r} exists only for all rows at once. Next: bound = kernel.bind(X), then "
                "bound(test, train) with row numbers; its test rows have been seen."
            )
        if not self.fitted:
            raise NotFittedError(
                f"{what}: {self!r} must first learn from training rows; expected a fitted kernel, got an "
                "unfitted one. Next: fitted = kernel.fit(train), then fitted(test, train); inside scikit-learn, "
                "kernlib.estimators.GramTransformer(kernel)."
            )

    # -- printing and algebra ---------------------------------------------------------------

    def _repr_html_(self) -> str:
        from .notebook import kernel_html

        return kernel_html(self)

    def __repr__(self) -> str:
        shown, positional = [], True
        for f in dataclasses.fields(self):
            if not (f.init and f.repr):
                continue
            positional = positional and "parameter" not in f.metadata
            value = repr(getattr(self, f.name))
            shown.append(value if positional else f"{f.name}={value}")
        return f"{type(self).__name__}({', '.join(shown)})"

    def __add__(self, other: Kernel | float) -> Kernel:
        from .algebra import Sum, promoted

        right = promoted(other)
        return NotImplemented if right is None else Sum(self, right)

    def __radd__(self, other: float) -> Kernel:
        from .algebra import Sum, promoted

        if isinstance(other, Real) and other == 0:  # sum() starts from 0
            return self
        left = promoted(other)
        return NotImplemented if left is None else Sum(left, self)

    def __mul__(self, other: Kernel | float) -> Kernel:
        from .algebra import Product, Scaled

        if isinstance(other, Kernel):
            return Product(self, other)
        if not isinstance(other, Real):
            return NotImplemented
        return Scaled(self, factor=other)

    __rmul__ = __mul__

    def __pow__(self, exponent: int | float) -> Kernel:
        from .algebra import Monomial

        if not isinstance(exponent, Real):
            return NotImplemented
        return Monomial(self, exponent=exponent)  # a float is refused there, with the next step


@dataclass(frozen=True, repr=False)
class Wrapper(Kernel):
    """A kernel made from another one that reads the same rows.

    A pointwise wrapper gives `_point`: its value from k(x, x'), k(x, x) and k(x', x'). One that
    learns from the training rows' Gram matrix also gives `_learn_gram`.
    """

    kernel: Kernel

    #: whether `_point` needs the two diagonals; they cost an evaluation each where Y is given.
    needs_diagonal: ClassVar[bool] = False

    def __post_init__(self) -> None:
        require_kernel(type(self).__name__, "kernel", self.kernel)
        super().__post_init__()

    def _point(self, K: Array, dx: Array, dy: Array) -> Array:
        """The new values for K (owned, may be overwritten); dx (m, 1) and dy (n,) are diagonals."""
        raise NotImplementedError

    def _point_diag(self, d: Array) -> Array:
        """The new k(x, x) from the old ones, (n,)."""
        raise NotImplementedError

    def _learn_gram(self, K: Array) -> Any:
        """What is learnt from the inner training Gram matrix; never None."""
        raise NotImplementedError

    def _rows(self, X: Any) -> Array:
        return self.kernel._rows(X)

    def _gram(self, X: Array, Y: Array | None) -> Array:
        K = owned(self.kernel._gram(X, Y))
        if not self.needs_diagonal:
            empty = np.empty(0)
            return self._point(K, empty, empty)
        if Y is None:
            d = K.diagonal().copy()
            return self._point(K, d[:, None], d)
        return self._point(K, self.kernel._diag(X)[:, None], self.kernel._diag(Y))

    def _diag(self, X: Array) -> Array:
        return self._point_diag(self.kernel._diag(X))

    def _fit(self, X: Array, y: Array | None) -> Self:
        if self.learns_itself:
            return self._fold(X, None, y).kernel  # type: ignore[return-value]
        return self._with_state(None, kernel=self.kernel._fit(X, y) if self.kernel.learns else self.kernel)

    def _fold(self, train: Array, test: Array | None, y: Array | None) -> Fold:
        inner = self.kernel._fold(train, test, y)
        K = owned(inner.K)
        state = self._learn_gram(K) if self.learns_itself else None
        fitted = self._with_state(state, kernel=inner.kernel)
        d = K.diagonal().copy()
        K = fitted._point(K, d[:, None], d)
        if inner.K_star is None or inner.k_diag is None:
            return Fold(fitted, K, None, None)
        K_star = fitted._point(owned(inner.K_star), inner.k_diag[:, None], d)
        return Fold(fitted, K, K_star, fitted._point_diag(inner.k_diag))

    def _bind(self, rows: Array, memo: Memo) -> Kernel:
        from .binding import Lookup

        if self.fitted and self._state is not None:
            return Lookup(self, self._gram(rows, None))
        bound = dataclasses.replace(self, kernel=self.kernel._bind(rows, memo))
        return Lookup(self, bound._gram(np.arange(len(rows)), None)) if bound.fitted else bound


def require_kernel(owner: str, name: str, value: object) -> None:
    """ParameterError unless `value` is a kernel."""
    if not isinstance(value, Kernel):
        raise ParameterError(
            f"{owner}: {name} must be a kernel; got {value!r:.60}. Try {owner}(Linear()), with any kernel inside."
        )


def owned(K: Array) -> Array:
    """K itself where it may be overwritten, a copy where it is a look-up's shared matrix."""
    return K if K.flags.writeable else K.copy()


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _short(value: Any) -> str:
    if isinstance(value, tuple):
        return "×".join(map(_short, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
