"""Uploaded sequences: FASTA or a table of strings and labels."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from ..errors import DataError
from .dataset import Dataset
from .tables import read_table
from .uploads import LIMITS, Limits, Source, content, decode, listed

__all__ = ["read_sequences"]


def read_sequences(source: Source, name: str | None = None, *, limits: Limits = LIMITS) -> Dataset:
    """Sequences from FASTA (``>id label`` lines) or from a two-column table (sequence and label, either order).

    Parameters: `source`, `name`, `limits` as for `read_table`. The second word of a FASTA header is the label where
    every
    header has one. Spaces and digits inside FASTA sequences are dropped; letters are put in upper case.

    Raises DataError for an empty record, text before the first header, fewer than two sequences, …

    >>> read_sequences(b">a +\\nACGT\\nAC\\n>b -\\nTTTT\\n").rows.tolist()
    ['ACGTAC', 'TTTT']
    """
    raw, name = content(source, name, limits)
    text = decode(raw, name)
    if not text.lstrip().startswith(">"):
        table = read_table(raw, name, limits=limits)
        if not any(c.role in ("sequence", "text") for c in table.columns):
            free = [c for c in table.columns if c.role in ("categorical", "id")]
            if not free:
                raise DataError(
                    f"{name}: expected FASTA ('>id label' lines) or a table with a column of strings; the roles are "
                    f"{listed(f'{n}: {r}' for n, r in table.roles.items())}. Use read_table for numbers."
                )
            longest = max(free, key=lambda c: max(len(str(cell)) for cell in table.column(c.name)))
            table = table.with_roles({longest.name: "sequence"})
        return table.to_dataset("sequence")
    ids: list[str] = []
    labels: list[str] = []
    rows: list[list[str]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith(">"):
            if rows and not rows[-1]:
                raise DataError(f"{name}: line {number - 1}: record {ids[-1]!r} has no letters. Remove it or add them.")
            if len(rows) >= limits.rows:
                raise DataError(
                    f"{name}: expected at most {limits.rows} records; line {number} begins another. Cut it."
                )
            words = line[1:].split()
            ids.append(words[0] if words else str(len(ids) + 1))
            labels.append(words[1] if len(words) > 1 else "")
            rows.append([])
        elif line.strip():
            if not rows:
                raise DataError(f"{name}: line {number} stands before the first '>' line. Begin with a header.")
            letters = re.sub(r"[\s\d]", "", line).upper()
            if not re.fullmatch(r"[A-Z*\-.]*", letters):
                wrong = next(c for c in letters if not re.fullmatch(r"[A-Z*\-.]", c))
                raise DataError(f"{name}: line {number} holds {wrong!r}; expected letters. Remove it.")
            if letters:
                rows[-1].append(letters)
    if rows and not rows[-1]:
        raise DataError(f"{name}: the last record, {ids[-1]!r}, has no letters. Remove it or add them.")
    joined = ["".join(parts) for parts in rows]
    too_long = next((i for i, row in enumerate(joined) if len(row) > limits.letters), None)
    if too_long is not None:
        raise DataError(
            f"{name}: record {ids[too_long]!r} has {len(joined[too_long])} letters; expected at most {limits.letters}. "
            "Cut the sequences to windows."
        )
    if len(joined) < 2:
        raise DataError(f"{name}: at least two sequences are needed; got {len(joined)}. Add records.")
    stem = Path(name).name.split(".")[0] or "sequences"
    return Dataset(
        stem,
        name,
        "sequence",
        np.array(joined, dtype=object),
        y=np.array(labels, dtype=np.str_) if all(labels) else None,
        ids=tuple(ids),
        source=f"upload {name}",
    )
