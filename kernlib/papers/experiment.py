"""An experiment of a paper as a value: what is run, what is read from the run, which printed figure it meets."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from ..experiments import REFERENCE, Axis, Curve, FoldResult, RunSpec, curve, seen_by
from ..protocols import PublishedSplits, RepeatedKFold
from .published import printed

#: What was chosen inside a training part: (path, value) pairs.
Tuned = tuple[tuple[str, Any], ...]

__all__ = [
    "Exact", "Experiment", "Measured", "NoData", "Outcome", "Row", "Verdict", "digest", "figure", "judged",
    "measured_rows",
]  # fmt: skip

Verdict = Literal["within", "outside", "no data"]

#: Moves on when the way from a run to an outcome changes, so that what is shipped is made anew.
_METHOD = 2


@dataclass(frozen=True)
class Row:
    """One printed figure and where in a run its counterpart is read.

    `place` in `published.json`, empty for what a figure alone shows; `at` the axis' value, or REFERENCE; `of` what is
    taken over the splits: the "mean", the "median", or the mean of "leaky", what each split would have shown had its
    test rows chosen. `measure` one of the run's further measures in the place of its own, `unit` turns it into the
    printed unit. `spread` the place of a standard deviation that is printed elsewhere; `why` what is known of a
    difference.
    """

    label: str
    place: str
    at: Any = None
    of: Literal["mean", "median", "leaky"] = "mean"
    spread: str = ""
    why: str = ""
    measure: str = ""
    unit: float | None = None


@dataclass(frozen=True)
class Experiment:
    """A run whose figures a paper prints.

    `realisations` is the number of splits behind each printed figure; `unit` turns ours into the printed unit;
    `protocol` says in words what the run does, where that is not plain from the paper; `tried` how many readings were
    tried before this one fitted (1: as it is printed); `decimals` those of figures that are printed without spread,
    by default those that are written; `slow` that a quick run leaves it out; `other` that it is another reading of
    figures which a first one has met or missed: shown beside it, and not counted again.
    """

    paper: str
    item: str
    title: str
    spec: RunSpec
    rows: tuple[Row, ...]
    realisations: int
    unit: float = 1.0
    protocol: str = ""
    tried: int = 1
    note: str = ""
    decimals: int | None = None
    slow: bool = False
    other: bool = False

    @property
    def name(self) -> str:
        """A name for files: letters, digits and dashes."""
        text = f"{self.paper} {self.item}".lower()
        return "-".join("".join(c if c.isalnum() else " " for c in text).split())

    def quick(self) -> RunSpec:
        """The same run on few draws and few splits: the first ones."""
        return _fewer(self.spec, 2, 2)

    def only(self, row: Row, *, few: bool = False) -> Experiment:
        """The experiment with this row alone; `few` takes the first four draws and the first five splits of each.

        >>> from kernlib.papers import EXPERIMENTS
        >>> table = EXPERIMENTS[0].only(EXPERIMENTS[0].rows[6], few=True)
        >>> table.spec.axis, table.spec.splits
        (Axis(path='kernel.kernel.p', values=(0.5,)), 20)
        """
        spec = self.spec
        if row.at == REFERENCE and spec.reference is not None:
            machine_only = tuple(axis for axis in spec.tuning if axis.path.startswith("machine."))
            spec = replace(
                spec, kernel=spec.reference, axis=None, reference=None, tuning=machine_only, leaky=False
            )  # fmt: skip
            row = replace(row, at=None)
        elif spec.axis is not None:
            spec = replace(spec, axis=Axis(spec.axis.path, (row.at,)), reference=None)
        return replace(self, spec=_fewer(spec, 4, 5) if few else spec, rows=(row,))


def _fewer(spec: RunSpec, draws: int, repeats: int) -> RunSpec:
    protocol: Any = spec.protocol
    if isinstance(protocol, PublishedSplits):
        protocol = PublishedSplits(most=min(repeats, protocol.most))
    elif isinstance(protocol, RepeatedKFold):
        protocol = replace(protocol, repeats=1)
    else:
        protocol = replace(protocol, repeats=min(repeats, protocol.repeats))
    settled = min(spec.settled, protocol.count)
    return replace(spec, protocol=protocol, draws=min(draws, spec.draws), settled=settled)


@dataclass(frozen=True)
class Exact:
    """Printed values that a formula gives, without splits; `ours` computes them, one for each row.

    A figure that is printed to `decimals` places is met when ours lies within half a unit of the last. `of` is "size"
    for rows and columns of a data set, which are no results, "drawn" for what a figure shows without numbers.
    """

    paper: str
    item: str
    title: str
    rows: tuple[Row, ...]
    ours: Callable[[], Sequence[Any]]
    decimals: int = 0
    values: tuple[Any, ...] = ()
    note: str = ""
    protocol: str = ""
    of: Literal["value", "size", "drawn"] = "value"

    def printed(self, number: int) -> Any:
        """The printed value of a row: `values` where the file holds words."""
        return self.values[number] if self.values else printed(self.rows[number].place)


@dataclass(frozen=True)
class NoData:
    """Printed figures that cannot be met, and the data that they need; `labels` name them, by default their places."""

    paper: str
    item: str
    title: str
    places: tuple[str, ...]
    needs: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Measured:
    """What a run gives for one row, in the printed unit.

    `mean` (or median), `sd` and number `n` of the splits; `se` the standard error, from the means of the draws where
    data were drawn afresh: the splits of one draw are not independent of each other; `chosen` what the splits' tuning
    chose most often, and how often.
    """

    mean: float
    sd: float
    n: int
    se: float
    chosen: tuple[tuple[Tuned, int], ...] = ()


@dataclass(frozen=True)
class Outcome:
    """One printed figure beside ours: a line of `papers.json`."""

    paper: str
    item: str
    label: str
    place: str
    published: Any
    published_sd: float | None
    published_n: int
    ours: Any
    sd: float | None
    n: int
    verdict: Verdict
    why: str = ""
    of: str = "mean"
    se: float | None = None
    chosen: tuple[tuple[Tuned, int], ...] = ()


def measured_rows(experiment: Experiment, spec: RunSpec, folds: Sequence[FoldResult]) -> list[Measured]:
    """What every row of an experiment reads from a run, which may have fewer repeats than the experiment's own."""
    curves: dict[str, Curve] = {}
    found = []
    for row in experiment.rows:
        name = row.measure or spec.measure
        if name not in curves:
            curves[name] = curve(*seen_by(name, spec, folds))
        unit = experiment.unit if row.unit is None else row.unit
        found.append(measured(curves[name], row, unit, spec.draws))
    return found


def measured(drawn: Curve, row: Row, unit: float, draws: int = 1) -> Measured:
    """What a row reads from a finished curve of `draws` data sets."""
    if row.at == REFERENCE:
        scores = np.asarray(drawn.reference)
    else:
        scores = (drawn.leaky if row.of == "leaky" else drawn.scores)[drawn.values.index(row.at)]  # type: ignore[index]
    known = scores[np.isfinite(scores)] * unit
    if not len(known):
        return Measured(math.nan, math.nan, 0, math.nan)
    chosen: tuple[tuple[Tuned, int], ...] = ()
    if drawn.tuned and row.of != "leaky" and row.at != REFERENCE:
        chosen = drawn.tuned[drawn.values.index(row.at)][:5]
    independent = known
    if draws > 1:  # while a run goes on, some data sets have no score yet
        sets = scores.reshape(draws, -1)
        independent = np.nanmean(sets[np.isfinite(sets).any(axis=1)], axis=1) * unit
    se = independent.std(ddof=1) / math.sqrt(len(independent)) if len(independent) > 1 else 0.0
    if row.of == "median":
        se *= math.sqrt(math.pi / 2)
    middle = np.median(known) if row.of == "median" else known.mean()
    sd = float(known.std(ddof=1)) if len(known) > 1 else math.nan
    return Measured(float(middle), sd, len(known), float(se), chosen)


def judged(
    published: float, published_sd: float | None, published_n: int, ours: Measured, decimals: int | None = None
) -> Verdict:
    """Whether two figures differ by no more than twice each one's standard error.

        |published − ours| ≤ 2·SE + 2·SE,  SE = sd/√n

    A median's standard error is that of a mean times √(π/2), as for normal values. A figure that is printed without
    its spread is held against ours alone, with half a unit of its last digit.

    >>> judged(0.13, 0.07, 20, Measured(0.148, 0.07, 400, 0.006))
    'within'
    """
    if not ours.n:
        return "no data"
    other = published_sd / math.sqrt(published_n) if published_sd is not None else _half_unit(published, decimals) / 2
    return "within" if abs(published - ours.mean) <= 2 * ours.se + 2 * other else "outside"


def _half_unit(value: float, decimals: int | None) -> float:
    if decimals is None:
        text = f"{value!r}".partition(".")[2]
        decimals = len(text) if text and text != "0" else 0
    return 0.5 * 10.0**-decimals


def figure(row: Row) -> tuple[float, float | None]:
    """The printed mean and standard deviation of a row."""
    found = printed(row.place)
    if isinstance(found, list):
        return float(found[0]), float(found[1])
    return float(found), float(printed(row.spread)) if row.spread else None


def digest(experiment: Experiment | Exact | NoData, quick: bool = False) -> str:
    """What a result is made from, in sixteen hex digits: declaration, printed figures, method."""
    told: list[Any] = [_METHOD, quick, experiment.paper, experiment.item]
    if isinstance(experiment, NoData):
        told += [experiment.places, experiment.needs]
    else:
        told += [
            [(r.label, r.place, repr(r.at), r.of, r.spread, r.measure, r.unit, printed(r.place) if r.place else "")
             for r in experiment.rows]
        ]  # fmt: skip
    if isinstance(experiment, Experiment):
        told += [experiment.spec.to_json(), experiment.realisations, experiment.unit]
        told += [experiment.decimals] if experiment.decimals is not None else []
        told += ["other"] if experiment.other else []
        told += ["cuts up to the rank"] if experiment.spec.selection == "likelihood" else []
    if isinstance(experiment, Exact):
        told += [experiment.decimals, repr(experiment.values)]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]
