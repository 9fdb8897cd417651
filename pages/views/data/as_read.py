"""The uploaded file as it is read: its first lines beside the table they become, and questions with both readings."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from kernlib import KernlibError
from kernlib.data import LIMITS, Guess, Upload
from kernlib.data.table import Table
from pages.parts.inputs.plain import plain
from pages.parts.server.holder import deferred
from pages.parts.session.uploaded import UploadedFile, accept, change, take

#: Rows and columns of the table beside the file, and of the table that shows one reading of a question.
_ROWS, _COLUMNS, _FEW = 8, 40, 4
#: The readings of a question are shown side by side for files of at most so many bytes.
_SHOWN_BYTES = 1_000_000
_MARKS = {"": "as guessed", ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blanks"}
_DECIMALS = {"": "as guessed", ".": "point", ",": "comma"}
_FIRST = {"": "as guessed", "names": "holds names", "data": "is data"}
_GREY = "color: #8a8a8a"


def question(file: UploadedFile, upload: Upload, guess: Guess, number: int) -> None:
    """Draw a question: the present reading and the others side by side, each with the button that takes it."""
    key = f"{file.version}.{number}"
    small = file.size <= _SHOWN_BYTES
    roles = {} if upload.table is None else upload.table.roles
    others = [c for c in guess.choices if set(c.asked) != {"roles"} or not dict(c.roles).items() <= roles.items()]
    keep = next((plain(c.words) for c in guess.choices if c not in others), "Keep this reading")
    with st.container(border=True):
        st.markdown(f":material/help: {plain(guess.sentence)}")
        places = st.columns(min(1 + len(others), 4))
        with places[0]:
            st.button(keep, key=f"upload.keep.{key}", on_click=deferred(accept, guess.sentence))
            if small:
                _reading(lambda: upload, guess)
        for k, choice in enumerate(others):
            with places[min(k + 1, len(places) - 1)]:
                st.button(plain(choice.words), key=f"upload.guess.{key}.{k}", on_click=deferred(take, choice))
                if small and k + 1 < len(places):
                    _reading(partial(file.other, f"{number}.{k}", choice, LIMITS), guess)


def _reading(read: Callable[[], Upload], guess: Guess) -> None:
    """Draw what a reading makes of the file, or the sentence of its error."""
    try:
        _outcome(read(), guess)
    except KernlibError as error:
        st.caption(plain(str(error)))


def _outcome(upload: Upload, guess: Guess) -> None:
    """Draw what an upload makes of the first rows: the columns that the guess is about, else the first ones."""
    table = upload.table
    if table is None or upload.content is not None:
        data = upload.dataset(missing="drop", symmetrise=upload.reading.symmetrise or "mean")
        meaning: dict[bool | None, str] = {
            True: "A small entry means similar rows.",
            False: "A large entry means similar rows.",
        }
        st.caption(plain(f"{data.n:,} rows: {data.row_kind.called}. {meaning.get(data.distances, '')}"))
        return
    about = {name for choice in guess.choices for name in dict(choice.roles)}
    places = [j for j, c in enumerate(table.columns) if c.name in about] or list(range(len(table.columns)))
    rows = _examples(table, places)
    st.dataframe(_frame(table, places[:4], rows), hide_index=True, height="content")
    left = table.n
    with suppress(KernlibError):
        left = upload.dataset().n if upload.reading.missing == "drop all" else left
    st.caption(f"{left:,} rows, {len(table.columns)} columns")


def _examples(table: Table, places: list[int]) -> list[int]:
    """Return the numbers of the first rows, the last of them one with a code for a missing cell, if there is one."""
    codes = {j: table.columns[j].codes for j in places if table.columns[j].codes}
    coded = [i for i in range(min(table.n, 500)) if any(str(table.cells[i, j]).strip() in codes[j] for j in codes)]
    first = list(range(min(table.n, _FEW)))
    return first if not coded or coded[0] in first else [*first[:-1], coded[0]]


def _frame(table: Table, places: list[int], rows: list[int]) -> pd.DataFrame:
    """Return cells as they are read: numbers, words, or nothing for a missing one, with roles in the heads."""
    columns: dict[str, Any] = {}
    for j in places:
        c = table.columns[j]
        cells = [str(cell).strip() for cell in table.cells[rows, j]]
        if c.role in ("numeric", "decimal comma", "decimal point", "code missing"):
            missing = c.codes if c.role == "code missing" else ()
            numbers = [None if cell in missing else c.writing.number(cell) for cell in cells]
            columns[f"{c.name[:40]} · {c.role}"] = [
                None if cell in missing else f"{x:g}" if x is not None else cell[:60]
                for cell, x in zip(cells, numbers, strict=True)
            ]
        else:
            columns[f"{c.name[:40]} · {c.role}"] = [cell[:60] for cell in cells]
    return pd.DataFrame(columns)


def draw(file: UploadedFile, upload: Upload) -> None:
    """Draw the first lines of the file beside the table that they become, and menus that change how they do."""
    table, layout = upload.table, upload.layout
    left, right = st.columns([2, 3]) if layout is not None and table is not None else (st.container(), st.container())
    if layout is not None:
        with left:
            st.caption(f"**File:** {layout.words}")
            shown = layout.lines[: layout.above + layout.names + _ROWS]
            lines = pd.DataFrame(shown, columns=["line", "text", "is"]).drop(columns=[] if layout.rows else ["is"])
            st.dataframe(
                lines.style.apply(
                    lambda row: [_GREY if row.get("is") in ("left out", "blank") else ""] * len(row), axis=1
                ),
                hide_index=True, height="content", alt="The first lines of the file, and what each is read as",
                column_config={
                    "line": st.column_config.NumberColumn(width=45), "is": st.column_config.TextColumn(width=70),
                    "text": st.column_config.TextColumn(width=270),
                },
            )  # fmt: skip
    if table is None:
        return
    with right:
        unused = [c.name for c in table.columns if c.role in ("id", "ignore")]
        out = f"; not compared: {', '.join(unused[:5])}{', …' if len(unused) > 5 else ''}" if unused else ""
        st.caption(plain(f"Table: {table.n:,} rows, {len(table.columns)} columns{out}"))
        places = list(range(min(len(table.columns), _COLUMNS)))
        frame = _frame(table, places, list(range(min(table.n, _ROWS))))
        grey = [head for head in frame.columns if head.endswith((" · id", " · ignore"))]
        st.dataframe(
            frame.style.apply(lambda column: [_GREY if column.name in grey else ""] * len(column)), hide_index=True,
            height="content", alt="The first rows of the table, with the role of each column in its head",
            column_config={
                head: st.column_config.Column(help=plain(table.columns[j].reason))
                for j, head in zip(places, frame.columns, strict=False)
            },
        )  # fmt: skip
    _menus(file, upload)


def _menus(file: UploadedFile, upload: Upload) -> None:
    """Draw the menus of the lines above the table, the first line, the marks, and the words for missing cells."""
    table, reading = upload.table, file.reading
    assert table is not None
    key = f"upload.{{}}.{file.version}".format
    layout = table.layout
    places = iter(st.columns(2 if layout is None else 5 if layout.mark else 4))

    def menu(label: str, what: str, options: dict[str, str], value: str, help: str) -> None:
        def chosen() -> None:
            word = st.session_state[key(what)]
            change(True, **{what: {"names": True, "data": False}.get(word, word)})

        next(places).selectbox(
            label, list(options), index=list(options).index(value), key=key(what), format_func=options.__getitem__,
            on_change=deferred(chosen), help=help,
        )  # fmt: skip

    if layout is not None:
        above = reading.skip if reading.skip is not None else layout.above
        next(places).number_input(
            "Lines above the table", 0, 1000, above, key=key("skip"), help="A title or comments, which are left out",
            on_change=deferred(lambda: change(True, skip=int(st.session_state[key("skip")]))),
        )  # fmt: skip
        first = "" if reading.header is None else "names" if reading.header else "data"
        menu("First line", "header", _FIRST, first, "Whether the first line of the table holds names of columns")
    if layout is not None and layout.mark:
        marks = _MARKS | ({reading.delimiter: reading.delimiter} if reading.delimiter not in _MARKS else {})
        menu("Between cells", "delimiter", marks, reading.delimiter, "The mark that separates cells")
    menu("Decimal mark", "decimal", _DECIMALS, reading.decimal, "1.5 or 1,5")
    next(places).text_input(
        "Words for missing cells", reading.absent, key=key("absent"), placeholder="-9|unknown",
        help="Beside empty cells, NA and the like; with bars between several words",
        on_change=deferred(lambda: change(True, absent=st.session_state[key("absent")])),
    )  # fmt: skip
