"""Fisher: expectations against all paths, gradients against differences, EM against its own promise."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from kernlib import Fisher
from kernlib.kernels import fisher as module
from kernlib.kernels.letters import read_letters

from .strings import rows

TRAIN = ["abba", "ab", "bbbaab", "", "a", "baab"]


def log_likelihood(x, model):
    """log of the sum over every path of states."""
    if not x:
        return 0.0
    codes = [model.alphabet.find(c) for c in x]
    show = np.column_stack([model.show, np.ones(len(model.start))])  # −1: a letter not read
    total = 0.0
    for path in product(range(len(model.start)), repeat=len(codes)):
        p = model.start[path[0]] * show[path[0], codes[0]]
        for before, here, code in zip(path, path[1:], codes[1:], strict=False):
            p *= model.move[before, here] * show[here, code]
        total += p
    return np.log(total)


def softmax(theta):
    e = np.exp(theta - theta.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def test_likelihood_is_the_sum_over_paths():
    model = module._train(rows(TRAIN), 3, 5, 0)
    X = [*TRAIN, "azb"]
    found = np.empty(len(X))
    for at, counts in module._expected_counts(read_letters(rows(X), None, model.alphabet)[0], model):
        found[at] = counts.log_likelihood
    np.testing.assert_allclose(found, [log_likelihood(x, model) for x in X], rtol=1e-12)


def test_gradient_is_the_difference_of_the_likelihood():
    model = module._train(rows(TRAIN), 2, 3, 1)
    step = 1e-5
    for x in ("abba", "b", "azb", ""):
        expected = []
        for name in ("start", "move", "show"):
            theta = np.log(getattr(model, name))
            for i in np.ndindex(theta.shape):
                up, down = theta.copy(), theta.copy()
                up[i] += step
                down[i] -= step
                values = [log_likelihood(x, replace(model, **{name: softmax(t)})) for t in (up, down)]
                expected.append((values[0] - values[1]) / (2 * step))
        np.testing.assert_allclose(module._gradients(rows([x]), model)[0], expected, atol=1e-8)


def test_em_never_lowers_the_penalised_likelihood():
    def objective(model):
        penalty = module._PRIOR * sum(np.log(p).sum() for p in (model.start, model.move, model.show))
        return penalty + sum(log_likelihood(x, model) for x in TRAIN)

    values = [objective(module._train(rows(TRAIN), 2, r, 0)) for r in range(8)]
    assert (np.diff(values) > -1e-9).all()


@pytest.mark.parametrize("y", [[-1, 1, -1, 1, 1, -1], [0, 1, 0, 1, 1, 0], ["n", "p", "n", "p", "p", "n"]])
def test_the_positive_class_trains_the_model(y):
    positive = [x for x, label in zip(TRAIN, y, strict=True) if label in (1, "p")]
    fitted = Fisher(states=2).fit(TRAIN, y)
    np.testing.assert_array_equal(fitted(TRAIN), Fisher(states=2).fit(positive)(TRAIN))


@pytest.mark.parametrize("y", [None, [1] * 6, [0, 1, 2, 0, 1, 2]])
def test_all_rows_train_it_otherwise(y):
    np.testing.assert_array_equal(Fisher(states=2).fit(TRAIN, y)(TRAIN), Fisher(states=2)(TRAIN))


def test_letters_and_strings_that_training_never_saw():
    fitted = Fisher(states=2).fit(["ab", "ba"])
    test = ["zé漢", "", "a" * 500, "zzz"]
    K = fitted(test, ["ab", "ba"])
    assert np.isfinite(K).all()
    assert not K[1].any()
    assert np.isfinite(fitted.diag(test)).all()
    assert not K[3, 1] > fitted.diag(["ababab"])[0]  # letters not read do not swamp the others
    with pytest.warns(UserWarning, match="Fisher: the 2 training rows .* every value is 0"):
        assert not Fisher()(["", ""]).any()
