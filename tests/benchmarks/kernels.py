"""Gram matrices against other libraries, in turn in one run; only the ratios count.

python tests/benchmarks/kernels.py
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np
from scipy.sparse.linalg import eigsh
from scipy.spatial.distance import pdist
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

from kernlib import RBF, Mismatch, Overlap, Polynomial, ProbabilityOverlap, Spectrum
from kernlib.analysis.spectrum import kernel_pca

RUNS = 7
rng = np.random.default_rng(0)


def strings(n: int, length: int, letters: str) -> list[str]:
    return ["".join(rng.choice(list(letters), length)) for _ in range(n)]


def ratio(name: str, ours: Callable[[], object], peer: Callable[[], object]) -> None:
    """Median time of ours, of the peer's, and of their ratios pair by pair."""
    ours(), peer()
    pairs = []
    for _ in range(RUNS):
        start = time.perf_counter()
        ours()
        middle = time.perf_counter()
        peer()
        pairs.append((middle - start, time.perf_counter() - middle))
    mine, other = (statistics.median(p[i] for p in pairs) * 1e3 for i in (0, 1))
    print(f"{name}: {statistics.median(a / b for a, b in pairs):.2f} × ({mine:.0f} ms against {other:.0f} ms)")


def main() -> None:
    X = rng.normal(size=(5000, 50))
    ratio("RBF 5000×50 / scikit-learn", lambda: RBF(sigma=5.0)(X), lambda: rbf_kernel(X, gamma=0.02))
    ratio("polynomial 5000×50 / scikit-learn", lambda: Polynomial()(X), lambda: polynomial_kernel(X, degree=3))
    C = rng.integers(0, 4, size=(5000, 60))
    ratio("overlap 5000×60 / pdist", lambda: Overlap()(C), lambda: pdist(C, "hamming"))
    ratio("probability overlap 5000×60 / pdist", lambda: ProbabilityOverlap()(C), lambda: pdist(C, "hamming"))
    proteins = strings(2000, 200, "ACDEFGHIKLMNPQRSTVWY")

    def counted() -> object:
        counts = CountVectorizer(analyzer="char", ngram_range=(3, 3), lowercase=False).fit_transform(proteins)
        return (counts @ counts.T).toarray()

    ratio("spectrum 3, 2000×200 / scikit-learn", lambda: Spectrum(length=3)(proteins), counted)
    part = proteins[:500]
    ratio(
        "mismatch (5,1), 500×200 / our spectrum 3",
        lambda: Mismatch(length=5, mismatches=1)(part),
        lambda: Spectrum(length=3)(part),
    )
    K = RBF(sigma=7.0)(rng.normal(size=(4000, 50)))
    ratio("50 eigenpairs of 4000 / arpack", lambda: kernel_pca(K, components=50), lambda: eigsh(K, 50))


if __name__ == "__main__":
    main()
