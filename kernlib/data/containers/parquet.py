"""Parquet files as tables, by pyarrow, limits checked from the file's own footer and batch by batch."""

from __future__ import annotations

import io
import re
from typing import Any

from ...errors import DataError
from ..table import Part, table_of_columns
from ..uploads import Limits, optional_import, parser_errors, shortened
from .base import Container, File, cell_words

_BATCH = 4096


def _parquet(file: File) -> Part:
    """Return the table of a Parquet file of plain columns: numbers, words, dates, true and false.

    Raises DataError for a damaged file, for more rows, columns, cells or bytes than allowed (by the footer), for
    lists, structures and binary columns.
    """
    raw, name, limits = file.raw, file.name, file.limits
    with optional_import(f"{name}: Parquet tables are read by pyarrow", "parquet", "write the table as CSV"):
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow import parquet
    with parser_errors(f"{name}: the Parquet file is damaged", "Write it again."):
        footer = parquet.read_metadata(io.BytesIO(raw))
        _check(footer, name, limits)
        schema = parquet.read_schema(io.BytesIO(raw))
        for field in schema:
            if not _plain(field.type, pa.types):
                raise DataError(
                    f"{name}: column {shortened(field.name)} holds {str(field.type)[:60]}; expected numbers or text. "
                    "Leave it out, or write it as text."
                )
        words = [f.name for f in schema if pa.types.is_string(f.type) or pa.types.is_large_string(f.type)]
        # A repeated word is stored once in memory.
        reader = parquet.ParquetFile(io.BytesIO(raw), read_dictionary=words)
        columns: list[list[str]] = [[] for _ in schema]
        for batch in reader.iter_batches(batch_size=_BATCH):
            batch.validate(full=True)  # a damaged file could point outside its own buffers
            for cells, column in zip(columns, batch.columns, strict=True):
                cells += _cells(column)
            if len(columns[0]) > limits.rows:
                raise DataError(f"{name}: it has more rows than its footer says. Write it again.")
    names = [str(field.name) for field in schema]
    # pandas writes the index last, and names an unnamed one like this: it names the rows.
    index = [j for j, title in enumerate(names) if re.fullmatch(r"__index_level_\d+__", title)]
    order = [*index, *(j for j in range(len(names)) if j not in index)]
    titles = ["index" if j in index and len(index) == 1 and "index" not in names else names[j] for j in order]
    return table_of_columns(name, titles, [columns[j] for j in order], container="Parquet table", limits=limits)


def _check(footer: Any, name: str, limits: Limits) -> None:
    for what, got, most in (
        ("rows", footer.num_rows, limits.rows),
        ("columns", footer.num_columns, limits.columns),
        ("cells", footer.num_rows * footer.num_columns, limits.cells),
        ("bytes", sum(footer.row_group(i).total_byte_size for i in range(footer.num_row_groups)), limits.unpacked),
    ):
        if not 0 <= got <= most:
            raise DataError(f"{name}: its footer announces {got} {what}; expected at most {most}. Draw a sample.")


def _plain(kind: Any, types: Any) -> bool:
    if types.is_dictionary(kind):
        kind = kind.value_type
    plain = ["boolean", "integer", "floating", "decimal", "string", "large_string", "temporal", "null"]
    return any(getattr(types, f"is_{one}")(kind) for one in plain)


def _cells(column: Any) -> list[str]:
    dictionary = getattr(column, "dictionary", None)
    if dictionary is None:
        return [cell_words(value) for value in column.to_pylist()]
    words = [cell_words(value) for value in dictionary.to_pylist()]
    return ["" if code is None else words[code] for code in column.indices.to_pylist()]


PARQUET = Container("Parquet table", lambda file: file.raw.startswith(b"PAR1"), _parquet, "binary")
