"""The run in scikit-learn's own terms: the same splits, the same means."""

from __future__ import annotations

import ast
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import RBF, Deep, Diffusion, Empirical, Nystrom, Power, Spectrum, Standardized
from kernlib.experiments import Axis, RunSpec, curve, scikit_script, sweep
from kernlib.machines import SVM, KernelPCASVM, KernelRidge, NearestNeighbour
from kernlib.protocols import RepeatedKFold, RepeatedSplits
from tests.experiments.problems import printed_by

SPLITS = RepeatedSplits(repeats=2)
THIRDS = RepeatedKFold(folds=3, repeats=1)
LEVELS = Axis("kernel.level", (0, 1, 2))
COSTS = Axis("machine.C", (0.1, 10.0))
SMALL = (("n", 60), ("seed", 1))

SPECS = {
    "not tuned": RunSpec(
        "breast-cancer-10",
        Deep(Standardized(RBF(sigma="median"))),
        SVM(C=2.0),
        SPLITS,
        parameters=SMALL,
        reference=RBF(),
        also=("training error",),
    ),
    "ranking, a hard margin among C in units of the spread": RunSpec(
        "promoters",
        Empirical(Power(Spectrum(length=3))),
        SVM(scale="spread"),
        SPLITS,
        "AUC",
        tuning=(Axis("kernel.kernel.p", (0.3, 1.0)), Axis("machine.C", (0.1, math.inf))),
        inner=THIRDS,
    ),
    "nothing but the machine tuned": RunSpec(
        "iris",
        Deep(RBF(sigma="median")),
        NearestNeighbour(),
        THIRDS,
        "F",
        tuning=(Axis("machine.k", (1, 5)),),
        inner=RepeatedKFold(folds=3, repeats=2, seed=4),
        parameters=SMALL,
    ),
    "nodes": RunSpec("karate", Diffusion(beta=0.3), SVM(), SPLITS, "balanced error", tuning=(COSTS,), inner=THIRDS),
    "landmarks": RunSpec(
        "iris",
        Nystrom(Standardized(RBF(sigma=1.0))),
        KernelPCASVM(),
        SPLITS,
        tuning=(Axis("kernel.landmarks", (3, 12)), COSTS),
        inner=THIRDS,
        parameters=SMALL,
    ),
    "real labels": RunSpec(
        "sinc",
        RBF(sigma=1.0),
        KernelRidge("leave-one-out", centred=True),
        SPLITS,
        "squared error",
        tuning=(Axis("machine.ridge", (0.1, "leave-one-out")),),
        inner=THIRDS,
        parameters=(("n", 60),),
    ),
}


def means_of(text: str, folder: Path) -> list[float]:
    """What the script prints."""
    return [float(line.rsplit(" ", 1)[1]) for line in printed_by(text, folder).splitlines()]


@pytest.mark.parametrize("name", SPECS)
def test_the_pipeline_gives_the_mean_of_the_run(name, tmp_path):
    spec = SPECS[name]
    text = scikit_script(spec)
    assert_allclose(means_of(text, tmp_path), curve(spec, list(sweep(spec))).mean, atol=1e-9)
    assert max(map(len, text.splitlines())) <= 140
    left_out = "# Left out of the run: also, reference."
    assert (left_out in text.splitlines()) == bool(spec.also)
    assert ("test rows have been seen" in text) == spec.kernel.transductive
    imported = {node.module.split(".")[0] for node in ast.parse(text).body if isinstance(node, ast.ImportFrom)}
    assert {"sklearn", "kernlib"} <= imported <= {"sklearn", "kernlib", "math"}


NODES = dict(data="karate", kernel=Diffusion(), reference=None)


@pytest.mark.parametrize(
    ("changes", "left_out"),
    [
        (dict(tuning=(COSTS,), inner=RepeatedSplits()), "tuning of machine.C"),
        (dict(measure="relevant dimension"), "the measure of training rows"),
        (dict(measure="training balanced error"), "the measure of training rows"),
        (dict(data="twonorm", reference=None, axis=Axis("protocol.train", (0.3, 0.5))), "the axis protocol.train"),
        (dict(axis=LEVELS), "the axis kernel.level"),
        (dict(tuning=(Axis("kernel", ("RBF()", "RBF(sigma=2.0)")),)), "tuning of kernel"),
        (dict(data="twonorm", draws=3), "draws"),
        (dict(tuning=(COSTS,), selection="likelihood"), "tuning of machine.C"),
        (NODES | dict(tuning=(Axis("kernel.beta", (0.1,)),)), "tuning of kernel.beta"),
    ],
)
def test_what_scikit_learn_has_not_is_left_out(changes, left_out, tmp_path):
    """The pipeline is written and runs; a comment names what it lacks."""
    spec = replace(SPECS["not tuned"], parameters=(), also=(), **changes)
    text = scikit_script(spec)
    comment = next(line for line in text.splitlines() if line.startswith("# Left out of the run: "))
    assert left_out in comment
    means = means_of(text, tmp_path)
    assert np.isfinite(means).all()
    if spec.measure.startswith("training"):  # scored on test rows, as the same measure there
        same = replace(spec, measure="balanced error", reference=None)
        assert_allclose(means, curve(same, list(sweep(same))).mean, atol=1e-9)
