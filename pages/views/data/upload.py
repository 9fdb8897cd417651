"""The upload panel: a file, what was guessed about it, and the data set that it becomes.

An upload stays in its session: nothing is cached across sessions, and nothing is written to disk.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any, get_args

import pandas as pd
import streamlit as st

from kernlib import KernlibError
from kernlib.data import LIMITS, Dataset, Guess, Role, Upload
from kernlib.errors import TooManyEntriesError
from kernlib.kinds import KINDS
from pages.parts.inputs.plain import plain
from pages.parts.server import large, run_queue
from pages.parts.server.holder import deferred
from pages.parts.session.uploaded import (
    UploadedFile,
    change,
    emptied,
    forget,
    leave_out,
    note_shown,
    reset_reading,
    set_sample,
    take,
    uploaded_file,
)
from pages.views.data import as_read
from pages.views.data.templates import TEMPLATES

#: Receives the data set, and the choices as parameters of a run that reads the file again.
OnLoaded = Callable[[Dataset, tuple[tuple[str, Any], ...]], None]

_SHOWN = 300
#: So many guesses are shown; the others are folded.
_GUESSES = 5
_GAPS = {
    "drop": "drop these rows",
    "drop all": "drop these rows, and those without a category",
    "mean": "fill with the column's mean in the training rows",
    "most_frequent": "fill with the most frequent value in the training rows",
    "class": "make a class of the missing labels",
}
_HALVES = {"mean": "the mean of each entry and its mirror image", "max": "the larger of the two"}


def draw(on_loaded: OnLoaded, current: Dataset | None = None) -> bool:
    """Draw the panel; return whether an open question keeps the file from being used.

    `on_loaded` receives the data set when it is to be shown, and the page runs again; after an error nothing changes.
    `current` is what the page shows now; without it the panel remembers what it passed on last.
    """
    files = st.file_uploader(
        "Your own data",
        accept_multiple_files=True,
        key="upload.files",
        on_change=deferred(emptied),
        max_upload_size=LIMITS.bytes // 2**20,
        help=f"{LIMITS.words()} 100,000 rows of 20 numbers take about 10 s. "
        "The file stays in this session and is discarded when it ends.",
    )
    st.caption(
        "Tables: CSV, TSV, Excel, Parquet, ARFF, JSON. Arrays: NPY, NPZ, MATLAB, SVMlight. Sequences: FASTA, SMILES. "
        "Graphs: GraphML, GML, edge lists, a TUDataset zip. Matrices of edges, scores or distances. Texts: a zip "
        "with one folder per class. Two files: edges with a node table, or pairs with a matrix."
    )
    st.caption(
        f"For a file of more than {LIMITS.bytes // 2**20} MB use the command line. `python -m kernlib advise FILE` "
        "proposes kernels; `python -m kernlib gram` computes a matrix of any size."
    )
    _templates()
    try:
        file = uploaded_file(files)
    except KernlibError as error:
        _refused(str(error))
        return False
    if file is None:
        return False
    if not files:
        kept, away = st.columns([5, 1], vertical_alignment="center")
        kept.markdown(f"{plain(file.name[:100])} is still loaded, with your choices.")
        away.button(
            "Remove", key="upload.forget", on_click=deferred(forget), type="tertiary", help="Discard the uploaded file"
        )
    try:
        with st.spinner("Reading the file"), run_queue.reading(file.size):
            upload = file.upload(LIMITS)
    except KernlibError as error:
        _refused(str(error))
        if file.changed:
            st.button(
                "Reset to guesses", key="upload.anew", on_click=deferred(reset_reading), help="Undo all your choices"
            )
        _without_browser(file, square=isinstance(error, TooManyEntriesError) and len({*error.shape}) == 1)
        return False
    _questions(file, upload)
    return _result(file, upload, on_loaded, current)


def _templates() -> None:
    """Draw the menu of templates."""
    with st.popover("Templates", icon=":material/download:", help="Download a small example of each format"):
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
    st.caption("The page still shows the previous data set.")


def _without_browser(file: UploadedFile, square: bool) -> None:
    """Draw the command that reads a file too large for the browser; nothing for a small file.

    A `square` array is read as scores.
    """
    if file.size < run_queue.LARGE:
        return
    if square:
        st.caption("The command line reads a matrix of scores as large as memory allows:")
    else:
        st.caption(
            "The command line reads a file as large as memory allows. For scores use "
            '"Precomputed()", for numbers "RBF()", for sequences "Spectrum()", with the quotation marks. '
            "`python -m kernlib advise FILE` proposes a kernel."
        )
    kernel = "Precomputed()" if square else "KERNEL"
    names = [name for name, _ in file.files]
    words = ["python", "-m", "kernlib", "gram", kernel, *names, "--leading", "50", "--pairs", "pairs.npz"]
    st.code(shlex.join(words), language="console", wrap_lines=True)


def _questions(file: UploadedFile, upload: Upload) -> None:
    """Draw the format, the guesses with their alternatives, and the menus of open choices."""
    st.markdown(f"**{plain(upload.format)}**: {plain(upload.reason)}")
    _guesses(file, upload)
    if upload.names_without_labels or file.reading.name_label:
        _labels_in_names(file, upload)
    as_read.draw(file, upload)
    places = st.columns(3)
    if len(upload.domains) > 1:
        options = ["", *upload.domains]
        guess = "as guessed" if file.reading.domain else f"as guessed: {KINDS[upload.domain].called}"
        _controlled(
            places[0], file, "Rows are", options, file.reading.domain or "", "domain",
            lambda d: KINDS[d].called if d else guess,
        )  # fmt: skip
    if upload.missing:
        _missing(file, upload)
    if upload.table is not None:
        _columns(file, upload, places)
    if upload.asymmetric:
        _controlled(
            st, file, "The matrix is not symmetric", list(_HALVES), file.reading.symmetrise, "symmetrise",
            _HALVES.__getitem__, placeholder="Choose how to make it symmetric",
        )  # fmt: skip


def _labels_in_names(file: UploadedFile, upload: Upload) -> None:
    """Draw the pattern that finds labels in the names of a matrix' rows, with what it finds."""
    key = f"upload.name_label.{file.version}"
    with st.expander("Labels in the names of the rows", expanded=bool(file.reading.name_label)):
        st.text_input(
            "Pattern", file.reading.name_label, key=key, placeholder="([^_]+)_", max_chars=100,
            on_change=deferred(lambda: change(name_label=st.session_state[key].strip())),
            help="A regular expression, read from the beginning of each name. Its first group, or all of it, is the "
            "label. Or upload a second file with a name and a label in each line.",
        )  # fmt: skip
        if file.reading.name_label and upload.table is not None:
            names, labels = upload.table.column("name"), upload.table.column("label")
            shown = dict(zip(labels, names, strict=True)).items()  # an example of each label
            examples = ", ".join(f"{name[:40]} → {label[:40] or 'no label'}" for label, name in list(shown)[:4])
            st.caption(plain(f"{len(shown)} labels: {examples}"))


def _missing(file: UploadedFile, upload: Upload) -> None:
    """Ask how missing cells are handled: one click answers and shows the data, a menu then changes the answer."""
    cells = "1 missing cell" if upload.missing == 1 else f"{upload.missing} missing cells"
    ways = _ways(upload)
    if file.reading.missing in ways:
        _controlled(st, file, cells, list(ways), file.reading.missing, "missing", ways.__getitem__)
        return
    others = 0 if upload.table is None or upload.content is not None else upload.table.missing - upload.missing
    beside = f" ({others} more in categorical columns need no choice)" if others else ""
    st.markdown(f":material/help: **{cells}**{beside}. Choose how to handle them:")
    with st.container(horizontal=True, gap="small"):
        for way, words in ways.items():
            st.button(
                f"{words[0].upper()}{words[1:]}", key=f"upload.missing.{file.version}.{way}",
                on_click=deferred(change, True, missing=way),
                  width="content",
            )  # fmt: skip


def _controlled(
    place: Any, file: UploadedFile, label: str, options: list[Any], value: Any, what: str, words: Callable[[Any], str],
    **more: Any,
) -> Any:  # fmt: skip
    """Draw a menu of one field of the reading."""
    key = f"upload.{what}.{file.version}"

    def chosen() -> None:
        change(**{what: st.session_state[key]})

    index = options.index(value) if value in options else None
    return place.selectbox(label, options, index=index, key=key, format_func=words, on_change=deferred(chosen), **more)


def _guesses(file: UploadedFile, upload: Upload) -> None:
    """Draw each guess as a sentence, with a button for each other reading."""
    asked = [g for g in upload.guesses if g.question and g.sentence not in file.accepted]
    for number, guess in enumerate(asked):
        as_read.question(file, upload, guess, number)
    rest = [g for g in upload.guesses if not g.question]
    first, more = rest[:_GUESSES], rest[_GUESSES:]
    for number, guess in enumerate(first, start=len(asked)):
        _guess(file, guess, number)
    if more:
        with st.expander(f"{len(more)} more guesses"):
            for number, guess in enumerate(more, start=len(asked) + len(first)):
                _guess(file, guess, number)
    if file.changed:
        st.button(
            "Reset to guesses", key="upload.anew", on_click=deferred(reset_reading), type="tertiary",
            icon=":material/undo:",
            help="Undo all your choices",
        )  # fmt: skip


def _guess(file: UploadedFile, guess: Guess, number: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(
            f":material/lightbulb: {plain(guess.sentence)}", width="stretch" if len(guess.sentence) > 70 else "content"
        )
        for place, choice in enumerate(guess.choices):
            st.button(
                plain(choice.words), key=f"upload.guess.{file.version}.{number}.{place}",
                on_click=deferred(take, choice), width="content",
            )  # fmt: skip


def _ways(upload: Upload) -> dict[str, str]:
    """Return how missing cells can be handled; dropping rows comes last where few rows remain."""
    ways: dict[str, str] = {}
    if KINDS[upload.domain].fills:
        ways |= {name: _GAPS[name] for name in ("mean", "most_frequent")}
    if upload.table is not None and any(c.role == "label" and c.missing for c in upload.table.columns):
        ways["class"] = _GAPS["class"]
    rows, classes, of = _left(upload)
    if rows < 2:
        return ways
    few = rows < max(10, of / 2) or (classes == 1)
    one = ", of one class only" if classes == 1 else ""
    drop = {"drop": f"{_GAPS['drop']}: {rows} of {of} remain{one}"}
    return ways | drop if few else drop | ways


def _left(upload: Upload) -> tuple[int, int, int]:
    """Return the numbers of rows and classes after dropping rows with missing cells, and the number of all rows."""
    if upload.table is not None:
        rows, classes = upload.table.left_after_dropping(upload.domain if upload.content is None else None)
        return rows, classes, upload.table.n
    try:
        left, filled = upload.dataset(missing="drop"), upload.dataset(missing="mean")
    except KernlibError:
        return 0, 0, 0
    return left.n, sum(count > 0 for count in left.class_counts.values()), filled.n


def _columns(file: UploadedFile, upload: Upload, places: Any) -> None:
    """Draw the menus of the label and its task, and the table of the columns' roles."""
    table = upload.table
    assert table is not None
    names = [c.name for c in table.columns][:_SHOWN]
    label = next((c.name for c in table.columns if c.role == "label"), "")
    version = file.version
    key = f"upload.label.{version}"

    def moved() -> None:
        roles = table.with_label(st.session_state[key] or None).roles
        change(roles={n: r for n, r in roles.items() if r != table.roles[n]})

    places[1].selectbox(
        "Label", ["", *names], index=names.index(label) + 1 if label in names else 0, key=key,
        on_change=deferred(moved),
        format_func=lambda n: n[:80] or "none",
        help="The column to predict. Views that need labels say so where there are none.",
    )  # fmt: skip
    if label:
        tasks = {"": "as guessed", "classification": "classes", "regression": "real numbers"}
        _controlled(places[2], file, "Label holds", list(tasks), file.reading.task or "", "task", tasks.__getitem__)
    shown = table.columns[:_SHOWN]
    with st.expander(f"Roles of the {len(table.columns)} columns", expanded=len(shown) <= 12):
        before = pd.DataFrame(
            {
                "column": [c.name for c in shown],
                "role": [c.role for c in shown],
                "reason": [c.reason for c in shown],
                "missing": [c.missing for c in shown],
                "distinct": [c.distinct for c in shown],
                "first cells": [", ".join(str(x)[:20] for x in table.column(c.name)[:3]) for c in shown],
            }
        )
        after = st.data_editor(
            before,
            key=f"upload.roles.{version}",
            hide_index=True,
            disabled=["column", "reason", "missing", "distinct", "first cells"],
            column_config={"role": st.column_config.SelectboxColumn(options=get_args(Role), required=True)},
            height="auto" if len(shown) < 12 else 420,
            alt="The role of each column of the upload",
        )
        if len(table.columns) > _SHOWN:
            st.caption(f"The first {_SHOWN} of {len(table.columns)} columns.")
    given = {c.name: role for c, role in zip(shown, after["role"], strict=True) if role != c.role}
    if given:
        _set_roles(file, upload, given)


def _set_roles(file: UploadedFile, upload: Upload, given: dict[str, Role]) -> None:
    """Set the roles from the table; a second label or group replaces the first."""
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
    change(roles=given)
    st.rerun()


def _result(file: UploadedFile, upload: Upload, on_loaded: OnLoaded, current: Dataset | None) -> bool:
    """Draw the data set and the button that shows it; return whether a question is open."""
    reading = file.reading
    open_questions = (upload.missing and reading.missing not in _ways(upload)) or (
        upload.asymmetric and not reading.symmetrise
    )
    if open_questions:
        st.info("Make the choice above; then the data can be used.", icon=":material/help:")
        return not file.taken
    try:
        with st.spinner("Preparing the rows"), run_queue.reading(file.size):
            data = file.made(lambda: upload.dataset(reading))
    except KernlibError as error:
        _refused(str(error))
        return False
    by_hand, whole = reading.parameters, data.n
    if whole > data.row_kind.large:
        n, drawn = _sample_controls(file, data)
        try:
            data = data.stratified_sample(n, seed=drawn)
        except KernlibError as error:
            _refused(str(error))
            return False
        by_hand += (("n", n), ("seed", drawn)) if n < whole else ()
    _preview(data)
    single = tuple(name for name, count in data.class_counts.items() if count < 2)
    if single and len(data.classes) - len(single) > 1:
        many = f"{len(single)} classes" if len(single) > 1 else f"class {single[0][:40]}"
        st.button(
            plain(f"Leave out {many} with one row"), key=f"upload.without.{file.version}",
            on_click=deferred(leave_out, single),
            help="A class with one row cannot be in both training and test rows.",
        )  # fmt: skip
    signature = (data.digest, data.fill)
    question = file.open_question(upload)
    # A file is shown at once unless a question is open; later, the result of each click is.
    at_once = (file.again and not (question and not file.taken)) or not (
        file.taken or file.changed or question or upload.missing or upload.asymmetric
    )
    shown = (current.digest, current.fill) if current is not None else file.shown
    if shown == signature:
        note_shown(data)
        st.caption(":material/check: The pages show this data.")
        return False
    waits = question and not (file.taken or at_once)
    if waits:
        st.info("Answer the question above, or accept the guess with *Use this data*.", icon=":material/help:")
    pressed = st.button("Use this data", type="primary", key="upload.use", icon=":material/check:")
    if pressed or at_once:
        # First the state, then that it is shown: a run that ends in between notes it the next time.
        on_loaded(data, by_hand)
        note_shown(data)
        st.rerun()
    return waits


def _sample_controls(file: UploadedFile, data: Dataset) -> tuple[int, int]:
    """Draw how many rows are drawn from a large file, and the seed; return both."""
    size, seed = st.columns(2)
    kind = "stratified" if data.classes else "random"
    has_landmarks = not data.row_kind.together
    largest = large.most_rows() if has_landmarks else LIMITS.side
    most = min(data.n, largest)
    shown = f"A page shows at most {large.MAX_ROWS if has_landmarks else largest:,} rows"
    shown += f", or {largest:,} by landmark rows (Nyström)." if has_landmarks else "."
    n, drawn = min(file.sample[0] or data.row_kind.first_rows, most), file.sample[1]
    key = f"upload.n.{data.n}"
    size.number_input(
        f"Rows, a {kind} sample of {data.n:,}", 2, most, n, key=key,
        help=f"A Gram matrix compares all pairs of rows. {shown}",
        on_change=deferred(lambda: set_sample(int(st.session_state[key]), drawn)),
    )  # fmt: skip
    seed.number_input(
        "Seed", 0, 2**32 - 1, drawn, key="upload.seed", help="Which rows are drawn",
        on_change=deferred(lambda: set_sample(n, int(st.session_state["upload.seed"]))),
    )  # fmt: skip
    return n, drawn


def _preview(data: Dataset) -> None:
    """Draw the size, the classes, the note, and the first rows as the kernel reads them."""
    words = f"n = {data.n:,}" + (f", {data.d} columns" if data.d else "") + f", {data.row_kind.called}"
    counts = data.class_counts
    if counts:
        shown = ", ".join(f"{name[:40]} ({count:,})" for name, count in list(counts.items())[:8])
        words += f"; classes {shown}{', …' if len(counts) > 8 else ''}"
    elif data.task == "regression":
        words += "; the label is a real number"
    else:
        words += "; no label"
    if data.groups is not None:
        sizes = data.group_counts
        shown = ", ".join(f"{name[:40]} {count}" for name, count in list(sizes.items())[:8])
        words += f"; {len(sizes)} groups of rows that belong together, {shown}{', …' if len(sizes) > 8 else ''}"
    st.caption(plain(words))
    if data.note:
        st.caption(plain(data.note))
    for warning in data.warnings:
        st.warning(plain(warning))
    if data.row_kind.tabular:
        with st.expander("The first rows as the kernel reads them"):
            st.dataframe(pd.DataFrame(data.rows[:5, :50], columns=_apart(data.columns[:50])), hide_index=True)


def _apart(names: tuple[str, ...]) -> list[str]:
    """Return the names with numbers behind repeated ones, as a table needs them."""
    return [name if names.index(name) == j else f"{name} ({j + 1})" for j, name in enumerate(names)]
