"""What a column of a table is taken for, looked at alone."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .header import NUCLEOTIDES
from .numbers import PLAIN, Writing, gap_words, leading_zeros, plain_numbers, writing_of
from .uploads import is_missing, number_of, packed, shortened

__all__ = [
    "LABEL_NAMES",
    "NUMERIC",
    "Column",
    "Facts",
    "Role",
    "counts_rows",
    "facts_of",
    "has_fraction",
    "named_like_an_id",
    "role_from",
    "role_of",
]


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
DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}([-/.]\d{1,2})?([T ]\d{1,2}:\d{2}[\d:.+Z-]*)?"
    r"|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}( \d{1,2}:\d{2}[\d:.]*)?"
    r"|\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?"
)
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
class Facts:
    """What is seen of a column before anything is decided."""

    name: str
    words: npt.NDArray[Any]
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
    return role_from(facts_of(name, cells, None), ())


def facts_of(name: str, cells: npt.NDArray[np.object_], comma: bool | None) -> Facts:
    given = [str(cell) for cell in cells.tolist()]
    words = [cell.strip() for cell in given]
    kept = cells if words == given and cells.dtype != object else packed(words)
    distinct = set(words)
    values = distinct - {word for word in distinct if len(word) < 5 and is_missing(word)}
    values -= gap_words(values)
    missing = 0 if len(values) == len(distinct) else sum(word not in values for word in words)
    found = Facts(name, kept, values, missing, writing_of(values, comma) if values else None)
    if found.writing is not None and not leading_zeros(values):
        present = words if not missing else [word for word in words if word in values]
        numbers = plain_numbers(present) if found.writing == PLAIN else None
        if numbers is None:
            known = {word: found.writing.number(word) for word in values}
            numbers = [known[word] for word in present]  # type: ignore[misc]
        found.numbers = np.array(numbers, dtype=np.float64)
    return found


def has_fraction(f: Facts) -> bool:
    x = f.numbers
    return x is not None and x.size > 0 and not f.whole


def counts_rows(f: Facts) -> str:
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
    if named_like_an_id(f.name) and distinct >= 0.95 * n and n >= 5:
        return f"named {shortened(f.name)}, a whole number of its own in nearly every row"
    # So many different whole numbers would hardly meet by chance without two being equal.
    expected = n * (n - 1) / 2 / (float(x.max() - x.min()) + 1)
    if distinct >= 0.95 * n and expected >= 6 and n - distinct <= expected / 10:
        return "a whole number of its own in " + ("every row" if distinct == n else "nearly every row")
    return ""


def named_like_an_id(name: str) -> bool:
    parts = re.split(r"[^a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())
    return bool(ID_WORDS.intersection(parts)) or name.strip() == "#"


def _owns_rows(name: str) -> bool:
    """Whether a column's name is of those that several rows may belong to: a customer, a user, anything with an id."""
    parts = re.split(r"[^a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).lower())
    return bool({"id", "customer", "client", "member", "user", "account", "subject", "patient"}.intersection(parts))


def role_from(f: Facts, counting: str | tuple[()]) -> Column:
    n, distinct, values, present = f.n, len(f.values), f.values, f.n - f.missing

    def column(role: Role, reason: str, strange: list[str] | None = None) -> Column:
        code = _code(f) if role == "numeric" else ""
        if strange and len(strange) == 1:
            (code,) = strange
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
    if whole and _owns_rows(f.name) and max(5, n / 20) < distinct < present:
        return column("group", f"named {shortened(f.name)}, {distinct} of them with rows that belong together")
    if numeric and _too_long(values):
        each = distinct >= 0.95 * present
        return column("id" if each else "categorical", "whole numbers of more digits than a number keeps apart")
    if distinct == 1 and n > 1 and not f.missing:
        return column("ignore", "one value only")
    if f.writing is not None and leading_zeros(values):
        return column("id" if distinct == n and n > 20 else "categorical", "digits with zeros in front: a code")
    if numeric:
        assert f.writing is not None
        every = "every cell" if not f.missing else "every present cell"
        return column("numeric", f"{every} is a number{f.writing.words}")
    numbers = sum(number_of(word) is not None for word in f.words)
    strange = list(dict.fromkeys(word for word in f.words if word in values and number_of(word) is None))
    if numbers >= 0.9 * present and distinct > 10:  # a slip of the pen, better said than taken for a category
        return column("numeric", f"nearly every cell is a number, {shortened(strange[0])} is not", strange)
    if numbers >= present / 2 and len(strange) == 1 and distinct > 10:  # below a limit of detection, not asked, …
        return column("numeric", f"most cells are numbers, {shortened(strange[0])} is not", strange)
    longest = max(len(word) for word in values)
    if longest >= 10 and all(NUCLEOTIDES.fullmatch(word) for word in values):
        return column("sequence", "strings of nucleotide letters")
    if longest >= 20 and all(PROTEIN.fullmatch(word) for word in values) and distinct > n / 2:
        return column("sequence", "long strings of letters without spaces")
    if _is_smiles(f):
        return column("sequence", "molecules written as SMILES strings")
    if sum(" " in word for word in f.words) > present / 2 and distinct > n / 2:
        return column("text", "most cells hold several words")
    if n > 20 and distinct >= 0.95 * present and all(DATE.fullmatch(word[:60]) for word in values):
        return column("id", "dates or times, another in nearly every row")
    if n > 20 and distinct >= 0.95 * present:
        return column("id", "every value is different" if distinct == n else "nearly every value is different")
    return column("categorical", f"{distinct} distinct words")


def _too_long(values: set[str]) -> bool:
    """Whether whole numbers are so long that two of them may become one float."""
    return all(w.lstrip("+-").isdigit() for w in values) and any(len(w.lstrip("+-")) > 15 for w in values)


def _is_smiles(f: Facts) -> bool:
    if not all(SMILES.fullmatch(word) for word in f.values) or not any(c.isalpha() for w in f.values for c in w):
        return False
    if "smiles" in f.plain or "molecule" in f.plain:
        return True
    structured = sum(any(c in word for c in "()=#[]") for word in f.values)
    return len(f.values) > f.n / 2 and structured > len(f.values) / 2 and max(map(len, f.values)) >= 8


def _code(f: Facts) -> str:
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
            return str(next(w for w in f.words if w in f.values and f.writing and f.writing.number(w) == value))
    return ""
