"""Suggested kernels, three for every kind of row, prepared for the data, and the suggested machine."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from ..analysis.aligned import are_aligned, word_length
from ..core.base import Kernel
from ..core.steps import normal_form
from ..data import Dataset
from ..kernels import (
    RBF,
    Convolution,
    Encoded,
    LocalityImprovedImage,
    MetricPairs,
    On,
    Overlap,
    Precomputed,
    Spectrum,
    TensorPairs,
    VectorSpace,
    WeightedDegree,
)
from ..machines import SVM, KernelPCARegression, Machine
from ..numerics.distances import looks_like_distances
from ..parse import parse
from ..values.domains import Domain
from ..wrappers import Deep, Imputed, Normalized, Standardized


@dataclass(frozen=True)
class Preset:
    """A suggested kernel: its `name`, the kernel as `text`, and what it `shows`."""

    name: str
    text: str
    shows: str

    @property
    def kernel(self) -> Kernel:
        """Return the kernel of the text."""
        return parse(self.text)


#: With more pairs of letters, subsequences take too long.
_TOO_MANY = 2e9

PRESETS: dict[str, tuple[Preset, ...]] = {
    "vector": (
        Preset("Gaussian", "RBF(sigma='median')", "Width from the data: near rows are similar."),
        Preset(
            "Memorising",
            "Normalized(Polynomial(degree=12, offset=0.0))",
            "A high degree: every row is similar to itself and hardly to others. Add a power step and drag p.",
        ),
        Preset("Two levels deep", "Deep(RBF(sigma='median'), level=2)", "Distances in feature space, twice."),
    ),
    "categorical": (
        Preset("Overlap", "Overlap()", "The share of columns in which two rows agree."),
        Preset("Rare counts more", "ProbabilityOverlap(alpha=0.7)", "Agreeing on a rare value weighs more."),
        Preset("Two levels deep", "Deep(Overlap(), level=2)", "Distances in feature space, twice."),
    ),
    "sequence": (
        Preset(
            "Tamed",
            "Empirical(Power(Subsequence(order=3, decay=0.25), p=0.5))",
            "A power below one shrinks the diagonal; the classes become visible.",
        ),
        Preset(
            "Memorising",
            "Subsequence(order=3, decay=0.25)",
            "Each string shares most subsequences with itself alone: the diagonal dominates.",
        ),
        Preset("Spectrum", "Normalized(Spectrum(length=3))", "Counts of three-letter words."),
    ),
    "aligned": (
        Preset(
            "By position",
            "Normalized(WeightedDegree(degree=3))",
            "Letters and short words count if they are at the same position.",
        ),
        Preset("Spectrum", "Normalized(Spectrum(length=3))", "Counts of three-letter words, at any position."),
        Preset(
            "Memorising",
            "Subsequence(order=6, decay=0.5)",
            "Each string shares long subsequences with itself alone. Add a power step and drag p.",
        ),
    ),
    "graph": (
        Preset("Walks", "Normalized(LabelSequences(beta=0.1, series='geometric'))", "Label sequences along walks."),
        Preset("Label pairs", "Normalized(LabelPairs(beta=0.1))", "The pairs of labels that walks connect."),
        Preset(
            "Walks, two levels",
            "Deep(Normalized(LabelSequences(beta=0.1, series='geometric')), level=2)",
            "Distances between molecules, twice.",
        ),
    ),
    "node": (
        Preset("Diffusion", "Diffusion(beta=0.3)", "Heat that spreads along the edges."),
        Preset("Short time", "Diffusion(beta=0.02)", "Little heat spreads: every node is similar to itself alone."),
        Preset("Two levels deep", "Deep(Diffusion(beta=0.3), level=2)", "Distances in feature space, twice."),
    ),
    "text": (
        Preset("Latent semantic", "LatentSemantic(concepts=100)", "Documents by their leading concepts."),
        Preset("Bag of words", "VectorSpace()", "Counts of words; long documents dominate."),
        Preset("Angles", "Normalized(VectorSpace(weighting='tf-idf'))", "Angles between documents, of any length."),
    ),
    "pair": (
        Preset(
            "Tensor product",
            "TensorPairs(RBF(sigma='median'))",
            "Two pairs are similar if their members are, in either order.",
        ),
        Preset(
            "Metric learning",
            "MetricPairs(RBF(sigma='median'))",
            "Two pairs are similar if their members differ in the same way.",
        ),
        Preset("Both", "TensorPairs(RBF(sigma='median')) + MetricPairs(RBF(sigma='median'))", "The sum of the two."),
    ),
    "matrix": (
        Preset("As it is", "Precomputed()", "The matrix itself."),
        Preset("Clipped", "Repaired(Precomputed(), method='clip')", "Negative eigenvalues set to zero."),
        Preset("Squared", "Repaired(Precomputed(), method='square')", "Rows compared by all their scores."),
    ),
    "distances": (
        Preset(
            "Gaussian",
            "Deep(PrecomputedDistances(), level=1)",
            "Rows much nearer than the mean distance are similar.",
        ),
        Preset(
            "Classical scaling",
            "Repaired(Centered(PrecomputedDistances()), method='clip')",
            "Points with these distances, as far as such points exist.",
        ),
        Preset("Two levels deep", "Deep(PrecomputedDistances(), level=2)", "Distances in feature space, once more."),
    ),
}


def presets_for(data: Dataset) -> tuple[Preset, ...]:
    """Return the presets for the data: by domain, for strings and matrices also by content, for mixed rows by column.

    >>> from kernlib.data import load_dataset
    >>> [preset.name for preset in presets_for(load_dataset("promoters"))]
    ['By position', 'Spectrum', 'Memorising']
    """
    if data.domain == "mixed":
        return _mixed(data)
    if data.domain not in ("sequence", "matrix"):
        return PRESETS.get(data.domain, ())
    if data.digest not in _PROPOSED:
        if len(_PROPOSED) > 200:
            _PROPOSED.clear()
        if data.domain == "sequence":
            _PROPOSED[data.digest] = _for_strings(data.rows.tolist())
        else:
            _PROPOSED[data.digest] = PRESETS["distances" if looks_like_distances(data.rows) else "matrix"]
    return _PROPOSED[data.digest]


#: The presets of strings and matrices by digest, so that no data set is kept in memory.
_PROPOSED: dict[str, tuple[Preset, ...]] = {}


def _for_strings(strings: list[str]) -> tuple[Preset, ...]:
    """Return presets by position for aligned strings, by words alone if subsequences take too long."""
    if are_aligned(strings):
        return PRESETS["aligned"]
    words = word_length(strings)
    counted = f"Counts of words of {words} letters."
    tamed, memorising, _ = PRESETS["sequence"]
    presets = (tamed, memorising, Preset("Spectrum", f"Normalized(Spectrum(length={words}))", counted))
    return presets if quick_subsequences(strings) else presets[::-1]


def quick_subsequences(strings: Sequence[str]) -> bool:
    """Return whether there are few enough pairs of letters for subsequences in a first kernel."""
    return sum(map(len, strings)) ** 2 < _TOO_MANY


def _mixed(data: Dataset) -> tuple[Preset, ...]:
    """Return the sum and the product of a kernel per kind of column."""
    parts = mixed_parts(data)
    total, product = reduce(operator.add, parts), reduce(operator.mul, parts)
    if len(parts) == 1:
        return (Preset("By column", repr(total), "A kernel for the one kind of column."),)
    return (
        Preset("Sum over kinds", repr(total), "⊕: every kind of column adds its similarity."),
        Preset("Product over kinds", repr(product), "⊗: rows are similar only if every kind of column is."),
        Preset("Two levels deep", repr(Deep(total, level=2)), "Distances in the feature space of the sum, twice."),
    )


def mixed_parts(data: Dataset) -> list[Kernel]:
    """Return one kernel per group of columns of mixed rows, all with k(x, x) = 1, so that all have equal weight.

    >>> from kernlib.data import load_dataset
    >>> [part.columns for part in mixed_parts(load_dataset("heart-mixed"))]
    [(0, 3, 4, 7, 9, 10, 11), (1, 2, 5, 6, 8, 12)]
    """
    parts: list[Kernel] = []
    numbers, nominal = data.of_kind("vector"), data.of_kind("categorical")
    if numbers:
        X = data.complete().rows[:, list(numbers)].astype(np.float64)
        width = Standardized(RBF(sigma="median")).heuristics(X)["sigma"]
        kernel: Kernel = Standardized(RBF(sigma=rounded_width(width)))
        parts.append(On(numbers, Imputed(kernel, strategy=data.fill) if data.fill else kernel))
    if nominal:
        parts.append(On(nominal, Overlap()))
    parts += [On((j,), for_sequences(data.rows[:, j].tolist())) for j in data.of_kind("sequence")]
    parts += [On((j,), Normalized(VectorSpace())) for j in data.of_kind("text")]
    return parts


def for_sequences(strings: Sequence[str]) -> Kernel:
    """Return a kernel by position for aligned strings, by short words for others."""
    return Normalized(WeightedDegree(degree=3) if are_aligned(strings) else Spectrum(length=word_length(strings)))


def default_kernel(data: Dataset) -> Kernel:
    """Return the first suggested kernel for a data set.

    >>> from kernlib.data import load_dataset
    >>> default_kernel(load_dataset("wine"))
    Standardized(RBF(sigma=5.0))
    """
    return prepared(presets_for(data)[0].kernel, data)


def prepared(kernel: Kernel, data: Dataset) -> Kernel:
    """Return the kernel prepared for this data: columns of unlike units standardised, a learnt width as a number.

    A number can be dragged on a slider, "median" cannot. The width depends on the rows alone, never on labels, and is
    rounded to two digits. A separate step, learnt from training rows, imputes missing values.

    >>> from kernlib.data import load_dataset
    >>> prepared(RBF(sigma="median"), load_dataset("iris"))
    RBF(sigma=2.4)
    """
    if data.domain == "mixed":  # prepared for this table already
        return kernel
    if data.fill:
        return normal_form(Imputed(prepared(kernel, data.complete()), strategy=data.fill))
    if unlike_units(data) and kernel.reads == "vector":
        kernel = normal_form(Standardized(kernel))
    base = kernel.kernel if isinstance(kernel, Standardized) else kernel
    if base == RBF(sigma="median"):
        width = kernel.heuristics(data.rows)["sigma"]
        number = RBF(sigma=rounded_width(width))
        return Standardized(number) if isinstance(kernel, Standardized) else number
    return kernel


def rounded_width(width: float) -> float:
    """Return a width to two digits, as a slider shows it; 1 if all rows are equal."""
    return float(f"{width:.2g}") if width > 0 and math.isfinite(width) else 1.0


def starting(cls: type[Kernel], data: Dataset, domain: Domain | None = None) -> Kernel | None:
    """Return the kernel that a menu creates from a class for this data; None if it needs a decision.

    `domain` is that of the rows that the kernel reads inside another kernel.

    >>> from kernlib.data import load_dataset
    >>> starting(LocalityImprovedImage, load_dataset("digits")).shape
    (8, 8)
    """
    own = domain in (None, data.domain)
    if cls is LocalityImprovedImage and not own:
        return None
    if cls is On:
        return mixed_parts(data)[0] if own and data.domain == "mixed" else None
    if cls is Encoded and own:
        width = Encoded(RBF(sigma="median")).heuristics(data.inputs)["sigma"] if one_length(data) else 0.0
        return Encoded(RBF(sigma=rounded_width(width))) if width > 0 else None
    if cls is LocalityImprovedImage:
        side = math.isqrt(data.d or 0)
        return LocalityImprovedImage(shape=(side, side)) if side * side == data.d and side > 2 else None
    if cls is Convolution:
        return Convolution("two-substrings", (Spectrum(length=2), Spectrum(length=2)))
    if cls in (TensorPairs, MetricPairs):
        base = data.base
        inner = Precomputed() if base is None else default_kernel(base)
        return cls(inner)
    try:
        return cls()
    except TypeError:
        return None


def one_length(data: Dataset) -> bool:
    """Return whether the rows are strings of one length, so that positions correspond."""
    return data.domain == "sequence" and len({len(s) for s in data.rows}) == 1


def unlike_units(data: Dataset) -> bool:
    """Return whether one column's spread is more than ten times another's, so that it dominates distances."""
    if data.domain != "vector" or data.d is None or data.d < 2:
        return False
    spread = data.rows.std(axis=0)
    spread = spread[spread > 0]
    # Pixels and genes share a unit although some hardly vary: a few constant columns are no reason.
    if len(spread) < 2 or data.d > 100:
        return False
    low, high = np.quantile(spread, (0.1, 0.9), method="nearest")  # no interpolation between columns
    return bool(high > 10 * low)


def default_machine(data: Dataset) -> Machine:
    """Return the suggested machine: an SVM for classes, kernel PCA regression of centred targets for real numbers.

    >>> from kernlib.data import load_dataset
    >>> default_machine(load_dataset("promoters")), default_machine(load_dataset("sinc"))
    (SVM(C=10.0, scale='spread'), KernelPCARegression(dimension='relevant', centred=True))
    """
    regression = data.task == "regression"
    return starting_machine(KernelPCARegression if regression else SVM, "regression" if regression else "")


def starting_machine(cls: type[Machine], task: str = "") -> Machine:
    """Return a machine of this class with suggested parameters for a task.

    C = 10 on the scale of the kernel's spread suits kernels of any size: strings and graphs whose k(x, x) is far from 1
    as well as rows on a sphere. Real targets may lie far from 0 and are centred.

    >>> starting_machine(SVM)
    SVM(C=10.0, scale='spread')
    """
    names = {p.name for p in cls.parameters()}
    scaled = {"C": 10.0, "scale": "spread"} if "scale" in names else {}
    centred = dict.fromkeys(cls.regression_only, True) if task == "regression" else {}
    return cls(**scaled, **centred)
