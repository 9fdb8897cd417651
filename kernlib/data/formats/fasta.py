"""Uploaded sequences: FASTA and FASTQ, labelled in their headers in one of several ways, or a table of strings."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence

from ...errors import DataError
from ..dataset import Dataset
from ..guesses import Choice, Guess, Role
from ..reading import Upload, of_table
from ..table import Table
from ..tables import read_table, table_of
from ..uploads import LIMITS, Limits, Source, content, decode, listed, shortened
from .base import File, Format, Head

_LETTERS = re.compile(r"[A-Z*\-.]*")
_DROPPED = str.maketrans("", "", "0123456789 \t\r\v\f")
_NAMED = re.compile(r"(?:^|[\s|;,\[])(?:label|class|target|category|group|y)\s?[=:]\s?([^\s|;,\]]+)", re.IGNORECASE)


def read_sequences(source: Source, name: str | None = None, *, limits: Limits = LIMITS) -> Dataset:
    """Return sequences from FASTA or from a two-column table (sequence and label, in either order).

    Parameters: `source`, `name`, `limits` as for `read_table`. The label of a FASTA record is class=… or label=… in
    its header, else the word after the id, else the word after a bar, ``>id|label``; only if such words repeat. Spaces
    and digits inside FASTA sequences are dropped; letters become upper case.

    Raises DataError for an empty record, text before the first header, fewer than two sequences, …

    >>> read_sequences(b">a +\\nACGT\\nAC\\n>b -\\nTTTT\\n>c +\\nTT\\n").rows.tolist()
    ['ACGTAC', 'TTTT', 'TT']
    >>> read_sequences(b">a|x\\nACGT\\n>b|y\\nTTTT\\n>c|x\\nAC\\n").labels
    ('x', 'y', 'x')
    """
    raw, name = content(source, name, limits)
    text = decode(raw, name)
    if _begins(text.split("\n")).startswith(">"):
        return _fasta(text, name, limits)[0].to_dataset("sequence")
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


def _begins(lines: Iterable[str]) -> str:
    """Return the first line that is no comment: those begin with ; or # above the first record."""
    return next((line for line in lines if line.strip() and not line.startswith((";", "#"))), "")


def _fasta(text: str, name: str, limits: Limits) -> tuple[Table, tuple[Guess, ...]]:
    return _table(*_records(text, name, limits), name, limits)


def _table(headers: Sequence[str], joined: Sequence[str], name: str, limits: Limits) -> tuple[Table, tuple[Guess, ...]]:
    """Return the records as a table of id, sequence and label or description, and the guesses about the headers."""
    words = [header.split(None, 1) for header in headers]
    ids = [word[0] if word else str(i + 1) for i, word in enumerate(words)]
    behind = [word[1].strip() if len(word) > 1 else "" for word in words]
    labels, how = _labels(headers, behind)
    columns = {"id": ids, "sequence": joined}
    roles: dict[str, tuple[Role, str]] = {
        "id": ("id", "the first word of each header"),
        "sequence": ("sequence", "the letters of each record"),
    }
    guesses: tuple[Guess, ...] = ()
    if labels:
        columns["label"] = labels
        roles["label"] = ("label", how)
        if "behind the bar" in how:
            columns["id"] = [word.rpartition("|")[0] or word for word in ids]
        choice = Choice("Read them without labels", roles=(("label", "ignore"),))
        sentence = f"The label is {how}: {len(set(labels) - {''})} different ones."
        # A description of several words may repeat its first word by chance.
        prose = "second word" in how and sum(len(text.split()) > 2 for text in behind) > len(behind) / 2
        guesses = (Guess(sentence, (choice,), question=prose),)
    elif any(behind):
        columns["description"] = behind
        roles["description"] = ("ignore", "the text after the id, whose first words are not classes")
    table = table_of(name, list(columns), list(zip(*columns.values(), strict=True)), limits=limits)
    return table.declared(roles), guesses


def _labels(headers: Sequence[str], behind: Sequence[str]) -> tuple[list[str], str]:
    """Return the label of each record ("" for none) and its position as text; no labels where no way fits."""
    named = [match[1] if (match := _NAMED.search(header[:2000])) else "" for header in headers]
    second = [word.split(None, 1)[0] if word else "" for word in behind]
    barred = [header.split(None, 1)[0].split("|") if header else [""] for header in headers]
    if sum(map(bool, named)) > len(headers) / 2:
        return named, "what each header calls class=… or label=…"
    if all(second) and _repeat(second):
        return second, "the second word of each header"
    if all(len(parts) == 2 and parts[1] for parts in barred) and _repeat([parts[1] for parts in barred]):
        return [parts[1] for parts in barred], "the word after the bar of each header"
    return [], ""


def _repeat(words: Sequence[str]) -> bool:
    """Return whether words can be classes: two different ones or more, each with more than one row on average."""
    different = len(set(words))
    return 1 < different < len(words) and different <= max(2, len(words) // 2)


def _records(text: str, name: str, limits: Limits) -> tuple[list[str], list[str]]:
    headers: list[str] = []
    rows: list[list[str]] = []
    shown: list[str] = []
    number = length = 0
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
            length = 0
        elif line.strip():
            if line.startswith(";") or (not rows and line.startswith("#")):
                continue  # a comment
            if not rows:
                raise DataError(f"{name}: line {number} is before the first '>' line. Begin with a header.")
            letters = line.translate(_DROPPED).strip().upper()
            if not _LETTERS.fullmatch(letters):
                wrong = next(c for c in letters if not _LETTERS.fullmatch(c))
                raise DataError(f"{name}: line {number} holds {wrong!r}; expected letters. Remove it.")
            if letters:
                rows[-1].append(letters)
                length += len(letters)
            if length > limits.letters:
                raise DataError(
                    f"{name}: record {shown[-1]} has more than {limits.letters} letters, the maximum. Cut "
                    "the sequences to windows."
                )
    if rows and not rows[-1]:
        raise DataError(f"{name}: the last record, {shown[-1]}, has no letters. Remove it or add them.")
    joined = ["".join(parts) for parts in rows]
    if len(joined) < limits.least:
        raise DataError(f"{name}: at least two sequences are needed; got {len(joined)}. Add records.")
    return headers, joined


def _looks_like_fasta(head: Head) -> str:
    return "It begins with a '>' line" if _begins(head.lines).startswith(">") else ""


def _of_fasta(file: File, reason: str) -> Upload:
    table, guesses = _fasta(file.text, file.name, file.limits)
    return of_table(table, "FASTA", reason, file.domain, file.limits, guesses)


def _looks_like_fastq(head: Head) -> str:
    fits = re.match(r"@[^\n]{0,500}\n[A-Za-z.*-]{1,8000}(\n\+|\n?$)", head.text)
    return "Records of four lines: @, letters, + and qualities" if fits else ""


def _of_fastq(file: File, reason: str) -> Upload:
    """Return the letters of each record; the qualities are left out."""
    text = file.text.rstrip()
    first = text.count("\n", 0, len(text) - len(text.lstrip())) + 1
    lines = [line.rstrip() for line in text.lstrip().split("\n")]
    for k in range(0, len(lines), 4):
        record = [*lines[k : k + 4], "", "", ""][:4]
        whole = record[0].startswith("@") and record[2].startswith("+") and len(record[1]) == len(record[3])
        if not whole or not _LETTERS.fullmatch(record[1].upper()):
            raise DataError(
                f"{file.name}: line {k + first} begins with {shortened(record[0])}; expected a record of four lines: @ "
                "and a name, letters, +, and a quality for each letter. Correct the record."
            )
        if len(record[1]) > file.limits.letters or k > 4 * file.limits.rows:
            raise DataError(
                f"{file.name}: line {k + first} brings it to {k // 4 + 1} records, one of {len(record[1])} letters; "
                f"expected at most {file.limits.rows} records of {file.limits.letters}. Keep fewer."
            )
    headers = [line[1:].strip() for line in lines[::4]]
    table, guesses = _table(headers, [line.upper() for line in lines[1::4]], file.name, file.limits)
    left_out = Guess("The qualities of the letters are left out.")
    return of_table(table, "FASTQ", reason, file.domain, file.limits, (left_out, *guesses))


FASTA = Format("FASTA", ("fasta", "fa", "faa", "fna", "ffn", "fas"), _looks_like_fasta, _of_fasta)
FASTQ = Format("FASTQ", ("fastq", "fq"), _looks_like_fastq, _of_fastq)
