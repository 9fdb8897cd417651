"""All labs, in the order of the shelf."""

from __future__ import annotations

from pages.views.labs import (
    against,
    capacity,
    criterion,
    entries,
    imbalance,
    leak,
    pixels,
    selection,
    theorem,
    transduction,
    weights,
)  # fmt: skip

LABS = {
    module.LAB.name: module.LAB
    for module in (
        entries,
        theorem,
        transduction,
        selection,
        criterion,
        capacity,
        leak,
        imbalance,
        weights,
        pixels,
        against,
    )
}
