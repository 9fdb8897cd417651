"""What a machine has learnt: support vectors, margins, and its field over the plane."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..analysis.outcomes import class_margins
from ..analysis.spectrum import kernel_pca
from ..core.base import Kernel
from ..core.folding import Shared
from ..errors import DataError
from ..machines import SVM, Machine
from ..values.arrays import Array, RowNumbers
from ..values.labels import AskedTask

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Trained:
    """A machine between two classes, on the rows that it was trained on.

    `rows` (n,) numbers of these rows in the data; `sign` (n,) ±1, +1 for `classes[1]`; `decision` (n,) f(x_i); `codes`
    the two classes' codes; `converged` whether the solver met its tolerance. Of a support vector machine, f(x_i) =
    Σ_j α_j y_j K_ij + b: `alpha` (n,) α_i ≥ 0, `intercept` b; other machines have no support vectors, and `alpha` 0.
    """

    rows: RowNumbers
    sign: Array
    alpha: Array
    decision: Array
    intercept: float
    classes: tuple[str, str]
    codes: tuple[int, int]
    converged: bool

    @property
    def margin(self) -> Array:
        """Return y_i f(x_i): below 1 within the margin, below 0 on the wrong side."""
        return self.sign * self.decision

    @property
    def support(self) -> RowNumbers:
        """Return numbers of the support vectors among the rows, largest α first."""
        order = np.argsort(-self.alpha, kind="stable")
        return order[self.alpha[order] > 0.0]


def train(
    K: ArrayLike,
    y: ArrayLike,
    machine: Machine | None = None,
    classes: Sequence[str] = ("-1", "+1"),
    between: tuple[int, int] = (0, 1),
) -> Trained:
    """Return a machine, by default an `SVM`, between two classes of a Gram matrix.

    Parameters: `K` (n, n); `y` (n,) class codes; `between` the codes of the two classes (of more classes, `SVM`
    separates each two in this way). Raises DataError if one of the two has no row.

    >>> x = np.array([-2.0, -1.0, 1.0, 2.0])
    >>> trained = train(np.outer(x, x), [0, 0, 1, 1], SVM(C=10.0))
    >>> trained.support.tolist(), trained.margin.round(3).tolist()
    ([1, 2], [2.0, 1.0, 1.0, 2.0])
    """
    return _fit(K, y, machine or SVM(), classes, between)[0]


def _fit(
    K: ArrayLike, y: ArrayLike, machine: Machine, classes: Sequence[str], between: tuple[int, int]
) -> tuple[Trained, Machine]:
    """Return what `train` returns, and the fitted machine."""
    matrix, codes = np.asarray(K, dtype=np.float64), np.asarray(y)
    rows = np.flatnonzero((codes == between[0]) | (codes == between[1]))
    positive = codes[rows] == between[1]
    if positive.all() or not positive.any():
        raise DataError(f"train: expected rows of both classes {between}; got rows of one. Choose two others.")
    part = matrix if len(rows) == len(matrix) else matrix[np.ix_(rows, rows)]
    fitted = machine.fit(part, positive.astype(np.int64))
    alpha, intercept = np.zeros(len(rows)), 0.0
    if isinstance(fitted, SVM):
        alpha, intercept = np.abs(fitted.weights_), float(fitted.intercept_[0])
    names = tuple(str(classes[c]) if c < len(classes) else str(c) for c in between)
    trained = Trained(
        rows,
        np.where(positive, 1.0, -1.0),
        alpha,
        fitted.decision(part, np.diagonal(part)),
        intercept,
        (names[0], names[1]),
        between,
        getattr(fitted, "converged_", True),
    )
    return trained, fitted


# -- the field over one or two columns ----------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Field:
    """f over a grid: `x` (w,), `y` (h,) its places, `values` (h, w); for one column h = 1."""

    x: Array
    y: Array
    values: Array


def decision_field(
    kernel: Kernel,
    X: ArrayLike,
    y: ArrayLike,
    machine: Machine | None = None,
    *,
    task: AskedTask = "classification",
    size: int = 60,
) -> Field:
    """Return f over the plane of the rows.

    Parameters: `X` (n, 1) or (n, 2) rows that the kernel reads; `y` (n,) whether a row is of the positive class, or
    real targets with the `task` "regression"; `machine`, by default an `SVM`; `size` places along each axis, fewer
    beyond 600 rows. Raises DataError for rows of more columns, and for a kernel that needs all rows at once.

    >>> from kernlib import RBF
    >>> rows = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [4.0, 4.0], [3.0, 4.0], [4.0, 3.0]]
    >>> field = decision_field(RBF(), rows, [0, 0, 0, 1, 1, 1], size=8)
    >>> field.values.shape, bool(field.values[0, 0] < 0 < field.values[-1, -1])
    ((8, 8), True)
    """
    rows, targets = np.asarray(X, dtype=np.float64), np.asarray(y)
    labels = targets.astype(np.float64 if task == "regression" else np.int64)
    # For many rows fewer places, so that the number of kernel evaluations stays about the same.
    size = min(size, max(24, int(size * math.sqrt(600 / len(rows))))) if len(rows) > 600 else size
    x, places, grid = input_grid(kernel, rows, size, "decision_field")

    fold = kernel.specification.fold(rows, grid, labels)
    fitted = (machine or SVM()).fit(fold.K, labels, task=task)
    assert fold.K_star is not None
    return Field(x, places, fitted.decision(fold.K_star, fold.k_diag).reshape(len(places), len(x)))


def input_grid(kernel: Kernel, rows: Array, size: int, owner: str) -> tuple[Array, Array, Array]:
    """Return a grid over rows of one or two columns: its places (w,) and (h,), and its points (h·w, columns).

    Raises DataError for rows of more columns, and for a kernel that cannot be evaluated on new points.
    """
    if kernel.transductive:
        raise DataError(
            f"{owner}: {kernel!r:.200} exists only for all rows at once; expected a kernel that can be evaluated on "
            "new points. Remove that step."
        )
    if rows.ndim != 2 or rows.shape[1] not in (1, 2):
        raise DataError(f"{owner}: expected rows of one or two columns; got shape {rows.shape}.")
    places = [_spread(column, size) for column in rows.T]
    grid = np.stack(np.meshgrid(*places), axis=-1).reshape(-1, rows.shape[1])
    return places[0], places[1] if len(places) == 2 else np.zeros(1), grid


def _spread(column: Array, size: int) -> Array:
    """Return places from a little before the smallest to a little after the largest value."""
    finite = column[np.isfinite(column)]
    low, high = float(finite.min()), float(finite.max())
    room = 0.08 * (high - low) or 1.0
    return np.linspace(low - room, high + room, size)


# -- the border in feature space ----------------------------------------------------------------

#: Leading directions of feature space among which that across the border is chosen.
_DIRECTIONS = 12


@dataclass(frozen=True, eq=False)
class Across:
    """Coordinates of the rows across a machine's decision: their scores (n,) on one direction of centred kernel PCA,
    in standard deviations.

    `number` is the direction's place by eigenvalue, from 1, and `share` its share of the rows' variance; `held_out`
    f of each row by a machine trained without it, (n,), which is drawn in place of f where it is known.
    """

    scores: Array
    number: int
    share: float
    held_out: Array | None = None


def across_decision(K: ArrayLike, decision: ArrayLike) -> Across:
    """Return the direction that spreads the rows most widely beside f, among the leading ones.

    What f does not explain of the scores is compared by its range without the outer tenths: a direction along which one
    row lies far off would draw all others in one knot.

    Parameters: `K` (n, n) of the machine's rows; `decision` (n,) f of these rows. Raises DegenerateError where all
    rows coincide.

    >>> X = np.array([[-2.0, 0.0], [-1.0, 1.0], [1.0, 0.0], [2.0, 1.0]])
    >>> across_decision(X @ X.T, X[:, 0]).number
    2
    """
    matrix, f = np.asarray(K, dtype=np.float64), np.asarray(decision, dtype=np.float64)
    scores = kernel_pca(matrix, centered=True, components=min(_DIRECTIONS, len(matrix))).scores
    centred = (f - f.mean()) / (float(f.std()) or 1.0)
    beside = scores - np.outer(centred, centred @ scores / len(f))
    low, high = np.quantile(beside, [0.1, 0.9], axis=0)
    widest = int(np.argmax(high - low))
    variance = float(np.trace(matrix) / len(matrix) - matrix.mean())
    spread = float(scores[:, widest].std())
    return Across(scores[:, widest] / (spread or 1.0), widest + 1, spread**2 / variance)


# -- over the splits ----------------------------------------------------------------------------


def often_wrong(row: ArrayLike, y: ArrayLike, predicted: ArrayLike, decision: ArrayLike) -> pd.DataFrame:
    """Return how often each row was wrong over all splits, the most often first, from one entry per test of a row.

    The index is the row's number; the columns are `tested` and `wrong`, counts, and `score`, the mean decision for the
    row's own class: positive on the right side.
    Parameters: `row`, `y` (true codes), `predicted` (m,); `decision` (m,), positive for code 1, or (m, classes). For
    more than two classes the score is the decision of the true class less the largest of the others.

    >>> rows = often_wrong([3, 5, 3], [1, 0, 1], [0, 0, 1], [-0.5, -2.0, 1.5])
    >>> rows.index.tolist(), rows.wrong.tolist(), rows.tested.tolist(), rows.score.tolist()
    ([3, 5], [1, 0], [2, 1], [0.5, 2.0])
    """
    import pandas as pd

    tests = pd.DataFrame({"wrong": np.not_equal(predicted, y), "score": class_margins(decision, y)})
    rows = tests.groupby(np.asarray(row)).agg(tested=("wrong", "size"), wrong=("wrong", "sum"), score=("score", "mean"))
    return rows.iloc[np.lexsort((rows.score, -rows.wrong / rows.tested))]


def held_out_residuals(row: ArrayLike, y: ArrayLike, predicted: ArrayLike) -> pd.DataFrame:
    """Return the residuals of test rows over all splits, the largest first, from one entry (m,) per test of a row.

    The index is the row's number; the columns are `predicted`, the mean prediction over the splits that tested it, and
    `residual`, its target less this mean.

    >>> held_out_residuals([3, 5, 3], [1.0, 0.0, 1.0], [1.5, 2.0, 0.5]).residual.to_dict()
    {5: -2.0, 3: 0.0}
    """
    import pandas as pd

    rows = pd.DataFrame({"y": y, "predicted": predicted}, dtype=float).groupby(np.asarray(row)).mean()
    rows["residual"] = rows.pop("y") - rows.predicted
    return rows.sort_values("residual", key=lambda residual: -residual.abs(), kind="stable")


def level_borders(
    kernels: Sequence[Kernel],
    X: ArrayLike,
    codes: ArrayLike,
    machine: Machine | None = None,
    classes: Sequence[str] = ("-1", "+1"),
    between: tuple[int, int] = (0, 1),
    size: int = 48,
) -> tuple[tuple[Trained, Field], ...]:
    """Return a machine between two classes, by default an SVM with C = 10/spread, and f over the plane for each kernel.

    Kernels that are the levels of one another share what they compute. Parameters: `X` (n, 1) or (n, 2) rows; `codes`,
    `classes`, `between` as in `train`; `size` places along each axis. Raises DataError for other rows, without rows of
    both classes, and for a kernel that needs all rows at once.

    >>> from kernlib import RBF, Deep
    >>> rows = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 3.0], [4.0, 3.0]])
    >>> borders = level_borders([RBF(), Deep(RBF(), level=1), Deep(RBF(), level=2)], rows, [0, 0, 1, 1], size=8)
    >>> len(borders), borders[2][1].values.shape, bool(borders[2][1].values[0, 0] < 0)
    (3, (8, 8), True)
    """
    rows, labels = np.asarray(X, dtype=np.float64), np.asarray(codes)
    levels = [kernel.specification for kernel in kernels]
    x, y, grid = input_grid(levels[0], rows, size, "level_borders")
    shared, borders = Shared(levels), list[tuple[Trained, Field]]()
    for kernel in levels:
        fold = shared.fold(kernel, rows, grid, labels)
        trained, fitted = _fit(fold.K, labels, machine or SVM(C=10.0, scale="spread"), classes, between)
        assert fold.K_star is not None
        decision = fitted.decision(fold.K_star[:, trained.rows], fold.k_diag)
        borders.append((trained, Field(x, y, decision.reshape(len(y), len(x)))))
    return tuple(borders)
