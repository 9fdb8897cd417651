"""Paths and readers of the shipped files; nothing in them is ever unpickled."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import DataError

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
