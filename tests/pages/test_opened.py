"""Pages of a server that `kernlib show` or `kernlib.show` has started: its rows, its kernels, and what goes back."""

from __future__ import annotations

import os

import numpy as np
import pytest

from kernlib import kernel_from
from kernlib.own.base import known_by_name
from kernlib.serving import opened as folder_of
from kernlib.serving.inputs import dataset_of
from kernlib.serving.opened import Opened
from pages.parts.server import caching
from pages.parts.session import uploaded
from tests.own import kernels

from .drive import (
    VIEWS,
    buttons,
    choose_data,
    figures,
    finish,
    give,
    kernel,
    link,
    link_words,
    open_app,
    press,
    rows,
    sentences,
    session,
    show,
)

TABLE = "size,width,class\n" + "".join(f"{i % 5}.5,{i * i % 7}.25,{'ab'[i % 2]}\n" for i in range(16))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The private folder of this process, as if a command had started it."""
    monkeypatch.setenv(folder_of.VARIABLE, str(tmp_path))
    return tmp_path


def opened(folder, *files, **more):
    """Return the page See, as the command has opened it."""
    folder_of.write_opened(folder, Opened(files=tuple(map(str, files)), **more))
    return open_app("see")


def test_rows_that_were_handed_over_are_shown_and_the_kernel_goes_back(folder):
    rng = np.random.default_rng(0)
    name, file = folder_of.add_dataset(folder, dataset_of(rng.normal(size=(20, 2)), ["a", "b"] * 10, name="Mine"))
    app = opened(folder, sets=((name, file),))
    assert session(app).data.name == name
    first = repr(kernel(app))
    assert folder_of.noted_kernel(folder, name) == first
    other = open_app("see", data=name, kernel="RBF(sigma=7.0)")
    assert folder_of.noted_kernel(folder, name) == "RBF(sigma=7.0)" == repr(kernel(other))
    assert link_words(app) == link_words(other) == []
    assert "only the session that uploaded a file" in link_words(open_app("see", data="upload:0123456789ab"))[0]
    later, second = folder_of.add_dataset(folder, dataset_of(["gattaca", "attaca", "ccgt"]))
    newest = opened(folder, sets=((name, file), (later, second)))
    assert session(newest).data.name == later, "for an address without a name"
    choose_data(app.run(), later)
    assert folder_of.noted_kernel(folder, later) == repr(kernel(app))
    assert folder_of.noted_kernel(folder, name) == first  # the session that ran last


def test_a_file_that_is_clear_is_shown_at_once_and_read_again_when_it_changes(folder, tmp_path):
    file = tmp_path / "table.csv"
    file.write_text(TABLE)
    app = opened(folder, file, kernel="RBF(sigma=3.0)")
    assert (rows(app).n, repr(kernel(app))) == (16, "RBF(sigma=3.0)")
    assert "opened.again" not in buttons(app)
    file.write_text(TABLE + "9.0,9.0,a\n")
    os.utime(file, (1, 1))
    assert "table.csv: changed on disk." in sentences(app.run())
    press(app, "opened.again")
    assert (rows(app).n, repr(kernel(app))) == (17, "RBF(sigma=3.0)")
    assert "opened.again" not in buttons(app)
    file.unlink()
    assert "cannot be read" in str(session(press(app.run(), "opened.again")).notices)
    assert rows(app).n == 17
    if hasattr(os, "mkfifo"):
        os.mkfifo(file)
        assert "is no file any more" in str(session(press(app.run(), "opened.again")).notices)


def test_a_file_with_a_question_opens_the_page_that_asks_it_unless_the_command_answers(folder, tmp_path):
    file = tmp_path / "gaps.csv"
    file.write_text(TABLE.replace("0.5,0.25", ",0.25", 1))
    app = opened(folder, file)
    assert session(app).page == "data"
    give(show(app, "data"), "1 missing", "drop")
    assert rows(press(app, "upload.use")).n == 15
    app = opened(folder, file, choices={"missing": "mean"})
    assert (session(app).page, rows(app).missing) == ("see", 1)
    assert "1 missing numbers" in sentences(show(app, "data"))
    assert "missing numbers" not in sentences(open_app("data", data="iris")), "no 0"


def test_a_sample_a_wrong_kernel_and_a_broken_one_cost_a_sentence(folder):
    (folder / "kernels").mkdir()
    (folder / "kernels" / "Gone.pickle").write_bytes(b"cnowhere_at_all\nf\n.")
    app = opened(folder, sample="wine", kernel="Gone()")
    assert session(app).data.name == "wine"
    said = " ".join(link_words(app))
    assert "Gone: ModuleNotFoundError" in said
    assert "Unknown name 'Gone'" in said


def test_kernels_of_the_folder_do_not_replace_those_that_came_later(folder):
    """Room made in the cache registered them again."""
    opened(folder)
    folder_of.add_kernels(folder, [kernel_from(kernels.cauchy, name="Mine")()])
    uploaded._register(folder)
    uploaded._sets(folder)
    newer = kernel_from(lambda X, Y: X @ Y.T, name="Mine")
    caching._shared.of.clear()
    uploaded._register(folder)
    uploaded._sets(folder)
    assert known_by_name("Mine") is newer


def test_a_link_from_elsewhere_names_the_file_of_its_kernel():
    there = dict(data="banana", kernel="Cauchy(gamma=3.0)", load="kernels.py")
    (said,) = link_words(open_app("see", **there))
    assert "kernels.py defines it" in said
    assert "kernlib show" in said
    kernel_from(kernels.cauchy, name="Cauchy")
    app = open_app("spectrum", **there)
    assert there.items() <= link(app).items()
    assert any(s.label == "gamma γ" for s in app.select_slider)
    assert any("Cauchy" in s.options for s in app.selectbox if s.label == "Kernel")
    assert any(b.label == "Cauchy" for b in app.button)
    assert any("**Cauchy**" in e.label for e in show(app, "reference").expander)


@pytest.mark.usefixtures("in_red")
@pytest.mark.parametrize(
    ("name", "words", "views"),
    [
        ("lopsided", "must be symmetric", VIEWS),
        ("raises", "ZeroDivisionError, a row is negative", VIEWS),
        ("holes", "is nan", ("depth", "choose")),
        ("leaves", "SystemExit, no negative rows", ()),
    ],
)
def test_a_bad_one_leaves_every_page_alive(name, words, views):
    bad = kernel_from(getattr(kernels, name))()
    app = finish(open_app("see", data="banana", kernel=repr(bad)))
    assert words in f"{sentences(app)} {[e.value for e in app.subheader]}"
    assert "see.gram" in figures(app) or app.error
    for view in views:
        finish(show(app, view))
