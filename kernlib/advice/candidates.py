"""The settings that are compared for a data set: families of kernels with a grid of values for each, by kind of row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from ..core.algebra import Product, Sum
from ..core.base import Kernel
from ..core.steps import normal_form
from ..data import Dataset
from ..errors import DataError, KernlibError
from ..experiments.proposals import (
    mixed_parts,
    one_length,
    prepared,
    presets_for,
    quick_subsequences,
    rounded_width,
    starting,
    unlike_units,
)
from ..kernels import (
    ANOVA,
    RBF,
    Coded,
    Diffusion,
    Encoded,
    LabelPairs,
    LabelSequences,
    LatentSemantic,
    Linear,
    LocalityImprovedImage,
    LocalityImprovedSequence,
    MetricPairs,
    Mismatch,
    Overlap,
    Polynomial,
    Precomputed,
    PrecomputedDistances,
    ProbabilityOverlap,
    Spectrum,
    Subsequence,
    TensorPairs,
    VectorSpace,
    WeightedDegree,
)
from ..numerics.distances import looks_like_distances
from ..parse import parse
from ..wrappers import (
    Centered,
    Deep,
    Empirical,
    Imputed,
    Normalized,
    Power,
    Repaired,
    Standardized,
    StandardizedRows,
)


@dataclass(frozen=True)
class Setting:
    """A kernel with its parameters, and the `family` that it belongs to."""

    family: str
    kernel: Kernel


#: Widths in multiples of the median distance between rows.
_WIDTHS = (0.25, 0.5, 1.0, 2.0, 4.0)
_LEVELS, _POWERS = (1, 2, 3), (0.25, 0.5, 0.75)


def candidates(data: Dataset) -> tuple[Setting, ...]:
    """Return the settings for the data's kind of rows, those of one family one after another, each kernel once.

    The grids are the same for every data set of a kind; widths are multiples of the rows' median distance. What is
    proposed for the data (`presets_for`) is among the settings.

    >>> from kernlib.data import load_dataset
    >>> found = candidates(load_dataset("monks-2"))
    >>> len(found), found[1]
    (35, Setting(family='Overlap', kernel=Overlap(composition='mean', before=None, after=None, gamma=1.0) ** 2))
    """
    made = _GRIDS[_kind(data)](data)
    proposed = (Setting("Proposed", prepared(preset.kernel, data)) for preset in presets_for(data))
    unique: dict[Kernel, Setting] = {}
    for setting in (*made, *proposed):
        unique.setdefault(setting.kernel, setting)
    return tuple(unique.values())


def settings_text(settings: Sequence[Setting]) -> str:
    """Return settings as text that `read_settings` reads: a line for each kernel, below its family after a #.

    >>> print(settings_text([Setting("Gaussian", RBF(sigma=2.0)), Setting("Straight", Linear())]))
    # Gaussian
    RBF(sigma=2.0)
    # Straight
    Linear()
    """
    families = dict.fromkeys(one.family for one in settings)
    return "\n".join(
        line
        for family in families
        for line in (f"# {family}", *(repr(one.kernel) for one in settings if one.family == family))
    )


def read_settings(text: str) -> tuple[Setting, ...]:
    """Return the settings of a text as `settings_text` writes it, each kernel once.

    Raises DataError for a line that is no kernel, with its number, and for fewer than two kernels.

    >>> read_settings("# Gaussian\\nRBF(sigma=2.0)\\n\\n# Straight\\nLinear()")[1]
    Setting(family='Straight', kernel=Linear())
    """
    settings: dict[Kernel, Setting] = {}
    family = "Your own grid"
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if line.startswith("#"):
            family = line.lstrip("# ") or family
        elif line:
            try:
                kernel = parse(line)
            except KernlibError as error:
                raise DataError(f"settings, line {number}: expected a kernel such as RBF(sigma=2.0); {error}") from None
            settings.setdefault(kernel, Setting(family, kernel))
    if len(settings) < 2:
        raise DataError(f"settings: expected two kernels or more, one in a line; got {len(settings)}. Add a line.")
    return tuple(settings.values())


def _kind(data: Dataset) -> str:
    return "distances" if data.domain == "matrix" and looks_like_distances(data.rows) else data.domain


def _vectors(data: Dataset) -> Iterator[Setting]:
    filled = data.complete() if data.fill else data
    standardised = unlike_units(filled)

    def ready(kernel: Kernel, other: bool = False) -> Kernel:
        kernel = Standardized(kernel) if standardised != other else kernel
        return normal_form(Imputed(kernel, strategy=data.fill) if data.fill else kernel)

    def gauss(other: bool, times: float) -> Kernel:
        base: Kernel = RBF(sigma="median")
        base = Standardized(base) if standardised != other else base
        return RBF(sigma=rounded_width(times * base.heuristics(filled.rows)["sigma"]))

    names = ("standardised columns", "columns as they are")
    for other in (False, True):
        name = names[standardised == other]
        for times in _WIDTHS if not other else _WIDTHS[1:4]:
            yield Setting(f"Gaussian, {name}", ready(gauss(other, times), other))
        yield Setting(f"Polynomial, {name}", ready(Linear(), other))
        for degree in (2, 3, 5) if not other else (3,):
            yield Setting(f"Polynomial, {name}", ready(Normalized(Polynomial(degree=degree, offset=1.0)), other))
    for times in (0.5, 1.0, 2.0):
        for level in _LEVELS:
            yield Setting("Deep Gaussian", ready(Deep(gauss(False, times), level=level)))
    for level in (1, 2):
        yield Setting("Deep angles", ready(Deep(Normalized(Linear()), level=level)))
    for p in (*_POWERS, 1.0):
        yield Setting("Power", ready(Empirical(Power(Normalized(Polynomial(degree=5, offset=0.0)), p=p))))
    for times in (0.5, 2.0):
        yield Setting("Power", ready(Empirical(gauss(False, times))))
    if (filled.d or 0) <= 40:
        for order in range(2, min(3, filled.d or 0) + 1):
            yield Setting("ANOVA", ready(ANOVA(order=order, sigma=1.0), other=not standardised))
    else:
        rows = StandardizedRows(RBF(sigma="median"))
        for times in (0.5, 1.0, 2.0):
            sigma = rounded_width(times * rows.heuristics(filled.rows)["sigma"])
            yield Setting("Gaussian, standardised rows", ready(StandardizedRows(RBF(sigma=sigma)), standardised))
    image = starting(LocalityImprovedImage, filled)
    if image is not None:
        yield Setting("Images by place", ready(image, standardised))


def _deep(family: str, kernel: Kernel, levels: Sequence[int] = _LEVELS) -> Iterator[Setting]:
    for level in levels:
        yield Setting(family, Deep(kernel, level=level))


def _powers(family: str, kernel: Kernel, exponents: Sequence[float] = _POWERS) -> Iterator[Setting]:
    for p in exponents:
        yield Setting(family, Empirical(Power(kernel, p=p)))


def _nominal(data: Dataset) -> Iterator[Setting]:
    for exponent in (1, 2, 3, 5):
        yield Setting("Overlap", Overlap() ** exponent if exponent > 1 else Overlap())
    for gamma in (0.25, 0.5, 1.0, 2.0, 4.0):
        yield Setting("Overlap, Gaussian", Overlap(after="f2", gamma=gamma))
    for alpha in (0.4, 0.7, 1.0, 1.3):
        yield Setting("Rare values", ProbabilityOverlap(alpha=alpha))
        yield Setting("Rare values", ProbabilityOverlap(alpha=alpha) ** 2)
        yield Setting("Rare values, Gaussian", ProbabilityOverlap(alpha=alpha, after="f2", gamma=1.0))
    yield from _deep("Deep overlap", Overlap())
    yield from _deep("Deep rare values", ProbabilityOverlap(alpha=0.7))
    for coding in ("one-hot", "codes"):
        for degree in (2, 3, 5):
            yield Setting(f"Coded, {coding}", Coded(Normalized(Polynomial(degree=degree)), coding=coding))
        yield Setting(f"Coded, {coding}", Coded(RBF(sigma="median"), coding=coding))


def _strings(data: Dataset) -> Iterator[Setting]:
    strings = data.rows.tolist()
    for length in (1, 2, 3, 4, 5, 6):
        yield Setting("Words", Normalized(Spectrum(length=length)))
    for length in (1, 3):
        yield from _deep("Deep words", Normalized(Spectrum(length=length)), _LEVELS[:2])
    for length in (2, 3):
        yield from _powers("Words, power", Normalized(Spectrum(length=length)))
    for length, mismatches in ((3, 1), (4, 1), (5, 1)):
        yield Setting("Words with mismatches", Normalized(Mismatch(length=length, mismatches=mismatches)))
    if one_length(data):
        for degree in (1, 2, 3, 5, 8):
            yield Setting("By position", Normalized(WeightedDegree(degree=degree)))
        for degree in (1, 3):
            yield from _deep("Deep, by position", Normalized(WeightedDegree(degree=degree)), _LEVELS[:2])
        for degree in (2, 3):
            yield Setting("By position, to a power", Normalized(WeightedDegree(degree=degree)) ** 3)
        for window, d1 in ((2, 2), (3, 3), (4, 4)):
            yield Setting("Near positions", Normalized(LocalityImprovedSequence(window=window, d1=d1)))
        start = starting(Encoded, data)
        if start is not None:
            sigma = start.kernel.sigma  # type: ignore[attr-defined]
            for times in _WIDTHS[1:4]:
                yield Setting("Gaussian on letters", Encoded(RBF(sigma=rounded_width(times * sigma))))
    if quick_subsequences(strings):
        for order, decay in ((2, 0.25), (2, 0.75), (3, 0.25), (3, 0.75), (4, 0.5)):
            yield Setting("Subsequences", Normalized(Subsequence(order=order, decay=decay)))
        third = Subsequence(order=3, decay=0.25)
        yield from _powers("Subsequences, power", third, (0.1, *_POWERS))
        yield from _deep("Deep subsequences", Normalized(third))
        yield from _deep("Deep subsequences, lengths kept", third, _LEVELS[:2])


def _texts(data: Dataset) -> Iterator[Setting]:
    yield Setting("Words", VectorSpace())
    for weighting in ("tf", "tf-idf"):
        for stop in (None, "english"):
            words = VectorSpace(weighting=weighting, stop_words=stop)
            yield Setting("Angles between documents", Normalized(words))
            yield Setting("Angles, to a power", Normalized(words) ** 2)
        for concepts in (5, 10, 25, 50, 100, 200):
            semantic = LatentSemantic(concepts=concepts, weighting=weighting)
            yield Setting("Latent semantic", semantic)
            yield Setting("Latent semantic, angles", Normalized(semantic))
        yield from _deep("Deep angles", Normalized(VectorSpace(weighting=weighting)))
        yield from _powers("Power", Normalized(VectorSpace(weighting=weighting)))


def _graphs(data: Dataset) -> Iterator[Setting]:
    for beta in (0.01, 0.03, 0.05, 0.1):
        walks = LabelSequences(beta=beta, series="geometric")
        yield Setting("Walks", Normalized(walks))
        yield Setting("Walks, lengths kept", walks)
    for beta in (0.1, 0.3, 1.0):
        yield Setting("Walks, exponential", Normalized(LabelSequences(beta=beta, series="exponential")))
        yield Setting("Label pairs", Normalized(LabelPairs(beta=beta)))
        yield Setting("Label pairs, lengths kept", LabelPairs(beta=beta))
    for beta in (0.03, 0.1):
        walks = LabelSequences(beta=beta, series="geometric")
        yield from _deep("Deep walks", Normalized(walks))
        yield from _deep("Deep walks, lengths kept", walks)
        yield from _powers("Power", walks, _POWERS[1:])
    yield from _deep("Deep label pairs", Normalized(LabelPairs(beta=0.3)))


def _nodes(data: Dataset) -> Iterator[Setting]:
    for beta in (0.01, 0.03, 0.1, 0.3, 1.0, 3.0):
        diffusion = Diffusion(beta=beta)
        yield Setting("Diffusion", diffusion)
        yield Setting("Diffusion, angles", Normalized(diffusion))
        yield from _deep("Deep diffusion", diffusion)
    for diffusion in (Diffusion(beta=0.1), Diffusion(beta=0.3), Diffusion(beta=1.0)):
        yield from _deep("Deep diffusion, angles", Normalized(diffusion), (1,))
        yield from _powers("Power", diffusion, _POWERS[1:])
        yield Setting("Centred", Centered(diffusion))


def _pairs(data: Dataset) -> Iterator[Setting]:
    if data.base is None:
        members = [Setting("as they are", Precomputed())]
    else:
        members = list(candidates(data.base))[:12]
    for inner in members:
        tensor, metric = TensorPairs(inner.kernel), MetricPairs(inner.kernel)
        yield Setting(f"Tensor product, {inner.family}", tensor)
        yield Setting(f"Metric, {inner.family}", metric)
        yield Setting(f"Both, {inner.family}", Normalized(tensor) + Normalized(metric))
    yield from _deep("Deep", TensorPairs(members[0].kernel), _LEVELS[:2])


def _scores(data: Dataset) -> Iterator[Setting]:
    own = Precomputed()
    yield Setting("As it is", own)
    for method in ("clip", "flip", "shift", "square"):
        repaired = Repaired(own, method=method)
        yield Setting("Repaired", repaired)
        yield from _deep("Deep", repaired)
    yield Setting("Angles", Normalized(Repaired(own, method="clip")))
    yield Setting("Centred", Repaired(Centered(own), method="clip"))
    yield Setting("Rows by their scores", Empirical(own))
    if float(data.rows.min()) >= 0:
        yield from _powers("Power", own, (0.1, *_POWERS))


def _distances(data: Dataset) -> Iterator[Setting]:
    own = PrecomputedDistances()
    yield from _deep("Deep", own, (1, 2, 3, 4))
    for method in ("clip", "flip", "shift", "square"):
        scaled = Repaired(Centered(own), method=method)
        yield Setting("Classical scaling", scaled)
        yield from _deep("Deep scaling", scaled)


def _mixed(data: Dataset) -> Iterator[Setting]:
    parts = mixed_parts(data)
    yield from _combined(parts)
    for times in (0.25, 0.5, 2.0, 4.0):
        yield from _combined([_wider(part, times) for part in parts], few=True)
    for part in parts:
        yield Setting("One kind of column", part)


def _combined(parts: list[Kernel], few: bool = False) -> Iterator[Setting]:
    total = reduce(Sum, parts)
    yield Setting("Sum over kinds", total)
    yield Setting("Product over kinds", reduce(Product, parts))
    for exponent in (2,) if few else (2, 3, 5):
        yield Setting("Sum to a power", total**exponent)
    yield from _deep("Deep sum", total, (1,) if few else _LEVELS)


def _wider(kernel: Kernel, times: float) -> Kernel:
    """Return the kernel with every Gaussian width in it multiplied."""
    if isinstance(kernel, RBF):
        return kernel if kernel.sigma == "median" else RBF(sigma=rounded_width(times * float(kernel.sigma)))
    return kernel.with_children(lambda child: _wider(child, times)) if kernel.children else kernel


_GRIDS = {
    "vector": _vectors,
    "categorical": _nominal,
    "sequence": _strings,
    "text": _texts,
    "graph": _graphs,
    "node": _nodes,
    "pair": _pairs,
    "matrix": _scores,
    "distances": _distances,
    "mixed": _mixed,
}
