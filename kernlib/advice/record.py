"""How well each criterion chose on the project's own sets, as ``python -m kernlib bench --choose`` measured it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from ..values.words import percent

#: The names of criteria in the table, and on screen.
_NAMES = {
    "likelihood": ("−log ℓ at the relevant dimension", "−log ℓ(d̂)"),
    "alignment": ("alignment", "alignment"),
    "squared": ("squared", "squared leave-one-out error"),
    "cross-validation": ("5-fold cross-validation of every setting, C tuned", "5-fold cross-validation"),
    "find": ("find", "this page's comparison"),
}


@cache
def record() -> dict[str, Any]:
    """Return the numbers: the `sets`, and by chooser its regret, cost, and the pairs of values that it orders rightly.

    >>> record()["choosers"]["find"]["regret"] < record()["choosers"]["a random setting"]["regret"]
    True
    """
    numbers: dict[str, Any] = json.loads(files(__package__).joinpath("record.json").read_text(encoding="utf-8"))
    return numbers


def orders_in_words(path: str, criteria: Sequence[str] = ("likelihood", "alignment", "squared")) -> str:
    """Return how often each criterion ordered two values of a parameter as the test error did, with cross-validation.

    Parameters: `path` of the parameter, as an axis has it: p and the level are counted by themselves.

    >>> orders_in_words("kernel.level", ["squared"])[:60]
    'Squared leave-one-out error ordered two levels correctly in '
    """
    name = path.rpartition(".")[2]
    group, words = {"p": ("p", "values of p"), "level": ("level", "levels")}.get(
        name, ("other numbers", "values of a parameter")
    )
    shown = []
    sets = 0
    for criterion in (*criteria, "cross-validation"):
        in_table, on_screen = _NAMES[criterion]
        counted = record()["choosers"][in_table]["ordered"][group]
        sets = max(sets, counted["sets"])
        shown.append((on_screen, percent(counted["share"])))
    (first, share), *others = shown
    rest = ", ".join(f"{other} {of}" for other, of in others)
    return f"{first[0].upper()}{first[1:]} ordered two {words} correctly in {share} of pairs ({sets} samples); {rest}."


def regrets_in_words() -> str:
    """Return what choosing by the squared error alone, by cross-validation of all settings, and by `find` costs."""
    by_name = record()["choosers"]
    shown = [
        f"{_NAMES[name][1]} {by_name[_NAMES[name][0]]['regret']:.1f}"
        for name in ("squared", "cross-validation", "find")
    ]
    return (
        f"Points of error above the best setting, over {len(record()['sets'])} samples: {', '.join(shown)}, "
        f"a random setting {by_name['a random setting']['regret']:.1f}."
    )
