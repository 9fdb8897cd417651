"""Runs: what is varied (`Axis`), the whole specification (`RunSpec`), the engine (`sweep`), the curve."""

from ..numerics.budget import memory_budget
from ..wrappers.landmarks import landmark_error
from .axis import Axis, Place, available_axes, outside_axes, with_value
from .cost import CostEstimate, estimate, gram_cost
from .curve import Curve, curve, gap_from_best, more_rows, seen_by, settings_compared
from .decisions import Decisions, Predictions, decisions, predict_rows
from .files import curve_csv, reread_upload, results_csv, run_to
from .folds import REFERENCE, FoldResult
from .helper import (
    gram_in_subprocess,
    in_subprocess,
    result_in_subprocess,
    short_rows,
    sweep_in_subprocess,
    value_in_subprocess,
    warm,
)
from .scripts import predict_script, scikit_script, script
from .selection import FromRows, from_all_rows
from .spec import UPLOAD, RunSpec
from .sweep import landmark_errors, sweep
from .verdict import (
    difference_in_words,
    guess_of,
    more_in_words,
    recommendation_in_words,
    reference_name,
    value_to_take,
)

__all__ = [
    "REFERENCE",
    "UPLOAD",
    "Axis",
    "CostEstimate",
    "Curve",
    "Decisions",
    "FoldResult",
    "FromRows",
    "Place",
    "Predictions",
    "RunSpec",
    "available_axes",
    "curve",
    "curve_csv",
    "decisions",
    "difference_in_words",
    "estimate",
    "from_all_rows",
    "gap_from_best",
    "gram_cost",
    "gram_in_subprocess",
    "guess_of",
    "in_subprocess",
    "landmark_error",
    "landmark_errors",
    "memory_budget",
    "more_in_words",
    "more_rows",
    "outside_axes",
    "predict_rows",
    "predict_script",
    "recommendation_in_words",
    "reference_name",
    "reread_upload",
    "result_in_subprocess",
    "results_csv",
    "run_to",
    "scikit_script",
    "script",
    "seen_by",
    "settings_compared",
    "short_rows",
    "sweep",
    "sweep_in_subprocess",
    "value_in_subprocess",
    "value_to_take",
    "warm",
    "with_value",
]
