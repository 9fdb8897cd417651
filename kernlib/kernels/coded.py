"""Nominal columns as numbers, so that a kernel on vectors can read them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from ..core.base import Kernel
from ..core.steps import RowStep
from ..values.arrays import Array
from ..values.declare import param
from ..values.domains import Domain
from .nominal import category_words
from .vectors import RBF


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
    coding: Literal["one-hot", "treatment", "codes"] = param(
        "one-hot",
        kind="choice",
        symbol=r"\varphi",
        help="how a category is encoded as numbers",
        choices=("one-hot", "treatment", "codes"),
    )
    order: tuple[Any, ...] | None = param(
        None, kind="other", symbol="o", help="categories in order; None: those of the training rows", check=_bad_order
    )

    domain: ClassVar[Domain] = "categorical"
    begins_chain: ClassVar[bool] = True
    formula: ClassVar[str] = r"k(\varphi(u),\,\varphi(v))"
    source: ClassVar[str] = "[C] 7, [R] A Better Encoding"
    cost: ClassVar[str] = "the kernel's own, on as many columns as there are categories"

    inside: ClassVar[tuple[Domain, ...]] = ("vector", "any", "row")
    instead: ClassVar[str] = "use it without this step, or take Coded(RBF())."

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
        met = known[place] == words
        if self.coding == "codes":
            return np.asarray(np.where(met, place, (len(known) - 1) / 2.0)[:, None], dtype=np.float64)
        indicators: Array = ((place[:, None] == np.arange(len(known))) & met[:, None]).astype(np.float64)
        return indicators[:, 1:] if self.coding == "treatment" and len(known) > 1 else indicators
