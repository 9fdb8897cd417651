"""Kernels on random halves of the same rows, and the command over a folder."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from kernlib import RBF, DomainError, Imputed, Linear, ParameterError, Spectrum
from kernlib.__main__ import main
from kernlib.advice import compare_kernels
from kernlib.advice.measuring import with_tuned_cost
from kernlib.data import Dataset, load_dataset
from kernlib.experiments import Axis, RunSpec, curve, sweep
from kernlib.experiments.proposals import default_machine
from kernlib.protocols import RepeatedSplits
from kernlib.statistics import compare_settings
from kernlib.values.words import percent


def drawn(seed, n=40, apart=1.5):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    rows = rng.normal(size=(n, 2)) + apart * y[:, None]
    return Dataset(f"s{seed}", f"S{seed}", "vector", rows, y=y, classes=("a", "b"), task="classification")


def test_errors_are_those_of_the_run_with_c_tuned_inside():
    data, kernels = drawn(1), (Linear(), RBF(sigma=1.0))
    machine, axis = default_machine(data), Axis("kernel", tuple(map(repr, kernels)))
    spec = with_tuned_cost(RunSpec("rows", kernels[0], machine, RepeatedSplits(repeats=3), axis=axis), data)
    assert spec.tuning[0].path == "machine.C"
    assert_array_equal(compare_kernels(data, kernels, splits=3).errors, curve(spec, sweep(spec, data)).scores)


def test_real_targets_have_shares_of_their_variance():
    sinc = load_dataset("sinc", n=30)
    wide = Dataset("w", "W", "vector", sinc.rows, y=1e9 * sinc.y, task="regression")
    errors = [compare_kernels(data, (Linear(), RBF()), splits=2).errors for data in (sinc, wide)]
    assert 0 < errors[0].mean() < 2
    assert_allclose(*errors, rtol=1e-6)


def test_kernels_are_taken_as_they_are_and_impute_missing_values_by_default():
    rows = np.random.default_rng(0).normal(size=(30, 2)) * [1, 1000]
    rows[3, 0] = np.nan
    data = Dataset("g", "G", "vector", rows, y=np.arange(30) % 2, task="classification", fill="mean")
    own = Imputed(Linear(), strategy="most_frequent")
    found = compare_kernels(data, (RBF(sigma=1.0), own), splits=2)
    assert found.kernels == (Imputed(RBF(sigma=1.0), strategy="mean"), own)


def test_what_cannot_be_compared_is_refused():
    two = (RBF(), Linear())
    for kernels, rows, splits in ((two[:1], 400, 3), (two, 3, 3), (two, 400, 1)):
        with pytest.raises(ParameterError, match="compare_kernels"):
            compare_kernels(drawn(0), kernels, rows=rows, splits=splits)
    with pytest.raises(DomainError, match="reads sequence rows, and these are vector"):
        compare_kernels(drawn(0), (Spectrum(length=1), Spectrum(length=2)))


def test_a_folder_is_compared_by_the_command(tmp_path, capsys):
    folder = tmp_path / "sets"
    folder.mkdir()
    for seed in (0, 1):
        data = drawn(seed, n=24)
        lines = [f"{a!r},{b!r},{'xy'[y]}" for (a, b), y in zip(data.rows.tolist(), data.y, strict=True)]
        (folder / f"{seed}.csv").write_text("\n".join(["a,b,class", *lines]))
    (folder / "broken.bin").write_bytes(b"\x00\x01\x02")
    out = tmp_path / "all.csv"
    asked = ["compare", str(folder), "--splits", "2", "--kernel", "Linear()", "--kernel", "RBF(sigma=0.01)"]
    assert main([*asked, "--out", str(out)]) == 0
    printed = capsys.readouterr()
    assert "left out: broken.bin" in printed.err
    table = pd.read_csv(out, dtype=str)  # an older pandas would lose the last digit of a number
    assert list(table["set"]) == ["0.csv"] * 2 + ["1.csv"] * 2
    errors = [compare_kernels(drawn(seed, n=24), (Linear(), RBF(sigma=0.01)), splits=2) for seed in (0, 1)]
    assert_array_equal(table["error"].astype(float), np.ravel([one.errors.mean(axis=1) for one in errors]))
    for one, line in zip(errors, printed.out.splitlines()[2:], strict=False):
        worse = compare_settings(dict(enumerate(one.errors)), one.test_over_train).worse
        cells = [f"{percent(row.mean(), 3)}{' (worse)' * (i in worse)}" for i, row in enumerate(one.errors)]
        assert line.endswith(f"| {' | '.join(cells)} |")
    assert main([*asked, "--out", str(out)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["compare", "monks-2", str(folder / "broken.bin"), *asked[4:]]) == 2
    refused = capsys.readouterr().err
    assert "Linear() reads vector rows, and these are categorical" in refused
    assert "at least one data set" in refused
    assert main(["compare", "iris", "--kernel", "Linear()"]) == 2
    assert "expected two different kernels or more; got one" in capsys.readouterr().err
