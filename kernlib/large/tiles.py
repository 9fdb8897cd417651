"""A kernel over given rows, evaluated one tile of its Gram matrix at a time.

What a step learns from the training matrix, and its numbers of each row (a mean, a length), are computed once by passes
over tiles; after that every tile is evaluated independently, on any worker.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from ..core.algebra import Joined
from ..core.base import Kernel
from ..core.steps import MatrixStep, RowStep, Shorthand, Side, WholeStep, normal_form
from ..errors import TransductiveError
from ..numerics.blas import one_blas_thread
from ..numerics.finite import finite_lengths, finite_values, overflow_checked_later
from ..numerics.workers import Backend, cluster_address, end_with_parent, require_backend, spread
from ..values.arrays import Array, kept

#: The numbers of a tile's rows and columns.
Place = tuple[slice, slice]
Rows = Any
#: Called with the number of finished parts and their total.
Progress = Callable[[int, int], object]


def silent(*progress: object) -> None:
    """Ignore the progress."""


def strips(n: int, block: int) -> list[slice]:
    """Return n rows in parts of `block` rows."""
    return [slice(i, min(i + block, n)) for i in range(0, n, block)]


def places(n: int, block: int) -> list[Place]:
    """Return the tiles on and above the diagonal of an (n, n) matrix, row by row.

    >>> [(r.start, c.stop) for r, c in places(5, 3)]
    [(0, 3), (0, 5), (3, 5)]
    """
    parts = strips(n, block)
    return [(rows, columns) for i, rows in enumerate(parts) for columns in parts[i:]]


@dataclass(frozen=True, eq=False)
class Plan:
    """A fitted kernel over n rows."""

    kernel: Any
    #: Large: a cluster sends a plan to each worker once, not with every tile.
    nbytes: ClassVar[int] = 1 << 30

    def tile(self, rows: slice, columns: slice) -> Array:
        """Return k(rows, columns) as a new array, symmetric on the diagonal."""
        raise NotImplementedError

    def diag(self) -> Array:
        """Return k(x, x) of all rows, (n,)."""
        raise NotImplementedError


def tile_of(plan: Plan, place: Place) -> Array:
    """Return one tile; raise DegenerateError if a value is not finite."""
    with overflow_checked_later():
        K = plan.tile(*place)
    return finite_values(K, plan.kernel)


@dataclass(frozen=True)
class Work:
    """The workers of the tiles: `jobs` and `backend` as in a sweep, `block` rows of a tile; `learning` is called in
    every pass over all tiles that a step learns from."""

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
        """Yield (place, what(plan, place, *more)) for every place left.

        Each call uses one BLAS thread, so that the last digits do not depend on the worker.
        """
        backend = self.backend
        if backend == "auto":
            backend = "dask" if self.jobs > 1 and cluster_address() else "threading"
        left = list(left)
        if self.jobs > 1 or backend == "dask":
            yield from self._elsewhere(what, plan, left, more, backend)
        with one_blas_thread():  # tiles lost to dead workers
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
        """Yield all tiles of a plan, for a step to learn from."""
        everything = places(n, self.block)
        for done, tile in enumerate(self.over(tile_of, plan, everything), 1):
            yield tile
            self.learning(done, len(everything))


def _one(what: Callable[..., Any], plan: Plan, place: Place, own: bool, *more: Array) -> tuple[Place, Any]:
    if own:
        end_with_parent()
    with one_blas_thread():
        return place, what(plan, place, *more)


def planned(kernel: Kernel, X: Any, y: Any, work: Work) -> Plan:
    """Return the plan of the kernel over the rows X, fitted once on them and on y.

    Raises TransductiveError for a kernel that exists only for all rows at once, and what the kernel raises.
    """
    kernel = kernel if kernel.fitted else normal_form(kernel)
    rows = kernel.checked_rows(X)
    labels = kernel.checked_labels(y, len(rows), work.owner)
    with overflow_checked_later(), one_blas_thread():
        plan = _planned(kernel, rows if kernel.fitted else kept(rows), labels, work)
    finite_lengths(plan.diag(), kernel)
    return plan


def _planned(kernel: Kernel, X: Rows, y: Array | None, work: Work) -> Plan:
    if isinstance(kernel, Shorthand):
        inner = _planned(kernel.stands_for, X, y, work)
        return _Named(kernel if kernel.fitted else kernel.with_fitted(inner.kernel), inner)
    if isinstance(kernel, RowStep):
        fitted = kernel.fitted_step(X, y)
        inner = _planned(fitted.kernel, fitted.map_rows(X), y, work)
        return _Named(fitted.with_kernel(inner.kernel), inner)
    if isinstance(kernel, Joined):
        left, right = (_planned(side, X, y, work) for side in (kernel.left, kernel.right))
        return _Joined(kernel.with_fields({"left": left.kernel, "right": right.kernel}), left, right)
    if isinstance(kernel, MatrixStep) and kernel.reads_values:
        return _stepped(kernel, X, y, work)
    if isinstance(kernel, WholeStep) or kernel.transductive:
        raise TransductiveError(
            f"{work.owner}: {kernel!r} exists only for all rows at once: its values need the whole matrix. Remove the "
            "step, or bind it while all rows fit into memory, kernel.bind(X), and pass row numbers."
        )
    if isinstance(kernel, MatrixStep) and not kernel.kernel.fitted:
        kernel = kernel.with_kernel(_planned(kernel.kernel, X, y, work).kernel)
    return _Leaf(kernel if kernel.fitted else kernel.fit_rows(X, y), X)


@dataclass(frozen=True, eq=False)
class _Leaf(Plan):
    """A kernel whose tiles are evaluated from the rows."""

    rows: Rows

    def tile(self, rows: slice, columns: slice) -> Array:
        K: Array = self.kernel.gram(self.rows[rows], None if rows == columns else self.rows[columns])
        return K if K.flags.writeable else K.copy()

    def diag(self) -> Array:
        return np.asarray(self.kernel.gram_diag(self.rows))


@dataclass(frozen=True, eq=False)
class _Named(Plan):
    """A kernel whose values are those of another plan."""

    inner: Plan

    def tile(self, rows: slice, columns: slice) -> Array:
        return self.inner.tile(rows, columns)

    def diag(self) -> Array:
        return self.inner.diag()


@dataclass(frozen=True, eq=False)
class _Joined(Plan):
    """A sum or a product."""

    left: Plan
    right: Plan

    def tile(self, rows: slice, columns: slice) -> Array:
        K: Array = self.kernel.join_values(self.left.tile(rows, columns), self.right.tile(rows, columns))
        return K

    def diag(self) -> Array:
        return np.asarray(self.kernel.join_values(self.left.diag().copy(), self.right.diag()))


@dataclass(frozen=True, eq=False)
class _Stepped(Plan):
    """A matrix step over another plan: its numbers of each row, `facts`, and the new k(x, x), `d`.

    `raised` is added to the diagonal of the training rows.
    """

    inner: Plan
    facts: Array | None
    d: Array
    raised: Array | None

    def tile(self, rows: slice, columns: slice) -> Array:
        facts = self.facts
        fx, fy = (None, None) if facts is None else (facts[rows], facts[columns])
        K: Array = self.kernel.new_matrix(self.inner.tile(rows, columns), fx, fy)
        if self.raised is not None and rows == columns:
            K[np.diag_indices_from(K)] += self.raised[rows]
        return K

    def diag(self) -> Array:
        return self.d if self.raised is None else self.d + self.raised


def _stepped(kernel: MatrixStep, X: Rows, y: Array | None, work: Work) -> Plan:
    inner = _planned(kernel.kernel, X, y, work)
    n, d = len(X), inner.diag()
    step = kernel.with_kernel(inner.kernel)
    learns_here = step.learns_itself and step._learnt is None

    def against(rows: slice) -> Callable[[], Array]:
        if learns_here:  # the training rows are these rows
            return partial(_strip, inner, rows, n, work.block)
        return lambda: step.side_of(X[rows]).against

    def diagonal_of(rows: slice) -> Callable[[], Array]:
        return lambda: d[rows]

    sides = (Side(X[part], diagonal_of(part), against(part)) for part in strips(n, work.block))
    of_strips: list[Any] = [step.row_facts(side) for side in sides]
    facts: Array | None = None if of_strips[0] is None else np.concatenate(of_strips)
    if learns_here:
        value = step.learn_from_tiles(lambda: work.learnt_from(inner, n), facts, y, n)
        step = step.with_state(value, X if step.keeps_rows else None)
    diagonal = step.new_diagonal(Side(X, lambda: d, lambda: np.empty((n, 0))), facts)
    return _Stepped(step, inner, facts, diagonal, step.added_diagonal() if learns_here else None)


def _strip(plan: Plan, rows: slice, n: int, block: int) -> Array:
    """Return k(rows, all rows), one tile at a time."""
    K = np.empty((rows.stop - rows.start, n))
    for columns in strips(n, block):
        K[:, columns] = plan.tile(rows, columns)
    return K
