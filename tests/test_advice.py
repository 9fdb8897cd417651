"""`python -m kernlib advise`: proposals for a file, the best first, and the run that measures it."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib import RBF, DataError, Standardized, advice
from kernlib.__main__ import main
from kernlib.advice import Advice, advise, alike, follow_up
from kernlib.data import Dataset, load_dataset
from kernlib.experiments import RunSpec, reread_upload
from kernlib.experiments.proposals import default_kernel, presets_for
from kernlib.overview import QuickErrors, quick_errors
from kernlib.protocols import GroupedSplits


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(2)
    path = tmp_path / "two kinds.csv"
    rows = rng.normal(size=(60, 2)) + 3 * np.repeat([[0], [1]], 30, axis=0)
    lines = [f"{a!r},{1000 * b!r},{'xy'[i // 30]},p{i % 6}" for i, (a, b) in enumerate(rows.tolist())]
    path.write_text("\n".join(["a,b,kind,who", *lines]))
    return path


def test_a_file_is_advised_and_the_run_measures_the_best(table, tmp_path, capsys):
    spec = tmp_path / "run.json"
    asked = ["advise", str(table), "--role", "kind=label", "--role", "who=ignore"]
    assert main([*asked, "--out", str(spec)]) == 0
    told = capsys.readouterr()
    assert "two kinds" in told.err
    assert "Standardized(RBF(sigma=" in told.out
    assert f"python -m kernlib run {spec} --data '{table}' --out results" in told.out
    first = told.out.splitlines()[0].partition(": ")[2]
    assert repr(RunSpec.from_json(spec.read_text()).kernel) == first
    assert main(["run", str(spec), "--data", str(table), "--out", str(tmp_path / "results")]) == 0
    assert (tmp_path / "results" / "curve.csv").exists()
    assert main([*asked, "--out", str(spec)]) == 2  # nothing is written over
    assert "is there already" in capsys.readouterr().err


def test_of_a_large_file_some_rows_are_measured(table, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(advice, "RUN_ROWS", 40)
    spec = tmp_path / "run.json"
    asked = ["advise", str(table), "--rows", "20", "--role", "kind=label", "--role", "who=ignore"]
    assert main([*asked, "--out", str(spec)]) == 0
    told = capsys.readouterr().out
    assert "a first look at 20 of the 60 rows" in told
    assert "to be run on 40 of the rows by" in told
    assert reread_upload(table, RunSpec.from_json(spec.read_text())).n == 40


def test_rows_of_one_group_are_measured_together(table, tmp_path):
    spec = tmp_path / "run.json"
    asked = ["advise", str(table), "--role", "kind=label", "--role", "who=group", "--out", str(spec)]
    assert main(asked) == 0
    run = RunSpec.from_json(spec.read_text())
    assert isinstance(run.protocol, GroupedSplits)
    assert isinstance(run.inner, GroupedSplits)


@pytest.mark.parametrize(
    "name",
    [
        "sinc",
        "karate",
        "digit-pairs",
        "mutag",
        "heart-mixed",
        "monks-1",
        "markov-strings",
        "webkb",
        "digit-shift-scores",
    ],
)
def test_every_kind_of_rows(name):
    data = load_dataset(name)
    found = advise(data, rows=60)
    assert {a.name for a in found} == {p.name for p in presets_for(data)}
    errors = [a.error for a in found if not a.problem]
    assert errors
    assert errors == sorted(errors)
    assert all(
        a.sentence and a.n <= max(60, data.n * (data.domain in ("node", "matrix"))) for a in found if not a.problem
    )
    assert follow_up(data, found).load().digest == data.digest


def test_of_many_scores_some_rows_are_looked_at(monkeypatch):
    monkeypatch.setattr(advice, "SCORES", 100)
    found = advise(load_dataset("digit-shift-scores"), rows=60)
    assert {a.n for a in found if not a.problem} == {60}


def test_the_errors_are_those_of_the_overview():
    data = load_dataset("wine")
    first = advise(data)[0]
    assert first.kernel == Standardized(RBF(sigma=5.0))
    assert first.errors == quick_errors(first.kernel(data.rows), data.y)


@pytest.mark.parametrize("scales", [(1.0, 1000.0), (1000.0, 1.0), (1.0, 1.0, 1000.0), (1.0, 1000.0, 1000.0)])
def test_few_columns_of_unlike_units_are_standardised(scales):
    rows = np.random.default_rng(0).normal(size=(50, len(scales))) * scales
    assert isinstance(default_kernel(Dataset("units", "Units", "vector", rows)), Standardized)
    assert not isinstance(default_kernel(Dataset("units", "Units", "vector", rows / scales)), Standardized)


def test_what_so_few_rows_cannot_tell_apart():
    def of(error: float, n: int) -> Advice:
        return Advice("", RBF(), "", n, QuickErrors("classification", error, error, 1.0, 0.5, 5))

    assert alike([of(0.1, 100), of(0.12, 100), of(0.4, 100)]) == 2
    assert alike([of(0.1, 10_000), of(0.12, 10_000), of(0.4, 10_000)]) == 1
    assert alike([of(0.0, 100), of(0.0, 100)]) == 2
    assert alike([]) == alike([Advice("", RBF(), "", problem="no")]) == 0


def test_without_labels_and_without_any_kernel(table, capsys):
    data = Dataset("bare", "Bare", "vector", np.random.default_rng(0).normal(size=(20, 2)))
    found = advise(data)
    assert [a.name for a in found] == [p.name for p in presets_for(data)]
    with pytest.raises(DataError, match="labels"):
        follow_up(data, found)
    labelled = load_dataset("iris")
    with pytest.raises(DataError, match="no proposed kernel"):
        follow_up(labelled, [Advice("", RBF(), "", problem="it took too long.")])
    with pytest.raises(DataError, match="two rows"):
        advise(labelled, rows=1)
    assert main(["advise", str(table), "--role", "kind=ignore", "--role", "who=ignore"]) == 0
    assert "Without labels" in capsys.readouterr().out


def test_guessing_is_called_so(tmp_path, capsys):
    rng = np.random.default_rng(0)
    lines = [f"{a!r},{b!r},{rng.choice(['x', 'y'])}" for a, b in rng.normal(size=(60, 2)).tolist()]
    (tmp_path / "noise.csv").write_text("\n".join(["a,b,kind", *lines]))
    assert main(["advise", str(tmp_path / "noise.csv")]) == 0
    assert "60 rows do not tell the first" in capsys.readouterr().out
