"""Generators: frozen values with declared parameters; the same seed gives the same data."""

from ..entries import Generator
from .nominal import GMonks, MarkovStrings, SyntheticPoisson, gmonks_rule
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

__all__ = [
    "Banana",
    "CylinderBellFunnel",
    "DigitPairs",
    "GMonks",
    "Generator",
    "HiddenVariables",
    "MarkovStrings",
    "NoisyColon",
    "NormalInputs",
    "Ringnorm",
    "Sinc",
    "SparseBinary",
    "SyntheticPoisson",
    "TwoClusters",
    "Twonorm",
    "Waveform",
    "gmonks_rule",
]
