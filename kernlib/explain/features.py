"""Explicit feature spaces: Φ as a sparse matrix with names, so that ΦΦ' is the Gram matrix."""

from __future__ import annotations

import hashlib
import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial, singledispatch
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core.algebra import Constant, Monomial, Product, Scaled, Sum
from ..core.base import Kernel
from ..core.steps import RowStep, Shorthand
from ..errors import DataError, ExplainError
from ..kernels.categorical import Composed, DrawnOverlap, Overlap, ProbabilityOverlap
from ..kernels.fisher import Fisher
from ..kernels.graphs import LabelPairs
from ..kernels.nominal import missing
from ..kernels.positions import WeightedDegree
from ..kernels.series import Autocorrelation
from ..kernels.spectrum import Mismatch, Motif, OfWords
from ..kernels.subgraphs import (
    SHAPES,
    EdgeHistogram,
    Graphlets,
    ShortestPath,
    VertexHistogram,
    WeisfeilerLehman,
    path_lengths,
)
from ..kernels.subsequence import Subsequence
from ..kernels.subsequence import features as subsequence_features
from ..kernels.text import LatentSemantic, VectorSpace
from ..kernels.vectors import Linear, Polynomial
from ..kernels.words import alphabet_of, read_letters
from ..values.arrays import Array
from ..values.domains import GENERIC, Graph, concatenated
from ..values.words import number
from ..wrappers.feature_space import Centered, Conformal, Normalized, SoftMarginDiagonal, inverse_length
from ..wrappers.landmarks import LandmarkMap
from .explanation import Explanation, Part, Scene, Words, explanation, leaf, parts_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array


#: Most columns of an explicit feature space; for more, use the kernel.
MOST = 200_000


class Features(NamedTuple):
    """Φ (n, m) as a sparse matrix, and the m features' names."""

    matrix: csr_array
    names: tuple[str, ...]


def features(kernel: Kernel, X: Any, names: Sequence[str] | None = None, words: Words | None = None) -> Features:
    """Return Φ of the rows; see `Kernel.features`."""
    fitted = kernel if kernel.fitted else kernel.fit(X)
    space = feature_map(fitted, fitted.checked_rows(X), words or Words())
    return space if names is None else _as_named(space, names)


def _as_named(features: Features, names: Sequence[str]) -> Features:
    """Return the columns in the order of `names`: other columns are left out, missing ones are 0."""
    from scipy.sparse import csr_array, hstack

    if len(set(names)) < len(names):
        raise DataError("features: names must name each feature once. Give the names that another call returned.")
    place = {name: m for m, name in enumerate(features.names)}
    padded = hstack([features.matrix, csr_array((features.matrix.shape[0], 1))]).tocsr()
    return Features(padded[:, [place.get(name, len(place)) for name in names]], tuple(names))


@singledispatch
def feature_map(kernel: Any, X: Array, words: Words) -> Features:
    """Return Φ of checked rows for a fitted kernel: registered for each class of kernels."""
    raise ExplainError(
        f"features: {type(kernel).__name__} has no explicit feature space that could be written down; expected a "
        "kernel on counts, columns, terms, words or label pairs, or sums, products and linear steps of such kernels. "
        "Next: the Gram matrix itself, or Nystrom or Empirical for coordinates by landmarks."
    )


def counted_features(rows: Iterable[Mapping[str, float]]) -> Features:
    """Return one column for every word that occurs in a row's counts, in alphabetical order."""
    from sklearn.feature_extraction import DictVectorizer

    read = DictVectorizer()
    matrix = read.fit_transform(rows)
    return Features(sparse(matrix), tuple(read.feature_names_))


def sparse(matrix: Any) -> csr_array:
    from scipy.sparse import csr_array

    sparse = csr_array(matrix)
    sparse.eliminate_zeros()
    return sparse


def too_many(kernel: object, count: float) -> ExplainError:
    return ExplainError(
        f"features: {kernel!r} has {count:.3g} features; expected at most {MOST}. "
        "Choose a smaller order, degree or length, or work with the Gram matrix."
    )


# -- the algebra --------------------------------------------------------------------------------


@feature_map.register
def _constant(kernel: Constant, X: Array, words: Words) -> Features:
    return Features(sparse(np.full((len(X), 1), math.sqrt(kernel.value))), ("constant",))


@feature_map.register
def _scaled(kernel: Scaled, X: Array, words: Words) -> Features:
    matrix, names = feature_map(kernel.kernel, X, words)
    return Features(sparse(math.sqrt(kernel.factor) * matrix), names)


@feature_map.register
def _sum(kernel: Sum, X: Array, words: Words) -> Features:
    from scipy.sparse import hstack

    (A, left), (B, right) = feature_map(kernel.left, X, words), feature_map(kernel.right, X, words)
    if set(left) & set(right):
        left, right = (tuple(f"{side}: {n}" for n in names) for side, names in (("1", left), ("2", right)))
    return Features(sparse(hstack([A, B])), (*left, *right))


@feature_map.register
def _product(kernel: Product, X: Array, words: Words) -> Features:
    return _times(kernel, feature_map(kernel.left, X, words), feature_map(kernel.right, X, words))


def _times(kernel: Kernel, a: Features, b: Features) -> Features:
    """Return every feature of `a` times every feature of `b`, (n, a·b)."""
    from scipy.sparse import kron, vstack

    if len(a.names) * len(b.names) > MOST:
        raise too_many(kernel, len(a.names) * len(b.names))
    # A product within the right factor stays in brackets: x1 · (x2 · x3) is another column than x1 · x2 · x3.
    right = [f"({q})" if " · " in q else q for q in b.names]
    rows = [kron(a.matrix[[i]], b.matrix[[i]]) for i in range(a.matrix.shape[0])]
    return Features(sparse(vstack(rows)), tuple(f"{p} · {q}" for p in a.names for q in right))


@feature_map.register
def _monomial(kernel: Monomial, X: Array, words: Words) -> Features:
    one = feature_map(kernel.kernel, X, words)
    product = one
    for _ in range(kernel.exponent - 1):
        product = _times(kernel, product, one)
    return product


# -- steps --------------------------------------------------------------------------------------


@feature_map.register
def _normalized(kernel: Normalized, X: Array, words: Words) -> Features:
    return _rescaled(kernel.kernel, X, words, inverse_length(kernel.kernel.gram_diag(X)))


@feature_map.register
def _conformal(kernel: Conformal, X: Array, words: Words) -> Features:
    return _rescaled(kernel.kernel, X, words, kernel.factors(X, kernel.kernel.gram_diag(X)))


def _rescaled(kernel: Kernel, X: Array, words: Words, factors: Array) -> Features:
    matrix, names = feature_map(kernel, X, words)
    return Features(sparse(matrix.multiply(factors[:, None])), names)


@feature_map.register
def _centered(kernel: Centered, X: Array, words: Words) -> Features:
    # Of the training rows and X together, so that both have the same features.
    rows = kernel.kept_rows
    both = feature_map(kernel.kernel, concatenated(rows, X), words)
    dense = both.matrix.toarray()
    return Features(sparse(dense[len(rows) :] - dense[: len(rows)].mean(axis=0)), both.names)


@feature_map.register(SoftMarginDiagonal)
@feature_map.register(Shorthand)
def _same_features(kernel: SoftMarginDiagonal | Shorthand, X: Array, words: Words) -> Features:
    return feature_map(kernel.stands_for if isinstance(kernel, Shorthand) else kernel.kernel, X, words)


@feature_map.register
def _landmarks(kernel: LandmarkMap, X: Array, words: Words) -> Features:
    K = kernel.kernel.gram(X, kernel.kept_rows)
    return Features(sparse(K), tuple(f"like {words.row(i, K.shape[1])}" for i in range(K.shape[1])))


@feature_map.register
def _rows_first(kernel: RowStep, X: Array, words: Words) -> Features:
    columns = kernel.columns_after(words.columns, X)
    return feature_map(kernel.kernel, kernel.map_rows(X), Words(columns, words.rows))


# -- a value by its features --------------------------------------------------------------------


@explanation.register
def by_features(kernel: Kernel, scene: Scene) -> Explanation:
    """Return the value as the sum of Φ(x) ∘ Φ(x'), or as one part where no such features can be listed."""
    try:
        matrix, names = feature_map(kernel, scene.rows[[scene.i, scene.j]], scene.words)
    except ExplainError:
        return leaf(kernel, scene, [Part("the whole value", scene.value(kernel))])
    a, b = matrix.toarray()
    parts = parts_of(a * b, lambda m: f"{names[m]}: {number(a[m])} × {number(b[m])}")
    return leaf(kernel, scene, parts, "One product for each feature that both rows have.")


#: Entries of a dense table of words.
_DENSE = 1 << 25
#: Terms that name a concept.
_TERMS = 5


# -- columns ------------------------------------------------------------------------------------


@feature_map.register
def _linear(kernel: Linear, X: Array, words: Words) -> Features:
    d = X.shape[1]
    return Features(sparse(X), tuple(words.column(c, d) for c in range(d)))


@feature_map.register
def _polynomial(kernel: Polynomial, X: Array, words: Words) -> Features:
    from scipy.special import factorial
    from sklearn.preprocessing import PolynomialFeatures

    d, degree = X.shape[1], kernel.degree
    count = math.comb(d + degree, degree) if kernel.offset else math.comb(d + degree - 1, degree)
    if count > min(MOST, _DENSE // max(1, len(X))):
        raise too_many(kernel, count)
    least = 0 if kernel.offset else degree
    monomials = PolynomialFeatures((least, degree), include_bias=least == 0).fit(X)
    powers = monomials.powers_
    size = powers.sum(axis=1)
    ways = factorial(degree) / factorial(degree - size) / factorial(powers).prod(axis=1)
    scale = np.sqrt(ways * kernel.offset ** (degree - size))
    named = [[(words.column(c, d), p) for c, p in enumerate(row) if p] for row in powers.tolist()]
    names = (" · ".join(f"{name}^{p}" if p > 1 else name for name, p in one) or "constant" for one in named)
    return Features(sparse(monomials.transform(X) * scale), tuple(names))


def same_category(u: Any, v: Any) -> bool:
    return missing(v) if missing(u) else not missing(v) and bool(u == v)


def share_of(kernel: Composed, column: int, value: Any) -> float:
    """Return P of a category; 0 if it is not in the training rows, or if the kernel does not use P."""
    pmf = kernel.pmf[column] if kernel.learns_itself else {}
    return next((share for category, share in pmf.items() if same_category(category, value)), 0.0)


@feature_map.register(Overlap)
@feature_map.register(ProbabilityOverlap)
@feature_map.register(DrawnOverlap)
def _overlap(kernel: Overlap | ProbabilityOverlap | DrawnOverlap, X: Array, words: Words) -> Features:
    if kernel.composition != "mean" or kernel.before == "f2" or kernel.after is not None:
        return feature_map.dispatch(object)(kernel, X, words)
    d = X.shape[1]
    # f1 of no agreement is exp(0) = 1: a constant beside the matches.
    constant = 1.0 if kernel.before == "f1" else 0.0
    worth: dict[tuple[int, Any], float] = {}
    rows = []
    for x in X:
        row: dict[str, float] = {"constant": 1.0} if constant else {}
        for c, cell in enumerate(x):
            u = cell.item() if isinstance(cell, np.generic) else cell
            u = None if missing(u) else u
            if (c, u) not in worth:
                same = float(kernel.equal_value(np.array([share_of(kernel, c, u)]))[0])
                value = math.exp(kernel.gamma * same) if constant else same
                worth[c, u] = math.sqrt(max(0.0, value - constant) / d)
            row[f"{words.column(c, d)} is {'missing' if u is None else u}"] = worth[c, u]
        rows.append(row)
    return counted_features(rows)


# -- strings ------------------------------------------------------------------------------------


def contiguous(s: str, length: int) -> Counter[str]:
    """Return how often each contiguous word occurs.

    >>> contiguous("ATAT", 2)
    Counter({'AT': 2, 'TA': 1})
    """
    return Counter(s[p : p + length] for p in range(len(s) - length + 1))


@feature_map.register
def _of_words(kernel: OfWords, X: Array, words: Words) -> Features:
    rows: list[dict[str, float]] = [{} for _ in X]
    for length, places, weight in kernel.patterns():
        gap = length - len(places)
        for s, row in zip(map(str, X), rows, strict=True):
            for window, count in contiguous(s, length).items():
                word = "".join(c if i in places else "·" for i, c in enumerate(window))
                name = f"{word} (gap {gap})" if gap else word
                row[name] = row.get(name, 0.0) + count * math.sqrt(weight)
    return counted_features(rows)


@feature_map.register
def _mismatch(kernel: Mismatch, X: Array, words: Words) -> Features:
    letters, k, m = kernel.letters(), kernel.length, kernel.mismatches
    near = math.comb(k, m) * max(1, len(letters) - 1) ** m
    occurring = {w for s in X for w in contiguous(str(s), k) if set(w) <= set(letters)}
    if near * len(occurring) > 20 * MOST:
        raise too_many(kernel, min(float(near) * len(occurring), float(len(letters)) ** k))
    around = {w: neighbours(w, m, letters) for w in occurring}
    rows = []
    for s in X:
        row: dict[str, float] = {}
        for w, count in contiguous(str(s), k).items():
            for u in around.get(w, ()):
                row[u] = row.get(u, 0.0) + count
        rows.append(row)
    return counted_features(rows)


def neighbours(word: str, mismatches: int, letters: str) -> set[str]:
    """Return all words within this number of substitutions of a word.

    >>> sorted(neighbours("aa", 1, "ab"))
    ['aa', 'ab', 'ba']
    """
    near = {word}
    for places in itertools.combinations(range(len(word)), min(mismatches, len(word))):
        for chosen in itertools.product(letters, repeat=len(places)):
            changed = list(word)
            for p, letter in zip(places, chosen, strict=True):
                changed[p] = letter
            near.add("".join(changed))
    return near


@feature_map.register
def _subsequence(kernel: Subsequence, X: Array, words: Words) -> Features:
    c = kernel.order_weights()
    letters = alphabet_of(X)
    count = float(sum(float(len(letters)) ** n for n, cn in enumerate(c, 1) if cn))
    if count > min(MOST, _DENSE // max(1, len(X))):
        raise too_many(kernel, count)
    coded, _ = read_letters(X, None, letters)
    names: list[str] = []
    for n, cn in enumerate(c, 1):
        if cn:  # the letter read last is the leading digit of a word's number
            names += ["".join(reversed(word)) for word in itertools.product(letters, repeat=n)]
    if not names:
        return Features(sparse(np.zeros((len(X), 0))), ())
    return Features(sparse(subsequence_features(coded, np.arange(len(X)), kernel.decay, c)), tuple(names))


@feature_map.register
def _weighted_degree(kernel: WeightedDegree, X: Array, words: Words) -> Features:
    d = kernel.degree
    if sum(len(s) for s in X) * d > 20 * MOST:
        raise too_many(kernel, sum(len(s) for s in X) * d)
    return counted_features(
        {f"{s[p : p + j]} at {p + 1}": math.sqrt(d - j + 1) for j in range(1, d + 1) for p in range(len(s) - j + 1)}
        for s in map(str, X)
    )


# -- graphs ------------------------------------------------------------------------------------


@feature_map.register
def _label_pairs(kernel: LabelPairs, X: Array, words: Words) -> Features:
    rows = []
    for place, graph in enumerate(X):
        names = list(dict.fromkeys(graph.labels))
        L = np.array([[float(label == name) for label in graph.labels] for name in names]).reshape(len(names), graph.n)
        pairs = (f"from {a} to {b}" for a, b in itertools.product(names, names))
        rows.append(dict(zip(pairs, kernel.walk_sums(graph, L, place).ravel().tolist(), strict=True)))
    return counted_features(rows)


# -- kernels that compute Φ themselves, whose features need names alone --------------------------


def _terms(kernel: VectorSpace | LatentSemantic, X: Array) -> list[str]:
    vocabulary, columns = kernel.state.vocabulary, kernel.state.columns
    if vocabulary is None:
        return [] if columns is None else [f"term {c}" for c in columns]
    return sorted(vocabulary, key=vocabulary.__getitem__)


def _concepts(kernel: LatentSemantic, X: Array) -> Iterable[str]:
    terms = _terms(kernel, X)
    for i, column in enumerate(kernel.state.concepts.T, 1):
        largest = np.argsort(-np.abs(column), kind="stable")[:_TERMS]
        yield f"concept {i} ({', '.join(terms[t] for t in largest)})"


def _lags(kernel: Autocorrelation, X: Array) -> list[str]:
    channels = [f", channel {c + 1}" for c in range(X[0].channels)] if X[0].channels > 1 else [""]
    return [f"lag {lag}{channel}" for channel in channels for lag in range(kernel.lags + 1)]


def _moves(kernel: Fisher, X: Array) -> list[str]:
    S = range(1, kernel.states + 1)
    names = [f"start in state {i}" for i in S] + [f"move from state {i} to {j}" for i in S for j in S]
    return names + [f"‘{a}’ shown in state {i}" for i in S for a in kernel.state.model.alphabet]


#: The names of the columns of `factor_rows`, from the kernel and the rows.
_NAMES: dict[Any, Callable[[Any, Array], Iterable[str]]] = {
    Motif: lambda kernel, X: kernel.patterns,
    Fisher: _moves,
    VectorSpace: _terms,
    LatentSemantic: _concepts,
    Autocorrelation: _lags,
    Graphlets: lambda kernel, X: SHAPES[kernel.size],
}


def _factors(kernel: Kernel, X: Array, words: Words, names: Callable[[Any, Array], Iterable[str]]) -> Features:
    return Features(sparse(kernel.factor_rows(X)), tuple(names(kernel, X)))


for _class, _names in _NAMES.items():
    feature_map.register(_class, partial(_factors, names=_names))


#: A neighbourhood with a longer name is named by its middle and a number of its own.
_LONGEST_NAME = 60


def _neighbourhoods(kernel: WeisfeilerLehman, graph: Graph) -> Iterator[str]:
    for h, names in enumerate(neighbourhood_names(graph, kernel.level)):
        if kernel.base == "subtree":  # names of trees tell their depth; others are distinguished by the level
            yield from names
            continue
        of_edges = (f"{names[i]} –{kind}– {names[j]}" for i, j, kind in _edges(graph))
        parts = _paths(graph, names) if kernel.base == "shortest-path" else of_edges
        yield from (f"level {h}, {name}" for name in parts)


def _paths(graph: Graph, names: Sequence[str]) -> Iterator[str]:
    """Yield a name for each shortest path, by the names of its ends and its length."""
    paths = zip(*(part.tolist() for part in path_lengths(graph)), strict=True)
    return (f"{names[i]} to {names[j]}, {d} {'edge' if d == 1 else 'edges'}" for i, j, d in paths)


def _edges(graph: Graph) -> list[tuple[int, int, str]]:
    """Return both ends of every edge and a name of its label."""
    E = graph.edge_labels
    return [(i, j, _label(GENERIC if E is None else E[i, j])) for i, j in np.argwhere(graph.adjacency).tolist()]


def neighbourhood_names(graph: Graph, levels: int) -> list[list[str]]:
    """Return a name for the neighbourhood of every node at levels 0 to `levels`: C(C N) is a C between a C and an N.

    Equal neighbourhoods of all graphs have one name. Names that would be longer end in a number made from the whole.

    >>> neighbourhood_names(Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]], labels="CNO"), 1)[1]
    ['C(N)', 'N(C O)', 'O(N)']
    """
    near = [np.flatnonzero(row).tolist() for row in graph.adjacency]
    labels = [_label(label) for label in graph.labels]
    known, shown = [labels], labels
    for _ in range(levels):
        full = [f"{label}({' '.join(sorted(shown[j] for j in near[i]))})" for i, label in enumerate(shown)]
        shown = [_short(name, label) for name, label in zip(full, labels, strict=True)]
        known.append(shown)
    return known


def _short(name: str, label: str) -> str:
    if len(name) <= _LONGEST_NAME:
        return name
    return f"{label}(… {hashlib.blake2s(name.encode(), digest_size=6).hexdigest()})"


def _label(label: Hashable) -> str:
    """Return a name of a label; labels that differ have names that differ."""
    if isinstance(label, str) and re.fullmatch(r"[^\W\d_][\w#+=.-]*|#", label):
        return label
    if isinstance(label, bool | int | float) and label == int(label):
        return repr(int(label))
    return repr(label)


#: The names of the parts of a graph that a kernel counts; equal parts of all graphs have one name.
_PARTS: dict[Any, Callable[[Any, Graph], Iterable[str]]] = {
    VertexHistogram: lambda kernel, graph: map(_label, graph.labels),
    EdgeHistogram: lambda kernel, graph: (f"edge {kind}" for _, _, kind in _edges(graph)),
    ShortestPath: lambda kernel, graph: _paths(graph, [_label(label) for label in graph.labels]),
    WeisfeilerLehman: _neighbourhoods,
}


def _counted(kernel: Kernel, X: Array, words: Words, parts: Callable[[Any, Graph], Iterable[str]]) -> Features:
    return counted_features(Counter(parts(kernel, graph)) for graph in X)


for _class, _parts in _PARTS.items():
    feature_map.register(_class, partial(_counted, parts=_parts))
