"""Level by level: what each step of a deep kernel machine does to the Gram matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from ..base import Kernel, Shared
from ..errors import DegenerateError, ParameterError
from ..kernels.matrices import Precomputed
from ..values.arrays import Array
from ..values.labels import AskedTask
from ..wrappers.deep import Level
from .gram import diagnose
from .relevant import relevant_dimension
from .spectrum import Decomposition, decompose

__all__ = [
    "COLLAPSED",
    "Collapse",
    "DeepLevel",
    "LevelNumbers",
    "Peak",
    "collapse",
    "deep_levels",
    "informative_peak",
    "level_numbers",
    "levels_of",
]

#: An off-diagonal spread below this share of the mean diagonal: all pairs look alike.
COLLAPSED = 0.01
#: From this ratio of mean diagonal to mean |off-diagonal| on, what has collapsed is the identity.
_IDENTITY = 10.0


@dataclass(frozen=True, eq=False)
class DeepLevel:
    """One level: its Gram matrix K (n, n) and the bandwidth h that made it (None at level 0)."""

    level: int
    bandwidth: float | None
    K: Array


@dataclass(frozen=True)
class LevelNumbers:
    """What a film-strip writes under a level; nan where a number does not exist.

    `effective_rank` and `participation_ratio` lie in 1…n; `off_diagonal_spread` is the standard
    deviation of K_ij, i ≠ j, relative to the mean diagonal, so that levels compare; `alignment`
    in −1…1; `dimension`, `neg_log_likelihood` and `noise` (a share of rows, or of the variance of y) are the
    relevant dimension's, real labels less their mean; `errors` holds test errors by machine.
    """

    level: int
    bandwidth: float | None
    effective_rank: float
    participation_ratio: float
    off_diagonal_spread: float
    diagonal_ratio: float
    alignment: float
    separability: float
    dimension: int | None
    neg_log_likelihood: float
    noise: float
    errors: dict[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def deep_levels(
    kernel: Kernel, X: Any, levels: int, bandwidths: Sequence[float | None] | None = None
) -> tuple[DeepLevel, ...]:
    r"""The Gram matrices of levels 0…L on the rows X, each made from the one before.

    .. math:: K^{+}_{ij} = \frac{1}{\sqrt{2\pi}h}\exp\Big(-\frac{K_{ii}-2K_{ij}+K_{jj}}{2h^2}\Big),\quad
        h = \frac1{n^2}\sum_{ij} d_{ij}

    Parameters: `levels` L ≥ 0; `bandwidths` one h > 0 or None (heuristic) per level. Memory: one
    (n, n) matrix a level. Equal to ``Deep(kernel, level)(X)`` for every level, at the cost of one.
    Raises ParameterError for L outside 0…50, DegenerateError where all rows coincide.
    Reference: Wang 2011, equations 2.15–2.18.

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> [round(float(level.K[0, 1]), 4) for level in deep_levels(Linear(), np.array([[0.0], [1.0]]), 2)]
    [0.0, 0.108, 0.0919]
    """
    return levels_of(kernel(X), levels, bandwidths)


def levels_of(K: Array, levels: int, bandwidths: Sequence[float | None] | None = None) -> tuple[DeepLevel, ...]:
    """`deep_levels` from a Gram matrix that is there already.

    >>> import numpy as np
    >>> levels_of(np.eye(3), 1)[1].bandwidth.__round__(4)
    0.9428
    """
    if not 0 <= levels <= 50:
        raise ParameterError(f"deep_levels: levels must be an integer from 0 to 50; got {levels!r}. Try levels=5.")
    given = list(bandwidths or ())[:levels] + [None] * (levels - len(bandwidths or ()))
    chain: list[Kernel] = [Precomputed().bind(K)]
    for h in given:
        chain.append(Level(chain[-1], h if h is None else float(h)))
    shared, rows = Shared(chain), np.arange(len(K))
    folds = [shared.fold(kernel, rows, None, None) for kernel in chain]
    for fold in folds:
        fold.K.flags.writeable = False
    used = [fold.kernel.used if isinstance(fold.kernel, Level) else None for fold in folds]
    return tuple(DeepLevel(level, h, fold.K) for level, (h, fold) in enumerate(zip(used, folds, strict=True)))


def level_numbers(
    level: DeepLevel,
    y: Any = None,
    *,
    task: AskedTask = "auto",
    errors: dict[str, float] | None = None,
    decomposition: Decomposition | None = None,
) -> LevelNumbers:
    """The numbers of one level from one eigendecomposition; those about labels need `y`, and eigenvectors.

    `errors` by machine are kept with them; `decomposition` are all eigenpairs of K when they are there already.

    >>> import numpy as np
    >>> numbers = level_numbers(DeepLevel(0, None, np.eye(4)), np.array([0, 0, 1, 1]))
    >>> round(numbers.effective_rank, 6)
    4.0
    """
    spectrum = decompose(level.K) if decomposition is None and y is not None else decomposition
    told = diagnose(level.K, y, eigenvalues=None if spectrum is None else spectrum.eigenvalues, task=task)
    dimension, likelihood, noise, notes = None, np.nan, np.nan, list(told.notes)
    if y is not None:
        try:
            cut = relevant_dimension(level.K, y, task=task, decomposition=spectrum, centred=True)
            dimension, likelihood, noise = cut.dimension, cut.minimum, cut.noise_share
        except DegenerateError as error:
            notes.append(str(error))
    scale = float(told.diagonal.mean())
    return LevelNumbers(
        level=level.level,
        bandwidth=level.bandwidth,
        effective_rank=told.effective_rank,
        participation_ratio=told.participation_ratio,
        off_diagonal_spread=told.off_diagonal_spread / scale if scale > 0 else np.nan,
        diagonal_ratio=told.diagonal_ratio,
        alignment=np.nan if told.alignment is None else told.alignment,
        separability=np.nan if told.separability is None else told.separability,
        dimension=dimension,
        neg_log_likelihood=likelihood,
        noise=noise,
        errors=errors or {},
        notes=tuple(notes),
    )


@dataclass(frozen=True)
class Peak:
    """The most informative `level`, the `value` that makes it so, and the `rule` in words."""

    level: int
    value: float
    rule: str


@dataclass(frozen=True)
class Collapse:
    """The first `level` from which on all pairs look alike, what K has become (`kind`), and the `rule` in words."""

    level: int
    kind: Literal["constant", "identity"]
    rule: str


def informative_peak(numbers: Sequence[LevelNumbers]) -> Peak | None:
    """The level with the largest alignment with the labels, or without labels the largest off-diagonal spread.

    None where neither exists. Of equal levels the first.

    >>> import numpy as np
    >>> levels = levels_of(np.array([[1.0, 0.9, 0.1], [0.9, 1.0, 0.2], [0.1, 0.2, 1.0]]), 2)
    >>> informative_peak([level_numbers(level) for level in levels]).rule
    'largest off-diagonal spread'
    """
    for name, rule in (
        ("alignment", "largest alignment with the labels"),
        ("off_diagonal_spread", "largest off-diagonal spread"),
    ):
        values = np.array([getattr(one, name) for one in numbers], dtype=np.float64)
        if np.isfinite(values).any():
            best = int(np.nanargmax(values))
            return Peak(numbers[best].level, float(values[best]), rule)
    return None


def collapse(numbers: Sequence[LevelNumbers]) -> Collapse | None:
    """From which level on all pairs look alike: the off-diagonal spread stays below 1% of the mean diagonal.

    K is then nearly constant, or, where the mean diagonal is ten times the mean |K_ij| and more, nearly the
    identity. None while some later level still tells pairs apart.
    """
    spread = np.array([one.off_diagonal_spread for one in numbers], dtype=np.float64)
    flat = spread < COLLAPSED
    start = len(flat)
    while start and flat[start - 1]:
        start -= 1
    if start == len(flat):
        return None
    kind: Literal["constant", "identity"] = "constant" if numbers[start].diagonal_ratio < _IDENTITY else "identity"
    return Collapse(numbers[start].level, kind, f"off-diagonal spread below {COLLAPSED:.0%} of the diagonal")
