"""The matrix doctor: problems of a Gram matrix, their meaning, and kernels that solve them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..core.base import Kernel
from ..errors import DomainError
from ..numerics.distances import looks_like_distances, squared_distances
from ..numerics.linalg import eigenvalues as eigenvalues_of
from ..own import OwnKernel
from ..own.functions import of_pairs
from ..values.arrays import Array
from ..values.labels import HalvesErrors
from ..values.words import number
from ..wrappers.deep import Deep
from ..wrappers.elementwise import Power
from ..wrappers.feature_space import Centered, Normalized
from ..wrappers.landmarks import Empirical
from ..wrappers.spectral import Repaired
from .gram import PSD_TOLERANCE, diagonal_ratio
from .matrix import SYMMETRY_TOLERANCE, cosine, square
from .outcomes import class_auc
from .summary import errors_in_words

#: Two rows closer than this share of the median distance coincide.
TWINS = 0.01
#: The matrix is nearly constant if nine of ten cosines are at least this large.
ALIKE = 0.99
#: From this ratio of mean diagonal to mean |off-diagonal| on, the diagonal is large.
ALONE = 10.0
#: From this multiple of the median k(x, x) on a row dominates.
DOMINATING = 10.0
#: From this area under the ROC curve on, k(x, x) alone, or the length of the rows, orders the classes.
ORDERED = 0.8
# Target ratio of the diagonal after a power.
_TARGET_RATIO = 3.0
#: The name of the finding of a ratio of `ALONE` or more.
LARGE_DIAGONAL = "a large diagonal"


@dataclass(frozen=True)
class Remedy:
    """A step that solves a problem: its `words`, `apply` from a kernel to the repaired kernel, and whether the result
    can be evaluated on new rows (`inductive`)."""

    words: str
    apply: Callable[[Kernel], Kernel]
    inductive: bool = True


_UNIT_LENGTH = Remedy("scale every row to length 1", Normalized)


@dataclass(frozen=True)
class Finding:
    """One check of the doctor: its `name`, whether the matrix passes it (`sound`), the `verdict` with its numbers, its
    `meaning`, the `rows` concerned, and the `remedies`, the best first."""

    name: str
    sound: bool
    verdict: str
    meaning: str
    rows: tuple[int, ...] = ()
    remedies: tuple[Remedy, ...] = ()


def examine(K: ArrayLike, y: ArrayLike | None = None, *, eigenvalues: ArrayLike | None = None) -> tuple[Finding, ...]:
    """Return all checks of one Gram matrix, in the order in which problems should be solved.

    Symmetric; positive semi-definite to rounding; rows without length; rows that coincide; one row that dominates;
    classes that k(x, x) alone orders; nearly constant; a large diagonal. A check without meaning after an earlier
    problem is skipped.

    Parameters: `K` (n, n); `y` (n,) labels, to compare the labels of rows that coincide; `eigenvalues` (n,) of a
    symmetric K, if already computed. Raises DataError for a K that is not square and finite.

    >>> import numpy as np
    >>> [f.name for f in examine(100 * np.eye(4) + np.ones((4, 4))) if not f.sound]
    ['a large diagonal']
    """
    matrix = square(K, "examine")
    skew = _asymmetry(matrix)
    if not skew.sound:
        return (skew,)
    diagonal = np.diagonal(matrix)
    findings = [skew, _definite(matrix, eigenvalues)]
    if (diagonal < 0).any() or len(matrix) < 2:
        return tuple(findings)
    findings.append(_lengths(matrix))
    if not diagonal.any():
        return tuple(findings)
    constant = _constant(matrix)
    findings += _twins(matrix, y, constant.sound)
    findings.append(_dominating(diagonal))
    if y is not None:
        findings += _ordered_by_length(diagonal, np.asarray(y))
    findings.append(constant)
    if constant.sound:
        findings.append(_diagonal(matrix))
    return tuple(findings)


def examine_own(kernel: Kernel, X: Any) -> tuple[Finding, ...]:
    """Return, for each user-defined kernel inside `kernel`, whether its values depend on the two rows alone.

        k(X)[i, j] = k(x_i, x_j)    in any order of the rows, against other rows, and k(x, x) alone

    Some two dozen rows of `X` are compared. A kernel that would take longer than a second is left out, and so is one
    that does not read these rows. A function of two single rows never sees others.

    >>> from kernlib import kernel_from
    >>> shifted = kernel_from(lambda X, Y: (X - X.mean(0)) @ (Y - Y.mean(0)).T, name="Shifted")
    >>> examine_own(shifted(), [[0.0], [1.0], [5.0], [2.0]])[0].name
    'Shifted is not consistent'
    """
    findings = []
    for part in dict.fromkeys(part for part in kernel.walk() if isinstance(part, OwnKernel)):
        if of_pairs(part):
            continue
        with suppress(DomainError):
            rows = part.checked_rows(X)
            part.gram(rows[:2], None)  # imports
            begin = time.perf_counter()
            part.gram(rows[:4], None)
            if time.perf_counter() - begin < 1 / 20:
                findings.append(_consistency(part, rows))
    return tuple(findings)


def _consistency(kernel: OwnKernel, rows: Array) -> Finding:
    name, meaning = type(kernel).__name__, "The value of two rows must depend on these two rows alone."
    some = np.unique(np.linspace(0, len(rows) - 1, 24).astype(int))
    mixed = np.random.default_rng(0).permutation(len(some))
    first, second = np.array_split(mixed, 2)
    K = kernel.gram(rows[some], None)
    alone = K.copy()
    np.fill_diagonal(alone, kernel.gram_diag(rows[some]))
    tried = (
        ("alone", np.arange(len(some)), np.arange(len(some)), alone),
        ("in another order", mixed, mixed, kernel.gram(rows[some[mixed]], None)),
        ("among fewer rows", first, first, kernel.gram(rows[some[first]], None)),
        ("against other rows", first, second, kernel.gram(rows[some[first]], rows[some[second]])),
    )
    # 100 units of single precision, in which many functions compute.
    tolerance = 1e-5 * max(float(np.abs(K).max()), np.finfo(float).tiny)
    for where, here, there, found in tried:
        gap = np.nan_to_num(np.abs(K[np.ix_(here, there)] - found), nan=np.inf)
        if gap.max() > tolerance:
            i, j = np.unravel_index(int(gap.argmax()), gap.shape)
            a, b = int(some[here[i]]), int(some[there[j]])
            return Finding(
                f"{name} is not consistent",
                False,
                f"k of rows {a} and {b} is {number(K[here[i], there[j]], 3)} among {len(some)} rows and "
                f"{number(found[i, j], 3)} {where}.",
                f"{meaning} What a kernel learns from rows, such as their mean, belongs in a class with `learn`.",
                (a, b),
            )
    verdict = f"{len(some)} rows have the same values in any order and against other rows."
    return Finding(f"{name} is consistent", True, verdict, meaning)


def _asymmetry(matrix: Array) -> Finding:
    meaning = "A kernel is an inner product and does not depend on the order of the two rows."
    gap = np.abs(matrix - matrix.T)
    if gap.max() <= SYMMETRY_TOLERANCE * np.abs(matrix).max():
        return Finding("symmetric", True, "k(x, x′) = k(x′, x) for every pair.", meaning)
    i, j = (int(v) for v in np.unravel_index(int(gap.argmax()), gap.shape))
    return Finding(
        "not symmetric",
        False,
        f"K[{i}, {j}] = {number(matrix[i, j], 3)} but K[{j}, {i}] = {number(matrix[j, i], 3)}.",
        meaning,
        (i, j),
        (Remedy("compare rows by their scores with all training rows", Empirical),),
    )


def _definite(matrix: Array, eigenvalues: ArrayLike | None) -> Finding:
    values = eigenvalues_of(matrix, "examine") if eigenvalues is None else np.asarray(eigenvalues, dtype=np.float64)
    negative = int((values < -PSD_TOLERANCE * np.abs(values).max()).sum())
    if not negative:
        return Finding(
            "positive semi-definite",
            True,
            "No eigenvalue is negative beyond rounding.",
            "Without negative eigenvalues the rows are points in a feature space, and training has no local minima.",
        )
    mass = float(-values[values < 0].sum() / np.abs(values).sum())
    return Finding(
        "indefinite",
        False,
        f"{negative} of {len(values)} eigenvalues are negative, down to {number(float(values.min()), 3)}; they carry "
        f"{mass:.1%} of the spectrum.",
        "No points in a space have these inner products: some weighted sums of rows have a negative squared length. "
        "A support vector machine may not converge.",
        remedies=(
            Remedy("compare rows by their values against all training rows (K becomes K K′)", Empirical),
            Remedy("set negative eigenvalues to zero", lambda k: Repaired(k, method="clip"), inductive=False),
        ),
    )


def _lengths(matrix: Array) -> Finding:
    diagonal = np.diagonal(matrix)
    if not diagonal.any() and (looks_like_distances(matrix) or looks_like_distances(-matrix)):
        return _no_origin(len(matrix), given=bool(matrix.max() > 0))
    empty = np.flatnonzero(diagonal <= 1e-14 * diagonal.max())
    if not len(empty):
        return Finding(
            "every row has length", True, "k(x, x) > 0 for every row.", "Every row has features of this kernel."
        )
    return Finding(
        "rows without length",
        False,
        f"k(x, x) = 0 for {len(empty)} of {len(diagonal)} rows, the first is row {empty[0]}.",
        "Such a row has no feature of this kernel (a string shorter than its order, for example): it is similar to no "
        "row, not even itself. Try a shorter order or another kernel.",
        tuple(empty.tolist()),
    )


def _no_origin(n: int, given: bool) -> Finding:
    """Return the finding for zeros on the diagonal and one sign off it: distances, given or of a kernel."""
    if given:
        return Finding(
            "probably distances",
            False,
            f"k(x, x) = 0 for all {n} rows, k(x, x') > 0 off the diagonal.",
            "These values look like distances, which are larger where rows are less similar. The kernel "
            "PrecomputedDistances reads them as distances.",
        )
    return Finding(
        "distances without an origin",
        False,
        f"k(x, x) = 0 for all {n} rows, k(x, x') < 0 off the diagonal.",
        "These values are distances between rows without an origin: choose an origin or a function of the distances.",
        remedies=(
            Remedy("compare rows by a Gaussian of their distances", Deep),
            Remedy("use the mean of all rows as the origin", Centered),
        ),
    )


def _twins(matrix: Array, y: ArrayLike | None, varied: bool) -> list[Finding]:
    """Return the finding on rows that coincide; none where nearly all do, which the check for a constant reports."""
    n = len(matrix)
    diagonal = np.diagonal(matrix)
    d2 = squared_distances(matrix.copy(), diagonal, diagonal)
    pairs = d2[np.triu_indices(n, 1)]
    # Where most pairs coincide, the mean distance is the unit.
    unit = float(np.median(pairs)) or float(np.mean(pairs))
    first, second = np.nonzero(np.triu(d2 <= TWINS**2 * unit, 1))
    if not len(first):
        verdict = f"All pairs of rows are further apart than {TWINS:.0%} of the median distance."
        meaning = "No test row is a copy of a training row."
        return [Finding("distinct rows", True, verdict, meaning)]
    if not varied and len(first) > n * (n - 1) / 4:
        return []
    rows = np.union1d(first, second)
    verdict = f"{len(rows)} rows coincide with another row, for example rows {first[0]} and {second[0]}."
    if y is not None:
        labels = np.asarray(y)
        against = int((labels[first] != labels[second]).sum())
        verdict += f" Of these pairs {against} of {len(first)} disagree in their labels."
    return [
        Finding(
            "rows that coincide",
            False,
            verdict,
            "The kernel cannot distinguish these rows. If they are copies of one object, the error is optimistic: name "
            "a column that groups them, or keep one of each. If rows have few values, new rows will coincide too, and "
            "the error is right.",
            tuple(rows.tolist()),
        )
    ]


def _dominating(diagonal: Array) -> Finding:
    median = float(np.median(diagonal))
    largest = int(diagonal.argmax())
    times = float(diagonal[largest]) / median if median > 0 else math.inf
    verdict = f"The largest k(x, x) is {number(times, 3)} times the median, in row {largest}."
    if times < 1 + 1e-9:
        verdict = "k(x, x) is the same for every row."
    rows = np.flatnonzero(diagonal > DOMINATING * median)
    if not len(rows):
        return Finding("rows of similar size", True, verdict, "No row outweighs the others.")
    return Finding(
        "a row that dominates" if len(rows) == 1 else f"{len(rows)} rows dominate",
        False,
        verdict,
        "The leading direction points to such a row. Its distances to others are larger than those between them.",
        tuple(rows.tolist()),
        (_UNIT_LENGTH,),
    )


def _ordered_by_length(diagonal: Array, y: Array) -> list[Finding]:
    """Return the finding that k(x, x) alone orders the classes, none where it does not."""
    if np.ptp(diagonal) <= 1e-9 * diagonal.max() or not 1 < len(np.unique(y)) <= len(y) / 4:
        return []
    area = class_auc(diagonal, y)
    if area < ORDERED:
        return []
    return [
        Finding(
            "lengths that order the classes",
            False,
            f"k(x, x) alone orders the classes: the area under its ROC curve is {number(area, 2)}.",
            "A threshold on k(x, x), a row's squared length in feature space, separates them, whatever the machine's "
            "error. Check whether that is the question.",
            remedies=(_UNIT_LENGTH,),
        )
    ]


def _constant(matrix: Array) -> Finding:
    kept = np.diagonal(matrix) > 1e-14 * np.diagonal(matrix).max()
    cosines = cosine(matrix[np.ix_(kept, kept)])[np.triu_indices(int(kept.sum()), 1)]
    # Rows of one large class may well be equal: nearly all pairs count, not half of them.
    low = float(np.quantile(cosines, 0.1)) if len(cosines) else 0.0
    verdict = f"Nine of ten pairs have a cosine of {number(low, 3)} or more."
    if low < ALIKE:
        return Finding("not constant", True, verdict, "Rows point in different directions.")
    return Finding(
        "nearly constant",
        False,
        verdict,
        "All rows are similar for this kernel: their differences are small beside what they have in common. A "
        "parameter may be too large (a width, an offset) or the kernel too deep.",
        remedies=(
            Remedy(
                "subtract the mean of all rows, then scale every row to length 1", lambda k: Normalized(Centered(k))
            ),
            Remedy("subtract the mean of all rows", Centered),
        ),
    )


def _diagonal(matrix: Array) -> Finding:
    ratio = diagonal_ratio(matrix)
    verdict = f"On average a row is {number(ratio, 3)} times as similar to itself as to another row."
    if ratio < ALONE:
        return Finding("a small diagonal", True, verdict, "Rows are similar to other rows.")
    meaning = (
        "The more orthogonal rows are, the more labels of the training rows can be separated, whatever they mean. "
        "Whether a machine memorises depends on the labels: compare training and test error. A parameter may be too "
        "narrow."
    )
    if math.isinf(ratio):
        return Finding(
            LARGE_DIAGONAL, False, "All entries off the diagonal are 0.", "Every row is similar only to itself."
        )
    p = _taming_power(ratio)
    return Finding(
        LARGE_DIAGONAL,
        False,
        verdict,
        meaning,
        remedies=(
            Remedy(
                f"compress the range of the entries by a power of {p:g}, then compare rows by all their values",
                lambda k: Empirical(Power(k, p=p)),
            ),
        ),
    )


def _taming_power(ratio: float) -> float:
    """Return the p, 0.1 … 0.9, at which a diagonal ratio becomes about 3; 1 for a ratio of 3 or less.

    >>> _taming_power(81.0), _taming_power(2.0)
    (0.25, 1.0)
    """
    if not ratio > _TARGET_RATIO:
        return 1.0
    return min(0.9, max(0.1, round(math.log(_TARGET_RATIO) / math.log(ratio), 2)))


def with_diagonal(findings: Sequence[Finding], errors: HalvesErrors | None) -> tuple[Finding, ...]:
    """Return the doctor's findings with what the errors on halves mean for a large diagonal.

    In d dimensions two clouds have a ratio of diagonal and off-diagonal entries that grows with d, while the classes
    may stay far apart: a large diagonal is sound where a machine learns. Whether a power helps is not stated, because
    it is not measured here. Reference: Schölkopf and others 2002, sections 2 and 3.
    """
    if errors is None:
        return tuple(findings)
    words = errors_in_words(errors, large_diagonal=True)
    meaning = f"Trained on {errors.trained} rows, {words}."
    sound = errors.verdict == "learns"
    return tuple(
        replace(f, meaning=meaning, sound=sound, remedies=() if sound else f.remedies)
        if f.name == LARGE_DIAGONAL
        else f
        for f in findings
    )
