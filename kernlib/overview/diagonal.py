"""A large diagonal: does a machine memorise its training rows, and does a power below one help?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ..analysis.doctor import LARGE_DIAGONAL, Finding, taming_power
from ..analysis.gram import diagonal_ratio
from ..analysis.matrix import square
from ..errors import DataError, DegenerateError
from ..machines.svm import SVM
from ..statistics import paired_difference
from ..values.arrays import Array
from ..values.labels import AskedTask, read_labels
from ..values.words import percent
from .quick import halves

#: From this ratio of mean diagonal to mean |off-diagonal| on, a picture shows the diagonal alone.
LARGE = 5.0
#: A test error above this share of chance counts as guessing.
_GUESSING = 0.8
#: A test error below this share of chance is one of a machine that has learnt something.
_PARTLY = 0.5
#: A smaller gain in error is none.
_LEAST = 0.005
#: Most rows that the machines train and are tested on.
_ROWS = 200


@dataclass(frozen=True)
class LargeDiagonal:
    """What a support vector machine makes of a matrix with a large diagonal; see `large_diagonal`.

    `ratio` mean diagonal over mean |off-diagonal|; `trained` the error on the training halves, `error` on the test
    halves; `chance` the error of always predicting the most frequent class; `rows` of a training half; `p` the power
    that is tried, `powered` the test error with it, and `helps` whether it is smaller; nan and False without a power.
    """

    ratio: float
    trained: float
    error: float
    chance: float
    rows: int
    p: float = math.nan
    powered: float = math.nan
    helps: bool = False

    @property
    def memorises(self) -> bool:
        """Return whether the machine knows its training rows and guesses on new ones."""
        return self.error >= _GUESSING * self.chance and self.trained < 0.5 * self.error

    @property
    def harmless(self) -> bool:
        """Return whether the machine learns from these rows, and a power is unlikely to help."""
        return self.error < _PARTLY * self.chance and not self.helps

    def words(self) -> tuple[str, str]:
        """Return the errors with what they mean, and what a power would change.

        >>> print(*LargeDiagonal(92.0, 0.0, 0.03, 0.5, 100, 0.24, 0.03).words(), sep="; ")
        a support vector machine learns anyway: training error 0%, test error 3%; a power is unlikely to help
        """
        if self.memorises:
            verdict = "memorises"
        elif self.error >= _GUESSING * self.chance:
            verdict = "does not learn"
        elif self.error >= _PARTLY * self.chance:
            verdict = "learns little"
        else:
            verdict = "learns anyway"
        errors = f"training error {percent(self.trained)}, test error {percent(self.error)}"
        power = "a power is unlikely to help"
        if self.helps:
            power = f"a power of {self.p:g} is likely to help: test error {percent(self.powered)}"
        return f"a support vector machine {verdict}: {errors}", power


def large_diagonal(
    K: ArrayLike, y: ArrayLike, *, task: AskedTask = "auto", groups: ArrayLike | None = None
) -> LargeDiagonal | None:
    r"""Return whether a machine memorises a matrix with a large diagonal; None for a ratio below 5 or no classes.

    A large diagonal alone does not decide: in d dimensions two clouds have a ratio that grows with d, while the
    difference within and between classes may stay large against its spread. So a support vector machine, C = 10 over
    the spread, is trained on five random halves and tested on the others, and again after the power

    .. math:: \varphi(k) = \mathrm{sgn}(k)\,|k|^p,\quad K' = \varphi(K)\,\varphi(K)^\top

    with training rows as landmarks. It helps if the paired difference exceeds its standard error, corrected for
    overlapping splits. At most 200 rows are used, classes in proportion.

    Parameters: `K` (n, n) symmetric; `y` (n,); `groups` (n,) one name a row. Raises DataError for a K or y that cannot
    be used. Reference: Schölkopf and others 2002, sections 2 and 3.

    >>> rng = np.random.default_rng(0)
    >>> y = np.arange(200) % 2
    >>> X = rng.normal(size=(200, 100)) + 0.2 * (2 * y[:, None] - 1)
    >>> seen = large_diagonal(X @ X.T, y)
    >>> seen.ratio > 10, seen.memorises
    (True, False)
    """
    matrix = square(K, "large_diagonal")
    labels = read_labels(y, task, len(matrix), "large_diagonal")
    ratio = diagonal_ratio(matrix) if len(matrix) > 1 else math.nan
    if labels.codes is None or not ratio >= LARGE:
        return None
    kept = np.argsort(labels.codes, kind="stable")
    kept = kept[np.unique(np.linspace(0, len(kept) - 1, _ROWS).astype(np.intp))]
    codes, named = labels.codes[kept], None if groups is None else tuple(np.asarray(groups)[kept].tolist())
    own = matrix[np.ix_(kept, kept)]
    chance = 1.0 - float(labels.counts.max()) / len(matrix)
    p = taming_power(ratio)
    powered = np.sign(own) * np.abs(own) ** p if math.isfinite(ratio) else None
    trained, tested, after = [], [], []
    try:
        drawn = halves(codes.tobytes(), named, 5)
        for train, test in drawn:
            rows, new = own[np.ix_(train, train)], own[np.ix_(test, train)]
            machine = SVM(C=10.0, scale="spread").fit(rows, codes[train], task="classification")
            trained.append(_wrong(machine.predict(rows), codes[train]))
            tested.append(_wrong(machine.predict(new), codes[test]))
            if powered is not None:
                landmarks = powered[np.ix_(train, train)]
                machine = machine.fit(landmarks @ landmarks.T, codes[train], task="classification")
                after.append(_wrong(machine.predict(powered[np.ix_(test, train)] @ landmarks.T), codes[test]))
    except (DataError, DegenerateError):  # a class with too few rows to be halved, or a machine without a solution
        return None
    found = LargeDiagonal(ratio, float(np.mean(trained)), float(np.mean(tested)), chance, len(drawn[0][0]))
    if powered is None:
        return found
    gain = paired_difference(tested, after, 1.0)
    helps = gain.mean > max(gain.standard_error, _LEAST)
    return replace(found, p=p, powered=float(np.mean(after)), helps=helps)


def with_diagonal(findings: Sequence[Finding], seen: LargeDiagonal | None) -> tuple[Finding, ...]:
    """Return the doctor's findings with what the errors say about a large diagonal.

    A diagonal is sound where a machine learns and a power is unlikely to help; its remedies stay where one helps.
    """
    if seen is None:
        return tuple(findings)
    verdict, power = seen.words()
    meaning = f"Trained on {seen.rows} rows, {verdict}. {power[0].upper()}{power[1:]}."
    return tuple(
        replace(f, meaning=meaning, sound=seen.harmless, remedies=f.remedies if seen.helps else ())
        if f.name == LARGE_DIAGONAL
        else f
        for f in findings
    )


def _wrong(predicted: Array, codes: Array) -> float:
    return float((predicted != codes).mean())
