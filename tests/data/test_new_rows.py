"""New rows are read as the training rows were: by name, in their units, with their categories and their alphabet."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib.data import LIMITS, Dataset, load_dataset, new_rows, readings
from kernlib.errors import DataError


def train(text: str, **choices: object) -> Dataset:
    choices = {"missing": "refuse"} | ({"label": "kind"} if ",kind\n" in text else {}) | choices
    first = readings("train.csv", text.encode(), **{k: v for k, v in choices.items() if k != "missing"})[0]
    return first.dataset(missing=choices["missing"])


def new(text: str, like: Dataset) -> Dataset:
    return new_rows("new.csv", text.encode(), like, limits=LIMITS)


NUMBERS = "size,width,kind\n1.5,2,a\n2.5,1,b\n0.5,3,a\n2.0,1,b\n"


def test_columns_are_found_by_name_and_labels_are_not_read():
    rows = new("kind,width,id,size\nb,20,u,10\nz,40,v,30\n", train(NUMBERS))
    assert rows.rows.tolist() == [[10.0, 20.0], [30.0, 40.0]]
    assert (rows.columns, rows.ids, rows.y) == (("size", "width"), ("u", "v"), None)


def test_files_without_names_are_read_by_place():
    like = train("1.5,2.1,a\n2.5,1.2,b\n0.5,3.1,a\n2.0,1.5,b\n", header=0, label="x3")
    assert new("10.5,20.5\n30.5,40.5\n", like).rows.tolist() == [[10.5, 20.5], [30.5, 40.5]]


def test_one_row_is_enough():
    for text in ("size,width\n10,20\n", "kind,width,size,id\na,20,10,u\n"):
        assert new(text, train(NUMBERS)).rows.tolist() == [[10.0, 20.0]]
    strings = readings("t.fasta", b">a\nACGTACGTAAAA\n>b\nACGTACGTACCA\n")[0].dataset()
    assert new_rows("n.fasta", b">q\nACGTACGTACCC\n", strings).rows.tolist() == ["ACGTACGTACCC"]
    assert new("ACGTACGTACCC\n", strings).rows.tolist() == ["ACGTACGTACCC"]
    for name in ("n.json", "n.jsonl"):
        assert new_rows(name, b'{"size": 10, "width": 20}', train(NUMBERS)).rows.tolist() == [[10.0, 20.0]]
    with pytest.raises(DataError, match="at least two data rows are needed; got 1"):
        train("size,width\n10,20\n")
    with pytest.raises(DataError, match="at least two data rows are needed; got 1"):
        readings("train.json", b'{"size": 10, "width": 20}')


def test_an_ordered_word_keeps_the_number_that_it_has_in_the_training_rows():
    like = train("size,y\nlow,a\nmedium,b\nhigh,a\nlow,b\n", roles={"size": "ordinal"})
    assert like.rows.ravel().tolist() == [1, 2, 3, 1]
    assert new("size\nhigh\nmedium\n", like).rows.ravel().tolist() == [3, 2]
    with pytest.raises(DataError, match=r"column 'size' has 'huge' in data row 2; expected one of low, medium, high"):
        new("size\nhigh\nhuge\n", like)


def test_numbers_and_codes_of_missing_cells_are_written_as_in_the_training_rows():
    like = train('x;y\n"1,500";a\n"2,250";b\n-9;a\n"3,125";b\n', decimal=",", missing="mean", codes={"x": "-9"})
    rows = new('x\n"4,125"\n"1,500"\n', like)
    assert rows.rows.ravel().tolist() == [4.125, 1.5]


def test_a_gap_is_left_to_the_kernel_where_training_rows_have_gaps_and_refused_elsewhere():
    gappy = train("x,z,y\n1.5,2,a\n,1,b\n0.5,3,a\n2.5,4,b\n", missing="mean")
    assert np.isnan(new("x,z\n,1\n2,2\n", gappy).rows).tolist() == [[True, False], [False, False]]
    with pytest.raises(
        DataError, match=r"column 'size' has 1 missing cell, the first in data row 2. The training rows have none"
    ):
        new("size,width\n1,2\n,3\n", train(NUMBERS))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("size,height\n1,2\n3,4\n", r"it lacks width; the machine needs size, width, and the file has size, height"),
        ("a,b\n1,2\n3,4\n", r"it lacks size, width; .* the file has a, b"),
        ("size,width\n1,wide\n3,4\n", r"column 'width' has 'wide' in data row 1; expected a number"),
        (">a\nACGT\n>b\nACGA\n", r"it lacks size, width; .* the file has id, sequence"),
    ],
)
def test_rows_of_another_kind_are_refused(text, words):
    with pytest.raises(DataError, match=words):
        new(text, train(NUMBERS))


def test_strings_are_found_by_kind_and_another_alphabet_is_refused():
    like = load_dataset("promoters")
    assert like.domain == "sequence"
    first = str(like.rows[0])
    assert new(f">a\n{first}\n>b\n{first[::-1]}\n", like).ids == ("a", "b")
    assert new(f"dna,n\n{first},1\n{first[::-1]},2\n", like).rows.tolist() == [first, first[::-1]]
    other = "WYQE" * 14
    with pytest.raises(DataError, match="another alphabet"):
        new(f">a\n{other}\n>b\n{first}\n", like)
    one = ("n" if first.islower() else "N") + first[1:]
    assert "Letters that no training string has, in 1 rows: " in new(f">a\n{one}\n>b\n{first}\n", like).note


def test_categories_are_those_of_the_training_rows_and_new_ones_are_named():
    like = train("k,m,y\nu,p,a\nv,q,b\nu,q,a\nw,p,b\n")
    rows = new("m,k\np,u\nq,z\n", like)
    assert rows.rows.tolist() == [["u", "p"], ["z", "q"]]
    assert "'k' has values that no training row has, in 1 rows: z." in rows.note
    mixed = train("x,k,y\n1.5,p,a\n2.5,q,b\n0.5,q,a\n2,p,b\n")
    rows = new("k,x\np,2\nz,9\n", mixed)
    assert rows.rows.tolist() == [[2.0, "p"], [9.0, "z"]]
    assert rows.note == "'k' has values that no training row has, in 1 rows: z."
    codes = load_dataset("monks-1")
    assert codes.rows.dtype == np.int64
    line = ",".join(map(str, codes.rows[0]))
    rows = new(f"{','.join(codes.columns)}\n{line}\n{line}\n", codes)
    assert rows.rows.dtype == np.int64
    assert rows.rows[0].tolist() == codes.rows[0].tolist()


def test_rows_of_the_same_columns_of_another_kind_are_refused():
    light = "+1 1:0.5 2:1\n-1 1:0.25 3:2\n"
    with pytest.raises(DataError, match="its rows are numbers; expected time series"):
        new(light, load_dataset("cylinder-bell-funnel", n=20))


def test_nodes_have_no_new_rows():
    with pytest.raises(DataError, match="only together with all training rows"):
        new("a,b\n1,2\n3,4\n", load_dataset("karate"))
