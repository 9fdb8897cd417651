"""Strings of letters: FASTA, with aligned FASTA and A3M."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

from ...errors import DataError
from ..limits import shortened
from ..table import Part, Table, table_of
from .files import File

_LETTERS = re.compile(r"[A-Za-z*\-.]*")
_DROPPED = str.maketrans("", "", "0123456789 \t\r\v\f")
_NAMED = re.compile(r"(?:^|[\s|;,\[])(?:label|class|target|category|group|y)\s?[=:]\s?([^\s|;,\]]+)", re.IGNORECASE)


def _table(headers: Sequence[str], joined: Sequence[str], file: File, notes: Sequence[str]) -> Table:
    """Return the records as a table: id, sequence, and the parts of the headers that can be labels."""
    words = [[*header.split(None, 2), "", "", ""][:3] for header in headers]
    named = [match[1] if (match := _NAMED.search(header[:2000])) else "" for header in headers]
    ids, second, third = (list(column) for column in zip(*words, strict=True))
    columns = {"id": [word or str(i + 1) for i, word in enumerate(ids)], "sequence": joined}
    declared = {"id": "id", "sequence": "compared"}
    if sum(map(bool, named)) > len(headers) / 2:
        columns["label"], declared["label"] = named, "predict"
    elif any(second):
        columns["second word"] = second
        if any(third):
            columns["description"] = [f"{a} {b}".strip() for a, b in zip(second, third, strict=True)]
        elif _repeat(second):
            declared["second word"] = "predict"
    declared = dict.fromkeys(columns, "left out") | declared
    rows = list(zip(*columns.values(), strict=True))
    return table_of(
        file.name, list(columns), rows, container="FASTA", declared=declared, notes=tuple(notes), limits=file.limits
    )


def _repeat(words: Sequence[str]) -> bool:
    """Return whether words can be classes: two different ones or more, each with more than one row on average."""
    different = len(set(words))
    return "" not in words and 1 < different < len(words) and different <= max(2, len(words) // 2)


def _records(file: File) -> tuple[list[str], list[str]]:
    """Return the headers and the strings of the records."""
    name, limits = file.name, file.limits
    headers: list[str] = []
    rows: list[list[str]] = []
    for number, line in enumerate(io.StringIO(file.text), start=1):
        if line.startswith(">"):
            if len(rows) >= limits.rows:
                raise DataError(
                    f"{name}: expected at most {limits.rows} records; line {number} begins another. Cut it."
                )
            headers.append(line[1:].strip()[: limits.letters])
            rows.append([])
        elif not line.startswith(";") and (rows or not line.startswith("#")):  # comments
            letters = line.translate(_DROPPED).strip()
            if letters and not rows:
                raise DataError(f"{name}: line {number} is before the first '>' line. Begin with a header.")
            if not _LETTERS.fullmatch(letters):
                wrong = next(c for c in letters if not _LETTERS.fullmatch(c))
                raise DataError(f"{name}: line {number} holds {wrong!r}; expected letters. Remove it.")
            if letters:
                rows[-1].append(letters)
    if not all(rows):
        empty = rows.index([])
        raise DataError(
            f"{name}: record {empty + 1}, {shortened(headers[empty])}, has no letters. Remove it or add them."
        )
    if len(rows) < limits.least:
        raise DataError(f"{name}: at least two sequences are needed; got {len(rows)}. Add records.")
    return headers, ["".join(parts) for parts in rows]


def read_fasta(file: File) -> Part:
    """Return the records of FASTA; letters become upper case, and insertions of A3M are left out."""
    headers, joined = _records(file)
    notes = []
    solid = [sum(1 for c in word if not c.islower() and c != ".") for word in joined]
    lower = any(c.islower() for word in joined for c in word)
    upper = any(c.isupper() for word in joined for c in word)
    if lower and upper and len({*solid}) == 1 and any("-" in word for word in joined):
        joined = ["".join(c for c in word if not c.islower() and c != ".") for word in joined]
        notes.append("Lower-case letters are insertions of an A3M alignment and are left out.")
    joined = [word.upper() for word in joined]
    if any("-" in word for word in joined):
        same = len({len(word) for word in joined}) == 1
        notes.append(f"{'The sequences are aligned; gaps' if same else 'Gaps'} (-) are compared like letters.")
    return _table(headers, joined, file, notes)
