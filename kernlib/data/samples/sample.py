"""Shipped data sets: paths and readers of their files, what is known of each before it is read, and their register."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import DataError
from ...values.arrays import Array
from ...values.domains import Domain
from ..dataset import About, Dataset

# `csv` has one limit for the whole process, and refuses longer cells (one shipped web page has 133 083 letters). The
# limits of uploads refuse here; without this they would depend on what the process has read before.
csv.field_size_limit(2**31 - 1)

# In an installed wheel the folder is inside the package, in a checkout beside it.
_PACKAGE = Path(__file__).resolve().parents[2]
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


def read_csv(name: str) -> list[dict[str, str]]:
    """Return the rows of a shipped CSV file (gzip when the name ends in .gz), one dictionary per line.

    >>> read_csv("karate/nodes.csv")[0]
    {'id': '0', 'club': 'Mr. Hi'}
    """
    raw = sample_file(name).read_bytes()
    text = (gzip.decompress(raw) if name.endswith(".gz") else raw).decode("utf-8")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def read_npz(name: str) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of a shipped NPZ file, pickles refused.

    >>> read_npz("colon.npz")["X"].shape
    (62, 2000)
    """
    with np.load(sample_file(name), allow_pickle=False) as archive:
        return {key: archive[key] for key in archive.files}


Content = dict[str, Any]

UCI = "UCI Machine Learning Repository, CC BY 4.0"
SKLEARN = "scikit-learn, BSD-3 (data: UCI, CC BY 4.0)"
ELEM_STAT_LEARN = "GPL-2.0-or-later (R package ElemStatLearn)"
#: Follows what is known of a licence that no source states: such files are not in the wheel.
UNSTATED = "in the project's repository only, not in the wheel"


@dataclass(frozen=True)
class Sample(About):
    """A shipped data set: what is known of it before its file is read, and its reader.

    `n` is the number of rows and `of` what each is, as text; `read` returns the content (rows, y, classes, columns,
    ids, splits), `load` the `Dataset`.

    >>> SAMPLES["karate"].load()
    Dataset('karate', node, n=34, classes={'Mr. Hi': 17, 'Officer': 17})
    """

    n: int
    of: str
    files: tuple[str, ...] = ()
    read: Callable[[], Content] = field(default=dict, repr=False, compare=False)

    def load(self) -> Dataset:
        """Return all rows; DataError when a file is missing."""
        return _loaded(self)


@lru_cache(maxsize=8)  # data sets are immutable: the lessons alone load ten of them 250 times
def _loaded(made: Sample) -> Dataset:
    return Dataset(**made.record, recipe=f"load_dataset({made.name!r})", **made.read())


SAMPLES: dict[str, Sample] = {}
#: Samples whose files are not here, as their licence is not stated.
LEFT_OUT: dict[str, Sample] = {}


def sample(
    name: str, title: str, domain: Domain, n: int, of: str, **words: Any
) -> Callable[[Callable[[], Content]], Sample]:
    """Return a decorator that registers a reader as a sample; `words` are further fields of `Sample`.

    Files whose licence is not stated are left out of the wheel; where they are missing, the sample is in `LEFT_OUT`.
    """

    def register(read: Callable[[], Content]) -> Sample:
        made = Sample(name, title, domain, n, of, read=read, **words)
        unstated = made.licence.endswith(UNSTATED)
        absent = unstated and not all((SAMPLE_DATA / file).exists() for file in made.files)
        (LEFT_OUT if absent else SAMPLES)[name] = made
        return made

    return register


def binary(values: Sequence[Any] | Array, positive: Any) -> Array:
    """Return class codes: 1 where the value is the positive one."""
    return np.array([value == positive for value in values], dtype=np.int64)
