"""Generators: frozen values with declared parameters; the same seed gives the same data."""

from .base import Generator
from .large_diagonals import HiddenVariables, NoisyColon, SparseBinary
from .nominal import GMonks, MarkovStrings, SyntheticPoisson, gmonks_rule
from .structured import CylinderBellFunnel, DigitPairs
from .vectors import Banana, NormalInputs, Ringnorm, Sinc, TwoClusters, Twonorm, Waveform

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
