"""`read_upload`: how a file is read, why, and which other readings there are."""

from __future__ import annotations

import codecs
import math
import sys

import numpy as np
import pytest

from kernlib import RBF, Graph, Imputed, TensorPairs
from kernlib.data import Limits, read_upload
from kernlib.errors import DataError
from pages.views.data.templates import TEMPLATES

from .builders import npz

EXPECTED = {
    "table.csv": ("mixed", 8),
    "table.tsv": ("mixed", 8),
    "table.csv.gz": ("mixed", 8),
    "table.xlsx": ("mixed", 8),
    "table.arff": ("mixed", 8),
    "table.json": ("mixed", 8),
    "vectors.mat": ("vector", 6),
    "molecules.smi": ("sequence", 5),
    "table.parquet": ("mixed", 8),
    "vectors.svmlight": ("vector", 4),
    "vectors.npz": ("vector", 6),
    "sequences.fasta": ("sequence", 6),
    "sequences.csv": ("sequence", 6),
    "series.csv": ("series", 5),
    "series.ts": ("series", 5),
    "texts.csv": ("text", 4),
    "texts.jsonl": ("text", 4),
    "texts.zip": ("text", 4),
    "molecules.zip": ("graph", 2),
    "graph.graphml": ("node", 5),
    "graph.gml": ("node", 5),
    "graph.zip": ("node", 5),
    "edges.csv": ("node", 5),
    "adjacency.csv": ("node", 5),
    "scores.csv": ("matrix", 5),
    "scores.npz": ("matrix", 5),
    "pairs.zip": ("pair", 4),
}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda t: t.file)
def test_each_template_needs_no_decision(template) -> None:
    raw = template.make()
    upload = read_upload(template.file, raw)
    data = upload.dataset()
    assert (data.domain, data.n) == EXPECTED[template.file]
    assert not upload.missing
    assert not upload.asymmetric
    assert upload.reason.endswith(".")
    # The content decides: under a wrong name it is the same.
    again = read_upload("data.dat", raw).dataset()
    assert (again.domain, again.n, again.class_counts) == (data.domain, data.n, data.class_counts)


def test_a_reader_that_is_not_installed_is_named(monkeypatch) -> None:
    extras = {"pyarrow": ("parquet", "table.parquet"), "networkx": ("graphs", "graph.gml")}
    for module, (extra, file) in (extras | {"openpyxl": ("excel", "table.xlsx")}).items():
        raw = next(t for t in TEMPLATES if t.file == file).make()
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(DataError, match=rf"kernlib\[{extra}\]"):
            read_upload(file, raw)


def test_a_wrong_ending_is_said() -> None:
    assert "although the name ends in .png" in read_upload("a.png", b">a +\nACGT\n>b -\nACGG\n").reason


def test_marks_of_other_programs() -> None:
    table = b"x;y\r\n1;a\r\n2;b\r\n3;a\r\n"
    assert read_upload("t.csv", codecs.BOM_UTF8 + table).dataset().class_counts == {"a": 2, "b": 1}


def test_missing_cells_have_their_choices() -> None:
    upload = read_upload("t.csv", b"x,z,label\n1,5,a\n,6,b\n3,,a\n4,8,\n9,9,b\n")
    assert upload.missing == 3
    with pytest.raises(DataError, match=r"--missing drop\), let the kernel fill them .*--missing mean\)"):
        upload.dataset()
    assert upload.dataset(missing="drop").n == 2
    mean = upload.dataset(missing="mean")
    assert (mean.n, mean.missing, mean.fill) == (4, 2, "mean")
    assert "filled by the kernel from training rows" in mean.note
    kernel = Imputed(RBF(sigma=1.0), strategy=mean.fill)
    assert np.isfinite(kernel(mean.inputs)).all()
    assert np.isfinite(mean.complete().rows).all()
    assert mean.stratified_sample(3, seed=1).fill == "mean"
    nominal = read_upload("t.csv", b"k,label\nu,a\n,b\nw,\nu,a\n", domain="categorical")
    own = nominal.dataset(missing="category")
    assert own.rows[1, 0] == "?"
    assert own.class_counts == {"a": 2, "b": 1}, "a row without a label is no class"
    assert nominal.dataset(missing="class").class_counts == {"?": 1, "a": 2, "b": 1}


def test_gaps_in_arrays() -> None:
    upload = read_upload("t.npz", npz(X=[[1.0, math.nan], [2.0, 3.0], [4.0, 5.0]], y=[0, 1, 0]))
    assert upload.missing == 1
    assert upload.dataset(missing="drop").n == 2
    assert upload.dataset(missing="most_frequent").missing == 1


def test_an_ordinal_column_is_a_number_by_its_order() -> None:
    raw = b"size,age,n,y\nlarge,20-29,10,a\nsmall,0-9,9,b\nmedium,10-19,8,a\n"
    data = read_upload("t.csv", raw, roles={"size": "ordinal", "age": "ordinal", "n": "ordinal"}).dataset()
    assert data.rows.tolist() == [[3, 3, 10], [1, 1, 9], [2, 2, 8]]
    assert "'size' by their usual order: 'small' = 1, 'medium' = 2, 'large' = 3." in data.note


def test_labels_of_every_kind() -> None:
    rows = [f"{i},{i / 7:.4f},{i % 3}" for i in range(60)]
    raw = ("x,real,few\n" + "\n".join(rows)).encode()
    guessed = read_upload("t.csv", raw)
    assert guessed.dataset().classes == ("0", "1", "2")
    assert "'few' is read as the label" in guessed.guesses[0].sentence
    (without,) = guessed.guesses[0].choices
    assert read_upload("t.csv", raw, without).dataset().y is None
    assert read_upload("t.csv", raw, roles={"few": "label"}).dataset().class_counts == {"0": 20, "1": 20, "2": 20}
    assert read_upload("t.csv", raw, roles={"few": "label"}).dataset(task="regression").task == "regression"
    assert read_upload("t.csv", raw, roles={"real": "label"}).dataset().task == "regression"


def test_a_sample_is_stratified_and_says_so() -> None:
    raw = ("x,y\n" + "".join(f"{i},{'ab'[i % 4 == 0]}\n" for i in range(100))).encode()
    data = read_upload("t.csv", raw).dataset(rows=20, seed=3)
    assert data.class_counts == {"a": 15, "b": 5}
    assert data.note == "Stratified sample of 20 of 100 rows, seed 3."


def test_a_matrix_whose_halves_differ_needs_a_choice() -> None:
    raw = b",a,b,c\na,1,2,3\nb,1,1,4\nc,0,0,1\n"
    upload = read_upload("k.csv", raw)
    assert upload.asymmetric
    with pytest.raises(DataError, match="expected a symmetric matrix"):
        upload.dataset()
    assert upload.dataset(symmetrise="mean").rows[0, 1] == 1.5
    assert upload.dataset(symmetrise="max").rows[0, 2] == 3.0
    assert upload.dataset(symmetrise="max").ids == ("a", "b", "c")


def test_a_square_file_can_be_any_of_three() -> None:
    raw = b"0,1,0\n1,0,1\n0,1,0\n"
    assert read_upload("t.csv", raw).domain == "node"
    assert read_upload("t.csv", raw, domain="matrix").dataset().domain == "matrix"
    assert read_upload("t.csv", raw, domain="vector").dataset().rows.shape == (3, 3)


def test_pairs_over_a_matrix() -> None:
    files = {t.file: t.make() for t in TEMPLATES}
    data = read_upload("pairs.zip", files["pairs.zip"]).dataset()
    assert data.base is not None
    assert data.rows.tolist() == [[0, 1], [1, 4], [2, 3], [0, 4]]
    assert TensorPairs()(data.inputs).shape == (4, 4)
    both = read_upload("scores.csv", files["scores.csv"], more={"p.csv": b"first,second,y\nada,bob,1\nbob,cy,0\n"})
    assert both.dataset().domain == "pair"


def test_graphs_have_their_labels() -> None:
    molecules = read_upload("m.zip", next(t for t in TEMPLATES if t.file == "molecules.zip").make()).dataset()
    assert molecules.rows[0] == Graph([[0, 1], [1, 0]], labels=["6", "8"])
    for name in ("graph.graphml", "graph.gml"):
        data = read_upload(name, next(t for t in TEMPLATES if t.file == name).make()).dataset()
        assert data.class_counts == {"blue": 2, "red": 3}
        assert int(data.rows.sum()) == 10


def test_what_cannot_be() -> None:
    with pytest.raises(
        DataError, match="the table can become vector, categorical, mixed, sequence, text, series rows; got"
    ):
        read_upload("t.csv", b"x,y\n1,a\n2,b\n", domain="pair")
    with pytest.raises(DataError, match="has no columns to give roles to"):
        read_upload("s.svm", b"+1 1:2\n-1 1:3\n", roles={"x": "label"})
    with pytest.raises(DataError, match="no column 'q'"):
        read_upload("t.csv", b"x,y\n1,a\n2,b\n", roles={"q": "label"})
    with pytest.raises(DataError, match="the matrix must be square; got 2 × 3"):
        read_upload("t.csv", b"1,2,3\n4,5,6\n", domain="matrix")


def test_networkx_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "networkx", None)
    with pytest.raises(DataError, match=r"pip install 'kernlib\[graphs\]', or give a table of edges"):
        read_upload("g.gml", b"graph [ node [ id 1 ] node [ id 2 ] ]")


def test_limits_are_the_callers() -> None:
    with pytest.raises(DataError, match="line 5 brings it to 4 rows of 2 columns; expected at most 3 rows"):
        read_upload("t.csv", b"x,y\n" + b"1,a\n2,b\n" * 4, limits=Limits(rows=3))


def _families(name: str, owner: np.ndarray, label: np.ndarray) -> bytes:
    X = np.random.default_rng(0).normal(size=(len(label), 2)).tolist()
    lines = [f"{x!r},{z!r},{o},{y}" for (x, z), o, y in zip(X, owner, label, strict=True)]
    return "\n".join([f"a,b,{name},kind", *lines]).encode()


def test_an_id_that_repeats_with_one_label_for_each_value_is_a_group() -> None:
    """As a feature a machine looks the label up in it, and the error says nothing of another family."""
    rng = np.random.default_rng(0)
    owner = rng.permutation(np.repeat(np.arange(40), 5))
    label = np.array(list("uv"))[rng.integers(0, 2, 40)[owner]]
    named = read_upload("t.csv", _families("cage", owner, label))
    assert named.table.roles["cage"] == "group"
    assert len(set(named.dataset().groups)) == 40
    assert not any(guess.question for guess in named.guesses)
    codes = np.array([f"w{i}" for i in owner])
    for other in (owner, codes):  # whole numbers that do not order the labels, and words
        asked = read_upload("t.csv", _families("colour", other, label))
        (question,) = [guess for guess in asked.guesses if guess.question]
        assert "all rows of a value have one 'kind'" in question.sentence
        assert any(choice.asked == {"roles": {"colour": "ignore"}} for choice in question.choices)
    chosen = read_upload("t.csv", _families("cage", owner, label), roles={"kind": "label", "cage": "numeric"})
    assert chosen.table.roles["cage"] == "numeric"
    threshold = read_upload("t.csv", _families("age", owner, np.where(owner > 20, "u", "v")))
    assert threshold.table.roles["age"] == "numeric", "a threshold of a feature is no family"
    mixed = read_upload("t.csv", _families("colour", codes, rng.choice(list("uv"), 200)))
    assert mixed.table.roles["colour"] == "categorical"


def test_counts_that_become_classes_offer_regression() -> None:
    rng = np.random.default_rng(0)
    lines = [f"{x!r},{n}" for x, n in zip(rng.normal(size=80).tolist(), rng.poisson(1.2, 80), strict=True)]
    upload = read_upload("t.csv", "\n".join(["a,visits", *lines]).encode(), roles={"visits": "label"})
    assert upload.dataset().task == "classification"
    offered = [choice for guess in upload.guesses for choice in guess.choices if choice.task == "regression"]
    assert [choice.words for choice in offered] == ["They are numbers"]
