"""Every constraint of every declared parameter, of kernels, machines, protocols and data, broken once."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from kernlib import Linear, ParameterError
from kernlib.data import CATALOGUE
from kernlib.machines import MACHINES
from kernlib.protocols import PROTOCOLS
from kernlib.registry import KERNELS
from kernlib.values.declare import LARGEST, MOST, SMALLEST, Declared, Parameter
from tests.kernels.examples import EXAMPLES

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
