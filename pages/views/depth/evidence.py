"""Evidence for a level: how the levels compare, and the numbers of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from kernlib.analysis import LevelNumbers
from kernlib.analysis.levels import LevelChoice
from kernlib.data import Dataset
from pages.parts.frame import layout, waiting
from pages.parts.inputs.controls import expander
from pages.parts.results import levels as deep
from pages.parts.results.levels import Levels, LevelSpectrum

#: Digits of a number in the table.
_DIGITS = 4


def draw(data: Dataset, levels: Levels, numbers: Mapping[int, LevelNumbers], choice: LevelChoice | None) -> None:
    """Draw the drawer; it costs nothing while it is closed."""
    box = expander("Evidence", "depth.evidence")
    if box is None:
        return
    with box, layout.guarded():

        def draw_table(known: Mapping[int, LevelSpectrum]) -> None:
            table = table_of(numbers, choice, known)
            st.dataframe(table, hide_index=True)
            layout.csv(lambda: table, "depth.numbers", "levels", "The numbers of all levels")

        st.markdown(f"**Numbers of each level**{deep.of_rows(data)}")
        waiting.show(deep.spectra(data, levels), draw_table)


def table_of(
    numbers: Mapping[int, LevelNumbers], choice: LevelChoice | None, spectra: Mapping[int, LevelSpectrum]
) -> pd.DataFrame:
    """Return the numbers of each level as far as they are known: errors with intervals, and what the matrix is like."""
    rows = []
    for level, one in sorted(numbers.items()):
        row: dict[str, Any] = {"level": level}
        if one.halves is not None:
            row[f"test {one.halves.measure}"] = one.halves.test
            if choice is not None:
                band = choice.comparison.bands[str(level)]
                row |= {"95% from": band.low, "to": band.high, "significantly worse": level in choice.worse}
            row |= {f"half {half}": error for half, error in enumerate(one.halves.tests, 1)}
            row["training"] = one.halves.training
        row |= {"diagonal ratio": one.diagonal_ratio, "off-diagonal spread": one.off_diagonal_spread}
        if (seen := spectra.get(level)) is not None:
            row |= {
                "effective rank": seen.effective_rank,
                "alignment": seen.alignment,
                "relevant dimension": seen.relevant_dimension,
            }
        rows.append(row)
    return pd.DataFrame(rows).dropna(axis="columns", how="all").round(_DIGITS)
