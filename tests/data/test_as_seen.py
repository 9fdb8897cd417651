"""A table is read as a person sees it: what two readings could give differently is asked, and nothing is silent."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kernlib.data import Upload, read_upload
from kernlib.data.paths import arguments_of
from kernlib.errors import DataError

from .builders import npz, xlsx


def rows(head: str, row: Callable[[int], str], n: int = 30) -> str:
    return head + "".join(f"{row(i)},{i * i % 11 / 2},{'ab'[3 * i % 11 % 2]}\n" for i in range(n))


def read(text: str, **asked: object) -> Upload:
    return read_upload("t.csv", text.encode(), **asked)  # type: ignore[arg-type]


def questions(upload: Upload) -> str:
    return " ".join(guess.sentence for guess in upload.guesses if guess.question)


PRICES = "x,z,y\n900,800,0\n" + "".join(
    f'"{k // 10 + 1},{k % 10}00","{k // 10 + 1},{k % 10}50",{k % 2}\n' for k in range(35)
)
#: Quotation marks are understood before any line is judged: the file → its columns and the number of its rows.
QUOTED = {
    "prices": (PRICES, ["x", "z", "y"], 36),
    "addresses": (
        'id,address,price\n1,"Main St 1, Berlin",3.5\n2,"High, Paris",2.5\n3,"Low, Rome, IT",1\n',
        ["id", "address", "price"], 3,
    ),
    "lists": ('q,p,y\n"[1, 2]","{""k"": 1}",0\n"[1, 3]","{""k"": 2, ""l"": 3}",1\n"[4]","{}",1\n', ["q", "p", "y"], 3),
    "a line end in a name": ('"size\n(cm)",kind\n1.5,a\n2.5,b\n3.5,a\n', ["size (cm)", "kind"], 3),
    "decimals": ('x,y\n"1,5",a\n"2,5",b\n"3,25",a\n', ["x", "y"], 3),
    "a title": ('May, 2020\n\nx;y;z\n"1;5";2;a\n4;5;b\n3;2;a\n', ["x", "y", "z"], 3),
}  # fmt: skip


@pytest.mark.parametrize("case", QUOTED)
def test_no_quoted_mark_costs_a_header_or_a_row(case: str) -> None:
    text, names, n = QUOTED[case]
    table = read(text).table
    assert table is not None
    assert (list(table.roles), table.n) == (names, n)


@pytest.mark.parametrize("end", ["\r", "\r\n", "\u2028", "\x85", "\x1e"])
@pytest.mark.parametrize("mark", ["", "\ufeff", "\n\n", " \n"])
def test_line_ends_and_marks_of_any_system_make_the_same_table(end: str, mark: str) -> None:
    text = "x,y\n1,a\n2,b\n3.5,a\n"
    other = read(mark.replace("\n", end) + text.replace("\n", end))
    assert other.dataset().digest == read(text).dataset().digest


def test_an_error_names_the_line_of_the_file() -> None:
    for above in ("", "\n\n", "# made in May\n", "sep=,\n"):
        with pytest.raises(DataError, match=f"line {4 + above.count(chr(10))} has 1 cells"):
            read(f"{above}x,y\n1,a\n2,b\n3\n")
    with pytest.raises(DataError, match="line 3 names the column 'x' twice"):
        read("# made\n\nx,x\n1,a\n2,b\n")


def test_lines_that_begin_with_a_hash_are_never_lost_without_a_question() -> None:
    colour = read("#ff0000,1,a\nred,2,b\nblue,3,a\ngreen,4,b\n")
    assert colour.dataset().n == 4
    (guess,) = [g for g in colour.guesses if g.question]
    assert read("#ff0000,1,a\nred,2,b\nblue,3,a\ngreen,4,b\n", **guess.choices[0].asked).dataset().n == 3
    tags = "#monday is bad\nhello my friends today\nall is well here\n"
    assert "begins with # is read as data" in questions(read(tags))
    names = read("#fff,white\nblau,blue\nrot,red\n")
    assert "holds the names" in questions(names)
    (row,) = [c for g in names.guesses if g.question for c in g.choices]
    assert read("#fff,white\nblau,blue\nrot,red\n", **row.asked).dataset().n == 3
    assert not questions(read("# made in May\nx,y\n1,a\n2,b\n"))


def test_a_header_is_not_padded_in_silence() -> None:
    assert "one cell fewer" in questions(read("x,z\n1,2,a\n1,3,b\n2,3,a\n2,2,b\n"))
    assert not questions(read('"x","z"\n"u",2,a\n"v",3,b\n"w",3,a\n'))  # R writes names of rows so


def test_a_long_first_cell_is_read() -> None:
    table = read("".join(f"{'ACGT' * 3000}{'AC'[k % 2]},{'ab'[k % 2]}\n" for k in range(4)))
    assert table.dataset().n == 4
    chains = read_upload("t.smi", "".join(f"{'C' * (9000 + k)}\n" for k in range(4)).encode())
    assert chains.dataset().n == 4


def test_a_sheet_is_read_as_it_is_seen() -> None:
    rows = [[i / 3, i * i % 7, "ab"[i % 2]] for i in range(9)]
    raw = xlsx([["Report of May"], [], ["size\n(cm)", "width", "kind"], [], *rows])
    table = read_upload("t.xlsx", raw).table
    assert table is not None
    assert table.layout is not None
    assert (table.roles, table.n) == ({"size (cm)": "numeric", "width": "numeric", "kind": "label"}, 9)
    assert table.layout.lines[0][1:] == ("Report of May |  | ", "left out")
    below = read_upload("t.xlsx", raw, skip=7).table  # a name with a line end has two lines
    assert below is not None
    assert (list(below.roles), below.n) == (["x1", "x2", "x3"], 7)
    assert arguments_of(read_upload("t.xlsx", raw, skip=7).explicit)[-2:] == ["--skip", "7"]


def many(head: str, row: Callable[[int], str], tail: str = "", n: int = 20) -> str:
    return f"{head}\n" + "".join(f"{row(i)}\n" for i in range(n)) + tail


def real(i: int, k: int = 7) -> str:
    return f"{(37 * i + k) % 101 / 7:.2f}"


LIKERT = ["Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"]
#: What only a person can know: the file → the words of the question. Each has 20 rows, but three.
DOUBTFUL = {
    "a sum below": (many("shop,jan,feb", lambda i: f"s{i},{i % 7},{real(i)}", "Total,60,140\n"), "'Total 60 140'"),
    "notes below": (many("a,b,kind", lambda i: f"{i % 7},{real(i)},u", "Note: cm,,\nby me,,\n"), "The last 2 lines"),
    "answers": (many("F1,F2,y", lambda i: f"{LIKERT[i % 5]},{real(i)},{i % 2}"), "may have an order, 'Strongly dis"),
    "ranges": (
        many("age,b,y", lambda i: f"{10 * (i % 4)}-{10 * (i % 4) + 9},{real(i)},{i % 2}"),
        "order, '0-9 < 10-19",
    ),
    "capitals": (
        many("a,b,class", lambda i: f"{real(i)},{real(i, 3)},{['Yes', 'yes', 'no'][i % 3]}"),
        "has 3 classes, and 2",
    ),
    "one more in each row": (many("respondent,b,y", lambda i: f"{5001 + i},{real(i)},{i % 2}"), "one more in each row"),
    "weights": (many("weight,b,y", lambda i: f"{0.5 + i / 20:.2f},{real(i)},{i % 2}"), "as weights of rows"),
    "no names": (
        many("1.5,2,3.25,4.75", lambda i: f"{real(i)},{i * i % 7},{real(i, 3)},{real(i, 5)}"),
        "'x1' could be the label",
    ),
    "classes in names": (
        many("gene,ALL_1,AML_2,ALL_3,AML_4", lambda i: f"g{i},{real(i)},{real(i, 3)},{real(i, 5)},{real(i, 9)}"),
        "They may be the rows to compare",
    ),
    "genes in rows": (
        many("gene,A,B,C", lambda i: f"BRCA{i},{real(i)},{real(i, 3)},{real(i, 5)}"),
        "The columns 'A', 'B', 'C' may be the rows",
    ),
    "samples beside a blank corner": (
        many("\tT-1\tT-2\tT-3", lambda i: f"{'pqr'[i % 3]}{i}\t{real(i)}\t{real(i, 3)}\t{real(i, 5)}"),
        "The columns 'T-1', 'T-2', 'T-3' may be the rows",
    ),
    "a number of few values in front": (
        many("instant,season,temp,cnt", lambda i: f"{i + 1},{i // 5 + 1},{real(i)},{400 + i * i}"),
        "'cnt' could be the label as well",
    ),
    "ages": (
        many("age,b,y", lambda i: f"{['<18', '18-24', '25-44', '45+'][i % 4]},{real(i)},{i % 2}"),
        "order, '<18 < 18-24 < 25-44 < 45+'",
    ),
    "pairs of numbers": (many("", lambda i: f"{i % 7 + 1},{i * i % 5 + 1}").lstrip(), "share numbers, like edges"),
    "a question mark": (many("k,b,y", lambda i: f" {'uv?'[i % 3]},{real(i)},{i % 2}"), "'?' (6 times) in 'k'"),
    "samples": (
        many("otu,Sample1,Sample2,Sample3,kind", lambda i: f"o{i},{real(i)},{real(i, 3)},{real(i, 5)},k{i % 2}"),
        "'Sample3' may be the rows to compare",
    ),
    "a triangle": (
        "2.5\n1.2,2.2\n3.1,2.1,3.2\n2.9,1.5,2.4,3.3\n",
        "The last entries of the lines of the triangle differ",
    ),
    "prose": (
        many("The cat sat, and all is well.", lambda i: f"Dogs bark at {['mats', 'cats'][i % 2]}, so we left."),
        "Nothing separates cells",
    ),
    "a class in front": (
        many("kind,p,q", lambda i: f"{'ab'[i % 2]},{real(i)},{real(i, 3)}"),
        "'kind' could be the label",
    ),
    "a comma of thousands": (
        many("city,pop,k", lambda i: f'c{i},"{i + 1},{345 + i}",{i % 2}'),
        "the comma separates thous",
    ),
}
ROWS = {"no names": 21, "a triangle": 4, "prose": 21}


@pytest.mark.parametrize("case", DOUBTFUL)
def test_what_only_a_person_can_know_is_asked(case: str) -> None:
    text, words = DOUBTFUL[case]
    upload = read_upload("t.txt" if case == "prose" else "t.csv", text.encode())
    (guess,) = [g for g in upload.guesses if g.question and words in g.sentence]
    assert upload.dataset().n == ROWS.get(case, 20)
    for choice in guess.choices:
        read_upload("t.csv", text.encode(), choice).dataset(missing="drop")


def test_the_other_readings_of_a_turned_table_of_edges_and_of_words() -> None:
    turned = read(DOUBTFUL["genes in rows"][0], turned=True)
    data = turned.dataset()
    assert (data.n, data.d, data.ids, questions(turned)) == (3, 20, ("A", "B", "C"), "")
    assert data.rows[1, 0] == float(real(0, 3))
    assert read(DOUBTFUL["pairs of numbers"][0], domain="node").dataset().n == 7
    unknown = DOUBTFUL["a question mark"][0]
    assert read(unknown, missing="drop all").dataset().n == 14
    assert {row[0] for row in read(unknown).dataset().rows} == {"u", "v", "?"}
    words = many("a,b,class", lambda i: f"{real(i)},{real(i, 3)},{['Yes', 'yes', 'NO ', 'no'][i % 4]}")
    assert "has 4 classes, and 2" in questions(read(words))
    assert read(words, capitals="alike").dataset().class_counts == {"NO": 10, "Yes": 10}


def test_a_role_for_one_column_leaves_the_question_about_the_others() -> None:
    text = many("p,q,b,y", lambda i: f"{LIKERT[i % 5]},{LIKERT[i * 3 % 5]},{real(i)},{i % 2}")
    assert "in 'p', 'q' may have an order" in questions(read(text))
    upload = read(text, roles={"p": "ordinal"})
    (guess,) = [g for g in upload.guesses if g.question]
    assert "in 'q' may have an order" in guess.sentence
    assert dict(guess.choices[0].roles) == {"q": "ordinal"}
    assert not questions(read(text, roles={"p": "ordinal", "q": "categorical"}))


def test_an_array_with_a_value_for_each_row_may_hold_the_labels() -> None:
    raw = npz(data=np.arange(12.0).reshape(6, 2) % 5, kind=np.array(list("ababab")))
    assert "No array is named as labels; 'kind' could be" in questions(read_upload("t.npz", raw))
    assert read_upload("t.npz", raw, part="kind").dataset().class_counts == {"a": 3, "b": 3}


def test_a_triangle_without_its_diagonal_has_one_row_more() -> None:
    text, _ = DOUBTFUL["a triangle"]
    (choice,) = [c for g in read(text).guesses for c in g.choices if c.part]
    data = read(text, **choice.asked).dataset()
    assert (data.n, data.rows[1, 0], data.rows[4, 3], data.distances) == (5, 2.5, 3.3, True)


def test_titles_over_a_sheet_and_lines_of_markdown_are_no_rows() -> None:
    rows = [[i / 3, i * i % 7, "ab"[i % 2]] for i in range(9)]
    sheet = read_upload("t.xlsx", xlsx([["Study", None, None], ["by me"], [], ["a", "b", "kind"], *rows, ["Note: cm"]]))
    assert sheet.table is not None
    assert (list(sheet.table.roles), sheet.table.n) == (["a", "b", "kind"], 9)
    marked = read("| a | kind |\n|---|---:|\n| 1 | x |\n| 2 | y |\n").table
    assert marked is not None
    assert (list(marked.roles), marked.n) == (["row", "a", "kind"], 2)
    items = read(many("item,price,kind", lambda i: f"item {i},{real(i)},k{i % 2}")).table
    assert items is not None
    assert items.roles["item"] == "id"
    blanks = read(many("p,q,y", lambda i: f"{' ' * (i % 2)}{'uv'[i // 2 % 2]},{real(i)},{i % 2}")).dataset()
    assert set(blanks.rows[:, 0]) == {"u", "v"}


@pytest.mark.parametrize("mark", [",", "\t", ";", " "])
def test_a_first_line_like_the_others_is_a_row_or_a_question(mark: str) -> None:
    """Edges without names of columns: no line is lost silently; names of the two ends are no edge."""
    edges = [f"C{2 * i + 1}{mark}C{2 * i + 2}\n" for i in range(5)]
    upload = read("".join(edges))
    assert "'C1, C2', is read as names" in questions(upload) or (upload.table is not None and upload.table.n == 5)
    ring = "".join(f"C{i}{mark}C{i % 4 + 1}\n" for i in range(1, 5)) + f"C1{mark}C3\n"
    for text in (ring, f"from{mark}to\n{ring}"):
        graph = read(text)
        assert (graph.domain, graph.dataset().n) == ("node", 4)
        assert text != ring or questions(graph)


def test_the_first_lines_of_any_text_are_shown() -> None:
    for name, raw, words in (
        ("t.fasta", b">a\nACGT\n>b\nACGA\n", ">a"),
        ("t.svm", b"1 1:2\n2 1:3\n", "1 1:2"),
        ("t.json", b'[{"x": 1}, {"x": 2}]', '[{"x": 1}, {"x": 2}]'),
    ):
        layout = read_upload(name, raw).layout
        assert layout is not None
        assert layout.lines[0] == (1, words, "")
        assert layout.words == f"{raw.count(10) or 1} line{'s' * (raw.count(10) > 1)}"
    assert read_upload("t.npz", npz(X=np.eye(3))).layout is None


AGE = [(7 * i) % 30 + 30 for i in range(30)]


def test_an_id_is_an_id_by_its_name_and_an_age_is_a_number() -> None:
    for begin, step in ((1000, 7), (0, 1)):
        gap = read(
            "id,x,y\n" + "".join(f"{'' if i == 5 else begin + step * i},{i * i % 7},{'ab'[i % 2]}\n" for i in range(30))
        )
        assert gap.table is not None
        assert gap.table.roles["id"] == "id"
    age = read(rows("age,x,y\n", lambda i: str(AGE[i])))
    assert age.table is not None
    assert age.table.roles == {"age": "numeric", "x": "numeric", "y": "label"}
    alone = read("patient,y\n" + "".join(f"P{i:03},{'ab'[i % 2]}\n" for i in range(30)))
    assert "no other column to compare" in questions(alone)
    tweets = read(rows("tweet_id,x,y\n", lambda i: f"1.2940{i % 5}E+18"))
    assert tweets.dataset().columns == ("x",)
    assert "a spreadsheet rounded these ids" in " ".join(g.sentence for g in tweets.guesses)


#: The cells → words of the question, and how the other reading differs: the numbers of a cell, or the kind of rows.
ASKED: dict[str, tuple[Callable[[int], str], str]] = {
    "answers": (lambda i: str([0, 1, 2, 3, 4, -9, -8][i % 7]), "-9 (4 times) and -8 (4 times) in 'q' may stand for"),
    "far": (lambda i: "-999" if i % 5 == 1 else f"{i % 7 + 0.5}", "-999 (6 times) in 'q' may stand for"),
    "Stata": (lambda i: [".a", ".b", *"12345678"][i % 10], "it holds numbers, and '.a, .b' 6 times"),
    "a unit": (lambda i: f"{60 + i % 14}kg", "every cell is a number in kg: '60kg' is 60"),
    "a unit apart": (lambda i: f"{160 + i % 14} cm", "every cell is a number in cm: '160 cm' is 160"),
    "a sign behind": (lambda i: f"{i + 2}.50{'-' if i % 3 else ''}", "are read as negative ones, as in accounts"),
    "sections": (lambda i: f'"8,{i % 12}"', "8,1 and 8,10 would be equal numbers"),
    "another mark": (lambda i: f'"{i % 9},{i % 4}5"', "decimal commas, other columns have decimal points"),
}  # fmt: skip


@pytest.mark.parametrize("case", ASKED)
def test_two_readings_of_a_column_are_a_question_and_one_click_takes_the_other(case: str) -> None:
    cell, words = ASKED[case]
    text = rows("q,x,y\n", cell)
    upload = read(text)
    (guess,) = [g for g in upload.guesses if g.question]
    assert words in guess.sentence
    for choice in guess.choices:
        other = read(text, **choice.asked)
        assert not questions(other), "the choice settles the question"
        assert other.dataset(missing="drop").n > 10
    changed = read(text, **guess.choices[0].asked).dataset(missing="drop")
    if case != "Stata":
        assert changed.digest != upload.dataset(missing="drop").digest


def test_clean_numbers_are_not_asked_about() -> None:
    for cell in (lambda i: str(i % 14 - 9), lambda i: f"{i % 7}.{i % 10}", lambda i: f"{i % 5 - 2}", lambda i: f"{i}%"):
        assert not questions(read(rows("q,x,y\n", cell)))
    assert np.isfinite(read(rows("q,x,y\n", lambda i: str(i % 14 - 9))).dataset().rows).all()


def test_orange_declares_kinds_by_letters_and_values() -> None:
    orange = read("x\tcol\tage\nc\td\t0-4 5-9\n\t\tclass\n1\tred\t0-4\n2\tblue\t5-9\n2\tred\t5-9\n")
    assert orange.table is not None
    assert orange.table.roles == {"x": "numeric", "col": "categorical", "age": "label"}


def csv_of(A: np.ndarray, names: list[str], above: list[str] | None = None) -> str:
    lines = [f"{name}," + ",".join(f"{x:.6g}" for x in line) for name, line in zip(names, A, strict=True)]
    return "\n".join(["," + ",".join(above or names), *lines]) + "\n"


POINTS = np.random.default_rng(0).normal(size=(12, 2)) + np.repeat([[0, 0], [6, 0], [0, 6]], 4, axis=0)
FAR = np.linalg.norm(POINTS[:, None] - POINTS, axis=2)
NAMES = [f"s{i}" for i in range(12)]
CLONES = 1.5 * np.abs(np.subtract.outer(np.repeat(range(3), 4), np.repeat(range(3), 4)))
TWINS = 3 * (1 - np.eye(12))
TWINS[0, 1] = TWINS[1, 0] = 0


@pytest.mark.parametrize(
    "D", [FAR, CLONES, TWINS, FAR - 1e-12, np.where(FAR < 0.2, -0.001, FAR), FAR + 0.01 * np.eye(12)],
    ids=["points", "clones", "twins", "rounding", "slightly negative", "a small diagonal"],
)  # fmt: skip
def test_distances_are_asked_about_and_then_suit_a_machine(D: np.ndarray) -> None:
    from kernlib.machines import SVM

    text = csv_of(D, NAMES)
    upload = read(text)
    (guess,) = upload.guesses
    assert guess.question
    assert "read as distances" in guess.sentence
    assert [choice.words for choice in guess.choices] == ["They are scores", "They weigh the edges of a graph"]
    data = upload.dataset()
    assert data.distances
    y = np.repeat(["a", "b", "c"], 4)
    kernel = data.row_kind.presets(data)[0].kernel.fit(data.rows)
    machine = SVM().fit(kernel(data.rows), y)
    assert (machine.predict(kernel(data.rows)) == y).all()
    scores = read(text, **guess.choices[0].asked)
    assert not scores.guesses
    assert not scores.dataset().distances
    assert scores.dataset().digest != data.digest or D is not FAR


def test_a_matrix_is_aligned_by_the_names_of_its_columns() -> None:
    order = np.random.default_rng(1).permutation(12)
    mixed = read(csv_of(FAR[:, order], NAMES, [NAMES[j] for j in order])).dataset()
    np.testing.assert_array_equal(mixed.rows, read(csv_of(FAR, NAMES)).dataset().rows)
    flat = np.eye(4)[:, [1, 0, 2, 3]] + np.ones((4, 4))  # symmetric as it stands
    aligned = read(csv_of(flat, list("abcd"), list("bacd"))).dataset().rows
    np.testing.assert_array_equal(aligned, np.eye(4) + 1)


def test_a_list_of_all_pairs_is_a_matrix_or_a_question() -> None:
    pairs = [(i, j) for i in range(12) for j in range(i + 1)]
    far = read("id1,id2,distance\n" + "".join(f"s{i},s{j},{FAR[i, j]:.6f}\n" for i, j in pairs if i != j))
    assert "a matrix of 12 rows" in questions(far)
    assert far.dataset().distances
    assert far.dataset().ids == ("s1", "s0", *NAMES[2:])
    near = read("a,b,similarity\n" + "".join(f"s{i},s{j},{np.exp(-FAR[i, j]):.6f}\n" for i, j in pairs))
    assert near.dataset().rows[0, 0] == 1
    assert not near.dataset().distances
    part = read("a,b,similarity\n" + "".join(f"s{i},s{j},0.5\n" for i, j in pairs[:30]))
    assert part.domain != "matrix"


def test_a_number_beyond_double_precision_is_no_name_of_a_node() -> None:
    data = read_upload("e.tsv", b"C1\tC2\nC2\tC3\nC3\tC1\nC4\t1e999\nC5\tC1\n", header=False).dataset()
    assert data.n == 5


def test_the_command_line_prints_the_questions_and_the_options_that_repeat_a_reading(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from kernlib.__main__ import main

    file = tmp_path / "t.csv"
    file.write_text("Survey\n\n" + rows("q,x,y\n", lambda i: str([0, 1, 2, 3, 4, -9][i % 6])))
    assert main(["advise", str(file), "--list"]) == 0
    said = capsys.readouterr().err
    assert "33 lines, 2 left out above, 1 header, 30 rows." in said
    assert "Question: -9 (5 times) in 'q'" in said
    assert "-9 is missing: --role 'q=code missing'" in said
    again = shlex.split(said.partition("Read it like this again with: ")[2].splitlines()[0])
    assert again[-5:] == ["--header", "--skip", "2", "--below", "0"]
    assert main(["advise", str(file), "--list", *again, "--absent=-9", "--missing", "drop"]) == 0
    assert "n=25" in capsys.readouterr().err
