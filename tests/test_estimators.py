"""A kernel inside scikit-learn: its own checks, parameters by name, no test row in a fit."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import estimator_checks_generator

from kernlib import (
    RBF,
    Centered,
    Convolution,
    Deep,
    Diffusion,
    DomainError,
    Empirical,
    GeneralOverlap,
    Imputed,
    LabelPairs,
    LatentSemantic,
    Linear,
    Nystrom,
    On,
    Pairs,
    ParameterError,
    Power,
    ProbabilityOverlap,
    SoftMarginDiagonal,
    Spectrum,
    Standardized,
    Subsequence,
    TensorPairs,
    TransductiveError,
)
from kernlib import NotFittedError as NotYetLearnt
from kernlib.data import load_dataset
from kernlib.estimators import GramTransformer, KernelMachine
from kernlib.machines import SVM


@pytest.mark.filterwarnings("ignore")  # scikit-learn's checks feed what warns on purpose
@pytest.mark.parametrize(
    "transformer",
    [
        GramTransformer(Linear()),
        GramTransformer(Deep(Standardized(RBF(sigma="median")))),
        GramTransformer(Imputed(Empirical(RBF()))),
        GramTransformer(ProbabilityOverlap()),
    ],
    ids=repr,
)
def test_scikit_learn_s_own_checks(transformer, monkeypatch):
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")  # else the checks of foreign arrays skip themselves
    ran = 0
    for estimator, check in estimator_checks_generator(transformer, legacy=True, mark=None):
        check(estimator)
        ran += 1
    assert ran > 40


RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(12, 3))
STRINGS = ["".join(RANDOM.choice(list("ACGT"), 8)) for _ in range(12)]
LABELS = np.array([0, 1] * 6)
TABLE = pd.DataFrame({"size": X[:, 0], "weight": X[:, 1], "colour": RANDOM.choice(["red", "blue"], 12)})
MOLECULES = load_dataset("mutag").take(range(12)).rows

ROWS = {
    "numbers": (Deep(Empirical(Power(RBF(sigma="median"), p=0.5)), level=2), X),
    "strings": (Empirical(Power(Subsequence(order=2), p=0.5)), STRINGS),
    "texts": (LatentSemantic(concepts=2), [" ".join(s) for s in STRINGS]),
    "categories": (GeneralOverlap(), TABLE[["colour"]]),
    "mixed table": (On((0, 1), RBF(sigma="median")) + On((2,), ProbabilityOverlap()), TABLE),
    "missing numbers": (Imputed(Linear()), np.where(X > 1, np.nan, X)),
    "graphs": (LabelPairs(beta=0.1), list(MOLECULES)),
    "pairs": (TensorPairs(Centered(Linear())), Pairs(X, RANDOM.integers(0, 12, size=(12, 2)))),
    "nodes, bound": (Diffusion(beta=0.3).bind(np.abs(X @ X.T)), np.arange(12)),
    "training diagonal": (SoftMarginDiagonal(Linear(), weight=0.5), X),
}


def part(rows, where):
    if isinstance(rows, pd.DataFrame):
        return rows.iloc[where]
    return [rows[i] for i in where] if isinstance(rows, list) else rows[where]


@pytest.mark.parametrize("name", ROWS)
def test_the_matrices_are_those_of_fold(name):
    kernel, rows = ROWS[name]
    train, test = part(rows, np.arange(0, 8)), part(rows, np.arange(8, 12))
    expected = kernel.fold(np.asarray(train) if name == "mixed table" else train, test, LABELS[:8])
    gram = GramTransformer(kernel)
    K = gram.fit_transform(train, LABELS[:8])
    assert_array_equal(K, expected.K)
    K += 1.0  # the caller's own
    assert_allclose(gram.transform(test), expected.K_star, rtol=1e-12, atol=1e-14)
    apart = clone(gram).fit(train, LABELS[:8])
    assert_allclose(apart.transform(test), expected.K_star, rtol=1e-12, atol=1e-14)
    again = pickle.loads(pickle.dumps(apart))
    assert_array_equal(again.transform(test), apart.transform(test))
    assert again.get_feature_names_out().tolist() == [f"gramtransformer{i}" for i in range(8)]


def test_training_rows_are_kept_and_not_shared():
    rows = X.copy()
    gram = GramTransformer(RBF()).fit(rows[:8])
    before = gram.transform(X[8:])
    rows[:] = 0.0
    assert_array_equal(gram.transform(X[8:]), before)
    frame = gram.set_output(transform="pandas").transform(X)
    assert isinstance(frame, pd.DataFrame)
    assert frame.shape == (12, 8)


def test_every_parameter_inside_has_a_name():
    kernel = Empirical(Power(RBF(sigma=2.0), p=0.5)) + Linear()
    gram = GramTransformer(kernel)
    assert gram.get_params(deep=False) == {"kernel": kernel}
    assert list(gram.get_params()) == [
        "kernel",
        "kernel__left",
        "kernel__left__kernel",
        "kernel__left__kernel__kernel",
        "kernel__left__kernel__kernel__sigma",
        "kernel__left__kernel__p",
        "kernel__left__landmarks",
        "kernel__right",
    ]
    for name, value in gram.get_params().items():
        assert clone(gram).set_params(**{name: value}).kernel == kernel
    gram.set_params(kernel__left__kernel__p=0.25, kernel__left__kernel__kernel=Linear(), kernel__right=RBF())
    assert gram.kernel == Empirical(Power(Linear(), p=0.25)) + RBF()
    assert kernel == Empirical(Power(RBF(sigma=2.0), p=0.5)) + Linear()  # a value: none is changed in place
    # A kernel and what is set inside it, in one call; parameters that must fit each other, too.
    gram.set_params(kernel__order=3, kernel=Subsequence(order=2, weights=(1.0, 2.0)), kernel__weights=(1.0, 1.0, 1.0))
    assert gram.kernel == Subsequence(order=3, weights=(1.0, 1.0, 1.0))
    parts = GramTransformer(Convolution("two-substrings", (Spectrum(length=1), Spectrum(length=2))))
    assert parts.set_params(kernel__kernels__1__length=3).kernel.kernels == (Spectrum(length=1), Spectrum(length=3))


@pytest.mark.parametrize(
    ("act", "kind", "words"),
    [
        (lambda: GramTransformer(Power(RBF())).set_params(kernel__sigma=2.0), ParameterError, "kernel__kernel"),
        (lambda: GramTransformer(RBF()).set_params(sigma=2.0), ParameterError, "expected one of kernel, kernel__sigma"),
        (lambda: GramTransformer(RBF()).set_params(kernel__sigma=-1.0), ParameterError, "0 < sigma"),
        (lambda: GramTransformer(RBF()).set_params(kernel__sigma__x=1), ParameterError, "no parameter"),
        # A bound kernel is a table: another σ in its name would not be in its numbers.
        (lambda: GramTransformer(RBF().bind(X)).set_params(kernel__kernel__sigma=2.0), ParameterError, "bound kernel"),
        (lambda: GramTransformer("rbf").fit(X), ParameterError, r"Try GramTransformer\(Linear\(\)\)"),
        (lambda: GramTransformer(Diffusion()).fit(X @ X.T), TransductiveError, r"Pass kernel.bind\(X\)"),
        (lambda: GramTransformer(Spectrum()).fit(X), DomainError, "a list of n strings"),
        (lambda: GramTransformer(Linear()).fit(X).transform(X[:, :2]), ValueError, "expecting 3 features"),
        (lambda: GramTransformer(Spectrum()).transform(STRINGS), NotFittedError, "not fitted"),
        (lambda: GramTransformer(SoftMarginDiagonal(Linear())).fit_transform(X), NotYetLearnt, "labels"),
    ],
)
def test_refusals_say_what_to_do(act, kind, words):
    with pytest.raises(kind, match=words):
        act()


def test_a_grid_over_parameters_and_kernels_inside():
    data = load_dataset("promoters")
    rows, y = data.rows[::2], data.y[::2]
    machine = SVC(kernel="precomputed")
    model = Pipeline([("gram", GramTransformer(Deep(Power(Spectrum()), level=0))), ("svm", machine)])
    leaves, powers = [Spectrum(length=2), Subsequence(order=2)], [0.5, 1.0]
    grid = {"gram__kernel__kernel__kernel": leaves, "gram__kernel__kernel__p": powers}
    search = GridSearchCV(model, grid, cv=3, error_score="raise").fit(rows, y)
    kernels = [Deep(Power(leaf, p=p), level=0) for leaf in leaves for p in powers]
    expected = [cross_val_score(make_pipeline(GramTransformer(k), machine), rows, y, cv=3).mean() for k in kernels]
    assert_allclose(search.cv_results_["mean_test_score"], expected)
    assert len(set(search.cv_results_["mean_test_score"])) > 1
    assert search.predict(list(rows[:3])).shape == (3,)


def test_a_kernel_that_learns_nothing_is_a_kernel_for_svc():
    for kernel, rows in ((RBF(sigma=0.7), X), (Power(Spectrum(length=2), p=0.5), STRINGS)):
        direct = SVC(kernel=kernel, tol=1e-9).fit(rows[:8], LABELS[:8])
        table = make_pipeline(GramTransformer(kernel), SVC(kernel="precomputed", tol=1e-9)).fit(rows[:8], LABELS[:8])
        assert_allclose(direct.decision_function(rows[8:]), table.decision_function(rows[8:]), atol=1e-7)
    with pytest.raises(NotYetLearnt, match=r"kernlib\.estimators\.GramTransformer"):
        SVC(kernel=RBF(sigma="median")).fit(X, LABELS)


def test_landmarks_are_searched_like_any_number_and_no_gram_matrix_is_made(monkeypatch):
    rows = RANDOM.normal(size=(120, 2))
    y = (rows**2).sum(axis=1) > 1.4
    monkeypatch.setattr(RBF, "gram", lambda self, A, B, true=RBF.gram: _narrow(true(self, A, B), 12))
    model = KernelMachine(Nystrom(RBF(sigma=1.0)), SVM(C=10.0))
    model.set_params(kernel=Nystrom(Standardized(RBF(sigma=1.0))))
    search = GridSearchCV(model, {"kernel__landmarks": [2, 12]}, cv=3, scoring="accuracy", error_score="raise")
    search.fit(rows, y)
    few, more = search.cv_results_["mean_test_score"]
    assert few < more


def _narrow(K, most):
    assert min(K.shape) <= most
    return K
