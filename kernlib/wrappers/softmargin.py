"""The asymmetric soft margin: each training row's diagonal raised by how common its label is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from ..core.steps import MatrixStep, Side, Tiles
from ..errors import DataError, NotFittedError
from ..values.arrays import Array
from ..values.declare import param
from ..values.labels import AskedTask, read_labels


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

    formula: ClassVar[str] = r"k(x_i,x_j)+\mathbf 1[i=j]\,w\,\rho_i"
    source: ClassVar[str] = "[O] 4.2"
    cost: ClassVar[str] = "O(n)"
    learns_itself: ClassVar[bool] = True

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
        if y is None:
            raise NotFittedError(
                "SoftMarginDiagonal: the labels of the training rows are missing; expected y, since the diagonal "
                "is raised by each label's share, got none. Next: kernel.fold(train, test, y) or kernel.fit(train, y). "
                "A step that exists only for all rows at once, such as Repaired, passes no labels to its inner kernel: "
                "put SoftMarginDiagonal around that step."
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
