"""A kernel against its power, one point a problem."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from kernlib import Kernel, parse
from kernlib.data import Dataset
from kernlib.figures.labs import against_figure
from kernlib.labs.measured import Measured, against_power, against_sentence, with_rows
from pages.parts.frame import layout, waiting
from pages.parts.frame.view import View
from pages.parts.results.asking import Slices
from pages.parts.server.caching import known
from pages.parts.session.state import DataChoice
from pages.views.labs.shelf import Lab, drag, needs_classes, place_of, sentence

_STOPS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
#: Problems with the kernels that [O] and its like use on them, and rows at most.
_PROBLEMS = (
    ("markov-strings", "Subsequence(order=3, decay=0.25)"),
    ("hidden-variables", "Polynomial(degree=4, offset=1.0)"),
    ("colon", "Linear()"),
    ("colon-noise", "Linear()"),
    ("promoters", "Spectrum(length=4)"),
    ("karate", "Diffusion()"),
    ("webkb", "VectorSpace()"),
    ("digits-3-8", "Polynomial(degree=6, offset=0.0)"),
    ("splice-two-class", "Spectrum(length=3)"),
    ("wave-12", "Polynomial(degree=4, offset=1.0)"),
)
_ROWS = 150


@known()
def _errors(data: Dataset, kernel: Kernel, p: float) -> Measured:
    return against_power(with_rows(data, _ROWS), kernel, p)


def draw(view: View) -> None:
    """Draw one point a problem, while they are measured."""
    names = [f"{p:g}" for p in _STOPS]
    p = _STOPS[place_of(names, 4)]
    problems: dict[str, tuple[Dataset, Kernel]] = {}
    if view.choice != LAB.choice:
        problems["my data"] = (view.data, view.kernel)
    for name, kernel in _PROBLEMS:
        problems[name] = (DataChoice(name).load(), parse(kernel))
    pieces = Slices("problems", list(problems), _errors, lambda name: (*problems[name], p))
    waiting.show(pieces, partial(_draw, view, names, p, len(problems)))


def _draw(view: View, names: list[str], p: float, count: int, known: Mapping[Any, Measured]) -> None:
    whole = len(known) == count
    sentence(against_sentence(known, p) if whole else f"Measured {len(known)} of {count} problems.")
    drag(view, "Power p", names, _STOPS.index(p))
    layout.panel(
        "Test error of the kernel and of its power",
        against_figure(known, p),
        "labs.against",
        fill="controls",
        name="against",
    )


LAB = Lab(
    "against",
    "A against B",
    "On how many problems does the power lower the test error?",
    "[O] Figure 3",
    DataChoice("markov-strings", (("seed", 0),)),
    "Subsequence(order=3, decay=0.25)",
    draw,
    (needs_classes,),
)
