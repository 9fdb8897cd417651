"""Gram matrices larger than memory, by tiles: written to a file or not stored, and their leading eigenpairs.

Everything runs in this process, on several processes or on a Dask cluster, with equal results.
"""

from .gram import GramOperator as GramOperator
from .gram import gram_blocks as gram_blocks
from .leading import LeadingPairs as LeadingPairs
from .leading import leading_eigenpairs as leading_eigenpairs
