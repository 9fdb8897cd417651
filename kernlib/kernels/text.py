"""Kernels on texts: word counts, and concepts computed from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..core.base import Kernel, Memo
from ..errors import DegenerateError
from ..numerics.blocks import block_size
from ..values.arrays import Array
from ..values.declare import one_of, whole

#: From this many rows on, fewer than a fifth of all eigenpairs are computed by Lanczos.
_LANCZOS_FROM = 1000


class _Terms(NamedTuple):
    """Learnt from the training texts: their terms (words, or columns of a `_Counts`), weights, and concepts U_k."""

    vocabulary: dict[str, int] | None
    columns: Array | None
    weights: Array | None
    concepts: Array | None = None


def _weighting() -> Any:
    return one_of("tf", "w", "term counts, or counts weighted by rarity (tf-idf)", ("tf", "tf-idf"))


def _stop_words() -> Any:
    return one_of(None, r"\mathcal{S}", "stop words; 'english': scikit-learn's list", (None, "english"))


class _Counts:
    """Word counts of texts, which `bind` uses instead of the strings.

    Each training part keeps the columns that occur in it, the vocabulary that it would learn from the strings.
    """

    ndim = 1

    def __init__(self, matrix: Any) -> None:
        self.matrix = matrix

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    def __getitem__(self, which: Any) -> _Counts:
        return _Counts(self.matrix[which])


class _BagOfWords(Kernel):
    """Texts as weighted counts of the words that occur in the training texts."""

    # Subclasses declare these after their other fields.
    weighting: str
    stop_words: str | None

    domain = "text"
    learns_itself = True

    def _counter(self, vocabulary: Any = None) -> Any:
        from sklearn.feature_extraction.text import CountVectorizer

        # Every run of letters or digits is a word, including single letters.
        return CountVectorizer(
            stop_words=self.stop_words, token_pattern=r"(?u)\b\w+\b", vocabulary=vocabulary, dtype=np.float64
        )

    def _counted(self, X: Any) -> tuple[dict[str, int], Any]:
        """Return the words of these texts and how often each occurs in each."""
        counter = self._counter()
        try:
            D = counter.fit_transform(X)
        except ValueError:  # scikit-learn's "empty vocabulary"
            raise self._no_words(len(X)) from None
        D.sort_indices()
        return counter.vocabulary_, D

    def _no_words(self, n: int) -> DegenerateError:
        left = ", stop words left out" if self.stop_words else ""
        return DegenerateError(
            f"{type(self).__name__}: the {n} training texts hold no words{left}; expected at least one. "
            "Give texts with words in them, or stop_words=None."
        )

    def _learn_terms(self, X: Any) -> tuple[_Terms, Any]:
        """Return the terms of the training texts, and the texts' weighted counts D."""
        vocabulary, columns = None, None
        if isinstance(X, _Counts):
            columns = np.unique(X.matrix.indices[X.matrix.data > 0])
            if not len(columns):
                raise self._no_words(len(X))
            D = X.matrix[:, columns]
        else:
            vocabulary, D = self._counted(X)
        weights = None
        if self.weighting == "tf-idf":
            from sklearn.feature_extraction.text import TfidfTransformer

            weights = np.asarray(TfidfTransformer(norm=None).fit(D).idf_)
        return _Terms(vocabulary, columns, weights), _weighted(D, weights)

    def term_counts(self, X: Any) -> Any:
        """Return φ(d) for every text, as rows of a sparse matrix."""
        terms: _Terms = self.state
        if terms.vocabulary is not None:
            D = self._counter(terms.vocabulary).transform(X)
            D.sort_indices()
        else:
            D = X.matrix[:, terms.columns]
        return _weighted(D, terms.weights)

    def factor_rows(self, X: Any) -> Any:
        """Return the texts' feature vectors, as dense or sparse rows."""
        return self.term_counts(X)

    def learn(self, X: Array, y: Array | None) -> _Terms:
        return self._learn_terms(X)[0]

    def prepared_rows(self, rows: Array, memo: Memo) -> Array:
        try:
            counts: Any = _Counts(self._counted(rows)[1])
        except DegenerateError:  # no word at all: the fit raises the error
            return rows
        return counts  # type: ignore[no-any-return]


@dataclass(frozen=True, repr=False)
class VectorSpace(_BagOfWords):
    """Texts as bags of words: inner products of term counts.

        k(d, d') = Σ_t w_t² tf(t, d) tf(t, d'),  K = DD'

    Learns the terms t, the words of the training texts (lower case), and with weighting "tf-idf" their
    weights w_t = 1 + log((1 + n)/(1 + n_t)), n_t of the n training texts containing t; with "tf" w_t = 1. Words that
    are in no training text are ignored.

    Parameters: weighting "tf" or "tf-idf"; stop_words None or "english". For equal lengths of all texts use
    `Normalized`. Raises DegenerateError if the training texts contain no word.

    [K] eqs. 3.8–3.11; Salton, Wong, Yang 1975.

    >>> VectorSpace()(["the cat and the dog", "the dog"])
    array([[7., 3.],
           [3., 2.]])
    """

    weighting: str = _weighting()
    stop_words: str | None = _stop_words()

    formula = r"\sum_t w_t^2\,\mathrm{tf}(t,d)\,\mathrm{tf}(t,d')"
    source = "[K] eqs. 3.8–3.11"
    cost = "O(words), one sparse product"


@dataclass(frozen=True, repr=False)
class LatentSemantic(_BagOfWords):
    """Texts compared by concepts: directions of words that occur together.

        D' = U Σ V',  k(d, d') = ⟨φ(d) U_k, φ(d') U_k⟩

    φ(d) is the text's row of counts, U_k the first k left singular vectors of the training texts'
    D' (terms × texts). With (λ_i, v_i) the eigenpairs of K = DD' the same features are

        φ(d) U_k = ( λ_i^{−½} Σ_j (v_i)_j κ(d_j, d) )_{i=1…k}

    Learns the terms and the concepts of the training texts. Parameters: concepts k, an integer from 1 on; a number
    above the rank keeps all concepts, which is `VectorSpace` on the training texts; weighting and stop_words as for
    `VectorSpace`. Raises DegenerateError if the training texts contain no word.

    [K] eqs. 3.13–3.16; Cristianini, Shawe-Taylor, Lodhi 2002.

    >>> texts = ["cat purrs", "cat purrs", "dog"]
    >>> LatentSemantic(concepts=1).fit(texts)(["cat", "dog"], ["purrs"]).round(4)
    array([[0.5],
           [0. ]])
    """

    concepts: int = whole(
        100, "k", "number of concepts; a number above the rank keeps all", 1, 300, minimum=1, maximum=100_000
    )
    weighting: str = _weighting()
    stop_words: str | None = _stop_words()

    formula = r"\langle\phi(d)\,U_k,\ \phi(d')\,U_k\rangle,\quad D^\top = U\Sigma V^\top"
    source = "[K] eqs. 3.13–3.16"
    cost = "O(n³) or O(N³) for n texts or N words, the smaller; Lanczos for few concepts"

    def learn(self, X: Array, y: Array | None) -> _Terms:
        terms, D = self._learn_terms(X)
        by_texts = D.shape[0] <= D.shape[1]
        eigenvalues, V = _leading(D if by_texts else D.T.tocsr(), self.concepts)
        return terms._replace(concepts=np.asarray(D.T @ V) / np.sqrt(eigenvalues) if by_texts else V)

    def factor_rows(self, X: Any) -> Array:
        terms: _Terms = self.state
        return np.asarray(self.term_counts(X) @ terms.concepts)


def _weighted(D: Any, weights: Array | None) -> Any:
    return D if weights is None else D.multiply(weights).tocsr()


def _leading(A: Any, k: int) -> tuple[Array, Array]:
    """Return the k largest eigenvalues of AA', fewer where its rank is smaller, and their eigenvectors."""
    from scipy.sparse.linalg import LinearOperator, eigsh

    n = A.shape[0]
    k = min(k, n)
    if n >= block_size(_LANCZOS_FROM) and 5 * k < n:
        # Two sparse products for each step; the dense AA' is never made.
        across = A.T.tocsr()
        product = LinearOperator((n, n), matvec=lambda x: A @ (across @ x), dtype=np.float64)
        eigenvalues, V = eigsh(product, k, v0=np.ones(n))
    else:
        # All of them: for a subset, LAPACK's dsyevr finds none if several are equal.
        eigenvalues, V = (part[..., n - k :] for part in np.linalg.eigh((A @ A.T).toarray()))
    above = eigenvalues > 10 * n * np.finfo(float).eps * max(eigenvalues.max(), 0.0)
    if not above.any():
        return np.ones(1), np.zeros((n, 1))
    return eigenvalues[above][::-1], V[:, above][:, ::-1]
