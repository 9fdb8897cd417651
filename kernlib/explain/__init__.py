"""Why k(x, x') has its value: the value as a sum of parts as text, and explicit feature spaces.

`kernel.explain(x, y)` calls `explanation`, and `kernel.features(X)` calls `feature_map`: two generic functions. Each
class of kernels whose feature space can be written out registers a function with `feature_map`, which also explains its
values; another registers one with `explanation`. A class outside kernlib does the same:

    @explanation.register
    def _cauchy(kernel: Cauchy, scene: Scene) -> list[tuple[str, float]]:
        return [("all of it", scene.value(kernel))]
"""

from . import leaves  # noqa: F401 (it registers)
from .explanation import Explanation as Explanation
from .explanation import Part as Part
from .explanation import Scene as Scene
from .explanation import Words as Words
from .explanation import explain as explain
from .explanation import explain_rows as explain_rows
from .explanation import explanation as explanation
from .features import Features as Features
from .features import feature_map as feature_map
from .features import features as features
from .trained import Across as Across
from .trained import Field as Field
from .trained import Trained as Trained
from .trained import across_decision as across_decision
from .trained import decision_field as decision_field
from .trained import held_out_residuals as held_out_residuals
from .trained import level_borders as level_borders
from .trained import often_wrong as often_wrong
from .trained import train as train
