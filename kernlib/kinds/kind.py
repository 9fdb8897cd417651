"""What the declaration of a kind of row answers, and the checks of rows that several kinds share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Protocol

import numpy as np

from ..core.base import Kernel
from ..errors import DataError, DomainError
from ..values.arrays import Array
from ..values.domains import Domain, Form, finite_table
from ..wrappers import Deep, Empirical, Power


def shown(item: Any) -> str:
    """Return a cell as a person wrote it, shortened."""
    plain = item.item() if isinstance(item, np.generic) else item
    words = repr(plain)
    return words if len(words) <= 60 else words[:57] + "…"


def unknown_categories(columns: Iterable[tuple[str, Array, Array]]) -> Iterator[str]:
    """Yield a sentence about each column, (name, cells, new cells), whose new cells hold other categories.

    >>> list(unknown_categories([("k", np.array(["u", "v"]), np.array(["v", "w", "w"]))]))
    ["'k' has values that no training row has, in 2 rows: w."]
    """
    for name, cells, new in columns:
        known = set(cells.tolist())
        others = [str(cell) for cell in new.tolist() if cell not in known]
        if others:
            names = list(dict.fromkeys(others))
            words = ", ".join(name[:40] for name in names[:6]) + (", …" if len(names) > 6 else "")
            yield f"{shown(name)} has values that no training row has, in {len(others)} rows: {words}."


@dataclass(frozen=True)
class Preset:
    """A suggested kernel: its `name`, the `kernel`, and what it `shows`."""

    name: str
    kernel: Kernel
    shows: str


@dataclass(frozen=True)
class Setting:
    """A kernel with its parameters, and the `family` that it belongs to."""

    family: str
    kernel: Kernel


#: The grid of the advice: widths in multiples of the median distance between rows, levels, powers.
WIDTHS, LEVELS, POWERS = (0.25, 0.5, 1.0, 2.0, 4.0), (1, 2, 3), (0.25, 0.5, 0.75)


class DataRows(Protocol):
    """What a kind asks of the data set whose rows it has, see `kernlib.data.Dataset`."""

    @property
    def rows(self) -> Array: ...
    @property
    def n(self) -> int: ...
    @property
    def columns(self) -> tuple[str, ...]: ...
    @property
    def ids(self) -> tuple[str, ...]: ...
    @property
    def kinds(self) -> tuple[Domain, ...]: ...
    @property
    def fill(self) -> str: ...
    @property
    def distances(self) -> bool | None: ...
    @property
    def base(self) -> DataRows | None: ...
    @property
    def inputs(self) -> Any: ...
    @property
    def row_kind(self) -> Kind: ...
    def of_kind(self, kind: Domain, /) -> tuple[int, ...]: ...
    def complete(self) -> DataRows: ...


#: What a menu makes of a class: from the data, which may be None; None where it needs a decision.
Start = Callable[[DataRows | None], Kernel | None]


class Kind(Form):
    """One kind of row: its words, its checks, its suggested kernels. A subclass in a file of its own declares it.

    Words
    -----
    title : the heading of its kernels; `called` : the rows in a menu; `one`, `many` : a row in a sentence; `search` :
        further words that find its kernels.

    Facts
    -----
    stand_in : a sample of such rows, for the cards of its kernels.
    independent : a part of the rows is the same problem with fewer rows.
    needs : missing cells of a column need a choice: missing categories and texts need none.
    molecules : rows of a table are made of molecules written as strings.
    fills : kernels impute missing cells of columns of numbers.
    quick : the Gram matrix of a sample takes no noticeable time, whichever the kernel.
    compared : kernels are compared on all rows up to this number, however few a sample has.
    large, first_rows : above `large` rows an upload is proposed as a sample of `first_rows`.
    starts : what a menu makes of a class, from the rows, where its defaults do not suit them.
    """

    title: ClassVar[str]
    called: ClassVar[str]
    one: ClassVar[str] = "row"
    many: ClassVar[str] = "rows"
    search: ClassVar[str]

    stand_in: ClassVar[str] = ""
    independent: ClassVar[bool] = True
    needs: ClassVar[bool] = False
    molecules: ClassVar[bool] = False
    fills: ClassVar[bool] = False
    quick: ClassVar[bool] = False
    compared: ClassVar[float] = 0
    large: ClassVar[int] = 1000
    first_rows: ClassVar[int] = 500
    starts: ClassVar[Mapping[type[Kernel], Start]] = MappingProxyType({})

    # -- rows of a data set -----------------------------------------------------------------

    def read(self, data: DataRows, who: str) -> tuple[Array, tuple[Domain, ...]]:
        """Return the checked rows of a data set under construction, and the kinds of its columns if they differ.

        Raises DataError for rows of another kind.
        """
        if data.kinds:
            raise DataError(f"{who}: kinds of columns go with mixed rows; got {self.name}. Leave kinds out.")
        try:
            return self.read_rows(data.rows, who, gaps=bool(data.fill)), ()
        except DomainError as error:
            raise DataError(str(error)) from None

    def read_rows(self, rows: Any, who: str, gaps: bool = False) -> Array:
        """Return a copy of the rows as kernels read them; with `gaps` cells of numbers may be missing."""
        return np.array(self.check(rows, who))

    def read_column(self, column: Array, j: int, gaps: bool, who: str) -> Sequence[Any]:
        """Return the checked cells of column `j` of mixed rows; for kinds that can be a column."""
        for i, cell in enumerate(column):
            if not self.is_cell(cell):
                raise DataError(
                    f"{who}: column {j} holds {self.name} words; row {i} has {cell!r}. Write it as a word, a missing "
                    "one as '?'."
                )
        return [str(cell) for cell in column]

    def is_cell(self, cell: Any) -> bool:
        """Return whether a cell of a mixed table is of this kind."""
        return isinstance(cell, str)

    def from_cell(self, cell: str) -> str:
        """Return a cell of text as the row that it makes, without blanks around it."""
        return cell.strip()

    def numbers(self, data: DataRows) -> list[int]:
        """Return the places of the columns that hold numbers, whose missing cells a kernel imputes."""
        return []

    def warnings(self, data: DataRows) -> Iterator[str]:
        """Yield sentences on rows that are likely not what was meant."""
        yield from ()

    def unknown(self, data: DataRows, new: DataRows, who: str) -> Iterator[str]:
        """Yield sentences on values of new rows that no row of `data` has; DataError for rows of another alphabet."""
        yield from ()

    # -- kernels --------------------------------------------------------------------------------

    def presets(self, data: DataRows) -> tuple[Preset, ...]:
        """Return the suggested kernels, the default one first, from the rows alone."""
        raise NotImplementedError

    def prepared(self, kernel: Kernel, data: DataRows) -> Kernel:
        """Return a suggested kernel prepared for complete rows: a width to be learnt as a number."""
        return kernel

    def starting(self, cls: type[Kernel], data: DataRows | None) -> Kernel | None:
        """Return the kernel that a menu makes from a class; None if it needs a decision.

        `data` is None where the kernel reads other rows than those of the data set, inside another kernel.
        """
        for known, start in self.starts.items():
            if issubclass(cls, known):
                return start(data)
        try:
            return cls()
        except TypeError:
            return None

    def parts(self, data: DataRows) -> list[Kernel]:
        """Return one kernel for each kind of column; none where all rows are of one kind."""
        return []

    def settings(self, data: DataRows) -> Iterator[Setting]:
        """Yield the settings that are compared for the rows, those of one family one after another."""
        raise NotImplementedError

    def candidates(self, data: DataRows) -> tuple[Setting, ...]:
        """Return the settings and the suggested kernels, each kernel once."""
        proposed = (Setting("Suggested", prepared(preset.kernel, data)) for preset in self.presets(data))
        unique: dict[Kernel, Setting] = {}
        for setting in (*self.settings(data), *proposed):
            unique.setdefault(setting.kernel, setting)
        return tuple(unique.values())

    # -- rows on a page -------------------------------------------------------------------------

    def cells(self, data: DataRows, rows: Sequence[int], full: bool) -> list[tuple[str, Any]]:
        """Return the columns of a table that shows the rows, with more of them if `full`."""
        return [(name, data.rows[list(rows), j]) for j, name in enumerate(data.columns[: 60 if full else 12])]

    def snippet(self, row: Any) -> str:
        """Return the beginning of a row that reads as text, else ""."""
        return ""

    def places(self, data: DataRows) -> Array | None:
        """Return positions (n, 2) of the rows that are known without a kernel, or None."""
        return None

    def sizes(self, data: DataRows) -> Array | None:
        """Return the length of every row (n,), in letters, words or nodes; None where rows have none."""
        return None

    def edges(self, data: DataRows) -> Array | None:
        """Return the edges between rows, pairs of row numbers (m, 2); None where rows are no nodes."""
        return None


def prepared(kernel: Kernel, data: DataRows) -> Kernel:
    """Return the kernel prepared for this data: columns of unlike units standardised, a learnt width as a number.

    A number can be dragged on a slider, "median" cannot. The width depends on the rows alone, never on labels, and is
    rounded to two digits. A separate step, learnt from training rows, imputes missing values.

    >>> from kernlib import RBF
    >>> from kernlib.data import load_dataset
    >>> prepared(RBF(sigma="median"), load_dataset("iris"))
    RBF(sigma=2.4)
    """
    return data.row_kind.prepared(kernel, data)


def rounded_width(width: float) -> float:
    """Return a width to two digits, as a slider shows it; 1 if all rows are equal."""
    return float(f"{width:.2g}") if width > 0 and math.isfinite(width) else 1.0


def deep(family: str, kernel: Kernel, levels: Sequence[int] = LEVELS) -> Iterator[Setting]:
    """Yield the settings of a kernel at several levels."""
    for level in levels:
        yield Setting(family, Deep(kernel, level=level))


def powers(family: str, kernel: Kernel, exponents: Sequence[float] = POWERS) -> Iterator[Setting]:
    """Yield the empirical maps of powers of a kernel."""
    for p in exponents:
        yield Setting(family, Empirical(Power(kernel, p=p)))


class SquareKind(Kind):
    """Rows that are known by a symmetric matrix (n, n)."""

    layout = "square"
    quick = True

    def check(self, X: Any, owner: str) -> Array:
        return finite_table(self, X, owner)

    def read_rows(self, rows: Any, who: str, gaps: bool = False) -> Array:
        A = super().read_rows(rows, who)
        gap = np.abs(A - A.T)
        if gap.max() > 1e-8 * max(1.0, float(np.abs(A).max())):
            i, j = np.unravel_index(int(gap.argmax()), gap.shape)
            raise DataError(
                f"{who}: the matrix must be symmetric; entry ({i}, {j}) is {A[i, j]:g} and ({j}, {i}) is {A[j, i]:g}. "
                "Take (A + A.T) / 2, or np.maximum(A, A.T) for directed edges."
            )
        return A

    def cells(self, data: DataRows, rows: Sequence[int], full: bool) -> list[tuple[str, Any]]:
        return [(name, data.rows[list(rows), j]) for j, name in enumerate(data.ids[:20])] if full else []
