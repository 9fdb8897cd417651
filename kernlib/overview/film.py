"""A kernel watched while one of its numbers moves: the pictures of every value, small enough to be played."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import ArrayLike

from ..analysis.averaging import block_means
from ..analysis.factored import alignment
from ..analysis.gram import centred_alignment, diagonal_ratio
from ..analysis.relevant import relevant_dimension
from ..analysis.spectrum import Decomposition, decompose, kernel_pca
from ..errors import DegenerateError
from ..values.arrays import Array, RowNumbers
from ..values.factor import Factor
from ..values.labels import AskedTask, read_labels
from .quick import QuickErrors, quick_errors
from .sentence import Observation, observe, observe_factor

__all__ = ["CELLS", "Film", "Frame", "feature_plane", "frame_of", "frame_of_factor", "missing_frame", "turned"]

#: At most so many cells along a side of a frame's matrix.
CELLS = 120


@dataclass(frozen=True, eq=False)
class Frame:
    """One value's pictures; see `frame_of`. Where the kernel could not be evaluated `problem` says why.

    `value` of the number; `cells` (b, b) float32 block means of K in `order`, over the mean diagonal `scale`;
    `block` rows a cell stands for; `ratio` mean diagonal over mean |off-diagonal|; `plane` (n, 2) float32 the
    two leading centred kernel PCA scores over √scale, `explained` (2,) their share of the trace;
    `coefficients` (n,) |s_i|, of classes beyond two their root sum of squares, and the cut `dimension`;
    `likelihood` −log ℓ at the cut; `seen` the numbers for a sentence, with the quick errors; centred
    `alignment` with the labels.
    """

    value: Any
    cells: Array
    block: int
    scale: float
    ratio: float
    plane: Array
    explained: tuple[float, float]
    coefficients: Array
    dimension: int | None
    likelihood: float
    seen: Observation | None
    problem: str = ""
    alignment: float = math.nan

    @property
    def errors(self) -> QuickErrors | None:
        """The quick errors, None without labels."""
        return None if self.seen is None else self.seen.errors


@dataclass(frozen=True, eq=False)
class Film:
    """Frames over the `values` of one number, called `name` (its letter or word), on one order of the rows."""

    name: str
    frames: tuple[Frame, ...]

    @property
    def values(self) -> tuple[Any, ...]:
        """The values of the number, frame by frame."""
        return tuple(frame.value for frame in self.frames)


def frame_of(
    K: ArrayLike,
    y: ArrayLike | None,
    order: ArrayLike,
    value: Any,
    *,
    task: AskedTask = "auto",
    groups: ArrayLike | None = None,
    decomposition: Decomposition | None = None,
    cells: int = CELLS,
) -> Frame:
    """One frame: the matrix in blocks, the feature map's leading plane, the label coefficients, quick errors.

    Parameters: `K` (n, n) symmetric; `y` (n,) or None; `order` (n,) of the rows, the same for all frames of a
    film; `value` what the frame is called; `groups` (n,) rows that belong together; `decomposition` of K.
    Raises DataError for a K that is not symmetric and finite.

    >>> import numpy as np
    >>> x = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> frame = frame_of(np.outer(x, x), [0, 0, 1, 1], [0, 1, 2, 3], 1.0)
    >>> frame.cells.shape, frame.plane.shape, frame.dimension
    ((4, 4), (4, 2), 1)
    """
    matrix = np.asarray(K, dtype=np.float64)
    mean = float(np.abs(matrix.diagonal()).mean())
    scale = mean if mean > 0 else 1.0
    small, block = block_means(matrix, cells, order)
    plane, explained = feature_plane(matrix)
    coefficients, dimension, likelihood, seen = np.empty(0, dtype=np.float32), None, math.nan, observe(matrix)
    alignment = math.nan
    if y is not None:
        found = decompose(matrix) if decomposition is None else decomposition
        errors = quick_errors(matrix, y, task=task, groups=groups, decomposition=found)
        alignment = centred_alignment(matrix, read_labels(y, task, len(matrix), "frame_of").targets)
        relevant = None
        with suppress(DegenerateError):  # all labels are zero: there is nothing to cut
            relevant = relevant_dimension(matrix, y, task=task, decomposition=found, centred=True)
        seen = observe(matrix, y, task=task, relevant=relevant, errors=errors)
        if relevant is not None:
            coefficients = np.sqrt(relevant.energy).astype(np.float32)
            dimension, likelihood = relevant.dimension, relevant.minimum
    return Frame(
        value=value,
        cells=(small / scale).astype(np.float32),
        block=block,
        scale=scale,
        ratio=diagonal_ratio(matrix),
        plane=(plane / math.sqrt(scale)).astype(np.float32),
        explained=explained,
        coefficients=coefficients,
        dimension=dimension,
        likelihood=likelihood,
        seen=seen,
        alignment=alignment,
    )


def frame_of_factor(
    K: Factor,
    y: ArrayLike | None,
    sample: RowNumbers,
    order: ArrayLike,
    value: Any,
    *,
    task: AskedTask = "auto",
    groups: ArrayLike | None = None,
    decomposition: Decomposition | None = None,
) -> Frame:
    """`frame_of` of FF': the pictures of the rows `sample`, in their `order`; numbers and coefficients of all rows.

    >>> import numpy as np
    >>> F = Factor(np.array([[-2.0], [-1.0], [1.0], [2.0]]))
    >>> frame = frame_of_factor(F, [0, 0, 1, 1], np.array([0, 3]), [0, 1], 1.0)
    >>> frame.cells.shape, frame.seen.n, frame.errors.centroid
    ((2, 2), 4, 0.0)
    """
    picture = frame_of(K.dense(sample), None, order, value)
    assert picture.seen is not None
    if y is None:
        return replace(picture, seen=observe_factor(K, None, picture.seen))
    found = decompose(K, owner="frame_of_factor") if decomposition is None else decomposition
    errors = quick_errors(K, y, task=task, groups=groups, decomposition=found)
    relevant = None
    with suppress(DegenerateError):  # all labels are zero: there is nothing to cut
        relevant = relevant_dimension(K, y, task=task, decomposition=found, centred=True)
    return replace(
        picture,
        seen=observe_factor(K, y, picture.seen, task=task, relevant=relevant, errors=errors),
        alignment=alignment(K, read_labels(y, task, len(K), "frame_of_factor").targets),
        coefficients=picture.coefficients
        if relevant is None
        else np.sqrt(relevant.energy[: len(found.eigenvalues)]).astype(np.float32),
        dimension=None if relevant is None else relevant.dimension,
        likelihood=math.nan if relevant is None else relevant.minimum,
    )


def missing_frame(value: Any, n: int, problem: str) -> Frame:
    """The frame of a value at which the kernel cannot be evaluated: empty, with the reason."""
    return Frame(
        value, np.full((1, 1), np.nan, np.float32), 1, 1.0, math.nan, np.full((n, 2), np.nan, np.float32),
        (math.nan, math.nan), np.empty(0, np.float32), None, math.nan, None, problem,
    )  # fmt: skip


def feature_plane(K: ArrayLike) -> tuple[Array, tuple[float, float]]:
    """The two leading centred kernel PCA scores, (n, 2), and the share of the trace that each carries.

    Where all rows coincide the scores are 0 and the shares nan. Parameters: `K` (n, n) symmetric.

    >>> import numpy as np
    >>> scores, shares = feature_plane(np.outer([0.0, 1.0, 2.0], [0.0, 1.0, 2.0]))
    >>> np.abs(scores[:, 0]).round(6), round(shares[0], 6)
    (array([1., 0., 1.]), 1.0)
    """
    n = len(np.asarray(K))
    try:
        found = kernel_pca(K, centered=True, components=min(2, n))
    except DegenerateError:
        return np.zeros((n, 2)), (math.nan, math.nan)
    scores = np.zeros((n, 2))
    scores[:, : found.scores.shape[1]] = found.scores
    shares = [*found.explained.tolist(), 0.0][:2]
    return scores, (shares[0], shares[1])


def turned(planes: Sequence[Array]) -> list[Array]:
    """Each (n, 2) map turned or mirrored onto the one before it, so that nothing flips between frames.

    The orthogonal R that minimises ‖A R − B‖ (orthogonal Procrustes); distances within a map stay what they
    are. Maps with nan are passed over. Reference: Schönemann, Psychometrika 31, 1966.

    >>> import numpy as np
    >>> a = np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, -2.0]])
    >>> bool(np.allclose(turned([a, -a])[1], a))
    True
    """
    found: list[Array] = []
    before: Array | None = None
    for plane in planes:
        if not np.isfinite(plane).all():
            found.append(plane)
            continue
        if before is not None and plane.any() and before.any():
            rotation, _ = scipy.linalg.orthogonal_procrustes(plane.astype(np.float64), before.astype(np.float64))
            plane = (plane @ rotation).astype(plane.dtype)
        found.append(plane)
        if plane.any():
            before = plane
    return found
