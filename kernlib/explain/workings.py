"""Numbers behind the pictures of how a kernel works, and of two rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ..kernels.categorical import ProbabilityOverlap, inverting
from ..kernels.nodes import Diffusion, OfLaplacian
from ..kernels.nominal import missing
from ..values.arrays import Array, RowNumbers
from ..values.words import number, percent, value_in_words


class Weighed(NamedTuple):
    """h(z) over [0, 1], and the categories of a column where they stand on it, commonest first."""

    z: Array
    h: Array
    categories: tuple[str, ...]
    shares: Array
    weights: Array


def weighed(column: Array, alpha: float) -> Weighed:
    """Return h(z) = (1 − z^α)^{1/α} with a column's own probabilities marked ([C] 4.1).

    >>> marked = weighed(np.array(["a", "a", "a", "b"], dtype=object), alpha=1.0)
    >>> marked.categories, marked.shares.tolist(), marked.weights.round(3).tolist()
    (('a', 'b'), [0.75, 0.25], [0.25, 0.75])
    """
    (pmf,) = ProbabilityOverlap(alpha=alpha).fit(np.asarray(column).reshape(-1, 1)).pmf
    order = sorted(pmf, key=lambda m: -pmf[m])
    shares = np.array([pmf[m] for m in order])
    z = np.linspace(0.0, 1.0, 201)
    names = tuple("missing" if missing(m) else str(m) for m in order)
    return Weighed(z, inverting(z, alpha), names, shares, inverting(shares, alpha))


class FewRows(NamedTuple):
    """h of probabilities that are estimated from n rows, drawn from a column's own.

    `rows` (m,) the n; `categories` (c,), `shares` (c,) P and `weights` (c,) h(P), commonest first; `low` and `high`
    (m, c) ends of the 90% interval of h(P̂); `off` (m,) the mean of |h(P̂) − h(P)| over agreeing rows; `unseen` (m,) the
    probability that a row's category is not among the n.
    """

    rows: RowNumbers
    categories: tuple[str, ...]
    shares: Array
    weights: Array
    low: Array
    high: Array
    off: Array
    unseen: Array

    def words(self) -> str:
        """Return how far h is off with few rows, and from how many rows on it is off by less than 0.05, as text."""
        n, off = int(self.rows[0]), float(self.off[0])
        enough = np.flatnonzero(self.off < _CLOSE)
        until = (
            f"From {self.rows[enough[0]]} rows on it is less than {_CLOSE}."
            if len(enough)
            else f"With {self.rows[-1]} rows it is still {number(self.off[-1], 2)}."
        )
        return (
            f"With {n} training rows h(P̂) is off by {number(off, 2)} on average. A category that is not among them is "
            f"that of {percent(self.unseen[0])} of new rows. {until}"
        )


#: A mean deviation of h below this no longer matters.
_CLOSE = 0.05


def masses_from_few(column: Array, h: Callable[[Array], Array], rows: Sequence[int] = ()) -> FewRows:
    """Return what h of a category's probability becomes when it is estimated from few rows; exact, by the binomial.

    Parameters: `column` (n,) categories, whose shares are the true probabilities P; `h` the kernel's value of a match
    by its probability; `rows` numbers of training rows, by default 5 to 640.

    >>> few = masses_from_few(np.array(["a", "b"]), lambda p: 1 - p, [1])
    >>> few.off.round(3).tolist(), few.unseen.round(3).tolist(), few.low.tolist(), few.high.tolist()
    ([0.5], [0.5], [[0.0, 0.0]], [[1.0, 1.0]])
    """
    from scipy.stats import binom

    (pmf,) = ProbabilityOverlap().fit(np.asarray(column).reshape(-1, 1)).pmf
    order = sorted(pmf, key=lambda m: -pmf[m])
    shares, sizes = np.array([pmf[m] for m in order]), np.array(rows or [5 * 2**k for k in range(8)])
    weights = np.asarray(h(shares))
    low, high = np.empty((2, len(sizes), len(shares)))
    off, unseen = np.empty((2, len(sizes)))
    for place, n in enumerate(sizes.tolist()):
        # Counts of each category in n rows: all of them, with their probabilities.
        chance = binom.pmf(np.arange(n + 1)[:, None], n, shares)
        value = np.asarray(h(np.arange(n + 1) / n))
        off[place] = shares @ (chance * np.abs(value[:, None] - weights)).sum(axis=0)
        unseen[place] = shares @ chance[0]
        ends = binom.ppf([[0.05], [0.95]], n, shares) / n
        between = h(np.clip(ends, 0.0, 1.0))
        low[place], high[place] = between.min(axis=0), between.max(axis=0)
    names = tuple("missing" if missing(m) else str(m) for m in order)
    return FewRows(sizes, names, shares, weights, low, high, off, unseen)


class HeatTable(NamedTuple):
    """exp(−βL) from one node: `heat` (times, n) at every β of `betas`."""

    betas: Array
    heat: Array


def heat(A: Array, start: int, betas: Array) -> HeatTable:
    """Return where a unit of heat is after β, for several β ([K] 3.2).

    >>> heat(np.array([[0.0, 1.0], [1.0, 0.0]]), 0, np.array([0.5])).heat.round(4)
    array([[0.6839, 0.3161]])
    """
    return HeatTable(np.asarray(betas), np.array([Diffusion(beta=float(b))(A)[start] for b in betas]))


class Responses(NamedTuple):
    """r(λ) of a node kernel over its largest value, for several values of one parameter.

    `places` λ (m,), evenly spaced; `ticks` the eigenvalues of the Laplacian, at most 120 of them; `curves` (values, m);
    `values` of the parameter `name`, None for a kernel without one; `at` which of them is the kernel's.
    """

    places: Array
    ticks: Array
    curves: Array
    name: str
    values: tuple[Any, ...]
    at: int


def responses(kernel: OfLaplacian, eigenvalues: Array, values: Sequence[Any] = ()) -> Responses:
    """Return the function of the eigenvalues that makes the kernel, at `values` of its first parameter and its own.

    A response that is 0 at 0, such as 1/λ of the pseudo-inverse, begins at the smallest eigenvalue above 0.

    >>> from kernlib import Diffusion
    >>> found = responses(Diffusion(beta=1.0), np.array([0.0, 2.0]), (0.5,))
    >>> found.values, found.at, found.curves[:, -1].round(4).tolist()
    ((0.5, 1.0), 1, [0.3679, 0.1353])
    """
    last = 2.0 if kernel.normalised else float(eigenvalues[-1]) or 1.0
    above = eigenvalues[eigenvalues > 1e-10 * last]
    begin = 0.0 if kernel.response(np.array([0.0, last]))[0] > 0 or not len(above) else float(above[0])
    places = np.linspace(begin, last, 41)
    name = next((p.name for p in kernel.parameters()), "")
    own = getattr(kernel, name) if name else None
    every = tuple(sorted({*values, own})) if name else (None,)
    curves = np.array([(replace(kernel, **{name: value}) if name else kernel).response(places) for value in every])
    size = curves.max(axis=1, keepdims=True)
    curves = np.divide(curves, size, where=size > 0, out=np.zeros_like(curves))
    shown = np.unique(np.linspace(0, len(eigenvalues) - 1, 120).astype(np.intp))
    return Responses(places, eigenvalues[shown], curves, name, every, every.index(own))


def pair_distances(X: Array, at_most: int = 500) -> Array:
    """Return Euclidean distances of all pairs of (at most `at_most`, evenly spaced) rows."""
    from scipy.spatial.distance import pdist

    rows = X if len(X) <= at_most else X[np.linspace(0, len(X) - 1, at_most).astype(np.intp)]
    return np.asarray(pdist(rows))


#: Columns that are named on each side.
_NAMED = 3
#: Numbers with a smaller gap, in standard deviations of their column, are alike.
_NEAR = 0.5


def contrast(rows: Array, nominal: Sequence[bool], i: int, j: int) -> tuple[list[int], list[int]]:
    """Return the columns in which two rows are most alike, and those in which they are least alike, each best first.

    Numbers are compared by their gap over the column's standard deviation; categories are equal or not, rare equal
    ones first. A constant column counts for neither side. Parameters: `rows` (n, d); `nominal` (d,) whether a column
    holds categories.

    >>> contrast(np.array([[0.0, 5.0], [0.1, 9.0], [9.0, 1.0], [4.0, 2.0]]), [False, False], 0, 1)
    ([0], [1])
    """
    gaps = np.full(len(nominal), np.nan)
    for column, categories in enumerate(nominal):
        cells = rows[:, column]
        if not categories:
            values = cells.astype(np.float64)
            spread = float(np.nanstd(values))
            gaps[column] = abs(values[i] - values[j]) / spread if spread > 0 else np.nan
        elif len(set(cells.tolist())) > 1:
            gaps[column] = _NEAR * float(np.mean(cells == cells[i])) if cells[i] == cells[j] else 1.0
    known = [int(c) for c in np.argsort(gaps, kind="stable") if np.isfinite(gaps[c])]
    return [c for c in known if gaps[c] < _NEAR], [c for c in reversed(known) if gaps[c] >= _NEAR]


def contrast_in_words(rows: Array, columns: Sequence[str], nominal: Sequence[bool], i: int, j: int) -> str:
    """Return in which columns two rows are alike and unlike, with their cells; "" where no column says anything.

    >>> rows = np.array([[0.0, 5.0], [0.1, 9.0], [9.0, 1.0], [4.0, 2.0]])
    >>> contrast_in_words(rows, ["a", "b"], [False, False], 0, 1)
    'Alike in a (0 and 0.1); unlike in b (5 and 9).'
    """
    sides = []
    for words, chosen in zip(("alike in", "unlike in"), contrast(rows, nominal, i, j), strict=True):
        cells = [
            f"{columns[c]} ({value_in_words(rows[i, c])} and {value_in_words(rows[j, c])})" for c in chosen[:_NAMED]
        ]
        more = f" and {len(chosen) - _NAMED} more" if len(chosen) > _NAMED else ""
        if cells:
            sides.append(f"{words} {', '.join(cells)}{more}")
    text = "; ".join(sides)
    return f"{text[0].upper()}{text[1:]}." if text else ""
