"""What a page draws and says of a Gram matrix and its labels: small pictures, a few numbers, and a sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DegenerateError
from ..values.arrays import Array, Factor, RowNumbers
from ..values.labels import AskedTask, HalvesErrors, read_labels
from ..values.words import number, percent
from .gram import class_means, diagonal_ratio
from .matrix import block_means, square
from .spectrum import kernel_pca

#: Maximum number of cells along a side of the small matrix.
CELLS = 120
#: From this ratio of mean diagonal to mean |off-diagonal| on, a picture shows the diagonal alone.
LARGE = 5.0
#: An unexplained variance above this share of that of the mean is hardly better than it.
_GUESSING = 0.9


def _nothing() -> Array:
    return np.empty((0, 0), np.float32)


@dataclass(frozen=True, eq=False)
class Summary:
    """The result of `summarise`; nan, None or "" where something does not exist.

    `n` rows; `diagonal_ratio` mean k(x, x) over mean |k(x, x′)|, 0…inf; `largest` the share of the largest k(x, x) in
    their sum; `spread` the standard deviation of the k(x, x′) over the mean k(x, x), where levels are compared;
    `constant` whether all entries are one value to rounding; `within` and `between` the mean k(x, x′) of pairs of one
    class and of two; `errors` on the halves; `problem` the reason if the kernel
    cannot be evaluated.

    The pictures, empty without an order of the rows: `cells` (b, b) float32 block means of K in that order, on the
    diagonal of k(x, x), over the mean diagonal, which is `unit`; `plane` (n, 2) float32 the two leading centred kernel
    PCA scores over the root of the mean diagonal, and `explained` (2,) their share of the trace.
    """

    n: int
    diagonal_ratio: float = math.nan
    largest: float = math.nan
    spread: float = math.nan
    constant: bool = False
    within: float = math.nan
    between: float = math.nan
    errors: HalvesErrors | None = None
    cells: Array = field(default_factory=_nothing)
    unit: float = 1.0
    plane: Array = field(default_factory=_nothing)
    explained: tuple[float, float] = (math.nan, math.nan)
    problem: str = ""


def summarise(
    K: ArrayLike | Factor,
    y: ArrayLike | None = None,
    order: ArrayLike | None = None,
    *,
    task: AskedTask = "auto",
    errors: HalvesErrors | None = None,
    cells: int = CELLS,
    sample: RowNumbers | None = None,
) -> Summary:
    """Return the summary of a Gram matrix or of its factor; no eigendecomposition of the whole matrix is computed.

    Parameters: `K` (n, n), or a `Factor`, whose pictures and entries are those of the rows `sample` and whose class
    means are of all rows; `y` (n,) or None; `order` of the rows drawn, the same for all values of a slider, None for no
    pictures; `errors` if computed; `cells` the most along a side.
    Raises DataError for a K that is not square and finite, or labels that do not fit.

    >>> seen = summarise(np.array([[2.0, 1.0, 0.5], [1.0, 2.0, 0.5], [0.5, 0.5, 2.0]]), [0, 0, 1], [0, 1, 2])
    >>> seen.within, seen.between, seen.diagonal_ratio, seen.cells.shape, seen.plane.shape
    (1.0, 0.5, 3.0, (3, 3), (3, 2))
    """
    matrix = K.dense(sample) if isinstance(K, Factor) else square(K, "summarise")
    whole: Array | Factor = K if isinstance(K, Factor) else matrix
    low, high = float(matrix.min()), float(matrix.max())
    within = between = math.nan
    if y is not None:
        labels = read_labels(y, task, len(whole), "summarise")
        if labels.codes is not None:
            pairs = np.outer(labels.counts, labels.counts) - np.diag(labels.counts)
            sums = np.nan_to_num(class_means(whole, labels.codes)) * pairs
            own, same = float(np.trace(sums)), int(np.trace(pairs))
            within = own / same if same else math.nan
            between = (float(sums.sum()) - own) / (int(pairs.sum()) - same)
    drawn, plane, explained, unit = _nothing(), _nothing(), (math.nan, math.nan), 1.0
    if order is not None:
        unit = float(np.abs(matrix.diagonal()).mean()) or 1.0
        drawn, _ = block_means(matrix, cells, order)
        plane, explained = _feature_plane(matrix)
        drawn, plane = (drawn / unit).astype(np.float32), (plane / math.sqrt(unit)).astype(np.float32)
    return Summary(
        n=len(whole),
        diagonal_ratio=diagonal_ratio(matrix),
        largest=float(matrix.diagonal().max() / (matrix.diagonal().sum() or math.nan)),
        constant=high - low <= 1e-12 * max(abs(low), abs(high)),
        within=within,
        between=between,
        errors=errors,
        cells=drawn,
        unit=unit,
        plane=plane,
        explained=explained,
    )


def plain_words(numbers: Summary, row: str = "row", rows: str = "rows") -> str:
    """Return what the picture says, a line each: similarity and errors.

    Parameters: `row`, `rows` the nouns for one row and several.

    >>> plain_words(Summary(4, 1.5, within=0.8, between=0.5))
    'On average rows of one class are 1.6 times as similar as rows of different classes.'
    """
    if numbers.problem:
        return numbers.problem
    if numbers.n < 2:
        return f"A single {row} cannot be compared with another."
    if numbers.constant:
        return f"All pairs of {rows} are equally similar: this kernel does not distinguish them."
    error = "" if numbers.errors is None else errors_in_words(numbers.errors, numbers.diagonal_ratio >= LARGE)
    parts = filter(None, (_likeness(numbers, row, rows), error))
    return "\n".join(f"{part[0].upper()}{part[1:]}." for part in parts)


def _likeness(numbers: Summary, row: str, rows: str) -> str:
    ratio = numbers.diagonal_ratio
    alike = f"on average each {row} is {_times(ratio)} times as similar to itself as to another {row}"
    if ratio == math.inf:
        return f"each {row} is similar only to itself: a machine can only memorise"
    if ratio >= LARGE:
        return (
            f"{alike}; a single {row} makes up {percent(numbers.largest)} of that" if numbers.largest > 0.5 else alike
        )
    return _classes(numbers, rows) or alike


def _classes(numbers: Summary, rows: str) -> str:
    within, between = numbers.within, numbers.between
    if not (math.isfinite(within) and math.isfinite(between)):
        return ""
    if between > 0 and within > 0:
        ratio = within / between
        if 0.98 <= ratio <= 1.02:
            return f"on average {rows} of one class are about as similar as {rows} of different classes"
        if ratio > 1:
            return f"on average {rows} of one class are {_times(ratio)} times as similar as {rows} of different classes"
        means = f"({number(within, 2)} against {number(between, 2)})"
        return f"on average {rows} of one class are less similar than {rows} of different classes {means}"
    side = "more" if within > between else "less"
    others = f"{rows} of different classes ({number(between, 2)})"
    return f"on average {rows} of one class are {side} similar ({number(within, 2)}) than {others}"


def errors_in_words(errors: HalvesErrors, large_diagonal: bool = False) -> str:
    """Return the errors on training and test rows with what they mean; `large_diagonal` may make them a surprise.

    >>> errors_in_words(HalvesErrors("classification", "error", (0.02, 0.04), (0.0, 0.0), 0.5, 200, 100), True)
    'a support vector machine learns anyway: training error 0%, test error 3%'
    """
    seen = ", where the kernel has seen the test rows without their labels" if errors.transductive else ""
    training, test = percent(errors.training), percent(errors.test)
    if errors.task == "regression":
        if errors.test >= _GUESSING:
            return f"{errors.by} is hardly better than the mean: unexplained variance {test}{seen}"
        parts = f"{test} of the variance of new rows unexplained, {training} of that of training rows"
        return f"{errors.by} leaves {parts}{seen}"
    verdict: str = errors.verdict
    if verdict == "does not learn" and errors.test < errors.chance:
        verdict = "hardly learns"
    elif verdict == "learns" and large_diagonal:
        verdict = "learns anyway"
    balanced = "balanced " if errors.measure == "balanced error" else ""
    words = f"{errors.by} {verdict}: {balanced}training error {training}, test error {test}{seen}"
    return words if errors.verdict == "learns" else f"{words}; guessing {percent(errors.chance)}"


def _times(ratio: float) -> str:
    if 1 < ratio < 1.1:  # "1.0 times" would say that nothing differs
        return f"{ratio:.2f}"
    return f"{ratio:.1f}" if ratio < 9.95 else f"{ratio:.0f}" if ratio < 1e6 else number(ratio, 1)


def _feature_plane(K: ArrayLike) -> tuple[Array, tuple[float, float]]:
    """Return the two leading centred kernel PCA scores, (n, 2), and the share of the trace of each.

    Where all rows coincide the scores are 0 and the shares nan. Parameters: `K` (n, n) symmetric.
    """
    n = len(np.asarray(K))
    scores, shares = np.zeros((n, 2)), np.zeros(2)
    try:
        pca = kernel_pca(K, centered=True, components=min(2, n))
    except DegenerateError:
        return scores, (math.nan, math.nan)
    scores[:, : len(pca.explained)], shares[: len(pca.explained)] = pca.scores, pca.explained
    return scores, (float(shares[0]), float(shares[1]))


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
    from scipy.linalg import orthogonal_procrustes

    maps = [*planes]
    for numbers in (range(start, len(maps)), range(start, -1, -1)):
        before = like
        for i in numbers:
            plane = maps[i]
            if not np.isfinite(plane).all() or not plane.any():
                continue
            if before is not None and before.any():
                rotation, _ = orthogonal_procrustes(plane.astype(np.float64), before.astype(np.float64))
                maps[i] = plane = (plane @ rotation).astype(plane.dtype)
            before = plane
    return maps
