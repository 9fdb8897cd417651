"""The panel that shows how an uploaded file is read, before anything changes: one look, one click.

An upload stays in its session: nothing is cached across sessions, and nothing is written to disk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from kernlib import KernlibError
from kernlib.data import WAYS, Dataset, Reading
from kernlib.data.files import is_binary
from kernlib.data.readings import BY_NAME
from kernlib.data.table import Table
from pages.parts.frame import layout, pictures
from pages.parts.inputs.controls import Take, binding, in_row, plain
from pages.parts.results import compute
from pages.parts.server.runs import deferred
from pages.parts.session import uploaded
from pages.parts.session.state import current
from pages.parts.session.uploaded import UploadedFile

#: Rows and columns of the preview; columns in a menu, in one that shows each of them, and of those left out.
_ROWS, _COLUMNS, _MENU, _COMPARED, _NAMED = 6, 60, 300, 20, 5
_NOTHING = "none"
_ROLES = {"id": "left out (id)", "from": "one end", "to": "other end", "time": "time"}
_STYLES = {"predict": "background-color: #2a9d8f33", "group": "background-color: #e9c46a33"}
_STYLES |= dict.fromkeys(("id", "left out"), "color: #8a8a8a")
_SURE = {
    "declared": ":material/verified: Declared by the file.",
    "strong": ":material/check: Named so in the file.",
    "possible": ":material/help: Guessed from its structure.",
}
#: What the options of a choice are called, in the order of the menu.
_WORDS: dict[str, Mapping[str, str]] = {
    "missing": {
        "mean": "fill with the mean of the training rows",
        "most_frequent": "fill with the most frequent value of the training rows",
        "drop": "drop these rows",
    },
    "missing pairs": {
        "drop": "drop these rows",
        "zero": "use 0 for missing pairs",
        "largest": "use the largest value for missing pairs",
    },
    "delimiter": {
        "": "as found",
        ",": "comma",
        ";": "semicolon",
        "\t": "tab",
        "|": "bar",
        " ": "blanks",
        "none": "none: whole lines",
    },
    "decimal": {"": "as found", ".": "a point", ",": "a comma"},
    "task": {"classification": "classes", "regression": "real numbers"},
    "matrix": {"scores": "scores: large means similar", "distances": "distances: small means similar"},
    "symmetrise": {"mean": "use their mean", "max": "use the larger"},
}


_OPEN = partial(uploaded.update, open=True)
_RESET = partial(uploaded.update, choices={}, column="")


def label_menu() -> bool:
    """Draw the menus of the label of the rows in view; return False where they come from no file with columns."""
    now = current()
    file = uploaded.file_of(now.data)
    if file is None or file.open or not file.reading.roles:
        return False
    _label(file.reading, "line.label")
    data = now.load(now.data)
    if data.task and "task" in file.reading.way.fields:
        _menu("Label holds", "line.task", _WORDS["task"], data.task, _changes("task"))
    return True


def panel(line: Any = None) -> bool:
    """Draw the panel of the uploaded file; return whether it is in front, so that the pages show other data.

    The panel can be drawn on any page, once; where the pages show the rows already, it is one line, drawn in `line`,
    with the label and the columns that are compared.
    """
    file = uploaded.present()
    if file is None:
        return False
    try:
        with st.spinner("Reading the file"):
            reading = file.reading
    except KernlibError as error:
        _refused(file, str(error))
        return file.shown is None
    if not file.open:
        with line if line is not None else st.container(), _in_line(key="upload.line"):
            _label(reading)
            _compared(reading)
            _button("Change how it is read", "open", _OPEN, icon=":material/tune:")
        return False
    with st.container(border=True, key="upload.panel"):
        _draw(file, reading)
    return True


# Widgets: each shows a value of the state and changes it.


def _in_line(key: str | None = None) -> Any:
    return in_row(vertical_alignment="bottom", key=key)


def _button(label: str, name: str, click: Callable[[], None], **more: Any) -> None:
    st.button(label, key=f"upload.{name}", on_click=deferred(click), **more)


def _changes(name: str) -> Take:
    return lambda value: uploaded.change(**{name: value})


def _menu(
    label: str,
    name: str,
    options: Mapping[str, str] | Sequence[str],
    value: str | None,
    take: Take | None = None,
    width: int = 220,
    **more: Any,
) -> None:
    """Draw a menu; it changes the choice `name`, or calls `take`."""
    words = options if isinstance(options, Mapping) else {one: one[:60] for one in options}
    place = list(words).index(value) if value is not None and value in words else None
    bound = binding(f"upload.{name}", value, take or _changes(name))
    st.selectbox(label, list(words), place, format_func=lambda one: words[one], width=width, **more, **bound)


def _number(label: str, name: str, value: int | None, low: int, high: int, take: Take, help: str) -> None:
    """Draw a whole number; None is an empty box, which leaves the choice to the reader."""
    bound = binding(f"upload.{name}", value, lambda chosen: take(None if chosen is None else int(chosen)))
    st.number_input(label, low, high, value, help=help, placeholder="as found", width=150, **bound)


def _lines(values: Mapping[str, int | None], most: int) -> None:
    """Draw how many lines are left out or name the columns."""
    for name, value in values.items():
        _number(BY_NAME[name].label, name, value, 0, max(most, value or 0), _changes(name), BY_NAME[name].help)


# The panel.


def _refused(file: UploadedFile, sentence: str) -> None:
    """Draw why the file cannot be read in this way, and what can be changed."""
    st.error(plain(sentence), icon=":material/error:")
    st.caption("All pages show the previous data.")
    raw = file.files[0][1]
    if raw and not is_binary(raw):
        with st.expander("Read it differently"), _in_line():
            _lines({name: file.choices.get(name) for name in ("skip", "header")}, 1000)
            _menu("Between cells", "delimiter", _WORDS["delimiter"], file.choices.get("delimiter", ""))
    if file.choices:
        _button("Reset my choices", "reset", _RESET)


def _draw(file: UploadedFile, reading: Reading) -> None:
    top, button = st.columns([4, 1], vertical_alignment="center")
    top.markdown(f"**{plain(file.name[:80])}** · {_size_words(reading)}")
    try:
        with st.spinner("Preparing the rows"):
            data, problem = file.data, ""
    except KernlibError as error:
        data, problem = None, str(error)
    with button:
        more: dict[str, Any] = {"type": "primary", "width": "stretch", "disabled": data is None}
        _button("Use these rows", "use", uploaded.use, help="Shows these rows on all pages", **more)
    kinds = {one.kind: WAYS[one.kind].words for one in file.readings}
    if len(kinds) > 1:
        bound = binding("upload.kind", reading.kind, _changes("kind"))
        st.segmented_control(
            "Read as", list(kinds), default=reading.kind, format_func=kinds.__getitem__, required=True, **bound
        )
    st.caption(f"{_SURE[reading.strength]} {plain(reading.why)}")
    if problem:
        st.warning(plain(problem), icon=":material/help:")
    with _in_line():
        _rows(file, reading, data)
    if reading.roles:
        _preview(reading, reading.table)
        _column(file, reading, reading.table)
    if data is not None:
        _outcome(file, data)  # which has the notes of the reading
    else:
        for sentence in reading.notes:
            st.caption(plain(sentence))
    _differently(file.choices, reading)
    with st.container(horizontal=True):
        if file.choices:
            _button("Reset my choices", "reset", _RESET, type="tertiary")
        if file.shown is not None:
            _button("Close", "close", partial(uploaded.update, open=False), type="tertiary")
        else:
            _button("Discard the file", "forget", uploaded.forget, type="tertiary")
    if data is not None:
        with layout.guarded():
            pictures.of_data(compute.in_view(data), preview=True)


def _size_words(reading: Reading) -> str:
    table, at = reading.part, reading.part.layout
    if table.data is not None:
        return plain(table.container)
    if not at.lines:
        return plain(f"{table.container}: {table.n:,} rows")
    names = f"{at.names} with names, " if at.names else ""
    return plain(f"{at.lines:,} {at.unit}s: {names}{table.n:,} rows · {table.container}")


def _label(reading: Reading, name: str = "label") -> None:
    """Draw the menu of the column to predict, nothing first where its name does not say so."""
    if not reading.roles or "predict" not in reading.way.roles:
        return
    names = dict.fromkeys((_NOTHING, *reading.candidates, *reading.table.names[:_MENU]))
    words = {name: name[:60] for name in names} | {_NOTHING: "nothing to predict"}
    help = "The column with the labels. The likeliest columns come first."
    _menu("Predict", name, words, reading.label or _NOTHING, uploaded.change_label, help=help)


def _compared(reading: Reading) -> None:
    """Draw the columns that the kernel compares, each with a click that leaves it out, and what is left out."""
    names = [name for name, role in reading.roles.items() if role in ("compared", "left out", "id")]
    if len(names) < 2 or "compared" not in reading.way.roles:
        return
    chosen = [name for name in names if reading.roles[name] == "compared"]
    if len(names) <= _COMPARED:
        bound = binding("upload.compared", chosen, uploaded.compare_columns)
        st.multiselect("Compared", names, chosen, format_func=lambda one: one[:60], width="stretch", **bound)
    else:
        st.caption(f"Compared: {len(chosen):,} of {len(names):,} columns.", width="content")
    away = [name for name in names if name not in chosen]
    if away:
        more = f" and {len(away) - _NAMED:,} more" if len(away) > _NAMED else ""
        st.caption(plain(f"Left out: {', '.join(name[:60] for name in away[:_NAMED])}{more}."), width="content")


def _rows(file: UploadedFile, reading: Reading, data: Dataset | None) -> None:
    """Draw the choices about rows that this reading needs."""
    fields, choices, square = reading.way.fields, reading.choices, "matrix" in reading.choices
    _label(reading)
    if reading.label is not None and "task" in fields and data is not None and data.task:
        _menu("Label holds", "task", _WORDS["task"], data.task)
    if square:
        _menu("Entries are", "matrix", _WORDS["matrix"], choices["matrix"], width=280)
    if reading.gaps and "missing" in fields:
        words = _WORDS["missing pairs" if square else "missing"]
        _menu(f"{reading.gaps:,} missing", "missing", words, choices.get("missing"), width=340)
    uneven = data is None and reading.square is not None and not reading.square.symmetric
    if square and (choices.get("symmetrise") or uneven):
        _menu("Two halves differ", "symmetrise", _WORDS["symmetrise"], choices.get("symmetrise"))
    if data is not None and data.n > data.row_kind.large:
        help = "A sample with the classes in proportion. A Gram matrix compares all pairs of rows."
        take = lambda rows: uploaded.update(rows=rows or 0)  # noqa: E731 (one box)
        _number(f"Rows, of {data.n:,}", "n", file.count, 2, file.most, take, help)


def _preview(reading: Reading, table: Table) -> None:
    """Draw the first rows and the last as they are read; a click on a head shows the menus of its column."""
    shown = {c.name: c for c in table.columns[:_COLUMNS]}
    roles = {name: reading.roles.get(name, "left out") for name in shown}
    rows = [*range(min(table.n - 1, _ROWS)), table.n - 1]  # the last line may be a sum or a note
    frame = pd.DataFrame({name: [_ROLES.get(roles[name], roles[name]), *c.shown(rows)] for name, c in shown.items()})
    helps = {name: f"{c.kind}, {c.distinct} different values, {c.missing} missing" for name, c in shown.items()}

    def clicked() -> None:  # Streamlit keeps it after the page: it holds names, and no cells
        columns = st.session_state["upload.preview"].selection.columns
        if columns:
            uploaded.update(column=columns[0])

    st.dataframe(
        frame.style.apply(lambda column: [_STYLES.get(roles[column.name], "")] * len(column)),
        hide_index=True,
        height="content",
        key="upload.preview",
        on_select=deferred(clicked),
        selection_mode="single-column",
        alt="The first rows and the last as they are read, under what each column is used for",
        column_config={name: st.column_config.TextColumn(help=plain(words)) for name, words in helps.items()},
    )
    parts = [f"The first {_ROWS} rows and the last."] if table.n > _ROWS + 1 else []
    if len(table.columns) > _COLUMNS:
        parts.append(f"The first {_COLUMNS} of {len(table.columns):,} columns.")
    if parts:
        st.caption(" ".join(parts))


def _column(file: UploadedFile, reading: Reading, table: Table) -> None:
    """Draw the menus of one column: what it is used for, what its cells are, which words mean a missing cell."""
    names = table.names[:_MENU]
    compared = (name for name in names if reading.roles.get(name) == "compared")
    name = file.column if file.column in names else next(compared, names[0])
    cells, role = table.column(name), reading.roles.get(name, "left out")
    roles = {one: _ROLES.get(one, one) for one in reading.way.roles}
    codes = "|".join(cells.how.codes)

    def use_as(one: str) -> None:
        if one == "predict":
            uploaded.change_label(name)
        else:
            uploaded.change(roles={name: one})

    with _in_line():
        click = "Or click the head of a column above."
        _menu("Column", "column", names, name, lambda one: uploaded.update(column=one), 200, help=click)
        _menu("is", f"role.{name}", roles, role, use_as, 150)
        if len(cells.kinds) > 1:
            take = lambda kind: uploaded.change(kinds={name: kind})  # noqa: E731 (one menu)
            _menu("Its cells are", f"cells.{name}", cells.kinds, cells.kind, take, 160)
        bound = binding(
            f"upload.codes.{name}",
            codes,
            lambda words: uploaded.change(codes={name: tuple(filter(None, words.split("|")))}),
        )
        help = "Words for missing cells beside empty ones and NA, with bars between them"
        st.text_input("Read as missing", codes, placeholder="-999|unknown", width=160, help=help, **bound)
    if cells.strange:
        st.caption(plain(f"{name[:60]} is mixed: numbers, and {', '.join(cells.strange[:5])}."))


def _outcome(file: UploadedFile, data: Dataset) -> None:
    """Draw the size and the classes of the rows as they would be, and what is wrong with them."""
    words = f"{data.n:,} rows" + (f", {data.d:,} columns" if data.d else "") + f": {data.row_kind.called}"
    counts = data.class_counts
    if counts:
        shown = ", ".join(f"{name[:40]} {count:,}" for name, count in list(counts.items())[:8])
        words += f" · {len(counts)} class{'es' * (len(counts) > 1)}: {shown}{', …' if len(counts) > 8 else ''}"
    else:
        words += " · the label is a real number" if data.task == "regression" else " · nothing to predict"
    if data.groups is not None:
        words += f" · {len({*data.groups})} groups"
    st.markdown(plain(words))
    if data.note:
        st.caption(plain(data.note))
    for warning in data.warnings:
        st.warning(plain(warning))
    single = tuple(name for name, count in counts.items() if count < 2)
    if single and len(counts) - len(single) > 1:
        which = single[0][:40] if len(single) < 2 else f"{len(single)} classes with one row"
        help = "A class with one row cannot be in both training and test rows."
        without = (*file.choices.get("without", ()), *single)
        _button(plain(f"Leave out {which}"), "without", partial(uploaded.change, without=without), help=help)


def _differently(choices: Mapping[str, Any], reading: Reading) -> None:
    """Draw what parses the file in another way; each choice changes the rows above at once."""
    part, at = reading.part, reading.part.layout
    if not at.lines and not part.others:
        return
    with st.expander("Read it differently"), _in_line():
        if part.others:
            now = str(choices.get("part", ""))
            names = dict.fromkeys((now, *part.others)) if now else part.others
            _menu("Part", "part", {"": "the first one"} | {name: name[:40] for name in names}, now)
        if at.lines:
            found = {"skip": at.above, "header": at.names}
            _lines({name: int(choices.get(name, value)) for name, value in found.items()}, at.lines)
            if at.mark:
                _menu("Between cells", "delimiter", _WORDS["delimiter"], choices.get("delimiter", ""))
            _menu("Decimal mark", "decimal", _WORDS["decimal"], choices.get("decimal", ""))
