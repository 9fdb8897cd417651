"""Run experiments one after the other; results are kept, and the same call resumes after an interruption."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..experiments import run_to
from ..experiments.files import version_of, write_files
from . import almost_orthogonal, categorical, deep_machines, designing, relevant_dimension
from .experiment import (
    PAPERS,
    Exact,
    Experiment,
    Line,
    Measured,
    NoData,
    Row,
    digest,
    measured_rows,
    printed,
    verdict_of,
    without_data,
)

AnyExperiment = Experiment | Exact | NoData

#: The result of one experiment as JSON, with these keys.
Result = dict[str, Any]

#: Reason why a value that a figure draws has no verdict.
DRAWN = "The paper draws this value and prints no number; see the claims."
#: Stands for the digest of an experiment that was not run.
NOT_RUN = "not run"

_RUN: tuple[AnyExperiment, ...] = (
    *almost_orthogonal.EXPERIMENTS,
    *designing.EXPERIMENTS,
    *deep_machines.EXPERIMENTS,
    *relevant_dimension.EXPERIMENTS,
    *categorical.EXPERIMENTS,
)
#: All experiments, paper by paper, the figures that cannot be compared last.
EXPERIMENTS = tuple(sorted((*_RUN, *without_data()), key=lambda one: [*PAPERS].index(one.paper)))


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
    """Return the results of experiments, in their order; each is written to a file in `out` when it is complete.

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
    """Return one experiment's result, from its file in `directory` if it has one of the same declaration."""
    declared = digest(experiment, quick)
    if not isinstance(experiment, Experiment):
        return _result(declared, 0.0, quick, outcomes(experiment), experiment)
    if quick and experiment.slow:
        return not_run(experiment) | {"quick": True}
    own, name = directory / f"{experiment.name}-{declared}", "result.json"
    if (own / name).exists():
        return with_reasons(json.loads((own / name).read_text(encoding="utf-8")), experiment)
    spec = experiment.quick() if quick else experiment.spec
    _, folds = run_to(own, spec, jobs=jobs)
    lines = _lines(experiment, measured_rows(experiment, spec, folds))
    result = _result(declared, sum(fold.seconds for fold in folds), quick, lines, experiment)
    result["problems"] = sum(bool(fold.problem) for fold in folds)
    write_files(own, {name: json.dumps(result)})
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


def outcomes(experiment: Exact | NoData) -> list[Line]:
    """Return the outcomes that need no splits: computed values, and figures without data."""
    return _lines(experiment, experiment.ours()) if isinstance(experiment, Exact) else _lines(experiment)


def not_run(experiment: AnyExperiment) -> Result:
    """Return the result of an experiment that has not been run: printed figures alone."""
    if not isinstance(experiment, Experiment):
        return _result(digest(experiment), 0.0, False, outcomes(experiment), experiment)
    why = "Not run for this table; `python -m kernlib papers` without --quick runs it."
    return _result(NOT_RUN, 0.0, False, _lines(experiment, absent=why), experiment)


def _lines(experiment: AnyExperiment, ours: Sequence[Any] | None = None, absent: str = "") -> list[Line]:
    """Return the lines of `papers.json`; without `ours`, one value for each row, `absent` says why."""
    absent = experiment.needs if isinstance(experiment, NoData) else absent
    printed_elsewhere = experiment.values if isinstance(experiment, Exact) else ()
    published = printed_elsewhere or [row.printed() for row in experiment.rows]
    rows = zip(experiment.rows, published, ours or [None] * len(published), strict=True)
    return [_line(experiment, *row, absent) for row in rows]


def _line(experiment: AnyExperiment, row: Row, published: Any, ours: Any, absent: str) -> Line:
    """Return one line of `papers.json`; `ours` is a Measured, a value without splits, or None."""
    of: str = "other" if getattr(experiment, "other", False) else row.of
    of = experiment.of if isinstance(experiment, Exact) else of
    sd, n, verdict, why = None, experiment.realisations, "no data", absent
    # A matrix is a list, too.
    if isinstance(published, list) and len(published) == 2 and (absent or isinstance(ours, Measured)):
        published, sd = published
    elif row.spread:
        sd = printed(row.spread)
    if published is None:
        of, n, why = "drawn", 0, absent or DRAWN
    elif not isinstance(experiment, NoData) and not absent:
        if isinstance(ours, Measured):
            verdict = verdict_of(published, sd, n, ours, experiment.decimals)
        else:
            apart = float(np.abs(np.asarray(published, dtype=float) - np.asarray(ours, dtype=float)).max())
            verdict = "within" if apart <= 0.5 * 10.0 ** -(experiment.decimals or 0) * (1 + 1e-9) else "outside"
        why = "" if verdict == "within" else row.why or experiment.note
    own = ours if isinstance(ours, Measured) else Measured(ours, None, int(ours is not None), None)
    return {
        "paper": experiment.paper,
        "item": experiment.item,
        "label": row.label,
        "place": row.place,
        "published": published,
        "published_sd": sd,
        "published_n": n,
        "ours": own.mean,
        "sd": own.sd,
        "n": own.n,
        "verdict": verdict,
        "why": why,
        "of": of,
        "se": own.se,
        "chosen": own.chosen,
    }


def _result(declared: str, seconds: float, quick: bool, lines: Sequence[Line], experiment: AnyExperiment) -> Result:
    return {
        "paper": experiment.paper,
        "item": experiment.item,
        "digest": declared,
        "version": version_of("kernlib") or "not installed",
        "quick": quick,
        "seed": getattr(experiment.spec.protocol, "seed", None) if isinstance(experiment, Experiment) else None,
        "seconds": round(seconds, 1),
        "outcomes": [_plain(line) for line in lines],
    }


def _plain(value: Any) -> Any:
    """Round numbers to twelve digits, so that files do not depend on the last bits; nan becomes null."""
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, float):
        return None if math.isnan(value) else float(f"{value:.12g}")
    return value
