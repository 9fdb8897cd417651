"""Benchmarks of eigenvalues and of parameter sweeps against a grid search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse.linalg import eigsh
from sklearn.decomposition import KernelPCA
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import GridSearchCV, ShuffleSplit
from sklearn.svm import SVC

from kernlib.analysis.spectrum import decompose
from kernlib.core.base import Kernel
from kernlib.experiments import Axis, RunSpec, sweep
from kernlib.kernels.subsequence import Subsequence
from kernlib.kernels.vectors import RBF
from kernlib.machines import SVM
from kernlib.machines.regression import left_out_errors
from kernlib.protocols import RepeatedSplits
from kernlib.values.arrays import Array
from kernlib.values.labels import read_labels
from kernlib.wrappers.deep import Deep
from kernlib.wrappers.elementwise import Power

from .case import Case, Peer, Work, numbers


def _leading(n: int) -> Case:
    K, k = RBF(sigma=7.0)(numbers(n, 50)), max(2, min(50, n // 20))

    pca = KernelPCA(k, kernel="precomputed", eigen_solver="dense")
    peers = (
        Peer("SciPy arpack", lambda: eigsh(K, k, return_eigenvectors=True)[0][::-1]),
        Peer("scikit-learn KernelPCA, dense", lambda: pca.fit(K), None),
    )
    return Case(lambda: decompose(K, k).eigenvalues, peers)


def _full(n: int) -> Case:
    K = RBF(sigma=7.0)(numbers(n, 50))
    peer = Peer("NumPy eigh", lambda: np.linalg.eigh(K), lambda pairs: pairs[0][::-1])
    return Case(lambda: decompose(K).eigenvalues, (peer,))


def _errors(spec: RunSpec, data: Any) -> Array:
    """Return the error of every split, (values, splits)."""
    scores = {(one.value, one.split): one.score for one in sweep(spec, data)}
    return np.array([[scores[value, s] for s in range(spec.protocol.count)] for value in spec.values])


def _mean_errors(ours: Any, theirs: Any) -> float:
    """Compare means over splits: solvers may put a test row at the border on either side."""
    return float(np.abs(np.mean(ours, axis=1) - np.mean(theirs, axis=1)).max())


def _sweep(spec: RunSpec, kernels: Sequence[Kernel], Cs: Sequence[float]) -> Case:
    """Return the case of a sweep beside GridSearchCV over C, with the Gram matrices computed in advance."""
    data = spec.load()
    assert data.y is not None
    matrices, splits = [kernel(data.rows) for kernel in kernels], [of for _, *of in spec.protocol.splits(data.y)]

    def grid_search() -> Array:
        errors: list[Array] = []
        for K in matrices:
            search = GridSearchCV(SVC(kernel="precomputed"), {"C": Cs}, cv=splits, refit=False).fit(K, data.y)
            scores = [search.cv_results_[f"split{s}_test_score"] for s in range(len(splits))]
            errors.extend(1.0 - np.transpose(scores))
        return np.array(errors)

    peer = Peer("scikit-learn GridSearchCV", grid_search)
    return Case(lambda: _errors(spec, data), (peer,), difference=_mean_errors)


def _over_p(splits: int) -> Case:
    values = tuple(np.linspace(0.1, 1.0, 11).round(3).tolist())
    kernel = Power(Subsequence(order=3, decay=0.25))
    spec = RunSpec("markov-strings", kernel, SVM(C=1e4), RepeatedSplits(repeats=splits), axis=Axis("kernel.p", values))
    return _sweep(spec, [replace(kernel, p=p) for p in values], (1e4,))


def _over_levels(splits: int) -> Case:
    Cs = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 1000.0)
    kernel, levels = Deep(RBF(sigma=200.0), level=0, bandwidths=(1.0,) * 5), tuple(range(6))
    axes = {"axis": Axis("kernel.level", levels), "second": Axis("machine.C", Cs)}
    spec = RunSpec("breast-cancer-10", kernel, SVM(), RepeatedSplits(repeats=splits), **axes)
    return _sweep(spec, [replace(kernel, level=level) for level in levels], Cs)


def _leave_one_out(n: int) -> Case:
    X = numbers(n, 10)
    y = np.sin(X[:, 0]) + 0.3 * X[:, 1]
    K, ridges = RBF(sigma=3.0)(X), np.geomspace(1e-3, 1e2, 20)

    def grid() -> Any:
        cv = ShuffleSplit(25, random_state=0)
        return GridSearchCV(KernelRidge(kernel="precomputed"), {"alpha": ridges}, cv=cv, refit=False).fit(K, y)

    def closed() -> Array:
        values, U = np.linalg.eigh(K)
        features = U * np.sqrt(np.maximum(values, 0.0))
        fitted = RidgeCV(ridges, fit_intercept=False, store_cv_results=True).fit(features, y)
        return np.asarray(fitted.cv_results_.mean(axis=0))

    peers = Peer("scikit-learn, 25 splits one by one", grid, None), Peer("scikit-learn RidgeCV", closed)
    labels = read_labels(y)
    return Case(lambda: left_out_errors(decompose(K), labels, ridges=ridges)[1], peers)


WORKS = (
    Work("leading 50 eigenpairs of n × n", _leading, (4000, 1200, 60), 1.1),
    Work("all eigenpairs of n × n", _full, (2000, 700, 40), 1.1),
    Work("sweep over 11 p × n splits, 50 strings", _over_p, (20, 5, 2), 0.15, 0.02),
    Work("sweep over 6 levels × 8 C × n splits, 569 rows", _over_levels, (25, 3, 1), 0.2, 0.02),
    Work("leave-one-out over 20 ridges, n rows", _leave_one_out, (569, 300, 30), 0.04, 1e-6),
)
