"""Figures printed by the five sources, by their place in `published.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from ..errors import ParameterError

#: Short name: (title as cited, its part of `published.json`).
PAPERS: dict[str, tuple[str, str]] = {
    "O": ("Schölkopf, Weston, Eskin, Leslie, Noble 2002: almost orthogonal patterns", "orthogonal"),
    "D": ("Scott 2006: designing kernels", "designing"),
    "K": ("Wang 2011: deep kernel machines", "deep"),
    "R": ("Braun, Buhmann, Müller 2006: relevant dimension", "relevant_dimension"),
    "C": ("Villegas García 2013: categorical kernels", "categorical"),
}

#: Keys of `published.json` that are not results: words, grids, example data, timings on another machine.
_NO_RESULT = {
    "_about",
    "source",
    "metric",
    "unit",
    "columns",
    "grids",
    "protocol",
    "measures",
    "configurations",
    "dimensions",
    "pmod",
    "n",
    "X",
    "y",
    "L",
    "E",
    "s",
    "strings",
    "kernel",
    "categories",
    "seconds_gram_2000x6_in_R",
}


@cache
def _document() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(files(__package__).joinpath("published.json").read_text(encoding="utf-8"))
    return document


def printed(place: str) -> Any:
    """Return the printed value at a place: a number, [mean, standard deviation], or a matrix.

    Raises ParameterError for a place that does not exist.

    >>> printed("orthogonal/table1_strings/empirical_subpolynomial/0.6")
    [0.13, 0.07]
    """
    value: Any = _document()
    for name in place.split("/"):
        if not isinstance(value, dict) or name not in value:
            raise ParameterError(f"printed: expected a place in published.json; got {place!r}, without {name!r} there.")
        value = value[name]
    return value


def relevant_dimensions() -> dict[str, tuple[int, float]]:
    """Return the printed relevant dimension and estimated error, as a share, of each benchmark data set ([R]).

    >>> relevant_dimensions()["banana"]
    (24, 0.088)
    """
    table = printed("relevant_dimension/benchmark")
    return {name: (row["dim"], round(row["estimated_error"][0] / 100, 4)) for name, row in table.items()}


def places(part: str = "") -> Iterator[str]:
    """Yield every place with a result, in the order of the file.

    >>> next(iter(places("designing")))
    'designing/abba/phi_AB'
    """
    yield from _below(printed(part) if part else _document(), [part] if part else [])


def _below(part: Any, path: list[str]) -> Iterator[str]:
    if not isinstance(part, dict):
        yield "/".join(path)
        return
    for name, value in part.items():
        if name not in _NO_RESULT:
            yield from _below(value, [*path, name])
