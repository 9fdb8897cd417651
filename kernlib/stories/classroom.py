"""A class answers one question on phones: codes, anonymous answers, limits, expiry; all in memory only."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..errors import KernlibError

#: Letters of a code, without I and O, which look like other letters or digits from the back of a room.
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
#: Maximum number of rooms on a server and of people in a room; seconds without a look after which a room ends.
MAX_ROOMS, MAX_PEOPLE, LIFETIME = 64, 500, 3 * 3600.0
#: Minimum seconds between two answers of one person; maximum number of wrong codes of a session in a minute.
_PAUSE, _TRIES = 0.3, 20


class ClassroomError(KernlibError):
    """A code that does not exist, a full room, an answer too soon, or a command of another session."""


@dataclass(eq=False)
class Room:
    """One question to a class: its story and step, the answers by person, whether the answer is `revealed`."""

    code: str
    owner: str
    story: str
    step: int
    answers: dict[str, Any] = field(default_factory=dict)
    revealed: bool = False
    looked: float = 0.0
    answered: dict[str, float] = field(default_factory=dict)


class Classroom:
    """All rooms of a server.

    Only the session that opened a room reveals and ends it. A room holds at most 500 answers, a server at most 64
    rooms; a room ends three hours after the last look.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._rooms: dict[str, Room] = {}
        self._tries: dict[str, list[float]] = {}

    def open(self, owner: str, story: str, step: int) -> Room:
        """Return the owner's room for a step; open one if there is none."""
        with self._lock:
            self._expire()
            for room in self._rooms.values():
                if (room.owner, room.story, room.step) == (owner, story, step):
                    room.looked = self._clock()
                    return room
            if len(self._rooms) >= MAX_ROOMS:
                raise ClassroomError(f"{MAX_ROOMS} questions are open on this server; expected fewer. End one first.")
            code = self._free_code()
            room = self._rooms[code] = Room(code, owner, story, step, looked=self._clock())
            return room

    def _free_code(self) -> str:
        while True:
            code = "".join(secrets.choice(_LETTERS) for _ in range(4))
            if code not in self._rooms:
                return code

    def room(self, code: str, session: str) -> Room:
        """Return the room of a code; a session that tries too many wrong codes has to wait."""
        with self._lock:
            self._expire()
            now = self._clock()
            tries = [t for t in self._tries.get(session, ()) if now - t < 60]
            room = self._rooms.get(code.strip().upper()[:8])
            if len(tries) >= _TRIES:
                raise ClassroomError("Too many wrong codes; expected the code on the lecturer's screen. Wait a minute.")
            if room is None:
                self._tries[session] = [*tries, now]
                raise ClassroomError(
                    f"No question has the code {code.strip()[:8]!r}; expected the four letters on the lecturer's "
                    "screen. Check them, or ask whether the question has ended."
                )
            room.looked = now
            return room

    def answer(self, room: Room, person: str, guess: Any) -> None:
        """Keep a person's answer; a second one replaces the first until the answer is shown."""
        with self._lock:
            now = self._clock()
            if room.revealed:
                raise ClassroomError(
                    "The answer is shown already; expected an answer before that. Wait for the next one."
                )
            if now - room.answered.get(person, -_PAUSE) < _PAUSE:
                raise ClassroomError("This answer came too soon after the last one. Send it again.")
            if person not in room.answers and len(room.answers) >= MAX_PEOPLE:
                raise ClassroomError(f"{MAX_PEOPLE} people have answered; expected no more. Follow on the screen.")
            room.answers[person], room.answered[person], room.looked = guess, now, now

    def reveal(self, room: Room, session: str) -> None:
        """Show the answer to everybody."""
        with self._lock:
            self._require_owner(room, session)
            room.revealed = True

    def end(self, room: Room, session: str) -> None:
        """Forget the room and its answers."""
        with self._lock:
            self._require_owner(room, session)
            self._rooms.pop(room.code, None)

    def _require_owner(self, room: Room, session: str) -> None:
        if room.owner != session:
            raise ClassroomError("Only the session that opened this question may do this. Ask the lecturer.")

    def _expire(self) -> None:
        now = self._clock()
        for code in [code for code, room in self._rooms.items() if now - room.looked > LIFETIME]:
            del self._rooms[code]
        for session in [session for session, tries in self._tries.items() if not tries or now - tries[-1] > 60]:
            del self._tries[session]
