"""Data sets: a frozen value with a digest, the catalogue of samples and generators, and readers of uploads."""

from .catalogue import CATALOGUE, Entry, Subset, dataset_names, load_dataset
from .dataset import DOMAINS, Dataset, Domain, Split, Task
from .generators import Generator
from .matrices import read_matrix
from .sequences import read_sequences
from .tables import Column, Role, Table, read_table
from .uploads import LIMITS, Limits

__all__ = [
    "CATALOGUE",
    "DOMAINS",
    "LIMITS",
    "Column",
    "Dataset",
    "Domain",
    "Entry",
    "Generator",
    "Limits",
    "Role",
    "Split",
    "Subset",
    "Table",
    "Task",
    "dataset_names",
    "load_dataset",
    "read_matrix",
    "read_sequences",
    "read_table",
]
