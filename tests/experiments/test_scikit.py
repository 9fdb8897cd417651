"""The run in scikit-learn's own terms: the same splits, the same means."""

from __future__ import annotations

import ast
import math
import re
import runpy
import sys
from dataclasses import replace

import numpy as np
import pytest

from kernlib import RBF, Deep, Diffusion, Empirical, LabelPairs, Nystrom, Power, Spectrum, Standardized
from kernlib.__main__ import main
from kernlib.data import read_paths
from kernlib.experiments import UPLOAD, Axis, RunSpec, curve, scikit_script, sweep
from kernlib.machines import SVM, KernelLogisticRegression, KernelPCARegression, KernelRidge, NearestCentroid
from kernlib.protocols import RepeatedKFold, RepeatedSplits

SPLITS = RepeatedSplits(repeats=2)
THIRDS = RepeatedKFold(folds=3, repeats=1)
LEVELS = Axis("kernel.level", (0, 1, 2))
COSTS = Axis("machine.C", (0.1, 10.0))
SMALL = (("n", 60), ("seed", 1))

SPECS = {
    "levels": RunSpec(
        "breast-cancer-10",
        Deep(Standardized(RBF(sigma="median"))),
        SVM(C=2.0),
        SPLITS,
        axis=LEVELS,
        parameters=SMALL,
        reference=RBF(),
        also=("training error",),
    ),
    "two axes": RunSpec(
        "promoters",
        Empirical(Power(Spectrum(length=3))),
        SVM(),
        SPLITS,
        "AUC",
        axis=Axis("kernel.kernel.p", (0.3, 1.0)),
        second=Axis("machine.C", (0.1, math.inf)),
    ),
    "tuned inside": RunSpec(
        "iris",
        Deep(RBF(sigma="median")),
        SVM(),
        THIRDS,
        "F",
        axis=LEVELS,
        tuning=(COSTS,),
        inner=RepeatedKFold(folds=3, repeats=2, seed=4),
        parameters=SMALL,
    ),
    "nothing varied": RunSpec(
        "iris",
        RBF(),
        SVM(),
        THIRDS,
        tuning=(COSTS, Axis("kernel.sigma", (0.1, "median"))),
        inner=THIRDS,
        parameters=SMALL,
    ),
    "nodes": RunSpec(
        "karate",
        Diffusion(beta=0.3),
        SVM(),
        SPLITS,
        "balanced error",
        axis=Axis("kernel.beta", (0.1, 0.5)),
        second=COSTS,
    ),
    "whole kernels": RunSpec(
        "promoters",
        Spectrum(length=3),
        SVM(),
        SPLITS,
        axis=Axis("kernel", ("Spectrum(length=2)", "Empirical(Power(Spectrum(length=3), p=0.5))")),
        second=COSTS,
    ),
    "graphs": RunSpec("mutag", LabelPairs(), SVM(), THIRDS, "median RFP", parameters=SMALL),
    "real labels": RunSpec(
        "sinc",
        RBF(sigma=1.0),
        KernelRidge(),
        SPLITS,
        "squared error",
        axis=Axis("machine.ridge", (0.1, 1.0)),
        parameters=(("n", 60),),
    ),
    "real labels less their mean": RunSpec(
        "sinc",
        RBF(sigma=1.0),
        KernelRidge(ridge=0.3, centred=True),
        SPLITS,
        "squared error",
        axis=Axis("kernel.sigma", (0.5, 1.0)),
        parameters=(("n", 60),),
    ),
    "landmarks": RunSpec(
        "iris",
        Nystrom(Standardized(RBF(sigma=1.0))),
        SVM(),
        SPLITS,
        axis=Axis("kernel.landmarks", (3, 12)),
        second=COSTS,
        parameters=SMALL,
    ),
    "C on the kernel's scale": RunSpec(
        "promoters",
        Power(Spectrum(length=3), p=0.5),
        SVM(C=10.0, scale="spread"),
        SPLITS,
        axis=Axis("kernel.p", (0.5, 1.0)),
        second=Axis("machine.C", (1.0, math.inf)),
    ),
    "landmarks, C on the kernel's scale": RunSpec(
        "iris",
        Nystrom(Standardized(RBF(sigma=1.0)), landmarks=9),
        SVM(scale="spread"),
        SPLITS,
        second=None,
        axis=COSTS,
        parameters=SMALL,
    ),
    "logistic regression": RunSpec(
        "iris",
        RBF(sigma="median"),
        KernelLogisticRegression(),
        SPLITS,
        axis=COSTS,
        parameters=SMALL,
    ),
    "logistic regression, C on the kernel's scale": RunSpec(
        "promoters",
        Spectrum(length=3),
        KernelLogisticRegression(scale="spread"),
        SPLITS,
        "AUC",
        axis=COSTS,
    ),
    "logistic regression on landmarks": RunSpec(
        "iris",
        Nystrom(Standardized(RBF(sigma=1.0)), landmarks=9),
        KernelLogisticRegression(scale="spread"),
        SPLITS,
        axis=COSTS,
        parameters=SMALL,
    ),
    "landmarks, real labels": RunSpec(
        "sinc",
        Nystrom(RBF(sigma=1.0), landmarks=9),
        KernelRidge(centred=True),
        SPLITS,
        "squared error",
        axis=Axis("machine.ridge", (0.1, 1.0)),
        parameters=(("n", 60),),
    ),
}


def means_of(text: str, tmp_path, capsys, monkeypatch, *arguments: str) -> np.ndarray:
    """What the script prints; and none of its lines is longer than a screen is wide."""
    file = tmp_path / "pipeline.py"
    file.write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys, "argv", [str(file), *arguments])
    runpy.run_path(str(file), run_name="__main__")
    return np.array([float(line.rsplit(" ", 1)[1]) for line in capsys.readouterr().out.splitlines()])


def as_a_loss(spec: RunSpec, means: np.ndarray) -> np.ndarray:
    """scikit-learn's scores are large where the model is good."""
    if spec.measure in ("error", "balanced error"):
        return 1.0 - means
    return -means if spec.measure in ("squared error", "median RFP") else means


@pytest.mark.parametrize("name", SPECS)
def test_the_search_gives_the_means_of_the_run(name, tmp_path, capsys, monkeypatch):
    spec = SPECS[name]
    text = scikit_script(spec)
    means = means_of(text, tmp_path, capsys, monkeypatch)
    np.testing.assert_allclose(as_a_loss(spec, means), curve(spec, list(sweep(spec))).mean, atol=1e-9)
    assert ("GramTransformer" in text) != spec.kernel.has_factor
    assert max(map(len, text.splitlines())) <= 140
    left_out = "# Left out of the run: further measures (training error), the reference kernel."
    assert (left_out in text.splitlines()) == bool(spec.also)
    assert ("test rows have been seen" in text) == spec.kernel.transductive
    imported = {node.module.split(".")[0] for node in ast.parse(text).body if isinstance(node, ast.ImportFrom)}
    assert {"sklearn", "kernlib"} <= imported <= {"sklearn", "kernlib", "math"}


def test_an_upload_is_read_and_checked(tmp_path, capsys, monkeypatch):
    table = tmp_path / 'a "b" \\ c.csv'
    rows = np.random.default_rng(5).standard_normal((30, 2)) + np.repeat([[0], [1]], 15, axis=0)
    table.write_text("width,kind\n" + "".join(f"{a!r},{'ab'[i // 15]}\n" for i, (a, _) in enumerate(rows.tolist())))
    data = read_paths(table, label="kind")
    spec = RunSpec(UPLOAD + data.digest, RBF(), SVM(), SPLITS, axis=Axis("kernel.sigma", (0.3, 1.0)))
    text = scikit_script(spec, table.name)
    means = means_of(text, tmp_path, capsys, monkeypatch, str(table))
    np.testing.assert_allclose(1.0 - means, curve(spec, list(sweep(spec, data))).mean, atol=1e-9)
    with pytest.raises(SystemExit, match=re.escape(f"Give the path of {table.name}, digest")):
        means_of(text, tmp_path, capsys, monkeypatch)


def test_the_command_line_prints_it(tmp_path, capsys):
    (tmp_path / "spec.json").write_text(SPECS["levels"].to_json())
    assert main(["script", str(tmp_path / "spec.json"), "--form", "scikit-learn"]) == 0
    assert capsys.readouterr().out == scikit_script(SPECS["levels"])


SINC = dict(data="sinc", kernel=RBF(sigma=1.0), measure="squared error", reference=None, axis=None)
NODES = dict(data="karate", kernel=Diffusion(), reference=None, axis=None)


@pytest.mark.parametrize(
    ("changes", "left_out"),
    [
        (dict(machine=NearestCentroid()), f"its machine ({NearestCentroid.label}; here {SVM.label})"),
        (dict(machine=KernelRidge(), axis=Axis("machine.ridge", (0.1, 1.0))), "the axis machine.ridge"),
        (dict(tuning=(COSTS,), inner=RepeatedSplits()), "tuning of machine.C"),
        (dict(measure="relevant dimension"), "the measure of training rows (relevant dimension)"),
        (dict(measure="training balanced error"), "the measure of training rows (training balanced error)"),
        (dict(data="twonorm", reference=None, axis=Axis("data.n", (50, 100)), second=LEVELS), "the axis data.n"),
        (dict(data="twonorm", draws=3), "3 fresh draws of the data"),
        (dict(tuning=(COSTS,), selection="likelihood"), "tuning of machine.C"),
        (NODES | dict(tuning=(Axis("kernel.beta", (0.1,)),)), "tuning of kernel.beta"),
        (SINC | dict(machine=KernelPCARegression()), "leave-one-out of λ (here by 5 folds)"),
        (SINC | dict(machine=KernelRidge("leave-one-out")), "leave-one-out of λ (here by 5 folds)"),
        (SINC | dict(kernel=Nystrom(RBF(), landmarks=9), machine=KernelRidge("leave-one-out")), "leave-one-out of λ"),
    ],
)
def test_what_scikit_learn_has_not_is_left_out(changes, left_out, tmp_path, capsys, monkeypatch):
    """The pipeline is written and runs; a comment names what it lacks."""
    spec = replace(SPECS["levels"], parameters=(), also=(), **changes)
    text = scikit_script(spec)
    comment = next(line for line in text.splitlines() if line.startswith("# Left out of the run: "))
    assert left_out in comment
    means = means_of(text, tmp_path, capsys, monkeypatch)
    assert np.isfinite(means).all()
    if spec.measure.startswith("training"):  # scored on test rows, as the same measure there
        same = replace(spec, measure="balanced error", reference=None)
        np.testing.assert_allclose(means, 1 - curve(same, list(sweep(same))).mean, atol=1e-9)
