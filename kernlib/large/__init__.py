"""Gram matrices that outgrow memory: tile by tile, to a file or never stored, and their leading eigenpairs.

All of it runs in this process, on processes or on a Dask cluster, with the same numbers.
"""

from .gram import gram_blocks
from .leading import LeadingPairs, leading_eigenpairs
from .operator import GramOperator

__all__ = ["GramOperator", "LeadingPairs", "gram_blocks", "leading_eigenpairs"]
