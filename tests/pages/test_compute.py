"""The caches: two kernels never share an entry, an entry cannot be written to, and a key is a value."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from kernlib import RBF, ArcCosine, Deep, Empirical, Linear, Normalized, Polynomial, Power, Product, Subsequence, Sum
from kernlib.analysis.doctor import LARGE_DIAGONAL
from kernlib.analysis.summary import plain_words
from kernlib.data import load_dataset
from kernlib.errors import DataError
from kernlib.experiments import RunSpec, curve, sweep
from kernlib.experiments.decisions import default_machine
from kernlib.machines import SVM
from kernlib.protocols import errors_on_halves, halves_protocol
from kernlib.stories.quantities import QUANTITIES, Scene
from kernlib.values.words import percent
from pages.parts.results import compute, levels, machines
from pages.parts.server import caching

from .drive import open_app

NESTED = [
    Sum(Linear(), RBF(sigma=1.0)),
    Sum(RBF(sigma=1.0), Linear()),
    Sum(Linear(), Polynomial()),
    Product(Linear(), RBF(sigma=1.0)),
    Normalized(Linear()),
    Normalized(RBF(sigma=1.0)),
    Empirical(Linear()),
]


@pytest.fixture(autouse=True)
def _empty_cache(monkeypatch):
    monkeypatch.setattr(caching, "_shared", caching._Results())


def banana():
    return load_dataset("banana", n=40)


def test_two_nested_kernels_never_share_an_entry():
    # Streamlit's own hash of a dataclass drops the class names of what it holds: Linear + RBF was Linear + Polynomial.
    data = banana()
    found = [compute.gram(data, kernel) for kernel in NESTED]
    for kernel, K in zip(NESTED, found, strict=True):
        assert_allclose(K, kernel.specification.fold(data.rows, y=data.y).K, rtol=1e-12, atol=1e-14)
    # The first two are the same sum in another order: equal values, an entry of its own.
    for (one, K), (other, L) in itertools.combinations(zip(NESTED[1:], found[1:], strict=True), 2):
        assert not np.allclose(K, L), (one, other)


def test_a_level_is_measured_once_whatever_stands_above_it():
    data = banana()
    recipe = levels.recipes(data, RBF(sigma=1.25))[0][0]
    two, three = (levels.measured(data, levels.Levels(recipe, count)) for count in (2, 3))
    two.work(60)
    known = two.value()
    assert len(known) == 3
    assert all(three.value()[level] is numbers for level, numbers in known.items())


def test_a_slider_that_moves_through_the_levels_computes_none_of_them_again():
    data = banana()
    for step in (Deep, ArcCosine):
        pages = [levels.recipes(data, step(RBF(sigma=1.25), level=level)) for level in (1, 2)]
        (one, at_1), (other, at_2) = (levels.levels_of_page(data, offered[0], outer) for offered, outer in pages)
        assert (at_1, at_2) == (1, 2)
        for shown in (levels.matrices, levels.frames, levels.small_pictures):
            assert shown(data, one) is shown(data, other)
        trained = [levels.trained_at_levels(data, found, SVM(), (0, 1)) for found in (one, other)]
        assert trained[0] is trained[1]


def test_what_comes_out_of_the_cache_is_read_only():
    K = compute.gram(banana(), Linear())
    with pytest.raises(ValueError, match="read-only"):
        K[0, 0] = 1.0


def _no_memory(*arguments, **options):
    raise MemoryError


def test_a_lack_of_memory_is_a_sentence_and_not_kept(monkeypatch):
    with monkeypatch.context() as short:
        short.setattr(Linear, "gram", _no_memory)
        with pytest.raises(DataError, match=r"Banana.*40 rows: The server has too little memory"):
            compute.gram(banana(), Linear())
    assert compute.gram(banana(), Linear()).shape == (40, 40)
    with monkeypatch.context() as short:
        short.setattr("pages.parts.frame.layout.gram_heatmap", _no_memory)
        assert "The server has too little memory" in open_app("see", data="banana").info[0].value


def test_two_of_several_classes_are_compared_once_for_all_machines(monkeypatch):
    data, folds = load_dataset("iris"), []
    fold = RBF.fold
    monkeypatch.setattr(compute, "require_quick", lambda *of: None)  # it evaluates the kernel, too
    monkeypatch.setattr(RBF, "fold", lambda self, *rows, **labels: folds.append(self) or fold(self, *rows, **labels))
    monkeypatch.setattr(machines, "held_out_decisions", lambda *of, **more: np.zeros(data.n))  # it has its own folds
    for C in (1.0, 10.0):
        machines.border(data, RBF(sigma=1.0), SVM(C=C), (0, 1))
    assert folds == [RBF(sigma=1.0)]


@pytest.mark.parametrize("p", [1.0, 0.5])
def test_one_kernel_has_one_error_wherever_it_stands(p):
    """Overview and film, Depth, the doctor, lessons and a run over five halves."""
    data = load_dataset("markov-strings", n=60)
    kernel = Empirical(Power(Subsequence(order=3, decay=0.25), p=p))
    expected = errors_on_halves(kernel, data.inputs, data.y)
    shown, _ = levels.recipes(data, kernel)
    deep = next(one for one in shown if isinstance(one.kernel, Deep))
    numbers = levels.measured(data, levels.Levels(deep, 1))
    numbers.work(60)
    scene = Scene(data, kernel)
    spec = RunSpec(data.name, kernel, default_machine(data), halves_protocol(), parameters=(("n", 60),))
    errors = {
        "overview": compute.frame(data, kernel).errors.test,
        "depth": numbers.value()[0].errors.test,
        "lessons": QUANTITIES["test error"].evaluate(scene) / 100,
        "error curves, five halves": float(curve(spec, sweep(spec)).mean[0]),
    }
    assert errors == pytest.approx(dict.fromkeys(errors, expected.test))
    assert compute.frame(data, kernel).errors == numbers.value()[0].errors == expected
    words = f"training error {percent(expected.training)}, test error {percent(expected.test)}"
    assert words in plain_words(compute.frame(data, kernel))
    found = [one.meaning for one in compute.findings(data, kernel) if one.name == LARGE_DIAGONAL]
    assert all(words in meaning for meaning in found)


def test_levels_of_many_rows_are_drawn_on_a_sample_and_measured_on_all_rows():
    data = load_dataset("twonorm", n=1200, seed=5)
    base = RBF(sigma=4.0)
    offered, _ = levels.recipes(data, base)
    shown = levels.Levels(offered[0], 3)
    rows = levels.drawn(data)
    assert (rows.n, levels.drawn(rows)) == (700, rows)
    assert abs(np.mean(rows.y) - np.mean(data.y)) < 1 / 700
    assert_array_equal(rows.inputs, data.inputs[rows.places])
    places = levels.order(data, shown)
    assert_array_equal(rows.places[levels.drawn_order(data, shown)], places[np.isin(places, rows.places)])
    assert [one.K.shape for one in levels.matrices(data, shown)] == [(700, 700)] * 4
    numbers = levels.measured(data, shown)
    numbers.work(60)
    for level in (0, 3):
        expected = errors_on_halves(shown.kernel(level), data.inputs, data.y)
        assert numbers.value()[level].errors == expected, "errors are those of all pages, on all rows"


def test_a_level_is_in_use_only_in_the_recipe_in_use_with_its_own_parameters():
    data, base = load_dataset("iris", n=30), RBF(sigma=2.0)
    deep = Deep(base, level=2)
    offered, outer = levels.recipes(data, deep)
    shown, used = levels.levels_of_page(data, offered[0], outer)
    assert (used, shown.kernel(0), shown.kernel(2)) == (2, base, deep)
    by_hand = Deep(base, level=2, bandwidths=(1.5, None))
    offered_over, none = levels.recipes(data, by_hand)
    assert (offered_over[0].base, none) == (by_hand, None), (
        "levels whose bandwidths are given are a kernel like any other"
    )
    assert len(offered) > 1
    others, none = levels.recipes(data, base)
    assert none is None
    for recipe, outermost in [(one, outer) for one in offered[1:]] + [(one, None) for one in others]:
        assert levels.levels_of_page(data, recipe, outermost)[1] == 0
    (recipe, *_), _ = levels.recipes(data, ArcCosine(Deep(base, level=1), order=2, level=3))
    assert recipe.at(3) == ArcCosine(Deep(base, level=1), order=2, level=3)
