"""The data sets that come with kernlib or with scikit-learn: for each its words and one reader.

A new one is a decorated reader in the module of its kind of rows; the order of the menus is that of the lines below.
"""
# ruff: noqa: I001 (the order of the menus)

from . import vectors, nominal, structured  # noqa: F401 (each registers its own)
from ..entries import LEFT_OUT, SAMPLES

__all__ = ["LEFT_OUT", "SAMPLES"]
