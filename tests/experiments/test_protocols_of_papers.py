"""What published protocols ask of a run: further measures of the same machines, parameters settled on a few splits."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from kernlib import RBF, ParameterError
from kernlib.data import load_dataset
from kernlib.experiments import Axis, RunSpec, results_csv, script, seen_by, sweep
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
    assert "also=" in script(spec)
