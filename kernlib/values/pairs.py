"""Pairs of row numbers together with the rows that they number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..errors import DomainError
from .arrays import Array, kept
from .domains import check_rows


@dataclass(frozen=True, eq=False, repr=False)
class Pairs:
    """Pairs of row numbers together with the rows that they number.

    Parameters: rows, what the base kernel reads (vectors, strings, a score matrix, …), or a
    dataset's `base.rows`; numbers (n, 2), two row numbers for every pair. Indexing gives fewer pairs over
    the same rows, as training and test parts need.

    Raises DomainError where numbers is not an integer array (n, 2).

    >>> pairs = Pairs(["ACGT", "ACG", "TTT"], [[0, 1], [0, 2]])
    >>> pairs, pairs[[1]].numbers
    (Pairs(<2 pairs of 3 rows>), array([[0, 2]]))
    """

    rows: Any
    numbers: Array

    #: One axis, as a list of rows has: kernels index and count pairs as they do strings.
    ndim: ClassVar[int] = 1

    def __post_init__(self) -> None:
        numbers = check_rows("pair", self.numbers, "Pairs").astype(np.intp)  # a copy: the caller may go on writing
        numbers.flags.writeable = False
        n = len(self.rows)
        if numbers.min() < 0 or numbers.max() >= n:
            place = int(np.argmax(((numbers < 0) | (numbers >= n)).any(axis=1)))
            raise DomainError(
                f"Pairs: pair {place} is {tuple(numbers[place].tolist())}; expected row numbers from 0 to {n - 1}. "
                "Number the rows that are given beside the pairs."
            )
        object.__setattr__(self, "numbers", numbers)

    @property
    def shape(self) -> tuple[int]:
        return (len(self.numbers),)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, which: Any) -> Pairs:
        return Pairs(self.rows, np.atleast_2d(self.numbers[which]))

    def copy(self) -> Pairs:
        """Return the same pairs over rows of their own, for a kernel to keep."""
        return Pairs(kept(self.rows), self.numbers)

    def __repr__(self) -> str:
        return f"Pairs(<{len(self)} pairs of {len(self.rows)} rows>)"


def concatenated(A: Any, B: Any) -> Any:
    """Return the rows of A and then those of B: arrays, or pairs over the rows of both.

    >>> pair = Pairs(["AC", "GT"], [[0, 1]])
    >>> concatenated(pair, pair).numbers.tolist()
    [[0, 1], [2, 3]]
    """
    if not isinstance(A, Pairs):
        return np.concatenate([A, B])
    rows = np.concatenate([A.rows, B.rows]) if isinstance(A.rows, np.ndarray) else [*A.rows, *B.rows]
    return Pairs(rows, np.concatenate([A.numbers, B.numbers + len(A.rows)]))
