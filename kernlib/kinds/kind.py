"""What the declaration of a kind of row answers, and the checks of rows that several kinds share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from ..core.base import Kernel
from ..errors import DataError, DomainError
from ..values.arrays import Array
from ..values.declare import shown
from ..values.domains import Domain, Form, finite_table
from ..wrappers import Deep, Empirical, Power

if TYPE_CHECKING:  # the data set whose rows a kind has
    from ..data.dataset import Dataset

    #: What a menu makes of a class: from the data, which may be None; None where it needs a decision.
    Start = Callable[[Dataset | None], Kernel | None]


K = TypeVar("K", bound=Kernel)


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


def two_levels(kernel: Kernel, shows: str = "A Gaussian of distances, twice.") -> Preset:
    """Return the suggestion of two deep levels of a kernel."""
    return Preset("Two levels deep", Deep(kernel, level=2), shows)


@dataclass(frozen=True)
class Setting:
    """A kernel with its parameters, and the `family` that it belongs to."""

    family: str
    kernel: Kernel


#: The name of a family and a kernel of it.
Family = tuple[str, Kernel]
#: The grid of the advice: widths in multiples of the median distance between rows, levels, powers.
WIDTHS, LEVELS, POWERS = (0.25, 0.5, 1.0, 2.0, 4.0), (1, 2, 3), (0.25, 0.5, 0.75)


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

    def read(self, data: Dataset, who: str) -> tuple[Array, tuple[Domain, ...]]:
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

    def is_cell(self, cell: Any) -> bool:
        """Return whether a cell of a mixed table is of this kind."""
        return isinstance(cell, str)

    def from_cell(self, cell: str) -> str:
        """Return a cell of text as the row that it makes, without blanks around it."""
        return cell.strip()

    def numbers(self, data: Dataset) -> list[int]:
        """Return the places of the columns that hold numbers, whose missing cells a kernel imputes."""
        return []

    def warnings(self, data: Dataset) -> Iterator[str]:
        """Yield sentences on rows that are likely not what was meant."""
        yield from ()

    def unknown(self, data: Dataset, new: Dataset, who: str) -> Iterator[str]:
        """Yield sentences on values of new rows that no row of `data` has; DataError for rows of another alphabet."""
        yield from ()

    # -- kernels --------------------------------------------------------------------------------

    def presets(self, data: Dataset) -> tuple[Preset, ...]:
        """Return the suggested kernels, the default one first, from the rows alone."""
        raise NotImplementedError

    def prepared(self, kernel: Kernel, data: Dataset) -> Kernel:
        """Return a suggested kernel prepared for complete rows: a width to be learnt as a number."""
        return kernel

    def starting(self, cls: type[Kernel], data: Dataset | None) -> Kernel | None:
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

    def parts(self, data: Dataset) -> list[Kernel]:
        """Return one kernel for each kind of column; none where all rows are of one kind."""
        return []

    def settings(self, data: Dataset) -> Iterator[Family]:
        """Yield the kernels that are compared for the rows, each with its family, one family after another."""
        raise NotImplementedError

    def candidates(self, data: Dataset) -> tuple[Setting, ...]:
        """Return the settings and the suggested kernels, each kernel once."""
        proposed = (("From the menu", prepared(preset.kernel, data)) for preset in self.presets(data))
        unique: dict[Kernel, Setting] = {}
        for family, kernel in (*self.settings(data), *proposed):
            unique.setdefault(kernel, Setting(family, kernel))
        return tuple(unique.values())

    # -- rows on a page -------------------------------------------------------------------------

    def cells(self, data: Dataset, rows: Sequence[int], full: bool) -> list[tuple[str, Any]]:
        """Return the columns of a table that shows the rows, with more of them if `full`."""
        return [(name, data.rows[list(rows), j]) for j, name in enumerate(data.columns[: 60 if full else 12])]

    def snippet(self, row: Any) -> str:
        """Return the beginning of a row that reads as text, else ""."""
        return ""

    def places(self, data: Dataset) -> Array | None:
        """Return positions (n, 2) of the rows that are known without a kernel, or None."""
        return None

    def sizes(self, data: Dataset) -> Array | None:
        """Return the length of every row (n,), in letters, words or nodes; None where rows have none."""
        return None

    def overlapping(self, data: Dataset) -> int:
        """Return the number of rows that share a piece of half their length with another row."""
        return 0

    def edges(self, data: Dataset) -> Array | None:
        """Return the edges between rows, pairs of row numbers (m, 2); None where rows are no nodes."""
        return None


def prepared(kernel: Kernel, data: Dataset) -> Kernel:
    """Return the kernel prepared for this data: columns of unlike units standardised, a learnt width as a number.

    A number can be dragged on a slider, "median" cannot. The width depends on the rows alone, never on labels, and is
    rounded to two digits. A separate step, learnt from training rows, imputes missing values.

    >>> from kernlib import RBF
    >>> from kernlib.data import load_dataset
    >>> prepared(RBF(sigma="median"), load_dataset("iris"))
    RBF(sigma=2.4)
    """
    return data.row_kind.prepared(kernel, data)


def rounded_width(width: float, digits: int = 2) -> float:
    """Return a width to two digits, as a slider shows it; 1 if all rows are equal."""
    return float(f"{width:.{digits}g}") if width > 0 and math.isfinite(width) else 1.0


def suited(kernel: K, data: Dataset | None, times: float = 1.0, digits: int = 2) -> K:
    """Return the kernel with what its heuristic proposes for the rows, multiplied; itself where it proposes nothing."""
    found = {} if data is None else kernel.heuristics(data.rows)
    return kernel.with_fields({name: rounded_width(times * value, digits) for name, value in found.items()})


def deep(family: str, kernel: Kernel, levels: Sequence[int] = LEVELS) -> Iterator[Family]:
    """Yield the settings of a kernel at several levels."""
    for level in levels:
        yield family, Deep(kernel, level=level)


def powers(family: str, kernel: Kernel, exponents: Sequence[float] = POWERS) -> Iterator[Family]:
    """Yield the empirical maps of powers of a kernel."""
    for p in exponents:
        yield family, Empirical(Power(kernel, p=p))


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

    def cells(self, data: Dataset, rows: Sequence[int], full: bool) -> list[tuple[str, Any]]:
        return [(name, data.rows[list(rows), j]) for j, name in enumerate(data.ids[:20])] if full else []
