"""Runs: what is varied (`Axis`), the whole specification (`RunSpec`), the engine (`sweep`), the curve."""

from ..numerics.budget import memory_budget
from .axis import Axis, Place, available_axes, outside_axes, with_value
from .choosing.from_rows import FromRows, from_all_rows
from .choosing.selection import ridge_loo
from .cost import CostEstimate, estimate, gram_cost
from .landmarks import landmark_error, landmark_errors
from .outcome.curve import Curve, curve, gap_from_best, more_rows, seen_by, settings_compared
from .outcome.files import check_writable, curve_csv, results_csv, run_to
from .outcome.guessing import against_guessing, guess_of
from .outcome.uploads import reread_upload
from .outcome.verdict import (
    difference_in_words,
    like_the_best_in_words,
    more_in_words,
    on_new_data_in_words,
    recommendation_in_words,
    reference_name,
    value_to_take,
)
from .running.decisions import Decisions, decisions
from .running.folds import REFERENCE, FoldResult
from .running.helper import (
    gram_in_subprocess,
    in_subprocess,
    result_in_subprocess,
    short_rows,
    sweep_in_subprocess,
    value_in_subprocess,
    warm,
)
from .running.prediction import Predictions, predict_rows
from .running.sweep import sweep
from .scripts import predict_script, scikit_script, script
from .spec import RunSpec
from .spec_json import UPLOAD

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
    "against_guessing",
    "available_axes",
    "check_writable",
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
    "like_the_best_in_words",
    "memory_budget",
    "more_in_words",
    "more_rows",
    "on_new_data_in_words",
    "outside_axes",
    "predict_rows",
    "predict_script",
    "recommendation_in_words",
    "reference_name",
    "reread_upload",
    "result_in_subprocess",
    "results_csv",
    "ridge_loo",
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
