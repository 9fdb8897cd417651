"""Cached accessors of *Spectrum*: within how many directions the labels lie, and how these rebuild them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np

from kernlib import Kernel, KernlibError
from kernlib.analysis.relevant import (
    PermutationBand,
    RelevantDimension,
    RelevantDimensionLOO,
    cut_in_words,
    permutation_band,
    relevant_dimension,
    relevant_dimension_loo,
)
from kernlib.analysis.spectrum import decompose
from kernlib.data import Dataset
from kernlib.errors import DataError
from kernlib.figures.spectrum import CutFrame, Rebuilt
from pages.parts.results.compute import compared, gram, spectrum
from pages.parts.server.caching import known
from pages.parts.server.jobs import Sample

#: Leading directions in the first picture of a large matrix.
LEADING = 60

_T = TypeVar("_T")


@known("Computing the relevant dimension…")
def relevant(data: Dataset, kernel: Kernel) -> RelevantDimension:
    """Return the relevant dimension of the labels under the kernel."""
    return _estimated(relevant_dimension, data, kernel)


@known("Computing the leading directions…")
def leading(data: Dataset, kernel: Kernel) -> RelevantDimension:
    """Return the relevant dimension among the first `LEADING` directions, of which no others need to be known."""
    K, pairs = gram(data, kernel), decompose(gram(data, kernel), LEADING)
    return relevant_dimension(K, _labels(data), task=data.task or "auto", decomposition=pairs, centred=True)


def rebuilt(data: Dataset, rd: RelevantDimension) -> Rebuilt:
    """Return the picture of rebuilt labels: over the column of real labels of one column, else over the rows' rank."""
    one = data.task == "regression" and data.row_kind.points and data.rows.shape[1] == 1
    return Rebuilt(rd, data.places if isinstance(data, Sample) else None, data.complete().rows[:, 0] if one else None)


@known()
def cut_frame(data: Dataset, kernel: Kernel, view: int) -> CutFrame | None:
    """Return the cut of a kernel as a frame of the slider, `view` coefficients; None where it cannot be computed."""
    try:
        K, whole, _ = compared(data, kernel)
        rd = relevant_dimension(K, _labels(whole), task=data.task or "auto", centred=True)
    except KernlibError:
        return None
    return replace(CutFrame.of(rd, rebuilt(data, rd), view), sentence=cut_in_words(rd, _shuffled(rd)))


@known("Leaving rows out one by one…")
def loo(data: Dataset, kernel: Kernel) -> RelevantDimensionLOO:
    """Return the leave-one-out alternative."""
    return _estimated(relevant_dimension_loo, data, kernel)


def _estimated(estimate: Callable[..., _T], data: Dataset, kernel: Kernel) -> _T:
    K, whole, _ = compared(data, kernel)
    return estimate(K, _labels(whole), task=data.task or "auto", decomposition=spectrum(data, kernel), centred=True)


@known("Shuffling the labels 200 times…")
def band(data: Dataset, kernel: Kernel) -> PermutationBand:
    """Return the range of the smallest −log ℓ under shuffled labels."""
    return _shuffled(relevant(data, kernel))


def _shuffled(rd: RelevantDimension) -> PermutationBand:
    return permutation_band(rd, permutations=200, seed=0)


def _labels(data: Dataset) -> np.ndarray:
    if data.y is None:
        raise DataError(
            f"{data.title} has no labels; this view compares the kernel with labels. Choose a label column."
        )
    return data.y
