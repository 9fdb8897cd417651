"""A function φ drawn through the entries of a Gram matrix: which stretch of |k| must be lifted?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..analysis import diagonal_ratio
from ..core.base import Kernel
from ..values.arrays import Array
from ..values.labels import HalvesErrors
from ..values.words import number, percent
from ..wrappers.elementwise import NAMED, Eigenwise, Entrywise, ends, interpolated, knots
from ..wrappers.landmarks import Empirical

#: Points of a drawn function.
POINTS = 9
#: Pairs that are drawn.
_PAIRS = 900
KINDS = ("within a class", "between classes", "diagonal")


@dataclass(frozen=True)
class DrawnFunction:
    """A function drawn through values from `low` to `high`, at equal steps of the logarithm where `low` > 0."""

    heights: tuple[float, ...]
    low: float
    high: float

    @property
    def unchanged(self) -> bool:
        """Return whether it is the identity."""
        places = knots(self.high, self.low, len(self.heights)) / self.high
        return bool(np.allclose(self.heights, places, rtol=1e-3, atol=1e-6))

    def __call__(self, values: ArrayLike) -> Array:
        return interpolated(np.abs(np.asarray(values, dtype=np.float64)), self.heights, self.high, self.low)


def start(values: Array, heights: tuple[float, ...] | None = None) -> DrawnFunction:
    """Return the function of these heights over the values' own axis; the identity without heights.

    >>> start(np.array([0.1, 1.0])).unchanged
    True
    """
    low, high = ends(values)
    return DrawnFunction(heights or named_heights(low, high)["unchanged"], low, high)


def named_heights(low: float, high: float) -> dict[str, tuple[float, ...]]:
    """Return the heights of functions to begin with, over that of the last point.

    >>> named_heights(0.0001, 1.0)["√"][0]
    0.01
    """
    places = knots(high, low, POINTS)
    return {name: tuple(float(f"{v:.5g}") for v in f(places) / f(high)) for name, f in NAMED.items()}


def entrywise(kernel: Kernel, phi: DrawnFunction) -> Kernel:
    """Return the kernel with φ of its entries; the kernel itself where φ changes nothing."""
    if phi.unchanged:
        return kernel
    return Entrywise(kernel, heights=phi.heights, top=phi.high, bottom=phi.low)


def with_functions(kernel: Kernel, phi: DrawnFunction, f: DrawnFunction) -> Kernel:
    """Return the kernel of the machine: φ of the entries made positive semi-definite, then f of the eigenvalues."""
    changed = entrywise(kernel, phi)
    if changed is not kernel:
        changed = Empirical(changed)
    return changed if f.unchanged else Eigenwise(changed, heights=f.heights, bottom=f.low / f.high)


def pair_cloud(K: Array, y: ArrayLike | None, low: float, high: float) -> tuple[Array, Array]:
    """Return places from 0 to 1 on the axis of |k|, and kinds, of at most 900 pairs: `KINDS` by their number.

    Zeros have no place over the logarithm and are left out; pairs below the first point stand at 0.

    >>> pair_cloud(np.array([[1.0, 0.01], [0.01, 1.0]]), [0, 1], 0.01, 1.0)
    (array([0., 1., 1.]), array([1, 2, 2]))
    """
    n = len(K)
    i, j = np.triu_indices(n, 1)
    diagonal = np.arange(n)
    rng = np.random.default_rng(0)
    if len(i) > _PAIRS:
        few = rng.choice(len(i), _PAIRS, replace=False)
        i, j = i[few], j[few]
    if n > _PAIRS // 10:
        diagonal = rng.choice(n, _PAIRS // 10, replace=False)
    labels = np.zeros(n) if y is None else np.asarray(y)
    kinds = np.concatenate([(labels[i] != labels[j]).astype(int), np.full(len(diagonal), 2)])
    sizes = np.abs(np.concatenate([K[i, j], K[diagonal, diagonal]]))
    known = sizes > 0
    return places_on_axis(sizes[known], low, high), kinds[known]


def places_on_axis(values: Array, low: float, high: float) -> Array:
    """Return places from 0 to 1 of positive values between `low` and `high`, over their logarithm where `low` > 0."""
    share = np.log(values / low) / np.log(high / low) if low else values / high
    return np.clip(share, 0.0, 1.0)


def lifted_stretch(K: Array, phi: DrawnFunction) -> tuple[float, float, float] | None:
    """Return the quartiles of |k| off the diagonal, and the power of |k| like which φ rises between them.

    None where the quartiles coincide, or φ does not rise over logarithms.

    >>> lifted_stretch(np.array([[1.0, .1, .2], [.1, 1.0, .4], [.2, .4, 1.0]]), DrawnFunction((0.1, 1.0), 0.01, 1.0))[2]
    0.5
    """
    off = np.abs(K[~np.eye(len(K), dtype=bool)])
    a, b = np.quantile(off[off > 0], [0.25, 0.75]).tolist() if (off > 0).any() else (0.0, 0.0)
    if not a < b:
        return None
    low, high = phi([a, b]).tolist()
    if not low > 0:
        return None
    return a, b, round(float(np.log(high / low) / np.log(b / a)), 6)


def entries_sentence(
    K: Array, changed: Array, phi: DrawnFunction, before: HalvesErrors | None, after: HalvesErrors | None
) -> str:
    """Return what φ does to the diagonal ratio and to the test error, and where it bends.

    Parameters: `K` before and `changed` after φ, without f; errors before, and after both functions.
    """
    old, new = diagonal_ratio(K), diagonal_ratio(changed)
    ratio = (
        f"φ is still the line that changes nothing: the diagonal ratio is {number(old, 3)}"
        if phi.unchanged
        else f"φ takes the diagonal ratio from {number(old, 3)} to {number(new, 3)}"
    )
    if before is not None and after is not None:
        moved = "" if before.test == after.test else f"from {percent(before.test)} to "
        ratio += f", {'and the test error ' + moved if moved else 'the test error is '}{percent(after.test)}"
    stretch = lifted_stretch(K, phi)
    if stretch is None:
        return f"{ratio}."
    a, b, power = stretch
    rises = "" if phi.unchanged else f"; there φ rises like |k| to the power {power:.2g}"
    return f"{ratio}. Half of all pairs have similarities from {number(a, 2)} to {number(b, 2)}{rises}."
