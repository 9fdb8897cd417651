"""Kernels and their mixture on the same halves: what is learnt from which rows, and whether mixing helps."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib import RBF, Linear, Mixture, On, ParameterError, Polynomial
from kernlib.advice import compare_kernels, mix_kernels
from kernlib.analysis import centred_alignment
from kernlib.data import Dataset, load_dataset
from kernlib.figures.choose import mixing_bars
from kernlib.protocols import RepeatedSplits

#: k(x, x) of the polynomial differs from row to row.
KERNELS = (Linear(), RBF(sigma=2.0), Polynomial(degree=4))


def mixed(data: Dataset, kernels, **options):
    *_, found = mix_kernels(data, kernels, **options)
    return found


def test_weights_are_learnt_from_the_training_half_and_alignments_are_those_of_the_other():
    data = load_dataset("banana").stratified_sample(80, seed=0)
    found = mixed(data, KERNELS, splits=4)
    signs = np.where(data.y == data.y.max(), 1.0, -1.0)
    mixture = Mixture(KERNELS, weights="alignment")
    for split, train, test in RepeatedSplits(repeats=4).splits(data.y):
        fitted = mixture.fit(data.inputs[train], data.y[train])
        sizes = np.array(fitted.used_weights()) * [k.diag(data.inputs[train]).mean() for k in KERNELS]
        np.testing.assert_allclose(found.shares[split], sizes / sizes.sum(), rtol=1e-9)
        unseen = [k(data.inputs[test]) for k in (*KERNELS, fitted)]
        np.testing.assert_allclose(found.alignments[split], [centred_alignment(K, signs[test]) for K in unseen])
    *_, same = compare_kernels(data, (*KERNELS, mixture), rows=80, splits=4)
    np.testing.assert_array_equal(found.errors.errors, same.errors)
    assert found.names == ("Linear", "RBF(2)", "Polynomial(4, 1)", "mixture")
    assert found.in_words().startswith("Mixing does not help here.")
    bars = {key: fig.data[0].x for key, _, fig in mixing_bars(found)}
    np.testing.assert_allclose(bars["weights"], found.shares.mean(axis=0))
    np.testing.assert_allclose(bars["errors"], found.errors.errors.mean(axis=1))


def test_mixing_helps_where_kernels_read_different_columns():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(160, 2))
    y = (np.cos(2.0 * rows).sum(axis=1) + 0.1 * rng.normal(size=160) > 0.3).astype(int)
    data = Dataset("sum", "A sum of two columns", "vector", rows, y=y, classes=("no", "yes"))
    found = mixed(data, (On((0,), RBF(sigma=0.5)), On((1,), RBF(sigma=0.5))))
    assert found.difference.separable
    assert found.in_words().startswith("Mixing helps here.")
    assert found.alignments.mean(axis=0).argmax() == 2
    assert found.shares.min() > 0.2


def test_one_kernel_is_no_mixture():
    with pytest.raises(ParameterError, match="expected two kernels or more; got 1"):
        mixed(load_dataset("iris"), (Linear(), Linear()))
