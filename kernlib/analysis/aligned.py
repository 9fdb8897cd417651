"""What strings are, before a kernel is chosen for them: cut around one place or not, and which words to count."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

__all__ = ["are_aligned", "word_length"]

#: Below this a difference between positions is no chance. Markov strings of one length give 0.1 and more, 100 rows of
#: promoters or splice sites 1e-17.
_SURE = 1e-4


def are_aligned(strings: Sequence[str]) -> bool:
    """Whether a position means the same in each string: all of one length, with letters of their own at some places.

        χ² = Σ (O_{a,i} − E_{a,i})² / E_{a,i},   E_{a,i} = n_a / L

    over letters a and positions i, with (|A| − 1)(L − 1) degrees of freedom: strings that were cut around a site have
    letters that depend on the position, others have the same everywhere. Read from the rows alone, never from labels.

    Reference: Pearson's test of homogeneity, with p < 10⁻⁴.

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
    from scipy.stats import chi2

    expected = counts.sum(axis=1, keepdims=True) / counts.shape[1]
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return bool(chi2.sf(statistic, (len(counts) - 1) * (counts.shape[1] - 1)) < _SURE)


def word_length(strings: Sequence[str]) -> int:
    """Letters of a word so that a string of the usual length holds about as many words as there are: 3 to 6.

        |A|^k ≈ mean length

    >>> word_length(["acgt" * 300] * 5), word_length(["abcdefghij" * 5] * 5)
    (5, 3)
    """
    alphabet = len(set().union(*strings))
    mean = sum(map(len, strings)) / len(strings)
    return max(3, min(6, round(math.log(max(mean, 2)) / math.log(max(alphabet, 2)))))
