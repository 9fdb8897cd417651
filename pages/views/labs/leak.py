"""The leak: the best of a hundred kernels on shuffled labels."""

from __future__ import annotations

import numpy as np

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.figures.labs import leak_figures
from kernlib.labs.leak import leak_sentence, tried_kernels
from kernlib.measures import MEASURES
from pages.parts.frame.view import View
from pages.parts.server.caching import known
from pages.views.labs.shelf import Lab, drag_figures

_TRIES = (1, 2, 3, 5, 10, 20, 35, 50, 75, 100)


@known("Trying a hundred kernels…")
def _tried(data: Dataset, kernel: Kernel) -> tuple[np.ndarray, np.ndarray]:
    return tried_kernels(data, kernel, _TRIES[-1])


def draw(lab: Lab, view: View) -> None:
    """Draw both pictures over the number of kernels tried."""
    chosen, honest = _tried(view.data, view.kernel)
    names = [str(k) for k in _TRIES]
    guessing = MEASURES["error"].chance(np.asarray(view.data.y))
    histogram, best = leak_figures(chosen, honest, guessing, _TRIES)
    drag_figures(
        view,
        "Kernels tried",
        names,
        0,
        [leak_sentence(chosen, honest, guessing, k) for k in _TRIES],
        ("labs.histogram", "Errors of the kernels tried", histogram),
        ("labs.best", "The best one so far", best),
    )
