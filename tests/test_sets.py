"""The same kernels on several sets: errors, improvement, mean ranks, and the command over a folder."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from kernlib import RBF, Deep, Imputed, Linear, ParameterError, Spectrum
from kernlib.__main__ import main
from kernlib.advice import compare_sets, markdown, sets_in_words, sets_sections
from kernlib.advice.measuring import with_tuned_cost
from kernlib.data import Dataset, load_dataset
from kernlib.experiments import Axis, RunSpec, curve, sweep
from kernlib.experiments.proposals import default_machine
from kernlib.protocols import RepeatedSplits
from kernlib.statistics import paired_difference, posterior_difference


def drawn(seed, n=40, apart=1.5):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    rows = rng.normal(size=(n, 2)) + apart * y[:, None]
    return Dataset(f"s{seed}", f"S{seed}", "vector", rows, y=y, classes=("a", "b"), task="classification")


@pytest.fixture(scope="module")
def compared():
    bare = Dataset("bare", "Bare", "vector", np.zeros((9, 2)))
    sets = [drawn(0), drawn(1), drawn(0), bare, load_dataset("markov-strings", n=20)]
    return list(compare_sets(sets, (Linear(), RBF(sigma=1.0)), splits=3))


def test_a_set_has_the_errors_of_the_run_with_c_tuned_inside(compared):
    data, kernels = drawn(1), (Linear(), RBF(sigma=1.0))
    spec = RunSpec(
        "rows",
        kernels[0],
        default_machine(data),
        RepeatedSplits(repeats=3),
        axis=Axis("kernel", tuple(map(repr, kernels))),
    )
    spec = with_tuned_cost(spec, data)
    assert spec.tuning[0].path == "machine.C"
    alone = curve(spec, sweep(spec, data))
    one = compared[-1].sets[1]
    np.testing.assert_array_equal(one.errors, alone.scores)
    assert one.improvements == alone.improvement()


def test_states_arrive_split_by_split_and_say_what_is_left_out(compared):
    last = compared[-1]
    assert [one.title for one in last.sets] == ["S0", "S1", "Bare", "Markov strings"]
    assert last.total == 4, "a set that is given twice counts once"
    assert [np.isfinite(s.sets[0].errors[0]).sum() for s in compared[:3]] == [1, 2, 3]
    assert [one.title for one in last.compared] == ["S0", "S1"]
    words = "\n".join(sets_in_words(last))
    assert "over 2 sets" in words
    assert "Bare is left out" in words
    assert "reads vector rows, and these are sequence" in words
    assert "independent" in words
    assert sets_in_words(compared[0])[0].startswith("Mean ranks need two sets")
    frame = last.to_frame()
    assert list(frame["rank"]) == [rank for row in last.ranks.table for rank in row]
    text = markdown("T", sets_sections(last, "python -m kernlib compare x"))
    assert "mean rank" in text
    assert "python -m kernlib compare x" in text


def test_complete_sets_are_kept(compared, monkeypatch):
    from kernlib.advice import sets

    def none_again(*given, **named):
        raise AssertionError("computed again")

    monkeypatch.setattr(sets, "sweep", none_again)
    kernels = (Linear(), RBF(sigma=1.0))
    *_, again = compare_sets([drawn(1), drawn(0)], kernels, splits=3, known=compared[-1])
    assert [one.title for one in again.compared] == ["S1", "S0"]
    with pytest.raises(AssertionError, match="computed again"):
        list(compare_sets([drawn(1)], kernels[::-1], splits=3, known=compared[-1]))


def test_without_kernels_the_levels_of_each_sets_own_kernel_and_real_targets_in_shares_of_their_variance():
    sinc = load_dataset("sinc", n=30)
    *_, found = compare_sets([sinc, load_dataset("mutag", n=20)], splits=2)
    assert found.names == ("level 0", "level 1", "level 2", "level 3")
    numbers, molecules = found.sets
    assert [getattr(kernel, "level", 0) for kernel in molecules.kernels] == [0, 1, 2, 3]
    assert isinstance(numbers.kernels[1], Deep)
    assert 0 < numbers.errors.mean() < 2
    wide = Dataset("w", "W", "vector", sinc.rows, y=1e9 * sinc.y, task="regression")
    *_, scaled = compare_sets([wide], splits=2)
    np.testing.assert_allclose(scaled.sets[0].errors, numbers.errors, rtol=1e-6)


def test_two_kernels_on_one_set_are_told_apart_by_both_tests(tmp_path, capsys):
    data = drawn(2)
    *_, found = compare_sets([data], (Linear(), RBF(sigma=0.1)), splits=4)
    first, second = found.sets[0].errors
    seen = paired_difference(first, second, 1.0)
    believed = posterior_difference(first, second, 1.0, 0.05)
    words = sets_in_words(found, rope=0.05)[0]
    assert f"On 4 splits Linear is better on {(first < second).sum()}, RBF(0.1) on {(first > second).sum()}" in words
    assert f"p = {seen.p_value:.2g}" in words
    assert f"by 5% or less: {believed.within:.2f}" in words
    lines = [f"{a!r},{b!r},{'xy'[y]}" for (a, b), y in zip(data.rows.tolist(), data.y, strict=True)]
    (tmp_path / "s.csv").write_text("\n".join(["a,b,class", *lines]))
    kernels = ["--kernel", "Linear()", "--kernel", "RBF(sigma=0.1)"]
    assert main(["compare", str(tmp_path / "s.csv"), *kernels, "--splits", "4", "--rope", "0.05"]) == 0
    assert words in capsys.readouterr().out


def test_given_kernels_are_taken_as_they_are_and_impute_missing_values_by_default():
    rows = np.random.default_rng(0).normal(size=(30, 2)) * [1, 1000]
    rows[3, 0] = np.nan
    data = Dataset("g", "G", "vector", rows, y=np.arange(30) % 2, task="classification", fill="mean")
    own = Imputed(Linear(), strategy="most_frequent")
    *_, found = compare_sets([data], (RBF(sigma=1.0), own), splits=2)
    assert found.sets[0].kernels == (Imputed(RBF(sigma=1.0), strategy="mean"), own)
    assert found.compared


def test_what_cannot_be_compared_is_refused():
    for kernels, rows, splits in (((RBF(),), 400, 3), ((), 3, 3), ((), 400, 1)):
        with pytest.raises(ParameterError, match="compare_sets"):
            list(compare_sets([drawn(0)], kernels, rows=rows, splits=splits))
    *_, last = compare_sets([drawn(0)], (Spectrum(length=1), Spectrum(length=2)))
    assert "left out" in sets_in_words(last)[-1]


def test_a_folder_is_compared_by_the_command(tmp_path, capsys):
    folder = tmp_path / "sets"
    folder.mkdir()
    for seed in (0, 1):
        data = drawn(seed, n=24)
        lines = [f"{a!r},{b!r},{'xy'[y]}" for (a, b), y in zip(data.rows.tolist(), data.y, strict=True)]
        (folder / f"{seed}.csv").write_text("\n".join(["a,b,class", *lines]))
    (folder / "broken.bin").write_bytes(b"\x00\x01\x02")
    out, report = tmp_path / "all.csv", tmp_path / "report.md"
    asked = ["compare", str(folder), "--splits", "2", "--kernel", "Linear()", "--kernel", "RBF(sigma=1.0)"]
    assert main([*asked, "--out", str(out), "--report", str(report)]) == 0
    told = capsys.readouterr()
    assert "left out: broken.bin" in told.err
    assert "over 2 sets" in told.out
    table = pd.read_csv(out, dtype=str)  # an older pandas would lose the last digit of a number
    assert list(table["set"]) == ["0.csv"] * 2 + ["1.csv"] * 2
    *_, alone = compare_sets([drawn(0, n=24), drawn(1, n=24)], (Linear(), RBF(sigma=1.0)), splits=2)
    np.testing.assert_array_equal(table["error"].astype(float), alone.to_frame()["error"])
    assert "--kernel" in report.read_text().partition("## Command")[2]
    assert main([*asked, "--out", str(out)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["compare", str(folder / "broken.bin")]) == 2
    assert "at least one data set" in capsys.readouterr().err
