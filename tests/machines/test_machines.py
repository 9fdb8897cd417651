"""One contract that every machine keeps, and each machine against its definition."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from kernlib import RBF, machines
from kernlib.analysis.matrix import looked_at
from kernlib.errors import DataError, DegenerateError, NotFittedError, ParameterError
from kernlib.machines import (
    MACHINES,
    SVM,
    KernelDensity,
    KernelPCARegression,
    KernelPCASVM,
    KernelRidge,
    NearestCentroid,
    NearestNeighbour,
)
from kernlib.values.arrays import Factor

REGRESSORS = [M for M in MACHINES if "regression" in M.task]


def blobs(classes, seed=0, n=36, m=15, spread=4.0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    angle = 2 * np.pi * y / classes
    X = rng.normal(size=(n, 2)) + spread * np.c_[np.cos(angle), np.sin(angle)]
    new = rng.normal(size=(m, 2)) * spread
    return X, y, new


rbf = RBF(sigma=2.0)


@pytest.mark.parametrize("M", MACHINES)
class TestContract:
    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (lambda K, y: (K + np.triu(K, 1), y), "K must be symmetric"),
            (lambda K, y: (K + 1j * np.eye(len(K)), y), "K must be a matrix of real numbers; got complex ones"),
            (lambda K, y: (np.ma.masked_greater(K, 0.9), y), "K must be finite; got nan"),
            (lambda K, y: (np.where(K[2, 3] == K, np.nan, K), y), r"K must be finite; got nan at \(2, 3\)"),
            (lambda K, y: (K[:5], y[:5]), "K must be square.*belongs to predict"),
            (lambda K, y: (K, y[:-1]), "one label for each of the 36 rows; got 35"),
            (lambda K, y: (K, np.ma.masked_array(y, y == 1)), "y must not have missing"),
            (lambda K, y: (K, 0 * y), "{}.fit: y must have at least two classes; got 1 class, 0"),
        ],
    )
    def test_refuses_what_it_cannot_learn_from(self, M, change, words):
        X, y, _ = blobs(2)
        with pytest.raises(DataError, match=words.format(M.__name__)):
            M().fit(*change(rbf(X, X), y))

    @pytest.mark.parametrize("names", [("no", "yes"), ("a", "b", "c"), (3, 1), (2.0, 1.0)])
    def test_decides_for_any_labels(self, M, names):
        X, y, new = blobs(len(names))
        labels = np.array(names)[y]
        machine = M().fit(rbf(X, X), labels)
        decision = machine.decision(rbf(new, X), np.ones(len(new)))
        predicted = machine.predict(rbf(new, X), np.ones(len(new)))
        assert machine.classes_.tolist() == sorted(names)
        assert predicted.dtype == labels.dtype
        if len(names) == 2:
            assert decision.shape == (len(new),)
            assert (predicted == machine.classes_[(decision > 0).astype(int)]).all()
        else:
            assert decision.shape == (len(new), 3)
            assert (predicted == machine.classes_[decision.argmax(axis=1)]).mean() > 0.8
        on_training = machine.predict(rbf(X, X), np.ones(len(X)))
        assert (on_training == labels).mean() > 0.9

    def test_fit_leaves_the_machine_as_it_is(self, M):
        X, y, _ = blobs(2)
        machine = M()
        fitted = machine.fit(rbf(X, X), y)
        assert fitted is not machine
        assert fitted == machine
        assert hash(fitted) == hash(machine)
        assert repr(fitted) == repr(machine)
        assert eval(repr(machine), {**vars(machines), "inf": math.inf}) == machine
        with pytest.raises(NotFittedError, match=r"must be fitted before it can decide.*Call fit\(K, y\)"):
            machine.predict(np.ones((1, 3)))

    @pytest.mark.parametrize("scale", [1e-5, 1.0, 1e60])
    def test_what_was_looked_at_before_is_the_matrix_itself(self, M, scale):
        X, y, new = blobs(3)
        K, K_star, k_diag = scale * rbf(X, X), scale * rbf(new, X), scale * np.ones(len(new))
        seen, machine = looked_at(K, "a fold"), M().fit(K, y)
        M().fit(seen, y)
        again = M().fit(seen, machine.labels_)
        assert (again.decision(looked_at(K_star, "a fold"), k_diag) == machine.decision(K_star, k_diag)).all()
        with pytest.raises(DataError, match=r"K must be square.*belongs to predict"):
            M().fit(looked_at(K[:5], "a fold"), y[:5])

    def test_refuses_rows_that_it_cannot_predict(self, M):
        X, y, new = blobs(2)
        K = rbf(X, X)
        with pytest.raises(DataError, match=r"K_star must have one column for each of the 36 training rows"):
            M().fit(K, y).predict(rbf(new, X)[:, :7], np.ones(len(new)))
        if M.needs_diag:
            with pytest.raises(DataError, match=r"k_diag must be one finite.*got None. Pass k_diag=k.diag\(new rows\)"):
                M().fit(K, y).predict(rbf(new, X))
            with pytest.raises(DataError, match=r"one finite k\(x, x\) for each of the 15 rows"):
                M().fit(K, y).predict(rbf(new, X), np.ones(3))

    def test_real_targets(self, M):
        X, _, new = blobs(2)
        y = X @ [1.0, 0.3]
        if M in REGRESSORS:
            machine = M().fit(X @ X.T, y)
            assert machine.classes_ is None
            assert_allclose(machine.predict(new @ X.T), new @ [1.0, 0.3], rtol=0.05, atol=0.05)
        else:
            with pytest.raises(DataError, match=r"y must be class labels; got real targets.*Use KernelRidge"):
                M().fit(X @ X.T, y)

    def test_describes_itself(self, M):
        assert M.label
        assert set(M.task) <= {"classification", "regression"}
        for p in M.parameters():
            assert p.help
            assert p.low is not None or p.kind in ("bool", "choice")


@given(seed=st.integers(0, 10**6), classes=st.integers(2, 4))
@settings(max_examples=25)
def test_centroid_density_and_neighbours_against_explicit_vectors(seed, classes):
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(classes), rng.integers(0, classes, 14)]
    X, new = rng.normal(size=(len(y), 5)), rng.normal(size=(6, 5))
    K, K_star, k_diag = X @ X.T, new @ X.T, (new**2).sum(1)
    distances = np.linalg.norm(new[:, None] - X, axis=-1)

    means = np.stack([X[y == c].mean(0) for c in range(classes)])
    nearest = np.linalg.norm(new[:, None] - means, axis=-1).argmin(1)
    assert NearestCentroid().fit(K, y).predict(K_star).tolist() == nearest.tolist()

    machine = NearestNeighbour().fit(K, y)
    assert machine.predict(K_star, k_diag).tolist() == y[distances.argmin(1)].tolist()

    density = KernelDensity().fit(K, y)
    h = np.linalg.norm(X[:, None] - X, axis=-1).mean()
    kernel = np.exp(-(distances**2) / (2 * h**2)) / (np.sqrt(2 * np.pi) * h)
    p = np.stack([kernel[:, y == c].mean(1) for c in range(classes)], axis=1)
    assert density.bandwidth_ == pytest.approx(h)
    found = density.decision(K_star, k_diag)
    expected = np.log(p[:, 1]) - np.log(p[:, 0]) if classes == 2 else np.log(p)
    assert_allclose(found, expected, rtol=1e-7, atol=1e-9)


def test_neighbours_vote_and_ties_go_to_the_nearest_class():
    x = np.array([0.0, 1.0, 10.0, 11.0])
    machine = NearestNeighbour(k=3).fit(np.outer(x, x), [0, 0, 1, 1])
    new = np.array([5.0, 6.0])
    assert machine.predict(np.outer(new, x), new**2).tolist() == [0, 1]
    # Votes of 2/3 and 1/3, each less a sixth of the class's share of the distances 4 and 5.
    assert machine.decision(np.outer(new, x), new**2)[0] == pytest.approx(-1 / 3 - (5 / 9 - 4 / 9) / 6)
    tied = NearestNeighbour(k=4).fit(np.outer(x, x), [0, 0, 1, 1])
    assert tied.predict(np.outer(new, x), new**2).tolist() == [0, 1]
    with pytest.raises(ParameterError, match=r"1 <= k <= 4, the training rows; got 5. Try k=1"):
        NearestNeighbour(k=5).fit(np.outer(x, x), [0, 0, 1, 1])


def test_density_needs_rows_that_differ_and_does_not_underflow():
    with pytest.raises(DegenerateError, match=r"h, the mean distance.*all 4 training rows coincide"):
        KernelDensity().fit(np.full((4, 4), 1e-5), [0, 0, 1, 1])
    x = np.array([0.0, 1.0, 2.0, 3.0])
    decision = KernelDensity().fit(np.outer(x, x), [0, 0, 1, 1]).decision(np.outer([-1e4], x), [1e8])
    assert np.isfinite(decision).all()
    assert decision[0] < 0


def test_dimension_is_cut_at_the_rank_or_found_from_the_labels():
    X, y, new = blobs(2)
    linear = KernelPCARegression(dimension=30).fit(X @ X.T, X[:, 0])
    assert linear.dimension_ == 2
    assert_allclose(linear.predict(new @ X.T), new[:, 0], atol=1e-10)
    from kernlib.analysis.relevant import relevant_dimension

    found = relevant_dimension(rbf(X, X), y)
    for machine in (KernelPCARegression(), KernelPCARegression(found.dimension)):
        fitted = machine.fit(rbf(X, X), y)
        assert fitted.dimension_ == found.dimension
        assert_allclose(fitted.decision(rbf(X, X)), found.denoised, atol=1e-8)
    assert KernelPCASVM().fit(rbf(X, X), y).dimension_ == found.dimension
    with pytest.raises(DegenerateError, match="must have a positive eigenvalue"):
        KernelPCARegression(dimension=2).fit(np.zeros((4, 4)), [0, 0, 1, 1])


def test_ridge_solves_its_equation_also_for_an_indefinite_matrix():
    X, S = blobs(3)[0], np.diag([2.0, -1.0])
    for K, y in ((rbf(X, X), X[:, 1]), (S, np.array([1.0, 3.0]))):
        unit = np.eye(len(K))
        machine = KernelRidge(ridge=0.3).fit(K, y, task="regression")
        assert_allclose(machine.predict(unit), np.linalg.solve(K + 0.3 * unit, y))
    with pytest.raises(DegenerateError, match=r"K \+ ridge·I must not be singular.*Choose a larger ridge"):
        KernelRidge(ridge=1.0).fit(S, [1.0, 3.0])


@pytest.mark.parametrize(
    "machine", [KernelRidge(ridge=0.3, centred=True), KernelPCARegression(5, centred=True)], ids=repr
)
def test_centred_machines_do_not_care_where_the_targets_lie(machine):
    X, codes, new = blobs(2)
    K, K_star, y = X @ X.T, new @ X.T, X[:, 1] ** 2
    plain = replace(machine, centred=False)
    expected = plain.fit(K, y - y.mean()).predict(K_star) + y.mean()
    assert_allclose(machine.fit(K, y).predict(K_star), expected)
    assert_allclose(machine.fit(K, y + 1e4).predict(K_star) - 1e4, expected, rtol=1e-9)
    assert_allclose(machine.fit(Factor(X), y + 1e4).predict(Factor(new)) - 1e4, expected, rtol=1e-7)
    assert_array_equal(machine.fit(K, y).labels_.targets, y)
    assert_array_equal(machine.fit(K, codes).decision(K_star), plain.fit(K, codes).decision(K_star))
    assert (repr(machine), repr(plain)) == (repr(plain)[:-1] + ", centred=True)", repr(machine).split(", c")[0] + ")")


def test_pca_svm_with_all_components_is_the_svm():
    X, y, new = blobs(3)
    K, K_star = X @ X.T, new @ X.T
    full, plain = KernelPCASVM(dimension=36).fit(K, y), SVM().fit(K, y)
    assert_allclose(full.decision(K_star), plain.decision(K_star), atol=1e-6)
