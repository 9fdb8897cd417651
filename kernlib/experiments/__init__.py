"""Runs: what is varied (`Axis`), the whole specification (`RunSpec`), the engine (`sweep`), the curve."""

from ..budget import memory_budget
from ..workers import BACKENDS, cluster_address
from .apart import gram_apart, short_rows, short_rows_apart, sweep_apart, warm
from .approximation import landmark_error, landmark_errors
from .axis import Axis, Place, available_axes, with_value
from .criteria import Criteria, cheap_criteria, ridge_loo
from .curve import Curve, curve, seen_by
from .decisions import Decisions, decisions
from .estimate import CostEstimate, estimate
from .files import reread_upload
from .folds import REFERENCE, FoldResult
from .gram_cost import GramCost, gram_cost
from .guessing import against_guessing
from .known import FromRows, from_all_rows
from .results import check_writable, curve_csv, results_csv, run_to, write_results
from .scikit import scikit_script
from .script import script
from .spec import MOST_FITS, UPLOAD, RunSpec
from .sweep import natural_backend, sweep

__all__ = [
    "BACKENDS",
    "MOST_FITS",
    "REFERENCE",
    "UPLOAD",
    "Axis",
    "CostEstimate",
    "Criteria",
    "Curve",
    "Decisions",
    "FoldResult",
    "FromRows",
    "GramCost",
    "Place",
    "RunSpec",
    "against_guessing",
    "available_axes",
    "cheap_criteria",
    "check_writable",
    "cluster_address",
    "curve",
    "curve_csv",
    "decisions",
    "estimate",
    "from_all_rows",
    "gram_apart",
    "gram_cost",
    "landmark_error",
    "landmark_errors",
    "memory_budget",
    "natural_backend",
    "reread_upload",
    "results_csv",
    "ridge_loo",
    "run_to",
    "scikit_script",
    "script",
    "seen_by",
    "short_rows",
    "short_rows_apart",
    "sweep",
    "sweep_apart",
    "warm",
    "with_value",
    "write_results",
]
