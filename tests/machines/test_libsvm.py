"""The direct libsvm entry, the public SVC and our signs must be one and the same machine."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.svm import SVC

from kernlib import RBF
from kernlib.errors import DegenerateError
from kernlib.machines import SVM, solvers


def problem(seed, classes):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(12, 45)), 20
    X, new = rng.normal(size=(n, 3)), rng.normal(size=(m, 3))
    y = np.r_[np.arange(classes), rng.integers(0, classes, n - classes)]
    X += 0.7 * y[:, None]
    return RBF()(X), y, RBF()(new, X), float(10 ** rng.uniform(-2, 3))


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("seed", range(8))
def test_equals_svc(seed, classes):
    K, y, K_star, C = problem(seed, classes)
    labels = np.array(list("edcba"))[y]
    ours = SVM(C=C).fit(K, labels)
    svc = SVC(kernel="precomputed", C=C).fit(K, labels)
    assert_allclose(ours.decision(K_star), svc.decision_function(K_star), rtol=1e-9, atol=1e-9)
    assert ours.predict(K_star).tolist() == svc.predict(K_star).tolist()
    assert ours.support_.tolist() == svc.support_.tolist()
    assert ours.classes_.tolist() == svc.classes_.tolist()
    if classes == 2:
        assert_allclose(ours.weights_[ours.support_], svc.dual_coef_[0])
        assert_allclose(ours.intercept_, svc.intercept_)


@pytest.mark.parametrize("broken", [None, "raises"])
def test_falls_back_to_svc(monkeypatch, broken):
    assert solvers.direct_entry() is not None, "scikit-learn's private entry moved: only the slow way is left"
    K, y, K_star, C = problem(3, 3)
    expected = SVM(C=C).fit(K, y).decision(K_star)

    class Entry:
        def fit(self, *args, **kwargs):
            raise TypeError("fit() got an unexpected keyword argument 'svm_type'")

    monkeypatch.setattr(solvers, "direct_entry", lambda: None if broken is None else Entry())
    assert_allclose(SVM(C=C).fit(K, y).decision(K_star), expected, rtol=1e-9, atol=1e-12)


def test_a_private_entry_with_other_parameters_is_not_used(monkeypatch):
    import sklearn.svm

    class Other:
        @staticmethod
        def fit(X, Y):
            raise AssertionError("must not be called")

    monkeypatch.setattr(sklearn.svm, "_libsvm", Other)
    solvers.direct_entry.cache_clear()
    try:
        assert solvers.direct_entry() is None
    finally:
        monkeypatch.undo()
        solvers.direct_entry.cache_clear()


@pytest.mark.parametrize("scale", [1e-140, 1e-8, 1e6, 1e140])
@pytest.mark.parametrize("C", [1.0, 100.0, math.inf])
def test_only_the_product_of_C_and_K_matters(scale, C):
    K, y, K_star, _ = problem(1, 2)
    plain = SVM(C=C).fit(K, y)
    scaled = SVM(C=C / scale).fit(scale * K, y)
    assert_allclose(scaled.decision(scale * K_star), plain.decision(K_star), rtol=1e-6, atol=5e-3)


def test_hard_margin_separates_and_has_the_right_margin():
    x = np.array([-3.0, -1.0, 1.0, 4.0])
    machine = SVM(C=math.inf).fit(np.outer(x, x), [0, 0, 1, 1])
    assert_allclose(machine.decision(np.outer(x, x)), x, rtol=1e-2)
    assert machine.converged_
    with pytest.raises(DegenerateError, match="hard margin needs rows that differ"):
        SVM(C=math.inf).fit(np.ones((4, 4)), [0, 0, 1, 1])


def test_a_solver_that_gives_up_says_so(monkeypatch):
    from kernlib.machines import svm

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    monkeypatch.setattr(svm, "_ITERATIONS", 10)
    machine = SVM(C=math.inf).fit(X @ X.T, y)
    assert not machine.converged_
    assert np.isfinite(machine.decision(X @ X.T)).all()
    assert SVM(C=1.0).fit(X @ X.T, y).converged_
