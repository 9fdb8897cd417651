"""Data sets: a frozen value with a digest, the catalogue of samples and generators, and readers of uploads."""

from .catalogue import CATALOGUE, Entry, Subset, dataset_names, load_dataset
from .dataset import DOMAINS, Dataset, Domain, Split, Task
from .generators import Generator

__all__ = [
    "CATALOGUE",
    "DOMAINS",
    "Dataset",
    "Domain",
    "Entry",
    "Generator",
    "Split",
    "Subset",
    "Task",
    "dataset_names",
    "load_dataset",
]
