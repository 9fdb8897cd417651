"""The kernel builder: steps added, removed, switched off, moved; widgets that say what was declared."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from streamlit.testing.v1 import AppTest

from kernlib import (
    RBF,
    Encoded,
    Linear,
    Normalized,
    Polynomial,
    ProbabilityOverlap,
    Spectrum,
    SpectrumMixture,
    SquareRoot,
    Subsequence,
    Sum,
    normal_form,
)
from kernlib.data import load_dataset
from kernlib.machines import MACHINES
from kernlib.protocols import PROTOCOLS
from kernlib.registry import ALGEBRA, KERNELS, WRAPPERS
from pages.parts.session.chain import assemble, can_wrap, numbers, take_apart
from tests.kernels.examples import EVERY

from .drive import add, figures, give, heat, holder, kernel, menu, open_app, press, sentences, session


def test_taken_apart_and_put_together_again():
    for example in map(normal_form, EVERY):
        steps = take_apart(example)
        assert assemble(steps) == example
        assert repr(assemble(steps)) == repr(example)
        assert len({s.uid for s in steps}) == len(steps)


#: Runs as a page of its own: a widget for every parameter, and what they returned.
PAGE = """
import streamlit as st
from pages.parts.inputs import controls
from pages import run
from tests.pages.test_builder import DECLARED

run.read_address()
controls.begin()
st.session_state["returned"] = {
    name: controls.parameter_control(p, p.default, f"0.{name}") for name, p in DECLARED.items()
}
"""
DECLARED = {f"{cls.__name__}.{p.name}": p for cls in (*KERNELS, *MACHINES, *PROTOCOLS) for p in cls.parameters()}


def test_every_parameter_has_a_widget_that_returns_its_default_and_its_whole_range():
    page = AppTest.from_string(PAGE, default_timeout=600).run()
    returned = page.session_state["returned"]
    drawn = [w.key for kind in (page.slider, page.select_slider, page.selectbox, page.toggle) for w in kind]
    for name, p in DECLARED.items():
        assert (returned[name], type(returned[name])) == (p.default, type(p.default)), name
        if p.kind != "other" and (p.kind in ("choice", "bool") or p.low is not None):
            assert any(key.startswith(f"0.{name}") for key in drawn), name
    # A second run with nothing touched says the same.
    assert page.run().session_state["returned"] == returned
    turns = max(len(box.options) for box in page.selectbox)
    for turn in range(2 * turns):
        for toggle in page.toggle:
            toggle.set_value(turn % 2 == 0)
        for box in page.selectbox:
            box.select_index(turn % len(box.options))
        for slider in page.slider:
            slider.set_value((slider.min, slider.max)[turn // turns])
        for slider in page.select_slider:
            p = DECLARED[".".join(slider.key.split(".")[1:3])]
            slider.set_value((p.low, p.high)[turn // turns])
        for name, value in page.run().session_state["returned"].items():
            assert value == DECLARED[name].default or DECLARED[name].clean(value, name) is not None


def test_the_base_kernel_changes_and_the_steps_stay():
    app = open_app(data="banana", kernel="Normalized(Linear())")
    for base in (Polynomial, Linear):  # the new base has a menu of its own that works
        give(app, f"base.{session(app).steps[0].uid}", base.__name__)
        assert (type(kernel(app)), type(kernel(app).kernel)) == (Normalized, base)


@pytest.mark.parametrize("join", ["Sum", "Product"])
def test_a_second_kernel_of_a_sum_or_product(join):
    app = open_app(data="banana")
    base, drawn = kernel(app), [heat(app)]
    add(app, join)
    assert (type(kernel(app)).__name__, kernel(app).left) == (join, base)
    drawn.append(heat(app))
    give(app, f"base.{session(app).steps[1].chains['right'][0].uid}", "Polynomial")
    drawn.append(heat(app))
    give(app, "Polynomial.degree", 5)
    assert kernel(app).right == Polynomial(degree=5)
    drawn.append(heat(app))
    assert len(set(map(str, drawn))) == 4


@pytest.mark.usefixtures("in_red")
def test_every_step_that_can_be_added_keeps_the_page_whole():
    app = open_app(data="banana", g__n="20")
    before = session(app)
    for cls in (k for k in (*WRAPPERS, *ALGEBRA) if can_wrap(k)):
        name = cls.__name__
        holder(app).state = before
        offered = menu(app)
        assert offered.format_func(name) in offered.options, "offered for vectors"
        add(app, name)
        assert [s.name for s in session(app).steps].count(name) == 1
        # What cannot be shown says so in a sentence in place of the figures.
        assert bool(figures(app)) != bool(app.error), name
        assert len(app.error) <= 1, name


def test_a_width_for_each_column_is_learnt_or_set_by_hand():
    app = open_app(data="banana", kernel="RBF(sigma=0.8)")
    give(app, "RBF.sigma.each", "Learn: leave-one-out")
    assert kernel(app) == RBF(sigma="leave-one-out")
    give(app, "RBF.sigma.each", "One for all")
    give(app, "RBF.sigma.word", True)
    assert kernel(app) == RBF(sigma="median")
    give(app, "RBF.sigma.word", False)
    width = kernel(app).sigma
    assert isinstance(width, float)
    give(app, "RBF.sigma.each", "Set by hand")
    assert kernel(app) == RBF(sigma=(width, width))
    give(app, "RBF.sigma.given", f"{width}, 10")
    assert kernel(app) == RBF(sigma=(width, 10.0))
    give(app, "RBF.sigma.given", "1, wide")
    assert kernel(app) == RBF(sigma=(width, 10.0))
    assert "expected 2 numbers with commas between them, one for each column" in sentences(app)


def test_weights_of_lengths_follow_the_length():
    app = open_app(data="promoters", kernel="SpectrumMixture(length=2)", g__n="20")
    give(app, "SpectrumMixture.weights.each", "Set by hand")
    assert kernel(app) == SpectrumMixture(length=2, weights=(1.0, 1.0))
    give(app, "SpectrumMixture.weights.given", "0.25, 1")
    give(app, "SpectrumMixture.length", 3)
    assert kernel(app) == SpectrumMixture(length=3, weights=(0.25, 1.0, 1.0))
    assert not [p for p in numbers(kernel(app)) if p.path.endswith("length")], "a run over lengths has other weights"


def test_every_kernel_inside_another_is_edited_in_the_same_builder():
    """The parts of a convolution, and a step added inside one of them."""
    pair = "Convolution('two-substrings', (Spectrum(length=2), Spectrum(length=2)))"
    app = open_app(data="promoters", kernel=pair, g__n="12")
    first, second = (chain[0].uid for chain in session(app).steps[0].chains.values())
    give(app, f"{first}.Spectrum.length", 3)
    app.menu_button(key=f"adding.{second}").click("Normalized").run()
    assert kernel(app).kernels == (Spectrum(length=3), Normalized(Spectrum(length=2)))


def test_an_encoding_starts_from_the_width_that_its_letters_suggest():
    app = open_app(data="promoters")
    give(app, f"base.{session(app).steps[0].uid}", "Encoded")
    encoded = next(k for k in normal_form(kernel(app)).specification.walk() if isinstance(k, Encoded))
    K = encoded(load_dataset("promoters").rows)
    assert 0.3 < np.median(K[~np.eye(len(K), dtype=bool)]) < 0.9, "σ = 1 would make the identity"


def test_a_mixed_table_is_edited_group_by_group():
    app = open_app(data="heart-mixed")
    assert type(kernel(app)) is Sum
    first, second = kernel(app).left.columns[:2], session(app).steps[1].chains["right"][0].chains["kernel"][0]
    give(app, f"columns.{session(app).steps[0].uid}", [*first])
    give(app, f"base.{second.uid}", "ProbabilityOverlap")
    assert (kernel(app).left.columns, type(kernel(app).right.kernel)) == (first, ProbabilityOverlap)


def test_a_named_function_is_that_function_on_the_data():
    """Over equal steps of the value all pairs lay before the second point: every drawing was a line there."""
    app = open_app(data="markov-strings", kernel="Subsequence()")
    rows = load_dataset("markov-strings").rows
    K = Subsequence()(rows)
    add(app, "Entrywise")
    before = heat(app)
    for name, p in (("√", 0.5), ("unchanged", 1.0), ("v²", 2.0)):
        press(app, f"drawn.{name}")
        drawn = kernel(app)(rows)
        assert_allclose(drawn / drawn.max(), (K / K.max()) ** p, rtol=1e-3)
        assert name == "unchanged" or heat(app) != before
    press(app, "drawn.log")
    drawn = kernel(app)(rows)
    assert_allclose(drawn / drawn.max(), np.log1p(K) / np.log1p(K.max()), rtol=0.01)
    app = open_app(data="markov-strings", kernel="Subsequence()")
    add(app, "Eigenwise")
    press(app, "drawn.√")
    root, expected = kernel(app)(rows), SquareRoot(Subsequence())(rows)
    assert_allclose(root / root.max(), expected / expected.max(), atol=1e-3)
