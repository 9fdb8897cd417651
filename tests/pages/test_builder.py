"""The kernel builder: steps added, removed, switched off, moved; widgets that say what was declared."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from streamlit.testing.v1 import AppTest

from kernlib import (
    RBF,
    Encoded,
    Kernel,
    Linear,
    Log,
    Normalized,
    Power,
    ProbabilityOverlap,
    Spectrum,
    SpectrumMixture,
    SquareRoot,
    Subsequence,
    Sum,
    normal_form,
)
from kernlib.analysis import diagonal_ratio
from kernlib.data import load_dataset
from kernlib.machines import MACHINES
from kernlib.protocols import PROTOCOLS
from kernlib.registry import ALGEBRA, KERNELS, WRAPPERS
from pages.parts.session.chain import assemble, can_wrap, take_apart
from pages.parts.session.parameters import numbers
from tests.kernels.examples import EXAMPLES, base_for

from .drive import add, assert_sound, ending, heat, hold, kernel, menu, open_app, session, starting


def every_kernel() -> list[Kernel]:
    chosen = [k for kernels in EXAMPLES.values() for k in kernels]
    leaves = [cls() for cls in KERNELS if cls not in EXAMPLES and cls not in WRAPPERS + ALGEBRA]
    wrapped = [cls(base_for(cls)) for cls in WRAPPERS if cls not in EXAMPLES]
    return chosen + leaves + wrapped


def test_taken_apart_and_put_together_again():
    for example in map(normal_form, every_kernel()):
        steps = take_apart(example)
        assert assemble(steps) == example
        assert repr(assemble(steps)) == repr(example)
        assert len({s.uid for s in steps}) == len(steps)


#: Runs as a page of its own: one widget for the parameter, and what it returned beside it.
PAGE = """
import streamlit as st
from kernlib.registry import KERNELS
from kernlib.data import CATALOGUE
from kernlib.machines import MACHINES
from kernlib.protocols import PROTOCOLS
from pages.parts.inputs import controls
from pages.parts.session import link
from pages.parts.inputs.controls import parameter_control

link.read()
controls.begin()
kinds = {k.__name__: k for k in (*KERNELS, *MACHINES, *PROTOCOLS)}
owner = st.session_state["owner"]
declared = kinds[owner].parameters() if owner in kinds else CATALOGUE[owner].parameters()
st.session_state["returned"] = {p.name: parameter_control(p, p.default, f"0.{owner}.{p.name}") for p in declared}
"""

WITH_PARAMETERS = [k for k in (*KERNELS, *MACHINES, *PROTOCOLS) if k.parameters()]


@pytest.mark.parametrize("cls", WITH_PARAMETERS, ids=lambda k: k.__name__)
def test_every_parameter_has_a_widget_that_returns_its_default_and_its_whole_range(cls):
    page = AppTest.from_string(PAGE, default_timeout=600)
    page.session_state["owner"] = cls.__name__
    page.run()
    assert_sound(page)
    returned = page.session_state["returned"]
    for p in cls.parameters():
        assert returned[p.name] == p.default
        assert type(returned[p.name]) is type(p.default)
        if p.default is not None or p.kind == "choice":
            assert p.clean(returned[p.name], cls.__name__) == p.default
    drawn = {w.key for kind in (page.slider, page.select_slider, page.selectbox, page.toggle) for w in kind}
    for p in cls.parameters():
        if p.kind != "other" and (p.kind in ("choice", "bool") or p.low is not None):
            assert any(key.startswith(f"0.{cls.__name__}.{p.name}") for key in drawn), p.name
    # A second run with nothing touched says the same.
    assert page.run().session_state["returned"] == returned
    by_name = {p.name: p for p in cls.parameters()}

    def check(widget) -> None:
        page.run()
        assert_sound(page)
        name = widget.key.split(".")[2]
        by_name[name].clean(page.session_state["returned"][name], cls.__name__)

    for key, low, high in [(s.key, s.min, s.max) for s in page.slider]:
        for value in (low, high):
            check(page.slider(key=key).set_value(value))
    for key in [s.key for s in page.select_slider]:
        p = by_name[key.split(".")[2]]
        for value in (p.low, p.high):
            check(page.select_slider(key=key).set_value(value))
    for key in [s.key for s in page.selectbox]:
        for i in range(len(page.selectbox(key=key).options)):
            check(page.selectbox(key=key).select_index(i))
    for key in [s.key for s in page.toggle]:
        check(page.toggle(key=key).set_value(not page.toggle(key=key).value))


def test_the_base_kernel_changes_and_the_steps_stay():
    app = open_app(data="banana", kernel="Normalized(Linear())")
    base = session(app).steps[0]
    app.selectbox(key=f"base.{base.uid}").select("Polynomial").run()
    assert_sound(app)
    assert type(kernel(app)) is Normalized
    assert type(kernel(app).kernel).__name__ == "Polynomial"
    # And on: the new base has a menu of its own that works.
    app.selectbox(key=f"base.{session(app).steps[0].uid}").select("Linear").run()
    assert kernel(app) == Normalized(Linear())


@pytest.mark.parametrize("join", ["Sum", "Product"])
def test_a_second_kernel_of_a_sum_or_product(join):
    app = open_app(data="banana")
    base, plain = kernel(app), heat(app)
    add(app, join)
    assert_sound(app)
    assert (type(kernel(app)).__name__, kernel(app).left) == (join, base)
    joined = heat(app)
    assert joined != plain
    second = session(app).steps[1].chains["right"][0].uid
    app.selectbox(key=f"base.{second}").select("Polynomial").run()
    assert_sound(app)
    assert type(kernel(app).right).__name__ == "Polynomial"
    was = heat(app)
    second = session(app).steps[1].chains["right"][0].uid
    app.slider(key=f"{second}.Polynomial.degree").set_value(5).run()
    assert kernel(app).right.degree == 5
    assert heat(app) != was
    assert heat(app) != joined


def test_every_step_that_can_be_added_keeps_the_page_whole():
    app = open_app(data="banana")
    before = session(app)
    for cls in (k for k in (*WRAPPERS, *ALGEBRA) if can_wrap(k)):
        name = cls.__name__
        hold(app, before)
        offered = menu(app)
        assert offered.format_func(name) in offered.options, "offered for vectors"
        add(app, name)
        assert not app.exception, name
        assert [s.name for s in session(app).steps].count(name) == 1
        # What cannot be shown says so in a sentence and leaves a figure.
        assert heat(app), name
        assert len(app.error) <= 1, name


def test_a_learnt_width_is_a_word_and_turned_off_a_number():
    app = open_app(data="banana", kernel="RBF(sigma='median')")
    assert kernel(app) == RBF(sigma="median")
    ending(app.toggle, "RBF.sigma.word").set_value(False).run()
    assert_sound(app)
    assert isinstance(kernel(app).sigma, float)
    ending(app.toggle, "RBF.sigma.word").set_value(True).run()
    assert kernel(app) == RBF(sigma="median")


def test_a_width_for_each_column_is_learnt_or_set_by_hand():
    app = open_app(data="banana", kernel="RBF(sigma=0.8)")
    ending(app.selectbox, "RBF.sigma.each").set_value("leave-one-out").run()
    assert_sound(app)
    assert kernel(app) == RBF(sigma="leave-one-out")
    ending(app.selectbox, "RBF.sigma.each").set_value("alone").run()
    assert isinstance(kernel(app).sigma, float)
    width = kernel(app).sigma
    ending(app.selectbox, "RBF.sigma.each").set_value("given").run()
    assert kernel(app) == RBF(sigma=(width, width))
    ending(app.select_slider, "RBF.sigma.1").set_value(10.0).run()
    assert_sound(app)
    assert kernel(app) == RBF(sigma=(width, 10.0))


def test_weights_of_lengths_follow_the_length():
    app = open_app(data="promoters", kernel="SpectrumMixture(length=2)")
    ending(app.selectbox, "SpectrumMixture.weights.each").set_value("given").run()
    assert kernel(app) == SpectrumMixture(length=2, weights=(1.0, 1.0))
    ending(app.slider, "SpectrumMixture.weights.0").set_value(0.25).run()
    ending(app.slider, "SpectrumMixture.length").set_value(3).run()
    assert_sound(app)
    assert kernel(app) == SpectrumMixture(length=3, weights=(0.25, 1.0, 1.0))
    assert not [p for p in numbers(kernel(app)) if p.path.endswith("length")], "a run over lengths has other weights"


def test_the_chips_say_the_kernel_in_order():
    app = open_app(data="promoters", kernel="Deep(Log(Subsequence(order=2, decay=0.5)), level=2)")
    assert isinstance(kernel(app).kernel, Log)
    chain = starting(app.button_group, "chain.").options
    assert [word.split("(")[0] for word in chain] == ["Subsequence", "log", "level 2"]


def inside(app: AppTest, *keys: str):
    """The chain inside the base kernel, then inside that one's, and so on."""
    chain = session(app).steps
    for key in keys:
        chain = chain[0].chains[key]
    return chain


def test_every_kernel_inside_another_is_edited_in_the_same_builder():
    """The parts of a convolution, and a step added inside one of them."""
    pair = "Convolution('two-substrings', (Spectrum(length=2), Spectrum(length=2)))"
    app = open_app(data="promoters", kernel=pair, **{"g.n": "20"})
    first, second = (inside(app, f"kernels.{i}")[0] for i in (0, 1))
    app.slider(key=f"{first.uid}.Spectrum.length").set_value(3).run()
    app.menu_button(key=f"adding.{second.uid}").click("Normalized").run()
    assert_sound(app)
    assert kernel(app).kernels == (Spectrum(length=3), Normalized(Spectrum(length=2)))


def test_an_encoding_starts_from_the_width_that_its_letters_suggest():
    app = open_app(data="promoters")
    app.selectbox(key=f"base.{inside(app)[0].uid}").select("Encoded").run()
    assert_sound(app)
    whole = normal_form(kernel(app)).specification
    encoded = next(k for k in (whole, *whole.children) if isinstance(k, Encoded))
    X = load_dataset("promoters").rows
    K = encoded(X)
    off = K[~np.eye(len(K), dtype=bool)]
    assert 0.3 < np.median(off) < 0.9, "σ = 1 would make the identity"


def test_a_mixed_table_is_edited_group_by_group():
    app = open_app(data="heart-mixed")
    assert type(kernel(app)) is Sum
    numbers = kernel(app).left.columns
    app.multiselect(key=f"columns.{inside(app)[0].uid}").set_value(list(numbers[:2])).run()
    assert_sound(app)
    assert kernel(app).left.columns == numbers[:2]
    second = session(app).steps[1].chains["right"][0].chains["kernel"][0]
    app.selectbox(key=f"base.{second.uid}").select("ProbabilityOverlap").run()
    assert_sound(app)
    assert isinstance(kernel(app).right.kernel, ProbabilityOverlap)


def test_a_named_function_is_that_function_on_the_data():
    """Over equal steps of the value all pairs lay before the second point: every drawing was a line there."""
    app = open_app(data="markov-strings", kernel="Subsequence()")
    rows = load_dataset("markov-strings").rows
    K = Subsequence()(rows)
    add(app, "Entrywise")
    before = heat(app)
    for name, p in (("√", 0.5), ("unchanged", 1.0), ("v²", 2.0)):
        ending(app.button, f"drawn.{name}").click().run()
        assert_sound(app)
        drawn = kernel(app)(rows)
        assert_allclose(drawn / drawn.max(), (K / K.max()) ** p, rtol=1e-3)
        assert name == "unchanged" or heat(app) != before
        if name == "√":
            assert diagonal_ratio(drawn) == pytest.approx(diagonal_ratio(Power(Subsequence(), p=0.5)(rows)), rel=1e-3)
            assert 20 < diagonal_ratio(drawn) < 22
    ending(app.button, "drawn.log").click().run()
    drawn = kernel(app)(rows)
    assert_allclose(drawn / drawn.max(), np.log1p(K) / np.log1p(K.max()), rtol=0.01)
    app = open_app(data="markov-strings", kernel="Subsequence()")
    add(app, "Eigenwise")
    ending(app.button, "drawn.√").click().run()
    assert_sound(app)
    root, expected = kernel(app)(rows), SquareRoot(Subsequence())(rows)
    assert_allclose(root / root.max(), expected / expected.max(), atol=1e-3)
