"""Letters and categories as numbers, for kernels that read vectors."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..core.base import Kernel
from ..core.steps import RowStep
from ..errors import DomainError, ParameterError
from ..values.arrays import Array
from ..values.declare import one_of, param
from ..values.domains import check_rows
from .nominal import category_words
from .vectors import RBF
from .words import alphabet_problem, read_letters, require_one_length


def naive_encoding(X: Any, alphabet: str = "ACGT") -> Array:
    """Return each letter as its number in the alphabet, (n, N) floats: A, C, G, T become 0, 1, 2, 3.

    It makes A and C more similar than A and T, which has no biological reason ([R] 'Naive Encoding').
    A letter outside the alphabet becomes the middle number, (|Σ| − 1)/2. Raises DomainError unless
    all strings have one length, ParameterError for an alphabet that is empty or repeats a letter.

    >>> naive_encoding(["ACGT", "TTAN"])
    array([[0. , 1. , 2. , 3. ],
           [3. , 3. , 0. , 1.5]])
    """
    codes, size = _codes(check_rows("sequence", X, "naive_encoding"), alphabet, "naive_encoding")
    return _encoded(codes, size, "codes")


def one_hot_encoding(X: Any, alphabet: str = "ACGT") -> Array:
    """Return each letter as |Σ| columns, one of them 1, (n, N·|Σ|) floats: all letters equally far apart.

    A letter outside the alphabet has only zeros. Raises DomainError unless all strings have one
    length, ParameterError for an alphabet that is empty or repeats a letter. [R] 'A Better Encoding'.

    >>> one_hot_encoding(["AG", "TN"])
    array([[1., 0., 0., 0., 0., 0., 1., 0.],
           [0., 0., 0., 1., 0., 0., 0., 0.]])
    """
    codes, size = _codes(check_rows("sequence", X, "one_hot_encoding"), alphabet, "one_hot_encoding")
    return _encoded(codes, size, "one-hot")


def _encoded(codes: Array, size: int, coding: str) -> Array:
    """Return categories 0…size−1, −1 for an unknown one, (n, d), as numbers or as 0/1 columns; "treatment" omits the
    first column of each."""
    if coding == "codes":
        return np.where(codes < 0, (size - 1) / 2.0, codes.astype(np.float64))
    first = 1 if coding == "treatment" and size > 1 else 0
    indicators: Array = codes[:, :, None] == np.arange(first, size)
    return indicators.astype(np.float64).reshape(len(codes), -1)


def _codes(X: Array, alphabet: str, owner: str) -> tuple[Array, int]:
    """Return each letter's place in the alphabet, in the order in which it is written, −1 outside; (n, N)."""
    problem = alphabet_problem(alphabet)
    if problem:
        raise ParameterError(f"{owner}: alphabet {problem}.")
    letters, _ = read_letters(X, None, alphabet)
    require_one_length(owner, letters, int(letters.lengths[0]))
    codes = letters.padded(np.arange(len(X)), -1).astype(np.intp)
    written = np.array([*(alphabet.index(letter) for letter in sorted(alphabet)), -1])  # codes are in sorted order
    return written[codes], letters.size


@dataclass(frozen=True, repr=False)
class Encoded(RowStep):
    """A kernel on vectors that reads strings of equal length, each letter encoded as numbers.

        k_φ(s, t) = k(φ(s), φ(t)),  φ one-hot: |Σ| columns for each place; naive: the letter's number

    Parameters: kernel, any kernel on vectors; encoding "one-hot" (all letters equally far apart) or
    "naive" (A, C, G, T → 0, 1, 2, 3); alphabet Σ, the letters in the order of their numbers. A
    letter outside it is zeros when one-hot, the middle number when naive.

    Raises ParameterError for other parameters, DomainError for strings of different lengths and for
    a kernel that does not read vectors.

    [R] 'Naive Encoding', 'A Better Encoding'.

    >>> from kernlib import Linear
    >>> Encoded(Linear())(["ACG", "ACT"])
    array([[3., 2.],
           [2., 3.]])
    """

    kernel: Kernel = dataclasses.field(default_factory=RBF)
    encoding: Literal["one-hot", "naive"] = one_of(
        "one-hot", r"\varphi", "how a letter becomes numbers", ("one-hot", "naive")
    )
    alphabet: str = param(
        "ACGT", kind="other", symbol=r"\Sigma", help="letters in the order of their numbers", check=alphabet_problem
    )

    domain = "sequence"
    begins_chain = True
    formula = r"k(\varphi(s),\,\varphi(t))"
    source = "[R] Naive Encoding, A Better Encoding"
    cost = "the kernel's own, on N|Σ| columns"

    inside = ("vector", "any", "row")
    instead = "use it without this step, or take Encoded(RBF())."

    def chip(self) -> str:
        return f"{self.encoding} letters"

    def require_same_columns(self, X: Array, Y: Array) -> None:
        if len(X[0]) != len(Y[0]):
            raise DomainError(
                f"Encoded: expected strings of one length; X has {len(X[0])} letters in a row and Y has {len(Y[0])}. "
                "Cut or pad them, or take Spectrum or Subsequence, which read any lengths."
            )

    def map_rows(self, X: Array) -> Array:
        encode = one_hot_encoding if self.encoding == "one-hot" else naive_encoding
        return encode(X, self.alphabet)

    def columns_after(self, columns: tuple[str, ...], rows: Array) -> tuple[str, ...]:
        places = range(1, len(rows[0]) + 1)
        if self.encoding == "naive":
            return tuple(f"place {p}" for p in places)
        return tuple(f"place {p} is {letter}" for p in places for letter in self.alphabet)


def _entries(order: tuple[Any, ...]) -> Array:
    entries = np.empty(len(order), dtype=object)
    entries[:] = order
    return entries


def _bad_order(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, tuple) or not value or len(set(category_words(_entries(value)))) < len(value):
        return f"must be None or a tuple that names every category once; got {value!r}. Try order=('A', 'G', 'C', 'T')"
    return None


@dataclass(frozen=True, repr=False)
class Coded(RowStep):
    """A kernel on vectors that reads nominal columns, each category encoded as numbers.

        k_φ(u, v) = k(φ(u), φ(v)),  φ by column: "one-hot", a 0/1 column for each category; "treatment", the same
        without the first category's column; "codes", the category's place, 0, 1, 2, …

    The categories of a column are those of the training rows, in the order of their words, or those of `order`, the
    same for all columns. A category that is not in the training rows becomes zeros (one-hot, treatment) or the middle
    code (codes). Codes make neighbours in the order more similar, although nominal values have no order.
    Equal numbers are one category whatever their type; None, NaN and similar values are one category, "missing".

    Parameters: kernel, any that reads vectors; coding; order, None or a tuple of categories (compared as words).
    Raises DomainError for a kernel that reads no vectors.

    [C] 7 names recoding for the RBF kernel and prints no coding; [R] 'Naive Encoding', 'A Better Encoding' for letters.

    >>> from kernlib import Linear
    >>> Coded(Linear())([["red", "s"], ["blue", "s"]])
    array([[2., 1.],
           [1., 2.]])
    >>> Coded(Linear(), coding="codes", order=("s", "m", "l"))([["s"], ["l"]]).tolist()
    [[0.0, 0.0], [0.0, 4.0]]
    """

    kernel: Kernel = dataclasses.field(default_factory=lambda: RBF(sigma="median"))
    coding: Literal["one-hot", "treatment", "codes"] = one_of(
        "one-hot", r"\varphi", "how a category is encoded as numbers", ("one-hot", "treatment", "codes")
    )
    order: tuple[Any, ...] | None = param(
        None, kind="other", symbol="o", help="categories in order; None: those of the training rows", check=_bad_order
    )

    domain = "categorical"
    begins_chain = True
    formula = r"k(\varphi(u),\,\varphi(v))"
    source = "[C] 7, [R] A Better Encoding"
    cost = "the kernel's own, on as many columns as there are categories"

    inside = ("vector", "any", "row")
    instead = "use it without this step, or take Coded(RBF())."

    @property
    def learns_itself(self) -> bool:
        return self.order is None

    def chip(self) -> str:
        return {"one-hot": "one-hot columns", "treatment": "treatment contrasts", "codes": "codes"}[self.coding]

    def learn(self, X: Array, y: Any) -> tuple[Array, ...]:
        return tuple(np.unique(category_words(column, "Coded")) for column in X.T)

    def map_rows(self, X: Array) -> Array:
        if self.order is None:
            categories: tuple[Array, ...] = self.state
            self.require_learnt_columns(X, len(categories))
        else:
            categories = (category_words(_entries(self.order)),) * X.shape[1]
        return np.concatenate([self._column(c, known) for c, known in zip(X.T, categories, strict=True)], axis=1)

    def _column(self, column: Array, known: Array) -> Array:
        words = category_words(column, "Coded")
        sorter = np.argsort(known, kind="stable")
        place = sorter[np.searchsorted(known, words, sorter=sorter).clip(max=len(known) - 1)]
        return _encoded(np.where(known[place] == words, place, -1)[:, None], len(known), self.coding)
