"""Tables of fixed width, whose columns pandas finds between positions that are blank in every line."""

from __future__ import annotations

import io
import re

from ..guesses import Choice, Guess
from ..reading import Upload, of_table
from ..tables import table_of_lines
from ..uploads import check_size, delimiter_of, number_of, parser_errors
from .base import File, Format, Head

#: Fewer lines could have blanks at the same positions by chance.
_LEAST = 4
#: Stands for a blank inside a cell; no text that is read has it.
_INSIDE = "\0"


def _looks_like_fixed_width(head: Head) -> str:
    """Return the reason if nothing else separates cells, and most lines hold runs of blanks and a number."""
    lines = [line.rstrip() for line in head.text.splitlines() if line.strip()]
    lines = lines if head.whole else lines[:-1]
    if len(lines) < _LEAST or delimiter_of("\n".join(lines[1:])) != "," or re.search("[,\t]", lines[0]):
        return ""
    cells = [re.split(r" {2,}", line.strip()) for line in lines[1:]]
    aligned = 2 * sum(len(line) > 1 for line in cells) > len(cells)
    numbers = 2 * sum(any(number_of(c) is not None for c in re.split(r" +", line)) for line in lines[1:]) > len(cells)
    return "Columns at fixed places, with blanks between them" if aligned and numbers else ""


def _fixed_width(file: File, reason: str) -> Upload | None:
    """Return the table that `pandas.read_fwf` reads, which a person has to confirm; None where it finds one column."""
    from pandas import read_fwf

    lines = file.text.split("\n")
    if file.domain == "text" or max(map(len, lines)) > 2 * file.limits.columns:
        return None
    check_size(file.name, len(lines) - 1, 1, file.limits)
    # One blank between words may be inside a cell, such as "New York"; two are not.
    text = re.sub(r"(?<=\S) (?=\S)", _INSIDE, file.text)
    with parser_errors(f"{file.name}: its columns cannot be found", "Write the table as CSV."):
        frame = read_fwf(io.StringIO(text), header=None, dtype=str, keep_default_na=False, infer_nrows=10_000)
    if frame.shape[1] < 2:
        return None
    rows = [[cell.replace(_INSIDE, " ") for cell in row] for row in frame.fillna("").to_numpy().tolist()]
    table = table_of_lines(rows, file.name, file.header, file.limits, file.skip, file.below, file.turned)
    sentence = f"{frame.shape[1]} columns are split at the positions that are blank in every line."
    choices = (Choice("Each line is one text", domain="text"),)
    guesses = (Guess(sentence, choices, question=file.domain is None),)
    return of_table(table, "Table of fixed width", reason, file.domain, file.limits, guesses)


FIXED_WIDTH = Format("Table of fixed width", ("fwf", "txt", "dat", "prn"), _looks_like_fixed_width, _fixed_width)
