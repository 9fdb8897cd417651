"""The verdict on a run: the headline names what the best must be compared with, and rows are compared in pairs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kernlib import RBF, Deep
from kernlib.data import Dataset
from kernlib.experiments import (
    REFERENCE,
    Axis,
    FoldResult,
    RunSpec,
    alike_in_words,
    best_in_words,
    compared_on_rows,
    curve,
    decisions,
    difference_in_words,
    more_in_words,
    reference_name,
)
from kernlib.experiments.outcome.verdict import row_losses
from kernlib.figures.curves import error_curve
from kernlib.machines import KernelRidge
from kernlib.measures import MEASURES
from kernlib.protocols import RepeatedSplits
from kernlib.statistics import detection_power

SPEC = RunSpec(
    "rows", Deep(RBF(), level=1), protocol=RepeatedSplits(repeats=4), axis=Axis("kernel.level", (1, 2)), reference=RBF()
)
LABELS = np.array([0, 0, 1, 1, 1])


def folds(*means, reference):
    results = [
        FoldResult(value, split, mean + 0.01 * (split % 2), 50, 50, 0.0)
        for value, mean in zip((1, 2), means, strict=True)
        for split in range(4)
    ]
    return [*results, *(FoldResult(REFERENCE, split, reference, 50, 50, 0.0) for split in range(4))]


def test_the_headline_names_the_reference_and_guessing():
    worse = curve(SPEC, folds(0.08, 0.06, reference=0.05))
    assert best_in_words(SPEC, worse, LABELS) == (
        "No value is better than the kernel without this step: error rate 6.5% at the best, level of Deep = 2, "
        "against 5%; guessing 40%."
    )
    better = curve(SPEC, folds(0.08, 0.06, reference=0.09))
    assert best_in_words(SPEC, better, LABELS) == (
        "Best: level of Deep = 2 with error rate 6.5%; the kernel without this step 9%; guessing 40%."
    )
    assert reference_name(replace(SPEC, axis=None)) == "the reference kernel"


def test_what_to_expect_is_said_for_so_many_training_rows():
    drawn = curve(SPEC, folds(0.08, 0.06, reference=0.05))
    told = " ".join(more_in_words(SPEC, drawn, LABELS))
    assert "Expected on new data after training on 50 of 100 rows: " in told
    assert "A machine that is trained on all rows usually has a smaller error." in told
    bad = curve(SPEC, folds(0.42, 0.41, reference=0.4))
    assert "better than guessing" in more_in_words(SPEC, bad, LABELS)[0]


def test_guessing_is_drawn_or_named_at_the_edge():
    drawn = curve(SPEC, folds(0.08, 0.06, reference=0.05))
    near, far = error_curve(drawn, guess=0.1), error_curve(drawn, guess=0.9)
    assert [shape.y0 for shape in near.layout.shapes if shape.line.dash == "dot"] == [0.1]
    assert any(note.text == "guessing 10%" for note in near.layout.annotations)
    assert any(note.text == "guessing 90% ↑" for note in far.layout.annotations)
    assert not [shape for shape in far.layout.shapes if shape.line.dash == "dot"]


@pytest.mark.parametrize("measure", ["error", "balanced error", "squared error", "unexplained variance"])
def test_losses_of_rows_have_the_measure_as_their_mean(measure):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(80, 2))
    y = (rows[:, 0] + 0.5 * rng.normal(size=80) > 0.8).astype(int)
    real = MEASURES[measure].task == "regression"
    targets = rows[:, 0] + 0.3 * rng.normal(size=80) if real else y
    data = Dataset(
        "rows", "R", "vector", rows, y=targets, classes=() if real else ("a", "b"),
        task="regression" if real else "classification",
    )  # fmt: skip
    spec = RunSpec("rows", RBF(), protocol=RepeatedSplits(repeats=30), measure=measure)
    spec = replace(spec, machine=KernelRidge(ridge="leave-one-out", centred=True)) if real else spec
    decided = decisions(spec, data)
    mean = float(np.mean([fold.score for fold in decided.folds]))
    assert row_losses(decided, measure).mean() == pytest.approx(mean, rel=0.1)
    assert row_losses(decided, "AUC") is None


def test_the_test_on_rows_finds_what_the_test_on_splits_misses():
    """A kernel that misses 5 points in 300 rows: halves are too coarse, rows are not."""
    rng = np.random.default_rng(2)
    y = np.arange(300) % 2
    rows = rng.normal(size=(300, 6)) + 0.8 * (2 * y[:, None] - 1) * (np.arange(6) < 3)
    data = Dataset("rows", "R", "vector", rows, y=y, classes=("a", "b"), task="classification")
    spec = RunSpec("rows", RBF(sigma=3.0), protocol=RepeatedSplits(repeats=10), reference=RBF(sigma=0.8))
    best, reference = decisions(spec, data), decisions(spec, data, REFERENCE)
    difference = compared_on_rows(best, reference, "error")
    assert difference.count == 300
    assert difference.separable
    assert difference.mean > 0
    drawn = curve(spec, [*best.folds, *reference.folds])
    assert alike_in_words(spec, drawn, difference) == "The reference kernel is significantly worse."
    told = difference_in_words(difference, drawn, "the reference kernel")
    assert told.startswith("The reference kernel is significantly worse than the best, by ")
    power = detection_power(difference, 0.05)
    assert f"finds a difference of 5 points in {100 * power:.0f}" in told or power > 0.99
    several = replace(drawn, values=tuple(range(10)))
    p = difference_in_words(replace(difference, p_value=0.012), several, "the reference kernel")
    assert "cannot be distinguished" in p
    assert "p = 0.12" in p
    assert "corrected for the best of 10" in p
    same = compared_on_rows(best, best, "error")
    assert "cannot be distinguished" in difference_in_words(same, drawn, "the reference kernel")
    assert alike_in_words(spec, drawn, same) == "Not significantly different from the best: the reference kernel."
    varied = curve(SPEC, folds(0.08, 0.06, reference=0.05))
    few, every = (replace(varied, not_worse=tied, values=(1, 2, 3)) for tied in ((0,), (0, 2)))
    assert alike_in_words(SPEC, few) == "Not significantly different from the best: level of Deep = 1."
    assert alike_in_words(SPEC, every, same).endswith("best: all 2 other values and the kernel without this step.")
    bad = curve(SPEC, folds(0.42, 0.41, reference=0.4))
    assert alike_in_words(SPEC, bad, None, LABELS).startswith("The best is no better than guessing.")
