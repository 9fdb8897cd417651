"""A paper's experiment as a value: the printed figures, the run, and the numbers read from it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from ..errors import ParameterError
from ..experiments import REFERENCE, Curve, FoldResult, RunSpec, curve, seen_by
from ..measures import improvement_over_splits
from ..protocols import PublishedSplits, RepeatedKFold
from .claims import read_table

#: Short name: (title as cited, its part of `published.json`).
PAPERS: dict[str, tuple[str, str]] = {
    "O": ("Schölkopf, Weston, Eskin, Leslie, Noble 2002: almost orthogonal patterns", "orthogonal"),
    "D": ("Scott 2006: designing kernels", "designing"),
    "K": ("Wang 2011: deep kernel machines", "deep"),
    "R": ("Braun, Buhmann, Müller 2006: relevant dimension", "relevant_dimension"),
    "C": ("Villegas García 2013: categorical kernels", "categorical"),
}

#: Keys of `published.json` that are not results: words, grids, example data, timings on another machine.
_NO_RESULT = {
    "_about",
    "source",
    "metric",
    "unit",
    "columns",
    "grids",
    "protocol",
    "measures",
    "configurations",
    "dimensions",
    "pmod",
    "n",
    "X",
    "y",
    "L",
    "E",
    "s",
    "strings",
    "kernel",
    "categories",
    "seconds_gram_2000x6_in_R",
}


def printed(place: str) -> Any:
    """Return the printed value at a place: a number, [mean, standard deviation], or a matrix.

    Raises ParameterError for a place that does not exist.

    >>> printed("orthogonal/table1_strings/empirical_subpolynomial/0.6")
    [0.13, 0.07]
    """
    value = read_table("published.json")
    for name in place.split("/"):
        if not isinstance(value, dict) or name not in value:
            raise ParameterError(f"printed: expected a place in published.json; got {place!r}, without {name!r} there.")
        value = value[name]
    return value


def relevant_dimensions() -> dict[str, tuple[int, float]]:
    """Return the printed relevant dimension and estimated error, as a share, of each benchmark data set ([R]).

    >>> relevant_dimensions()["banana"]
    (24, 0.088)
    """
    table = printed("relevant_dimension/benchmark")
    return {name: (row["dim"], round(row["estimated_error"][0] / 100, 4)) for name, row in table.items()}


def places(part: str = "") -> Iterator[str]:
    """Yield every place with a result, in the order of the file.

    >>> next(iter(places("designing")))
    'designing/abba/phi_AB'
    """
    yield from _below(printed(part) if part else read_table("published.json"), [part] if part else [])


def _below(part: Any, path: list[str]) -> Iterator[str]:
    if not isinstance(part, dict):
        yield "/".join(path)
        return
    for name, value in part.items():
        if name not in _NO_RESULT:
            yield from _below(value, [*path, name])


#: Parameters chosen inside a training part, as (path, value) pairs.
Tuned = tuple[tuple[str, Any], ...]

#: A printed figure with its counterpart: one line of `papers.json`.
Line = dict[str, Any]
Verdict = Literal["within", "outside", "no data"]

#: Increase when the computation from a run to an outcome changes: it invalidates the shipped results.
_METHOD = 2


@dataclass(frozen=True)
class Row:
    """One printed figure and where a run gives its counterpart.

    `place` in `published.json`, empty for values that a figure only draws; `at` the axis value, or REFERENCE; `of` the
    statistic over the splits: "mean", "median", the mean of "leaky" (each split's score had its test rows chosen), or
    the "gain" over the first axis value, (ā_j − ā_0)/(1 − ā_0). `measure` one of the run's further measures instead of
    its own, `unit` the factor to the printed unit, `spread` the place of a standard deviation printed elsewhere, `why`
    the explanation of a difference.
    """

    label: str
    place: str
    at: Any = None
    of: Literal["mean", "median", "leaky", "gain"] = "mean"
    spread: str = ""
    why: str = ""
    measure: str = ""
    unit: float | None = None

    def printed(self) -> Any:
        """Return the printed value; None for a value that a figure only draws."""
        return printed(self.place) if self.place else None


@dataclass(frozen=True)
class Experiment:
    """A run that reproduces printed figures.

    `realisations` number of splits behind each printed figure, `assumed` whether that number is ours because the source
    does not print it; `unit` the factor to the printed unit; `protocol` the run as text where the paper leaves it
    open; `tried` number of readings tried before this one (1: as printed); `decimals` of figures printed without a
    spread, by default as written; `slow` skips the run in a quick pass; `other` marks a second reading of figures that
    are compared above: shown next to the first and not counted again.
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
    assumed: bool = False

    @property
    def name(self) -> str:
        """Return a file name: letters, digits and dashes."""
        text = f"{self.paper} {self.item}".lower()
        return "-".join("".join(c if c.isalnum() else " " for c in text).split())

    def quick(self) -> RunSpec:
        """Return the run with the first two draws and the first two splits, or one repeat of all folds."""
        protocol: Any = self.spec.protocol
        most = {PublishedSplits: {"most": 2}, RepeatedKFold: {"repeats": 1}}.get(type(protocol), {"repeats": 2})
        fewer = {name: min(number, getattr(protocol, name)) for name, number in most.items()}
        return replace(self.spec, protocol=replace(protocol, **fewer), draws=min(2, self.spec.draws))


@dataclass(frozen=True)
class Exact:
    """Printed values that are computed without splits; `ours` returns one value for each row.

    A number matches when ours lies within half a unit of its last printed decimal. Where `ours` returns a Measured, the
    printed value is [mean, standard deviation] over `realisations` values and the two are compared by `verdict_of`.
    `of` is "size" for the rows and columns of a data set, which are not results, and "drawn" for values that a figure
    draws without numbers. `values` are the printed values where `published.json` holds them in another form.
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
    realisations: int = 1


@dataclass(frozen=True)
class NoData:
    """Printed figures that cannot be compared, and the data they need.

    `labels` name them, by default their places; `realisations` number of splits behind each printed figure, `assumed`
    whether that number is ours.
    """

    paper: str
    item: str
    title: str
    places: tuple[str, ...]
    needs: str
    labels: Sequence[str] = ()
    realisations: int = 1
    assumed: bool = False

    @property
    def rows(self) -> tuple[Row, ...]:
        """Return one row for each figure."""
        named = (place.split("/", 2)[-1].replace("/", ", ").replace("_", " ") for place in self.places)
        return tuple(map(Row, self.labels or named, self.places))


def without_data() -> tuple[NoData, ...]:
    """Return the printed figures that cannot be compared."""
    return tuple(NoData(**one | {"places": tuple(places(one["places"]))}) for one in read_table("no_data.json"))


@dataclass(frozen=True)
class Measured:
    """The result of a run for one row, in the printed unit.

    `mean` (or median), standard deviation `sd` and number `n` of the splits; `se` the standard error, over the means of
    the draws where data are drawn afresh, as splits of one draw are not independent; `chosen` the parameters that the
    splits chose most often, each with its count.
    """

    mean: Any
    sd: float | None
    n: int
    se: Any
    chosen: tuple[tuple[Tuned, int], ...] = ()


def measured_rows(experiment: Experiment, spec: RunSpec, folds: Sequence[FoldResult]) -> list[Measured]:
    """Return the result of each row of an experiment; `spec` may have fewer repeats than the experiment's own."""
    curves: dict[str, Curve] = {}
    rows = []
    for row in experiment.rows:
        name = row.measure or spec.measure
        if name not in curves:
            curves[name] = curve(*seen_by(name, spec, folds))
        unit = experiment.unit if row.unit is None else row.unit
        rows.append(measured(curves[name], row, unit, spec.draws))
    return rows


def measured(drawn: Curve, row: Row, unit: float, draws: int = 1) -> Measured:
    """Return the result of a row from a finished curve of `draws` data sets."""
    if row.of == "gain":
        return _gain(drawn, row, unit)
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
    if draws > 1:  # some data sets have no score yet while a run continues
        sets = scores.reshape(draws, -1)
        independent = np.nanmean(sets[np.isfinite(sets).any(axis=1)], axis=1) * unit
    se = independent.std(ddof=1) / math.sqrt(len(independent)) if len(independent) > 1 else 0.0
    if row.of == "median":
        se *= math.sqrt(math.pi / 2)
    middle = np.median(known) if row.of == "median" else known.mean()
    sd = float(known.std(ddof=1)) if len(known) > 1 else math.nan
    return Measured(float(middle), sd, len(known), float(se), chosen)


def _gain(drawn: Curve, row: Row, unit: float) -> Measured:
    """Return the gain over the first axis value, with the standard error for overlapping training parts."""
    pairs = drawn.scores[[drawn.values.index(row.at), 0]]
    later, first = pairs[:, np.isfinite(pairs).all(axis=0)]
    if not len(later):
        return Measured(math.nan, math.nan, 0, math.nan)
    gain = improvement_over_splits(later, first)
    se = gain.spread * math.sqrt(1 / gain.count + drawn.test_over_train)
    return Measured(gain.value * unit, gain.spread * unit, gain.count, se * unit)


def verdict_of(
    published: float, published_sd: float | None, published_n: int, ours: Measured, decimals: int | None = None
) -> Verdict:
    """Return whether two figures differ by at most twice the standard error of each.

        |published − ours| ≤ 2·SE + 2·SE,  SE = sd/√n

    The standard error of a median is that of a mean times √(π/2), as for normal values. A figure printed without a
    spread is compared with twice our standard error plus half a unit of its last digit.

    >>> verdict_of(0.13, 0.07, 20, Measured(0.148, 0.07, 400, 0.006))
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


def digest(experiment: Experiment | Exact | NoData, quick: bool = False) -> str:
    """Return sixteen hex digits that identify declaration, printed figures and method of a result."""
    parts: list[Any] = [_METHOD, quick, experiment.paper, experiment.item]
    if isinstance(experiment, NoData):
        parts += [experiment.places, experiment.needs, experiment.realisations]
    else:
        parts += [
            [
                (r.label, r.place, repr(r.at), r.of, r.spread, r.measure, r.unit, printed(r.place) if r.place else "")
                for r in experiment.rows
            ]
        ]
    if isinstance(experiment, Experiment):
        parts += [experiment.spec.to_json(), experiment.realisations, experiment.unit]
        parts += [experiment.decimals] if experiment.decimals is not None else []
        parts += ["other"] if experiment.other else []
        parts += ["cuts up to the rank"] if experiment.spec.selection == "likelihood" else []
    if isinstance(experiment, Exact):
        parts += [experiment.decimals, repr(experiment.values), experiment.realisations]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
