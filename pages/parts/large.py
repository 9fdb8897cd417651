"""More rows than a picture can hold: what a page shows of them, and which numbers are of all."""

from __future__ import annotations

import dataclasses
import hashlib
from dataclasses import dataclass, field

import numpy as np

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.experiments import memory_budget
from kernlib.experiments.memory import landmarks_of

__all__ = ["LANDMARKS", "MAX_ROWS", "SAMPLE", "Sample", "is_large", "most_rows", "shown", "whole_of"]

#: Rows in one view without landmarks: a Gram matrix of this size takes 72 MB and a second to decompose.
MAX_ROWS = 3000
#: Arrays of a number for each row and landmark: short rows and eigenvectors of two kernels, which are kept, and what
#: is there while they are made.
_ARRAYS = 10
#: Rows in the pictures of a larger view.
SAMPLE = 1000
#: Landmarks that are offered.
LANDMARKS = 300


@dataclass(frozen=True, eq=False)
class Sample(Dataset):
    """The rows of a large data set that its pictures show: `places` are their numbers in `whole`.

    It is drawn once for a data set, classes in proportion. Its digest tells it from the same rows brought by
    themselves: a kernel with landmarks has learnt from all rows here, and from these alone there.
    """

    whole: Dataset | None = None
    places: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.intp))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.whole is not None:
            mark = f"{self.whole.digest} shown by {len(self.places)}"
            object.__setattr__(self, "digest", hashlib.sha256(mark.encode()).hexdigest())


def most_rows(kernel: Kernel | None = None) -> int:
    """Rows in one view with this kernel: as many as memory holds short rows of, where it has landmarks for its last
    step; without a kernel, of one with as many landmarks as are offered."""
    landmarks = LANDMARKS if kernel is None else landmarks_of(kernel) if kernel.has_factor else 0
    if not landmarks:
        return MAX_ROWS
    numbers = memory_budget() // 8 - 4 * landmarks**2  # what is as large as the landmarks' own matrix
    rows = max(MAX_ROWS, numbers // (_ARRAYS * landmarks))
    digits = 10 ** (len(str(rows)) - 2)  # no more precise than the estimate
    return rows // digits * digits


def is_large(data: Dataset) -> bool:
    """Whether a page shows a sample of these rows only."""
    return data.n > MAX_ROWS


def shown(data: Dataset) -> Dataset:
    """The rows that pictures show: all, or a stratified sample that knows where it is from."""
    if not is_large(data):
        return data
    places = data.stratified_rows(SAMPLE)
    part = data.take(places)
    given = {f.name: getattr(part, f.name) for f in dataclasses.fields(Dataset) if f.init}
    return Sample(**given, whole=data, places=places)


def whole_of(data: Dataset) -> Dataset:
    """All rows of what is shown."""
    return data.whole if isinstance(data, Sample) and data.whole is not None else data
