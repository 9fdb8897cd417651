"""How a person wants a file to be read, the guesses of a reader, and the other readings that it offers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from ..values.domains import Domain
from ..values.labels import Task

Role = Literal[
    "numeric", "decimal comma", "decimal point", "code missing", "ordinal", "categorical", "text", "sequence", "label",
    "group", "id", "ignore",
]  # fmt: skip
#: Roles of columns that are read as numbers.
NUMERIC: tuple[Role, ...] = ("numeric", "decimal comma", "decimal point", "code missing", "ordinal")
#: How missing cells are handled; the kernel learns the mean and the most frequent value from training rows. A row
#: without a label is dropped, except where "class" makes a class of such rows; "drop all" drops all rows with gaps.
Missing = Literal["refuse", "drop", "drop all", "mean", "most_frequent", "category", "class"]
#: How a matrix of scores with different halves is made symmetric; "" refuses such a matrix.
Symmetrise = Literal["", "mean", "max"]
#: The fields that change the columns of a table: earlier choices for columns then no longer apply.
_COLUMNS = {
    "domain",
    "header",
    "part",
    "encoding",
    "quotes",
    "skip",
    "below",
    "delimiter",
    "decimal",
    "absent",
    "name_label",
    "turned",
    "capitals",
}
#: The fields that a run keeps.
_KEPT = (_COLUMNS - {"domain"}) | {"square"}
_ROLE, _WITHOUT = "role:", "without:"


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How a file is to be read, as far as a person decides it; readers guess the fields that are left empty.

    Parameters
    ----------
    domain : the kind of the rows.
    roles : (column, role) pairs, or a mapping; they replace the guessed roles.
    header : whether the first line of a table holds names of columns.
    part : the sheet of a workbook, or the array of an NPZ or MATLAB file.
    encoding : of text that is not UTF-8, a name of `kernlib.data.encodings.ENCODINGS`.
    quotes : False reads quotation marks in a table as ordinary letters.
    skip : the number of lines above a table that are left out, such as a title.
    below : the number of lines below a table that are left out, such as a sum.
    delimiter : the mark between the cells of a table.
    decimal : the mark of the decimals, "." or ",".
    absent : words that mean a missing cell, such as "-8|-9"; "none" for none beside the usual ones.
    turned : whether the columns of a table are the rows to compare.
    capitals : "alike" reads words that differ only in capital letters as one, "apart" as different ones.
    square : whether a square matrix holds distances or scores.
    name_label : the pattern that finds a label in the names of a matrix' rows, see `kernlib.data.names`.
    task : whether labels are classes or real targets.
    missing, symmetrise : how missing cells, and a matrix of scores that is not symmetric, are handled.
    without : names of classes to leave out.

    >>> reading = Reading(header=False, roles={"x1": "id"})
    >>> reading.parameters
    (('role:x1', 'id'), ('header', False))
    >>> Reading.of_parameters(dict(reading.parameters)) == reading
    True
    """

    domain: Domain | None = None
    roles: tuple[tuple[str, Role], ...] | Mapping[str, Role] = ()
    header: bool | None = None
    part: str = ""
    encoding: str = ""
    quotes: bool | None = None
    skip: int | None = None
    below: int | None = None
    delimiter: str = ""
    decimal: Literal["", ".", ","] = ""
    absent: str = ""
    turned: bool | None = None
    capitals: Literal["", "alike", "apart"] = ""
    square: Literal["", "distances", "scores"] = ""
    name_label: str = ""
    task: Task | None = None
    missing: Missing = "refuse"
    symmetrise: Symmetrise = ""
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "roles", tuple(dict(self.roles or ()).items()))

    @property
    def asked(self) -> dict[str, Any]:
        """Return the fields that are not left to the reader.

        >>> Choice("Ignore it", roles={"row": "ignore"}).asked
        {'roles': {'row': 'ignore'}}
        """
        given = {name: value for name, default in _DEFAULTS.items() if (value := getattr(self, name)) != default}
        return given | ({"roles": dict(self.roles)} if self.roles else {})

    def changed(self, **asked: Any) -> Reading:
        """Return the reading with other fields; roles are added, and dropped where the table gets other columns.

        >>> Reading(roles={"x1": "id"}).changed(roles={"x2": "label"}).asked
        {'roles': {'x1': 'id', 'x2': 'label'}}
        >>> Reading(roles={"x1": "id"}).changed(header=True).asked
        {'header': True}
        """
        # A menu gives None or "" for a field that is left to the reader again.
        asked = {name: _DEFAULTS[name] if value in (None, "") else value for name, value in asked.items()}
        before = self
        if _COLUMNS & asked.keys():
            before = replace(before, roles=(), missing="refuse", symmetrise="")
        if asked.keys() & {*_COLUMNS, "task", "roles"}:  # other labels have other classes
            before = replace(before, without=())
        return replace(before, **asked | {"roles": dict(before.roles) | dict(asked.get("roles", ()))})

    @property
    def parameters(self) -> tuple[tuple[str, Any], ...]:
        """Return the reading as parameters of a run, without what `reread_upload` finds by itself."""
        given = [(f"{_ROLE}{column}", role) for column, role in dict(self.roles).items()]
        names = [(f"{_WITHOUT}{name}", True) for name in self.without]
        rest = [(name, value) for name, value in self.asked.items() if name in _KEPT]
        return (*given, *rest, *names)

    @staticmethod
    def of_parameters(parameters: Mapping[str, Any]) -> Reading:
        """Return the reading that the parameters of a run describe."""
        return Reading(
            roles={k.removeprefix(_ROLE): v for k, v in parameters.items() if k.startswith(_ROLE)},
            without=tuple(k.removeprefix(_WITHOUT) for k in parameters if k.startswith(_WITHOUT)),
            **{name: parameters[name] for name in _KEPT if name in parameters},
        )


_DEFAULTS = {f.name: f.default for f in fields(Reading)}
_T = TypeVar("_T")


class Row(NamedTuple, Generic[_T]):
    """One line of a table of readings: evidence, what it is read as and why, the other readings, and if it is asked."""

    evidence: object
    reading: _T
    why: str = ""
    others: tuple[_T, ...] = ()
    asked: bool = False


def read_by(table: Iterable[Row[_T]]) -> Row[_T]:
    """Return the first row of a table of readings whose evidence holds; the last row always holds.

    >>> read_by([Row(0, "words"), Row("1.5", "numbers", "every cell is a number")]).reading
    'numbers'
    """
    return next(row for row in table if row.evidence)


@dataclass(frozen=True)
class Choice(Reading):
    """Another reading of a file, offered as a button; `words` are an order such as "Read it as a table".

    >>> Choice("Read it as a table", domain="vector").asked
    {'domain': 'vector'}
    """

    words: str


@dataclass(frozen=True)
class Guess:
    """One guess of a reader, in a sentence, with the other readings.

    Parameters: `sentence`, what the reader assumed and why; `choices`, the other readings; `question`, whether a wrong
    guess would cost rows, columns or labels, so that a person has to confirm it before the data are used.

    >>> Guess("Each line is an edge.", (Choice("Read it as a table", domain="vector"),), question=True).question
    True
    """

    sentence: str
    choices: tuple[Choice, ...] = ()
    question: bool = False
