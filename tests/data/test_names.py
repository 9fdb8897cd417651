"""Names of a matrix' rows: they find the lines of a second file and stand beside the matrix."""

from __future__ import annotations

import pytest

from kernlib.data import Dataset, Reading, readings
from kernlib.errors import DataError
from kernlib.figures.gram import gram_heatmap

MATRIX = b",mouse_1,mouse_2,rat_1,rat_2\nmouse_1,1,.9,.1,.2\nmouse_2,.9,1,.2,.1\nrat_1,.1,.2,1,.8\nrat_2,.2,.1,.8,1\n"


def read(table: str, **choices: object) -> Reading:
    return readings("k.csv", MATRIX, more={"t.csv": table.encode()}, **choices)[0]


def beside(table: str, **choices: object) -> Dataset:
    return read(table, missing=choices.pop("missing", "refuse"), **choices).dataset()


@pytest.mark.parametrize("more", ["", "cow_1,c\n"])
def test_a_second_file_labels_rows_by_name_in_any_order(more):
    data = beside(f"name,species\nrat_2,r\nmouse_1,m\n{more}rat_1,r\nmouse_2,m\n")
    assert data.ids == ("mouse_1", "mouse_2", "rat_1", "rat_2")
    assert data.labels == ("m", "m", "r", "r")


def test_a_row_that_the_second_file_does_not_list_has_no_label():
    table = "name,species\nrat_2,r\nmouse_1,m\nmouse_2,m\n"
    with pytest.raises(DataError, match="'species' has 1 missing cell, the first in data row 3"):
        beside(table)
    data = beside(table, missing="drop")
    assert (data.ids, data.labels) == (("mouse_1", "mouse_2", "rat_2"), ("m", "m", "r"))


def test_lines_without_names_are_read_in_order():
    assert beside("age,species\n3,m\n4,m\n5,r\n6,r\n").labels == ("m", "m", "r", "r")


def test_names_of_few_rows_stand_beside_the_matrix():
    data = readings("k.csv", MATRIX)[0].dataset()
    figure = gram_heatmap(data.rows, [3, 2, 1, 0], ids=data.ids)
    assert list(figure.layout.yaxis.ticktext) == list(reversed(data.ids))
    numbered = gram_heatmap(data.rows, ids=("0", "1", "2", "3"))
    assert numbered.layout.xaxis.title.text == "row (in this order)"


def test_records_without_a_name_are_numbered_from_1():
    assert readings("t.fasta", b">\nACGT\n>\nACGA\n")[0].dataset().ids == ("1", "2")
