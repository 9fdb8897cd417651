"""A class: codes, limits, expiry, and who may turn the steps and end."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace

import pytest

from kernlib.stories import Classroom, ClassroomError, Lesson, read_lesson
from kernlib.stories.classroom import LIFETIME, MAX_PEOPLE, MAX_ROOMS, UNWATCHED, EndedError

from .test_lessons import GOOD

#: Its steps: look, predict, reveal, explain.
LESSON = read_lesson(GOOD, "good")


def named(name: str) -> Lesson:
    return replace(LESSON, name=name)


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


def test_a_class_answers_every_question_under_one_code(rooms):
    kinds = [step.kind for step in LESSON.steps]
    first, shown = kinds.index("predict"), kinds.index("reveal")
    room = rooms.open("teacher", LESSON, 0)
    assert len(room.code) == 4
    assert rooms.open("teacher", LESSON, first) is room
    rooms.turn(room, "teacher", LESSON, first)
    asked = (LESSON.name, first)
    for person in range(60):
        rooms.answer(rooms.room(room.code.lower(), f"phone {person}"), asked, f"phone {person}", person)
    rooms.answer(room, asked, "phone 3", 99)
    assert len(room.answers_to(asked)) == 60
    assert room.answers_to(asked)["phone 3"] == 99
    rooms.turn(room, "teacher", LESSON, shown)
    assert room.asked == asked
    with pytest.raises(ClassroomError, match="shown already"):
        rooms.answer(room, asked, "phone 4", 1)
    twice = replace(LESSON, name="twice", steps=LESSON.steps * 2)
    assert rooms.open("teacher", twice, first) is room, "one code for the hour, across lessons"
    rooms.answer(room, ("twice", first), "phone 5", 1)
    second = first + len(LESSON.steps)
    rooms.turn(room, "teacher", twice, second)
    for late in (("twice", first), asked):
        with pytest.raises(ClassroomError, match="shown already"):
            rooms.answer(room, late, "phone 5", 2)
    rooms.answer(room, ("twice", second), "phone 5", 3)
    assert room.answers_to(("twice", first)) == {"phone 5": 1}
    assert room.answers_to(("twice", second)) == {"phone 5": 3}
    assert len(room.answers_to(asked)) == 60, "the answers of the lesson before stay"


def test_only_the_person_who_opened_a_room_turns_its_steps_and_ends_it(rooms):
    room = rooms.open("teacher", LESSON, 0)
    with pytest.raises(ClassroomError, match="Only the person"):
        rooms.turn(room, "student", LESSON, 1)
    with pytest.raises(ClassroomError, match="Only the person"):
        rooms.end(room, "student")
    assert rooms.own("student") is None
    assert rooms.look(room, "student")
    rooms.end(room, "teacher")
    assert not rooms.look(room, "student")
    for phone in range(150):  # the phones of two classes, more than the wrong codes of a minute
        with pytest.raises(EndedError, match=f"The class with the code '{room.code}' has ended"):
            rooms.room(f" {room.code.lower()} ", str(phone))
    with pytest.raises(ClassroomError, match="No class has the code"):
        rooms.room("OOOO", "student")


def test_phones_that_look_or_have_answered_are_present(rooms, clock):
    room = rooms.open("teacher", LESSON, 1)
    rooms.look(room, "a")
    rooms.look(room, "b")
    rooms.answer(room, room.asked, "b", 1)
    assert rooms.present(room) == 2
    clock.now += 20
    rooms.look(room, "c")
    assert rooms.present(room) == 2, "b has answered, c looks"


def test_people_and_tries_are_bounded(rooms, clock):
    room = rooms.open("teacher", LESSON, 1)
    for person in range(MAX_PEOPLE):
        rooms.answer(room, room.asked, str(person), 0)
        rooms.look(room, str(person))
    with pytest.raises(ClassroomError, match=f"{MAX_PEOPLE} people"):
        rooms.answer(room, room.asked, "one more", 0)
    rooms.look(room, "one more")
    assert rooms.present(room) == MAX_PEOPLE
    for session in range(100):  # each guess from a new session
        with pytest.raises(ClassroomError, match="No class has the code"):
            rooms.room("OOOO", f"guesser {session}")
    assert rooms.room(room.code, "7") is room, "a phone in the room stays there"
    with pytest.raises(ClassroomError, match="Too many wrong codes"):
        rooms.room(room.code, "guesser")
    clock.now += 61
    assert rooms.room(room.code, "guesser") is room


@pytest.mark.parametrize(
    "call",
    [
        lambda rooms, room: rooms.own("teacher"),
        lambda rooms, room: rooms.room(room.code, "b"),
        lambda rooms, room: rooms.look(room, "b"),
        lambda rooms, room: rooms.present(room),
        lambda rooms, room: rooms.answer(room, room.asked, "b", 2),
        lambda rooms, room: rooms.turn(room, "teacher", LESSON, 2),
        lambda rooms, room: rooms.end(room, "teacher"),
    ],
)
def test_every_other_call_waits_until_an_answer_is_kept(call):
    waiting, reads = [], iter(range(99))

    def clock() -> float:
        if next(reads) == 2:  # in the middle of the answer
            waiting.append(pool.submit(call, rooms, room))
            assert not wait(waiting, timeout=0.05).done
        return 0.0

    rooms = Classroom(clock)
    room = rooms.open("teacher", LESSON, 1)
    with ThreadPoolExecutor() as pool:
        rooms.answer(room, room.asked, "a", 1)
    waiting[0].result()
    assert room.answers_to((LESSON.name, 1))["a"] == 1


def test_nobody_holds_all_rooms_and_the_oldest_that_nobody_looks_at_makes_way(rooms, clock):
    assert len({rooms.open("greedy", named(f"own {number}"), 0).code for number in range(9)}) == 1
    for number in range(MAX_ROOMS - 1):
        clock.now += 1
        rooms.open(f"teacher {number}", LESSON, 0)
    with pytest.raises(ClassroomError, match=f"{MAX_ROOMS} classes"):
        rooms.open("one more", LESSON, 0)
    clock.now += UNWATCHED + 1
    rooms.look(rooms.own("greedy"), "phone")
    assert rooms.open("one more", LESSON, 0).owner == "one more"
    assert rooms.own("greedy") is not None
    assert rooms.own("teacher 0") is None, "the one that was looked at the longest ago"


def test_a_room_ends_three_hours_after_the_last_look(rooms, clock):
    room = rooms.open("teacher", LESSON, 0)
    clock.now = LIFETIME - 1
    rooms.room(room.code, "phone")
    clock.now = 2 * LIFETIME - 2
    assert rooms.room(room.code, "phone") is room
    clock.now += LIFETIME + 1
    with pytest.raises(EndedError, match="has ended"):
        rooms.room(room.code, "phone")
