"""The Fisher kernel: gradients of a string's likelihood under a model of the positive class."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.base import Kernel
from ..numerics.blocks import block_size
from ..values.arrays import Array
from ..values.declare import whole
from .words import Letters, alphabet_of, read_letters

#: Counts that EM adds to every probability, so that none becomes 0 and no new string impossible.
_PRIOR = 0.1
#: EM ends when an iteration raises the log-likelihood by less than this share of it.
_GAIN = 1e-6
#: Entries of one block's forward table, (rows, letters, states).
_TABLE_ENTRIES = 1 << 20
#: A coordinate that varies less than this on the training rows is rounding.
_LEAST_INFORMATION = 1e-20


@dataclass(frozen=True)
class _Model:
    """A hidden Markov model: start (S,), move (S, S), show (S, letters); rows sum to 1."""

    alphabet: str
    start: Array
    move: Array
    show: Array


@dataclass(frozen=True)
class _Fitted:
    model: _Model
    scale: Array  # 1/√I per coordinate, 0 for coordinates without information


@dataclass(frozen=True)
class _Counts:
    """Expected uses of every probability, for each string: (n, S), (n, S, S), (n, S, letters)."""

    start: Array
    move: Array
    show: Array
    log_likelihood: Array


@dataclass(frozen=True, repr=False)
class Fisher(Kernel):
    """Inner products of the gradients of each string's log-likelihood under a hidden Markov model.

        U_x = ∇_θ log P(x | θ),  k(x, x') = Σ_i U_{x,i} U_{x',i} / I_i,  I_i = mean of U_{·,i}² over the rows of EM

    Each of the model's distributions (start, one of moves and one of letters for every state) has
    its natural parameters, p_k ∝ exp θ_k. The gradient in them is expected count minus p_k times
    the expected visits, which needs no division by a small probability.

    Learns the model by EM (Baum–Welch, scaled) on the positive class of the training rows: of two
    labels the second in sorted order (+1 of ±1, 1 of 0/1). Without labels, with one label only, or
    with more than two, all training rows are used. A letter that these rows do not contain counts as missing:
    P(x | θ) sums over all letters in its place.

    Parameters: states S ≥ 1; iterations ≥ 0, the most iterations of EM; seed of the random start. A
    longer string has a longer gradient: Normalized(Fisher()) removes this effect. An empty string has
    gradient 0.

    Raises ParameterError for a parameter outside its range, NotFittedError on new rows before `fit`.

    Jaakkola and Haussler, NIPS 1998, section 3; [O] 4.2.

    With one state only the counts of letters matter; the two strings deviate in opposite directions.

    >>> Fisher(states=1)(["aab", "abb"]).round(6)
    array([[ 2., -2.],
           [-2.,  2.]])
    """

    states: int = whole(4, "S", "number of hidden states", 1, 20, minimum=1, maximum=200)
    iterations: int = whole(
        50, "r", "maximum number of EM iterations; EM stops earlier if it converges", 0, 200, minimum=0, maximum=10_000
    )
    seed: int = whole(0, r"\omega", "seed of the random start of EM", 0, 100, minimum=0, maximum=2**32 - 1)

    domain = "sequence"
    formula = (
        r"U_x^\top I^{-1} U_{x'},\quad {U_x=\nabla_\theta \log P(x\mid\theta)},\quad {I=\mathrm{diag}\;\mathbb E\,U^2}"
    )
    source = "[O] 4.2"
    cost = "O(rN|s|S²) for EM, then one matrix product of gradients"
    learns_itself = True

    def learn(self, X: Array, y: Array | None) -> _Fitted:
        rows = X[_positive(y)] if y is not None else X
        model = _train(rows, self.states, self.iterations, self.seed)
        U = _gradients(rows, model)
        information = np.mean(U * U, axis=0)
        scale = np.zeros(U.shape[1])
        known = information > _LEAST_INFORMATION
        if not known.any():
            warnings.warn(
                f"Fisher: the {len(rows)} training rows of the positive class have too few letters to fit the model; "
                "every value is 0. Give longer strings.",
                UserWarning,
                stacklevel=4,
            )
        scale[known] = 1.0 / np.sqrt(information[known])
        return _Fitted(model, scale)

    def factor_rows(self, X: Array) -> Array:
        fitted: _Fitted = self.state
        return _gradients(X, fitted.model) * fitted.scale


def _positive(y: Array) -> Any:
    """Return the rows of the second of two labels, else all rows."""
    labels = np.unique(y)
    return np.flatnonzero(y == labels[1]) if len(labels) == 2 else slice(None)


def _train(X: Array, states: int, iterations: int, seed: int) -> _Model:
    """Return the model after EM, with a small count added to every probability so that none becomes 0."""
    alphabet = alphabet_of(X)
    letters, _ = read_letters(X, None, alphabet)
    random = np.random.default_rng(seed)
    often = np.bincount(letters.codes, minlength=letters.size) + _PRIOR

    def near(p: Array) -> Array:
        return _rows_to_one(p * random.uniform(0.5, 1.5, p.shape))

    model = _Model(alphabet, near(np.ones(states)), near(np.ones((states, states))), near(np.tile(often, (states, 1))))
    before = -np.inf
    for _ in range(iterations):
        start, move, show = (_PRIOR * np.ones_like(p) for p in (model.start, model.move, model.show))
        total = 0.0
        for _, counts in _expected_counts(letters, model):
            start += counts.start.sum(axis=0)
            move += counts.move.sum(axis=0)
            show += counts.show.sum(axis=0)
            total += float(counts.log_likelihood.sum())
        model = _Model(alphabet, _rows_to_one(start), _rows_to_one(move), _rows_to_one(show))
        if total - before <= _GAIN * abs(total):
            break
        before = total
    return model


def _gradients(X: Array, model: _Model) -> Array:
    """Return ∇ log P(x | θ) in natural parameters, (n, S + S² + S·letters)."""
    letters, _ = read_letters(X, None, model.alphabet)
    S, width = len(model.start), model.start.size + model.move.size + model.show.size
    U = np.empty((len(X), width))
    for rows, c in _expected_counts(letters, model):
        b = len(rows)
        U[rows, :S] = c.start - c.start.sum(axis=1, keepdims=True) * model.start
        U[rows, S : S + S * S] = (c.move - c.move.sum(axis=2, keepdims=True) * model.move).reshape(b, -1)
        U[rows, S + S * S :] = (c.show - c.show.sum(axis=2, keepdims=True) * model.show).reshape(b, -1)
    return U


def _expected_counts(letters: Letters, model: _Model) -> Iterator[tuple[Array, _Counts]]:
    """Return Baum–Welch's expectations, a block of rows of similar length at a time.

    Forward variables are scaled to sum to 1 at every letter; the product of the scales is P(x).
    """
    S = len(model.start)
    order = np.argsort(-letters.lengths, kind="stable")  # longest first: rows still being read lead
    step = max(1, block_size(_TABLE_ENTRIES) // max(1, letters.longest * S))
    for first in range(0, len(order), step):
        rows = order[first : first + step]
        codes = letters.padded(rows, -1).astype(np.intp)
        lengths = letters.lengths[rows]
        b, L = codes.shape
        active = [int(np.count_nonzero(lengths > p)) for p in range(L)]
        emission = np.vstack([model.show.T, np.ones(S)])  # (letters + 1, S); the last for a missing letter
        forward, scale = np.zeros((L, b, S)), np.ones((L, b))
        for p in range(L):
            a = active[p]
            reached = np.broadcast_to(model.start, (a, S)) if p == 0 else forward[p - 1, :a] @ model.move
            joint = reached * emission[codes[:a, p]]
            scale[p, :a] = joint.sum(axis=1)
            forward[p, :a] = joint / scale[p, :a, None]
        move, show = np.zeros((b, S, S)), np.zeros((b, S, letters.size + 1))
        start, backward = np.zeros((b, S)), np.ones((b, S))
        for p in range(L - 1, -1, -1):
            a = active[p]
            here = forward[p, :a] * backward[:a]  # P(state at p | x)
            show[np.arange(a), :, codes[:a, p]] += here
            if p == 0:
                start[:a] = here
                break
            ahead = emission[codes[:a, p]] * backward[:a] / scale[p, :a, None]
            move[:a] += forward[p - 1, :a, :, None] * model.move * ahead[:, None, :]
            backward[:a] = ahead @ model.move.T
        yield rows, _Counts(start, move, show[:, :, :-1], np.log(scale).sum(axis=0))


def _rows_to_one(p: Array) -> Array:
    return np.asarray(p / p.sum(axis=-1, keepdims=True))
