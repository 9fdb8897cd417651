"""A kernel over given rows, a tile of its Gram matrix at a time.

What a step learns from the training matrix, and what it must know of each row (a mean, a length), is found once, by
passes over tiles; then any tile is evaluated by itself, wherever that may be.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ..algebra import Product, Sum
from ..base import Kernel
from ..blas import one_blas_thread
from ..errors import TransductiveError
from ..finite import finite_lengths, finite_values, overflow_told_later
from ..steps import MatrixStep, RowStep, Shorthand, Side, WholeStep, normal_form
from ..values.arrays import Array, kept
from ..workers import Backend, cluster_address, end_with_parent, require_backend, spread

__all__ = ["Place", "Plan", "Progress", "Rows", "Work", "places", "planned", "silent", "tile_of"]

#: The numbers of a tile's rows and columns.
Place = tuple[slice, slice]
Rows = Any
#: Called with how many parts of a work are done, and how many there are.
Progress = Callable[[int, int], object]


def silent(done: int, total: int) -> None:
    """Nobody wants to know."""


def places(n: int, block: int) -> list[Place]:
    """The tiles on and above the diagonal of an (n, n) matrix, row by row.

    >>> [(r.start, c.stop) for r, c in places(5, 3)]
    [(0, 3), (0, 5), (3, 5)]
    """
    parts = [slice(i, min(i + block, n)) for i in range(0, n, block)]
    return [(rows, columns) for i, rows in enumerate(parts) for columns in parts[i:]]


@dataclass(frozen=True, eq=False)
class Plan:
    """A fitted kernel over n rows."""

    kernel: Any

    def tile(self, rows: slice, columns: slice) -> Array:
        """k(rows, columns), fresh, and symmetric on the diagonal."""
        raise NotImplementedError

    def diag(self) -> Array:
        """k(x, x) of all rows, (n,)."""
        raise NotImplementedError


def tile_of(plan: Plan, place: Place) -> Array:
    """One tile, all of whose values are finite; DegenerateError otherwise."""
    with overflow_told_later():
        K = plan.tile(*place)
    return finite_values(K, plan.kernel)


@dataclass(frozen=True)
class Work:
    """Who evaluates the tiles: `jobs` and `backend` as in a sweep, and the side of a tile; `learning` hears of every
    pass over them that a step learns from."""

    block: int
    jobs: int = 1
    backend: Backend = "auto"
    owner: str = "gram_blocks"
    learning: Progress = silent

    def __post_init__(self) -> None:
        require_backend(self.backend, self.owner)

    def over(
        self, what: Callable[..., Any], plan: Plan, left: list[Place], *more: Array
    ) -> Generator[tuple[Place, Any], None, None]:
        """(place, what(plan, place, *more)) for every place left, in their order.

        One BLAS thread in each, so that the last digits are the same everywhere.
        """
        backend = self.backend
        if backend == "auto":
            backend = "dask" if self.jobs > 1 and cluster_address() else "threading"
        left = list(left)
        if self.jobs > 1 or backend == "dask":
            yield from self._elsewhere(what, plan, left, more, backend)
        with one_blas_thread():  # what workers that died have left
            while left:
                place = left.pop(0)
                yield place, what(plan, place, *more)

    def _elsewhere(
        self, what: Callable[..., Any], plan: Plan, left: list[Place], more: tuple[Array, ...], backend: Backend
    ) -> Iterator[tuple[Place, Any]]:
        from joblib import delayed

        def calls() -> Iterator[Any]:
            return (delayed(_one)(what, plan, place, backend == "loky", *more) for place in list(left))

        with one_blas_thread():
            for place, result in spread(calls, self.jobs, backend, owner=self.owner, one_by_one=True):
                left.remove(place)
                yield place, result

    def learnt_from(self, plan: Plan, n: int) -> Generator[tuple[Place, Array], None, None]:
        """All tiles of a plan, for a step to learn from."""
        everything = places(n, self.block)
        for done, found in enumerate(self.over(tile_of, plan, everything), 1):
            yield found
            self.learning(done, len(everything))


def _one(what: Callable[..., Any], plan: Plan, place: Place, own: bool, *more: Array) -> tuple[Place, Any]:
    if own:
        end_with_parent()
    with one_blas_thread():
        return place, what(plan, place, *more)


def planned(kernel: Kernel, X: Any, y: Any, work: Work) -> Plan:
    """The kernel over the rows X, with what it learns from them and from y learnt once.

    Raises TransductiveError for a kernel that exists for all rows at once only, and what the kernel raises.
    """
    kernel = kernel if kernel.fitted else normal_form(kernel)
    rows = kernel._rows(X)
    labels = kernel._labels(y, len(rows), work.owner)
    with overflow_told_later(), one_blas_thread():
        plan = _planned(kernel, rows if kernel.fitted else kept(rows), labels, work)
    finite_lengths(plan.diag(), kernel)
    return plan


def _planned(kernel: Kernel, X: Rows, y: Array | None, work: Work) -> Plan:
    if isinstance(kernel, Shorthand):
        inner = _planned(kernel.stands_for, X, y, work)
        return _Named(kernel if kernel.fitted else kernel._knowing(inner.kernel), inner)
    if isinstance(kernel, RowStep):
        taught = kernel._taught(X, y)
        inner = _planned(taught.kernel, taught._map(X), y, work)
        return _Named(taught._with_kernel(inner.kernel), inner)
    if isinstance(kernel, Sum | Product):
        left, right = (_planned(side, X, y, work) for side in (kernel.left, kernel.right))
        return _Joined(kernel._copied({"left": left.kernel, "right": right.kernel}), left, right)
    if isinstance(kernel, MatrixStep) and kernel.reads_values:
        return _stepped(kernel, X, y, work)
    if isinstance(kernel, WholeStep) or kernel.transductive:
        raise TransductiveError(
            f"{work.owner}: {kernel!r} exists only for all rows at once, so that none of its values can be had without "
            "the whole matrix. Next: leave the step out, or bind it while all rows fit, kernel.bind(X), and give row "
            "numbers."
        )
    if isinstance(kernel, MatrixStep) and not kernel.kernel.fitted:
        kernel = kernel._with_kernel(_planned(kernel.kernel, X, y, work).kernel)
    return _Leaf(kernel if kernel.fitted else kernel._fit(X, y), X)


@dataclass(frozen=True, eq=False)
class _Leaf(Plan):
    """A kernel whose tiles are evaluated from the rows."""

    rows: Rows

    def tile(self, rows: slice, columns: slice) -> Array:
        K: Array = self.kernel._gram(self.rows[rows], None if rows == columns else self.rows[columns])
        return K if K.flags.writeable else K.copy()

    def diag(self) -> Array:
        return np.asarray(self.kernel._diag(self.rows))

    def __sizeof__(self) -> int:
        """Bytes of the rows, so that a cluster sends them to each worker once, not with every tile."""
        held = getattr(self.kernel, "matrix", self.rows)
        return 2000 + int(getattr(held, "nbytes", 0))


@dataclass(frozen=True, eq=False)
class _Named(Plan):
    """A kernel whose values are those of another plan."""

    inner: Plan

    def tile(self, rows: slice, columns: slice) -> Array:
        return self.inner.tile(rows, columns)

    def diag(self) -> Array:
        return self.inner.diag()

    def __sizeof__(self) -> int:
        return self.inner.__sizeof__()


@dataclass(frozen=True, eq=False)
class _Joined(Plan):
    """A sum or a product."""

    left: Plan
    right: Plan

    def tile(self, rows: slice, columns: slice) -> Array:
        K: Array = self.kernel._join(self.left.tile(rows, columns), self.right.tile(rows, columns))
        return K

    def diag(self) -> Array:
        return np.asarray(self.kernel._join(self.left.diag().copy(), self.right.diag()))

    def __sizeof__(self) -> int:
        return self.left.__sizeof__() + self.right.__sizeof__()


@dataclass(frozen=True, eq=False)
class _Stepped(Plan):
    """A matrix step over another plan: what it knows of each row by itself, `facts`, and the new k(x, x), `d`.

    `raised` is what the rows that it was taught on have on their diagonal beside k(x, x).
    """

    inner: Plan
    facts: Array | None
    d: Array
    raised: Array | None

    def tile(self, rows: slice, columns: slice) -> Array:
        facts = self.facts
        fx, fy = (None, None) if facts is None else (facts[rows], facts[columns])
        K: Array = self.kernel._matrix(self.inner.tile(rows, columns), fx, fy)
        if self.raised is not None and rows == columns:
            K[np.diag_indices_from(K)] += self.raised[rows]
        return K

    def diag(self) -> Array:
        return self.d if self.raised is None else self.d + self.raised

    def __sizeof__(self) -> int:
        return self.inner.__sizeof__() + self.d.nbytes


def _stepped(kernel: MatrixStep, X: Rows, y: Array | None, work: Work) -> Plan:
    inner = _planned(kernel.kernel, X, y, work)
    n, d = len(X), inner.diag()
    step = kernel._with_kernel(inner.kernel)
    taught_here = step.learns_itself and step._learnt is None

    def against(rows: slice) -> Callable[[], Array]:
        if taught_here:  # the training rows are these rows
            return partial(_strip, inner, rows, n, work.block)
        return lambda: step._side(X[rows]).against

    facts = _stacked([step._facts(Side(X[part], partial(_part, d, part), against(part))) for part in _parts(n, work)])
    if taught_here:
        value = step._learn_from_tiles(lambda: work.learnt_from(inner, n), facts, y, n)
        step = step._with_state(value, X if step.keeps_rows else None)
    diagonal = step._diagonal(Side(X, lambda: d, lambda: np.empty((n, 0))), facts)
    return _Stepped(step, inner, facts, diagonal, step._on_the_diagonal() if taught_here else None)


def _part(d: Array, rows: slice) -> Array:
    return d[rows]


def _parts(n: int, work: Work) -> list[slice]:
    return [slice(i, min(i + work.block, n)) for i in range(0, n, work.block)]


def _strip(plan: Plan, rows: slice, n: int, block: int) -> Array:
    """k(rows, all rows), a tile at a time."""
    K = np.empty((rows.stop - rows.start, n))
    for start in range(0, n, block):
        columns = slice(start, min(start + block, n))
        K[:, columns] = plan.tile(rows, columns)
    return K


def _stacked(facts: list[Any]) -> Array | None:
    return None if facts[0] is None else np.concatenate(facts)
