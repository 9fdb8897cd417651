"""How well each criterion chose on the project's own sets, as ``python -m tests.benchmarks choosing`` measured it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from ..values.words import number, percent

#: The names of criteria on screen.
_NAMES = {
    "likelihood": "−log ℓ(d̂)",
    "alignment": "alignment",
    "squared": "squared leave-one-out error",
    "cross-validation": "5-fold cross-validation",
}
#: Regret and its standard error in points of error over so many samples, by the way to choose.
_SETS = 48
_REGRETS = {
    "squared leave-one-out error": (3.17, 0.74),
    "5-fold cross-validation": (2.16, 0.37),
    "this page's comparison": (2.15, 0.43),
    "a random setting": (6.55, 1.02),
}


@cache
def orders() -> tuple[dict[str, Any], ...]:
    """Return how often criteria ordered two values of a parameter as the test error did, by kind of data.

    As ``python -m tests.benchmarks criteria`` measured it. Each entry has the `name` and `domain` of the data, what
    `varies`, the median diagonal `ratio`, training `rows`, `sets`, and by criterion `shares` with their `se`.

    >>> {"p", "level", "sigma"} < {entry["varies"] for entry in orders()}
    True
    """
    return tuple(json.loads(files(__package__).joinpath("criteria.json").read_text(encoding="utf-8")))


def orders_in_words(
    path: str, domain: str, ratio: float, criteria: Sequence[str] = ("likelihood", "alignment", "squared")
) -> str:
    """Return how often each criterion ordered values of a parameter as the test error did, on the most similar data.

    Of the measured data of the same domain, whose same parameter varied, the two of the nearest diagonal ratio.

    Parameters: `path` of the parameter, as an axis has it; `domain` of the rows; `ratio` the diagonal ratio of the
    kernel below the step that varies.

    >>> print(orders_in_words("kernel.kernel.p", "sequence", 90.0, ["alignment"]).partition("; Splice")[0])
    How often criteria ordered two values as the test error did, on the most similar data measured: \
Markov strings (diagonal ratio 91, 20 sets): alignment 83%, 5-fold cross-validation 83%
    """
    name = path.rpartition(".")[2]
    found = [entry for entry in orders() if (entry["domain"], entry["varies"]) == (domain, name)]
    if not found:
        return f"Whether criteria order values of {name} as the test error does was not measured on such rows."
    if math.isfinite(ratio) and ratio > 0:
        found.sort(key=lambda entry: abs(math.log(entry["ratio"] / ratio)))
    shown = []
    for entry in found[:2]:
        shares = ", ".join(
            f"{_NAMES[criterion]} {percent(entry['shares'][criterion])}"
            for criterion in (*criteria, "cross-validation")
        )
        about = f"diagonal ratio {number(entry['ratio'], 3)}, {entry['sets']} sets"
        shown.append(f"{entry['name']} ({about}): {shares}")
    return (
        "How often criteria ordered two values as the test error did, on the most similar data measured: "
        f"{'; '.join(shown)}. Half is chance."
    )


def regrets_in_words() -> str:
    """Return what choosing by the squared error alone, by cross-validation of all settings, and by `find` costs.

    >>> print(regrets_in_words().partition(", a random setting")[0])
    Points of error above the best setting, mean ± standard error over 48 samples: squared leave-one-out error \
3.2 ± 0.7, 5-fold cross-validation 2.2 ± 0.4, this page's comparison 2.1 ± 0.4
    """
    costs = ", ".join(f"{name} {regret:.1f} ± {error:.1f}" for name, (regret, error) in _REGRETS.items())
    return f"Points of error above the best setting, mean ± standard error over {_SETS} samples: {costs}."
