"""Properties of strings for the choice of a kernel: aligned at a site or not, and the length of words to count."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

#: p-value below which positions differ. Markov strings of one length have p ≥ 0.1, 100 promoters or splice sites 1e-17.
_SURE = 1e-4


def are_aligned(strings: Sequence[str]) -> bool:
    """Return whether strings are aligned: of one length, with letters that depend on the position.

        χ² = Σ (O_{a,i} − E_{a,i})² / E_{a,i},   E_{a,i} = n_a / L

    over letters a and positions i, with (|A| − 1)(L − 1) degrees of freedom: strings cut around a site have letters
    that depend on the position. Only rows are used, never labels.

    Reference: Pearson's test of homogeneity, with p < 10⁻⁴; by SciPy.

    >>> from kernlib.data import load_dataset
    >>> are_aligned(load_dataset("promoters").rows), are_aligned(load_dataset("markov-strings").rows)
    (True, False)
    """
    lengths = {len(s) for s in strings}
    if len(lengths) != 1 or len(strings) < 10 or min(lengths) < 4:
        return False
    letters = np.array([list(s) for s in strings])
    counts = np.array([(letters == a).sum(axis=0) for a in np.unique(letters)], dtype=np.float64)
    if len(counts) < 2:
        return False
    from scipy.stats import chi2_contingency

    return bool(chi2_contingency(counts).pvalue < _SURE)


def word_length(strings: Sequence[str]) -> int:
    """Return the word length, 3 to 6, at which a string of mean length holds about as many words as exist.

        |A|^k ≈ mean length

    >>> word_length(["acgt" * 300] * 5), word_length(["abcdefghij" * 5] * 5)
    (5, 3)
    """
    alphabet = len(set().union(*strings))
    mean = sum(map(len, strings)) / len(strings)
    return max(3, min(6, round(math.log(max(mean, 2)) / math.log(max(alphabet, 2)))))
