"""How well each way to choose did on the project's own sets, as ``python -m tests.benchmarks choosing`` measured it."""

from __future__ import annotations

#: Regret and its standard error in points of error over so many samples, by the way to choose.
_SETS = 48
_REGRETS = {
    "squared leave-one-out error": (3.17, 0.74),
    "5-fold cross-validation": (2.16, 0.37),
    "this page's comparison": (2.15, 0.43),
    "a random setting": (6.55, 1.02),
}


def regrets_in_words() -> str:
    """Return what choosing by the squared error alone, by cross-validation of all settings, and by `find` costs.

    >>> print(regrets_in_words().partition(", a random setting")[0])
    Points of error above the best setting, mean ± standard error over 48 samples: squared leave-one-out error \
3.2 ± 0.7, 5-fold cross-validation 2.2 ± 0.4, this page's comparison 2.1 ± 0.4
    """
    costs = ", ".join(f"{name} {regret:.1f} ± {error:.1f}" for name, (regret, error) in _REGRETS.items())
    return f"Points of error above the best setting, mean ± standard error over {_SETS} samples: {costs}."
