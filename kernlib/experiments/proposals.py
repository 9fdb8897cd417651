"""Kernels to begin with: three for every kind of data that are known to show something, made ready for the rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..analysis.aligned import are_aligned, word_length
from ..base import Kernel
from ..data import Dataset
from ..distances import looks_like_distances
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
from ..parse import parse
from ..steps import normal_form
from ..values.arrays import Array
from ..values.domains import Domain
from ..wrappers import Deep, Imputed, Normalized, Standardized

__all__ = [
    "PRESETS", "Preset", "default_kernel", "default_machine", "mixed_parts", "presets_for", "settled", "starting",
]  # fmt: skip


@dataclass(frozen=True)
class Preset:
    """A kernel under a few words that say what it shows: its `name`, the kernel as `text`, and what it `shows`."""

    name: str
    text: str
    shows: str

    @property
    def kernel(self) -> Kernel:
        """The kernel that the text makes."""
        return parse(self.text)


#: From so many pairs of letters on, subsequences take too long for a first look.
_TOO_MANY = 2e9
#: A set with more rows, or with kernel values of another size, is learnt with a soft margin at first.
_FEW = 200

PRESETS: dict[str, tuple[Preset, ...]] = {
    "vector": (
        Preset("Gaussian", "RBF(sigma='median')", "Width from the data: near rows are alike."),
        Preset(
            "Memorising",
            "Normalized(Polynomial(degree=12, offset=0.0))",
            "A high degree: every row is like itself and hardly like another. Add a power step and drag p.",
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
            "A power below one shrinks the diagonal; the classes come out.",
        ),
        Preset(
            "Memorising",
            "Subsequence(order=3, decay=0.25)",
            "Each string shares most subsequences with itself: the diagonal takes over.",
        ),
        Preset("Spectrum", "Normalized(Spectrum(length=3))", "Counts of three-letter words."),
    ),
    "aligned": (
        Preset(
            "By position",
            "Normalized(WeightedDegree(degree=3))",
            "Letters and short words count where they stand at the same place.",
        ),
        Preset("Spectrum", "Normalized(Spectrum(length=3))", "Counts of three-letter words, wherever they stand."),
        Preset(
            "Memorising",
            "Subsequence(order=6, decay=0.5)",
            "Long subsequences are shared with oneself alone. Add a power step and drag p.",
        ),
    ),
    "graph": (
        Preset("Walks", "Normalized(LabelSequences(beta=0.1, series='geometric'))", "Label sequences along walks."),
        Preset("Label pairs", "Normalized(LabelPairs(beta=0.1))", "Which labels a walk joins."),
        Preset(
            "Walks, two levels",
            "Deep(Normalized(LabelSequences(beta=0.1, series='geometric')), level=2)",
            "Distances between molecules, twice.",
        ),
    ),
    "node": (
        Preset("Diffusion", "Diffusion(beta=0.3)", "Heat that has spread along the edges."),
        Preset("Short time", "Diffusion(beta=0.02)", "Little has spread: every node knows itself alone."),
        Preset("Two levels deep", "Deep(Diffusion(beta=0.3), level=2)", "Distances in feature space, twice."),
    ),
    "text": (
        Preset("Latent semantic", "LatentSemantic(concepts=100)", "Documents by their leading concepts."),
        Preset("Bag of words", "VectorSpace()", "Counts of words; long documents dominate."),
        Preset("Angles", "Normalized(VectorSpace(weighting='tf-idf'))", "Length no longer counts."),
    ),
    "pair": (
        Preset(
            "Tensor product",
            "TensorPairs(RBF(sigma='median'))",
            "Two pairs are alike when their members are, in either order.",
        ),
        Preset(
            "Metric learning",
            "MetricPairs(RBF(sigma='median'))",
            "Two pairs are alike when their members differ in the same way.",
        ),
        Preset("Both", "TensorPairs(RBF(sigma='median')) + MetricPairs(RBF(sigma='median'))", "The sum of the two."),
    ),
    "matrix": (
        Preset("As it is", "Precomputed()", "The matrix itself."),
        Preset("Clipped", "Repaired(Precomputed(), method='clip')", "Negative eigenvalues set to zero."),
        Preset("Squared", "Repaired(Precomputed(), method='square')", "Rows compared by their scores."),
    ),
    "distances": (
        Preset(
            "Gaussian",
            "Deep(PrecomputedDistances(), level=1)",
            "Rows much nearer than the mean distance are alike.",
        ),
        Preset(
            "Classical scaling",
            "Repaired(Centered(PrecomputedDistances()), method='clip')",
            "Points that have these distances, as far as there are such.",
        ),
        Preset("Two levels deep", "Deep(PrecomputedDistances(), level=2)", "Distances in feature space, once more."),
    ),
}


def presets_for(data: Dataset) -> tuple[Preset, ...]:
    """The presets of the data's domain; sequences and matrices have those of what they are, mixed rows by column.

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


#: What is proposed for strings and matrices by their digest, so that no data set is kept for it.
_PROPOSED: dict[str, tuple[Preset, ...]] = {}


def _for_strings(strings: list[str]) -> tuple[Preset, ...]:
    """By position where the strings were cut around one place; by words alone where subsequences take too long."""
    if are_aligned(strings):
        return PRESETS["aligned"]
    words = word_length(strings)
    counted = f"Counts of words of {words} letters."
    tamed, memorising, _ = PRESETS["sequence"]
    found = (tamed, memorising, Preset("Spectrum", f"Normalized(Spectrum(length={words}))", counted))
    return found if sum(map(len, strings)) ** 2 < _TOO_MANY else found[::-1]


def _mixed(data: Dataset) -> tuple[Preset, ...]:
    """A kernel for each kind of column, added and multiplied."""
    parts = mixed_parts(data)
    total, product = parts[0], parts[0]
    for part in parts[1:]:
        total, product = total + part, product * part
    if len(parts) == 1:
        return (Preset("By column", repr(total), "A kernel for the one kind of column."),)
    return (
        Preset("Sum over kinds", repr(total), "⊕: every kind of column adds its share of likeness."),
        Preset("Product over kinds", repr(product), "⊗: rows are alike only when every kind of column says so."),
        Preset("Two levels deep", repr(Deep(total, level=2)), "Distances in the feature space of the sum, twice."),
    )


def mixed_parts(data: Dataset) -> list[Kernel]:
    """One kernel on each group of columns of mixed rows, all with k(x, x) = 1 so that none outweighs another.

    >>> from kernlib.data import load_dataset
    >>> [part.columns for part in mixed_parts(load_dataset("heart-mixed"))]
    [(0, 3, 4, 7, 9, 10, 11), (1, 2, 5, 6, 8, 12)]
    """
    parts: list[Kernel] = []
    numbers, nominal = data.of_kind("vector"), data.of_kind("categorical")
    if numbers:
        X = data.complete().rows[:, list(numbers)].astype(np.float64)
        width = Standardized(RBF(sigma="median")).heuristics(X)["sigma"]
        kernel: Kernel = Standardized(RBF(sigma=float(f"{width:.2g}")) if width > 0 else RBF())
        parts.append(On(numbers, Imputed(kernel, strategy=data.fill) if data.fill else kernel))
    if nominal:
        parts.append(On(nominal, Overlap()))
    parts += [On((j,), for_sequences(data.rows[:, j].tolist())) for j in data.of_kind("sequence")]
    parts += [On((j,), Normalized(VectorSpace())) for j in data.of_kind("text")]
    return parts


def for_sequences(strings: Sequence[str]) -> Kernel:
    """By position where they were cut around one place, else by short words."""
    return Normalized(WeightedDegree(degree=3) if are_aligned(strings) else Spectrum(length=word_length(strings)))


def default_kernel(data: Dataset) -> Kernel:
    """What is proposed when a data set is chosen.

    >>> from kernlib.data import load_dataset
    >>> default_kernel(load_dataset("wine"))
    Standardized(RBF(sigma=5.0))
    """
    return settled(presets_for(data)[0].kernel, data)


def settled(kernel: Kernel, data: Dataset) -> Kernel:
    """The kernel made ready for this data: unlike columns standardised, a learnt width as a number.

    A number stands on a slider and invites dragging; "median" would leave nothing to drag. The
    width comes from the rows alone, never from their labels, and is rounded to two digits. Gaps are
    filled by a step of their own, learnt from training rows.

    >>> from kernlib.data import load_dataset
    >>> settled(RBF(sigma="median"), load_dataset("iris"))
    RBF(sigma=2.4)
    """
    if data.domain == "mixed":  # made for this table, gaps included
        return kernel
    if data.fill:
        return normal_form(Imputed(settled(kernel, data.complete()), strategy=data.fill))
    if unlike_units(data) and kernel.reads == "vector":
        kernel = normal_form(Standardized(kernel))
    base = kernel.kernel if isinstance(kernel, Standardized) else kernel
    if base == RBF(sigma="median"):
        width = kernel.heuristics(data.rows)["sigma"]
        number = RBF(sigma=float(f"{width:.2g}")) if width > 0 else RBF()
        return Standardized(number) if isinstance(kernel, Standardized) else number
    return kernel


def starting(cls: type[Kernel], data: Dataset, domain: Domain | None = None) -> Kernel | None:
    """The kernel that the menu makes from a class for this data; None where it needs a decision.

    `domain` is that of the rows that it reads where it stands inside another kernel.

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
        return Encoded(RBF(sigma=float(f"{width:.2g}"))) if width > 0 else None
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
    """Whether these are strings that are all of one length, so that a place means the same in each."""
    return data.domain == "sequence" and len({len(s) for s in data.rows}) == 1


def unlike_units(data: Dataset) -> bool:
    """Whether one column's spread is more than ten times another's, so that it would decide alone."""
    if data.domain != "vector" or data.d is None or data.d < 2:
        return False
    spread = data.rows.std(axis=0)
    spread = spread[spread > 0]
    # Pixels and genes share a unit although some hardly vary: a few quiet columns are no reason.
    if len(spread) < 2 or data.d > 100:
        return False
    low, high = np.quantile(spread, (0.1, 0.9), method="nearest")  # between two columns there is no third
    return bool(high > 10 * low)


def default_machine(data: Dataset, K: Array | None = None) -> Machine:
    """A machine to begin with: for classes an SVM, hard where the sources use it, else C by the kernel's scale.

    C bounds a row's weight, and that has the unit 1/k: with the Gram matrix K, C is a power of ten near one over the
    rows' spread in feature space, mean K_ii − mean K_ij, unless 1 is within a hundredfold of that. For real targets
    kernel PCA regression, their mean taken off.

    >>> from kernlib.data import load_dataset
    >>> default_machine(load_dataset("promoters")), default_machine(load_dataset("sinc"))
    (SVM(C=inf), KernelPCARegression(dimension='relevant', centred=True))
    """
    if data.task == "regression":
        return KernelPCARegression(centred=True)
    if data.domain == "sequence" and data.n <= _FEW:
        return SVM(C=math.inf)
    spread = 1.0 if K is None else float(np.mean(np.diagonal(K)) - np.mean(K))
    if not np.isfinite(spread) or spread <= 0 or 0.01 <= spread <= 100:
        return SVM(C=1.0)
    low, high = 1e-3, 1e3  # where the slider ends
    return SVM(C=min(max(10.0 ** -round(math.log10(spread)), low), high))
