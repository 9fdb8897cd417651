"""The relevant dimension: the kernel PCA directions within which the labels lie, up to noise."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import DataError, DegenerateError, ParameterError
from ..values.arrays import Array, Factor
from ..values.labels import AskedTask, Labels, read_labels
from ..values.notebook import Pictured
from ..values.words import percent
from .matrix import Checked, finite, square
from .outcomes import class_margins
from .spectrum import Decomposition, decompose

#: Borders between the quadrants of [R], which prints the quadrants and no borders: directions, estimated error.
LOW_DIMENSION, LOW_NOISE = 30.0, 0.09
#: From this share of ‖y‖² on, directions hold the labels up to noise, and no share is named.
_NEARLY_ALL = 0.9
#: From this share of ‖y‖² on, what no direction reaches is named.
_MISSED = 0.01


def quadrant(dimension: float, noise: float) -> str:
    """Return the quadrant of [R] for a relevant dimension and an estimated error, as a share of rows.

    >>> quadrant(24, 0.088), quadrant(92, 0.092)
    ('low noise, low dimensional', 'high noise, high dimensional')
    """
    level, size = ("low" if noise < LOW_NOISE else "high"), ("low" if dimension < LOW_DIMENSION else "high")
    return f"{level} noise, {size} dimensional"


@dataclass(frozen=True, eq=False, repr=False)
class _Cut(Pictured):
    """A dimension d̂, and what a cut of the labels' coefficients at d̂ shows.

    `labels` are the fitted labels; real labels less their mean, `offset`, if centred.
    """

    dimension: int
    coefficients: Array
    eigenvalues: Array
    eigenvectors: Array
    labels: Labels = field(repr=False)
    max_dimension: int
    offset: float

    @property
    def targets(self) -> Array:
        """Return the targets to compare `denoised` with: y, ±1, or one-hot; (n,) or (n, classes)."""
        targets: Array = self.labels.targets + self.offset
        return targets

    @property
    def energy(self) -> Array:
        """Return s_i², summed over the classes when there are more than two, (n,).

        Beyond the directions of a `Factor`, the remaining energy of the labels, spread evenly.
        """
        return _energy(self.coefficients, self.eigenvectors, self.labels.targets)

    @property
    def denoised(self) -> Array:
        """Return ŷ = Σ_{i≤d̂} u_i u_i'y, (n,), or (n, classes) for more than two classes."""
        return self.denoised_at(self.dimension)

    @property
    def noise(self) -> float:
        """Return the noise level (1/n) Σ L(y_i, ŷ_i) at d̂: a share of rows, or a mean squared error in units of y²."""
        return self.noise_at(self.dimension)

    @property
    def noise_share(self) -> float:
        """Return `noise` without a unit: a share of rows, or of the variance of y; nan where y is constant."""
        return self.noise_share_at(self.dimension)

    @property
    def disputed(self) -> NDArray[np.intp]:
        """Return the rows whose label differs from ŷ: another class, or a residual beyond three standard deviations."""
        return self.disputed_at(self.dimension)

    def denoised_at(self, d: int) -> Array:
        """Return ŷ for another cut, 1 ≤ d ≤ number of eigenvectors; raise ParameterError outside."""
        if not 1 <= d <= len(self.coefficients):
            raise ParameterError(
                f"{type(self).__name__}: d must be an integer with 1 <= d <= {len(self.coefficients)}; "
                f"got {d!r}. Try d={self.dimension}, the relevant dimension."
            )
        fitted: Array = self.eigenvectors[:, :d] @ self.coefficients[:d]
        return fitted + self.offset if self.offset else fitted

    def noise_at(self, d: int) -> float:
        """Return the noise level for another cut, in the same loss."""
        return float(self._disagreement(d).mean())

    def noise_share_at(self, d: int) -> float:
        """Return `noise_share` for another cut; 1 is the noise of predicting the mean of y."""
        if self.labels.task == "classification":
            return self.noise_at(d)
        variance = float(self.labels.targets.var())
        return self.noise_at(d) / variance if variance > 0 else float("nan")

    def disputed_at(self, d: int) -> NDArray[np.intp]:
        """Return `disputed` for another cut, with the standard deviation of that cut."""
        disagreement = self._disagreement(d)
        if self.labels.task == "classification":
            return np.flatnonzero(disagreement > 0.5)
        # Residuals of a perfect fit are rounding and dispute no label.
        rounding = (len(disagreement) * np.finfo(float).eps * np.abs(self.targets).max()) ** 2
        return np.flatnonzero(disagreement > max(9.0 * disagreement.mean(), rounding))

    def margin_at(self, d: int) -> Array:
        """Return the margin of ŷ on the side of a row's own class, (n,); below 0 the label is disputed.

        Two classes: ±ŷ; more: ŷ of the own class less the best other. Raises DataError for real labels.
        """
        codes = self.labels.codes
        if codes is None:
            raise DataError(f"{type(self).__name__}.margin_at: expected classes; got real labels. Use denoised_at.")
        return class_margins(self.denoised_at(d), codes)

    def _disagreement(self, d: int) -> Array:
        fitted = self.denoised_at(d)
        if self.labels.task == "regression":
            return np.asarray((self.targets - fitted) ** 2)
        wrong = self.labels.decode(fitted) != self.labels.decode(self.labels.targets)
        return np.asarray(wrong, dtype=np.float64)


@dataclass(frozen=True, eq=False, repr=False)
class RelevantDimension(_Cut):
    """Result of `relevant_dimension`.

    `dimension` d̂; `neg_log_likelihood` over d = 1…max_dimension; `candidates`, the d among which d̂ is the minimum,
    (max_dimension,) of bool; `leading` whether σ1² ≥ σ2² was required of them; `coefficients` s = U'y, (n,) or
    (n, classes); `eigenvalues` (n,), `eigenvectors` (n, n); `labels` and `offset`, the mean subtracted from
    them; `max_dimension`, the largest d searched; as properties `denoised`, `noise`, `noise_share`, `disputed`,
    `variances`, `energy`, `floor`, `rises`, `rising`, `within`, `outside`, `plausible`, and `words()`.
    """

    _drawn_by = "spectrum.coefficient_plot"

    neg_log_likelihood: Array
    candidates: NDArray[np.bool_]
    leading: bool

    @property
    def minimum(self) -> float:
        """Return −log ℓ(d̂): smaller means that the cut separates information from noise more sharply."""
        return float(self.neg_log_likelihood[self.dimension - 1])

    @property
    def variances(self) -> tuple[float, float]:
        """Return σ1² of the first d̂ coefficients and σ2² of the others."""
        energy = self.energy
        return float(energy[: self.dimension].mean()), float(energy[self.dimension :].mean())

    @property
    def leads(self) -> bool:
        """Return whether a direction up to d̂ holds more of the labels than one beyond it, on average."""
        return self.variances[0] > self.variances[1]

    @property
    def floor(self) -> float:
        """Return the s_i² that noise of the variance σ2² of the directions beyond d̂ exceeds in 1% of directions."""
        from scipy.special import chdtri

        columns = 1 if self.coefficients.ndim == 1 else self.coefficients.shape[1]
        return self.variances[1] / columns * float(chdtri(columns, 0.01))

    @property
    def rising(self) -> int:
        """Return how many of the first d̂ directions have s_i² above the `floor`: d̂ counts up to the last of them."""
        return int(self.rises.sum())

    @property
    def rises(self) -> NDArray[np.bool_]:
        """Return which of the first d̂ directions have s_i² above the `floor`, (d̂,)."""
        return self._above[: self.dimension]

    @property
    def rising_beyond(self) -> int:
        """Return how many of the known directions beyond d̂ have s_i² above the `floor`."""
        return int(self._above[self.dimension : len(self.coefficients)].sum())

    @property
    def _above(self) -> NDArray[np.bool_]:
        energy = self.energy
        return np.asarray(energy > max(self.floor, _rounding(energy)))

    @property
    def within(self) -> float:
        """Return the share of ‖y‖² in the first d̂ directions."""
        energy = self.energy
        return float(energy[: self.dimension].sum() / energy.sum())

    @property
    def outside(self) -> float:
        """Return the share of ‖y‖² in no direction of an eigenvalue beyond rounding, which the kernel cannot reach."""
        energy, known = self.energy, Decomposition(self.eigenvalues, self.eigenvectors)
        reached = np.abs(self.eigenvalues) > known.tolerance
        return float(1 - energy[: len(reached)][reached].sum() / energy.sum())

    @property
    def missed(self) -> float:
        """Return `outside` where the labels hold more there than noise does in other directions; else 0.

        Noise lies in all directions alike, also in those that a smooth kernel reaches only up to rounding.
        """
        energy, known = self.energy, Decomposition(self.eigenvalues, self.eigenvectors)
        noise = energy[self.dimension : max(self.dimension, known.directions)]
        rest = len(energy) - known.directions
        if len(noise) and self.outside * float(energy.sum()) <= 2 * rest * float(noise.mean()):
            return 0.0
        return self.outside

    @property
    def plausible(self) -> tuple[int, int]:
        r"""Return the smallest and the largest d that the profile likelihood does not exclude at 95%.

        .. math:: n\,\big(-\log\ell(d) + \log\ell(\hat d)\big) \le \chi^2_{1,\,.95}

        Of several classes the ratio counts rows, not columns of the coding, which widens the interval. Of 200 simulated
        data sets of 200 rows, it held the true dimension in 94.5% (noisy sinc) and 99% (twonorm); see
        tests/benchmarks/dimension_coverage.py.
        """
        from scipy.special import chdtri

        ratio = len(self.eigenvectors) * (self.neg_log_likelihood - self.minimum)
        kept = np.flatnonzero(self.candidates & (ratio <= chdtri(1, 0.05))) + 1
        return int(kept.min()), int(kept.max())

    def words(self) -> str:
        """Return where the labels lie as a clause: d̂ counts directions up to the last that rises, not those that rise.

        >>> K = np.diag([4.0, 3.0, 2.0, 1.0, 0.5, 0.1])
        >>> relevant_dimension(K, [2.0, -1.5, 0.1, 0.1, -0.1, 0.1]).words()
        'the labels lie within the first 2 directions; all of them rise above the noise of the rest'
        """
        d, rising = self.dimension, self.rising
        if not self.leads:
            return "no leading directions hold the labels"
        labels = "the labels lie" if self.within >= _NEARLY_ALL else f"{percent(self.within)} of the labels lie"
        if d == 1:
            text = f"{labels} in the first direction" + ("" if rising else ", which hardly rises above the noise")
        else:
            text = f"{labels} within the " + (
                f"{d} directions searched" if d == self.max_dimension else f"first {d} directions"
            )
            count = "all" if rising == d else rising or "none"
            text += f"; {count} of them {'rises' if rising == 1 else 'rise'} above the noise of the rest"
        return text + (f". {percent(self.missed)} lie outside" if self.missed >= _MISSED else "")


@dataclass(frozen=True, eq=False, repr=False)
class RelevantDimensionLOO(_Cut):
    """Result of `relevant_dimension_loo`: as that of `relevant_dimension`, with `loo_error` over d = 1…."""

    _drawn_by = "spectrum.rebuilt_labels"

    loo_error: Array


def relevant_dimension(
    K: ArrayLike | Checked | Factor,
    y: ArrayLike | Labels,
    max_dimension: int | None = None,
    *,
    task: AskedTask = "auto",
    decomposition: Decomposition | None = None,
    centred: bool = False,
    leading: bool = True,
) -> RelevantDimension:
    r"""Return the d that splits the coefficients s = U'y best into information and noise.

    .. math:: -\log\ell(d) = \frac{d}{n}\log\Big(\frac1d\sum_{i\le d} s_i^2\Big)
        + \frac{n-d}{n}\log\Big(\frac1{n-d}\sum_{i>d} s_i^2\Big)

    from the model s_i ~ N(0, σ1²) for i ≤ d and N(0, σ2²) beyond, with σ1² ≥ σ2² required: only a d whose first
    directions hold on average at least as much of the labels as the others can be d̂. [R] does not require it: there a
    direction that holds nothing, such as the constant one of a diffusion kernel with classes of one size, makes the
    sharpest cut of all, right behind itself. Where no d fulfils it, d̂ is the minimum over all.

    Two classes are coded ±1; more are coded one-hot and s_i² is summed over the classes; real labels are used as given,
    or less their mean, so that neither the unit nor the origin of y matters.

    Parameters: `K` (n, n) symmetric, used uncentred, or a `Factor` of r columns, whose r directions are searched (the
    same −log ℓ(d) for d ≤ r, without an (n, n) matrix); `y` (n,) classes or reals, decided by `are_classes` unless
    `task` is given; `max_dimension` the largest d searched, 1…n−1, default n/2, or the rank of K where that is less, as
    eigenvectors of eigenvalue 0 are arbitrary; `decomposition` the eigenpairs of K, if already computed (K is then read
    for its shape only): all, or r leading ones, which are searched as those of a factor; `centred` subtracts the mean
    from real labels (classes are unchanged); `leading` False drops the requirement: the fit of [R] as printed.
    Raises DataError for K or y that cannot be used, ParameterError for `max_dimension`,
    DegenerateError when all labels are zero.
    Reference: kernels and feature space, 'Fitting the Two-Component Model';
    Braun, Buhmann, Müller, JMLR 9, 2008, 1875–1908.

    >>> import numpy as np
    >>> x = np.linspace(-4, 4, 40)
    >>> K = np.exp(-(x[:, None] - x) ** 2)
    >>> noise = 0.1 * np.random.default_rng(0).standard_normal(40)
    >>> rd = relevant_dimension(K, np.sinc(x) + noise)
    >>> rd.dimension
    9
    """
    known = _prepare(K, y, max_dimension, task, decomposition, centred, "relevant_dimension")
    energy = _energy(known["coefficients"], known["eigenvectors"], known["labels"].targets)
    curve, fulfil = (a[:, 0] for a in _neg_log_likelihood(energy[:, None], known["max_dimension"]))
    candidates = fulfil if leading and fulfil.any() else np.ones_like(fulfil)
    dimension = int(np.where(candidates, curve, np.inf).argmin()) + 1
    return RelevantDimension(
        dimension=dimension, neg_log_likelihood=curve, candidates=candidates, leading=leading, **known
    )


def relevant_dimension_loo(
    K: ArrayLike | Checked | Factor,
    y: ArrayLike | Labels,
    max_dimension: int | None = None,
    *,
    task: AskedTask = "auto",
    decomposition: Decomposition | None = None,
    centred: bool = False,
) -> RelevantDimensionLOO:
    r"""Return the d with the smallest leave-one-out squared error of kernel PCA regression.

    .. math:: \mathrm{LOO}(d) = \frac1n\sum_i\Big(\frac{y_i-\hat y_i}{1-\sum_{j\le d}[u_j]_i^2}\Big)^2

    in closed form, from s and the running sums of [u_j]_i². A row with leverage 1 has no prediction
    when it is left out: its error is y_i². More than two classes: summed over the one-hot columns.

    Parameters and exceptions as in `relevant_dimension`.
    Reference: kernels and feature space, the table's 'dim (cv)'.

    >>> import numpy as np
    >>> x = np.linspace(-4, 4, 40)
    >>> K = np.exp(-(x[:, None] - x) ** 2)
    >>> noise = 0.1 * np.random.default_rng(0).standard_normal(40)
    >>> relevant_dimension_loo(K, np.sinc(x) + noise).dimension
    13
    """
    known = _prepare(K, y, max_dimension, task, decomposition, centred, "relevant_dimension_loo")
    wide = known["coefficients"].reshape(len(known["coefficients"]), -1)
    targets = known["labels"].targets.reshape(-1, wide.shape[1])
    residual, free = targets.copy(), np.ones(len(targets))
    tolerance = len(targets) * np.finfo(float).eps
    errors = np.empty(known["max_dimension"])
    for d in range(len(errors)):
        u = known["eigenvectors"][:, d]
        residual -= np.outer(u, wide[d])
        free -= u**2
        alone = free <= tolerance
        left_out = residual / np.where(alone, 1.0, free)[:, None]
        if alone.any():
            left_out[alone] = targets[alone]
        errors[d] = (left_out**2).sum() / len(targets)
    return RelevantDimensionLOO(dimension=int(errors.argmin()) + 1, loo_error=errors, **known)


@dataclass(frozen=True, eq=False)
class PermutationBand:
    """Result of `permutation_band`.

    `minima` (permutations,) of the curves −log ℓ(d) of shuffled labels; `observed` the minimum for the given labels;
    `leading` whether a direction before the cut holds more of the labels than one behind it, on average.
    """

    minima: Array
    observed: float
    leading: bool

    @property
    def threshold(self) -> float:
        """Return the 5% quantile of the minima of shuffled labels."""
        return float(np.quantile(self.minima, 0.05))

    @property
    def p_value(self) -> float:
        """Return (1 + #{minima ≤ observed}) / (1 + permutations)."""
        return float((1 + (self.minima <= self.observed).sum()) / (1 + len(self.minima)))

    @property
    def reliable(self) -> bool:
        """Return whether the minimum lies below the 5% quantile of the permuted minima, and the cut is `leading`."""
        return self.leading and self.observed < self.threshold

    @property
    def verdict(self) -> str:
        """Return `reliable` as a sentence."""
        if not self.leading:
            return "No reliable cut: the leading directions hold less of the labels than the others."
        blunter, count = int((self.minima > self.observed).sum()), len(self.minima)
        text = f"sharper than {blunter} of {count} cuts of shuffled labels (p = {self.p_value:.3f})."
        return f"The cut is {text}" if self.reliable else f"No reliable cut: it is only {text}"


def permutation_band(rd: RelevantDimension, permutations: int = 200, seed: int = 0) -> PermutationBand:
    """Return the sharpness of the cut for shuffled labels: the minima of −log ℓ(d) of permuted y.

    Permuted labels are U'y_perm in the same eigenvectors, so no second decomposition is needed.

    Parameters: `rd` from `relevant_dimension`; `permutations` ≥ 1, at least 20 for a meaningful 5% quantile; `seed` of
    the shuffling. Raises ParameterError.

    >>> import numpy as np
    >>> x = np.linspace(-4, 4, 40)
    >>> K = np.exp(-(x[:, None] - x) ** 2)
    >>> permutation_band(relevant_dimension(K, np.sinc(x))).reliable
    True
    """
    if not (isinstance(permutations, int | np.integer) and permutations >= 1):
        raise ParameterError(
            f"permutation_band: permutations must be an integer with 1 <= permutations; "
            f"got {permutations!r}. Try permutations=200."
        )
    rng = np.random.default_rng(seed)
    n = len(rd.labels.targets)
    order = rng.permuted(np.tile(np.arange(n)[:, None], (1, permutations)), axis=0)
    columns = rd.labels.targets.reshape(n, -1)
    energy = np.zeros((rd.eigenvectors.shape[1], permutations))
    for c in range(columns.shape[1]):
        energy += (rd.eigenvectors.T @ columns[:, c][order]) ** 2
    if len(energy) < n:
        rest = np.maximum((columns**2).sum() - energy.sum(axis=0), 0.0) / (n - len(energy))
        energy = np.vstack([energy, np.broadcast_to(rest, (n - len(energy), permutations))])
    curves, fulfil = _neg_log_likelihood(energy, rd.max_dimension)
    if rd.leading:
        # Shuffled labels that no d fulfils are cut nowhere: both variances are one, the mean.
        curves = np.where(fulfil, curves, np.log((columns**2).sum() / n))
    return PermutationBand(minima=curves.min(axis=0), observed=rd.minimum, leading=rd.leads)


def cut_in_words(rd: RelevantDimension, band: PermutationBand) -> str:
    """Return what the first d̂ directions rebuild and hold of the labels; or why no cut is to be trusted."""
    if not band.reliable:
        return band.verdict
    words = f"{rd.words()[0].upper()}{rd.words()[1:]}."
    negative = int((rd.eigenvalues < -Decomposition(rd.eigenvalues, rd.eigenvectors).tolerance).sum())
    if negative and rd.missed < _MISSED:
        return f"{words} The matrix is indefinite: {negative} of its eigenvalues are negative."
    if not rd.leads or rd.missed >= _MISSED:
        return words
    low, high = rd.plausible
    around = f" (plausibly {low}–{high})" if low < high else ""
    n, these = f"{len(rd.eigenvectors):,}", "It" if rd.dimension == 1 else "These"
    first = f"first direction of {n}" if rd.dimension == 1 else f"first {rd.dimension} of {n} directions"
    rest = f"{these} {_rebuild(rd, rd.dimension)}. {_held_in_words(rd)} {beyond_in_words(rd)}"
    held = percent(float(rd.energy[: rd.dimension].sum() / rd.energy.sum()))
    return f"{held[0].upper()}{held[1:]} of the labels lie within the {first}{around}.\n{rest}"


def rebuilt_in_words(rd: RelevantDimension, d: int) -> str:
    """Return how many labels the first d directions rebuild, as a clause.

    >>> K = np.diag([4.0, 3.0, 2.0, 1.0])
    >>> rebuilt_in_words(relevant_dimension(K, ["a", "a", "b", "b"]), 3)
    'The first 3 of 4 directions put 3 of 4 rows on the correct side'
    """
    first = "The first" if d == 1 else f"The first {d}"
    return f"{first} of {len(rd.eigenvectors):,} directions {_rebuild(rd, d)}"


def _rebuild(rd: RelevantDimension, d: int) -> str:
    s, n = "s" if d == 1 else "", len(rd.eigenvectors)
    if rd.labels.task == "regression":
        return f"leave{s} {percent(rd.noise_share_at(d))} of the variance of y unexplained"
    place = "on the correct side" if rd.targets.ndim == 1 else "in the correct class"
    return f"put{s} {n - len(rd.disputed_at(d)):,} of {n:,} rows {place}"


def _held_in_words(rd: RelevantDimension) -> str:
    """Return the one of the first d̂ directions that holds nearly all of them, or which rise above the noise."""
    d, held = rd.dimension, rd.energy[: rd.dimension] / rd.energy.sum()
    largest = int(held.argmax())
    if rd.rising > 1 and held[largest] >= _NEARLY_ALL * held.sum():
        return f"Direction {largest + 1} alone holds {percent(float(held[largest]))} of the labels."
    noise = "above the noise limit"
    if d == 1:
        return f"It {'rises' if rd.rising else 'hardly rises'} {noise}."
    verb, named = "rises" if rd.rising < 2 else "rise", (np.flatnonzero(rd.rises) + 1).tolist()
    if 0 < len(named) < min(d, 3):  # the bars that a reader looks for
        directions = f"direction{'s' * (len(named) > 1)} {' and '.join(map(str, named))}"
        return f"One by one, only {directions} of the {d} {verb} {noise}."
    if not rd.rising:
        return f"None of these {d} alone rises {noise}."
    return f"{'All' if rd.rising == d else rd.rising} of these {d} {verb} {noise}."


def beyond_in_words(rd: RelevantDimension) -> str:
    """Return whether the directions beyond d̂ look like noise, or how many rise above its limit."""
    beyond = len(rd.energy) - rd.dimension
    if rd.rising_beyond < max(3, 0.03 * beyond):  # three times the share of noise
        few = f": {rd.rising_beyond} of {beyond:,} above its limit" if rd.rising_beyond else ""
        return f"The rest looks like noise{few}." if beyond else ""
    return f"Of the {beyond:,} beyond, {rd.rising_beyond} rise above the noise limit: they hold some of the labels."


def _prepare(
    K: ArrayLike | Checked | Factor,
    y: ArrayLike | Labels,
    max_dimension: int | None,
    task: AskedTask,
    decomposition: Decomposition | None,
    centred: bool,
    owner: str,
) -> dict[str, Any]:
    """Return the fields that both results share: coefficients, eigenpairs, labels, largest d searched, offset."""
    n = len(finite(K.rows, owner, "F") if isinstance(K, Factor) else square(K, owner))
    if n < 2:
        raise DataError(f"{owner}: K must have at least two rows; got {n}. Choose more rows.")
    labels = read_labels(y, task, n, owner)
    labels, offset = labels.less_mean() if centred else (labels, 0.0)
    if not labels.targets.any():
        raise DegenerateError(
            f"{owner}: y must not be {'constant' if centred else 'zero in every row'}; got "
            f"{f'{n} values of {offset:.6g}' if centred else f'{n} zeros'}, which have no direction. "
            "Choose another label column."
        )
    last = n // 2 if max_dimension is None else max_dimension
    if not (isinstance(last, int | np.integer) and 1 <= last <= n - 1):
        raise ParameterError(
            f"{owner}: max_dimension must be an integer with 1 <= max_dimension <= {n - 1}, "
            f"one less than the rows; got {max_dimension!r}. Try max_dimension={n // 2}."
        )
    if decomposition is None:
        decomposition = decompose(K, owner=owner)
    rows, known = decomposition.eigenvectors.shape
    if rows != n:
        raise DataError(
            f"{owner}: decomposition must hold eigenvectors of the {n} rows of K; got shape "
            f"{decomposition.eigenvectors.shape}. Use decompose(K)."
        )
    last = min(int(last), known)
    if max_dimension is None:
        last = min(int(last), max(1, decomposition.directions))
    return dict(
        coefficients=decomposition.eigenvectors.T @ labels.targets,
        eigenvalues=decomposition.eigenvalues,
        eigenvectors=decomposition.eigenvectors,
        labels=labels,
        max_dimension=int(last),
        offset=offset,
    )


def _energy(coefficients: Array, U: Array, targets: Array) -> Array:
    """Return s_i² for all n directions; directions missing from U, (n, r), get their mean."""
    energy: Array = (coefficients**2).reshape(len(coefficients), -1).sum(axis=1)
    n, r = U.shape
    if r == n:
        return energy
    # From the residual: a difference of two sums would leave rounding errors where the directions span the labels.
    rest = float(((targets - U @ coefficients) ** 2).sum())
    return np.concatenate([energy, np.full(n - r, rest / (n - r))])


def _rounding(energy: Array) -> Any:
    """Return the s_i² that is rounding, for each column of `energy`."""
    return (16 * np.finfo(float).eps) ** 2 * energy.sum(axis=0)


def _neg_log_likelihood(energy: Array, last: int) -> tuple[Array, NDArray[np.bool_]]:
    """Return −log ℓ(d) for d = 1…last, along the rows of `energy` (n, curves), and whether σ1² ≥ σ2² there."""
    n = len(energy)
    d = np.arange(1, last + 1)[:, None]
    # Each sum starts at its own end: total − head would leave only rounding errors in a small tail.
    head = np.cumsum(energy, axis=0)[:last]
    tail = np.cumsum(energy[::-1], axis=0)[::-1][1 : last + 1]
    # Labels without noise have coefficients of pure rounding, whose logarithm must not decide.
    floor = _rounding(energy)
    curve: Array = d / n * np.log(np.maximum(head / d, floor))
    curve += (n - d) / n * np.log(np.maximum(tail / (n - d), floor))
    return curve, head / d >= tail / (n - d)
