"""Every data set of the catalogue loads, has the counts of its source, and is documented."""

from __future__ import annotations

import dataclasses
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

import kernlib.data.samples.sample as files
from kernlib import RBF
from kernlib.data import CATALOGUE, DATA_DOMAINS, Dataset, dataset_names, load_dataset
from kernlib.errors import DataError, ParameterError
from kernlib.experiments import RunSpec

# As /sample_data/README.md and the sources print them.
COUNTS = {
    "breast-cancer-10": {"malignant": 212, "benign": 357},
    "iris": {"setosa": 50, "versicolor": 50, "virginica": 50},
    "wine": {"class_0": 59, "class_1": 71, "class_2": 48},
    "digits-3-8": {"3": 658, "8": 542},
    "colon": {"tumour": 40, "normal": 22},
    "wave-12": {"1": 175, "2": 152},
    "wave-13": {"1": 175, "3": 173},
    "wave-23": {"2": 152, "3": 173},
    "wave-123": {"1": 175, "2": 152, "3": 173},
    "yeast": {"CYT": 463, "MIT": 244},
    "banana": {"-1": 2924, "+1": 2376},
    "ida-breast-cancer": {"-1": 196, "+1": 81},
    "ida-diabetes": {"-1": 500, "+1": 268},
    "ida-german": {"-1": 700, "+1": 300},
    "ida-heart": {"-1": 150, "+1": 120},
    "ida-image": {"-1": 990, "+1": 1320},
    "ida-ringnorm": {"-1": 3736, "+1": 3664},
    "ida-splice": {"-1": 1648, "+1": 1527},
    "ida-twonorm": {"-1": 3697, "+1": 3703},
    "heart-mixed": {"no heart disease": 150, "heart disease": 120},
    "splice-two-class": {"no site": 1648, "site": 1527},
    "splice-agct": {"no site": 1648, "site": 1527},
    "ida-thyroid": {"-1": 150, "+1": 65},
    "ida-titanic": {"-1": 1490, "+1": 711},
    "ida-waveform": {"-1": 3353, "+1": 1647},
    "large-diagonal-toy": {"-1": 3, "+1": 3},
    "monks-1": {"0": 278, "1": 278},
    "monks-2": {"0": 395, "1": 206},
    "monks-3": {"0": 266, "1": 288},
    "promoters": {"-": 53, "+": 53},
    "promoters-categorical": {"-": 53, "+": 53},
    "splice": {"EI": 767, "IE": 768, "N": 1655},
    "webkb": {"faculty": 1124, "project": 504},
    "karate": {"Mr. Hi": 17, "Officer": 17},
    "enron": {"others": 166, "leaders": 16},
    "lawyers": {"litigation": 20, "corporate": 16},
    "mutag": {"not mutagenic": 63, "mutagenic": 125},
    "japanese-vowels": {f"speaker {i}": 30 for i in range(1, 10)},
}
SHAPES = {
    "breast-cancer-10": (569, 10),
    "digits": (1797, 64),
    "digits-3-8": (1200, 256),
    "colon": (62, 2000),
    "wave-123": (500, 21),
    "yeast": (707, 8),
    "banana": (5300, 2),
    "ida-breast-cancer": (277, 9),
    "ida-diabetes": (768, 8),
    "ida-german": (1000, 20),
    "ida-heart": (270, 13),
    "ida-image": (2310, 18),
    "ida-splice": (3175, 60),
    "ida-thyroid": (215, 5),
    "ida-titanic": (2201, 3),
    "ida-waveform": (5000, 21),
    "ida-ringnorm": (7400, 20),
    "ida-twonorm": (7400, 20),
    "heart-mixed": (270, 13),
    "splice-two-class": (3175,),
    "splice-agct": (3175, 60),
    "large-diagonal-toy": (6, 10),
    "promoters": (106,),
    "promoters-categorical": (106, 57),
    "splice": (3190,),
    "webkb": (1628,),
    "karate": (34, 34),
    "enron": (182, 182),
    "lawyers": (36, 36),
    "mutag": (188,),
    "japanese-vowels": (270,),
    "solar-flare": (1066, 10),
    "digit-shift-scores": (120, 120),
}


def whole(name: str) -> Dataset:
    if name == "mutag":
        pytest.importorskip("kernlib.kernels.graphs")
    return load_dataset(name, n="all") if CATALOGUE[name].kind == "sample" else load_dataset(name)


@pytest.mark.parametrize("name", COUNTS)
def test_class_counts_are_those_of_the_source(name: str) -> None:
    assert whole(name).class_counts == COUNTS[name]


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_are_those_of_the_source(name: str) -> None:
    assert whole(name).rows.shape == SHAPES[name]


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_entry_loads_and_says_what_it_is(name: str) -> None:
    entry, data = CATALOGUE[name], whole(name)
    assert (data.name, data.title, data.domain) == (entry.name, entry.title, entry.domain)
    assert data.n == entry.n
    assert data.look_for == entry.look_for
    assert data.look_for.endswith(".")
    assert data.source == entry.source
    assert data.licence == entry.licence
    assert not data.rows.flags.writeable
    assert eval(data.recipe) == data
    assert entry.n == data.n


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_entry_and_its_files_are_documented(name: str) -> None:
    text = (files.SAMPLE_DATA / "README.md").read_text(encoding="utf-8")
    entry = CATALOGUE[name]
    assert f"### `{name}`: {entry.title}" in text
    part = text.split(f"### `{name}`:")[1].split("\n##")[0]
    assert part.count(entry.look_for) == 1
    for words in (entry.source, entry.licence, entry.citation, entry.note, *entry.files):
        assert words in part
    for class_name, count in COUNTS.get(name, {}).items():
        assert f"{class_name} {count}" in part


def test_every_shipped_file_is_used_by_an_entry_and_they_stay_small() -> None:
    found = [p for p in files.SAMPLE_DATA.rglob("*") if p.is_file() and p.name not in ("README.md", "GPL-2.0.txt")]
    shipped = {p.relative_to(files.SAMPLE_DATA).as_posix(): p.stat().st_size for p in found}
    used = {file for entry in CATALOGUE.values() for file in entry.files}
    assert set(shipped) == used
    assert sum(shipped.values()) < 4.1e6


def test_splits_are_the_published_row_numbers() -> None:
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


def test_toy_has_the_published_gram_matrix() -> None:
    X = load_dataset("large-diagonal-toy").rows
    assert np.array_equal(np.diag(X @ X.T), [82, 65, 82, 81, 64, 81])
    assert (X @ X.T)[0, 1] == 1
    assert (X @ X.T)[3:, :3].sum() == 0


def test_node_sets_are_the_matrices_that_they_claim() -> None:
    karate = load_dataset("karate")
    assert karate.rows.sum() == 2 * 78
    lawyers = load_dataset("lawyers")
    assert set(np.unique(lawyers.rows)) == {0.0, 0.5, 1.0}
    enron = load_dataset("enron").rows
    assert set(np.unique(enron)) == {0.0, 1.0}
    assert enron.any(axis=1).all()
    assert np.diagonal(enron).sum() == 0


def test_promoters_are_the_same_letters_in_both_domains() -> None:
    strings, columns = load_dataset("promoters"), load_dataset("promoters-categorical")
    assert ["".join(row) for row in columns.rows] == list(strings.rows)
    assert set("".join(strings.rows)) == set("ACGT")
    assert columns.columns[0] == "p-50"
    assert columns.columns[-1] == "p+7"


def test_two_class_splice_is_the_benchmarks_pool_in_letters() -> None:
    strings, codes, pool = load_dataset("splice-two-class"), load_dataset("splice-agct"), load_dataset("ida-splice")
    assert np.array_equal(pool.rows, [["ACGT".index(letter) for letter in s] for s in strings.rows])
    assert np.array_equal(codes.rows, [["AGCT".index(letter) for letter in s] for s in strings.rows])
    assert np.array_equal(strings.y, pool.y)
    assert np.array_equal(codes.y, pool.y)


def test_mixed_heart_is_the_benchmarks_with_words() -> None:
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


def test_score_matrix_is_indefinite_as_its_sentence_says() -> None:
    data = load_dataset("digit-shift-scores")
    assert f"{(np.linalg.eigvalsh(data.rows) < -1e-9).sum()} eigenvalues are negative" in data.look_for


def test_banana_is_a_subset_unless_all_is_asked_for() -> None:
    data = load_dataset("banana")
    assert data.n == 400
    assert "400 of 5300" in data.note
    assert data.splits == ()
    assert load_dataset("banana", n=100, seed=1) == load_dataset("banana", n=100, seed=1)
    assert load_dataset("banana", n=100, seed=1) != load_dataset("banana", n=100, seed=2)
    assert CATALOGUE["banana"].parameters()[0].default == 400


def test_names_by_domain_cover_the_catalogue() -> None:
    assert sum(len(dataset_names(domain)) for domain in DATA_DOMAINS) == len(CATALOGUE)
    assert all(dataset_names(domain) for domain in DATA_DOMAINS)
    with pytest.raises(DataError, match="domain must be one of vector"):
        dataset_names("picture")  # type: ignore[arg-type]


def test_errors_say_what_to_do() -> None:
    with pytest.raises(DataError, match=r"got 'promotor'\. Did you mean 'promoters'"):
        load_dataset("promotor")
    with pytest.raises(ParameterError, match="no parameter 'lenght'; expected n, length"):
        load_dataset("markov-strings", lenght=3)
    with pytest.raises(ParameterError, match="n must be an integer"):
        load_dataset("iris", n=1)


def test_missing_folder_says_where_it_looked(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(files, "SAMPLE_DATA", tmp_path / "nowhere")
    with pytest.raises(DataError, match=r"expected it in .*nowhere.*complete checkout"):
        CATALOGUE["promoters"].sample.read()


def test_entries_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        CATALOGUE["iris"].name = "other"  # type: ignore[misc]
    with pytest.raises(TypeError):
        CATALOGUE["x"] = CATALOGUE["iris"]  # type: ignore[index]


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


def test_what_has_no_licence_is_named_where_it_is_not_installed(tmp_path) -> None:  # type: ignore[no-untyped-def]
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
