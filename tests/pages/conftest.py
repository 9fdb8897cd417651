"""Pages under test compute what they show without asking, however slow the machine is."""

from __future__ import annotations

import pytest

from pages.parts.server.jobs import registry

from . import drive


@pytest.fixture(autouse=True)
def _compute_always(monkeypatch):
    monkeypatch.setenv("KERNLIB_COMPUTE", "always")


@pytest.fixture(autouse=True)
def _no_run_outlives_its_test():
    """Stop what a page has begun: its session never ends here, and the runs of later tests would wait behind it."""
    yield
    for run in registry().tasks:
        run.stop.set()


@pytest.fixture
def in_red(monkeypatch):
    """Let pages say something in red."""
    monkeypatch.setattr(drive, "RED", True)
