"""The kernels' cards: found by what one has, drawn when opened, tried on data by a press."""

from __future__ import annotations

import pytest

from kernlib import LEAVES, Power
from pages.parts import reference, workings

from .drive import assert_sound, figures, kernel, open_app, sentences


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


def test_a_row_of_a_published_table_is_opened_on_the_gram_matrix():
    app = open_app("papers", data="banana")
    app.session_state["papers.paper"] = "C"
    app.session_state["papers.row.Promoters"] = "k0: chosen on training rows"
    app.run()
    assert_sound(app)
    next(b for b in app.button if b.key == "papers.open.Promoters").click().run()
    assert_sound(app)
    assert app.session_state["data_choice"].name == "promoters-categorical"
    assert repr(kernel(app)).startswith("Overlap(")
