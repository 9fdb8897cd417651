"""The Gram matrices of a deep kernel machine, level by level."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.base import Kernel
from ..core.folding import Shared
from ..errors import DegenerateError, ParameterError
from ..kernels.matrices import Precomputed
from ..numerics.distances import peak
from ..values.arrays import Array
from ..values.labels import AskedTask
from ..values.words import percent
from ..wrappers.deep import Level
from .geometry import squared_distances
from .gram import diagnose
from .relevant import relevant_dimension
from .spectrum import Decomposition, decompose

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


@dataclass(frozen=True)
class LevelNumbers:
    """The numbers of a level; nan where a number does not exist.

    `effective_rank` and `participation_ratio` lie in 1…n; `off_diagonal_spread` is the standard
    deviation of K_ij, i ≠ j, relative to the mean diagonal, so that levels compare; `alignment`
    in −1…1; `dimension`, `neg_log_likelihood` and `noise` (a share of rows, or of the variance of y) are the
    relevant dimension's, real labels less their mean; `errors` holds test errors by machine; `squared` the squared
    leave-one-out error of ridge regression over the variance of y, and `squared_se` its standard error over the rows;
    `missed` each row's part of the errors by machine and of "squared", (n,), nan where a row was never tested; `chance`
    the error of guessing.
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
    squared: float = np.nan
    squared_se: float = np.nan
    missed: Mapping[str, Array] = field(default_factory=dict, repr=False, compare=False)
    chance: float = np.nan


def deep_levels(
    kernel: Kernel, X: Any, levels: int, bandwidths: Sequence[float | None] | None = None
) -> tuple[DeepLevel, ...]:
    r"""Return the Gram matrices of levels 0…L on the rows X, each computed from the previous one.

    .. math:: K^{+}_{ij} = \frac{1}{\sqrt{2\pi}h}\exp\Big(-\frac{K_{ii}-2K_{ij}+K_{jj}}{2h^2}\Big),\quad
        h = \frac1{n^2}\sum_{ij} d_{ij}

    Parameters: `levels` L ≥ 0; `bandwidths` one h > 0 or None (heuristic) per level. Memory: one
    (n, n) matrix a level. Equal to ``Deep(kernel, level)(X)`` for every level, at the cost of the last level alone.
    Raises ParameterError for L outside 0…50, DegenerateError where all rows coincide.
    Reference: Wang 2011, equations 2.15–2.18.

    >>> import numpy as np
    >>> from kernlib import Linear
    >>> [round(float(level.K[0, 1]), 4) for level in deep_levels(Linear(), np.array([[0.0], [1.0]]), 2)]
    [0.0, 0.108, 0.0919]
    """
    return levels_of(kernel(X), levels, bandwidths)


def levels_of(K: Array, levels: int, bandwidths: Sequence[float | None] | None = None) -> tuple[DeepLevel, ...]:
    """Return `deep_levels` from a Gram matrix.

    >>> import numpy as np
    >>> levels_of(np.eye(3), 1)[1].bandwidth.__round__(4)
    0.9428
    """
    if not 0 <= levels <= 50:
        raise ParameterError(f"deep_levels: levels must be an integer from 0 to 50; got {levels!r}. Try levels=5.")
    return tuple(_each_level(K, list(bandwidths or ())[:levels] + [None] * (levels - len(bandwidths or ()))))


def _each_level(K: Array, bandwidths: Sequence[float | None]) -> Iterator[DeepLevel]:
    """Yield level 0 and one level for each bandwidth, each computed on demand."""
    chain: list[Kernel] = [Precomputed().bind(K)]
    for h in bandwidths:
        chain.append(Level(chain[-1], h if h is None else float(h)))
    shared, rows = Shared(chain), np.arange(len(K))
    for level, kernel in enumerate(chain):
        fold = shared.fold(kernel, rows, None, None)
        fold.K.flags.writeable = False
        yield DeepLevel(level, fold.kernel.used if isinstance(fold.kernel, Level) else None, fold.K)


def level_distances(distances: ArrayLike, bandwidths: Sequence[float]) -> Array:
    r"""Return the distances in feature space at levels 0…L of pairs of rows, from their distances at level 0.

    .. math:: d_l = \sqrt{\frac{2}{\sqrt{2\pi}h_l}\Big(1 - e^{-d_{l-1}^2/2h_l^2}\Big)}

    Each level is an increasing function of the distance below it: neighbours stay neighbours, the contrast moves.
    Parameters: `distances` of any shape; `bandwidths` h of levels 1…L. Shape (L + 1, …).
    Reference: Wang 2011, equations 2.15 and 2.16.

    >>> level_distances([0.0, 1.0, 2.0], [1.0]).round(4)
    array([[0.    , 1.    , 2.    ],
           [0.    , 0.5603, 0.8306]])
    """
    known = [np.asarray(distances, dtype=np.float64)]
    for h in bandwidths:
        known.append(np.sqrt(-2.0 * peak(h) * np.expm1(-0.5 * (known[-1] / h) ** 2)))
    return np.stack(known)


@dataclass(frozen=True, eq=False)
class LevelDistances:
    """Distances in feature space through the levels, in units of √(2 · mean k(x, x)): 0 alike, 1 orthogonal.

    `base` (m,) distances at level 0 and `curves` (L + 1, m) the distance at each level as a function of them;
    `at_h` (L + 1,) the base distance of a pair whose distance in the level below is the bandwidth, nan at level 0;
    `groups` by name ("within a class", "between classes", or "all pairs"): `pairs` (q, 2) rows, and their distances
    (q, L + 1), at the quantiles `SHARES` of the base distance; `spread` the base distances of all pairs of a group.
    """

    base: Array
    curves: Array
    at_h: Array
    pairs: dict[str, Array]
    distances: dict[str, Array]
    spread: dict[str, Array]


#: Pairs are drawn at these shares of the pairs of their group, by distance at level 0.
SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)


def distances_of(levels: Sequence[DeepLevel], codes: ArrayLike | None = None) -> LevelDistances:
    """Return the distances between rows through the levels; `codes` (n,) of classes split the pairs.

    >>> found = distances_of(levels_of(np.eye(3), 2), [0, 0, 1])
    >>> found.distances["between classes"].round(3)[0]
    array([1.   , 0.822, 0.822])
    """
    K0 = np.asarray(levels[0].K)
    units = np.array([math.sqrt(2.0 * float(np.diagonal(one.K).mean())) or 1.0 for one in levels])
    apart = np.sqrt(squared_distances(K0))
    base, groups = pairs_by_group(apart, codes)
    pairs = {name: one for name, (one, _) in groups.items()}
    distances = {}
    for name, chosen in pairs.items():
        a, b = chosen.T
        squares = [np.diagonal(one.K)[a] - 2 * one.K[a, b] + np.diagonal(one.K)[b] for one in levels]
        distances[name] = (np.sqrt(np.maximum(squares, 0.0)) / units[:, None]).T
    grid = np.linspace(0.0, float(base.max(initial=0.0)) or 1.0, 201)
    curves = level_distances(grid, [one.bandwidth or 1.0 for one in levels[1:]])
    at_h = [math.nan] + [
        float(np.interp(one.bandwidth or 0.0, below, grid, right=math.nan))
        for one, below in zip(levels[1:], curves[:-1], strict=True)
    ]
    return LevelDistances(
        base=grid / units[0],
        curves=curves / units[:, None],
        at_h=np.array(at_h) / units[0],
        pairs=pairs,
        distances=distances,
        spread={name: values / units[0] for name, (_, values) in groups.items()},
    )


def pairs_by_group(values: Array, codes: ArrayLike | None) -> tuple[Array, dict[str, tuple[Array, Array]]]:
    """Return the values of all pairs of rows, and by group of pairs: five of them (q, 2), and the values of all.

    Groups are "within a class" and "between classes", or "all pairs" without codes; the five pairs lie at the
    quantiles `SHARES` of the values (n, n).
    """
    i, j = np.triu_indices(len(values), 1)
    flat = values[i, j]
    if codes is None:
        groups = {"all pairs": np.arange(len(i))}
    else:
        same = np.asarray(codes)[i] == np.asarray(codes)[j]
        groups = {"within a class": np.flatnonzero(same), "between classes": np.flatnonzero(~same)}
    found = {}
    for name, members in groups.items():
        if len(members):
            places = np.rint(np.array(SHARES) * (len(members) - 1)).astype(int)
            chosen = members[np.argsort(flat[members], kind="stable")[places]]
            found[name] = np.stack([i[chosen], j[chosen]], axis=1), flat[members]
    return flat, found


def level_numbers(
    level: DeepLevel,
    y: Any = None,
    *,
    task: AskedTask = "auto",
    errors: dict[str, float] | None = None,
    squared: tuple[float, float] = (np.nan, np.nan),
    missed: Mapping[str, Array] | None = None,
    chance: float = np.nan,
    decomposition: Decomposition | None = None,
) -> LevelNumbers:
    """Return the numbers of one level from one eigendecomposition; those about labels need `y` and eigenvectors.

    Parameters: `errors` and `missed` by machine, `chance`, and `squared`, the squared leave-one-out error with its
    standard error, are stored as given; `decomposition` all eigenpairs of K, if already computed.

    >>> import numpy as np
    >>> numbers = level_numbers(DeepLevel(0, None, np.eye(4)), np.array([0, 0, 1, 1]))
    >>> round(numbers.effective_rank, 6)
    4.0
    """
    spectrum = decompose(level.K) if decomposition is None and y is not None else decomposition
    diagnosis = diagnose(level.K, y, eigenvalues=None if spectrum is None else spectrum.eigenvalues, task=task)
    dimension, likelihood, noise, notes = None, np.nan, np.nan, list(diagnosis.notes)
    if y is not None:
        try:
            cut = relevant_dimension(level.K, y, task=task, decomposition=spectrum, centred=True)
            dimension, likelihood, noise = cut.dimension, cut.minimum, cut.noise_share
        except DegenerateError as error:
            notes.append(str(error))
    scale = float(diagnosis.diagonal.mean())
    return LevelNumbers(
        level=level.level,
        bandwidth=level.bandwidth,
        effective_rank=diagnosis.effective_rank,
        participation_ratio=diagnosis.participation_ratio,
        off_diagonal_spread=diagnosis.off_diagonal_spread / scale if scale > 0 else np.nan,
        diagonal_ratio=diagnosis.diagonal_ratio,
        alignment=np.nan if diagnosis.alignment is None else diagnosis.alignment,
        separability=np.nan if diagnosis.separability is None else diagnosis.separability,
        dimension=dimension,
        neg_log_likelihood=likelihood,
        noise=noise,
        errors=errors or {},
        notes=tuple(notes),
        squared=squared[0],
        squared_se=squared[1],
        missed=missed or {},
        chance=chance,
    )


@dataclass(frozen=True)
class Peak:
    """A `level` that is the best by one criterion, the criterion's `value` there, the `rule` as text, and the
    `quantity`, the attribute of LevelNumbers that the rule reads."""

    level: int
    value: float
    rule: str
    quantity: str


@dataclass(frozen=True)
class Collapse:
    """The first `level` from which on all pairs look alike, the `kind` of matrix, and the `rule` as text."""

    level: int
    kind: Literal["constant", "identity"]
    rule: str


#: Criteria for a level in order of precedence: attribute of LevelNumbers, rule as text, whether small is good.
_RULES = (
    ("squared", "smallest squared leave-one-out error", True),
    ("alignment", "largest alignment with the labels", False),
    ("off_diagonal_spread", "largest off-diagonal spread", False),
)


def peaks(numbers: Sequence[LevelNumbers]) -> tuple[Peak, ...]:
    """Return the best level by each criterion that has a value; the first decides.

    The squared leave-one-out error comes first, then the alignment with the labels, then the off-diagonal spread.
    Of equal levels the lowest counts.
    """
    best = []
    for name, rule, small_is_good in _RULES:
        values = np.array([getattr(one, name) for one in numbers], dtype=np.float64)
        if np.isfinite(values).any():
            at = int(np.nanargmin(values) if small_is_good else np.nanargmax(values))
            best.append(Peak(numbers[at].level, float(values[at]), rule, name))
    return tuple(best)


def informative_peak(numbers: Sequence[LevelNumbers]) -> Peak | None:
    """Return the best level by the first criterion of `peaks`; None where no criterion has a value.

    >>> import numpy as np
    >>> levels = levels_of(np.array([[1.0, 0.9, 0.1], [0.9, 1.0, 0.2], [0.1, 0.2, 1.0]]), 2)
    >>> informative_peak([level_numbers(level) for level in levels]).rule
    'largest off-diagonal spread'
    """
    return next(iter(peaks(numbers)), None)


@dataclass(frozen=True)
class LevelVerdict:
    """Whether levels help: the `level` with the smallest squared leave-one-out error, and the `words` for it."""

    helps: bool
    level: int
    words: str


def level_verdict(numbers: Sequence[LevelNumbers], groups: ArrayLike | None = None) -> LevelVerdict | None:
    """Return whether a level lowers the squared leave-one-out error; None where there is no error.

    It is tested as in `helped_machines`, over the levels. Where the rows' parts are not known, the one-standard-error
    rule decides: the error at level 0 is larger than the best by more than the best's standard error.

    >>> import numpy as np
    >>> K = np.eye(4) + 1.0
    >>> level_verdict([level_numbers(level, squared=(0.5 + i, 0.1)) for i, level in enumerate(levels_of(K, 1))]).words
    'No level helps: the squared leave-one-out error is smallest at level 0 (0.5).'
    """
    best = next((one for one in peaks(numbers) if one.quantity == "squared"), None)
    if best is None or len(numbers) < 2 or not np.isfinite(numbers[0].squared):
        return None
    first = numbers[0].squared
    if best.level == numbers[0].level:
        words = f"No level helps: the squared leave-one-out error is smallest at level 0 ({first:.3g})."
        return LevelVerdict(False, best.level, words)
    at = next(one for one in numbers if one.level == best.level)
    if "squared" in numbers[0].missed and "squared" in at.missed:
        z = _falls(numbers[0].missed["squared"], at.missed["squared"], 1.0, _members(groups))
        helps = z > _least(len(numbers) - 1)
    else:
        helps = first > best.value + at.squared_se
    if not helps:
        words = (
            f"No level helps clearly: level {best.level} is best, but level 0 may be as good ({first:.3g} against "
            f"{best.value:.3g} ± {at.squared_se:.2g})."
        )
        return LevelVerdict(False, best.level, words)
    gain = f"{best.value:.3g} instead of {first:.3g} at level 0"
    return LevelVerdict(
        True, best.level, f"Levels help: at level {best.level} the squared leave-one-out error is {gain}."
    )


@dataclass(frozen=True)
class MachineLevels:
    """What levels do for one machine, by its test error: the best `level`, the errors `at_0` and `best`, and whether
    the fall is more than the best of so many levels shows by chance (`helps`, see `helped_machines`)."""

    machine: str
    level: int
    at_0: float
    best: float
    helps: bool


#: How machines are called in a sentence, by the name of their test error.
_MACHINES = {"centroid": "the nearest centroid", "ridge": "ridge regression", "SVM, test": "the support vector machine"}
#: The chance that rows whose labels are noise have a level that helps, over all levels and machines together.
_BY_CHANCE = 0.05


def helped_machines(
    numbers: Sequence[LevelNumbers], n: int, groups: ArrayLike | None = None
) -> tuple[MachineLevels, ...]:
    r"""Return for each machine with a test error whether a level lowers it.

    The level of the smallest error is compared with level 0, and with guessing, by the differences d of the rows:

    .. math:: z = \sum_i d_i \Big/ \sqrt{\textstyle\sum_i d_i^2}

    Both are tested one-sided, at 5% divided by the number of levels times machines (Bonferroni). Guessing counts since
    leave-one-out errors on labels of noise are above it: a level that only returns to it does not help. Where a
    machine's rows are not known, Σ d² is at most the number of errors of both, which is used.

    Parameters: `n` rows are tested; `groups` (n,) of rows that belong together, which count once.

    >>> levels = levels_of(np.eye(4) + 1.0, 1)
    >>> measured = [level_numbers(one, errors={"centroid": 0.3 - 0.2 * one.level}) for one in levels]
    >>> helped_machines(measured, 100)[0].helps, helped_machines(measured, 10)[0].helps
    (True, False)
    """
    names = [name for name in dict.fromkeys(name for one in numbers for name in one.errors) if "training" not in name]
    members, least, found = _members(groups), _least((len(numbers) - 1) * len(names)), []
    rows = n if members is None else int(members.max()) + 1
    for name in names:
        errors = np.array([one.errors.get(name, np.nan) for one in numbers])
        if not np.isfinite(errors[0]):
            continue
        at = int(np.nanargmin(errors))
        first, best, chance = float(errors[0]), float(errors[at]), numbers[at].chance
        if name in numbers[0].missed and name in numbers[at].missed:
            z = _falls(numbers[0].missed[name], numbers[at].missed[name], chance, members)
        else:
            ends = [first, first if np.isnan(chance) else chance]
            z = min((end - best) * math.sqrt(rows / (end + best)) if end > best else 0.0 for end in ends)
        found.append(MachineLevels(name, numbers[at].level, first, best, at > 0 and z > least))
    return tuple(found)


def _members(groups: ArrayLike | None) -> NDArray[np.intp] | None:
    """Return the number of each row's group."""
    return None if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1]


def _least(tests: int) -> float:
    """Return the z that the best of so many tests exceeds by chance in at most 5% of cases."""
    from scipy.stats import norm

    return float(norm.isf(_BY_CHANCE / max(1, tests)))


def _falls(first: Array, best: Array, chance: float, members: NDArray[np.intp] | None) -> float:
    """Return the smaller z of the rows' fall from one level to another, and from guessing, see `helped_machines`."""
    found = []
    for before in (first, np.full(len(best), chance)):
        d = np.nan_to_num(before - best)
        d = d if members is None else np.bincount(members, weights=d)
        found.append(float(d.sum()) / (math.sqrt(float(d @ d)) or 1.0))
    return found[0] if np.isnan(chance) else min(found)


def _error_of_share(share: float, n: int) -> float:
    return math.sqrt(max(0.0, share * (1 - share)) / max(1, n))


def level_sentences(numbers: Sequence[LevelNumbers], n: int, groups: ArrayLike | None = None) -> list[str]:
    """Return which machines a level helps, and every curve that contradicts it; none without errors.

    >>> levels = levels_of(np.eye(4) + 1.0, 1)
    >>> errors = [{"centroid": 0.3, "ridge": 0.2}, {"centroid": 0.1, "ridge": 0.4}]
    >>> measured = [level_numbers(one, errors=errors[one.level]) for one in levels]
    >>> for line in level_sentences(measured, 100):
    ...     print(line)
    A level helps the nearest centroid (level 1: 10% instead of 30%).
    It does not clearly help ridge regression (20% at level 0).
    At level 1 ridge regression is worse: 40% instead of 20%.
    """
    machines = helped_machines(numbers, n, groups)
    if not machines or len(numbers) < 2:
        return []
    helped, others = [m for m in machines if m.helps], [m for m in machines if not m.helps]
    lines = []
    if helped:
        gains = [f"{_called(m)} (level {m.level}: {percent(m.best)} instead of {percent(m.at_0)})" for m in helped]
        lines.append(f"A level helps {_joined(gains)}.")
        if others:
            same = [f"{_called(m)} ({percent(m.at_0)} at level 0)" for m in others]
            lines.append(f"It does not clearly help {_joined(same)}.")
    else:
        lines.append(f"No level clearly lowers the error of {_joined([_called(m) for m in others])}.")
    judgement = level_verdict(numbers, groups)
    best = level_to_use(numbers, n, groups)
    place = next(i for i, one in enumerate(numbers) if one.level == best)
    for m in machines:
        now = numbers[place].errors.get(m.machine, np.nan)
        if now > m.at_0 + _error_of_share(now, n):
            lines.append(f"At level {best} {_called(m)} is worse: {percent(now)} instead of {percent(m.at_0)}.")
    if judgement is not None and judgement.helps != bool(helped) and (judgement.helps or not judgement.level):
        lines.append(f"The squared leave-one-out error contradicts this. {judgement.words}")
    last, training = numbers[-1].errors, "SVM, training"
    test = next((m for m in machines if m.machine == "SVM, test"), None)
    if test is not None and last.get(training, 1.0) <= 0.01:
        end = last.get("SVM, test", np.nan)
        if end > test.best + 2 * _error_of_share(end, n):
            lines.append(
                f"Level {numbers[-1].level} memorises: {_called(test)} has a training error of "
                f"{percent(last[training])} and a test error of {percent(end)}."
            )
    return lines


def level_to_use(numbers: Sequence[LevelNumbers], n: int, groups: ArrayLike | None = None) -> int:
    """Return the level to use where one helps, else level 0: by the squared leave-one-out error, else by the gain."""
    judgement = level_verdict(numbers, groups)
    helped = [m for m in helped_machines(numbers, n, groups) if m.helps]
    if judgement is not None and (judgement.helps or helped):
        return judgement.level
    return max(helped, key=lambda m: m.at_0 - m.best).level if helped else numbers[0].level


def _called(one: MachineLevels) -> str:
    return _MACHINES.get(one.machine, one.machine)


def _joined(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def collapse(numbers: Sequence[LevelNumbers]) -> Collapse | None:
    """Return the level from which on the off-diagonal spread stays below 1% of the mean diagonal, or None.

    K is then nearly constant off the diagonal, or nearly the identity where the mean diagonal is at least ten times
    the mean |K_ij|.
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
    try:
        for one in _each_level(K, [None] * (limit + _STAYS - 1)):
            if len(levels) <= limit:
                levels.append(one)
            scale = float(np.abs(np.diagonal(one.K)).mean())
            spreads.append(_off_diagonal_std(one.K) / scale if scale > 0 else 0.0)
            last = spreads[-_STAYS:]
            if len(last) == _STAYS and max(last) < COLLAPSED and np.diff(last).max() <= 1e-12:  # beyond rounding
                return tuple(levels[: len(spreads) - _STAYS + 1])
    except DegenerateError:  # all rows coincide
        pass
    return tuple(levels)


def _off_diagonal_std(K: Array) -> float:
    """Return the standard deviation of K_ij, i ≠ j; 0 for a single row."""
    pairs = K.size - len(K)
    if not pairs:
        return 0.0
    off = K - (K.sum() - np.trace(K)) / pairs
    np.fill_diagonal(off, 0.0)
    return math.sqrt(max(0.0, float(np.vdot(off, off)) / pairs - (float(off.sum()) / pairs) ** 2))
