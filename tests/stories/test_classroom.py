"""A class: codes, limits, expiry, and who may reveal and end."""

from __future__ import annotations

import threading

import pytest

from kernlib.stories import Classroom, ClassroomError
from kernlib.stories.classroom import LIFETIME, MAX_PEOPLE, MAX_ROOMS


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def rooms(clock):
    return Classroom(clock)


def test_a_class_answers_and_sees(rooms, clock):
    room = rooms.open("teacher", "03-how-deep", 1)
    assert len(room.code) == 4
    assert rooms.open("teacher", "03-how-deep", 1) is room
    for person in range(60):
        rooms.answer(rooms.room(room.code.lower(), f"phone {person}"), f"phone {person}", person)
    clock.now += 1
    rooms.answer(room, "phone 3", 99)
    assert len(room.answers) == 60
    assert room.answers["phone 3"] == 99
    rooms.reveal(room, "teacher")
    clock.now += 1
    with pytest.raises(ClassroomError, match="shown already"):
        rooms.answer(room, "phone 4", 1)


def test_only_the_session_that_opened_a_room_reveals_and_ends_it(rooms):
    room = rooms.open("teacher", "x", 0)
    for act in (rooms.reveal, rooms.end):
        with pytest.raises(ClassroomError, match="Only the session"):
            act(room, "student")
    rooms.end(room, "teacher")
    with pytest.raises(ClassroomError, match="No question has the code"):
        rooms.room(room.code, "student")


def test_rooms_people_and_tries_are_bounded(rooms, clock):
    opened = [rooms.open("teacher", "x", i) for i in range(MAX_ROOMS)]
    assert len({room.code for room in opened}) == MAX_ROOMS
    with pytest.raises(ClassroomError, match=f"{MAX_ROOMS} questions are open"):
        rooms.open("teacher", "x", MAX_ROOMS)
    for person in range(MAX_PEOPLE):
        rooms.answer(opened[0], str(person), 0)
    with pytest.raises(ClassroomError, match=f"{MAX_PEOPLE} people"):
        rooms.answer(opened[0], "one more", 0)
    with pytest.raises(ClassroomError, match="too soon"):
        rooms.answer(opened[0], "7", 1)
    for _ in range(20):
        with pytest.raises(ClassroomError, match="No question has the code"):
            rooms.room("OOOO", "guesser")
    with pytest.raises(ClassroomError, match="Too many wrong codes"):
        rooms.room(opened[0].code, "guesser")
    clock.now += 61
    assert rooms.room(opened[0].code, "guesser") is opened[0]


def test_a_room_ends_three_hours_after_the_last_look(rooms, clock):
    room = rooms.open("teacher", "x", 0)
    clock.now = LIFETIME - 1
    rooms.room(room.code, "phone")
    clock.now = 2 * LIFETIME - 2
    assert rooms.room(room.code, "phone") is room
    clock.now += LIFETIME + 1
    with pytest.raises(ClassroomError, match="No question has the code"):
        rooms.room(room.code, "phone")


def test_sixty_phones_at_once_lose_no_answer(rooms):
    room = rooms.open("teacher", "x", 0)
    phones = [threading.Thread(target=rooms.answer, args=(room, str(i), i)) for i in range(60)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert sorted(room.answers.values()) == list(range(60))
