"""Lessons that ask for a prediction before they show the answer: reading, checking, truths, comparison."""

from .classroom import Classroom, ClassroomError, Room
from .lesson import (
    FIGURES,
    MAX_BYTES,
    LeftOutError,
    Lesson,
    LessonError,
    Notes,
    Step,
    View,
    read_lesson,
    read_shelf,
)
from .quantities import QUANTITIES, ROW_SETS, Quantity, Scene, in_terms
from .questions import KINDS, Choose, Draw, Number, Order, Point, Question, Truth, filled, picture

__all__ = [
    "FIGURES",
    "KINDS",
    "MAX_BYTES",
    "QUANTITIES",
    "ROW_SETS",
    "Choose",
    "Classroom",
    "ClassroomError",
    "Draw",
    "LeftOutError",
    "Lesson",
    "LessonError",
    "Notes",
    "Number",
    "Order",
    "Point",
    "Quantity",
    "Question",
    "Room",
    "Scene",
    "Step",
    "Truth",
    "View",
    "filled",
    "in_terms",
    "picture",
    "read_lesson",
    "read_shelf",
]
