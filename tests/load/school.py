"""A class at once: python -m tests.load.school [--phones 60].

Opens a question, has every phone answer it, shows the answer, and prints how long each step took: until all answers
are in, until every phone shows the answer, and the lecturer's own slider alone and beside the class. Exit code 1 where
an answer is lost or a page shows an error.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.conftest import running_app

from .client import Person, resident

LESSON = {"stories.lesson": "04-how-many-directions", "stories.step": "0"}
#: Words of a sentence that compares a guess with the answer.
COMPARED = ("too ", "close", "as you guessed")


def at_stories(url: str, **link: str) -> Person:
    """Return a session that has opened the page Stories by a link."""
    person = Person(url, **link)
    person.open_page("Lessons")
    return person


def slide(person: Person, times: int) -> float:
    """Return the median time of a click on the lecturer's slider, in seconds."""
    waits = sorted(person.choose("stories.answer.04-how-many-directions.0", float(5 + i)) for i in range(times))
    return waits[len(waits) // 2]


def main() -> int:
    """Run a class and print its times."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.school", description=__doc__)
    parser.add_argument("--phones", type=int, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running_app(Path(folder)) as server:
        teacher, reader = (at_stories(server.url, **LESSON) for _ in range(2))
        slide(reader, 3)  # the first clicks load what the page needs
        alone = slide(reader, 9)
        teacher.choose("stories.class.open", True)
        code = next(text for text in teacher.headings if len(text) == 4 and text.isupper())
        before = resident(server.pid)
        phones = [at_stories(server.url, **{"stories.class": code}) for _ in range(options.phones)]
        begin = time.monotonic()
        question = f"stories.answer.{code}.{LESSON['stories.lesson']}.{LESSON['stories.step']}"
        _all(phones, lambda phone, i: phone.choose(question, float(1 + i % 19)))
        _all(phones, lambda phone, i: phone.choose("stories.send", True))
        answered = time.monotonic() - begin
        stop = threading.Event()
        looking = [threading.Thread(target=_look, args=(phone, stop), daemon=True) for phone in phones]
        for thread in looking:
            thread.start()
        beside = slide(reader, 9)
        begin = time.monotonic()
        teacher.choose("stories.class.reveal", True)
        for thread in looking:
            thread.join(60)
        seen = time.monotonic() - begin
        stop.set()
        errors = [error for person in (teacher, reader, *phones) for error in person.errors]
        lost = sum(not any(word in text for text in phone.texts for word in COMPARED) for phone in phones)
        print(f"{options.phones} phones: answers in after {answered:.1f} s, answer on every phone after {seen:.1f} s")
        print(f"reader's slider: {alone:.2f} s alone, {beside:.2f} s beside the class ({beside / alone:.1f} ×)")
        print(f"server: {before:.0f} MB before the class, {resident(server.pid):.0f} MB with it")
        again = sum(phone.lost for phone in phones)
        print(f"phones without the answer: {lost}; connections lost: {again}; errors: {len(errors)} {errors[:3]}")
        return 1 if errors or lost else 0


def _all(phones: list[Person], act: object) -> None:
    threads = [threading.Thread(target=act, args=(phone, i)) for i, phone in enumerate(phones)]  # type: ignore[arg-type]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _look(phone: Person, stop: threading.Event) -> None:
    """Poll as the phone's page does, until the answer is there."""
    while not stop.is_set() and not any(word in text for text in phone.texts for word in COMPARED):
        phone.stay(0.2)


if __name__ == "__main__":
    sys.exit(main())
