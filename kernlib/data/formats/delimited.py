"""Tables as text: cells divided by commas, tabs, semicolons or blanks; some of them are lists of edges."""

from __future__ import annotations

from ..reading import Upload, of_table
from ..tables import read_table
from ..uploads import delimiter_of
from .base import File, Format, Head, said_by_its_name
from .edge_lists import could_be_nodes, edges_in

__all__ = ["DELIMITED"]

_WORDS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars", " ": "blanks"}


def _looks_like_lines(head: Head) -> str:
    return "Lines of cells"  # what nothing else recognised is read as a table, or refused with the line that is none


def _delimited(file: File, reason: str) -> Upload:
    table = read_table(file.raw, file.name, header=file.header, limits=file.limits)
    graph, said = edges_in(table, file) if file.domain in (None, "node") else (None, ())
    if graph is not None:
        return graph
    mark = delimiter_of(file.text)
    cells = "cell" if len(table.columns) == 1 else f"cells divided by {_WORDS[mark]}"
    reason = said_by_its_name(f"Lines of {len(table.columns)} {cells}", file.head, ("csv", "tsv"))
    format = "TSV table" if mark == "\t" else "CSV table"
    return could_be_nodes(of_table(table, format, reason, file.domain, file.limits, said))


DELIMITED = Format("Table as text", ("csv", "tsv", "txt", "dat"), _looks_like_lines, _delimited)
