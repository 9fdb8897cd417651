"""What is proposed for data that nobody has seen: from what the rows are, never from a name."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import numpy as np
from numpy.testing import assert_allclose

from kernlib import Deep, Empirical, Normalized, On, Power, Spectrum, Subsequence, WeightedDegree
from kernlib.data import Dataset, load_dataset, readings
from kernlib.experiments import Axis, FoldResult, RunSpec, curve, more_in_words, sweep
from kernlib.experiments.decisions import default_kernel, default_machine, presets_for
from kernlib.machines import SVM
from kernlib.protocols import RepeatedSplits

RNG = np.random.default_rng(3)


def renamed(data: Dataset) -> Dataset:
    return dataclasses.replace(data, name="upload", title="mine.csv")


def strings(n: int, lengths: tuple[int, int], letters: str) -> Dataset:
    rows = ["".join(RNG.choice(list(letters), RNG.integers(*lengths))) for _ in range(n)]
    return Dataset("s", "S", "sequence", rows, y=np.arange(n) % 2)


def test_sequences_by_what_they_are():
    for name in ("promoters", "splice-two-class", "splice"):
        sample = renamed(load_dataset(name, n=100, seed=4))
        assert default_kernel(sample) == Normalized(WeightedDegree(degree=3))
    assert default_kernel(load_dataset("markov-strings")) == Empirical(Power(Subsequence(order=3, decay=0.25), p=0.5))
    assert default_kernel(strings(40, (20, 30), "acgt")) == Empirical(Power(Subsequence(order=3, decay=0.25), p=0.5))
    # One length alone says nothing about positions.
    assert isinstance(default_kernel(strings(60, (25, 26), "acgt")), Empirical)
    assert default_kernel(strings(120, (900, 1100), "acgt")) == Normalized(Spectrum(length=5))
    assert default_kernel(strings(120, (400, 600), "ACDEFGHIKLMNPQRSTVWY")) == Normalized(Spectrum(length=3))


def test_a_proposed_machine_is_no_constant_where_an_absolute_c_is_one():
    """Strings whose kernel is far from 1: error of the Markov strings at two levels, 15 halves."""
    spec = RunSpec(
        "markov-strings",
        Deep(Subsequence(order=3, decay=0.25), level=0),
        default_machine(load_dataset("markov-strings")),
        RepeatedSplits(repeats=15),
        axis=Axis("kernel.level", (0, 2)),
    )
    scaled = curve(spec, sweep(spec))
    assert_allclose(scaled.mean, [0.38, 0.24], atol=0.005)
    assert scaled.constant == (False, False)
    plain = replace(spec, machine=SVM(C=1.0))
    absolute = curve(plain, sweep(plain))
    assert_allclose(absolute.mean, [0.52, 0.52], atol=0.005)
    assert absolute.constant == (True, True)
    assert absolute.warnings[0].startswith("At 0, 2: the machine decides for one class in every split.")
    assert list(absolute.to_frame()["one_class"]) == [True, True]


def test_mixed_tables_get_a_kernel_for_each_kind():
    heart = load_dataset("heart-mixed")
    total, product, deep = (p.kernel for p in presets_for(heart))
    assert total == default_kernel(heart)
    for kernel in (total, product, deep):
        K = kernel(heart.inputs)
        assert np.linalg.eigvalsh(K).min() > -1e-9
    numbers, nominal = heart.of_kind("vector"), heart.of_kind("categorical")
    left = total.left(heart.inputs)  # type: ignore[attr-defined]
    right = total.right(heart.inputs)  # type: ignore[attr-defined]
    same = heart.rows[:, None, list(nominal)] == heart.rows[None, :, list(nominal)]
    assert_allclose(right, same.mean(axis=2))
    X = heart.rows[:, list(numbers)].astype(float)
    assert total.left.columns == numbers  # type: ignore[attr-defined]
    assert_allclose(left, total.left.kernel(X))  # type: ignore[attr-defined]
    assert_allclose(product(heart.inputs), left * right)


RAW = "dna,mass,colour,gap,kind\n" + "".join(
    f"{''.join(RNG.choice(list('ACGT'), RNG.integers(12, 18)))},{i % 7 / 2 + i / 100},{'xyz'[i % 3]},"
    f"{'' if i % 6 == 1 else i % 5 - 1.5},{'uv'[i % 2]}\n"
    for i in range(60)
)


def test_a_mixed_table_has_a_kernel_for_each_kind_of_its_columns():
    reading = next(one for one in readings("mixed.csv", RAW.encode(), label="kind") if one.kind == "table")
    assert (reading.gaps, reading.choices["missing"]) == (10, "mean")
    data = reading.dataset()
    assert data.kinds == ("sequence", "vector", "categorical", "vector")
    assert (data.missing, data.fill) == (10, "mean")
    kernel = default_kernel(data)
    parts = (kernel.left.left, kernel.left.right, kernel.right)  # type: ignore[attr-defined]
    assert {part.columns for part in parts} == {(0,), (1, 3), (2,)}
    assert isinstance(kernel.right, On)  # type: ignore[attr-defined]
    assert np.isfinite(kernel(data.inputs)).all()
    spec = RunSpec("upload:" + data.digest, kernel, protocol=RepeatedSplits(repeats=2))
    assert all(not r.problem for r in sweep(spec, data))
    assert data.complete().missing == 0
    assert data.take([3, 1, 2]).rows[0, 2] == "x"


def test_the_first_curve_is_compared_with_guessing():
    data = load_dataset("splice")

    def told(*scores: float) -> list[str]:
        spec = RunSpec("splice", WeightedDegree(), protocol=RepeatedSplits(repeats=len(scores)))
        drawn = curve(spec, [FoldResult(None, k, score, 50, 50, 0.0) for k, score in enumerate(scores)])
        return more_in_words(spec, drawn, data.y)

    assert told(0.04, 0.05, 0.06) == []
    assert told(0.5, 0.52, 0.51) == ["The best, 51%, is not better than guessing, 48.1%."]
    assert told(0.1, 0.8, 0.4) == ["The best, 43.3%, is not significantly better than guessing, 48.1%."]
