"""Gram matrices larger than memory, by tiles: written to a file or not stored, and their leading eigenpairs.

Everything runs in this process, on several processes or on a Dask cluster, with equal results.
"""

from .gram import GramOperator, gram_blocks
from .leading import LeadingPairs, leading_eigenpairs

__all__ = ["GramOperator", "LeadingPairs", "gram_blocks", "leading_eigenpairs"]
