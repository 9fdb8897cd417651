"""A large diagonal need not memorise: training error beside test error, and what a power changes."""

import numpy as np
import pytest

from kernlib import Linear
from kernlib.analysis import examine
from kernlib.analysis.doctor import _taming_power, with_diagonal
from kernlib.analysis.gram import diagonal_ratio
from kernlib.protocols import errors_of_matrix
from kernlib.values.words import GLOSSARY


def two_clouds(columns, n=400, seed=0):
    """Twonorm in any number of dimensions: means 4 apart, whatever the dimension."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, columns)) + 2 / np.sqrt(columns) * (2 * y[:, None] - 1), y


@pytest.mark.parametrize(("columns", "ratio", "most"), [(100, 11.0, 0.1), (1000, 38.0, 0.18)])
def test_two_clouds_in_many_dimensions_have_a_large_diagonal_and_a_small_test_error(columns, ratio, most):
    """The sentence "a large diagonal memorises" is false: so neither the doctor nor the sentence says it."""
    X, y = two_clouds(columns)
    K = Linear()(X)
    assert diagonal_ratio(K) > ratio
    seen = errors_of_matrix(K, y)
    assert seen.verdict == "learns"
    assert seen.test < most
    (found,) = [f for f in with_diagonal(examine(K), seen) if "diagonal" in f.name and "large" in f.name]
    assert "learns anyway" in found.meaning
    assert found.sound
    assert found.remedies == ()
    assert "power" not in found.meaning, "no power was measured"


@pytest.mark.parametrize("seed", range(3))
def test_labels_without_a_rule_are_memorised(seed):
    rng = np.random.default_rng(seed)
    K = Linear()(rng.normal(size=(200, 500)))
    seen = errors_of_matrix(K, rng.permutation(np.arange(200) % 2))
    assert seen.verdict == "memorises"
    assert seen.training == 0
    (found,) = [f for f in with_diagonal(examine(K), seen) if "large" in f.name]
    assert "memorises" in found.meaning
    assert not found.sound
    assert found.remedies, "what may be tried is offered, without a claim that it helps"


def test_without_errors_the_findings_are_those_of_the_matrix():
    findings = examine(Linear()(two_clouds(100, n=40)[0]))
    assert with_diagonal(findings, None) == tuple(findings)
    assert _taming_power(float("inf")) == 0.1


def test_the_glossary_does_not_say_that_a_large_diagonal_memorises():
    meaning = {term.name: term.meaning for term in GLOSSARY}
    assert "memorises" not in meaning["diagonal ratio"]
    assert "test error" in meaning["diagonal ratio"]
    assert "test error" in meaning["memorises"]
