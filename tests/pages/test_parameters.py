"""The parameter in hand: the most telling one, what has moved, and values that change the picture."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

from kernlib import RBF, Deep, Empirical, KernlibError, Normalized, Polynomial, Power, Standardized, Subsequence
from kernlib.data import CATALOGUE, load_dataset
from pages.parts.session.chain import difference, most_telling, numbers, power_on_top
from pages.parts.session.state import default_kernel

from .drive import (
    figures,
    open_app,
    starting,
)


def test_a_kernel_without_a_number_offers_the_power_on_top_and_the_two_steps_of_the_sources():
    app = open_app("see", data="digit-shift-scores")
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


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_number_that_the_overview_offers_moves_the_picture(name):
    data = load_dataset(name)
    if data.n > 40 and data.domain not in ("node", "matrix", "pair"):
        data = data.stratified_sample(40)
    kernel = default_kernel(data)
    for number in numbers(kernel) or [power_on_top(kernel)]:
        values, shown = number.values(kernel.heuristics(data.inputs).get(number.place.parameter.name), 5), []
        while len(shown) < 2:
            with contextlib.suppress(KernlibError):  # a graph kernel beyond its radius has no value there
                shown.append(number.at(values[0]).specification.fold(data.inputs, y=data.y).K)
            values = values[:0:-1]  # from both ends
        assert not np.allclose(*shown, rtol=1e-3), number.label
