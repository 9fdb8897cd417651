"""Figures that the sources publish, for comparison on the pages."""

from __future__ import annotations

__all__ = ["RELEVANT_DIMENSIONS"]

#: [R], table 'Benchmark Data Sets': name -> (relevant dimension, estimated error as a share).
RELEVANT_DIMENSIONS: dict[str, tuple[int, float]] = {
    "banana": (24, 0.088),
    "breast-cancer": (2, 0.256),
    "diabetes": (9, 0.215),
    "flare-solar": (10, 0.329),
    "german": (12, 0.229),
    "heart": (4, 0.158),
    "image": (272, 0.017),
    "ringnorm": (36, 0.019),
    "splice": (92, 0.092),
    "thyroid": (17, 0.020),
    "titanic": (4, 0.208),
    "twonorm": (2, 0.023),
    "waveform": (14, 0.084),
}
