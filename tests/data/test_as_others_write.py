"""Files as other programs write them: how each is read, and what is said of every guess that could be wrong."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.datasets

from kernlib import Linear
from kernlib.data import Upload, read_upload
from kernlib.data.encodings import ENCODINGS
from kernlib.errors import DataError
from kernlib.experiments import UPLOAD, RunSpec, reread_upload

from .builders import xlsx
from .test_upload_panel import got, page

N = 48
VALUES = np.random.default_rng(0).normal(size=(N, 2)).round(3)
CLASS = ["ab"[i % 2] for i in range(N)]
FRAME = pd.DataFrame({"size": VALUES[:, 0], "width": VALUES[:, 1]})
#: Several numbers in a group, as a pivot is made of.
GROUPS = pd.DataFrame({"k": list("ab") * 24, "m": list("wxyz") * 12, "v": VALUES[:, 0], "w": VALUES[:, 1]})


def lines(head: str, row: Callable[[int], str]) -> bytes:
    return "\n".join([head, *(row(i) for i in range(N))]).encode()


def levels(index: str | None = None) -> bytes:
    made = pd.concat([FRAME, 2 * FRAME], axis=1)
    made.columns = pd.MultiIndex.from_product([["left", "right"], ["size", "width"]])
    made.index.name = index
    return made.to_csv().encode()


def workbook(*above: list[Any], merged: tuple[str, ...] = ()) -> bytes:
    return xlsx([*above, *([f"s{i}", *VALUES[i].tolist(), CLASS[i]] for i in range(N))], merged)


def numbered(i: int, *more: str) -> str:
    return ",".join([str(VALUES[i, 0]), *more, CLASS[i]])


Roles = dict[str, str]
#: What it is → its bytes, the role of each column, and words of what is said; "" where nothing may be.
READ: dict[str, tuple[bytes, Roles, str]] = {
    "names in brackets": (
        lines("[id],[size],[class]", lambda i: f"{1000 + 7 * i},{VALUES[i, 0]},{CLASS[i]}"),
        {"id": "id", "size": "numeric", "class": "label"}, "",
    ),
    "columns of two levels": (
        levels(), {"row": "id", "left size": "numeric", "left width": "numeric", "right size": "numeric",
                   "right width": "label"}, "2 lines are read as names",
    ),
    "a named index under two levels": (
        levels("case"), {"case": "id", "left size": "numeric", "left width": "numeric", "right size": "numeric",
                         "right width": "label"}, "3 lines are read as names",
    ),
    "a pivot": (
        GROUPS.groupby(["k", "m"]).agg({"v": ["mean", "std"], "w": ["mean"]}).to_csv().encode(),
        {"k": "label", "m": "categorical", "v mean": "numeric", "v std": "numeric", "w mean": "numeric"},
        "3 lines are read as names",
    ),
    "merged cells": (
        workbook(["case", "lengths", None, "label"], [None, "left", "right", None], merged=("B1:C1",)),
        {"case": "id", "lengths left": "numeric", "lengths right": "numeric", "label": "label"},
        "2 lines are read as names",
    ),
    "a title": (
        workbook(["Results of March"], ["case", "left", "right", "label"], merged=("A1:D1",)),
        {"case": "id", "left": "numeric", "right": "numeric", "label": "label"}, "is read as a title",
    ),
    "units": (
        lines("size,width,label\ncm,mm,", lambda i: numbered(i, str(VALUES[i, 1]))),
        {"size cm": "numeric", "width mm": "numeric", "label": "label"}, "2 lines are read as names",
    ),
    "a slip in the first row": (
        lines("size,width,label\noops,2,a", lambda i: numbered(i, str(VALUES[i, 1]))),
        {"size": "numeric", "width": "numeric", "label": "label"}, "it holds numbers, and 'oops' once",
    ),
    "gaps in the first row": (
        lines("size,width,label\n,,a", lambda i: numbered(i, str(VALUES[i, 1]))),
        {"size": "numeric", "width": "numeric", "label": "label"}, "",
    ),
    "Excel's sep=": (
        lines("sep=;\nsize;label", lambda i: f"{VALUES[i, 0]};{CLASS[i]}"), {"size": "numeric", "label": "label"}, "",
    ),
    "errors of a spreadsheet": (
        lines("size,part,label", lambda i: numbered(i, "#NULL!" if i % 5 == 0 else "uv"[i // 2 % 2])),
        {"size": "numeric", "part": "categorical", "label": "label"}, "",
    ),
    "losses in brackets": (
        lines("size,gain,label", lambda i: numbered(i, f"({3 * i})" if i % 3 else f"{5 * i + 1}")),
        {"size": "numeric", "gain": "numeric", "label": "label"}, "Numbers in brackets in 'gain'",
    ),
    "Fortran": (
        lines("size,label", lambda i: f"{VALUES[i, 0]:.5E},{CLASS[i]}".replace("E", "D")),
        {"size": "numeric", "label": "label"}, "",
    ),
    "below what can be measured": (
        lines("size,crp,label", lambda i: numbered(i, "<0.5" if i % 4 == 0 else f"{0.37 * i % 9:.2f}")),
        {"size": "numeric", "crp": "numeric", "label": "label"}, "it holds numbers, and '<0.5' 12 times",
    ),
    "ids of 19 digits": (
        lines("tweet,size,label", lambda i: f"{1234567890123456789 + 97 * i * i},{numbered(i)}"),
        {"tweet": "id", "size": "numeric", "label": "label"}, "'tweet' names the rows",
    ),
    "ids of 19 digits that repeat": (
        lines("tweet,size,label", lambda i: f"{1234567890123456789 + 97 * (i // 3)},{numbered(i)}"),
        {"tweet": "categorical", "size": "numeric", "label": "label"}, "'tweet' is used as a category",
    ),
    "dates": (
        lines("day,size,label", lambda i: f"{i % 28 + 1:02}.{i // 28 + 1:02}.2020,{numbered(i)}"),
        {"day": "id", "size": "numeric", "label": "label"}, "'day' names the rows and is left out",
    ),
    "truth values": (
        lines("smokes,size,label", lambda i: f"{'TRUE' if i % 3 else 'FALSE'},{numbered(i)}"),
        {"smokes": "categorical", "size": "numeric", "label": "label"}, "",
    ),
    "R's write.table": (
        lines('"size" "width" "species"', lambda i: f'"{i + 1}" {VALUES[i, 0]} {VALUES[i, 1]} "{CLASS[i]}"'),
        {"row": "id", "size": "numeric", "width": "numeric", "species": "label"}, "",
    ),
    "thousands in quotes": (
        lines("people,size,label", lambda i: f'"{12345 * (7 * i % 47 + 1):,}",{numbered(i)}'),
        {"people": "numeric", "size": "numeric", "label": "label"}, "the comma separates thousands",
    ),
    "a table on its side is refused": (
        lines("gene,s0,s1,s2,s3\nclass,a,b,a,b", lambda i: f"g{i},{i}.5,{i % 7}.1,{i % 5}.2,{i % 3}.3"), {}, "",
    ),
}  # fmt: skip


def sentences(upload: Upload) -> str:
    return " ".join(g.sentence for g in upload.guesses)


@pytest.mark.parametrize("what", READ)
def test_what_it_is_taken_for(what: str) -> None:
    raw, roles, words = READ[what]
    upload = read_upload("t.xlsx" if raw.startswith(b"PK") else "t.csv", raw)
    assert upload.table is not None
    if not roles:
        with pytest.raises(DataError, match="must hold finite numbers"):
            upload.dataset()
        return
    assert dict(upload.table.roles) == roles
    text = sentences(upload).replace("is read as the label", "")
    assert words in text if words else not text, text
    slips = what in ("a slip in the first row", "gaps in the first row")
    rows = N + 1 if slips else len(GROUPS.groupby(["k", "m"])) if what == "a pivot" else N
    assert upload.table.n == rows, "no row is lost"


def test_what_is_below_the_limit_is_asked_and_one_press_answers() -> None:
    upload = read_upload("t.csv", READ["below what can be measured"][0])
    (guess,) = [g for g in upload.guesses if "crp" in g.sentence]
    assert guess.question
    assert upload.with_roles(guess.choices[0].asked["roles"]).dataset(missing="drop").n == N - 12
    assert upload.with_roles(guess.choices[1].asked["roles"]).domain == "mixed"


@pytest.mark.parametrize(
    ("name", "n", "classes"),
    [
        ("breast_cancer.csv", 569, {"benign": 357, "malignant": 212}),
        ("iris.csv", 150, {"setosa": 50, "versicolor": 50, "virginica": 50}),
        ("wine_data.csv", 178, {"class_0": 59, "class_1": 71, "class_2": 48}),
    ],
)
def test_the_files_that_scikit_learn_carries(name: str, n: int, classes: dict[str, int]) -> None:
    raw = (Path(sklearn.datasets.__file__).parent / "data" / name).read_bytes()
    upload = read_upload(name, raw)
    assert "names the classes" in sentences(upload)
    data = upload.dataset()
    theirs = getattr(sklearn.datasets, f"load_{name.split('.')[0].removesuffix('_data')}")()
    np.testing.assert_array_equal(data.rows, theirs.data)
    assert data.class_counts == classes
    assert np.array(data.classes)[data.y].tolist() == theirs.target_names[theirs.target].tolist()
    # A line that counts wrongly is a row like all others: of another length here.
    wrong = raw.replace(str(n).encode(), str(n + 1).encode(), 1)
    assert "names the classes" not in (sentences(read_upload(name, wrong)) if name == "iris.csv" else "")


WORDS = {
    "cp1252": ("Größe", "Müller", "cp1252", False),
    "latin_1": ("âgé", "garçon", "cp1252", False),
    "cp1250": ("příliš", "žluťoučký", "cp1250", True),
    "cp1251": ("Возраст", "мужчина", "cp1251", True),
    "gb18030": ("身高体重", "北京市民", "gb18030", True),
}


@pytest.mark.parametrize("encoding", WORDS)
def test_another_encoding_is_said_and_one_press_changes_it(encoding: str, tmp_path: Path) -> None:
    name, word, right, foreign = WORDS[encoding]
    text = f"{name};label\n" + "".join(f"{i},5;{word if i % 2 else 'x'}\n" for i in range(20))
    raw = text.encode(encoding)
    upload = read_upload("t.csv", raw)
    guess = upload.guesses[0]
    assert guess.sentence.startswith("The file is not UTF-8. It is read as ")
    assert guess.question == foreign
    assert upload.table is not None
    assert name in guess.sentence, "the words are shown as they were read"
    assert upload.table.columns[0].name == name
    data = upload.dataset()
    assert data.class_counts == {"x": 10, word: 10}
    # A run that says how the file was read finds it again.
    (tmp_path / "t.csv").write_bytes(raw)
    spec = RunSpec(UPLOAD + data.digest, Linear(), parameters=(("encoding", right),))
    assert reread_upload(tmp_path / "t.csv", spec).digest == data.digest
    assert read_upload("t.csv", text.encode("utf-16")).dataset().digest == data.digest


def test_an_encoding_that_cannot_be_is_a_sentence() -> None:
    raw = b"x;y\n1;\x81\xff\n2;b\n"
    with pytest.raises(DataError, match="line 2 cannot be Japanese"):
        read_upload("t.csv", raw, encoding="shift_jis")
    with pytest.raises(DataError, match=r"expected|must be one of cp1252"):
        read_upload("t.csv", raw, encoding="rot13")
    for encoding in ENCODINGS:  # whatever is said, no other error leaves
        with suppress(DataError):
            read_upload("t.csv", raw, encoding=encoding)


def test_the_panel_asks_and_a_press_reads_the_file_anew() -> None:
    rows = "".join(f"{i},5;{'мужчина' if i % 2 else 'женщина'}\n" for i in range(20))
    app = page(("t.csv", f"возраст;label\n{rows}".encode("cp1251")))
    assert got(app) == [], "what would be garbled is looked at first"
    assert any("возраст" in m.value for m in app.markdown)
    app.button(key="upload.use").click().run()
    (data,) = got(app)
    assert data.class_counts == {"женщина": 10, "мужчина": 10}
    assert data.columns == ("возраст",)
