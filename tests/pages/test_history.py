"""Undo and redo; the number at hand; a kernel revised from elsewhere keeps what is switched off."""

from __future__ import annotations

import pytest

from kernlib import RBF, Deep, Empirical, Normalized, Polynomial, Power, Standardized, Subsequence
from pages.parts.session.parameters import difference, most_telling, numbers

from .drive import (
    assert_sound,
    figures,
    open_app,
    starting,
)


def test_a_kernel_without_a_number_offers_the_power_on_top_and_the_two_steps_of_the_sources():
    app = open_app("see", data="karate", kernel="Diffusion(beta=0.3)")
    assert_sound(app)
    app = open_app("see", data="digit-shift-scores")
    assert_sound(app)
    menu = starting(app.main.selectbox, "hand.which")
    assert menu.options == ["p of Power", "add a power p, then the empirical map", "add deep levels"]
    assert menu.value == "kernel.p"
    assert {"see.gram", "see.map"} <= set(figures(app))


@pytest.mark.parametrize(
    ("value", "telling"),
    [
        (Empirical(Power(Subsequence(), p=0.5)), "p"),
        (Deep(Standardized(RBF(sigma=2.0)), level=2), "level"),
        (Normalized(Polynomial(degree=4)), "degree"),
        (RBF(sigma="median"), "sigma"),
    ],
)
def test_the_most_telling_number(value, telling):
    assert most_telling(numbers(value)).place.parameter.name == telling


def test_one_moved_number_is_found_and_nothing_else_is():
    before = Empirical(Power(Subsequence(order=3, decay=0.25), p=0.5))
    assert difference(before, Empirical(Power(Subsequence(order=3, decay=0.25), p=0.6))) == "kernel.kernel.p"
    assert difference(before, Empirical(Power(Subsequence(order=2, decay=0.25), p=0.6))) is None
    assert difference(before, Power(Subsequence(order=3, decay=0.25), p=0.5)) is None
    assert difference(before, before) is None
