"""The matrix doctor: what is wrong with a Gram matrix, what that means, and which kernel would cure it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..base import Kernel
from ..distances import looks_like_distances, squared_distances
from ..linalg import eigenvalues as eigenvalues_of
from ..values.arrays import Array
from ..wrappers.centered import Centered
from ..wrappers.deep import Deep
from ..wrappers.elementwise import Power
from ..wrappers.empirical import Empirical
from ..wrappers.normalized import Normalized
from ..wrappers.repaired import Repaired
from .gram import PSD_TOLERANCE, diagonal_ratio
from .matrix import SYMMETRY_TOLERANCE, square

__all__ = ["Finding", "Remedy", "examine"]

#: Two rows nearer than this share of the median distance are one row for most purposes.
TWINS = 0.01
#: From this cosine on between most rows, the matrix is nearly constant.
ALIKE = 0.99
#: From this ratio of mean diagonal to mean |off-diagonal| on, the matrix is nearly the identity.
ALONE = 10.0
#: A row is dominating from this multiple of the median k(x, x) on.
DOMINATING = 10.0
# The ratio that a power is to leave of a large diagonal.
_WANTED_RATIO = 3.0


@dataclass(frozen=True)
class Remedy:
    """A step that cures a finding: `words` that say how, `apply` from a kernel to the cured one, and whether the
    result still meets new rows (`inductive`)."""

    words: str
    apply: Callable[[Kernel], Kernel]
    inductive: bool = True


@dataclass(frozen=True)
class Finding:
    """One check of the doctor: its `name`, whether the matrix is `sound` there, the `verdict` with its numbers, what
    it means (`meaning`, also where all is well), `rows` that it speaks of, and the `remedies`, the first the best."""

    name: str
    sound: bool
    verdict: str
    meaning: str
    rows: tuple[int, ...] = ()
    remedies: tuple[Remedy, ...] = ()


def examine(K: ArrayLike, y: ArrayLike | None = None, *, eigenvalues: ArrayLike | None = None) -> tuple[Finding, ...]:
    """All checks of one Gram matrix, in the order in which they should be cured.

    Symmetric; positive semi-definite to rounding; rows without length; rows that coincide; one row that dominates;
    nearly constant; nearly the identity. A check that the ones before make meaningless is left out.

    Parameters: `K` (n, n); `y` (n,) labels, to tell whether rows that coincide contradict each other; `eigenvalues`
    (n,) of a symmetric K when they are there. Raises DataError for a K that is not square and finite.

    >>> import numpy as np
    >>> [f.name for f in examine(100 * np.eye(4) + np.ones((4, 4))) if not f.sound]
    ['nearly the identity']
    """
    matrix = square(K, "examine")
    skew = _asymmetry(matrix)
    if not skew.sound:
        return (skew,)
    diagonal = np.diagonal(matrix)
    found = [skew, _definite(matrix, eigenvalues)]
    if (diagonal < 0).any() or len(matrix) < 2:
        return tuple(found)
    found.append(_lengths(matrix))
    if not diagonal.any():
        return tuple(found)
    found.append(_twins(matrix, y))
    found.append(_dominating(diagonal))
    constant = _constant(matrix)
    found.append(constant)
    if constant.sound:
        found.append(_identity(matrix))
    return tuple(found)


def _digits(value: float, digits: int = 3) -> str:
    if 1000 <= abs(value) < 1e6:
        return f"{value:.0f}".replace("-", "−")
    return f"{value:.{digits}g}".replace("-", "−")


def _asymmetry(matrix: Array) -> Finding:
    gap, size = float(np.abs(matrix - matrix.T).max()), float(np.abs(matrix).max())
    sound = gap <= SYMMETRY_TOLERANCE * size
    i, j = (int(v) for v in np.unravel_index(int(np.abs(matrix - matrix.T).argmax()), matrix.shape))
    return Finding(
        "symmetric" if sound else "not symmetric",
        sound,
        "k(x, x′) = k(x′, x) for every pair."
        if sound
        else f"K[{i}, {j}] = {_digits(matrix[i, j])} but K[{j}, {i}] = {_digits(matrix[j, i])}.",
        "A kernel is an inner product, and does not depend on which row is named first.",
        () if sound else (i, j),
        () if sound else (Remedy("compare rows by their scores with all training rows", Empirical),),
    )


def _definite(matrix: Array, eigenvalues: ArrayLike | None) -> Finding:
    values = eigenvalues_of(matrix, "examine") if eigenvalues is None else np.asarray(eigenvalues, dtype=np.float64)
    smallest, largest = float(values.min()), float(np.abs(values).max())
    negative = int((values < -PSD_TOLERANCE * largest).sum())
    mass = float(-values[values < 0].sum() / np.abs(values).sum()) if largest else 0.0
    meaning = (
        "Without negative eigenvalues the rows are points in a space, and machines have one solution."
        if not negative
        else "No points in a space have these inner products: some squared distances are negative, and a support "
        "vector machine may not find its solution."
    )
    return Finding(
        "indefinite" if negative else "positive semi-definite",
        not negative,
        f"{negative} of {len(values)} eigenvalues are negative, down to {_digits(smallest)}; they carry {mass:.1%} of "
        "the spectrum."
        if negative
        else "No eigenvalue is negative beyond rounding.",
        meaning,
        (),
        (
            Remedy("compare rows by their values against all training rows (K becomes K K′)", Empirical),
            Remedy("set negative eigenvalues to zero", lambda k: Repaired(k, method="clip"), inductive=False),
        )
        if negative
        else (),
    )


def _lengths(matrix: Array) -> Finding:
    diagonal = np.diagonal(matrix)
    if not diagonal.any() and (looks_like_distances(matrix) or looks_like_distances(-matrix)):
        return _no_origin(len(matrix), given=bool(matrix.max() > 0))
    empty = np.flatnonzero(diagonal <= 1e-14 * diagonal.max()) if diagonal.any() else np.arange(len(diagonal))
    count = len(empty)
    return Finding(
        "rows without length" if count else "every row has length",
        not count,
        f"k(x, x) = 0 for {count} of {len(diagonal)} rows, the first is row {empty[0]}."
        if count
        else "k(x, x) > 0 for every row.",
        "Such a row holds nothing that this kernel looks at (a string shorter than its order, say): it is like no row, "
        "itself included. A shorter order, or another kernel, would see it."
        if count
        else "The kernel finds something in every row.",
        tuple(int(i) for i in empty),
    )


def _no_origin(n: int, given: bool) -> Finding:
    """Zeros on the diagonal and one sign beside it: distances, as they were given or as a kernel that has them."""
    if given:
        meaning = (
            "These look like distances, which are larger where rows are less alike. The kernel PrecomputedDistances "
            "reads them as distances."
        )
        return Finding("distances, it seems", False, f"k(x, x) = 0 for all {n} rows, k(x, x') > 0 beside.", meaning)
    return Finding(
        "distances without an origin",
        False,
        f"k(x, x) = 0 for all {n} rows, k(x, x') < 0 beside.",
        "These values say how far rows lie apart, and not where: what they share has to be chosen.",
        (),
        (
            Remedy("compare rows by a Gaussian of their distances", Deep),
            Remedy("take the mean of all rows as the origin", Centered),
        ),
    )


def _twins(matrix: Array, y: ArrayLike | None) -> Finding:
    n = len(matrix)
    diagonal = np.diagonal(matrix)
    d2 = squared_distances(matrix.copy(), diagonal, diagonal)
    upper = d2[np.triu_indices(n, 1)]
    median = float(np.median(upper))
    near = np.triu(d2 <= TWINS**2 * median, 1)
    first, second = np.nonzero(near)
    rows = np.unique(np.concatenate([first, second]))
    if median == 0 or len(first) > n * (n - 1) / 4:
        # Most rows coincide: that is a constant, and told there.
        first, second, rows = first[:0], second[:0], rows[:0]
    told = f"Every two rows are further apart than {TWINS:.0%} of the median distance."
    if len(first):
        told = f"{len(rows)} rows have a twin, e.g. rows {first[0]} and {second[0]}."
        if y is not None:
            labels = np.asarray(y)
            against = int((labels[first] != labels[second]).sum())
            told += (
                f" Of such pairs {against} of {len(first)} disagree in their labels."
                if against
                else " All twins agree in their labels."
            )
    return Finding(
        "rows that coincide" if len(first) else "rows are told apart",
        not len(first),
        told,
        "The kernel cannot tell such rows apart. One in the training and one in the test part makes an error look "
        "smaller than it is: name a column that groups them, or keep one of each."
        if len(first)
        else "No row could sit in the training and the test part at once.",
        tuple(int(i) for i in rows),
    )


def _dominating(diagonal: Array) -> Finding:
    median = float(np.median(diagonal))
    largest = int(diagonal.argmax())
    times = float(diagonal[largest]) / median if median > 0 else math.inf
    rows = np.flatnonzero(diagonal > DOMINATING * median)
    sound = not len(rows)
    return Finding(
        "rows of like size" if sound else "a row that dominates" if len(rows) == 1 else f"{len(rows)} rows dominate",
        sound,
        "k(x, x) is the same for every row."
        if times < 1 + 1e-9
        else f"The largest k(x, x) is {_digits(times)} times the median, in row {largest}.",
        "No row outweighs the others."
        if sound
        else "Its inner products are larger than all others whatever it holds: leading directions point to it, and "
        "machines follow it.",
        tuple(int(i) for i in rows),
        () if sound else (Remedy("scale every row to length 1", Normalized),),
    )


def _constant(matrix: Array) -> Finding:
    cosines = _cosines(matrix)
    median = float(np.median(cosines)) if len(cosines) else 0.0
    sound = median < ALIKE
    return Finding(
        "not constant" if sound else "nearly constant",
        sound,
        f"Half of all pairs have a cosine of {_digits(median)} or more.",
        "Rows point into different directions."
        if sound
        else "To this kernel all rows are alike: what differs between them is lost beside what they share. A parameter "
        "may be too large (a width, an offset) or the kernel too deep.",
        (),
        ()
        if sound
        else (
            Remedy("take off what all rows share, and scale what is left", lambda k: Normalized(Centered(k))),
            Remedy("take off what all rows share", Centered),
        ),
    )


def _identity(matrix: Array) -> Finding:
    ratio = diagonal_ratio(matrix)
    sound = not ratio >= ALONE
    p = 0.1 if math.isinf(ratio) or sound else min(0.9, max(0.1, round(math.log(_WANTED_RATIO) / math.log(ratio), 2)))
    return Finding(
        "not the identity" if sound else "nearly the identity",
        sound,
        "Off the diagonal every entry is 0."
        if math.isinf(ratio)
        else f"A row is {_digits(ratio)} times as like itself as another row.",
        "Rows have something in common with other rows."
        if sound
        else "Every row is like itself and no other: a machine can only memorise. A parameter may be too narrow.",
        (),
        ()
        if sound or math.isinf(ratio)
        else (
            Remedy(
                f"compress the range of the entries by a power of {p:g}, then compare rows by all their values",
                lambda k: Empirical(Power(k, p=p)),
            ),
        ),
    )


def _cosines(matrix: Array) -> Array:
    """Cosines off the diagonal among rows that have a length."""
    diagonal = np.diagonal(matrix)
    kept = diagonal > 1e-14 * diagonal.max()
    length = np.sqrt(diagonal[kept])
    part = matrix[np.ix_(kept, kept)] / length[:, None] / length
    cosines: Array = part[np.triu_indices(len(part), 1)]
    return cosines
