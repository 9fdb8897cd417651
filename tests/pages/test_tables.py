"""The table of rows: every domain's content, and columns that are named as the table's own."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib.data import CATALOGUE, Dataset, load_dataset
from pages.parts.frame.layout import row_table


def test_a_column_does_not_replace_another_of_its_name():
    columns = ("row", "id", "score (column)", "score", "label")
    values = np.arange(10).reshape(2, 5) + 0.5
    data = Dataset("t", "T", "vector", values, y=np.array(["a", "b"]), columns=columns, ids=("p", "q"))
    table = row_table(data, [1, 0], {"score": [7, 8]})
    assert table.values.tolist() == [[1, "q", 7, "b", *values[1]], [0, "p", 8, "a", *values[0]]]
    assert table.columns[:4].tolist() == ["row", "id", "score", "label"]
    assert [*row_table(data, [1, 0], label=False)["label"]] == [9.5, 4.5]


def test_ids_that_are_the_numbers_of_the_rows_are_not_shown_twice():
    data = Dataset("t", "T", "vector", np.zeros((3, 1)))
    assert "id" not in row_table(data, [2, 0])
    assert row_table(data.take([2, 0]), [0, 1])["id"].tolist() == ["2", "0"]


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_table_of_a_data_set_holds_its_first_rows(name):
    data = load_dataset(name)
    table = row_table(data, list(range(5)), full=True)
    assert table["id" if "id" in table else "row"].astype(str).tolist() == list(data.ids[:5])
    content = table.drop(columns=["row", "id", "label"], errors="ignore")
    if data.domain in ("vector", "categorical", "mixed"):
        assert (content.to_numpy() == data.rows[:5, : content.shape[1]]).all()
    elif data.domain in ("sequence", "text"):
        assert [str(row)[:500] for row in data.rows[:5]] == content["content"].tolist()
    elif data.domain == "graph":
        assert content["nodes"].tolist() == [len(graph.labels) for graph in data.rows[:5]]
    else:
        assert content.shape[1] > 1
