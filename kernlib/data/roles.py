"""Guess the role of one column of a table from its name and its cells: one table of evidence and readings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .guesses import Role, Row, read_by
from .numbers import PLAIN, Writing, gap_words, plain_numbers, writing_of
from .sequences import kind_of_strings
from .uploads import is_missing, number_of, packed, shortened

#: What names of columns (label, group, id, weight, column) and parts of such names (the others) say: several rows of an
#: owner, or of one origin; a number of the row; a measurement, which is a number to compare; rows of another table.
NAMES = {what: frozenset(names.split()) for what, names in {
    "label": """y label labels class classes target targets outcome response species category diagnosis survived churn
        sentiment phenotype class_label saleprice""",
    "group": "group groups subject patient fold batch group_id subject_id patient_id batch_id",
    "id": "id ids name index rowid row_id key uuid row",
    "weight": "weight weights wt wgt pweight sampling_weight survey_weight",
    "column": "text from to source target weight color colour",
    "owner": "id customer client member user account subject patient",
    "origin": """animal batch block cage center centre clinic donor family farm hospital house household litter mouse
        plate plot rat recording school session site speaker writer""",
    "number": """id customer client member user account ids nr no num number index idx key code uuid guid serial row
        record case ticket invoice order phone unnamed barcode ean isbn obs observation""",
    "measure": """age year years price cost income salary size length width height weight area score rank grade points
        count counts total amount rate ratio time duration days hours distance depth temperature temp pressure speed
        dose level value""",
    "sample": "sample case individual gsm srr",
    "feature": """gene genes probe probeset otu asv taxon taxa protein proteins feature ensembl transcript mirna
        metabolite compound snp marker cpg symbol geneid""",
}.items()}  # fmt: skip
NAMES |= {"column": NAMES["column"] | NAMES["label"] | NAMES["id"] | NAMES["group"],
          "origin": NAMES["origin"] | NAMES["owner"] - {"id"}}  # fmt: skip
#: Names that pandas gives to a data frame's index in files; how the name of a count begins: NumReads, number of rooms.
_INDEX = re.compile(r"unnamed: ?\d+(_level_\d+)?|__index_level_\d+__|level_\d+")
_COUNT = re.compile(r"(?i:num|nr|no|number)([ _]?of[ _]|[ _](?!id)[a-z]|[A-Z][a-z])")
_TIME = r"\d{1,2}:\d{2}[\d:.]*( ?[AaPp]\.?[Mm]\.?)?( ?(Z|[A-Z]{2,4})?([+-]\d{1,2}(:?\d{2})?)?)?"
_MONTH = r"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_DAY = r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}"
_DATE = re.compile(
    rf"(\d{{4}}[-/.]\d{{1,2}}([-/.]\d{{1,2}})?|\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}})([T ]{_TIME})?"
    rf"|\d{{1,2}}[ -]{_MONTH}[ -]\d{{2,4}}( {_TIME})?|{_TIME}|({_DAY}, )?\d{{1,2}} {_MONTH} \d{{4}}([T ]{_TIME})?"
    rf"|({_DAY},? )?{_MONTH}\.? +\d{{1,2}},?( \d{{4}})?([T ]{_TIME})?( \d{{4}})?"
)
#: A whole number of 12 digits and more as a spreadsheet shows it; 8.1 and 8.10 may be sections, 8.05 is a number.
_ROUNDED = re.compile(r"\d(\.\d{1,10})?[eE]\+?(1[1-9]|[2-9]\d)")
_SECTION = re.compile(r"\d{1,3}[.,](0|[1-9]\d{0,2})")
#: The codes of Stata and SAS for missing numbers, and those of questionnaires: −7, −8, −9, −99, −998, 999, …
_STATA = re.compile(r"\.[A-Za-z_]")
_ANSWER = re.compile(r"-[1-9]|-?(9{1,4}[6-9]|6{2,4}|7{2,4}|8{2,4})")
#: With fewer rows the values of a category may all be different by chance.
_ALL_DIFFERENT = 10
#: How the reason begins where the mark of the decimals is in doubt.
DOUBT = "the mark is in doubt"


@dataclass(frozen=True)
class Column:
    """A column with its role: name, role, the reason as text, and the numbers of missing and distinct cells.

    `writing` is how its numbers are written; `code`, words such as "-8|-9" that may stand for missing ones;
    `others`, the roles that it could have as well; `question`, whether a person has to choose between them;
    `scale`, the words of an ordinal column from low to high, for a column of new rows.
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
    scale: tuple[str, ...] = ()

    @property
    def codes(self) -> tuple[str, ...]:
        """Return the words that may stand for missing ones."""
        return tuple(filter(None, self.code.split("|")))


@dataclass(eq=False)
class Facts:
    """The evidence of one column: its cells, its numbers where all cells are numbers, what the other columns show.

    `mark`: which decimal mark other columns show, "" for none; `chosen`, whether a person chose the mark; `counting`,
    why its numbers identify the rows.
    """

    name: str
    words: npt.NDArray[Any]
    values: set[str]
    missing: int
    writing: Writing | None
    numbers: npt.NDArray[np.float64] | None = None
    mark: str = ""
    chosen: bool = False
    counting: str = ""

    def __post_init__(self) -> None:
        x = self.numbers
        self.n, self.distinct, self.present = len(self.words), len(self.values), len(self.words) - self.missing
        self.plain, self.who = self.name.strip().lower(), shortened(self.name)
        self.stem = self.plain.rstrip("0123456789 _-.")
        parts = set(re.split(r"[^a-z#]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", self.name).lower()))
        #: What the words of the name say, the keys of `NAMES`.
        self.says = {what for what, names in NAMES.items() if names & parts}
        self.called = {what for what in ("label", "group", "id", "weight") if self.plain in NAMES[what]}
        self.numbered = ("number" in self.says and not _COUNT.match(self.name)) or self.name.strip() == "#"
        self.whole = x is not None and x.size > 0 and bool(((x == np.round(x)) & (np.abs(x) < 2**53)).all())
        self.fraction = x is not None and x.size > 0 and not self.whole

    @property
    def counts_rows(self) -> str:
        """Return why whole numbers identify the rows, or "": they count them, or the name says so.

        Numbers that rise, or that do not repeat, are no reason: prices and ages do so as well.
        """
        x, n = self.numbers, self.n
        if x is None or n < 3 or not self.whole or "label" in self.called or "measure" in self.says:
            return ""
        rows = np.flatnonzero([word in self.values for word in self.words]) if self.missing else np.arange(n)
        begin, end = {*(x - rows).tolist()}, {*(x + rows).tolist()}
        in_order = len(x) >= max(5, n / 2) and (begin in ({0.0}, {1.0}) or end in ({n - 1.0}, {float(n)}))
        shuffled = n >= 20 and self.distinct == n and (x.min(), x.max()) in ((0, n - 1), (1, n))
        each = len(x) >= 5 and self.numbered and self.distinct >= 0.95 * self.present
        return read_by([
            Row(in_order, "it counts the rows"),
            Row(each, f"named {self.who}, a different whole number in nearly every row"),
            Row(shuffled, "it counts the rows, in another order"),
            Row(True, ""),
        ]).reading  # fmt: skip


def facts_of(name: str, cells: npt.NDArray[np.object_], comma: bool | None = None) -> Facts:
    """Return the facts of a column; `comma`: whether the file writes decimals with a comma, None if unknown."""
    given = [str(cell) for cell in cells.tolist()]
    words = [cell.strip() for cell in given]
    kept = cells if words == given and cells.dtype != object else packed(words)
    distinct = set(words)
    values = distinct - {word for word in distinct if is_missing(word)}
    values -= gap_words(values)
    missing = 0 if len(values) == len(distinct) else sum(word not in values for word in words)
    writing = writing_of(values, comma) if values else None
    if comma is False and writing is not None and writing.decimal == ",":
        writing = None  # a comma that cannot separate decimals
    numbers: Any = None
    code = all(word.isdigit() for word in values) and any(word[0] == "0" < word[1:] for word in values)  # 007 is not 7
    if writing is not None and not code:
        present = words if not missing else [word for word in words if word in values]
        numbers = plain_numbers(present) if writing == PLAIN else None
        if numbers is None:
            known = {word: writing.number(word) for word in values}
            numbers = [known[word] for word in present]
        numbers = np.array(numbers, dtype=np.float64)
    return Facts(name, kept, values, missing, writing, numbers)


def role_of(f: Facts) -> Column:
    """Return the column with the role that its facts suggest: the first reading of `_readings` with evidence.

    >>> column = role_of(facts_of("size", np.array(["1.5", "2", "NA"], dtype=object)))
    >>> column.role, column.reason, column.missing
    ('numeric', 'every present cell is a number', 1)
    """
    _, role, reason, others, asked = read_by(_readings(f))
    code = (_code(f) or "|".join(_strange(f))) if role == "numeric" else ""
    return Column(f.name, role, reason, f.missing, f.distinct, f.writing or PLAIN, code, others, asked)


def _readings(f: Facts) -> Iterator[Row[Role]]:
    """Yield the readings of a column, the surest evidence first; the last one is always possible."""
    n, distinct, present, x, named = f.n, f.distinct, f.present, f.numbers, f"named {f.who}"
    mostly, exact, different = distinct >= 0.95 * present, f.whole or x is None, distinct == present > n / 2
    each = "every value is different" if distinct == n else "nearly every value is different"
    yield Row(not f.values, "ignore", "every cell is missing")
    yield Row(_INDEX.fullmatch(f.plain), "id", "named as pandas names the index of a data frame")
    yield Row("id" in f.called and different and exact, "id", f"{named} and every value is different")
    reason = f"{named}, but every value is different: an id rather than a label"
    yield Row("label" in f.called and distinct == n > 2 and x is None, "id", reason, ("categorical",))
    yield Row("label" in f.called, "label", f"{named}, {distinct} distinct values")
    groups = "group" in f.called and 1 < distinct < present and exact
    reason = f"{named}, {distinct} groups of rows that belong together"
    yield Row(groups, "group", reason, ("categorical", "ignore"))
    yield Row(f.counting, "id", f.counting, ("numeric",))
    shared = f.whole and "owner" in f.says and max(5, n / 20) < distinct < present
    reason = f"{named}, {distinct} different values that several rows share"
    yield Row(shared, "group", reason, ("numeric", "ignore"))
    first = next(word for word in f.words if word in f.values)
    rounded = {"number", "owner"} & f.says and all(map(_ROUNDED.fullmatch, f.values))
    reason = f"a spreadsheet rounded these ids, such as {first}, so that different ones may be equal"
    yield Row(rounded, "ignore", reason, ("id", "numeric"))
    digits = [word.lstrip("+-") for word in f.values]
    too_long = x is not None and all(map(str.isdigit, digits)) and max(map(len, digits)) > 15
    reason = "whole numbers with more digits than a float holds"
    yield Row(too_long and mostly, "id", reason, ("numeric",))
    yield Row(too_long, "categorical", reason, ("id", "numeric"))
    yield Row(distinct == 1 < n and not f.missing, "ignore", "one value only")
    code = f.writing is not None and x is None
    yield Row(code and distinct == n >= _ALL_DIFFERENT, "id", "digits with leading zeros: a code", ("categorical",))
    yield Row(code, "categorical", "digits with leading zeros: a code")
    if f.writing is not None and x is not None:
        yield from _numbers(f, f.writing, x)
    if strange := _strange(f, all_of_them=True):
        times = sum(word in strange for word in f.words)
        can, many = bool(_strange(f)), "once" if times == 1 else f"{times} times"
        reason = f"it holds numbers, and {shortened(', '.join(strange[:4]))} {many}"
        yield Row(True, "numeric", reason, ("code missing", "categorical") if can else ("categorical",), can)
    reason, dated = f"dates or times, {distinct} different ones", all(_DATE.fullmatch(w[:60]) for w in f.values)
    yield Row(dated and (distinct > max(12, n / 10) or mostly), "id", reason, ("categorical",))
    yield Row(dated, "categorical", reason, ("id",))
    strings, sure = kind_of_strings(f.name, f.values, n)
    yield Row(strings, "sequence", strings, () if sure else ("id", "categorical"), not sure)
    stems = {word.rstrip("0123456789") for word in f.values}
    item = len(stems) == 1 and min(stems).count(" ") < 2  # item 1, item 2, …
    yield Row(item and distinct == n >= 3, "id", each, ("categorical",))
    texts = sum(" " in word for word in f.words) > present / 2 and distinct > n / 2
    yield Row(texts and not (f.numbered and mostly), "text", "most cells hold several words")
    few = 3 if f.numbered or "group" in f.called or len(stems) == 1 else _ALL_DIFFERENT
    yield Row(mostly and n >= few, "id", each, ("text",) if texts else ("categorical",))
    yield Row(True, "categorical", f"{distinct} distinct words")


def _numbers(f: Facts, writing: Writing, x: npt.NDArray[np.float64]) -> Iterator[Row[Role]]:
    """Yield the readings of a column of numbers: how they are written decides what is asked."""
    plain = f"every {'present ' if f.missing else ''}cell is a number{writing.words}"
    comma = f.fraction and writing.decimal == "," and f.mark == "."
    # 8,1 and 8,10 are equal numbers, and different sections.
    spelt: dict[float | None, str] = {}
    words = sorted(f.values) if f.fraction and all(map(_SECTION.fullmatch, f.values)) else []
    pair = next((sorted((a, b)) for b in words if (a := spelt.setdefault(writing.number(b), b)) != b), [])
    if not f.chosen and (comma or pair):
        equal = "{} and {} {} equal numbers".format(*pair, "would be" if comma else "are") if pair else ""
        why = (equal or "it has decimal commas") + comma * ", other columns have decimal points"
        ways: tuple[Role, Role] = ("categorical", "decimal comma") if comma and pair else ("numeric", "categorical")
        yield Row(True, ways[0], f"{DOUBT}: {why}", ways[1:], asked=True)
    word = next(word for word in f.words if word in f.values)
    reason = f"{plain}: {shortened(word)} is {writing.number(word):g}"
    yield Row(writing.measured, "numeric", reason, ("categorical",), asked=True)
    if writing.unsure and not f.chosen:
        word = next(word for word in f.words if re.search(r"[.,]", word) and word in f.values)
        decimals = writing.decimal == "," and "," in word
        parts = f"the {'comma' if ',' in word else 'point'} separates {'the decimals' if decimals else 'thousands'}"
        reason = f"{plain}: {shortened(word)} is {writing.number(word):g}, {parts}"
        other: Role = "decimal point" if writing.decimal == "," else "decimal comma"
        yield Row(True, "numeric", reason, (other,), asked=not f.mark)
    weights = "weight" in f.called and f.fraction and bool((x > 0).all()) and 0.3 < float(x.mean()) < 2
    yield Row(weights, "numeric", f"{plain}, about 1 on average, as weights of rows", ("ignore",), asked=True)
    steps = np.diff(x) if f.whole and f.n >= _ALL_DIFFERENT and not f.missing else np.zeros(1)
    rises = bool((steps > 0).all() or (steps < 0).all())
    one = rises and bool((np.abs(steps) == 1).all()) and "measure" not in f.says and "label" not in f.called
    yield Row(rises, "numeric", f"{plain}, {'one more in each row' if one else 'sorted in the file'}", ("id",), one)
    spread = f.plain == "x1" and f.whole and f.n >= 20 and f.distinct > 0.9 * f.n and np.ptp(x) > 100 * f.n
    yield Row(spread, "numeric", "whole numbers without a name, nearly all different", ("id",))
    yield Row(True, "numeric", plain)


def _strange(f: Facts, all_of_them: bool = False) -> list[str]:
    """Return the words that may be codes for missing numbers in a column of words and numbers; [] for other columns.

    With `all_of_them` also several words among many numbers, which may be typing errors.
    """
    words = dict.fromkeys(f.words) if f.numbers is None else {}
    strange = [word for word in words if word in f.values and number_of(word) is None]
    numbers = f.present - sum(word in strange for word in f.words) if strange else 0
    several, code = all_of_them and numbers >= 0.9 * f.present, len(strange) == 1 and numbers >= f.present / 2
    coded = numbers > 1 and all(map(_STATA.fullmatch, strange))
    return strange if numbers and (coded or (f.distinct > 10 and (several or code))) else []


def _code(f: Facts) -> str:
    """Return numbers that may stand for missing ones: far from all others, or the only negative ones; else ""."""
    x = f.numbers
    if x is None or len(x) < 10:
        return ""
    negative, rest = x[x < 0], x[x >= 0]
    codes = {float(value) for value in np.unique(negative)}
    answers = all(_ANSWER.fullmatch(f"{code:g}") for code in codes) and len(np.unique(x)) > 3
    below = -7 if bool((rest == np.round(rest)).all()) else -66
    if not (0 < 2 * len(negative) <= len(x) and answers and min(codes) <= below):
        codes = set()
        for value in (x.min(), x.max()):
            rest = x[x != value]
            far = len(rest) > 2 and abs(value - np.median(rest)) > 5 * max(float(np.ptp(rest)), 1e-300)
            if len(x) - len(rest) > 1 and far and re.fullmatch("9{2,}|-9+", f"{value:g}"):
                codes = {float(value)}
    if not codes:
        return ""
    return "|".join(dict.fromkeys(w for w in f.words if w in f.values and f.writing and f.writing.number(w) in codes))
