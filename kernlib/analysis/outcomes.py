"""Summaries of test decisions: ROC curves, the confusion matrix, a threshold, probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError
from ..values.arrays import Array
from ..values.notebook import Pictured
from ..values.words import number, percent


@dataclass(frozen=True, eq=False, repr=False)
class RocCurve(Pictured):
    """One class against the rest: `code` and `name` of the class, rates in 0…1, (t,) each, from the strictest
    threshold on; `area` below the curve, the chance that a row of the class is ranked above
    one that is not, ties counting half."""

    _drawn_by = "curves.roc_plot"

    code: int
    name: str
    false_positive_rate: Array
    true_positive_rate: Array
    area: float


@dataclass(frozen=True, eq=False, repr=False)
class Confusion(Pictured):
    """`counts` (classes, classes) of rows, true class by row, predicted class by column; `classes` their names."""

    _drawn_by = "curves.confusion_plot"

    classes: tuple[str, ...]
    counts: NDArray[np.int64]

    @property
    def shares(self) -> Array:
        """Return `counts` as shares of each true class, (classes, classes) in 0…1; 0 for a class without rows."""
        shares: Array = self.counts / np.maximum(self.counts.sum(axis=1, keepdims=True), 1)
        return shares

    @property
    def right(self) -> int:
        """Return the number of rows with the correct class."""
        return int(np.trace(self.counts))

    @property
    def total(self) -> int:
        """Return the number of rows."""
        return int(self.counts.sum())


class Threshold(NamedTuple):
    """A machine that decides for a class from a threshold on: the shares of the class and of the others it calls so."""

    name: str
    threshold: float
    hits: float
    alarms: float

    def precision(self, share: float) -> float:
        """Return the share of rows of the class among those called so, at a share of the class; 1 if none is."""
        called = share * self.hits + (1 - share) * self.alarms
        return share * self.hits / called if called else 1.0

    def in_words(self, share: float) -> str:
        """Return what the machine does where the class has this share of the rows.

        >>> print(Threshold("ill", 0.0, 0.8, 0.1).in_words(0.01))
        From 0 on, the machine finds 80% of ill, and 10% of the others as false alarms. \
Of the rows called ill, 7.5% are ill. It misclassifies 10% of the rows; \
always predicting the more frequent class misclassifies 1%.
        """
        name, error = self.name, share * (1 - self.hits) + (1 - share) * self.alarms
        called = f"Of the rows called {name}, {percent(self.precision(share))} are {name}."
        return (
            f"From {number(self.threshold, 3)} on, the machine finds {percent(self.hits)} of {name}, and "
            f"{percent(self.alarms)} of the others as false alarms. "
            f"{called if self.hits or self.alarms else f'It calls no row {name}.'} It misclassifies {percent(error)} "
            f"of the rows; always predicting the more frequent class misclassifies {percent(min(share, 1 - share))}."
        )


def at_threshold(y: ArrayLike, decision: ArrayLike, threshold: float, classes: Sequence[Any] = ()) -> Threshold:
    """Return the rates of a machine of two classes that decides for the second from `threshold` on.

    Parameters and exceptions as `roc_curves`; DataError for more than two classes.

    >>> at_threshold([0, 0, 1, 1], [0.1, 0.6, 0.5, 0.9], 0.55)
    Threshold(name='1', threshold=0.55, hits=0.5, alarms=0.5)
    """
    sides = _against_rest(y, decision, classes, "at_threshold")
    if len(sides) != 1:
        raise DataError(f"at_threshold: expected two classes; got {len(sides)}. Take the rows of two of them.")
    _, name, positive, scores = sides[0]
    called = scores >= threshold
    return Threshold(name, threshold, float(called[positive].mean()), float(called[~positive].mean()))


def roc_curves(y: ArrayLike, decision: ArrayLike, classes: Sequence[Any] = ()) -> tuple[RocCurve, ...]:
    """Return the true over the false positive rate for all thresholds: one curve for two classes, else one per class.

    Parameters: `y` (m,) codes into `classes`, or labels when `classes` is empty; `decision` (m,), positive for
    the second class, or (m, classes). Raises DataError for shapes that do not fit, and where no class has rows on
    both sides. Reference: Fawcett, Pattern Recognition Letters 27, 2006; computed by scikit-learn.

    >>> (only,) = roc_curves(["n", "n", "p", "p"], [0.0, 1.0, 1.0, 1.0])
    >>> only.name, only.area
    ('p', 0.75)
    """
    from sklearn.metrics import roc_auc_score, roc_curve

    curves = []
    for code, name, positive, scores in _against_rest(y, decision, classes, "roc_curves"):
        false, true, _ = roc_curve(positive, scores)
        curves.append(RocCurve(code, name, false, true, float(roc_auc_score(positive, scores))))
    return tuple(curves)


def confusion(y: ArrayLike, predicted: ArrayLike, classes: Sequence[Any] = ()) -> Confusion:
    """Return the confusion matrix.

    Parameters: `y`, `predicted` (m,), both codes into `classes`, or both labels when `classes` is empty.
    Raises DataError for lengths that differ, or a code without a class.

    >>> confusion(["a", "a", "b"], ["a", "b", "b"]).counts
    array([[1, 1],
           [0, 1]])
    """
    true, guessed = np.asarray(y), np.asarray(predicted)
    if true.ndim != 1 or true.shape != guessed.shape:
        raise DataError(
            f"confusion: y and predicted must be vectors of one length; got shapes {true.shape} and {guessed.shape}. "
            "Pass one prediction for each row."
        )
    codes, names = _codes(np.stack([true, guessed]), classes, "confusion")
    counts = np.zeros((len(names), len(names)), dtype=np.int64)
    np.add.at(counts, tuple(codes), 1)
    return Confusion(names, counts)


def _codes(y: NDArray[Any], classes: Sequence[Any], owner: str) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    if not len(classes):
        values, codes = np.unique(y if y.dtype != object else y.astype(str), return_inverse=True)
        return codes.reshape(y.shape), tuple(str(v) for v in values)
    codes = y.astype(np.intp)
    if codes.size and not ((codes >= 0) & (codes < len(classes)) & (codes == y)).all():
        raise DataError(
            f"{owner}: codes must be integers 0…{len(classes) - 1}, one for each of the classes; got values from "
            f"{y.min()} to {y.max()}. Leave classes out to pass labels."
        )
    return codes, tuple(str(c) for c in classes)


def _against_rest(
    y: ArrayLike, decision: ArrayLike, classes: Sequence[Any], owner: str
) -> list[tuple[int, str, NDArray[np.bool_], Array]]:
    """Return (code, name, whether a row is of the class, scores) of each class with rows on both sides."""
    codes, names = _codes(np.asarray(y), classes, owner)
    scores = np.asarray(decision, dtype=np.float64)
    wide = scores.ndim == 2 and scores.shape[1] == len(names)
    if scores.shape[:1] != codes.shape or not (wide or (scores.ndim == 1 and len(names) <= 2)):
        raise DataError(
            f"{owner}: decision must be one value a row for two classes, or one a row and class; got shape "
            f"{scores.shape} for {len(codes)} rows in {len(names)} classes. Pass machine.decision(K_star, k_diag)."
        )
    if wide and len(names) == 2:
        scores = scores[:, 1] - scores[:, 0]
    columns = [(1, scores)] if scores.ndim == 1 else [(c, scores[:, c]) for c in range(len(names))]
    sides = [(code, names[code], codes == code, values) for code, values in columns if code < len(names)]
    sides = [side for side in sides if 0 < side[2].sum() < len(codes)]
    if not sides:
        raise DataError(f"{owner}: both sides need test rows; got rows of one class only. Choose more splits.")
    return sides


def class_auc(values: ArrayLike, y: ArrayLike) -> float:
    """Return how well one number per row orders the classes: the largest AUC of one class against the rest, 0.5…1.

    Parameters: `values` (n,); `y` (n,) classes. 0.5 for equal values or a single class.

    >>> class_auc([1, 2, 3, 4], ["a", "a", "b", "b"]), class_auc([1, 1, 1, 1], [0, 1, 0, 1])
    (1.0, 0.5)
    """
    from sklearn.metrics import roc_auc_score

    labels = np.asarray(y)
    sides = [labels == one for one in np.unique(labels)]
    areas = [float(roc_auc_score(side, values)) for side in sides if not side.all()]
    return max([0.5, *areas, *(1 - area for area in areas)])


def class_margins(decision: ArrayLike, codes: ArrayLike) -> Array:
    """Return how far each decision lies on the side of the row's own class, (m,); below 0 another class wins.

    Parameters: `decision` (m,), positive for code 1, or (m, classes): the own class less the best other; `codes` (m,).

    >>> class_margins([[0.5, 0.25, 0.0], [0.5, 0.25, 0.0]], [0, 2]).tolist(), class_margins([2.0, 2.0], [0, 1]).tolist()
    ([0.25, -0.5], [-2.0, 2.0])
    """
    f, own = np.asarray(decision, dtype=np.float64), np.asarray(codes)
    if f.ndim == 1:
        return np.where(own == 1, f, -f)
    others = f.copy()
    np.put_along_axis(others, own[:, None], -np.inf, axis=1)
    return np.asarray(np.take_along_axis(f, own[:, None], axis=1)[:, 0] - others.max(axis=1))
