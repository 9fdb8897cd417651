"""The hunt, kept: random chains on random small rows, and every constraint of every parameter broken once.

A longer hunt with a new seed is one command: python -m tests.hunt --seconds 600
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from kernlib import Linear, Log, ParameterError
from kernlib.data import CATALOGUE
from kernlib.machines import MACHINES
from kernlib.protocols import PROTOCOLS
from kernlib.registry import KERNELS
from kernlib.values.declare import LARGEST, MOST, SMALLEST, Declared, Parameter
from tests.kernels.examples import EXAMPLES

from .cases import Case, case
from .properties import broken


@pytest.mark.parametrize("part", range(4))
def test_random_chains_on_random_rows(part):
    found, refused = [], 0
    for number in range(50):
        made = case(f"kept/{part}/{number}")
        told = broken(made)
        refused += told is None
        found += [f"{made}\n    {sentence}" for sentence in told or ()]
    assert not found, "\n".join(found)
    assert refused < 20, "a hunt that is refused everywhere finds nothing"


class _Crooked(Linear):
    """A kernel that is wrong in one way at a time."""

    wrong = ""

    def gram(self, X, Y):
        K = super().gram(X, Y)
        if self.wrong == "asymmetric" and Y is None:
            K[0, -1] += 1e-9
        if self.wrong == "indefinite":
            K = -K
        if self.wrong == "two sets" and Y is not None:
            K = K + 0.01
        if self.wrong == "row by row" and Y is not None and len(X) == 1:
            K = K * 1.01
        if self.wrong == "warns":
            np.log(np.zeros(1))
        if self.wrong == "raises":
            raise IndexError("mine")
        return K

    def gram_diag(self, X):
        return super().gram_diag(X) * (1.01 if self.wrong == "diagonal" else 1.0)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("asymmetric", "not symmetric"),
        ("indefinite", "is_psd"),
        ("two sets", "k(X, X) differs"),
        ("row by row", "row by row differs"),
        ("warns", "RuntimeWarning"),
        ("raises", "IndexError"),
        ("diagonal", "diag differs"),
    ],
)
def test_the_hunt_sees_what_is_wrong(monkeypatch, wrong, said):
    monkeypatch.setattr(_Crooked, "wrong", wrong)
    monkeypatch.setattr("tests.hunt.properties.parse", lambda text: _Crooked())
    X = np.arange(12.0).reshape(4, 3) % 5
    made = Case("", _Crooked(), X, np.array([0, 1, 0, 1]), np.array([0, 1, 2]), np.array([3]))
    assert any(said in sentence for sentence in broken(made))


def test_the_logarithm_of_what_cancels_out_is_no_finding_and_a_wrong_one_is(monkeypatch):
    half = 1e9 * np.random.default_rng(0).normal(size=(4, 2))
    X = np.vstack([half, half[:, ::-1] * [1, -1]])  # each row is orthogonal to one other, up to rounding
    cut = np.array([0, 1] * 4), np.arange(5), np.arange(5, 8)
    assert broken(Case("", Log(Linear()), X, *cut)) == []
    monkeypatch.setattr(_Crooked, "wrong", "row by row")
    monkeypatch.setattr("tests.hunt.properties.parse", lambda text: Log(_Crooked()))
    found = broken(Case("", Log(_Crooked()), X / 1e9, *cut))
    assert any("row by row differs" in sentence for sentence in found)


# -- declared constraints -------------------------------------------------------------------

_MADE: dict[type[Declared], Declared] = {}
for _cls in (*KERNELS, *MACHINES, *PROTOCOLS):
    _MADE[_cls] = next(iter(k for k in EXAMPLES.get(_cls, []) if type(k) is _cls), None) or (
        _cls(Linear()) if "kernel" in _cls.__dataclass_fields__ else _cls()
    )
PARAMETERS = [(made, p) for made in _MADE.values() for p in made.parameters()]


def invalid(p: Parameter) -> list[object]:
    """A value against each constraint that is declared, and of every type that is not allowed."""
    wrong: list[object] = [object(), "a word that nobody chose", {}, 1j, np.ones(2)]
    if p.kind in ("float", "int"):
        wrong += [True, b"1", math.nan, -math.inf, 10**400, -(10**400)]
        wrong += [[], [True], [1.0, "1"], [[1.0]]] if p.each else [[1]]
        wrong += [] if None in p.choices else [None]
        wrong += [] if math.inf in p.choices else [math.inf]
        least, most = p.minimum, p.maximum
        if p.kind == "int":
            wrong += [1.5, np.float64(2.0), MOST + 1, -MOST - 1]
            wrong += [] if least is None else [int(least) - 1]
            wrong += [] if most is None else [int(most) + 1]
        else:
            wrong += [5e-324, -5e-324, SMALLEST / 2, LARGEST * 2, 1.7e308, -1.7e308]
            for bound, is_open, way in ((least, p.open_minimum, -math.inf), (most, p.open_maximum, math.inf)):
                if bound is not None:
                    wrong += [bound] if is_open else [math.nextafter(bound, way) if bound else math.copysign(0.5, way)]
    if p.kind in ("choice", "bool"):
        wrong += [v for v in (None, 2, math.nan) if v not in p.choices]
    if p.kind == "other":
        wrong += [(1e-320,), (1.7e308,), (10**400,), 10**5000]
    return wrong


def valid(p: Parameter) -> list[object]:
    """The ends of what is allowed."""
    if p.kind not in ("float", "int"):
        return list(p.choices) if p.kind == "choice" else []
    number = int if p.kind == "int" else float
    ends = [p.low, p.high, *p.choices]
    ends += [] if p.open_minimum else [p.minimum]
    ends += [] if p.open_maximum else [p.maximum]
    return [v if v in p.choices else number(v) for v in ends if v is not None]


def test_every_constraint_is_kept():
    for made, p in PARAMETERS:
        for value in invalid(p):
            with pytest.raises(ParameterError) as refused:
                dataclasses.replace(made, **{p.name: value})
            told = str(refused.value)
            assert type(made).__name__ in told, told
            assert p.name in told, told
            assert len(told) < 700, told
        for value in valid(p):
            assert p.clean(value, "") == value


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_constraint_of_the_data_is_kept(name):
    entry = CATALOGUE[name]
    for p in entry.parameters():
        for value in invalid(p):
            with pytest.raises(ParameterError, match=p.name):
                p.clean(value, name)
        for value in valid(p):
            assert p.clean(value, name) == value
