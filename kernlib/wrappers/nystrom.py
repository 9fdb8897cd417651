"""Nyström approximation by landmarks, for more rows than a full Gram matrix allows."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np

from ..core.base import Kernel
from ..core.steps import Wrapper
from ..errors import DomainError
from ..numerics.linalg import eigenpairs
from ..values.arrays import Array
from ..values.declare import one_of, whole
from ..values.domains import form
from .landmarks import CHOICES, LandmarkAccuracy, draw_landmarks, fit_on_landmarks, probe_error


@dataclass(frozen=True, repr=False)
class Nystrom(Wrapper):
    """The Nyström approximation: rows are compared through m landmarks, drawn from the training rows.

        k̃(x, x') = k(x, L) W⁺ k(L, x'),  W = k(L, L)

    Exact between landmarks, and everywhere if all training rows are landmarks and k is positive semi-definite; else
    the best approximation within the landmarks' span. The inner kernel is never evaluated on all pairs of rows:
    n·m values and one eigendecomposition of W, instead of n². `factor` returns the (n, m) matrix F with k̃ = F F', from
    which machines learn; `error` estimates how far k̃ is from k.

    Learns the landmarks, and what the inner kernel learns: steps that learn from a Gram matrix (the empirical map,
    levels) from that of the landmarks, all others from all training rows. Parameters: landmarks m ≥ 1, at most the
    number of training rows; seed of the draw; choice of the rows:

    - "uniform": every row as likely as any other;
    - "k-means++": each next row with a probability that grows with its squared distance from those drawn, where the
      base kernel reads vectors, in the form in which it reads them (Arthur and Vassilvitskii 2007);
    - "leverage": by approximate ridge leverage scores, which prefer rows that others do not span; for rows of any
      kind, at twice the cost (Musco and Musco 2017).

    Raises DomainError for a kernel that exists only for all rows at once, and for "k-means++" on rows that are not
    vectors.
    Directions of W within rounding of 0, and negative ones, are left out.

    Williams and Seeger, "Using the Nyström method to speed up kernel machines", NIPS 2000.

    >>> from kernlib import RBF
    >>> X = np.linspace(0.0, 3.0, 200)[:, None]
    >>> approximate = Nystrom(RBF(sigma=1.0), landmarks=12).fit(X)
    >>> approximate.factor(X).shape[1] <= 12, bool(abs(approximate(X) - RBF(sigma=1.0)(X)).max() < 1e-3)
    (True, True)
    """

    landmarks: int = whole(
        500, "m", "number of landmarks (training rows)", 10, 1000, step=10, minimum=1, maximum=20_000
    )
    seed: int = whole(0, "s", "seed of the draw of landmarks", 0, 99, minimum=0, maximum=2**32 - 1)
    choice: str = one_of("uniform", "c", "how landmarks are drawn: uniformly, far apart, or by leverage", CHOICES)

    kind = "matrix"
    stops = MappingProxyType({"landmarks": (10, 20, 50, 100, 200, 500)})
    stands = "last"
    formula: ClassVar[str] = r"k(x,L)\,W^{+}\,k(L,x'),\quad W=k(L,L)"
    source: ClassVar[str] = "Williams and Seeger 2000"
    cost: ClassVar[str] = "O(n m²), one eigendecomposition of (m, m)"
    learns_itself: ClassVar[bool] = True
    is_psd: ClassVar[bool] = True
    has_factor: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kernel.transductive or form(self.kernel.reads).square:
            raise DomainError(
                f"Nystrom: {self.kernel!r} exists only for all rows at once; expected a kernel that can be evaluated "
                "on new rows. Leave this step out."
            )

    def chip(self) -> str:
        return f"{self.landmarks} landmarks" + ("" if self.choice == "uniform" else f", {self.choice}")

    @property
    def landmark_count(self) -> int:
        return self.landmarks

    def factor(self, X: Any) -> Array:
        """Return F, (n, r) with r ≤ m: rows whose inner products are the approximate kernel's values.

        Raises NotFittedError before `fit`.
        """
        self.require_fitted("factor")
        return self.factor_rows(self.checked_rows(X))

    def error(self, X: Any, seed: int = 0) -> LandmarkAccuracy:
        """Return how far the approximation is from the inner kernel on rows X, from a random probe of entries.

        O(n m) for n rows, and some thousand exact values. Raises NotFittedError before `fit`.

        >>> from kernlib import RBF
        >>> X = np.linspace(0.0, 3.0, 200)[:, None]
        >>> Nystrom(RBF(sigma=0.1), landmarks=12).fit(X).error(X).relative > 0.1
        True
        """
        self.require_fitted("error")
        return probe_error(self.kernel, self.factor_rows, self.checked_rows(X), len(self.kept_rows), seed)

    def factor_rows(self, X: Array) -> Array:
        landmarks: Any = self.kept_rows
        if getattr(landmarks, "ndim", 1) == 2:
            self.require_learnt_columns(X, landmarks.shape[1])
        return np.asarray(self.kernel.gram(X, landmarks) @ self.state)

    def fit_rows(self, X: Array, y: Array | None) -> Self:
        chosen = draw_landmarks(self.choice, self.kernel, X, y, self.landmarks, self.seed)
        inner: Kernel = fit_on_landmarks(self.kernel, X, y, chosen)
        landmarks = X[chosen]
        eigenvalues, U = eigenpairs(inner.gram(landmarks, None), "Nystrom")
        kept = eigenvalues > 1e-12 * len(landmarks) * np.abs(eigenvalues).max()
        # If every value is 0, one column of zeros: rows must have at least one column.
        scaled = U[:, kept] / np.sqrt(eigenvalues[kept]) if kept.any() else np.zeros((len(landmarks), 1))
        return self.with_kernel(inner).with_state(scaled, landmarks)


def with_landmarks(kernel: Kernel, landmarks: int = 300, like: Kernel | None = None) -> Kernel:
    """Return the kernel with landmarks as its last step.

    Landmarks inside the kernel move to the end; else those of the kernel `like` are used, or `landmarks` new ones.
    Steps that were applied after the landmarks are then exact between them. Raises DomainError as `Nystrom`.

    >>> from kernlib import RBF, Power
    >>> with_landmarks(Power(Nystrom(RBF(), landmarks=50), p=0.5))
    Nystrom(Power(RBF(sigma=1.0), p=0.5), landmarks=50, seed=0, choice='uniform')
    """
    steps: list[Nystrom] = []
    inner = _without_landmarks(kernel, steps)
    if like is not None:
        _without_landmarks(like, steps)
    return steps[0].with_kernel(inner) if steps else Nystrom(inner, landmarks)


def _without_landmarks(kernel: Kernel, steps: list[Nystrom]) -> Kernel:
    """Return the kernel without its landmarks, which are appended to `steps`."""
    if isinstance(kernel, Nystrom):
        steps.append(kernel)
        return _without_landmarks(kernel.kernel, steps)
    return kernel.with_children(lambda child: _without_landmarks(child, steps))
