"""The catalogue of all data sets, which samples and generators enter."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from ..errors import DataError, ParameterError
from ..kinds import KINDS
from ..values.arrays import Array
from ..values.declare import Declared, Parameter, param
from ..values.domains import Domain
from .dataset import About, Dataset

# In an installed wheel the folder is inside the package, in a checkout beside it.
_PACKAGE = Path(__file__).resolve().parents[1]
SAMPLE_DATA = next(
    (folder for folder in (_PACKAGE / "sample_data", _PACKAGE.parent / "sample_data") if folder.is_dir()),
    _PACKAGE / "sample_data",
)


def sample_file(name: str) -> Path:
    """Return the path of a shipped file, e.g. ``sample_file("promoters.csv")``.

    Raises DataError with the folder if the file is not there.

    >>> sample_file("promoters.csv").name
    'promoters.csv'
    """
    path = SAMPLE_DATA / name
    if not path.is_file():
        raise DataError(
            f"Sample file {name!r}: expected it in {SAMPLE_DATA}; it is not there. Install kernlib again, or run "
            "from a complete checkout, or choose a generator, which needs no file."
        )
    return path


def read_csv(name: str) -> Any:
    """Return the cells of a shipped CSV file (gzip when the name ends in .gz) as a pandas frame of text.

    >>> read_csv("karate/nodes.csv").iloc[0].tolist()
    ['0', 'Mr. Hi']
    """
    import pandas as pd

    return pd.read_csv(sample_file(name), dtype=str, keep_default_na=False)


def read_npz(name: str) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a shipped NPZ file, pickles refused.

    >>> read_npz("colon.npz")["X"].shape
    (62, 2000)
    """
    with np.load(sample_file(name), allow_pickle=False) as archive:
        return {key: archive[key] for key in archive.files}


Content = dict[str, Any]


# Generators.


def number_param(
    default: float,
    symbol: str,
    help: str,
    *,
    slider: tuple[float, float, float],
    bounds: tuple[float, float],
    positive: bool = False,
) -> Any:
    """Return a declared number: the slider's lowest value, highest value and step, and the hard bounds.

    It is whole where the default is; the lower bound is allowed unless it has to be `positive`.
    """
    (low, high, step), (minimum, maximum) = slider, bounds
    return param(
        default,
        kind="int" if isinstance(default, int) else "float",
        symbol=symbol,
        help=help,
        low=low,
        high=high,
        step=step,
        minimum=minimum,
        open_minimum=positive,
        maximum=maximum,
    )


def rows_param(default: int, *, high: int = 2000, maximum: int = 50_000) -> Any:
    """Return the declared number of rows of a generator; all its numbers take 512 MB at most."""
    return number_param(default, "n", "number of rows", slider=(10, high, 10), bounds=(4, maximum))


def seed_param(help: str = "the same seed gives the same data") -> Any:
    """Return the declared seed of a generator or a sample."""
    return number_param(0, r"\mathrm{seed}", help, slider=(0, 99, 1), bounds=(0, 2**32 - 1))


@dataclass(frozen=True, repr=False)
class Generator(Declared):
    """Base of the generators: declared parameters, and `draw`.

    Each class declares its `entry` in the catalogue and `formula` (LaTeX); its last parameter is the seed.
    """

    entry: ClassVar[str]
    formula: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        if "entry" in vars(cls):
            GENERATORS[cls.entry] = cls

    def generate(self) -> Dataset:
        """Return the data set of these parameters; the same value always gives the same data."""
        values = {p: getattr(self, p.name) for p in self.parameters()}
        changed = [f"{p.name}={value!r}" for p, value in values.items() if value != p.default]
        about, (*_, seed) = CATALOGUE[self.entry], values.values()
        content = self.draw(np.random.default_rng(seed))
        return Dataset(**about.record, recipe=about.recipe(changed), **content)

    def draw(self, rng: np.random.Generator) -> Content:
        """Return rows, y and what belongs to them, drawn from `rng`."""
        raise NotImplementedError

    def target(self, rows: Array) -> Array | None:
        """Return the noise-free target G(x) = E[y | x] of rows, with classes as ±1; None where it is not known.

        Reference: Braun, Buhmann, Müller 2006, the model Y = G + ε.
        """
        return None


# Entries.


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
    """One line of the catalogue: a sample (a file that is shipped, or rows of scikit-learn) or a generator.

    `n` is the number of rows of a sample, or of a generator by default, and `of` what each is, as text; `files` are the
    shipped files that it needs.

    >>> from kernlib.data import CATALOGUE
    >>> CATALOGUE["markov-strings"].parameters()[0].symbol
    'n'
    """

    n: int
    of: str
    files: tuple[str, ...] = ()

    @property
    def generator(self) -> type[Generator] | None:
        """Return the class that generates the rows; None for a sample."""
        return GENERATORS.get(self.name)

    @property
    def kind(self) -> Literal["sample", "generator"]:
        """Return whether the rows are of a sample or generated."""
        return "sample" if self.generator is None else "generator"

    @property
    def default_n(self) -> int | Literal["all"]:
        """Return the rows that `load` returns by default: a Gram matrix of all of some samples would take long."""
        return 400 if self.n > 5000 else "all"

    @property
    def size(self) -> str:
        """Return the number of rows and what they are, as text."""
        return f"{self.n} {self.of}"

    def recipe(self, changed: Sequence[str]) -> str:
        """Return the Python that loads the data set with these arguments."""
        return f"load_dataset({', '.join([repr(self.name), *changed])})"

    def parameters(self) -> tuple[Parameter, ...]:
        """Return the declared parameters of `load(**parameters)`, with this entry's ranges and defaults."""
        if self.generator is not None:
            return self.generator.parameters()
        rows, seed = Subset.parameters()
        return replace(rows, default=self.default_n, low=2, high=self.n, maximum=self.n, step=1), seed

    def load(self, **parameters: Any) -> Dataset:
        """Return the data set; a sample takes `n` and `seed`, a generator its own parameters."""
        who, known = f"load_dataset({self.name!r})", [p.name for p in self.parameters()]
        if unknown := next((name for name in parameters if name not in known), None):
            raise ParameterError(f"{who}: it has no parameter {unknown!r}; expected {', '.join(known)}.")
        if self.generator is not None:
            return self.generator(**parameters).generate()
        n, seed = (p.clean(parameters.get(p.name, p.default), who) for p in self.parameters())
        data = whole(self)
        changed = [f"n={n!r}"] if n != self.default_n else []
        changed += [f"seed={seed}"] if seed else []
        if n != "all":
            data = data.stratified_sample(n, seed=seed)
        return replace(data, recipe=self.recipe(changed))


@lru_cache(maxsize=8)  # data sets are immutable: the lessons alone load ten of them 250 times
def whole(entry: Entry) -> Dataset:
    """Return all rows of a sample; DataError when a file is missing."""
    return Dataset(**entry.record, recipe=entry.recipe(()), **READERS[entry.name]())


#: An entry of sample_data/README.md, which has the words about each data set.
_ENTRY = re.compile(r"### `(.+)`: (.+)\n\n- Size: (\d+) (.+?); rows are of the domain '(\w+)'.*\n((?:- .+\n)+)")
_LINES = {"source": "Source", "licence": "Licence as found", "citation": "Cite", "look_for": "Look for", "note": "Note"}


def _entries() -> Iterator[Entry]:
    for name, title, n, of, domain, more in _ENTRY.findall(sample_file("README.md").read_text(encoding="utf-8")):
        lines = dict(re.findall(r"- ([^:]+): (.*)\n", more))
        words = {field: lines.get(line, "") for field, line in _LINES.items()}
        files = tuple(re.findall(r"`([^`]+)`", lines["Files"]))
        yield Entry(name, title, domain, int(n), of, files, **words)


_EVERY = {entry.name: entry for entry in _entries()}
#: Samples whose files are not here: they are left out of the wheel, as no source states their licence.
LEFT_OUT = {
    name: entry
    for name, entry in _EVERY.items()
    if entry.licence.startswith("none stated") and not all((SAMPLE_DATA / file).exists() for file in entry.files)
}
#: The samples, then the generators, in the order of the menus.
CATALOGUE: Mapping[str, Entry] = MappingProxyType({name: _EVERY[name] for name in _EVERY if name not in LEFT_OUT})
#: The reader of each sample, which returns rows, y, classes, columns, ids, splits; and the class of each generator.
READERS: dict[str, Callable[[], Content]] = {}
GENERATORS: dict[str, type[Generator]] = {}
#: Generators of earlier versions, and the data set to take instead.
_GONE = {"waveform-like": "wave-123", "thrombin-like": "colon-noise", "two-clusters": "banana-like"}


def sample(name: str) -> Callable[[Callable[[], Content]], Callable[[], Content]]:
    """Return a decorator that registers the reader of a sample."""

    def register(read: Callable[[], Content]) -> Callable[[], Content]:
        READERS[name] = read
        return read

    return register


def binary(values: Sequence[Any] | Array, positive: Any) -> Array:
    """Return class codes: 1 where the value is the positive one."""
    return np.array([value == positive for value in values], dtype=np.int64)


# Access by name.


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
    if why := why_left_out(name):
        raise DataError(f"load_dataset: {why}")
    if name not in CATALOGUE:
        near = difflib.get_close_matches(str(name), CATALOGUE, n=3, cutoff=0.4)
        hint = f"Did you mean {' or '.join(repr(n) for n in near)}?" if near else "See dataset_names()."
        raise DataError(f"load_dataset: expected a name in the catalogue; got {name!r}. {hint}")
    return CATALOGUE[name].load(**parameters)


def why_left_out(name: str) -> str:
    """Return why a sample or a generator of earlier versions is not here, and what to do; "" for any other name."""
    if name in _GONE:
        return f"{name!r} is no longer generated. Use {_GONE[name]!r}."
    if name not in LEFT_OUT:
        return ""
    return f"{name!r} is not installed, because its source states no licence. Use a clone of the project's repository."


def target_of(name: str, rows: Array, **parameters: Any) -> Array | None:
    """Return the noise-free targets of generated rows, with classes as ±1; None for samples and where unknown.

    Parameters: `name` and `parameters` as of `load_dataset`, `rows` (n, d).

    >>> target_of("sinc", load_dataset("sinc", n=10).rows).shape
    (10,)
    """
    generator = CATALOGUE[name].generator if name in CATALOGUE else None
    return None if generator is None else generator(**parameters).target(rows)
