"""The overview: errors, quick errors, films over one parameter, sheets over two, sentences made from numbers."""

from ..analysis.spectrum import RIDGES
from .diagonal import with_diagonal
from .film import Frame, frame_of, missing_frame
from .quick import QuickErrors, quick_errors, shuffled_squares
from .sentence import Observation, errors_in_words, observe, plain_words

__all__ = [
    "RIDGES",
    "Frame",
    "Observation",
    "QuickErrors",
    "errors_in_words",
    "frame_of",
    "missing_frame",
    "observe",
    "plain_words",
    "quick_errors",
    "shuffled_squares",
    "with_diagonal",
]
