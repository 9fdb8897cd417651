import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from kernlib.errors import DataError
from kernlib.measures import MEASURES, improvement_over_splits


@given(st.integers(0, 10**6), st.sampled_from([2, 3, 5]))
@settings(max_examples=30)
def test_equal_to_scikit_learn(seed, classes):
    rng = np.random.default_rng(seed)
    y = np.array(list("abcde"))[np.r_[np.arange(classes), rng.integers(0, classes, 30)]]
    names = np.unique(y)
    predicted = rng.choice(names, len(y))
    decision = rng.normal(size=len(y)) if classes == 2 else rng.normal(size=(len(y), classes))

    how = {"pos_label": "b"} if classes == 2 else {"average": "macro"}
    one_hot = y == "b" if classes == 2 else y[:, None] == names
    expected = {
        "error": 1 - metrics.accuracy_score(y, predicted),
        "accuracy": metrics.accuracy_score(y, predicted),
        "balanced error": 1 - metrics.balanced_accuracy_score(y, predicted),
        "precision": metrics.precision_score(y, predicted, zero_division=0, **how),
        "recall": metrics.recall_score(y, predicted, **how),
        "F": metrics.f1_score(y, predicted, **how),
        "AUC": metrics.roc_auc_score(one_hot, decision),
    }
    assert {name: MEASURES[name](y, predicted, decision, names) for name in expected} == pytest.approx(expected)


def test_median_rfp_by_hand():
    y = np.array([1, 1, 1, 0, 0, 0, 0])
    scores = np.array([3.0, 2.0, 1.0, 5.0, 2.0, 1.9, 0.0])
    assert MEASURES["median RFP"](y, y, scores) == 0.5
    with pytest.raises(DataError, match=r"median RFP: expected two classes.*got 3. Use AUC"):
        MEASURES["median RFP"]([0, 1, 2], [0, 1, 2], np.eye(3))


def test_perfect_worst_and_chance():
    y = np.array([0, 1, 1, 1])
    for m in (m for m in MEASURES.values() if m.of_training is None):
        best, worst = (m.low, m.high) if m.lower_is_better else (m.high, m.low)
        target = y.astype(float)
        assert m(target, target, 2 * target - 1) == best
        if m.task == "classification":
            assert m(target, 1 - target, 1 - 2 * target) == worst
        assert m.low <= m.chance(y) <= m.high
        assert m.help
    assert MEASURES["error"].chance(y) == 0.25
    assert MEASURES["balanced error"].chance([0, 1, 2]) == pytest.approx(2 / 3)
    assert MEASURES["balanced error"].chance([0, 1]) == 0.5
    assert MEASURES["squared error"].chance([1.0, 3.0]) == 1.0
    for labels, constant in ((y, np.ones(4, int)), (np.array([0, 1, 2, 2]), np.full(4, 2))):
        for name in ("precision", "recall", "F"):
            assert MEASURES[name](labels, constant) == pytest.approx(MEASURES[name].chance(labels))


def test_a_class_that_is_never_predicted_or_never_tested():
    assert MEASURES["balanced error"](["b", "b"], ["b", "a"], classes=["a", "b", "c"]) == 0.5
    assert MEASURES["precision"]([0, 1], [0, 0], classes=[0, 1]) == 0.0
    with pytest.raises(DataError, match=r"AUC: y must hold rows of every class; got \[0, 2\] rows per class"):
        MEASURES["AUC"]([1, 1], [1, 0], [0.1, 0.2], classes=[0, 1])


def test_errors():
    with pytest.raises(DataError, match=r"error: y and predicted must be vectors of one length.*\(2,\) and \(1,\)"):
        MEASURES["error"]([0, 1], [0])
    with pytest.raises(DataError, match=r"AUC: expected decision, because it ranks rows.*got \(\) for 2"):
        MEASURES["AUC"]([0, 1], [0, 1])
    with pytest.raises(DataError, match=r"of shape \(3,\) for two classes or \(3, classes\)"):
        MEASURES["AUC"]([0, 1, 2], [0, 1, 2], [0.1, 0.2, 0.3])
    with pytest.raises(DataError, match=r"y must hold the classes \['a', 'b'\]; got others among \['a', 'z'\]"):
        MEASURES["error"](["a", "z"], ["a", "b"], classes=["a", "b"])


def test_improvement_averages_accuracies_first():
    # Nothing improved on the mean; the split where level 0 is perfect counts.
    found = improvement_over_splits([0.95, 0.95], [1.0, 0.9])
    assert found.value == 0.0
    assert found.count == 2
    rng = np.random.default_rng(0)
    a_0 = rng.normal(0.8, 0.03, 40)
    a_j = 0.5 * a_0 + 0.45 + rng.normal(0, 0.02, 40)
    found = improvement_over_splits(a_j, a_0)

    def improvement(later, first):
        return (later - first) / (1 - first)

    assert found.value == pytest.approx(improvement(a_j.mean(), a_0.mean()))
    without = np.array(
        [improvement(np.delete(a_j, i).mean(), np.delete(a_0, i).mean()) for i in range(40)], dtype=float
    )
    jackknife = math.sqrt(39 / 40 * ((without - without.mean()) ** 2).sum() * 40)
    assert found.spread == pytest.approx(jackknife, rel=0.02)
    itself = improvement_over_splits(a_0, a_0)
    assert (itself.value, itself.spread) == (0.0, pytest.approx(0.0))
    assert math.isnan(improvement_over_splits([0.9, 0.8], [1.0, 1.0]).value)
    assert math.isnan(improvement_over_splits([], []).value)
    assert math.isnan(improvement_over_splits([0.9], [0.8]).spread)
    with pytest.raises(DataError, match=r"one value for each split; got shapes \(2,\) and \(1,\)"):
        improvement_over_splits([0.9, 0.8], [0.9])


def test_what_is_measured_on_the_training_part_refuses_predictions():
    for m in MEASURES.values():
        if m.of_training is not None:
            with pytest.raises(DataError, match="Gram matrix"):
                m([0, 1], [0, 1])
            assert m.of_training(np.diag([4.0, 3.0, 2.0, 1.0]), np.array([0, 1, 1, 0]), "auto") >= 0
