"""Recognise any uploaded file by its content and read it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from ..errors import DataError
from ..values.domains import Domain
from .encodings import as_utf8
from .formats import recognised
from .formats.archives import gunzipped, opened_zip, unzipped
from .formats.base import File
from .formats.bundles import bundled
from .guesses import Reading
from .layout import plain_layout
from .reading import Upload
from .uploads import LIMITS, Limits, content, is_binary, not_text, plain_text, sanitize_name, shortened


def read_upload(
    name: str,
    data: bytes,
    reading: Reading | None = None,
    *,
    more: Mapping[str, bytes] | None = None,
    limits: Limits = LIMITS,
    **asked: Any,
) -> Upload:
    """Recognise a file by its content; the ending of its name is only a hint.

    Parameters
    ----------
    name, data : the file's name and bytes.
    reading, asked : how the file is to be read: a `Reading`, or its fields by name. `Upload.guesses` lists what was
        guessed, with the other readings.
    more : further files that belong to it, name → bytes: a node table beside edges or an adjacency matrix, a table of
        pairs beside a matrix, the files of a TUDataset. A zip of all files is equivalent.
    limits : bytes, rows, columns, …; all are checked before memory is allocated.

    Read are the formats of `kernlib.data.formats.FORMATS`, also gzipped and zipped: tables (CSV, TSV, ARFF, Excel,
    Parquet, JSON), arrays (NPY, NPZ, MATLAB, SVMlight), sequences (FASTA, SMILES), graphs (GraphML, GML, lists of
    edges), square matrices of scores; and a TUDataset, texts by folder and pairs over a matrix as several files.

    Raises
    ------
    DataError : for everything else, with the name of the format; no other error leaves this function.

    Example
    -------
    >>> read_upload("g.csv", b"from,to\\na,b\\nb,c\\n").dataset()
    Dataset('g', node, n=3)
    >>> read_upload("pages.jsonl", b'{"text": "a b"}\\n{"text": "b c"}\\n').reason
    'One JSON object per line.'
    """
    name = sanitize_name(name, 100) or "upload"
    reading = dataclasses.replace(reading or Reading(), **asked)
    file = File(name, b"", limits, **reading.asked)
    if more:
        files = {name: data} | {sanitize_name(n, 100) or f"upload {i}": raw for i, (n, raw) in enumerate(more.items())}
        if len(files) != 1 + len(more):
            raise DataError(f"{name}: two files have the same name; expected different ones. Rename one of them.")
        for n, raw in files.items():
            content(raw, n, limits)
        upload = _bundle(files, file)
    else:
        upload = _recognised(name, data, file)
    return upload.as_asked(reading)


def _recognised(name: str, data: bytes, asked: File) -> Upload:
    """Return the upload of a file, or of the content of an archive, read as `asked`."""
    raw, name = content(data, name, asked.limits)
    inner = dataclasses.replace(asked.limits, bytes=max(asked.limits.bytes, asked.limits.unpacked))
    if raw.startswith(b"\x1f\x8b"):
        title = name[:-3] if name.lower().endswith(".gz") else name
        unpacked = dataclasses.replace(asked, limits=inner)
        inside = _recognised(title, gunzipped(raw, name, asked.limits), unpacked)
        return dataclasses.replace(inside, name=name, format=f"{inside.format}, gzipped")
    raw, guess = as_utf8(raw, name, asked.encoding)
    plain = content(plain_text(raw), name, dataclasses.replace(inner, bytes=4 * len(raw)))[0]  # not empty without marks
    file = dataclasses.replace(asked, name=name, raw=plain)
    if file.is_zip:
        archive, infos = opened_zip(raw, name, asked.limits)
        archive.close()
        file = dataclasses.replace(file, members=tuple(info.filename for info in infos))
    upload = recognised(file)
    if upload is None:
        return _zip(raw, dataclasses.replace(asked, name=name, limits=inner))
    text = b"\0" not in plain[:8192] and not is_binary(plain) and not not_text(plain)
    upload = dataclasses.replace(upload, lines=plain_layout(plain) if text else None)
    return upload if guess is None else dataclasses.replace(upload, file_guesses=(guess, *upload.file_guesses))


def _zip(raw: bytes, asked: File) -> Upload:
    """Return the upload of the one file in a zip, or of several that make one data set."""
    name = asked.name
    files = unzipped(raw, name, asked.limits)
    if not files:
        raise DataError(f"{name}: the zip holds no files; expected data files. Pack them again.")
    if len(files) > 1:
        return dataclasses.replace(_bundle(files, asked), name=name)
    ((path, inside),) = files.items()
    if not inside:
        raise DataError(f"{name}: the member {shortened(path)} is empty; expected rows of values. Fill it.")
    upload = _recognised(sanitize_name(PurePosixPath(path).name, 100), inside, asked)
    return dataclasses.replace(upload, name=name, format=f"{upload.format}, zipped")


def _bundle(files: Mapping[str, bytes], asked: File) -> Upload:
    def read(name: str, raw: bytes, domain: Domain | None) -> Upload:
        return _recognised(name, raw, dataclasses.replace(asked, domain=domain, part=""))

    return bundled(files, asked.name, asked.domain, asked.limits, read)
