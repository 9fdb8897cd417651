"""The engine: the same numbers whatever the workers, and not one of them from a test row."""

from __future__ import annotations

import itertools
import threading
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from kernlib import (
    RBF,
    DataError,
    Deep,
    Empirical,
    Linear,
    NotFittedError,
    ParameterError,
    Power,
    parse,
)
from kernlib.analysis import matrix
from kernlib.data import Dataset, load_dataset
from kernlib.experiments import REFERENCE, Axis, FoldResult, RunSpec, curve, sweep
from kernlib.experiments.folds import groups
from kernlib.machines import MACHINES, SVM, KernelDensity, NearestNeighbour
from kernlib.measures import MEASURES
from kernlib.protocols import FixedSplits, RepeatedKFold, RepeatedSplits
from kernlib.statistics import confidence_band
from kernlib.wrappers.rows import BestColumns
from tests.experiments.problems import RUNS, by_fold, depth_run, points, spec_of, strings_run

PROTOCOLS = (
    RepeatedSplits(repeats=2),
    RepeatedKFold(folds=3, repeats=1),
    FixedSplits(train=20, test=12, repeats=2),
    FixedSplits(train=20, validation=10, test=12, repeats=2),
)


TASKS = {0: "regression", 2: "classification", 3: "classification"}


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda p: p.describe())
@pytest.mark.parametrize(("machine", "classes"), [(m, c) for m in MACHINES for c in TASKS if TASKS[c] in m.task])
def test_every_machine_and_measure_is_what_one_computes_by_hand(machine, protocol, classes):
    data = points(45, classes or 2, real=not classes)
    kernel = RBF(sigma=1.3)
    K = kernel(data.rows)
    allowed = lambda m: m.task == TASKS[classes] and not m.of_training and not (classes > 2 and m.two_classes_only)  # noqa: E731
    names = [name for name, measure in MEASURES.items() if allowed(measure)]
    spec = spec_of(data, kernel, machine(), protocol, names[0])
    found = list(sweep(replace(spec, also=(*names[1:],)), data))
    assert [r.split for r in found] == list(range(protocol.count))
    for result, (_, train, test) in zip(found, protocol.splits(data.y), strict=True):
        fitted = machine().fit(K[np.ix_(train, train)], data.y[train])
        decisions = {
            part: (rows, fitted.decision(K[np.ix_(rows, train)], K.diagonal()[rows]))
            for part, rows in ((True, train), (False, test))
        }
        for name, score in zip(names, (result.score, *result.also), strict=True):
            measure = MEASURES[name]
            rows, decision = decisions[measure.on_training]
            assert score == pytest.approx(
                measure(data.y[rows], fitted.labels_of(decision), decision, fitted.classes_), rel=1e-12
            ), name
        assert (result.n_train, result.n_test, result.problem) == (len(train), len(test), "")


def test_levels_in_one_pass_are_the_levels_one_by_one():
    data = load_dataset("iris")
    for inner in (RBF(sigma="median"), Empirical(Power(Linear(), p=0.5)), Linear()):
        for bandwidths in (None, (0.5, None, 0.7, None)):
            spec = RunSpec(
                "iris",
                Deep(inner, level=0, bandwidths=bandwidths),
                KernelDensity(),
                RepeatedSplits(repeats=2),
                axis=Axis("kernel.level", (3, 0, 4, 1)),
            )
            # A first level of a given bandwidth learns nothing over a kernel that learns nothing: it is a look-up.
            assert len(groups(spec)) == (2 if bandwidths and inner == Linear() else 1)
            found = {(r.value, r.split): r.score for r in sweep(spec, data)}
            for number, train, test in spec.protocol.splits(data.y):
                for level in (0, 1, 3, 4):
                    fold = Deep(inner, level=level, bandwidths=bandwidths).bind(data.rows).fold(train, test)
                    fitted = KernelDensity().fit(fold.K, data.y[train])
                    predicted = fitted.predict(fold.K_star, fold.k_diag)
                    assert found[level, number] == np.mean(predicted != data.y[test])


def test_level_0_and_the_kernel_below_as_the_reference_are_measured_once(monkeypatch):
    fitted = []
    monkeypatch.setattr(
        SVM, "fit", lambda self, *of, true=SVM.fit, **named: fitted.append(self) or true(self, *of, **named)
    )
    spec = depth_run(reference=RBF(sigma="median"))
    drawn = curve(spec, sweep(spec))
    assert len(fitted) == 3 * 4
    assert drawn.reference.tolist() == drawn.scores[0].tolist()


def test_a_level_that_has_nothing_to_tell_apart_leaves_the_lower_ones():
    data = Dataset("same", "Same", "vector", np.ones((12, 2)), y=[0, 1] * 6)
    spec = spec_of(
        data,
        Deep(Linear(), level=0),
        NearestNeighbour(),
        RepeatedSplits(repeats=2),
        axis=Axis("kernel.level", (0, 1, 2)),
    )
    found = list(sweep(spec, data))
    assert [bool(r.problem) for r in found] == [False, True, True] * 2
    assert "coincide" in curve(spec, found).problems[0]
    assert curve(spec, found).problems[0].startswith("Split 1 at 1, 2 and 3 more: ")


def test_sentences_that_differ_in_what_was_found_are_one():
    """At small training shares each share and split has other counts of its classes."""
    spec = RunSpec("iris", RBF(), axis=Axis("protocol.train", (0.06, 0.1)))
    words = "RepeatedKFold: every class must have at least 5 rows, one in every fold; got {} of class 0. Choose fewer."
    found = [
        FoldResult(share, split, np.nan, 9, 9, 0.0, problem=words.format(split + round(100 * share)))
        for split in range(2)
        for share in (0.06, 0.1)
    ]
    assert curve(spec, found).problems == (f"Split 1 at 0.06, 0.1 and 3 more: {words.format(6)}",)


@pytest.mark.parametrize("name", RUNS)
def test_workers_change_nothing_and_the_whole_curve_is_there_after_the_first_split(name):
    spec = RUNS[name]
    results = list(sweep(spec))
    first = [r for r in results[: len(spec.values) + 1] if r.value != REFERENCE][: len(spec.values)]
    assert {(r.value, r.split) for r in first} == {(value, 0) for value in spec.values}
    expected = by_fold(results)
    assert len(expected) == (len(spec.values) + (spec.reference is not None)) * spec.protocol.count
    assert by_fold(list(sweep(spec, jobs=2))) == expected
    assert by_fold(list(sweep(spec, jobs=3, backend="threading"))) == expected
    assert by_fold(list(sweep(spec, jobs=2, backend="loky"))) == expected


def test_a_fold_is_looked_at_once_for_all_machines_and_none_learns_of_the_others(monkeypatch):
    spec = depth_run(repeats=2, axis=Axis("machine.C", (0.1, 1.0, 10.0)))
    looks = []

    class Counted(matrix.Checked):
        def __init__(self, K, largest):
            super().__init__(K, largest)
            looks.append(K)

    monkeypatch.setattr(matrix, "Checked", Counted)
    found = list(sweep(spec))
    assert len(looks) == 4, "K and K* of two splits"
    alone = [r for C in (10.0, 0.1, 1.0) for r in sweep(replace(spec, axis=Axis("machine.C", (C,))))]
    assert by_fold(found) == by_fold(alone)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("name", RUNS)
def test_going_on_after_a_stop_gives_what_no_stop_gives(name, jobs):
    spec = RUNS[name]
    whole = by_fold(list(sweep(spec)))
    asked = itertools.count()
    before = list(sweep(spec, cancelled=lambda: next(asked) > 9, jobs=jobs))
    assert len(before) < len(whole)
    done = {(r.value, r.split) for r in before}
    after = list(sweep(spec, done=done, jobs=jobs))
    assert not done & {(r.value, r.split) for r in after}
    assert by_fold(before + after) == whole


class _Spy(RBF):
    """An RBF kernel that notes which rows it was fitted on, by the number in their first column."""

    learns_itself = True
    seen: ClassVar[list[frozenset[int]]] = []

    def learn(self, X, y):
        self.seen.append(frozenset(X[:, 0].astype(int).tolist()))
        return 1.0

    def gram(self, X, Y):
        return super().gram(X[:, 1:], None if Y is None else Y[:, 1:])


def test_no_test_row_touches_a_fit():
    data = points(40)
    rows = np.column_stack([np.arange(40.0), data.rows])
    data = Dataset("numbered", "Numbered", "vector", rows, y=list(data.labels))
    spec = spec_of(
        data,
        Empirical(Power(_Spy(), p=0.5)),
        SVM(),
        RepeatedSplits(repeats=3),
        axis=Axis("kernel.kernel.p", (0.5, 1.0)),
        tuning=(Axis("machine.C", (0.1, 10.0)),),
    )
    _Spy.seen.clear()
    assert not any(r.problem for r in sweep(spec, data))
    trains = [frozenset(train.tolist()) for _, train, _ in spec.protocol.splits(data.y)]
    # The outer fit, and five inner ones on parts of it, once for all p.
    assert {seen for seen in _Spy.seen if len(seen) == 20} == set(trains)
    assert all(any(seen <= train for train in trains) for seen in _Spy.seen)
    assert len(_Spy.seen) == 3 * (5 + 1)
    inner = [seen for seen in _Spy.seen if len(seen) < 20]
    assert all(len(seen) == 16 for seen in inner)


class _Broken(RBF):
    learns_itself = True

    def gram(self, X, Y):
        if Y is not None:
            raise ZeroDivisionError("a bug")
        return super().gram(X, Y)

    def learn(self, X, y):
        return 1.0


def test_a_fold_that_raises_is_named_and_the_run_goes_on():
    data = points()
    spec = spec_of(data, RBF(), SVM(), RepeatedSplits(repeats=3), reference=_Broken())
    found = list(sweep(spec, data))
    assert [r.problem for r in found] == ["", "ZeroDivisionError: a bug"] * 3
    drawn = curve(spec, found)
    assert np.isfinite(drawn.mean).all()
    assert drawn.problems == ("Split 1 at reference and 2 more: ZeroDivisionError: a bug",)


def test_a_class_lost_in_a_fold_is_said():
    data = Dataset("rare", "Rare", "vector", np.arange(33.0)[:, None], y=[0] * 15 + [1] * 15 + [2] * 3)
    spec = spec_of(data, RBF(), NearestNeighbour(), RepeatedSplits(repeats=3, train=0.9))
    drawn = curve(spec, sweep(spec, data))
    assert len(drawn.warnings) == 1
    assert "No test row of class 2" in drawn.warnings[0]
    assert not drawn.problems


def test_what_cannot_run_is_refused_at_once(monkeypatch):
    data = points()
    unlabelled = Dataset("toy", "Toy", "vector", data.rows)
    with pytest.raises(DataError, match="need labels"):
        sweep(spec_of(unlabelled, RBF()), unlabelled)
    with pytest.raises(DataError, match="every class must have at least 99 rows"):
        sweep(spec_of(data, RBF(), protocol=RepeatedKFold(folds=99)), data)
    with pytest.raises(ParameterError, match="backend must be one of"):
        sweep(depth_run(), backend="telepathy")
    monkeypatch.setenv("KERNLIB_MEMORY_MB", "1")
    with pytest.raises(DataError, match=r"GiB. Take a sample of at most \d+ rows"):
        sweep(replace(depth_run(), data="breast-cancer-10"))


def test_leaky_is_never_worse_than_nested():
    spec = depth_run(repeats=6, tuning=(Axis("machine.C", (0.001, 0.1, 10.0)),), leaky=True)
    found = list(sweep(spec))
    assert all(r.leaky <= r.score for r in found)
    drawn = curve(spec, found)
    assert (drawn.leakage >= 0).all()
    assert drawn.leakage == pytest.approx(drawn.mean - np.mean(drawn.leaky, axis=1))


def test_starts_and_stops_leave_no_thread_behind():
    spec = depth_run(repeats=20)
    data = spec.load()
    list(itertools.islice(sweep(spec, data, jobs=2), 3))
    before = threading.active_count()
    for _ in range(25):
        stream = sweep(spec, data, jobs=2)
        next(stream)
        stream.close()
    assert threading.active_count() <= before + 2


def test_two_axes_make_a_map():
    spec = strings_run(second=Axis("machine.C", (0.1, 1.0)))
    drawn = curve(spec, sweep(spec))
    assert drawn.values == tuple(itertools.product((0.2, 0.5, 1.0), (0.1, 1.0)))
    assert drawn.table.shape == (2, 3)
    assert drawn.table[1, 0] == drawn.mean[drawn.values.index((0.2, 1.0))]
    assert (drawn.first_values, drawn.second_values) == ((0.2, 0.5, 1.0), (0.1, 1.0))
    alone = replace(spec, machine=SVM(C=0.1), second=None)
    assert np.array_equal(curve(alone, sweep(alone)).mean, drawn.table[0])


def test_curve_statistics_are_those_of_the_scores():
    spec = depth_run(repeats=5)
    drawn = curve(spec, sweep(spec))
    for i in range(3):
        band = confidence_band(drawn.scores[i], spec.protocol.test_over_train)
        assert drawn.band[i].tolist() == [band.low, band.high]
    frame = drawn.to_frame()
    assert list(frame.columns) == [drawn.axis, "mean", "spread", "low", "high", "splits", "not_worse_than_best"]
    assert frame["spread"].tolist() == drawn.scores.std(axis=1, ddof=1).tolist()
    assert frame["not_worse_than_best"].tolist() == [i == drawn.best or i in drawn.not_worse for i in range(3)]


def test_a_machine_that_gave_up_says_so(monkeypatch):
    from kernlib.machines import svm

    monkeypatch.setattr(svm, "_ITERATIONS", 1)
    # The bound is the larger of that and a multiple of n: here it shall be one step.
    monkeypatch.setattr(svm, "max", lambda *_: 1, raising=False)
    spec = RunSpec("banana", RBF(sigma=0.5), SVM(C=1000.0), RepeatedSplits(repeats=1))
    (result,) = sweep(spec)
    assert result.problem == ""
    assert "the solver did not converge" in result.warning
    assert "did not converge" in " ".join(curve(spec, [result]).warnings)


def test_a_whole_kernel_and_its_parameter_vary_together_in_either_order():
    kernels, values = tuple(map(repr, (Power(Linear()), Power(Linear() ** 2)))), (0.3, 1.0)
    for axes in (("kernel", kernels, "kernel.p", values), ("kernel.p", values, "kernel", kernels)):
        spec = RunSpec("iris", Power(Linear()), axis=Axis(*axes[:2]), second=Axis(*axes[2:]))
        found = {spec.at(value)[0] for value in spec.values}
        assert found == {Power(base, p=p) for base in (Linear(), Linear() ** 2) for p in values}


def test_selection_on_each_training_part_is_that_of_a_scikit_learn_pipeline():
    """[O] 4.1: the rival of a power; three classes, and a column that is constant in training."""
    wine = load_dataset("wine")
    rows = np.column_stack([np.full(wine.n, 0.1), wine.rows])
    data = Dataset("wine-and-constant", "Wine and a constant", "vector", rows, y=wine.y)
    axis = Axis("kernel", tuple(repr(BestColumns(RBF(sigma=30.0), columns=k)) for k in (2, 7, 14)))
    spec = spec_of(data, RBF(sigma=30.0), SVM(C=1.0), RepeatedSplits(repeats=4), "error", axis)
    drawn = curve(spec, list(sweep(spec, data)))
    for k, scores in zip((2, 7, 14), drawn.scores, strict=True):
        best = make_pipeline(SelectKBest(f_classif, k=k), SVC(C=1.0, gamma=1 / (2 * 30.0**2)))
        for (_, train, test), score in zip(spec.protocol.splits(data.y), scores, strict=True):
            with np.errstate(all="ignore"):
                found = best.fit(rows[train], data.y[train]).predict(rows[test])
            assert np.mean(found != data.y[test]) == score


def test_selection_needs_labels_and_is_in_no_link():
    with pytest.raises(NotFittedError, match="labels of the training rows are missing"):
        BestColumns(Linear(), columns=1)([[1.0, 2.0]])
    with pytest.raises(ParameterError, match="Unknown name 'BestColumns'"):  # no link shows a picture of it
        parse("BestColumns(Linear(), columns=3)")
