"""Pages under test compute what they show, however slow the machine is."""

from __future__ import annotations

import pytest

from pages.parts import compute, sheet


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """What takes longer on this machine than a person would wait for is not offered instead of shown."""
    for module, name in ((compute, "AT_ONCE"), (compute, "AT_MOST"), (sheet, "_UNASKED")):
        monkeypatch.setattr(module, name, 600.0)
