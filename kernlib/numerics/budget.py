"""Memory budget, checked before allocating."""

from __future__ import annotations

import os

from ..errors import ParameterError


def memory_budget() -> int:
    """Return the bytes that a run may use: KERNLIB_MEMORY_MB where it is set, else half of the machine's memory."""
    setting = os.environ.get("KERNLIB_MEMORY_MB", "").strip()
    if setting:
        # A misspelt value must not become another bound.
        if not (setting.isascii() and setting.isdigit() and int(setting[:10]) >= 1 and len(setting) <= 9):
            raise ParameterError(
                f"KERNLIB_MEMORY_MB must be a whole number of megabytes, at least 1; got {setting[:40]!r}. "
                "Set it to 4096 for 4 GB, or unset it for half of the machine's memory."
            )
        return int(setting) * 2**20
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (ValueError, OSError, AttributeError):
        return 4 * 2**30
