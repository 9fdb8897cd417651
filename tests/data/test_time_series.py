"""Files of time series: UEA's .ts, UCR's .tsv, wide and long tables; and what is refused, with its place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kernlib import DataError
from kernlib.data import load_dataset, read_upload
from kernlib.experiments.proposals import default_kernel

TS = """#a comment
@problemName Demo
@timeStamps false
@missing true
@univariate false
@dimensions 2
@equalLength false
@classLabel true up down
@data
1,2,3,?:0,0,1:up
5,4:1.5,1:down
-1,0,1,2:2,2,2,2:up
"""
UCR = "\n".join("\t".join(map(str, row)) for row in (
    [1, 0.5, 1.5, 2.5, 3.5, 4.5], [2, 4.5, 3.5, 2.5, "NaN", "NaN"], [1, 0.6, 1.4, 2.6, 3.4, "NaN"],
    [2, 4.4, 3.6, 2.4, 1.6, 0.4],
))  # fmt: skip
LONG = "id,time,value,label\n" + "".join(
    f"{name},{t},{v},{label}\n"
    for name, label, values in (("a", "x", (1, 2, 3)), ("b", "y", (3, 1)), ("c", "x", (0.5, 2, 2.5, 3)))
    for t, v in reversed([*enumerate(values)])
)


def shown(data):
    return [row.values[:, 0].tolist() for row in data.rows], data.labels


def test_uea():
    upload = read_upload("demo.ts", TS.encode())
    data = upload.dataset()
    assert (upload.format, upload.domain, data.row_kind.called) == ("UEA time series", "series", "time series")
    assert shown(data) == ([[1, 2, 3], [5, 4], [-1, 0, 1, 2]], ("up", "down", "up"))
    assert data.rows[1].values.tolist() == [[5, 1.5], [4, 1]]
    targets = TS.replace("classLabel true up down", "targetLabel true").replace("up", "1.5").replace("down", "2")
    assert read_upload("demo.ts", targets.encode()).dataset().y.tolist() == [1.5, 2.0, 1.5]


def test_ucr_with_unequal_lengths():
    upload = read_upload("Demo_TRAIN.tsv", UCR.encode())
    assert (upload.format, upload.domain) == ("UCR time series", "series")
    rows, labels = shown(upload.dataset())
    assert rows == [[0.5, 1.5, 2.5, 3.5, 4.5], [4.5, 3.5, 2.5], [0.6, 1.4, 2.6, 3.4], [4.4, 3.6, 2.4, 1.6, 0.4]]
    assert labels == ("1", "2", "1", "2")
    assert read_upload("Demo_TRAIN.tsv", UCR.encode(), domain="vector").domain == "vector"


def test_a_wide_table_where_a_person_asks_for_series():
    raw = b"t0,t1,t2,class\n1,2.5,3.5,a\n3,2,1.5,b\n1.5,0.5,,a\n"
    assert read_upload("wide.csv", raw).domain == "vector"
    rows, labels = shown(read_upload("wide.csv", raw, domain="series").dataset())
    assert (rows, labels) == ([[1, 2.5, 3.5], [3, 2, 1.5], [1.5, 0.5]], ("a", "b", "a"))


def test_a_long_table_is_sorted_by_time_within_each_id():
    upload = read_upload("long.csv", LONG.encode())
    data = upload.dataset()
    assert upload.domain == "series"
    assert shown(data) == ([[1, 2, 3], [3, 1], [0.5, 2, 2.5, 3]], ("x", "y", "x"))
    assert data.ids == ("a", "b", "c")
    assert [g.sentence for g in upload.guesses] == ["The lines of each 'id' are one time series of 1 channel."]
    lines = read_upload("long.csv", LONG.encode(), domain="vector").dataset()
    assert lines.n == 9
    two = LONG.replace("value,label", "value,label,other").replace(",x\n", ",x,7\n").replace(",y\n", ",y,8\n")
    assert read_upload("long.csv", two.encode()).dataset().rows[0].channels == 2


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("t.ts", TS.replace("1.5,1:", "1.5:"), "line 11 has channels of 1 and 2 values"),
        ("t.ts", TS.replace("5,4", "5,z"), "line 11 has 'z'; expected finite numbers"),
        ("t.ts", TS.replace("1,2,3,?", "1,?,3"), r"line 10 has '\?'"),
        ("t.ts", TS.replace("timeStamps false", "timeStamps true"), "time stamps"),
        ("t.ts", TS.replace(":down", ":"), "line 11 has no label"),
        ("t.ts", TS.replace(":1.5,1", ""), "row 1 has 1 channels; expected 2"),
        ("t_TRAIN.tsv", UCR.replace("1.5\t2.5", "NaN\t2.5", 1), "row 0 is no time series"),
        ("t.csv", LONG.replace("b,1,1", "b,1,"), "expected a finite number at every time"),
    ],
)
def test_what_does_not_fit_is_named(name, text, words):
    with pytest.raises(DataError, match=words):
        read_upload(name, text.encode()).dataset()


def test_the_sample_s_first_kernel_tells_the_shapes_apart():
    data = load_dataset("cylinder-bell-funnel", n=45, length=64)
    assert len({row.length for row in data.rows}) > 5
    K = default_kernel(data)(data.rows)
    np.fill_diagonal(K, -1.0)
    assert (data.y[K.argmax(axis=1)] == data.y).mean() > 0.9


def test_one_other_value_is_another_data_set():
    data = load_dataset("cylinder-bell-funnel", n=6)
    values = [row.values.copy() for row in data.rows]
    same = replace(data, rows=[v.copy() for v in values])
    values[3][5] += 1e-12
    assert same.digest == data.digest != replace(data, rows=values).digest
    assert data.take([4, 1]).rows[1] == data.rows[1]
