"""Molecules as SMILES, one per line, followed by a name of any words."""

from __future__ import annotations

import io
import re

from ..molecules import is_molecule
from ..table import Part, table_of
from ..uploads import check_size
from .base import Container, File


def _is_smiles(file: File) -> bool:
    """Return whether each line begins with a molecule, at least half of them with a bond, a ring or a branch."""
    lines = [line for line in file.lines if not line.startswith("#")][:200]
    first = [line.split(None, 1)[0] for line in lines]
    if len(first) < 2 or any("," in line or ";" in line or line.count("\t") > 1 for line in lines):
        return False
    structured = sum(re.search(r"[=#(\[\d]", word) is not None for word in first)
    return all(map(is_molecule, first[1:])) and 2 * structured > len(first)


def _smiles(file: File) -> Part:
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


SMILES = Container("SMILES", _is_smiles, _smiles)
