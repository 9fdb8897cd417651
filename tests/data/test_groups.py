"""Rows that belong together: the column's role, the data set's groups, and runs that leave them whole."""

from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np
import pytest

from kernlib import RBF, DataError
from kernlib.data import Dataset, Reading, readings
from kernlib.experiments import UPLOAD, Axis, RunSpec, sweep
from kernlib.experiments.folds import Group
from kernlib.machines import SVM
from kernlib.protocols import GroupedSplits

RAW = b"patient,size,width,kind\n" + b"".join(
    b"p%d,%.3f,%.3f,%s\n" % (i // 3, np.sin(i), np.cos(3 * i), (b"a", b"b")[i % 2]) for i in range(36)
)


def first(raw: bytes, **choices: object) -> Reading:
    return readings("t.csv", raw, **choices)[0]


def grouped() -> Dataset:
    return first(RAW, label="kind").dataset()


@pytest.mark.parametrize("name", ["group", "Subject", "patient", "fold", "BATCH"])
def test_the_role_is_guessed_where_values_repeat(name):
    raw = RAW.replace(b"patient", name.encode())
    assert first(raw).roles == {name: "group", "size": "compared", "width": "compared", "kind": "compared"}


def test_other_columns_are_no_groups():
    def role(raw: bytes) -> str:
        return next(iter(first(raw).roles.values()))

    assert role(b"batch,y\n7,a\n4,b\n6,a\n") == "compared"  # nothing repeats
    assert role(b"batch,y\n1.5,a\n1.5,b\n2.5,a\n") == "compared"
    assert role(b"batch,x,y\nu,1,a\nu,2,b\n") == "left out"  # one group only


def test_one_group_column_at_most():
    raw = b"patient,batch,x,y\nu,1,1,a\nu,1,2,b\nv,2,3,a\nv,2,4,b\n"
    assert first(raw).roles["batch"] == "left out"
    assert first(raw, roles={"batch": "group"}).roles["patient"] == "left out"
    with pytest.raises(DataError, match=r"one column can be 'group'; got patient, batch"):
        first(raw, roles={"batch": "group", "patient": "group"}).dataset()


def test_groups_are_kept_out_of_the_rows():
    data = grouped()
    assert data.columns == ("size", "width")
    assert data.groups is not None
    assert data.groups[:4] == ("p0", "p0", "p0", "p1")
    assert set(Counter(data.groups).values()) == {3}


def test_a_row_without_a_group_is_one_of_its_own():
    raw = b"patient,x,y\nu,1.5,a\n,2,b\n,3,a\nu,4,b\n? (1),5,a\n"
    assert first(raw).dataset().groups == ("u", "? (2)", "? (3)", "u", "? (1)")


def test_groups_follow_the_rows():
    data = grouped()
    assert data.take([35, 0]).groups == ("p11", "p0")
    sample = data.stratified_sample(10, seed=1)
    assert sample.groups == tuple(f"p{int(i) // 3}" for i in sample.ids)
    raw = RAW.replace(b"p0,0.000,1.000", b"p0,,1.000")
    assert first(raw, label="kind").dataset(missing="drop").groups == data.groups[1:] if data.groups else False


def test_groups_beside_nodes_and_matrices():
    edges = {"e.csv": b"from,to\na,b\nb,c\n"}
    nodes = b"id,batch,club\na,1,u\nb,1,v\nc,2,u\n"
    assert readings("e.csv", edges["e.csv"], more={"n.csv": nodes})[0].dataset().groups == ("1", "1", "2")
    square = b"1,2,3\n2,1,4\n3,4,1\n"
    matrix = readings("m.csv", square, more={"n.csv": nodes}, kind="matrix")[0]
    assert matrix.dataset().groups == ("1", "1", "2")


def test_the_digest_knows_the_groups_and_is_as_before_without():
    data = grouped()
    bare = dataclasses.replace(data, groups=None)
    assert bare.digest == first(RAW, label="kind", roles={"patient": "left out"}).dataset().digest
    assert len({data.digest, bare.digest, dataclasses.replace(data, groups=("u", "v") * 18).digest}) == 3


def test_there_must_be_a_group_for_each_row():
    with pytest.raises(DataError, match="one name per row, 36 of them; got 2"):
        dataclasses.replace(grouped(), groups=("u", "v"))


def test_a_run_leaves_groups_whole_and_its_spec_survives_json():
    data = grouped()
    spec = RunSpec(
        UPLOAD + data.digest,
        RBF(sigma=1.0),
        protocol=GroupedSplits(repeats=3, train=0.5, seed=2),
        tuning=(Axis("machine.C", (0.1, 10.0)),),
        inner=GroupedSplits(repeats=2, train=0.75),
    )
    assert RunSpec.from_json(spec.to_json()) == spec
    results = list(sweep(spec, data))
    assert [(r.problem, r.n_train, r.n_test) for r in results] == [("", 18, 18)] * 3
    bare = dataclasses.replace(data, groups=None)
    with pytest.raises(DataError, match="must have groups"):
        sweep(dataclasses.replace(spec, data=UPLOAD + bare.digest), bare)


def test_tuning_inside_the_training_part_leaves_groups_whole(monkeypatch):
    data = grouped()
    spec = RunSpec(
        UPLOAD + data.digest,
        RBF(sigma=1.0),
        SVM(),
        GroupedSplits(repeats=2),
        tuning=(Axis("machine.C", (0.1, 10.0)),),
        inner=GroupedSplits(repeats=3, train=0.75),
    )
    parts: list[tuple[set[str], set[str]]] = []
    before = Group.folds

    def watched(self: Group, values: list[int], train: np.ndarray, test: np.ndarray, y: np.ndarray) -> object:
        assert data.groups is not None
        parts.append(({data.groups[i] for i in train}, {data.groups[i] for i in test}))
        return before(self, values, train, test, y)

    monkeypatch.setattr(Group, "folds", watched)
    assert all(not r.problem for r in sweep(spec, data))
    assert len(parts) == 2 * (3 + 1)
    assert all(first and second and not first & second for first, second in parts)


def test_too_few_groups_inside_are_the_folds_problem():
    data = dataclasses.replace(grouped(), groups=("u",) * 18 + ("v",) * 18)
    spec = RunSpec(
        UPLOAD + data.digest,
        RBF(sigma=1.0),
        protocol=GroupedSplits(repeats=1),
        tuning=(Axis("machine.C", (0.1, 10.0)),),
        inner=GroupedSplits(repeats=3),
    )
    (result,) = sweep(spec, data)
    assert "GroupedSplits: expected at least 2 groups" in result.problem
