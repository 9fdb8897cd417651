"""Generators: the same seed gives the same data, and the data follow the published laws."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib.data import CATALOGUE, load_dataset
from kernlib.data.generators import (
    GMonks,
    MarkovStrings,
    NoisyColon,
    SyntheticPoisson,
    gmonks_rule,
    poisson_masses,
)
from kernlib.errors import ParameterError

GENERATED = [name for name, entry in CATALOGUE.items() if entry.kind == "generator"]
# Taken once: data must not change under the figures that were made from them. NumPy's streams are stable; rounding
# of transcendental functions is not, hence whole numbers and plain sums only.
DIGESTS = {
    "markov-strings": "e6ab338c20b76cce",
    "gmonks": "43cd3ff9ac910329",
    "twonorm": "57d2e45f851ed600",
}


@pytest.mark.parametrize("name", GENERATED)
def test_the_seed_decides_the_data(name):
    again = load_dataset(name, seed=7)
    assert load_dataset(name, seed=7).digest == again.digest
    assert load_dataset(name, seed=8).digest != again.digest


@pytest.mark.parametrize("name", GENERATED)
def test_every_parameter_is_declared_with_words_and_ranges(name):
    generator = CATALOGUE[name].generator
    assert generator is not None
    parameters = generator.parameters()
    assert parameters[-1].name == "seed"
    for p in parameters:
        assert p.help
        assert p.symbol
        if p.kind in ("int", "float"):
            assert p.low is not None
            assert p.high is not None
            assert p.minimum is not None
            assert p.minimum <= p.low <= p.default <= p.high <= (p.maximum or np.inf)
    assert eval(repr(generator()), vars(__import__("kernlib.data.generators", fromlist=["*"]))) == generator()
    assert generator.formula


def test_markov_transitions():
    data = MarkovStrings(n=4000, seed=0).generate()
    codes = np.array([list(row.encode()) for row in data.rows]) - ord("a")
    assert codes.shape == (4000, 20)
    assert set(np.unique(codes)) == set(range(20))
    for label, stay, other in ((1, 0.43, 0.03), (0, 0.05, 0.05)):
        part = codes[data.y == label]
        counts = np.zeros((20, 20))
        np.add.at(counts, (part[:, :-1].ravel(), part[:, 1:].ravel()), 1)
        P = counts / counts.sum(axis=1, keepdims=True)
        assert np.diag(P).mean() == pytest.approx(stay, abs=0.01)
        assert P[~np.eye(20, dtype=bool)].mean() == pytest.approx(other, abs=0.001)
        assert abs(P[~np.eye(20, dtype=bool)] - other).max() < 0.025
        assert abs(np.bincount(part[:, 0], minlength=20) / len(part) - 0.05).max() < 0.025


def test_noisy_colon_lifts_the_diagonal_as_figure_2():
    data = NoisyColon(seed=0).generate()
    assert data.rows.shape == (62, 12_000)
    noise = data.rows[:, 2000:]
    assert ((noise != 0).sum(axis=1) == 100).all()
    assert noise.min() >= 0
    assert noise.max() < 1
    K = data.rows @ data.rows.T
    assert np.diag(data.rows[:, :2000] @ data.rows[:, :2000].T) == pytest.approx(np.ones(62))
    assert 30 < np.diag(K).mean() < 38
    assert abs(K[~np.eye(62, dtype=bool)]).max() < 4


def test_hidden_variables_means():
    data = load_dataset("hidden-variables", n=10_000)
    for sign, code in ((1, 1), (-1, 0)):
        mean = data.rows[data.y == code].mean(axis=0)
        assert mean[:10] == pytest.approx(np.full(10, sign * 0.5), abs=0.06)
        assert mean[10:] == pytest.approx(np.zeros(10), abs=0.06)


def test_twonorm_and_ringnorm_moments():
    a = 2 / np.sqrt(20)
    two = load_dataset("twonorm", n=8000)
    assert two.rows[two.y == 1].mean() == pytest.approx(a, abs=0.02)
    assert two.rows[two.y == 0].var() == pytest.approx(1, abs=0.02)
    assert ((two.rows.sum(axis=1) > 0) != (two.y == 1)).mean() == pytest.approx(0.023, abs=0.006)
    ring = load_dataset("ringnorm", n=8000)
    assert ring.rows[ring.y == 0].mean() == pytest.approx(a, abs=0.02)
    assert ring.rows[ring.y == 1].var() == pytest.approx(4, abs=0.1)


def gmonks_by_hand(row: list[int]) -> bool:
    obeyed = 0
    for start in range(0, len(row), 6):
        a1, a2, a3, a4, a5, a6 = row[start : start + 6]
        p1 = a1 == a2 or a5 == 1
        p2 = [a1, a2, a3, a4, a5, a6].count(1) >= 2
        p3 = (a5 == 3 and a4 == 1) or (a5 != 3 and a2 != 2)
        obeyed += p2 and not (p1 and p3)
    return obeyed >= len(row) / 6 / 2


@pytest.mark.parametrize("chunks", [1, 2, 3])
def test_gmonks_rule(chunks):
    data = GMonks(n=600, chunks=chunks, seed=1).generate()
    assert data.y is not None
    assert [gmonks_by_hand(row) for row in data.rows.tolist()] == (data.y == 1).tolist()
    assert np.array_equal(gmonks_rule(data.rows), data.y)
    assert data.rows.min(axis=0).tolist() == [1] * 6 * chunks
    assert data.rows.max(axis=0).tolist() == [3, 3, 2, 3, 4, 6] * chunks


def test_poisson_masses_keep_the_power_that_the_listing_drops():
    assert poisson_masses(4.0, 60).sum() == pytest.approx(1 - np.exp(-4))
    data = SyntheticPoisson(n=20_000, dimension=1, seed=3).generate()
    positive = data.rows[data.y == 1, 0]
    top = positive.max()
    shares = np.bincount(positive, minlength=top + 1)[1:top] / positive.size
    assert shares == pytest.approx(poisson_masses(4.0, top - 1), abs=0.015)
    rare = data.rows[data.y == 0, 0]
    assert set(np.unique(rare)) == {1, top}
    assert (rare == top).mean() == pytest.approx(poisson_masses(4.0, top - 1).sum(), abs=0.015)


def test_printed_masses_make_the_problem_as_easy_as_the_source_reports():
    for seed in range(3):
        data = SyntheticPoisson(n=400, masses="printed", seed=seed).generate()
        assert data.y is not None
        match = (data.rows[20:, None] == data.rows[None, :20]).mean(axis=2)
        assert (data.y[:20][match.argmax(axis=1)] != data.y[20:]).mean() < 0.005


def test_digit_pairs_point_into_their_base():
    data = load_dataset("digit-pairs", seed=2)
    assert data.base is not None
    assert data.base.y is not None
    a, b = data.rows.T
    assert np.array_equal(data.base.y[a] == data.base.y[b], data.y == 1)
    assert (a < b).all()
    assert len({tuple(pair) for pair in data.rows.tolist()}) == data.n


def test_impossible_parameters_say_what_to_do():
    with pytest.raises(ParameterError, match=r"NoisyColon: nonzero must be at most columns=50; got nonzero=100"):
        NoisyColon(columns=50)
    with pytest.raises(ParameterError, match=r"n must be an integer with 4 <= n <= 50000"):
        load_dataset("twonorm", n=500_000, dimension=1000)
    with pytest.raises(ParameterError, match="stay must be"):
        MarkovStrings(stay=1.5)


@pytest.mark.parametrize("name", DIGESTS)
def test_digests_stay_what_they_are(name):
    assert load_dataset(name).digest[:16] == DIGESTS[name]
