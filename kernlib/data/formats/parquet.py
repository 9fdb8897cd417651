"""Parquet files as tables, by pyarrow, limits checked from the file's own footer and batch by batch."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import Any

from ...errors import DataError
from ..guesses import Role
from ..reading import Upload, of_table
from ..table import Table
from ..tables import table_of
from ..uploads import LIMITS, Limits, Source, content, optional_import, parser_errors, shortened
from .base import File, Format, Head, cell_words

_BATCH = 4096


def read_parquet(
    source: Source, name: str | None = None, *, roles: Mapping[str, Role] | None = None, limits: Limits = LIMITS
) -> Table:
    """Return a `Table` from a Parquet file of plain columns: numbers, words, dates, true and false.

    Parameters: as for `read_table`.

    Raises DataError for a damaged file, for more rows, columns, cells or bytes than allowed (by the footer), for
    lists, structures and binary columns.
    """
    raw, name = content(source, name, limits)
    with optional_import(f"{name}: Parquet tables are read by pyarrow", "parquet", "write the table as CSV"):
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow import parquet
    with parser_errors(f"{name}: the Parquet file is damaged", "Write it again.", pa.ArrowException):
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
        body: list[tuple[str, ...]] = []
        for batch in reader.iter_batches(batch_size=_BATCH):
            batch.validate(full=True)  # a damaged file could point outside its own buffers
            columns = [_cells(column, f.name, name, limits) for column, f in zip(batch.columns, schema, strict=True)]
            body.extend(zip(*columns, strict=True))
            if len(body) > limits.rows:
                raise DataError(f"{name}: it has more rows than its footer says. Write it again.")
    # pandas names an unnamed index like this; it is not a data column.
    names = ["index" if re.fullmatch(r"__index_level_\d__", str(field.name)) else str(field.name) for field in schema]
    names = names if len(set(names)) == len(names) else [str(f.name) for f in schema]
    return table_of(name, names, body, roles, limits=limits)


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
    tests = (
        types.is_boolean, types.is_integer, types.is_floating, types.is_decimal, types.is_string,
        types.is_large_string, types.is_temporal, types.is_null,
    )  # fmt: skip
    return any(test(kind) for test in tests)


def _cells(column: Any, title: str, name: str, limits: Limits) -> list[str]:
    dictionary = getattr(column, "dictionary", None)
    if dictionary is None:
        return [cell_words(value) for value in column.to_pylist()]
    words = [cell_words(value) for value in dictionary.to_pylist()]
    longest = max((len(word) for word in words), default=0)
    if longest > limits.letters:
        raise DataError(
            f"{name}: column {shortened(title)} has a cell of {longest} letters; expected at most {limits.letters}. "
            "Shorten it."
        )
    return ["" if code is None else words[code] for code in column.indices.to_pylist()]


def _is_parquet(head: Head) -> str:
    return "It begins and ends with Parquet's mark" if head.start.startswith(b"PAR1") else ""


def _parquet(file: File, reason: str) -> Upload:
    table = read_parquet(file.raw, file.name, limits=file.limits)
    return of_table(table, "Parquet table", reason, file.domain, file.limits)


PARQUET = Format("Parquet table", ("parquet",), _is_parquet, _parquet, "binary")
