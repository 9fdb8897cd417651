"""The catalogue of all data sets, for menus, `load_dataset`, the documentation and the tests."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from ..errors import DataError, ParameterError
from ..kinds import KINDS
from ..values.arrays import Array
from ..values.declare import Declared, Parameter, param
from ..values.domains import Domain
from . import generators
from .dataset import About, Dataset
from .generators import Generator
from .generators.base import GENERATED, seed_param
from .samples import LEFT_OUT, SAMPLES, Sample


@dataclass(frozen=True, repr=False)
class Subset(Declared):
    """How many rows of a sample to take: all of them, or a stratified sample drawn with a seed.

    Parameters: n ≥ 2 or "all", seed.

    Raises ParameterError outside those ranges.

    >>> Subset(n=100, seed=1)
    Subset(n=100, seed=1)
    """

    n: int | str = param(
        "all", symbol="n", kind="int", help="rows taken, classes in their proportions", minimum=2, choices=("all",)
    )
    seed: int = seed_param("which rows are drawn")


@dataclass(frozen=True)
class Entry(About):
    """One line of the catalogue.

    `kind` is "sample" (a file that is shipped or comes with scikit-learn) or "generator"; `n` is the number of rows of
    a sample, or of a generator by default, and `of` what each is, as text; `default_n` is the number of rows that
    `load` returns by default; `files` are the shipped files that it needs.

    >>> CATALOGUE["markov-strings"].parameters()[0].symbol
    'n'
    """

    kind: Literal["sample", "generator"]
    n: int
    of: str
    files: tuple[str, ...] = ()
    default_n: int | Literal["all"] = "all"
    generator: type[Generator] | None = None
    sample: Sample | None = dataclasses.field(default=None, repr=False)

    @property
    def size(self) -> str:
        """Return the number of rows and what they are, as text."""
        return f"{self.n} {self.of}"

    def parameters(self) -> tuple[Parameter, ...]:
        """Return the declared parameters of `load(**parameters)`, with this entry's ranges and defaults."""
        if self.generator is not None:
            return self.generator.parameters()
        rows, seed = Subset.parameters()
        return (
            dataclasses.replace(rows, default=self.default_n, low=2, high=self.n, maximum=self.n, step=1),
            seed,
        )

    def load(self, **parameters: Any) -> Dataset:
        """Return the data set; a sample takes `n` and `seed`, a generator its own parameters."""
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
        changed = [f"n={subset.n!r}"] if subset.n != self.default_n else []
        changed += [f"seed={subset.seed}"] if subset.seed else []
        if subset.n != "all":
            data = data.stratified_sample(int(subset.n), seed=subset.seed)
        return dataclasses.replace(data, recipe=f"load_dataset({', '.join([repr(self.name), *changed])})")


# A Gram matrix of these many rows answers at once; n="all" gives the whole set with its published splits.
DEFAULT_N = {"banana": 400, "ida-ringnorm": 400, "ida-twonorm": 400}

GENERATORS: tuple[tuple[type[Generator], int, str], ...] = (
    # generator, rows by default, and what each is
    (generators.MarkovStrings, 50, "strings of 20"),
    (generators.NoisyColon, 62, "× 12000"),
    (generators.HiddenVariables, 100, "× 20"),
    (generators.SparseBinary, 600, "× 5000"),
    (generators.Sinc, 200, "× 1"),
    (generators.NormalInputs, 200, "× 1"),
    (generators.TwoClusters, 200, "× 1"),
    (generators.Banana, 300, "× 2"),
    (generators.Twonorm, 400, "× 20"),
    (generators.Ringnorm, 400, "× 20"),
    (generators.Waveform, 300, "× 21"),
    (generators.GMonks, 240, "× 6"),
    (generators.SyntheticPoisson, 240, "× 6"),
    (generators.CylinderBellFunnel, 120, "series of up to 128"),
    (generators.DigitPairs, 200, "pairs of 60"),
)

# Generators that start from a shipped file.
BASES = {"colon-noise": "colon", "digit-pairs": "digits-3-8"}


def _of_sample(s: Sample) -> Entry:
    rows: int | Literal["all"] = DEFAULT_N.get(s.name, "all")
    return Entry(**s.record, kind="sample", n=s.n, of=s.of, files=s.files, default_n=rows, sample=s)


def _of_generator(g: type[Generator], n: int, of: str) -> Entry:
    base = SAMPLES.get(BASES.get(g.about.name, ""))
    own = {"licence": base.licence, "citation": base.citation, "files": base.files} if base else {"licence": GENERATED}
    return Entry(**g.about.record | own, kind="generator", n=n, of=of, generator=g)


CATALOGUE: Mapping[str, Entry] = MappingProxyType(
    {
        entry.name: entry
        for entry in [_of_sample(s) for s in SAMPLES.values()] + [_of_generator(*line) for line in GENERATORS]
    }
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
