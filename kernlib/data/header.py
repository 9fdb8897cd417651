"""The names above the columns of a table: one line, several, the header of another program, or none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from .guesses import Choice, Guess, Role
from .molecules import is_molecule
from .numbers import gap_words, writing_of
from .roles import GROUP_NAMES, ID_NAMES, LABEL_NAMES
from .sequences import NUCLEOTIDES, is_peptide, kind_of_strings, named_like_strings
from .uploads import is_missing, number_of, shortened

#: The number of lines that are checked, for one line of names and for several; the most lines of names.
_LOOKED_AT, _FEW, _LINES = 2000, 200, 3
#: Letters of a name that merged cells repeat: as many copies of a long one would fill the memory.
_NAME = 200
_QUOTES = {"[": "]", "`": "`", '"': '"', "'": "'"}
#: Names of columns that are hardly words of a row.
_NAMES = LABEL_NAMES | ID_NAMES | GROUP_NAMES | {"text", "from", "to", "source", "target", "weight", "color", "colour"}


def first_line(lines: Sequence[Sequence[str]], header: bool | None) -> tuple[bool, tuple[Guess, ...]]:
    """Return whether the first line holds names of columns, and the guess where that is in doubt.

    Words above columns of numbers are names. Without columns of numbers, a first cell that repeats below (a class, "+")
    or is a sequence like those below it belongs to a row.

    >>> first_line([["x", "y"], ["1", "a"]], None)[0], first_line([["+", "AC"], ["-", "AG"], ["+", "AA"]], None)[0]
    (True, False)
    """
    if header is not None or len(lines) < 2:
        return bool(header) and len(lines) > 1, ()
    is_names, sentence, asked = next(reading[1:] for reading in _first_line(lines) if reading[0])
    first = [cell.strip() for cell in lines[0] if cell.strip()]
    other = Choice("It is data", header=False) if is_names else Choice("It holds names", header=True)
    possible = is_names or len(set(first)) == len(first)
    return is_names, (Guess(sentence, (other,) if possible else (), asked),) if sentence else ()


def _first_line(lines: Sequence[Sequence[str]]) -> Iterator[tuple[object, bool, str, bool]]:
    """Yield evidence, whether the first line holds names, a sentence where that is in doubt, whether it is asked."""
    first, body = [cell.strip() for cell in lines[0]], list(lines[1:_LOOKED_AT])
    names = [cell for cell in first if cell]
    over_numbers, like_row, unlike_row, steps = 0, 0, 0, list[str]()
    for j, cell in enumerate(first):
        below = {word for line in body if not is_missing(word := str(line[j]).strip())}
        if not cell or not below:
            continue
        if writing_of(below - gap_words(below)) is None:
            like_row += _like_those_below(cell, below, len(body))
            known = cell.lower() in _NAMES or named_like_strings(cell)
            unlike_row += known or not min(map(len, below)) <= len(cell) <= max(map(len, below))
        elif writing_of({cell}) is not None:
            steps.append(cell)
        else:
            over_numbers += not is_missing(cell) and not gap_words({cell, "1"})
    if len(names) > 2 and _is_progression(names):
        like_row, steps = 0, names
    numbered = len(steps) > 2 and _is_progression(steps)  # 0, 1, 2, … of a data frame without names, or years
    data = "The first line is read as data, not as names: its cells are like those below them."
    yield not all(first[1:]) and any(number_of(cell) is not None for cell in first), False, "", False
    by_step = numbered and (over_numbers or not first[0] or _beyond(steps, body, first))
    yield steps and not by_step, False, data if over_numbers else "", bool(over_numbers)
    yield not over_numbers and not numbered and (like_row or len(set(names)) < len(names)), False, data, False
    yield numbered, True, "The first line is read as names although its numbers rise step by step.", False
    sentence = f"The first line, {shortened(', '.join(names))}, is read as names."
    phrases = not over_numbers and any(" " in name for name in names)
    yield over_numbers or unlike_row, True, sentence if phrases else "", False
    yield True, True, sentence, True


def _like_those_below(cell: str, below: set[str], rows: int) -> bool:
    """Return whether a cell above words, not numbers, looks like one of them."""
    repeats = cell in below and (len(below) <= max(20, rows // 10) or len(cell) > 20)
    shaped = len(cell) > 3 and _shape(cell) != "" and all(_shape(word) == _shape(cell) for word in below)
    sentence = len(cell.split()) > 2 and 2 * sum(len(word.split()) > 2 for word in below) > len(below)
    return repeats or shaped or sentence or _is_sequence(cell, below) or writing_of({cell}) is not None


def _is_sequence(cell: str, below: set[str]) -> bool:
    """Return whether a cell is a string like those below it: nucleotides, a peptide, a molecule, few letters."""
    if len(cell) >= 10 and NUCLEOTIDES.fullmatch(cell):
        return any(len(word) >= 10 and NUCLEOTIDES.fullmatch(word) for word in below)
    if named_like_strings(cell):
        return False
    letters = set("".join(below))
    few = len(below) >= 10 and len(letters) <= 14 and all(word.isalpha() and word.isupper() for word in below)
    if few and len(cell) > 3 and {*cell} <= letters:
        return True  # a list of strings over few letters
    kind = kind_of_strings("", below, len(below))[0] if is_peptide(cell) or is_molecule(cell) else ""
    fits = is_molecule(cell) if "SMILES" in kind else is_peptide(cell)
    return bool(kind) and fits and min(map(len, below)) <= len(cell)


def _shape(cell: str) -> str:
    """Return a cell with one sign for each run of letters and of digits; "" for a cell without digits."""
    return re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]+", "A", re.sub(r"\d+", "9", cell))) if re.search(r"\d", cell) else ""


def _is_progression(cells: Sequence[str]) -> bool:
    if not all(cell.isascii() and cell.isdigit() and len(cell) < 10 for cell in cells):
        return False
    numbers = [int(cell) for cell in cells]
    return len({b - a for a, b in pairwise(numbers)}) == 1 and numbers[1] > numbers[0]


def _beyond(steps: Sequence[str], body: Sequence[Sequence[str]], first: Sequence[str]) -> bool:
    """Return whether the columns below hold fractions, or no line has such a progression, unlike the first line."""
    places = [j for j, cell in enumerate(first) if cell in steps]
    if any("." in str(line[j]) for line in body[:50] for j in places):
        return True
    return steps[0] in ("0", "1") and not any(_is_progression([str(line[j]).strip() for j in places]) for line in body)


def named(first: Sequence[str]) -> list[str]:
    """Return names for all columns: a blank first one names the rows, other blank ones are numbered.

    >>> named(["", "size\\n(cm)", ""])
    ['row', 'size (cm)', 'column 3']
    """
    names = [" ".join(cell.split()) for cell in first]  # a name may hold a line end
    for j, name in enumerate(names):
        if not name:
            stem = "row" if j == 0 else f"column {j + 1}"
            names[j] = stem if stem not in names else f"{stem} ({j + 1})"
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
_FLAGS: dict[str, Role] = {"class": "label", "c": "label", "meta": "ignore", "m": "ignore", "ignore": "ignore",
                           "i": "ignore", "weight": "ignore", "w": "ignore"}  # fmt: skip
_PREFIXED = re.compile(r"(?P<flag>[cmiw])?(?P<kind>[CDSTN])?#(?P<name>.+)")


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
    marked = [_PREFIXED.fullmatch(name) for name in names]
    depth = 1 if any(mark and (mark["flag"] or mark["kind"]) for mark in marked) else 3
    if depth == 1:
        parts = [(m["name"], m["kind"] or "", m["flag"] or "") if m else (name, "", "")
                 for m, name in zip(marked, names, strict=True)]  # fmt: skip
    else:
        parts = list(zip(names, *([cell.strip().split("=")[0] for cell in line] for line in lines[1:3]), strict=True))
    kinds, flags = ([part[k].lower() for part in parts] for k in (1, 2))
    several = [kind for kind in kinds if " " in kind]
    declares = any(len(kind) > 1 and kind in _KINDS for kind in kinds)
    letters = (any(flag in _FLAGS for flag in flags) or not any(flags)) and all(kinds) and {*kinds} & {*_KINDS}
    fits = all(not flag or " " in flag or "-" in flag or flag in _FLAGS for flag in flags)
    if depth == 3 and not (fits and {*kinds} <= {"", *_KINDS, *several} and (declares or letters)):
        return 0, [], {}
    declared: dict[str, tuple[Role, str]] = {}
    for (name, *_), kind, flag in zip(parts, kinds, flags, strict=True):
        role = _KINDS.get(kind) or ("categorical" if kind in several else None)
        role = role if role == "id" and flag in ("m", "meta") else _FLAGS.get(flag) or role
        declared |= {name: (role, f"declared as {role}")} if role else {}
    return depth, [part[0] for part in parts], declared


_Names = tuple[int, list[str], Guess | None]
#: Lines below names: widths (USGS), results (PubChem), ways to answer (SurveyMonkey); SNPTEST writes 0 0 0 D C.
_WIDTH = re.compile(r"\d{1,3}[sdn]")
_RESULT = re.compile(r"RESULT_(TYPE|DESCR|UNIT|IS_\w+|ATTR_\w+)")
_ANSWERS = frozenset({"Response", "Open-Ended Response"})


def lines_below_names(lines: Sequence[Sequence[str]]) -> _Names:
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
    names, *below = [[cell.strip() for cell in line] for line in lines[:9]]
    if not below:
        return 0, [], None
    second = below[0]
    if _ANSWERS & {*second} and not second[0]:
        for j in range(1, len(names)):
            names[j] = names[j] or names[j - 1][:_NAME]
        names = [n if cell in _ANSWERS or not cell else f"{n} {cell}" for n, cell in zip(names, second, strict=True)]
        return 2, names, Guess("The first two lines hold the names: questions, and their answers.")
    imports = next((k for k, line in enumerate(below[:2], start=2) if all("ImportId" in cell for cell in line)), 0)
    types = second[:3] == ["0"] * 3 and {*second[3:]} <= set("0DCPB") and len(names) > 3
    results = next((k for k, line in enumerate(below) if not _RESULT.fullmatch(line[0])), len(below))
    depth = imports or 2 * (types or all(map(_WIDTH.fullmatch, second)))
    depth = depth or (1 + results) * names[0].startswith("PUBCHEM")
    if depth < 2:
        return 0, [], None
    left_out = "the second line describes them and is" if depth == 2 else f"lines 2 to {depth} describe them and are"
    return depth, names, Guess(f"The first line holds the names; {left_out} left out.")


def names_over_lines(lines: Sequence[Sequence[str]]) -> _Names:
    """Return how many first lines are names or a title, the names, and the guess; (0, [], None) for one line or none.

    As pandas writes columns of several levels and people merge cells: the line in which the columns of numbers begin to
    hold numbers ends the names. A first line of one cell is a title. One word where a number is expected may be a
    typing error in a row, and a row may have gaps in all its numbers: a line below the first must hold two words there,
    or names of indices under two lines of words. Returns (0, [], None) for everything else.

    >>> names_over_lines([["left", "", "tag"], ["a", "b", ""], ["1", "2", "u"], ["3", "4", "v"], ["5", "6", "w"]])[:2]
    (2, ['left a', 'left b', 'tag'])
    """
    below = list(lines[_LINES:_FEW])
    if len(below) < 2 or len(lines[0]) < 2:
        return 0, [], None
    cells = [{word for line in below if not is_missing(word := str(line[j]).strip())} for j in range(len(lines[0]))]
    numeric = [j for j, words in enumerate(cells) if words and writing_of(words - gap_words(words)) is not None]
    above = [[str(cell).strip() for cell in line] for line in lines[:_LINES]]
    over = [[line[j] for j in numeric if not is_missing(line[j])] for line in above]
    in_words = [bool(words) and not any(c.isdigit() for c in "".join(words)) for words in over]
    depth = int(in_words[0] or sum(map(bool, above[0])) == 1)
    while 0 < depth < len(above) and in_words[depth] and len(over[depth]) > 1:
        depth += 1
    if depth == 2 and len(above) > 2 and in_words[0] and any(above[2]):
        # The names of indices are where the lines above are blank, and only there.
        depth += not any(cell and (a or b) for a, b, cell in zip(*above, strict=True))
    above, last = above[:depth], above[depth - 1]
    # Names, and a row of words that repeat: classes above columns, a table on its side.
    on_its_side = depth and all(above[0]) and len({*above[0]}) == len(last) and all(last) and len({*last}) < len(last)
    if depth < 2 or on_its_side:
        return 0, [], None
    titles = list(takewhile(lambda line: line[0] and sum(map(bool, line)) == 1, above[:-1]))
    above = above[len(titles) :]
    for line in above[:-1]:  # merged cells: the name is in the first of the cells that it spans
        for j in range(1, len(line)):
            line[j] = line[j] or line[j - 1][:_NAME]
    names = [" ".join(dict.fromkeys(filter(None, cells))) for cells in zip(*above, strict=True)]
    sentence = f"{len(above)} lines are read as names, put together: {shortened(', '.join(filter(None, names)))}."
    sentence = f"The first line, {shortened(titles[0][0])}, is read as a title and left out." if titles else sentence
    ways = (Choice("Only the first line holds names", header=True), Choice("They are data", header=False))
    return depth, names, Guess(sentence, ways)
