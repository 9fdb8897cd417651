"""Cached accessors: the only place where a page reaches the mathematics.

Keys are values: the data set's digest and the kernel's repr, never an array and never the kernel
object (Streamlit hashes a dataclass through `asdict`, which drops the class names of nested
kernels; and it samples large arrays). Arrays that come out are shared between sessions, and so
are read-only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from kernlib import Kernel, KernlibError
from kernlib.analysis import gram as gram_analysis
from kernlib.analysis.levels import DeepLevel, LevelNumbers, level_numbers, levels_of
from kernlib.analysis.relevant import (
    PermutationBand,
    RelevantDimension,
    RelevantDimensionLOO,
    permutation_band,
    relevant_dimension,
    relevant_dimension_loo,
)
from kernlib.analysis.spectrum import Decomposition, decompose
from kernlib.data import Dataset, load_dataset
from kernlib.errors import DataError
from kernlib.experiments import REFERENCE, Axis, RunSpec, sweep
from kernlib.machines import NearestCentroid, NearestNeighbour
from kernlib.protocols import RepeatedSplits
from kernlib.wrappers.deep import Deep

__all__ = [
    "MAX_ROWS",
    "band",
    "data_set",
    "decomposition",
    "diagnostics",
    "gram",
    "heuristics",
    "level_table",
    "levels",
    "loo",
    "order",
    "relevant",
]

#: Rows in one view: a Gram matrix of this size takes 72 MB and a second to decompose.
MAX_ROWS = 3000


@st.cache_resource(max_entries=24, show_spinner=False)
def data_set(name: str, parameters: tuple[tuple[str, Any], ...]) -> Dataset:
    """A catalogue data set with its parameters."""
    return load_dataset(name, **dict(parameters))


def gram(data: Dataset, kernel: Kernel) -> np.ndarray:
    """The Gram matrix on all rows of the data set."""
    if data.n > MAX_ROWS:
        raise DataError(
            f"{data.title}: a Gram matrix of {data.n} rows would take {data.n**2 * 8 / 1e6:.0f} MB; expected at "
            f"most {MAX_ROWS} rows here. Choose a smaller sample."
        )
    return _gram(data.digest, repr(kernel), data, kernel)


@st.cache_resource(max_entries=12, show_spinner=False)
def _gram(digest: str, text: str, _data: Dataset, _kernel: Kernel) -> np.ndarray:
    K = _kernel.unfitted().fold(_data.inputs, y=_data.y).K
    if not np.isfinite(K).all():
        raise DataError(
            f"{text}: some values are not finite on {_data.title}; expected finite numbers. "
            "Scale the columns, or choose smaller degrees and factors."
        )
    K.flags.writeable = False
    return K


def heuristics(data: Dataset, kernel: Kernel) -> dict[str, float]:
    """What the rows suggest for the base kernel's parameters."""
    return _heuristics(data.digest, repr(kernel), data, kernel)


@st.cache_data(max_entries=64, show_spinner=False)
def _heuristics(digest: str, text: str, _data: Dataset, _kernel: Kernel) -> dict[str, float]:
    try:
        return _kernel.heuristics(_data.inputs)
    except KernlibError:
        return {}


def decomposition(data: Dataset, kernel: Kernel) -> Decomposition:
    """The one eigendecomposition of the Gram matrix."""
    return _decomposition(data.digest, repr(kernel), data, kernel)


@st.cache_resource(max_entries=12, show_spinner=False)
def _decomposition(digest: str, text: str, _data: Dataset, _kernel: Kernel) -> Decomposition:
    return decompose(gram(_data, _kernel))


def diagnostics(data: Dataset, kernel: Kernel) -> gram_analysis.GramDiagnostics:
    """The numbers beside the heatmap."""
    return _diagnostics(data.digest, repr(kernel), data, kernel)


@st.cache_resource(max_entries=32, show_spinner=False)
def _diagnostics(digest: str, text: str, _data: Dataset, _kernel: Kernel) -> gram_analysis.GramDiagnostics:
    eigenvalues = decomposition(_data, _kernel).eigenvalues
    y = _data.y if _enough_classes(_data) else None
    return gram_analysis.diagnose(gram(_data, _kernel), y, eigenvalues=eigenvalues, task=_data.task or "auto")


def order(data: Dataset, kernel: Kernel, by: str) -> np.ndarray:
    """Row numbers in the order in which the heatmap shows them."""
    return _order(data.digest, repr(kernel), by, data, kernel)


@st.cache_resource(max_entries=32, show_spinner=False)
def _order(digest: str, text: str, by: str, _data: Dataset, _kernel: Kernel) -> np.ndarray:
    return gram_analysis.order_rows(gram(_data, _kernel), _data.y, by)


def relevant(data: Dataset, kernel: Kernel, max_dimension: int | None = None) -> RelevantDimension:
    """Relevant dimension of the labels under the kernel."""
    return _relevant(data.digest, repr(kernel), max_dimension, data, kernel)


@st.cache_resource(max_entries=32, show_spinner=False)
def _relevant(digest: str, text: str, max_dimension: int | None, _data: Dataset, _kernel: Kernel) -> RelevantDimension:
    return relevant_dimension(
        gram(_data, _kernel),
        _labels(_data),
        max_dimension,
        task=_data.task or "auto",
        decomposition=decomposition(_data, _kernel),
    )


def loo(data: Dataset, kernel: Kernel, max_dimension: int | None = None) -> RelevantDimensionLOO:
    """The leave-one-out alternative."""
    return _loo(data.digest, repr(kernel), max_dimension, data, kernel)


@st.cache_resource(max_entries=32, show_spinner=False)
def _loo(digest: str, text: str, max_dimension: int | None, _data: Dataset, _kernel: Kernel) -> RelevantDimensionLOO:
    return relevant_dimension_loo(
        gram(_data, _kernel),
        _labels(_data),
        max_dimension,
        task=_data.task or "auto",
        decomposition=decomposition(_data, _kernel),
    )


def band(data: Dataset, kernel: Kernel, max_dimension: int | None = None) -> PermutationBand:
    """How low −log ℓ falls when the labels are shuffled."""
    return _band(data.digest, repr(kernel), max_dimension, data, kernel)


@st.cache_resource(max_entries=32, show_spinner=False)
def _band(digest: str, text: str, max_dimension: int | None, _data: Dataset, _kernel: Kernel) -> PermutationBand:
    return permutation_band(relevant(_data, _kernel, max_dimension), permutations=200, seed=0)


def levels(data: Dataset, kernel: Kernel, count: int, bandwidths: tuple[float | None, ...]) -> tuple[DeepLevel, ...]:
    """The Gram matrices of levels 0…count over the kernel."""
    return _levels(data.digest, repr(kernel), count, bandwidths, data, kernel)


@st.cache_resource(max_entries=6, show_spinner=False)
def _levels(
    digest: str, text: str, count: int, bandwidths: tuple[float | None, ...], _data: Dataset, _kernel: Kernel
) -> tuple[DeepLevel, ...]:
    return levels_of(gram(_data, _kernel), count, bandwidths)


def level_table(
    data: Dataset, kernel: Kernel, count: int, bandwidths: tuple[float | None, ...], splits: int
) -> tuple[LevelNumbers, ...]:
    """What the film-strip writes under each level; with `splits` > 0 also errors of cheap machines."""
    return _level_table(data.digest, repr(kernel), count, bandwidths, splits, data, kernel)


@st.cache_resource(max_entries=16, show_spinner=False)
def _level_table(
    digest: str,
    text: str,
    count: int,
    bandwidths: tuple[float | None, ...],
    splits: int,
    _data: Dataset,
    _kernel: Kernel,
) -> tuple[LevelNumbers, ...]:
    labelled = _data.y is not None and _enough_classes(_data)
    errors: list[dict[str, float]] = [{} for _ in range(count + 1)]
    if splits and labelled and _data.task == "classification":
        padded = (*bandwidths, *(None,) * (count - len(bandwidths)))
        deep = Deep(_kernel, level=0, bandwidths=padded if any(padded) else None)
        for machine in (NearestCentroid(), NearestNeighbour(k=1)):
            spec = RunSpec(
                "shown",
                deep,
                machine,
                RepeatedSplits(repeats=splits),
                "error",
                Axis("kernel.level", tuple(range(count + 1))),
            )
            scores: dict[Any, list[float]] = {}
            for result in sweep(spec, _data):
                if result.value != REFERENCE:
                    scores.setdefault(result.value, []).append(result.score)
            for level, found in scores.items():
                errors[level][machine.label] = float(np.mean(found))
    y = _data.y if labelled else None
    return tuple(
        level_numbers(level, y, task=_data.task or "auto", errors=errors[level.level])
        for level in levels(_data, _kernel, count, bandwidths)
    )


def _labels(data: Dataset) -> np.ndarray:
    if data.y is None:
        raise DataError(
            f"{data.title} has no labels; this view compares the kernel with labels. Choose a label column."
        )
    return data.y


def _enough_classes(data: Dataset) -> bool:
    return data.y is not None and (data.task == "regression" or len(set(data.y.tolist())) > 1)
