"""Every lab draws on its own data and on the person's, and says what is missing where it cannot."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from pages.views.labs.contents import LABS, SHELVES

from .drive import SMALLER, choose, figures, finish, headline, open_app, press


def lab(name: str, data: str = "banana", mine: bool = True, **link: str):
    """Open a lab, by default on a person's data."""
    return finish(open_app("labs", **{"lab": name, "data": data, **({"labs.data": "mine"} if mine else {})}, **link))


@pytest.mark.parametrize("name", LABS)
def test_a_lab_stands_alone_and_offers_other_rows(name, monkeypatch):
    """On its own rows there is nothing else to choose."""
    own, choice = LABS[name], LABS[name].choice
    app = lab(name, "iris", mine=False)
    assert headline(app)
    assert "Measured" not in headline(app)
    (lead,) = [one.value for one in app.caption if re.sub(r"\[(.*?)\]\(.*?\)", r"\1", one.value)[:40] == own.shown[:40]]
    assert "Drag " in lead
    assert len(set(map(str, app.button_group(key="labs.data").options))) == 2
    monkeypatch.setitem(LABS, name, replace(own, draw=lambda *_: None))
    rows = ({"n": choice.load().n} if choice.name in SMALLER else {}) | dict(choice.parameters)
    for kernel, offered in ((own.kernel, False), (f"Normalized({own.kernel})", not own.own_kernels)):
        here = {f"g.{key}": str(value) for key, value in rows.items()} | {"labs.lab": name, "data": choice.name}
        app = open_app("labs", kernel=kernel, **here)
        assert any(one.key == "labs.data" for one in app.button_group) == offered, kernel


@pytest.mark.parametrize("name", ["phi", "theorem", "criterion", "capacity", "leak", "imbalance", "pixels"])
def test_a_lab_draws_a_person_s_data(name):
    app = lab(name)
    assert headline(app)
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
    (note,) = lab(name, data).info
    assert lacks in note.value
    assert note.value.count(":") == 1, "the data set is named once"


@pytest.mark.parametrize("name", ["phi", "criterion", "bandwidth"])
def test_real_targets_have_an_unexplained_variance(name):
    app = lab(name, "sinc")
    assert "unexplained variance" in headline(app)
    shown = f"{headline(app)} {figures(app)} {[one.value for one in app.markdown]}"
    assert not re.search("(test|training|leave-one-out) error", shown.lower())


def test_a_person_s_other_kernel_on_the_strings_has_a_point():
    app = lab("against", "markov-strings", kernel="Spectrum(length=2)")
    assert "of 11 data sets" in headline(app)
    assert '"my kernel"' in json.dumps(figures(app))


def test_the_shelf_opens_a_lab_and_the_slider_s_stop_is_in_the_link():
    app = press(finish(open_app("labs")), "labs.open.theorem")
    for stop, rows in ((None, 100), ("400", 400), ("41", 100)):  # the last is no stop
        assert headline(finish(choose(app, "labs.stop", stop))).startswith(f"With {rows} rows")


def test_every_lab_stands_on_one_shelf():
    assert sorted(name for names in SHELVES.values() for name in names) == sorted(LABS)
