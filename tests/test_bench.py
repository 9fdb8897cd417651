"""`python -m tests.benchmarks` at toy size: it runs, and values are a peer's or the definition's. No time is read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.benchmarks import criteria
from tests.benchmarks.__main__ import STUDIES, main
from tests.benchmarks.case import Case, Peer, Work
from tests.benchmarks.speed import WORKS, line
from tests.benchmarks.timing import measure


def test_the_whole_table_at_toy_size(capsys, monkeypatch):
    # Memory takes most of the time.
    monkeypatch.setattr("tests.benchmarks.timing._peak", lambda call: 1)
    assert main(["speed", "--toy"]) == 0
    table = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in table} == {8}
    for work in WORKS:
        row = next(line for line in table if work.name in line)
        assert f"≤ {work.goal:g}" in row or "is not installed" in row
    assert "SciPy pdist" in "".join(table)


def example(theirs, **given):
    ours = np.eye(2)
    peers = (Peer("same", lambda: theirs), Peer("yardstick", lambda: None, None), Peer("gone", int, package="no_such"))
    return Work("example", lambda n: Case(lambda: ours, peers, **given), (8, 8, 8), 0.5)


def test_what_a_row_says():
    row = measure(example(np.eye(2), check=lambda K: 1e-12), 8, budget=0.01)
    assert row.same
    assert [peer.difference for peer in row.peers] == [0.0, None, None]
    assert row.peers[2].absent == "no_such is not installed"
    assert row.peers[2].ratio is None
    first, second, third = line(row).splitlines()
    assert "| ≤ 0.5 | 0e+00 |" in first
    assert "other work" in second
    assert "no_such is not installed" in third


def test_values_that_differ_are_told(monkeypatch, capsys):
    row = measure(example(np.ones((2, 2))), 8, budget=0.0)
    assert not row.same
    assert "DIFFERENT, 1e+00" in line(row)
    assert not measure(example(np.eye(2), check=lambda K: 0.5), 8, budget=0.0).same
    monkeypatch.setattr("tests.benchmarks.speed.WORKS", (replace(example(np.ones((2, 2))), name="wrong"),))
    assert main(["speed", "--toy"]) == 1
    assert "Values differ: wrong." in capsys.readouterr().out


def test_a_row_that_is_not_there(capsys):
    assert main(["speed", "--only", "no such row"]) == 2
    assert "--only must be part of a row's name; got 'no such row'. Try one of: RBF" in capsys.readouterr().err


def test_every_study_is_listed_and_has_its_options(capsys):
    assert main([]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [*STUDIES]
    assert main(["no such study"]) == 2
    for study in ("speed", "criteria", "page_speed"):
        with pytest.raises(SystemExit, match=r"^0$"):
            main([study, "--help"])


def test_the_study_of_choosing(capsys):
    assert main(["choosing", "--quick", "--only", "wine"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("wine: 160 rows; regret in points: ")
    assert "| 5-fold cross-validation of every setting, C tuned |" in said
    assert main(["choosing", "--only", "no such set"]) == 2


def test_alignment_orders_values_on_strings_and_reverses_them_on_twonorm():
    """One number for all data would mislead."""
    shares = {}
    for name, varies in (("Markov strings", "p"), ("Twonorm", "level")):
        regime = next(r for r in criteria.REGIMES if (r.name, r.varies) == (name, varies))
        _, of = criteria.judged(replace(regime, sets=4))
        shares[name] = of.mean(axis=0)[criteria.NAMES.index("alignment")]
    assert shares["Markov strings"] > 0.6
    assert shares["Twonorm"] < 0.5
