"""The flat register of all data sets: it drives menus, `load_dataset`, the documentation and the tests."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from ..declare import Declared, Parameter, param
from ..errors import DataError, ParameterError
from ..values.domains import DATA_DOMAINS, Domain
from .dataset import Dataset
from .generators import (
    Banana,
    DigitPairs,
    Generator,
    GMonks,
    HiddenVariables,
    MarkovStrings,
    NoisyColon,
    Ringnorm,
    Sinc,
    SparseBinary,
    SyntheticPoisson,
    TwoClusters,
    Twonorm,
    Waveform,
)
from .samples import SAMPLES, Sample

__all__ = ["CATALOGUE", "Entry", "Subset", "dataset_names", "load_dataset"]


@dataclass(frozen=True, repr=False)
class Subset(Declared):
    """How many rows of a sample to take: all of them, or a stratified sample drawn with a seed.

    Parameters: n ≥ 2 or "all", seed.

    Raises ParameterError outside those ranges.

    >>> Subset(n=100, seed=1)
    Subset(n=100, seed=1)
    """

    n: int | str = param("all", symbol="n", kind="int", help="rows taken, classes in their proportions",
    minimum=2,
                         choices=("all",))  # fmt: skip
    seed: int = param(0, symbol=r"\mathrm{seed}", kind="int", help="which rows are drawn", low=0, high=99,
    step=1,
                      minimum=0, maximum=2**32 - 1)  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """One line of the catalogue.

    `kind` is "sample" (a file that is shipped or comes with scikit-learn) or "generator"; `n` is the number of rows
    of a sample, or the default of a generator; `size` says it in words; `default_n` is what a sample gives unless
    asked for more; `files` are the shipped files that it needs.

    >>> CATALOGUE["markov-strings"].parameters()[0].symbol
    'n'
    """

    name: str
    title: str
    domain: Domain
    kind: Literal["sample", "generator"]
    n: int
    size: str
    look_for: str
    source: str
    licence: str
    citation: str = ""
    note: str = ""
    files: tuple[str, ...] = ()
    default_n: int | Literal["all"] = "all"
    generator: type[Generator] | None = None
    sample: Sample | None = dataclasses.field(default=None, repr=False)

    def parameters(self) -> tuple[Parameter, ...]:
        """The declared parameters of `load(**parameters)`, with this entry's own ranges and defaults."""
        if self.generator is not None:
            return self.generator.parameters()
        rows, seed = Subset.parameters()
        return (
            dataclasses.replace(rows, default=self.default_n, low=2, high=self.n, maximum=self.n, step=1),
            seed,
        )

    def load(self, **parameters: Any) -> Dataset:
        """The data set; for a sample `n` and `seed`, for a generator its own parameters."""
        known = [p.name for p in self.parameters()]
        for name in parameters:
            if name not in known:
                raise ParameterError(
                    f"load_dataset({self.name!r}): it has no parameter {name!r}; expected "
                    f"{', '.join(known)}. "
                    f"Leave {name} out."
                )
        if self.generator is not None:
            return self.generator(**parameters).generate()
        assert self.sample is not None
        subset = Subset(**({"n": self.default_n} | parameters))
        if subset.n != "all" and int(subset.n) > self.n:
            raise ParameterError(
                f"load_dataset({self.name!r}): n must be at most {self.n}, the rows there are; got {subset.n}. "
                "Choose fewer, or n='all'."
            )
        data = self.sample.load()
        told = [f"n={subset.n!r}"] if subset.n != self.default_n else []
        told += [f"seed={subset.seed}"] if subset.seed else []
        if subset.n != "all":
            data = data.stratified_sample(int(subset.n), seed=subset.seed)
        return dataclasses.replace(data, recipe=f"load_dataset({', '.join([repr(self.name), *told])})")


# A Gram matrix of these many rows answers at once; n="all" gives the whole set with its published splits.
DEFAULT_N = {"banana": 400, "ida-ringnorm": 400, "ida-twonorm": 400}

GENERATORS: tuple[tuple[type[Generator], int, str], ...] = (
    # generator, rows and size by default
    (MarkovStrings, 50, "50 strings of 20"),
    (NoisyColon, 62, "62 × 12000"),
    (HiddenVariables, 100, "100 × 20"),
    (SparseBinary, 600, "600 × 5000"),
    (Sinc, 200, "200 × 1"),
    (TwoClusters, 200, "200 × 1"),
    (Banana, 300, "300 × 2"),
    (Twonorm, 400, "400 × 20"),
    (Ringnorm, 400, "400 × 20"),
    (Waveform, 300, "300 × 21"),
    (GMonks, 240, "240 × 6"),
    (SyntheticPoisson, 240, "240 × 6"),
    (DigitPairs, 200, "200 pairs of 60"),
)

# Generators that start from a shipped file.
BASES = {"colon-noise": "colon", "digit-pairs": "digits-3-8"}


def _of_sample(s: Sample) -> Entry:
    return Entry(
        s.name, s.title, s.domain, "sample", s.n, s.size, s.look_for, s.source, s.licence, s.citation,
        s.note, s.files,
        DEFAULT_N.get(s.name, "all"), sample=s,
    )  # fmt: skip


def _of_generator(g: type[Generator], n: int, size: str) -> Entry:
    base = SAMPLES.get(BASES.get(g.name, ""))
    return Entry(
        g.name, g.title, g.domain, "generator", n, size, g.look_for, g.source,
        base.licence if base else "generated, no rights reserved", base.citation if base else "", g.note,
        base.files if base else (), n, generator=g,
    )  # fmt: skip


CATALOGUE: Mapping[str, Entry] = MappingProxyType({
    entry.name: entry
    for entry in [_of_sample(s) for s in SAMPLES.values()] + [_of_generator(*line) for line in GENERATORS]
})  # fmt: skip


def dataset_names(domain: Domain | None = None) -> tuple[str, ...]:
    """The names in the catalogue, samples first; with `domain`, those whose rows are of that kind.

    >>> dataset_names("sequence")
    ('promoters', 'splice', 'splice-two-class', 'markov-strings')
    """
    if domain is not None and domain not in DATA_DOMAINS:
        raise DataError(f"dataset_names: domain must be one of {', '.join(DATA_DOMAINS)}; got {domain!r}.")
    return tuple(name for name, entry in CATALOGUE.items() if domain in (None, entry.domain))


def load_dataset(name: str, **parameters: Any) -> Dataset:
    """The data set `name`: a sample with `n` and `seed`, or a generator with its own parameters.

    Parameters: `name` from `dataset_names()`; see ``CATALOGUE[name].parameters()`` for the others.

    Raises DataError for an unknown name or a missing file, ParameterError for an unknown or impossible
    parameter.

    >>> load_dataset("promoters")
    Dataset('promoters', sequence, n=106, classes={'-': 53, '+': 53})
    >>> load_dataset("markov-strings", n=20, seed=3).recipe
    "load_dataset('markov-strings', n=20, seed=3)"
    """
    if name not in CATALOGUE:
        near = difflib.get_close_matches(str(name), CATALOGUE, n=3, cutoff=0.4)
        hint = f"Did you mean {' or '.join(repr(n) for n in near)}?" if near else "See dataset_names()."
        raise DataError(f"load_dataset: expected a name in the catalogue; got {name!r}. {hint}")
    return CATALOGUE[name].load(**parameters)
