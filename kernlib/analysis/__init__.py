"""What a Gram matrix says: diagnostics, deep levels, the spectrum, the relevant dimension, test decisions.

Plain functions from arrays to small frozen results; each result shows itself in a notebook.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .aligned import are_aligned, word_length
from .averaging import block_means
from .doctor import Finding, Remedy, examine
from .geometry import Geometry, angles_and_distances, centre, centre_rows, cosine, squared_distances
from .gram import (
    PSD_TOLERANCE,
    GramDiagnostics,
    Summary,
    centred_alignment,
    class_means,
    class_separability,
    class_spreads,
    diagnose,
    diagonal_ratio,
    effective_rank,
    participation_ratio,
)
from .layout import graph_layout
from .levels import (
    COLLAPSED,
    Collapse,
    DeepLevel,
    LevelNumbers,
    Peak,
    collapse,
    deep_levels,
    informative_peak,
    level_numbers,
    levels_of,
)
from .order import ORDERINGS, order_rows
from .outcomes import Confusion, PrecisionRecallCurve, RocCurve, confusion, precision_recall_curves, roc_curves
from .relevant import (
    PermutationBand,
    RelevantDimension,
    RelevantDimensionLOO,
    permutation_band,
    relevant_dimension,
    relevant_dimension_loo,
)
from .spectrum import Decomposition, KernelPCA, decompose, kernel_pca

if TYPE_CHECKING:
    from .film import CELLS, Film, Frame, feature_plane, frame_of, missing_frame, turned
    from .quick import RIDGES, QuickErrors, quick_errors
    from .sentence import Observation, observe, plain_words

__all__ = [
    "CELLS",
    "COLLAPSED",
    "ORDERINGS",
    "PSD_TOLERANCE",
    "RIDGES",
    "Collapse",
    "Confusion",
    "Decomposition",
    "DeepLevel",
    "Film",
    "Finding",
    "Frame",
    "Geometry",
    "GramDiagnostics",
    "KernelPCA",
    "LevelNumbers",
    "Observation",
    "Peak",
    "PermutationBand",
    "PrecisionRecallCurve",
    "QuickErrors",
    "RelevantDimension",
    "RelevantDimensionLOO",
    "Remedy",
    "RocCurve",
    "Summary",
    "angles_and_distances",
    "are_aligned",
    "block_means",
    "centre",
    "centre_rows",
    "centred_alignment",
    "class_means",
    "class_separability",
    "class_spreads",
    "collapse",
    "confusion",
    "cosine",
    "decompose",
    "deep_levels",
    "diagnose",
    "diagonal_ratio",
    "effective_rank",
    "examine",
    "feature_plane",
    "frame_of",
    "graph_layout",
    "informative_peak",
    "kernel_pca",
    "level_numbers",
    "levels_of",
    "missing_frame",
    "observe",
    "order_rows",
    "participation_ratio",
    "permutation_band",
    "plain_words",
    "precision_recall_curves",
    "quick_errors",
    "relevant_dimension",
    "relevant_dimension_loo",
    "roc_curves",
    "squared_distances",
    "turned",
    "word_length",
]

# These stand on machines, which stand on this package: they are imported when they are asked for.
_ON_MACHINES = {
    "CELLS": "film",
    "Film": "film",
    "Frame": "film",
    "feature_plane": "film",
    "frame_of": "film",
    "missing_frame": "film",
    "turned": "film",
    "RIDGES": "quick",
    "QuickErrors": "quick",
    "quick_errors": "quick",
    "Observation": "sentence",
    "observe": "sentence",
    "plain_words": "sentence",
}


def __getattr__(name: str) -> Any:
    if name not in _ON_MACHINES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_ON_MACHINES[name]}", __name__), name)
