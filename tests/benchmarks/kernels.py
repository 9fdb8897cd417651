"""Benchmarks of Gram matrices of vectors, categories, strings, graphs and time series."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.spatial.distance import pdist, squareform
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

from kernlib.core.base import Kernel
from kernlib.data import load_dataset
from kernlib.kernels.categorical import Overlap, ProbabilityOverlap
from kernlib.kernels.graphs import LabelSequences
from kernlib.kernels.series import GlobalAlignment
from kernlib.kernels.spectrum import Mismatch, Spectrum
from kernlib.kernels.subgraphs import ShortestPath, WeisfeilerLehman
from kernlib.kernels.subsequence import Subsequence
from kernlib.kernels.vectors import RBF, Polynomial
from kernlib.values.arrays import Array
from kernlib.values.domains import Graph
from tests.kernels.test_definitions import common_subsequences, walks_along
from tests.kernels.test_tables import by_categories

from .case import Case, Peer, Work, numbers, relative, strings

_PROTEIN = "ACDEFGHIKLMNPQRSTVWY"
_DNA = "ACGT"


def _gram(kernel: Kernel, X: Any, *peers: Peer, check: Callable[[Any], float] | None = None) -> Case:
    return Case(lambda: kernel(X), peers, check)


def _rbf(n: int) -> Case:
    X, sigma = numbers(n, 50), 5.0
    return _gram(
        RBF(sigma=sigma),
        X,
        Peer("scikit-learn", lambda: rbf_kernel(X, gamma=1 / (2 * sigma**2))),
        Peer("SciPy pdist", lambda: np.exp(squareform(pdist(X, "sqeuclidean")) / (-2 * sigma**2))),
    )


def _polynomial(n: int) -> Case:
    X = numbers(n, 50)
    peer = Peer("scikit-learn", lambda: polynomial_kernel(X, degree=3, gamma=1.0))
    return _gram(Polynomial(degree=3, offset=1.0), X, peer)


def _categories(n: int) -> Array:
    return np.random.default_rng(0).integers(0, 4, size=(n, 60))


def _overlap(n: int) -> Case:
    X = _categories(n)
    peer = Peer("SciPy pdist, hamming", lambda: pdist(X, "hamming"), lambda distances: 1.0 - squareform(distances))
    return _gram(Overlap(), X, peer)


def _probability_overlap(n: int) -> Case:
    X, kernel = _categories(n), ProbabilityOverlap(alpha=1.0)

    def check(K: Array) -> float:
        return relative(K[:20, :20], by_categories(kernel, X[:20], X[:20], X))

    peer = Peer("SciPy pdist, hamming", lambda: pdist(X, "hamming"), None)
    return _gram(kernel, X, peer, check=check)


def _subsequence(length: int) -> Callable[[int], Case]:
    def make(n: int) -> Case:
        X = strings(n, length, _PROTEIN)
        # strkernels computes the sum over orders 1, 2 and 3.
        kernel = Subsequence(order=3, decay=0.25, weights=(1.0, 1.0, 1.0))

        def strkernels() -> Any:
            from strkernels import SubsequenceStringKernel

            return SubsequenceStringKernel(normalizer=None, maxlen=3, ssk_lambda=0.25)(X, X)

        def check(K: Array) -> float:
            some = X[:3]
            return relative(K[:3, :3], [[common_subsequences(0.25, kernel.weights, s, t) for t in some] for s in some])

        return _gram(kernel, X, Peer("strkernels (C)", strkernels, package="strkernels"), check=check)

    return make


def _spectrum(n: int) -> Case:
    X = strings(n, 200, _PROTEIN)

    def scikit() -> Any:
        counts = CountVectorizer(analyzer="char", ngram_range=(3, 3), lowercase=False).fit_transform(X)
        return (counts @ counts.T).toarray()

    peer = Peer("scikit-learn counts", scikit)
    return _gram(Spectrum(length=3), X, peer)


def _mismatch(n: int, letters: str) -> Case:
    X = strings(n, 200, letters)
    # Number of common neighbours, one mismatch each, of words of 5 letters that agree in 0 … 5.
    shared = np.array([0, 0, 0, 2, len(letters), 5 * len(letters) - 4])

    def check(K: Array) -> float:
        words = [np.array([list(s[i : i + 5]) for i in range(len(s) - 4)]) for s in X[:6]]
        values = [[shared[(a[:, None] == b[None]).sum(axis=2)].sum() for b in words] for a in words]
        return relative(K[:6, :6], values)

    kernel = Mismatch(length=5, mismatches=1, alphabet=letters)
    peer = Peer("our spectrum 3", lambda: Spectrum(length=3)(X), None)
    return _gram(kernel, X, peer, check=check)


def _walks(n: int) -> Case:
    molecules = [Graph(g.adjacency, g.labels) for g in list(load_dataset("mutag").rows)[:n]]
    labels = [np.asarray(g.labels) for g in molecules]
    beta = 0.02

    def grakel() -> Any:
        from grakel.kernels import RandomWalkLabeled

        given = [(g.adjacency.astype(float), dict(enumerate(labels[i]))) for i, g in enumerate(molecules)]
        kernel = RandomWalkLabeled(lamda=beta, method_type="baseline", kernel_type="geometric")
        K = np.asarray(kernel.fit_transform(given))
        if kernel._lamda != beta:
            raise RuntimeError(f"GraKeL changed lambda to {kernel._lamda}")
        return K

    def without_unequal(K: Array) -> Array:
        # GraKeL also counts the walks of length 0 of nodes with unequal labels.
        return np.array(
            [[K[i, j] - (a[:, None] != b).sum() for j, b in enumerate(labels)] for i, a in enumerate(labels)]
        )

    def check(K: Array) -> float:
        some = molecules[:5]
        return relative(K[:5, :5], [[walks_along("geometric", beta, g, h) for h in some] for g in some])

    peer = Peer("GraKeL", grakel, without_unequal, "grakel")
    return _gram(LabelSequences(beta=beta, series="geometric"), molecules, peer, check=check)


def _counted(kernel: Kernel, theirs: Callable[[Any], Any]) -> Callable[[int], Case]:
    """Return the case of a kernel that counts parts of graphs, beside GraKeL's."""

    def make(n: int) -> Case:
        molecules = list(load_dataset("mutag").rows)[:n]
        given = [(g.adjacency.astype(int), dict(enumerate(g.labels))) for g in molecules]

        def grakel() -> Any:
            return np.asarray(theirs(importlib.import_module("grakel.kernels")).fit_transform(given))

        return _gram(kernel, molecules, Peer("GraKeL", grakel, package="grakel"))

    return make


_neighbourhoods = _counted(
    WeisfeilerLehman(level=5),
    lambda peer: peer.WeisfeilerLehman(n_iter=5, base_graph_kernel=peer.VertexHistogram),
)
_paths = _counted(ShortestPath(), lambda peer: peer.ShortestPath())


def _alignments(n: int) -> Case:
    """Return the case of global alignment of random walks of 150 times, beside tslearn's."""
    X = np.cumsum(numbers(n, 150), axis=1)
    kernel = GlobalAlignment(sigma=150.0)

    def tslearn() -> Any:
        return np.asarray(importlib.import_module("tslearn.metrics").cdist_gak(X[:, :, None], sigma=kernel.sigma))

    return _gram(kernel, list(X), Peer("tslearn", tslearn, package="tslearn"))


WORKS = (
    Work("RBF, n × 50", _rbf, (5000, 2000, 40), 0.35),
    Work("polynomial of degree 3, n × 50", _polynomial, (5000, 2000, 40), 0.35),
    Work("overlap k0, n × 60, 4 categories", _overlap, (5000, 2000, 40), 0.25),
    Work("probability overlap k1 with its PMF, n × 60", _probability_overlap, (5000, 2000, 70), 0.35),
    Work("subsequence of order 3, n strings of 60", _subsequence(60), (500, 150, 12), 0.05),
    Work("subsequence of order 3, n strings of 100", _subsequence(100), (200, 80, 12), 0.1),
    Work("spectrum 3, n strings of 200", _spectrum, (2000, 600, 12), 0.35),
    Work("mismatch (5, 1), n strings of 200, 20 letters", partial(_mismatch, letters=_PROTEIN), (500, 200, 12), 6.0),
    Work("mismatch (5, 1), n strings of 200, DNA", partial(_mismatch, letters=_DNA), (500, 200, 12), 5.0),
    Work("walks with equal labels, n molecules", _walks, (188, 20, 4), 0.02),
    Work("Weisfeiler–Lehman, 5 levels, n molecules", _neighbourhoods, (188, 40, 8), 0.5),
    Work("shortest paths, n molecules", _paths, (188, 40, 8), 0.2),
    Work("global alignment, n series of 150", _alignments, (200, 60, 6), 0.3),
)
