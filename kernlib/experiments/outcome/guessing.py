"""A curve compared with guessing, as text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ...measures import MEASURES
from ...values.words import percent
from ..spec import RunSpec
from .curve import Curve


def guess_of(spec: RunSpec, y: ArrayLike | None) -> float | None:
    """Return the score of guessing by the run's measure; None without labels, and for measures of training rows."""
    measure = MEASURES[spec.measure]
    if y is None or measure.of_training is not None or measure.on_training:
        return None
    level = measure.chance(y)
    return level if np.isfinite(level) else None


def against_guessing(spec: RunSpec, drawn: Curve, y: ArrayLike, classes: Sequence[str] = ()) -> str:
    """Return the score of guessing, and whether the best value is significantly better, in a sentence; "" without one.

    Significantly means that guessing lies outside the 95% interval of the best value, corrected for the choice.

    Parameters: `spec` and the curve `drawn` of its results; labels `y` of all rows (n,), and the names of the classes
    in the order of their codes.
    Reference: `Measure.chance`.

    >>> from kernlib import RBF
    >>> from kernlib.experiments import curve, FoldResult
    >>> from kernlib.protocols import RepeatedSplits
    >>> spec = RunSpec("iris", RBF(), protocol=RepeatedSplits(repeats=3))
    >>> results = [FoldResult(None, k, score, 9, 9, 0.0) for k, score in enumerate((0.04, 0.05, 0.06))]
    >>> against_guessing(spec, curve(spec, results), [0, 0, 0, 1], ("a", "b"))
    "Always predicting 'a' misclassifies 25% of the rows; the best here misclassifies 5%."
    """
    measure, level = MEASURES[spec.measure], guess_of(spec, y)
    if drawn.best is None or level is None:
        return ""
    best = float(drawn.mean[drawn.best])
    likely = (drawn.chosen.low, drawn.chosen.high) if drawn.chosen else None
    if likely is None and drawn.band is not None and np.isfinite(drawn.band[drawn.best]).all():
        likely = (float(drawn.band[drawn.best, 0]), float(drawn.band[drawn.best, 1]))
    values = np.asarray(y)
    most_frequent = ""
    if measure.task == "classification":
        labels, counts = np.unique(values, return_counts=True)
        code = labels[counts.argmax()]
        most_frequent = repr(str(classes[int(code)] if len(classes) else code)[:40])
    shares = percent(level, 3), percent(best, 3)
    if measure.name == "error":
        reached = f"misclassifies {shares[1]}"
        guess = f"Always predicting {most_frequent} misclassifies {shares[0]} of the rows"
    elif measure.name == "accuracy":
        guess, reached = f"Always predicting {most_frequent} is right on {shares[0]}", f"is right on {shares[1]}"
    elif measure.task == "regression":
        guess = f"Always predicting the mean has the {measure.label.lower()} {drawn.in_words(level)}"
        reached = f"has {drawn.in_words(best)}"
    else:
        guess, reached = f"Guessing has the {measure.label} {level:.3g}", f"has {best:.3g}"
    better = best < level if measure.lower_is_better else best > level
    if not better:
        return f"{guess}; the best here {reached}: no better than guessing."
    if likely is not None and (likely[1] >= level if measure.lower_is_better else likely[0] <= level):
        return f"{guess}; the best here {reached}: not significantly better than guessing."
    return f"{guess}; the best here {reached}."
