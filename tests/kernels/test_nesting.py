"""Chains of steps around every leaf: whatever is nested, all ways to evaluate it agree and nothing is shared."""

from __future__ import annotations

import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from kernlib import (
    RBF,
    Centered,
    Conformal,
    Deep,
    DomainError,
    Empirical,
    Exponential,
    Imputed,
    KernlibError,
    Linear,
    Log,
    LogRows,
    Normalized,
    Nystrom,
    Pairs,
    Polynomial,
    Power,
    Ranged,
    Repaired,
    SoftMarginDiagonal,
    SquareRoot,
    Standardized,
    StandardizedRows,
    TransductiveError,
    UnitRows,
)
from kernlib.errors import DataError, DegenerateError, NotFittedError
from kernlib.registry import WRAPPERS
from kernlib.values.domains import form

from .examples import LEAF_EXAMPLES
from .rows import POSITIVE, rows_for

# -- nesting -----------------------------------------------------------------------------------


STEPS = [
    lambda k: Power(k, p=0.9),
    Log,
    Empirical,
    Normalized,
    Deep,
    lambda k: Deep(k, level=2),
    lambda k: Exponential(Normalized(k), gamma=0.5),
    lambda k: Conformal(k, f="gaussian"),
    SoftMarginDiagonal,
    lambda k: Repaired(k, method="square"),
    lambda k: 0.5 * k,
    lambda k: k + 1,
    lambda k: k + Deep(k),
    lambda k: Normalized(k) * k,
    lambda k: Normalized(k) ** 2,
]
#: Around a leaf that meets new rows, below any step that exists for all rows at once.
AROUND_LEAF = [lambda k: Nystrom(k, landmarks=4)]
TRANSDUCTIVE = [lambda k: Repaired(k), lambda k: Repaired(k, method="flip"), lambda k: SquareRoot(Empirical(k))]
OVER_VECTORS = [Standardized, Imputed, LogRows, StandardizedRows, UnitRows, Ranged]
#: Outermost alone: of few rows it leaves zeros but for rounding, which a step around it would blow up.
LAST = [Centered, lambda k: Empirical(Centered(k))]


def _within(kernel):
    return [kernel, *(inner for child in kernel.children for inner in _within(child))]


_MET = {type(k) for step in STEPS + TRANSDUCTIVE + OVER_VECTORS + AROUND_LEAF + LAST for k in _within(step(RBF()))}
for _step in (step for step in WRAPPERS if step not in _MET):  # a new one, as it is made
    {"row": OVER_VECTORS, "matrix": STEPS, "whole": TRANSDUCTIVE}[_step.kind].append(_step)


def varied(draw, kernel):
    """The kernel with some of its numbers elsewhere in the range that a slider offers."""
    for p in kernel.parameters():
        if p.low is None or p.high is None or draw(st.booleans()):
            continue
        at = draw(st.sampled_from([0.0, 0.3, 0.8, 1.0]))
        value = p.low * (p.high / p.low) ** at if p.scale == "log" else p.low + at * (p.high - p.low)
        with suppress(KernlibError):  # e.g. a mismatch in words of one letter
            kernel = replace(kernel, **{p.name: min(round(value), 6) if p.kind == "int" else value})
    return kernel


@st.composite
def chains(draw, transductive=False):
    """A leaf and one to four steps around it; a step on vectors directly around the leaf alone."""
    kernel = varied(draw, draw(st.sampled_from(LEAF_EXAMPLES)))
    if kernel.reads == "vector" and "LocalityImprovedImage" not in repr(kernel) and draw(st.booleans()):
        counts = any(name in repr(kernel) for name in POSITIVE)  # columns less their mean are no counts
        kernel = draw(st.sampled_from(([Ranged, UnitRows] if counts else OVER_VECTORS) + AROUND_LEAF))(kernel)
    steps = draw(st.lists(st.sampled_from(STEPS), min_size=1, max_size=4))
    if transductive:
        steps.insert(draw(st.integers(0, len(steps))), draw(st.sampled_from(TRANSDUCTIVE)))
    for step in steps:
        kernel = step(kernel)
    return draw(st.sampled_from(LAST))(kernel) if draw(st.booleans()) else kernel


@st.composite
def rows_of_any_size(draw, kernel):
    """Rows that the kernel reads; numbers are tiny or huge, beside one row far away, or some rows are there twice."""
    X = draw(rows_for(kernel))
    if kernel.reads != "vector" or draw(st.booleans()):
        return X
    X = X[draw(st.sampled_from([range(len(X)), [*range(len(X) - 1), 0]]))]
    X[draw(st.integers(0, len(X) - 1))] *= draw(st.sampled_from([1.0, 1e9, 1e-9]))
    return X * draw(st.sampled_from([1.0, 1e150, 1e-150, 1e75, 1e-75]))


def evaluated(call):
    """The call's value; rows too much alike to learn from, or too far apart to exponentiate, are left out."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return call()
    except (DegenerateError, DataError):
        assume(False)


def without_labels(kernel):
    """Return whether a soft margin stands inside a step that exists for all rows at once."""
    whole = [k for k in _within(kernel) if k.transductive and getattr(k, "kind", "") == "whole"]
    return any("SoftMargin" in repr(k.children) for k in whole)


def taken(X, which):
    return X[which] if isinstance(X, np.ndarray | Pairs) else [X[i] for i in which]


@given(data=st.data())
def test_fold_fit_and_bind_agree(data):
    kernel = data.draw(chains())
    X = data.draw(rows_of_any_size(kernel))
    n = len(X)
    order = np.array(data.draw(st.permutations(range(n))))
    cut = data.draw(st.integers(1, n - 1))
    train, test, y = order[:cut], order[cut:], np.arange(cut) % 2
    if without_labels(kernel):
        with pytest.raises(NotFittedError, match="put SoftMarginDiagonal around that step"):
            evaluated(lambda: kernel.bind(X).fold(train, test, y))
        return
    bound = evaluated(lambda: kernel.bind(X))
    over_numbers = evaluated(lambda: bound.fold(train, test, y))
    again = evaluated(lambda: bound.fit(train, y))
    inner = next((k for k in _within(kernel) if isinstance(k, Centered)), kernel)
    seen = (
        (over_numbers, evaluated(lambda: inner.children[0].bind(X).fold(train, test, y)))
        if inner.children
        else (over_numbers,)
    )
    scale = max(max(float(np.abs(f.K).max()), float(np.abs(f.K_star).max())) for f in seen) + 1e-300
    # A Gaussian of a rounded distance 0, or a root of a rounded 0, has half of the digits.
    close = dict(rtol=1e-6, atol=1e-6 * scale)
    # A fold knows which rows the training examples are, and so which diagonal is raised; a call does not.
    raised = "SoftMarginDiagonal" in repr(kernel)
    if not raised:
        assert_allclose(over_numbers.K_star, evaluated(lambda: again(test, train)), **close)
        assert_allclose(over_numbers.k_diag, evaluated(lambda: again.diag(test)), **close)
    if kernel.transductive or kernel.reads == "matrix":
        return
    rows = taken(X, train), taken(X, test)
    fold = evaluated(lambda: kernel.fold(*rows, y))
    fitted = evaluated(lambda: kernel.fit(rows[0], y))
    for name in ("K", "K_star", "k_diag"):
        assert_allclose(getattr(fold, name), getattr(over_numbers, name), **close)
    if not raised:
        assert_allclose(fold.K_star, evaluated(lambda: fitted(rows[1], rows[0])), **close)
        assert_allclose(fold.k_diag, evaluated(lambda: fitted.diag(rows[1])), **close)
    assert fold.kernel.specification == fitted.specification == kernel


@given(data=st.data())
def test_transductive_chains_answer_bound_and_refuse_new_rows(data):
    kernel = data.draw(chains(transductive=True))
    assert kernel.transductive
    assume("SoftMargin" not in repr(kernel))  # all rows have no labels that it could learn from
    X = data.draw(rows_for(kernel))
    n = len(X)
    train, test = np.arange(n - 1), np.arange(n - 1, n)
    y = train % 2
    for call in (
        lambda: kernel(X, X),
        lambda: kernel(taken(X, test), taken(X, train)),
        lambda: kernel.fold(taken(X, train), taken(X, test), y),
        lambda: evaluated(lambda: kernel.fit(X, np.arange(n) % 2))(X, X),
    ):
        with pytest.raises(KernlibError) as refused:
            call()
        if kernel.reads not in ("node", "matrix"):
            assert isinstance(refused.value, TransductiveError)
            assert "bind" in str(refused.value)
    fold = evaluated(lambda: kernel.bind(X).fold(train, test, y))
    assert fold.K_star.shape == (1, n - 1)
    assert np.isfinite(fold.K).all()


@given(data=st.data())
def test_no_result_and_no_row_is_shared_with_the_kernel(data):
    """What a caller writes into results, or into the rows that were fitted or bound, changes nothing later."""
    kernel = data.draw(chains())
    assume(not kernel.transductive)
    rows_of = form(kernel.reads)
    assume(
        not (rows_of.square or (rows_of.objects and not rows_of.internal))
    )  # strings, graphs and series are immutable
    given_rows = data.draw(rows_for(kernel))
    fresh = pickle.dumps(given_rows)

    def rows():
        return pickle.loads(fresh)

    n = len(given_rows)
    y = np.arange(n) % 2
    everything, mine = np.arange(n), rows()
    fitted, bound = evaluated(lambda: kernel.fit(mine, y)), evaluated(lambda: kernel.bind(mine))
    fold = evaluated(lambda: kernel.fold(mine, mine, y))
    first = evaluated(lambda: fitted(rows(), rows())).copy()
    second = evaluated(lambda: bound.fold(everything, everything, y)).K.copy()
    third = evaluated(lambda: fold.kernel(rows(), rows())).copy()
    for array in (mine.numbers, mine.rows) if isinstance(mine, Pairs) else (mine,):
        if array.flags.writeable:
            array[...] = array[::-1].copy()
    results = [
        evaluated(lambda: fitted(rows())),
        evaluated(lambda: fitted(rows(), rows())),
        evaluated(lambda: fitted.diag(rows())),
        *evaluated(lambda: bound.fold(everything, everything, y))[1:],
    ]
    for result in results:
        if result.flags.writeable:
            result[...] = -7.0
    assert_array_equal(evaluated(lambda: fitted(rows(), rows())), first)
    assert_array_equal(evaluated(lambda: bound.fold(everything, everything, y)).K, second)
    assert_array_equal(evaluated(lambda: fold.kernel(rows(), rows())), third)


def test_a_bound_matrix_stays_as_it_is_after_a_trip_to_another_process():
    """Pickles forget that an array is read-only; a step that overwrites its matrix must not reach this one."""
    X = np.arange(6.0).reshape(3, 2)
    bound = pickle.loads(pickle.dumps(Power(Empirical(Linear()), p=0.5).bind(X)))
    everything = np.arange(3)
    once = bound.fold(everything).K.copy()
    inner = bound.children[0].children[0]
    assert_array_equal(inner(everything), X @ X.T)
    with pytest.raises(ValueError, match="read-only"):
        inner(everything)[0, 0] = 1.0
    Power(inner, p=0.5)(everything)
    (0.5 * inner)(everything)
    assert_array_equal(inner(everything), X @ X.T)
    assert_array_equal(bound.fold(everything).K, once)


def test_one_kernel_in_several_threads():
    random = np.random.default_rng(3)
    X = random.normal(size=(60, 5))
    kernel = Deep(Empirical(Power(Standardized(RBF(sigma="median")), p=0.5)) + Normalized(Centered(Linear())), level=2)
    bound = kernel.bind(X)
    splits = [random.permutation(60) for _ in range(40)]

    def one(split):
        train, test = split[:40], split[40:]
        return (
            bound.fold(train, test).K_star,
            kernel.fit(X[train])(X[test], X[train]),
            bound.fit(train).diag(test),
        )

    alone = [one(split) for split in splits]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(one, splits))
    for a, b in zip(alone, together, strict=True):
        for left, right in zip(a, b, strict=True):
            assert_allclose(left, right, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(
    "base", [RBF(sigma=2.0), Polynomial(degree=2), Standardized(RBF(sigma="median")), Linear()], ids=repr
)
def test_a_chain_of_functions_of_entries_is_one_pass(base, monkeypatch):
    """Each part of the matrix goes through all of them while it is in the cache, and comes out as step by step."""
    X = np.random.default_rng(0).normal(size=(600, 3))
    chain = Log(0.5 * Power(base, p=0.4) ** 2)
    expected = Power(base, p=0.4)(X).copy()
    expected = np.log1p(0.5 * expected**2)
    sizes = []
    point = Power.change_entries
    monkeypatch.setattr(Power, "change_entries", lambda self, values: sizes.append(values.size) or point(self, values))
    assert_allclose(chain(X), expected, rtol=1e-14)
    assert len(sizes) > 1
    assert max(sizes) <= 512 * 512
    assert chain(X)[0, 1] == chain.fit(X).bind(X)([0], [1])[0, 0]


def test_what_must_see_all_values_first_still_does():
    X = np.linspace(0.0, 30.0, 700)[:, None]
    with pytest.raises(DegenerateError, match=r"the inner kernel reaches 900, .*expected gamma <= 0.7886"):
        Power(Exponential(Linear()), p=0.5)(X)


# -- binding -----------------------------------------------------------------------------------


def test_a_look_up_is_read_only_and_knows_its_rows():
    X = np.random.default_rng(0).normal(size=(12, 2))
    bound, train, test = Linear().bind(X), np.arange(8), np.arange(8, 12)
    whole = bound(np.arange(12))
    with pytest.raises(ValueError, match="read-only"):
        whole[0, 0] = 5
    with pytest.raises(ValueError, match="WRITEABLE"):
        whole.flags.writeable = True
    part = bound(test, train)
    part[:] = 0
    assert_allclose(bound(test, train), X[test] @ X[train].T)
    with pytest.raises(DomainError, match="row numbers"):
        bound(X)
