"""A sentence about a Gram matrix in plain English, made from its numbers alone."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..analysis.gram import class_means, diagonal_ratio
from ..analysis.matrix import square
from ..analysis.relevant import RelevantDimension
from ..protocols import HalvesErrors
from ..values.arrays import Array, RowNumbers
from ..values.factor import Factor
from ..values.labels import AskedTask, read_labels
from ..values.words import number, percent

#: From this ratio of mean diagonal to mean |off-diagonal| on, a picture shows the diagonal alone.
LARGE = 5.0
#: An unexplained variance above this share of that of the mean is hardly better than it.
_GUESSING = 0.9


@dataclass(frozen=True)
class Observation:
    """The numbers of a sentence; nan or None where one does not exist.

    `n` rows; `diagonal_ratio` mean k(x, x) over mean |k(x, x′)|, 0…inf; `constant` whether all entries are
    one value to rounding; `within` and `between` the mean k(x, x′) of pairs of one class and of two;
    `labels` where they lie as text, "" where that is not known; `errors` on the halves, or None.
    """

    n: int
    diagonal_ratio: float
    constant: bool
    within: float = math.nan
    between: float = math.nan
    labels: str = ""
    errors: HalvesErrors | None = None


def observe(
    K: ArrayLike | Factor,
    y: ArrayLike | None = None,
    *,
    task: AskedTask = "auto",
    relevant: RelevantDimension | None = None,
    errors: HalvesErrors | None = None,
    sample: RowNumbers | None = None,
) -> Observation:
    """Return the numbers of a Gram matrix or of its factor that `plain_words` reads.

    Parameters: `K` (n, n), or a `Factor`, of which the size of the entries comes from the rows `sample` and the rest
    from all rows; `y` (n,) or None; `relevant` and `errors` if computed.
    Raises DataError for a K that is not square and finite, or labels that do not fit.

    >>> import numpy as np
    >>> seen = observe(np.array([[2.0, 1.0, 0.5], [1.0, 2.0, 0.5], [0.5, 0.5, 2.0]]), [0, 0, 1])
    >>> seen.within, seen.between, seen.diagonal_ratio
    (1.0, 0.5, 3.0)
    """
    matrix = K.dense(sample) if isinstance(K, Factor) else square(K, "observe")
    whole: Array | Factor = K if isinstance(K, Factor) else matrix
    low, high = float(matrix.min()), float(matrix.max())
    within = between = math.nan
    if y is not None:
        labels = read_labels(y, task, len(whole), "observe")
        if labels.codes is not None:
            within, between = _within_between(class_means(whole, labels.codes), labels.counts)
    return Observation(
        n=len(whole),
        diagonal_ratio=diagonal_ratio(matrix) if len(matrix) > 1 else math.nan,
        constant=high - low <= 1e-12 * max(abs(low), abs(high)),
        within=within,
        between=between,
        labels="" if relevant is None else relevant.words(),
        errors=errors,
    )


def _within_between(means: np.ndarray, counts: np.ndarray) -> tuple[float, float]:
    """Return the mean over all pairs of rows of one class, and of two classes."""
    pairs = np.outer(counts, counts).astype(np.float64)
    one = counts * (counts - 1.0)
    inside = np.where(one > 0, np.diagonal(means), 0.0)
    off = ~np.eye(len(counts), dtype=bool)
    within = float((inside * one).sum() / one.sum()) if one.sum() else math.nan
    return within, float((means * pairs)[off].sum() / pairs[off].sum())


def plain_words(numbers: Observation, row: str = "row", rows: str = "rows") -> str:
    """Return what the picture says, a sentence each: similarity, directions where they are known, errors.

    Parameters: `row`, `rows` the nouns for one row and several.

    >>> plain_words(Observation(4, 1.5, False, within=0.8, between=0.5))
    'Rows of one class are 1.6 times as similar as rows of different classes.'
    """
    if numbers.n < 2:
        return f"A single {row} cannot be compared with another."
    if numbers.constant:
        return f"All pairs of {rows} are equally similar: this kernel does not distinguish them."
    error = "" if numbers.errors is None else errors_in_words(numbers.errors, numbers.diagonal_ratio >= LARGE)
    parts = [part for part in (_likeness(numbers, row, rows), numbers.labels, error) if part]
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in parts)


def _likeness(numbers: Observation, row: str, rows: str) -> str:
    ratio = numbers.diagonal_ratio
    alike = f"on average each {row} is {_times(ratio)} times more similar to itself than to another {row}"
    if ratio == math.inf:
        return f"each {row} is similar only to itself: a machine can only memorise"
    if ratio >= LARGE:
        return alike
    return _classes(numbers, rows) or alike


def _classes(numbers: Observation, rows: str) -> str:
    within, between = numbers.within, numbers.between
    if not (math.isfinite(within) and math.isfinite(between)):
        return ""
    if between > 0 and within > 0:
        ratio = within / between
        if 0.98 <= ratio <= 1.02:
            return f"{rows} of one class are no more similar than {rows} of different classes"
        if ratio > 1.1:
            return f"{rows} of one class are {_times(ratio)} times as similar as {rows} of different classes"
        if ratio > 1:  # 1.0 times as similar would say the contrary
            return f"{rows} of one class are {percent(ratio - 1)} more similar than {rows} of different classes"
        means = f"({number(within, 2)} against {number(between, 2)})"
        return f"{rows} of one class are less similar than {rows} of different classes {means}"
    side = "more" if within > between else "less"
    others = f"{rows} of different classes ({number(between, 2)})"
    return f"{rows} of one class are {side} similar ({number(within, 2)}) than {others}"


def errors_in_words(errors: HalvesErrors, large_diagonal: bool = False) -> str:
    """Return the errors on training and test rows with what they mean; `large_diagonal` may make them a surprise.

    >>> errors_in_words(HalvesErrors("classification", "error", (0.02, 0.04), (0.0, 0.0), 0.5, 200, 100), True)
    'a support vector machine learns anyway: training error 0%, test error 3%'
    """
    seen = ", where the kernel has seen the test rows without their labels" if errors.transductive else ""
    training, test = percent(errors.training), percent(errors.test)
    if errors.task == "regression":
        if errors.test >= _GUESSING:
            return f"ridge regression is hardly better than the mean: unexplained variance {test}{seen}"
        parts = f"{test} of the variance of new rows unexplained, {training} of that of training rows"
        return f"ridge regression leaves {parts}{seen}"
    verdict = errors.verdict + (" anyway" if large_diagonal and errors.verdict == "learns" else "")
    balanced = "balanced " if errors.measure == "balanced error" else ""
    words = f"a support vector machine {verdict}: {balanced}training error {training}, test error {test}{seen}"
    return words if errors.verdict == "learns" else f"{words}; guessing {percent(errors.chance)}"


def _times(ratio: float) -> str:
    return f"{ratio:.1f}" if ratio < 9.95 else f"{ratio:.0f}" if ratio < 1e6 else number(ratio, 1)
