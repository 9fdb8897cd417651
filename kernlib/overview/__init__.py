"""What the overview tells at a glance: quick errors, films over one number, sheets over two, tested sentences."""

from .film import CELLS, Film, Frame, feature_plane, frame_of, frame_of_factor, missing_frame, turned
from .quick import RIDGES, QuickErrors, quick_errors
from .sentence import Observation, observe, plain_words
from .sheet import CRITERIA, Criterion, Sheet, sheet_of_frames

__all__ = [
    "CELLS",
    "CRITERIA",
    "RIDGES",
    "Criterion",
    "Film",
    "Frame",
    "Observation",
    "QuickErrors",
    "Sheet",
    "feature_plane",
    "frame_of",
    "frame_of_factor",
    "missing_frame",
    "observe",
    "plain_words",
    "quick_errors",
    "sheet_of_frames",
    "turned",
]
