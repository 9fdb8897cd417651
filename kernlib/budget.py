"""What may be taken of the machine, asked before anything is."""

from __future__ import annotations

import os

from .errors import ParameterError

__all__ = ["memory_budget"]


def memory_budget() -> int:
    """Bytes that a run may take: KERNLIB_MEMORY_MB where it is set, else half of the machine's memory."""
    told = os.environ.get("KERNLIB_MEMORY_MB", "").strip()
    if told:
        # What is misspelt would be a bound that nobody set.
        if not (told.isascii() and told.isdigit() and int(told[:10]) >= 1 and len(told) <= 9):
            raise ParameterError(
                f"KERNLIB_MEMORY_MB must be a whole number of megabytes from 1 on; got {told[:40]!r}. "
                "Set it to 4096 for 4 GB, or unset it for half of the machine's memory."
            )
        return int(told) * 2**20
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (ValueError, OSError, AttributeError):
        return 4 * 2**30
