"""Containers: bytes become parts by the one container that recognises their first bytes. A new one is a line here."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from ...errors import DataError
from ..files import (
    PACKED,
    File,
    Limits,
    as_text,
    check_names,
    content,
    decode,
    gunzipped,
    kind_of,
    listed,
    number_of,
    opened_zip,
    sanitize_name,
    shortened,
    unzipped,
    with_line_ends,
)
from ..table import Table, table_of_columns
from .arrays import read_numpy, read_scipy
from .delimited import mark_of, read_delimited
from .formats import read_arff, read_fasta, read_svmlight, read_uea
from .graphs import is_tudataset, read_gml, read_tudataset, read_xml
from .typed_tables import read_excel, read_json, read_parquet

__all__ = ["CONTAINERS", "Container", "parts_of"]


@dataclass(frozen=True)
class Container:
    """One container: `name` as text, `is_one` recognises it, `read` returns its part or parts."""

    name: str
    is_one: Callable[[File], object]
    read: Callable[[File], Table | tuple[Table, ...]]


def _head(pattern: str) -> Callable[[File], object]:
    """Recognise a text by its beginning."""
    return lambda file: re.match(pattern, file.head)


def _line(pattern: str, comments: tuple[str, ...]) -> Callable[[File], object]:
    """Recognise a text by its first line that is no comment."""
    return lambda file: re.match(pattern, next((one for one in file.lines if not one.startswith(comments)), ""))


def _is_svmlight(file: File) -> bool:
    """Return whether each line is a label and number:value pairs; a row of zeros is its label alone."""
    lines = [line for line in file.lines if not line.startswith("#")][:50]
    pairs = [re.match(r"\S+(\s+(qid|\d+):\S+)+", line) for line in lines]
    fits = all(pair or number_of(line.split("#")[0]) is not None for line, pair in zip(lines, pairs, strict=True))
    return bool(fits and any(pairs))


#: All containers, in the order in which they are tried; the last one reads any other text.
CONTAINERS: tuple[Container, ...] = (
    Container("NPY array", lambda file: file.raw.startswith(b"\x93NUMPY"), read_numpy),
    Container("NPZ arrays", lambda file: any(name.endswith(".npy") for name in file.members), read_numpy),
    Container("Excel sheet", lambda file: "xl/workbook.xml" in file.members, read_excel),
    Container("MATLAB arrays", lambda file: file.raw.startswith(b"MATLAB 5.0 MAT-file"), read_scipy),
    Container("Parquet table", lambda file: file.raw.startswith(b"PAR1"), read_parquet),
    Container("FASTA", _line(">", (";", "#")), read_fasta),
    # A column of a CSV file may be named [x].
    Container("JSON", _head(r"\[\s{0,100}([{\[\]\"\d-]|(null|true|false|NaN)\s{0,100},)|\{\s{0,100}[\"}]"), read_json),
    Container("UEA time series", _line("(?i)@(problemname|univariate|timestamps)", ("#",)), read_uea),
    Container("ARFF table", _line("(?i)@(relation|attribute)", ("%",)), read_arff),
    Container("Matrix Market", _head("(?i)%%matrixmarket"), read_scipy),
    # An XML name has no blank and no bracket, so each '<' is tested once.
    Container("GraphML or GEXF", _head(r"(?=<)[\s\S]*?<([^\s<>/:]{1,50}:)?(graphml|gexf)\b"), read_xml),
    Container("GML", _head(r"(?i)((#|creator|version|comment|directed)[^\n]*\n\s*+)*graph\s*+\["), read_gml),
    Container("SVMlight", _is_svmlight, read_svmlight),
    Container("Delimited text", lambda file: True, read_delimited),
)


def parts_of(
    name: str, raw: bytes, limits: Limits, choices: Mapping[str, Any], more: Mapping[str, bytes] | None = None
) -> tuple[Table, ...]:
    """Return what a file, the content of an archive, or several files that belong together hold.

    Raises DataError for a file that cannot be read; no other error leaves this function.
    """
    name = sanitize_name(name, 100) or "upload"
    if more:
        names = [name, *(sanitize_name(one, 100) or f"upload {i}" for i, one in enumerate(more))]
        check_names(names)
        files = dict(zip(names, (raw, *more.values()), strict=True))
        for n, r in files.items():
            content(r, n, limits)
        return _several(files, File(name, b"", limits, choices))
    return _parts(File(name, raw, limits, choices))


def _parts(file: File) -> tuple[Table, ...]:
    name, limits = file.name, file.limits
    raw = content(file.raw, name, limits)
    if file.inside and raw.startswith(PACKED):
        raise DataError(f"{name}: it is an archive inside the archive, which is not opened. Pack the files once.")
    inner = dataclasses.replace(limits, bytes=max(limits.bytes, limits.unpacked))
    if raw.startswith(b"\x1f\x8b"):
        title = name[:-3] if name.lower().endswith(".gz") else name
        whole = gunzipped(raw, name, limits)
        inside = _parts(dataclasses.replace(file, name=title, raw=whole, limits=inner, inside=True))
        return tuple(dataclasses.replace(part, container=f"{part.container}, gzipped") for part in inside)
    raw, note = as_text(raw)
    content(raw, name, dataclasses.replace(inner, bytes=4 * len(raw)))  # not empty without its marks
    file = dataclasses.replace(file, raw=raw)
    if file.is_zip:
        archive, infos = opened_zip(raw, name, limits)
        archive.close()
        file = dataclasses.replace(file, members=tuple(info.filename for info in infos))
    container = _recognised(file)
    if container is None:
        return _unpacked(raw, dataclasses.replace(file, limits=inner, inside=True))
    first, *more = parts if isinstance(parts := container.read(file), tuple) else (parts,)
    return dataclasses.replace(first, notes=(*note, *first.notes)), *more


def _recognised(file: File) -> Container | None:
    """Return the container of a file; None for a zip of other files; DataError for a kind that is not read."""
    found = next(one for one in CONTAINERS if one.is_one(file))
    if found is not CONTAINERS[-1]:
        return found
    # Only now: a workbook holds parts that other documents hold too.
    foreign = kind_of(file.raw[:8192], file.members)
    if foreign is not None:
        raise DataError(f"{file.name}: it is {foreign[0]}, which is not read. {foreign[1]}.")
    return None if file.is_zip else found


def _unpacked(raw: bytes, file: File) -> tuple[Table, ...]:
    """Return the parts of the one file in a zip, or of several that make one data set."""
    name = file.name
    files = unzipped(raw, name, file.limits)
    if not files:
        raise DataError(f"{name}: the zip holds no files; expected data files. Pack them again.")
    parts = _several(files, file)
    if len(files) > 1:
        return parts
    return tuple(dataclasses.replace(part, name=name, container=f"{part.container}, zipped") for part in parts)


def _several(files: Mapping[str, bytes], file: File) -> tuple[Table, ...]:
    """Return the parts of files that belong together: many graphs, texts by folder, or one or two tables."""
    name = file.name
    if is_tudataset(files):
        data = read_tudataset(files, name, file.limits)
        return (Table(name, "TUDataset", data=data, why="Files named _A and _graph_indicator hold many graphs."),)
    if len(files) < 3 and len({PurePosixPath(path).parent for path in files}) == 1:
        parts: list[Table] = []
        for path, raw in files.items():
            one = dataclasses.replace(file, name=sanitize_name(PurePosixPath(path).name, 100), raw=raw, members=())
            parts += _parts(one)
        return tuple(parts)
    return (_texts(files, file),)


def _texts(files: Mapping[str, bytes], file: File) -> Table:
    """Return texts from files; the folder of each is declared as its class."""
    paths = sorted(files)
    odd = next((path for path in paths if b"\0" in files[path][:8192] or kind_of(files[path][:8192])), None)
    starts = [with_line_ends(files[path][:20_000].decode("utf-8", "replace")) for path in paths[:3]]
    if odd is None and all(mark_of(start) or not any(map(str.isalpha, start)) for start in starts):
        odd = paths[0]
    if odd is not None:
        raise DataError(
            f"{file.name}: {len(files)} files, among them {listed(map(shortened, paths[:3]))}; expected one table, "
            f"texts in a folder per class, or a TUDataset, and {shortened(odd)} is no plain text. Pack those alone."
        )
    texts = [with_line_ends(decode(files[path], f"{file.name}: {sanitize_name(path)}")) for path in paths]
    folders = [PurePosixPath(path).parent.name for path in paths]
    labelled = len({*folders}) > 1
    declared = {"file": "id", "text": "compared"} | ({"folder": "predict"} if labelled else {})
    return table_of_columns(
        file.name,
        ["file", "text", "folder"],
        [paths, texts, folders],
        container="Text files, folders are classes" if labelled else "Text files",
        declared=declared,
        kinds={"text": "text"},
        limits=file.limits,
    )
