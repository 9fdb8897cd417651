"""The kernels' cards: found by what one has, drawn when opened, tried on data by a press."""

from __future__ import annotations

import time

import pytest

from kernlib import LEAVES, Power
from kernlib.papers import EXPERIMENTS, shipped, told
from pages.parts import reference, workings
from pages.parts.state import DataChoice, GivenRun

from .drive import assert_sound, figures, kernel, open_app, sentences, show


@pytest.mark.parametrize(
    ("words", "found", "other"),
    [
        ("rows with categories", "Overlap", "Spectrum"),
        ("molecules", "LabelPairs", "RBF"),
        ("my DNA strings", "Spectrum", "Linear"),
        ("similarity scores", "Precomputed", "Mismatch"),
    ],
)
def test_found_by_what_one_has(words, found, other):
    names = {k.__name__ for k in LEAVES if reference.matches(k, words)}
    assert found in names
    assert other not in names


@pytest.mark.parametrize("card", [k.__name__ for k in workings.PICTURED])
def test_an_open_card_shows_how_it_works(card):
    app = open_app("reference", data="promoters")
    app.session_state[f"reference.card.{card}"] = True
    app.run()
    assert_sound(app)
    assert "How it works" in sentences(app)
    if card != "Mismatch":
        drawn = figures(app)
        assert [key for key in drawn if key.startswith(f"card.{card}")]
    else:
        assert len(app.dataframe[0].value) == 16  # ACGTA and its 5 · 3 neighbours


def test_a_kernel_is_tried_on_data_and_a_step_on_the_kernel():
    app = open_app("reference", data="banana")
    app.session_state["reference.card.Overlap"] = True
    app.run()
    next(b for b in app.button if b.key == "try.Overlap.monks-2").click().run()
    assert_sound(app)
    assert app.session_state["data_choice"].name == "monks-2"
    assert repr(kernel(app)).startswith("Overlap(")
    app = open_app("reference", data="banana")
    app.session_state["reference.card.Power"] = True
    app.run()
    before = kernel(app)
    next(b for b in app.button if b.key == "try.Power").click().run()
    assert_sound(app)
    assert kernel(app) == Power(before, p=0.5)


def _press(app, key):
    next(b for b in app.button if b.key == key).click().run()
    assert_sound(app)


def test_a_row_of_a_published_table_becomes_the_app_s_state_and_its_run():
    app = open_app("papers", data="banana")
    app.session_state["papers.row.Table 1"] = "p = 0.6"
    app.run()
    assert_sound(app)
    _press(app, "papers.open.curves.Table 1")
    assert app.session_state["data_choice"].name == "markov-strings"
    assert repr(kernel(app)) == "Empirical(Power(Subsequence(order=3, decay=0.25), p=0.6), landmarks='all')"
    spec = next(e for e in EXPERIMENTS if (e.paper, e.item) == ("O", "Table 1")).spec
    assert app.session_state["given_run"].spec == spec
    assert "Table 1**, as it was run" in sentences(app)
    next(b for b in app.button if b.label == "Choose the run by hand").click().run()
    assert_sound(app)
    assert app.session_state["given_run"] is None
    # Whoever moves on to other data is not shown the paper's run of these.
    app.session_state["given_run"] = GivenRun(spec, "[O] Table 1", DataChoice("banana"), kernel(app))
    show(app, "curves")
    assert app.session_state["given_run"] is None


def test_a_row_is_run_again_beside_what_is_shipped():
    app = open_app("papers", data="banana")
    app.session_state["papers.paper"] = "C"
    app.session_state["papers.row.Synthetic-Poisson"] = "A1, k1"
    app.run()
    assert_sound(app)
    _press(app, "papers.run.Synthetic-Poisson")
    for _ in range(100):
        if "Few splits" in sentences(app):  # the run is over: figures come before that
            break
        time.sleep(0.2)
        app.run()
    shown = {m.label: m.value for m in app.metric}
    line = next(x for r in shipped() if r["item"] == "Synthetic-Poisson, A1, k1" for x in r["outcomes"])
    assert shown["shipped"] == told(line["ours"], line["sd"])
    assert shown["printed"] == "0"
    assert "run now" in shown
    app.session_state["papers.row.Synthetic-Poisson"] = None
    app.session_state["papers.row.Promoters"] = "k0: chosen on training rows"
    app.run()
    _press(app, "papers.open.gram.Promoters")
    assert app.session_state["data_choice"].name == "promoters-categorical"
    assert repr(kernel(app)).startswith("Overlap(")
