"""Gram matrices at the ends of double precision: a value that is right, or an error of ours; never a warning."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import RBF, Deep, Diffusion, Polynomial
from kernlib.analysis import centre, cosine, diagnose, order_rows, squared_distances
from kernlib.analysis.levels import level_numbers, levels_of
from kernlib.analysis.relevant import relevant_dimension, relevant_dimension_loo
from kernlib.analysis.spectrum import decompose, kernel_pca
from kernlib.errors import DegenerateError, KernlibError
from kernlib.experiments import Axis, RunSpec, sweep
from kernlib.machines import MACHINES, SVM, KernelPCARegression, KernelPCASVM, NearestCentroid
from kernlib.numerics.distances import gaussian_level

rng = np.random.default_rng(0)
X = rng.normal(size=(30, 3))
FAR = np.vstack([X[1:], [[1e9, 0.0, 0.0]]])
INDEFINITE = rng.normal(size=(30, 30))
MATRICES = {
    "linear": X @ X.T,
    "rbf": RBF()(X),
    "one far row": FAR @ FAR.T,
    "constant": np.ones((30, 30)),
    "identity": np.eye(30),
    "zero": np.zeros((30, 30)),
    "indefinite": INDEFINITE + INDEFINITE.T,
}
TARGETS = (np.arange(30) % 2, np.arange(30) % 3, X[:, 0])
TRAIN, TEST = np.arange(20), np.arange(20, 30)


def scaled(K):
    with np.errstate(over="ignore"):
        made = [K * 10.0**e for e in (-320, -300, -160, -149, -100, -50, 0, 50, 100, 149, 160, 300, 306)]
    return [K for K in made if np.isfinite(K).all()]


@pytest.mark.parametrize("K", MATRICES.values(), ids=MATRICES)
def test_machines(K, monkeypatch):
    monkeypatch.setattr("kernlib.machines.svm._ITERATIONS", 2000)  # far from converged is as good here
    for matrix in scaled(K):
        for machine in (*(cls() for cls in MACHINES), SVM(C=math.inf), SVM(C=1e-3)):
            for y in TARGETS[: 3 if "regression" in machine.task else 2]:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    try:
                        fitted = machine.fit(matrix[np.ix_(TRAIN, TRAIN)], y[TRAIN])
                        decided = fitted.decision(matrix[np.ix_(TEST, TRAIN)], matrix.diagonal()[TEST])
                    except KernlibError as error:
                        assert ";" in str(error)  # what was expected; what came
                        continue
                assert np.isfinite(decided).all()


@pytest.mark.parametrize("K", MATRICES.values(), ids=MATRICES)
def test_analysis(K):
    y = TARGETS[0]
    for matrix in scaled(K):
        for call in (
            lambda K: diagnose(K, y),
            cosine,
            squared_distances,
            centre,
            lambda K: order_rows(K, y, "clustering"),
            lambda K: order_rows(K, y, "class, then eigenvector"),
            decompose,
            lambda K: kernel_pca(K).project(K, True),
            lambda K: kernel_pca(K, centered=True).project(K),
            lambda K: relevant_dimension(K, y),
            lambda K: relevant_dimension_loo(K, y),
            lambda K: [level_numbers(one) for one in levels_of(K, 2)],
        ):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                try:
                    call(matrix)
                except KernlibError as error:
                    assert ";" in str(error)


def test_what_does_not_converge_is_told(monkeypatch):
    def fails(K):
        raise np.linalg.LinAlgError("Eigenvalues did not converge")

    monkeypatch.setattr(np.linalg, "eigh", fails)
    monkeypatch.setattr(np.linalg, "eigvalsh", fails)
    for call in (
        lambda: decompose(np.eye(3)),
        lambda: kernel_pca(np.eye(3)),
        lambda: diagnose(np.eye(3)),
        lambda: KernelPCARegression().fit(np.eye(4), [0, 0, 1, 1]),
        lambda: Diffusion().bind(np.ones((3, 3))),
    ):
        with pytest.raises(DegenerateError, match=r"did not converge; expected .* Standardise"):
            call()
    (fold, *_) = sweep(RunSpec("breast-cancer-10", RBF(sigma=3.0), KernelPCARegression(dimension=30)))
    assert "did not converge; expected" in fold.problem


def test_what_overflows_in_a_sweep_is_a_named_fold():
    spec = RunSpec("breast-cancer-10", Polynomial(), NearestCentroid(), axis=Axis("kernel.degree", (2, 64)))
    found = list(sweep(spec))
    with np.errstate(over="ignore"):
        overflows = not np.isfinite(((spec.load().rows ** 2).sum(axis=1).max() + 1.0) ** 64)
    problems = {fold.value: fold.problem for fold in found}
    assert not problems[2]
    assert overflows == ("expected finite values" in problems[64])
    assert overflows


def test_bandwidths_at_the_ends():
    for h in (1e-150, 1e150):
        K = Deep(RBF(), bandwidths=(h,))(X)
        assert np.isfinite(K).all()
        assert ((K > 0).sum() == len(X)) == (h < 1)
    with pytest.raises(DegenerateError, match=r"bandwidth h = .* expected a finite number above 0"):
        gaussian_level(np.zeros(1), 5e-324)


@pytest.mark.parametrize("cls", [SVM, KernelPCASVM])
def test_c_on_the_scale_of_the_spread(cls):
    """C/s for s = mean k(x, x) − mean k(x, x') of the training rows, and so the same machine for a·K."""
    K, y = MATRICES["rbf"], TARGETS[0]
    scaled = cls(C=3.0, scale="spread").fit(K, y)
    if cls is SVM:
        s = np.mean(np.diagonal(K)) - np.mean(K)
        absolute = SVM(C=3.0 / s).fit(K, y)
        assert scaled.cost_ == pytest.approx(3.0 / s)
        assert absolute.cost_ == 3.0 / s
        assert_allclose(scaled.decision(K), absolute.decision(K), rtol=1e-9)
    for a in (1e-100, 1e-9, 1e9, 1e100):
        found = cls(C=3.0, scale="spread").fit(K * a, y)
        assert_allclose(found.decision(K * a), scaled.decision(K), atol=1e-4)
        assert found.cost_ * a == pytest.approx(scaled.cost_, rel=1e-9)


def test_no_scale_in_rows_that_coincide_and_one_in_an_indefinite_kernel():
    with pytest.raises(DegenerateError, match=r"C=10 on the scale .* rows that all coincide"):
        SVM(C=10.0, scale="spread").fit(np.ones((4, 4)), [0, 0, 1, 1])
    assert SVM(C=1.0, scale="spread").fit(np.array([[0.0, 2.0], [2.0, 0.0]]), [0, 1]).cost_ == 1.0
    assert repr(SVM(C=1.0)) == "SVM(C=1.0)"
    assert repr(SVM(scale="spread")) == "SVM(C=1.0, scale='spread')"
