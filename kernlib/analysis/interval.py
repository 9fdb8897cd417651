"""A plausible interval of the relevant dimension: profile likelihood, and a bootstrap over rows."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DataError, ParameterError
from ..values.arrays import Array
from ..values.factor import Factor
from .matrix import square
from .relevant import RelevantDimension, relevant_dimension
from .spectrum import decompose


@dataclass(frozen=True, eq=False)
class DimensionInterval:
    """Result of `dimension_interval`.

    `dimension` d̂; `plausible` (p,) the d that the profile likelihood does not exclude at `level`; `draws` (b,) d̂ of the
    bootstrap, empty without one.
    """

    dimension: int
    level: float
    plausible: Array
    draws: Array

    @property
    def profile(self) -> tuple[int, int]:
        """Return the smallest and the largest plausible d."""
        return int(self.plausible.min()), int(self.plausible.max())

    @property
    def bootstrap(self) -> tuple[int, int] | None:
        """Return the central interval of the bootstrap's d̂ at `level`; None without a bootstrap."""
        if not len(self.draws):
            return None
        tail = (1 - self.level) / 2
        low, high = np.quantile(self.draws, [tail, 1 - tail], method="closest_observation")
        return int(low), int(high)

    def words(self) -> str:
        """Return the intervals as a sentence.

        >>> DimensionInterval(9, 0.95, np.array([8, 9]), np.array([7, 9, 11])).words()
        'Plausible dimensions at 95%: 8 to 9 by the profile likelihood, 7 to 11 by a bootstrap over rows.'
        """
        low, high = self.profile
        text = f"Plausible dimensions at {self.level:.0%}: {low} to {high} by the profile likelihood"
        if self.bootstrap is not None:
            text += f", {self.bootstrap[0]} to {self.bootstrap[1]} by a bootstrap over rows"
        return text + "."


def dimension_interval(
    rd: RelevantDimension,
    K: ArrayLike | Factor | None = None,
    *,
    level: float = 0.95,
    draws: int = 100,
    seed: int = 0,
) -> DimensionInterval:
    r"""Return the plausible values of the relevant dimension.

    The profile likelihood keeps every d within the likelihood ratio

    .. math:: n\,\big(-\log\ell(d) + \log\ell(\hat d)\big) \le \chi^2_{1,\,level}

    The bootstrap weights the rows by w_i ~ Exp(1) and cuts √w_i K_ij √w_j with the labels √w_i y_i again. It reuses
    the entries of K; resampling rows with replacement would repeat rows, whose noise then counts as information. Of
    several classes the ratio counts rows, not columns of the coding, which widens the interval.

    Parameters: `rd` from `relevant_dimension`; `K` (n, n) or a `Factor`, the matrix of `rd`, for the bootstrap, or None
    without one; `level` in (0, 1); `draws` ≥ 1 of the bootstrap, one eigendecomposition each; `seed` of the weights.
    Raises ParameterError; DataError for a K of another size.
    Of 200 simulated data sets of 200 rows, the profile's interval at 95% held the true dimension in 94.5% (noisy sinc)
    and 99% (twonorm), the bootstrap's in 99.5% and 100%; see tests/benchmarks/dimension_coverage.py.
    Reference: Rubin, Annals of Statistics 9, 1981, for the weights.

    >>> x = np.linspace(-4, 4, 60)
    >>> K = np.exp(-(x[:, None] - x) ** 2)
    >>> rd = relevant_dimension(K, np.sinc(x) + 0.1 * np.random.default_rng(0).standard_normal(60))
    >>> rd.dimension, dimension_interval(rd).profile
    (9, (9, 10))
    """
    from scipy.special import chdtri

    if not 0 < level < 1:
        raise ParameterError(f"dimension_interval: level must lie between 0 and 1; got {level!r}. Try level=0.95.")
    if not (isinstance(draws, int | np.integer) and draws >= 1):
        raise ParameterError(f"dimension_interval: draws must be an integer from 1 on; got {draws!r}. Try draws=100.")
    n = len(rd.eigenvectors)
    ratio = n * (rd.neg_log_likelihood - rd.minimum)
    plausible = np.flatnonzero(rd.candidates & (ratio <= chdtri(1, 1 - level))) + 1
    bootstrap = [] if K is None else list(itertools.islice(bootstrap_dimensions(rd, K, seed), draws))
    return DimensionInterval(rd.dimension, level, plausible, np.array(bootstrap, dtype=np.intp))


def bootstrap_dimensions(rd: RelevantDimension, K: ArrayLike | Factor, seed: int = 0) -> Iterator[int]:
    """Yield d̂ of weighted rows, one for each draw, without end; see `dimension_interval`."""
    matrix = K.rows if isinstance(K, Factor) else square(K, "dimension_interval")
    n = len(rd.eigenvectors)
    if len(matrix) != n:
        raise DataError(
            f"dimension_interval: K must be the matrix of rd, of {n} rows; got {len(matrix)} rows. "
            "Pass the same matrix to both."
        )
    rng = np.random.default_rng(seed)
    while True:
        w = rng.exponential(size=n)
        root = np.sqrt(w)
        weighted = Factor(root[:, None] * matrix) if isinstance(K, Factor) else root[:, None] * matrix * root
        targets = rd.labels.targets.reshape(n, -1)
        if rd.offset:  # real labels less their mean, which is that of the weighted rows here
            targets = targets - (w @ targets) / w.sum()
        labels = replace(rd.labels, targets=(root[:, None] * targets).reshape(rd.labels.targets.shape))
        pairs = decompose(weighted, owner="dimension_interval")
        last = min(rd.max_dimension, n - 1)
        yield relevant_dimension(weighted, labels, last, decomposition=pairs, leading=rd.leading).dimension
