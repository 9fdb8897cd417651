"""What published protocols ask of a run: further measures of the same machines, parameters settled on a few splits."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from statistics import median_low

import pytest

from kernlib import RBF, ParameterError
from kernlib.data import load_dataset
from kernlib.experiments import Axis, RunSpec, estimate, results_csv, run_to, script, seen_by, sweep
from kernlib.machines import SVM, KernelPCARegression
from kernlib.protocols import RepeatedKFold, RepeatedSplits
from tests.experiments.problems import points, spec_of

DATA = points(60)
TUNED = spec_of(
    DATA,
    RBF(sigma=1.0),
    SVM(),
    RepeatedSplits(repeats=5),
    axis=Axis("kernel.sigma", (0.5, 2.0)),
    tuning=(Axis("machine.C", (0.01, 0.1, 1.0, 10.0)),),
    inner=RepeatedKFold(folds=3, repeats=1, seed=0),
)


def test_further_measures_are_those_of_runs_of_their_own():
    heart = load_dataset("ida-heart", n=80)
    spec = RunSpec(
        "ida-heart",
        RBF(sigma=3.0),
        KernelPCARegression("relevant"),
        RepeatedSplits(repeats=2),
        parameters=(("n", 80),),
        tuning=(Axis("kernel.sigma", (2.0, 4.0)),),
        selection="likelihood",
        also=("relevant dimension", "AUC", "estimated error"),
    )
    assert RunSpec.from_json(spec.to_json()) == spec
    results = list(sweep(spec, heart))
    for name in (spec.measure, *spec.also):
        alone, folds = seen_by(name, spec, results)
        assert folds == list(sweep(replace(spec, measure=name, also=()), heart))
        assert alone.measure == name
    table = list(csv.DictReader(io.StringIO(results_csv(spec, results))))
    assert [float(row["AUC"]) for row in table] == [r.also[1] for r in results]
    with pytest.raises(ParameterError, match="expected error or relevant dimension"):
        seen_by("F", spec, results)
    for wrong in (("error",), ("AUC", "AUC"), ("beauty",)):
        with pytest.raises(ParameterError):
            replace(spec, also=wrong)
    assert "r.also" in script(spec)


def test_settled_parameters_are_the_median_of_the_first_splits(tmp_path):
    first = list(sweep(replace(TUNED, settled=0), DATA))
    spec = replace(TUNED, settled=3)
    results = list(sweep(spec, DATA))
    assert len(results) == 10
    for value in spec.values:
        chosen = median_low([dict(r.tuned)["machine.C"] for r in first if r.value == value and r.split < 3])
        plain = replace(spec, kernel=RBF(sigma=value), machine=SVM(C=chosen), axis=None, tuning=(), settled=0)
        own = [r for r in results if r.value == value]
        assert [r.score for r in own] == [r.score for r in sweep(plain, DATA)]
        assert {r.tuned for r in own} == {(("machine.C", chosen),)}
    assert spec.fits == 2 * (3 * (4 * 3 + 1) + 5)
    assert estimate(spec, DATA).fits == spec.fits
    assert RunSpec.from_json(spec.to_json()) == spec
    assert "settled" not in json.loads(TUNED.to_json())
    again = list(sweep(spec, DATA, done={(r.value, r.split) for r in results[:7]}, jobs=2))
    assert sorted(again, key=lambda r: r.split) == sorted(results[7:], key=lambda r: r.split)
    _, kept = run_to(tmp_path, spec, DATA)
    assert kept == results


def test_what_cannot_be_settled_is_refused():
    for wrong in (
        {"settled": 6},
        {"settled": -1},
        {"settled": 2, "tuning": ()},
        {"settled": 2, "leaky": True},
        {"settled": 2, "reference": RBF()},
    ):
        with pytest.raises(ParameterError, match="settled"):
            replace(TUNED, **wrong)
