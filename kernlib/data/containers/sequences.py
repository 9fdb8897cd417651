"""Strings of letters: FASTA, with aligned FASTA and A3M, and molecules as SMILES."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

from ...errors import DataError
from ..cells import is_molecule
from ..limits import check_size, shortened
from ..table import Part, Table, table_of
from .files import File

_LETTERS = re.compile(r"[A-Za-z*\-.]*")
_DROPPED = str.maketrans("", "", "0123456789 \t\r\v\f")
_NAMED = re.compile(r"(?:^|[\s|;,\[])(?:label|class|target|category|group|y)\s?[=:]\s?([^\s|;,\]]+)", re.IGNORECASE)


def _table(headers: Sequence[str], joined: Sequence[str], file: File, container: str, notes: Sequence[str]) -> Table:
    """Return the records as a table: id, sequence, and the parts of the headers that can be labels."""
    words = [header.split(None, 1) for header in headers]
    ids = [word[0] if word else str(i + 1) for i, word in enumerate(words)]
    behind = [word[1].strip() if len(word) > 1 else "" for word in words]
    named = [match[1] if (match := _NAMED.search(header[:2000])) else "" for header in headers]
    barred = [one.split("|") for one in ids]
    columns = {"id": ids, "sequence": joined}
    declared = {"id": "id", "sequence": "compared"}
    if sum(map(bool, named)) > len(headers) / 2:
        columns["label"], declared["label"] = named, "predict"
    else:
        if all(len(parts) == 2 and parts[1] for parts in barred):
            columns["id"] = [parts[0] for parts in barred]
            columns["behind the bar"] = [parts[1] for parts in barred]
        if any(behind):
            columns["second word"] = [one.split(None, 1)[0] if one else "" for one in behind]
            if any(len(one.split(None, 1)) > 1 for one in behind):
                columns["description"] = behind
        for title in ("second word", "behind the bar"):
            if title in columns and "description" not in columns and _repeat(columns[title]):
                declared[title] = "predict"
                break
    declared |= {title: "left out" for title in columns if title not in declared}
    rows = list(zip(*columns.values(), strict=True))
    return table_of(
        file.name, list(columns), rows, container=container, declared=declared, notes=tuple(notes), limits=file.limits
    )


def _repeat(words: Sequence[str]) -> bool:
    """Return whether words can be classes: two different ones or more, each with more than one row on average."""
    different = len(set(words))
    return "" not in words and 1 < different < len(words) and different <= max(2, len(words) // 2)


def _records(file: File) -> tuple[list[str], list[str]]:
    text, name, limits = file.text, file.name, file.limits
    headers: list[str] = []
    rows: list[list[str]] = []
    shown: list[str] = []
    number = 0
    for number, line in enumerate(io.StringIO(text), start=1):
        if line.startswith(">"):
            if rows and not rows[-1]:
                raise DataError(f"{name}: line {number - 1}: record {shown[-1]} has no letters. Remove it or add them.")
            if len(rows) >= limits.rows:
                raise DataError(
                    f"{name}: expected at most {limits.rows} records; line {number} begins another. Cut it."
                )
            headers.append(line[1:].strip()[: limits.letters])
            shown.append(shortened(headers[-1].split(None, 1)[0] if headers[-1] else str(len(headers))))
            rows.append([])
        elif line.strip():
            if line.startswith(";") or (not rows and line.startswith("#")):
                continue  # a comment
            if not rows:
                raise DataError(f"{name}: line {number} is before the first '>' line. Begin with a header.")
            letters = line.translate(_DROPPED).strip()
            if not _LETTERS.fullmatch(letters):
                wrong = next(c for c in letters if not _LETTERS.fullmatch(c))
                raise DataError(f"{name}: line {number} holds {wrong!r}; expected letters. Remove it.")
            if letters:
                rows[-1].append(letters)
    if rows and not rows[-1]:
        raise DataError(f"{name}: the last record, {shown[-1]}, has no letters. Remove it or add them.")
    joined = ["".join(parts) for parts in rows]
    if len(joined) < limits.least:
        raise DataError(f"{name}: at least two sequences are needed; got {len(joined)}. Add records.")
    return headers, joined


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
    return _table(headers, joined, file, "FASTA", notes)


def read_smiles(file: File) -> Part:
    """Return the molecules and the words behind them, as a table."""
    lines = []
    for number, line in enumerate(io.StringIO(file.text), start=1):
        if line.strip() and not line.startswith("#"):
            lines.append([part.strip() for part in line.strip().split("\t" if "\t" in line else None, 1)])
            check_size(file.name, len(lines), 2, file.limits, number)
    width = max(map(len, lines))
    header = file.asked("header")
    named = not is_molecule(lines[0][0]) if header is None else bool(header)
    names = (lines.pop(0) if named else ["smiles", "behind it"])[:width]
    body = [line + [""] * (width - len(line)) for line in lines]
    names += ["behind it"] * (width - len(names))
    return table_of(file.name, names, body, container="SMILES, one per line", named=named, limits=file.limits)
