"""Labs whose figures are known at once for all stops of a slider: the theorem, imbalance, and the leak."""

from __future__ import annotations

import numpy as np

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.data.generators import NormalInputs
from kernlib.figures.labs import coefficient_figure, eigenvalue_figure, leak_figures, prevalence_figures
from kernlib.labs.asymptotic import Asymptotic, OfRows, asymptotic_sentence, normal_rows, normal_truth, of_rows
from kernlib.labs.leak import leak_sentence, tried_kernels
from kernlib.labs.rarity import rates_on_halves, rates_sentence
from kernlib.measures import MEASURES
from kernlib.values.labels import read_labels
from kernlib.values.words import percent
from pages.parts.frame.waiting import View
from pages.parts.results import compute
from pages.parts.server.caching import known
from pages.views.labs.shelf import Lab, drag_figures

_ROWS = (25, 50, 100, 200, 400, 800)
_SHARES = (0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01)
_TRIES = (1, 2, 3, 5, 10, 20, 35, 50, 75, 100)


@known()
def _stops(data: Dataset, kernel: Kernel, example: bool) -> tuple[list[OfRows], Asymptotic]:
    """Return what growing parts of the rows give, and their limit: where it is unknown, all rows stand in for it."""
    if example:
        generator = NormalInputs()
        return [normal_rows(generator, n) for n in _ROWS], normal_truth(generator)
    assert data.y is not None
    K = compute.gram(data, kernel)
    y = read_labels(data.y, data.task or "auto", data.n, "labs").targets
    order = np.random.default_rng(0).permutation(data.n)
    whole = of_rows(K, y)
    parts = [order[: data.n // share] for share in (16, 8, 4, 2) if data.n // share > 1]
    return [of_rows(K[np.ix_(part, part)], y[part]) for part in parts], Asymptotic(whole.eigenvalues, whole.information)


def theorem(lab: Lab, view: View) -> None:
    """Draw [R]'s theorem over the number of rows: what n rows have of infinitely many."""
    stops, truth = _stops(view.data, view.kernel, lab.alone(view))
    drag_figures(
        view,
        "Rows n",
        [f"{s.n}" for s in stops],
        min(2, len(stops) - 1),
        [asymptotic_sentence(s, truth) for s in stops],
        ("labs.coefficients", "Coefficients of the target", coefficient_figure(stops, truth)),
        ("labs.eigenvalues", "Eigenvalues", eigenvalue_figure(stops, truth)),
    )


_rates = known()(rates_on_halves)


def imbalance(lab: Lab, view: View) -> None:
    """Draw two pictures of the same decisions over the share of the rarer class."""
    found = _rates(view.data, view.kernel)
    own = round(found.prevalence, 2)
    stops = sorted({*_SHARES, own}, reverse=True)
    roc, precision = prevalence_figures(found, stops)
    drag_figures(
        view,
        "Share of the rarer class",
        [percent(share) for share in stops],
        stops.index(own),
        [rates_sentence(found, share) for share in stops],
        ("labs.precision", "Precision over recall", precision),
        ("labs.roc", "ROC", roc),
    )


_tried = known("Trying a hundred kernels…")(tried_kernels)


def leak(lab: Lab, view: View) -> None:
    """Draw the best of many kernels on shuffled labels over the number of kernels tried."""
    chosen, honest = _tried(view.data, view.kernel, _TRIES[-1])
    guessing = MEASURES["error"].chance(np.asarray(view.data.y))
    histogram, best = leak_figures(chosen, honest, guessing, _TRIES)
    drag_figures(
        view,
        "Kernels tried",
        [str(k) for k in _TRIES],
        0,
        [leak_sentence(chosen, honest, guessing, k) for k in _TRIES],
        ("labs.histogram", "Errors of the kernels tried", histogram),
        ("labs.best", "The best one so far", best),
    )
