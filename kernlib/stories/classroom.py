"""A class answers the questions of lessons on phones: codes, anonymous answers, limits, expiry; all in memory only."""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..errors import KernlibError
from .lesson import Lesson

#: Letters of a code, without I and O, which look like other letters or digits from the back of a room.
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
#: Maximum number of rooms on a server, and of people in a room.
MAX_ROOMS, MAX_PEOPLE = 64, 500
#: Seconds without a look after which a room ends, and after which it makes way where the server is full.
LIFETIME, UNWATCHED = 3 * 3600.0, 300.0
#: Seconds after a look for which a phone counts as present.
_PRESENT = 15.0
#: Maximum number of wrong codes at a server in a minute: a new session costs a guesser nothing.
_TRIES = 100
#: Maximum number of ended classes whose codes a server knows.
_KNOWN = 1000

#: A question of a class: the name of its lesson, and the number of its step.
Asked = tuple[str, int]


class ClassroomError(KernlibError):
    """A code that does not exist, a full room, or a command of another person."""


class EndedError(ClassroomError):
    """The code of a class that has ended."""


@dataclass(eq=False)
class Room:
    """A class: the lesson and the step that its lecturer shows, and the answers by question and person.

    `asked` is the question that phones show: the last one that the lecturer's steps have reached, None
    before the first. `revealed` are the questions whose answer has been shown, `people` when each phone looked last.
    """

    code: str
    owner: str
    lesson: Lesson
    step: int
    answers: dict[Asked, dict[str, Any]] = field(default_factory=dict)
    revealed: set[Asked] = field(default_factory=set)
    looked: float = 0.0
    people: dict[str, float] = field(default_factory=dict)

    @property
    def asked(self) -> Asked | None:
        """Return the question that phones show."""
        steps = self.lesson.steps[: self.step + 1]
        last = max((i for i, one in enumerate(steps) if one.kind == "predict"), default=None)
        return None if last is None else (self.lesson.name, last)

    def answers_to(self, asked: Asked) -> dict[str, Any]:
        """Return the answers to a question, by person."""
        return self.answers.get(asked, {})


class Classroom:
    """All rooms of a server.

    Only the person who opened a room turns its steps and ends it. A person has one room, for all lessons. A room holds
    at most 500 people, and a server at most 64 rooms: the oldest that nobody has looked at for five minutes makes way.
    A room ends three hours after the last look.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._rooms: dict[str, Room] = {}
        self._ended: deque[str] = deque(maxlen=_KNOWN)
        self._tries: list[float] = []

    def open(self, owner: str, lesson: Lesson, step: int) -> Room:
        """Return the owner's room, open one if there is none, and show a step of a lesson there."""
        room = self.own(owner)
        if room is None:
            with self._lock:
                if len(self._rooms) >= MAX_ROOMS:
                    self._make_way()
                code = self._free_code()
                room = self._rooms[code] = Room(code, owner, lesson, step, looked=self._clock())
        self.turn(room, owner, lesson, step)
        return room

    def _make_way(self) -> None:
        now = self._clock()
        unwatched = [room for room in self._rooms.values() if now - room.looked > UNWATCHED]
        if not unwatched:
            raise ClassroomError(
                f"{MAX_ROOMS} classes use this server now; expected fewer. Try again when one of them has ended."
            )
        self._close(min(unwatched, key=lambda room: room.looked).code)

    def _close(self, code: str) -> None:
        if self._rooms.pop(code, None) is not None:
            self._ended.append(code)

    def _free_code(self) -> str:
        while True:
            code = "".join(secrets.choice(_LETTERS) for _ in range(4))
            if code not in self._rooms and code not in self._ended:
                return code

    def own(self, owner: str) -> Room | None:
        """Return the room that a person has opened, and look at it."""
        with self._lock:
            self._expire()
            room = next((room for room in self._rooms.values() if room.owner == owner), None)
            if room is not None:
                room.looked = self._clock()
            return room

    def room(self, code: str, person: str) -> Room:
        """Return the room of a code; after too many wrong codes all who are not in a room yet have to wait."""
        with self._lock:
            self._expire()
            now = self._clock()
            self._tries = [t for t in self._tries if now - t < 60]
            given = code.strip()[:8]
            room = self._rooms.get(given.upper())
            if room is None and given.upper() in self._ended:
                # No guess: all phones of a class ask once more when it ends.
                raise EndedError(f"The class with the code {given.upper()!r} has ended. You can open its lessons here.")
            if len(self._tries) >= _TRIES and (room is None or person not in room.people):
                raise ClassroomError("Too many wrong codes; expected the code on the lecturer's screen. Wait a minute.")
            if room is None:
                self._tries.append(now)
                raise ClassroomError(
                    f"No class has the code {given!r}; expected the four letters on the lecturer's screen. Check them."
                )
            room.looked = now
            return room

    def look(self, room: Room, person: str) -> bool:
        """Record that a person's phone shows a room; return whether the room still exists."""
        with self._lock:
            room.looked = now = self._clock()
            if person in room.people or len(room.people) < MAX_PEOPLE:
                room.people[person] = now
            return self._rooms.get(room.code) is room

    def present(self, room: Room) -> int:
        """Return the number of phones that show a room now, or have answered its question."""
        with self._lock:
            room.looked = now = self._clock()
            present = {person for person, seen in room.people.items() if now - seen < _PRESENT}
            asked = room.asked
            return len(present if asked is None else present | room.answers_to(asked).keys())

    def answer(self, room: Room, asked: Asked, person: str, guess: Any) -> None:
        """Keep a person's answer to the question; a second one replaces the first until it is revealed."""
        with self._lock:
            if asked in room.revealed or asked != room.asked:
                raise ClassroomError(
                    "The answer is shown already; expected an answer before that. Wait for the next question."
                )
            answers = room.answers.setdefault(asked, {})
            if person not in answers and len(answers) >= MAX_PEOPLE:
                raise ClassroomError(f"{MAX_PEOPLE} people have answered; expected no more. Follow on the screen.")
            answers[person], room.looked = guess, self._clock()

    def turn(self, room: Room, owner: str, lesson: Lesson, step: int) -> None:
        """Show a step of a lesson to everybody; a step that reveals an answer ends its question."""
        with self._lock:
            self._require_owner(room, owner)
            room.lesson, room.step = lesson, step
            asked = room.asked
            if asked is not None and lesson.steps[step].kind == "reveal":
                room.revealed.add(asked)

    def end(self, room: Room, owner: str) -> None:
        """Forget the room and its answers."""
        with self._lock:
            self._require_owner(room, owner)
            self._close(room.code)

    def _require_owner(self, room: Room, owner: str) -> None:
        if room.owner != owner:
            raise ClassroomError("Only the person who opened this class may do this. Ask the lecturer.")

    def _expire(self) -> None:
        now = self._clock()
        for code in [code for code, room in self._rooms.items() if now - room.looked > LIFETIME]:
            self._close(code)
