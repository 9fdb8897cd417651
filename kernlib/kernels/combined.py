"""Kernels made of several kernels: one for each part of a table, a weighted sum, one for each part of a string."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Self

import numpy as np

from ..core.algebra import Joint
from ..core.base import Kernel, require_kernel
from ..core.steps import RowStep
from ..errors import DegenerateError, DomainError, ParameterError
from ..numerics.blocks import block_size, over_tiles
from ..values.arrays import Array
from ..values.declare import floats, one_of, param, weights_problem
from ..values.domains import Domain, check_rows, form
from ..values.labels import read_labels
from .categorical import Overlap
from .spectrum import Spectrum
from .vectors import RBF, Linear

#: How a kernel names the columns that it reads, and how many are named.
_ON, _COLUMNS = re.compile(r"\bcolumns? (\d+(?:, \d+)*)"), 3


def _bad_columns(value: Any) -> str | None:
    known = isinstance(value, tuple) and value and all(type(c) is int and c >= 0 for c in value)
    if known and len(set(value)) == len(value):
        return None
    return f"must be a tuple of different column numbers from 0 on; got {value!r}. Try columns=(0,)"


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

    domain = "mixed"
    begins_chain = True
    instead = "use it without this step; its rows are not columns of a table."
    edited_as = "columns"
    formula = r"k(x_c,\,x'_c)"
    source = "[D] Tricks for Constructing Kernels"
    cost = "the kernel's own"

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
        except (TypeError, ValueError) as error:
            raise DomainError(
                f"On: columns {self.columns!r} must hold numbers, since {self.kernel!r} reads vectors; got one that "
                f"is none, {error}. Choose other columns, or a kernel for nominal ones such as Overlap()."
            ) from None


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
        more = len(numbers) - _COLUMNS
        return ", ".join(names) + (f" and {more} more" if more > 0 else "")

    return [_ON.sub(named, step) for step in kernel.chain()]


_bad_weights = weights_problem("numbers", "weights='alignment'")


@dataclass(frozen=True, repr=False)
class Mixture(Joint):
    r"""A weighted sum of kernels over the same rows.

        k(x, x') = Σ_m w_m k_m(x, x'),  w_m ≥ 0

    Parameters: kernels, two or more that read rows of one kind; weights, a tuple of one number each, None for equal
    weights of sum 1, or "alignment": learnt from the training rows and their labels so that the centred alignment of
    the sum with the labels is largest (ALIGNF; deterministic, weights of sum 1, many of them 0).

    Mixing seldom beats the best single kernel by much: kernels that agree share their weight, and a kernel that the
    labels do not need gets none. It helps where kernels read different things, such as columns of several kinds.

    Raises ParameterError for fewer than two kernels or another number of weights, DomainError for kernels of different
    kinds of rows, NotFittedError without labels and DegenerateError where no kernel is aligned with the labels, both
    for "alignment" alone.

    Cortes, Mohri and Rostamizadeh, JMLR 13, 2012, proposition 9.

    >>> from kernlib import RBF, Linear
    >>> Mixture((Linear(), RBF(sigma=1.0)), weights=(0.5, 0.5))([[0.0], [1.0]]).round(4)
    array([[0.5   , 0.3033],
           [0.3033, 1.    ]])
    """

    kernels: tuple[Kernel, ...] = (Linear(), RBF())
    weights: tuple[float, ...] | Literal["alignment"] | None = param(
        None,
        kind="other",
        symbol="w",
        help="weight of each kernel; none: equal; 'alignment': learnt from the labels",
        low=0.0,
        high=1.0,
        choices=("alignment",),
        each="kernel",
        convert=floats,
        check=lambda value: None if isinstance(value, str) and value == "alignment" else _bad_weights(value),
    )

    formula = r"\sum_m w_m\,k_m(x,x')"
    source = "Cortes et al. 2012"
    cost = "the kernels' cost; m² passes over the matrices to learn weights"

    def __post_init__(self) -> None:
        if isinstance(self.kernels, Sequence) and not isinstance(self.kernels, str):
            object.__setattr__(self, "kernels", tuple(self.kernels))
        if not isinstance(self.kernels, tuple) or len(self.kernels) < 2:
            raise ParameterError(
                f"Mixture: kernels must be a tuple of two kernels or more; got {self.kernels!r:.80}. "
                "Try Mixture((Linear(), RBF()))."
            )
        for kernel in self.kernels:
            require_kernel("Mixture", "kernels", kernel)
        super().__post_init__()
        if isinstance(self.weights, tuple) and len(self.weights) != len(self.kernels):
            raise ParameterError(
                f"Mixture: weights must hold one number for each kernel; expected {len(self.kernels)}, got "
                f"{len(self.weights)}. Give as many, or weights='alignment'."
            )

    def chip(self) -> str:
        return f"mixture of {len(self.kernels)}"

    @property
    def learns_itself(self) -> bool:
        return self.weights == "alignment"

    def used_weights(self) -> tuple[float, ...]:
        """Return the weight of each kernel, given or learnt; NotFittedError before `fit`."""
        if self.learns_itself:
            if self._learnt is None:
                self.require_fitted("used_weights")
            learnt: tuple[float, ...] = self.state
            return learnt
        if isinstance(self.weights, tuple):
            return self.weights
        return (1.0 / len(self.kernels),) * len(self.kernels)

    def joined(self, values: Sequence[Array]) -> Array:
        return np.asarray(sum(w * K for w, K in zip(self.used_weights(), values, strict=True)))

    def learn_joint(self, matrices: Sequence[Array], y: Array | None) -> Self:
        learns = self.learns_itself and self._learnt is None
        return self.with_state(self._aligned(matrices, y)) if learns else self

    def _aligned(self, matrices: Sequence[Array], y: Array | None) -> tuple[float, ...]:
        y = self.require_labels(y, "weights='alignment' learns from them")
        targets = read_labels(y, owner="Mixture").targets
        weights = aligned_weights(matrices, targets.reshape(len(targets), -1))
        if not weights.any():
            raise DegenerateError(
                f"Mixture: none of the {len(matrices)} kernels is aligned with the labels of the {len(targets)} "
                "training rows; expected one with a centred alignment above 0. Choose other kernels, or give weights."
            )
        return tuple(weights.tolist())


def aligned_weights(matrices: Sequence[Array], targets: Array) -> Array:
    r"""Return weights ≥ 0 of sum 1 with which Σ_k w_k K_k has the largest centred alignment with the targets.

    .. math:: w \propto \arg\min_{v \ge 0} v^\top M v - 2 v^\top a,\quad
        M_{kl} = \langle K_k^c, K_l^c\rangle_F,\quad a_k = \langle K_k^c, YY^\top\rangle_F

    A non-negative least squares problem with one solution up to kernels that agree; all weights are 0 where no kernel
    is aligned with the targets. Parameters: `matrices` (n, n) each; `targets` Y (n, c).
    Reference: Cortes, Mohri, Rostamizadeh, JMLR 13, 2012, proposition 9 (ALIGNF).

    >>> y = np.array([[1.0], [1.0], [-1.0], [-1.0]])
    >>> aligned_weights([y @ y.T, np.eye(4)], y).round(3)
    array([1., 0.])
    """
    from scipy.optimize import nnls

    Y = targets - targets.mean(axis=0)
    centred = [K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean() for K in matrices]
    sizes = np.array([np.linalg.norm(K) for K in centred])
    whole = np.array([np.linalg.norm(K) for K in matrices])
    useful = sizes > 1e-12 * whole  # of a constant matrix only rounding is left
    weights = np.zeros(len(centred))
    units = [K / size for K, size, known in zip(centred, sizes, useful, strict=True) if known]
    if not units:
        return weights
    M = np.array([[float(np.vdot(A, B)) for B in units] for A in units])
    a = np.array([float((Y * (A @ Y)).sum()) for A in units])
    s, V = np.linalg.eigh(M)
    root = np.sqrt(np.maximum(s, 1e-12 * s[-1]))
    found, _ = nnls(root[:, None] * V.T, (V.T @ a) / root)
    weights[useful] = found / sizes[useful]
    total = float(weights.sum())
    return weights / total if total > 0 else weights


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

    def of(self, rows: slice) -> slice:
        """Return where the parts of some rows are."""
        return slice(int(self.stops[rows.start - 1]) if rows.start else 0, int(self.stops[rows.stop - 1]))


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

    domain = "sequence"
    edited_as = "parts"
    formula = r"\sum_{R(x)}\sum_{R(x')}\ \prod_{d} k_d(x_d,x'_d)"
    source = "[D] Convolution Kernels"
    cost = "O(decompositions²), each a product of part kernels"

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
        most = max(int(np.diff(side.stops, prepend=0).max()) for side in (left, right))
        tile = max(1, math.isqrt(block_size(_BUDGET)) // max(1, most))

        def sums(rows: slice, columns: slice, out: Array) -> None:
            out[...] = self._sums(left, right, rows, columns)

        return over_tiles(len(X), None if Y is None else len(right.stops), sums, tile)

    def _sums(self, left: _Parts, right: _Parts, rows: slice, columns: slice) -> Array:
        """Return K of some rows of the left against some of the right."""
        a, b = left.of(rows), right.of(columns)
        if a.start == a.stop or b.start == b.stop:
            return np.zeros((rows.stop - rows.start, columns.stop - columns.start))
        places = zip(self.kernels, left.places, right.places, strict=True)
        P = np.asarray(math.prod(k.gram(p[a], q[b]) for k, p, q in places))
        return np.asarray(_summing(left.stops[rows] - a.start) @ P @ _summing(right.stops[columns] - b.start).T)

    def gram_diag(self, X: Array) -> Array:
        parts = self._parts(X)
        return np.array([self._sums(parts, parts, slice(i, i + 1), slice(i, i + 1))[0, 0] for i in range(len(X))])


def _summing(stops: Array) -> Any:
    """Return the matrix (rows, parts) that sums consecutive parts, those of row r ending before stops[r]."""
    from scipy.sparse import csr_array

    parts = int(stops[-1])
    return csr_array((np.ones(parts), np.arange(parts), np.concatenate([[0], stops])), shape=(len(stops), parts))
