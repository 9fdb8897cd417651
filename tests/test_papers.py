"""The papers' experiments: every printed figure is declared, and shipped results match the declarations."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import RBF, DataError, Deep, Diffusion
from kernlib.__main__ import main
from kernlib.analysis import level_numbers, levels_of
from kernlib.analysis.relevant import quadrant
from kernlib.data import load_dataset
from kernlib.experiments import Axis, FoldResult, RunSpec, curve, sweep
from kernlib.measures import improvement_over_splits
from kernlib.papers import (
    EXPERIMENTS,
    RULE,
    Experiment,
    NoData,
    Row,
    count,
    digest,
    markdown,
    places,
    printed,
    printed_n,
    reasons_outside,
    relevant_dimensions,
    shipped,
    tables,
    verdict_of,
    write,
)
from kernlib.papers.claims import ERRATA, claims
from kernlib.papers.deep_machines import HERE
from kernlib.papers.experiment import Measured, measured
from kernlib.papers.report import gains, moves, ways
from kernlib.papers.running import NOT_RUN, compute, not_run, with_reasons
from kernlib.protocols import RepeatedSplits
from kernlib.registry import KERNELS

RESULTS = {(result["paper"], result["item"]): result for result in shipped()}
LINES = [line for result in shipped() for line in result["outcomes"]]
#: Number of results that each source prints.
PRINTED = {"orthogonal": 91, "designing": 12, "deep": 47, "relevant_dimension": 84, "categorical": 27}


def test_every_printed_figure_is_accounted_for():
    declared = Counter()
    for experiment in EXPERIMENTS:
        if isinstance(experiment, NoData):
            declared.update(experiment.places)
        else:
            declared.update({place for row in experiment.rows for place in (row.place, row.spread) if place})
    assert set(places()) - set(declared) == set()
    assert set(declared) - set(places()) == set()
    twice = [
        row.place
        for e in EXPERIMENTS
        if isinstance(e, Experiment) and not e.other
        for row in e.rows
        if row.place and row.of != "leaky"
    ]  # a figure has one honest counterpart
    assert len(twice) == len(set(twice))
    assert {line["place"] for result in shipped() for line in result["outcomes"] if line["place"]} <= set(places())
    # So many results the papers print, in the summary that lives beside the declarations.
    assert Counter(place.partition("/")[0] for place in places()) == PRINTED


def test_every_figure_is_within_or_says_reasons_outside():
    silent = [line["item"] for line in LINES if line["verdict"] != "within" and not line["why"].strip()]
    assert silent == []
    counted = count(LINES)
    assert counted.within - counted.cheating >= 95
    assert sum(number for number, _ in reasons_outside(LINES)) == counted.outside


def test_a_stand_in_carries_no_published_name():
    """Data that are not the paper's own may be run, under a name of their own, and meet no printed figure."""
    for e in EXPERIMENTS:
        if isinstance(e, Experiment) and e.paper == "K":
            name = e.item.split(", ")[1].partition(" with ")[0]
            assert name in HERE or ("stand-in" in name and not any(row.place for row in e.rows)), e.item
            assert name not in HERE or e.spec.data == HERE[name]


def test_both_readings_of_the_rule_are_counted():
    declared = {(e.paper, e.item): e for e in EXPERIMENTS}

    def by_splits(line):
        experiment = declared[line["paper"], line["item"]]
        if not isinstance(experiment, Experiment) or not line["place"] or None in (line["sd"], line["ours"]):
            return line["verdict"]
        se = line["sd"] / math.sqrt(line["n"]) * (math.sqrt(math.pi / 2) if line["of"] == "median" else 1.0)
        ours = Measured(line["ours"], line["sd"], line["n"], se)
        return verdict_of(line["published"], line["published_sd"], line["published_n"], ours, experiment.decimals)

    strict = count(line | {"verdict": by_splits(line)} for line in LINES)
    told = f"{strict.within} of the {strict.compared} shipped figures agree instead of {count(LINES).within}."
    assert RULE.endswith(told)


def test_what_is_shipped_was_made_from_what_is_declared():
    """A result is older than the code that made it says when its digest is another: run `python -m kernlib papers`."""
    assert list(RESULTS) == [(e.paper, e.item) for e in EXPERIMENTS]
    assert len({result["version"] for result in shipped()}) == 1  # one run made all of them
    old = []
    for e in EXPERIMENTS:
        result = RESULTS[e.paper, e.item]
        if result["digest"] == NOT_RUN:
            assert result == not_run(e) | {"version": result["version"]}
        elif result["digest"] != digest(e):
            old.append(f"[{e.paper}] {e.item}")
    assert old == []
    for e in EXPERIMENTS:  # reasons follow the declarations, too
        if isinstance(e, Experiment) and RESULTS[e.paper, e.item]["digest"] != NOT_RUN:
            assert with_reasons(RESULTS[e.paper, e.item], e) == RESULTS[e.paper, e.item]
    assert not any(result["quick"] or result.get("problems") for result in shipped())


CHEAP = [e for e in EXPERIMENTS if not isinstance(e, Experiment)] + [
    e
    for e in EXPERIMENTS
    if isinstance(e, Experiment)
    and e.item
    in (
        "Table 2, without noise",
        "Benchmark, heart",
        "Benchmark, thyroid, KRR",
        "Synthetic-Poisson, A1, k1",
    )
]


@pytest.mark.parametrize("experiment", CHEAP, ids=lambda e: f"{e.paper} {e.item}")
def test_a_cheap_part_comes_out_as_it_is_shipped(experiment, tmp_path):
    again = compute(experiment, tmp_path)["outcomes"]
    for new, old in zip(again, RESULTS[experiment.paper, experiment.item]["outcomes"], strict=True):
        assert (new["label"], new["verdict"], new["n"]) == (old["label"], old["verdict"], old["n"])
        if new["ours"] is not None:
            assert_allclose(new["ours"], old["ours"], rtol=1e-6)
    assert compute(experiment, tmp_path)["outcomes"] == again


def test_landmarks_of_the_training_rows_alone_do_not_give_table_1_and_error_curves_say_so():
    """[O] equation 19 takes all rows; the verdict must distinguish the two readings."""
    table = next(e for e in EXPERIMENTS if (e.paper, e.item) == ("O", "Table 1"))
    verdicts, error = {}, {}
    for landmarks in ("all", "train"):
        kernel = replace(table.spec.kernel, landmarks=landmarks)
        axis = Axis("kernel.kernel.p", (0.6, 1.0))
        spec = replace(table.spec, kernel=kernel, axis=axis, reference=None, draws=8)
        drawn = curve(spec, sweep(spec))
        row = next(row for row in table.rows if row.label == "p = 1.0")
        verdicts[landmarks] = verdict_of(*row.printed(), table.realisations, measured(drawn, row, 1.0, draws=8))
        error[landmarks] = drawn.mean[0]
    assert verdicts == {"all": "within", "train": "outside"}
    assert error["all"] < error["train"] - 0.02


def test_figures_are_read_from_the_tables_that_they_draw():
    of_papers = [[r for r in shipped() if r["paper"] == paper] for paper in "OKRC"]
    found = {(own[0]["paper"], t.title): t for own in of_papers for t in tables(own)}
    assert [len(points) for points in moves(found["R", "Benchmark"])] == [12, 12]
    gained = gains(found["K", "Figure 3.1"])
    line = {x["label"]: x["ours"] for x in found["K", "Figure 3.1"].lines if x["item"] == "Figure 3.1, Breast"}
    assert gained["Breast"][0][0] == pytest.approx((line["level 1"] - line["level 0"]) / (1 - line["level 0"]))
    assert all(se > 0 for own in gained.values() for _, se in own)
    assert list(gains(found["K", "Figure 3.4"])) == ["stand-in of 300 WebKB pages"], "a table of one item, too"
    assert [name for name, *_ in ways(found["C", "Promoters"])] == ["RBF", "k0", "k1"]
    titles = {(r["paper"], r["item"].partition(", ")[0]) for r in shipped()}
    assert {(p, where) for p, errors in ERRATA.items() for where, _ in errors if where} <= titles


def test_the_rule_allows_two_standard_errors_of_each():
    ours = Measured(mean=10.0, sd=2.0, n=100, se=0.2)
    assert verdict_of(10.79, 2.0, 100, ours) == "within"  # 2·0.2 + 2·0.2
    assert verdict_of(10.81, 2.0, 100, ours) == "outside"
    assert verdict_of(10.8, None, 100, Measured(10.4, 2.0, 100, 0.2)) == "within"  # half a unit of 10.8 beside ours
    assert verdict_of(10.0, 1.0, 5, Measured(math.nan, math.nan, 0, math.nan)) == "no data"


@pytest.mark.parametrize("draws", [2, 3])
def test_a_standard_error_over_draws_is_that_of_their_means_and_a_draw_without_folds_does_not_count(draws):
    folds = [FoldResult(None, i, score, 10, 10, 0.0) for i, score in enumerate([0.1, 0.1, 0.3, 0.3])]
    protocol = RepeatedSplits(repeats=2)
    spec = RunSpec("markov-strings", EXPERIMENTS[0].spec.kernel, draws=draws, protocol=protocol)
    ours = measured(curve(spec, folds), Row("", ""), 100.0, draws=draws)
    assert (ours.mean, ours.n) == (pytest.approx(20.0), 4)
    assert ours.se == pytest.approx(np.std([10.0, 30.0], ddof=1) / math.sqrt(2))


def test_a_figure_of_two_readings_counts_once_and_cheating_is_named():
    def line(verdict, of="mean", place="a"):
        return {"paper": "C", "item": "i", "label": "l", "place": place, "verdict": verdict, "of": of}

    found = count([line("outside"), line("within", "leaky"), line("within", place="b"), line("no data", place="c")])
    assert (found.compared, found.within, found.cheating, found.outside, found.no_data) == (2, 2, 1, 0, 1)
    assert count([line("within"), line("within", "leaky")]).cheating == 0


def test_claims_quote_the_shipped_figures():
    """Their words are of these figures: other ones have to be judged again before this digest changes."""
    figures = [[line[key] for key in ("paper", "item", "label", "ours", "se", "verdict")] for line in LINES]
    assert hashlib.sha256(json.dumps(sorted(figures, key=str)).encode()).hexdigest()[:16] == "6d76b930d798ceea"
    assert {claim["status"] for claim in claims()} <= {"confirmed", "contradicted", "weak", "not testable here"}
    assert {claim["paper"] for claim in claims()} == set("ODKRC")
    gains_of = [line for line in LINES if line["label"][:4] == "gain" and line["item"].split(", ")[1] in NUMERICAL]
    above = sum(line["ours"] > 0 for line in gains_of)
    clearly = sum(line["ours"] > 2 * line["se"] for line in gains_of)
    told = f"Of {len(gains_of)} levels {above} lie above level 0, {clearly} by more than two standard errors"
    assert evidence_of("most numerical data").startswith(told)
    ours = {(line["item"], line["label"]): line["ours"] for line in LINES}
    noise, svm = ours["Benchmark, ringnorm", "est. error"], ours["Benchmark, ringnorm, SVM", "SVM"]
    assert f"ringnorm {noise:.3f} against SVM {svm:.3f}" in evidence_of("no machine undercuts")
    place = "chosen on training rows"
    k0, k1 = ours["Promoters, k0", place], ours["Promoters, k1", place]
    assert f"k0 {k0:.3f}, k1 {k1:.3f}" in evidence_of("Weighing rare agreement")
    best = min((ours["Table 1", f"p = {p}"], p) for p in ("0.7", "0.6", "0.5", "0.4", "0.3"))
    assert f"Original kernel: {ours['Table 1', 'original kernel']:.3f}; p = {best[1]}: {best[0]:.3f}." == evidence_of(
        "undo a large diagonal"
    )


#: The data of [K] whose rows are numbers.
NUMERICAL = ("Breast", "Digit38", "Wave12", "Wave13", "Wave23")


def evidence_of(words):
    return next(claim["evidence"] for claim in claims() if words in claim["text"])


def test_tables_hold_every_line():
    assert sum(len(table.lines) for table in tables(shipped())) == len(LINES)


def test_the_printed_quadrants_are_those_of_the_borders():
    placed = {name: kind for kind, names in printed("relevant_dimension/categories").items() for name in names}
    assert all(quadrant(*relevant_dimensions()[name]) == kind for name, kind in placed.items())
    ours = {(line["item"], line["label"]): line["ours"] for line in LINES}
    both = [name for name in placed if ours.get((f"Benchmark, {name}", "dim")) is not None]
    here = {name: [ours[f"Benchmark, {name}", label] for label in ("dim", "est. error")] for name in both}
    agree = sum(quadrant(dim, noise / 100) == placed[name] for name, (dim, noise) in here.items())
    assert evidence_of("quadrants").startswith(f"{agree} of {len(both)} printed placements agree")


def test_depth_and_papers_measure_the_spread_alike():
    data = load_dataset("lawyers")
    levels = levels_of(Diffusion(beta=0.1)(data.inputs), 5)
    here = [x["ours"] for x in LINES if x["item"] == "Figure 3.6"]
    assert_allclose(here, [level_numbers(level).spread for level in levels])
    assert np.argmax(here) == 1


def test_an_n_that_the_source_does_not_print_is_marked():
    marks = {}
    for line in LINES:
        marks.setdefault((line["paper"], line["item"].partition(", ")[0]), set()).add(printed_n(line))
    assert marks["O", "Table 1"] == {"20", "–"}
    assert marks["O", "Table 4"] == {"8"}
    assert marks["R", "Benchmark"] == {"100*", "20*"}
    assert marks["R", "Splice kernels"] == {"100"}  # "over 100 resamples of the data"
    assert marks["C", "GMonks A1"] == {"40*"}
    assert marks["C", "Promoters"] == {"40"}


def test_a_gain_is_paired_and_its_error_allows_for_overlapping_halves():
    scores = {0: [0.8, 0.6, 0.7, 0.9], 1: [0.9, 0.7, 0.8, 1.0]}
    folds = [FoldResult(level, i, s, 10, 10, 0.0) for level, own in scores.items() for i, s in enumerate(own)]
    spec = RunSpec(
        "iris",
        Deep(RBF(), level=0),
        protocol=RepeatedSplits(repeats=4),
        measure="accuracy",
        axis=Axis("kernel.level", (0, 1)),
    )
    ours = measured(curve(spec, folds), Row("", "", at=1, of="gain"), 1.0)
    assert (ours.mean, ours.n) == (pytest.approx(0.1 / 0.25), 4)
    gain = improvement_over_splits(scores[1], scores[0])
    assert ours.se == pytest.approx(gain.spread * math.sqrt(1 / 4 + 1.0))


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


def test_a_directory_that_cannot_be_written_is_an_error_in_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="the results cannot be written, Not a directory"):
        write(tmp_path / "file" / "out", shipped()[:1])


def test_no_kernel_names_a_chapter_that_its_source_does_not_have():
    sources = {kernel.__name__: getattr(kernel, "source", "") for kernel in KERNELS}
    cited = {name: re.findall(r"\[C\] (\d+)", text) for name, text in sources.items()}
    assert sum(map(len, cited.values())) >= 3
    assert not {name for name, chapters in cited.items() if any(int(chapter) > 7 for chapter in chapters)}
