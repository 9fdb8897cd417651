"""One way to ask for what takes longer than a page may.

A result is computed in slices by the page's ticks (`Slices`, `Draws`), or behind the page by a helper process
(`jobs.Job`, `jobs.Task`, `compute.Matrix`). `ask` computes nothing: it returns what is known, and whether more is to
come. `waiting.show` draws any of the three answers. What is quick is an accessor of `compute` and no result.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Generic, Protocol, TypeVar

from kernlib.numerics.blas import one_blas_thread
from kernlib.values.words import seconds_in_words
from pages.parts.server.holder import look
from pages.parts.server.limits import limits
from pages.parts.session import state
from pages.parts.session.value import current

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
K = TypeVar("K", bound=Hashable)

#: Seconds below which a piece was known already, and says nothing about the pace of new ones.
KNOWN = 0.002


@dataclass(frozen=True)
class NeedsPermission:
    """Nothing is computed before a click on `label`; `why` and the `problem` of an earlier try stand above it."""

    label: str
    start: Callable[[], object]
    why: str = ""
    problem: str = ""


@dataclass(frozen=True)
class Partial(Generic[T_co]):
    """More is to come, from the page's next ticks or from a job behind it."""

    value: T_co


@dataclass(frozen=True)
class Done(Generic[T_co]):
    """The result is complete, or its job has ended early."""

    value: T_co


Answer = Done[T] | Partial[T] | NeedsPermission


class Result(Protocol[T_co]):
    """What a page asks for."""

    def value(self) -> T_co:
        """Return what is known, without computing."""

    def done(self) -> bool:
        """Return whether nothing more is to come."""

    def work(self, seconds: float) -> None:
        """Compute for so many seconds; where a job does the work, say that a page looks at it."""

    def progress(self) -> tuple[float, str]:
        """Return the share that is done, and that in words."""

    def permission(self) -> NeedsPermission | None:
        """Return what to ask before anything is computed; None where nothing need be asked."""


def ask(result: Result[T]) -> Answer[T]:
    """Return what is known of a result, and how it goes on."""
    permission = result.permission()
    if permission is not None:
        return permission
    return (Done if result.done() else Partial)(result.value())


@dataclass(eq=False)
class Slices(Generic[K, T]):
    """Pieces by key, computed one by one in the order of `keys`, each by a cached accessor.

    `asked` says whether this session has asked for a piece before; such a piece is known. `seconds` estimates the work
    of all pieces; where they take long, a click asks for them first, under the name `permit`.
    """

    name: str
    keys: Sequence[K]
    piece: Callable[[K], T]
    asked: Callable[[K], bool]
    seconds: Callable[[], float] | None = None
    permit: Hashable = None
    _known: dict[K, T] = field(default_factory=dict)

    def value(self) -> dict[K, T]:
        for key in self.keys:
            if key not in self._known and self.asked(key):
                self._known[key] = self.piece(key)
        return self._known

    def done(self) -> bool:
        return len(self.value()) == len(self.keys)

    def work(self, seconds: float) -> None:
        """Compute pieces for so many seconds, at least one; all where the others take no longer than that again."""
        begin, new, spent = time.perf_counter(), 0, 0.0
        known = self.value()
        left = [key for key in self.keys if key not in known]
        with one_blas_thread():  # a curve in the background leaves a core to the sliders
            for place, key in enumerate(left):
                if time.perf_counter() - begin >= seconds and new and spent / new * (len(left) - place) > seconds:
                    break
                look()
                started = time.perf_counter()
                self._known[key] = self.piece(key)
                took = time.perf_counter() - started
                if took > KNOWN:
                    new, spent = new + 1, spent + took

    def progress(self) -> tuple[float, str]:
        known, total = len(self.value()), len(self.keys)
        return known / total, f"{known} of {total} {self.name}"

    def permission(self) -> NeedsPermission | None:
        if self.seconds is None or current().asked == self.permit or self.done():
            return None
        seconds = self.seconds()
        if seconds < limits().values:
            return None
        label = f"Compute {len(self.keys)} {self.name}, {seconds_in_words(seconds)}"
        return NeedsPermission(label, lambda: state.put(asked=self.permit))


class Draws(Generic[T]):
    """The first `count` draws of an iterator, so far; sessions with the same data continue them."""

    def __init__(self, name: str, more: Iterator[T], count: int) -> None:
        self.name, self.count = name, count
        self._so_far, self._lock, self._more = list[T](), threading.Lock(), islice(more, count)

    def value(self) -> list[T]:
        return self._so_far

    def done(self) -> bool:
        return len(self._so_far) >= self.count

    def work(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end and not self.done():
            with self._lock:
                self._so_far += islice(self._more, 1)
            look()

    def progress(self) -> tuple[float, str]:
        return len(self._so_far) / self.count, f"{len(self._so_far)} of {self.count} {self.name}"

    def permission(self) -> None:
        return None


class Together:
    """Several results that one figure draws: done when all are."""

    def __init__(self, *results: Result[Any]) -> None:
        self._results = results

    def value(self) -> tuple[Any, ...]:
        return tuple(one.value() for one in self._results)

    def done(self) -> bool:
        return all(one.done() for one in self._results)

    def work(self, seconds: float) -> None:
        for one in self._results:
            if not one.done():
                one.work(seconds / len(self._results))

    def progress(self) -> tuple[float, str]:
        shares, words = zip(*(one.progress() for one in self._results), strict=True)
        return sum(shares) / len(shares), " · ".join(words)

    def permission(self) -> NeedsPermission | None:
        return next(filter(None, (one.permission() for one in self._results)), None)
