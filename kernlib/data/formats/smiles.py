"""Molecules as SMILES, one per line, followed by a name or a label."""

from __future__ import annotations

import io
import re

from ...errors import DataError
from ..guesses import Choice, Guess, Role
from ..molecules import is_molecule
from ..reading import Upload, of_table
from ..roles import NAMES
from ..tables import table_of
from ..uploads import check_size, is_missing, number_of, shortened, too_long
from .base import File, Format, Head

ENDINGS = ("smi", "smiles", "ism", "can")
_LETTERS = re.compile(r"[A-Za-z0-9@+\-\[\]().=#$:/\\%*~]+")
_WORDS = "Molecules as SMILES, one per line"


def _looks_like_smiles(head: Head) -> str:
    """Return why lines begin with molecules: by the name's ending, else because the first words parse as molecules.

    Lines of more than two cells are a table, whose columns get roles one by one.
    """
    lines = [line for line in head.lines if not line.startswith("#")]
    first = [line.split(None, 1)[0] for line in lines]
    if len(first) < 2:
        return ""
    if head.ending in ENDINGS:
        return _WORDS if all(_LETTERS.fullmatch(word) for word in first) else ""
    if any("," in line or ";" in line or line.count("\t") > 1 for line in lines):
        return ""
    structured = sum(re.search(r"[=#(\[\d]", word) is not None for word in first)
    return _WORDS if all(map(is_molecule, first[1:])) and 2 * structured > len(first) else ""


def _smiles(file: File, reason: str) -> Upload | None:
    """Return the molecules with the words after them; None where later lines of a text are not molecules."""
    if file.domain in ("node", "matrix", "vector", "pair"):
        return None
    lines = []
    for number, line in enumerate(io.StringIO(file.text), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        parts = line.strip().split("\t") if "\t" in line else line.split(None, 1)
        lines.append([part.strip() for part in parts])
        check_size(file.name, len(lines), len(parts), file.limits, number)
        if long := too_long(parts, file.limits):
            raise DataError(f"{file.name}: line {number}, {long}")
    width = max(len(line) for line in lines)
    header: list[str] = []
    named = not is_molecule(lines[0][0]) and is_molecule(lines[1][0]) and number_of(lines[0][-1]) is None
    if file.header or (named and file.header is None):
        header, *lines = lines
    wrong = [line[0] for line in lines if not is_molecule(line[0])]
    if 10 * len(wrong) > len(lines) and file.head.ending not in ENDINGS:
        return None
    titles = [*header, *(f"x{j + 1}" for j in range(width))][:width]
    body = [line + [""] * (width - len(line)) for line in lines]
    table = table_of(file.name, _apart(["smiles", *titles[1:]]), body, limits=file.limits)
    roles: dict[str, tuple[Role, str]] = {"smiles": ("sequence", "the molecule of each line")}
    guesses: tuple[Guess, ...] = ()
    if wrong:
        many = "1 line does" if len(wrong) == 1 else f"{len(wrong)} lines do"
        guesses = (Guess(f"{many} not begin with a valid SMILES, the first with {shortened(wrong[0])}."),)
    for column in table.columns[1:]:
        words = {str(cell).strip() for cell in table.column(column.name) if not is_missing(cell)}
        if width > 2 or column.role in ("ignore", "id", "group") or column.name.lower() in NAMES["label"]:
            continue
        if column.role != "numeric" and column.distinct > max(2, table.n // 2):
            roles[column.name] = ("id", "nearly every value is different")
            continue
        roles[column.name] = ("label", f"after each molecule, {len(words)} different values")
        sentence = f"The word after each molecule is read as its label, {len(words)} different values."
        guesses = (*guesses, Guess(sentence, (Choice("Read them without labels", roles=((column.name, "ignore"),)),)))
    if header:
        line = shortened(" ".join(header))
        no_header = Choice("It is a molecule", header=False)
        guesses = (*guesses, Guess(f"The first line, {line}, is read as names of columns.", (no_header,)))
    return of_table(table.declared(roles), "SMILES", reason, file.domain, file.limits, guesses)


def _apart(names: list[str]) -> list[str]:
    """Return the names with numbers in place of empty and repeated ones."""
    return [name if name and name not in names[:j] else f"x{j + 1}" for j, name in enumerate(names)]


SMILES = Format("SMILES", ENDINGS, _looks_like_smiles, _smiles)
