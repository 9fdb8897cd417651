"""The error on the training rows, beside the error on the test rows."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib import RBF, Empirical, Nystrom, Power, Subsequence
from kernlib.data import load_dataset
from kernlib.experiments import Axis, RunSpec, curve, seen_by, sweep
from kernlib.machines import SVM, KernelRidge, NearestCentroid, NearestNeighbour
from kernlib.measures import MEASURES
from kernlib.protocols import RepeatedSplits

PROTOCOL = RepeatedSplits(repeats=3, train=0.5, seed=0)


@pytest.mark.parametrize("machine", [SVM(C=10.0, scale="spread"), NearestCentroid(), NearestNeighbour(), KernelRidge()])
def test_it_is_that_of_the_machine_on_its_own_rows(machine):
    data = load_dataset("iris")
    spec = RunSpec("iris", RBF(sigma=1.0), machine, PROTOCOL, also=("training error",))
    found = [fold.also[0] for fold in sweep(spec)]
    for (_, rows, _), score in zip(PROTOCOL.splits(data.y), found, strict=True):
        K = RBF(sigma=1.0)(data.rows[rows])
        predicted = machine.fit(K, data.y[rows]).predict(K, np.diagonal(K))
        assert score == np.mean(predicted != data.y[rows])


def test_landmarks_and_targets_have_one_too():
    spec = RunSpec(
        "sinc",
        Nystrom(RBF(sigma=0.5), landmarks=20),
        KernelRidge(ridge=0.1),
        PROTOCOL,
        "squared error",
        also=("training squared error",),
    )
    for fold in sweep(spec):
        assert 0 < fold.also[0] < fold.score


def test_a_kernel_with_a_large_diagonal_memorises_and_a_power_does_not_hide_it():
    kernel = Empirical(Power(Subsequence(order=3, decay=0.25), p=1.0))
    axis = Axis("kernel.kernel.p", (0.4, 1.0))
    machine = SVM(C=10.0, scale="spread")
    spec = RunSpec("markov-strings", kernel, machine, PROTOCOL, axis=axis, also=("training error",))
    results = list(sweep(spec))
    on_training = curve(*seen_by("training error", spec, results)).mean
    assert on_training.tolist() == [0, 0]
    assert (curve(spec, results).mean > 0.1).all()


def test_every_measure_of_decisions_has_its_twin():
    for name, measure in MEASURES.items():
        if measure.of_training is None and not measure.on_training:
            twin = MEASURES[f"training {name}"]
            assert (twin.on_training, twin.task, twin.lower_is_better) == (True, measure.task, measure.lower_is_better)
