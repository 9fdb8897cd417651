"""Runs: what is varied (`Axis`), the whole specification (`RunSpec`), the engine (`sweep`), the curve."""

from .axis import Axis, Place, available_axes, with_value
from .curve import Curve, curve
from .spec import RunSpec
from .sweep import REFERENCE, FoldResult, sweep

__all__ = [
    "REFERENCE",
    "Axis",
    "Curve",
    "FoldResult",
    "Place",
    "RunSpec",
    "available_axes",
    "curve",
    "sweep",
    "with_value",
]
