"""Pages of a server that `kernlib show` or `kernlib.show` has started: its rows, its kernels, and what goes back."""

from __future__ import annotations

import os

import numpy as np
import pytest

from kernlib import kernel_from
from kernlib.serving import opened as folder_of
from kernlib.serving.inputs import dataset_of
from kernlib.serving.opened import Opened
from tests.own import kernels

from .drive import (
    VIEWS,
    assert_sound,
    choose_data,
    figures,
    finish,
    kernel,
    link,
    link_words,
    open_app,
    sentences,
    session,
    show,
)

TABLE = "size,width,class\n" + "".join(f"{i % 5}.5,{i * i % 7}.25,{'ab'[i % 2]}\n" for i in range(16))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The private folder of this process, as if a command had started it."""
    monkeypatch.setenv(folder_of.VARIABLE, str(tmp_path))
    folder_of.write_opened(tmp_path, Opened())
    return tmp_path


def opened_files(folder, *files, **more) -> None:
    folder_of.write_opened(folder, Opened(files=tuple(map(str, files)), **more))


def test_rows_that_were_handed_over_are_shown_and_the_kernel_goes_back(folder):
    rng = np.random.default_rng(0)
    name, file = folder_of.add_dataset(folder, dataset_of(rng.normal(size=(20, 2)), ["a", "b"] * 10, name="Mine"))
    folder_of.write_opened(folder, Opened(sets=((name, file),)))
    app = open_app("see")
    assert_sound(app)
    assert link_words(app) == []
    assert session(app).data.name == name
    assert folder_of.noted_kernel(folder, name) == repr(kernel(app))
    first = repr(kernel(app))
    other = open_app("see", data=name, kernel="RBF(sigma=7.0)")
    assert folder_of.noted_kernel(folder, name) == "RBF(sigma=7.0)" == repr(kernel(other))
    assert link_words(other) == []
    assert "only the session that uploaded a file" in link_words(open_app("see", data="upload:0123456789ab"))[0]
    later, second = folder_of.add_dataset(folder, dataset_of(["gattaca", "attaca", "ccgt"]))
    folder_of.write_opened(folder, Opened(sets=((name, file), (later, second))))
    app.run()
    choose_data(app, later)
    assert_sound(app)
    assert folder_of.noted_kernel(folder, later) == repr(kernel(app))
    assert folder_of.noted_kernel(folder, name) == first  # the session that ran last
    assert session(open_app("see")).data.name == later  # the newest, for an address without a name


def test_a_file_that_is_clear_is_shown_at_once_and_read_again_when_it_changes(folder, tmp_path):
    file = tmp_path / "table.csv"
    file.write_text(TABLE)
    opened_files(folder, file, kernel="RBF(sigma=3.0)")
    app = open_app("see")
    assert_sound(app)
    assert (session(app).load(session(app).data).n, repr(kernel(app))) == (16, "RBF(sigma=3.0)")
    assert not [b for b in app.button if b.key == "opened.again"]
    file.write_text(TABLE + "9.0,9.0,a\n")
    os.utime(file, (1, 1))
    app.run()
    assert "table.csv: changed on disk." in [i.value for i in app.info]
    app.button(key="opened.again").click().run()
    assert_sound(app)
    assert (session(app).load(session(app).data).n, repr(kernel(app))) == (17, "RBF(sigma=3.0)")
    assert not [b for b in app.button if b.key == "opened.again"]
    file.unlink()
    app.run()
    app.button(key="opened.again").click().run()
    assert "cannot be read" in str(session(app).notices)
    assert session(app).load(session(app).data).n == 17
    if hasattr(os, "mkfifo"):
        os.mkfifo(file)
        app.run()
        app.button(key="opened.again").click().run()
        assert "is no file any more" in str(session(app).notices)


def test_a_file_with_a_question_opens_the_page_that_asks_it_unless_the_command_answers(folder, tmp_path):
    file = tmp_path / "gaps.csv"
    file.write_text(TABLE.replace("0.5,0.25", ",0.25", 1))
    opened_files(folder, file)
    app = open_app("see")
    assert session(app).page == "data"
    show(app, "data")
    next(box for box in app.selectbox if box.label == "1 missing").select("drop").run()
    app.button(key="upload.use").click().run()
    assert session(app).load(session(app).data).n == 15
    opened_files(folder, file, choices={"missing": "mean"})
    app = open_app("see")
    assert session(app).page == "see"
    assert session(app).load(session(app).data).missing == 1
    show(app, "data")
    assert "1 missing numbers" in sentences(app)
    assert "missing numbers" not in sentences(open_app("data", data="iris")), "no 0"


def test_a_sample_a_wrong_kernel_and_a_broken_one_cost_a_sentence(folder):
    (folder / "kernels").mkdir()
    (folder / "kernels" / "Gone.pickle").write_bytes(b"cnowhere_at_all\nf\n.")
    folder_of.write_opened(folder, Opened(sample="wine", kernel="Gone()"))
    app = open_app("see")
    assert_sound(app)
    assert session(app).data.name == "wine"
    said = " ".join(link_words(app))
    assert "Gone: ModuleNotFoundError" in said
    assert "Unknown name 'Gone'" in said


def test_a_link_from_elsewhere_names_the_file_of_its_kernel():
    cls = kernel_from(kernels.cauchy, name="Cauchy")
    there = link(open_app("see", data="banana", kernel=repr(cls(gamma=3.0))))
    assert (there["kernel"], there["load"]) == ("Cauchy(gamma=3.0)", "kernels.py")


def test_without_the_kernel_such_a_link_says_which_file_to_load():
    app = open_app("see", data="banana", kernel="Cauchy(gamma=3.0)", load="kernels.py")
    assert_sound(app)
    (said,) = link_words(app)
    assert "kernels.py defines it" in said
    assert "kernlib show" in said


def test_a_menu_a_slider_and_a_card_show_it():
    cls = kernel_from(kernels.cauchy, name="Cauchy")
    app = open_app("spectrum", data="banana", kernel="Cauchy(gamma=3.0)", **{"g.n": "60"})
    assert_sound(app)
    assert any(s.label == "gamma γ" for s in app.select_slider)
    assert any("Cauchy" in s.options for s in app.selectbox if s.label == "Kernel")
    assert any(b.label == "Cauchy" for b in app.button)
    show(app, "reference")
    assert any("**Cauchy**" in e.label for e in app.expander)
    assert cls.__doc__


@pytest.mark.parametrize(
    ("name", "words"),
    [("lopsided", "must be symmetric"), ("raises", "ZeroDivisionError, a row is negative"), ("holes", "is nan")],
)
def test_a_bad_one_leaves_every_page_alive(name, words):
    bad = kernel_from(getattr(kernels, name))()
    app = open_app("see", data="banana", kernel=repr(bad), **{"g.n": "40"})
    for view in VIEWS:
        finish(show(app, view))
        assert not app.exception, [e.stack_trace for e in app.exception]
        if view == "see":
            shown = (*app.error, *app.warning, *app.info, *app.markdown, *app.subheader)
            assert any(words in e.value for e in shown)
            assert "see.gram" in figures(app)  # for two of them that of the proposed kernel


def test_a_kernel_that_ends_its_process_is_an_error_on_the_page():
    bad = kernel_from(kernels.leaves)()
    app = finish(open_app("see", data="banana", kernel=repr(bad), **{"g.n": "40"}))
    assert any("SystemExit, no negative rows" in e.value for e in (*app.error, *app.warning, *app.info))
