"""Analysis of a Gram matrix: diagnostics, deep levels, spectrum, relevant dimension, test decisions.

Plain functions from arrays to small frozen results; each result has a notebook view.
"""

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
from .interval import DimensionInterval, dimension_interval
from .layout import graph_layout
from .leave_one_out import left_out_residuals
from .levels import (
    COLLAPSED,
    Collapse,
    DeepLevel,
    LevelNumbers,
    Peak,
    collapse,
    collapse_level,
    deep_levels,
    informative_peak,
    level_numbers,
    level_verdict,
    levels_of,
    peaks,
)
from .order import ORDERINGS, order_rows
from .outcomes import Confusion, PrecisionRecallCurve, RocCurve, confusion, precision_recall_curves, roc_curves
from .relevant import (
    PermutationBand,
    RelevantDimension,
    RelevantDimensionLOO,
    expected_dimension,
    permutation_band,
    relevant_dimension,
    relevant_dimension_loo,
)
from .spectrum import (
    Decomposition,
    KernelPCA,
    decompose,
    fix_signs,
    kernel_pca,
    lanczos,
)

__all__ = [
    "COLLAPSED",
    "ORDERINGS",
    "PSD_TOLERANCE",
    "Collapse",
    "Confusion",
    "Decomposition",
    "DeepLevel",
    "DimensionInterval",
    "Finding",
    "Geometry",
    "GramDiagnostics",
    "KernelPCA",
    "LevelNumbers",
    "Peak",
    "PermutationBand",
    "PrecisionRecallCurve",
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
    "collapse_level",
    "confusion",
    "cosine",
    "decompose",
    "deep_levels",
    "diagnose",
    "diagonal_ratio",
    "dimension_interval",
    "effective_rank",
    "examine",
    "expected_dimension",
    "fix_signs",
    "graph_layout",
    "informative_peak",
    "kernel_pca",
    "lanczos",
    "left_out_residuals",
    "level_numbers",
    "level_verdict",
    "levels_of",
    "order_rows",
    "participation_ratio",
    "peaks",
    "permutation_band",
    "precision_recall_curves",
    "relevant_dimension",
    "relevant_dimension_loo",
    "roc_curves",
    "squared_distances",
    "word_length",
]
