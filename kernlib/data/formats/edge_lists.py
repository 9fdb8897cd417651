"""Lists of edges: lines of two nodes separated by blanks or tabs, and tables with columns such as from and to."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from typing import Any

from ...errors import DataError
from ..guesses import Choice, Guess
from ..reading import Upload
from ..table import TABLE_DOMAINS, Table
from ..tables import table_of
from ..uploads import SEPARATORS, number_of, shortened
from .base import File, Format, Head, reason_with_ending
from .networks import of_network, read_edges

ENDINGS = ("edges", "edgelist", "ncol", "el", "wel", "snap")
#: Names of the two columns that make a table a list of edges; the later ones are ambiguous.
ENDS = (("from", "to"), ("source", "target"), ("src", "dst"), ("node1", "node2"), ("fromnodeid", "tonodeid"))
WEAK_ENDS = (("u", "v"), ("head", "tail"))
WEIGHTS = frozenset({"weight", "weights", "w", "value"})
#: Other columns about edges, as Gephi, Cytoscape and SNAP write them; a label here belongs to the edge, not to a row.
BESIDE = WEIGHTS | {
    "id", "edge", "edge_id", "key", "type", "kind", "relation", "interaction", "timeset", "time", "timestamp", "date",
    "year", "sign", "directed", "color", "colour", "count", "distance", "length", "capacity",
}  # fmt: skip
LABELS = frozenset({"label", "labels", "name", "class", "y", "category"})
_AS_TABLE = "Read each line as a row of a table"
_AS_GRAPH = "Read each line as an edge of a graph"


def ends_of(table: Table) -> tuple[str, str] | None:
    """Return the two columns that could make a table a list of edges, by their names, or None.

    >>> ends_of(table_of("t", ["Source", "Target"], [["a", "b"], ["b", "c"]]))
    ('Source', 'Target')
    """
    plain = {column.name.strip().lower(): column.name for column in table.columns}
    return next(((plain[a], plain[b]) for a, b in pairs_of_ends(plain)), None)


def pairs_of_ends(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the pairs among names in small letters that could be the ends of an edge.

    >>> pairs_of_ends(["protein1", "protein2", "score"])
    [('protein1', 'protein2')]
    """
    known = set(names)
    numbered = [(name, f"{name[:-1]}2") for name in sorted(known) if re.fullmatch(r"[a-z][a-z_]+1", name)]
    numbered = [ends for ends in numbered if f"{ends[0][:-1]}3" not in known]  # sample1, sample2, sample3, …
    return [(a, b) for a, b in (*ENDS, *WEAK_ENDS, *numbered) if a in known and b in known]


def edges_in(table: Table, file: File) -> tuple[Upload | None, tuple[Guess, ...]]:
    """Return the graph in a table with columns such as from and to, or None; and guesses to show or ask.

    The table is a graph if both columns share names and all other columns describe edges. If only the columns' names
    suggest a graph, it stays a table and the guess asks; otherwise there is no guess.
    """
    ends = ends_of(table) or _unnamed_ends(table)
    if ends is None:
        return None, ()
    columns = f"{shortened(ends[0])} and {shortened(ends[1])}"
    weight = next((c.name for c in table.columns if c.name.strip().lower() in WEIGHTS and c.name not in ends), None)
    reason = reason_with_ending(f"A table with the columns {columns}", file.head, ("csv", "tsv"))
    if file.domain == "node":
        weight = file.part if file.part in table.roles else weight
        network = read_edges(table, ends, file.limits, weight)
        return of_network(network, "Edge list", reason, file.limits, _weighing(table, ends, weight)), ()
    beside = _beside(table, ends)
    others = [name for name in beside if name.strip().lower() not in BESIDE | LABELS]
    weak = tuple(end.strip().lower() for end in ends) in WEAK_ENDS
    shared, repeated = _shared(table.column(ends[0]), table.column(ends[1]))
    if not repeated or (weak and not shared):
        return None, ()
    if ends == _unnamed_ends(table):
        sentence = f"Read as {len(table.columns)} columns of numbers, although {columns} share numbers, like edges."
        return None, (Guess(sentence, (Choice(_AS_GRAPH, domain="node"),), question=True),) if shared else ()
    if others or (weak and not {name.strip().lower() for name in beside} <= WEIGHTS) or not _are_names(table, ends):
        if not shared or weak or not _are_names(table, ends):
            return None, ()
        sentence = (
            f"Read as a table of {len(table.columns)} columns, although {columns} share names, like the ends of edges."
        )
        return None, (Guess(sentence, (Choice(_AS_GRAPH, domain="node"),), question=True),)
    network = read_edges(table, ends, file.limits, weight)
    lost = [name for name in beside if name != weight]
    sentence = f"Each line is read as an edge from {shortened(ends[0])} to {shortened(ends[1])}: a graph of "
    unused = f"; {_named(lost)} {'is' if len(lost) == 1 else 'are'} not used" if lost else ""
    sentence += f"{len(network.ids)} nodes{unused}."
    labelled = any(name.strip().lower() in LABELS for name in lost)
    guess = Guess(sentence, (Choice(_AS_TABLE, domain=table.likely_domain()),), question=labelled or not shared)
    return of_network(network, "Edge list", reason, file.limits, (guess,)), ()


def _unnamed_ends(table: Table) -> tuple[str, str] | None:
    """Return the two columns of whole numbers in a table without names that may be edges, perhaps with weights."""
    names = [column.name for column in table.columns]
    whole = all(str(cell).strip().isdigit() for cell in table.cells[:, :2].flat)
    return (names[0], names[1]) if whole and names in (["x1", "x2"], ["x1", "x2", "x3"]) else None


def _beside(table: Table, ends: tuple[str, str]) -> list[str]:
    """Return the columns beside the ends, except the row number that pandas writes."""
    others = [c.name for c in table.columns if c.name not in ends]
    return [name for name in others if not _counts_rows([str(cell).strip() for cell in table.column(name)])]


def _counts_rows(cells: Sequence[str]) -> bool:
    return cells[0] in ("0", "1") and all(cell == str(i) for i, cell in enumerate(cells, start=int(cells[0])))


def _weighing(table: Table, ends: tuple[str, str], weight: str | None) -> tuple[Guess, ...]:
    """Return a guess about columns beside the edges that are not used, with those that could be weights as choices."""
    beside = [name for name in _beside(table, ends) if name != weight]
    if not beside:
        return ()
    positive = [name for name in beside if all((number_of(cell) or 0) > 0 for cell in table.column(name))]
    words = f"The edges are weighted by {shortened(weight)}" if weight else "All edges count the same"
    sentence = f"{words}; {_named(beside)} {'is' if len(beside) == 1 else 'are'} not used."
    choices = tuple(Choice(f"Weigh them by {shortened(name)}", domain="node", part=name) for name in positive[:3])
    return (Guess(sentence, choices),)


def could_be_nodes(upload: Upload) -> Upload:
    """Return the upload with the domain node allowed, if a guess asks whether it is a graph."""
    asked = any(choice.domain == "node" for guess in upload.file_guesses for choice in guess.choices)
    return dataclasses.replace(upload, domains=(*TABLE_DOMAINS, "node")) if asked else upload


def _named(names: Sequence[str]) -> str:
    return ", ".join(shortened(name) for name in names[:5]) + (", …" if len(names) > 5 else "")


def _shared(first: Iterable[Any], second: Iterable[Any]) -> tuple[bool, bool]:
    """Return whether two columns share at least a third of the smaller one's names, and whether any name repeats."""
    one, other = ([str(cell).strip() for cell in cells] for cells in (first, second))
    a, b = set(one), set(other)
    common = len(a & b)
    return common > 0 and 3 * common >= min(len(a), len(b)), len(a | b) < 2 * len(one)


def _are_names(table: Table, ends: tuple[str, str]) -> bool:
    """Return whether both columns hold words or whole numbers, not measurements or sentences."""
    cells = [str(cell).strip() for end in ends for cell in table.column(end)]
    return all(
        len(cell) <= 100 and cell.count(" ") <= 4 and ((number := number_of(cell)) is None or number.is_integer())
        for cell in cells
        if not cell.lower().endswith(("inf", "infinity", "nan"))
    )


# Lines of nodes separated by blanks or tabs.

_TAIL = re.compile(r"\{[^{}]*\}$")
_WEIGHT = re.compile(r"'weight': ([\d.eE+-]{1,40})")


def _looks_like_edges(head: Head) -> str:
    lines = _edge_lines(head.lines)
    if len(lines) < 2 or len({len(line) for line in lines}) != 1 or len(lines[0]) not in (2, 3):
        return ""
    if len(lines[0]) == 3 and any(number_of(line[2]) is None for line in lines):
        return ""
    if any("," in word or ";" in word for line in lines for word in line):
        return ""
    mark = SEPARATORS[_mark(head.lines)]
    return f"Two nodes per line, separated by {mark}"


def _mark(lines: Sequence[str]) -> str:
    """Return the mark that divides all lines without comments into two or three cells: comma, semicolon or " "."""
    marks = (mark for mark in ",;" if all(line.count(mark) in (1, 2) for line in _without_comments(lines)))
    return next(marks, " ")


def _without_comments(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line.strip() and not line.lstrip().startswith(("#", "%"))]


def _edge_lines(lines: Sequence[str]) -> list[list[str]]:
    """Return the words of each line without comments; networkx's trailing {'weight': 2} becomes 2."""
    edges = []
    mark = _mark(lines)
    for line in _without_comments(lines):
        tail = _TAIL.search(line[-1000:])
        if tail:
            weight = _WEIGHT.search(tail[0])
            line = line[: -len(tail[0])] + (weight[1] if weight else "")
        edges.append(line.split(None, 4) if mark == " " else [word.strip() for word in line.split(mark)])
    return edges


def _of_edges(file: File, reason: str) -> Upload | None:
    if file.domain in TABLE_DOMAINS or file.domain == "matrix":
        return None
    text = file.text
    if text.count("\n") > file.limits.rows + 1000:
        return None
    lines = [line.strip() for line in text.split("\n")]
    words = _edge_lines(lines)
    width = len(words[0])
    blanks = _mark(lines) == " " and "\t" not in text
    numeric = all(number_of(word) is not None for line in words[:100] for word in line[:2])
    if numeric and _mark(lines) != " " and (file.domain != "node" or len(words) == width):
        return None  # columns of numbers, about which `edges_in` asks, or a matrix
    if len(words) > 2 and pairs_of_ends(word.lower() for word in words[0][:2]):
        if not blanks:
            return None  # a table with names of columns, which may be one of edges
        words = words[1:]
    if width not in (2, 3) or any(len(line) != width for line in words):
        return None
    if width == 3 and any(number_of(line[2]) is None for line in words):
        return None
    comments = " ".join(line for line in lines[:20] if line.startswith(("#", "%"))).lower()
    shared, repeated = _shared([line[0] for line in words], [line[1] for line in words])
    by_name = file.head.ending in ENDINGS or any(line.endswith("}") for line in _without_comments(lines))
    declared = by_name or "nodeid" in comments or ("nodes" in comments and "edges" in comments) or file.domain == "node"
    if not declared and not (shared and repeated and len({tuple(line[:2]) for line in words}) > 0.9 * len(words)):
        return None
    several = len({*(line[0] for line in words)} & {*(line[1] for line in words)}) > 1
    if not declared and not (blanks or several):
        return None
    table = table_of(file.name, ["from", "to", "weight"][:width], words, limits=file.limits)
    if not declared and not _are_names(table, ("from", "to")):
        return None
    network = read_edges(table, ("from", "to"), file.limits, "weight" if width == 3 else None)
    sentence = f"Each line is read as an edge between two nodes: a graph of {len(network.ids)} nodes."
    numbers = all(number_of(word) is not None for line in words for word in line)
    domain = "vector" if numbers else table.likely_domain()
    guess = Guess(sentence, (Choice(_AS_TABLE, domain=domain),), question=not declared)
    return of_network(network, "Edge list", reason, file.limits, (guess,))


# Lines of a node, a relation and a node, as Cytoscape (SIF) and knowledge graphs write them.


def _relations(lines: Sequence[str], sif: bool) -> list[list[str]]:
    """Return the ends and the relation of each edge; [] for other lines. In SIF a line may name several ends, or none.

    >>> _relations(["a pp b", "b pp c"], False), _relations(["a x b c", "d"], True)
    ([['a', 'b', 'pp'], ['b', 'c', 'pp']], [['a', 'b', 'x'], ['a', 'c', 'x']])
    """
    mark = "\t" if any("\t" in line for line in lines) else None
    rows = [[word.strip() for word in line.split(mark)] for line in lines if line.strip()]
    edges = [[row[0], end, row[1]] for row in rows for end in row[2:]]
    if sif or not edges or any(len(row) != 3 for row in rows):
        return edges if sif else []
    first, second, kinds = ([edge[k] for edge in edges] for k in range(3))
    repeat = 2 * len({*kinds}) <= len(kinds) and kinds.count(kinds[0]) > 1  # else the first line holds names
    words = not {*kinds} & {*first, *second} and all(number_of(word) is None for edge in edges for word in edge)
    return edges if repeat and words and _shared(first, second)[0] else []


def _looks_like_relations(head: Head) -> str:
    return "Lines of a node, a relation and a node" if _relations(head.lines, head.ending == "sif") else ""


def _of_relations(file: File, reason: str) -> Upload | None:
    sif = file.head.ending == "sif"
    if file.domain in TABLE_DOMAINS or file.domain == "matrix" or file.text.count("\n") > file.limits.rows + 1000:
        return None
    lines = file.text.split("\n")
    edges = _relations(lines, sif)
    if len(edges) < 2:
        return None
    table = table_of(file.name, ["from", "to", "relation"], edges, limits=file.limits)
    network = read_edges(table, ("from", "to"), file.limits)
    kinds = list(dict.fromkeys(edge[2] for edge in edges))
    alone = {line.strip() for line in lines if line.strip()} - {*network.ids} if sif else set()
    lost = sum(not re.search(r"\s", word) for word in alone)
    many = f"a graph of {len(network.ids)} nodes"
    sentence = f"Each line is read as an edge: {many}. The relations, {_named(kinds)}, are not used."
    sentence += f" {lost} nodes without an edge are left out." if lost else ""
    guess = Guess(sentence, (Choice(_AS_TABLE, domain=table.likely_domain()),), question=not sif)
    return of_network(network, "Edge list", reason, file.limits, (guess,))


_METIS = re.compile(r"\d{1,9} \d{1,9}")


def _looks_like_metis(head: Head) -> str:
    numbers = all(re.fullmatch(r"[\d ]+", line) for line in head.lines)
    fits = numbers and head.lines and _METIS.fullmatch(head.lines[0])
    return "A line of counts, then the neighbours of each node" if fits else ""


def _of_metis(file: File, reason: str) -> Upload | None:
    """Refuse an adjacency list of METIS by its name; None where the numbers are not those of one."""
    first, *lines = file.text.strip().split("\n")
    nodes, edges = map(int, first.split())
    if file.domain is not None or len(lines) != nodes or sum(len(line.split()) for line in lines) != 2 * edges:
        return None
    raise DataError(
        f"{file.name}: it is a graph of METIS, a line of neighbours for each node; not supported. Write edges as CSV."
    )


METIS = Format("METIS", (), _looks_like_metis, _of_metis)
RELATIONS = Format("Edges with relations", ("sif",), _looks_like_relations, _of_relations)
EDGE_LIST = Format("Edge list", (*ENDINGS, "txt", "tsv", "csv"), _looks_like_edges, _of_edges)
