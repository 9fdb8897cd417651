"""Three kernels for every kind of data that are known to show something."""

from __future__ import annotations

import math
from dataclasses import dataclass

import kernlib
from kernlib import Kernel, parse
from kernlib.data import Dataset
from kernlib.machines import SVM, Machine

__all__ = ["PRESETS", "Preset", "default_kernel", "default_machine", "presets_for"]


@dataclass(frozen=True)
class Preset:
    """A kernel under a few words that say what it shows."""

    name: str
    text: str
    shows: str

    @property
    def kernel(self) -> Kernel:
        return parse(self.text)


PRESETS: dict[str, tuple[Preset, ...]] = {
    "vector": (
        Preset("Gaussian", "RBF(sigma='median')", "Width from the data: near rows are alike."),
        Preset(
            "Memorising", "Normalized(Polynomial(degree=12, offset=0.0))",
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
            "Tamed", "Empirical(Power(Subsequence(order=3, decay=0.25), p=0.5))",
            "A power below one shrinks the diagonal; the classes come out.",
        ),
        Preset(
            "Memorising", "Subsequence(order=3, decay=0.25)",
            "Each string shares most subsequences with itself: the diagonal takes over.",
        ),
        Preset("Spectrum", "Normalized(Spectrum(length=3))", "Counts of three-letter words."),
    ),
    "graph": (
        Preset("Walks", "Normalized(LabelSequences(beta=0.1, series='geometric'))", "Label sequences along walks."),
        Preset("Label pairs", "Normalized(LabelPairs(beta=0.1))", "Which labels a walk joins."),
        Preset(
            "Walks, two levels", "Deep(Normalized(LabelSequences(beta=0.1, series='geometric')), level=2)",
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
    "matrix": (
        Preset("As it is", "Precomputed()", "The matrix itself."),
        Preset("Clipped", "Repaired(Precomputed(), method='clip')", "Negative eigenvalues set to zero."),
        Preset("Squared", "Repaired(Precomputed(), method='square')", "Rows compared by their scores."),
    ),
}


def presets_for(data: Dataset) -> tuple[Preset, ...]:
    """The presets of the data's domain whose kernels exist."""
    return tuple(p for p in PRESETS.get(data.domain, ()) if hasattr(kernlib, p.text.split("(")[0]))


def default_kernel(data: Dataset) -> Kernel:
    """What is proposed when a data set is chosen."""
    return presets_for(data)[0].kernel


def default_machine(data: Dataset) -> Machine:
    """The hard margin where the sources use it (their zero-training-error case), else C = 1."""
    return SVM(C=math.inf) if data.domain == "sequence" else SVM(C=1.0)
