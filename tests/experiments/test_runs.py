"""Runs over data and protocols, over whole kernels, chosen by the training matrix, measured on it."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from kernlib import RBF, Overlap, ParameterError, Standardized
from kernlib.analysis import relevant_dimension, relevant_dimension_loo
from kernlib.data import load_dataset
from kernlib.experiments import Axis, RunSpec, curve, estimate, results_csv, script, seen_by, sweep
from kernlib.machines import SVM, KernelPCARegression, KernelRidge, NearestCentroid
from kernlib.protocols import RepeatedSplits
from tests.experiments.problems import points, spec_of

TWO = RepeatedSplits(repeats=2)


def scores(spec, **named):
    return {(r.value, r.split): r.score for r in sweep(spec, **named)}


def test_an_axis_over_the_protocol_is_one_run_for_each_value():
    shares = Axis("protocol.train", (0.3, 0.5))
    spec = RunSpec("twonorm", RBF(sigma=5.0), NearestCentroid(), TWO, axis=shares, parameters=(("n", 40),))
    found = scores(spec)
    for share in shares.values:
        alone = scores(replace(spec, axis=None, protocol=replace(TWO, train=share)))
        assert {s: found[share, s] for s in (0, 1)} == {s: alone[None, s] for s in (0, 1)}
    halves = replace(spec, axis=Axis("kernel.sigma", (1.0, 5.0)), second=shares)
    both = scores(halves)
    alone = scores(replace(halves, second=None, protocol=replace(TWO, train=0.3)))
    assert len(both) == 8
    assert all(both[(sigma, 0.3), s] == alone[sigma, s] for sigma in (1.0, 5.0) for s in (0, 1))
    assert np.isfinite(curve(halves, sweep(halves)).mean).all()


def test_fresh_draws_are_pooled_and_gone_on_with():
    spec = RunSpec("twonorm", RBF(sigma=5.0), NearestCentroid(), TWO, parameters=(("n", 40), ("seed", 3)), draws=3)
    assert (spec.splits, spec.fits) == (6, 6)
    whole = scores(spec)
    second = scores(replace(spec, draws=1, parameters=(("n", 40), ("seed", 4)), protocol=replace(TWO, seed=1)))
    assert {s: whole[None, s + 2] for s in (0, 1)} == {s: second[None, s] for s in (0, 1)}
    done = {(None, s) for s in (0, 1, 2)}
    assert scores(spec, done=done) == {key: score for key, score in whole.items() if key not in done}
    assert curve(spec, sweep(spec)).scores.shape == (1, 6)
    assert estimate(spec).fits == 6


def test_whole_kernels_are_an_axis_and_are_tuned():
    kernels = tuple(map(repr, (Overlap(), Overlap(composition="product", before="f1"))))
    spec = RunSpec("monks-1", Overlap(), NearestCentroid(), TWO, axis=Axis("kernel", kernels))
    found = scores(spec)
    assert set(found) == {(k, s) for k in kernels for s in (0, 1)}
    assert RunSpec.from_json(spec.to_json()) == spec
    tuned = list(sweep(replace(spec, axis=None, tuning=(Axis("kernel", kernels),))))
    assert {r.tuned[0][0] for r in tuned} == {"kernel"}


def test_a_candidate_that_fails_loses_and_never_takes_the_fold_along():
    spec = RunSpec(
        "monks-1",
        Overlap("product", "f1", "f1"),
        SVM(),
        TWO,
        tuning=(Axis("kernel.gamma", (0.001, 4.0)),),
        parameters=(("n", 60),),
    )
    found = list(sweep(spec))
    assert all(np.isfinite(r.score) and not r.problem for r in found)
    assert {r.tuned for r in found} == {(("kernel.gamma", 0.001),)}


def test_the_training_matrix_chooses():
    sigmas = (0.1, 1.0, 3.0, 10.0)
    spec = RunSpec(
        "breast-cancer-10",
        Standardized(RBF()),
        KernelPCARegression(),
        TWO,
        parameters=(("n", 80),),
        tuning=(Axis("kernel.kernel.sigma", sigmas),),
        selection="likelihood",
    )
    data = spec.load()
    by_hand = []
    for _, train, _ in TWO.splits(data.y):
        kernels = [Standardized(RBF(sigma=s)) for s in sigmas]
        values = [relevant_dimension(k(data.rows[train]), data.y[train]).minimum for k in kernels]
        by_hand.append((("kernel.kernel.sigma", sigmas[int(np.argmin(values))]),))
    assert [r.tuned for r in sweep(spec, data)] == by_hand
    assert RunSpec.from_json(spec.to_json()) == spec


def test_where_the_targets_lie_does_not_choose_for_a_machine_that_centres_them():
    near = points(60, real=True)
    chosen = []
    for data in (near, replace(near, y=near.y + 500.0)):
        spec = spec_of(
            data,
            RBF(),
            KernelPCARegression(centred=True),
            TWO,
            "squared error",
            tuning=(Axis("kernel.sigma", (0.1, 0.3, 1.0, 3.0)),),
            selection="likelihood",
        )
        chosen.append([(r.tuned, round(r.score, 9)) for r in sweep(spec, data)])
    assert chosen[0] == chosen[1]


def test_dimension_and_noise_of_the_training_part_are_measures():
    spec = RunSpec("twonorm", RBF(sigma=5.0), KernelRidge(), TWO, "relevant dimension", parameters=(("n", 80),))
    data = spec.load()
    for name, value in (
        ("relevant dimension", lambda K, y: relevant_dimension(K, y).dimension),
        ("leave-one-out dimension", lambda K, y: relevant_dimension_loo(K, y).dimension),
        ("estimated error", lambda K, y: relevant_dimension(K, y).noise),
    ):
        found = scores(replace(spec, measure=name))
        for number, train, _ in TWO.splits(data.y):
            assert found[None, number] == value(RBF(sigma=5.0)(data.rows[train]), data.y[train])


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
