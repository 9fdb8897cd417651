"""A kernel on some of the columns: direct sums and tensor products over a table of mixed columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..core.base import Kernel
from ..core.steps import RowStep
from ..errors import DomainError
from ..values.arrays import Array
from ..values.declare import param
from ..values.domains import Domain, form
from .categorical import Overlap

#: How a kernel names the columns that it reads, and how many are named.
_ON, _COLUMNS = re.compile(r"\bcolumns? (\d+(?:, \d+)*)"), 3


def _bad_columns(value: Any) -> str | None:
    if not isinstance(value, tuple) or not value or any(type(c) is not int or c < 0 for c in value):
        return f"must be a tuple of column numbers from 0 on; got {value!r}. Try columns=(0,)"
    if len(set(value)) < len(value):
        return f"must name each column once; got {value!r}. Leave the repeated ones out"
    return None


@dataclass(frozen=True, repr=False, init=False)
class On(RowStep):
    """A kernel on chosen columns of a table; the others are ignored.

        On(c, k)(x, x') = k(x_c, x'_c)

    With + it makes the direct sum k1 ⊕ k2, with * the tensor product k1 ⊗ k2, over parts of a row
    of different types. Rows: an array (n, d), numeric or of objects. A kernel on vectors gets the columns as floats, a
    kernel on nominal rows gets them unchanged, a kernel on sequences, texts or graphs gets one column.

    Parameters: columns, a tuple of column numbers from 0 on; the kernel. Raises ParameterError for other columns;
    DomainError if the rows have too few columns or the kernel cannot read their values, and at construction if the
    kernel does not read columns (nodes, pairs, matrices), or reads one column and several are given.

    [D] Tricks for Constructing Kernels.

    >>> from kernlib import RBF, Overlap
    >>> rows = [[0.0, 1.0, "red"], [0.0, 1.0, "blue"]]
    >>> import numpy as np
    >>> table = np.array(rows, dtype=object)
    >>> (On((0, 1), RBF(sigma=1.0)) + On((2,), Overlap()))(table)
    array([[2., 1.],
           [1., 2.]])
    """

    columns: tuple[int, ...] = param(
        (0,), kind="other", symbol="c", help="columns that the kernel reads, counted from 0", check=_bad_columns
    )

    domain: ClassVar[Domain] = "mixed"
    begins_chain: ClassVar[bool] = True
    instead: ClassVar[str] = "use it without this step; its rows are not columns of a table."
    edited_as = "columns"
    formula: ClassVar[str] = r"k(x_c,\,x'_c)"
    source: ClassVar[str] = "[D] Tricks for Constructing Kernels"
    cost: ClassVar[str] = "the kernel's own"

    def __init__(self, columns: Any = (0,), kernel: Kernel | None = None) -> None:
        # As one writes it: the columns first, then what reads them.
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "kernel", Overlap() if kernel is None else kernel)
        object.__setattr__(self, "_learnt", None)
        self.__post_init__()

    def encloses(self, domain: Domain) -> bool:
        return bool(form(domain).column)

    def __post_init__(self) -> None:
        if isinstance(self.columns, (list, range, np.ndarray)) or np.ndim(self.columns) == 0:
            object.__setattr__(self, "columns", tuple(np.atleast_1d(np.asarray(self.columns)).tolist()))
        super().__post_init__()
        reads = self.kernel.reads
        if form(reads).column == "one" and len(self.columns) != 1:
            raise DomainError(
                f"On: kernel reads {reads} rows, one column; expected one column number, got {self.columns!r}. "
                f"Next: On(({self.columns[0]},), …) + On(({self.columns[1]},), …)."
            )

    def chip(self) -> str:
        plural = "" if len(self.columns) == 1 else "s"
        return f"column{plural} {', '.join(map(str, self.columns))}"

    def _written(self) -> str:
        return f"On({self.columns!r}, {self.kernel!r})"

    def checked_rows(self, X: Any) -> Array:
        rows = super().checked_rows(X)
        self._require_columns(rows)
        return rows

    def _require_columns(self, rows: Array) -> None:
        if max(self.columns) >= rows.shape[1]:
            raise DomainError(
                f"On: column {max(self.columns)} does not exist; expected numbers from 0 to {rows.shape[1] - 1}, got "
                f"{self.columns!r}. Count the columns of the rows from 0."
            )

    def map_rows(self, rows: Array) -> Array:
        """Return the columns as the kernel reads them."""
        self._require_columns(rows)
        part = rows[:, list(self.columns)]
        reads = self.kernel.reads
        if form(reads).column == "one":
            return self.kernel.checked_rows(part[:, 0].tolist())
        return self.kernel.checked_rows(self._numbers(part) if form(reads).points else part)

    def columns_after(self, columns: tuple[str, ...], rows: Array) -> tuple[str, ...]:
        known = max(self.columns) < len(columns)
        return tuple(columns[c] if known else f"x{c + 1}" for c in self.columns)

    def _numbers(self, part: Array) -> Array:
        try:
            return part.astype(np.float64)
        except (TypeError, ValueError):
            i, j = next((i, j) for i, j in np.ndindex(*part.shape) if not _is_number(part[i, j]))
            raise DomainError(
                f"On: row {i}, column {self.columns[j]} is {part[i, j]!r}; expected a number, since "
                f"{self.kernel!r} reads vectors. Choose other columns, or a kernel for nominal ones such as Overlap()."
            ) from None


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def chain_in_words(kernel: Kernel, columns: Sequence[str]) -> list[str]:
    """Return the kernel step by step, with the names of the columns that it reads in place of their numbers.

    >>> from kernlib import RBF, On
    >>> chain_in_words(On((0, 2), RBF(sigma=2.0)), ("age", "sex", "glucose"))
    ['age, glucose', 'RBF(2)']
    """

    def named(found: re.Match[str]) -> str:
        numbers = [int(number) for number in found[1].split(", ")]
        if max(numbers) >= len(columns):
            return found[0]
        names = [columns[number] for number in numbers[:_COLUMNS]]
        return ", ".join(names) + (f" and {len(numbers) - _COLUMNS} more columns" if len(numbers) > _COLUMNS else "")

    return [_ON.sub(named, step) for step in kernel.chain()]
