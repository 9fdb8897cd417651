"""The Dataset value: what it refuses, what it keeps, and when its digest changes."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernlib.data import Dataset, Split
from kernlib.errors import DataError

X = [[0.0, 1.0], [2.0, 3.0], [4.0, 5.5], [1.0, 1.0]]


def make(domain: str = "vector", rows: Any = X, **more: Any) -> Dataset:
    return Dataset("toy", "Toy", domain, rows, **more)  # type: ignore[arg-type]


HOSTILE = {
    "NaN": (dict(rows=[[0.0], [np.nan]]), r"row 1, column 0 is nan"),
    "infinite": (dict(rows=[[np.inf], [0.0]]), r"row 0, column 0 is inf"),
    "one row": (dict(rows=[[1.0, 2.0]]), "at least two rows; got 1"),
    "no columns": (dict(rows=np.empty((3, 0))), r"got shape \(3, 0\)"),
    "flat": (dict(rows=[1.0, 2.0]), r"X.reshape\(-1, 1\) makes one column"),
    "words": (dict(rows=[[1, "a"], [2, "b"]]), "got text"),
    "ragged": (dict(rows=[[1.0], [2.0, 3.0]]), "give every row the same columns"),
    "complex": (dict(rows=[[1j], [2j]]), "values of type complex"),
    "domain": (dict(domain="picture"), "domain must be one of"),
    "label length": (dict(y=[0, 1, 0]), "one label for each of the 4 rows; got 3"),
    "label missing": (dict(y=["a", None, "b", "a"]), "missing or infinite values; got 1, first at row 1"),
    "label NaN": (dict(y=[0.0, 1.5, np.nan, 2.0]), "first at row 2"),
    "labels mixed": (dict(y=np.array(["a", 1, "b", 2], dtype=object)), "of one kind"),
    "codes high": (dict(y=[0, 1, 2, 0], classes=("a", "b")), "label 2 is not among .* codes 0…1"),
    "unknown class": (dict(y=["a", "c", "a", "a"], classes=("a", "b")), "label 'c' is not among"),
    "classes twice": (dict(y=[0, 1, 0, 0], classes=("a", "a")), "must differ"),
    "fractions as classes": (dict(y=[0.5, 1, 0, 1], task="classification"), "task='regression'"),
    "task": (dict(y=[0, 1, 0, 1], task="ranking"), "task must be"),
    "columns": (dict(columns=("a",)), "one name per column, 2 of them; got 1"),
    "ids": (dict(ids=("a",)), "one name per row, 4 of them; got 1"),
    "split beyond": (dict(splits=(Split("1", [0, 1], [7]),)), "0…3; got 7"),
    "categorical fractions": (dict(domain="categorical", rows=[[0.5], [1.0]]), "row 0, column 0 is 0.5"),
    "categorical missing": (
        dict(domain="categorical", rows=np.array([["a"], [None]], dtype=object)),
        "row 1, column 0",
    ),
    "categorical mixed": (dict(domain="categorical", rows=np.array([["a"], [1]], dtype=object)), "all text or all"),
    "one string": (dict(domain="sequence", rows="ACGT"), "put it in a list"),
    "sequence number": (dict(domain="sequence", rows=["A", 3]), "a int in row 1"),
    "sequence empty": (dict(domain="sequence", rows=["A", ""]), "row 1 is empty"),
    "graph": (dict(domain="graph", rows=[np.eye(2), np.eye(2)]), "a ndarray in row 0"),
    "node oblong": (dict(domain="node", rows=np.zeros((2, 3))), "give the whole square matrix"),
    "node directed": (dict(domain="node", rows=[[0, 1], [0, 0]]), r"entry \(0, 1\) is 1 and \(1, 0\) is 0"),
    "pair three": (dict(domain="pair", rows=[[0, 1, 2], [1, 2, 3]]), "two row numbers"),
    "pair negative": (dict(domain="pair", rows=[[0, -1], [1, 2]]), "got -1"),
    "pair beyond": (dict(domain="pair", rows=[[0, 9], [1, 2]], base=make()), "0…3 of the base data set; got 9"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_content_is_refused_in_one_sentence(case):
    arguments, words = HOSTILE[case]
    with pytest.raises(DataError, match=words) as caught:
        make(**arguments)
    assert "Dataset 'toy'" in str(caught.value)


def test_one_class_loads_and_is_flagged():
    data = make(y=["a"] * 4)
    assert any("one class, 'a'" in sentence for sentence in data.warnings)


def test_other_warnings():
    assert any("'b' has one row" in w for w in make(y=["a", "a", "a", "b"]).warnings)
    assert any("'c' has no row" in w for w in make(y=[0, 1, 0, 1], classes=("a", "b", "c")).warnings)
    assert any("one value only: x1" in w for w in make(rows=[[1, 2], [1, 3.0]]).warnings)
    assert any("texts are empty" in w for w in make("text", ["a", " "]).warnings)
    assert any("1 of 3 nodes have no edge" in w for w in make("node", [[0, 1, 0], [1, 0, 0], [0, 0, 0]]).warnings)
    assert any("equal" in w for w in make(y=[1.5] * 4, task="regression").warnings)
    assert make(y=[0, 1, 0, 1]).warnings == ()


def test_labels_are_guessed():
    assert make(y=[3, 1, 3, 1]).classes == ("1", "3")
    assert make(y=[-1.0, 1.0, 1.0, -1.0]).classes == ("-1", "1")
    assert make(y=[0.1, 0.2, 0.3, 0.4]).task == "regression"
    assert make(y=["u", "v", "u", "v"], classes=("v", "u")).y.tolist() == [1, 0, 1, 0]  # type: ignore[union-attr]
    assert make().task is None


def test_arrays_are_read_only_copies():
    rows, y = np.array(X), np.array([0, 1, 0, 1])
    data = make(rows=rows, y=y)
    rows[0, 0] = 9
    y[0] = 1
    assert data.rows[0, 0] == 0
    assert data.y is not None
    assert data.y[0] == 0
    for array in (data.rows, data.y, make("sequence", ["A", "B"]).rows, Split("1", [0], [1]).train):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[-1]
    with pytest.raises(dataclasses.FrozenInstanceError):
        data.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize("place", [(0, 0), (2, 1), (3, 0)])
def test_digest_sees_every_entry(place):
    rows = np.array(X)
    rows[place] = np.nextafter(rows[place], np.inf)
    assert make(rows=rows).digest != make().digest


def test_digest_sees_labels_classes_types_and_splits_but_no_words():
    base = make(y=[0, 1, 0, 1])
    different = [
        make(y=[0, 1, 1, 1]),
        make(y=[0, 1, 0, 1], classes=("a", "b")),
        make(y=[0.0, 1.0, 0.0, 1.0], task="regression"),
        make(),
        make(y=[0, 1, 0, 1], splits=(Split("1", [0], [1]),)),
        make("categorical", [[0, 1], [2, 3], [4, 5], [1, 1]], y=[0, 1, 0, 1]),
        make(rows=np.array(X).reshape(2, 4)),
    ]
    digests = {base.digest, *(d.digest for d in different)}
    assert len(digests) == len(different) + 1
    renamed = dataclasses.replace(base, title="Other", note="Other", source="Other")
    assert renamed.digest == base.digest
    assert renamed == base
    assert hash(renamed) == hash(base)


def test_digest_keeps_strings_apart():
    assert make("sequence", ["AB", "C"]).digest != make("sequence", ["A", "BC"]).digest
    assert make("sequence", ["AB", "C"]).digest != make("text", ["AB", "C"]).digest
    assert make("categorical", [["1"], ["2"]]).digest != make("categorical", [[1], [2]]).digest


def test_digest_is_the_same_in_another_process():
    code = "from kernlib.data import load_dataset as l; print(l('promoters').digest, l('karate').digest)"
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
    assert len(runs.pop().split()[0]) == 64


@given(st.lists(st.text(min_size=1, max_size=5), min_size=2, max_size=6))
def test_any_text_is_kept_as_it_is(rows):
    assert make("sequence", rows).rows.tolist() == rows


def test_take_keeps_what_belongs_to_the_rows():
    data = make(y=["a", "b", "a", "b"], ids=tuple("wxyz"), splits=(Split("1", [0], [1]),))
    part = data.take(np.array([3, 0]))
    assert part.rows.tolist() == [[1.0, 1.0], [0.0, 1.0]]
    assert part.labels == ("b", "a")
    assert part.ids == ("z", "w")
    assert part.splits == ()
    node = make("node", [[0, 1, 0], [1, 0, 2], [0, 2, 0.0]]).take([2, 1])
    assert node.rows.tolist() == [[0, 2], [2, 0]]
    for wrong, words in (([0, 4], "got 4"), ([-1, 0], "got -1"), ([0], "two rows"), ([True, False], "flatnonzero")):
        with pytest.raises(DataError, match=words):
            data.take(wrong)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=5), st.integers(2, 60), st.integers(0, 5))
def test_sample_is_stratified(sizes, n, seed):
    y = np.repeat(np.arange(len(sizes)), sizes)
    if y.size < 2:
        return
    data = make(rows=np.arange(float(y.size))[:, None], y=y)
    sample = data.stratified_sample(n, seed=seed)
    assert sample.n == min(n, data.n)
    assert (np.diff(sample.rows[:, 0]) > 0).all()
    for name, count in sample.class_counts.items():
        share = data.class_counts[name] * sample.n / data.n
        assert count >= min(1, n >= len(sizes))
        assert count <= data.class_counts[name]
        assert abs(count - share) < 1 + len(sizes)
    assert sample == data.stratified_sample(n, seed=seed)
    if n < data.n:
        assert f"Stratified sample of {n} of {data.n} rows, seed {seed}." in sample.note


def test_sample_needs_two_rows():
    with pytest.raises(DataError, match="at least two rows; got n=1"):
        make().stratified_sample(1)
    assert make().stratified_sample(2).note.startswith("Random sample of 2 of 4 rows")


def test_splits_must_not_share_rows():
    with pytest.raises(DataError, match="row 1 is in both"):
        Split("1", [0, 1], [1, 2])
    with pytest.raises(DataError, match="at least one row number"):
        Split("1", [], [1, 2])


def test_repr():
    data = make(y=["a", "b", "a", "b"])
    assert repr(data) == "Dataset('toy', vector, n=4, d=2, classes={'a': 2, 'b': 2})"
