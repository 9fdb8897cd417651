"""The names above the columns of a table: one line, several, the header of another program, or none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from .guesses import Choice, Guess, Role, Row, read_by
from .molecules import is_molecule
from .numbers import gap_words, writing_of
from .roles import NAMES
from .sequences import is_peptide, kind_of_strings, named_like_strings
from .uploads import is_missing, number_of, shortened

#: The number of lines that are checked, for one line of names and for several; the most lines of names.
_LOOKED_AT, _FEW, _LINES = 2000, 200, 5
#: Letters of a name that merged cells repeat: as many copies of a long one would fill the memory.
_NAME = 200
_QUOTES = {"[": "]", "`": "`", '"': '"', "'": "'"}


def first_line(lines: Sequence[Sequence[str]], header: bool | None) -> tuple[bool, tuple[Guess, ...]]:
    """Return whether the first line holds names of columns, and the guess where that is in doubt.

    Words above columns of numbers are names. Without columns of numbers, a first cell that repeats below (a class, "+")
    or is a sequence like those below it belongs to a row.

    >>> first_line([["x", "y"], ["1", "a"]], None)[0], first_line([["+", "AC"], ["-", "AG"], ["+", "AA"]], None)[0]
    (True, False)
    """
    if header is not None or len(lines) < 2:
        return bool(header) and len(lines) > 1, ()
    _, is_names, sentence, _, asked = read_by(_first_line(lines))
    first = [cell.strip() for cell in lines[0] if cell.strip()]
    other = Choice("It is data", header=False) if is_names else Choice("It holds names", header=True)
    possible = is_names or len(set(first)) == len(first)
    return is_names, (Guess(sentence, (other,) if possible else (), asked),) if sentence else ()


def _first_line(lines: Sequence[Sequence[str]]) -> Iterator[Row[bool]]:
    """Yield whether the first line holds names, with a sentence where that is in doubt."""
    first, body = [cell.strip() for cell in lines[0]], list(lines[1:_LOOKED_AT])
    names = [cell for cell in first if cell]
    over_numbers, like_row, unlike_row, fractions, steps = 0, 0, 0, False, list[str]()
    for j, cell in enumerate(first):
        below = {word for line in body if not is_missing(word := str(line[j]).strip())}
        if not cell or not below:
            continue
        if writing_of(below - gap_words(below)) is None:
            like_row += _like_those_below(cell, below, len(body))
            known = cell.lower() in NAMES["column"] or named_like_strings(cell)
            unlike_row += known or not min(map(len, below)) <= len(cell) <= max(map(len, below))
        elif writing_of({cell}) is not None:
            steps.append(cell)
            fractions |= any("." in word for word in below)
        else:
            over_numbers += not is_missing(cell) and not gap_words({cell, "1"})
    if len(names) > 2 and _is_progression(names):
        like_row, steps = 0, names
    numbered = len(steps) > 2 and _is_progression(steps)  # 0, 1, 2, … of a data frame without names, or years
    rises = "The first line is read as names although its numbers rise step by step."
    data = "The first line is read as data, not as names: its cells are like those below them."
    sentence = f"The first line, {shortened(', '.join(names))}, is read as names."
    phrases = not over_numbers and any(" " in name for name in names)
    yield Row(not all(first[1:]) and any(number_of(cell) is not None for cell in first), False)
    yield Row(numbered and (over_numbers or not first[0] or fractions), True, rises)
    asked = bool(over_numbers) or (numbered and not all(_is_progression(line) for line in body[:_FEW]))
    yield Row(steps, False, data if asked else "", asked=asked)
    yield Row(not over_numbers and (like_row or len(set(names)) < len(names)), False, data)
    yield Row(over_numbers or unlike_row, True, sentence if phrases else "")
    yield Row(True, True, sentence, asked=True)


def _like_those_below(cell: str, below: set[str], rows: int) -> bool:
    """Return whether a cell above words, not numbers, looks like one of them."""
    repeats = cell in below and (len(below) <= max(20, rows // 10) or len(cell) > 20)
    shape = _shape(cell) if len(cell) > 3 and any(c.isdigit() for c in cell) else ""
    shaped = shape and all(_shape(word) == shape for word in below)
    sentence = len(cell.split()) > 2 and 2 * sum(len(word.split()) > 2 for word in below) > len(below)
    return bool(repeats or shaped or sentence or _is_sequence(cell, below) or writing_of({cell}) is not None)


def _is_sequence(cell: str, below: set[str]) -> bool:
    """Return whether a cell is a string like those below it: nucleotides, a peptide, a molecule, few letters."""
    letters = {*"".join(below)}
    few = len(below) >= 10 and len(letters) <= 14 and all(word.isalpha() and word.isupper() for word in below)
    kind = "few letters" if few else kind_of_strings("", below, len(below))[0]
    fits = is_molecule(cell) if "SMILES" in kind else is_peptide(cell) or (len(cell) > 3 and {*cell} <= letters)
    return bool(kind) and fits and not named_like_strings(cell) and min(9, *map(len, below)) <= len(cell)


def _shape(cell: str) -> str:
    """Return a cell with one sign for each run of letters and of digits."""
    return re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]+", "A", re.sub(r"\d+", "9", cell)))


def _is_progression(cells: Sequence[str]) -> bool:
    cells = [str(cell).strip() for cell in cells]
    if not all(cell.isascii() and cell.isdigit() and len(cell) < 10 for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    return len({b - a for a, b in pairwise(numbers)}) == 1 and numbers[1] > numbers[0]


def named(first: Sequence[str]) -> list[str]:
    """Return names for all columns: a blank first one names the rows, other blank ones are numbered.

    >>> named(["", "size\\n(cm)", ""])
    ['row', 'size (cm)', 'column 3']
    """
    names = [" ".join(cell.split()) for cell in first]  # a name may hold a line end
    for j, name in enumerate(names):
        stem = "row" if j == 0 else f"column {j + 1}"
        names[j] = name or (stem if stem not in names else f"{stem} ({j + 1})")
    return names


def bare(names: Sequence[str]) -> list[str]:
    """Return names without the brackets or quotes that a database puts around each of them.

    >>> bare(["[id]", "[size]"]), bare(["[id]", "size"])
    (['id', 'size'], ['[id]', 'size'])
    """
    inner = [name.strip() for name in names]
    quoted = [len(name) > 2 and _QUOTES.get(name[0]) == name[-1] for name in inner]
    return [name[1:-1] for name in inner] if inner and all(quoted) else list(names)


#: The kinds of columns in Orange's second line, its flags in the third, and the prefixes of names in a single line.
_KINDS: dict[str, Role] = {
    "continuous": "numeric", "c": "numeric", "numeric": "numeric", "n": "numeric", "discrete": "categorical",
    "d": "categorical", "string": "id", "s": "id", "text": "id", "time": "id", "t": "id",
}  # fmt: skip
_FLAGS: dict[str, Role] = {
    "class": "label", "c": "label", "meta": "ignore", "m": "ignore", "ignore": "ignore", "i": "ignore",
    "weight": "ignore", "w": "ignore",
}  # fmt: skip
_PREFIXED = re.compile(r"((?P<flag>[cmiw])?(?P<kind>[CDSTN])?#)?(?P<name>.*)", re.DOTALL)


def orange_header(lines: Sequence[Sequence[str]]) -> tuple[int, list[str], dict[str, tuple[Role, str]]]:
    """Return how many lines Orange's header has (0 for another file), the names, and the declared roles.

    Either three lines, of names, of kinds (continuous, discrete, string, time, or the values of a category) and of
    flags (class, meta, …), or one line of names with prefixes such as "cD#kind".

    >>> orange_header([["size", "kind"], ["continuous", "a b"], ["", "class"], ["1", "a"], ["2", "b"]])
    (3, ['size', 'kind'], {'size': ('numeric', 'declared as numeric'), 'kind': ('label', 'declared as label')})
    """
    if len(lines) < 3:
        return 0, [], {}
    marked = [m for cell in lines[0] if (m := _PREFIXED.fullmatch(cell.strip()))]
    names, kinds, flags = ([(m[what] or "").lower() if what != "name" else m[what] for m in marked]
                           for what in ("name", "kind", "flag"))  # fmt: skip
    if not any(kinds) and not any(flags):
        names = [cell.strip() for cell in lines[0]]
        kinds, flags = ([cell.strip().split("=")[0].lower() for cell in line] for line in lines[1:3])
        values = {kind for kind in kinds if " " in kind}
        letters = (any(flag in _FLAGS for flag in flags) or not any(flags)) and all(kinds) and {*kinds} & {*_KINDS}
        fits = all(not flag or " " in flag or "-" in flag or flag in _FLAGS for flag in flags)
        declares = letters or any(len(kind) > 1 and kind in _KINDS for kind in kinds)
        if not (fits and declares and {*kinds} <= {"", *_KINDS, *values}):
            return 0, [], {}
    declared: dict[str, tuple[Role, str]] = {}
    for name, kind, flag in zip(names, kinds, flags, strict=True):
        role = _KINDS.get(kind) or ("categorical" if " " in kind else None)
        role = role if role == "id" and flag in ("m", "meta") else _FLAGS.get(flag) or role
        declared |= {name: (role, f"declared as {role}")} if role else {}
    return 1 if "#" in "".join(lines[0]) and names != [c.strip() for c in lines[0]] else 3, names, declared


def lines_of_names(lines: Sequence[Sequence[str]]) -> tuple[int, list[str], Guess | None]:
    """Return how many first lines are names or a title, the names, and the guess; (0, [], None) for one line or none.

    As pandas writes columns of several levels, people merge cells, and surveys write questions over answers: a line
    below the names holds words in two columns of numbers, or fills the blanks between the names. One word where a
    number is expected may be a typing error in a row, and a row may have gaps in all its numbers. Where the first line
    names every column, lines with digits, and several lines, describe the columns and are left out.

    >>> lines_of_names([["left", "", "tag"], ["a", "b", ""], ["1", "2", "u"], ["3", "4", "v"], ["5", "6", "w"]])[:2]
    (2, ['left a', 'left b', 'tag'])
    >>> lines_of_names([["site", "flow", "n"], ["5s", "14n", "3n"], *[["A", "3.5", "2"]] * 4])[:2]
    (2, ['site', 'flow', 'n'])
    """
    begin = min(_LINES, len(lines) // 2)
    above, below = [[str(cell).strip() for cell in line] for line in lines[:begin]], list(lines[begin:_FEW])
    if len(below) < 2 or len(lines[0]) < 2:
        return 0, [], None
    cells = [{word for line in below if not is_missing(word := str(line[j]).strip())} for j in range(len(lines[0]))]
    numeric = [j for j, words in enumerate(cells) if words and writing_of(words - gap_words(words)) is not None]
    over = [[line[j] for j in numeric if not is_missing(line[j])] for line in above]
    ways = [[writing_of({cell}) for cell in row if not gap_words({cell, "1"})] for row in over]
    alike = [len({_shape(cell) for cell in line}) == 1 and any(c.isdigit() for c in line[0]) for line in above]
    words = [sum(way is None or way.measured for way in row) for row in ways]
    words = [many + (many > 0 and same) for many, same in zip(words, alike, strict=True)]
    clean = [bool(row) and not any(c.isdigit() for c in "".join(row)) for row in over]
    depth = int(clean[0] or words[0] > 1 or sum(map(bool, above[0])) == 1)
    while 0 < depth < len(above) and words[depth] > 1:
        depth += 1
    fills = len(above) > 1 and depth < 2 and [not a and bool(b) for a, b in zip(*above[:2], strict=True)]
    if fills and any(fills) and not above[1][0] and all(a or b for a, b in zip(*above[:2], strict=True)):
        depth = 2
    elif depth == 2 and len(above) > 2 and clean[0] and any(above[2]):
        # The names of indices are where the lines above are blank, and only there.
        depth += not any(cell and (a or b) for a, b, cell in zip(*above[:3], strict=True))
    above, last = above[:depth], above[depth - 1]
    complete = depth > 1 and all(above[0]) and len({*above[0]}) == len(last)
    describe = complete and (depth > 2 or not clean[1])
    # Names, and a row of words that repeat: classes above columns, a table on its side.
    if depth < 2 or (complete and not describe and all(last) and len({*last}) < len(last)):
        return 0, [], None
    others = (Choice("Only the first line holds names", header=True), Choice("They are data", header=False))
    if describe:
        left_out = f"lines 2 to {depth} describe them and are" if depth > 2 else "the second line describes them and is"
        return depth, above[0], Guess(f"The first line holds the names; {left_out} left out.", others[:1])
    titles = list(takewhile(lambda line: line[0] and sum(map(bool, line)) == 1, above[:-1]))
    above = above[len(titles) :]
    for line in above[:-1]:  # merged cells: the name is in the first of the cells that it spans
        for j in range(1, len(line)):
            line[j] = line[j] or line[j - 1][:_NAME]
    names = [" ".join(dict.fromkeys(filter(None, cells))) for cells in zip(*above, strict=True)]
    sentence = f"{len(above)} lines are read as names, put together: {shortened(', '.join(filter(None, names)))}."
    sentence = f"The first line, {shortened(titles[0][0])}, is read as a title and left out." if titles else sentence
    return depth, names, Guess(sentence, others)
