"""Tuning inside the training part chooses and scores as a loop that is written out."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.svm import SVC

from kernlib import RBF, Deep, Empirical, Power, ProbabilityOverlap, parse
from kernlib.data import load_dataset
from kernlib.experiments import Axis, curve, sweep
from kernlib.machines import SVM, KernelPCARegression, KernelRidge
from kernlib.measures import MEASURES
from kernlib.protocols import FixedSplits, RepeatedKFold, RepeatedSplits
from tests.experiments.problems import points, spec_of

GRID = (0.01, 0.1, 1.0, 10.0, 100.0)


def by_hand(made, data, protocol, inner, measure, grids):
    """Nested tuning as a reader would write it, on rows and not on row numbers."""
    y, value = data.y, MEASURES[measure]
    sign = 1 if value.lower_is_better else -1
    for _, train, test in protocol.splits(y):
        best, chosen = np.inf, None
        for combination in itertools.product(*grids):
            kernel, machine = made(*combination)
            scores = []
            for _, first, second in inner.splits(y[train]):
                scores.append(_score(kernel, machine, data.rows, y, train[first], train[second], value))
            if chosen is None or sign * np.mean(scores) < best - 1e-12 * abs(best):
                best, chosen = sign * np.mean(scores), combination
        score = _score(*made(*chosen), data.rows, y, train, test, value)
        yield chosen, score


def _score(kernel, machine, rows, y, train, test, measure):
    fitted = kernel.fit(rows[train])
    learnt = machine.fit(fitted(rows[train]), y[train])
    decision = learnt.decision(fitted(rows[test], rows[train]), fitted.diag(rows[test]))
    return measure(y[test], learnt.labels_of(decision), decision, learnt.classes_)


REAL = points(50, real=True)
BY_HAND = {
    "kernel and machine": (
        points(60, 3),
        lambda p, C: (Empirical(Power(RBF(sigma=1.0), p=p)), SVM(C=C)),
        {"kernel.kernel.p": (0.2, 0.6, 1.0), "machine.C": (0.1, 10.0)},
        "balanced error",
        RepeatedKFold(folds=3, repeats=2, seed=1),
    ),
    "levels in one pass": (
        points(60),
        lambda level, C: (Deep(RBF(sigma="median"), level=level), SVM(C=C)),
        {"kernel.level": (0, 3, 1), "machine.C": (0.1, 10.0)},
        "error",
        RepeatedKFold(folds=3, repeats=1),
    ),
    "a kernel that learns": (
        load_dataset("gmonks", n=60),
        lambda alpha: (ProbabilityOverlap(alpha=alpha), SVM()),
        {"kernel.alpha": (0.5, 1.0, 2.0)},
        "error",
        RepeatedKFold(folds=3, repeats=1),
    ),
    "errors that are all small, and no two equal": (
        replace(REAL, y=1e-9 * REAL.y),
        lambda ridge: (RBF(sigma=1.0), KernelRidge(ridge=ridge)),
        {"machine.ridge": (10.0, 1e-3, 0.1)},
        "squared error",
        RepeatedKFold(folds=5, repeats=1, seed=0),
    ),
    "dimensions": (
        REAL,
        lambda d: (RBF(sigma=1.0), KernelPCARegression(dimension=d)),
        {"machine.dimension": (1, 3, 9)},
        "squared error",
        RepeatedKFold(folds=5, repeats=1, seed=0),
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_what_is_tuned_is_what_a_loop_over_rows_chooses(name):
    data, made, grids, measure, inner = BY_HAND[name]
    protocol = RepeatedSplits(repeats=3)
    kernel, machine = made(*(values[0] for values in grids.values()))
    tuning = tuple(Axis(path, values) for path, values in grids.items())
    spec = spec_of(data, kernel, machine, protocol, measure, inner=inner, tuning=tuning)
    results = list(sweep(spec, data))
    expected = by_hand(made, data, protocol, inner, measure, grids.values())
    for result, (chosen, score) in zip(results, expected, strict=True):
        assert result.tuned == tuple(zip(grids, chosen, strict=True))
        assert result.score == pytest.approx(score, rel=1e-9, abs=1e-15)
    assert curve(spec, results).tuned == (tuple(Counter(result.tuned for result in results).most_common()),)


def test_validation_rows_take_the_place_of_inner_splits():
    data = points(90)
    protocol = FixedSplits(train=30, validation=20, test=30, repeats=4)
    spec = spec_of(data, RBF(sigma=1.0), SVM(), protocol, "accuracy", tuning=(Axis("machine.C", GRID),))

    def accuracy(train, rows, C):
        machine = SVC(kernel=RBF(sigma=1.0), C=C).fit(data.rows[train], data.y[train])
        return machine.score(data.rows[rows], data.y[rows])

    for result, (_, train, held, test) in zip(sweep(spec, data), protocol.parts(data.y), strict=True):
        C = max(GRID, key=partial(accuracy, train, held))
        assert result.tuned == (("machine.C", C),)
        assert result.score == pytest.approx(accuracy(train, test, C), abs=1e-12)


def test_too_few_rows_for_the_inner_folds_is_a_problem_of_the_fold():
    data = points(12)
    spec = spec_of(
        data,
        RBF(),
        SVM(),
        RepeatedSplits(repeats=2),
        tuning=(Axis("machine.C", GRID),),
        inner=RepeatedKFold(folds=10, repeats=1),
    )
    found = list(sweep(spec, data))
    assert all("at least 10 rows" in r.problem for r in found)
    assert "Choose fewer folds" in curve(spec, found).problems[0]


def test_a_run_over_training_sizes_and_kernels_measures_each_kernel_as_if_alone():
    kernels = ("RBF(sigma=0.5)", "RBF(sigma=5.0)")
    data = points(60)
    spec = spec_of(
        data,
        RBF(),
        SVM(),
        RepeatedSplits(repeats=3),
        axis=Axis("protocol.train", (0.25, 0.75)),
        second=Axis("kernel", kernels),
        tuning=(Axis("machine.C", GRID),),
    )
    results = list(sweep(spec, data))
    drawn = curve(spec, results)
    for place, one in enumerate(kernels):
        alone = replace(spec, second=None, kernel=parse(one))
        assert_array_equal(drawn.scores[place :: len(kernels)], curve(alone, sweep(alone, data)).scores)
    # Other splits are not paired with these: nothing is tested.
    assert drawn.not_worse == ()
