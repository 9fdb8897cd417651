"""What is proposed for data that nobody has seen: from what the rows are, never from a name."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from kernlib import Empirical, Normalized, On, Power, Spectrum, Subsequence, WeightedDegree
from kernlib.data import Dataset, load_dataset, read_upload
from kernlib.experiments import Axis, FoldResult, RunSpec, against_guessing, curve, reread_upload, sweep
from kernlib.experiments.proposals import default_machine, presets_for
from kernlib.machines import SVM
from kernlib.protocols import RepeatedSplits
from pages.parts.presets import default_kernel

RNG = np.random.default_rng(3)


def renamed(data: Dataset) -> Dataset:
    return dataclasses.replace(data, name="upload", title="mine.csv")


def strings(n: int, lengths: tuple[int, int], letters: str) -> Dataset:
    rows = ["".join(RNG.choice(list(letters), RNG.integers(*lengths))) for _ in range(n)]
    return Dataset("s", "S", "sequence", rows, y=np.arange(n) % 2)


def test_sequences_by_what_they_are() -> None:
    for name in ("promoters", "splice-two-class", "splice"):
        sample = renamed(load_dataset(name, n=100, seed=4))
        assert default_kernel(sample) == Normalized(WeightedDegree(degree=3))
    assert default_kernel(load_dataset("markov-strings")) == Empirical(Power(Subsequence(order=3, decay=0.25), p=0.5))
    assert default_kernel(strings(40, (20, 30), "acgt")) == Empirical(Power(Subsequence(order=3, decay=0.25), p=0.5))
    # One length alone says nothing about positions.
    assert isinstance(default_kernel(strings(60, (25, 26), "acgt")), Empirical)
    assert default_kernel(strings(120, (900, 1100), "acgt")) == Normalized(Spectrum(length=5))
    assert default_kernel(strings(120, (400, 600), "ACDEFGHIKLMNPQRSTVWY")) == Normalized(Spectrum(length=3))


def test_many_noisy_strings_get_a_soft_margin() -> None:
    few, many = load_dataset("promoters"), load_dataset("splice-two-class", n=300)
    assert default_machine(few) == SVM(C=math.inf)
    assert default_machine(many) == SVM(C=1.0)
    wrong = {}
    for machine in (SVM(C=math.inf), default_machine(many)):
        spec = RunSpec("splice-two-class", default_kernel(many), machine, RepeatedSplits(repeats=5),
                       parameters=(("n", 300),))  # fmt: skip
        wrong[machine] = np.mean([r.score for r in sweep(spec)])
    assert wrong[SVM(C=1.0)] <= wrong[SVM(C=math.inf)] + 0.01
    assert wrong[SVM(C=1.0)] < 0.2


@pytest.mark.parametrize("scale", [1e-6, 1.0, 37.0, 1e4])
def test_c_follows_the_kernels_scale(scale: float) -> None:
    data = load_dataset("iris")
    X = (data.rows - data.rows.mean(axis=0)) / data.rows.std(axis=0)
    K = scale * (X @ X.T)
    C = default_machine(data, K).C  # type: ignore[attr-defined]
    spread = np.trace(K) / len(K)
    assert 1e-3 <= C <= 1e3
    assert C == 1.0 if 0.01 < spread < 100 else 0.09 < C * spread < 11 or C in (1e-3, 1e3)


def test_mixed_tables_get_a_kernel_for_each_kind() -> None:
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
    np.testing.assert_allclose(right, same.mean(axis=2))
    X = heart.rows[:, list(numbers)].astype(float)
    assert total.left.columns == numbers  # type: ignore[attr-defined]
    np.testing.assert_allclose(left, total.left.kernel(X))  # type: ignore[attr-defined]
    np.testing.assert_allclose(product(heart.inputs), left * right)


RAW = "dna,mass,colour,gap,kind\n" + "".join(
    f"{''.join(RNG.choice(list('ACGT'), RNG.integers(12, 18)))},{i % 7 / 2 + i / 100},{'xyz'[i % 3]},"
    f"{'' if i % 6 == 1 else i % 5 - 1.5},{'uv'[i % 2]}\n"
    for i in range(60)
)


def test_a_mixed_table_from_upload_to_a_run_without_the_page(tmp_path) -> None:  # type: ignore[no-untyped-def]
    upload = read_upload("mixed.csv", RAW.encode())
    assert (upload.domain, upload.missing) == ("mixed", 10)
    data = upload.dataset(missing="mean")
    assert data.kinds == ("sequence", "vector", "categorical", "vector")
    assert (data.missing, data.fill) == (10, "mean")
    kernel = default_kernel(data)
    parts = (kernel.left.left, kernel.left.right, kernel.right)  # type: ignore[attr-defined]
    assert {part.columns for part in parts} == {(0,), (1, 3), (2,)}
    assert isinstance(kernel.right, On)  # type: ignore[attr-defined]
    assert np.isfinite(kernel(data.inputs)).all()
    axis = Axis("machine.C", (0.1, 1.0))
    spec = RunSpec("upload:" + data.digest, kernel, protocol=RepeatedSplits(repeats=2), axis=axis)
    (tmp_path / "mixed.csv").write_text(RAW)
    again = reread_upload(tmp_path / "mixed.csv", RunSpec.from_json(spec.to_json()))
    assert again.digest == data.digest
    assert [r.score for r in sweep(spec, again)] == [r.score for r in sweep(spec, data)]
    assert all(not r.problem for r in sweep(spec, again))
    assert data.complete().missing == 0
    assert data.take([3, 1, 2]).rows[0, 2] == "x"


def told(name: str, measure: str, scores: list[float], **more: object) -> str:
    data = load_dataset(name)
    spec = RunSpec(name, WeightedDegree(), protocol=RepeatedSplits(repeats=len(scores)), measure=measure)
    drawn = curve(spec, [FoldResult(None, k, score, 50, 50, 0.0) for k, score in enumerate(scores)])
    return against_guessing(spec, drawn, data.y, data.classes)  # type: ignore[arg-type]


def test_the_first_curve_is_compared_with_guessing() -> None:
    assert told("splice", "error", [0.04, 0.05, 0.06]) == (
        "Always saying 'N' errs on 48.1% of the rows; the best here errs on 5%."
    )
    assert told("splice", "error", [0.5, 0.52, 0.51]).endswith("errs on 51%: no better than guessing.")
    assert "not surely better than guessing" in told("splice", "error", [0.1, 0.8, 0.4])
    ranked = told("promoters", "AUC", [0.9, 0.91, 0.92])
    assert ranked == "Guessing has the area under the ROC curve 0.5; the best here has 0.91."
    real = told("sinc", "squared error", [0.01, 0.011])
    assert real == "Always saying the mean has the mean squared error 0.1; the best here has 0.0105."
