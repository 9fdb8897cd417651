"""Uploaded texts: JSON Lines as a table, and a zip of text files whose folders are the classes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from ..errors import DataError
from .dataset import Dataset
from .tables import Role, Table, table_of
from .uploads import LIMITS, Limits, Source, content, decode, said, shortened, tame, tamed

__all__ = ["read_json_lines", "read_text_folders"]

TEXT_ENDINGS = (".txt", ".text", ".md", ".eml", ".tex", "")


def read_json_lines(
    source: Source, name: str | None = None, *, roles: Mapping[str, Role] | None = None, limits: Limits = LIMITS
) -> Table:
    """A `Table` from JSON Lines: one object of words, numbers, true, false or null per line.

    Parameters: as for `read_table`. A key that a line leaves out is a missing cell there.

    Raises DataError, naming the line, for what is not JSON, not an object, nested or too large.

    >>> read_json_lines(b'{"text": "a b", "y": 1}\\n{"text": "c", "y": 0}\\n').n
    2
    """
    raw, name = content(source, name, limits)
    text = decode(raw, name, "JSON Lines")
    rows: list[dict[str, str]] = []
    names: dict[str, None] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        if len(rows) >= limits.rows:
            raise DataError(f"{name}: it has more than {limits.rows} lines, the most that is read. Draw a sample.")
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            why = "nested too deeply" if isinstance(error, RecursionError) else said(error)
            raise DataError(
                f"{name}: line {number} is not JSON ({why}); expected one object per line, e.g. "
                '{"text": "…", "label": "…"}. Write each record on a line of its own.'
            ) from None
        if not isinstance(found, dict):
            raise DataError(
                f"{name}: line {number} holds {type(found).__name__} {shortened(found)}; expected an object such as "
                '{"text": "…", "label": "…"}. Write each record on a line of its own.'
            )
        rows.append({key: _cell(value, key, number, name, limits) for key, value in found.items()})
        names.update(dict.fromkeys(found))
        if len(names) > limits.columns or len(rows) * len(names) > limits.cells:
            raise DataError(
                f"{name}: line {number} brings it to {len(names)} keys in {len(rows)} lines; expected at most "
                f"{limits.columns} keys and {limits.cells} cells. Keep the keys that are needed."
            )
    if not names:
        raise DataError(f"{name}: the objects hold nothing; expected keys such as text and label. Fill them.")
    return table_of(name, list(names), [[row.get(key, "") for key in names] for row in rows], roles)


def _cell(value: Any, key: str, number: int, name: str, limits: Limits) -> str:
    if isinstance(value, (dict, list)):
        raise DataError(
            f"{name}: line {number}, {shortened(key)} holds {'a list' if isinstance(value, list) else 'an object'}; "
            "expected words or a number. Flatten it."
        )
    word = "" if value is None else str(value)
    if len(word) > limits.letters:
        raise DataError(
            f"{name}: line {number}, {shortened(key)} has {len(word)} letters; expected at most {limits.letters}. "
            "Shorten it."
        )
    # JSON can spell half a character; such a thing cannot be written as UTF-8 again.
    return word.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")


def read_text_folders(files: Mapping[str, bytes], name: str, limits: Limits = LIMITS) -> Dataset:
    """Texts from the files of an unpacked zip; the folder of each is its class.

    Parameters: `files`, path in the archive → content; `name` of the archive; `limits`.

    Raises DataError for too many or too long files, for what is not UTF-8 text, for fewer than two.

    >>> read_text_folders({"a/1.txt": b"one two", "b/1.txt": b"three"}, "t.zip").class_counts
    {'a': 1, 'b': 1}
    """
    if len(files) > limits.rows:
        raise DataError(f"{name}: it holds {len(files)} texts; expected at most {limits.rows}. Draw a sample.")
    paths = sorted(files)
    texts: list[str] = []
    for path in paths:
        if len(files[path]) > limits.letters:
            raise DataError(
                f"{name}: {shortened(path)} has {len(files[path])} bytes; expected at most {limits.letters}. "
                "Shorten it."
            )
        texts.append(decode(files[path], f"{name}: {tame(path)}", "text") if files[path] else "")
    if len(paths) < 2:
        raise DataError(f"{name}: at least two texts are needed; got {len(paths)}. Add files.")
    folders = [PurePosixPath(path).parent.name for path in paths]
    labelled = len(set(folders)) > 1
    if labelled and not all(folders):
        loose = paths[folders.index("")]
        raise DataError(
            f"{name}: {shortened(loose)} lies in no folder; expected one folder per class. Move it into one."
        )
    return Dataset(
        Path(name).name.split(".")[0] or "texts", name, "text", np.array(texts, dtype=object),
        y=np.array(tamed(folders), dtype=np.str_) if labelled else None, ids=tuple(tame(path) for path in paths),
        source=f"upload {name}", note="The folder of each file is its class." if labelled else "",
    )  # fmt: skip
