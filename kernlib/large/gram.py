"""A Gram matrix by tiles: in memory, in a memory-mapped file, or not stored, for products with a few columns.

What a step learns from the training matrix, and its numbers of each row (a mean, a length), are computed once by passes
over tiles; after that every tile is evaluated independently, on any worker.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ..core.algebra import Joined
from ..core.base import Kernel, require_kernel
from ..core.steps import MatrixStep, RowStep, Shorthand, Side, WholeStep, normal_form
from ..errors import DataError, ParameterError, TransductiveError
from ..numerics.linalg import finite_lengths, finite_values, overflow_checked_later
from ..numerics.workers import Backend, chosen_backend, memory_budget, one_blas_thread, spread
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
    """A fitted kernel over n rows.

    `tile(rows, columns)` returns k(rows, columns) as a new array, symmetric on the diagonal; `diag()` returns k(x, x)
    of all rows, (n,).
    """

    kernel: Any
    tile: Callable[[slice, slice], Array]
    diag: Callable[[], Array]
    #: Large: a cluster sends a plan to each worker once, not with every tile.
    nbytes: ClassVar[int] = 1 << 30


def tile_of(plan: Plan, place: Place) -> Array:
    """Return one tile; raise DegenerateError if a value is not finite."""
    with overflow_checked_later():
        K = plan.tile(*place)
    return finite_values(K, plan.kernel)


@dataclass(frozen=True)
class Work:
    """The workers of the tiles: `jobs` and `backend` as in a sweep, `block` rows of a tile; `progress` is called in
    every pass over all tiles, those that a step learns from included."""

    block: int
    jobs: int = 1
    backend: Backend = "auto"
    owner: str = "gram_blocks"
    progress: Progress = silent

    def __post_init__(self) -> None:
        object.__setattr__(self, "backend", chosen_backend(self.backend, self.jobs, "threading", self.owner))

    def over(
        self, what: Callable[..., Any], plan: Plan, n: int, progress: Progress, *more: Array
    ) -> Generator[tuple[Place, Any], None, None]:
        """Yield (place, what(plan, place, *more)) for every tile of n rows; report the tiles that are finished."""
        left = places(n, self.block)
        total = len(left)

        def tasks() -> list[tuple[Any, ...]]:
            return [(what, plan, place, *more) for place in left]

        results = spread(_one, tasks, self.jobs, self.backend, owner=self.owner, one_by_one=True)
        for done, (place, result) in enumerate(results, 1):
            left.remove(place)
            yield place, result
            progress(done, total)


def _one(what: Callable[..., Any], plan: Plan, place: Place, *more: Array) -> tuple[Place, Any]:
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
        return replace(inner, kernel=kernel if kernel.fitted else kernel.with_fitted(inner.kernel))
    if isinstance(kernel, RowStep):
        fitted = kernel.fitted_step(X, y)
        inner = _planned(fitted.kernel, fitted.map_rows(X), y, work)
        return replace(inner, kernel=fitted.with_kernel(inner.kernel))
    if isinstance(kernel, Joined):
        left, right = (_planned(side, X, y, work) for side in (kernel.left, kernel.right))
        both: Any = kernel.with_fields({"left": left.kernel, "right": right.kernel})
        return Plan(
            both,
            lambda rows, columns: both.joined([left.tile(rows, columns), right.tile(rows, columns)]),
            lambda: both.joined([left.diag().copy(), right.diag()]),
        )
    if isinstance(kernel, MatrixStep) and kernel.reads_values:
        return _stepped(kernel, X, y, work)
    if isinstance(kernel, WholeStep) or kernel.transductive:
        raise TransductiveError(
            f"{work.owner}: {kernel!r} exists only for all rows at once: its values need the whole matrix. Remove the "
            "step, or bind it while all rows fit into memory, kernel.bind(X), and pass row numbers."
        )
    if isinstance(kernel, MatrixStep) and not kernel.kernel.fitted:
        kernel = kernel.with_kernel(_planned(kernel.kernel, X, y, work).kernel)
    leaf: Any = kernel if kernel.fitted else kernel.fit_rows(X, y)

    def tile(rows: slice, columns: slice) -> Array:
        K: Array = leaf.gram(X[rows], None if rows == columns else X[columns])
        return K if K.flags.writeable else K.copy()

    return Plan(leaf, tile, lambda: np.asarray(leaf.gram_diag(X)))


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
        value = step.learn_from_tiles(lambda: work.over(tile_of, inner, n, work.progress), facts, y, n)
        step = step.with_state(value, X if step.keeps_rows else None)
    diagonal = step.new_diagonal(Side(X, lambda: d, lambda: np.empty((n, 0))), facts)
    raised = step.added_diagonal() if learns_here else None  # on the diagonal of the training rows

    def tile(rows: slice, columns: slice) -> Array:
        fx, fy = (None, None) if facts is None else (facts[rows], facts[columns])
        K: Array = step.new_matrix(inner.tile(rows, columns), fx, fy)
        if raised is not None and rows == columns:
            K[np.diag_indices_from(K)] += raised[rows]
        return K

    return Plan(step, tile, lambda: diagonal if raised is None else diagonal + raised)


def _strip(plan: Plan, rows: slice, n: int, block: int) -> Array:
    """Return k(rows, all rows), one tile at a time."""
    K = np.empty((rows.stop - rows.start, n))
    for columns in strips(n, block):
        K[:, columns] = plan.tile(rows, columns)
    return K


#: Rows of a tile where the budget allows it: 32 MiB, large enough that the overhead of a tile is negligible.
LARGEST_BLOCK = 2048
#: Memory of a tile, its temporaries and the copy being written, in units of one float64 tile.
_TILES = 5
_SMALLEST_BLOCK = 16


def gram_blocks(
    kernel: Kernel,
    X: Any,
    out: str | Path | None = None,
    *,
    y: Any = None,
    block: int | None = None,
    jobs: int = 1,
    backend: Backend = "auto",
    progress: Progress = silent,
) -> Array:
    """Return the Gram matrix k(X), (n, n), computed by tiles in memory or in a memory-mapped .npy file.

        K[i, j] = k(x_i, x_j), every tile above the diagonal evaluated once and mirrored

    Equal to `kernel(X)` (with labels, to `kernel.fold(X, y=y).K`) up to rounding, and identical to the last bit for
    every number of `jobs` and every `backend`. Steps that learn are fitted once on all rows; a heuristic bandwidth or a
    centre needs a pass over all tiles for each such step. An empirical map evaluates n·block values of the inner
    kernel twice for every tile.

    Parameters
    ----------
    kernel, X, y : kernel, fitted or not, its n rows, and labels where a step learns from them. A kernel that exists for
        all rows at once must be bound, and X are row numbers.
    out : a new file. It is written as `out`.part, which an interruption removes, and renamed when it is complete.
    block : rows of a tile, by default the largest up to 2048 that the budget allows.
    jobs, backend : workers, as in `sweep`: "threading", "loky", "dask"; tiles lost to a dead worker are recomputed.
    progress : called with the number of finished tiles and their total, also in each earlier pass over all tiles that
        a step learns from.

    Returns the array; with `out`, the file mapped read-only. Raises DataError before allocating if memory or disk are
    too small, and for a file of another matrix; ParameterError; TransductiveError.

    >>> from kernlib import RBF
    >>> X = np.linspace(0.0, 1.0, 50)[:, None]
    >>> bool(abs(gram_blocks(RBF(sigma=0.5), X, block=16) - RBF(sigma=0.5)(X)).max() < 1e-14)
    True
    """
    require_kernel("gram_blocks", "kernel", kernel)
    rows = kernel.checked_rows(X)
    n = len(rows)
    output = 8 * n * n if out is None else 0
    work = Work(block_of(kernel, n, block, jobs, "gram_blocks", output), jobs, backend, progress=progress)
    if out is None:
        K = np.empty((n, n))
        return filled(K, planned(kernel, rows, y, work), work, progress)
    return _to_file(Path(out), planned(kernel, rows, y, work), n, work)


def filled(K: Array, plan: Plan, work: Work, progress: Progress) -> Array:
    """Compute all tiles into the (n, n) array K and return it."""
    with closing(work.over(tile_of, plan, len(K), progress)) as tiles:
        for (rows, columns), tile in tiles:
            K[rows, columns] = tile
            if rows != columns:
                K[columns, rows] = tile.T
    return K


def _to_file(out: Path, plan: Plan, n: int, work: Work) -> Array:
    part = out.with_name(out.name + ".part")
    for file in (out, part):
        if file.exists():
            raise DataError(
                f"{file}: the file exists already; expected a new name. Delete it, or choose another name. A .part "
                "file is being written, or is left by a command that was killed."
            )
    size = 8 * n * n
    try:
        free = shutil.disk_usage(out.parent).free
        if size > free:
            raise DataError(
                f"{out}: {n} rows need {size / 2**30:.3g} GiB on disk; expected at most the {free / 2**30:.3g} GiB "
                f"that are free. Take at most {int((free / 8) ** 0.5)} rows, or another disk."
            )
        K = np.lib.format.open_memmap(part, mode="w+", dtype=np.float64, shape=(n, n))
    except OSError as error:
        raise DataError(
            f"{out}: a file of {size / 2**30:.3g} GiB cannot be written there, {error.strerror or error}. Free space, "
            "or choose a directory that is yours."
        ) from None
    try:
        filled(K, plan, work, work.progress)
        K.flush()
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    del K  # a mapped file cannot be renamed everywhere
    part.replace(out)
    mapped: Array = np.load(out, mmap_mode="r")
    return mapped


def block_of(kernel: Kernel, n: int, block: int | None, jobs: int, owner: str, output: int = 0) -> int:
    """Return the rows of a tile within the memory budget of `jobs` workers and `output` bytes; else raise DataError."""
    for name, value in (("block", block), ("jobs", jobs)):
        if value is not None and not (isinstance(value, int | np.integer) and value >= 1):
            raise ParameterError(f"{owner}: {name} must be a whole number from 1 on; got {value!r}. Try {name}=1024.")
    budget = memory_budget()
    if output > budget:
        raise DataError(
            f"{owner}: the matrix of {n} rows takes {output / 2**30:.3g} GiB; expected at most {budget / 2**30:.3g} "
            f"GiB. Name a file, out='K.npy', or take at most {int(n * (budget / output) ** 0.5 * 0.95)} rows."
        )
    # As many results wait to be written as there are workers.
    room = (budget - output) / (2 * max(1, jobs) * 8)
    strip = 2 * n if _reads_strips(kernel) else 0
    largest = int(((strip**2 + 4 * _TILES * room) ** 0.5 - strip) / (2 * _TILES))
    rows = min(n, LARGEST_BLOCK, largest) if block is None else min(n, block)
    if rows > largest or (rows < min(n, _SMALLEST_BLOCK) and block is None):
        raise DataError(
            f"{owner}: tiles of {max(rows, _SMALLEST_BLOCK)} rows for {jobs} workers need more than the "
            f"{budget / 2**30:.3g} GiB of the memory budget; expected at most {max(largest, 0)} rows a tile. Choose a "
            "smaller block, fewer jobs, or set KERNLIB_MEMORY_MB higher."
        )
    return int(rows)


def _reads_strips(kernel: Kernel) -> bool:
    """Return whether a step compares its rows with all training rows: each tile then needs a strip as wide as K."""
    if isinstance(kernel, Shorthand):
        return _reads_strips(kernel.stands_for)
    return getattr(kernel, "keeps_rows", False) or any(map(_reads_strips, kernel.children))


class GramOperator:
    """A Gram matrix k(X) for products with columns, which is not stored.

        (K V)_i = Σ_j k(x_i, x_j) V_j,  the tiles above the diagonal evaluated once and used twice

    Every product evaluates all tiles again: n²/2 kernel values, and no memory for the matrix. On a cluster each worker
    receives V once and returns its tiles' contribution to K V. Parameters and errors as in `gram_blocks`.

    >>> from kernlib import RBF
    >>> X, V = np.linspace(0.0, 1.0, 40)[:, None], np.ones((40, 2))
    >>> K = GramOperator(RBF(sigma=0.5), X, block=16)
    >>> K.shape, bool(abs(K @ V - RBF(sigma=0.5)(X) @ V).max() < 1e-12)
    ((40, 40), True)
    """

    def __init__(
        self,
        kernel: Kernel,
        X: Any,
        *,
        y: Any = None,
        block: int | None = None,
        jobs: int = 1,
        backend: Backend = "auto",
        progress: Progress = silent,
    ) -> None:
        require_kernel("GramOperator", "kernel", kernel)
        rows = kernel.checked_rows(X)
        owner = "GramOperator"
        self.work = Work(block_of(kernel, len(rows), block, jobs, owner), jobs, backend, owner, progress)
        self.shape = (len(rows), len(rows))
        self.dtype = np.dtype(np.float64)
        self._plan: Plan = planned(kernel, rows, y, self.work)

    @property
    def kernel(self) -> Kernel:
        """Return the kernel fitted on the rows."""
        fitted: Kernel = self._plan.kernel
        return fitted

    @cached_property
    def diagonal(self) -> Array:
        """Return k(x, x) of every row, (n,)."""
        return self._plan.diag()

    def toarray(self, progress: Progress = silent) -> Array:
        """Return the whole matrix, (n, n), in memory."""
        return filled(np.empty(self.shape), self._plan, self.work, progress)

    def __matmul__(self, V: Array) -> Array:
        """Return K V for V (n, k) or (n,)."""
        return self.times(V)

    def times(self, V: Array, progress: Progress = silent) -> Array:
        """Return K V; `progress` is called with the number of finished tiles and their total."""
        given = np.asarray(V, dtype=np.float64)
        if given.ndim not in (1, 2) or len(given) != self.shape[0]:
            raise DataError(
                f"GramOperator: V must have one row for each of the {self.shape[0]} rows of K; got shape "
                f"{given.shape}. Pass (n,) or (n, k)."
            )
        V = given.reshape(len(given), -1)
        out = np.zeros_like(V)
        products = self.work.over(_products, self._plan, self.shape[0], progress, V)
        for (rows, columns), (upper, lower) in products:
            out[rows] += upper
            if lower is not None:
                out[columns] += lower
        return out.reshape(given.shape)


def _products(plan: Plan, place: Place, V: Array) -> tuple[Array, Array | None]:
    """Return a tile's contribution to K V at its rows, and its mirror image's at its columns."""
    (rows, columns), K = place, tile_of(plan, place)
    return K @ V[columns], None if rows == columns else K.T @ V[rows]
