"""A time series as a value: numbers over time in one or more channels, read-only and compared by content."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import DomainError
from .arrays import Array


@dataclass(frozen=True, eq=False, repr=False)
class Series:
    """Numbers at equally spaced times, (length, channels), compared by content.

    Parameters: values, finite numbers (length,) or (length, channels), at least one. Raises DomainError for others.

    It prints with a digest of its content, so that different series print differently.

    >>> a, b = Series([1.0, 2.0, 4.0]), Series([[1.0], [2.0], [4.0]])
    >>> a.values.shape, a.length, a.channels, a == b, repr(a) == repr(b)
    ((3, 1), 3, 1, True, True)
    """

    values: Array

    def __post_init__(self) -> None:
        try:
            values = np.array(self.values, dtype=np.float64)
        except (TypeError, ValueError):
            raise DomainError(
                f"Series: values must be numbers, one for each time; got {self.values!r:.60}. Give a list of numbers, "
                "or one list of numbers for each time."
            ) from None
        values = values[:, None] if values.ndim == 1 else values
        if values.ndim != 2 or 0 in values.shape:
            raise DomainError(
                f"Series: values must be an array (length,) or (length, channels) that is not empty; got shape "
                f"{values.shape}. Give at least one time."
            )
        if not np.isfinite(values).all():
            time, channel = np.argwhere(~np.isfinite(values))[0]
            raise DomainError(
                f"Series: every value must be finite; time {time}, channel {channel} is {values[time, channel]}. Fill "
                "the gap in, or cut the series there."
            )
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    @property
    def length(self) -> int:
        """Return the number of times."""
        return len(self.values)

    @property
    def channels(self) -> int:
        """Return the number of values at each time."""
        return int(self.values.shape[1])

    def __eq__(self, other: object) -> bool:
        return np.array_equal(self.values, other.values) if isinstance(other, Series) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._digest())

    def __repr__(self) -> str:
        return f"Series(<{self.length} × {self.channels} values, {self._digest()}>)"

    def _digest(self) -> str:
        content = (self.values + 0.0).tobytes()  # −0 is 0
        return hashlib.blake2b(content, digest_size=16, key=str(self.values.shape).encode()).hexdigest()


def as_series(row: Any) -> Series:
    """Return a row as a series; arrays and lists of numbers are read as `Series` reads them."""
    return row if isinstance(row, Series) else Series(row)
