"""Read CSV and TSV files as tables of columns with guessed roles."""

from __future__ import annotations

import csv
import dataclasses
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..errors import DataError
from .guesses import Choice, Guess, Role
from .guessing import guessed
from .header import bare, first_line, lines_of_names, named, orange_header
from .layout import layout_of
from .numbers import gap_words, respelt
from .preamble import Above, lines_above, lines_below, named_separator, without_blank_end
from .table import Table
from .uploads import (
    LIMITS,
    Limits,
    Lines,
    Source,
    check_size,
    content,
    counted_letters,
    decode,
    delimiter_of,
    packed_lines,
    records,
    shortened,
)


def read_table(
    source: Source,
    name: str | None = None,
    *,
    roles: Mapping[str, Role] | None = None,
    header: bool | None = None,
    quotes: bool | None = None,
    skip: int | None = None,
    below: int | None = None,
    delimiter: str = "",
    turned: bool | None = None,
    limits: Limits = LIMITS,
) -> Table:
    """Return a CSV or TSV file as a `Table`: UTF-8, one row per line, the same number of cells in each.

    Parameters
    ----------
    source : the bytes, an open binary file, or a path.
    name : what errors call the file; the path's own name by default.
    roles : column name → role, over the guessed ones; see `Role`.
    header : whether the first line holds names; None guesses (no number in it, all names different).
    quotes : whether quotation marks enclose cells; None guesses: marks that do not pair up are letters.
    skip : the number of lines above the table that are left out; None guesses: comments, titles, counts.
    below : the number of lines below the table that are left out; None guesses: notes, sums.
    delimiter : the mark between cells; "" guesses.
    turned : whether the columns are the rows: the table is turned on its side.
    limits : bytes, rows, columns, cells and letters per cell that are allowed.

    Raises
    ------
    DataError : empty, too large, binary or not UTF-8, ragged, a name twice, an unknown role, …

    Example
    -------
    >>> table = read_table(b"x\\ty\\n1\\ta\\n2\\tb\\n3\\ta\\n")
    >>> [column.reason for column in table.columns]
    ['every cell is a number', "named 'y', 2 distinct values"]
    """
    raw, name = content(source, name, limits)
    whole = decode(raw, name)
    text, mark = named_separator(whole)
    delimiter = delimiter or mark or delimiter_of(text)
    if delimiter == "," and "::" in text[:1000] and "\t" not in text and "," not in text[:1000]:
        text, delimiter = text.replace("::", "\t"), "\t"  # as MovieLens separates its columns
    above = lines_above(text, records(text, delimiter, quotes), delimiter) if skip is None else Above(skip)
    lines, marks = _lines_of(_below(text, above.skip), name, delimiter, limits, quotes)
    if above.counts is not None and not _counted_right(lines, above.counts):
        above = Above()
        lines, marks = _lines_of(text, name, delimiter, limits, quotes)
    if not lines:
        raise DataError(
            f"{name}: the file holds no rows; expected a line of names and lines of values. Choose another."
        )
    below, sums = lines_below(lines) if below is None else (below, None)
    lines = lines[: len(lines) - below] if below else lines
    found = records(_below(text, above.skip), delimiter, quotes)
    short = bool(found) and len(found[0].cells) < len(lines[0])
    lines = lines if len(above.names) == len(lines[0]) else without_blank_end(lines)
    if turned:
        if above.names:
            lines, above = [list(above.names), *lines], Above(above.skip, guess=above.guess)
        check_size(name, len(lines[0]), len(lines), limits)
        lines, short = [list(cells) for cells in zip(*lines, strict=True)], False
    head = _head(lines, header, above)
    names = named(head.names) if head.names else [f"x{j + 1}" for j in range(len(lines[0]))]
    first = found[0].first if found else 1
    table = table_of(name, names, head.body, semicolons=delimiter == ";", line=first, limits=limits)
    table = table.declared(head.declared) if head.declared else table
    guesses = [above.guess, marks, *head.guesses, sums]
    # Several indices of a data frame are several columns without a header.
    for j in range(1 if turned else next((k for k, cell in enumerate(head.names) if cell.strip()), 0)):
        table = _rows_named(table, j, "declared by the names of columns" if turned else _BLANK)
        if short and table.columns[j].distinct < table.n:
            leave = Choice("Leave the first line out", skip=first, header=False)
            sentence = "The first line has one cell fewer than the others: the first column is without a name."
            guesses.append(Guess(sentence, (leave,), question=True))
    spans = [] if turned else [record[:2] for record in found]
    layout = layout_of(
        whole, spans, above.skip + bool(mark), len(lines) - len(head.body), 0 if turned else table.n,
        sum(not line.strip() for line in _below(text, above.skip).split("\n")[above.skip : -1]), delimiter, below,
    )  # fmt: skip
    kept = tuple(guess for guess in guesses if guess is not None)
    table = dataclasses.replace(table, guesses=(*kept, *table.guesses), layout=layout)
    return table.with_roles(roles) if roles else table


def _below(text: str, skip: int) -> str:
    """Return the text with blank first lines, so that the others keep their numbers."""
    place = 0
    for _ in range(skip):
        place = text.find("\n", place) + 1 or len(text)
    return "\n" * skip + text[place:] if skip else text


def _counted_right(lines: Sequence[list[str]], counts: tuple[int, tuple[str, ...]]) -> bool:
    """Return whether the first line counts the lines, and names the numbers in the last column."""
    rows, classes = counts
    codes = {str(k) for k in range(len(classes))}
    return len(lines) == rows and (not classes or {line[-1].strip() for line in lines} <= codes)


def table_of_lines(
    lines: Iterable[Sequence[str]],
    name: str,
    header: bool | None,
    limits: Limits,
    skip: int | None = None,
    below: int | None = None,
    turned: bool | None = None,
) -> Table:
    """Return the table that a text file of these lines of cells would give: titles and lines of names are recognised.

    >>> table_of_lines([["x", "y"], ["1", "a"], ["2", "b"]], "t", None, LIMITS).roles
    {'x': 'numeric', 'y': 'label'}
    """
    lines = list(counted_letters(lines, name, limits))  # many cells may be one word in memory
    stream = io.StringIO()
    csv.writer(stream, delimiter="\t", quoting=csv.QUOTE_ALL).writerows(lines)
    raw = stream.getvalue().encode("utf-8", "replace")
    limits = dataclasses.replace(limits, bytes=len(raw))
    table = read_table(raw, name, header=header, skip=skip, below=below, turned=turned, limits=limits)
    if table.layout is None:
        return table
    cells = ((n, [cell.strip('"') for cell in text.split("\t")], part) for n, text, part in table.layout.lines)
    shown = tuple((n, " | ".join(words), part) for n, words, part in cells)
    return dataclasses.replace(table, layout=dataclasses.replace(table.layout, lines=shown, mark=""))


class _Head(NamedTuple):
    """The names above a table's values, none without; the lines below them; what was guessed; the declared roles."""

    names: list[str]
    body: Sequence[list[str]]
    guesses: tuple[Guess, ...]
    declared: dict[str, tuple[Role, str]]


def _head(lines: Sequence[list[str]], header: bool | None, above: Above) -> _Head:
    """Split lines into names and values, below what stands above the table."""
    if above.counts and above.counts[1]:
        classes = above.counts[1]
        names = [*(f"x{j + 1}" for j in range(len(lines[0]) - 1)), "target"]
        return _Head(names, [[*line[:-1], classes[int(line[-1])]] for line in lines], (), {})
    if above.names:
        return _Head(bare(above.names), lines, (), {})
    if header is None:
        depth, names, declared = orange_header(lines)
        if depth:
            guess = Guess("The file declares its columns, as Orange writes them.")
            return _Head(names, lines[depth:], (guess,), declared)
        depth, names, head_guess = lines_of_names(lines)
        if head_guess is not None:
            return _Head(names, lines[depth:], (head_guess,), {})
    has_names, guesses = first_line(lines, False if above.counts else header)
    return _Head(bare(lines[0]) if has_names else [], lines[int(has_names) :], guesses, {})


def _lines_of(
    text: str, name: str, delimiter: str, limits: Limits, quotes: bool | None
) -> tuple[Sequence[list[str]], Guess | None]:
    """Return the lines of cells, and what was guessed of quotation marks.

    Marks enclose cells, and line ends in them, unless that cannot be read, or joins lines that have the same number of
    cells without it: then marks are letters.
    """
    if quotes is not None or '"' not in text:
        return packed_lines(text, name, delimiter, limits, quotes is not False), None
    problem, quoted = None, None
    try:
        quoted = packed_lines(text, name, delimiter, limits)
    except DataError as error:
        problem = error
    several = sum(1 for line in io.StringIO(text) if line.strip()) - len(quoted or ())
    if quoted and not several:
        return quoted, None
    try:
        letters = packed_lines(text, name, delimiter, limits, quotes=False, short_header=False)
    except DataError:
        letters = None
    if letters is None or (quoted is not None and letters.cells.shape[1] == 1):
        if problem is not None or quoted is None:
            raise problem or DataError(f"{name}: the file holds no rows; expected lines of values. Choose another.")
        as_letters = (Choice("Read quotation marks as letters", quotes=False),) if letters is not None else ()
        return quoted, Guess(f"Quotation marks enclose {several} line ends, which belong to cells.", as_letters)
    if quoted is None:
        return letters, Guess("Quotation marks are read as letters: they do not enclose whole cells.")
    sentence = f"Quotation marks are read as letters: as enclosing marks they would join lines, {len(quoted)} remain."
    return letters, Guess(sentence, (Choice("They enclose cells", quotes=True),), question=True)


#: Why a first column names the rows, as pandas and R write it.
_BLANK = "its header is blank: the rows' names"


def _rows_named(table: Table, j: int, reason: str) -> Table:
    """Return the table with a first column as the rows' names."""
    first = table.columns[j]
    if first.role in ("label", "group", "ignore"):
        return table
    renamed = dataclasses.replace(first, role="id", reason=reason, others=())
    guesses = tuple(g for g in table.guesses if all(name != first.name for c in g.choices for name in dict(c.roles)))
    kept: Role = "numeric" if first.role == "id" else first.role
    if first.distinct < table.n:  # names repeat where files were joined; they are still names
        use = Choice(f"Use {shortened(first.name)} as a column", roles=((first.name, kept),))
        sentence = f"{shortened(first.name)}, without a header, names the rows and is not compared."
        guesses = (Guess(sentence, (use,)), *guesses)
    columns = tuple(renamed if k == j else c for k, c in enumerate(table.columns))
    return dataclasses.replace(table, columns=columns, guesses=guesses)


def table_of(
    name: str,
    names: Sequence[str],
    body: Sequence[Sequence[Any]],
    roles: Mapping[str, Role] | None = None,
    *,
    semicolons: bool = False,
    line: int = 1,
    limits: Limits = LIMITS,
) -> Table:
    """Return a `Table` of named columns from lines of cells, with guessed roles.

    Raises DataError for a name twice or empty, for fewer than two lines, and for more letters than allowed.

    >>> table_of("t", ["x", "y"], [["1", "a"], ["2", "b"]]).roles
    {'x': 'numeric', 'y': 'label'}
    """
    if len(set(names)) != len(names):
        twice = next(n for n, times in Counter(names).items() if times > 1)
        raise DataError(
            f"{name}: line {line} names the column {shortened(twice)} twice; expected different names. Rename one."
        )
    if any(not n for n in names):
        raise DataError(
            f"{name}: line {line}, column {list(names).index('') + 1} has no name; expected one. Name every column."
        )
    if len(body) < limits.least:
        raise DataError(
            f"{name}: at least two data rows are needed; got {len(body)}. Add rows, or choose another file."
        )
    cells = (body if isinstance(body, Lines) else Lines(counted_letters(body, name, limits))).cells.copy()
    spelling: list[Guess] = []
    for j in range(len(names)):
        words = {str(cell).strip() for cell in cells[:, j]}
        spelt = respelt(words)
        if spelt:
            cells[:, j] = [spelt[str(cell).strip()] for cell in cells[:, j]]
            signs = [word for word in words if word.startswith("(") or (word.endswith("-") and len(word) > 1)]
            if signs:
                as_words = Choice(f"Use {shortened(names[j])} as a category", roles=((names[j], "categorical"),))
                what = "in brackets" if signs[0].startswith("(") else f"such as {shortened(min(signs))}"
                sentence = f"Numbers {what} in {shortened(names[j])} are read as negative ones, as in accounts."
                spelling.append(Guess(sentence, (as_words,), question=not signs[0].startswith("(")))
            words = set(spelt.values())
        gaps = gap_words(words)
        if gaps:
            cells[:, j] = ["" if str(cell).strip() in gaps else cell for cell in cells[:, j]]
    columns, guesses = guessed(list(names), cells, semicolons)
    cells.setflags(write=False)
    table = Table(name, columns, cells, (*spelling, *guesses))
    return table.with_roles(roles) if roles else table
