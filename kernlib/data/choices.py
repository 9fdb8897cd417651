"""How a file is read, as far as a person decides it: one declaration for menus, commands, run files and summaries."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from ..errors import DataError
from .cells import CELL_KINDS
from .files import listed, shortened

#: What a column is used for. A person chooses among those that a reading has.
Role = Literal["predict", "compared", "group", "id", "left out", "from", "to", "time"]
#: How missing cells are handled; the kernel learns the mean and the most frequent value from training rows. A row
#: without a label is always dropped. "zero" and "largest" are for entries that a matrix lacks.
Missing = Literal["refuse", "drop", "mean", "most_frequent", "zero", "largest"]
Symmetrise = Literal["", "mean", "max"]
READINGS = ("table", "matrix", "pairs", "edges", "series", "sequences", "texts", "molecules", "graphs", "turned")
#: Roles of earlier versions, in run files and links: role and kind of cells.
_EARLIER: dict[str, tuple[Role, str]] = {
    **dict.fromkeys(("numeric", "decimal comma", "decimal point", "code missing"), ("compared", "number")),
    "ordinal": ("compared", "ordered"),
    "categorical": ("compared", "word"),
    "text": ("compared", "text"),
    "sequence": ("compared", "sequence"),
    "label": ("predict", ""),
    "ignore": ("left out", ""),
}
#: Choices of earlier versions that no longer exist.
_NO_LONGER = {
    "capitals": "words that differ only in capitals as one class",
    "name_label": "labels from a pattern in the names of rows",
}


@dataclass(frozen=True)
class Choice:
    """One thing that a person may decide about a file.

    Parameters: `name`, the keyword and the command's option; `label` on screen; `help`; `options`, empty for free
    text; `of`, what it changes: how the "file" is parsed, its "columns", or the "rows"; `kind` of the value.
    """

    name: str
    label: str
    help: str
    options: tuple[str, ...] = ()
    of: Literal["file", "columns", "rows"] = "rows"
    kind: Literal["word", "number", "yes or no", "columns", "words"] = "word"


#: All choices, in the order of the panel.
CHOICES: tuple[Choice, ...] = (
    Choice("kind", "Read as", "What the file holds", READINGS),
    Choice("part", "Part", "The sheet of a workbook, the array of an NPZ or MATLAB file", (), "file"),
    Choice(
        "header",
        "Lines of names",
        "How many lines name the columns: 0 for none, 1 also for a comment above the rows",
        (),
        "file",
        "number",
    ),
    Choice("skip", "Lines above", "Lines above the table that are left out, such as a title", (), "file", "number"),
    Choice("below", "Lines below", "Lines below the table that are left out, such as a sum", (), "file", "number"),
    Choice("delimiter", "Between cells", "The mark between cells", (), "file"),
    Choice("decimal", "Decimal mark", "1.5 or 1,5", (".", ","), "file"),
    Choice("quotes", "Quotation marks", "Whether quotation marks enclose cells", (), "file", "yes or no"),
    Choice("encoding", "Encoding", "Of text that is not UTF-8", (), "file"),
    Choice("absent", "Missing", "Words for missing cells in all columns, such as '-8|-9'", (), "columns"),
    Choice("roles", "Role", "What a column is used for", get_args(Role), "columns", "columns"),
    Choice("kinds", "Cells", "What the cells of a column are", CELL_KINDS, "columns", "columns"),
    Choice("codes", "Missing", "Words for missing cells in one column, such as '-999'", (), "columns", "columns"),
    Choice("label", "Label", "The column to predict, 'none' for nothing to predict", (), "columns"),
    Choice("matrix", "Entries", "What a square matrix holds", ("scores", "distances")),
    Choice("missing", "Missing cells", "How missing cells are handled", get_args(Missing)),
    Choice("symmetrise", "Two halves", "What an asymmetric matrix becomes", ("mean", "max")),
    Choice("task", "Label holds", "Classes or real numbers", ("classification", "regression")),
    Choice("without", "Left-out classes", "Classes that are left out", (), "rows", "words"),
)
_TYPES: dict[str, Any] = {
    "word": str,
    "number": int,
    "yes or no": bool,
    "words": lambda words: tuple(map(str, words)),
    "columns": dict,
}
BY_NAME = {choice.name: choice for choice in CHOICES}
#: Those that change how the file is parsed.
OF_FILE = tuple(choice.name for choice in CHOICES if choice.of == "file")


def checked(choices: Mapping[str, Any], who: str = "The reading") -> dict[str, Any]:
    """Return choices with known names and values, without those that are left to the reader.

    Roles of earlier versions are read as today's: "numeric" as "compared" with cells that are numbers.

    Raises DataError for an unknown choice or value.

    >>> checked({"roles": {"x": "numeric"}, "header": False, "part": ""})
    {'header': 0, 'roles': {'x': 'compared'}, 'kinds': {'x': 'number'}}
    """
    given = {name: value for name, value in choices.items() if value is not None or name == "label"}
    if unknown := next((name for name in given if name not in BY_NAME), None):
        raise DataError(f"{who}: there is no choice {shortened(unknown)}; expected one of {listed(BY_NAME)}.")
    result: dict[str, Any] = {}
    kinds = dict(given.get("kinds", {}))
    for name, choice in BY_NAME.items():
        value = given.get(name, "")
        if name == "label" and name in given:
            value = "none" if value is None else value
        if choice.kind == "columns" and value:
            value = _of_columns(choice, value, kinds, who)
        elif value != "":
            value = _TYPES[choice.kind](value)
        if choice.kind == "number" and value != "" and not 0 <= value <= 10_000:
            raise DataError(f"{who}: {name} must be a number of lines, 0 to 10000; got {value}.")
        if choice.kind == "word" and value and choice.options and value not in choice.options:
            raise DataError(f"{who}: {name} must be one of {listed(choice.options)}; got {shortened(value)}.")
        if value not in ("", (), {}):
            result[name] = value
    if kinds:
        result["kinds"] = kinds
    return result


def _of_columns(choice: Choice, given: Mapping[str, Any], kinds: dict[str, str], who: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for column, value in dict(given).items():
        if choice.name == "codes":
            words = value.split("|") if isinstance(value, str) else value
            values[column] = tuple(str(word).strip() for word in words if str(word).strip() not in ("", "none"))
            continue
        if choice.name == "roles" and value in _EARLIER:
            value, kind = _EARLIER[value]
            if kind:
                kinds.setdefault(column, kind)
        if value not in choice.options:
            raise DataError(
                f"{who}: column {shortened(column)} has the {choice.label.lower()} {shortened(value)}; expected one "
                f"of {listed(choice.options)}."
            )
        values[column] = value
    return values


#: Of more columns than these, the most frequent role is written once, as that of "*".
_MANY = 100
#: Choices by column: how one column stands in a run file, and as an option of a command.
_ONE = {"roles": "role", "kinds": "cells", "codes": "codes"}


def parameters_of(choices: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Return choices as the parameters of a run: plain values under plain names.

    >>> parameters_of({"kind": "table", "roles": {"x1": "id"}})
    (('kind', 'table'), ('role:x1', 'id'))
    """
    given: list[tuple[str, Any]] = []
    for name, value in checked(choices).items():
        if name == "roles" and len(value) > _MANY:  # the most frequent role once, for all others
            most = Counter(value.values()).most_common(1)[0][0]
            value = {"*": most} | {column: role for column, role in value.items() if role != most}
        if name in _ONE:
            given += [(f"{_ONE[name]}:{k}", "|".join(v) or "none" if name == "codes" else v) for k, v in value.items()]
        elif name == "without":
            given += [(f"without:{one}", True) for one in value]
        else:
            given.append((name, value))
    return tuple(given)


def of_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the choices that the parameters of a run describe, those of earlier versions as today's.

    Raises DataError for a choice of an earlier version that no longer exists.

    >>> of_parameters({"role:x1": "ignore", "square": "distances", "n": 30})
    {'roles': {'x1': 'left out'}, 'matrix': 'distances'}
    """
    choices: dict[str, Any] = {}
    for key, value in parameters.items():
        prefix, mark, column = key.partition(":")
        name = next((name for name, one in _ONE.items() if mark and one == prefix), None)
        if name is not None:
            choices.setdefault(name, {})[column] = value
        elif prefix == "without" and mark:
            choices["without"] = (*choices.get("without", ()), column)
        elif key == "square":
            choices["matrix"] = value
        elif key == "turned":
            choices |= {"kind": "turned"} if value else {}
        elif key in _NO_LONGER:
            raise DataError(f"The run was read with {_NO_LONGER[key]}, which is no longer offered. Start a new run.")
        elif key in BY_NAME:
            choices[key] = value
    return checked(choices, "The run")


def arguments_of(choices: Mapping[str, Any]) -> list[str]:
    """Return choices as arguments of a command, such as ``--role kind=predict``.

    >>> arguments_of({"roles": {"kind": "predict"}, "header": 0, "missing": "drop"})
    ['--header', '0', '--role', 'kind=predict', '--missing', 'drop']
    """
    words: list[str] = []
    for key, value in parameters_of(choices):
        name, mark, column = key.partition(":")
        option = f"--{name.replace('_', '-')}"
        if mark:
            words += [option, column if name == "without" else f"{column}={value}"]
        elif isinstance(value, bool):
            words.append(option if value else f"--no-{option[2:]}")
        elif str(value).startswith("-"):
            words.append(f"{option}={value}")
        else:
            words += [option, str(value)]
    return words


def add_arguments(group: Any) -> None:
    """Add an option for every choice to a group of a command's options."""
    import argparse

    for choice in CHOICES:
        if choice.kind == "columns":
            group.add_argument(
                f"--{_ONE[choice.name]}",
                dest=choice.name,
                action="append",
                default=[],
                metavar="COLUMN=WORD",
                help=f"{choice.help}: {', '.join(choice.options)}" if choice.options else choice.help,
            )
            continue
        more: dict[str, Any] = {"choices": choice.options} if choice.options else {"metavar": choice.kind.upper()[:6]}
        if choice.kind == "yes or no":
            more = {"action": argparse.BooleanOptionalAction}
        elif choice.kind == "words":
            more |= {"action": "append", "default": []}
        elif choice.kind == "number":
            more |= {"type": int}
        group.add_argument(f"--{choice.name.replace('_', '-')}", dest=choice.name, help=choice.help, **more)


def of_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the choices that the options of a command give; DataError for a column without a word."""
    choices: dict[str, Any] = {}
    for choice in CHOICES:
        value = options.get(choice.name)
        if choice.kind == "columns" and value:
            choices[choice.name] = _pairs(value, f"--{_ONE[choice.name]}")
        elif value is not None and value != []:
            choices[choice.name] = value
    return checked(choices, "The command")


def _pairs(given: Sequence[str], option: str) -> dict[str, str]:
    values = {}
    for words in given:
        column, mark, value = words.rpartition("=")
        if not mark:
            raise DataError(f"{option} {words}: expected COLUMN=WORD, such as {shlex.quote('kind=predict')}.")
        values[column] = value
    return values


def summary(choices: Mapping[str, Any]) -> str:
    """Return choices as one line for people: what each column is, how gaps are handled.

    >>> summary({"roles": {"id": "id", "y": "predict", "x": "compared"}, "missing": "drop"})
    "predict 'y'; compared 'x'; id 'id'; missing cells: drop"
    """
    given = checked(choices)
    parts = []
    for role in get_args(Role):
        names = [name for name, one in given.get("roles", {}).items() if one == role]
        if names:
            parts.append(f"{role} {', '.join(map(shortened, names[:8]))}{', …' if len(names) > 8 else ''}")
    for name, value in given.items():
        if name not in ("roles", "kinds", "codes", "kind"):
            parts.append(f"{BY_NAME[name].label.lower()}: {value if isinstance(value, (str, int)) else listed(value)}")
    return "; ".join(parts)
