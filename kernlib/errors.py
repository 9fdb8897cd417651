"""Errors: each states what went wrong, where, what was expected, what was found, and what to do."""

from __future__ import annotations


class KernlibError(ValueError):
    """Base of all errors that kernlib raises on purpose; its text is fit for a page."""


class ParameterError(KernlibError):
    """A parameter of a kernel, machine or protocol is outside its range."""


class DomainError(KernlibError):
    """The rows are not of the kind that the kernel reads."""


class DataError(KernlibError):
    """A data set, file, label vector or matrix cannot be used as it is."""


class TooManyEntriesError(DataError):
    """A file announces an array of more entries than are read; `shape` is that of the array."""

    def __init__(self, sentence: str, shape: tuple[int, ...] = ()) -> None:  # pickle gives the sentence alone
        super().__init__(sentence)
        self.shape = shape


class AmbiguousReadingError(DataError):
    """A file can be read in several ways, or needs a decision; `readings` are the ways, the strongest first."""

    def __init__(self, sentence: str, readings: tuple[object, ...] = ()) -> None:
        super().__init__(sentence)
        self.readings = readings


class NotFittedError(KernlibError):
    """Something that must be learnt from training rows has not been learnt yet."""


class DegenerateError(KernlibError):
    """The rows leave nothing to learn from, e.g. all of them coincide in feature space."""


class TransductiveError(KernlibError):
    """A kernel that exists only for all rows at once was asked about new rows."""


class ExplainError(KernlibError):
    """A value cannot be taken apart, or a kernel has no explicit feature space."""


class OwnCodeError(KernlibError):
    """A user-defined kernel raised an error, or returned something else than the values of a kernel."""
