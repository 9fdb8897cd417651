"""One way to ask for what takes longer than a page may.

A result is computed in slices by the page's ticks (`Slices`), or behind the page by a helper process (`jobs.Task`);
`waiting.show` draws it. What is quick is an accessor of `compute` and no result.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from statistics import median_low
from typing import Any, Generic, Protocol, TypeVar

from kernlib import KernlibError
from kernlib.numerics.workers import one_blas_thread
from kernlib.values.words import seconds_in_words
from pages.parts.server.caching import Known
from pages.parts.server.holder import look
from pages.parts.server.limits import limits
from pages.parts.session import state
from pages.parts.session.state import current

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class NeedsPermission:
    """Nothing is computed before a click on `label`."""

    label: str
    start: Callable[[], object]


#: What a result may fail with; any other error is a mistake in the program.
FAILURES = (KernlibError, MemoryError)


class Result(Protocol[T_co]):
    """What a page asks for."""

    def value(self) -> T_co:
        """Return what is known, without computing."""

    def done(self) -> bool:
        """Return whether nothing more is to come."""

    def failure(self) -> Exception | None:
        """Return why no more is to come, if it failed."""

    def work(self, seconds: float) -> None:
        """Compute for so many seconds; where a job does the work, say that a page looks at it."""

    def progress(self) -> tuple[float, str]:
        """Return the share that is done, and that in words."""

    def permission(self) -> NeedsPermission | None:
        """Return what to ask before anything is computed; None where nothing need be asked."""


@dataclass(eq=False)
class Slices(Generic[K, T]):
    """Pieces by key, computed one by one in the order of `keys`, until one fails.

    A piece is the `function` of what is `given` for its key. With `permit`, a click under that name must ask for what
    takes long: by the pieces that are known, and by the seconds that all take at `least`.
    """

    name: str
    keys: Sequence[K]
    function: Known[..., T]
    given: Callable[[K], tuple[Any, ...]]
    permit: Hashable = None
    least: float = 0.0
    _known: dict[K, T] = field(default_factory=dict)
    _seconds: list[float] = field(default_factory=list)
    _error: Exception | None = None

    def piece(self, key: K) -> T:
        """Return a piece, computed if it is not known."""
        return self.function(*self.given(key))

    def value(self) -> dict[K, T]:
        for key in self.keys:
            if key not in self._known and self._error is None and self.function.has(*self.given(key)):
                self._compute(key)
        return self._known

    def failure(self) -> Exception | None:
        return self._error

    def _compute(self, key: K) -> None:
        try:
            self._known[key] = self.piece(key)
            self._seconds.append(self.function.seconds(*self.given(key)))
        except FAILURES as error:
            self._error = error

    def done(self) -> bool:
        return len(self.value()) == len(self.keys) or self._error is not None or self.permission() is not None

    def work(self, seconds: float) -> None:
        """Compute pieces for so many seconds, at least one; all where the others take no longer than that again."""
        begin, known = time.perf_counter(), self.value()
        left = [key for key in self.keys if key not in known and self._error is None]
        with one_blas_thread():  # a curve in the background leaves a core to the sliders
            for done, key in enumerate(left):
                spent = time.perf_counter() - begin
                if done and spent >= seconds and spent / done * (len(left) - done) > seconds:
                    break
                look()
                self._compute(key)
                if self._error is not None or self._expected() is not None:
                    break

    def progress(self) -> tuple[float, str]:
        known, total = len(self.value()), len(self.keys)
        return known / total, f"{known} of {total} {self.name}"

    def permission(self) -> NeedsPermission | None:
        self.value()
        seconds = self._expected()
        if seconds is None:
            return None
        label = f"Compute {len(self.keys)} {self.name}, {seconds_in_words(seconds)}"
        return NeedsPermission(label, lambda: state.put(asked=self.permit))

    def _expected(self) -> float | None:
        """Return the seconds that all pieces take where a click must ask for them, else None."""
        over = self._error is not None or len(self._known) == len(self.keys)
        if self.permit is None or over or current().asked == self.permit:
            return None
        # The first piece may compute what all share.
        pace = median_low(self._seconds) if len(self._seconds) > 1 else 0.0
        seconds = max(self.least, pace * len(self.keys))
        return seconds if seconds >= limits().values else None
