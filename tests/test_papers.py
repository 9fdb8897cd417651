"""The papers' experiments: every printed figure accounted for, what is shipped is what the code says."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kernlib.__main__ import main
from kernlib.experiments import Axis, FoldResult, RunSpec, curve, sweep
from kernlib.papers import (
    EXPERIMENTS,
    Experiment,
    NoData,
    Row,
    count,
    digest,
    judged,
    markdown,
    places,
    shipped,
    tables,
)
from kernlib.papers.claims import CLAIMS
from kernlib.papers.experiment import Measured, figure, measured
from kernlib.papers.running import NOT_RUN, compute, not_run

RESULTS = {(result["paper"], result["item"]): result for result in shipped()}


def test_every_printed_figure_is_accounted_for():
    told = Counter()
    for experiment in EXPERIMENTS:
        if isinstance(experiment, NoData):
            told.update(experiment.places)
        else:
            told.update({place for row in experiment.rows for place in (row.place, row.spread) if place})
    assert set(places()) - set(told) == set()
    assert set(told) - set(places()) == set()
    twice = [
        row.place for e in EXPERIMENTS if isinstance(e, Experiment) for row in e.rows if row.place and row.of != "leaky"
    ]  # a figure has one honest counterpart
    assert len(twice) == len(set(twice))
    assert {line["place"] for result in shipped() for line in result["outcomes"] if line["place"]} <= set(places())


def test_what_is_shipped_was_made_from_what_is_declared():
    """A result is older than the code that made it says when its digest is another: run `python -m kernlib papers`."""
    assert list(RESULTS) == [(e.paper, e.item) for e in EXPERIMENTS]
    old = []
    for e in EXPERIMENTS:
        result = RESULTS[e.paper, e.item]
        if result["digest"] == NOT_RUN:
            assert result == not_run(e) | {"version": result["version"]}
        elif result["digest"] != digest(e):
            old.append(f"[{e.paper}] {e.item}")
    assert old == []
    assert not any(result["quick"] or result.get("problems") for result in shipped())


CHEAP = [e for e in EXPERIMENTS if not isinstance(e, Experiment)] + [
    e for e in EXPERIMENTS if isinstance(e, Experiment) and e.item in (
        "Table 1, nearest neighbour", "Table 2, without noise", "Benchmark, heart, dim",
        "Benchmark, titanic, est. error",
    )
]  # fmt: skip


@pytest.mark.parametrize("experiment", CHEAP, ids=lambda e: f"{e.paper} {e.item}")
def test_a_cheap_part_comes_out_as_it_is_shipped(experiment, tmp_path):
    again = compute(experiment, tmp_path)["outcomes"]
    for new, old in zip(again, RESULTS[experiment.paper, experiment.item]["outcomes"], strict=True):
        assert (new["label"], new["verdict"], new["n"]) == (old["label"], old["verdict"], old["n"])
        if new["ours"] is not None:
            # Only 14 of the titanic's rows differ: which directions of no length come first, rounding says.
            rough = "titanic" in new["label"].lower() + experiment.item
            np.testing.assert_allclose(new["ours"], old["ours"], rtol=0.03 if rough else 1e-6)
    assert compute(experiment, tmp_path)["outcomes"] == again


def test_landmarks_of_the_training_rows_alone_do_not_give_table_1():
    """[O] equation 19 takes all rows; the verdict must tell the two readings apart."""
    table = next(e for e in EXPERIMENTS if (e.paper, e.item) == ("O", "Table 1"))
    row = next(row for row in table.rows if row.label == "p = 1.0")
    verdicts = {}
    for landmarks in ("all", "train"):
        kernel = replace(table.spec.kernel, landmarks=landmarks)
        spec = replace(table.spec, kernel=kernel, axis=Axis("kernel.kernel.p", (1.0,)), reference=None, draws=8)
        ours = measured(curve(spec, sweep(spec)), row, 1.0, draws=8)
        verdicts[landmarks] = judged(*figure(row), table.realisations, ours)
    assert verdicts == {"all": "within", "train": "outside"}


def test_the_rule_allows_two_standard_errors_of_each():
    ours = Measured(mean=10.0, sd=2.0, n=100, se=0.2)
    assert judged(10.79, 2.0, 100, ours) == "within"  # 2·0.2 + 2·0.2
    assert judged(10.81, 2.0, 100, ours) == "outside"
    assert judged(10.8, None, 100, Measured(10.4, 2.0, 100, 0.2)) == "within"  # half a unit of 10.8 beside ours
    assert judged(10.0, 1.0, 5, Measured(math.nan, math.nan, 0, math.nan)) == "no data"


def test_a_standard_error_over_draws_is_that_of_their_means():
    scores = [0.1, 0.1, 0.3, 0.3]
    folds = [FoldResult(None, i, score, 10, 10, 0.0) for i, score in enumerate(scores)]
    spec = RunSpec("markov-strings", EXPERIMENTS[0].spec.kernel, draws=2, protocol=_two())
    ours = measured(curve(spec, folds), Row("", ""), 100.0, draws=2)
    assert ours.mean == pytest.approx(20.0)
    assert ours.se == pytest.approx(np.std([10.0, 30.0], ddof=1) / math.sqrt(2))


def _two():
    from kernlib.protocols import RepeatedSplits

    return RepeatedSplits(repeats=2)


def test_a_figure_of_two_readings_counts_once_and_cheating_is_named():
    def line(verdict, of="mean", place="a"):
        return {"paper": "C", "item": "i", "label": "l", "place": place, "verdict": verdict, "of": of}

    found = count([line("outside"), line("within", "leaky"), line("within", place="b"), line("no data", place="c")])
    assert (found.compared, found.within, found.cheating, found.outside, found.no_data) == (2, 2, 1, 0, 1)
    assert count([line("within"), line("within", "leaky")]).cheating == 0


def test_claims_are_judged_from_figures_and_tables_hold_every_line():
    for claim in CLAIMS:
        _, evidence = claim.judged(shipped())
        assert evidence
        assert claim.judged([])[0] in ("not testable here", "weak", "contradicted"), claim.text
    lines = [line for result in shipped() for line in result["outcomes"]]
    assert sum(len(table.lines) for table in tables(shipped())) == len(lines)


def test_the_page_that_the_readme_names_is_that_of_what_is_shipped():
    page = Path(__file__).parents[1] / ".github" / "REPRODUCTION.md"
    assert page.read_text(encoding="utf-8") == markdown(shipped())
    assert "](.github/REPRODUCTION.md)" in (page.parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_command_writes_both_files_and_goes_on(tmp_path, capsys):
    assert main(["papers", "--paper", "D", "--quick", "--out", str(tmp_path)]) == 0
    lines = json.loads((tmp_path / "papers.json").read_text())
    assert {"paper", "item", "published", "ours", "n", "verdict"} <= set(lines[0])
    assert {line["verdict"] for line in lines} <= {"within", "outside", "no data"}
    assert "3 printed figures were compared: 3 agree" in (tmp_path / "REPRODUCTION.md").read_text()
    assert "quick run" in (tmp_path / "REPRODUCTION.md").read_text()
