"""What a data set's sentence tells the reader to look for is there: computed, as the sentences are not."""

from __future__ import annotations

import numpy as np

from kernlib import (
    RBF,
    Coded,
    Diffusion,
    Empirical,
    LatentSemantic,
    Linear,
    MetricPairs,
    Normalized,
    Overlap,
    Polynomial,
    Power,
    Spectrum,
    TensorPairs,
    VectorSpace,
    WeightedDegree,
)
from kernlib.analysis.gram import class_means, diagonal_ratio
from kernlib.data import load_dataset
from kernlib.machines import SVM
from kernlib.protocols import RepeatedSplits


def error(data, kernel, repeats=6, train=0.5):
    bound, wrong = kernel.bind(data.inputs), []
    for _, own, new in RepeatedSplits(repeats=repeats, train=train, seed=0).splits(data.y, task="classification"):
        fold = bound.fold(own, new, data.y[own])
        machine = SVM(C=10.0, scale="spread").fit(fold.K, data.y[own], task="classification")
        wrong.append((machine.predict(fold.K_star) != data.y[new]).mean())
    return float(np.mean(wrong))


def chance(data):
    return 1 - max(np.mean(data.y == c) for c in np.unique(data.y))


def monks(number):
    """Errors on the published test part, and on those of its rows that no training row equals."""
    data = load_dataset(f"monks-{number}")
    (split,) = data.splits
    seen = {tuple(row) for row in data.rows[split.train].tolist()}
    unseen = np.array([i for i in split.test if tuple(data.rows[i].tolist()) not in seen])
    found = {}
    for name, kernel in {"mean": Overlap(), "squared": Overlap() ** 2, "product": Overlap("product")}.items():
        for rows, which in ((split.test, ""), (unseen, " unseen")):
            fold = kernel.bind(data.inputs).fold(split.train, rows, data.y[split.train])
            machine = SVM(C=10.0, scale="spread").fit(fold.K, data.y[split.train])
            found[name + which] = float((machine.predict(fold.K_star) != data.y[rows]).mean())
            if name == "product" and which:
                assert not fold.K_star.any()
    return found | {"chance": chance(data.take(unseen))}


def test_monks_a_square_sees_pairs_of_columns_and_a_product_over_all_columns_guesses():
    one, two, three = monks(1), monks(2), monks(3)
    assert one["squared"] == 0 < 0.2 < one["mean"]
    assert two["squared"] < 0.2 < 0.3 < two["mean"]
    assert three["mean"] < 0.05 < 0.3 < three["product"]
    for found in (one, two, three):  # a row that equals no training row has similarity 0 with all of them
        assert found["product unseen"] >= found["chance"] - 1e-9
    assert "squared" not in load_dataset("monks-3").look_for
    assert "guesses" in load_dataset("monks-3").look_for


def test_digits_that_stand_out_least():
    data = load_dataset("digits").stratified_sample(400, seed=0)
    means = class_means(RBF(sigma="median").fit(data.rows)(data.rows), np.unique(data.y, return_inverse=True)[1])
    within = np.diagonal(means)
    others = means - np.diag(within)
    assert (within > others.max(axis=1)).all()
    for other in (others.max(axis=1), others.sum(axis=1) / 9):
        assert sorted(data.classes[c] for c in np.argsort(other / within)[-3:]) == ["1", "8", "9"]
    assert "1, 8 and 9 stand out least" in data.look_for


def test_wine_is_ruled_by_one_column_and_yeast_has_two_that_hardly_vary():
    rows = load_dataset("wine").rows
    assert rows.var(axis=0).max() > 0.99 * rows.var(axis=0).sum()
    columns = load_dataset("yeast").rows.T
    assert sum(np.unique(c, return_counts=True)[1].max() > 0.95 * len(c) for c in columns) == 2


def test_promoters_are_read_at_two_boxes():
    data = load_dataset("promoters-categorical")
    gain = []
    for column in data.rows.T:
        table = np.array([[np.sum((column == v) & (data.y == c)) for c in np.unique(data.y)] for v in set(column)])
        p = table / table.sum()
        gain.append(np.nansum(p * np.log(np.where(p > 0, p, 1) / (p.sum(1, keepdims=True) * p.sum(0)))))
    places = np.argsort(gain)[-7:] - 50
    near = [min(abs(place + 35), abs(place + 10)) <= 4 for place in places]
    assert np.mean(near) > 0.8
    strings = load_dataset("promoters")
    assert error(strings, Normalized(WeightedDegree(degree=3))) < error(strings, Normalized(Spectrum(length=3)))


def test_powers_help_where_the_sentence_says_so():
    noisy = load_dataset("colon-noise", seed=0)
    assert 32 < np.diagonal(Linear()(noisy.rows)).mean() < 37
    at = {p: error(noisy, Empirical(Power(Linear(), p=p)), 20, 0.8) for p in (0.6, 0.7, 1.0)}
    assert (at[0.6] + at[0.7]) / 2 < at[1.0]
    hidden = load_dataset("hidden-variables")
    kernel = Polynomial(degree=4, offset=1.0)
    assert error(hidden, Empirical(Power(kernel, p=0.5)), 10) < 0.6 * error(hidden, Empirical(Power(kernel, p=1.0)), 10)
    assert "from p = 1 to p near ½ the test error falls by a third or more" in hidden.look_for
    assert diagonal_ratio(Linear()(load_dataset("colon").rows)) < 5


def test_texts_pairs_columns_and_networks():
    pages = load_dataset("webkb").stratified_sample(800, seed=0)
    assert error(pages, LatentSemantic(concepts=150), 2) < error(pages, VectorSpace(), 2) + 0.02
    every = load_dataset("webkb")
    assert f" {VectorSpace().features(every.inputs)[0].shape[1]} terms" in every.look_for
    pairs = load_dataset("digit-pairs")
    metric, tensor = (error(pairs, k(RBF(sigma="median")), 3) for k in (MetricPairs, TensorPairs))
    assert metric < tensor
    poisson = load_dataset("synthetic-poisson")
    assert all(error(poisson, kernel, 2) < 0.05 for kernel in (Overlap(), Overlap() ** 2, Coded(RBF(sigma=2.0))))
    karate = load_dataset("karate")
    blocks = []
    for beta in (0.1, 0.5):
        K = Diffusion(beta=beta).bind(karate.inputs)(np.arange(karate.n))
        means = class_means(
            K / np.sqrt(np.outer(np.diagonal(K), np.diagonal(K))), np.unique(karate.y, return_inverse=True)[1]
        )
        blocks.append(np.diagonal(means).mean() - means[0, 1])
    assert blocks[1] > blocks[0] > 0
