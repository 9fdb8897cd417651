"""Quick errors and the words made from them: against machines trained without the row, and never a false word."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from kernlib.analysis import class_means, decompose, order_rows
from kernlib.analysis.quick import RIDGES, quick_errors
from kernlib.analysis.summary import Summary, plain_words, summarise, turned
from kernlib.machines import KernelRidge
from kernlib.machines.regression import left_out_errors
from kernlib.protocols import HalvesErrors
from kernlib.values.arrays import Factor
from kernlib.values.labels import read_labels


def problem(n=24, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    X = rng.standard_normal((n, 3)) + 1.2 * np.eye(3)[y % 3]
    return np.exp(-((X[:, None] - X) ** 2).sum(-1) / 3), y, rng


def left_out(K, y, parts, ridge):
    """Predictions of real targets for each part by a machine trained on the others."""
    predicted = np.empty(len(y))
    for part in parts:
        rest = np.setdiff1d(np.arange(len(y)), part)
        machine = KernelRidge(ridge=ridge, centred=True).fit(K[np.ix_(rest, rest)], y[rest], task="regression")
        predicted[part] = machine.predict(K[np.ix_(part, rest)])
    return predicted


def with_intercept(K, targets, parts, ridge):
    """Decision values for each part of ridge regression with an unpenalised intercept, refitted on the others."""
    decisions = np.empty_like(targets)
    for part in parts:
        rest = np.setdiff1d(np.arange(len(K)), part)
        m = len(rest)
        system = np.ones((m + 1, m + 1))
        system[:m, :m] = K[np.ix_(rest, rest)] + ridge * np.eye(m)
        system[m, m] = 0.0
        solved = np.linalg.solve(system, np.vstack([targets[rest], np.zeros((1, targets.shape[1]))]))
        decisions[part] = K[np.ix_(part, rest)] @ solved[:m] + solved[m]
    return decisions


def coded(y):
    return np.where(y == y.max(), 1.0, -1.0)[:, None] if len(np.unique(y)) == 2 else np.eye(y.max() + 1)[y]


def left_out_together(n, grouped):
    """The groups of n rows, and the rows that are left out together."""
    groups = np.arange(n) // 4 if grouped else None
    return groups, [[i] for i in range(n)] if groups is None else [np.flatnonzero(groups == g) for g in range(6)]


def decoded(decisions):
    return (decisions[:, 0] > 0).astype(int) if decisions.shape[1] == 1 else decisions.argmax(axis=1)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("given_as", ["matrix", "full factor", "short factor"])
def test_ridge_errors_are_those_of_machines_with_an_intercept_that_never_saw_the_row(classes, grouped, given_as):
    K, y, _ = problem(classes=classes)
    F = np.linalg.cholesky(K)[:, : 9 if given_as == "short factor" else None]
    K = F @ F.T
    groups, parts = left_out_together(len(y), grouped)
    errors = quick_errors(K if given_as == "matrix" else Factor(F), y, groups=groups)
    targets = coded(y)

    def residuals(ridge):
        return targets - with_intercept(K, targets, parts, ridge)

    squares = (residuals(errors.ridge_at) ** 2).sum(axis=1) / targets.var(axis=0).sum()
    assert errors.squared == pytest.approx(squares.mean(), rel=1e-6)
    assert errors.squared_se == pytest.approx(squares.std(ddof=1) / np.sqrt(len(y)), rel=1e-6)
    grid = RIDGES * np.abs(np.linalg.eigvalsh(K)).mean()
    others = [(residuals(ridge) ** 2).sum(axis=1).mean() / targets.var(axis=0).sum() for ridge in grid[6:]]
    assert errors.squared <= min(others) * (1 + 1e-6)
    predicted = decoded(with_intercept(K, targets, parts, errors.ridge_at))
    assert errors.ridge == pytest.approx((predicted != y).mean())
    assert errors.chance == pytest.approx(1 - 1 / classes)


def test_a_kernel_that_only_memorises_is_not_rewarded():
    """The identity predicts the frequent class for every row that it never saw."""
    y = np.r_[np.zeros(9), np.ones(21)].astype(int)
    errors = quick_errors(np.eye(30) + 1e-6, y)
    assert errors.ridge == pytest.approx(0.3)
    assert errors.squared >= 1.0


@pytest.mark.parametrize("far", [0.0, 150.0])
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("short", [False, True])
def test_ridge_error_of_real_targets_is_relative_to_their_variance_at_the_best_ridge(far, grouped, short):
    """Wherever the targets lie: each machine takes off and puts back the mean of the rows that it saw."""
    K, _, rng = problem()
    F = np.linalg.cholesky(K)[:, : 9 if short else None]
    K = F @ F.T
    y = far + K[:, 0] + 0.1 * rng.standard_normal(len(K))
    groups, parts = left_out_together(len(y), grouped)
    given_as = Factor(F) if short else K
    found = quick_errors(given_as, y, groups=groups)

    def error(ridge):
        return ((left_out(K, y, parts, ridge) - y) ** 2).mean() / y.var()

    assert found.ridge == pytest.approx(error(found.ridge_at), rel=1e-6)
    grid = RIDGES * np.abs(np.linalg.eigvalsh(K)).mean()
    assert found.ridge <= min(error(r) for r in grid[6:]) * (1 + 1e-6)
    if not grouped:
        _, loo = left_out_errors(decompose(given_as), read_labels(y, "regression"), True, grid[6:9])
        assert_allclose(loo / y.var(), [error(r) for r in grid[6:9]], rtol=1e-6)


def test_no_error_of_constant_targets_and_one_of_an_indefinite_matrix_beyond_its_negative_eigenvalues():
    K, y, _ = problem()
    assert math.isnan(quick_errors(K, np.full(len(K), 2.0), task="regression").ridge)
    K = K - 0.5 * np.eye(len(K))
    found = quick_errors(K, y)
    assert found.ridge_at > -2 * np.linalg.eigvalsh(K).min()


def seen(**changes):
    return Summary(
        **{
            "n": 50,
            "diagonal_ratio": 1.7,
            "constant": False,
            "within": 0.8,
            "between": 0.5,
            "errors": errors(0.09, 0.02),
        }
        | changes
    )


def errors(test, training, chance=0.4, task="classification", **changes):
    return HalvesErrors(task, "error", (test,), (training,), chance, 50, 25, **changes)


@pytest.mark.parametrize(
    ("observation", "expected"),
    [
        (
            seen(),
            "On average rows of one class are 1.6 times as similar as rows of different classes. A support vector "
            "machine learns: training error 2%, test error 9%.",
        ),
        (
            seen(diagonal_ratio=50.0, errors=errors(0.5, 0.48, 0.5)),
            "On average each row is 50 times as similar to itself as to another row. A support vector machine "
            "does not learn: training error 48%, test error 50%; guessing 50%.",
        ),
        (
            seen(diagonal_ratio=50.0, errors=errors(0.5, 0.0, 0.5)),
            "On average each row is 50 times as similar to itself as to another row. A support vector machine "
            "memorises: training error 0%, test error 50%; guessing 50%.",
        ),
        (
            seen(diagonal_ratio=50.0, errors=errors(0.03, 0.0, 0.5)),
            "On average each row is 50 times as similar to itself as to another row. A support vector machine "
            "learns anyway: training error 0%, test error 3%.",
        ),
        (
            seen(errors=errors(0.3, 0.2, 0.5, transductive=True)),
            "On average rows of one class are 1.6 times as similar as rows of different classes. A support vector "
            "machine learns in part: training error 20%, test error 30%, where the kernel has seen the test rows "
            "without their labels; guessing 50%.",
        ),
        (
            Summary(n=4, diagonal_ratio=50.0, largest=0.69),
            "On average each row is 50 times as similar to itself as to another row; "
            "a single row makes up 69% of that.",
        ),
        (
            seen(diagonal_ratio=4.1e5, errors=None),
            "On average each row is 410000 times as similar to itself as to another row.",
        ),
        (
            seen(diagonal_ratio=2e12, errors=None),
            "On average each row is 2·10¹² times as similar to itself as to another row.",
        ),
        (seen(constant=True), "All pairs of rows are equally similar: this kernel does not distinguish them."),
        (
            seen(within=0.5, between=0.5, errors=None),
            "On average rows of one class are about as similar as rows of different classes.",
        ),
        (
            seen(within=0.2, between=-0.1, errors=None),
            "On average rows of one class are more similar (0.2) than rows of different classes (−0.1).",
        ),
        (
            seen(within=0.3, between=0.6, errors=None),
            "On average rows of one class are less similar than rows of different classes (0.3 against 0.6).",
        ),
        (
            seen(within=0.8, between=0.77, errors=None),
            "On average rows of one class are 1.04 times as similar as rows of different classes.",
        ),
        (
            Summary(50, 1.2, errors=errors(0.12, 0.03, 1.0, "regression")),
            "On average each row is 1.2 times as similar to itself as to another row. Ridge regression leaves 12% "
            "of the variance of new rows unexplained, 3% of that of training rows.",
        ),
        (
            Summary(50, 1.2, errors=errors(0.95, 0.4, 1.0, "regression")),
            "On average each row is 1.2 times as similar to itself as to another row. Ridge regression is hardly "
            "better than the mean: unexplained variance 95%.",
        ),
        (Summary(1, math.nan, True), "A single row cannot be compared with another."),
        (
            seen(diagonal_ratio=math.inf, errors=None),
            "Each row is similar only to itself: a machine can only memorise.",
        ),
    ],
)
def test_the_sentence_reads_the_numbers(observation, expected):
    assert plain_words(observation).replace("\n", " ") == expected


@settings(max_examples=60)
@given(
    ratio=st.floats(0.1, 1e6),
    within=st.floats(-5, 5),
    between=st.floats(-5, 5),
    test=st.floats(0, 1),
    training=st.floats(0, 1),
    chance=st.floats(0.05, 0.95),
)
def test_no_word_contradicts_its_numbers(ratio, within, between, test, training, chance):
    numbers = dict(diagonal_ratio=ratio, within=within, between=between)
    told = plain_words(seen(**numbers, errors=errors(test, training, chance)))
    assert told[0].isupper()
    assert told.endswith(".")
    assert "nan" not in told
    assert "power" not in told, "no power was measured"
    if "memorises" in told:
        assert training < test
    if found := re.search(r"are ([\d.]+) times as similar", told):
        assert within > between > 0
        assert float(found[1]) > 1
    if "learns" in told:
        assert test < chance
    else:
        assert "guessing" in told


def test_observed_class_means_are_over_pairs():
    K, y, _ = problem(9, 3)
    K = 1e8 + K  # far from zero: a difference of mean squares would have no digit left
    K[np.diag_indices(9)] = np.nan
    means = [[np.nanmean(K[np.ix_(y == a, y == b)]) for b in range(3)] for a in range(3)]
    within, between = np.nanmean(K[y[:, None] == y]), np.nanmean(K[y[:, None] != y])
    K[np.diag_indices(9)] = 2e8
    assert_allclose(class_means(K, y), means, rtol=0, atol=1e-5)
    found = summarise(K, y)
    assert (found.within, found.between) == pytest.approx((within, between), rel=0, abs=1e-5)


def test_a_frame_is_the_matrix_in_blocks_over_its_mean_diagonal():
    K, y, _ = problem(24)
    order = order_rows(K, y, "class")
    frame = summarise(7 * K, y, order, cells=12)
    blocks = K[np.ix_(order, order)].reshape(12, 2, 12, 2).mean(axis=(1, 3))
    np.fill_diagonal(blocks, 1.0)  # of k(x, x), which is 7
    assert_allclose(frame.cells, blocks, rtol=1e-6)
    centred = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    values = np.linalg.eigvalsh(centred)[::-1]
    assert_allclose((frame.plane.astype(float) ** 2).sum(axis=0), values[:2], rtol=1e-5)
    assert_allclose(frame.explained, values[:2] / values.sum(), rtol=1e-9)


def test_a_constant_matrix_has_a_feature_map_of_one_point():
    point = summarise(np.ones((5, 5)), None, np.arange(5))
    assert point.plane.shape == (5, 2)
    assert not point.plane.any()
    assert all(math.isnan(s) for s in point.explained)
    assert plain_words(Summary(5, problem="why")) == "why"


@settings(max_examples=25)
@given(seed=st.integers(0, 1000), angle=st.floats(0, 2 * math.pi), mirrored=st.booleans())
def test_turning_undoes_turns_and_keeps_distances(seed, angle, mirrored):
    plane = np.random.default_rng(seed).standard_normal((9, 2))
    R = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    moved = plane @ R * ([1, -1] if mirrored else [1, 1])
    first, second, third = turned([plane, np.full((9, 2), np.nan), moved])
    assert_allclose(third, plane, atol=1e-9)
    assert first is plane
    assert np.isnan(second).all()
