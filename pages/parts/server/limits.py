"""Limits: the seconds that a page may take, in one table, and the rows that a view can have.

What a page computes at once, behind the page, or only after a click depends on estimates measured on this machine.
Tests must not depend on these: the environment variable KERNLIB_COMPUTE replaces the table, by "always" (compute
without a click), "stepwise" (the same, one value a tick), or "ask" (offer a button first).
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
from dataclasses import dataclass, field
from math import inf

import numpy as np

from kernlib import Kernel
from kernlib.data import Dataset
from kernlib.experiments import memory_budget
from kernlib.wrappers.landmarks import landmarks_of

#: Seconds between two drawings of a part whose work goes on.
TICK = 0.4
#: Seconds in which a browser draws a main picture.
DRAW = 0.12
#: Seconds after which a job is stopped that no page looks at.
UNWATCHED = 120.0
#: Seconds after which the reading of a file ends, and the computation of a figure or an answer of a lesson.
READING, LESSON = 60.0, 30.0
#: What a page says where a computation finds no memory.
NO_MEMORY = "The server has too little memory for this. Take fewer rows, or add landmarks as the kernel's last step."


@dataclass(frozen=True)
class Limits:
    """Estimated seconds up to which work is done in one of these ways."""

    #: The page itself computes the Gram matrix, and a newer click waits for it.
    page: float = 1.0
    #: A view evaluates a kernel again, such as the criteria at each value.
    view: float = 20.0
    #: A Gram matrix is computed behind the page without a button.
    matrix: float = 30.0
    #: All values of a what-if curve or all cells of a sheet are computed without a button.
    values: float = 30.0
    #: A run on the Error curves page starts without a button.
    run: float = 2.0
    #: A tick computes further values: Streamlit fades a part that is late by half a second.
    slice: float = 0.3


def late_reading(name: str) -> str:
    """Return what a page says of a file whose reading was stopped."""
    return f"{name[:100]}: reading took longer than {READING:.0f} seconds and was stopped. Use a part of the file."


_TABLE = {
    "": Limits(),
    "always": Limits(page=600.0, view=600.0, matrix=inf, values=inf, run=inf),
    "stepwise": Limits(page=600.0, view=600.0, matrix=inf, values=inf, run=inf, slice=1e-3),
    "ask": Limits(page=600.0, view=600.0, matrix=0.0, values=0.0, run=0.0),
}


def limits() -> Limits:
    """Return the time limits of this server."""
    return _TABLE[os.environ.get("KERNLIB_COMPUTE", "")]


#: Rows in one view without landmarks: a Gram matrix of this size takes 72 MB and a second to decompose.
MAX_ROWS = 3000
#: Arrays with a number for each row and landmark: factors and eigenvectors of two kernels, and temporary ones.
_ARRAYS = 10
#: Rows in the pictures of a larger view.
SAMPLE = 1000
#: Landmarks of the kernel that a page offers for large data.
LANDMARKS = 300


@dataclass(frozen=True, eq=False)
class Sample(Dataset):
    """The rows of a large data set that its pictures show: `places` are their numbers in `whole`.

    The sample is stratified and drawn once for a data set. Its digest differs from that of the same rows as a data set
    of their own: here a kernel with landmarks has learnt from all rows of `whole`.
    """

    whole: Dataset | None = None
    places: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.intp))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.whole is not None:
            mark = f"{self.whole.digest} shown by {len(self.places)}"
            object.__setattr__(self, "digest", hashlib.sha256(mark.encode()).hexdigest())


def most_rows(kernel: Kernel | None = None) -> int:
    """Return the largest number of rows in one view with this kernel.

    A kernel whose last step is landmarks is limited by the memory of its factor. Without a kernel the limit is that of
    a kernel with `LANDMARKS` landmarks.
    """
    landmarks = LANDMARKS if kernel is None else landmarks_of(kernel) if kernel.has_factor else 0
    if not landmarks:
        return MAX_ROWS
    numbers = memory_budget() // 8 - 4 * landmarks**2  # four matrices of the landmarks
    rows = max(MAX_ROWS, numbers // (_ARRAYS * landmarks))
    digits = 10 ** (len(str(rows)) - 2)  # no more precise than the estimate
    return int(rows // digits * digits)


def is_large(data: Dataset) -> bool:
    """Return whether a page shows only a sample of these rows."""
    return data.n > MAX_ROWS


def shown(data: Dataset) -> Dataset:
    """Return the rows that pictures show: all of them, or a stratified `Sample`."""
    return sampled(data, SAMPLE) if is_large(data) else data


def sampled(data: Dataset, rows: int) -> Sample:
    """Return a stratified `Sample` with this number of rows."""
    places = data.stratified_rows(rows)
    part = data.take(places)
    given = {f.name: getattr(part, f.name) for f in dataclasses.fields(Dataset) if f.init}
    return Sample(**given, whole=data, places=places)


def whole_of(data: Dataset) -> Dataset:
    """Return the data set of all rows."""
    return data.whole if isinstance(data, Sample) and data.whole is not None else data
