"""Lessons that ask for a prediction before they show the answer: reading, checking, truths, comparison."""

from .answers import Truth, check_guess, compare, filled, picture, truth, truth_words
from .classroom import Classroom, ClassroomError, Room
from .lesson import (
    FIGURES,
    KINDS,
    MAX_BYTES,
    LeftOutError,
    Lesson,
    LessonError,
    Notes,
    Question,
    Step,
    View,
    read_lesson,
    read_shelf,
)
from .quantities import QUANTITIES, ROW_SETS, Quantity, Scene, in_terms

__all__ = [
    "FIGURES",
    "KINDS",
    "MAX_BYTES",
    "QUANTITIES",
    "ROW_SETS",
    "Classroom",
    "ClassroomError",
    "LeftOutError",
    "Lesson",
    "LessonError",
    "Notes",
    "Quantity",
    "Question",
    "Room",
    "Scene",
    "Step",
    "Truth",
    "View",
    "check_guess",
    "compare",
    "filled",
    "in_terms",
    "picture",
    "read_lesson",
    "read_shelf",
    "truth",
    "truth_words",
]
