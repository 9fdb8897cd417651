"""The one door for uploads: what a file is, by its content; what it is taken for, and why; a data set."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import PurePosixPath

from ..errors import DataError
from ..values.domains import Domain
from .encodings import as_utf8
from .formats import recognised
from .formats.archives import gunzipped, opened_zip, unzipped
from .formats.base import File
from .formats.bundles import bundled
from .reading import Upload
from .tables import Role
from .uploads import LIMITS, Limits, content, shortened, tame

__all__ = ["read_upload"]


def read_upload(
    name: str,
    data: bytes,
    *,
    more: Mapping[str, bytes] | None = None,
    domain: Domain | None = None,
    roles: Mapping[str, Role] | None = None,
    header: bool | None = None,
    part: str = "",
    encoding: str = "",
    limits: Limits = LIMITS,
) -> Upload:
    """What a file is, recognised by its content; its name's ending is only a hint.

    Parameters
    ----------
    name, data : the file's name and bytes.
    more : further files that belong to it, name → bytes: a node table beside edges or an adjacency matrix, a table of
        pairs beside a matrix, the files of a TUDataset. A zip of them does as well.
    domain : what its rows are; None guesses.
    roles : column name → role, over the guessed ones.
    header : whether the first line of a table holds names; None guesses.
    part : the part of the file that is read where there are several: the sheet of a workbook, the array of an NPZ or
        MATLAB file, or of its labels; "" guesses, and `guesses` says what else there is.
    encoding : of text that is not UTF-8, a name of `kernlib.data.encodings.ENCODINGS`; "" guesses, and `guesses` says
        what was taken for what.
    limits : bytes, rows, columns, …; all are checked before memory is taken.

    Read are the formats of `kernlib.data.formats.FORMATS`, also gzipped and zipped: tables (CSV, TSV, ARFF, Excel,
    Parquet, JSON), arrays (NPY, NPZ, MATLAB, SVMlight), sequences (FASTA, SMILES), graphs (GraphML, GML, lists of
    edges), square matrices of scores; and a TUDataset, texts by folder and pairs over a matrix as several files.

    Raises
    ------
    DataError : for everything else, named as what it is; no other error leaves this function.

    Example
    -------
    >>> read_upload("g.csv", b"from,to\\na,b\\nb,c\\n").dataset()
    Dataset('g', node, n=3)
    >>> read_upload("pages.jsonl", b'{"text": "a b"}\\n{"text": "b c"}\\n').reason
    'One JSON object per line.'
    """
    name = tame(name, 100) or "upload"
    asked = File(name, b"", limits, domain, header, part, encoding=encoding)
    if more:
        files = {name: data} | {tame(n, 100) or f"upload {i}": raw for i, (n, raw) in enumerate(more.items())}
        if len(files) != 1 + len(more):
            raise DataError(f"{name}: two files have the same name; expected different ones. Rename one of them.")
        for n, raw in files.items():
            content(raw, n, limits)
        upload = _bundle(files, asked)
    else:
        upload = _recognised(name, data, asked)
    return upload.with_roles(roles) if roles else upload


def _recognised(name: str, data: bytes, asked: File) -> Upload:
    """A file, or what is in it where it is packed, as `asked`."""
    raw, name = content(data, name, asked.limits)
    inner = dataclasses.replace(asked.limits, bytes=max(asked.limits.bytes, asked.limits.unpacked))
    if raw.startswith(b"\x1f\x8b"):
        plain = name[:-3] if name.lower().endswith(".gz") else name
        unpacked = dataclasses.replace(asked, limits=inner)
        found = _recognised(plain, gunzipped(raw, name, asked.limits), unpacked)
        return dataclasses.replace(found, name=name, format=f"{found.format}, gzipped")
    raw, guess = as_utf8(raw, name, asked.encoding)
    file = dataclasses.replace(asked, name=name, raw=raw)
    if file.is_zip:
        archive, infos = opened_zip(raw, name, asked.limits)
        archive.close()
        file = dataclasses.replace(file, members=tuple(info.filename for info in infos))
    upload = recognised(file)
    if upload is None:
        return _zip(raw, dataclasses.replace(asked, name=name, limits=inner))
    return upload if guess is None else dataclasses.replace(upload, said=(guess, *upload.said))


def _zip(raw: bytes, asked: File) -> Upload:
    """The one file in a zip, or several that are one data set."""
    name = asked.name
    files = unzipped(raw, name, asked.limits)
    if not files:
        raise DataError(f"{name}: the zip holds no files; expected data files. Pack them anew.")
    if len(files) > 1:
        return dataclasses.replace(_bundle(files, asked), name=name)
    ((path, inside),) = files.items()
    if not inside:
        raise DataError(f"{name}: the member {shortened(path)} is empty; expected rows of values. Fill it.")
    found = _recognised(tame(PurePosixPath(path).name, 100), inside, asked)
    return dataclasses.replace(found, name=name, format=f"{found.format}, zipped")


def _bundle(files: Mapping[str, bytes], asked: File) -> Upload:
    def read(name: str, raw: bytes, domain: Domain | None) -> Upload:
        return _recognised(name, raw, dataclasses.replace(asked, domain=domain, part=""))

    return bundled(files, asked.name, asked.domain, asked.limits, read)
