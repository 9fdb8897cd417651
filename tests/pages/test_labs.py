"""Every lab draws on its own data and on the person's, and says what is missing where it cannot."""

from __future__ import annotations

import json
import re

import pytest

from pages.views.labs.contents import LABS

from .drive import SMALLER, assert_sound, figures, finish, open_app


def sentence(app):
    return next(one.value for one in app.subheader)


@pytest.mark.parametrize("name", LABS)
def test_a_lab_stands_alone(name):
    app = finish(open_app("labs", lab=name, data="banana"))
    assert_sound(app)
    assert sentence(app)
    assert "Measured" not in sentence(app)
    [lead] = [
        one.value for one in app.caption if re.sub(r"\[(.*?)\]\(.*?\)", r"\1", one.value)[:40] == LABS[name].shown[:40]
    ]
    assert "Drag " in lead


@pytest.mark.parametrize("name", LABS)
def test_a_lab_offers_a_person_s_data_only_where_they_are_other_rows(name):
    def offered(data, **parameters):
        app = open_app("labs", **{"labs.lab": name, "data": data, **parameters})
        return [one.options for one in app.button_group if one.key == "labs.data"]

    lab, choice = LABS[name], LABS[name].choice
    whole = {"n": choice.load().n} if choice.name in SMALLER else {}
    own = {f"g.{key}": str(value) for key, value in (whole | dict(choice.parameters)).items()}
    assert offered(choice.name, kernel=lab.kernel, **own) == []
    other = offered(choice.name, kernel=f"Normalized({lab.kernel})", **own)
    assert [len(options) for options in other] == ([] if lab.own_kernels else [2]), "another kernel on the same rows"
    [options] = offered("iris")
    assert len(set(map(str, options))) == 2


@pytest.mark.parametrize("name", ["phi", "theorem", "criterion", "capacity", "leak", "imbalance", "pixels", "phases"])
def test_a_lab_draws_a_person_s_data(name):
    app = finish(open_app("labs", **{"labs.lab": name, "labs.data": "mine", "data": "banana"}))
    assert_sound(app)
    assert sentence(app)
    assert figures(app) or name == "phi"


@pytest.mark.parametrize(
    ("name", "data", "lacks"),
    [
        ("h", "banana", "categorical columns"),
        ("capacity", "sinc", "rows with classes"),
        ("leak", "iris", "two classes"),
        ("leak", "karate", "columns of numbers"),
        ("length", "iris", "have no size"),
        ("length", "markov-strings", "have the size 20;"),
        ("virtual", "banana", "no square image"),
    ],
)
def test_a_lab_says_what_the_data_lack(name, data, lacks):
    app = finish(open_app("labs", **{"labs.lab": name, "labs.data": "mine", "data": data}))
    assert_sound(app)
    [note] = app.info
    assert lacks in note.value
    assert note.value.count(":") == 1, "the data set is named once"


@pytest.mark.parametrize("name", ["phi", "criterion", "bandwidth", "phases"])
def test_real_targets_have_an_unexplained_variance(name):
    app = finish(open_app("labs", **{"labs.lab": name, "labs.data": "mine", "data": "sinc"}))
    assert_sound(app)
    assert "unexplained variance" in sentence(app)
    shown = (sentence(app), *map(str, figures(app).values()), *(one.value for one in app.markdown))
    assert not [text for text in shown if re.search("(test|training|leave-one-out) error", text.lower())]


def test_a_person_s_other_kernel_on_the_strings_has_a_point():
    link = {"labs.lab": "against", "labs.data": "mine", "data": "markov-strings", "kernel": "Spectrum(length=2)"}
    app = finish(open_app("labs", **link))
    assert_sound(app)
    assert "of 11 data sets" in sentence(app)
    assert '"my kernel"' in json.dumps(figures(app))


def test_the_slider_s_stop_is_in_the_link():
    app = finish(open_app("labs", **{"labs.lab": "theorem", "labs.stop": "400"}))
    assert sentence(app).startswith("With 400 rows")
    finish(open_app("labs", **{"labs.lab": "theorem", "labs.stop": "41"}))


def test_the_slider_of_the_phases_is_the_level_of_layers_too():
    networks = "Network of infinite width (NNGP)"
    for recipe in ({}, {"labs.recipe": networks}):
        app = finish(open_app("labs", **{"labs.lab": "phases", "labs.stop": "3", **recipe}))
        assert_sound(app)
        assert "kernels of level 3; memorising" in sentence(app)
        assert figures(app)


def test_the_shelf_opens_a_lab():
    app = finish(open_app("labs"))
    app.button(key="labs.open.theorem").click().run()
    assert sentence(finish(app)).startswith("With 100 rows")
