"""A curve beside what guessing without looking at the rows would give, in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..measures import MEASURES
from ..values.words import percent
from .curve import Curve
from .spec import RunSpec

__all__ = ["against_guessing"]


def against_guessing(spec: RunSpec, drawn: Curve, y: ArrayLike, classes: Sequence[str] = ()) -> str:
    """One sentence: what guessing gives by the run's measure, and whether the best value beats it for sure.

    "For sure" means that guessing lies outside the band around the mean of the best value. "" while there is no point.

    Parameters: `spec` and the curve `drawn` of its results; labels `y` of all rows (n,), and the names of the classes
    in the order of their codes.
    Reference: `Measure.chance`.

    >>> from kernlib import RBF
    >>> from kernlib.experiments import curve, FoldResult
    >>> from kernlib.protocols import RepeatedSplits
    >>> spec = RunSpec("iris", RBF(), protocol=RepeatedSplits(repeats=3))
    >>> found = [FoldResult(None, k, score, 9, 9, 0.0) for k, score in enumerate((0.04, 0.05, 0.06))]
    >>> against_guessing(spec, curve(spec, found), [0, 0, 0, 1], ("a", "b"))
    "Always saying 'a' errs on 25% of the rows; the best here errs on 5%."
    """
    measure = MEASURES[spec.measure]
    if drawn.best is None or measure.of_training is not None:  # what no prediction is measured by, no guess is
        return ""
    level, best = measure.chance(y), float(drawn.mean[drawn.best])
    values = np.asarray(y)
    commonest = ""
    if measure.task == "classification":
        found, counts = np.unique(values, return_counts=True)
        code = found[counts.argmax()]
        commonest = repr(str(classes[int(code)] if len(classes) else code)[:40])
    shares = percent(level, 3), percent(best, 3)
    if measure.name == "error":
        guess, reached = f"Always saying {commonest} errs on {shares[0]} of the rows", f"errs on {shares[1]}"
    elif measure.name == "accuracy":
        guess, reached = f"Always saying {commonest} is right on {shares[0]}", f"is right on {shares[1]}"
    elif measure.task == "regression":
        guess, reached = f"Always saying the mean has the {measure.label.lower()} {level:.3g}", f"has {best:.3g}"
    else:
        guess, reached = f"Guessing has the {measure.label} {level:.3g}", f"has {best:.3g}"
    better = best < level if measure.lower_is_better else best > level
    if not better:
        return f"{guess}; the best here {reached}: no better than guessing."
    if drawn.band is not None and np.isfinite(drawn.band[drawn.best]).all():
        low, high = drawn.band[drawn.best]
        if low <= level <= high:
            return f"{guess}; the best here {reached}: with so few splits that is not surely better than guessing."
    return f"{guess}; the best here {reached}."
