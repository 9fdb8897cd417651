"""One way to ask for what takes longer than a page may.

A result is computed in slices by the page's ticks (`Slices`), or behind the page by a helper process (`jobs.Task`);
`waiting.show` draws it. What is quick is an accessor of `compute` and no result.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
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

    A piece is the `function` of what is `given` for its key. `seconds` estimates the work of all pieces; where they
    take long, a click asks for them first, under the name `permit`.
    """

    name: str
    keys: Sequence[K]
    function: Known[..., T]
    given: Callable[[K], tuple[Any, ...]]
    seconds: Callable[[], float] | None = None
    permit: Hashable = None
    _known: dict[K, T] = field(default_factory=dict)
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
        except FAILURES as error:
            self._error = error

    def done(self) -> bool:
        return len(self.value()) == len(self.keys) or self._error is not None

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
                if self._error is not None:
                    break

    def quick(self) -> bool:
        """Return whether all pieces together take no longer than a page may wait for them."""
        asked = self.permission() is None and self._error is None
        return asked and (self.seconds is None or self.seconds() <= 2 * limits().slice)

    def progress(self) -> tuple[float, str]:
        known, total = len(self.value()), len(self.keys)
        return known / total, f"{known} of {total} {self.name}"

    def permission(self) -> NeedsPermission | None:
        if self.seconds is None or current().asked == self.permit or self.done():
            return None
        try:
            seconds = self.seconds()
        except FAILURES as error:
            self._error = error
            return None
        if seconds < limits().values:
            return None
        label = f"Compute {len(self.keys)} {self.name}, {seconds_in_words(seconds)}"
        return NeedsPermission(label, lambda: state.put(asked=self.permit))
