"""Evidence for a level: how the levels compare, and the numbers of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from kernlib.analysis import Summary
from kernlib.analysis.levels import LevelChoice
from kernlib.data import Dataset
from pages.parts.frame import layout
from pages.parts.results import levels as deep

#: Digits of a number in the table.
_DIGITS = 4


@layout.drawer("depth.evidence")
def draw(data: Dataset, numbers: Mapping[int, Summary], choice: LevelChoice | None) -> None:
    """Draw the numbers of all levels."""
    table = table_of(numbers, choice)
    st.markdown(f"**Numbers of each level**{deep.of_rows(data)}")
    st.dataframe(table, hide_index=True)
    layout.csv(lambda: table, "depth.numbers", "levels", "The numbers of all levels")


def table_of(numbers: Mapping[int, Summary], choice: LevelChoice | None) -> pd.DataFrame:
    """Return the numbers of each level as far as they are known: errors with intervals, diagonal and spread."""
    rows = []
    for level, one in sorted(numbers.items()):
        row: dict[str, Any] = {"level": level}
        if one.errors is not None:
            row[f"test {one.errors.measure}"] = one.errors.test
            if choice is not None:
                band = choice.comparison.bands[str(level)]
                row |= {"95% from": band.low, "to": band.high, "significantly worse": level in choice.worse}
            row |= {f"half {half}": error for half, error in enumerate(one.errors.tests, 1)}
            row["training"] = one.errors.training
        row |= {"diagonal ratio": one.diagonal_ratio, "off-diagonal spread": one.spread}
        rows.append(row)
    return pd.DataFrame(rows).dropna(axis="columns", how="all").round(_DIGITS)
