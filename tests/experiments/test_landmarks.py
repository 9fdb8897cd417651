"""Runs over kernels with landmarks: the digits of the (n, n) matrix, without one; what it costs is told."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest

from kernlib import RBF, DataError, Normalized, Nystrom, Standardized, Subsequence
from kernlib.data import load_dataset
from kernlib.experiments import (
    Axis,
    RunSpec,
    available_axes,
    estimate,
    landmark_error,
    landmark_errors,
    sweep,
)
from kernlib.machines import SVM, KernelRidge, NearestCentroid
from kernlib.protocols import RepeatedSplits
from tests.experiments.problems import run_command

CANCER = load_dataset("breast-cancer-10", n=200)
KERNEL = Nystrom(Standardized(RBF(sigma=2.0)), landmarks=15, seed=4)


@pytest.mark.parametrize("machine", [KernelRidge(0.1), NearestCentroid(), SVM(1.0)], ids=repr)
def test_a_fold_on_short_rows_scores_as_on_the_matrix(machine):
    spec = RunSpec(
        "breast-cancer-10",
        KERNEL,
        machine,
        RepeatedSplits(repeats=3),
        parameters=(("n", 200),),
        axis=Axis("kernel.landmarks", (4, 15)),
        reference=Normalized(KERNEL),
        also=("training error",),
    )
    found = {(r.value, r.split): r for r in sweep(spec)}
    assert len(found) == 9
    assert not any(r.problem for r in found.values())
    for number, train, test in spec.protocol.splits(CANCER.y, task="classification"):
        for value, kernel in ((4, spec.at(4)[0]), (15, spec.at(15)[0]), ("reference", spec.reference)):
            _, K, K_star, k_diag = kernel.fold(CANCER.inputs[train], CANCER.inputs[test], CANCER.y[train])
            fitted = machine.fit(K, CANCER.y[train])
            near = 0.011 if isinstance(machine, SVM) else 1e-12
            scores = [
                np.mean(fitted.predict(of, diagonal) != CANCER.y[rows])
                for of, diagonal, rows in ((K_star, k_diag, test), (K, K.diagonal(), train))
            ]
            assert [found[value, number].score, *found[value, number].also] == pytest.approx(scores, abs=near)


@pytest.mark.parametrize("selection", ["splits", "likelihood"])
def test_landmarks_are_tuned_inside_the_training_part(selection):
    spec = RunSpec(
        "breast-cancer-10",
        KERNEL,
        KernelRidge(0.1),
        RepeatedSplits(repeats=2),
        parameters=(("n", 200),),
        tuning=(Axis("kernel.kernel.kernel.sigma", (1e-3, 2.0)),),
        selection=selection,
    )
    for result in sweep(spec):
        assert not result.problem
        assert result.tuned == (("kernel.kernel.kernel.sigma", 2.0),)


def test_the_number_of_landmarks_is_an_axis_like_any_other():
    places = {place.path: place for place in available_axes(KERNEL, SVM())}
    assert places["kernel.landmarks"].current == 15
    spec = RunSpec("breast-cancer-10", KERNEL, axis=Axis("kernel.landmarks", (3, 12, 40)), parameters=(("n", 200),))
    errors = landmark_errors(spec)
    assert list(errors) == [3, 12, 40]
    assert errors[3].relative > errors[12].relative > errors[40].relative
    assert landmark_error(Standardized(RBF()), CANCER.inputs) is None
    assert landmark_error(0.5 * Normalized(KERNEL), CANCER.inputs) == landmark_error(KERNEL, CANCER.inputs)


def test_a_curve_of_twenty_thousand_rows_in_a_small_part_of_their_matrix(monkeypatch):
    monkeypatch.setenv("KERNLIB_MEMORY_MB", "100")
    data = load_dataset("twonorm", n=20_000)
    dense = RunSpec("twonorm", RBF(sigma=5.0), parameters=(("n", data.n),), protocol=RepeatedSplits(repeats=1))
    kernel, axis = Nystrom(RBF(sigma=5.0), landmarks=20), Axis("kernel.landmarks", (5, 20))
    spec = RunSpec("twonorm", kernel, NearestCentroid(), dense.protocol, axis=axis, parameters=dense.parameters)
    with pytest.raises(DataError, match=r"at most \d+ rows, .* Nystrom\(kernel, landmarks=300\)"):
        next(sweep(dense, data))
    assert estimate(spec, data).bytes < 10**8
    tracemalloc.start()
    results = list(sweep(spec, data))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [r.problem for r in results] == ["", ""]
    assert max(r.score for r in results) < 0.1
    assert peak < 0.05 * 8 * data.n**2


def test_the_command_line_says_what_landmarks_cost(tmp_path, capsys):
    kernel = Nystrom(Subsequence(order=2), landmarks=8)
    spec = RunSpec("promoters", kernel, protocol=RepeatedSplits(repeats=1), axis=Axis("machine.C", (1.0, math.inf)))
    assert run_command(tmp_path, spec) == 0
    said = capsys.readouterr().out
    assert "8 landmarks: values differ" in said
    assert said.count("±") == 1
    assert RunSpec.from_json((tmp_path / "out" / "spec.json").read_text()) == spec
