"""Where a strip of levels is most informative, and where it has collapsed."""

import numpy as np
import pytest

from kernlib import RBF, Deep
from kernlib.analysis import compare_levels, level_numbers, level_sentences
from kernlib.analysis.levels import collapse, levels_of
from kernlib.analysis.summary import Summary
from kernlib.protocols import HalvesErrors, errors_on_halves


def numbers(*spreads, ratio=2.0):
    return {level: Summary(9, ratio, spread=spread) for level, spread in enumerate(spreads)}


def test_collapse_must_last_and_may_be_identity():
    assert collapse(numbers(0.001, 0.2)) is None
    assert collapse(numbers(0.2, 0.001, 0.0001)).level == 1
    found = collapse(numbers(0.2, 0.001, ratio=1e6))
    assert (found.level, found.kind) == (1, "identity")


def measured(kernel, rows, y, most=8):
    memo = {}
    return {
        one.level: level_numbers(one, errors_on_halves(Deep(kernel, level=one.level), rows, y, memo=memo))
        for one in levels_of(kernel(rows), most)
    }


def test_labels_of_noise_have_no_level_that_helps():
    """The smallest of nine errors is far below that of level 0 in many of these sets."""
    rng, helps, below = np.random.default_rng(0), [], []
    for _ in range(12):
        choice = compare_levels(measured(RBF(sigma=1.5), rng.normal(size=(60, 3)), rng.permutation([0, 1] * 30)))
        helps.append(choice.helps)
        below.append(choice.errors[choice.best].test < choice.errors[0].test - 0.03)
    assert not any(helps)
    assert np.mean(below) > 0.1


def halves(*tests, training=0.1):
    return HalvesErrors("classification", "error", tests, (training,) * len(tests), 0.5, 60, 30)


HIGH, FAIR, LOW = halves(0.40, 0.41, 0.42), halves(0.2, 0.21, 0.22), halves(0.1, 0.11, 0.12)
MEMORY, NOTHING = (halves(0.5, 0.51, 0.49, training=training) for training in (0.0, 0.5))


@pytest.mark.parametrize(
    ("errors", "words", "level"),
    [
        ([HIGH, LOW], "Depth helps: test error 11% at level 1, instead of 41%", 1),
        ([LOW, HIGH], "No deeper level has a smaller test error than level 0, the kernel itself", 0),
        ([halves(0.40, 0.2, 0.3), halves(0.1, 0.4, 0.3)], "No level is significantly better than level 0", 0),
        ([HIGH, halves(0.12, 0.1, 0.13), LOW], "at level 1, instead of 41%", 1),
        ([FAIR, MEMORY], "Level 1 memorises: training error 0%", 0),
        ([FAIR, NOTHING], "Level 1 learns nothing: training error 50%", 0),
        ([FAIR, MEMORY, MEMORY], "From level 1 on, the machine memorises: at level 2 training error 0%", 0),
    ],
)
def test_sentence_and_star_are_of_one_comparison(errors, words, level):
    numbers = dict(enumerate(Summary(4, errors=of) for of in errors))
    assert words in " ".join(level_sentences(numbers))
    assert compare_levels(numbers).level == level


def test_where_no_level_is_significantly_better_the_simplest_is_proposed():
    numbers = {0: Summary(4, errors=halves(0.3, 0.3, 0.4, 0.35)), 1: Summary(4, errors=halves(0.2, 0.3, 0.4, 0.35))}
    assert level_sentences(numbers) == [
        "No level is significantly better than level 0: test error 33.8%, at best 31.2% at level 1.",
        "Stay at level 0, the simplest: 4 halves are too few to rank 2 levels.",
    ]


def test_no_sentence_speaks_of_errors_that_are_not_there():
    assert level_sentences({one.level: level_numbers(one) for one in levels_of(np.eye(4), 2)}) == []
    assert level_sentences({0: Summary(4, errors=halves(0.1, 0.2))}) == []
