"""Frames of a kernel over one of its parameters: one small picture for every value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..analysis.gram import centred_alignment, diagonal_ratio
from ..analysis.matrix import block_means, diagonal_means
from ..analysis.relevant import relevant_dimension
from ..analysis.spectrum import Decomposition, decompose, kernel_pca
from ..errors import DegenerateError
from ..protocols import HalvesErrors
from ..values.arrays import Array, RowNumbers
from ..values.factor import Factor
from ..values.labels import AskedTask, read_labels
from .quick import QuickErrors, quick_errors
from .sentence import Observation, observe

#: Maximum number of cells along a side of a frame's matrix.
CELLS = 120


@dataclass(frozen=True, eq=False)
class Frame:
    """The pictures of a kernel with one value of the film's parameter; see `frame_of`.

    `problem` is the reason if the kernel cannot be evaluated.

    `value` of the parameter; `cells` (b, b) float32 block means of K in `order`, on the diagonal of k(x, x),
    over the mean diagonal `scale`;
    `block` rows in a cell; `ratio` mean diagonal over mean |off-diagonal|; `plane` (n, 2) float32 the
    two leading centred kernel PCA scores over √scale, `explained` (2,) their share of the trace;
    `likelihood` −log ℓ at the cut d̂; `seen` the numbers of the sentence, with the errors on the halves; centred
    `alignment` with the labels; `quick` the quick errors, which rank kernels and are drawn nowhere else.
    """

    value: Any
    cells: Array
    block: int
    scale: float
    ratio: float
    plane: Array
    explained: tuple[float, float]
    likelihood: float = math.nan
    seen: Observation | None = None
    problem: str = ""
    alignment: float = math.nan
    quick: QuickErrors | None = None

    @property
    def errors(self) -> HalvesErrors | None:
        """Return the errors on the halves; None where they are unknown."""
        return None if self.seen is None else self.seen.errors


def frame_of(
    K: ArrayLike | Factor,
    y: ArrayLike | None,
    order: ArrayLike,
    value: Any,
    *,
    task: AskedTask = "auto",
    groups: ArrayLike | None = None,
    decomposition: Decomposition | None = None,
    errors: HalvesErrors | None = None,
    criteria: bool = True,
    cells: int = CELLS,
    sample: RowNumbers | None = None,
) -> Frame:
    """Return one frame: the matrix in blocks, the feature map's leading plane, errors.

    Parameters: `K` (n, n) symmetric, or a `Factor`, whose pictures show the rows `sample` and whose numbers are of all
    rows; `y` (n,) or None; `order` of the rows drawn, the same for all frames of a film; `value` the name of the frame;
    `groups` (n,) one name a row; `decomposition` of K; `errors` on the halves, which K alone does not give where the
    kernel learns; `criteria` whether −log ℓ, quick errors and alignment are computed, which takes all
    eigenpairs. Raises DataError for a K that is not symmetric and finite.

    >>> import numpy as np
    >>> x = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> frame = frame_of(np.outer(x, x), [0, 0, 1, 1], [0, 1, 2, 3], 1.0)
    >>> frame.cells.shape, frame.plane.shape, frame.seen.labels
    ((4, 4), (4, 2), 'the labels lie in the first direction. 10% lie outside')
    >>> frame = frame_of(Factor(x[:, None]), [0, 0, 1, 1], [0, 1], 1.0, sample=np.array([0, 3]))
    >>> frame.cells.shape, frame.seen.n, frame.quick.centroid
    ((2, 2), 4, 0.0)
    """
    matrix = K.dense(sample) if isinstance(K, Factor) else np.asarray(K, dtype=np.float64)
    whole: Array | Factor = K if isinstance(K, Factor) else matrix
    mean = float(np.abs(matrix.diagonal()).mean())
    scale = mean if mean > 0 else 1.0
    small, block = block_means(matrix, cells, order)
    if block > 1:
        np.fill_diagonal(small, diagonal_means(matrix, block, order))
    plane, explained = feature_plane(matrix)
    frame = Frame(
        value=value,
        cells=(small / scale).astype(np.float32),
        block=block,
        scale=scale,
        ratio=diagonal_ratio(matrix),
        plane=(plane / math.sqrt(scale)).astype(np.float32),
        explained=explained,
    )
    if y is None:
        return replace(frame, seen=observe(whole, sample=sample))
    if not criteria:
        return replace(frame, seen=observe(whole, y, task=task, errors=errors, sample=sample))
    pairs = decompose(whole, owner="frame_of") if decomposition is None else decomposition
    quick = quick_errors(whole, y, task=task, groups=groups, decomposition=pairs)
    relevant = None
    with suppress(DegenerateError):  # all labels are zero: there is nothing to cut
        relevant = relevant_dimension(whole, y, task=task, decomposition=pairs, centred=True)
    frame = replace(
        frame,
        seen=observe(whole, y, task=task, relevant=relevant, errors=errors, sample=sample),
        quick=quick,
        alignment=centred_alignment(whole, read_labels(y, task, len(whole), "frame_of").targets),
    )
    return frame if relevant is None else replace(frame, likelihood=relevant.minimum)


def missing_frame(value: Any, n: int, problem: str) -> Frame:
    """Return an empty frame with the reason why the kernel cannot be evaluated."""
    cells, plane = np.full((1, 1), np.nan, np.float32), np.full((n, 2), np.nan, np.float32)
    return Frame(value, cells, 1, 1.0, math.nan, plane, (math.nan, math.nan), problem=problem)


def feature_plane(K: ArrayLike) -> tuple[Array, tuple[float, float]]:
    """Return the two leading centred kernel PCA scores, (n, 2), and the share of the trace of each.

    Where all rows coincide the scores are 0 and the shares nan. Parameters: `K` (n, n) symmetric.

    >>> import numpy as np
    >>> scores, shares = feature_plane(np.outer([0.0, 1.0, 2.0], [0.0, 1.0, 2.0]))
    >>> np.abs(scores[:, 0]).round(6), round(shares[0], 6)
    (array([1., 0., 1.]), 1.0)
    """
    n = len(np.asarray(K))
    try:
        pca = kernel_pca(K, centered=True, components=min(2, n))
    except DegenerateError:
        return np.zeros((n, 2)), (math.nan, math.nan)
    scores = np.zeros((n, 2))
    scores[:, : pca.scores.shape[1]] = pca.scores
    shares = [*pca.explained.tolist(), 0.0][:2]
    return scores, (shares[0], shares[1])


def turned(planes: Sequence[Array], start: int = 0, like: Array | None = None) -> list[Array]:
    """Return each (n, 2) map rotated or mirrored onto its neighbour's, outwards from `start`.

    The map `start` stays as it is, or is rotated onto `like`.

    The orthogonal R minimises ‖A R − B‖ (orthogonal Procrustes); distances within a map do not change. Maps with nan
    are skipped. Reference: Schönemann, Psychometrika 31, 1966.

    >>> import numpy as np
    >>> a = np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, -2.0]])
    >>> bool(np.allclose(turned([a, -a])[1], a))
    True
    """
    maps = [*planes]
    for numbers in (range(start, len(maps)), range(start, -1, -1)):
        _turn_in_order(maps, numbers, like)
    return maps


def _turn_in_order(maps: list[Array], numbers: Sequence[int], before: Array | None) -> None:
    from scipy.linalg import orthogonal_procrustes

    for i in numbers:
        plane = maps[i]
        if not np.isfinite(plane).all():
            continue
        if before is not None and plane.any() and before.any():
            rotation, _ = orthogonal_procrustes(plane.astype(np.float64), before.astype(np.float64))
            maps[i] = plane = (plane @ rotation).astype(plane.dtype)
        if plane.any():
            before = plane
