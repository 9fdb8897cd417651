"""Data sets: a frozen value with a digest, the catalogue of samples and generators, and readings of files."""

from ..kinds import KINDS
from ..values.arrays import Split
from ..values.domains import Domain
from ..values.labels import Task
from .catalogue import (
    CATALOGUE,
    dataset_names,
    generator_of,
    load_dataset,
    target_of,
    why_left_out,
)
from .choices import CHOICES, Choice, Missing, Role, Symmetrise
from .containers import CONTAINERS
from .dataset import Dataset, Fill
from .entries import Entry, Generator, Subset
from .files import LIMITS, Limits
from .new_rows import new_rows
from .readings import Reading, read_paths, readings, readings_of_paths
from .samples import LEFT_OUT
from .table import Evidence
from .ways import WAYS

#: The names of the kinds of row.
DATA_DOMAINS: tuple[Domain, ...] = tuple(KINDS)

__all__ = [
    "CATALOGUE",
    "CHOICES",
    "CONTAINERS",
    "DATA_DOMAINS",
    "LEFT_OUT",
    "LIMITS",
    "WAYS",
    "Choice",
    "Dataset",
    "Domain",
    "Entry",
    "Evidence",
    "Fill",
    "Generator",
    "Limits",
    "Missing",
    "Reading",
    "Role",
    "Split",
    "Subset",
    "Symmetrise",
    "Task",
    "dataset_names",
    "generator_of",
    "load_dataset",
    "new_rows",
    "read_paths",
    "readings",
    "readings_of_paths",
    "target_of",
    "why_left_out",
]
