"""Small files as programs write them: the readings that they are offered in, see `offered.txt`, and choices."""

from __future__ import annotations

import inspect
import io
import json
import pickle
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import kernlib.data
from kernlib.data import Limits, Reading, read_paths, readings
from kernlib.data.cells import read_column
from kernlib.data.readings import arguments_of, of_parameters
from kernlib.errors import AmbiguousReadingError, DataError
from kernlib.experiments import UPLOAD, RunSpec, reread_upload
from kernlib.serving.inputs import dataset_of

from .builders import written, xlsx
from .examples import EXAMPLES

FOLDER = Path(__file__).parent / "readings"
#: Small files as programs write them: those of the folder and the templates.
FILES = EXAMPLES | {file.name: file.read_bytes() for file in sorted(FOLDER.iterdir()) if file.name != "README.md"}


def expected() -> dict[str, tuple[str, ...]]:
    """Return for each file its readings, the strongest first, with what each gives; or why it is refused."""
    blocks = (FOLDER.parent / "offered.txt").read_text(encoding="utf-8").split("== ")[1:]
    return {name: tuple(lines) for name, *lines in (block.strip().split("\n") for block in blocks)}


def gives(reading: Reading) -> str:
    try:
        return repr(reading.dataset()).partition(", ")[2][:-1]
    except DataError:
        return "refused"


def offered(name: str, raw: bytes) -> tuple[str, ...]:
    try:
        found = readings(name, raw)
    except DataError as error:
        return (str(error).partition(": ")[2][:45],)
    return tuple(f"{one.kind} {one.strength}: {gives(one)}" for one in found)


def first(text: str | bytes, name: str = "t.csv", **choices: Any) -> Reading:
    return readings(name, text.encode() if isinstance(text, str) else text, **choices)[0]


def test_the_first_edge_of_numbered_nodes_is_no_line_of_names():
    edges = b"n2126 n1592\n" + b"".join(b"n%d n%d\n" % (i, 7 * i % 50) for i in range(40))
    (found,) = (one for one in readings("g.edgelist", edges) if one.kind == "edges")
    assert {"n2126", "n1592"} <= set(found.dataset().ids)


@pytest.mark.parametrize("name", FILES)
def test_a_file(name):
    assert offered(name, FILES[name]) == expected()[name]


def test_the_table_lists_every_file():
    assert expected().keys() == FILES.keys()


#: The same readings, whatever the container: pairs, edges, a long table and a named square.
TABLES = {
    "pairs": "a,b,distance\n" + "".join(f"s{i},s{j},{i - j}.5\n" for i in range(6) for j in range(i)),
    "edges": "source,target,weight\n" + "".join(f"s{i},s{i * 2 % 5},1.5\n" for i in range(6)),
    "series": "case,time,x\n" + "".join(f"p{i},{t},{(i * 7 + t * 3) % 5}.5\n" for i in range(5) for t in range(6)),
    "matrix": "name,s0,s1,s2,s3,s4\n"
    + "".join(f"s{i},{','.join(str(abs(i - j)) for j in range(5))}\n" for i in range(5)),
}


@pytest.mark.parametrize("ending", ["csv", "xlsx", "parquet", "records", "lines", "columns", "values"])
@pytest.mark.parametrize("kind", TABLES)
def test_one_table_is_read_alike_from_every_container(kind, ending):
    frame = pd.read_csv(io.StringIO(TABLES[kind]))
    if ending == "csv":
        raw = TABLES[kind].encode()
    elif ending in ("xlsx", "parquet"):
        raw = written(frame.to_excel if ending == "xlsx" else frame.to_parquet, index=False)
    else:
        more = {"orient": "records", "lines": True} if ending == "lines" else {"orient": ending}
        raw = frame.to_json(**more).encode()
    strongest = readings("t", raw)[0]
    assert strongest.kind == kind
    assert strongest.dataset().n in (5, 6)


def in_parquet(frame: Any) -> dict[str, list[str]]:
    """Return the cells of a frame of pandas or a table of Arrow, written to Parquet and read, by column."""
    raw = written(frame.to_parquet if isinstance(frame, pd.DataFrame) else partial(parquet.write_table, frame))
    return {column.name: list(column.raw) for column in readings("t", raw)[0].part.columns}


def test_parquet_keeps_gaps_whole_numbers_the_index_and_both_columns_of_a_name():
    gaps = pd.DataFrame({"n": [1, None, 3], "x": [1.5, None, 2], "b": [True, None, False], "w": ["u", None, "v"]})
    words = {"n": ["1", "", "3"], "x": ["1.5", "", "2"], "b": ["true", "", "false"], "w": ["u", "", "v"]}
    assert in_parquet(gaps.convert_dtypes()) == in_parquet(gaps) == words
    large = 2**53 + 1  # no float of 64 bits is this number
    ids = pa.table({"id": [large, large + 2, None], "x": [1.5, 2, 3], "class": ["a", "b", "a"]})
    assert in_parquet(ids)["id"] == [str(large), str(large + 2), ""]
    clash = pd.DataFrame({"a": [1, 2]}, index=pd.Index(["p", "q"], name="a"))
    assert in_parquet(clash) == {"index": ["p", "q"], "a": ["1", "2"]}
    taken = pd.DataFrame({"index": [1, 2], "level_0": [3, 4]}, index=["p", "q"])
    assert list(in_parquet(taken).values()) == [["p", "q"], ["1", "2"], ["3", "4"]]
    twice = pa.Table.from_arrays([pa.array(["u", "v"]), pa.array([1, None])], names=["a", "a"])
    assert in_parquet(twice) == {"a": ["u", "v"], "a (2)": ["1", ""]}


@pytest.mark.parametrize("first", ["true", "false", "null", "NaN"])
def test_a_line_of_json_may_begin_with_any_value(first):
    part = readings("t.jsonl", f'[{first}, 1.5, "a"]\n[true, 2.5, "b"]\n[false, 3.5, "a"]\n'.encode())[0].part
    assert part.container == "JSON Lines"
    assert list(part.columns[-1].raw)[-2:] == ["b", "a"]
    names = readings("t.csv", f"[{first}],[{first}s]\n1,a\n2,b\n3,a\n".encode())[0].part.columns
    assert [column.name for column in names] == [f"[{first}]", f"[{first}s]"]


def test_values_are_counted_in_each_line_of_json():
    limits = Limits(cells=100, rows=50, columns=30)
    record = json.dumps({"values": [0.5] * 20, "label": "a"})
    lines = "\n".join([record] * 20)
    assert readings("t.jsonl", lines.encode(), limits=limits)[0].part.container == "JSON Lines"
    many = json.dumps({"values": [0.5] * 200, "label": "a"})
    for text in (f"[{lines}]".replace("\n", ",\n"), f"{lines}\n{many}", f"{many}\n{lines}"):
        with pytest.raises(DataError, match="more than 50 records or 100 values, the maximum"):
            readings("t.json", text.encode(), limits=limits)


# Cells.


@pytest.mark.parametrize(
    ("words", "kind", "numbers"),
    [
        (["1", "2.5", "-3e2"], "number", [1, 2.5, -300]),
        (["1,5", "2,25", "3"], "number", [1.5, 2.25, 3]),
        (["1.234,5", "2.000,0"], "number", [1234.5, 2000]),
        (["1,234,567", "12,345.6"], "number", [1234567, 12345.6]),
        (["12 %", "7 %"], "whole number", [12, 7]),
        (["$ 1.50", "$ 2"], "number", [1.5, 2]),
        (["66 kg", "70 kg"], "whole number", [66, 70]),
        (["<0.5", "0.7", "2"], "number", [0.5, 0.7, 2]),
        (["9 / 10", "3 / 10"], "whole number", [9, 3]),
        (["\u22121.5", "2"], "number", [-1.5, 2]),
        (["(3)", "4"], "word", None),
        (["007", "012"], "word", None),
        (["1e999", "2"], "word", None),
        (["12345678901234567", "12345678901234568"], "word", None),
        (["yes", "no", "Yes"], "yes or no", None),
        (["2024-05-01", "2024-05-02 10:00"], "date", None),
        (["0.5 1 2", "3 4"], "numbers", None),
        (["0110100111", "1010010101"], "bits", None),
        (["ACGTACGTAC", "ACGTACGTAA"], "sequence", None),
        (["CC(=O)O", "c1ccccc1", "CCO"], "molecule", None),
        (["a cat sat here", "the dog ran away", "one bird sings now"], "text", None),
        (["red", "blue", "red"], "word", None),
        (["", "NA", "?"], "empty", None),
    ],
)
def test_the_grammar_of_cells(words, kind, numbers):
    cells = read_column("x", words)
    assert cells.kind == kind
    if numbers is not None:
        assert cells.numbers().tolist() == numbers


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        (["7.5", "8", "-999", "9.5", "-999.0", "10"], ("-999", "-999.0")),
        (["1012.5", "9999.9", "1013", "1010.1"], ("9999.9",)),
        (["1", "2", "-9", "1", "-9", "2"], ("-9",)),
        (["0.3", "-200", "0.9", "-200", "2.1", "-200"], ("-200",)),
        (["99", "98", "97", "99"], ()),
        (["-1", "1", "-1", "1"], ()),
        (["0", "1", "9", "4"], ()),
        (["100", "250", "999", "480"], ()),
    ],
)
@pytest.mark.parametrize("name", ["x", "class"])
def test_codes_of_missing_numbers_are_found_whatever_the_role(words, codes, name):
    assert read_column(name, words).how.codes == codes


def test_mixed_cells_are_shown_and_read_as_missing_until_a_person_says_otherwise():
    cells = read_column("rain", ["0.5", "1.5", "T", "2", "0.25", "M", "3.5"])
    assert (cells.kind, cells.how.codes, {*cells.strange}) == ("number", ("M", "T"), {"M", "T"})
    assert read_column("rain", cells.raw, kind="word").words() == ["0.5", "1.5", "T", "2", "0.25", "M", "3.5"]


def test_a_decimal_point_that_is_asked_for_makes_commas_separate_numbers():
    assert [read_column("x", words, comma=False).kind for words in (["1.5", "2.25"], ["1,5", "2,25"])] == [
        "number",
        "numbers",
    ]


@pytest.mark.parametrize(
    ("upper", "how", "entry"), [("0.5", "mean", 0.4), ("0.5", "max", 0.5), ("0.30000000001", "", 0.300000000005)]
)
def test_two_halves_of_a_matrix_become_one(upper, how, entry):
    """Nearly equal halves need no choice."""
    matrix = first(f"1,{upper},0.2\n0.3,1,0.1\n0.2,0.1,1\n", kind="matrix", matrix="scores", symmetrise=how).dataset()
    assert matrix.rows[0, 1] == matrix.rows[1, 0] == pytest.approx(entry, abs=1e-12)
    assert matrix.rows[0, 2] == 0.2


@pytest.mark.parametrize("names", ["i,j", "first,second"])
def test_pairs_stay_first_and_a_line_with_one_end_is_refused(names):
    lines = [f"{i},{j},{i + j}.5" for j in range(6) for i in range(j)]
    text = "\n".join([f"{names},distance", *lines, ""])
    assert (first(text).kind, first(text).dataset().n) == ("pairs", 6)
    broken = text.replace(lines[4], ",3,2.5")
    assert first(broken).kind == "pairs", "not a table of three columns"
    with pytest.raises(DataError, match="data row 5 names one end of two"):
        first(broken).dataset()


def test_labels_are_compared_by_value_and_in_one_form():
    def classes(*words: str) -> dict[str, int]:
        return first("x,label\n" + "".join(f"{i * 7 % 5}.5,{w}\n" for i, w in enumerate(words))).dataset().class_counts

    assert classes("0", "-0", "1", "1.0", "0.0") == {"0": 3, "1": 2}
    assert classes("caf\u00e9", "cafe\u0301", "tea") == {"caf\u00e9": 2, "tea": 1}
    assert classes("a", " a", "b") == {"a": 2, "b": 1}


# Layout.


@pytest.mark.parametrize(
    ("text", "names", "n", "words"),
    [
        ("Report of May\n\nx;y;z\n1;2;3\n4;5;6\n7;8;9\n", ("x", "y", "z"), 3, "Left out above: Report of May."),
        ("#id\tx\ty\n#a comment\na\t1\t2\nb\t3\t4\nc\t5\t6\n", ("id", "x", "y"), 3, "Left out above: #a comment."),
        ("# produced by tool v\n1 2 3 4\n5 6 7 8\n", ("x1", "x2", "x3", "x4"), 2, "above: # produced by tool v."),
        ("# seen in Rome, Italy\n# at\n# 9\n1,2\n3,4\n", ("x1", "x2"), 2, "above: # seen in Rome, Italy / # at / # 9."),
        ("a,b\nr1,a,b\nr2,b,a\nr3,a,a\n", ("column 1", "a", "b"), 3, ""),
        ("# a,b\nx,y\n1,2\n3,4\n", ("x", "y"), 2, "Left out above: # a,b."),
        ("# run\tAlice\n1.5\t2\n3.5\t4\n", ("x1", "x2"), 2, "Left out above: # run\tAlice."),
        ("# x, y\n1, 2\n3, 4\n", ("x1", "x2"), 2, "Left out above: # x, y."),
        ("#gene\tsite\nA\tu\nB\tv\n", ("gene", "site"), 2, ""),
        ("x,y\n1,2\n# pause\n3,4\n5,6\n", ("x", "y"), 3, "Left out as comments: # pause."),
        ("x,y\n1,2\n3,4\nx,y\n5,6\n", ("x", "y"), 3, "repeated once among the rows"),
        ("w h\na b 1 2\nc d 3 4\ne f 5 6\n", ("x1", "x2", "x3", "x4"), 3, "Left out above: w h."),
        ("sep=;\nx;y\n1;2\n3;4\n", ("x", "y"), 2, ""),
        ("1,2\n3,4\n5,7\n", ("x1", "x2"), 3, ""),
        ('x,t\n1,"a, b\nc"\n2,"d"\n', ("x", "t"), 2, ""),
        ('x,t\n1,5" pipe\n2,7" pipe\n', ("x", "t"), 2, ""),
    ],
)
def test_the_lines_of_a_text(text, names, n, words):
    reading = first(text, kind="table")
    assert (reading.table.names, reading.table.n) == (names, n)
    assert words in " ".join(reading.notes)
    assert words in reading.dataset().note, "the panel shows it beside the rows"


def test_what_parses_a_file_otherwise_is_a_choice():
    text = "1,5;2\n2,5;3\n3,5;4\n"
    assert first(text).dataset().rows[:, 0].tolist() == [1.5, 2.5, 3.5]
    assert first("a,b\nc,b\na,d\n", header=0, kind="table").dataset().n == 3
    assert first("x,y\n1,2\n3,4\n5,6\n", skip=1, header=0).dataset().n == 3
    assert first("# a b\n1 2\n3 4\n", header=1, kind="table").table.names == ("a", "b")
    assert first("x,y\n1.234,a\n5.678,b\n", decimal=",", kind="table").table.columns[0].numbers().tolist() == [
        1234,
        5678,
    ]  # type: ignore[union-attr]
    assert "Größe" in first("Größe;x\n1;2\n3;4\n".encode("cp1252")).table.names
    with pytest.raises(DataError, match="line 3 has 1 cell; expected 2, as in most lines"):
        first("x,y\n1,a\n2\n")


def test_a_merged_blank_row_hides_no_merged_label():
    rows = [[""], ["x", "label"], [1.5, "a"], [2.5, ""], [3.5, ""], [0.5, "b"], [4.5, "b"]]
    assert first(xlsx(rows, ("A1:XFD1", "B3:B5")), "t.xlsx").dataset().class_counts == {"a": 3, "b": 2}


def test_a_title_page_is_no_table():
    raw = xlsx([["Study 12"], [], ["May"]], data=[["x", "class"], [1.5, "a"], [2.5, "b"], [0.5, "a"]])
    assert first(raw, "t.xlsx").dataset().class_counts == {"a": 2, "b": 1}
    assert first(raw, "t.xlsx").part.others == ("Sheet",)


# Readings.


def test_nothing_guessed_is_loaded_without_a_look(tmp_path):
    """Whatever is guessed about a file, each entry point of a program refuses with what has to be decided."""
    guessed = 0
    for file in sorted(FOLDER.iterdir()):
        try:
            one, *_ = readings(file.name, file.read_bytes())
        except DataError:
            continue
        if one.open_choices:
            guessed += 1
            with pytest.raises(AmbiguousReadingError, match="has to be decided") as caught:
                read_paths(file)
            assert caught.value.readings[0].kind == one.kind  # type: ignore[attr-defined]
    assert guessed > 40
    entries = {name for name, one in vars(kernlib.data).items() if inspect.isfunction(one) and name.startswith("read")}
    assert entries == {"read_paths", "readings", "readings_of_paths"}


def test_a_program_decides_by_the_arguments_that_the_error_names(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("size,kind\n1.5,a\n2.5,b\n3.5,a\n0.5,b\n")
    with pytest.raises(AmbiguousReadingError, match="label=…: nothing says what is predicted; 'kind' could be"):
        read_paths(file)
    assert read_paths(file, label="kind").class_counts == {"a": 2, "b": 2}
    assert read_paths(file, label=None).domain == "mixed"
    assert read_paths(file, roles={"kind": "label"}).n == 4  # the word of earlier versions
    square = tmp_path / "s.csv"
    square.write_text(",a,b,c\na,0,1,2\nb,1,0,3\nc,2,3,0\n")
    with pytest.raises(AmbiguousReadingError, match="matrix=…: distances are a guess"):
        read_paths(square)
    assert read_paths(square, matrix="distances").distances
    assert not read_paths(square, matrix="scores").distances
    gaps = tmp_path / "g.csv"
    gaps.write_text("x,z,class\n1.5,2,a\n,1,b\n0.5,3,a\n2.5,4,b\n")
    with pytest.raises(AmbiguousReadingError, match="missing=…: 1 missing cell"):
        read_paths(gaps)
    assert read_paths(gaps, missing="drop").n == 3


def test_a_column_is_never_the_label_since_it_stands_last():
    for name in ("date", "logP", "plant_7", "z"):
        reading = first(f"a,b,{name}\n1.5,2,u\n2.5,3,v\n3.5,1,u\n0.5,4,v\n1,2,u\n")
        assert reading.label is None
        assert reading.candidates[0] == name
    assert first("class,b\n1,2.5\n2,3\n1,1\n2,4\n").label == "class"


def test_a_second_file_is_never_left_out_without_a_word():
    for name in ("series.ts", "molecules.zip"):
        with pytest.raises(DataError, match="do not go together"):
            readings(name, EXAMPLES[name], more={"t.csv": EXAMPLES["table.csv"]})


def test_a_choice_about_a_column_does_not_search_the_table_again(monkeypatch):
    reading = first(TABLES["pairs"])
    monkeypatch.setattr(kernlib.data.table, "_two", None)
    assert reading.changed(roles={"distance": "left out"}).dataset(roles={"distance": "compared"}).n == 6


def test_what_is_left_to_compare_is_said():
    reading = first("id,class\nu,a\nv,b\nw,a\n")
    assert "no column is left to compare" in reading.why
    with pytest.raises(DataError, match="no column is left to compare; the roles are id: id, class: predict"):
        reading.dataset()


@pytest.mark.parametrize(
    ("text", "holds", "corner"),
    [
        (",a,b,c\na,0,1,2\nb,1,0,3\nc,2,3,0\n", "distances", 0),
        (",a,b,c\na,1,.5,.2\nb,.5,1,.3\nc,.2,.3,1\n", "scores", 1),
        ("4\na 100 97 95 90\nb 97 100 91 92\nc 95 91 100 93\nd 90 92 93 100\n", "scores", 100),
        ("4\na\nb 1\nc 2 3\nd 4 5 6\n", "distances", 0),
        ("1\n.5 1\n.2 .3 1\n.1 .2 .4 1\n", "scores", 1),
    ],
)
def test_scores_or_distances_is_proposed_by_the_entries_alone(text, holds, corner):
    reading = first(text, kind="matrix")
    assert reading.choices["matrix"] == holds
    assert "matrix" in reading.open_choices
    data = reading.dataset()
    assert data.distances == (holds == "distances")
    assert (data.rows[0, 0], np.array_equal(data.rows, data.rows.T)) == (corner, True)


def test_an_explicit_matrix_outranks_every_look_and_is_checked():
    text = ",a,b,c\na,1,.5,.2\nb,.5,1,.3\nc,.2,.3,1\n"
    with pytest.raises(DataError, match="distances must have a zero diagonal"):
        first(text, matrix="distances").dataset()
    distances = 1 - np.array([[1, 0.5, 0.2], [0.5, 1, 0.3], [0.2, 0.3, 1]])
    assert dataset_of(distances, matrix="distance").distances is True
    assert dataset_of(distances, matrix="kernel").distances is False


def test_pairs_say_which_of_them_lack():
    text = "a,b,d\n" + "".join(f"s{i},s{j},{i + j}.5\n" for i in range(8) for j in range(i) if (i, j) != (5, 2))
    reading = first(text)
    assert (reading.kind, reading.why) == ("pairs", "'a' and 'b' name the same 8 rows, with 'd'; 1 pair of 28 lack it.")
    with pytest.raises(DataError, match="1 pair of rows without a value, such as 's2' and 's5'"):
        reading.dataset(missing="refuse")
    assert reading.dataset(missing="largest").n == 8
    assert reading.dataset(missing="drop").n == 7


def test_series_with_gaps_are_refused_left_out_or_interpolated():
    reading = first(TABLES["series"].replace("p1,2,3.5", "p1,2,"))
    with pytest.raises(DataError, match="series 2 has missing values"):
        reading.dataset(missing="refuse")
    assert reading.dataset(missing="drop").n == 4
    filled = reading.dataset(missing="mean").rows[1].values
    assert filled[2] == (filled[1] + filled[3]) / 2


def test_columns_of_a_square_follow_its_rows():
    data = first(",b,a,c\na,1,0,2\nb,0,1,3\nc,3,2,0\n", matrix="distances").dataset()
    assert data.ids == ("a", "b", "c")
    assert data.rows.tolist() == [[0, 1, 2], [1, 0, 3], [2, 3, 0]]


def test_a_choice_keeps_all_others_and_none_takes_it_back():
    reading = first("id,x,k,y\nu,1.5,p,a\nv,2.5,q,b\nw,3.5,p,a\n")
    other = reading.changed(roles={"k": "left out"}, kinds={"x": "word"}).changed(label="k")
    assert other.roles == {"id": "id", "x": "compared", "k": "predict", "y": "left out"}
    assert other.dataset().domain == "categorical"
    assert other.changed(kinds=None).dataset().domain == "vector"
    for wrong in ({"rolls": {}}, {"roles": {"x": "king"}}, {"roles": {"q": "id"}}, {"missing": "pray"}, {"header": 2}):
        with pytest.raises(DataError, match=r"there is no|expected one of|must be one of|changes how the file"):
            reading.changed(**wrong)


def test_a_run_stores_the_reading_and_reads_the_file_without_trying(tmp_path):
    from kernlib import RBF

    file = tmp_path / "t.csv"
    file.write_text("size,code,kind\n1.5,1,a\n2.5,2,b\n0.5,1,a\n3.5,2,b\n")
    reading = first(file.read_bytes(), label="kind", kinds={"code": "word"})
    spec = RunSpec(UPLOAD + reading.dataset().digest, RBF(), parameters=reading.parameters)
    again = RunSpec.from_json(spec.to_json())
    assert reread_upload(file, again).digest == reading.dataset().digest
    assert reread_upload(file, again).domain == "mixed"
    words = arguments_of({"kind": reading.kind} | dict(reading.choices))
    assert words[:4] == ["--kind", "table", "--role", "size=compared"]


@pytest.mark.parametrize(
    ("earlier", "today"),
    [
        (
            {"role:x": "numeric", "role:y": "label", "header": False},
            {"header": 0, "roles": {"x": "compared", "y": "predict"}, "kinds": {"x": "number"}},
        ),
        (
            {"role:a": "ignore", "absent": "-9", "decimal": ","},
            {"decimal": ",", "codes": {"*": ("-9",)}, "roles": {"a": "left out"}},
        ),
        ({"square": "scores", "n": 9}, {"matrix": "scores"}),
        ({"turned": True, "without:b": True}, {"kind": "turned", "without": ("b",)}),
    ],
)
def test_runs_of_earlier_versions_are_mapped(earlier, today):
    assert of_parameters(earlier) == today


@pytest.mark.parametrize("name", ["capitals", "name_label", "below", "encoding", "quotes"])
def test_what_cannot_be_mapped_is_said(name):
    with pytest.raises(DataError, match=r"which is no longer offered\. Start a new run"):
        of_parameters({name: "alike"})


def test_cells_travel_without_the_words_made_from_them():
    column = read_column("x", ["a", "b", "a"])
    assert column.words() == ["a", "b", "a"]
    copy = pickle.loads(pickle.dumps(column))
    assert "texts" in vars(column)
    assert "texts" not in vars(copy)
    assert copy.words() == column.words()
