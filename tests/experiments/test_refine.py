"""Further values where a curve bends: by the library, and by the command, which measures nothing twice."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib import RBF, Deep
from kernlib.__main__ import main
from kernlib.experiments import Axis, FoldResult, RunSpec, bend_values, curve, refined, sweep
from kernlib.protocols import RepeatedSplits


def drawn(values, means, path="kernel.sigma", noise=0.0, **more):
    kernel = Deep(RBF(sigma=1.0), level=1)
    path = path.replace("kernel.", "kernel.kernel.", 1) if path == "kernel.sigma" else path
    spec = RunSpec("iris", kernel, protocol=RepeatedSplits(repeats=4), axis=Axis(path, tuple(values)), **more)
    rng = np.random.default_rng(0)
    rows = [
        FoldResult(v, s, m + noise * rng.normal(), 9, 9, 0.0)
        for v, m in zip(values, means, strict=True)
        for s in range(4)
    ]
    return spec, curve(spec, rows)


def test_values_go_where_a_line_misses_the_curve_most():
    sigma = (0.01, 0.1, 1.0, 10.0, 100.0)
    assert bend_values(drawn(sigma, (0.5, 0.5, 0.4, 0.1, 0.1))[1], 2) == (3.16, 31.6)
    # A gap twice as wide at the same bend is missed four times as much.
    wide = drawn((1.0, 2.0, 4.0, 16.0), (0.4, 0.2, 0.1, 0.3))[1]
    assert bend_values(wide, 1) == (8.0,)
    levels = drawn((0, 1, 5, 9), (0.5, 0.1, 0.1, 0.1), "kernel.level")[1]
    assert bend_values(levels, 4) == (3,), "no level lies between 0 and 1"


def test_a_straight_curve_and_noise_are_not_refined():
    assert bend_values(drawn((1.0, 10.0, 100.0), (0.1, 0.2, 0.3))[1]) == ()
    spec, noisy = drawn((1.0, 10.0, 100.0), (0.3, 0.301, 0.3), noise=0.1)
    assert bend_values(noisy) == ()
    assert refined(spec, noisy) is None
    assert bend_values(drawn((1.0, 10.0), (0.1, 0.9))[1]) == ()


def test_the_command_refines_and_measures_nothing_twice(tmp_path, capsys, monkeypatch):
    from kernlib.experiments.outcome import files

    axis = Axis("kernel.sigma", (0.001, 0.1, 10.0, 1000.0))
    spec = RunSpec("iris", RBF(), protocol=RepeatedSplits(repeats=3), axis=axis, parameters=(("n", 60),))
    (tmp_path / "run.json").write_text(spec.to_json())
    asked: list[set[object]] = []

    def noted(spec, data, *, done, **options):
        asked.append(set(done))
        return sweep(spec, data, done=done, **options)

    monkeypatch.setattr(files, "sweep", noted)
    assert main(["run", str(tmp_path / "run.json"), "--out", str(tmp_path / "r"), "--refine", "2"]) == 0
    finer = RunSpec.from_json((tmp_path / "r" / "refined" / "spec.json").read_text())
    assert set(finer.axis.values) > set(spec.axis.values)
    assert [len(done) for done in asked] == [0, 12]
    first = (tmp_path / "r" / "results.csv").read_text().splitlines()
    second = (tmp_path / "r" / "refined" / "results.csv").read_text().splitlines()
    assert len(second) == len(first) + 3 * (len(finer.axis.values) - 4)
    score = {line.split(",")[0] + line.split(",")[1]: line.split(",")[2] for line in second}
    assert all(score[line.split(",")[0] + line.split(",")[1]] == line.split(",")[2] for line in first)
    flat = RunSpec("iris", RBF(), protocol=RepeatedSplits(repeats=2), parameters=(("n", 20),))
    (tmp_path / "flat.json").write_text(flat.to_json())
    assert main(["run", str(tmp_path / "flat.json"), "--out", str(tmp_path / "f"), "--refine", "2"]) == 0
    assert "nothing is refined" in capsys.readouterr().out


@pytest.mark.parametrize("second", [None, Axis("machine.C", (0.1, 1.0))])
def test_maps_are_not_refined(second):
    spec = RunSpec("iris", RBF(), axis=Axis("kernel.sigma", (0.1, 1.0, 10.0)), second=second)
    values = spec.values
    rows = [FoldResult(v, s, float(i % 2), 9, 9, 0.0) for i, v in enumerate(values) for s in (0, 1)]
    assert bool(bend_values(curve(spec, rows))) == (second is None)
