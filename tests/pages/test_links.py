"""What a link can say: the view that it was copied from, or nonsense, which costs a sentence and never the page."""

from __future__ import annotations

import os

import pytest

from kernlib import normal_form
from kernlib.experiments.decisions import default_kernel
from kernlib.parse import parse
from pages.parts.session.state import DataChoice

from .drive import (
    add,
    component,
    figures,
    give,
    heat,
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


def test_the_address_leads_another_session_to_the_same_view():
    first = open_app(data="markov-strings")
    give(first, "g.markov-strings.seed", 3)
    add(first, "Deep")
    assert link(first)["g.seed"] == "3"
    second = open_app(**link(first))
    assert kernel(second) == kernel(first)
    assert session(second).data == session(first).data
    assert heat(second) == heat(first)
    assert heat(second) != heat(open_app(data="markov-strings", kernel=repr(kernel(first))))


#: Of hostile kernels two; tests/kernels/test_parse.py has what else the parser refuses.
@pytest.mark.parametrize(
    ("data", "text", "said"),
    [
        ("banana", "__import__('os').system('touch trap')", "Not read here"),
        ("banana", "RBF(" * 3000, "kernel could not be used"),
        ("banana", "RBF(sigma=1.7e308)", "size from 1e-150 to 1e+150"),
        ("banana", f"Linear() + {'9' * 400}", "400 digits"),
        ("banana", "RBF(wrong=1)", "wrong"),
        ("banana", "Deep(RBF(sigma=1.0), level=99999)", "level"),
        ("promoters", "RBF(sigma=1.0)", "vector rows"),
        ("markov-strings", "Deep(Overlap(), level=2)", "categorical rows"),
        ("banana", " + ".join(["Linear()"] * 21), "it joins 21 kernels; expected at most 20"),
    ],
)
def test_a_kernel_that_cannot_be_used_is_a_sentence_and_the_proposed_kernel(data, text, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    app = open_app(data=data, kernel=text)
    assert not os.listdir(tmp_path)
    assert kernel(app) == default_kernel(rows(app))
    (words,) = link_words(app)
    assert said in words
    assert len(words) < 800
    # Pages run anew by themselves: it stays until a hand changes something. The address is that of what is shown.
    assert link_words(app.run()) == [words]
    assert link(app)["kernel"] == repr(kernel(app))


def test_a_control_of_an_earlier_page_has_todays_name():
    app = open_app("curves", data="banana", curves__range="0.5|1.0")
    assert {name: text for name, text in link(app).items() if name.endswith(".range")} == {"choose.range": "0.5|1.0"}


@pytest.mark.parametrize(
    ("asked", "shown", "said"),
    [
        ({"data": "../../etc/passwd"}, "markov-strings", "does not exist here"),
        ({"data": "<b>x</b>" * 600}, "markov-strings", "does not exist here"),
        ({"data": ""}, "markov-strings", "does not exist here"),
        *(({"data": "twonorm", "g.n": n}, "twonorm", "n=") for n in ("-5", "nan", "100000000", "1; import os")),
    ],
)
def test_unknown_data_or_rows_are_a_sentence_until_the_next_page_or_change(asked, shown, said):
    app = open_app(**asked)
    assert session(app).data == DataChoice(shown)
    (words,) = link_words(app)
    assert said in words
    show(app, "data") if asked["data"] else app.slider[-1].set_value(0.7).run()
    assert link_words(app) == []


@pytest.mark.usefixtures("in_red")
def test_values_that_are_not_finite_are_a_sentence_and_the_slider():
    app = open_app(data="banana", kernel="Polynomial(degree=3, offset=1e+150)")
    (error,) = app.error
    assert "expected finite values" in error.value
    assert component(app, "scrub")


@pytest.mark.parametrize(
    "text",
    [
        "0.0 * Linear()",
        "SoftMarginDiagonal(Linear(), weight=0.0)",
        "RBF(sigma=1e-150)",
        "RBF(sigma=2.0000001)",
        "Polynomial(degree=3, offset=123.45)",
        "Polynomial(degree=64, offset=0.0)",
        "Deep(Linear(), level=50)",
        " + ".join(["Linear()"] * 20),
    ],
)
def test_what_the_parser_takes_a_widget_can_show(text):
    app = open_app(data="banana", kernel=text, g__n="20")
    for page in (app, app.run()):
        assert kernel(page) == parse(text), sentences(page)
    # A browser says which stop of a slider was chosen by its words alone.
    for slider in app.select_slider:
        assert len(set(slider.proto.options)) == len(slider.proto.options)


#: What the parser takes, and pages can do nothing or little with: all rows are one; zeros; beyond float.
AT_THE_ENDS = [
    "RBF(sigma=1e+150)",
    "Deep(RBF(sigma=1000000.0), level=8)",
    "Normalized(Centered(Constant(value=2.0)))",
    "Empirical(Constant(value=2.0))",
    "Normalized(ANOVA(order=8))",
    "SoftMarginDiagonal(Linear(), weight=0.0)",
    "Nystrom(0.0 * Linear(), landmarks=3)",
    "Repaired((Linear()**64)**64, method='shift')",
    "(1e+150 * Linear())**3",
]


@pytest.mark.filterwarnings("ignore:ANOVA")
@pytest.mark.usefixtures("in_red")
@pytest.mark.parametrize("text", AT_THE_ENDS)
def test_a_kernel_at_the_ends_costs_no_page(text):
    """One session through all pages that draw it: it is the one asked for, and at most one sentence says why not."""
    app = open_app("data", data="banana", kernel=text, g__n="12")
    for view in ("see", "depth", "spectrum", "use", "curves"):
        show(app, view)
        assert kernel(app) == normal_form(parse(text)), sentences(app)
        assert len(app.error) <= 1, view
        assert view not in ("see", "depth", "spectrum") or figures(app) or app.info or app.error, view


@pytest.mark.usefixtures("in_red")
def test_a_level_over_a_constant_kernel_is_a_sentence_and_the_slider():
    app = open_app(data="banana", kernel="RBF(sigma=1e+150)", g__n="20")
    good = heat(app)
    add(app, "Deep")
    assert len(app.error) == 1
    assert not figures(app)
    assert component(app, "scrub")
    # The step that failed is still there to be taken away again.
    press(app, f"away.{session(app).steps[1].uid}")
    assert not app.error
    assert heat(app) == good
