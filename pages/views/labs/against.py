"""A kernel against its power, one point a problem."""

from __future__ import annotations

from collections.abc import Mapping

from kernlib import Kernel, parse
from kernlib.data import Dataset
from kernlib.figures.labs import against_figure
from kernlib.labs.measured import against_sentence, power_error, with_rows
from kernlib.stories import in_terms
from pages.parts.frame import waiting
from pages.parts.frame.waiting import View
from pages.parts.results.compute import Slices
from pages.parts.server.caching import known
from pages.parts.session.state import DataChoice
from pages.views.labs.shelf import Lab, drag_figures, place_of

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
def _error(data: Dataset, kernel: Kernel, p: float) -> float:
    return power_error(with_rows(data, _ROWS), kernel, p)


def draw(lab: Lab, view: View) -> None:
    """Draw one point a problem, while they are measured: the present power first."""
    names = [f"{p:g}" for p in _STOPS]
    p = _STOPS[place_of(names, 4)]
    problems: dict[str, tuple[Dataset, Kernel]] = {}
    if not lab.alone(view):
        own = "my kernel" if view.choice.load().digest == lab.choice.load().digest else "my data"
        problems[in_terms(f"{own} (test error)", view.data).removesuffix(" (test error)")] = (view.data, view.kernel)
    for name, kernel in _PROBLEMS:
        problems[name] = (DataChoice(name).load(), parse(kernel))

    def draw(known: Mapping[tuple[str, float], float]) -> None:
        there = [name for name in problems if (name, 1.0) in known and (name, p) in known]
        errors = {
            power: [known[name, power] for name in there]
            for power in (1.0, *_STOPS)
            if all((name, power) in known for name in there)
        }
        whole = len(there) == len(problems)
        words = [against_sentence(errors[1.0], errors[q], q) if whole and q in errors else None for q in _STOPS]
        fig = against_figure(there, errors[1.0], [errors.get(stop) for stop in _STOPS])
        shown = ("labs.against", "Test error of the kernel and of its power", fig)
        drag_figures(view, "Power p", names, 4, words, shown)

    powers = [1.0, *sorted(_STOPS, key=lambda stop: abs(stop - p))]
    keys = [(name, power) for power in powers for name in problems]
    waiting.show(Slices("errors", keys, _error, lambda key: (*problems[key[0]], key[1])), draw)
