"""The kernel: an immutable value that can be fitted, evaluated, bound to rows, and combined.

Every operation on a kernel gives a kernel. A subclass is a frozen dataclass whose fields are its
parameters, plus the mathematics: `gram` and `gram_diag`, and `learn` if something is learnt from
training rows. The classes that +, * and `bind` return are above this module and register with `makes`.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Self

import numpy as np

from ..errors import DomainError, NotFittedError, ParameterError, TransductiveError
from ..numerics.linalg import finite_gram, finite_lengths, finite_values, overflow_checked_later
from ..values.arrays import Array, kept
from ..values.declare import Declared, above, made
from ..values.domains import Domain, check_rows, form
from .folding import Fold, Learnt, Shared, finite_fold, folded

#: Values of a parameter that a chip lists at most.
_LISTED = 4

#: Kernels already bound to the same rows, by their specification; kernels inside a row step have a separate memo.
Memo = dict[Any, Any]


@dataclass(frozen=True, repr=False)
class Kernel(Declared):
    """A similarity k(x, x') that is an inner product in some feature space.

    A specification equals every other with the same parameters, and `parse(repr(k)) == k`. A fitted kernel is
    another value, equal only to itself, since two fits may use different rows. It prints as its specification followed
    by `.fit(<training rows>)`; `specification` returns the specification.

    A fitted kernel does not change: `fit`, `fold` and `bind` of a step around it learn only what the step learns,
    and `fit` of a fitted kernel returns it. To learn again, fit the specification.

    >>> from kernlib import RBF, Empirical
    >>> inner = RBF(sigma="median").fit([[0.0], [1.0], [5.0]])
    >>> Empirical(inner).fit([[0.0], [2.0]]).kernel is inner
    True
    >>> inner, inner == inner.specification
    (RBF(sigma='median').fit(<training rows>), False)
    """

    domain: ClassVar[Domain] = "any"
    formula: ClassVar[str] = ""
    source: ClassVar[str] = ""
    cost: ClassVar[str] = ""
    #: True when k(X) is positive semi-definite for every X, whatever the parameters.
    psd: ClassVar[bool] = True
    #: True where the values are sums over the columns, whose mean a network of infinite width takes instead.
    sums_columns: ClassVar[bool] = False
    #: From what the parameter `level` makes one kernel after the other; "" for a kernel without levels.
    level_step: ClassVar[Literal["", "distances", "angles", "neighbourhoods"]] = ""
    #: The parameter that pages vary first, "" for a kernel whose parameters are like any others.
    telling: ClassVar[str] = ""
    #: Values along a curve of a parameter, where even steps of its range are not the best.
    stops: ClassVar[Mapping[str, tuple[float, ...]]] = MappingProxyType({})
    #: Values that show what a step does, where its defaults change nothing.
    shown_with: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    #: What a menu edits beside the parameters: columns, kernels on parts of a row, or a function drawn by hand.
    edited_as: ClassVar[Literal["", "columns", "parts", "matches", "entries", "eigenvalues", "response"]] = ""
    #: Where a step belongs in a chain: directly around the base kernel, or after all others.
    stands: ClassVar[Literal["", "first", "last"]] = ""
    #: True where missing cells of the rows are filled in.
    fills_gaps: ClassVar[bool] = False
    #: True where the code may wait without computing, or compute elsewhere: its time is that of the clock.
    waits: ClassVar[bool] = False

    #: True where labels decide which columns are read: a picture of the training rows is then optimistic.
    flatters: ClassVar[bool] = False

    #: The precedence of the outermost operator in the repr: 1 a sum, 2 a product, 3 a power, 4 a call.
    _binds: ClassVar[int] = 4

    _learnt: Learnt | None = field(default=None, init=False, repr=False)

    # -- properties ---------------------------------------------------

    @property
    def _number(self) -> str:
        """Return the number that stands for this kernel in a sum, "" where none does."""
        return ""

    @property
    def reads(self) -> Domain:
        """Return the domain of the rows that this kernel reads, including the kernels inside."""
        domains = {c.reads for c in self.children} - {"any"}
        return domains.pop() if domains else self.domain

    def can_read(self, domain: Domain) -> bool:
        """Return whether this kernel reads rows of a domain; a kernel over columns also reads tables of one kind.

        >>> from kernlib import RBF
        >>> RBF().can_read("vector"), RBF().can_read("text")
        (True, False)
        """
        return self.reads in (domain, "any") or (form(self.reads).every_table and form(domain).tabular)

    @property
    def children(self) -> tuple[Kernel, ...]:
        """Return the kernels that this one is made from."""
        children: list[Kernel] = []
        for f in dataclasses.fields(self):
            value = getattr(self, f.name)
            children += [v for v in (value if isinstance(value, tuple) else (value,)) if isinstance(v, Kernel)]
        return tuple(children)

    def walk(self) -> Iterator[Kernel]:
        """Yield this kernel and every kernel inside it, each before those inside it.

        >>> from kernlib import RBF, Linear
        >>> [type(part).__name__ for part in (RBF() + 2.0 * Linear()).walk()]
        ['Sum', 'RBF', 'Scaled', 'Linear']
        """
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def learns_itself(self) -> bool:
        """Return whether this kernel itself, apart from the kernels inside, learns from training rows."""
        return False

    @property
    def learns(self) -> bool:
        """Return whether anything in this kernel is estimated from training rows."""
        return self.learns_itself or any(c.learns for c in self.children)

    @property
    def fitted(self) -> bool:
        """Return whether nothing is left to learn, so that the kernel can be evaluated on new rows."""
        own = not self.learns_itself or self._learnt is not None
        return own and all(c.fitted for c in self.children)

    @property
    def transductive(self) -> bool:
        """Return whether the kernel exists only for all rows at once, test rows included."""
        return any(c.transductive for c in self.children)

    @property
    def is_psd(self) -> bool:
        """Return whether every Gram matrix is guaranteed to be positive semi-definite."""
        return self.psd and all(c.is_psd for c in self.children)

    @property
    def rounding(self) -> float:
        """Return a bound on the rounding error of the values, in units of `ROUNDING` · √(k(x, x) k(x', x'))."""
        return max((c.rounding for c in self.children), default=1.0)

    @property
    def has_factor(self) -> bool:
        """Return whether `factor_rows` returns short rows, so that machines need no (n, n) matrix."""
        return False

    @property
    def landmark_count(self) -> int:
        """Return by how many landmark rows this kernel approximates the one inside, 0 where it does not."""
        return 0

    def chip(self) -> str:
        """Return a short name of this step in a chain: its parameters, and settings that are not the default.

        >>> from kernlib import LabelSequences
        >>> LabelSequences().chip(), LabelSequences(beta=0.5, series="exponential").chip()
        ('LabelSequences(0.1)', 'LabelSequences(0.5, exponential)')
        """
        given = [(p, getattr(self, p.name)) for p in self.parameters()]
        shown = [_short(value) for p, value in given if _is_number(value) or value != p.default]
        return f"{type(self).__name__}({', '.join(shown)})" if shown else type(self).__name__

    def chain(self) -> tuple[str, ...]:
        """Return the chips from the rows to this kernel.

        >>> from kernlib import Empirical, Power, Subsequence
        >>> Empirical(Power(Subsequence(order=3, decay=0.25), p=0.6)).chain()
        ('Subsequence(3, 0.25)', 'power 0.6', 'empirical map')
        """
        return (self.chip(),)

    def heuristics(self, X: Any) -> dict[str, float]:
        """Return the heuristic values of parameters for these rows, by parameter name."""
        return {}

    @property
    def idle(self) -> frozenset[str]:
        """Return the names of parameters that have no effect with the present values of the others."""
        return frozenset()

    # -- public evaluation ------------------------------------------------------------------

    @property
    def specification(self) -> Self:
        """Return this kernel and all kernels inside it as they were before learning.

        >>> from kernlib import RBF
        >>> RBF(sigma="median").fit([[0.0], [1.0]]).specification
        RBF(sigma='median')
        """
        plain = self.with_children(lambda child: child.specification)
        return plain if plain._learnt is None else plain.with_state(None)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Return a fitted copy; a kernel with nothing (left) to learn returns itself."""
        if self.fitted:
            return self
        rows = self.checked_rows(X)
        return self.fit_rows(kept(rows), self.checked_labels(y, len(rows), "fit"))

    def __call__(self, X: Any, Y: Any = None) -> Array:
        """Return the Gram matrix: (n, n) for X alone, (m, n) of X's m rows against Y's n.

        Without Y, an unfitted kernel that has something to learn is fitted on X; with Y it raises NotFittedError.
        """
        rows = self.checked_rows(X)
        if Y is None:
            with overflow_checked_later():
                K = self.gram(rows, None) if self.fitted else folded(self, rows, None, None).K
            return finite_gram(K, self.is_psd, self)
        self.require_fitted("k(X, Y)")
        others = self.checked_rows(Y)
        self.require_same_columns(rows, others)
        with overflow_checked_later():
            K = self.gram(rows, others)
        return finite_values(K, self)

    def diag(self, X: Any) -> Array:
        """Return k(x, x) for every row of X, (n,), without the (n, n) matrix."""
        rows = self.checked_rows(X)
        with overflow_checked_later():
            d = self.gram_diag(rows) if self.fitted else self.fit_rows(rows, None).gram_diag(rows)
        return finite_lengths(d, self)

    def fold(self, train: Any, test: Any = None, y: Any = None) -> Fold:
        """Return the kernel fitted on `train`, with K, K_star and k_diag, which share intermediate results.

        Without `test`, the fitted kernel and its Gram matrix on the training rows.

        >>> import numpy as np
        >>> from kernlib import Deep, Linear
        >>> X = np.arange(8.0).reshape(4, 2)
        >>> Deep(Linear(), level=2).fold(X[:3], X[3:]).K_star.shape
        (1, 3)
        """
        rows = self.checked_rows(train)
        others = None if test is None else self.checked_rows(test)
        if others is not None:
            self.require_same_columns(rows, others)
        labels = self.checked_labels(y, len(rows), "fold")
        return finite_fold(self, lambda: folded(self, rows if self.fitted else kept(rows), others, labels))

    def bind(self, X: Any, memo: Memo | None = None) -> Kernel:
        """Return the same kernel over row numbers 0…n−1 of X.

        A kernel that learns nothing is evaluated on all rows now and becomes a look-up; one that learns is
        fitted on each training part. `memo` shares look-ups of leaf kernels between several kernels bound to the same
        X, so that a sweep computes its base matrix once.

        >>> import numpy as np
        >>> from kernlib import Linear
        >>> bound = Linear().bind(np.array([[1.0], [2.0], [3.0]]))
        >>> bound([0, 2], [1]).ravel()
        array([2., 6.])
        """
        rows = self.checked_rows(X)
        with overflow_checked_later():
            return self.bind_rows(rows if self.fitted else kept(rows), {} if memo is None else memo)

    def explain(self, x: Any, y: Any, *, columns: Sequence[str] = (), rows: Sequence[str] = ()) -> Any:
        """Return k(x, y) of two rows as a sum: `.parts` as text summing to `.value`, `.steps` along the chain.

        `columns` and `rows` name the columns and the training rows in the words. Raises NotFittedError if the
        kernel must first learn, ExplainError if it exists only for all rows at once
        (`kernlib.explain.explain_rows` explains those).

        >>> from kernlib import Spectrum
        >>> Spectrum(length=2).explain("ATAT", "CAT").parts
        (Part(text='AT: 2 × 1', value=2.0),)
        """
        known = above("explain")
        return known.explain(self, x, y, known.Words(tuple(columns), tuple(rows)))

    def features(self, X: Any, names: Sequence[str] | None = None, *, columns: Sequence[str] = ()) -> Any:
        """Return Φ as (sparse matrix (n, m), names), with ΦΦ' = k(X), where the kernel has an explicit feature space.

        With `names` of another call, the columns are these features in this order; other features are left out.
        An unfitted kernel that learns is fitted on X. Raises ExplainError if there is no such space, or if it is too
        large.

        >>> from kernlib import Spectrum
        >>> matrix, names = Spectrum(length=2).features(["ATAT", "CAT"])
        >>> names, matrix.toarray().tolist()
        (('AT', 'CA', 'TA'), [[2.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
        """
        known = above("explain")
        return known.features(self, X, names, known.Words(tuple(columns)))

    def normalized(self) -> Kernel:
        """Return k(x, x') / √(k(x, x) k(x', x')): every row has length 1 in feature space."""
        return made("normalized")(self)  # type: ignore[no-any-return]

    def centered(self) -> Kernel:
        """Return the same kernel with the training rows' mean moved to the origin of feature space."""
        return made("centered")(self)  # type: ignore[no-any-return]

    # -- the mathematics, implemented by subclasses ----------------------------------------------

    def gram(self, X: Array, Y: Array | None) -> Array:
        """Return a fresh (n, n) or (m, n) matrix, exactly symmetric when Y is None; by default from `factor_rows`."""
        F: Any = self.factor_rows(X)
        K = F @ (F if Y is None else self.factor_rows(Y)).T
        return K if isinstance(K, np.ndarray) else np.asarray(K.toarray())

    def gram_diag(self, X: Array) -> Array:
        """Return k(x, x) of every row, (n,); by default from `factor_rows`."""
        F: Any = self.factor_rows(X)
        if isinstance(F, np.ndarray):
            return np.asarray(np.einsum("ij,ij->i", F, F))
        return np.asarray(F.multiply(F).sum(axis=1)).ravel()

    def factor_rows(self, X: Array) -> Array:
        """Return rows whose inner products are the values, (n, r), dense or sparse."""
        raise NotImplementedError

    def learn(self, X: Array, y: Array | None) -> Any:
        """Return what a leaf learns from training rows; never None."""
        raise NotImplementedError

    # -- machinery: leaves inherit it, each kind of step overrides it --------------

    @property
    def needs(self) -> tuple[Kernel, ...]:
        """Return the kernels whose folds on the same rows `fold_rows` uses."""
        return ()

    @property
    def state(self) -> Any:
        """Return what the kernel learnt in `fit`; None before, and for a kernel that learns nothing."""
        return None if self._learnt is None else self._learnt.value

    @property
    def kept_rows(self) -> Any:
        """Return the training rows that were kept, None if none are needed."""
        return None if self._learnt is None else self._learnt.rows

    def checked_rows(self, X: Any) -> Array:
        return check_rows(self.domain, X, type(self).__name__)

    def fit_rows(self, X: Array, y: Array | None) -> Self:
        return self if self.fitted else self.with_state(self.learn(X, y))

    def fold_rows(self, train: Array, test: Array | None, y: Array | None, shared: Shared | None = None) -> Fold:
        if test is not None and self.transductive:
            self.require_fitted("fold")
        return self.fit_rows(train, y).fold_fitted(train, test)

    def fold_fitted(self, train: Array, test: Array | None) -> Fold:
        """Return the fold of a kernel that has learnt all it learns."""
        K = self.gram(train, None)
        if test is None:
            return Fold(self, K, None, None)
        return Fold(self, K, self.gram(test, train), self.gram_diag(test))

    def bind_rows(self, rows: Array, memo: Memo) -> Kernel:
        if self not in memo:
            if self.fitted:
                memo[self] = made("look-up")(self, self.gram(rows, None))
            else:
                memo[self] = made("over rows")(self, self.prepared_rows(rows, memo))
        return memo[self]  # type: ignore[no-any-return]

    def bind_children(self, rows: Array, memo: Memo) -> Kernel:
        """Return what `bind_rows` returns for a kernel that reads the values of the kernels inside."""
        if self not in memo:
            bound = self.with_children(lambda kernel: kernel.bind_rows(rows, memo))
            memo[self] = made("look-up")(self, bound.gram(np.arange(len(rows)), None)) if bound.fitted else bound
        return memo[self]  # type: ignore[no-any-return]

    def prepared_rows(self, rows: Array, memo: Memo) -> Array:
        """Return the rows in a form from which this kernel learns faster, indexed by row numbers.

        `memo` may hold rows that kernels with other parameters prepared.
        """
        return rows

    def with_state(self, value: Any, rows: Any = None) -> Self:
        """Return a copy that has learnt `value` (None: nothing); `rows` are the training rows that it keeps."""
        return self.with_fields({"_learnt": None if value is None else Learnt(value, rows)})

    def with_kernel(self, kernel: Kernel) -> Self:
        """Return a copy around another kernel of the same kind."""
        return self if kernel is getattr(self, "kernel", None) else self.with_fields({"kernel": kernel})

    def with_children(self, change: Callable[[Kernel], Kernel]) -> Self:
        """Return a copy with every kernel inside changed; the kernel itself if none changes."""
        changes: dict[str, Any] = {}
        for f in dataclasses.fields(self):
            value = getattr(self, f.name)
            if isinstance(value, Kernel):
                new: Any = change(value)
                if new is not value:
                    changes[f.name] = new
            elif isinstance(value, tuple) and any(isinstance(v, Kernel) for v in value):
                changes[f.name] = tuple(change(v) for v in value)
        return self.with_fields(changes) if changes else self

    def with_fields(self, changes: dict[str, Any]) -> Self:
        # The values were checked before; a sweep makes thousands of such copies.
        copy = object.__new__(type(self))
        for name in _fields(type(self)):  # type: ignore[arg-type]
            object.__setattr__(copy, name, changes[name] if name in changes else getattr(self, name))
        return copy

    def checked_labels(self, y: Any, n: int, what: str) -> Array | None:
        if y is None:
            return None
        labels = np.asarray(y)
        if labels.ndim == 0 or len(labels) != n:
            given = f"the {type(y).__name__} {y!r:.40}" if labels.ndim == 0 else f"{len(labels)} labels"
            raise DomainError(
                f"{type(self).__name__}.{what}: expected one label per row; got {n} rows and {given}. "
                "Pass labels of the same length, or none."
            )
        return labels

    def require_same_columns(self, X: Array, Y: Array) -> None:
        if X.ndim == 2 and X.shape[1] != Y.shape[1] and not form(self.reads).square:
            raise DomainError(
                f"{type(self).__name__}: X has {X.shape[1]} columns and Y has {Y.shape[1]}; "
                "expected the same. Give both the same columns in the same order."
            )

    def require_learnt_columns(self, X: Array, known: int) -> None:
        """Raise DomainError unless X has the `known` columns of the rows that the kernel learnt from."""
        if X.ndim == 2 and X.shape[1] != known and not form(self.reads).square:
            raise DomainError(
                f"{type(self).__name__}: X has {X.shape[1]} columns; expected {known} as in the training rows. "
                "Give the same columns in the same order, or fit again."
            )

    def require_labels(self, y: Array | None, why: str, next_step: str = "") -> Array:
        """Return the labels; raise NotFittedError where there are none."""
        if y is None:
            raise NotFittedError(
                f"{type(self).__name__}: the labels of the training rows are missing; expected y, since {why}, got "
                f"none. Next: kernel.fit(train, y) or kernel.fold(train, test, y).{next_step}"
            )
        return y

    def require_fitted(self, what: str) -> None:
        if self.transductive:
            raise TransductiveError(
                f"{what}: {self!r} exists only for all rows at once. Next: bound = kernel.bind(X), then "
                "bound(test, train) or bound.fold(train, test) with row numbers; test rows are then used too, without "
                "their labels."
            )
        if not self.fitted:
            raise NotFittedError(
                f"{what}: {self!r} must first learn from training rows; expected a fitted kernel, got an "
                "unfitted one. Next: fitted = kernel.fit(train), then fitted(test, train); inside scikit-learn, "
                "kernlib.estimators.GramTransformer(kernel)."
            )

    # -- printing and algebra ---------------------------------------------------------------

    def _repr_html_(self) -> str:
        return str(above("values.notebook").kernel_html(self))

    def __repr__(self) -> str:
        if self.fitted and self._knows_rows:
            written = repr(self.specification)
            return f"{written if self._binds == 4 else f'({written})'}.fit(<training rows>)"
        return self._written()

    @property
    def _knows_rows(self) -> bool:
        return self._learnt is not None or any(child._knows_rows for child in self.children)

    def _written(self) -> str:
        """Return the Python that makes this kernel."""
        shown, positional = [], True
        for f in self._printed():
            positional = positional and "parameter" not in f.metadata
            value = repr(getattr(self, f.name))
            shown.append(value if positional else f"{f.name}={value}")
        return f"{type(self).__name__}({', '.join(shown)})"

    def __add__(self, other: Kernel | float) -> Kernel:
        return _joined("sum", self, other)

    def __radd__(self, other: float) -> Kernel:
        if isinstance(other, Real) and other == 0:  # sum() starts from 0
            return self
        return _joined("sum", other, self)

    def __mul__(self, other: Kernel | float) -> Kernel:
        if isinstance(other, Kernel):
            return _joined("product", self, other)
        if not isinstance(other, Real):
            return NotImplemented
        return made("multiple")(self, factor=other)

    __rmul__ = __mul__

    def __pow__(self, exponent: int | float) -> Kernel:
        if not isinstance(exponent, Real):
            return NotImplemented
        return made("power")(self, exponent=exponent)


def _joined(operation: str, left: Any, right: Any) -> Kernel:
    """Return the kernel that an operator makes; a number becomes a constant kernel."""
    sides = [k if isinstance(k, Kernel) else _constant(k) for k in (left, right)]
    return NotImplemented if None in sides else made(operation)(*sides)


def _constant(value: Any) -> Kernel | None:
    return made("constant")(value=value) if isinstance(value, Real) else None


@functools.cache
def _fields(cls: type[Kernel]) -> tuple[str, ...]:
    return tuple(f.name for f in dataclasses.fields(cls))


def require_kernel(owner: str, name: str, value: object) -> None:
    """Raise ParameterError unless `value` is a kernel."""
    if not isinstance(value, Kernel):
        raise ParameterError(f"{owner}: {name} must be a kernel; got {value!r:.60}. {kernel_step(value, owner)}")


def kernel_step(value: object, owner: str) -> str:
    """Return how to make a kernel of an object that is none, as text.

    >>> from kernlib import RBF
    >>> kernel_step(RBF, "Deep")
    'Call the class: Deep(RBF()).'
    """
    if isinstance(value, type) and issubclass(value, Kernel):
        return f"Call the class: {owner}({value.__name__}())."
    if callable(value) or hasattr(value, "fit_transform"):
        return f"Make it one: kernel_from(f)(), from_sklearn(kernel) or from_estimator(object), inside {owner}(…)."
    return f"Try {owner}(Linear()), with any kernel inside."


def owned(K: Array) -> Array:
    """Return K itself where it may be overwritten, a copy where it is a look-up's shared matrix."""
    return K if K.flags.writeable else K.copy()


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _short(value: Any) -> str:
    if isinstance(value, tuple):
        return "×".join(map(_short, value)) if len(value) <= _LISTED else f"{len(value)} values"
    return f"{value:g}" if isinstance(value, float) else str(value)
