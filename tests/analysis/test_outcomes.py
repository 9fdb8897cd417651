"""ROC and confusion are those of scikit-learn, for codes, labels and many classes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import metrics

from kernlib.analysis.outcomes import class_auc, confusion, roc_curves


@pytest.mark.parametrize("classes", [2, 3])
def test_equal_to_scikit_learn(classes):
    rng = np.random.default_rng(classes)
    y = np.r_[np.arange(classes), rng.integers(0, classes, 60)]
    names = ("one", "two", "three")[:classes]
    decision = np.round(rng.normal(size=(len(y), classes)) + np.eye(classes)[y], 1)  # ties on purpose
    decision = decision[:, 1] - decision[:, 0] if classes == 2 else decision
    roc = roc_curves(y, decision, names)
    assert [r.name for r in roc] == (["two"] if classes == 2 else list(names))
    for one in roc:
        positive, score = y == one.code, decision if classes == 2 else decision[:, one.code]
        assert one.area == pytest.approx(metrics.roc_auc_score(positive, score))
        assert one.area == pytest.approx(np.trapezoid(one.true_positive_rate, one.false_positive_rate))
    predicted = (decision > 0).astype(int) if classes == 2 else decision.argmax(axis=1)
    found = confusion(y, predicted, names)
    assert_array_equal(found.counts, metrics.confusion_matrix(y, predicted))
    assert_allclose(found.shares, metrics.confusion_matrix(y, predicted, normalize="true"))
    assert found.right / found.total == pytest.approx(metrics.accuracy_score(y, predicted))
    # Two columns of scores, and labels instead of codes, are the same curve.
    if classes == 2:
        wide = roc_curves(np.array(names)[y], np.column_stack([-decision, decision]))
        assert {r.name: r.area for r in wide} == pytest.approx(
            {"two": metrics.roc_auc_score(np.array(names)[y] == "two", decision)}
        )


def test_the_class_that_one_number_orders_best_may_have_the_smallest_values():
    y = np.repeat([0, 1, 2], [5, 10, 10])
    values = np.r_[np.arange(5.0), 10 + np.arange(20) % 7]
    areas = [metrics.roc_auc_score(y == one, values) for one in range(3)]
    assert class_auc(values, y) == pytest.approx(max(max(a, 1 - a) for a in areas)) == 1.0
    assert max(areas) < 0.9
