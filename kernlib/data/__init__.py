"""Data sets: a frozen value with a digest, the catalogue of samples and generators, and readers of uploads."""

from ..values.domains import DATA_DOMAINS, Domain
from ..values.labels import Task
from ..values.split import Split
from .catalogue import CATALOGUE, Entry, Subset, dataset_names, load_dataset
from .dataset import Dataset, Fill
from .door import ENDINGS, Symmetrise, Upload, read_upload
from .generators import Generator
from .guesses import Choice, Guess
from .matrices import read_matrix
from .parquet import read_parquet
from .sequences import read_sequences
from .svmlight import read_svmlight
from .tables import Column, Missing, Role, Table, read_table
from .texts import read_json_lines
from .uploads import LIMITS, Limits

__all__ = [
    "CATALOGUE",
    "DATA_DOMAINS",
    "ENDINGS",
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
    "Role",
    "Split",
    "Subset",
    "Symmetrise",
    "Table",
    "Task",
    "Upload",
    "dataset_names",
    "load_dataset",
    "read_json_lines",
    "read_matrix",
    "read_parquet",
    "read_sequences",
    "read_svmlight",
    "read_table",
    "read_upload",
]
