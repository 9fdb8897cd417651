"""[R]'s theorem with the true spectrum: what n rows have of infinitely many."""

from __future__ import annotations

import numpy as np

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.data.generators import NormalInputs
from kernlib.figures.labs import coefficient_figure, eigenvalue_figure
from kernlib.labs.asymptotic import (
    Asymptotic,
    OfRows,
    asymptotic_sentence,
    normal_rows,
    normal_truth,
    of_rows,
)
from kernlib.values.labels import read_labels
from pages.parts.frame.view import View
from pages.parts.results import compute
from pages.parts.server.caching import known
from pages.views.labs.shelf import Lab, drag_figures

_ROWS = (25, 50, 100, 200, 400, 800)


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
    sizes = [n for n in (data.n // 16, data.n // 8, data.n // 4, data.n // 2) if n > 1]
    stops = [of_rows(K[np.ix_(order[:n], order[:n])], y[order[:n]]) for n in sizes]
    return stops, Asymptotic(whole.eigenvalues, whole.information)


def draw(lab: Lab, view: View) -> None:
    """Draw both figures over the number of rows."""
    stops, truth = _stops(view.data, view.kernel, lab.alone(view))
    names = [f"{s.n}" for s in stops]
    first, second = eigenvalue_figure(stops, truth), coefficient_figure(stops, truth)
    drag_figures(
        view,
        "Rows n",
        names,
        min(2, len(names) - 1),
        [asymptotic_sentence(s, truth) for s in stops],
        ("labs.coefficients", "Coefficients of the target", second),
        ("labs.eigenvalues", "Eigenvalues", first),
    )
