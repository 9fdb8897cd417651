"""Analysis of a Gram matrix: diagnostics, deep levels, spectrum, relevant dimension, test decisions.

Plain functions from arrays to small frozen results; each result has a notebook view.
"""

from .calibration import Calibration, calibration_by_bins, probabilities_of
from .doctor import Finding, Remedy, examine, examine_own
from .geometry import centre, cosine, squared_distances
from .gram import (
    GramDiagnostics,
    Summary,
    centred_alignment,
    class_means,
    class_separability,
    diagnose,
    diagonal_ratio,
    effective_rank,
    participation_ratio,
)
from .groups import Groups, Unusual, affinity_of, one_class_scores, spectral_groups, subsample_agreement
from .layout import graph_layout
from .leave_one_out import left_out_residuals
from .levels import (
    Collapse,
    DeepLevel,
    LevelChoice,
    LevelNumbers,
    collapse,
    compare_levels,
    deep_levels,
    level_distances,
    level_numbers,
    level_sentences,
    levels_of,
    levels_to_collapse,
)
from .order import ORDERINGS, order_rows
from .outcomes import (
    Confusion,
    RocCurve,
    Threshold,
    at_threshold,
    confusion,
    roc_curves,
)
from .recipes import Recipe, deep_recipe, recipes_for, without_levels
from .relevant import (
    PermutationBand,
    RelevantDimension,
    RelevantDimensionLOO,
    cut_in_words,
    permutation_band,
    relevant_dimension,
    relevant_dimension_loo,
)
from .spectrum import (
    Decomposition,
    KernelPCA,
    decompose,
    kernel_pca,
)

__all__ = [
    "ORDERINGS",
    "Calibration",
    "Collapse",
    "Confusion",
    "Decomposition",
    "DeepLevel",
    "Finding",
    "GramDiagnostics",
    "Groups",
    "KernelPCA",
    "LevelChoice",
    "LevelNumbers",
    "PermutationBand",
    "Recipe",
    "RelevantDimension",
    "RelevantDimensionLOO",
    "Remedy",
    "RocCurve",
    "Summary",
    "Threshold",
    "Unusual",
    "affinity_of",
    "at_threshold",
    "calibration_by_bins",
    "centre",
    "centred_alignment",
    "class_means",
    "class_separability",
    "collapse",
    "compare_levels",
    "confusion",
    "cosine",
    "cut_in_words",
    "decompose",
    "deep_levels",
    "deep_recipe",
    "diagnose",
    "diagonal_ratio",
    "effective_rank",
    "examine",
    "examine_own",
    "graph_layout",
    "kernel_pca",
    "left_out_residuals",
    "level_distances",
    "level_numbers",
    "level_sentences",
    "levels_of",
    "levels_to_collapse",
    "one_class_scores",
    "order_rows",
    "participation_ratio",
    "permutation_band",
    "probabilities_of",
    "recipes_for",
    "relevant_dimension",
    "relevant_dimension_loo",
    "roc_curves",
    "spectral_groups",
    "squared_distances",
    "subsample_agreement",
    "without_levels",
]
