"""Your own data: a file goes in, what it was taken for is shown and can be changed, a data set comes out.

What is uploaded stays in the session that uploaded it: nothing is cached across sessions, nothing is written to disk.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from typing import Any, get_args

import pandas as pd
import streamlit as st

from kernlib import KernlibError
from kernlib.data import Dataset, Guess, Limits, Role, Upload

from .held import Held, emptied, forget, held_file
from .inert import plain
from .large import MAX_ROWS, most_rows
from .templates import TEMPLATES

__all__ = ["LIMITS", "draw"]

#: Gets the data set and what was chosen by hand, as the parameters of a run that reads the file again.
OnLoaded = Callable[[Dataset, tuple[tuple[str, Any], ...]], None]

#: What one session may bring: a quarter of a gigabyte of cells, matrices that a page can show.
LIMITS = Limits(bytes=80 * 2**20, rows=500_000, columns=10_000, cells=5_000_000, side=3_000, unpacked=100 * 2**20)
#: From LARGE rows on a stratified sample of FIRST_ROWS is proposed; never more than `side` in one view.
LARGE, FIRST_ROWS = 1000, 500
#: Rows that can be compared with a few of them, by landmarks.
_SHORT = ("vector", "categorical", "mixed", "sequence", "text", "graph")
_SHOWN = 300
#: Bytes of a file whose refusal may be a matter of its size.
_LARGE_FILE = 2**20
#: So many guesses stand in the open.
_GUESSES = 5
_ROWS_WORDS = {
    "vector": "numbers", "categorical": "categories", "mixed": "columns of several kinds",
    "sequence": "sequences", "text": "texts", "graph": "graphs", "node": "nodes of a graph", "pair": "pairs",
    "matrix": "a matrix of scores or distances",
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
        on_change=emptied,
        max_upload_size=LIMITS.bytes // 2**20,
        help=f"At most {LIMITS.bytes // 2**20} MB, {LIMITS.rows:,} rows, {LIMITS.cells:,} cells, matrices up to "
        f"{LIMITS.side:,} × {LIMITS.side:,}. 100,000 rows of 20 numbers are read in some seconds. "
        "The file stays in this session and is gone when you close it.",
    )
    st.caption(
        "Tables (CSV, TSV, Excel, Parquet, ARFF, JSON), arrays (NPY, NPZ, MATLAB, SVMlight), sequences (FASTA, "
        "SMILES), graphs (GraphML, GML, edge lists, a TUDataset zip), matrices of edges, scores or distances, "
        "a zip of texts by folder; edges with a node table, or pairs with a matrix, as two files."
    )
    st.caption(
        f"A file of more than {LIMITS.bytes // 2**20} MB is read without the browser: `python -m kernlib advise FILE` "
        "proposes kernels for it, `python -m kernlib gram` makes a matrix of any size."
    )
    _templates()
    held = held_file(files)
    if held is None:
        return
    if not files:
        kept, away = st.columns([5, 1], vertical_alignment="center")
        kept.markdown(f"{plain(held.name[:100])} is still here, as you left it.")
        away.button("Forget it", key="upload.forget", on_click=forget, type="tertiary")
    try:
        upload = held.upload(LIMITS)
    except KernlibError as error:
        sentence = str(error)
        _refused(sentence)
        if held.changed:
            st.button("As guessed", key="upload.anew", on_click=held.begin_anew, help="Forget what you chose otherwise")
        _without_browser(held, square=bool(re.search(r"\b(\d+) × \1 entries", sentence)))
        return
    _questions(held, upload)
    _result(held, upload, on_loaded, current)


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


def _without_browser(held: Held, square: bool) -> None:
    """The command that reads what is too large here; nothing beside a small file, whose size is not what is wrong.

    A `square` array is taken for scores.
    """
    if sum(len(raw) for _, raw in held.files) < _LARGE_FILE:
        return
    if square:
        st.caption("Without the browser it is read up to what memory holds; for a matrix of scores the command is")
    else:
        st.caption(
            "Without the browser a file is read up to what memory holds. For a Gram matrix or scores the kernel is "
            '"Precomputed()", for numbers "RBF()", for sequences "Spectrum()", quotes included; `python -m kernlib '
            "advise FILE` proposes one."
        )
    kernel = "Precomputed()" if square else "KERNEL"
    names = [name for name, _ in held.files]
    words = ["python", "-m", "kernlib", "gram", kernel, *names, "--leading", "50", "--pairs", "pairs.npz"]
    st.code(shlex.join(words), language="console", wrap_lines=True)


def _questions(held: Held, upload: Upload) -> None:
    """What was guessed and why, and what a person may say otherwise; the choices that are open."""
    st.markdown(f"**{plain(upload.format)}**: {plain(upload.reason)}")
    _guesses(held, upload)
    places = st.columns(3)
    if len(upload.domains) > 1:
        options = ["", *upload.domains]
        guess = "as guessed" if held.domain else f"as guessed: {_ROWS_WORDS[upload.domain]}"
        _controlled(
            places[0], held, "Rows are", options, held.domain or "", "domain", lambda d: _ROWS_WORDS[d] if d else guess
        )
    if upload.table is not None:
        _columns(held, upload, places)
    if upload.missing:
        cells = "1 missing cell" if upload.missing == 1 else f"{upload.missing} missing cells"
        ways = _ways(upload)
        _controlled(
            st, held, cells, list(ways), held.missing if held.missing in ways else None, "missing", ways.__getitem__,
            placeholder="Choose what becomes of them",
        )  # fmt: skip
    if upload.asymmetric:
        _controlled(
            st, held, "The two halves of the matrix differ", list(_HALVES), held.symmetrise, "symmetrise",
            _HALVES.__getitem__, placeholder="Choose what becomes of them",
        )  # fmt: skip


def _controlled(
    place: Any, held: Held, label: str, options: list[Any], value: Any, what: str, words: Callable[[Any], str],
    **more: Any,
) -> Any:  # fmt: skip
    """A menu that shows what is held and says what is chosen in it."""
    key = f"upload.{what}.{held.version}"

    def chosen() -> None:
        held.say(**{what: st.session_state[key] or None})

    index = options.index(value) if value in options else None
    return place.selectbox(label, options, index=index, key=key, format_func=words, on_change=chosen, **more)


def _guesses(held: Held, upload: Upload) -> None:
    """Each guess as a sentence, with a button for each other way to take the file."""
    # What was said of the label's values stands in its own menu.
    guesses = [g for g in upload.guesses if not (held.task and any(choice.task for choice in g.choices))]
    first, more = guesses[:_GUESSES], guesses[_GUESSES:]
    for number, guess in enumerate(first):
        _guess(held, guess, number)
    if more:
        with st.expander(f"{len(more)} more guesses"):
            for number, guess in enumerate(more, start=len(first)):
                _guess(held, guess, number)
    if held.changed:
        st.button(
            "As guessed", key="upload.anew", on_click=held.begin_anew, type="tertiary", icon=":material/undo:",
            help="Forget what you chose otherwise",
        )  # fmt: skip


def _guess(held: Held, guess: Guess, number: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        icon = ":material/help:" if guess.question else ":material/lightbulb:"
        st.markdown(f"{icon} {plain(guess.sentence)}", width="stretch" if len(guess.sentence) > 70 else "content")
        for place, choice in enumerate(guess.choices):
            st.button(
                plain(choice.words), key=f"upload.guess.{held.version}.{number}.{place}", on_click=held.take,
                args=(choice,), width="content",
            )  # fmt: skip


def _ways(upload: Upload) -> dict[str, str]:
    """What can become of missing cells, in words; dropping rows stands last where it leaves few of them."""
    ways = {}
    if upload.domain in ("vector", "mixed"):
        ways |= {name: _GAPS[name] for name in ("mean", "most_frequent")}
    if upload.table is not None and any(c.role == "label" and c.missing for c in upload.table.columns):
        ways["category"] = _GAPS["category"]
    rows, classes, of = _left(upload)
    if rows < 2:
        return ways
    few = rows < max(10, of / 2) or (classes == 1)
    one = ", of one class only" if classes == 1 else ""
    drop = {"drop": f"{_GAPS['drop']}: {rows} of {of} stay{one}"}
    return ways | drop if few else drop | ways


def _left(upload: Upload) -> tuple[int, int, int]:
    """Rows and classes that stay when rows with gaps are dropped, and rows in all."""
    if upload.table is not None:
        rows, classes = upload.table.left_after_dropping(upload.domain if upload.content is None else None)
        return rows, classes, upload.table.n
    try:
        left, filled = upload.dataset(missing="drop"), upload.dataset(missing="mean")
    except KernlibError:
        return 0, 0, 0
    return left.n, sum(count > 0 for count in left.class_counts.values()), filled.n


def _columns(held: Held, upload: Upload, places: Any) -> None:
    """The label, whether it is a class or a number, and each column's role."""
    table = upload.table
    assert table is not None
    names = [c.name for c in table.columns][:_SHOWN]
    label = next((c.name for c in table.columns if c.role == "label"), "")
    version = held.version
    key = f"upload.label.{version}"

    def moved() -> None:
        wanted = table.with_label(st.session_state[key] or None).roles
        held.say(roles={n: r for n, r in wanted.items() if r != table.roles[n]})

    places[1].selectbox(
        "Label", ["", *names], index=names.index(label) + 1 if label in names else 0, key=key, on_change=moved,
        format_func=lambda n: n[:80] or "none",
        help="What is to be told apart; without one, views that need labels say so.",
    )  # fmt: skip
    if label:
        tasks = {"": "as guessed", "classification": "classes", "regression": "real numbers"}
        _controlled(places[2], held, "Label holds", list(tasks), held.task or "", "task", tasks.__getitem__)
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
            key=f"upload.roles.{version}",
            hide_index=True,
            disabled=["column", "why", "missing", "distinct", "first cells"],
            column_config={"taken for": st.column_config.SelectboxColumn(options=get_args(Role), required=True)},
            height="auto" if len(shown) < 12 else 420,
            alt="What each column of the upload is taken for",
        )
        if len(table.columns) > _SHOWN:
            st.caption(f"The first {_SHOWN} of {len(table.columns)} columns.")
    given = {c.name: role for c, role in zip(shown, after["taken for"], strict=True) if role != c.role}
    if given:
        _say_roles(held, upload, given)


def _say_roles(held: Held, upload: Upload, given: dict[str, Role]) -> None:
    """Roles from the grid; a second label or group takes the place of the first."""
    assert upload.table is not None
    for role in ("label", "group"):
        if role in given.values():
            before = [c.name for c in upload.table.columns if c.role == role and c.name not in given]
            given = given | dict.fromkeys(before, "ignore")
    try:
        upload.with_roles(given)
    except KernlibError as error:
        _refused(str(error))
        return
    held.say(roles=given)
    st.rerun()


def _result(held: Held, upload: Upload, on_loaded: OnLoaded, current: Dataset | None) -> None:
    """The data set as it would be, and the way to take it."""
    open_questions = (upload.missing and held.missing not in _ways(upload)) or (
        upload.asymmetric and not held.symmetrise
    )
    if open_questions:
        st.info("One choice is open above; then the data can be used.", icon=":material/help:")
        return
    options: dict[str, Any] = {"task": held.task}
    if upload.missing:
        options["missing"] = held.missing
    if upload.asymmetric:
        options["symmetrise"] = held.symmetrise
    data = held.made(lambda: _without(upload.dataset(**options), held.without))
    if isinstance(data, str):
        _refused(data)
        return
    by_hand, whole = held.by_hand, data.n
    if (whole > LARGE and data.domain != "graph") or whole > LIMITS.side:
        size, seed = st.columns(2)
        kind = "stratified" if data.classes else "random"
        large = most_rows() if data.domain in _SHORT else LIMITS.side
        most = min(whole, large)
        n = size.number_input(
            f"Rows, a {kind} sample of {whole:,}", 2, most, min(FIRST_ROWS, most), key=f"upload.n.{whole}",
            help=f"A Gram matrix compares each row with each: at most {MAX_ROWS:,} fit a page, or {large:,} with "
            "landmarks, when few rows stand for all.",
            persist_state="session",
        )  # fmt: skip
        number = seed.number_input(
            "Seed", 0, 2**32 - 1, 0, key="upload.seed", help="Which rows are drawn", persist_state="session"
        )
        try:
            data = data.stratified_sample(int(n), seed=int(number))
            by_hand += (("n", int(n)), ("seed", int(number))) if n < whole else ()
        except KernlibError as error:
            _refused(str(error))
            return
    _preview(data)
    single = tuple(name for name, count in data.class_counts.items() if count < 2)
    if single and len(data.classes) - len(single) > 1:
        many = f"{len(single)} classes" if len(single) > 1 else f"class {single[0][:40]}"
        st.button(
            plain(f"Leave out {many} with one row"), key=f"upload.without.{held.version}", on_click=held.leave_out,
            args=(single,), help="A class with one row cannot stand in a training and a test part.",
        )  # fmt: skip
    signature = (data.digest, data.fill)
    asked = any(guess.question for guess in upload.guesses) or upload.missing or upload.asymmetric
    # A file is shown at once unless something is asked first; later, what one press changed is.
    at_once = held.again or (not held.taken and not held.changed and not asked)
    shown = (current.digest, current.fill) if current is not None else st.session_state.get("upload.loaded")
    loaded = shown == signature
    if any(guess.question for guess in upload.guesses) and not held.taken and not loaded:
        st.info("Look at the question above first; then use the data so, or as you say.", icon=":material/help:")
    pressed = st.button(
        "Use this data", type="primary", key="upload.use", disabled=loaded, icon=":material/check:",
        help="It is the data set that is shown." if loaded else None,
    )  # fmt: skip
    held.again = False
    if pressed or (at_once and not loaded):
        held.taken = True
        st.session_state["upload.loaded"] = signature
        on_loaded(data, by_hand)


def _without(data: Dataset, classes: tuple[str, ...]) -> Dataset:
    return data.without_classes(*classes) if classes else data


def _preview(data: Dataset) -> None:
    """Classes, what was done, and the first rows as a kernel will read them."""
    words = f"n = {data.n:,}" + (f", {data.d} columns" if data.d else "") + f", {_ROWS_WORDS[data.domain]}"
    counts = data.class_counts
    if counts:
        told = ", ".join(f"{name[:40]} {count:,}" for name, count in list(counts.items())[:8])
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
