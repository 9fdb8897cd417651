"""Guess the role of one column of a table from its name and its cells."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .guesses import Role
from .numbers import PLAIN, Writing, gap_words, leading_zeros, plain_numbers, writing_of
from .sequences import kind_of_strings
from .uploads import is_missing, number_of, packed, shortened

LABEL_NAMES = frozenset({
    "y", "label", "labels", "class", "classes", "target", "targets", "outcome", "response", "species", "category",
    "diagnosis", "survived", "churn", "sentiment", "phenotype", "class_label", "saleprice",
})  # fmt: skip
#: Columns of groups, when their values repeat.
GROUP_NAMES = frozenset({
    "group", "groups", "subject", "patient", "fold", "batch", "group_id", "subject_id", "patient_id", "batch_id",
})  # fmt: skip
ID_NAMES = frozenset({"id", "ids", "name", "index", "rowid", "row_id", "key", "uuid", "row"})
#: Parts of names of columns that number the rows.
ID_WORDS = frozenset({
    "id", "ids", "nr", "no", "num", "number", "index", "idx", "key", "code", "uuid", "guid", "serial", "account",
    "customer", "client", "member", "user", "row", "record", "case", "ticket", "invoice", "order", "phone", "unnamed",
    "barcode", "ean", "isbn", "obs", "observation",
})  # fmt: skip
#: Parts of names of columns whose values several rows may share.
#: Parts of names of columns that measure something: they are numbers to compare, however they are written.
MEASURES = frozenset({
    "age", "year", "years", "price", "cost", "income", "salary", "size", "length", "width", "height", "weight", "area",
    "score", "rank", "grade", "points", "count", "counts", "total", "amount", "rate", "ratio", "time", "duration",
    "days", "hours", "distance", "depth", "temperature", "temp", "pressure", "speed", "dose", "level", "value",
})  # fmt: skip
OWNERS = frozenset({"id", "customer", "client", "member", "user", "account", "subject", "patient"})
#: Names that pandas gives to a data frame's index in files.
INDEX = re.compile(r"unnamed: ?\d+(_level_\d+)?|__index_level_\d+__|level_\d+")
#: How the name of a count begins: NumReads, number of rooms.
_COUNT = re.compile(r"(?i:num|nr|no|number)([ _]?of[ _]|[ _](?!id)[a-z]|[A-Z][a-z])")
_TIME = r"\d{1,2}:\d{2}[\d:.]*( ?[AaPp]\.?[Mm]\.?)?( ?(Z|[A-Z]{2,4})?([+-]\d{1,2}(:?\d{2})?)?)?"
_MONTH = r"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_DAY = r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}"
DATE = re.compile(
    rf"\d{{4}}[-/.]\d{{1,2}}([-/.]\d{{1,2}})?([T ]{_TIME})?"
    rf"|\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}}([T ]{_TIME})?"
    rf"|\d{{1,2}}[ -]{_MONTH}[ -]\d{{2,4}}( {_TIME})?|{_TIME}"
    rf"|({_DAY},? )?{_MONTH}\.? +\d{{1,2}},?( \d{{4}})?([T ]{_TIME})?( \d{{4}})?"
    rf"|({_DAY}, )?\d{{1,2}} {_MONTH} \d{{4}}([T ]{_TIME})?"
)


@dataclass(frozen=True)
class Column:
    """A column with its role: name, role, the reason as text, and the numbers of missing and distinct cells.

    `writing` is how its numbers are written; `code`, words such as "-8|-9" that may stand for missing ones;
    `others`, the roles that it could have as well; `question`, whether a person has to choose between them.
    """

    name: str
    role: Role
    reason: str
    missing: int
    distinct: int
    writing: Writing = PLAIN
    code: str = ""
    others: tuple[Role, ...] = ()
    question: bool = False

    @property
    def codes(self) -> tuple[str, ...]:
        """Return the words that may stand for missing ones."""
        return tuple(filter(None, self.code.split("|")))


class Verdict(NamedTuple):
    """The role of a column, the reason, and what else the column could be."""

    role: Role
    reason: str
    others: tuple[Role, ...] = ()
    question: bool = False
    code: str = ""


@dataclass(eq=False)
class Facts:
    """The facts that the rules of this module use: a column's cells, and its numbers where all cells are numbers."""

    name: str
    words: npt.NDArray[Any]
    values: set[str]
    missing: int
    writing: Writing | None
    numbers: npt.NDArray[np.float64] | None = None

    @property
    def n(self) -> int:
        return len(self.words)

    @property
    def present(self) -> int:
        return self.n - self.missing

    @property
    def distinct(self) -> int:
        return len(self.values)

    @property
    def plain(self) -> str:
        return self.name.strip().lower()

    @property
    def parts(self) -> set[str]:
        """Return the words of the name, in small letters."""
        return set(re.split(r"[^a-z#]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", self.name).lower()))

    @property
    def whole(self) -> bool:
        x = self.numbers
        return x is not None and bool(x.size) and bool((x == np.round(x)).all()) and bool((np.abs(x) < 2**53).all())

    @property
    def numbers_rows_by_name(self) -> bool:
        return (bool(ID_WORDS & self.parts) and not _COUNT.match(self.name)) or self.name.strip() == "#"


def role_of(name: str, cells: npt.NDArray[np.object_]) -> Column:
    """Return a column with the role that its own name and cells suggest."""
    return role_from(facts_of(name, cells, None))


def facts_of(name: str, cells: npt.NDArray[np.object_], comma: bool | None) -> Facts:
    """Return the facts of a column; `comma`: whether the file writes decimals with a comma, None if unknown."""
    given = [str(cell) for cell in cells.tolist()]
    words = [cell.strip() for cell in given]
    kept = cells if words == given and cells.dtype != object else packed(words)
    distinct = set(words)
    values = distinct - {word for word in distinct if len(word) < 5 and is_missing(word)}
    values -= gap_words(values)
    missing = 0 if len(values) == len(distinct) else sum(word not in values for word in words)
    facts = Facts(name, kept, values, missing, writing_of(values, comma) if values else None)
    if comma is False and facts.writing is not None and facts.writing.decimal == ",":
        facts.writing = None  # a comma that cannot separate decimals
    if facts.writing is not None and not leading_zeros(values):
        present = words if not missing else [word for word in words if word in values]
        numbers = plain_numbers(present) if facts.writing == PLAIN else None
        if numbers is None:
            known = {word: facts.writing.number(word) for word in values}
            numbers = [known[word] for word in present]  # type: ignore[misc]
        facts.numbers = np.array(numbers, dtype=np.float64)
    return facts


def has_fraction(f: Facts) -> bool:
    """Return whether a column holds numbers that are not whole."""
    x = f.numbers
    return x is not None and x.size > 0 and not f.whole


def counts_rows(f: Facts) -> str:
    """Return why a column of whole numbers identifies the rows, or "": it counts them, or its name says so.

    Numbers that rise, or that do not repeat, are no reason: prices and ages do so as well.
    """
    x, n = f.numbers, f.n
    if x is None or n < 3 or not f.whole or f.plain in LABEL_NAMES or MEASURES & f.parts:
        return ""
    rows = np.flatnonzero([word in f.values for word in f.words]) if f.missing else np.arange(n)
    begin, end = {*(x - rows).tolist()}, {*(x + rows).tolist()}
    if len(x) >= max(5, n / 2) and (begin in ({0.0}, {1.0}) or end in ({n - 1.0}, {float(n)})):
        return "it counts the rows"
    if len(x) >= 5 and f.numbers_rows_by_name and f.distinct >= 0.95 * f.present:
        return f"named {shortened(f.name)}, a different whole number in nearly every row"
    if n >= 20 and f.distinct == n and (x.min(), x.max()) in ((0, n - 1), (1, n)):
        return "it counts the rows, in another order"
    return ""


def _rises(f: Facts) -> bool:
    """Return whether numbers rise, or fall, from each row to the next."""
    steps = np.diff(f.numbers) if f.numbers is not None else np.zeros(1)
    return bool((steps > 0).all() or (steps < 0).all())


def role_from(f: Facts, counting: str = "") -> Column:
    """Return the column with its role; `counting` is why its numbers identify the rows, "" where they do not."""
    verdict = next(v for rule in _RULES if (v := rule(f, counting)))
    code = verdict.code or (_code(f) if verdict.role == "numeric" else "")
    return Column(
        f.name, verdict.role, verdict.reason, f.missing, f.distinct, f.writing or PLAIN, code, verdict.others,
        verdict.question,
    )  # fmt: skip


def _by_name(f: Facts, counting: str) -> Verdict | None:
    """Return the verdict on a column without values, or with a name that gives its role; None for other columns."""
    named, numeric = f"named {shortened(f.name)}", f.numbers is not None
    whole_or_words = f.whole or not numeric
    if not f.values:
        return Verdict("ignore", "every cell is missing")
    if INDEX.fullmatch(f.plain):
        return Verdict("id", "named as pandas names the index of a data frame")
    if f.plain in ID_NAMES and f.distinct == f.present > f.n / 2 and whole_or_words:
        return Verdict("id", f"{named} and every value is different")
    if f.plain in LABEL_NAMES and f.distinct == f.n and not numeric and f.n > 2:
        return Verdict("id", f"{named}, but every value is different: an id rather than a label", ("categorical",))
    if f.plain in LABEL_NAMES:
        return Verdict("label", f"{named}, {f.distinct} distinct values")
    if f.plain in GROUP_NAMES and 1 < f.distinct < f.present and whole_or_words:
        ways: tuple[Role, ...] = ("categorical", "ignore")
        return Verdict("group", f"{named}, {f.distinct} groups of rows that belong together", ways)
    return None


def _as_numbers(f: Facts, counting: str) -> Verdict | None:
    """Return the verdict on numbers, digit codes, or numbers with a few other words; None for other columns."""
    others: tuple[Role, ...]
    if counting:
        return Verdict("id", counting, ("numeric",))
    if f.whole and OWNERS & f.parts and max(5, f.n / 20) < f.distinct < f.present:
        reason = f"named {shortened(f.name)}, {f.distinct} different values that several rows share"
        return Verdict("group", reason, ("numeric", "ignore"))
    if (ID_WORDS | OWNERS) & f.parts and all(_ROUNDED.fullmatch(word) for word in f.values):
        example = next(word for word in f.words if word in f.values)
        reason = f"a spreadsheet rounded these ids, such as {example}, so that different ones may be equal"
        return Verdict("ignore", reason, ("id", "numeric"))
    if f.numbers is not None and _too_long(f.values):
        each = f.distinct >= 0.95 * f.present
        others = ("numeric",) if each else ("id", "numeric")
        return Verdict("id" if each else "categorical", "whole numbers with more digits than a float holds", others)
    if f.distinct == 1 and f.n > 1 and not f.missing:
        return Verdict("ignore", "one value only")
    if f.writing is not None and leading_zeros(f.values):
        each = f.distinct == f.n and f.n >= _ALL_DIFFERENT
        others = ("categorical",) if each else ()
        return Verdict("id" if each else "categorical", "digits with leading zeros: a code", others)
    if f.numbers is not None:
        assert f.writing is not None
        cells = "every cell" if not f.missing else "every present cell"
        if f.whole and f.n >= _ALL_DIFFERENT and not f.missing and _rises(f):
            return Verdict("numeric", f"{cells} is a number{f.writing.words}, sorted in the file", ("id",))
        if f.whole and f.n >= 20 and f.distinct > 0.9 * f.n and np.ptp(f.numbers) > 100 * f.n and f.plain == "x1":
            return Verdict("numeric", "whole numbers without a name, nearly all different", ("id",))
        return Verdict("numeric", f"{cells} is a number{f.writing.words}")
    numbers = sum(number_of(word) is not None for word in f.words)
    strange = list(dict.fromkeys(word for word in f.words if word in f.values and number_of(word) is None))
    code = strange[0] if len(strange) == 1 else ""
    if numbers > 1 and all(_STATA.fullmatch(word) for word in strange):
        return Verdict("numeric", f"all cells are numbers but {', '.join(strange[:4])}", code="|".join(strange))
    if f.distinct > 10 and (numbers >= 0.9 * f.present or (code and numbers >= f.present / 2)):
        # A typing error, or a code for a missing number: below a limit of detection, not asked, …
        return Verdict("numeric", f"most cells are numbers, {shortened(strange[0])} is not", code=code)
    return None


def _as_strings(f: Facts, counting: str) -> Verdict:
    """Return the verdict on all other columns: dates, sequences, texts, names or categories."""
    each = "every value is different" if f.distinct == f.n else "nearly every value is different"
    mostly_different = f.distinct >= 0.95 * f.present
    if all(DATE.fullmatch(word[:60]) for word in f.values):
        if f.distinct > max(12, f.n / 10) or mostly_different:
            return Verdict("id", f"dates or times, {f.distinct} different ones", ("categorical",))
        return Verdict("categorical", f"dates or times, {f.distinct} different ones", ("id",))
    strings, sure = kind_of_strings(f.name, f.values, f.n)
    if strings:
        return Verdict("sequence", strings, () if sure else ("id", "categorical"), question=not sure)
    texts = sum(" " in word for word in f.words) > f.present / 2 and f.distinct > f.n / 2
    if texts and not (f.numbers_rows_by_name and mostly_different):
        return Verdict("text", "most cells hold several words")
    few = f.numbers_rows_by_name or f.plain in GROUP_NAMES or len({word.rstrip("0123456789") for word in f.values}) == 1
    if mostly_different and f.n >= (3 if few else _ALL_DIFFERENT):
        return Verdict("id", each, ("text",) if texts else ("categorical",))
    return Verdict("categorical", f"{f.distinct} distinct words")


#: A whole number of 12 digits and more as a spreadsheet shows it.
_ROUNDED = re.compile(r"\d(\.\d{1,10})?[eE]\+?(1[1-9]|[2-9]\d)")
_Rule = Callable[[Facts, str], Verdict | None]
_RULES: tuple[_Rule, ...] = (_by_name, _as_numbers, _as_strings)
#: With fewer rows the values of a category may all be different by chance.
_ALL_DIFFERENT = 10


def _too_long(values: set[str]) -> bool:
    """Return whether whole numbers have more digits than a float, so that two of them may become equal."""
    return all(w.lstrip("+-").isdigit() for w in values) and any(len(w.lstrip("+-")) > 15 for w in values)


#: The codes of Stata and SAS for missing numbers, and those of questionnaires: −7, −8, −9, −99, −998, 999, …
_STATA = re.compile(r"\.[A-Za-z_]")
_ANSWER = re.compile(r"-[1-9]|-?(9{1,4}[6-9]|6{2,4}|7{2,4}|8{2,4})")


def _code(f: Facts) -> str:
    """Return numbers that may stand for missing ones: far from all others, or the only negative ones; else ""."""
    x = f.numbers
    if x is None or len(x) < 10:
        return ""
    negative = x[x < 0]
    whole = bool((x[x >= 0] == np.round(x[x >= 0])).all())
    codes = {float(value) for value in np.unique(negative) if _ANSWER.fullmatch(f"{value:g}")}
    answers = len(codes) == len(np.unique(negative)) and 0 < 2 * len(negative) <= len(x) and len(np.unique(x)) > 3
    if not (answers and min(codes) <= (-7 if whole else -66)):
        codes = set()
        for value in (x.min(), x.max()):
            rest = x[x != value]
            times = len(x) - len(rest)
            far = len(rest) > 2 and abs(value - np.median(rest)) > 5 * max(float(np.ptp(rest)), 1e-300)
            if times > 1 and far and re.fullmatch("9{2,}|-9+", f"{value:g}"):
                codes = {float(value)}
    known = dict.fromkeys(w for w in f.words if w in f.values and f.writing and f.writing.number(w) in codes)
    return "|".join(known)
