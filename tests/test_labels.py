import numpy as np
import pytest

from kernlib.errors import DataError, ParameterError
from kernlib.values.labels import read_labels


@pytest.mark.parametrize(
    ("y", "task", "classes"),
    [
        ([0, 1, 1], "classification", [0, 1]),
        ([-1.0, 1.0, 1.0], "classification", [-1.0, 1.0]),
        (["b", "a", "c"], "classification", ["a", "b", "c"]),
        (np.array(["b", "a", "c"], dtype=object), "classification", ["a", "b", "c"]),
        ([True, False, True], "classification", [False, True]),
        ([0.1, 0.2, 0.1], "regression", None),
        ([1.0, 2.0, 3.0], "classification", [1.0, 2.0, 3.0]),
        ([1.0, 3.0, 3.0], "classification", [1.0, 3.0]),
        ([3, 7, 9, 12], "regression", None),
        ([3, 7, 9, 3, 7, 9], "classification", [3, 7, 9]),
        (list(range(30)), "regression", None),
        ([i % 30 for i in range(300)], "classification", list(range(30))),
    ],
)
def test_values_decide(y, task, classes):
    labels = read_labels(y)
    assert labels.task == task
    assert (labels.classes is None) == (classes is None)
    if classes is not None:
        assert labels.classes.tolist() == classes
        assert labels.decode(labels.targets).tolist() == list(y)


def test_task_overrides_dtype():
    assert read_labels([1, 2, 3], "regression").targets.tolist() == [1, 2, 3]
    assert read_labels([1.5, 2.5, 2.5], "classification").targets.tolist() == [-1, 1, 1]


@pytest.mark.parametrize(
    ("y", "task", "error", "words"),
    [
        ([[0], [1]], "auto", DataError, r"labels: y must be one label per row, shape \(n,\); got shape \(2, 1\)"),
        ([0.1, np.nan], "auto", DataError, r"got 1, first at row 1. Drop these rows"),
        (np.array(["a", None], dtype=object), "auto", DataError, r"got 1, first at row 1. Drop these rows"),
        (["a", "a"], "auto", DataError, r"at least two classes; got 1 class, 'a', in all 2 rows"),
        ([], "auto", DataError, r"at least one label; got an empty vector"),
        (["a", "b"], "regression", DataError, "real labels must be numbers; got 'a'"),
        ([0, 1], "guess", ParameterError, r"task must be one of.*got 'guess'"),
    ],
)
def test_refusals(y, task, error, words):
    with pytest.raises(error, match=words):
        read_labels(y, task)


def test_real_labels_have_no_classes():
    with pytest.raises(DataError, match="Real labels have no classes to count"):
        _ = read_labels([0.1, 0.2]).counts
