"""R-convolution: a kernel on wholes from kernels on their parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from ..core.base import Kernel
from ..errors import DegenerateError, DomainError, ParameterError
from ..numerics.sizes import block_size
from ..values.arrays import Array
from ..values.declare import one_of
from ..values.domains import Domain, check_rows, form
from .spectrum import Spectrum

#: Values of part kernels held at a time: 32 MiB per factor.
_BUDGET = 1 << 22

Decompose = Callable[[Any], Iterable[Sequence[Any]]]


def two_substrings(x: str) -> list[tuple[str, str]]:
    """Return all splits of a string into two non-empty substrings.

    >>> two_substrings("ATG")
    [('A', 'TG'), ('AT', 'G')]
    """
    return [(x[:i], x[i:]) for i in range(1, len(x))]


#: Decompositions of strings by name: how many parts, and the function from a row to its decompositions.
DECOMPOSITIONS: Mapping[str, tuple[int, Decompose]] = MappingProxyType({"two-substrings": (2, two_substrings)})


class _Parts(NamedTuple):
    """Every decomposition of every row: per place the parts as its kernel reads them, and each row's slice."""

    places: tuple[Array, ...]
    stops: Array

    def start(self, row: int) -> int:
        return int(self.stops[row - 1]) if row else 0


@dataclass(frozen=True, repr=False)
class Convolution(Kernel):
    """The R-convolution: rows are similar if their parts are, summed over all decompositions.

        k(x, x') = Σ_{(x_1…x_D) ∈ R(x)} Σ_{(x'_1…x'_D) ∈ R(x')} Π_d k_d(x_d, x'_d)

    `decompose` is the relation R: "two-substrings", all splits of a string into two non-empty
    substrings, or a Python callable from a row to its decompositions, each a sequence of as many
    parts as there are kernels. A callable prints with its own repr, which `parse` does not read
    back. A row without any decomposition (a string of one letter) has k = 0 with all rows.

    Both sums run over all decompositions, as in Haussler's definition; the worked example of [D]
    lists only the terms that split x and x' at the same place.

    Parameters: decompose; kernels, one per part, each reading parts of that kind. Kernels that learn are fitted on
    the parts of the training rows. Raises ParameterError for an unknown name or the
    wrong number of kernels, DomainError for rows or parts that the kernels do not read.

    [D] Convolution Kernels; Haussler, "Convolution kernels on discrete structures", 1999.

    AT|G meets A|TG once in its first part (A with AT) and once in its second (G with TG):

    >>> from kernlib import Spectrum
    >>> Convolution("two-substrings", (Spectrum(length=1), Spectrum(length=1)))(["ATG", "ATG"])[0, 1]
    np.float64(6.0)
    """

    decompose: str | Decompose = one_of(  # noqa: RUF009 (a field, as everywhere)
        "two-substrings", "R", "how a row is decomposed", tuple(DECOMPOSITIONS)
    )
    kernels: tuple[Kernel, ...] = (Spectrum(length=1), Spectrum(length=1))

    domain: ClassVar[Domain] = "sequence"
    edited_as = "parts"
    formula: ClassVar[str] = r"\sum_{R(x)}\sum_{R(x')}\ \prod_{d} k_d(x_d,x'_d)"
    source: ClassVar[str] = "[D] Convolution Kernels"
    cost: ClassVar[str] = "O(decompositions²), each a product of part kernels"

    def __post_init__(self) -> None:
        if isinstance(self.kernels, list):
            object.__setattr__(self, "kernels", tuple(self.kernels))
        if not callable(self.decompose):
            super().__post_init__()
        if not (isinstance(self.kernels, tuple) and self.kernels and all(isinstance(k, Kernel) for k in self.kernels)):
            raise ParameterError(
                f"Convolution: kernels must be a tuple of one kernel per part; got {self.kernels!r}. "
                "Try kernels=(Spectrum(length=1), Spectrum(length=1))."
            )
        if isinstance(self.decompose, str) and len(self.kernels) != DECOMPOSITIONS[self.decompose][0]:
            raise ParameterError(
                f"Convolution: {self.decompose!r} makes {DECOMPOSITIONS[self.decompose][0]} parts; expected as many "
                f"kernels, got {len(self.kernels)}. Give one kernel for each part, in order."
            )
        for k in self.kernels:
            if k.transductive or form(k.reads).together or k.reads == "row":
                raise ParameterError(
                    f"Convolution: kernels must be able to read single parts; got {k!r}, which needs all rows at once. "
                    "Choose a kernel that can be evaluated on new rows."
                )

    @property
    def reads(self) -> Domain:
        return "sequence" if isinstance(self.decompose, str) else "any"

    def chip(self) -> str:
        name = self.decompose if isinstance(self.decompose, str) else getattr(self.decompose, "__name__", "…")
        return f"convolution ({name}: {' · '.join(' → '.join(k.chain()) for k in self.kernels)})"

    def checked_rows(self, X: Any) -> Array:
        return check_rows(self.reads, X, "Convolution")

    def decompositions(self, x: Any) -> list[tuple[Any, ...]]:
        """Return all decompositions of a row, each a tuple of parts."""
        function = DECOMPOSITIONS[self.decompose][1] if isinstance(self.decompose, str) else self.decompose
        return [tuple(parts) for parts in function(x)]

    def _parts(self, X: Array) -> _Parts:
        """Return all decompositions of all rows, in the rows' order."""
        words, counts = [], []
        for i, x in enumerate(X):
            splits = self.decompositions(x)
            wrong = next((s for s in splits if len(s) != len(self.kernels)), None)
            if wrong is not None:
                raise DomainError(
                    f"Convolution: decompose must give one part per kernel; expected {len(self.kernels)} parts, got "
                    f"{len(wrong)} in row {i}. Give as many kernels as there are parts."
                )
            words.extend(splits)
            counts.append(len(splits))
        places = tuple(
            k.checked_rows([s[d] for s in words]) if words else np.empty(0) for d, k in enumerate(self.kernels)
        )
        return _Parts(places, np.cumsum(counts))

    def fit_rows(self, X: Array, y: Array | None) -> Self:
        if self.fitted:
            return self
        parts = self._parts(X)
        if not parts.stops[-1]:
            raise DegenerateError(
                f"Convolution: none of the {len(X)} training rows can be decomposed; expected at least one "
                "decomposition to learn from. Give longer rows."
            )
        labels = None if y is None else np.repeat(y, np.diff(parts.stops, prepend=0))
        kernels = (k if k.fitted else k.fit_rows(p, labels) for k, p in zip(self.kernels, parts.places, strict=True))
        return self.with_fields({"kernels": tuple(kernels)})

    def gram(self, X: Array, Y: Array | None) -> Array:
        left = self._parts(X)
        right = left if Y is None else self._parts(Y)
        n = len(right.stops)
        K = np.zeros((len(X), n))
        for first, last in self._row_blocks(left, int(right.stops[-1])):
            # The lower triangle is a copy of the upper: half the work, and exact symmetry.
            K[first:last, (first if Y is None else 0) :] = self._block(left, right, first, last, Y is None)
        if Y is None:
            for i in range(n):
                K[i + 1 :, i] = K[i, i + 1 :]
        return K

    def _row_blocks(self, parts: _Parts, width: int) -> list[tuple[int, int]]:
        blocks, first = [], 0
        for row in range(1, len(parts.stops) + 1):
            full = row < len(parts.stops) and (int(parts.stops[row]) - parts.start(first)) * width > block_size(_BUDGET)
            if full or row == len(parts.stops):
                blocks.append((first, row))
                first = row
        return blocks

    def _block(self, left: _Parts, right: _Parts, first: int, last: int, upper: bool) -> Array:
        """Return K of the rows first…last−1 of the left against all of the right, or those from `first` on."""
        base = first if upper else 0
        a, b, c = left.start(first), left.start(last), right.start(base)
        if a == b or c == right.stops[-1]:
            return np.zeros((last - first, len(right.stops) - base))
        P: Array | None = None
        for k, p, q in zip(self.kernels, left.places, right.places, strict=True):
            factor = k.gram(p[a:b], q[c:])
            P = factor.copy() if P is None else np.multiply(P, factor, out=P)
        assert P is not None
        return _summed(_summed(P, left.stops[first:last] - a, 0), right.stops[base:] - c, 1)

    def gram_diag(self, X: Array) -> Array:
        parts = self._parts(X)
        return np.array([self._block(parts, parts, i, i + 1, True)[0, 0] for i in range(len(X))])


def _summed(P: Array, stops: Array, axis: int) -> Array:
    """Return sums of consecutive runs along an axis, run r ending before stops[r]; an empty run sums to 0."""
    starts = np.concatenate([[0], stops[:-1]])
    filled = starts < stops
    shape = list(P.shape)
    shape[axis] = len(stops)
    total = np.zeros(shape)
    if filled.any():
        sums = np.add.reduceat(P, starts[filled], axis=axis)
        if axis == 0:
            total[filled] = sums
        else:
            total[:, filled] = sums
    return total
