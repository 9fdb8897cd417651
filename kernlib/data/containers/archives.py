"""Zip and gzip archives, unpacked in memory under limits that are checked during unpacking."""

from __future__ import annotations

import io
import re
import stat
import zipfile
import zlib

from ...errors import DataError
from ..uploads import Limits, parser_errors, shortened, size_words

_CHUNK = 1 << 16
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: Files that file managers add to archives.
_LITTER = re.compile(r"(^|/)(__MACOSX/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._)")
_ARCHIVES = (".zip", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".tar", ".zst")
_PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!")


def gunzipped(raw: bytes, name: str, limits: Limits) -> bytes:
    """Return the content of a gzip file, at most `limits.unpacked` bytes of it at any time.

    Raises DataError for a damaged or cut file, one that expands beyond the limit, or an archive inside it.

    >>> import gzip
    >>> gunzipped(gzip.compress(b"x,y"), "t.csv.gz", Limits())
    b'x,y'
    """
    parts: list[bytes] = []
    view = memoryview(raw)
    place = size = members = 0
    with parser_errors(f"{name}: the gzip file is damaged", "Download or pack it again."):
        while raw.startswith(b"\x1f\x8b", place):  # a gzip file may consist of several members
            members += 1
            if members > limits.members:
                raise DataError(
                    f"{name}: the gzip file has more than {limits.members} members, the maximum. "
                    "Unpack it and pack it again."
                )
            engine = zlib.decompressobj(wbits=31)
            pending = b""
            while not engine.eof:
                if not pending:
                    pending = bytes(view[place : place + _CHUNK])
                    place += len(pending)
                    if not pending:
                        raise DataError(f"{name}: the gzip file ends too early. Download or pack it again.")
                parts.append(engine.decompress(pending, _CHUNK))
                pending = engine.unconsumed_tail
                size += len(parts[-1])
                if size > limits.unpacked:
                    raise DataError(
                        f"{name}: it expands to more than {size_words(limits.unpacked)}, the maximum "
                        f"({size_words(len(raw))} packed). Draw a sample of its rows."
                    )
            place -= len(engine.unused_data)
    content = b"".join(parts)
    if content.startswith(_PACKED):
        raise DataError(f"{name}: it holds an archive inside an archive, which is not opened. Pack the files once.")
    return content


def opened_zip(raw: bytes, name: str, limits: Limits) -> tuple[zipfile.ZipFile, list[zipfile.ZipInfo]]:
    """Return the archive and those of its members that may be read, all checked from the directory alone.

    Raises DataError for too many members, an announced size beyond the limit, a name that leaves the archive, a
    link, an encrypted member, a name twice, an unusual method, an archive inside the archive.
    """
    # The directory itself could fill the memory: its entries are counted before it is read.
    count = raw.count(b"PK\x01\x02")
    if count > limits.members:
        raise DataError(
            f"{name}: the zip holds {count} files; expected at most {limits.members}. Pack fewer, or use one table."
        )
    with parser_errors(f"{name}: the archive is damaged", "Pack it again."):
        archive = zipfile.ZipFile(io.BytesIO(raw))
    members = [m for m in archive.infolist() if not m.filename.endswith("/") and not _LITTER.search(m.filename)]
    total, names = 0, set()
    for m in members:
        who = f"{name}: the member {shortened(m.filename)}"
        parts = m.filename.replace("\\", "/").split("/")
        if (
            not m.filename
            or m.orig_filename.startswith(("/", "\\"))
            or ".." in parts
            or ":" in parts[0]
            or "\0" in m.orig_filename
        ):
            raise DataError(f"{who} points outside the archive; expected a plain name. Pack the folder itself again.")
        if stat.S_ISLNK(m.external_attr >> 16):
            raise DataError(f"{who} is a link, which is not followed; expected a file. Pack the file itself.")
        if m.flag_bits & 0x1:
            raise DataError(f"{who} is encrypted; expected a zip without a password. Pack it without one.")
        if m.compress_type not in _METHODS:
            raise DataError(f"{who} is packed by method {m.compress_type}; expected deflate. Pack it as a usual zip.")
        if m.filename.lower().endswith(_ARCHIVES):
            raise DataError(f"{who} is an archive inside the archive, which is not opened. Pack the files once.")
        if m.filename in names:
            raise DataError(f"{who} occurs twice; expected different names. Rename one of them.")
        names.add(m.filename)
        total += m.file_size
    if total > limits.unpacked:
        raise DataError(
            f"{name}: its directory announces {size_words(total)}; expected at most {size_words(limits.unpacked)} "
            "unpacked. Draw a sample of the rows."
        )
    return archive, members


def unzipped(raw: bytes, name: str, limits: Limits) -> dict[str, bytes]:
    """Return the files of a zip by name, none of them on disk, none longer than it announced.

    Raises DataError as `opened_zip`, and for a damaged member or one that unpacks to more than announced.
    """
    archive, members = opened_zip(raw, name, limits)
    contents: dict[str, bytes] = {}
    with archive:
        for m in members:
            who = f"{name}: the member {shortened(m.filename)}"
            with parser_errors(f"{who} is damaged", "Pack the archive again."), archive.open(m) as stream:
                content = stream.read(m.file_size + 1)
            if len(content) > m.file_size:
                raise DataError(f"{who} unpacks to more than the {m.file_size} bytes announced. Pack it again.")
            if content.startswith(_PACKED):
                raise DataError(f"{who} is an archive inside the archive, which is not opened. Pack the files once.")
            contents[m.filename] = content
    return contents
