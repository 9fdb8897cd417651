"""The verdict on a run: the headline names what the best must be compared with, by one test on splits."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from kernlib import RBF, Deep
from kernlib.experiments import (
    REFERENCE,
    Axis,
    Curve,
    FoldResult,
    RunSpec,
    curve,
    difference_in_words,
    gap_from_best,
    more_in_words,
    recommendation_in_words,
    reference_name,
    value_to_take,
)
from kernlib.figures.curves import error_curve
from kernlib.protocols import RepeatedSplits
from kernlib.statistics import paired_difference

SPEC = RunSpec(
    "rows", Deep(RBF(), level=1), protocol=RepeatedSplits(repeats=4), axis=Axis("kernel.level", (1, 2)), reference=RBF()
)
LABELS = np.array([0, 0, 1, 1, 1])


def folds(*means, reference):
    results = [
        FoldResult(value, split, mean + 0.01 * (split % 2), 50, 50, 0.0)
        for value, mean in zip((1, 2), means, strict=True)
        for split in range(4)
    ]
    return [*results, *(FoldResult(REFERENCE, split, reference, 50, 50, 0.0) for split in range(4))]


def test_the_recommendation_names_the_reference_guessing_and_ties():
    worse = curve(SPEC, folds(0.08, 0.06, reference=0.05))
    assert recommendation_in_words(SPEC, worse, LABELS) == (
        "No value is better than the kernel before this step: error rate 6.5% at level = 2 against 5%."
    )
    better = curve(SPEC, folds(0.08, 0.06, reference=0.09))
    words = recommendation_in_words(SPEC, better, LABELS)
    assert words.startswith("Take level = 2: significantly better than the other value.\nOn new rows expect 6.5% (")
    assert words.endswith(", guessing 40%.")
    measured = folds(0.06, 0.08, reference=0.5)[:8]
    equal = [*measured, *(replace(one, value=REFERENCE) for one in measured if one.value == 1)]
    alike = recommendation_in_words(SPEC, curve(SPEC, equal), LABELS)
    assert "; the kernel before this step is not significantly worse." in alike, "another kernel with the same errors"
    from_0 = replace(SPEC, axis=Axis("kernel.level", (0, 2)))
    same = curve(from_0, [replace(one, value=0) if one.value == 1 else one for one in equal])
    assert "kernel before" not in recommendation_in_words(from_0, same, LABELS), "a level that is the reference itself"
    bad = curve(SPEC, folds(0.42, 0.41, reference=0.43))
    assert recommendation_in_words(SPEC, bad, LABELS).endswith(", not significantly better than guessing 40%.")
    assert reference_name(replace(SPEC, axis=None)) == "the reference kernel"


def test_of_levels_within_one_standard_error_the_first_is_recommended():
    results = [
        FoldResult(level, split, 0.2 + 0.04 * ((split + level) % 3) - 0.02 * level, 50, 50, 0.0)
        for level in (1, 2)
        for split in range(4)
    ]
    spec = replace(SPEC, reference=None)
    drawn = curve(spec, results)
    assert drawn.values[drawn.best] == 2
    assert drawn.values[value_to_take(spec, drawn)] == 1
    words = recommendation_in_words(spec, drawn, LABELS)
    assert words.startswith("Take level = 1: the simplest of 2 about as good as the best.\n")
    assert words.endswith(f" About as good: within one standard error of level = 2 ({drawn.mean[1]:.0%}).")
    expected = float(re.search(r"expect ([\d.]+)%", words)[1])
    assert expected >= round(100 * drawn.mean[0]), "never less than its own error"


def test_the_interval_that_is_said_is_the_one_that_is_drawn():
    spread = [0.05, 0.3, 0.1, 0.25, 0.2, 0.02]
    results = [FoldResult(v, k, s + 0.02 * v * (k % 2), 50, 50, 0.0) for v in (1, 2) for k, s in enumerate(spread)]
    spec = replace(SPEC, reference=None, protocol=RepeatedSplits(repeats=6))
    drawn = curve(spec, results)
    words = recommendation_in_words(spec, drawn, LABELS)
    assert words.startswith("Take level = 1: the lowest mean, but not significantly better than the other value.")
    low, high = re.search(r"\(([\d.]+)–([\d.]+)%\)", words).groups()
    (diamond,) = [t for t in error_curve(drawn).data if str(t.marker.symbol) == "diamond-open"]
    assert list(diamond.x) == [1]
    bar = diamond.error_y
    assert float(high) == pytest.approx(100 * (diamond.y[0] + bar.array[0]), abs=0.5)
    assert float(low) == pytest.approx(100 * (diamond.y[0] - bar.arrayminus[0]), abs=0.5)


def test_splits_that_tell_no_value_from_the_best_are_too_few():
    spread = (0.1, 0.5, 0.2)
    three = replace(SPEC, reference=None, protocol=RepeatedSplits(repeats=3), axis=Axis("kernel.level", (1, 2, 3)))

    def said(worst):
        rows = (spread, spread[::-1], worst)
        folds = [FoldResult(v, k, s, 50, 50, 0.0) for v, row in enumerate(rows, 1) for k, s in enumerate(row)]
        return recommendation_in_words(three, curve(three, folds), LABELS)

    assert said((0.4, 0.1, 0.5)).endswith(" 3 splits of 100 rows are too few to rank 3 values.")
    assert "too few" not in said((0.5, 0.9, 0.6)), "a value that is significantly worse"
    assert "too few" not in said(spread), "equal means: no number of splits would rank them"


def test_what_to_expect_is_said_for_so_many_training_rows():
    drawn = curve(SPEC, folds(0.08, 0.06, reference=0.05))
    told = " ".join(more_in_words(SPEC, drawn, LABELS))
    assert "Expected on new data after training on 50 of 100 rows: " in told
    assert "A machine that is trained on all rows usually has a smaller error." in told


def test_guessing_is_drawn_or_named_at_the_edge():
    drawn = curve(SPEC, folds(0.08, 0.06, reference=0.05))
    near, far = error_curve(drawn, guess=0.1), error_curve(drawn, guess=0.9)
    assert [shape.y0 for shape in near.layout.shapes if shape.line.dash == "dot"] == [0.1]
    assert any(note.text == "guessing 10%" for note in near.layout.annotations)
    assert any(note.text == "guessing 90% ↑" for note in far.layout.annotations)
    assert not [shape for shape in far.layout.shapes if shape.line.dash == "dot"]


def settings(best, reference, lower_is_better=True):
    """Six splits of one value, and of the reference."""
    scores = np.array([best]) if lower_is_better else 1 - np.array([best])
    of_reference = np.array(reference) if lower_is_better else 1 - np.array(reference)
    measure = "error rate" if lower_is_better else "accuracy"
    return Curve("", "", (None,), scores, measure, lower_is_better, of_reference, best=0, test_over_train=1.0)


@pytest.mark.parametrize("lower_is_better", [True, False])
@pytest.mark.parametrize(("reference", "side"), [(0.4, "worse"), (0.04, "better"), (0.2, "")])
def test_sentence_and_test_of_the_reference_are_of_the_corrected_resampled_t(lower_is_better, reference, side):
    best = [0.2, 0.22, 0.19, 0.2, 0.21, 0.2]
    drawn = settings(best, [reference + 0.01 * (i % 2) for i in range(6)], lower_is_better)
    gap = gap_from_best(drawn)
    plain = paired_difference(*(r if lower_is_better else -r for r in (drawn.reference, drawn.scores[0])), 1.0)
    assert (gap.mean, gap.p_value) == (pytest.approx(plain.mean), pytest.approx(plain.p_value))
    assert gap.low <= gap.mean <= gap.high
    long = difference_in_words(gap, drawn, "the reference kernel")
    assert f"significantly {side} than the best, by" in long if side else "cannot be distinguished" in long
    assert "corrected resampled t-test on 6 splits" in long


def test_the_reference_counts_among_the_settings_that_are_compared():
    drawn = settings([0.2, 0.22, 0.19, 0.2, 0.21, 0.2], [0.3, 0.29, 0.3, 0.31, 0.3, 0.3])
    alone = gap_from_best(drawn).p_value
    others = np.array([[0.2, 0.3] * 3, [0.3, 0.2] * 3])
    more = gap_from_best(replace(drawn, scores=np.vstack([drawn.scores, others]), values=(1, 2, 3)))
    assert more.p_value == pytest.approx(6 * alone), "one of six pairs of four settings"
