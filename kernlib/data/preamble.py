"""Read the lines above a table: comments, counts, titles, several lines of names, the header of Orange.

All rules read records, whose quotation marks are resolved, and never raw lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from .guesses import Choice, Guess, Role
from .header import first_line
from .numbers import gap_words, writing_of
from .uploads import Record, counted, is_missing, number_of, records, shortened

#: The most lines of comments, and of a title.
_COMMENTS, _TITLE = 50, 20
#: The most lines of names, as in a pivot of two levels with a named index; and the number of lines that are checked.
_LINES, _LOOKED_AT = 3, 200
#: Letters of a name that merged cells repeat: as many copies of a long one would fill the memory.
_NAME = 200
_QUOTES = {"[": "]", "`": "`", '"': '"', "'": "'"}


class Above(NamedTuple):
    """The lines above a table: how many are left out, the names in them, the classes that they count, the guess."""

    skip: int = 0
    names: tuple[str, ...] = ()
    counts: tuple[int, tuple[str, ...]] | None = None
    guess: Guess | None = None


def lines_above(text: str, found: Sequence[Record], mark: str) -> Above:
    """Return what stands above the first record of the table.

    >>> text = "Report of May\\n\\nx,y,z\\n1,2,a\\n3,4,b\\n"
    >>> lines_above(text, records(text, ","), ",").skip
    2
    """
    filled = [record for record in found if any(cell.strip() for cell in record.cells)]
    if len(filled) < 2:
        return Above()
    raw = text[:200_000].split("\n")
    for rule in (_counts, _comments, _title):
        above = rule(filled, raw, mark)
        if above is not None:
            return above
    return Above()


def named_separator(text: str) -> tuple[str, str]:
    """Return the text with Excel's first line sep=; made blank, and the mark that it names, "" without such a line.

    >>> named_separator("sep=;\\nx;y\\n1;a\\n")
    ('\\nx;y\\n1;a\\n', ';')
    """
    match = re.match(r'"?sep=([,;|\t])"?[,;|\t]*\n', text[:40], re.IGNORECASE)
    return (text[match.end() - 1 :], match[1]) if match else (text, "")


def _counts(filled: Sequence[Record], raw: Sequence[str], mark: str) -> Above | None:
    """Read the first line of scikit-learn and of word2vec, which count rows and columns; `read_table` verifies them."""
    first, second = [cell.strip() for cell in filled[0].cells], filled[1].cells
    if not all(cell.isascii() and cell.isdigit() and len(cell) < 10 for cell in first[:2]) or len(first) < 2:
        return None
    rows, columns, *classes = int(first[0]), int(first[1]), *first[2:]
    if len(second) != columns + 1 or not all(classes):
        return None
    if len(classes) > 1:
        sentence = f"The first line counts rows and columns and names the classes, {shortened(', '.join(classes))}."
    elif mark == " " and not classes and all(number_of(cell) is not None for cell in second[1:]):
        sentence = "The first line counts rows and columns and is left out."
    else:
        return None
    data = Choice("It is data", skip=0, header=False)
    return Above(filled[0].last, (), (rows, tuple(classes)), Guess(sentence, (data,) if classes else ()))


def _comments(filled: Sequence[Record], raw: Sequence[str], mark: str) -> Above | None:
    """Read the first lines that begin with #; where lines further down begin so as well, all of them are rows."""
    begins = [raw[record.first - 1].startswith("#") for record in filled]
    depth = next((k for k, begin in enumerate(begins) if not begin), len(begins))
    if not 0 < depth <= min(_COMMENTS, len(begins) - 1) or any(begins[depth:]):
        return None
    below: Sequence[list[str]] = [record.cells for record in filled[depth:]]
    last = filled[depth - 1]
    lines = raw[: last.last]
    cells = next((record.cells for record in records(raw[last.first - 1].lstrip("# "), mark)), [])
    if len(cells) != len(below[-1]):
        below = without_blank_end(below)
    width = len(below[-1])
    what = f"The line at the top that begins with # is {{}}: {shortened(lines[-1])}."
    if depth > 1:
        what = f"The {depth} lines at the top that begin with # are {{}}, for example {shortened(lines[-1])}."
    as_data = Choice("It is a row" if depth == 1 else "They are rows", skip=0, header=False)
    if width > 1 and len(cells) == width:  # as numpy.savetxt writes names of columns
        names = tuple(cell.strip() for cell in cells)
        if first_line([list(names), *(row for row in below if len(row) == width)], None)[0]:
            over_numbers = any(writing_of({row[j] for row in below if j < len(row)}) for j in range(width))
            sentence = f"The line {shortened(lines[-1])}, which begins with #, holds the names of the columns."
            return Above(last.last, names, None, None if over_numbers else Guess(sentence, (as_data,), question=True))
        leave = Choice("It is a comment", skip=last.last)
        above = filled[depth - 2].last if depth > 1 else 0
        return Above(above, (), None, Guess(what.replace("{}", "read as data", 1), (leave,), question=True))
    words = width == 1 and writing_of({row[0].strip() for row in below}) is None
    if words and not raw[0].startswith(("# ", "##", "#!")):
        leave = Choice("It is a comment" if depth == 1 else "They are comments", skip=last.last)
        return Above(guess=Guess(what.replace("{}", "read as data", 1), (leave,), question=True))
    sentence = what.replace(
        "{}", "read as a comment and left out" if depth == 1 else "read as comments and left out", 1
    )
    return Above(last.last, (), None, Guess(sentence, (as_data,) if words else (), question=words))


def without_blank_end(lines: Sequence[list[str]]) -> Sequence[list[str]]:
    """Return the lines without an empty last column: a separator ends each line."""
    while lines and len(lines[0]) > 1 and not any("".join(line[len(lines[0]) - 1 :]).strip() for line in lines):
        lines = [line[: len(lines[0]) - 1] for line in lines]
    return lines


def _title(filled: Sequence[Record], raw: Sequence[str], mark: str) -> Above | None:
    """Read first lines of fewer cells than all others as a title."""
    widths = [len(record.cells) for record in filled]
    apart = len(filled) > 1 and filled[1].first > filled[0].last + 1  # a blank line follows
    if len(filled) < 4 or widths[0] >= widths[-1] - (not apart):
        return None
    width = widths[len(widths) // 2]
    begin = next(k for k, w in enumerate(widths) if w >= width - (not apart))
    rest = widths[begin:]
    skip = filled[begin].first - 1
    if skip > _TITLE or len(rest) < 3 or any(w != width for w in rest[1:]) or width < 3:
        return None
    title = " ".join(" ".join(raw[:skip]).split())
    which = f"The first {counted(skip, 'line')} {'is' if skip == 1 else 'are'} left out"
    return Above(skip, (), None, Guess(f"{which}: {shortened(title)}. The table begins in line {skip + 1}."))


#: The kinds of columns in Orange's second line, its flags in the third, and the prefixes of names in a single line.
_ORANGE_KINDS: dict[str, Role] = {
    "continuous": "numeric", "c": "numeric", "numeric": "numeric", "n": "numeric", "discrete": "categorical",
    "d": "categorical", "string": "id", "s": "id", "text": "id", "time": "id", "t": "id",
}  # fmt: skip
_ORANGE_FLAGS: dict[str, Role] = {"class": "label", "c": "label", "meta": "ignore", "m": "ignore", "ignore": "ignore",
                                  "i": "ignore", "weight": "ignore", "w": "ignore"}  # fmt: skip
_ORANGE_NAME = re.compile(r"(?P<flag>[cmiw])?(?P<kind>[CDSTN])?#(?P<name>.+)")


def orange_header(lines: Sequence[Sequence[str]]) -> tuple[int, list[str], dict[str, tuple[Role, str]]]:
    """Return how many lines Orange's header has (0 for another file), the names, and the declared roles.

    Either three lines, of names, of kinds (continuous, discrete, string, time, or the values of a category) and of
    flags (class, meta, …), or one line of names with prefixes such as "cD#kind".

    >>> orange_header([["size", "kind"], ["continuous", "a b"], ["", "class"], ["1", "a"], ["2", "b"]])
    (3, ['size', 'kind'], {'size': ('numeric', 'declared as numeric'), 'kind': ('label', 'declared as label')})
    """
    if len(lines) < 3:
        return 0, [], {}
    names = [cell.strip() for cell in lines[0]]
    marked = [_ORANGE_NAME.fullmatch(name) for name in names]
    if any(mark and (mark["flag"] or mark["kind"]) for mark in marked):
        depth, names = 1, [mark["name"] if mark else name for mark, name in zip(marked, names, strict=True)]
        kinds = [(mark["kind"] or "").lower() if mark else "" for mark in marked]
        flags = [mark["flag"] or "" if mark else "" for mark in marked]
    else:
        depth, kinds, flags = 3, *([cell.strip().split("=")[0].lower() for cell in line] for line in lines[1:3])
        declares = any(len(kind) > 1 and kind in _ORANGE_KINDS for kind in kinds)
        flagged = any(flag in _ORANGE_FLAGS for flag in flags) or not any(flags)
        letters = flagged and all(kinds) and any(kind in _ORANGE_KINDS for kind in kinds)
        fits = all(not flag or " " in flag or "-" in flag or flag in _ORANGE_FLAGS for flag in flags)
        known = all(not kind or kind in _ORANGE_KINDS or " " in kind for kind in kinds)
        if not (fits and known and (declares or letters)):
            return 0, [], {}
    declared: list[Role | None] = []
    for kind, flag in zip(kinds, flags, strict=True):
        role = _ORANGE_KINDS.get(kind) or ("categorical" if " " in kind else None)
        declared.append(role if role == "id" and flag in ("m", "meta") else _ORANGE_FLAGS.get(flag) or role)
    return depth, names, {name: (r, f"declared as {r}") for name, r in zip(names, declared, strict=True) if r}


#: Lines below names: widths (USGS), results (PubChem), ways to answer (SurveyMonkey); SNPTEST writes 0 0 0 D C.
_WIDTH = re.compile(r"\d{1,3}[sdn]")
_RESULT = re.compile(r"RESULT_(TYPE|DESCR|UNIT|IS_\w+|ATTR_\w+)")
_ANSWERS = frozenset({"Response", "Open-Ended Response"})


def lines_below_names(lines: Sequence[Sequence[str]]) -> tuple[int, list[str], Guess | None]:
    """Return the number of lines above the data, the columns' names, and the guess; (0, [], None) for any other file.

    The first line holds the names. In a survey's export the second line holds answers, which become part of the names.

    >>> lines_below_names([["Q1"], ["Your age?"], ['{"ImportId":"QID1"}'], ["31"], ["45"]])[:2]
    (3, ['Q1'])
    >>> lines_below_names([["site", "flow"], ["5s", "14n"], ["A1", "3.5"]])[:2]
    (2, ['site', 'flow'])
    >>> depth, names, guess = lines_below_names([["id", "Age", "Pets", ""], ["", "Response", "cat", "dog"], ["1"] * 4])
    >>> depth, names, guess.sentence
    (2, ['id', 'Age', 'Pets cat', 'Pets dog'], 'The first two lines hold the names: questions, and their answers.')
    """
    names = [cell.strip() for cell in lines[0]]
    below = [[cell.strip() for cell in line] for line in lines[1:9]]
    depth = next((k for k, line in enumerate(below[:2], start=2) if all("ImportId" in cell for cell in line)), 0)
    if not depth and below and all(_WIDTH.fullmatch(cell) for cell in below[0]):
        depth = 2
    if not depth and below and below[0][:3] == ["0"] * 3 and {*below[0][3:]} <= set("0DCPB") and len(names) > 3:
        depth = 2
    if not depth and names[0].startswith("PUBCHEM"):
        depth = 1 + next((k for k, line in enumerate(below) if not _RESULT.fullmatch(line[0])), len(below))
    if not depth and below and _ANSWERS & {*below[0]} and not below[0][0]:
        depth = 2
        for j in range(1, len(names)):
            names[j] = names[j] or names[j - 1][:_NAME]
        names = [n if cell in _ANSWERS or not cell else f"{n} {cell}" for n, cell in zip(names, below[0], strict=True)]
        return depth, names, Guess("The first two lines hold the names: questions, and their answers.")
    if depth < 2:
        return 0, [], None
    left_out = "the second line describes them and is" if depth == 2 else f"lines 2 to {depth} describe them and are"
    return depth, names, Guess(f"The first line holds the names; {left_out} left out.")


def names_over_lines(lines: Sequence[Sequence[str]]) -> tuple[int, list[str], Guess | None]:
    """Return how many first lines are names or a title, the names, and the guess; (0, [], None) for one line or none.

    As pandas writes columns of several levels and people merge cells: the line in which the columns of numbers begin to
    hold numbers ends the names. A first line of one cell is a title. Returns (0, [], None) for everything else.

    >>> names_over_lines([["left", "", "tag"], ["a", "b", ""], ["1", "2", "u"], ["3", "4", "v"], ["5", "6", "w"]])[:2]
    (2, ['left a', 'left b', 'tag'])
    """
    nothing: tuple[int, list[str], Guess | None] = (0, [], None)
    below = list(lines[_LINES:_LOOKED_AT])
    if len(below) < 2 or len(lines[0]) < 2:
        return nothing
    writings = {}
    for j in range(len(lines[0])):
        words = {word for line in below if not is_missing(word := str(line[j]).strip())}
        writing = writing_of(words - gap_words(words)) if words else None
        if writing is not None:
            writings[j] = writing
    above = [[str(cell).strip() for cell in line] for line in lines[:_LINES]]
    depth = _depth(above, list(writings))
    if depth < 2:
        return nothing
    above = above[:depth]
    last = above[-1]
    if all(above[0]) and len(set(above[0])) == len(last) and all(last) and len(set(last)) < len(last):
        return nothing  # names, and a row of words that repeat: classes above columns, a table on its side
    title = ""
    while len(above) > 1 and sum(map(bool, above[0])) == 1 and above[0][0]:
        title = title or above[0][0]
        above = above[1:]
    for line in above[:-1]:  # merged cells: the name is in the first of the cells that it spans
        for j in range(1, len(line)):
            line[j] = line[j] or line[j - 1][:_NAME]
    names = [" ".join(dict.fromkeys(filter(None, cells))) for cells in zip(*above, strict=True)]
    sentences = []
    if title:
        sentences.append(f"The first line, {shortened(title)}, is read as a title and left out.")
    if len(above) > 1:
        shown = shortened(", ".join(name for name in names if name))
        sentences.append(f"{len(above)} lines are read as names, put together: {shown}.")
    ways = (Choice("Only the first line holds names", header=True), Choice("They are data", header=False))
    return depth, names, Guess(" ".join(sentences), ways)


def _depth(above: list[list[str]], numeric: list[int]) -> int:
    """Return how many of the first lines hold no row: a title, words over columns of numbers, names of indices.

    One word where a number is expected may be a typing error in a row, and a row may have gaps in all its numbers. A
    line below the first must hold two words there, or names of indices under two lines of words.
    """
    words = [[line[j] for j in numeric if not is_missing(line[j])] for line in above]
    in_words = [bool(w) and not any(any(c.isdigit() for c in word) for word in w) for w in words]
    depth = 1 if in_words[0] or sum(map(bool, above[0])) == 1 else 0
    while 0 < depth < len(above) and in_words[depth] and len(words[depth]) > 1:
        depth += 1
    if depth == 2 and len(above) > 2 and in_words[0] and any(above[2]):
        # The names of indices are where the lines above are blank, and only there.
        depth += not any(cell and (a or b) for a, b, cell in zip(*above, strict=True))
    return depth


def bare(names: Sequence[str]) -> list[str]:
    """Return names without the brackets or quotes that a database puts around each of them.

    >>> bare(["[id]", "[size]"]), bare(["[id]", "size"])
    (['id', 'size'], ['[id]', 'size'])
    """
    inner = [name.strip() for name in names]
    quoted = [len(name) > 2 and _QUOTES.get(name[0]) == name[-1] for name in inner]
    return [name[1:-1] for name in inner] if inner and all(quoted) else list(names)
