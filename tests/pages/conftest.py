"""Pages under test compute what they show without asking, however slow the machine is."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _compute_always(monkeypatch):
    monkeypatch.setenv("KERNLIB_COMPUTE", "always")
