"""Experiments run one after the other; what is complete is kept, and the same call goes on from there."""

from __future__ import annotations

import json
import math
import os
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from ..experiments import FoldResult, RunSpec, run_to
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
    judged,
    measured_rows,
)
from .published import printed

__all__ = ["EXPERIMENTS", "NOT_RUN", "Result", "compute", "not_run", "of_paper", "outcomes", "run_papers"]

AnyExperiment = Experiment | Exact | NoData

#: What one experiment gave: digest, version, seconds, seed, and its outcomes, as JSON has them.
Result = dict[str, Any]

#: Why a figure that stands in a picture has no verdict of its own.
DRAWN = "The paper draws it and prints no number; see the claims."
#: In the place of a digest.
NOT_RUN = "not run"

EXPERIMENTS: tuple[AnyExperiment, ...] = (
    *almost_orthogonal.EXPERIMENTS,
    *designing.EXPERIMENTS,
    *deep_machines.EXPERIMENTS,
    *relevant_dimension.EXPERIMENTS,
    *categorical.EXPERIMENTS,
)


def of_paper(paper: str | None = None) -> tuple[AnyExperiment, ...]:
    """All experiments, or those of one paper.

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
    """The results of experiments, in their order; each is kept in `out` as soon as it is complete.

    An experiment whose result is there is not run again, unless its declaration has changed; one that was interrupted
    goes on with the split after the last. The same figures for any `jobs`. Raises what `run_to` raises.
    """
    directory = Path(out) / "experiments"
    directory.mkdir(parents=True, exist_ok=True)
    found = []
    for experiment in EXPERIMENTS if experiments is None else experiments:
        result = compute(experiment, directory, quick=quick, jobs=jobs)
        progress(experiment, result)
        found.append(result)
    return found


def compute(experiment: AnyExperiment, directory: Path, *, quick: bool = False, jobs: int = 1) -> Result:
    """One experiment's result, from its file where that is of the same declaration."""
    wanted = digest(experiment, quick)
    if not isinstance(experiment, Experiment):
        return _result(wanted, 0.0, quick, outcomes(experiment), experiment)
    if quick and experiment.slow:
        return not_run(experiment) | {"quick": True}
    file = directory / f"{experiment.name}.json"
    if file.exists():
        kept: Result = json.loads(file.read_text(encoding="utf-8"))
        if kept["digest"] == wanted:
            return _reworded(kept, experiment)
    spec = experiment.quick() if quick else experiment.spec
    _, folds = run_to(directory / f"{experiment.name}-{wanted}", spec, jobs=jobs)
    lines = compared(experiment, spec, folds)
    result = _result(wanted, sum(fold.seconds for fold in folds), quick, lines, experiment)
    result["problems"] = sum(bool(fold.problem) for fold in folds)
    part = file.with_suffix(".part")
    part.write_text(json.dumps(result, allow_nan=False), encoding="utf-8")
    os.replace(part, file)
    return result


def _reworded(kept: Result, experiment: Experiment) -> Result:
    """A result that was kept, with what the declaration says by now of figures that do not agree."""
    lines = [
        line if line["verdict"] != "outside" else line | {"why": row.why or experiment.note}
        for row, line in zip(experiment.rows, kept["outcomes"], strict=True)
    ]
    return kept | {"outcomes": lines}


def compared(experiment: Experiment, spec: RunSpec, folds: Sequence[FoldResult]) -> list[Outcome]:
    """Each printed figure beside what a run gives for it; `spec` may have fewer repeats than the experiment's own."""
    found = measured_rows(experiment, spec, folds)
    return [_outcome(experiment, row, ours) for row, ours in zip(experiment.rows, found, strict=True)]


def not_run(experiment: AnyExperiment) -> Result:
    """What stands for an experiment that is declared and has not been run: its figures without ours."""
    if not isinstance(experiment, Experiment):
        return _result(digest(experiment), 0.0, False, outcomes(experiment), experiment)
    why = "Declared, and not run for this table; `python -m kernlib papers` without --quick runs it."
    lines = []
    for row in experiment.rows:
        published, sd = figure(row) if row.place else (None, None)
        lines.append(
            Outcome(
                experiment.paper, experiment.item, row.label, row.place, published, sd, experiment.realisations,
                None, None, 0, "no data", why, "drawn" if not row.place else "other" if experiment.other else row.of,
            )
        )  # fmt: skip
    return _result(NOT_RUN, 0.0, False, lines, experiment)


def _result(wanted: str, seconds: float, quick: bool, lines: Sequence[Outcome], experiment: AnyExperiment) -> Result:
    return {
        "paper": experiment.paper, "item": experiment.item, "digest": wanted, "version": _version(), "quick": quick,
        "seed": getattr(experiment.spec.protocol, "seed", None) if isinstance(experiment, Experiment) else None,
        "seconds": round(seconds, 1), "outcomes": [_plain(asdict(line)) for line in lines],
    }  # fmt: skip


def _version() -> str:
    try:
        return version("kernlib")
    except PackageNotFoundError:
        declared = Path(__file__).parents[2] / "pyproject.toml"
        found = tomllib.loads(declared.read_text(encoding="utf-8")) if declared.exists() else {}
        return str(found.get("project", {}).get("version", "not installed"))


def _plain(value: Any) -> Any:
    """Numbers to twelve digits, so that a file is the same whatever the last bits are; nan is null."""
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, float):
        return None if math.isnan(value) else float(f"{value:.12g}")
    return value


def _outcome(experiment: Experiment, row: Row, ours: Measured) -> Outcome:
    if not row.place:  # a figure that is drawn and not printed
        return Outcome(
            experiment.paper, experiment.item, row.label, "", None, None, 0, ours.mean, ours.sd, ours.n, "no data",
            DRAWN, "drawn", ours.se, ours.chosen,
        )  # fmt: skip
    published, sd = figure(row)
    verdict = judged(published, sd, experiment.realisations, ours, experiment.decimals)
    return Outcome(
        experiment.paper, experiment.item, row.label, row.place, published, sd, experiment.realisations,
        ours.mean, ours.sd, ours.n, verdict, "" if verdict == "within" else row.why or experiment.note,
        "other" if experiment.other else row.of, ours.se, ours.chosen,
    )  # fmt: skip


def outcomes(experiment: Exact | NoData) -> list[Outcome]:
    """What needs no splits: values of a formula, and figures whose data cannot be had."""
    paper, item = experiment.paper, experiment.item
    if isinstance(experiment, NoData):
        labels = experiment.labels or tuple(map(_label, experiment.places))
        named = zip(experiment.places, labels, strict=True)
        return [_missing(paper, item, place, label, experiment.needs) for place, label in named]
    found = []
    for number, (row, ours) in enumerate(zip(experiment.rows, experiment.ours(), strict=True)):
        if experiment.of == "drawn":
            found.append(Outcome(paper, item, row.label, "", None, None, 0, ours, None, 1, "no data", DRAWN, "drawn"))
            continue
        published = experiment.printed(number)
        apart = float(np.abs(np.asarray(published, dtype=float) - np.asarray(ours, dtype=float)).max())
        verdict: Verdict = "within" if apart <= 0.5 * 10.0**-experiment.decimals * (1 + 1e-9) else "outside"
        why = "" if verdict == "within" else row.why or experiment.note
        found.append(
            Outcome(paper, item, row.label, row.place, published, None, 1, ours, None, 1, verdict, why, experiment.of)
        )
    return found


def _label(place: str) -> str:
    return place.split("/", 2)[-1].replace("/", ", ").replace("_", " ")


def _missing(paper: str, item: str, place: str, label: str, needs: str) -> Outcome:
    published = printed(place)
    mean, sd = published if isinstance(published, list) and len(published) == 2 else (published, None)
    return Outcome(paper, item, label, place, mean, sd, 1, None, None, 0, "no data", needs)
