"""Generators: frozen values with declared parameters; the same seed gives the same data."""

from ..entries import Generator
from .nominal import GMonks, MarkovStrings, SyntheticPoisson
from .structured import CylinderBellFunnel, DigitPairs
from .vectors import (
    Banana,
    HiddenVariables,
    NoisyColon,
    NormalInputs,
    Ringnorm,
    Sinc,
    SparseBinary,
    TwoClusters,
    Twonorm,
    Waveform,
)

#: All of them, in the order of the menus.
GENERATORS: tuple[type[Generator], ...] = (
    MarkovStrings,
    NoisyColon,
    HiddenVariables,
    SparseBinary,
    Sinc,
    NormalInputs,
    TwoClusters,
    Banana,
    Twonorm,
    Ringnorm,
    Waveform,
    GMonks,
    SyntheticPoisson,
    CylinderBellFunnel,
    DigitPairs,
)
