"""Escape CSV cells that a spreadsheet would run as formulas."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]")


def inert_cell(text: str) -> str:
    """Return `text`, with an apostrophe in front if a spreadsheet would run it: after = + - @, a tab or line end.

    A signed number stays as it is.

    >>> [inert_cell(t) for t in ("=1+1", " @x", "-1.5", "b", "")]
    ["'=1+1", "' @x", '-1.5', 'b', '']
    """
    if not text.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n")) or _NUMBER.fullmatch(text):
        return text
    return "'" + text
