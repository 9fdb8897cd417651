"""All labs, in the order of the shelf."""

from __future__ import annotations

from pages.views.labs import (
    against,
    bandwidth,
    capacity,
    criterion,
    entries,
    few_rows,
    imbalance,
    leak,
    length,
    likeness,
    phases,
    pixels,
    rare,
    regulariser,
    selection,
    theorem,
    transduction,
    virtual,
    weights,
)

LABS = {
    module.LAB.name: module.LAB
    for module in (
        # No paper is needed for the first three.
        likeness,
        length,
        capacity,
        entries,
        theorem,
        phases,
        transduction,
        regulariser,
        selection,
        against,
        criterion,
        bandwidth,
        leak,
        imbalance,
        weights,
        rare,
        few_rows,
        pixels,
        virtual,
    )
}
