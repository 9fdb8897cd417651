"""Uploaded texts: text files whose folders are the classes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

import numpy as np

from ...errors import DataError
from ..dataset import Dataset
from ..uploads import LIMITS, Limits, decode, sanitize_name, shortened, stem, tamed

TEXT_ENDINGS = (".txt", ".text", ".md", ".eml", ".tex", "")


def read_text_folders(files: Mapping[str, bytes], name: str, limits: Limits = LIMITS) -> Dataset:
    """Return texts from the files of an unpacked zip; the folder of each is its class.

    Parameters: `files`, path in the archive → content; `name` of the archive; `limits`.

    Raises DataError for too many or too long files, for a file that is not UTF-8 text, for fewer than two.

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
        texts.append(decode(files[path], f"{name}: {sanitize_name(path)}", "text") if files[path] else "")
    if len(paths) < 2:
        raise DataError(f"{name}: at least two texts are needed; got {len(paths)}. Add files.")
    folders = [PurePosixPath(path).parent.name for path in paths]
    labelled = len(set(folders)) > 1
    if labelled and not all(folders):
        loose = paths[folders.index("")]
        raise DataError(f"{name}: {shortened(loose)} is in no folder; expected one folder per class. Move it into one.")
    return Dataset(
        stem(name), name, "text", np.array(texts, dtype=object),
        y=np.array(tamed(folders), dtype=np.str_) if labelled else None,
        ids=tuple(sanitize_name(path) for path in paths),
        source=f"upload {name}", note="The folder of each file is its class." if labelled else "",
    )  # fmt: skip
