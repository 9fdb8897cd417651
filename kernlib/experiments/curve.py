"""The curve that fold results draw: means, spread, a confidence band, and what cannot be told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from ..errors import ParameterError
from ..measures import MEASURES, Improvement, improvement_over_splits
from ..notebook import Pictured
from ..statistics import confidence_band, not_separable_from_best
from ..values.arrays import Array
from .axis import available_axes
from .folds import REFERENCE, FoldResult
from .spec import RunSpec, Tuned

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["Curve", "curve", "seen_by"]


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Pictured):
    """Scores over an axis: `scores` (values, splits), nan where nothing has come yet.

    `band` (values, 2) is a 95% confidence band of the mean that allows for overlapping splits;
    `best` the index of the best mean, `not_worse` those that a corrected paired test cannot tell
    from it; `reference` (splits,) scores of the reference kernel; `test_over_train` n_test/n_train.
    For two axes `values` are pairs, the first axis outermost, and `table` is the map of means.
    `leaky` (values, splits) holds what tuning on the test rows would have shown; `tuned` the
    combinations that the folds of each value chose, with how often, the most frequent first.
    `problems` and `warnings` are sentences that name the fold.
    """

    _drawn_by: ClassVar[str] = "curves.error_curve"

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
    second: str = ""
    second_symbol: str = ""
    second_values: tuple[Any, ...] = ()
    second_scale: Literal["linear", "log"] = "linear"
    leaky: Array | None = None
    tuned: tuple[tuple[tuple[Tuned, int], ...], ...] = ()
    warnings: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    test_over_train: float = 0.0

    @property
    def mean(self) -> Array:
        """Mean over the splits that are there, (values,)."""
        return _over_splits(self.scores, np.mean)

    @property
    def spread(self) -> Array:
        """Standard deviation (ddof = 1) over the splits that are there, (values,); nan with fewer than two."""
        return _over_splits(self.scores, lambda row: np.std(row, ddof=1) if len(row) > 1 else np.nan)

    @property
    def splits(self) -> Array:
        """How many splits are there, (values,)."""
        return np.asarray(np.isfinite(self.scores).sum(axis=1))

    @property
    def reference_mean(self) -> float:
        """Mean score of the reference kernel over the splits that are there; nan without one."""
        if self.reference is None:
            return float("nan")
        return float(_over_splits(self.reference[None, :], np.mean)[0])

    @property
    def first_values(self) -> tuple[Any, ...]:
        """The values of the first axis: those of `values` that are numbers, or the first of each pair."""
        return tuple(dict.fromkeys(v[0] for v in self.values)) if self.second_values else self.values

    @property
    def table(self) -> Array:
        """Means of two axes, (second, first), as a map is drawn; (1, values) for one."""
        return self.mean.reshape(len(self.first_values), -1).T

    @property
    def leakage(self) -> Array:
        """How much better tuning on the test rows looks than it is, per value; positive is flattery."""
        if self.leaky is None:
            return np.full(len(self.values), np.nan)
        gap = self.scores - self.leaky if self.lower_is_better else self.leaky - self.scores
        return _over_splits(gap, np.mean)

    def improvement(self, over: Any = None) -> tuple[Improvement, ...]:
        """What each value gains over one of them, (ā_j − ā_0)/(1 − ā_0) for mean accuracies ā, with its spread.

        Parameters: `over`, the value that is a_0, by default the first (level 0 of a depth axis).
        An error is read as 1 − a; splits that one of the two has not yet are left out.
        Raises ParameterError for a value that is not on the axis, and for measures whose best value is not 0 or 1.
        """
        if not (self.low >= 0.0 and self.high <= 1.0):
            raise ParameterError(
                f"Curve.improvement: the measure must lie in 0…1; got {self.measure}. Choose accuracy or error."
            )
        start = self.values[0] if over is None else over
        if start not in self.values:
            raise ParameterError(f"Curve.improvement: over must be one of {self.values}; got {over!r}.")
        accuracy = 1.0 - self.scores if self.lower_is_better else self.scores
        first = accuracy[self.values.index(start)]
        both = np.isfinite(accuracy) & np.isfinite(first)
        return tuple(
            improvement_over_splits(row[known], first[known], self.test_over_train)
            for row, known in zip(accuracy, both, strict=True)
        )

    def to_frame(self) -> DataFrame:
        """The curve as a table, one row per value: the one that figures, pages and files show.

        Columns: the value (two for two axes), `mean`, `spread` (one standard deviation of splits), `low` and
        `high` of the 95% band, `splits`, `not_worse_than_best`, and `leakage` where it was measured.
        """
        from pandas import DataFrame

        axes: dict[str, list[Any]] = (
            {
                self.axis: [v[0] for v in self.values],
                self.second if self.second != self.axis else f"{self.second} (second)": [v[1] for v in self.values],
            }
            if self.second_values
            else {self.axis or "value": list(self.values)}
        )
        band = np.full((len(self.values), 2), np.nan) if self.band is None else self.band
        table = axes | {
            "mean": self.mean,
            "spread": self.spread,
            "low": band[:, 0],
            "high": band[:, 1],
            "splits": self.splits,
            "not_worse_than_best": [i == self.best or i in self.not_worse for i in range(len(self.values))],
        }
        return DataFrame(table if self.leaky is None else table | {"leakage": self.leakage})


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
    splits = spec.splits
    ratio = spec.protocol.test_over_train
    if np.isnan(ratio):  # published splits: the data set tells how many there are and of which sizes
        splits = 1 + max((result.split for result in found), default=0)
        ratio = float(np.mean([r.n_test / r.n_train for r in found])) if found else 0.0
    row_of = {value: i for i, value in enumerate(spec.values)}
    scores = np.full((len(row_of), splits), np.nan)
    reference = np.full(splits, np.nan) if spec.reference is not None else None
    leaky = np.full_like(scores, np.nan) if spec.leaky else None
    chosen: list[Counter[Tuned]] = [Counter() for _ in row_of]
    for result in found:
        if result.value == REFERENCE and reference is not None:
            reference[result.split] = result.score
        elif result.value in row_of:
            row = row_of[result.value]
            scores[row, result.split] = result.score
            if leaky is not None and result.leaky is not None:
                leaky[row, result.split] = result.leaky
            if result.tuned:
                chosen[row][result.tuned] += 1
    measure = MEASURES[spec.measure]
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
    places = {p.path: p for p in available_axes(spec.kernel, spec.machine)}
    place = places.get(spec.axis.path) if spec.axis else None
    other = places.get(spec.second.path) if spec.second else None
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
        problems=_named(found, "problem"),
        second=other.label if other else "",
        second_symbol=other.parameter.symbol if other else "",
        second_values=spec.second.values if spec.second else (),
        second_scale=other.parameter.scale if other else "linear",
        leaky=leaky,
        tuned=tuple(tuple(counter.most_common()) for counter in chosen),
        warnings=_named(found, "warning"),
        low=measure.low,
        high=measure.high,
        test_over_train=ratio,
    )


def seen_by(measure: str, spec: RunSpec, results: Iterable[FoldResult]) -> tuple[RunSpec, list[FoldResult]]:
    """A run and its results as if `measure`, one of the spec's further ones, had been the only one.

    What would have been best on test rows is not known for it, and is left out. Raises ParameterError where the
    spec does not give that measure.

    >>> from kernlib import RBF
    >>> spec = RunSpec("breast-cancer-10", RBF(), also=("AUC",))
    >>> _, results = seen_by("AUC", spec, [FoldResult(None, 0, 0.1, 10, 10, 0.0, also=(0.97,))])
    >>> results[0].score
    0.97
    """
    if measure == spec.measure:
        return replace(spec, also=()), [replace(r, also=()) for r in results]
    if measure not in spec.also:
        raise ParameterError(
            f"seen_by: expected {' or '.join((spec.measure, *spec.also))}; got {measure!r}. Name it in RunSpec.also."
        )
    place = spec.also.index(measure)
    alone = replace(spec, measure=measure, also=(), leaky=False)
    return alone, [
        replace(r, score=r.also[place] if r.also else float("nan"), leaky=None, also=()) for r in results
    ]  # fmt: skip


def _named(results: list[FoldResult], what: Literal["problem", "warning"]) -> tuple[str, ...]:
    """Each different sentence once, with the fold where it came first and how many others have it."""
    folds: dict[str, list[FoldResult]] = {}
    for result in results:
        if getattr(result, what):
            folds.setdefault(getattr(result, what), []).append(result)
    found = []
    for words, where in folds.items():
        first = min(where, key=lambda r: r.split)
        value = "" if first.value is None or what == "warning" else f" at {_word(first.value)}"
        others = len({r.split for r in where} if what == "warning" else where) - 1
        more = f" and {others} more" if others else ""
        found.append(f"Split {first.split + 1}{value}{more}: {words}")
    return tuple(found)


def _word(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(_word(v) for v in value)
    return f"{value:.6g}" if isinstance(value, float) else str(value)
