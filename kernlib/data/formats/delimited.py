"""Tables as text: cells separated by commas, tabs, semicolons or blanks; some are lists of edges."""

from __future__ import annotations

from ..guesses import Choice, Guess
from ..reading import Upload, of_table
from ..table import TABLE_DOMAINS
from ..tables import read_table
from ..uploads import SEPARATORS
from .base import File, Format, Head, reason_with_ending
from .edge_lists import could_be_nodes, edges_in
from .matrices import named_square, square_of_pairs
from .time_series import series_in


def _looks_like_lines(head: Head) -> str:
    return "Lines of cells"  # a text of no other format is read as a table, or refused with the line that does not fit


def _delimited(file: File, reason: str) -> Upload:
    table = read_table(
        file.raw, file.name, header=file.header, quotes=file.quotes, skip=file.skip, below=file.below,
        delimiter=file.delimiter, turned=file.turned, limits=file.limits,
    )  # fmt: skip
    if file.domain not in TABLE_DOMAINS and (square := named_square(table, file)) is not None:
        return square
    if (square := square_of_pairs(table, file)) is not None:
        return square
    if (series := series_in(table, file)) is not None:
        return series
    graph, guesses = edges_in(table, file) if file.domain in (None, "node") else (None, ())
    if graph is not None:
        return graph
    role = table.columns[0].role
    if len(table.columns) == 1 and role in ("text", "categorical") and file.domain is None:
        one = table.columns[0].name
        ways = [Choice("Compare them as strings of letters", domain="sequence", roles={one: "sequence"})]
        if role == "categorical":
            ways.append(Choice("Compare them as texts", domain="text", roles={one: "text"}))
        if "," in file.text and not file.delimiter:
            ways.append(Choice("Commas separate cells", delimiter=","))
        sentence = f"Nothing separates cells: each line is read as one {'text' if role == 'text' else 'category'}."
        guesses = (*guesses, Guess(sentence, tuple(ways), question=True))
    mark = table.layout.mark if table.layout else ","
    divided = f" separated by {SEPARATORS.get(mark, repr(mark))}" if len(table.columns) > 1 else ""
    cells = "cell" if len(table.columns) == 1 else f"cells{divided}"
    reason = reason_with_ending(f"Lines of {len(table.columns)} {cells}", file.head, ("csv", "tsv"))
    format = "TSV table" if mark == "\t" else "CSV table"
    return could_be_nodes(of_table(table, format, reason, file.domain, file.limits, guesses))


DELIMITED = Format("Table as text", ("csv", "tsv", "txt", "dat"), _looks_like_lines, _delimited)
