"""Claims of the papers, each with what our figures say of it, and errors in the papers."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def read_table(name: str) -> Any:
    """Return what a JSON file beside the results holds."""
    return json.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))


def claims() -> list[dict[str, str]]:
    """Return the claims of the papers in our own wording: `paper`, `text`, the `status` and the `evidence`.

    The status is "confirmed", "contradicted", "weak" or "not testable here", by the shipped results; other results have
    to be judged again.
    """
    listed: list[dict[str, str]] = read_table("claims.json")
    return listed


_SOURCES: dict[str, Any] = read_table("sources.json")
#: The subject of each paper, in our own wording.
INTRODUCTIONS: dict[str, str] = {paper: own["introduction"] for paper, own in _SOURCES.items()}
#: Errors in the sources by paper: (the table concerned, or "" for the whole paper; the error).
ERRATA: dict[str, list[tuple[str, str]]] = {
    paper: [(where, error) for where, error in own["errata"]] for paper, own in _SOURCES.items()
}
