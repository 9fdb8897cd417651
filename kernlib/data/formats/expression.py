"""Gene expression: GCT files, series matrices of GEO and counts of featureCounts. Samples are rows, genes columns."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

import numpy as np

from ...errors import DataError
from ...values.domains import Domain
from ..guesses import Guess
from ..reading import Upload
from ..tables import table_of
from ..uploads import is_missing, number_of, shortened, tamed
from .base import File, Format, Head
from .contents import Vectors

_SIZES = re.compile(r"\d{1,9}\t\d{1,9}(\t\d{1,9}\t\d{1,9})?")
_BEGIN, _END = "!series_matrix_table_begin", "!series_matrix_table_end"
#: Lines of a series matrix about each sample; further lines describe the laboratory's work.
_SAMPLE = ("!Sample_title", "!Sample_source_name_ch1", "!Sample_characteristics_ch1", "!Sample_characteristics_ch2")


def _looks_like_gct(head: Head) -> str:
    lines = head.text.splitlines()
    fits = len(lines) > 2 and lines[0].strip() in ("#1.2", "#1.3") and _SIZES.match(lines[1])
    return f"It begins with {lines[0].strip()}, as GCT files do" if fits else ""


def _gct(file: File, reason: str) -> Upload:
    lines = [line.rstrip("\r") for line in file.text.split("\n")]
    sizes = [int(word) for word in lines[1].split("\t") if word.strip()]
    genes, samples = sizes[:2]
    about_genes, about_samples = sizes[2:] if len(sizes) == 4 else (1, 0)
    first = 1 + about_genes
    rows = [line.split("\t") for line in lines[2:] if line.strip()]
    if len(rows) != 1 + about_samples + genes:
        raise DataError(
            f"{file.name}: it announces {genes} rows and has {len(rows) - 1 - about_samples}; expected equal numbers. "
            "Download the file again."
        )
    ids = [word.strip() for word in rows[0][first : first + samples]]
    described = {row[0].strip(): [cell.strip() for cell in row[first:]] for row in rows[1 : 1 + about_samples]}
    values = [row[first:] for row in rows[1 + about_samples :]]
    names = [row[0].strip() for row in rows[1 + about_samples :]]
    return _upload(file, "GCT table", reason, ids, names, values, described)


def _looks_like_series(head: Head) -> str:
    return "It begins with a line !Series_, as GEO writes" if re.match(r"!(Series|Sample)_\w+\t", head.text) else ""


def _series(file: File, reason: str) -> Upload:
    described: dict[str, list[str]] = {}
    lines = io.StringIO(file.text)
    for line in lines:
        if line.startswith(_BEGIN):
            break
        word = line.split("\t", 1)[0]
        if word in _SAMPLE:
            _describe(described, word, _cells(line)[1:])
    else:
        raise DataError(f"{file.name}: it has no line {_BEGIN}; expected a table after it. Download it again.")
    ids = _cells(next(lines, ""))[1:]
    names: list[str] = []
    values: list[list[str]] = []
    for line in lines:
        if line.startswith(_END):
            break
        cells = _cells(line)
        names.append(cells[0])
        values.append(cells[1:])
        if len(values) * max(1, len(ids)) > file.limits.cells:
            break  # refused below
    else:
        raise DataError(f"{file.name}: it has no line {_END}; it is cut short. Download it again.")
    if not values:
        raise DataError(
            f"{file.name}: its table has no rows; the values of this series are in a supplementary file. Read that "
            "file, and write its table as CSV."
        )
    return _upload(file, "GEO series matrix", reason, ids, names, values, described)


#: The columns about each gene, before one column per sample.
_GENE = ["Geneid", "Chr", "Start", "End", "Strand", "Length"]


def _looks_like_counts(head: Head) -> str:
    header = next((line for line in head.lines if not line.startswith("#")), "").split("\t")
    return "It has the columns of featureCounts" if header[:6] == _GENE and len(header) > 6 else ""


def _counts(file: File, reason: str) -> Upload:
    rows = [_cells(line) for line in file.text.split("\n") if line.strip() and not line.startswith("#")]
    names, values = [row[0] for row in rows[1:]], [row[len(_GENE) :] for row in rows[1:]]
    return _upload(file, "featureCounts table", reason, rows[0][len(_GENE) :], names, values, {})


def _cells(line: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line.rstrip("\r\n")], delimiter="\t"), [])]
    except csv.Error:
        return [cell.strip().strip('"') for cell in line.rstrip("\r\n").split("\t")]


def _describe(described: dict[str, list[str]], word: str, cells: list[str]) -> None:
    """Add a line about the samples; cells such as "tissue: liver" become a column tissue."""
    name = word.removeprefix("!Sample_").removesuffix("_ch1").removesuffix("_ch2")
    keys = {cell.split(": ", 1)[0] for cell in cells if cell}
    if name == "characteristics" and len(keys) == 1 and all(": " in cell for cell in cells if cell):
        name = keys.pop()
        cells = [cell.split(": ", 1)[1] if cell else "" for cell in cells]
    number, free = 1, name
    while free in described:
        number += 1
        free = f"{name} {number}"
    described[free] = cells


def _upload(
    file: File, format: str, reason: str, ids: Sequence[str], names: Sequence[str], values: Sequence[Sequence[str]],
    described: dict[str, list[str]],
) -> Upload:  # fmt: skip
    """Return the values, a row per sample, with the table that describes the samples."""
    n, limits = len(ids), file.limits
    if file.domain not in (None, "vector"):
        raise DataError(f"{file.name}: {format}s hold vectors; got domain {file.domain!r}. Leave it out.")
    if n > limits.rows or n * len(values) > limits.cells:
        raise DataError(
            f"{file.name}: it has more than {n} × {min(len(values), limits.cells // max(1, n))} values; expected at "
            f"most {limits.cells}. Keep the genes that vary most."
        )
    wrong = next((k for k, row in enumerate(values) if len(row) != n), None)
    if wrong is not None:
        raise DataError(
            f"{file.name}: the row {shortened(names[wrong])} has {len(values[wrong])} values; expected {n}, one for "
            "each sample. Correct the row."
        )
    X = np.empty((n, len(values)))
    for j, row in enumerate(values):
        X[:, j] = [_number(cell, names[j], file.name) for cell in row]
    table = None
    if n > 1 and described:
        columns = {"sample": tamed([str(i) for i in ids]), **described}
        short = next((name for name, cells in columns.items() if len(cells) != n), None)
        if short is not None:
            raise DataError(f"{file.name}: {shortened(short)} describes {len(columns[short])} samples; expected {n}.")
        table = table_of(file.name, list(columns), list(zip(*columns.values(), strict=True)))
        table = table.with_roles({"sample": "id"})
    domains: tuple[Domain, ...] = ("vector",)
    labels = " The file says nothing about the samples, so there is no label."
    if table is not None:
        labels = " Choose the column of its description that holds the label."
    guesses = (Guess(f"Each row is a sample, with {len(names)} genes or probes as columns.{labels}"),)
    vectors = Vectors(file.name, X, None, (), tuple(tamed(list(names))), tuple(tamed([str(i) for i in ids])))
    return Upload(file.name, format, reason, "vector", domains, table, limits, content=vectors, file_guesses=guesses)


def _number(cell: str, row: str, name: str) -> float:
    value = number_of(cell)
    if value is None:
        if not is_missing(cell):
            raise DataError(
                f"{name}: a value of {shortened(row)} is {shortened(cell)}; expected a number. Correct the cell."
            )
        return float("nan")
    return value


GCT = Format("GCT table", ("gct",), _looks_like_gct, _gct)
FEATURE_COUNTS = Format("featureCounts table", ("txt", "tsv", "counts"), _looks_like_counts, _counts)
SERIES_MATRIX = Format("GEO series matrix", ("txt",), _looks_like_series, _series)
