"""Several people at once: python -m tests.load [--people 4] [--sweeping 4] [--minutes 10] [--uploads 0] [--rows 300].

Starts the app, measures one person's slider alone, then the same slider while others drag and sweep. Prints what it
finds; exit code 1 where a page or the log shows an error, the slider is more than --slower times as slow, or memory
grows by more than --growth per cent from the second quarter of the time to the last.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

from tests.conftest import running_app

from .client import Person, listener, resident

KERNEL = "RBF(sigma=1.0)"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--people", type=int, default=4, help="sessions that drag a slider")
    parser.add_argument("--page", default="See", help="the page with their slider")
    parser.add_argument("--sweeping", type=int, default=4, help="sessions that compute error curves")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--alone", type=float, default=20.0, help="seconds that one person has for himself before")
    parser.add_argument(
        "--uploads", type=int, default=0, help="sessions that bring 8 MB each, one after another, and go"
    )
    parser.add_argument("--together", type=int, default=0, help="sessions that bring 8 MB each at once, and go")
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--think", type=float, default=1.0, help="seconds between two moves of a person")
    parser.add_argument("--slower", type=float, default=3.0)
    parser.add_argument("--growth", type=float, default=10.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running_app(Path(folder)) as server:
        pid = listener(server.url)
        scene = _Scene(server.url, options.page, options.rows, options.think)
        drag(scene, 0, 5.0)  # what only the first visitor waits for
        scene.waits.clear()
        drag(scene, 0, options.alone)
        alone = list(scene.waits)
        scene.waits.clear()
        memory = _Memory(pid)
        end = 60 * options.minutes
        work = [(drag, i) for i in range(options.people)] + [(run_curves, i) for i in range(options.sweeping)]
        scene.opened = threading.Barrier(len(work))
        threads = [threading.Thread(target=scene.safely, args=(what, i, end), daemon=True) for what, i in work]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            memory.look()
            time.sleep(1.0)
        if options.together:
            bring_together(scene, memory, options.together)
        if options.uploads:
            bring(scene, memory, options.uploads)
        log = server.log.read_text()
    return _report(alone, scene, memory, log, options)


class _Scene:
    """What all sessions of a load test share."""

    def __init__(self, url: str, page: str, rows: int, think: float) -> None:
        self.url, self.page, self.think = url, page, think
        self.link = {"data": "twonorm", "kernel": KERNEL, "g.n": str(rows)}
        #: Sliders move once all have their page.
        self.opened = threading.Barrier(1)
        self.waits: list[float] = []
        self.errors: list[str] = []
        self.curves = 0

    def safely(self, what: Callable[[_Scene, int, float], None], number: int, seconds: float) -> None:
        try:
            what(self, number, seconds)
        except Exception as error:  # a client that ends is a finding like any other
            self.errors.append(f"{what.__name__} {number}: {error!r}")


def drag(scene: _Scene, number: int, seconds: float) -> None:
    """A person who moves σ and looks."""
    random, person = Random(number), Person(scene.url, **scene.link)
    person.open_page(scene.page)
    scene.opened.wait(300)
    person.stay(random.uniform(0.0, 1.0) * scene.think)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        scene.waits.append(person.choose(".RBF.sigma", random.choice(person.words(".RBF.sigma"))))
        person.stay(random.uniform(0.5, 1.5) * scene.think)
    scene.errors += person.errors
    person.close()


def run_curves(scene: _Scene, number: int, seconds: float) -> None:
    """A person who has one error curve after another computed, each of another σ."""
    random, person = Random(100 + number), Person(scene.url, **scene.link)
    person.open_page("Choose")
    scene.opened.wait(300)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        person.choose(".RBF.sigma", random.choice(person.words(".RBF.sigma")))
        person.choose("Run", True)
        scene.curves += 1
        person.stay(min(30.0, max(1.0, end - time.monotonic())))
    scene.errors += person.errors
    person.close()


def bring(scene: _Scene, memory: _Memory, count: int) -> None:
    """Sessions that upload a table of 8 MB, look at it, and leave; memory before, at most, and when they are gone."""
    content = _table()
    before, most = resident(memory.pid), 0.0
    for i in range(count):
        person = Person(scene.url, **scene.link)
        person.open_page("Data")
        seconds = person.upload("upload.files", f"table{i}.csv", content)
        most = max(most, resident(memory.pid))
        scene.errors += person.errors
        person.close()
        print(
            f"upload {i + 1} of {len(content) / 2**20:.0f} MB: {seconds:.1f} s, {resident(memory.pid):.0f} MB",
            flush=True,
        )
    time.sleep(150.0)  # a session that was left can be taken up again for two minutes
    # Streamlit lets go of such a session when the next one leaves, and the app looks through what is left of it within
    # half a minute of other people's work.
    for seconds in (5.0, 90.0):
        person = Person(scene.url, **scene.link)
        person.open_page("Data")
        person.stay(seconds / 2)
        person.rerun()
        person.stay(seconds / 2)
        person.close()
    print(f"uploads: {before:.0f} MB before, at most {most:.0f} MB, {resident(memory.pid):.0f} MB after they are gone")


def bring_together(scene: _Scene, memory: _Memory, count: int) -> None:
    """Sessions that upload a table of 8 MB at the same moment; the largest memory, and who is asked to wait."""
    content, people = _table(), [Person(scene.url, **scene.link) for _ in range(count)]
    for person in people:
        person.open_page("Data")
    before, most, seconds = resident(memory.pid), 0.0, [0.0] * count

    def upload(i: int) -> None:
        seconds[i] = people[i].upload("upload.files", f"table{i}.csv", content)

    threads = [threading.Thread(target=upload, args=(i,), daemon=True) for i in range(count)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        most = max(most, resident(memory.pid))
        time.sleep(0.1)
    told = sum(any("before yours" in text for text in person.texts) for person in people)
    scene.errors += [error for person in people for error in person.errors]
    for person in people:
        person.close()
    print(
        f"{count} uploads of {len(content) / 2**20:.0f} MB at once: {before:.0f} MB before, at most {most:.0f} MB, "
        f"the last there after {max(seconds):.0f} s, {told} asked to wait"
    )


def _table() -> bytes:
    """Return a CSV table of 8 MB."""
    random = Random(0)
    lines = [",".join(f"{random.gauss(0, 1):.6f}" for _ in range(20)) + f",{'ab'[i % 2]}" for i in range(45_000)]
    return "\n".join([",".join([*(f"x{j}" for j in range(20)), "class"]), *lines]).encode()


class _Memory:
    """The server's own memory over time, in MB, and that of its helpers."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.own: list[float] = []
        self.helpers: list[float] = []

    def look(self) -> None:
        self.own.append(resident(self.pid))
        pids: set[str] = set()
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            with suppress(OSError):  # a thread that has ended meanwhile
                pids.update((task / "children").read_text().split())
        self.helpers.append(sum(resident(int(p)) for p in pids))


def _report(alone: list[float], scene: _Scene, memory: _Memory, log: str, options: argparse.Namespace) -> int:
    def told(waits: list[float]) -> str:
        waits = sorted(waits)
        return f"p50 {statistics.median(waits):.2f} s, p95 {waits[int(0.95 * (len(waits) - 1))]:.2f} s of {len(waits)}"

    ratio = statistics.median(scene.waits) / statistics.median(alone)
    quarter = max(1, len(memory.own) // 4)
    before, after = statistics.mean(memory.own[quarter : 2 * quarter]), statistics.mean(memory.own[-quarter:])
    growth = 100 * (after / before - 1)
    said = [line for line in log.splitlines() if "Traceback" in line or "Error" in line]
    print(f"slider alone: {told(alone)}; under load: {told(scene.waits)}; {ratio:.1f} times; curves {scene.curves}")
    print(
        f"server: {before:.0f} MB in the second quarter, {after:.0f} MB in the last ({growth:+.0f} %); "
        f"helpers at most {max(memory.helpers):.0f} MB"
    )
    print(f"errors on pages: {scene.errors or 'none'}; in the log: {said[:5] or 'none'}")
    return int(bool(scene.errors or said) or ratio > options.slower or growth > options.growth)


if __name__ == "__main__":
    sys.exit(main())
