"""Runs of pages take turns: in order of arrival, a newer click in the place of its session's older one."""

from __future__ import annotations

import pytest

from pages.parts.server import runs
from pages.parts.server.runs import Turn, Turns


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that stands still until it is moved."""
    now = [100.0]
    monkeypatch.setattr(runs.time, "monotonic", lambda: now[0])
    return now


def never(before: int) -> None:
    raise AssertionError(f"waits behind {before}")


def test_turns_come_in_order_of_arrival_and_long_ones_no_longer_count(clock):
    line, asked = Turns(places=2, hold=0.5), []
    one, two, late, early = (Turn(since) for since in (1.0, 2.0, 4.0, 3.0))
    line.take(one, never)
    line.take(two, never)
    line.queue.append(late)

    def wait(before: int) -> None:
        asked.append((before, [turn.called.is_set() for turn in (late, early)]))
        line.leave(one)

    line.take(early, wait)
    assert asked == [(1, [False, False])], "one turn must end; nobody else is called"
    assert line.queue == [two, early, late]
    line.leave(two)
    assert late.called.is_set()
    late.called.clear()
    clock[0] += 0.6
    line.queue.remove(late)
    line.take(late, never)
    assert line.queue == [late], "early has had its time"
    line.leave(early)
    line.leave(late)
    assert not line.queue


def test_a_newer_press_ends_the_wait_before_anything_is_computed_and_keeps_the_place(clock, monkeypatch):
    line, drawn, other = Turns(places=1), [], Turn()
    monkeypatch.setattr(runs, "runs", line)
    line.take(other, never)

    class Newer(BaseException):
        """As Streamlit ends a run."""

    def newer() -> None:
        assert len(line.queue) == 2
        raise Newer

    monkeypatch.setattr(runs, "look", newer)
    monkeypatch.setattr(runs, "_PRESSED", 0.0)
    with pytest.raises(Newer), runs.run():
        drawn.append("older")
    clock[0] += 5.0
    monkeypatch.setattr(runs, "look", lambda: line.leave(other))
    with runs.run(later=1.0):
        drawn.append(line.queue[0].since)
        with runs.run():  # a part that the page's run draws
            drawn.append(len(line.queue))
        line.queue.append(waiting := Turn())
        monkeypatch.setattr(runs, "look", lambda: drawn.append(waiting.called.is_set()) or line.leave(waiting))
        monkeypatch.setattr(runs.time, "sleep", lambda seconds: clock.__setitem__(0, clock[0] + seconds))
        runs.pause(0.01)
        assert len(line.queue) == 1, "after a pause the run goes on in its turn"
    assert drawn == [100.0, 1, True]
    assert not line.queue
