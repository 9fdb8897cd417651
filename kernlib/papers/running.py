"""Run experiments one after the other; results are kept, and the same call resumes after an interruption."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from ..experiments import FoldResult, RunSpec, run_to
from ..experiments.files import locked, version_of
from ..values.ledger import Ledger
from . import almost_orthogonal, categorical, deep_machines, designing, relevant_dimension
from .experiment import (
    Exact,
    Experiment,
    Measured,
    NoData,
    Outcome,
    Row,
    Verdict,
    digest,
    figure,
    measured_rows,
    verdict_of,
)
from .published import printed

AnyExperiment = Experiment | Exact | NoData

#: The result of one experiment as JSON, with these keys.
Result = dict[str, Any]
_KEYS = ("paper", "item", "digest", "version", "quick", "seed", "seconds", "outcomes")

#: Reason why a value that a figure draws has no verdict.
DRAWN = "The paper draws this value and prints no number; see the claims."
#: Stands for the digest of an experiment that was not run.
NOT_RUN = "not run"

EXPERIMENTS: tuple[AnyExperiment, ...] = (
    *almost_orthogonal.EXPERIMENTS,
    *designing.EXPERIMENTS,
    *deep_machines.EXPERIMENTS,
    *relevant_dimension.EXPERIMENTS,
    *categorical.EXPERIMENTS,
)


def of_paper(paper: str | None = None) -> tuple[AnyExperiment, ...]:
    """Return all experiments, or those of one paper.

    >>> sorted({e.paper for e in of_paper("D")})
    ['D']
    """
    return tuple(e for e in EXPERIMENTS if paper in (None, e.paper))


def run_papers(
    out: str | Path,
    experiments: Iterable[AnyExperiment] | None = None,
    *,
    quick: bool = False,
    jobs: int = 1,
    progress: Callable[[AnyExperiment, Result], object] = lambda experiment, result: None,
) -> list[Result]:
    """Return the results of experiments, in their order; each is written to a ledger in `out` when it is complete.

    An experiment with a result is not run again, unless its declaration has changed; an interrupted experiment resumes
    after its last split. The figures are the same for any `jobs`. Raises what `run_to` raises.
    """
    directory = Path(out) / "experiments"
    results = []
    for experiment in EXPERIMENTS if experiments is None else experiments:
        result = compute(experiment, directory, quick=quick, jobs=jobs)
        progress(experiment, result)
        results.append(result)
    return results


def compute(experiment: AnyExperiment, directory: Path, *, quick: bool = False, jobs: int = 1) -> Result:
    """Return one experiment's result, from the ledger in `directory` if it has one of the same declaration."""
    declared = digest(experiment, quick)
    if not isinstance(experiment, Experiment):
        return _result(declared, 0.0, quick, outcomes(experiment), experiment)
    if quick and experiment.slow:
        return not_run(experiment) | {"quick": True}
    with (
        locked(directory),
        closing(Ledger(directory / "results.jsonl", {"results of": "papers"}, "table of results")) as ledger,
    ):
        for kept in ledger.records:
            if (kept["digest"], len(kept["outcomes"])) == (declared, len(experiment.rows)):
                return with_reasons(kept, experiment)
        spec = experiment.quick() if quick else experiment.spec
        _, folds = run_to(directory / f"{experiment.name}-{declared}", spec, jobs=jobs)
        lines = compared(experiment, spec, folds)
        result = _result(declared, sum(fold.seconds for fold in folds), quick, lines, experiment)
        result["problems"] = sum(bool(fold.problem) for fold in folds)
        ledger.append(result)
    return result


def with_reasons(kept: Result, experiment: Experiment) -> Result:
    """Return a stored result with the declaration's present reasons for figures that do not agree."""
    lines = [
        line
        if line["verdict"] != "outside"
        else line | {"why": row.why or experiment.note}
        if row.place
        else line | {"why": DRAWN}
        for row, line in zip(experiment.rows, kept["outcomes"], strict=True)
    ]
    return kept | {"outcomes": lines}


def compared(experiment: Experiment, spec: RunSpec, folds: Sequence[FoldResult]) -> list[Outcome]:
    """Return each printed figure with the run's result; `spec` may have fewer repeats than the experiment's own."""
    results = measured_rows(experiment, spec, folds)
    return [_outcome(experiment, row, ours) for row, ours in zip(experiment.rows, results, strict=True)]


def not_run(experiment: AnyExperiment) -> Result:
    """Return the result of an experiment that has not been run: printed figures alone."""
    if not isinstance(experiment, Experiment):
        return _result(digest(experiment), 0.0, False, outcomes(experiment), experiment)
    why = "Not run for this table; `python -m kernlib papers` without --quick runs it."
    lines = []
    for row in experiment.rows:
        value, sd = figure(row) if row.place else (None, None)
        lines.append(_line(experiment, row, _kind(experiment, row), (value, sd, experiment.realisations), why=why))
    return _result(NOT_RUN, 0.0, False, lines, experiment)


def _result(declared: str, seconds: float, quick: bool, lines: Sequence[Outcome], experiment: AnyExperiment) -> Result:
    return {
        "paper": experiment.paper,
        "item": experiment.item,
        "digest": declared,
        "version": _version(),
        "quick": quick,
        "seed": getattr(experiment.spec.protocol, "seed", None) if isinstance(experiment, Experiment) else None,
        "seconds": round(seconds, 1),
        "outcomes": [_plain(asdict(line)) for line in lines],
    }


def _version() -> str:
    declared = Path(__file__).parents[2] / "pyproject.toml"
    content = tomllib.loads(declared.read_text(encoding="utf-8")) if declared.exists() else {}
    return version_of("kernlib") or str(content.get("project", {}).get("version", "not installed"))


def _plain(value: Any) -> Any:
    """Round numbers to twelve digits, so that files do not depend on the last bits; nan becomes null."""
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, float):
        return None if math.isnan(value) else float(f"{value:.12g}")
    return value


def _outcome(experiment: Experiment, row: Row, ours: Measured) -> Outcome:
    if not row.place:
        return _line(experiment, row, "drawn", _NOT_PRINTED, ours, why=DRAWN)
    (value, sd), n = figure(row), experiment.realisations
    verdict = verdict_of(value, sd, n, ours, experiment.decimals)
    return _judged(experiment, row, _kind(experiment, row), (value, sd, n), ours, verdict)


def outcomes(experiment: Exact | NoData) -> list[Outcome]:
    """Return the outcomes that need no splits: computed values, and figures without data."""
    if isinstance(experiment, Exact):
        rows = zip(experiment.rows, experiment.printed(), experiment.ours(), strict=True)
        return [_exact(experiment, *row) for row in rows]
    labels = experiment.labels or tuple(map(_label, experiment.places))
    return [_missing(experiment, Row(*row)) for row in zip(labels, experiment.places, strict=True)]


def _exact(experiment: Exact, row: Row, published: Any, ours: Any) -> Outcome:
    if experiment.of == "drawn":
        return _line(experiment, row, "drawn", _NOT_PRINTED, ours, why=DRAWN)
    if isinstance(ours, Measured):
        (mean, sd), n = published, experiment.realisations
        return _judged(experiment, row, experiment.of, (mean, sd, n), ours, verdict_of(mean, sd, n, ours))
    apart = float(np.abs(np.asarray(published, dtype=float) - np.asarray(ours, dtype=float)).max())
    verdict: Verdict = "within" if apart <= 0.5 * 10.0**-experiment.decimals * (1 + 1e-9) else "outside"
    return _judged(experiment, row, experiment.of, (published, None, 1), ours, verdict)


def _missing(experiment: NoData, row: Row) -> Outcome:
    published = printed(row.place)
    mean, sd = published if isinstance(published, list) and len(published) == 2 else (published, None)
    return _line(experiment, row, row.of, (mean, sd, experiment.realisations), why=experiment.needs)


def _label(place: str) -> str:
    return place.split("/", 2)[-1].replace("/", ", ").replace("_", " ")


def _kind(experiment: Experiment, row: Row) -> str:
    """Return `Outcome.of` for a row of an experiment."""
    return "drawn" if not row.place else "other" if experiment.other else row.of


#: A printed value, its spread, and the number of splits behind it.
_Published = tuple[Any, float | None, int]
_NOT_PRINTED: _Published = (None, None, 0)


def _judged(
    experiment: Experiment | Exact, row: Row, of: str, published: _Published, ours: Any, verdict: Verdict
) -> Outcome:
    why = "" if verdict == "within" else row.why or experiment.note
    return _line(experiment, row, of, published, ours, verdict, why)


def _line(
    experiment: AnyExperiment,
    row: Row,
    of: str,
    published: _Published,
    ours: Any = None,
    verdict: Verdict = "no data",
    why: str = "",
) -> Outcome:
    """Return one line of `papers.json`; `ours` is a Measured, a value that is computed without splits, or None."""
    place = experiment.paper, experiment.item, row.label, row.place
    if isinstance(ours, Measured):
        return Outcome(*place, *published, ours.mean, ours.sd, ours.n, verdict, why, of, ours.se, ours.chosen)
    return Outcome(*place, *published, ours, None, int(ours is not None), verdict, why, of)
