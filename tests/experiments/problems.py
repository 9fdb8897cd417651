"""Small runs that the tests of this folder share."""

from __future__ import annotations

import io
import runpy
import sys
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernlib import RBF, Deep, Empirical, Kernel, Power, ProbabilityOverlap, Subsequence
from kernlib.__main__ import main
from kernlib.data import Dataset
from kernlib.experiments import UPLOAD, Axis, FoldResult, RunSpec
from kernlib.machines import SVM, NearestNeighbour
from kernlib.protocols import RepeatedSplits


def points(n: int = 60, classes: int = 2, real: bool = False, seed: int = 0) -> Dataset:
    """Gaussian classes that overlap, or a noisy real function of the rows."""
    rng = np.random.default_rng(seed)
    codes = np.arange(n) % classes
    X = rng.standard_normal((n, 3)) + 1.2 * np.eye(3)[codes % 3]
    if real:
        return Dataset("toy-real", "Toy", "vector", X, y=np.sin(X[:, 0]) + 0.1 * rng.standard_normal(n))
    return Dataset("toy", "Toy", "vector", X, y=[f"c{c}" for c in codes])


def spec_of(data: Dataset, kernel: Kernel, *rest: Any, **named: Any) -> RunSpec:
    """A run on a data set that no catalogue has."""
    return RunSpec(UPLOAD + data.digest, kernel, *rest, **named)


def depth_run(repeats: int = 4, **named: Any) -> RunSpec:
    named = {"axis": Axis("kernel.level", (0, 1, 2)), "protocol": RepeatedSplits(repeats=repeats)} | named
    return RunSpec("iris", Deep(RBF(sigma="median"), level=0), SVM(), **named)


def strings_run(**named: Any) -> RunSpec:
    kernel = Empirical(Power(Subsequence(order=3, decay=0.25), p=0.5))
    named = {"axis": Axis("kernel.kernel.p", (0.2, 0.5, 1.0)), "protocol": RepeatedSplits(repeats=4)} | named
    return RunSpec("markov-strings", kernel, SVM(), parameters=(("n", 30),), **named)


def run_command(folder: Path, spec: RunSpec, *options: str, out: str = "out") -> int:
    """Run a spec by the command line, from a file of a folder to another folder in it; return the exit code."""
    file = folder / "spec.json"
    file.write_text(spec.to_json())
    return main(["run", str(file), "--out", str(folder / out), *options])


def printed_by(script: str, folder: Path, *arguments: str | Path) -> str:
    """Run a script in a folder, from a file in it and in a namespace of its own, and return what it prints."""
    (folder / "script.py").write_text(script, encoding="utf-8")
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed), chdir(folder):
        patch.setattr(sys, "argv", ["script.py", *map(str, arguments)])
        runpy.run_path("script.py", run_name="__main__")
    return printed.getvalue()


#: Runs of every sort that workers, clusters and interruptions must not change.
RUNS = {
    "levels": depth_run(reference=RBF(sigma=1.0)),
    "strings": strings_run(),
    "tuned": depth_run(repeats=2, tuning=(Axis("machine.C", (0.1, 1.0, 10.0)),), leaky=True),
    "two axes": strings_run(second=Axis("machine.C", (0.1, 1.0))),
    "learns": RunSpec(
        "gmonks",
        ProbabilityOverlap(),
        NearestNeighbour(),
        RepeatedSplits(repeats=3),
        parameters=(("n", 60),),
        axis=Axis("machine.k", (1, 3)),
    ),
}


def by_fold(results: list[FoldResult]) -> dict[Any, tuple[Any, ...]]:
    """What must not depend on workers, order or interruptions; nan is written as a word."""
    return {
        (r.value, r.split): (repr(r.score), r.n_train, r.n_test, r.problem, r.tuned, repr(r.leaky), r.warning)
        for r in results
    }
