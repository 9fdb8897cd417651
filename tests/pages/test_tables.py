"""The table of rows: every domain's content, and columns that are named as the table's own."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib.data import CATALOGUE, Dataset, load_dataset
from pages.parts.frame.layout import row_table
from pages.parts.frame.pictures import rows_table


def test_a_column_does_not_replace_the_ids_and_labels_of_its_rows():
    values = np.array([[1.5, 2.5, 3.5], [4.5, 5.5, 6.5]])
    data = Dataset("t", "T", "vector", values, y=np.array(["a", "b"]), columns=("row", "id", "label"), ids=("p", "q"))
    table = row_table(data, [1, 0])
    assert table["row"].tolist() == [1, 0]
    assert table["id"].tolist() == ["q", "p"]
    assert table["label"].tolist() == ["b", "a"]
    assert table.iloc[:, 3:].to_numpy().tolist() == values[[1, 0]].tolist()


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_table_of_a_data_set_holds_its_first_rows(name):
    data = load_dataset(name)
    table = rows_table(data, at_most=5)
    assert table["id"].tolist() == list(data.ids[:5])
    content = table.drop(columns=["row", "id", "label"], errors="ignore")
    if data.domain in ("vector", "categorical", "mixed"):
        assert (content.to_numpy() == data.rows[:5, : content.shape[1]]).all()
    elif data.domain in ("sequence", "text"):
        assert [str(row)[:500] for row in data.rows[:5]] == content["content"].tolist()
    elif data.domain == "graph":
        assert content["nodes"].tolist() == [len(graph.labels) for graph in data.rows[:5]]
    else:
        assert content.shape[1] > 1
