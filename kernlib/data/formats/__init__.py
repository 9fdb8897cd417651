"""The formats of uploads: a new one is a module here and a line in the table."""

from __future__ import annotations

from ...errors import DataError
from ..foreign import kind_of
from ..reading import Upload
from .arff import ARFF
from .array_uploads import NPY, NPZ
from .base import File, Format, reason_with_ending
from .delimited import DELIMITED
from .edge_lists import EDGE_LIST, METIS, RELATIONS
from .excel import EXCEL
from .fasta import FASTA, FASTQ
from .fixed_width import FIXED_WIDTH
from .graph_files import GML, GRAPHML
from .json_files import JSON, JSON_LINES
from .market import MARKET
from .matlab import MATLAB
from .matrices import MATRIX
from .parquet import PARQUET
from .phylip import PHYLIP_DISTANCES
from .smiles import SMILES
from .svmlight import SVMLIGHT
from .time_series import UCR, UEA

__all__ = ["ENDINGS", "FORMATS", "recognised"]

#: In the order in which they are tried for a file of their kind; the last one reads any other text.
FORMATS: tuple[Format, ...] = (
    NPY,
    NPZ,
    EXCEL,
    MATLAB,
    PARQUET,
    GRAPHML,
    FASTA,
    FASTQ,
    JSON_LINES,
    JSON,
    UEA,
    ARFF,
    MARKET,
    GML,
    PHYLIP_DISTANCES,
    SVMLIGHT,
    SMILES,
    METIS,
    RELATIONS,
    EDGE_LIST,
    UCR,
    MATRIX,
    FIXED_WIDTH,
    DELIMITED,
)

#: What file choosers offer; the content decides.
ENDINGS = (*tuple(dict.fromkeys(ending for format in FORMATS for ending in format.endings)), "gz", "zip")


def recognised(file: File) -> Upload | None:
    """Return the upload read by the first format that recognises the file; None for a zip of other files.

    Raises DataError for a kind that is not read, and for a damaged file.
    """
    upload = _first(file, "zip" if file.is_zip else "binary")
    if upload is not None:
        return upload
    # Only now: a workbook holds parts that other documents hold too.
    foreign = kind_of(file.head.start, file.members)
    if foreign is not None:
        raise DataError(f"{file.name}: it is {foreign[0]}, despite its name, and not supported. {foreign[1]}.")
    return None if file.is_zip else _first(file, "text")


def _first(file: File, kind: str) -> Upload | None:
    for format in FORMATS:
        words = format.looks_like(file.head) if format.kind == kind else ""
        upload = format.read(file, reason_with_ending(words, file.head, format.endings)) if words else None
        if upload is not None:
            return upload
    return None
