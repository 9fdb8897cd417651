"""The panel that shows how an uploaded file is read, before anything changes: one look, one click.

An upload stays in its session: nothing is cached across sessions, and nothing is written to disk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from kernlib import KernlibError
from kernlib.data import LIMITS, WAYS, Dataset, Reading
from kernlib.data.choices import BY_NAME
from kernlib.data.encodings import ENCODINGS, possible_encodings
from kernlib.data.table import Table
from pages.parts.frame import layout, pictures
from pages.parts.inputs.controls import binding
from pages.parts.inputs.plain import plain
from pages.parts.results import compute
from pages.parts.server import large, run_queue
from pages.parts.server.holder import deferred
from pages.parts.session import uploaded
from pages.parts.session.uploaded import UploadedFile

#: Receives the data set, and the choices as parameters of a run that reads the file again.
OnLoaded = Callable[[Dataset, tuple[tuple[str, Any], ...]], None]

#: Rows and columns of the preview.
_ROWS, _COLUMNS, _MENU = 6, 60, 300
_NOTHING = "none"
_MISSING = {
    "refuse": "not handled yet", "drop": "drop these rows", "mean": "fill with the mean of the training rows",
    "most_frequent": "fill with the most frequent value of the training rows", "zero": "use 0 for missing pairs",
    "largest": "use the largest value for missing pairs",
}  # fmt: skip
_ROLES = {"id": "left out (id)", "from": "one end", "to": "other end", "time": "time"}
_SURE = {
    "declared": ":material/verified: Declared by the file.", "strong": ":material/check: Named so in the file.",
    "possible": ":material/help: Guessed from its structure.",
}  # fmt: skip
_MARKS = {
    "": "as found", ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blanks", "none": "none: whole lines",
}  # fmt: skip
_COLOURS = {"predict": "background-color: #2a9d8f33", "group": "background-color: #e9c46a33"}
_GREY = "color: #8a8a8a"


def panel(on_loaded: OnLoaded, line: Any = None) -> bool:
    """Draw the panel of the uploaded file; return whether it is in front, so that the pages show other data.

    `on_loaded` receives the data set when a person uses the rows, and the page runs again. The panel can be drawn on
    any page, once; where the pages show the rows already, it is one line with the label, drawn in `line`.
    """
    file = uploaded.present()
    if file is None:
        return False
    try:
        with st.spinner("Reading the file"), run_queue.reading(file.size):
            reading = file.reading
    except KernlibError as error:
        _refused(file, str(error))
        return file.shown is None
    if file.again and _use(file, reading, on_loaded):
        st.rerun()
    if not file.open:
        with line if line is not None else st.container():
            _line(reading)
        return False
    with st.container(border=True, key="upload.panel"):
        _draw(file, reading)
    return True


def _use(file: UploadedFile, reading: Reading, on_loaded: OnLoaded) -> bool:
    """Show the rows on all pages; return whether they can be."""
    try:
        with st.spinner("Preparing the rows"), run_queue.reading(file.size):
            data, by_hand = _sampled(file, file.data, reading)
    except KernlibError:
        return False
    # First the state, then that it is shown: a run that ends in between notes it the next time.
    on_loaded(data, by_hand)
    uploaded.note_shown(data)
    return True


def _sampled(file: UploadedFile, data: Dataset, reading: Reading) -> tuple[Dataset, tuple[tuple[str, Any], ...]]:
    """Return the data set, or a sample of a large one, with the parameters that read it again."""
    by_hand = reading.parameters
    if data.n <= data.row_kind.large:
        return data, by_hand
    n, seed = _size(file, data), file.sample[1]
    return data.stratified_sample(n, seed=seed), by_hand + ((("n", n), ("seed", seed)) if n < data.n else ())


def _size(file: UploadedFile, data: Dataset) -> int:
    return min(file.sample[0] or data.row_kind.first_rows, _most(data))


def _most(data: Dataset) -> int:
    return min(data.n, LIMITS.side if data.row_kind.together else large.most_rows())


def _refused(file: UploadedFile, sentence: str) -> None:
    """Draw why the file cannot be read in this way, and what can be changed."""
    st.error(plain(sentence), icon=":material/error:")
    st.caption("All pages show the previous data.")
    with st.expander("Read it differently"), st.container(horizontal=True, vertical_alignment="bottom"):
        for name in ("skip", "header", "below"):
            value = int(file.choices.get(name, 0))
            st.number_input(
                BY_NAME[name].label, 0, 1000, value, help=BY_NAME[name].help, width=130,
                **binding(f"upload.{name}", value, partial(_set_lines, name)),
            )  # fmt: skip
        _menu("Between cells", "delimiter", list(_MARKS), file.choices.get("delimiter", ""), _MARKS.__getitem__)
    if file.choices:
        st.button("Reset my choices", key="upload.reset", on_click=deferred(uploaded.reset_choices))


def _line(reading: Reading) -> None:
    """Draw the label of the data that the pages show, and the button that opens the panel again."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="upload.line"):
        if reading.table is not None and "predict" in reading.way.roles and reading.roles:
            _label(reading)
        st.button(
            "Change how it is read", key="upload.open", on_click=deferred(uploaded.open_panel),
            icon=":material/tune:", width="content",
        )  # fmt: skip


def _draw(file: UploadedFile, reading: Reading) -> None:
    top, button = st.columns([4, 1], vertical_alignment="center")
    with top:
        st.markdown(f"**{plain(file.name[:80])}** · {_size_words(reading)}")
    try:
        with st.spinner("Preparing the rows"), run_queue.reading(file.size):
            data, problem = file.data, ""
    except KernlibError as error:
        data, problem = None, str(error)
    with button:
        st.button(
            "Use these rows", key="upload.use", type="primary", on_click=deferred(uploaded.use), width="stretch",
            disabled=data is None, help="Shows these rows on all pages",
        )  # fmt: skip
    _kinds(file, reading)
    if problem:
        st.warning(plain(problem), icon=":material/help:")
    _rows(file, reading, data)
    if reading.table is not None and reading.roles:
        _preview(file, reading)
    for sentence in reading.notes:
        st.caption(plain(sentence))
    if data is not None:
        _outcome(data)
    _differently(file, reading)
    with st.container(horizontal=True):
        if file.choices:
            st.button(
                "Reset my choices", key="upload.reset", on_click=deferred(uploaded.reset_choices), type="tertiary"
            )
        if file.shown is not None:
            st.button("Close", key="upload.close", on_click=deferred(uploaded.close_panel), type="tertiary")
        else:
            st.button("Discard the file", key="upload.forget", on_click=deferred(uploaded.forget), type="tertiary")
    if data is not None:
        with layout.guarded():
            pictures.draw(compute.in_view(data))


def _size_words(reading: Reading) -> str:
    table = reading.part
    if not isinstance(table, Table):
        return plain(reading.part.container)
    layout_of, unit = table.layout, table.layout.unit
    if not layout_of.lines:
        return plain(f"{table.container}: {table.n:,} rows")
    names = f"{layout_of.names} with names, " if layout_of.names else ""
    return plain(f"{layout_of.lines:,} {unit}s: {names}{table.n:,} rows · {table.container}")


def _kinds(file: UploadedFile, reading: Reading) -> None:
    """Draw the menu of readings, the strongest first."""
    kinds = list(dict.fromkeys(one.kind for one in file.readings))
    if len(kinds) > 1:
        bound = binding("upload.kind", reading.kind, lambda kind: uploaded.change(kind=kind))
        st.segmented_control(
            "Read as", kinds, default=reading.kind, format_func=lambda kind: WAYS[kind].words, required=True, **bound
        )
    st.caption(f"{_SURE[reading.strength]} {plain(reading.why)}")


def _label(reading: Reading) -> None:
    """Draw the menu of the column to predict, nothing first where its name does not say so."""
    table = reading.table
    assert table is not None
    label = reading.label or _NOTHING
    names = [name for name in dict.fromkeys((*reading.candidates, *table.names[:_MENU])) if name != _NOTHING]
    options = [_NOTHING, *names]
    st.selectbox(
        "Predict", options, options.index(label) if label in options else 0,
        format_func=lambda name: "nothing to predict" if name == _NOTHING else name[:60], width=220,
        help="The column with the labels. The likeliest columns come first.",
        **binding("upload.label", label, uploaded.change_label),
    )  # fmt: skip


def _menu(
    label: str, name: str, options: Sequence[str], value: str | None, words: Callable[[str], str], **more: Any
) -> None:
    """Draw a menu of one choice."""
    st.selectbox(
        label, options, list(options).index(value) if value is not None and value in options else None,
        format_func=words, width=220,
        **more, **binding(f"upload.{name}", value, lambda chosen: uploaded.change(**{name: chosen})),
    )  # fmt: skip


def _rows(file: UploadedFile, reading: Reading, data: Dataset | None) -> None:
    """Draw the choices about rows that this reading needs."""
    fields, choices = reading.way.fields, reading.choices
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if reading.table is not None and reading.roles and "predict" in reading.way.roles:
            _label(reading)
        if reading.label is not None and "task" in fields and data is not None and data.task:
            _menu("Label holds", "task", BY_NAME["task"].options, data.task,
                  lambda task: "classes" if task == "classification" else "real numbers")  # fmt: skip
        if "matrix" in choices:
            _menu("Entries are", "matrix", BY_NAME["matrix"].options, choices["matrix"],
                  lambda what: f"{what}: {'large' if what == 'scores' else 'small'} means similar")  # fmt: skip
        if reading.gaps and "missing" in fields:
            square = "matrix" in choices
            ways = ("drop", "zero", "largest") if square else ("mean", "most_frequent", "drop")
            _menu(f"{reading.gaps:,} missing", "missing", ways, choices.get("missing"), _MISSING.__getitem__)
        uneven = data is None and reading.square is not None and not reading.square.symmetric
        if "matrix" in choices and (choices.get("symmetrise") or uneven):
            _menu("Two halves differ", "symmetrise", ("mean", "max"), choices.get("symmetrise"),
                  lambda how: "use their mean" if how == "mean" else "use the larger")  # fmt: skip
        if data is not None and data.n > data.row_kind.large:
            n = _size(file, data)
            st.number_input(
                f"Rows, of {data.n:,}", 2, _most(data), n, width=160,
                help="A sample with the classes in proportion. A Gram matrix compares all pairs of rows.",
                **binding("upload.n", n, lambda chosen: uploaded.set_sample(int(chosen), file.sample[1])),
            )  # fmt: skip
            st.number_input(
                "Seed", 0, 2**32 - 1, file.sample[1], width=110, help="Which rows are drawn",
                **binding("upload.seed", file.sample[1], lambda seed: uploaded.set_sample(n, int(seed))),
            )  # fmt: skip


def _preview(file: UploadedFile, reading: Reading) -> None:
    """Draw the first rows as they are read; a click on a head, or the menu, shows what a column is used for."""
    table = reading.table
    assert table is not None
    shown = table.columns[:_COLUMNS]
    heads = [f"{c.name[:40]}\u200b{'' if j == 0 else chr(0x200B) * j}" for j, c in enumerate(shown)]
    frame = pd.DataFrame(
        {head: [_ROLES.get(role := reading.roles.get(c.name, "left out"), role), *c.shown(range(min(table.n, _ROWS)))]
         for head, c in zip(heads, shown, strict=True)}
    )  # fmt: skip
    styles = {h: _style(reading.roles.get(c.name, "left out")) for h, c in zip(heads, shown, strict=True)}

    def clicked() -> None:
        columns = st.session_state["upload.preview"].selection.columns
        if columns and columns[0] in heads:
            uploaded.choose_column(shown[heads.index(columns[0])].name)

    st.dataframe(
        frame.style.apply(lambda column: [styles[column.name]] * len(column)), hide_index=True, height="content",
        key="upload.preview", on_select=deferred(clicked), selection_mode="single-column",
        alt="The first rows as they are read, under what each column is used for",
        column_config={
            head: st.column_config.TextColumn(
                help=plain(f"{c.kind}, {c.distinct} different values, {c.missing} missing")
            )
            for head, c in zip(heads, shown, strict=True)
        },
    )  # fmt: skip
    if len(table.columns) > _COLUMNS:
        st.caption(f"The first {_COLUMNS} of {len(table.columns):,} columns.")
    _column(file, reading, table)


def _style(role: str) -> str:
    return _GREY if role in ("id", "left out") else _COLOURS.get(role, "")


def _column(file: UploadedFile, reading: Reading, table: Table) -> None:
    """Draw the menus of one column: what it is used for, what its cells are, which words mean a missing cell."""
    names = list(table.names[:_MENU])
    name = (
        file.column
        if file.column in names
        else next((c for c in names if reading.roles.get(c) == "compared"), names[0])
    )
    cells, roles = table.column(name), list(reading.way.roles)
    role = reading.roles.get(name, "left out")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Column", names, names.index(name), format_func=lambda one: one[:60], width=200,
            help="Or click the head of a column above.", **binding("upload.column", name, uploaded.choose_column),
        )  # fmt: skip
        st.selectbox(
            "is", roles, roles.index(role), format_func=lambda one: _ROLES.get(one, one), width=150,
            **binding(f"upload.role.{name}", role, lambda one: _set_role(name, one)),
        )  # fmt: skip
        if len(cells.kinds) > 1:
            st.selectbox(
                "Its cells are", cells.kinds, cells.kinds.index(cells.kind), width=160,
                **binding(f"upload.cells.{name}", cells.kind, lambda kind: uploaded.change(kinds={name: kind})),
            )  # fmt: skip
        codes = "|".join(cells.how.codes)
        st.text_input(
            "Read as missing", codes, placeholder="-999|unknown", width=160,
            help="Words for missing cells beside empty ones and NA, with bars between them",
            **binding(f"upload.codes.{name}", codes,
                      lambda words: uploaded.change(codes={name: tuple(filter(None, words.split("|")))})),
        )  # fmt: skip
    if cells.strange:
        st.caption(plain(f"{name[:60]} is mixed: numbers, and {', '.join(cells.strange[:5])}."))


def _set_lines(name: str, lines: float) -> None:
    uploaded.change(**{name: int(lines)})


def _set_role(name: str, role: str) -> None:
    if role == "predict":
        uploaded.change_label(name)
    else:
        uploaded.change(roles={name: role})


def _outcome(data: Dataset) -> None:
    """Draw the size and the classes of the rows as they would be, and what is wrong with them."""
    words = f"{data.n:,} rows" + (f", {data.d:,} columns" if data.d else "") + f": {data.row_kind.called}"
    counts = data.class_counts
    if counts:
        shown = ", ".join(f"{name[:40]} {count:,}" for name, count in list(counts.items())[:8])
        words += f" · {len(counts)} classes: {shown}{', …' if len(counts) > 8 else ''}"
    elif data.task == "regression":
        words += " · the label is a real number"
    else:
        words += " · nothing to predict"
    if data.groups is not None:
        words += f" · {len(data.group_counts)} groups"
    st.markdown(plain(words))
    if data.note:
        st.caption(plain(data.note))
    for warning in data.warnings:
        st.warning(plain(warning))
    single = tuple(name for name, count in counts.items() if count < 2)
    if single and len(counts) - len(single) > 1:
        st.button(
            plain(f"Leave out {single[0][:40] if len(single) < 2 else f'{len(single)} classes with one row'}"),
            key="upload.without", on_click=deferred(uploaded.leave_out, single), width="content",
            help="A class with one row cannot be in both training and test rows.",
        )  # fmt: skip


def _differently(file: UploadedFile, reading: Reading) -> None:
    """Draw what parses the file in another way; each choice changes the rows above at once."""
    part, choices = reading.part, file.choices
    encodings = possible_encodings(file.files[0][1]) if len(file.files) == 1 else {}
    text = isinstance(part, Table) and bool(part.layout.lines)
    if not (text or part.others or len(encodings) > 1):
        return
    with st.expander("Read it differently"), st.container(horizontal=True, vertical_alignment="bottom"):
        if part.others:
            now = str(choices.get("part") or "")
            _menu("Part", "part", ["", *part.others, *([now] if now and now not in part.others else [])], now,
                  lambda name: name[:40] or "the first one")  # fmt: skip
        if isinstance(part, Table) and text:
            at, rows = part.layout, max(part.layout.lines, 1)
            for name, value in (("skip", len(at.above)), ("header", at.names), ("below", len(at.below))):
                value = int(choices.get(name, value))
                st.number_input(
                    BY_NAME[name].label, 0, max(rows, value), value, help=BY_NAME[name].help, width=130,
                    **binding(f"upload.{name}", value, partial(_set_lines, name)),
                )  # fmt: skip
            if at.mark:
                _menu("Between cells", "delimiter", list(_MARKS), choices.get("delimiter", ""), _MARKS.__getitem__)
            marks = {"": "as found", ".": "a point", ",": "a comma"}
            _menu("Decimal mark", "decimal", list(marks), choices.get("decimal", ""), marks.__getitem__)
        if len(encodings) > 1:
            _menu("Encoding", "encoding", ["", *encodings], choices.get("encoding", ""),
                  lambda one: f"{ENCODINGS[one]}: {encodings[one][:20]}" if one else "as found")  # fmt: skip
