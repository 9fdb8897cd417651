"""Molecules as SMILES, one per line, with a name or a label behind it."""

from __future__ import annotations

import io
import re

from ...errors import DataError
from ..guesses import Choice, Guess
from ..reading import Upload, of_table
from ..roles import LABEL_NAMES
from ..tables import Role, table_of
from ..uploads import is_missing, number_of, shortened
from .base import File, Format, Head, declared

__all__ = ["SMILES"]

ENDINGS = ("smi", "smiles", "ism", "can")
_LETTERS = re.compile(r"[A-Za-z0-9@+\-\[\]().=#$:/\\%*~]+")
#: Atoms outside of brackets, bracketed atoms, bonds, branches and ring numbers; each begins with another sign.
_STRICT = re.compile(r"(?:Cl?|Br?|[NOPSFI]|[bcnops]|\[[^\[\]\s]{1,20}\]|[-=#$:/\\.~()]|%\d\d|\d)+")


def _looks_like_smiles(head: Head) -> str:
    """Lines that begin with a molecule: by the letters where the name says so, else by the grammar of each."""
    lines = [line for line in head.lines if not line.startswith("#")]
    first = [line.split(None, 1)[0] for line in lines]
    if len(first) < 2:
        return ""
    if head.ending in ENDINGS:
        return "Molecules as SMILES, one per line" if all(_LETTERS.fullmatch(word) for word in first) else ""
    if any("," in line or ";" in line for line in lines):
        return ""
    marks = sum(bool(re.search(r"[=#(\[]|[A-Za-z]\d", word)) for word in first)
    sure = all(_STRICT.fullmatch(word) for word in first[1:]) and 2 * marks > len(first) and not _numbers(first)
    return "Molecules as SMILES, one per line" if sure else ""


def _numbers(words: list[str]) -> bool:
    return any(number_of(word) is not None for word in words)


def _smiles(file: File, reason: str) -> Upload | None:
    if file.domain in ("node", "matrix", "vector", "pair"):
        return None
    lines = []
    for number, line in enumerate(io.StringIO(file.text), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = line.strip().split("\t") if "\t" in line else line.split(None, 1)
        lines.append([part.strip() for part in parts])
        if len(lines) > file.limits.rows or len(lines) * len(parts) > file.limits.cells:
            raise DataError(
                f"{file.name}: it has more than {file.limits.rows} lines, the most that is read. Draw a sample of them."
            )
        long = next((part for part in parts if len(part) > file.limits.letters), None)
        if long is not None:
            raise DataError(
                f"{file.name}: line {number} has a word of {len(long)} letters; expected at most "
                f"{file.limits.letters}. Shorten it."
            )
    width = max(len(line) for line in lines)
    header: list[str] = []
    named = _STRICT.fullmatch(lines[0][0]) is None and not _numbers(lines[0])  # "smiles" itself is no molecule
    if file.header or (named and file.header is None):
        header, *lines = lines
    titles = [*header, *(f"x{j + 1}" for j in range(width))][:width]
    table = table_of(file.name, _apart(["smiles", *titles[1:]]), [line + [""] * (width - len(line)) for line in lines])
    roles: dict[str, tuple[Role, str]] = {"smiles": ("sequence", "the molecule of each line")}
    said: tuple[Guess, ...] = ()
    for column in table.columns[1:]:
        words = {str(cell).strip() for cell in table.column(column.name) if not is_missing(cell)}
        if width > 2 or column.role in ("ignore", "id", "group") or column.name.lower() in LABEL_NAMES:
            continue
        if column.role != "numeric" and column.distinct > max(2, table.n // 2):
            roles[column.name] = ("id", "nearly every value is different")
            continue
        roles[column.name] = ("label", f"behind each molecule, {len(words)} different values")
        sentence = f"What stands behind each molecule is taken for its label, {len(words)} different values."
        said = (Guess(sentence, (Choice("Read them without labels", roles=((column.name, "ignore"),)),)),)
    if header:
        said = (*said, Guess(f"The first line, {shortened(' '.join(header))}, is taken for names of columns."))
    return of_table(declared(table, roles), "SMILES", reason, file.domain or "sequence", file.limits, said)


def _apart(names: list[str]) -> list[str]:
    return [name if name and name not in names[:j] else f"x{j + 1}" for j, name in enumerate(names)]


SMILES = Format("SMILES", ENDINGS, _looks_like_smiles, _smiles)
