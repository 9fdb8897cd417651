"""Rows moved or scaled in feature space: length 1, mean 0, a factor for each row, a larger diagonal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from ..core.steps import MatrixStep, Side, Tiles
from ..errors import DataError, DegenerateError
from ..numerics.blocks import over_row_blocks
from ..numerics.distances import RELIABLE, ROUNDING
from ..values.arrays import Array
from ..values.declare import makes, one_of, param
from ..values.labels import AskedTask, read_labels

#: A smaller k(x, x) is stored with fewer digits, and 1 / k(x, x) overflows.
_SMALLEST = np.finfo(np.float64).tiny


@makes("normalized")
@dataclass(frozen=True, repr=False)
class Normalized(MatrixStep):
    """The cosine of the angle between two rows in feature space.

        k(x, x') ↦ k(x, x') / √(k(x, x) k(x', x'))

    A row with k(x, x) = 0 (for example an empty string) has no direction: its values are 0. A negative diagonal entry,
    which an indefinite similarity may have, counts as 0 too, and so does one below 2.2e-308, which has lost digits.

    [O] eq. 20; [R] Simple Geometric Properties.

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> Normalized(Linear())(np.array([[1.0, 0.0], [3.0, 3.0]])).round(4)
    array([[1.    , 0.7071],
           [0.7071, 1.    ]])
    """

    formula = r"\frac{k(x,x')}{\sqrt{k(x,x)\,k(x',x')}}"
    source = "[O] eq. 20, [R]"
    cost = "O(n²)"

    def chip(self) -> str:
        return "normalised"

    @property
    def rounding(self) -> float:
        return 2.0 * self.kernel.rounding  # of the value and of the two lengths

    def row_facts(self, side: Side) -> Array:
        return inverse_length(side.d)

    def new_matrix(self, K: Array, fx: Array, fy: Array) -> Array:
        # One factor for both sides, so that rounding leaves a symmetric matrix symmetric.
        K *= np.multiply.outer(fx, fy)
        return K

    def new_diagonal(self, side: Side, facts: Array) -> Array:
        return np.where(np.isfinite(side.d), side.d >= _SMALLEST, np.nan)

    @property
    def has_factor(self) -> bool:
        return self.kernel.has_factor

    def factor_rows(self, X: Array) -> Array:
        F = self.kernel.factor_rows(X)
        return np.asarray(F * inverse_length(np.einsum("ij,ij->i", F, F))[:, None])


def inverse_length(d: Array) -> Array:
    """Return 1/√k(x, x) of rows with these k(x, x), (n,), and 0 for a row without a direction.

    >>> inverse_length(np.array([4.0, 0.0, -1.0]))
    array([0.5, 0. , 0. ])
    """
    length = np.sqrt(np.where(d >= _SMALLEST, d, 0.0))
    return np.divide(1.0, length, where=length > 0, out=np.zeros_like(length))


@makes("centered")
@dataclass(frozen=True, repr=False)
class Centered(MatrixStep):
    """Inner products relative to the training rows' mean μ in feature space.

        k(x, x') ↦ ⟨φ(x) − μ, φ(x') − μ⟩ = k(x, x') − m(x) − m(x') + m̄,
        m(x) = (1/n) Σ_i k(x, x_i),  m̄ = (1/n) Σ_i m(x_i)

    Learns the training rows and their means; test rows are centred with these. Raises DegenerateError if
    fewer than six digits would be correct: the rows lie close together, far from the origin.

    Schölkopf, Smola, Müller 1998, appendix; [R] Kernel PCA (there uncentred).

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> Centered(Linear())(np.array([[1.0], [3.0]]))
    array([[ 1., -1.],
           [-1.,  1.]])
    """

    formula = r"\langle\phi(x)-\mu,\ \phi(x')-\mu\rangle,\quad {\mu=\tfrac1n\sum_i\phi(x_i)}"
    source = "[R], [C] 3.1"
    cost = "O(n²)"
    keeps_rows = True
    learns_itself = True

    def chip(self) -> str:
        return "centred"

    def row_facts(self, side: Side) -> Array:
        return np.column_stack([side.against.mean(axis=1), side.d])

    def learn_from(self, K: Array, facts: Array, y: Array | None) -> float:
        means, d = facts.T
        mean = float(means.mean())
        largest = float((d - 2.0 * means + mean).max())
        noise = float(self._rounding(means, means, mean).max())
        if noise < largest < RELIABLE * noise:
            raise DegenerateError(
                f"Centered: the {len(d)} training rows lie near their mean in feature space, far from the origin; "
                f"expected squared distances from the mean well above the rounding error of k, {noise:.2g}, got at "
                f"most {largest:.2g}. Standardise the columns, or choose a kernel that separates the rows."
            )
        return mean

    def learn_from_tiles(self, tiles: Tiles, facts: Array, y: Array | None, n: int) -> float:
        return self.learn_from(facts, facts, y)  # the row facts are enough: no tile is evaluated

    def new_matrix(self, K: Array, fx: Array, fy: Array) -> Array:
        mx, my = fx[:, 0], fy[:, 0]

        def centre(block: Array, start: int) -> None:
            means = mx[start : start + len(block), None]
            # The two means are added first, so that a symmetric matrix stays symmetric to the last bit.
            block -= means + my
            block += self.state
            size = np.abs(block)
            if size.min(initial=np.inf) <= most:  # rare: first one bound for all entries, then one for each
                block[size <= self._rounding(means, my, self.state)] = 0.0

        most = self._rounding(np.abs(mx).max(initial=0.0), np.abs(my).max(initial=0.0), self.state)
        over_row_blocks(K, centre)
        return K

    def new_diagonal(self, side: Side, facts: Array) -> Array:
        means = facts[:, 0]
        d = np.asarray(side.d - 2.0 * means + self.state)
        d[np.abs(d) <= self._rounding(means, means, self.state)] = 0.0
        return d

    def _rounding(self, fx: Array, fy: Array, mean: float) -> Array:
        """Return a bound on the rounding error of a centred value; a smaller value counts as 0."""
        return np.asarray(ROUNDING * self.kernel.rounding * (np.abs(fx) + np.abs(fy) + abs(mean)))


#: Functions f by name, of a row's squared length k(x, x), (n,) → (n,); any other f is given as a callable.
FUNCTIONS: Mapping[str, Callable[[Array], Array]] = MappingProxyType(
    {
        "inverse-norm": inverse_length,
        "gaussian": lambda d: np.exp(-0.5 * np.maximum(d, 0.0)),
        "norm": lambda d: np.sqrt(np.maximum(d, 0.0)),
    }
)


class _Tabulated:
    """The values of a callable f on the bound rows, as a function of row numbers."""

    def __init__(self, values: Array) -> None:
        self.values = values

    def __call__(self, rows: Array) -> Array:
        return np.asarray(self.values[rows])


@dataclass(frozen=True, repr=False)
class Conformal(MatrixStep):
    """A conformal transformation: every row is rescaled by f; angles stay the same where f > 0.

        k(x, x') ↦ f(x) k(x, x') f(x')

    f by name is a function of the squared length k(x, x): "inverse-norm", 1/√k(x, x), which is
    `Normalized`; "gaussian", exp(−k(x, x)/2), which shrinks rows far from the origin; "norm", √k(x, x), which
    stretches them. f may also be a Python callable from rows (n, …) to n finite numbers; such a kernel prints with the
    callable's repr, which `parse` does not read back, and is equal only to one with the same callable.

    Raises ParameterError for an unknown name, DegenerateError if f does not return n finite numbers.

    [D] Conformal Transformations; Amari and Wu, "Improving support vector machine classifiers by
    modifying kernel functions", 1999.

    The exponential of the linear kernel at unit length is the RBF kernel:

    >>> from kernlib import RBF, Exponential, Linear
    >>> X = [[0.0], [1.0]]
    >>> bool(abs(Conformal(Exponential(Linear()), f="inverse-norm")(X) - RBF(sigma=1.0)(X)).max() < 1e-12)
    True
    """

    f: str | Callable[[Any], Any] = one_of(  # noqa: RUF009 (a field, as everywhere)
        "inverse-norm", "f", "function that rescales each row", tuple(FUNCTIONS)
    )

    formula = r"f(x)\,k(x,x')\,f(x')"
    source = "[D] Conformal Transformations"
    cost = "O(n²)"

    def __post_init__(self) -> None:
        if not callable(self.f):
            super().__post_init__()

    def chip(self) -> str:
        name = self.f if isinstance(self.f, str) else getattr(self.f, "__name__", type(self.f).__name__)
        return f"conformal ({name})"

    @property
    def reads_rows(self) -> bool:
        return not isinstance(self.f, str)

    def row_facts(self, side: Side) -> Array:
        return self.factors(side.rows, side.d if isinstance(self.f, str) else np.empty(0))

    def factors(self, rows: Array, d: Array) -> Array:
        """Return f of every row, (n,), from its k(x, x) where f is a name."""
        if isinstance(self.f, str):
            return FUNCTIONS[self.f](d)
        values = np.asarray(self.f(rows))
        if values.shape != (len(rows),) or values.dtype.kind not in "fiub" or not np.isfinite(values).all():
            raise DegenerateError(
                f"Conformal: f must give one finite number for each row; expected shape ({len(rows)},), got "
                f"{'values that are not finite' if values.shape == (len(rows),) else f'shape {values.shape}'}. "
                "f reads all rows at once."
            )
        return values.astype(np.float64)

    def new_matrix(self, K: Array, fx: Array, fy: Array) -> Array:
        # The two factors first, so that a symmetric matrix stays symmetric to the last bit.
        K *= np.multiply.outer(fx, fy)
        return K

    def new_diagonal(self, side: Side, facts: Array) -> Array:
        return np.asarray(facts**2 * side.d)

    def _over_numbers(self, rows: Array) -> Self:
        # A callable reads rows, but a bound kernel has row numbers only: f is evaluated here, once.
        return self.with_fields({"f": _Tabulated(self.factors(rows, np.empty(0)))}) if self.reads_rows else self


@dataclass(frozen=True, repr=False)
class SoftMarginDiagonal(MatrixStep):
    """An asymmetric soft margin: the training diagonal is raised, most for the most common label.

        K_ii ↦ K_ii + w ρ_i  on the training rows,  ρ_i the share of training rows labelled y_i

    It is the kernel of training examples that each have one additional axis, of length √(w ρ_i).
    A new row has no such axis, even if it equals a training row, so K* and k** do not change: `fold` and
    machines that train on it use the raised diagonal, while a fitted kernel called with rows returns the inner
    kernel's values.

    Learns from the labels: `fit` and `fold` need y. Raises NotFittedError without y, also inside a step
    that exists only for all rows at once (`Repaired`, `SquareRoot`), DataError for labels that are not classes,
    ParameterError for w < 0.

    Parameters: weight w ≥ 0, 0.02 in the source.

    [O] 4.2, the soft margin; Brown et al., PNAS 2000.

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> X = np.array([[1.0], [2.0], [3.0], [4.0]])
    >>> SoftMarginDiagonal(Linear()).fold(X, y=[0, 1, 1, 1]).K.diagonal()
    array([ 1.005,  4.015,  9.015, 16.015])
    """

    weight: float = param(
        0.02,
        symbol="w",
        help="added to the diagonal, times the share of rows with the same label",
        low=0.001,
        high=1.0,
        scale="log",
        minimum=0.0,
    )

    formula = r"k(x_i,x_j)+\mathbf 1[i=j]\,w\,\rho_i"
    source = "[O] 4.2"
    cost = "O(n)"
    learns_itself = True

    def chip(self) -> str:
        return f"diagonal + {self.weight:g}·ρ"

    def fit_to_matrix(self, K: Array, facts: None, y: Array | None, train: Array) -> tuple[Self, Array]:
        raised = self._raise(y, len(train))
        K[np.diag_indices_from(K)] += raised
        return self.with_state(raised), K

    def learn_from_tiles(self, tiles: Tiles, facts: None, y: Array | None, n: int) -> Array:
        return self._raise(y, n)

    def added_diagonal(self) -> Array:
        return np.asarray(self.state)

    def _raise(self, y: Array | None, n: int) -> Array:
        """Return w ρ_i of every training row, (n,)."""
        y = self.require_labels(
            y,
            "the diagonal is raised by each label's share",
            " A step that exists only for all rows at once, such as Repaired, passes no labels to its inner kernel: "
            "put SoftMarginDiagonal around that step.",
        )
        return self.weight * _shares(y, n)

    def new_matrix(self, K: Array, fx: None, fy: None) -> Array:
        return K

    def new_diagonal(self, side: Side, facts: None) -> Array:
        return side.d


def _shares(y: Any, rows: int) -> Array:
    """Return ρ: for each row the share of rows that carry its label."""
    # Codes of a small training part may have gaps, and are classes nevertheless.
    task: AskedTask = "classification" if np.asarray(y).dtype.kind in "iub" else "auto"
    labels = read_labels(y, task, rows=rows, owner="SoftMarginDiagonal")
    if labels.codes is None:
        raise DataError(
            "SoftMarginDiagonal: y must hold classes; expected labels that several rows share, got real numbers. "
            "Give class labels, or leave this step out for regression."
        )
    return np.asarray(labels.counts[labels.codes] / rows)
