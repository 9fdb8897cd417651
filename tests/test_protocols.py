from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import StratifiedShuffleSplit

from kernlib.data import Dataset, load_dataset
from kernlib.errors import DataError, ParameterError
from kernlib.experiments import Axis, RunSpec, curve, estimate, sweep
from kernlib.kernels.vectors import RBF
from kernlib.machines import SVM
from kernlib.protocols import (
    PROTOCOLS,
    ClassTooSmall,
    FixedSplits,
    GroupedSplits,
    PublishedSplits,
    RepeatedKFold,
    RepeatedSplits,
)

Y = np.array(["a"] * 30 + ["b"] * 20 + ["c"] * 10)
OWNERS = np.repeat([f"patient {i}" for i in range(20)], 3)
EXAMPLES = [
    RepeatedSplits(repeats=4),
    RepeatedSplits(repeats=3, train=2 / 3, seed=5),
    RepeatedKFold(folds=5, repeats=2),
    FixedSplits(train=24, test=12, repeats=3),
    FixedSplits(train=24, validation=12, test=18, repeats=3),
    GroupedSplits(repeats=6, train=0.2, seed=3),
    GroupedSplits(repeats=6, train=2 / 3),
]


@pytest.mark.parametrize("protocol", EXAMPLES, ids=repr)
@pytest.mark.parametrize("y", [Y, np.linspace(0.5, 1, 60)], ids=["classes", "reals"])
def test_contract(protocol, y):
    grouped = isinstance(protocol, GroupedSplits)
    y = y if y is not Y or not grouped else np.tile(["a", "b", "a"], 20)
    splits = list(protocol.splits(y, groups=OWNERS))
    assert len(splits) == protocol.count
    assert [number for number, _, _ in splits] == list(range(protocol.count))
    for _, train, test in splits:
        assert not set(train) & set(test)
        assert (np.diff(train) > 0).all()
        assert (np.diff(test) > 0).all()
        assert len(test) / len(train) == pytest.approx(protocol.test_over_train, rel=0.1 if grouped else 0.05)
        if grouped:
            assert not set(OWNERS[train]) & set(OWNERS[test])
            assert len(set(OWNERS[train])) == round(20 * protocol.train)
            assert y.dtype.kind != "U" or set(y[train]) == set(y[test]) == {"a", "b"}
        if y is Y:
            for part in (train, test):
                shares = [np.mean(y[part] == c) for c in "abc"]
                assert_allclose(shares, [1 / 2, 1 / 3, 1 / 6], atol=1.5 / len(part))
    again = list(protocol.splits(y, groups=OWNERS.tolist()))
    assert all((a[1] == b[1]).all() and (a[2] == b[2]).all() for a, b in zip(splits, again, strict=True))
    other = list(replace(protocol, seed=77).splits(y, groups=OWNERS))
    assert any(a[1].tolist() != b[1].tolist() for a, b in zip(splits, other, strict=True))
    namespace = {p.__name__: p for p in PROTOCOLS}
    assert eval(repr(protocol), namespace) == protocol


def test_every_row_is_tested_once_per_repeat():
    tested = np.concatenate([test for _, _, test in RepeatedKFold(folds=10, repeats=3).splits(Y)])
    assert (np.bincount(tested) == 3).all()


def test_half_and_half_uses_all_rows():
    for _, train, test in RepeatedSplits(repeats=3).splits(Y):
        assert sorted(np.r_[train, test]) == list(range(60))
        assert len(train) == 30


def test_validation_rows_are_drawn_by_a_seed_that_follows_from_the_protocols():
    """A constant seed would draw the same rows of the rest for every protocol and split."""
    protocol = FixedSplits(train=20, validation=15, test=10, repeats=2, seed=4)
    for (number, train, held, test), split in zip(protocol.parts(Y), protocol.splits(Y), strict=True):
        assert_array_equal(split[1], train)
        assert_array_equal(split[2], test)
        assert not set(train) & (set(held) | set(test))
        rest = np.sort(np.concatenate([held, test]))
        splitter = StratifiedShuffleSplit(1, train_size=15, test_size=10, random_state=4 + 1 + number)
        ((first, second),) = splitter.split(rest, np.asarray(Y)[rest])
        assert_array_equal(held, np.sort(rest[first]))
        assert_array_equal(test, np.sort(rest[second]))


def test_describe():
    assert RepeatedSplits().describe("regression") == "25 random 50–50 splits, seed 0"
    assert RepeatedSplits(train=2 / 3).describe() == "25 stratified random 66.7–33.3 splits, seed 0"
    assert RepeatedKFold(repeats=1).describe("regression") == "10-fold cross-validation, once, seed 0"
    assert FixedSplits(20, 15, 10).describe() == (
        "20 stratified random draws of 20 training, 15 validation and 10 test rows, seed 0"
    )


@pytest.mark.parametrize(
    ("protocol", "y", "groups", "words"),
    [
        (
            RepeatedKFold(),
            ["x"] * 20 + ["rare"] * 3,
            None,
            r"every class must have at least 10 rows, one in every fold; got 3 of class 'rare'. Choose fewer folds",
        ),
        (RepeatedSplits(), [0] * 9 + [1], None, r"at least 2 rows, one to train on and one to test; got 1 of class 1."),
        (
            RepeatedSplits(train=0.9),
            [0, 0, 1, 1],
            None,
            "both parts must have at least 2 rows.*got 4 to train on and 0",
        ),
        (RepeatedKFold(), [0.1, 0.2, 0.3], None, r"there must be at least 10 rows, one in every fold; got 3"),
        (
            FixedSplits(train=30, validation=20, test=30),
            Y,
            None,
            r"at most the 60 rows; got 30 \+ 20 \+ 30 = 80. Choose smaller",
        ),
        (FixedSplits(5, 3, 3), [0] * 20 + [1] * 2, None, r"at least 3 rows, one in every part; got 2"),
        (RepeatedSplits(), ["a", "a"], None, r"RepeatedSplits: y must have at least two classes; got 1 class, 'a'"),
        (GroupedSplits(), [0, 1] * 4, None, "must have groups; got none. Give a column the role"),
        (GroupedSplits(), [0, 1] * 4, list("uuvv"), "for 4 of 8 rows"),
        (GroupedSplits(), [0, 1] * 4, ["u"] * 8, "at least 2 groups, one to train on and one to test; got 1"),
        (GroupedSplits(train=0.1), [0, 1] * 4, list("uuvvwwxx"), "got 4, 0 to train on"),
        (GroupedSplits(), [0] * 6 + [1, 1], list("uuvvwwxx"), "at least 2 groups.*got 1 with class 1. Leave such"),
    ],
)
def test_too_few_rows_or_groups_are_named_before_the_first_split(protocol, y, groups, words):
    with pytest.raises(DataError, match=words):
        protocol.splits(y, groups=groups)


def test_a_class_that_would_never_be_trained_on_is_named():
    with pytest.raises(DataError, match=r"none of the 2 of class 1 among 10. Choose a larger training part"):
        list(RepeatedSplits(train=0.1).splits([0] * 98 + [1] * 2))


@pytest.mark.parametrize("part", ["test", "validation"])
def test_a_part_has_a_row_of_every_class(part):
    with pytest.raises(ParameterError, match=f"FixedSplits: {part} must be at least 3, a row of every class; got 2"):
        FixedSplits(**{"train": 20, "test": 20, part: 2}).splits(Y)


@pytest.mark.parametrize(
    ("protocol", "y", "each"),
    [
        (RepeatedSplits(), [0, 1] * 2, 2),
        (RepeatedSplits(), [0.1, 0.2], 1),
        (FixedSplits(1, 0, 1), [0.1, 0.2], 1),
        (FixedSplits(2, 0, 2), [0, 1] * 2, 2),
        (FixedSplits(2, 2, 2), [0, 1] * 3, 2),
    ],
)
def test_a_row_of_every_class_in_each_part_is_enough(protocol, y, each):
    assert {len(rows) for _, *parts in protocol.splits(y) for rows in parts} == {each}


def test_draws_in_which_a_part_lacks_a_class_are_drawn_again():
    y = np.repeat(["a", "b"], [54, 6])  # b in the last two of the twenty groups
    for _, first, second in GroupedSplits(repeats=30).splits(y, groups=OWNERS):
        assert set(y[first]) == set(y[second]) == {"a", "b"}


def test_other_protocols_take_no_notice_of_groups():
    with_groups = list(RepeatedSplits(repeats=2).splits(Y, groups=OWNERS))
    assert all((a[1] == b[1]).all() for a, b in zip(with_groups, RepeatedSplits(repeats=2).splits(Y), strict=True))


def test_splits_that_cannot_be_drawn_are_given_up():
    # Three classes in two groups each, one group to train on: never all three.
    with pytest.raises(DataError, match="no such split in 200 draws of 1 of 6 groups"):
        list(GroupedSplits(train=0.2).splits(np.repeat([0, 1, 2], 4), groups=np.repeat(range(6), 2)))


def test_published_splits_are_the_data_sets_own():
    heart = load_dataset("ida-heart")
    assert len(heart.splits) == 10
    axis = Axis("machine.C", (0.1, 1.0))
    spec = RunSpec("ida-heart", RBF(sigma=3.0), SVM(), PublishedSplits(), axis=axis)
    assert RunSpec.from_json(spec.to_json()) == spec
    found = list(sweep(spec))
    assert {(r.split, r.n_train, r.n_test) for r in found} == {(k, 170, 100) for k in range(10)}
    for result in found[:4]:  # brute force on the split as it stands in the data
        split = heart.splits[result.split]
        kernel = RBF(sigma=3.0)
        machine = SVM(C=result.value).fit(kernel(heart.rows[split.train]), heart.y[split.train])
        wrong = machine.predict(kernel(heart.rows[split.test], heart.rows[split.train])) != heart.y[split.test]
        assert result.score == pytest.approx(wrong.mean())
    drawn = curve(spec, found)
    assert drawn.scores.shape == (2, 10)
    assert drawn.test_over_train == pytest.approx(100 / 170)
    assert np.isfinite(drawn.band).all()
    first = RunSpec("ida-heart", RBF(), protocol=PublishedSplits(most=3))
    assert [r.split for r in sweep(first)] == [0, 1, 2]
    assert estimate(first).fits == 3
    monks = list(PublishedSplits().splits(np.arange(556) % 2, published=load_dataset("monks-1").splits))
    assert [(len(train), len(test)) for _, train, test in monks] == [(124, 432)]


def test_without_published_splits_the_error_says_where_they_went():
    with pytest.raises(DataError, match=r"must have published splits; got none. Load all rows \(n='all'\)"):
        sweep(RunSpec("ida-heart", RBF(), protocol=PublishedSplits(), parameters=(("n", 100),)))
    for split in load_dataset("ida-heart").splits:  # row 269 trains in some and is tested in others
        with pytest.raises(DataError, match="must name rows 0…268; got 269"):
            PublishedSplits().splits([0, 1] * 134 + [0], published=[split])


def test_too_small_classes_are_named_as_the_data_names_them():
    y = [0] * 15 + [1] * 3 + [2] * 2
    data = Dataset("t", "T", "vector", np.arange(20.0)[:, None], y=y, classes=("u", "v", "w"))
    with pytest.raises(ClassTooSmall, match=r"got 3 of class 'v', 2 of class 'w'\. Choose fewer folds"):
        sweep(RunSpec("iris", RBF(), protocol=RepeatedKFold(folds=5)), data)
    left = data.without_classes("v", "w")
    assert (left.n, left.classes) == (15, ("u",))
    assert data.without_classes("w").class_counts == {"u": 15, "v": 3}
    with pytest.raises(DataError, match="there is no class 'x'; expected u, v, w"):
        data.without_classes("x")
    with pytest.raises(DataError, match=r"got shape \(0, 1\)"):
        data.without_classes("u", "v", "w")
