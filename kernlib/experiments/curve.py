"""The curve of fold results: means, spread, a confidence band, and the values not significantly worse than the best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from ..errors import ParameterError
from ..measures import MEASURES, Measure
from ..statistics import Band, Comparison, Difference, band_of_best, compare_settings, confidence_band
from ..values.arrays import Array
from ..values.notebook import Pictured
from ..values.words import score_in_words
from .axis import available_axes, protocol_axes
from .folds import REFERENCE, FoldResult
from .spec import RunSpec, Tuned

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Pictured):
    """Scores over an axis: `scores` (values, splits), nan where a result is missing.

    `band` (values, 2) is a 95% confidence band of the mean that allows for overlapping splits; `best` the index of the
    best mean; `not_worse` the values that do not differ from it significantly by a paired test, corrected for shared
    rows and for the number of settings drawn, the reference among them; `chosen` what to expect of the best value on
    new data, corrected for the choice among several, None for a single value; `reference` (splits,) scores of the
    reference kernel; `test_over_train` n_test/n_train. For two axes `values` are pairs, the first axis outermost, and
    `table` is the map of means. `leaky` (values, splits) holds what tuning on the test rows would show; `tuned` the
    combinations that the folds of each value chose, with their counts, the most frequent first. `problems` and
    `warnings` are sentences that name the fold; `constant` says for each value whether its machine decides for one
    class in every split. `trained` of `rows` rows train each machine, 0 where splits differ in it.
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
    chosen: Band | None = None
    scale: Literal["linear", "log"] = "linear"
    label: str = ""
    problems: tuple[str, ...] = ()
    second: str = ""
    second_values: tuple[Any, ...] = ()
    leaky: Array | None = None
    tuned: tuple[tuple[tuple[Tuned, int], ...], ...] = ()
    warnings: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    test_over_train: float = 0.0
    constant: tuple[bool, ...] = ()
    trained: int = 0
    rows: int = 0

    def in_words(self, score: float) -> str:
        """Return a score as text: an error in percent of the rows or the variance, any other score as a number."""
        return score_in_words(score, self.is_share)

    @property
    def is_share(self) -> bool:
        """Return whether a score is a share of the rows or of the variance that is in error."""
        return self.lower_is_better and (self.high <= 1.0 or self.measure.startswith("unexplained"))

    def expected(self, place: int) -> tuple[float, float, float]:
        """Return what to expect of a value on new rows, never better than its own mean, and its interval's ends."""
        mean = float(self.mean[place])
        band = (np.nan, np.nan) if self.band is None else self.band[place]
        low, high = np.clip(band, self.low, self.high).tolist()
        if self.chosen is None:
            return mean, low, high
        worse = max if self.lower_is_better else min
        if place != self.best:
            low, high = float(np.fmin(low, self.chosen.low)), float(np.fmax(high, self.chosen.high))
        else:
            low, high = self.chosen.low, self.chosen.high
        return worse(mean, self.chosen.mean), low, high

    @property
    def mean(self) -> Array:
        """Return the mean over the finished splits, (values,)."""
        return _over_splits(self.scores, np.mean)

    @property
    def spread(self) -> Array:
        """Return the standard deviation (ddof = 1) over the finished splits, (values,); nan with fewer than two."""
        return _over_splits(self.scores, lambda row: np.std(row, ddof=1) if len(row) > 1 else np.nan)

    @property
    def splits(self) -> Array:
        """Return the number of finished splits, (values,)."""
        return np.asarray(np.isfinite(self.scores).sum(axis=1))

    @property
    def reference_mean(self) -> float:
        """Return the mean score of the reference kernel over the finished splits; nan without one."""
        if self.reference is None:
            return float("nan")
        return float(_over_splits(self.reference[None, :], np.mean)[0])

    @property
    def beats_reference(self) -> bool:
        """Return whether the best value is at least as good as the reference kernel; True without one."""
        if self.best is None or not np.isfinite(self.reference_mean):
            return True
        best = self.mean[self.best]
        return bool(best <= self.reference_mean if self.lower_is_better else best >= self.reference_mean)

    @property
    def first_values(self) -> tuple[Any, ...]:
        """Return the values of the first axis: those of `values` that are numbers, or the first of each pair."""
        return tuple(dict.fromkeys(v[0] for v in self.values)) if self.second_values else self.values

    @property
    def table(self) -> Array:
        """Return the means over two axes, (second, first), in the order of a map; (1, values) for one axis."""
        return self.mean.reshape(len(self.first_values), -1).T

    @property
    def leakage(self) -> Array:
        """Return the optimism of tuning on the test rows per value; positive where it looks better than it is."""
        if self.leaky is None:
            return np.full(len(self.values), np.nan)
        gap = self.scores - self.leaky if self.lower_is_better else self.leaky - self.scores
        return _over_splits(gap, np.mean)

    def to_frame(self) -> DataFrame:
        """Return the curve as a table, one row per value, as figures, pages and files show it.

        Columns: the value (two for two axes), `mean`, `spread` (one standard deviation of splits), `low` and
        `high` of the 95% band, `splits`, `not_worse_than_best`, `leakage` where it was measured, and `one_class` where
        a value's machine decides for one class in every split.
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
        if self.leaky is not None:
            table["leakage"] = self.leakage
        if any(self.constant):
            table["one_class"] = list(self.constant)
        return DataFrame(table)


def _band(row: Array, ratio: float) -> tuple[float, float]:
    if len(row) < 2:  # one split has no spread
        return (np.nan, np.nan)
    band = confidence_band(row, ratio)
    return band.low, band.high


def _over_splits(scores: Array, function: Any) -> Array:
    """Return a statistic of the finished splits of each row, nan for a row without any."""
    rows = (row[np.isfinite(row)] for row in scores)
    return np.array([function(row) if len(row) else np.nan for row in rows])


def curve(spec: RunSpec, results: Iterable[FoldResult], label: str = "") -> Curve:
    """Return the curve of the results so far, in the order of the spec's values.

    >>> from kernlib import RBF
    >>> from kernlib.protocols import RepeatedSplits
    >>> spec = RunSpec("breast-cancer-10", RBF(), protocol=RepeatedSplits(repeats=3))
    >>> curve(spec, [FoldResult(None, 0, 0.1, 10, 10, 0.0), FoldResult(None, 1, 0.2, 10, 10, 0.0)]).mean.round(3)
    array([0.15])
    """
    rows = list(results)
    splits = spec.splits
    ratio = spec.protocol.test_over_train
    if np.isnan(ratio):  # published splits: their number and sizes come from the data set
        splits = 1 + max((result.split for result in rows), default=0)
        ratio = float(np.mean([r.n_test / r.n_train for r in rows])) if rows else 0.0
    table = _tabulated(spec, rows, splits)
    measure = MEASURES[spec.measure]
    one_class = {r.value for r in rows if r.constant}
    several = {r.value for r in rows if not (r.constant or r.problem)}
    constant = tuple(value in one_class and value not in several for value in spec.values)
    paired = not any(axis.outside for axis in spec.axes)
    compared = _compared(table["scores"], ratio, measure, paired, table["reference"])
    places = {p.path: p for p in (*available_axes(spec.kernel, spec.machine), *protocol_axes(spec.protocol))}
    place = places.get(spec.axis.path) if spec.axis else None
    other = places.get(spec.second.path) if spec.second else None
    return Curve(
        axis=place.label if place else "kernel" if spec.axis else "",
        symbol=place.parameter.symbol if place else "",
        values=spec.values,
        measure=measure.label,
        lower_is_better=measure.lower_is_better,
        reference_label=" → ".join(spec.reference.chain()) if spec.reference else "",
        scale=place.parameter.scale if place else "linear",
        label=label,
        problems=_named(spec, rows, "problem"),
        second=other.label if other else "kernel" if spec.second else "",
        second_values=spec.second.values if spec.second else (),
        warnings=(*_one_class(spec, constant), *_named(spec, rows, "warning")),
        low=measure.low,
        high=measure.high,
        test_over_train=ratio,
        constant=constant,
        trained=rows[0].n_train if rows and paired else 0,
        rows=rows[0].n_train + rows[0].n_test if rows and paired else 0,
        **table,
        **compared,
    )


def _tabulated(spec: RunSpec, results: list[FoldResult], splits: int) -> dict[str, Any]:
    """Return the results by value and split as fields of a `Curve`, nan where one is missing."""
    row_of = {value: i for i, value in enumerate(spec.values)}
    scores = np.full((len(row_of), splits), np.nan)
    reference = np.full(splits, np.nan) if spec.reference is not None else None
    leaky = np.full_like(scores, np.nan) if spec.leaky else None
    tuned: list[Counter[Tuned]] = [Counter() for _ in row_of]
    for result in results:
        if result.value == REFERENCE and reference is not None:
            reference[result.split] = result.score
        elif result.value in row_of:
            row = row_of[result.value]
            scores[row, result.split] = result.score
            if leaky is not None and result.leaky is not None:
                leaky[row, result.split] = result.leaky
            if result.tuned:
                tuned[row][result.tuned] += 1
    chosen = tuple(tuple(counter.most_common()) for counter in tuned)
    return {"scores": scores, "reference": reference, "leaky": leaky, "tuned": chosen}


def _compared(
    scores: Array, ratio: float, measure: Measure, paired: bool, reference: Array | None = None
) -> dict[str, Any]:
    """Return the best value, those not significantly worse on the common splits, and their bands, as fields.

    Values that are not `paired`, of other rows or other splits, are not tested against the best.
    """
    mean = _over_splits(scores, np.mean)
    if not np.isfinite(mean).any():
        return {}
    best = int(np.nanargmin(mean if measure.lower_is_better else -mean))
    band = np.array([_band(row[np.isfinite(row)], ratio) for row in scores])
    table = _common_splits(scores)
    if not paired or len(table["0"]) < 2 or len(scores) < 2:
        return {"best": best, "band": band}
    chosen = band_of_best(table, ratio, measure.lower_is_better)
    middle, low, high = np.clip((chosen.mean, chosen.low, chosen.high), measure.low, measure.high).tolist()
    chosen = replace(chosen, mean=middle, low=low, high=high)
    found = compare_settings(_common_splits(scores, reference), ratio, measure.lower_is_better)
    if found.best == REFERENCE:
        found = compare_settings(table, ratio, measure.lower_is_better)
    tied = tuple(int(name) for name in found.tied if name != REFERENCE)
    return {"best": best, "not_worse": tied, "band": band, "chosen": chosen}


def _common_splits(scores: Array, reference: Array | None = None) -> dict[str, Array]:
    """Return the scores on the splits that all settings have: by the place of the value as text, and REFERENCE."""
    known = np.isfinite(scores).all(axis=0)
    if reference is not None and (known & np.isfinite(reference)).sum() > 1:
        known &= np.isfinite(reference)
        return {str(i): row for i, row in enumerate(scores[:, known])} | {REFERENCE: reference[known]}
    return {str(i): row for i, row in enumerate(scores[:, known])}


def settings_compared(drawn: Curve) -> Comparison | None:
    """Return all settings of a curve, the reference among them, compared on the splits that all have; None without any.

    The settings are named by the place of their value as text, the reference by REFERENCE.
    """
    table = _common_splits(drawn.scores, drawn.reference)
    if drawn.best is None or len(table) < 2 or len(table["0"]) < 2:
        return None
    return compare_settings(table, drawn.test_over_train, drawn.lower_is_better)


def gap_from_best(drawn: Curve) -> Difference | None:
    """Return how much worse the reference is than the best value, corrected for all settings drawn.

    Positive is worse, whatever the measure. None where they have fewer than two splits in common, or without reference.
    """
    found = settings_compared(drawn)
    if found is None or REFERENCE not in found.differences:
        return None
    # The difference is that from the best of all, the reference perhaps.
    first = found.best == REFERENCE
    gap = found.differences[str(drawn.best) if first else REFERENCE]
    return gap if drawn.lower_is_better != first else gap.reversed()


def seen_by(measure: str, spec: RunSpec, results: Iterable[FoldResult]) -> tuple[RunSpec, list[FoldResult]]:
    """Return a run and its results by `measure`, one of the spec's further measures, alone.

    The leaky comparison is not known for further measures and is left out. Raises ParameterError if the spec does not
    have that measure.

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
    return alone, [replace(r, score=r.also[place] if r.also else float("nan"), leaky=None, also=()) for r in results]


def _one_class(spec: RunSpec, constant: tuple[bool, ...]) -> tuple[str, ...]:
    """Return a sentence that names the values whose machine decides for one class in every split, or nothing."""
    if not any(constant):
        return ()
    named = [value for value, one in zip(spec.values, constant, strict=True) if one]
    where = f"At {_first_six(list(map(spec.in_words, named)))}: t" if spec.axis is not None else "T"
    cost = ", or another C" if hasattr(spec.machine, "C") else ""
    return (f"{where}he machine decides for one class in every split. Choose another kernel{cost}.",)


def _first_six(values: list[str], unit: str = "") -> str:
    """Return up to six values as text, and how many more there are."""
    more = f" and {len(values) - 6} more{unit}" if len(values) > 6 else ""
    return ", ".join(values[:6]) + more


def _named(spec: RunSpec, results: list[FoldResult], what: Literal["problem", "warning"]) -> tuple[str, ...]:
    """Return each different sentence once, with its values, its first fold and the number of further folds.

    Sentences that differ only in what the fold got ("…; got 3 rows") count as one: the first fold's.
    """
    folds: dict[str, list[FoldResult]] = {}
    for result in results:
        if getattr(result, what):
            folds.setdefault(getattr(result, what).partition("; got ")[0], []).append(result)
    lines = []
    for where in folds.values():
        first = min(where, key=lambda r: r.split)
        words = getattr(first, what)
        values = _first_six(list(dict.fromkeys(spec.in_words(r.value) for r in where)), " values")
        value = "" if first.value is None or what == "warning" else f" at {values}"
        others = len({r.split for r in where} if what == "warning" else where) - 1
        more = f" and {others} more" if others else ""
        lines.append(f"Split {first.split + 1}{value}{more}: {words}")
    return tuple(lines)
