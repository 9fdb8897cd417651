"""Steps: kernels made from one kernel, of three kinds, each with one thing to write.

A row step changes rows before the kernel reads them, k(φ(x), φ(x')): it writes `_map`. A matrix step makes new
values from the kernel's: it writes `_matrix` and `_diagonal`, or `_point` where every entry goes by itself. A
whole-matrix step exists for all rows at once: it writes `_whole`. A shorthand is a name for one of these, chosen by
its parameters, or for several on top of each other: it writes `_expanded`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, Literal, Self

import numpy as np

from .base import Fold, Kernel, Memo, Shared, folded, made, owned, require_kernel
from .blocks import over_row_blocks
from .errors import TransductiveError
from .values.arrays import Array

__all__ = [
    "Kind", "MatrixStep", "Pointwise", "RowStep", "Shorthand", "Side", "Tiles", "WholeStep", "Wrapper", "normal_form",
]  # fmt: skip

Kind = Literal["row", "matrix", "whole"]

#: A pass over the tiles of a symmetric matrix on and above its diagonal: places, and values there.
Tiles = Callable[[], Iterable[tuple[tuple[slice, slice], Array]]]


@dataclass(frozen=True, repr=False)
class Wrapper(Kernel):
    """A kernel made from one kernel; `kind` says how."""

    kernel: Kernel

    kind: ClassVar[Kind]
    #: Whether it stands first in a menu: it reads rows of another kind than the kernel inside.
    begins_chain: ClassVar[bool] = False

    @property
    def reads_rows(self) -> bool:
        """Whether the step looks at rows beside the kernel's values of them."""
        return False

    def __post_init__(self) -> None:
        require_kernel(type(self).__name__, "kernel", self.kernel)
        super().__post_init__()

    def _rows(self, X: Any) -> Array:
        return self.kernel._rows(X)

    def chain(self) -> tuple[str, ...]:
        return (*self.kernel.chain(), self.chip())

    def heuristics(self, X: Any) -> dict[str, float]:
        return self.kernel.heuristics(X)


class RowStep(Wrapper):
    """k(φ(x), φ(x')): rows are changed before the kernel reads them, perhaps by what was learnt from training rows.

    A subclass writes `_map`; one that learns, `_learn`; one that reads rows of another kind than its kernel, `_rows`.
    """

    kind = "row"

    def _map(self, X: Array) -> Array:
        """φ of every row, as the kernel inside reads them."""
        raise NotImplementedError

    def chain(self) -> tuple[str, ...]:
        return (self.chip(), *self.kernel.chain())

    def heuristics(self, X: Any) -> dict[str, float]:
        rows = self._rows(X)
        return self.kernel.heuristics(self._taught(rows, None)._map(rows))

    def _taught(self, X: Array, y: Array | None) -> Self:
        """This step with what it learns itself; the kernel inside as it was."""
        return self._with_state(self._learn(X, y)) if self.learns_itself and self._learnt is None else self

    def _fit(self, X: Array, y: Array | None) -> Self:
        own = self._taught(X, y)
        return own if own.kernel.fitted else own._with_kernel(own.kernel._fit(own._map(X), y))

    def _gram(self, X: Array, Y: Array | None) -> Array:
        return self.kernel._gram(*self._both(X, Y))

    def _gram_then(self, X: Array, Y: Array | None, then: Callable[[Array], object]) -> Array:
        return self.kernel._gram_then(*self._both(X, Y), then)

    def _both(self, X: Array, Y: Array | None) -> tuple[Array, Array | None]:
        A, B = self._map(X), None if Y is None else self._map(Y)
        if B is not None:
            self.kernel._require_same_columns(A, B)
        return A, B

    def _diag(self, X: Array) -> Array:
        return self.kernel._diag(self._map(X))

    def _fold(self, train: Array, test: Array | None, y: Array | None, shared: Shared | None = None) -> Fold:
        own = self._taught(train, y)
        # Other rows than those of `shared`: what stands below has nothing in common with what stands beside.
        inner = folded(own.kernel, *own._both(train, test), y)
        return inner._replace(kernel=own._with_kernel(inner.kernel))

    def _bind(self, rows: Array, memo: Memo) -> Kernel:
        inner = self.kernel
        if _passable(inner):
            return normal_form(self)._bind(rows, memo)
        if not self.learns_itself or self._learnt is not None or inner.transductive:
            # A kernel that exists for all rows at once has them changed by what all rows say.
            return inner._bind(self._taught(rows, None)._map(rows), memo.setdefault(self._mapping(), {}))
        return super()._bind(rows, memo)

    def _mapping(self) -> Any:
        """What distinguishes φ from that of other row steps, whatever kernel reads its rows."""
        given = (getattr(self, f.name) for f in dataclasses.fields(self) if f.name != "kernel")
        return (type(self), self._learnt, *given)


class Side:
    """Rows as a matrix step sees them: their own values k(x, x) and those against the training rows, when asked for."""

    def __init__(self, rows: Array, d: Callable[[], Array], against: Callable[[], Array]) -> None:
        self.rows, self._d, self._against = rows, d, against

    @cached_property
    def d(self) -> Array:
        """k(x, x), (n,), not to be written to."""
        return self._d()

    @cached_property
    def against(self) -> Array:
        """k(x, x_i) for the training rows x_i, (n, n_train), not to be written to."""
        return self._against()


class MatrixStep(Wrapper):
    """New values from the kernel's values, from what each row is by itself, and from what the training matrix taught.

    A subclass writes `_matrix` and `_diagonal`; `_facts` where a row's own k(x, x) or its values against the
    training rows go in; `_learn_from` where something is learnt from the training rows' Gram matrix.
    """

    kind = "matrix"

    #: Whether the new values are made from the old ones between the same rows, or from `_facts` alone.
    reads_values: ClassVar[bool] = True
    #: Whether the training rows stay with the fitted step, so that new rows can be held against them.
    keeps_rows: ClassVar[bool] = False

    def _facts(self, side: Side) -> Any:
        """What the step needs to know of each row by itself."""
        return None

    def _learn_from(self, K: Array, facts: Any, y: Array | None) -> Any:
        """What is learnt from the training rows' Gram matrix, which must stay as it is; never None."""
        raise NotImplementedError

    def _learn_from_tiles(self, tiles: Tiles, facts: Any, y: Array | None, n: int) -> Any:
        """What `_trained` learns, from the training matrix's tiles on and above the diagonal; never None.

        `tiles` begins a pass over them; each may be overwritten. A step that need not see them all at once says so by
        a method of its own.
        """
        K = np.empty((n, n))
        for (rows, columns), tile in tiles():
            K[rows, columns], K[columns, rows] = tile, tile.T
        return self._learn_from(K, facts, y)

    def _on_the_diagonal(self) -> Array | None:
        """What `_trained` adds to the training rows' own values and to nothing else, (n,)."""
        return None

    def _matrix(self, K: Array, fx: Any, fy: Any) -> Array:
        """The new values from K (m, n), which may be overwritten, and the facts of its rows and columns."""
        raise NotImplementedError

    def _diagonal(self, side: Side, facts: Any) -> Array:
        """The new k(x, x), (n,)."""
        raise NotImplementedError

    def _trained(self, K: Array, facts: Any, y: Array | None, train: Array) -> tuple[Self, Array]:
        """The step with what it learns from K, and the new training matrix; K may be overwritten."""
        taught = self
        if self.learns_itself:
            taught = self._with_state(self._learn_from(K, facts, y), train if self.keeps_rows else None)
        return taught, taught._matrix(K, facts, facts)

    def _over_numbers(self, rows: Array) -> Self:
        """The step for row numbers in the place of rows."""
        return self

    @property
    def _needs(self) -> tuple[Kernel, ...]:
        return (self.kernel,)

    def _side(self, X: Array, d: Callable[[], Array] | None = None) -> Side:
        def against() -> Array:
            landmarks: Any = self._kept
            if getattr(landmarks, "ndim", 1) == 2:
                self._require_as_learnt(X, landmarks.shape[1])
            return self.kernel._gram(X, landmarks)

        return Side(X, d or (lambda: self.kernel._diag(X)), against)

    def _gram(self, X: Array, Y: Array | None) -> Array:
        K = owned(self.kernel._gram(X, Y)) if self.reads_values else np.empty((0, 0))
        if Y is None:
            fx = fy = self._facts(self._side(X, K.diagonal().copy if self.reads_values else None))
        else:
            fx, fy = self._facts(self._side(X)), self._facts(self._side(Y))
        return self._matrix(K, fx, fy)

    def _diag(self, X: Array) -> Array:
        side = self._side(X)
        return self._diagonal(side, self._facts(side))

    def _fit(self, X: Array, y: Array | None) -> Self:
        if self.learns_itself and self.reads_values:
            return folded(self, X, None, y).kernel  # type: ignore[no-any-return]
        own = self._with_kernel(self.kernel if self.kernel.fitted else self.kernel._fit(X, y))
        return own._with_state(True, X) if self.learns_itself else own

    def _fold(self, train: Array, test: Array | None, y: Array | None, shared: Shared | None = None) -> Fold:
        inner = folded(self.kernel, train, test, y, shared)
        K = owned(inner.K) if self.reads_values else inner.K
        fitted = self._with_kernel(inner.kernel)
        facts = fitted._facts(Side(train, K.diagonal().copy, lambda: inner.K))
        fitted, K = fitted._trained(K, facts, y, train)
        if test is None or inner.K_star is None or inner.k_diag is None:
            return Fold(fitted, K, None, None)
        K_star, k_diag = inner.K_star, inner.k_diag
        new = Side(test, lambda: k_diag, lambda: K_star)
        new_facts = fitted._facts(new)
        k_new = fitted._diagonal(new, new_facts)
        return Fold(fitted, K, fitted._matrix(owned(K_star) if self.reads_values else K_star, new_facts, facts), k_new)

    def _bind(self, rows: Array, memo: Memo) -> Kernel:
        if self._learnt is not None:
            return super()._bind(rows, memo)
        if self not in memo:
            bound = self._over_numbers(rows)._with_kernel(self.kernel._bind(rows, memo))
            memo[self] = made("look-up")(self, bound._gram(np.arange(len(rows)), None)) if bound.fitted else bound
        return memo[self]  # type: ignore[no-any-return]


class Pointwise(MatrixStep):
    """A matrix step that is a function of every entry by itself; a subclass writes `_point`.

    Several on top of each other are one pass over the matrix, a block at a time; above a kernel that makes its matrix
    tile by tile there is no pass at all.
    """

    def _point(self, values: Array) -> Array:
        """The new values; the old ones, of any shape, may be overwritten."""
        raise NotImplementedError

    def _check(self, values: Array) -> None:
        """An error where some of the values, here all that there are, are none to be given to `_point`."""

    @property
    def _looks_first(self) -> bool:
        """Whether `_check` looks at all values before the first of them is changed."""
        return type(self)._check is not Pointwise._check

    def _gram(self, X: Array, Y: Array | None) -> Array:
        steps, below = self._chain()
        if not steps:
            return self._matrix(owned(self.kernel._gram(X, Y)), None, None)
        return below._gram_then(X, Y, partial(_changed, steps))

    def _gram_then(self, X: Array, Y: Array | None, then: Callable[[Array], object]) -> Array:
        steps, below = self._chain()
        if not steps:
            return super()._gram_then(X, Y, then)

        def both(block: Array) -> None:
            _changed(steps, block)
            then(block)

        return below._gram_then(X, Y, both)

    def _chain(self) -> tuple[list[Pointwise], Kernel]:
        """The steps that need not see the whole matrix, lowest first, and the kernel below them."""
        steps: list[Pointwise] = []
        below: Kernel = self
        while isinstance(below, Pointwise) and not below._looks_first:
            steps.insert(0, below)
            below = below.kernel
        return steps, below

    def _matrix(self, K: Array, fx: Any, fy: Any) -> Array:
        self._check(K)
        over_row_blocks(K, lambda block, start: _changed([self], block))
        return K

    def _diagonal(self, side: Side, facts: Any) -> Array:
        self._check(side.d)
        return self._point(side.d.copy())


def _changed(steps: Sequence[Pointwise], block: Array) -> None:
    """The block after one step and the other, in its place."""
    for step in steps:
        new = step._point(block)
        if new is not block:
            block[...] = new


class WholeStep(Wrapper):
    """A function of the whole Gram matrix, which a row alone cannot be put through; a subclass writes `_whole`.

    If the kernel inside learns, it learns from all rows, without labels: what exists only for all rows at once has
    nothing else to learn from.
    """

    kind = "whole"

    @property
    def transductive(self) -> bool:
        return True

    def _whole(self, K: Array) -> Array:
        """The new matrix for all rows from the inner one, which it may overwrite."""
        raise NotImplementedError

    def _gram(self, X: Array, Y: Array | None) -> Array:
        if not (Y is None or Y is X or (X.shape == Y.shape and bool((X == Y).all()))):
            self._require_fitted("k(X, Y)")
        if not self.kernel.fitted:
            return folded(self, X, None, None).K
        return self._whole(owned(self.kernel._gram(X, None)))

    def _diag(self, X: Array) -> Array:
        return self._gram(X, None).diagonal().copy()

    def _fit(self, X: Array, y: Array | None) -> Self:
        return self._with_kernel(self.kernel._fit(X, None))

    def _fold(self, train: Array, test: Array | None, y: Array | None, shared: Shared | None = None) -> Fold:
        if test is not None:
            raise TransductiveError(
                f"fold: {self!r} exists only for all rows at once. Next: kernel.bind(X).fold(train, test) with "
                "row numbers; its test rows have been seen."
            )
        inner = folded(self.kernel, train, None, None, shared)
        return Fold(self._with_kernel(inner.kernel), self._whole(owned(inner.K)), None, None)

    def _bind(self, rows: Array, memo: Memo) -> Kernel:
        if self not in memo:
            everything = np.arange(len(rows))
            K = folded(self.kernel._bind(rows, memo), everything, None, None).K
            memo[self] = made("look-up")(self, self._whole(owned(K)))
        return memo[self]  # type: ignore[no-any-return]


class Shorthand(Wrapper):
    """A name for another kernel over the same inner one; a subclass writes `_expanded`.

    What it has learnt is the expanded kernel, fitted.
    """

    def _expanded(self) -> Kernel:
        """The kernel that this one stands for, from its parameters."""
        raise NotImplementedError

    @cached_property
    def stands_for(self) -> Kernel:
        """The kernel that this one stands for, fitted where this one is."""
        return self._expanded() if self._learnt is None else self._state

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
    def _needs(self) -> tuple[Kernel, ...]:
        return (self.stands_for,)

    def _gram(self, X: Array, Y: Array | None) -> Array:
        return self.stands_for._gram(X, Y)

    def _gram_then(self, X: Array, Y: Array | None, then: Callable[[Array], object]) -> Array:
        return self.stands_for._gram_then(X, Y, then)

    def _diag(self, X: Array) -> Array:
        return self.stands_for._diag(X)

    def _knowing(self, fitted: Kernel) -> Self:
        """A copy that has learnt what it stands for, around the inner kernel as it is in there."""
        above, inner = self.stands_for, fitted
        while above is not self.kernel:
            above, inner = above.kernel, inner.kernel  # type: ignore[attr-defined]
        return self._with_kernel(inner)._with_state(fitted)

    def _fit(self, X: Array, y: Array | None) -> Self:
        return self._knowing(self.stands_for._fit(X, y))

    def _fold(self, train: Array, test: Array | None, y: Array | None, shared: Shared | None = None) -> Fold:
        inner = folded(self.stands_for, train, test, y, shared)
        return inner._replace(kernel=self._knowing(inner.kernel) if self.learns else self)

    def _bind(self, rows: Array, memo: Memo) -> Kernel:
        return self.stands_for._bind(rows, memo)


def normal_form(kernel: Kernel) -> Kernel:
    """The same kernel with its row steps next to the kernel that reads the rows.

    k(φx, φx') does not care whether a matrix is powered before or after it is known what φ is: the values are the
    same, and kernels that differ in a step alone then share all that stands below it.

    >>> from kernlib import Deep, RBF, Standardized
    >>> normal_form(Standardized(Deep(RBF(sigma=1.0), level=2)))
    Deep(Standardized(RBF(sigma=1.0)), level=2, bandwidths=None)
    """
    kernel = kernel._with_children(normal_form)
    if isinstance(kernel, RowStep) and _passable(kernel.kernel):
        step = kernel.kernel
        return step._with_kernel(normal_form(kernel._with_kernel(step.kernel)))  # type: ignore[attr-defined]
    return kernel


def _passable(kernel: Kernel) -> bool:
    """Whether a row step may change places with this one: it is a step and does not look at rows itself."""
    return isinstance(kernel, Wrapper) and not isinstance(kernel, RowStep) and not kernel.reads_rows
