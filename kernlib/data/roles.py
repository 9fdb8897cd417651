"""What each column of a table is taken for, and what is said of the guesses that could be wrong."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..values.labels import are_classes
from .guesses import Choice, Guess
from .header import NUCLEOTIDES
from .numbers import PLAIN, Writing, gap_words, leading_zeros, plain_numbers, tells_mark, writing_of
from .uploads import is_missing, number_of, shortened

__all__ = ["BY_PLACE", "NUMERIC", "Column", "Role", "guessed", "leaks_left_out", "role_of"]

Role = Literal[
    "numeric", "decimal comma", "decimal point", "code missing", "ordinal", "categorical", "text", "sequence", "label",
    "group", "id", "ignore",
]  # fmt: skip
#: Roles of columns that are read as numbers.
NUMERIC: tuple[Role, ...] = ("numeric", "decimal comma", "decimal point", "code missing", "ordinal")

LABEL_NAMES = frozenset({
    "y", "label", "labels", "class", "classes", "target", "targets", "outcome", "response", "species", "category",
    "diagnosis",
})  # fmt: skip
#: Columns that say which rows belong together, when their values repeat.
GROUP_NAMES = frozenset({
    "group", "groups", "subject", "patient", "fold", "batch", "group_id", "subject_id", "patient_id", "batch_id",
})  # fmt: skip
#: How the reason ends where a label was taken by its place.
BY_PLACE = "none is named as a label"
#: With fewer rows a last column of numbers is not taken for a target.
_ENOUGH = 10
ID_NAMES = frozenset({"id", "ids", "name", "index", "rowid", "row_id", "key", "uuid", "row"})
#: Parts of names of columns that number things.
ID_WORDS = frozenset({
    "id", "ids", "nr", "no", "num", "number", "index", "idx", "key", "code", "uuid", "guid", "serial", "account",
    "customer", "client", "member", "user", "row", "record", "case", "ticket", "invoice", "order", "phone", "unnamed",
    "barcode", "ean", "isbn", "obs", "observation",
})  # fmt: skip
#: Names that pandas gives to a data frame's index in files.
INDEX = re.compile(r"unnamed: ?\d+(_level_\d+)?|__index_level_\d+__|level_\d+")
SMILES = re.compile(r"(?:\[[^\[\]\s]{1,20}\]|Cl|Br|[BCNOSPFIbcnosp]|[-=#$:/\\.()0-9@+~%])+")
PROTEIN = re.compile(r"[A-Za-z*\-]+")


@dataclass(frozen=True)
class Column:
    """One column and what it is taken for: name, role, the reason in words, missing and distinct cells.

    `writing` is how its numbers are written; `code` a number such as −999 that may stand for a missing one.
    """

    name: str
    role: Role
    reason: str
    missing: int
    distinct: int
    writing: Writing = PLAIN
    code: str = ""


@dataclass(eq=False)
class _Facts:
    """What is seen of a column before anything is decided."""

    name: str
    words: list[str]
    values: set[str]
    missing: int
    writing: Writing | None
    numbers: npt.NDArray[np.float64] | None = field(default=None)

    @property
    def n(self) -> int:
        return len(self.words)

    @property
    def plain(self) -> str:
        return self.name.strip().lower()

    @property
    def whole(self) -> bool:
        x = self.numbers
        return x is not None and bool(x.size) and bool((x == np.round(x)).all()) and bool((np.abs(x) < 2**53).all())


def role_of(name: str, cells: npt.NDArray[np.object_]) -> Column:
    """What one column is taken for, looked at alone."""
    return _role(_facts(name, cells, None), ())


def guessed(
    names: Sequence[str], cells: npt.NDArray[np.object_], semicolons: bool = False
) -> tuple[tuple[Column, ...], tuple[Guess, ...]]:
    """What the columns (n, columns) are taken for, and the guesses that are said; gaps are empty cells.

    `semicolons` says that semicolons divide the cells, as where the comma is that of decimals.
    """
    facts = [_facts(name, cells[:, j], None) for j, name in enumerate(names)]
    marks = {
        f.writing.decimal for f in facts
        if f.writing and not f.writing.unsure and _has_fraction(f) and tells_mark(f.values)
    }  # fmt: skip
    comma = "," in marks if len(marks) == 1 else (True if semicolons and not marks else None)
    if comma:
        facts = [_facts(name, cells[:, j], True) for j, name in enumerate(names)]
    numbers = [f for f in facts if f.numbers is not None and f.missing == 0]
    counting = {f.name: why for f in numbers if (why := _counts(f))}
    if len(counting) > max(2, len(numbers) // 2):  # ranks, intensities: it is how these data are
        counting = {}
    columns = [_role(f, counting.get(f.name, "")) for f in facts]
    label_said = _choose_label(facts, columns)
    label_said += _class_or_number(facts, columns)
    _choose_group(columns)
    leaks = _leaks(facts, columns)
    _keep_one(columns, counting)
    guesses = [guess for f, c in zip(facts, columns, strict=True) if (guess := _said(f, c))]
    return tuple(columns), (*label_said, *guesses, *leaks)


def _keep_one(columns: list[Column], counting: dict[str, str]) -> None:
    """Where nothing else can be compared, a number that counts the rows is kept, and that is said."""
    if any(c.role in ("numeric", "categorical", "sequence", "text") for c in columns):
        return
    for j, c in enumerate(columns):
        if c.role == "id" and c.name in counting and not _named_id(c.name):
            columns[j] = dataclasses.replace(c, role="numeric", reason=f"{_KEPT}: {c.reason}")
            return


_KEPT = "there is no other column to compare"


def _facts(name: str, cells: npt.NDArray[np.object_], comma: bool | None) -> _Facts:
    words = [str(cell).strip() for cell in cells]
    values = {word for word in words if not is_missing(word)}
    gaps = gap_words(values)
    values -= gaps
    missing = sum(word not in values for word in words)
    found = _Facts(name, words, values, missing, writing_of(values, comma) if values else None)
    if found.writing is not None and not leading_zeros(values):
        present = words if not missing else [word for word in words if word in values]
        numbers = plain_numbers(present) if found.writing == PLAIN else None
        if numbers is None:
            known = {word: found.writing.number(word) for word in values}
            numbers = [known[word] for word in present]  # type: ignore[misc]
        found.numbers = np.array(numbers, dtype=np.float64)
    return found


def _has_fraction(f: _Facts) -> bool:
    x = f.numbers
    return x is not None and x.size > 0 and not f.whole


def _counts(f: _Facts) -> str:
    """Why a column of numbers tells the rows apart rather than something about them; "" where it does not."""
    x, n = f.numbers, f.n
    if x is None or n < 3 or not f.whole or f.plain in LABEL_NAMES:
        return ""
    steps = np.diff(x)
    if n >= 5 and (steps == steps[0]).all() and abs(steps[0]) == 1:
        return "it counts the rows"
    if n >= 10 and ((steps > 0).all() or (steps < 0).all()):
        return "a whole number that only goes one way, row by row"
    distinct = len(np.unique(x))
    if _named_id(f.name) and distinct >= 0.95 * n and n >= 5:
        return f"named {shortened(f.name)}, a whole number of its own in nearly every row"
    # So many different whole numbers would hardly meet by chance without two being equal.
    expected = n * (n - 1) / 2 / (float(x.max() - x.min()) + 1)
    if distinct >= 0.95 * n and expected >= 6 and n - distinct <= expected / 10:
        return "a whole number of its own in " + ("every row" if distinct == n else "nearly every row")
    return ""


def _named_id(name: str) -> bool:
    parts = re.split(r"[^a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())
    return bool(ID_WORDS.intersection(parts)) or name.strip() == "#"


def _role(f: _Facts, counting: str | tuple[()]) -> Column:
    n, distinct, values, present = f.n, len(f.values), f.values, f.n - f.missing

    def column(role: Role, reason: str) -> Column:
        code = _code(f) if role == "numeric" else ""
        return Column(f.name, role, reason, f.missing, distinct, f.writing or PLAIN, code)

    if not values:
        return column("ignore", "every cell is missing")
    if INDEX.fullmatch(f.plain):
        return column("id", "named as pandas names the rows' own numbers")
    numeric = f.numbers is not None
    whole = f.whole
    if f.plain in ID_NAMES and distinct == n and (whole or not numeric):
        return column("id", f"named {shortened(f.name)} and every value is different")
    if f.plain in LABEL_NAMES and distinct == n and not numeric and n > 2:
        return column("id", f"named {shortened(f.name)}, but every value is different: an id rather than a label")
    if f.plain in LABEL_NAMES:
        return column("label", f"named {shortened(f.name)}, {distinct} distinct values")
    if f.plain in GROUP_NAMES and 1 < distinct < present and (whole or not numeric):
        return column("group", f"named {shortened(f.name)}, {distinct} groups of rows that belong together")
    if counting:
        return column("id", counting)
    if distinct == 1 and n > 1 and not f.missing:
        return column("ignore", "one value only")
    if f.writing is not None and leading_zeros(values):
        return column("id" if distinct == n and n > 20 else "categorical", "digits with zeros in front: a code")
    if numeric:
        assert f.writing is not None
        every = "every cell" if not f.missing else "every present cell"
        return column("numeric", f"{every} is a number{f.writing.words}")
    numbers = sum(number_of(word) is not None for word in f.words)
    if numbers >= 0.9 * present and distinct > 10:  # a slip of the pen, better said than taken for a category
        strange = next(word for word in f.words if word in values and number_of(word) is None)
        return column("numeric", f"nearly every cell is a number, {shortened(strange)} is not")
    longest = max(len(word) for word in values)
    if longest >= 10 and all(NUCLEOTIDES.fullmatch(word) for word in values):
        return column("sequence", "strings of nucleotide letters")
    if longest >= 20 and all(PROTEIN.fullmatch(word) for word in values) and distinct > n / 2:
        return column("sequence", "long strings of letters without spaces")
    if _is_smiles(f):
        return column("sequence", "molecules written as SMILES strings")
    if sum(" " in word for word in f.words) > present / 2 and distinct > n / 2:
        return column("text", "most cells hold several words")
    if n > 20 and distinct >= 0.95 * present:
        return column("id", "every value is different" if distinct == n else "nearly every value is different")
    return column("categorical", f"{distinct} distinct words")


def _is_smiles(f: _Facts) -> bool:
    if not all(SMILES.fullmatch(word) for word in f.values) or not any(c.isalpha() for w in f.values for c in w):
        return False
    if "smiles" in f.plain or "molecule" in f.plain:
        return True
    structured = sum(any(c in word for c in "()=#[]") for word in f.values)
    return len(f.values) > f.n / 2 and structured > len(f.values) / 2 and max(map(len, f.values)) >= 8


def _code(f: _Facts) -> str:
    """A number such as −999 that stands far outside all others, several times; "" where there is none."""
    x = f.numbers
    if x is None or len(x) < 10:
        return ""
    for value in (x.min(), x.max()):
        digits = f"{abs(value):g}"
        if len(digits) < 2 or set(digits) != {"9"}:
            continue
        rest = x[x != value]
        times = len(x) - len(rest)
        if times > 1 and len(rest) > 2 and abs(value - np.median(rest)) > 5 * max(float(np.ptp(rest)), 1e-300):
            return next(w for w in f.words if w in f.values and f.writing and f.writing.number(w) == value)
    return ""


def _said(f: _Facts, c: Column) -> Guess | None:
    """What is said of one column's guess, with the ways to take it otherwise."""
    who = shortened(c.name)
    if c.reason.startswith(_KEPT):
        leave = Choice(f"{who} names the rows", roles=((c.name, "id"),))
        return Guess(f"{who} is used as a number, since {c.reason}. It may say nothing but the order.", (leave,))
    if c.role == "id" and f.numbers is not None and c.reason != f"named {who} and every value is different":
        as_number = Choice(f"Use {who} as a number", roles=((c.name, "numeric"),))
        return Guess(f"{who} names the rows and is left out of the comparison: {c.reason}.", (as_number,))
    if c.role == "id" and f.numbers is None and c.reason.startswith(("nearly", "digits")):
        return Guess(
            f"{who} names the rows and is left out of the comparison: {c.reason}.",
            (Choice(f"Use {who} as a category", roles=((c.name, "categorical"),)),),
        )
    if c.code:
        times = sum(word == c.code for word in f.words)
        return Guess(
            f"{who} holds {c.code} {times} times, far outside all its other numbers; it is taken for a number.",
            (Choice(f"{c.code} is a missing value", roles=((c.name, "code missing"),)),),
        )
    if c.role == "numeric" and c.writing.unsure:
        example = next(word for word in f.words if re.search(r"[.,]", word) and word in f.values)
        other: Role = "decimal point" if c.writing.decimal == "," else "decimal comma"
        mark = "the decimals" if c.writing.decimal == "," and "," in example else "thousands"
        sign = "comma" if "," in example else "point"
        return Guess(
            f"{who} is read as numbers{c.writing.words}: {shortened(example)} is {c.writing.number(example):g}, the "
            f"{sign} parts {mark}.",
            (Choice(f"The {sign} parts {'thousands' if mark != 'thousands' else 'the decimals'}",
                    roles=((c.name, other),)),),
        )  # fmt: skip
    return None


def _choose_label(facts: list[_Facts], columns: list[Column]) -> list[Guess]:
    """One label at most: by name, else the last column, else the first where its few codes look like classes."""
    named = [j for j, column in enumerate(columns) if column.role == "label"]
    if len(named) > 1 and any(f.plain == "x" for f in facts):  # beside x and a class, y is a coordinate
        for place in (j for j in named if facts[j].plain == "y"):
            alone = _role(dataclasses.replace(facts[place], name=""), "")
            columns[place] = dataclasses.replace(alone, name=facts[place].name)
        named = [j for j in named if columns[j].role == "label"]
    if named:
        first, *others = named
        for other in others:
            columns[other] = dataclasses.replace(
                columns[other], role="ignore", reason=f"{shortened(columns[first].name)} is taken for the label already"
            )
        if not others:
            return []
        told, taken = ", ".join(shortened(columns[j].name) for j in named), columns[first].name
        said = f"{told} are all named like a label: {shortened(taken)} is taken, the others are left out."
        return [Guess(said, tuple(_as_label(columns[j].name, taken) for j in others[:4]))]
    j, why = _unnamed_label(facts, columns) if len(columns) > 1 else (None, "")
    if j is None:
        return []
    role = columns[j].role
    columns[j] = dataclasses.replace(columns[j], role="label", reason=why)
    others_too = [
        c.name for f, c in zip(facts, columns, strict=True)
        if c.role == "categorical" and 1 < c.distinct <= max(2, f.n // 5)
    ]  # fmt: skip
    without = Choice("There is no label", roles=((columns[j].name, "numeric" if role in NUMERIC else "categorical"),))
    said = f"{shortened(columns[j].name)} is taken for what is to be told: {why}."
    return [Guess(said, (without, *(_as_label(name, columns[j].name, role) for name in others_too[-3:])))]


def _class_or_number(facts: list[_Facts], columns: list[Column]) -> list[Guess]:
    """What a label of whole numbers is taken for, where it could be either."""
    label = next((j for j, column in enumerate(columns) if column.role == "label"), None)
    x = None if label is None else facts[label].numbers
    if label is None or x is None or not facts[label].whole or not 5 < columns[label].distinct <= 100:
        return []
    who, many = shortened(columns[label].name), f"{columns[label].distinct} different numbers"
    same: tuple[tuple[str, Role], ...] = ((columns[label].name, "label"),)  # another label, and this is not said
    if are_classes(x):
        number = Choice("They are numbers", roles=same, task="regression")
        return [Guess(f"The {many} in {who} are taken for classes.", (number,))]
    classes = Choice("They are classes", roles=same, task="classification")
    return [Guess(f"The {many} in {who} are taken for numbers, not for classes.", (classes,))]


def _unnamed_label(facts: list[_Facts], columns: list[Column]) -> tuple[int | None, str]:
    places = [j for j, c in enumerate(columns) if c.role not in ("id", "ignore")]
    if not places:
        return None, ""
    end = places[-1]
    last, first = columns[end], columns[places[0]]
    # A last column "group" with no label beside it is what the rows are told apart by, e.g. the treatment.
    told_apart = last.role == "categorical" or (last.role == "group" and last.name.strip().lower().startswith("group"))
    if told_apart and last.distinct > 1:
        return end, f"the last column, {last.distinct} distinct values, {BY_PLACE}"
    usable = sum(c.role in ("numeric", "categorical", "sequence", "text") for c in columns)
    if last.role == "numeric" and usable > 2 and facts[0].n >= _ENOUGH:
        few, ordered = facts[places[0]].numbers, facts[end].numbers
        if (
            few is not None and ordered is not None and first.role == "numeric" and not first.missing
            and are_classes(few) and len(np.unique(few)) < len(few) / 2 and not are_classes(ordered)
        ):  # fmt: skip
            return places[0], f"the first column, {first.distinct} distinct whole numbers, {BY_PLACE}"
        return end, f"the last column, a number, {BY_PLACE}"
    nominal = first.role == "categorical" and last.role != "categorical"
    if usable > 1 and nominal and 1 < first.distinct <= facts[0].n / 2:
        return places[0], f"the first column, {first.distinct} distinct values, {BY_PLACE}"
    return None, ""


def _as_label(name: str, instead_of: str, role: Role = "ignore") -> Choice:
    return Choice(f"Tell {shortened(name)} instead", roles=((instead_of, role), (name, "label")))


def _choose_group(columns: list[Column]) -> None:
    groups = [j for j, column in enumerate(columns) if column.role == "group"]
    for j in groups[1:]:
        columns[j] = dataclasses.replace(
            columns[j], role="ignore", reason=f"{shortened(columns[groups[0]].name)} is taken for the group already"
        )


def leaks_left_out(
    columns: Sequence[Column], cells: npt.NDArray[np.object_], kept: Sequence[str]
) -> tuple[tuple[Column, ...], tuple[Guess, ...]]:
    """What another label makes of the columns: those that would give it away are left out, but those of `kept`."""
    facts = [_facts(c.name, cells[:, j], c.writing.decimal == ",") for j, c in enumerate(columns)]
    found = list(columns)
    guesses = _leaks(facts, found, kept)
    return tuple(found), tuple(guesses)


def _leaks(facts: list[_Facts], columns: list[Column], kept: Sequence[str] = ()) -> list[Guess]:
    """Columns that say the label in other words, or order the rows as its classes stand, are no features unasked."""
    label = next((j for j, column in enumerate(columns) if column.role == "label"), None)
    if label is None or facts[label].n < _ENOUGH or facts[label].missing:
        return []
    guesses: list[Guess] = []
    known = {word: code for code, word in enumerate(dict.fromkeys(facts[label].words))}
    y = np.array([known[word] for word in facts[label].words])
    classes = len(known)
    if not 1 < classes <= len(y) / 2:
        return []
    in_blocks = int((np.diff(y) != 0).sum()) == classes - 1
    for j, (f, c) in enumerate(zip(facts, columns, strict=True)):
        if c.role not in ("numeric", "categorical") or c.missing or c.name in kept:
            continue
        why = ""
        if c.distinct == classes and len(set(zip(f.words, y.tolist(), strict=True))) == classes:
            why = f"it says the same as {shortened(columns[label].name)}"
        elif (
            in_blocks and c.role == "numeric" and f.numbers is not None and c.distinct > classes
            and np.isfinite(f.numbers).all()
        ):  # fmt: skip
            steps = np.diff(f.numbers)
            if (steps >= 0).all() or (steps <= 0).all():
                why = "it only goes one way, row by row, as the classes stand in the file"
        if why:
            columns[j] = dataclasses.replace(c, role="ignore", reason=why)
            use = Choice(f"Use {shortened(c.name)}", roles=((c.name, c.role),))
            guesses.append(Guess(f"{shortened(c.name)} is left out: {why}, and would give the label away.", (use,)))
    return guesses
