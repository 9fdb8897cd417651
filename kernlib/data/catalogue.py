"""The catalogue of all data sets, for menus, `load_dataset`, the documentation and the tests."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from ..errors import DataError
from ..kinds import KINDS
from ..values.arrays import Array
from ..values.domains import Domain
from .dataset import Dataset
from .entries import Entry, Generator
from .generators import GENERATORS
from .samples import LEFT_OUT, SAMPLES

CATALOGUE: Mapping[str, Entry] = MappingProxyType(
    SAMPLES | {g.about.name: replace(g.about, generator=g) for g in GENERATORS}
)


def dataset_names(domain: Domain | None = None) -> tuple[str, ...]:
    """Return the names in the catalogue, samples first; with `domain`, those with rows of that kind.

    >>> dataset_names("sequence")
    ('promoters', 'splice', 'splice-two-class', 'markov-strings')
    """
    if domain not in (None, *KINDS):
        raise DataError(f"dataset_names: domain must be one of {', '.join(KINDS)}; got {domain!r}.")
    return tuple(name for name, entry in CATALOGUE.items() if domain in (None, entry.domain))


def load_dataset(name: str, **parameters: Any) -> Dataset:
    """Return the data set `name`: a sample with `n` and `seed`, or a generator with its own parameters.

    Parameters: `name` from `dataset_names()`; see ``CATALOGUE[name].parameters()`` for the others.

    Raises DataError for an unknown name or a missing file, ParameterError for an unknown or impossible
    parameter.

    >>> load_dataset("promoters")
    Dataset('promoters', sequence, n=106, classes={'-': 53, '+': 53})
    >>> load_dataset("markov-strings", n=20, seed=3).recipe
    "load_dataset('markov-strings', n=20, seed=3)"
    """
    if name in LEFT_OUT:
        raise DataError(f"load_dataset: {why_left_out(name)}")
    if name not in CATALOGUE:
        near = difflib.get_close_matches(str(name), CATALOGUE, n=3, cutoff=0.4)
        hint = f"Did you mean {' or '.join(repr(n) for n in near)}?" if near else "See dataset_names()."
        raise DataError(f"load_dataset: expected a name in the catalogue; got {name!r}. {hint}")
    return CATALOGUE[name].load(**parameters)


def why_left_out(name: str) -> str:
    """Return why a sample of the repository is not installed, and what to do; "" for any other name."""
    if name not in LEFT_OUT:
        return ""
    return f"{name!r} is not installed, because its source states no licence. Use a clone of the project's repository."


def target_of(name: str, rows: Array, **parameters: Any) -> Array | None:
    """Return the noise-free targets of generated rows, with classes as ±1; None for samples and where unknown.

    Parameters: `name` and `parameters` as of `load_dataset`, `rows` (n, d).

    >>> target_of("sinc", load_dataset("sinc", n=10).rows).shape
    (10,)
    """
    made = generator_of(name, **parameters)
    return None if made is None else made.target(rows)


def generator_of(name: str, **parameters: Any) -> Generator | None:
    """Return the generator of a data set with these parameters; None for samples and uploads."""
    generator = CATALOGUE[name].generator if name in CATALOGUE else None
    return None if generator is None else generator(**parameters)
