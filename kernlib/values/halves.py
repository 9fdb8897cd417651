"""The errors of one kernel on the halves of a data set: the result that all pages and lessons show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

#: A test error above this share of chance counts as guessing, one below `_PARTLY` as having learnt something.
_GUESSING, _PARTLY = 0.8, 0.5


@dataclass(frozen=True)
class HalvesErrors:
    """The result of `errors_on_halves`: one machine, trained on each of the same halves and tested on the others.

    `tests` and `trainings` are the errors on the test and training rows of each split, by the measure called `measure`
    ("error", "balanced error" or "unexplained variance"); `chance` is that of guessing without the rows; `n` rows in
    all, of which `trained` train a machine, on average. `transductive` says that the kernel has seen the test rows,
    without their labels; `constant` that every machine decides for one class; `machine` is the label of another machine
    than that of the protocol.
    """

    task: Literal["classification", "regression"]
    measure: str
    tests: tuple[float, ...]
    trainings: tuple[float, ...]
    chance: float
    n: int
    trained: int
    transductive: bool = False
    constant: bool = False
    machine: str = ""

    @property
    def test(self) -> float:
        """Return the mean error on the test rows."""
        return sum(self.tests) / len(self.tests)

    @property
    def training(self) -> float:
        """Return the mean error on the training rows."""
        return sum(self.trainings) / len(self.trainings)

    @property
    def by(self) -> str:
        """Return the machine as the subject of a sentence.

        >>> HalvesErrors("classification", "error", (0.4,), (0.0,), 0.5, 40, 20, machine="kernel density").by
        'the machine (kernel density)'
        """
        if self.machine:
            return f"the machine ({self.machine.partition(' (')[0]})"
        return "ridge regression" if self.task == "regression" else "a support vector machine"

    @property
    def verdict(self) -> Literal["memorises", "does not learn", "learns in part", "learns"]:
        """Return what both errors mean beside that of guessing.

        >>> HalvesErrors("classification", "error", (0.4, 0.5), (0.0, 0.0), 0.5, 40, 20).verdict
        'memorises'
        """
        if self.test >= _GUESSING * self.chance:
            return "memorises" if self.training < 0.5 * self.test else "does not learn"
        return "learns in part" if self.test >= _PARTLY * self.chance else "learns"
