"""Rows described by their values with landmarks: all training rows, or few (Nyström), and how these are chosen."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Self, cast

import numpy as np

from ..core.algebra import Joined
from ..core.base import Kernel
from ..core.steps import MatrixStep, RowStep, Shorthand, Side, WholeStep, Wrapper, normal_form
from ..errors import DomainError, ParameterError
from ..numerics.linalg import eigenpairs
from ..values.arrays import Array
from ..values.declare import one_of, whole
from ..values.domains import form
from ..values.words import percent

#: A probe samples this many blocks, each of this many rows against as many others.
_BLOCKS, _SIDE = 48, 8
#: Smaller estimates are shown as less than a percentage.
_LEAST = 1e-4
_NEXT_TO_NOTHING = percent(_LEAST / 2)
#: A missing share of the trace that is reported: it changes the diagonal ratio and the effective rank.
_MUCH = 0.01


def fit_on_landmarks(kernel: Kernel, X: Array, y: Array | None, chosen: Array) -> Kernel:
    """Return the kernel fitted without an (n, n) matrix: steps that need a Gram matrix learn from the chosen rows.

    All else (scales, frequencies, a median distance) is learnt from all of X.
    """
    if kernel.fitted:
        return kernel
    if isinstance(kernel, RowStep):
        own = kernel.fitted_step(X, y)
        return own if own.kernel.fitted else own.with_kernel(fit_on_landmarks(own.kernel, own.map_rows(X), y, chosen))
    if isinstance(kernel, Joined):
        return kernel.with_children(lambda child: fit_on_landmarks(child, X, y, chosen))
    if isinstance(kernel, MatrixStep | Shorthand) and not kernel.has_factor:
        step = kernel.with_kernel(fit_on_landmarks(kernel.kernel, X, y, chosen))
        return step if step.fitted else step.fit_rows(X[chosen], None if y is None else y[chosen])
    return kernel.fit_rows(X, y)


@dataclass(frozen=True)
class LandmarkAccuracy:
    """How far a Nyström approximation K̃ of n rows is from the kernel K that it approximates.

    `relative` estimates ‖K − K̃‖ / ‖K‖ (Frobenius) from the exact diagonal and a random sample of `entries` off-diagonal
    entries; `standard_error` is that of the sample. `missing` is the share of the trace that the landmarks do not span,
    exactly: 0 if every row lies in their span. `landmarks` is the number of landmarks among `n` rows.
    """

    relative: float
    standard_error: float
    missing: float
    entries: int
    landmarks: int
    n: int

    def _about(self) -> str:
        """Return the estimate and its standard error; a very small estimate alone."""
        if 0 <= self.relative < _LEAST:
            return _NEXT_TO_NOTHING
        spread = percent(self.standard_error, 1) if self.standard_error > 0 else _NEXT_TO_NOTHING
        return f"{percent(self.relative)} ± {spread}"

    def words(self) -> str:
        """Return the estimate as a short text, and the loss of k(x, x) if it is large.

        >>> LandmarkAccuracy(0.012, 0.0008, 0.03, 3072, 300, 20000).words()
        "300 landmarks: values differ from the exact kernel's by 1.2% ± 0.08%, k(x, x) is 3% too small"
        """
        if not self.entries:
            return "all rows are landmarks: values are exact"
        own = f", k(x, x) is {percent(self.missing)} too small" if self.missing >= _MUCH else ""
        return f"{self.landmarks:,} landmarks: values differ from the exact kernel's by {self._about()}{own}"


def probe_error(exact: Kernel, factor: Any, X: Array, landmarks: int, seed: int) -> LandmarkAccuracy:
    """Return the error of rows F = `factor(X)` against `exact(X)`, both fitted, from random blocks of entries.

    Blocks are independent draws, so their scatter gives the standard error although entries of a block share rows.
    """
    n = len(X)
    d, F = exact.gram_diag(X), factor(X)
    lost = d - np.einsum("ij,ij->i", F, F)
    missing = max(0.0, float(lost.sum()) / float(d.sum())) if d.sum() > 0 else math.nan
    if landmarks >= n or n < 2:
        relative = float(np.linalg.norm(lost)) / max(float(np.linalg.norm(d)), 1e-300)
        return LandmarkAccuracy(relative, 0.0, missing, 0, n, n)
    rng = np.random.default_rng(seed)
    side = min(_SIDE, n // 2)
    wrong, whole = np.empty(_BLOCKS), np.empty(_BLOCKS)
    for block in range(_BLOCKS):
        rows = rng.choice(n, 2 * side, replace=False)
        a, b = rows[:side], rows[side:]
        K = exact.gram(X[a], X[b])
        wrong[block] = np.mean((K - F[a] @ F[b].T) ** 2)
        whole[block] = np.mean(K**2)
    pairs = n * (n - 1.0)
    error = float((lost**2).sum() + pairs * wrong.mean())
    size = float((d**2).sum() + pairs * whole.mean())
    if not size > 0:
        return LandmarkAccuracy(math.nan, math.nan, missing, _BLOCKS * side**2, landmarks, n)
    ratio = error / size
    # Delta method for a ratio of means, then for its root.
    scatter = pairs * (wrong - wrong.mean() - ratio * (whole - whole.mean())) / size
    deviation = float(np.sqrt((scatter**2).sum() / (_BLOCKS * (_BLOCKS - 1))))
    relative = math.sqrt(ratio)
    return LandmarkAccuracy(
        relative, deviation / (2 * relative) if relative > 0 else 0.0, missing, _BLOCKS * side**2, landmarks, n
    )


@dataclass(frozen=True, repr=False)
class Empirical(Shorthand):
    """The empirical kernel map: a row is described by its similarities to the n training rows.

        Φ_n(x) = (k(x, x_1), …, k(x, x_n)),  k_n(x, x') = ⟨Φ_n(x), Φ_n(x')⟩

    On the training rows K ↦ K K', on new rows K* ↦ K* K'. The result is positive semi-definite
    for every k, so that powers of a kernel can be used safely.

    Learns the landmarks: the training rows. Raises NotFittedError on new rows before `fit`.

    Parameters: landmarks, "train", or "all" for training and test rows together ([O] eq. 19). "all" is transductive,
    since every value depends on the test rows (not on their labels), and is used bound to all rows.

    Tsuda 1999; Schölkopf et al., ECML 2002, eqs. 12, 15, 16, 19.

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> Empirical(Linear())(np.array([[1.0], [2.0]]))
    array([[ 5., 10.],
           [10., 20.]])
    """

    formula = r"\sum_{i=1}^{n} k(x,x_i)\,k(x',x_i)"
    source = "[O] eqs. 12–16"
    cost = "O(n³)"
    kind = "matrix"

    landmarks: Literal["train", "all"] = one_of(
        "train", "L", "landmark rows; all: test rows too, without their labels", ("train", "all")
    )

    def chip(self) -> str:
        return "empirical map" if self.landmarks == "train" else "empirical map (all rows)"

    def expanded(self) -> Kernel:
        return LandmarkMap(self.kernel) if self.landmarks == "train" else Squared(self.kernel)


class LandmarkMap(MatrixStep):
    """The map by the training rows: a row is described by its values against them alone."""

    reads_values = False
    keeps_rows = True
    learns_itself = True
    is_psd: ClassVar[bool] = True

    @property
    def rounding(self) -> float:
        return 2.0 * self.kernel.rounding

    def row_facts(self, side: Side) -> Array:
        return side.against

    def learn_from(self, K: Array, facts: Array, y: Array | None) -> bool:
        return True  # the training rows are kept; there is nothing more to know

    def new_matrix(self, K: Array, fx: Array, fy: Array) -> Array:
        return fx @ fy.T

    def new_diagonal(self, side: Side, facts: Array) -> Array:
        return np.asarray(np.einsum("ij,ij->i", facts, facts))


class Squared(WholeStep):
    """K K': every row is a landmark."""

    is_psd: ClassVar[bool] = True

    def change_whole(self, K: Array) -> Array:
        return np.asarray(K @ K.T)


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
    number of training rows; seed of the draw, in which every row is equally likely.

    Raises ParameterError for another `choice` than "uniform", which links and run files of earlier versions name, and
    DomainError for a kernel that exists only for all rows at once.
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
    choice: str = field(default="uniform", repr=False)

    kind = "matrix"
    stops = MappingProxyType({"landmarks": (10, 20, 50, 100, 200, 500)})
    stands = "last"
    formula = r"k(x,L)\,W^{+}\,k(L,x'),\quad W=k(L,L)"
    source = "Williams and Seeger 2000"
    cost = "O(n m²), one eigendecomposition of (m, m)"
    learns_itself = True
    is_psd: ClassVar[bool] = True
    has_factor: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.choice != "uniform":
            raise ParameterError(f"Nystrom: choice must be 'uniform'; got {self.choice!r:.40}. Leave it out.")
        if self.kernel.transductive or form(self.kernel.reads).square:
            raise DomainError(
                f"Nystrom: {self.kernel!r} exists only for all rows at once; expected a kernel that can be evaluated "
                "on new rows. Leave this step out."
            )

    def chip(self) -> str:
        return f"{self.landmarks} landmarks"

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
        chosen = np.sort(np.random.default_rng(self.seed).permutation(len(X))[: self.landmarks])
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
    Nystrom(Power(RBF(sigma=1.0), p=0.5), landmarks=50, seed=0)
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


def landmarks_of(kernel: Kernel) -> int:
    """Return the number of landmarks of all approximations in a kernel, 0 without any.

    >>> from kernlib import RBF, Nystrom
    >>> landmarks_of(2.0 * Nystrom(RBF(), landmarks=300) + Nystrom(RBF(), landmarks=50))
    350
    """
    return kernel.landmark_count or sum(landmarks_of(child) for child in kernel.children)


def landmark_error(kernel: Kernel, X: Any, y: Any = None) -> LandmarkAccuracy | None:
    """Return the error of the landmarks in a kernel on rows X, which fit it if needed; None without landmarks.

    Of several approximations in one kernel, the largest error. Raises what the kernel raises.

    >>> from kernlib import RBF, Nystrom
    >>> X = np.linspace(0.0, 3.0, 50)[:, None]
    >>> landmark_error(RBF(), X) is None, landmark_error(Nystrom(RBF(), landmarks=5), X).landmarks
    (True, 5)
    """
    form = normal_form(kernel)
    labels = None if y is None else np.asarray(y)
    pairs = _approximations(form, form.checked_rows(X), labels)
    errors = [(step if step.fitted else step.fit_rows(rows, labels)).error(rows) for step, rows in pairs]
    return max(errors, key=lambda error: error.relative, default=None)


def _approximations(kernel: Kernel, rows: Array, y: Array | None) -> Iterator[tuple[Nystrom, Array]]:
    """Yield every approximation of whole rows, with the rows that it reads."""
    if kernel.landmark_count:
        yield cast(Nystrom, kernel), rows
    elif isinstance(kernel, RowStep):
        yield from _approximations(kernel.kernel, kernel.fitted_step(rows, y).map_rows(rows), y)
    elif isinstance(kernel, Wrapper | Joined):
        for child in kernel.children:
            yield from _approximations(child, rows, y)
