"""Why k(x, x') has its value: the value as a sum of parts as text, and explicit feature spaces.

`kernel.explain(x, y)` calls `explanation`, and `kernel.features(X)` calls `feature_map`: two generic functions. Each
class of kernels whose feature space can be written out registers a function with `feature_map`, which also explains its
values; another registers one with `explanation`. A class outside kernlib does the same:

    @explanation.register
    def _cauchy(kernel: Cauchy, scene: Scene) -> list[tuple[str, float]]:
        return [("all of it", scene.value(kernel))]
"""

from . import leaves  # noqa: F401 (it registers)
from .explanation import Explanation, Part, Scene, Words, explain, explain_rows, explanation
from .features import Features, feature_map, features
from .trained import (
    Across,
    Field,
    Trained,
    across_decision,
    decision_field,
    held_out_residuals,
    level_borders,
    often_wrong,
    train,
)

__all__ = [
    "Across",
    "Explanation",
    "Features",
    "Field",
    "Part",
    "Scene",
    "Trained",
    "Words",
    "across_decision",
    "decision_field",
    "explain",
    "explain_rows",
    "explanation",
    "feature_map",
    "features",
    "held_out_residuals",
    "level_borders",
    "often_wrong",
    "train",
]
