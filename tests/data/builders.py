"""Files of all kinds as bytes, built for tests of the readers."""

from __future__ import annotations

import io
import warnings
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np


def written(write: Callable[..., Any], *arguments: Any, **options: Any) -> bytes:
    """Return the bytes that `write(stream, …)` writes."""
    stream = io.BytesIO()
    write(stream, *arguments, **options)
    return stream.getvalue()


def npy(array: Any, **options: Any) -> bytes:
    return written(np.save, array, **options)


def npz(**arrays: Any) -> bytes:
    return written(np.savez_compressed, **arrays)


def header_of(shape: tuple[int, ...], descr: str = "<f8", follow: int = 64) -> bytes:
    """Return an NPY whose header announces another number of bytes than the `follow` zeros after it."""
    header = {"descr": descr, "fortran_order": False, "shape": shape}
    return written(np.lib.format.write_array_header_1_0, header) + b"\0" * follow


def zipped(files: dict[Any, bytes] | list[tuple[Any, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip of members by name or ZipInfo; a list may name a member twice."""
    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", method) as archive:
        warnings.simplefilter("ignore")  # a name twice
        for name, content in files.items() if isinstance(files, dict) else files:
            archive.writestr(name, content)
    return stream.getvalue()


def mat(variables: dict[str, Any], **options: Any) -> bytes:
    from scipy.io import savemat

    return written(savemat, variables, **options)


def xlsx(rows: list[list[Any]], merged: tuple[str, ...] = (), **sheets: list[list[Any]]) -> bytes:
    """Return a workbook: `rows` on its first sheet, with merged cells there, and further sheets."""
    import openpyxl

    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for cells in merged:
        book.active.merge_cells(cells)
    for title, others in sheets.items():
        sheet = book.create_sheet(title)
        for row in others:
            sheet.append(row)
    return written(book.save)


def parquet(**columns: Any) -> bytes:
    import pandas as pd

    return written(pd.DataFrame(columns).to_parquet)


def graphml(nodes: str, edges: str, before: str = "") -> bytes:
    return (
        f'<?xml version="1.0"?>{before}<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        f'<graph edgedefault="undirected">{nodes}{edges}</graph></graphml>'
    ).encode()
