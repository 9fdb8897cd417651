"""Data sets: a frozen value with a digest, the catalogue of samples and generators, and readings of files."""

from ..kinds import KINDS
from ..values.arrays import Split
from ..values.domains import Domain
from ..values.labels import Task
from . import generators  # noqa: F401 (samples and generators enter the catalogue)
from .catalogue import (
    CATALOGUE,
    LEFT_OUT,
    Entry,
    Generator,
    Subset,
    dataset_names,
    generator_of,
    load_dataset,
    target_of,
    why_left_out,
)
from .containers import CONTAINERS
from .dataset import Dataset, Fill
from .files import LIMITS, Limits
from .meanings import WAYS
from .new_rows import new_rows
from .readings import (
    CHOICES,
    Choice,
    Missing,
    Reading,
    Role,
    Symmetrise,
    read_paths,
    readings,
    readings_of_paths,
)
from .table import Evidence

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
