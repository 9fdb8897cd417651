"""Imbalance: the same decisions under another prevalence, in two pictures."""

from __future__ import annotations

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.figures.labs import prevalence_figures
from kernlib.labs.rarity import Rates, rates_on_halves, rates_sentence
from kernlib.values.words import percent
from pages.parts.frame.view import View
from pages.parts.server.caching import known
from pages.views.labs.shelf import Lab, drag_figures

_SHARES = (0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01)


@known()
def _rates(data: Dataset, kernel: Kernel) -> Rates:
    return rates_on_halves(data, kernel)


def draw(lab: Lab, view: View) -> None:
    """Draw both pictures over the share of the rarer class."""
    found = _rates(view.data, view.kernel)
    stops = sorted({*_SHARES, round(found.prevalence, 2)}, reverse=True)
    names = [percent(share) for share in stops]
    roc, precision = prevalence_figures(found, stops)
    drag_figures(
        view,
        "Share of the rarer class",
        names,
        stops.index(round(found.prevalence, 2)),
        [rates_sentence(found, share) for share in stops],
        ("labs.precision", "Precision over recall", precision),
        ("labs.roc", "ROC", roc),
    )
