"""The figures that the five sources print, by their place in `published.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from ..errors import ParameterError

__all__ = ["PAPERS", "places", "printed"]

#: Short name: (title as it is cited, its part of `published.json`).
PAPERS: dict[str, tuple[str, str]] = {
    "O": ("Schölkopf, Weston, Eskin, Leslie, Noble 2002: almost orthogonal patterns", "orthogonal"),
    "D": ("Scott 2006: designing kernels", "designing"),
    "K": ("Wang 2011: deep kernel machines", "deep"),
    "R": ("Braun, Buhmann, Müller 2006: relevant dimension", "relevant_dimension"),
    "C": ("Villegas García 2013: categorical kernels", "categorical"),
}

#: What stands in the file and is no result: words, grids, the data of an example, the seconds of another machine.
_NO_RESULT = {
    "_about", "source", "metric", "unit", "columns", "grids", "protocol", "measures", "configurations", "dimensions",
    "pmod", "n", "X", "y", "L", "E", "s", "kernel", "categories", "seconds_gram_2000x6_in_R",
}  # fmt: skip


@cache
def _document() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(files(__package__).joinpath("published.json").read_text(encoding="utf-8"))
    return document


def printed(place: str) -> Any:
    """What is printed at a place: a number, [mean, standard deviation], or a matrix.

    Raises ParameterError for a place that does not exist.

    >>> printed("orthogonal/table1_strings/empirical_subpolynomial/0.6")
    [0.13, 0.07]
    """
    found: Any = _document()
    for name in place.split("/"):
        if not isinstance(found, dict) or name not in found:
            raise ParameterError(f"printed: expected a place in published.json; got {place!r}, {name!r} is not there.")
        found = found[name]
    return found


def places(part: str = "") -> Iterator[str]:
    """Every place with a result, in the order of the file.

    >>> next(iter(places("designing")))
    'designing/abba/phi_AB'
    """
    yield from _below(printed(part) if part else _document(), [part] if part else [])


def _below(found: Any, path: list[str]) -> Iterator[str]:
    if not isinstance(found, dict):
        yield "/".join(path)
        return
    for name, value in found.items():
        if name not in _NO_RESULT:
            yield from _below(value, [*path, name])
