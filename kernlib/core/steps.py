"""Steps: kernels made from one kernel, of three kinds, each with one or two methods to implement.

A row step changes rows before the kernel reads them, k(φ(x), φ(x')): it implements `map_rows`. A matrix step computes
new values from the kernel's: it implements `new_matrix` and `new_diagonal`, or `change_entries` where each entry is
changed independently. A whole-matrix step exists for all rows at once: it implements `change_whole`. A shorthand stands
for one of these, chosen by its parameters, or for several on top of each other: it implements `expanded`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

import numpy as np

from ..errors import DomainError
from ..numerics.blocks import over_row_blocks, same_rows
from ..values.arrays import Array
from ..values.declare import above, made
from ..values.domains import Domain, check_rows, form
from .base import Kernel, Memo, owned, require_kernel
from .folding import Fold, Shared, folded

Kind = Literal["row", "matrix", "whole"]

#: A pass over the tiles of a symmetric matrix on and above its diagonal: places, and values there.
Tiles = Callable[[], Iterable[tuple[tuple[slice, slice], Array]]]


@dataclass(frozen=True, repr=False)
class Wrapper(Kernel):
    """A kernel made from one kernel; `kind` is the kind of step."""

    kernel: Kernel

    kind: ClassVar[Kind]
    #: Whether the step reads rows of another kind than the kernel inside, so that it comes first in a menu.
    begins_chain: ClassVar[bool] = False

    @property
    def reads_rows(self) -> bool:
        """Return whether the step reads the rows themselves, not only the kernel's values."""
        return False

    def __post_init__(self) -> None:
        require_kernel(type(self).__name__, "kernel", self.kernel)
        super().__post_init__()

    def checked_rows(self, X: Any) -> Array:
        return self.kernel.checked_rows(X)

    def chain(self) -> tuple[str, ...]:
        return (*self.kernel.chain(), self.chip())

    def heuristics(self, X: Any) -> dict[str, float]:
        return self.kernel.heuristics(X)


class RowStep(Wrapper):
    """k(φ(x), φ(x')): rows are changed before the kernel reads them; φ may be learnt from training rows.

    A subclass implements `map_rows`; `learn` if it learns; `inside` and `instead` if it cannot be put around every
    kernel; `begins_chain` and `domain` if it reads rows of another kind than the kernel inside.
    """

    kind = "row"
    #: The domains that the kernel inside may read, none for all; and what to do about another kernel.
    inside: ClassVar[tuple[Domain, ...]] = ()
    instead: ClassVar[str] = "leave this step out."

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.encloses(self.kernel.reads):
            inside = [name for name in (*above("kinds").KINDS, *self.inside) if self.encloses(name)]
            domains = ", ".join(name for name in dict.fromkeys(inside) if not form(name).internal)
            raise DomainError(
                f"{type(self).__name__}: expected a kernel that reads {domains} rows; got {self.kernel!r}, which reads "
                f"{self.kernel.reads} rows. Next: {self.instead}"
            )

    def encloses(self, domain: Domain) -> bool:
        """Return whether the kernel inside may read rows of a domain."""
        return not self.inside or domain in self.inside

    @property
    def reads(self) -> Domain:
        return self.domain if self.begins_chain else super().reads

    def checked_rows(self, X: Any) -> Array:
        return check_rows(self.domain, X, type(self).__name__) if self.begins_chain else super().checked_rows(X)

    def map_rows(self, X: Array) -> Array:
        """Return φ of every row, as the kernel inside reads them."""
        raise NotImplementedError

    def columns_after(self, columns: tuple[str, ...], rows: Array) -> tuple[str, ...]:
        """Return the names of the columns of the changed rows, from those of the rows; () for no names."""
        return columns

    def chain(self) -> tuple[str, ...]:
        return (self.chip(), *self.kernel.chain())

    def heuristics(self, X: Any) -> dict[str, float]:
        rows = self.checked_rows(X)
        return self.kernel.heuristics(self.fitted_step(rows, None).map_rows(rows))

    def fitted_step(self, X: Array, y: Array | None) -> Self:
        """Return this step with what it learns itself; the kernel inside is unchanged."""
        return self.with_state(self.learn(X, y)) if self.learns_itself and self._learnt is None else self

    def fit_rows(self, X: Array, y: Array | None) -> Self:
        own = self.fitted_step(X, y)
        return own if own.kernel.fitted else own.with_kernel(own.kernel.fit_rows(own.map_rows(X), y))

    def gram(self, X: Array, Y: Array | None) -> Array:
        return self.kernel.gram(*self._both(X, Y))

    def _both(self, X: Array, Y: Array | None) -> tuple[Array, Array | None]:
        A, B = self.map_rows(X), None if Y is None else self.map_rows(Y)
        if B is not None:
            self.kernel.require_same_columns(A, B)
        return A, B

    def gram_diag(self, X: Array) -> Array:
        return self.kernel.gram_diag(self.map_rows(X))

    def fold_rows(self, train: Array, test: Array | None, y: Array | None, shared: Shared | None = None) -> Fold:
        own = self.fitted_step(train, y)
        # The kernel inside reads other rows than those of `shared`.
        inner = folded(own.kernel, *own._both(train, test), y)
        return inner._replace(kernel=own.with_kernel(inner.kernel))

    def bind_rows(self, rows: Array, memo: Memo) -> Kernel:
        inner = self.kernel
        if _passable(inner):
            return normal_form(self).bind_rows(rows, memo)
        if not self.learns_itself or self._learnt is not None or inner.transductive:
            # For a kernel that exists only for all rows at once, the step learns from all rows.
            return inner.bind_rows(self.fitted_step(rows, None).map_rows(rows), memo.setdefault(self._mapping(), {}))
        return super().bind_rows(rows, memo)

    def _mapping(self) -> Any:
        """Return a key of φ that is the same for every kernel inside."""
        given = (getattr(self, f.name) for f in dataclasses.fields(self) if f.name != "kernel")
        return (type(self), self._learnt, *given)


class Side:
    """Rows for a matrix step, with k(x, x) and the values against the training rows, computed on demand."""

    def __init__(self, rows: Array, d: Callable[[], Array], against: Callable[[], Array]) -> None:
        self.rows, self._d, self._against = rows, d, against

    @cached_property
    def d(self) -> Array:
        """Return k(x, x), (n,); do not write to it."""
        return self._d()

    @cached_property
    def against(self) -> Array:
        """Return k(x, x_i) for the training rows x_i, (n, n_train); do not write to it."""
        return self._against()


class MatrixStep(Wrapper):
    """A step that computes new values from the kernel's values, facts of each row, and the training matrix.

    A subclass implements `new_matrix` and `new_diagonal`; `row_facts` if k(x, x) of a row or its values against the
    training rows are needed; `learn_from` if it learns from the training rows' Gram matrix.
    """

    kind = "matrix"

    #: Whether the new values depend on the old values of the same rows, or on `row_facts` alone.
    reads_values: ClassVar[bool] = True
    #: Whether the fitted step keeps the training rows, so that new rows can be compared with them.
    keeps_rows: ClassVar[bool] = False

    def row_facts(self, side: Side) -> Array | None:
        """Return what the step needs of each row, such as k(x, x): an array (n, …), or None."""
        return None

    def learn_from(self, K: Array, facts: Any, y: Array | None) -> Any:
        """Return what is learnt from the training rows' Gram matrix, which must not be changed; never None."""
        raise NotImplementedError

    def learn_from_tiles(self, tiles: Tiles, facts: Any, y: Array | None, n: int) -> Any:
        """Return what `fit_to_matrix` learns, from the training matrix's tiles on and above the diagonal; never None.

        `tiles` begins a pass over them; each may be overwritten. A step that does not need all tiles at once overrides
        this method.
        """
        K = np.empty((n, n))
        for (rows, columns), tile in tiles():
            K[rows, columns], K[columns, rows] = tile, tile.T
        return self.learn_from(K, facts, y)

    def added_diagonal(self) -> Array | None:
        """Return what `fit_to_matrix` adds to the diagonal of the training matrix alone, (n,)."""
        return None

    def new_matrix(self, K: Array, fx: Any, fy: Any) -> Array:
        """Return the new values from K (m, n), which may be overwritten, and the facts of its rows and columns."""
        raise NotImplementedError

    def new_diagonal(self, side: Side, facts: Any) -> Array:
        """Return the new k(x, x), (n,)."""
        raise NotImplementedError

    def fit_to_matrix(self, K: Array, facts: Any, y: Array | None, train: Array) -> tuple[Self, Array]:
        """Return the step with what it learns from K, and the new training matrix; K may be overwritten."""
        fitted = self
        if self.learns_itself:
            fitted = self.with_state(self.learn_from(K, facts, y), train if self.keeps_rows else None)
        return fitted, fitted.new_matrix(K, facts, facts)

    def _over_numbers(self, rows: Array) -> Self:
        """Return the step for row numbers instead of rows."""
        return self

    @property
    def needs(self) -> tuple[Kernel, ...]:
        return (self.kernel,)

    def side_of(self, X: Array, d: Callable[[], Array] | None = None) -> Side:
        def against() -> Array:
            landmarks: Any = self.kept_rows
            if getattr(landmarks, "ndim", 1) == 2:
                self.require_learnt_columns(X, landmarks.shape[1])
            return self.kernel.gram(X, landmarks)

        return Side(X, d or (lambda: self.kernel.gram_diag(X)), against)

    def gram(self, X: Array, Y: Array | None) -> Array:
        K = owned(self.kernel.gram(X, Y)) if self.reads_values else np.empty((0, 0))
        if Y is None:
            fx = fy = self.row_facts(self.side_of(X, K.diagonal().copy if self.reads_values else None))
        else:
            fx, fy = self.row_facts(self.side_of(X)), self.row_facts(self.side_of(Y))
        return self.new_matrix(K, fx, fy)

    def gram_diag(self, X: Array) -> Array:
        side = self.side_of(X)
        return self.new_diagonal(side, self.row_facts(side))

    def fit_rows(self, X: Array, y: Array | None) -> Self:
        if self.learns_itself and self.reads_values:
            return folded(self, X, None, y).kernel  # type: ignore[no-any-return]
        own = self.with_kernel(self.kernel if self.kernel.fitted else self.kernel.fit_rows(X, y))
        return own.with_state(True, X) if self.learns_itself else own

    def fold_rows(self, train: Array, test: Array | None, y: Array | None, shared: Shared | None = None) -> Fold:
        inner = folded(self.kernel, train, test, y, shared)
        K = owned(inner.K) if self.reads_values else inner.K
        fitted = self.with_kernel(inner.kernel)
        facts = fitted.row_facts(Side(train, K.diagonal().copy, lambda: inner.K))
        fitted, K = fitted.fit_to_matrix(K, facts, y, train)
        if test is None or inner.K_star is None or inner.k_diag is None:
            return Fold(fitted, K, None, None)
        K_star, k_diag = inner.K_star, inner.k_diag
        new = Side(test, lambda: k_diag, lambda: K_star)
        new_facts = fitted.row_facts(new)
        K_new = fitted.new_matrix(owned(K_star) if self.reads_values else K_star, new_facts, facts)
        return Fold(fitted, K, K_new, fitted.new_diagonal(new, new_facts))

    def bind_rows(self, rows: Array, memo: Memo) -> Kernel:
        if self._learnt is not None:
            return super().bind_rows(rows, memo)
        if self not in memo:
            bound = self._over_numbers(rows).with_kernel(self.kernel.bind_rows(rows, memo))
            memo[self] = made("look-up")(self, bound.gram(np.arange(len(rows)), None)) if bound.fitted else bound
        return memo[self]  # type: ignore[no-any-return]


class Pointwise(MatrixStep):
    """A matrix step that changes every entry independently; a subclass implements `change_entries`."""

    def change_entries(self, values: Array) -> Array:
        """Return the new values; the old ones, of any shape, may be overwritten."""
        raise NotImplementedError

    def _check(self, values: Array) -> None:
        """Raise an error if `change_entries` cannot take one of these values."""

    def new_matrix(self, K: Array, fx: Any, fy: Any) -> Array:
        self._check(K)

        def change(block: Array, start: int) -> None:
            block[...] = self.change_entries(block)

        over_row_blocks(K, change)
        return K

    def new_diagonal(self, side: Side, facts: Any) -> Array:
        self._check(side.d)
        return self.change_entries(side.d.copy())


class WholeStep(Wrapper):
    """A function of the whole Gram matrix, undefined for single rows; a subclass implements `change_whole`.

    If the kernel inside learns, it learns from all rows, without labels.
    """

    kind = "whole"
    transductive: ClassVar[bool] = True

    @property
    def rounding(self) -> float:
        return 4.0 * self.kernel.rounding  # of a decomposition and a product of its parts

    def change_whole(self, K: Array) -> Array:
        """Return the new matrix for all rows from the inner one, which it may overwrite."""
        raise NotImplementedError

    def gram(self, X: Array, Y: Array | None) -> Array:
        if not same_rows(X, Y):
            self.require_fitted("k(X, Y)")
        if not self.kernel.fitted:
            return folded(self, X, None, None).K
        return self.change_whole(owned(self.kernel.gram(X, None)))

    def gram_diag(self, X: Array) -> Array:
        return self.gram(X, None).diagonal().copy()

    def fit_rows(self, X: Array, y: Array | None) -> Self:
        return self.with_kernel(self.kernel.fit_rows(X, None))

    def fold_rows(self, train: Array, test: Array | None, y: Array | None, shared: Shared | None = None) -> Fold:
        if test is not None:
            self.require_fitted("fold")
        inner = folded(self.kernel, train, None, None, shared)
        return Fold(self.with_kernel(inner.kernel), self.change_whole(owned(inner.K)), None, None)

    def bind_rows(self, rows: Array, memo: Memo) -> Kernel:
        if self not in memo:
            everything = np.arange(len(rows))
            K = folded(self.kernel.bind_rows(rows, memo), everything, None, None).K
            memo[self] = made("look-up")(self, self.change_whole(owned(K)))
        return memo[self]  # type: ignore[no-any-return]


class Shorthand(Wrapper):
    """A name for another kernel over the same inner one; a subclass implements `expanded`.

    Its state is the expanded kernel, fitted.
    """

    def expanded(self) -> Kernel:
        """Return the kernel that this one stands for, from its parameters."""
        raise NotImplementedError

    @cached_property
    def stands_for(self) -> Kernel:
        """Return the kernel that this one stands for, fitted where this one is."""
        return self.expanded() if self._learnt is None else self.state

    @property
    def learns_itself(self) -> bool:
        above: Kernel = self.stands_for
        while above is not self.kernel:
            if above.learns_itself:
                return True
            above = above.kernel  # type: ignore[attr-defined]
        return False

    @property
    def learns(self) -> bool:
        return self.stands_for.learns

    @property
    def fitted(self) -> bool:
        return self.stands_for.fitted

    @property
    def transductive(self) -> bool:
        return self.stands_for.transductive

    @property
    def is_psd(self) -> bool:
        return self.stands_for.is_psd

    @property
    def rounding(self) -> float:
        return self.stands_for.rounding

    @property
    def needs(self) -> tuple[Kernel, ...]:
        return (self.stands_for,)

    def gram(self, X: Array, Y: Array | None) -> Array:
        return self.stands_for.gram(X, Y)

    def gram_diag(self, X: Array) -> Array:
        return self.stands_for.gram_diag(X)

    def with_fitted(self, fitted: Kernel) -> Self:
        """Return a copy whose state is the fitted expanded kernel, around the inner kernel of that kernel."""
        above, inner = self.stands_for, fitted
        while above is not self.kernel:
            above, inner = above.kernel, inner.kernel  # type: ignore[attr-defined]
        return self.with_kernel(inner).with_state(fitted)

    def fit_rows(self, X: Array, y: Array | None) -> Self:
        return self.with_fitted(self.stands_for.fit_rows(X, y))

    def fold_rows(self, train: Array, test: Array | None, y: Array | None, shared: Shared | None = None) -> Fold:
        inner = folded(self.stands_for, train, test, y, shared)
        return inner._replace(kernel=self.with_fitted(inner.kernel) if self.learns else self)

    def bind_rows(self, rows: Array, memo: Memo) -> Kernel:
        return self.stands_for.bind_rows(rows, memo)


def normal_form(kernel: Kernel) -> Kernel:
    """Return the same kernel with its row steps next to the kernel that reads the rows.

    Row steps and steps on values commute: the values are the same, and kernels that differ in one step then share the
    kernel below it.

    >>> from kernlib import Deep, RBF, Standardized
    >>> normal_form(Standardized(Deep(RBF(sigma=1.0), level=2)))
    Deep(Standardized(RBF(sigma=1.0)), level=2, bandwidths=None)
    """
    kernel = kernel.with_children(normal_form)
    if isinstance(kernel, RowStep) and _passable(kernel.kernel):
        step = kernel.kernel
        return step.with_kernel(normal_form(kernel.with_kernel(step.kernel)))  # type: ignore[attr-defined]
    return kernel


def _passable(kernel: Kernel) -> bool:
    """Return whether a row step may change places with this kernel: it is a step and does not read rows itself."""
    return isinstance(kernel, Wrapper) and not isinstance(kernel, RowStep) and not kernel.reads_rows
