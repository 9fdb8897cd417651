"""What a Gram matrix says: diagnostics, deep levels, the spectrum, the relevant dimension, test decisions.

Plain functions from arrays to small frozen results; each result shows itself in a notebook.
"""

from .aligned import are_aligned, word_length
from .averaging import block_means
from .doctor import Finding, Remedy, examine
from .factored import alignment, class_scatter, diagnose_factor
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
from .leave_one_out import left_out_residuals
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
    "alignment",
    "angles_and_distances",
    "are_aligned",
    "block_means",
    "centre",
    "centre_rows",
    "centred_alignment",
    "class_means",
    "class_scatter",
    "class_separability",
    "class_spreads",
    "collapse",
    "confusion",
    "cosine",
    "decompose",
    "deep_levels",
    "diagnose",
    "diagnose_factor",
    "diagonal_ratio",
    "effective_rank",
    "examine",
    "fix_signs",
    "graph_layout",
    "informative_peak",
    "kernel_pca",
    "lanczos",
    "left_out_residuals",
    "level_numbers",
    "levels_of",
    "order_rows",
    "participation_ratio",
    "permutation_band",
    "precision_recall_curves",
    "relevant_dimension",
    "relevant_dimension_loo",
    "roc_curves",
    "squared_distances",
    "word_length",
]
