"""Values of other programs: one table of kernels, rows and the matrix that the other program has."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.impute import SimpleImputer
from sklearn.metrics import pairwise
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, OrdinalEncoder, StandardScaler

from kernlib import (
    RBF,
    ArcCosine,
    ChiSquared,
    Coded,
    DynamicTimeWarping,
    GlobalAlignment,
    Graph,
    Imputed,
    InfiniteWidth,
    Intersection,
    LabelSequences,
    Linear,
    Mismatch,
    Normalized,
    Polynomial,
    Ranged,
    ShortestPath,
    Standardized,
    Subsequence,
    VertexHistogram,
    WeightedDegree,
    WeisfeilerLehman,
)

from .strings import ORACLE as STRINGS


def _read(name: str):
    return json.loads((Path(__file__).parent.parent / "oracles" / f"{name}.json").read_text(encoding="utf-8"))


WIDTH, SERIES, PARTS, WALKS = map(_read, ("infinite_width", "tslearn_gak", "grakel_parts", "grakel_walks"))


def _graph(n: int, labels: list, edges: list) -> Graph:
    E = np.zeros((n, n))
    E[tuple(np.transpose(edges))] = 1.0
    return Graph(E + E.T, labels)


GRAPHS = [_graph(**graph) for graph in WALKS["graphs"]]
#: GraKeL counts pairs of nodes with different labels as walks of length 0.
UNEQUAL = [[sum(x != y for x in a.labels for y in b.labels) for b in GRAPHS] for a in GRAPHS]

X = np.random.default_rng(0).normal(size=(12, 4))
COUNTS = np.random.default_rng(1).poisson(2.0, size=(20, 6)).astype(float)
GAPS = np.where(np.random.default_rng(2).random(X.shape) < 0.2, np.nan, X)
TABLE = np.array([["a", "x"], ["b", "y"], ["c", "x"], ["a", "z"]], dtype=object)


def _linear(transformer, rows):
    A = transformer.fit_transform(rows)
    return A @ A.T


SCIKIT_LEARN = [
    (RBF(sigma=1.7), X, partial(pairwise.rbf_kernel, gamma=1 / (2 * 1.7**2))),
    (Polynomial(degree=3, offset=0.5), X, partial(pairwise.polynomial_kernel, degree=3, gamma=1, coef0=0.5)),
    (Polynomial(degree=11, offset=0.0), X, partial(pairwise.polynomial_kernel, degree=11, gamma=1, coef0=0)),
    (ChiSquared(gamma=0.4), COUNTS, partial(pairwise.chi2_kernel, gamma=0.4)),
    (Intersection(), COUNTS, lambda rows: np.minimum(rows[:, None], rows).sum(axis=2)),
    (Ranged(Linear(), low=-1.0, high=3.0), X, partial(_linear, MinMaxScaler((-1.0, 3.0)))),
    (Imputed(Linear()), GAPS, partial(_linear, SimpleImputer())),
    (Imputed(Linear(), strategy="most_frequent"), GAPS, partial(_linear, SimpleImputer(strategy="most_frequent"))),
    (Standardized(Linear()), X, partial(_linear, StandardScaler())),
    (Coded(Linear()), TABLE, partial(_linear, OneHotEncoder(sparse_output=False))),
    (Coded(Linear(), coding="treatment"), TABLE, partial(_linear, OneHotEncoder(sparse_output=False, drop="first"))),
    (Coded(Linear(), coding="codes"), TABLE, partial(_linear, OrdinalEncoder())),
]


@pytest.mark.parametrize(
    ("kernel", "rows", "theirs"), SCIKIT_LEARN, ids=[repr(kernel) for kernel, _, _ in SCIKIT_LEARN]
)
def test_scikit_learn(kernel, rows, theirs):
    assert_allclose(kernel(rows), theirs(rows), rtol=1e-9)


PROTEIN = "ACDEFGHIKLMNPQRSTVWY"
STORED = [
    *((Subsequence(order=n), STRINGS["strings"], STRINGS[f"subsequence_{n}"]) for n in (2, 3)),  # kernlab
    (Normalized(Subsequence(order=2)), STRINGS["strings"], STRINGS["subsequence_2_normalized"]),
    (Subsequence(weights=(1.0, 1.0, 1.0)), STRINGS["strings"], STRINGS["subsequence_sum_1_to_3"]),  # strkernels
    *((WeightedDegree(degree=d), STRINGS["dna"], STRINGS[f"weighted_degree_{d}_dna"]) for d in (3, 5)),
    (Mismatch(length=3, alphabet="ACGT"), STRINGS["dna"], STRINGS["mismatch_3_1_dna"]),  # enumerated
    (Mismatch(length=5, alphabet=PROTEIN), STRINGS["protein"], STRINGS["mismatch_5_1_protein"]),
    *((WeisfeilerLehman(level=h), GRAPHS, PARTS["weisfeiler_lehman"][str(h)]) for h in (1, 2, 3, 4, 5)),  # GraKeL
    (WeisfeilerLehman(level=0), GRAPHS, WALKS["vertex_histogram"]),
    (VertexHistogram(), GRAPHS, WALKS["vertex_histogram"]),
    (ShortestPath(), GRAPHS, PARTS["shortest_path"]),
    (LabelSequences(beta=WALKS["lamda"]), GRAPHS, np.subtract(WALKS["random_walk_labeled"], UNEQUAL)),
    (GlobalAlignment(sigma=2.0), SERIES["series"], SERIES["gak_normalised_sigma2"]),  # tslearn
    (DynamicTimeWarping(gamma=0.3), SERIES["series"], np.exp(-0.3 * np.square(SERIES["dtw"]))),
    *(
        (ArcCosine(Linear(), order=n, level=level), WIDTH["X"], WIDTH["arc_cosine"][str(n)][level - 1])  # quadrature
        for n in (0, 1, 2)
        for level in (1, 2, 3)
    ),
    *(
        (InfiniteWidth(Linear(), level=level, of=of), WIDTH["X"], WIDTH[f"relu_{of}"][level - 1])
        for of in ("nngp", "ntk")
        for level in (1, 2, 3, 4, 5)
    ),
]


@pytest.mark.parametrize(("kernel", "rows", "expected"), STORED, ids=[repr(kernel) for kernel, _, _ in STORED])
def test_stored_values(kernel, rows, expected):
    assert_allclose(kernel(rows), expected, rtol=1e-9, atol=1e-15)
