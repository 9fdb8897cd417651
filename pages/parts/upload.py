"""Your own data: a file goes in, what it was taken for is shown and can be changed, a data set comes out.

What is uploaded stays in the session that uploaded it: nothing is cached across sessions, nothing is written to disk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pandas as pd
import streamlit as st

from kernlib import KernlibError
from kernlib.data import Dataset, Limits, Role, Upload, read_upload
from kernlib.errors import DataError

from .inert import plain
from .templates import TEMPLATES

__all__ = ["LIMITS", "draw"]

#: Gets the data set and what was chosen by hand, as the parameters of a run that reads the file again.
OnLoaded = Callable[[Dataset, tuple[tuple[str, Any], ...]], None]

#: What one session may bring: a quarter of a gigabyte of cells, matrices that a page can show.
LIMITS = Limits(bytes=50 * 2**20, rows=100_000, columns=10_000, cells=5_000_000, side=3_000, unpacked=100 * 2**20)
#: From LARGE rows on a stratified sample of FIRST_ROWS is proposed; never more than `side` in one view.
LARGE, FIRST_ROWS = 1000, 500
_SHOWN = 300
_ROWS_WORDS = {
    "vector": "numbers", "categorical": "categories", "mixed": "columns of several kinds",
    "sequence": "sequences", "text": "texts", "graph": "graphs", "node": "nodes of a graph", "pair": "pairs",
    "matrix": "a matrix of scores",
}  # fmt: skip
_GAPS = {
    "drop": "drop the rows that have one",
    "mean": "the column's mean, learnt on training rows",
    "most_frequent": "the most frequent value, learnt on training rows",
    "category": "a missing label is a class of its own",
}
_HALVES = {"mean": "the mean of the two halves", "max": "the larger of the two"}


def draw(on_loaded: OnLoaded, current: Dataset | None = None) -> None:
    """The panel. `on_loaded` gets the data set when it is wanted; until then, and on every error, nothing changes.

    `current` is what the page shows now, so that the button rests while that is the upload itself; without it the
    panel remembers what it handed over last.
    """
    files = st.file_uploader(
        "Your own data",
        accept_multiple_files=True,
        key="upload.files",
        max_upload_size=LIMITS.bytes // 2**20,
        help=f"At most {LIMITS.bytes // 2**20} MB, {LIMITS.rows} rows, matrices up to {LIMITS.side} × {LIMITS.side}. "
        "The file stays in this session and is gone when you close it.",
    )
    st.caption(
        "CSV, TSV, Parquet, JSON Lines, FASTA, SVMlight, NPY, NPZ, GraphML, GML, edge lists, adjacency or score "
        "matrices, a TUDataset zip, a zip of texts by folder; edges with a node table, or pairs with a matrix, as two "
        "files."
    )
    _templates()
    if not files:
        for key in ("upload.read", "upload.made"):
            st.session_state.pop(key, None)
        return
    key = tuple((f.file_id, f.name, f.size) for f in files)
    upload = _read(key, files, None)
    if upload is None:
        return
    roles: dict[str, Role] = {}
    upload, decided = _questions(key, files, upload, roles)
    if upload is None:
        return
    by_hand = tuple((f"role:{column}", role) for column, role in roles.items())
    _result(key, upload, decided, by_hand, on_loaded, current)


def _templates() -> None:
    with st.popover("Templates", icon=":material/download:", help="A small file of each format, to fill in"):
        for template in TEMPLATES:
            st.download_button(
                template.title,
                data=template.make,
                file_name=template.file,
                key=f"upload.template.{template.file}",
                on_click="ignore",
                type="tertiary",
            )


def _refused(sentence: str) -> None:
    st.error(plain(sentence), icon=":material/error:")
    st.caption("The data set that was loaded before is still the one that is shown.")


def _read(key: tuple[Any, ...], files: list[Any], domain: Any) -> Upload | None:
    """The upload, read once per file and domain; an error is said and gives None."""
    held = st.session_state.get("upload.read")
    if held is None or held[0] != key:
        held = st.session_state["upload.read"] = (key, {})
    if domain not in held[1]:
        try:
            names = [f.name for f in files]
            if len(set(names)) < len(names):
                raise DataError(
                    f"{names[0][:100]}: two files have the same name; expected different ones. Rename one of them."
                )
            more = {f.name: f.getvalue() for f in files[1:]}
            held[1][domain] = read_upload(
                names[0], files[0].getvalue(), more=more or None, domain=domain, limits=LIMITS
            )
        except KernlibError as error:
            held[1][domain] = str(error)
    found: Upload | str = held[1][domain]
    if isinstance(found, str):
        _refused(found)
        return None
    return found


def _questions(
    key: tuple[Any, ...], files: list[Any], upload: Upload, roles: dict[str, Role]
) -> tuple[Upload | None, dict[str, Any]]:
    """What was guessed and why; what a person says otherwise (`roles` gets it); the choices that are open."""
    uid = "/".join(str(part[0]) for part in key)
    st.markdown(f"**{plain(upload.format)}**: {plain(upload.reason)}")
    places = st.columns(3)
    chosen: dict[str, Any] = {}
    if len(upload.domains) > 1:
        guess = upload.domain
        domain = places[0].selectbox(
            "Rows are",
            ["", *upload.domains],
            key=f"upload.domain.{uid}",
            format_func=lambda d: _ROWS_WORDS.get(d, f"as guessed: {_ROWS_WORDS[guess]}"),
        )
        if domain:
            again = _read(key, files, domain)
            if again is None:
                return None, chosen
            upload = again
    if upload.table is not None:
        upload = _columns(upload, uid, places, chosen, roles)
    if upload.missing:
        options = ["drop"]
        if upload.domain in ("vector", "mixed"):
            options += ["mean", "most_frequent"]
        if upload.table is not None and any(c.role == "label" and c.missing for c in upload.table.columns):
            options.append("category")
        cells = "1 missing cell" if upload.missing == 1 else f"{upload.missing} missing cells"
        chosen["missing"] = st.selectbox(
            cells, options, index=None, key=f"upload.missing.{uid}",
            format_func=_GAPS.__getitem__, placeholder="Choose what becomes of them",
        )  # fmt: skip
    if upload.asymmetric:
        chosen["symmetrise"] = st.selectbox(
            "The two halves of the matrix differ", list(_HALVES), index=None, key=f"upload.halves.{uid}",
            format_func=_HALVES.__getitem__, placeholder="Choose what becomes of them",
        )  # fmt: skip
    return upload, chosen


def _columns(upload: Upload, uid: str, places: Any, chosen: dict[str, Any], roles: dict[str, Role]) -> Upload:
    """The label, whether it is a class or a number, and each column's role."""
    table = upload.table
    assert table is not None
    names = [c.name for c in table.columns]
    guess = next((c.name for c in table.columns if c.role == "label"), None)
    label = places[
        1
    ].selectbox(
        "Label",
        ["", *names[:_SHOWN]],  # no column is named ""
        index=0 if guess not in names[:_SHOWN] else names.index(guess) + 1,
        key=f"upload.label.{uid}.{upload.domain}",
        format_func=lambda n: n[:80] or "none",
        help="What is to be told apart; without one, views that need labels say so.",
    )
    try:
        if label != (guess or ""):
            moved = table.with_label(label or None)
            roles.update((n, r) for n, r in moved.roles.items() if r != table.roles[n])
            table = moved
        if label:
            chosen["task"] = places[2].selectbox(
                "Label holds", [None, "classification", "regression"], key=f"upload.task.{uid}.{label[:40]}",
                format_func={None: "as guessed", "classification": "classes", "regression": "real numbers"}.get,
            )  # fmt: skip
        shown = table.columns[:_SHOWN]
        with st.expander(f"What each of the {len(table.columns)} columns is taken for", expanded=len(shown) <= 12):
            before = pd.DataFrame(
                {
                    "column": [c.name for c in shown],
                    "taken for": [c.role for c in shown],
                    "why": [c.reason for c in shown],
                    "missing": [c.missing for c in shown],
                    "distinct": [c.distinct for c in shown],
                    "first cells": [", ".join(str(x)[:20] for x in table.column(c.name)[:3]) for c in shown],
                }
            )
            after = st.data_editor(
                before,
                key=f"upload.roles.{uid}.{upload.domain}.{label[:40]}",
                hide_index=True,
                disabled=["column", "why", "missing", "distinct", "first cells"],
                column_config={"taken for": st.column_config.SelectboxColumn(options=get_args(Role), required=True)},
                height="auto" if len(shown) < 12 else 420,
                alt="What each column of the upload is taken for",
            )
            for c, role in zip(shown, after["taken for"], strict=True):
                if role != c.role:
                    roles[c.name] = role
            if len(table.columns) > _SHOWN:
                st.caption(f"The first {_SHOWN} of {len(table.columns)} columns.")
        return upload.with_roles(roles) if roles else upload
    except KernlibError as error:
        _refused(str(error))
        return upload


def _result(
    key: tuple[Any, ...],
    upload: Upload,
    chosen: dict[str, Any],
    by_hand: tuple[tuple[str, Any], ...],
    on_loaded: OnLoaded,
    current: Dataset | None,
) -> None:
    """The data set as it would be, and the way to take it."""
    open_questions = [name for name in ("missing", "symmetrise") if name in chosen and chosen[name] is None]
    if open_questions:
        st.info("One choice is open above; then the data can be used.", icon=":material/help:")
        return
    options = {name: value for name, value in chosen.items() if value is not None}
    roles = tuple(upload.table.roles.items()) if upload.table is not None else ()
    data = _made((key, upload.domain, roles, tuple(sorted(options.items()))), lambda: upload.dataset(**options))
    if data is None:
        return
    whole = data.n
    if (whole > LARGE and data.domain != "graph") or whole > LIMITS.side:
        size, seed = st.columns(2)
        kind = "stratified" if data.classes else "random"
        most = min(whole, LIMITS.side)
        n = size.number_input(
            f"Rows, a {kind} sample of {whole}", 2, most, min(FIRST_ROWS, most), key=f"upload.n.{whole}",
            help=f"A Gram matrix compares each row with each; at most {LIMITS.side} fit a page.",
        )  # fmt: skip
        number = seed.number_input("Seed", 0, 2**32 - 1, 0, key="upload.seed", help="Which rows are drawn")
        try:
            data = data.stratified_sample(int(n), seed=int(number))
            by_hand += (("n", int(n)), ("seed", int(number)))
        except KernlibError as error:
            _refused(str(error))
            return
    _preview(data)
    signature = (data.digest, data.fill)
    first_time = st.session_state.get("upload.auto") != key
    decided = bool(chosen.keys() & {"missing", "symmetrise"})
    shown = (current.digest, current.fill) if current is not None else st.session_state.get("upload.loaded")
    loaded = shown == signature
    pressed = st.button(
        "Use this data", type="primary", key="upload.use", disabled=loaded, icon=":material/check:",
        help="It is the data set that is shown." if loaded else None,
    )  # fmt: skip
    if pressed or (first_time and not decided and not loaded):
        st.session_state["upload.auto"] = key
        st.session_state["upload.loaded"] = signature
        on_loaded(data, by_hand)


def _made(signature: Any, make: Callable[[], Dataset]) -> Dataset | None:
    """The data set of these choices, made once; an error is said and gives None."""
    held = st.session_state.get("upload.made")
    if held is None or held[0] != signature:
        try:
            held = (signature, make())
        except KernlibError as error:
            held = (signature, str(error))
        st.session_state["upload.made"] = held
    if isinstance(held[1], str):
        _refused(held[1])
        return None
    return held[1]


def _preview(data: Dataset) -> None:
    """Classes, what was done, and the first rows as a kernel will read them."""
    words = f"n = {data.n}" + (f", {data.d} columns" if data.d else "") + f", {_ROWS_WORDS[data.domain]}"
    counts = data.class_counts
    if counts:
        told = ", ".join(f"{name[:40]} {count}" for name, count in list(counts.items())[:8])
        words += f"; classes {told}{', …' if len(counts) > 8 else ''}"
    elif data.task == "regression":
        words += "; the label is a real number"
    else:
        words += "; no label"
    if data.groups is not None:
        sizes = data.group_counts
        told = ", ".join(f"{name[:40]} {count}" for name, count in list(sizes.items())[:8])
        words += f"; {len(sizes)} groups of rows that belong together, {told}{', …' if len(sizes) > 8 else ''}"
    st.caption(plain(words))
    if data.note:
        st.caption(plain(data.note))
    for warning in data.warnings:
        st.warning(plain(warning))
    if data.domain in ("vector", "categorical", "mixed"):
        with st.expander("The first rows as the kernel reads them"):
            st.dataframe(pd.DataFrame(data.rows[:5, :50], columns=_apart(data.columns[:50])), hide_index=True)


def _apart(names: tuple[str, ...]) -> list[str]:
    """Column names that differ, as a table needs them."""
    return [name if names.index(name) == j else f"{name} ({j + 1})" for j, name in enumerate(names)]
