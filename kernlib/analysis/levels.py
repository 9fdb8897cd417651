"""The Gram matrices of a deep kernel machine, level by level, and what a level is made by."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..core.base import Kernel
from ..core.folding import Shared
from ..core.steps import Side
from ..errors import DegenerateError, ParameterError
from ..kernels.matrices import Precomputed
from ..kernels.subgraphs import WeisfeilerLehman
from ..statistics import Comparison, compare_settings
from ..values.arrays import Array
from ..values.domains import Domain
from ..values.labels import HalvesErrors
from ..values.words import percent
from ..wrappers.deep import ArcCosine, Deep, InfiniteWidth, Level
from .gram import diagonal_ratio
from .summary import Summary

#: An off-diagonal spread below this share of the mean diagonal: all pairs look alike.
COLLAPSED = 0.01
#: Fewest levels that a collapse lasts: a large diagonal has little spread at level 0 and more at level 1.
_STAYS = 3
#: From this ratio of mean diagonal to mean |off-diagonal| on, a collapsed matrix is nearly the identity.
_IDENTITY = 10.0


@dataclass(frozen=True, eq=False)
class DeepLevel:
    """One level: its Gram matrix K (n, n) and its bandwidth h (None at level 0)."""

    level: int
    bandwidth: float | None
    K: Array


def deep_levels(kernel: Kernel, X: Any, levels: int) -> tuple[DeepLevel, ...]:
    r"""Return the Gram matrices of levels 0…L on the rows X, each computed from the previous one.

    .. math:: K^{+}_{ij} = \frac{1}{\sqrt{2\pi}h}\exp\Big(-\frac{K_{ii}-2K_{ij}+K_{jj}}{2h^2}\Big),\quad
        h = \frac1{n^2}\sum_{ij} d_{ij}

    Parameters: `levels` L ≥ 0. Memory: one (n, n) matrix a level.
    Equal to ``Deep(kernel, level)(X)`` for every level, at the cost of the last level alone.
    Raises ParameterError for L outside 0…50, DegenerateError where all rows coincide.
    Reference: Wang 2011, equations 2.15–2.18.

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> [round(float(level.K[0, 1]), 4) for level in deep_levels(Linear(), np.array([[0.0], [1.0]]), 2)]
    [0.0, 0.108, 0.0919]
    """
    return levels_of(kernel(X), levels)


def levels_of(K: Array, levels: int) -> tuple[DeepLevel, ...]:
    """Return `deep_levels` from a Gram matrix.

    >>> import numpy as np
    >>> levels_of(np.eye(3), 1)[1].bandwidth.__round__(4)
    0.9428
    """
    if not 0 <= levels <= 50:
        raise ParameterError(f"deep_levels: levels must be an integer from 0 to 50; got {levels!r}. Try levels=5.")
    return tuple(_each_level(K, levels))


def _each_level(K: Array, levels: int) -> Iterator[DeepLevel]:
    """Yield levels 0 to `levels`, each computed on demand."""
    chain: list[Kernel] = [Precomputed().bind(K)]
    for _ in range(levels):
        chain.append(Level(chain[-1]))
    shared, rows = Shared(chain), np.arange(len(K))
    for level, kernel in enumerate(chain):
        fold = shared.fold(kernel, rows, None, None)
        fold.K.flags.writeable = False
        yield DeepLevel(level, fold.kernel.used if level else None, fold.K)


def level_numbers(level: DeepLevel, halves: HalvesErrors | None = None) -> Summary:
    """Return the numbers of one level, without an eigendecomposition; `halves` are the errors on the halves.

    >>> level_numbers(DeepLevel(0, None, np.array([[2.0, 1.0], [1.0, 2.0]]))).diagonal_ratio
    2.0
    """
    K = level.K / (float(np.abs(level.K).max()) or 1.0)  # sums of the largest numbers overflow
    return Summary(len(K), diagonal_ratio(K), spread=_spread(K), errors=halves)


def _spread(K: Array) -> float:
    """Return the standard deviation of K_ij, i ≠ j, over the mean diagonal; nan where either does not exist."""
    pairs, scale = K.size - len(K), float(np.abs(np.diagonal(K)).mean())
    if not pairs or not scale:
        return math.nan
    off = K / scale
    off -= (off.sum() - np.trace(off)) / pairs
    np.fill_diagonal(off, 0.0)
    return math.sqrt(max(0.0, float(np.vdot(off, off)) / pairs - (float(off.sum()) / pairs) ** 2))


@dataclass(frozen=True)
class Collapse:
    """The first `level` from which on all pairs look alike, and the `kind` of matrix."""

    level: int
    kind: Literal["constant", "everywhere", "identity"]


@dataclass(frozen=True)
class LevelChoice:
    """The levels compared on the same halves: all that the sentence, the star and the hollow points say.

    `level` is the lowest within one standard error of the `best`, whose mean test error is the smallest;
    `worse` are significantly worse than the best; `errors` those of each level; `comparison` has the bands and the
    differences, by the level as text; `helps` says that level 0 is significantly worse than the best.
    """

    level: int
    best: int
    worse: tuple[int, ...]
    errors: dict[int, HalvesErrors]
    comparison: Comparison

    @property
    def helps(self) -> bool:
        """Return whether some level is significantly better than level 0."""
        return 0 in self.worse


def compare_levels(numbers: Mapping[int, Summary]) -> LevelChoice | None:
    """Return the levels compared by their test errors on the same halves; None where fewer than two have any.

    `compare_settings` decides, with the corrected resampled t-test and Holm's correction for all levels that are drawn.
    """
    known = {level: one.errors for level, one in sorted(numbers.items()) if one.errors is not None}
    if len(known) < 2 or 0 not in known:
        return None
    # Halves: as many rows are tested as train.
    found = compare_settings({str(level): errors.tests for level, errors in known.items()}, test_over_train=1.0)
    return LevelChoice(
        level=min(map(int, found.as_good)),
        best=int(found.best),
        worse=tuple(int(name) for name in found.worse),
        errors=known,
        comparison=found,
    )


def level_sentences(numbers: Mapping[int, Summary]) -> list[str]:
    """Return whether levels help, and how the deepest level ends; none where no errors are known.

    >>> from kernlib.values.labels import HalvesErrors
    >>> levels = levels_of(np.eye(4) + 1.0, 1)
    >>> def errors(test):
    ...     return HalvesErrors("classification", "error", (test, test, test + 0.01), (0.1,) * 3, 0.5, 60, 30)
    >>> for line in level_sentences({one.level: level_numbers(one, errors(0.4 - 0.3 * one.level)) for one in levels}):
    ...     print(line)
    Depth helps: test error 10.3% at level 1, instead of 40.3% at level 0.
    """
    choice = compare_levels(numbers)
    if choice is None:
        return []
    errors = choice.errors
    test = {level: percent(one.test, 3) for level, one in errors.items()}
    measure = errors[0].measure if errors[0].task == "regression" else f"test {errors[0].measure}"
    if choice.best == 0:
        lines = [f"No deeper level has a smaller {measure} than level 0, the kernel itself: {test[0]}."]
    elif choice.helps:
        instead = f"instead of {test[0]} at level 0"
        lines = [f"Depth helps: {measure} {test[choice.level]} at level {choice.level}, {instead}."]
        if choice.best != choice.level:
            lines.append(f"It is smallest at level {choice.best}, {test[choice.best]}, within one standard error.")
    else:
        lines = [
            f"No level is significantly better than level 0: {measure} {test[0]}, at best {test[choice.best]} at level "
            f"{choice.best}."
        ]
        halves = len(errors[0].tests)
        lines.append(f"Stay at level 0, the simplest: {halves} halves are too few to rank {len(errors)} levels.")
    last = max(errors)
    end = errors[last]
    ends = {"memorises": "memorises", "does not learn": "hardly learns" if end.test < end.chance else "learns nothing"}
    if last and end.verdict in ends:
        first = min(level for level in errors if all(errors[k].verdict == end.verdict for k in errors if k >= level))
        subject = f"Level {last}" if first == last else f"From level {first} on, the machine"
        at = "" if first == last else f" at level {last}"
        lines.append(
            f"{subject} {ends[end.verdict]}:{at} training {end.measure} {percent(end.training)}, "
            f"{measure} {test[last]}, guessing {percent(end.chance)}."
        )
    return lines


def collapse(numbers: Mapping[int, Summary]) -> Collapse | None:
    """Return the level from which on the off-diagonal spread stays below 1% of the mean diagonal, or None.

    K is then nearly constant off the diagonal; or nearly the identity where the mean diagonal is at least ten times the
    mean |K_ij|; or constant everywhere, the diagonal too, where both are equal to 1%. In the first two a machine can
    separate any labels of the training rows; in the last the rows nearly coincide in feature space.
    """
    start = None
    for level in sorted(numbers, reverse=True):
        if not numbers[level].spread < COLLAPSED:
            break
        start = level
    if start is None:
        return None
    # By the last level: the diagonal may approach the other entries more slowly than these each other.
    end = numbers[max(numbers)].diagonal_ratio
    return Collapse(start, "everywhere" if end < 1 + COLLAPSED else "identity" if end >= _IDENTITY else "constant")


def levels_to_collapse(K: Array, limit: int = 50) -> tuple[DeepLevel, ...]:
    """Return the levels up to the first from which on the off-diagonal spread stays below 1% of the mean diagonal.

    Levels are computed one after another until the spread has been below for `_STAYS` levels and does not grow. Where
    that does not happen up to level `limit`, all levels up to it.

    Parameters: `K` (n, n), level 0; `limit` 1…50. Memory: one (n, n) matrix a level. Raises ParameterError for another
    limit.

    >>> x = np.linspace(0, 3, 30)
    >>> levels_to_collapse(np.exp(-(x[:, None] - x) ** 2))[-1].level
    21
    """
    if not 1 <= limit <= 50:
        raise ParameterError(f"levels_to_collapse: limit must be an integer from 1 to 50; got {limit!r}. Try limit=50.")
    levels: list[DeepLevel] = []
    spreads: list[float] = []
    with suppress(DegenerateError):  # all rows coincide
        for one in _each_level(K, limit + _STAYS - 1):
            levels.append(one)
            spreads.append(float(np.nan_to_num(_spread(one.K))))
            last = spreads[-_STAYS:]
            if len(last) == _STAYS and max(last) < COLLAPSED and np.diff(last).max() <= 1e-12:  # beyond rounding
                return tuple(levels[: 1 - _STAYS])
    return tuple(levels[: limit + 1])


@dataclass(frozen=True)
class Recipe:
    """A way to make levels: its `name`, and its `kernel`, of which only the parameter `level` varies."""

    name: str
    kernel: Deep | ArcCosine | InfiniteWidth | WeisfeilerLehman

    @property
    def base(self) -> Kernel:
        """Return the kernel below the levels; level 0 where the levels have no other kernel inside."""
        return self.kernel.children[0] if self.kernel.children else self.at(0)

    def at(self, level: int) -> Kernel:
        """Return the kernel of a level."""
        if level == 0 and self.kernel.level_step == "distances":
            return self.kernel.children[0]
        return dataclasses.replace(self.kernel, level=level)

    def levels(self, K: Array, X: Any, count: int) -> tuple[DeepLevel, ...]:
        """Return levels 0 to `count` on rows X, whose Gram matrix of `base` is K; each is computed from the one before.

        >>> from kernlib import Linear
        >>> network = recipes_for(Linear(), "vector")[1]
        >>> X = np.array([[1.0, 0.0], [0.0, 2.0]])
        >>> [round(float(one.K[0, 1]), 3) for one in network.levels(X @ X.T, X, 2)]
        [0.0, 0.637, 0.987]
        """
        if self.kernel.level_step == "distances":
            return levels_of(K, count)
        return tuple(itertools.starmap(_level, enumerate(self._matrices(K, X, count))))

    def _matrices(self, K: Array, X: Any, count: int) -> Iterator[Array]:
        kernel: Any = dataclasses.replace(self.kernel, level=count)
        if not kernel.children:
            return kernel.level_matrices(list(X))  # type: ignore[no-any-return]
        facts = kernel.row_facts(Side(kernel.checked_rows(X), lambda: np.diagonal(K), lambda: K))
        return kernel.level_matrices(K, facts)  # type: ignore[no-any-return]


def _level(level: int, K: Array) -> DeepLevel:
    K.flags.writeable = False
    return DeepLevel(level, None, K)


def deep_recipe(kernel: Kernel) -> Recipe:
    """Return the levels of a deep kernel machine over a kernel."""
    return Recipe("Distances of distances (deep kernel)", Deep(kernel, level=0))


def recipes_for(kernel: Kernel, domain: Domain) -> tuple[Recipe, ...]:
    """Return the ways to make levels over a kernel, those first that fit rows of every kind.

    >>> from kernlib import Spectrum
    >>> [recipe.name for recipe in recipes_for(Spectrum(), "graph")][-1]
    'Wider neighbourhoods (Weisfeiler–Lehman)'
    """
    known = [
        deep_recipe(kernel),
        Recipe("Layer of rectified linear units (arc-cosine 1)", ArcCosine(kernel, order=1, level=0)),
        Recipe("Layer of threshold units (arc-cosine 0)", ArcCosine(kernel, order=0, level=0)),
        Recipe("Network of infinite width (NNGP)", InfiniteWidth(kernel, level=0)),
        Recipe("Trained network of infinite width (NTK)", InfiniteWidth(kernel, level=0, of="ntk")),
    ]
    if domain == WeisfeilerLehman.domain:
        known.append(Recipe("Wider neighbourhoods (Weisfeiler–Lehman)", WeisfeilerLehman(level=0)))
    return tuple(known)
