"""Read the lines above a table: comments, counts, titles, several lines of names, the header of Orange."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .guesses import Choice, Guess, Role
from .numbers import gap_words, writing_of
from .uploads import is_missing, shortened

#: The most lines of comments above a table.
_COMMENTS = 50
#: The most lines of a title, and the number of letters that are searched for them.
_TITLE, _SAMPLE = 20, 50_000
#: The most lines of names, as in a pivot of two levels with a named index; and the number of lines that are checked.
_LINES, _LOOKED_AT = 3, 200
_QUOTES = {"[": "]", "`": "`", '"': '"', "'": "'"}


def without_comments(text: str) -> tuple[str, str]:
    """Return the text below the first lines that begin with #, and the last of those without its mark.

    Where lines further down begin so as well, all of them are rows.

    >>> without_comments("# made in May\\nx,y\\n1,a\\n")
    ('x,y\\n1,a\\n', 'made in May')
    """
    above, rest = "", text
    for _ in range(_COMMENTS):
        if not rest.startswith("#"):
            break
        line, _, rest = rest.partition("\n")
        above = line.lstrip("# ").strip()
    if not above or not rest.strip() or any(line.startswith("#") for line in rest[:10_000].split("\n")):
        return text, ""
    return rest, above


def named_separator(text: str) -> tuple[str, str]:
    """Return the text below Excel's line sep=; and the mark that it names, "" without such a line.

    >>> named_separator("sep=;\\nx;y\\n1;a\\n")
    ('x;y\\n1;a\\n', ';')
    """
    match = re.match(r'"?sep=([,;|\t])"?[,;|\t]*\r?\n', text[:40], re.IGNORECASE)
    return (text[match.end() :], match[1]) if match else (text, "")


def without_title(text: str, delimiter: str) -> tuple[str, Guess | None]:
    """Return the text below lines of fewer cells than all others have, and the guess that those lines are a title.

    >>> without_title("Report of May\\n\\nx,y,z\\n1,2,a\\n3,4,b\\n5,6,a\\n", ",")[0].split()
    ['x,y,z', '1,2,a', '3,4,b', '5,6,a']
    """
    lines = text[:_SAMPLE].splitlines(keepends=True)[:_LOOKED_AT]
    widths = [line.count(delimiter) + 1 if delimiter != " " else len(line.split()) for line in lines]
    filled = [j for j, line in enumerate(lines) if line.strip()]
    if len(filled) < 4 or widths[filled[0]] >= widths[filled[-1]] - 1:
        return text, None
    width = widths[filled[len(filled) // 2]]
    begin = next(j for j in filled if widths[j] >= width - 1)
    rest = [widths[j] for j in filled if j >= begin]
    if begin > _TITLE or len(rest) < 3 or any(w != width for w in rest[1:]) or width < 3:
        return text, None
    title = " ".join("".join(lines[:begin]).split())
    sentence = f"The table begins in line {begin + 1}; the lines above it are left out: {shortened(title)}."
    return text[sum(map(len, lines[:begin])) :], Guess(sentence)


def counted(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the rows below scikit-learn's first line, and the names of the classes in it; () without such a line.

    That line counts the rows and the columns before the last one, and names the classes that the last one numbers:
    569,30,malignant,benign. It is one only if both counts are right to the last row and every number has its name.

    >>> counted("3,2,bad,good\\n1,5,0\\n2,6,1\\n2,7,1\\n")
    ('1,5,0\\n2,6,1\\n2,7,1\\n', ('bad', 'good'))
    """
    first, _, rest = text.partition("\n")
    if vectors := re.fullmatch(r"(\d{1,9}) (\d{1,5})", first.strip()):  # as word2vec counts words and their numbers
        lines = rest.splitlines()
        if len(lines) == int(vectors[1]) and all(len(line.split()) == int(vectors[2]) + 1 for line in lines):
            return rest, ()
    head = [cell.strip() for cell in first[:2000].split(",")]
    if len(head) < 4 or not all(cell.isascii() and cell.isdigit() and len(cell) < 8 for cell in head[:2]):
        return text, ()
    lines = [line for line in rest.splitlines() if line.strip()]
    width, names = int(head[1]) + 1, tuple(head[2:])
    if len(lines) != int(head[0]) or not all(names) or any(line.count(",") != width - 1 for line in lines):
        return text, ()
    codes = {line.rpartition(",")[2].strip() for line in lines}
    return (rest, names) if codes <= {str(k) for k in range(len(names))} else (text, ())


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
        letters = all(kind in _ORANGE_KINDS for kind in kinds) and any(flag in _ORANGE_FLAGS for flag in flags)
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
            names[j] = names[j] or names[j - 1]
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
    below = lines[_LINES:_LOOKED_AT]
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
            line[j] = line[j] or line[j - 1]
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
