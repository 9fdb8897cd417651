"""The kernels' cards: found by what one has, drawn when opened, tried on data by a click."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from kernlib import LEAVES, Overlap, Power
from kernlib.data import load_dataset
from kernlib.errors import DataError
from kernlib.figures.gram import thumbnail
from kernlib.papers import EXPERIMENTS, shipped, value_text
from pages.parts.frame import line
from pages.parts.results import compute
from pages.parts.server import caching
from pages.parts.session.state import GivenRun
from pages.views.reference import cards

from .drive import (
    choose,
    choose_data,
    draw_gallery,
    finish,
    holder,
    kernel,
    open_app,
    press,
    sentences,
    session,
)


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
    names = {k.__name__ for k in LEAVES if cards.matches(k, words)}
    assert found in names
    assert other not in names


def test_an_open_card_shows_a_matrix_and_the_parameters_and_a_step_is_tried_on_the_kernel():
    app = open_app("reference", data="banana", reference__card__RBF="True")
    assert app.get("image")
    assert "sigma" in app.dataframe[0].value["parameter"].tolist()
    before = kernel(app)
    choose(choose(app, "reference.rows", "Steps"), "reference.card.Power", "True")
    assert kernel(press(app, "try.Power")) == Power(before, p=0.5)


def test_all_data_sets_are_pictures_that_cost_nothing_while_folded(monkeypatch):
    made = []

    def few_rows(data):
        made.append(data.name)
        if data.name == "monks-2":
            raise DataError("monks-2 is damaged.")
        return data.stratified_sample(8)

    monkeypatch.setattr(caching, "_shared", caching._Results())
    monkeypatch.setattr(compute, "few_rows", few_rows)
    app = open_app("data", data="iris")
    monkeypatch.setattr(line, "gallery", draw_gallery)
    app.session_state["line.data"] = False
    app.run()
    assert made == []
    app.session_state["line.data"] = True
    choose(app, "data.gallery.kind", "Categorical rows")
    finish(app)
    assert {"monks-1", "gmonks"} < set(made)
    pictures = [image.url for element in app.get("image") for image in element.proto.imgs]
    assert len(pictures) > 5
    assert all(url.startswith("data:image/png") for url in pictures), "no file that the server may forget"
    assert [info.value for info in app.info] == ["monks-2 is damaged."]
    assert "Gram matrices of at most 40 rows" in sentences(app)
    press(app, "data.gallery.monks-1")
    assert session(app).data.name == "monks-1"
    assert app.button(key="data.gallery.monks-1").disabled
    choose(app, "data.gallery.kind", "Pairs")
    finish(app)
    assert "Gram matrices of all rows" in sentences(app)


def test_small_matrices_have_few_rows_by_class():
    few = compute.few_rows(load_dataset("monks-1"))
    assert few.n == 40
    picture = compute.small_matrix(few, Overlap())
    order = np.argsort(few.y, kind="stable")
    assert_array_equal(picture, thumbnail(Overlap()(few.rows[order])))


def test_a_row_of_a_published_table_becomes_the_app_s_state_and_its_run():
    app = open_app("papers", data="banana", **{"papers.row.Table 1": "p = 0.6"})
    press(app, "papers.open.choose.Table 1")
    assert session(app).data.name == "markov-strings"
    assert repr(kernel(app)) == "Empirical(Power(Subsequence(order=3, decay=0.25), p=0.6), landmarks='all')"
    spec = next(e for e in EXPERIMENTS if (e.paper, e.item) == ("O", "Table 1")).spec
    assert session(app).run.spec == spec
    line = next(x for r in shipped() if r["item"] == "Table 1" for x in r["outcomes"] if x["label"] == "p = 0.6")
    ours = value_text(line["ours"], line["sd"])
    assert f"Table 1; p = 0.6: printed {line['published']:g}" in sentences(app).replace("\\", "")
    assert f"shipped {ours}**, as it was run" in sentences(app).replace("\\", "")
    press(app, "My own settings")
    assert session(app).run is None
    # With other data the paper's run ends.
    holder(app).state = replace(session(app), run=GivenRun(spec, "[O] Table 1"))
    choose_data(app, "banana")
    assert session(app).run is None
