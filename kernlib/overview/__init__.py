"""What the overview tells at a glance: quick errors, frames of a film over one number, tested sentences."""

from .film import CELLS, Film, Frame, feature_plane, frame_of, missing_frame, turned
from .quick import RIDGES, QuickErrors, quick_errors
from .sentence import Observation, observe, plain_words

__all__ = [
    "CELLS",
    "RIDGES",
    "Film",
    "Frame",
    "Observation",
    "QuickErrors",
    "feature_plane",
    "frame_of",
    "missing_frame",
    "observe",
    "plain_words",
    "quick_errors",
    "turned",
]
