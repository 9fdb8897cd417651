"""Every data set of the catalogue loads, has the counts of its source, and is documented."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import kernlib.data.catalogue as files
from kernlib import RBF
from kernlib.data import CATALOGUE, dataset_names, load_dataset
from kernlib.errors import DataError, ParameterError
from kernlib.experiments import RunSpec
from kernlib.kinds import KINDS

README = (files.SAMPLE_DATA / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_entry_loads_with_the_counts_of_its_source(name):
    """The sizes and classes that the README states were copied from the sources."""
    entry, part = CATALOGUE[name], README.split(f"### `{name}`: ")[1].split("\n##")[0]
    data = load_dataset(name, n="all") if entry.kind == "sample" else load_dataset(name)
    size, domain, classes = re.search(r"Size: (.+?); .+ domain '(\w+)'; classes: (.+)", part).groups()  # type: ignore[union-attr]
    assert (size, domain, entry.size) == (entry.size, data.domain, size)
    assert size.startswith(f"{data.n} " if data.d is None else f"{data.n} × {data.d}")
    stated = dict(one.rsplit(" ", 1) for one in classes.split(", ")) if classes != "regression" else {}
    assert stated == {one: str(count) for one, count in data.class_counts.items()}
    assert all((data.title, data.look_for, data.source, data.licence))
    assert data.look_for.endswith(".")
    assert not data.rows.flags.writeable
    assert eval(data.recipe) == data


def test_every_entry_has_one_reader_or_generator():
    assert len(CATALOGUE) == README.count("\n### `")
    assert {*files.READERS} | {*files.GENERATORS} == {*CATALOGUE}
    assert not {*files.READERS} & {*files.GENERATORS}


def test_every_shipped_file_is_used_by_an_entry_and_they_stay_small():
    found = [p for p in files.SAMPLE_DATA.rglob("*") if p.is_file() and p.name not in ("README.md", "GPL-2.0.txt")]
    shipped = {p.relative_to(files.SAMPLE_DATA).as_posix(): p.stat().st_size for p in found}
    used = {file for entry in CATALOGUE.values() for file in entry.files}
    assert set(shipped) == used
    assert sum(shipped.values()) < 4.1e6


def test_splits_are_the_published_row_numbers():
    sizes = {
        "banana": (400, 4900),
        "ida-heart": (170, 100),
        "ida-image": (1300, 1010),
        "ida-titanic": (150, 2051),
        "ida-ringnorm": (400, 7000),
    }
    for name, (train, test) in sizes.items():
        splits = load_dataset(name, n="all").splits
        assert [s.name for s in splits] == [str(i) for i in range(1, 11)]
        assert {(s.train.size, s.test.size) for s in splits} == {(train, test)}
    assert [s.name for s in load_dataset("ida-diabetes").splits] == ["1"]
    assert load_dataset("ida-diabetes").splits[0].train.size == 468
    (monks,) = load_dataset("monks-3").splits
    assert (monks.train.size, monks.test.size) == (122, 432)


def test_toy_has_the_published_gram_matrix():
    X = load_dataset("large-diagonal-toy").rows
    assert np.array_equal(np.diag(X @ X.T), [82, 65, 82, 81, 64, 81])
    assert (X @ X.T)[0, 1] == 1
    assert (X @ X.T)[3:, :3].sum() == 0


def test_node_sets_are_the_matrices_that_they_claim():
    karate = load_dataset("karate")
    assert karate.rows.sum() == 2 * 78
    lawyers = load_dataset("lawyers")
    assert set(np.unique(lawyers.rows)) == {0.0, 0.5, 1.0}
    enron = load_dataset("enron").rows
    assert set(np.unique(enron)) == {0.0, 1.0}
    assert enron.any(axis=1).all()
    assert np.diagonal(enron).sum() == 0


def test_promoters_are_the_same_letters_in_both_domains():
    strings, columns = load_dataset("promoters"), load_dataset("promoters-categorical")
    assert ["".join(row) for row in columns.rows] == list(strings.rows)
    assert set("".join(strings.rows)) == set("ACGT")
    assert columns.columns[0] == "p-50"
    assert columns.columns[-1] == "p+7"


def test_two_class_splice_is_the_benchmarks_pool_in_letters():
    strings, codes, pool = load_dataset("splice-two-class"), load_dataset("splice-agct"), load_dataset("ida-splice")
    assert np.array_equal(pool.rows, [["ACGT".index(letter) for letter in s] for s in strings.rows])
    assert np.array_equal(codes.rows, [["AGCT".index(letter) for letter in s] for s in strings.rows])
    assert np.array_equal(strings.y, pool.y)
    assert np.array_equal(codes.y, pool.y)


def test_mixed_heart_is_the_benchmarks_with_words():
    mixed, coded = load_dataset("heart-mixed"), load_dataset("ida-heart")
    for j, kind in enumerate(mixed.kinds):
        if kind == "vector":
            assert np.array_equal(mixed.rows[:, j].astype(float), coded.rows[:, j])
        else:  # the same partition of the rows, in the order of the codes
            words = list(dict.fromkeys(mixed.rows[np.argsort(coded.rows[:, j], kind="stable"), j]))
            assert np.array_equal(
                [words.index(w) for w in mixed.rows[:, j]], np.unique(coded.rows[:, j], return_inverse=True)[1]
            )
    assert np.array_equal(mixed.y, coded.y)
    assert len(mixed.splits) == 10


def test_score_matrix_is_indefinite_as_its_sentence_says():
    data = load_dataset("digit-shift-scores")
    assert f"{(np.linalg.eigvalsh(data.rows) < -1e-9).sum()} eigenvalues are negative" in data.look_for


def test_banana_is_a_subset_unless_all_is_asked_for():
    data = load_dataset("banana")
    assert data.n == 400
    assert "400 of 5300" in data.note
    assert data.splits == ()
    assert load_dataset("banana", n=100, seed=1) == load_dataset("banana", n=100, seed=1)
    assert load_dataset("banana", n=100, seed=1) != load_dataset("banana", n=100, seed=2)
    assert CATALOGUE["banana"].parameters()[0].default == 400


def test_names_by_domain_cover_the_catalogue():
    assert sum(len(dataset_names(domain)) for domain in KINDS) == len(CATALOGUE)
    assert all(dataset_names(domain) for domain in KINDS)
    with pytest.raises(DataError, match="domain must be one of vector"):
        dataset_names("picture")  # type: ignore[arg-type]


def test_errors_say_what_to_do():
    with pytest.raises(DataError, match=r"got 'promotor'\. Did you mean 'promoters'"):
        load_dataset("promotor")
    with pytest.raises(DataError, match=r"'waveform-like' is no longer generated\. Use 'wave-123'"):
        load_dataset("waveform-like")
    with pytest.raises(ParameterError, match="no parameter 'lenght'; expected n, length"):
        load_dataset("markov-strings", lenght=3)
    with pytest.raises(ParameterError, match="n must be an integer"):
        load_dataset("iris", n=1)


def test_missing_folder_says_where_it_looked(monkeypatch, tmp_path):
    monkeypatch.setattr(files, "SAMPLE_DATA", tmp_path / "nowhere")
    with pytest.raises(DataError, match=r"expected it in .*nowhere.*complete checkout"):
        files.READERS["promoters"]()


_AS_INSTALLED = """
import sys
from pathlib import Path
from kernlib.data import load_dataset
from kernlib.errors import DataError
from kernlib.experiments import RunSpec
from kernlib.stories import LeftOutError, read_lesson, read_shelf

def refused(call, *given):
    try:
        call(*given)
    except DataError as error:
        print(type(error).__name__, error)

shelf = Path(sys.argv[1])
refused(load_dataset, "mutag")
refused(RunSpec.from_json, sys.argv[2].replace("iris", "lawyers"))
refused(read_lesson, (shelf / "12-two-molecules.md").read_bytes(), "12-two-molecules")
print(len(read_shelf(shelf)) - len([*shelf.glob("*.md")]))
"""


def test_what_has_no_licence_is_named_where_it_is_not_installed(tmp_path):
    project = files.SAMPLE_DATA.parent
    shutil.copytree(project / "kernlib", tmp_path / "kernlib")
    unstated = shutil.ignore_patterns("MUTAG", "lawyers", "webkb*")
    shutil.copytree(files.SAMPLE_DATA, tmp_path / "sample_data", ignore=unstated)
    shelf, spec = str(project / "pages" / "stories"), RunSpec("iris", RBF()).to_json()
    said = subprocess.run(
        [sys.executable, "-c", _AS_INSTALLED, shelf, spec],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    why = "is not installed, because its source states no licence. Use a clone of the project's repository."
    assert said.stdout.splitlines() == [
        f"DataError load_dataset: 'mutag' {why}",
        f"DataError The spec: 'lawyers' {why}",
        f"LeftOutError 12-two-molecules: 'mutag' {why}",
        "-1",
    ]
