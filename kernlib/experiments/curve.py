"""The curve that fold results draw: means, spread, a confidence band, and what cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..measures import MEASURES
from ..rows import Array
from ..statistics import confidence_band, not_separable_from_best
from .axis import available_axes
from .spec import RunSpec
from .sweep import REFERENCE, FoldResult

__all__ = ["Curve", "curve"]


@dataclass(frozen=True, eq=False)
class Curve:
    """Scores over an axis: `scores` (values, splits), nan where nothing has come yet.

    `band` (values, 2) is a 95 % confidence band of the mean that allows for overlapping splits;
    `best` the index of the best mean, `not_worse` those that a corrected paired test cannot tell
    from it; `reference` (splits,) scores of the reference kernel.
    """

    axis: str
    symbol: str
    values: tuple[Any, ...]
    scores: Array
    measure: str
    lower_is_better: bool
    reference: Array | None = None
    reference_label: str = ""
    best: int | None = None
    not_worse: tuple[int, ...] = ()
    band: Array | None = None
    scale: Literal["linear", "log"] = "linear"
    label: str = ""
    problems: tuple[str, ...] = ()

    @property
    def mean(self) -> Array:
        """Mean over the splits that are there, (values,)."""
        return _over_splits(self.scores, np.mean)

    @property
    def spread(self) -> Array:
        """Standard deviation over the splits that are there, (values,); nan with fewer than two."""
        return _over_splits(self.scores, lambda row: np.std(row, ddof=1) if len(row) > 1 else np.nan)


def _band(row: Array, ratio: float) -> tuple[float, float]:
    if len(row) < 2:  # one split has no spread, and so no band
        return (np.nan, np.nan)
    found = confidence_band(row, ratio)
    return found.low, found.high


def _over_splits(scores: Array, function: Any) -> Array:
    rows = (row[np.isfinite(row)] for row in scores)
    return np.array([function(row) if len(row) else np.nan for row in rows])


def curve(spec: RunSpec, results: Iterable[FoldResult], label: str = "") -> Curve:
    """What `results` say so far, in the order of the spec's values.

    >>> from kernlib import RBF
    >>> from kernlib.protocols import RepeatedSplits
    >>> spec = RunSpec("breast-cancer-10", RBF(), protocol=RepeatedSplits(repeats=3))
    >>> curve(spec, [FoldResult(None, 0, 0.1, 10, 10, 0.0), FoldResult(None, 1, 0.2, 10, 10, 0.0)]).mean.round(3)
    array([0.15])
    """
    found = list(results)
    splits = spec.protocol.count
    row_of = {value: i for i, value in enumerate(spec.values)}
    scores = np.full((len(row_of), splits), np.nan)
    reference = np.full(splits, np.nan) if spec.reference is not None else None
    for result in found:
        if result.value == REFERENCE and reference is not None:
            reference[result.split] = result.score
        elif result.value in row_of:
            scores[row_of[result.value], result.split] = result.score
    measure = MEASURES[spec.measure]
    ratio = spec.protocol.test_over_train
    mean = _over_splits(scores, np.mean)
    best: int | None = None
    not_worse: tuple[int, ...] = ()
    band: Array | None = None
    if np.isfinite(mean).any():
        best = int(np.nanargmin(mean) if measure.lower_is_better else np.nanargmax(mean))
        band = np.array([_band(row[np.isfinite(row)], ratio) for row in scores])
        complete = np.isfinite(scores).all(axis=0)
        if complete.sum() >= 2 and len(scores) > 1:
            table = {str(i): row for i, row in enumerate(scores[:, complete])}
            tied = not_separable_from_best(table, ratio, measure.lower_is_better)
            not_worse = tuple(int(name) for name in tied.names)
    place = next((p for p in available_axes(spec.kernel, spec.machine) if spec.axis and p.path == spec.axis.path), None)
    return Curve(
        axis=place.label if place else "",
        symbol=place.parameter.symbol if place else "",
        values=spec.values,
        scores=scores,
        measure=measure.label,
        lower_is_better=measure.lower_is_better,
        reference=reference,
        reference_label=" → ".join(spec.reference.chain()) if spec.reference else "",
        best=best,
        not_worse=not_worse,
        band=band,
        scale=place.parameter.scale if place else "linear",
        label=label,
        problems=tuple(sorted({r.problem for r in found if r.problem})),
    )
