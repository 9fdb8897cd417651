"""Data sets: a frozen value with a digest, the catalogue of samples and generators, and readers of uploads."""

from ..kinds import KINDS
from ..values.domains import Domain
from ..values.labels import Task
from ..values.split import Split
from .catalogue import (
    CATALOGUE,
    Entry,
    Subset,
    dataset_names,
    generator_of,
    load_dataset,
    target_of,
    why_left_out,
)
from .dataset import Dataset, Fill
from .formats import ENDINGS, FORMATS
from .formats.arff import read_arff
from .formats.excel import read_excel
from .formats.fasta import read_sequences
from .formats.json_files import read_json, read_json_lines
from .formats.matrices import read_matrix
from .formats.parquet import read_parquet
from .formats.svmlight import read_svmlight
from .generators import Generator
from .guesses import Choice, Guess, Missing, Reading, Role, Symmetrise
from .new_rows import new_rows
from .paths import read_paths
from .read_upload import read_upload
from .reading import Upload
from .roles import Column
from .samples import LEFT_OUT
from .table import Table
from .tables import read_table
from .uploads import LIMITS, Limits

#: The names of the kinds of row.
DATA_DOMAINS: tuple[Domain, ...] = tuple(KINDS)

__all__ = [
    "CATALOGUE",
    "DATA_DOMAINS",
    "ENDINGS",
    "FORMATS",
    "LEFT_OUT",
    "LIMITS",
    "Choice",
    "Column",
    "Dataset",
    "Domain",
    "Entry",
    "Fill",
    "Generator",
    "Guess",
    "Limits",
    "Missing",
    "Reading",
    "Role",
    "Split",
    "Subset",
    "Symmetrise",
    "Table",
    "Task",
    "Upload",
    "dataset_names",
    "generator_of",
    "load_dataset",
    "new_rows",
    "read_arff",
    "read_excel",
    "read_json",
    "read_json_lines",
    "read_matrix",
    "read_parquet",
    "read_paths",
    "read_sequences",
    "read_svmlight",
    "read_table",
    "read_upload",
    "target_of",
    "why_left_out",
]
