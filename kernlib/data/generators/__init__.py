"""Generators: frozen values with declared parameters; the same seed gives the same data."""

from .base import Generator
from .categorical import GMonks, SyntheticPoisson, gmonks_rule
from .gaussian import NormalInputs
from .large_diagonals import HiddenVariables, NoisyColon, SparseBinary
from .pairs import DigitPairs
from .series import CylinderBellFunnel
from .strings import MarkovStrings
from .vectors import Banana, Ringnorm, Sinc, TwoClusters, Twonorm, Waveform

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
