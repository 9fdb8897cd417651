"""Ordinal words as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from .uploads import number_of

#: Scales of ordinal words, each from low to high.
SCALES = tuple(
    tuple(scale.split())
    for scale in (
        "strongly_disagree disagree somewhat_disagree neutral neither_agree_nor_disagree somewhat_agree agree "
        "strongly_agree",
        "very_dissatisfied dissatisfied neutral satisfied very_satisfied",
        "very_poor poor fair good very_good excellent",
        "very_low low medium high very_high", "low mid high", "low moderate high", "small medium large",
        "xs s m l xl xxl", "none mild moderate severe", "poor fair good excellent", "bad fair good", "no yes",
        "false true",
        "never rarely sometimes often always", "mon tue wed thu fri sat sun",
        "jan feb mar apr may jun jul aug sep oct nov dec", "cold cool mild warm hot", "weak strong", "minor major",
    )
)  # fmt: skip


def ordered(words: Iterable[str]) -> tuple[list[str], str]:
    """Return words from low to high, and the name of that order.

    >>> ordered({"high", "low"})
    (['low', 'high'], 'their usual order')
    >>> ordered({"10-19", "20+", "<10"})
    (['<10', '10-19', '20+'], 'their first number')
    """
    distinct = sorted(set(words))
    if all((number := number_of(word)) is not None and np.isfinite(number) for word in distinct):
        return sorted(distinct, key=float), "numbers"
    plain = {word: re.sub(r"[\s-]+", "_", word.lower()) for word in distinct}
    for scale in SCALES:
        if len(set(plain.values())) == len(plain) and set(plain.values()) <= set(scale):
            return sorted(distinct, key=lambda word: scale.index(plain[word])), "their usual order"
    leading = {word: match for word in distinct if (match := re.match(r"(\D{0,3}?)(\d{1,15})", word, re.ASCII))}
    if len(leading) == len(distinct):
        first = {word: (int(match[2]), match[1].strip() not in ("<", "≤"), word) for word, match in leading.items()}
        return sorted(distinct, key=first.__getitem__), "their first number"
    return distinct, "the alphabet"


def is_scale(words: Iterable[str]) -> bool:
    """Return whether three words or more are a known scale, or begin with numbers as the answers of a form do.

    >>> is_scale({"low", "high", "medium"}), is_scale({"1 - no", "2 - may be", "3 - yes"}), is_scale({"yes", "no"})
    (True, True, False)
    """
    distinct = set(words)
    if not 3 <= len(distinct) <= 50:
        return False
    spans = r"\d+\s?([-–]\s?\d+|\+)|[<>≤≥]\s?\d+"
    numbered = all(re.match(r"\d{1,3}\s?[-–=:.)]\D", word) or re.fullmatch(spans, word) for word in distinct)
    return numbered or ordered(distinct)[1] == "their usual order"
