"""Kernels on images: products of neighbouring pixels before products of distant ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.base import Kernel
from ..errors import DomainError, ParameterError
from ..numerics.blocks import block_size, integer_power, same_rows
from ..numerics.linalg import finite_lengths
from ..values.arrays import Array
from ..values.declare import param, whole

#: Products of this many pixels are windowed at a time: 2 MiB stay in the cache.
_CHUNK = 1 << 18
#: A strip of the image of this many pixels goes through one matrix product.
_STRIP = 112


def _plain_shape(value: Any) -> Any:
    if not isinstance(value, (list, np.ndarray, tuple)):
        return value
    return tuple(int(s) if isinstance(s, np.integer) else s for s in value)


def _bad_shape(value: Any) -> str | None:
    if isinstance(value, tuple) and len(value) == 2 and all(type(s) is int and s >= 1 for s in value):
        return None
    return f"must be a tuple of two positive integers, (height, width); got {value!r}. Try shape=(8, 8)"


def pyramid(shape: tuple[int, int], width: int) -> NDArray[np.float64]:
    """Return W with W[i, i'] = max(q − ‖i − i'‖_∞, 0) for pixels i, i' of an image, width = 2q + 1.

    >>> pyramid((1, 3), width=5)
    array([[2., 1., 0.],
           [1., 2., 1.],
           [0., 1., 2.]])
    """
    row, column = np.divmod(np.arange(shape[0] * shape[1]), shape[1])
    distance = np.maximum(np.abs(np.subtract.outer(row, row)), np.abs(np.subtract.outer(column, column)))
    return np.asarray(np.maximum(width // 2 - distance, 0), dtype=np.float64)


@dataclass(frozen=True, repr=False)
class LocalityImprovedImage(Kernel):
    """A polynomial kernel of subimages: local correlations weigh more than distant ones.

        z_i = Σ_{i'} w(‖i − i'‖_∞) x_{i'} x'_{i'},  w(n) = max(q − n, 0),  p = 2q + 1
        k(x, x') = (Σ_i z_i^{d1})^{d2}

    A pyramidal window of width p lies around every pixel i; pixels outside the image count as 0.
    d1 = 1 and q = 1 give ⟨x, x'⟩^{d2}. The source states this for d1 = 1 and every q, but it holds only away from the
    border: there Σ_i z_i weights each pixel by the sum of its window inside the image.
    The weight is 0 at distance q already, so the outermost ring of the window has no effect.

    Parameters: shape, the image's (height, width), whose product is the number of columns (row by
    row); width p, odd, from 3; d1 and d2, integers from 1. Positive semi-definite: sums, products
    and integer powers of kernels. Raises ParameterError outside these, DomainError where the
    columns do not fill the shape.

    [D] Locality-Improved Kernels; Schölkopf, Simard, Smola, Vapnik, "Prior knowledge in support
    vector kernels", NIPS 1998.

    >>> images = [[1.0, 1.0, 0.0], [1.0, 0.0, 1.0]]
    >>> LocalityImprovedImage(shape=(1, 3), width=5, d1=2, d2=1)(images)
    array([[19.,  5.],
           [ 5., 12.]])
    """

    shape: tuple[int, int] = param(
        (8, 8),
        kind="other",
        symbol=r"(h, w)",
        help="height and width of the image in pixels",
        convert=_plain_shape,
        check=_bad_shape,
    )
    width: int = whole(9, "p", "width of the window, odd", 3, 15, step=2, minimum=3, maximum=1001)
    d1: int = whole(2, "d_1", "power of each window: local correlations", 1, 6, minimum=1, maximum=32)
    d2: int = whole(2, "d_2", "power of the sum: distant correlations", 1, 6, minimum=1, maximum=32)

    domain = "vector"
    formula = (
        r"\Big(\sum_i\Big(\sum_{i'}w_{ii'}\,x_{i'}x'_{i'}\Big)^{d_1}\Big)^{d_2},"
        r"\quad {w_{ii'}=\max(q-\lVert i-i'\rVert_\infty,0)},\quad {p=2q+1}"
    )
    source = "[D] Locality-Improved Kernels"
    cost = "O(n² · pixels · pixels of a strip)"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.width % 2 == 0:
            raise ParameterError(
                f"LocalityImprovedImage: width must be odd, p = 2q + 1; got {self.width}. Try width={self.width + 1}."
            )

    def checked_rows(self, X: Any) -> Array:
        rows = super().checked_rows(X)
        height, width = self.shape
        if rows.shape[1] != height * width:
            raise DomainError(
                f"LocalityImprovedImage: X has {rows.shape[1]} columns; expected {height * width}, one per pixel of "
                f"shape={self.shape}. Give the images' own height and width."
            )
        return rows

    def strips(self) -> list[tuple[slice, slice, NDArray[np.float64]]]:
        """Return pixels read, pixels written and the window between them, for strips of whole image rows.

        The window reaches q − 1 image rows up and down, so the product for a strip leaves out all other pixels.
        """
        height, width = self.shape
        reach = min(self.width // 2 - 1, height)
        step = max(1, block_size(_STRIP) // width, reach)
        strips = []
        for top in range(0, height, step):
            bottom = min(top + step, height)
            first, last = max(0, top - reach), min(height, bottom + reach)
            window = pyramid((last - first, width), self.width)[:, (top - first) * width : (bottom - first) * width]
            strips.append((slice(first * width, last * width), slice(top * width, bottom * width), window))
        return strips

    def _of_products(self, P: Array, strips: list[tuple[slice, slice, NDArray[np.float64]]]) -> Array:
        """Return k from rows of pixel products x_i x'_i: (m, pixels) → (m,)."""
        total = np.zeros(len(P))
        for read, _, window in strips:
            z = P[:, read] @ window
            total += np.einsum("ij,ij->i", z, z) if self.d1 == 2 else integer_power(z, self.d1).sum(axis=1)
        return integer_power(total, self.d2)

    @property
    def rounding(self) -> float:
        return float(self.d1 * self.d2)

    def gram(self, X: Array, Y: Array | None) -> Array:
        strips = self.strips()
        pixels = X.shape[1]
        Y = None if same_rows(X, Y) else Y
        others = X if Y is None else Y
        for rows in (X,) if Y is None else (X, Y):
            self.gram_diag(rows)  # finite lengths bound every value
        K = np.empty((len(X), len(others)))
        if self.d1 == 1:
            # Σ_i z_i is linear in the pixel products: one weight per pixel, one matrix product.
            weight = np.zeros(pixels)
            for read, _, window in strips:
                weight[read] += window.sum(axis=1)
            A = X * np.sqrt(weight)
            np.matmul(A, (A if Y is None else Y * np.sqrt(weight)).T, out=K)
            return integer_power(K, self.d2)
        step = max(1, block_size(_CHUNK) // pixels)
        products = np.empty((step, pixels))
        for i, x in enumerate(X):
            # The lower triangle is a copy of the upper: half the work, and exact symmetry.
            for start in range(i if Y is None else 0, len(others), step):
                stop = min(start + step, len(others))
                P = np.multiply(others[start:stop], x, out=products[: stop - start])
                K[i, start:stop] = self._of_products(P, strips)
            if Y is None:
                K[i + 1 :, i] = K[i, i + 1 :]
        return K

    def gram_diag(self, X: Array) -> Array:
        strips = self.strips()
        step = max(1, block_size(_CHUNK) // X.shape[1])
        with np.errstate(over="ignore", invalid="ignore"):
            parts = [self._of_products(X[i : i + step] ** 2, strips) for i in range(0, len(X), step)]
            return finite_lengths(np.concatenate(parts), f"LocalityImprovedImage, d1={self.d1}, d2={self.d2}")
