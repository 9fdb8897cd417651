"""Runs without the browser: the command line, the files, and scripts that give the same digits."""

from __future__ import annotations

import ast
import csv
import dataclasses
import errno
import io
import math
import re
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from kernlib import RBF, DataError, Deep, Power, kernel_from
from kernlib.__main__ import main
from kernlib.data import read_paths, readings_of_paths
from kernlib.experiments import (
    UPLOAD,
    Axis,
    RunSpec,
    curve,
    curve_csv,
    files,
    reread_upload,
    results_csv,
    run_to,
    script,
    sweep,
)
from kernlib.experiments.decisions import default_kernel
from kernlib.experiments.files import JOURNAL
from kernlib.machines import SVM, KernelPCARegression, NearestNeighbour
from kernlib.protocols import RepeatedKFold, RepeatedSplits
from tests.experiments.problems import depth_run, printed_by, run_command

NAMES = {"results.csv", "curve.csv", "spec.json"}


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(5)
    rows = rng.standard_normal((30, 2)) + np.repeat([[0], [1]], 15, axis=0)
    lines = ["width,height,kind", *(f"{a!r},{b!r},{'ab'[i // 15]}" for i, (a, b) in enumerate(rows.tolist()))]
    path = tmp_path / "boxes.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def uploaded(path: Path, **choices: Any) -> RunSpec:
    (reading, *_) = readings_of_paths(path, **({"label": "kind"} | choices))
    axis = Axis("kernel.sigma", (0.3, 1.0, math.pi))
    data = reading.dataset()
    protocol, parameters = RepeatedSplits(repeats=3), reading.parameters
    return RunSpec(UPLOAD + data.digest, RBF(), SVM(), protocol, axis=axis, parameters=parameters)


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_run_writes_what_the_sweep_gives(tmp_path, capsys):
    spec = depth_run(reference=RBF(sigma=1.0), tuning=(Axis("machine.C", (0.1, 1.0)),), leaky=True)
    out = tmp_path / "new" / "results"
    assert run_command(tmp_path, spec, "--jobs", "2", out="new/results") == 0
    assert {p.name for p in out.iterdir()} == NAMES
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [str(out / n) for n in ("results.csv", "curve.csv", "spec.json")]
    assert "16/16 folds" in printed.err
    assert RunSpec.from_json((out / "spec.json").read_text()) == spec
    expected = {(str(r.value), str(r.split)): r for r in sweep(spec)}
    lines = rows_of((out / "results.csv").read_text())
    assert len(lines) == len(expected)
    for line in lines:
        result = expected[line["kernel.level"], line["split"]]
        assert (float(line["score"]), float(line["leaky"])) == (result.score, result.leaky)
        assert line["tuned"] == f"machine.C={result.tuned[0][1]}"
    drawn = curve(spec, expected.values())
    for i, line in enumerate(rows_of((out / "curve.csv").read_text())):
        assert float(line["mean"]) == drawn.mean[i]
        assert float(line["low"]) == drawn.band[i, 0]
        assert line["splits"] == "4"
    # Once more over the old files.
    assert run_command(tmp_path, spec, out="new/results") == 0
    assert {p.name for p in out.iterdir()} == NAMES


def test_folds_that_fail_give_exit_code_1(tmp_path, capsys):
    spec = RunSpec("iris", RBF(), NearestNeighbour(), RepeatedSplits(repeats=2), axis=Axis("machine.k", (1, 100)))
    assert run_command(tmp_path, spec) == 1
    assert "2 of 4 folds failed" in capsys.readouterr().err
    assert {p.name for p in (tmp_path / "out").iterdir()} == NAMES


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read"),
        (b"\xff\xfe", "not JSON text"),
        (b'{"version": 2, "data": "iris", "kernel": "RBF(sigma=' + b"9" * 400 + b')"}', "400 digits"),
        (b'{"version": 2, "data": "banana", "kernel": "RBF()", "parameters": {"n": ' + b"9" * 400 + b"}}", "n must be"),
        (b'{"version": 2, "data": "iris", "kernel": "RBF()", "parameters": {"n": ' + b"9" * 5000 + b"}}", "not JSON"),
    ],
)
def test_a_spec_that_cannot_be_run_gives_one_sentence_and_exit_code_2(tmp_path, capsys, content, words):
    file = tmp_path / "spec.json"
    if content is not None:
        file.write_bytes(content)
    assert main(["run", str(file), "--out", str(tmp_path / "out")]) == 2
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_an_unwritable_place_is_said_before_the_run(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert run_command(tmp_path, depth_run(), out="file/out") == 2
    printed = capsys.readouterr().err
    assert "cannot be written" in printed
    assert "folds" not in printed


def test_a_full_disk_leaves_the_old_files_and_keeps_the_folds(tmp_path, monkeypatch):
    spec = depth_run(repeats=2)
    run_to(tmp_path, replace(spec, measure="accuracy"))
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    written, write = [], Path.write_text

    def full(path, *text, **options):
        written.append(path)
        if len(written) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(path, *text, **options)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", full)
        with pytest.raises(DataError, match="No space left on device; what is finished is kept"):
            run_to(tmp_path, spec)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.name != JOURNAL} == before
    monkeypatch.setattr(
        files, "sweep", lambda *args, done, **options: iter(()) if len(done) == 6 else pytest.fail("computed")
    )
    assert len(run_to(tmp_path, spec)[1]) == 6
    assert {p.name for p in tmp_path.iterdir()} == NAMES


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path, monkeypatch, capsys, number, code):
    spec, out = depth_run(repeats=3), tmp_path / "out"
    whole, computed = list(sweep(spec)), []

    def interrupted(spec, data, *, done, **options):
        for result in whole:
            if (result.value, result.split) not in done:
                computed.append(result)
                yield result
            if len(computed) == 4 and not done:
                signal.raise_signal(number)

    monkeypatch.setattr(files, "sweep", interrupted)
    # A shell that starts the tests in the background has them ignore Ctrl-C.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert run_command(tmp_path, spec) == code
    finally:
        signal.signal(signal.SIGINT, before)
    assert "interrupted; the results so far are kept" in capsys.readouterr().err
    assert [p.name for p in out.iterdir()] == [JOURNAL]
    assert run_command(tmp_path, spec) == 0
    assert {p.name for p in out.iterdir()} == NAMES
    assert len(computed) == len(whole), "none is computed twice"
    assert (out / "results.csv").read_text() == results_csv(spec, whole)


def test_a_killed_run_leaves_no_workers_behind(tmp_path):
    spec = replace(depth_run(repeats=5000), axis=Axis("kernel.level", tuple(range(20))))
    (tmp_path / "spec.json").write_text(spec.to_json())
    command = ["run", str(tmp_path / "spec.json"), "--out", str(tmp_path / "out"), "--backend", "loky", "--jobs", "2"]
    # Whoever watches it comes first.
    run = subprocess.Popen(["nice", "-n", "10", sys.executable, "-m", "kernlib", *command], stderr=subprocess.DEVNULL)
    journal = tmp_path / "out" / JOURNAL
    while run.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") > 3):
        time.sleep(0.02)
    tasks = Path(f"/proc/{run.pid}/task").iterdir()
    workers = {int(pid) for task in tasks for pid in (task / "children").read_text().split()}
    assert len(workers) >= 2
    run.kill()
    run.wait()
    end = time.monotonic() + 600
    while alive := [pid for pid in workers if running(pid)]:
        assert time.monotonic() < end, f"still there: {alive}"
        time.sleep(0.1)


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def test_results_of_earlier_code_are_those_of_another_run(tmp_path):
    """An own kernel that was edited has its name and its parameters still, and other values."""

    resumed = []

    def stop(done, earlier):
        if done == 2:
            raise KeyboardInterrupt

    def run(scale):
        kernel = kernel_from(lambda X, Y: X @ Y.T + scale * (X[:, :1] * Y[:, :1].T) ** 2, name="Edited")()
        return RunSpec("iris", kernel, protocol=RepeatedSplits(repeats=3))

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            run_to(tmp_path, run(0.0), progress=stop)
    _, results = run_to(tmp_path, run(5.0), progress=lambda done, earlier: resumed.append(earlier))
    assert {*resumed} == {0}
    assert results == list(sweep(run(5.0)))


def test_lists(capsys):
    for what, word in (("kernels", "Subsequence"), ("datasets", "markov-strings")):
        assert main([what]) == 0
        said = capsys.readouterr()
        assert word in said.out
        assert not said.err


def test_wrong_arguments_are_exit_code_2():
    for arguments in ([], ["fly"], ["run"], ["run", "x", "--out", "y", "--jobs", "0"], ["run", "x", "--jobs", "many"]):
        with pytest.raises(SystemExit) as raised:
            main(arguments)
        assert raised.value.code == 2


def expected_from(spec: RunSpec, data=None) -> str:
    results = list(sweep(spec, data))
    return f"{results_csv(spec, results)}\n{curve_csv(spec, curve(spec, results))}\n"


def without_seconds(printed: str) -> str:
    """What a script prints, without the time that each fold took."""
    return re.sub(r",\d+\.\d{6},", ",,", printed)


def test_a_script_gives_every_number_to_the_last_digit(tmp_path, capsys):
    spec = depth_run(reference=RBF(sigma=1.0), leaky=True, tuning=(Axis("machine.C", (0.1, math.inf)),), repeats=2)
    printed = printed_by(script(spec), tmp_path)
    assert not capsys.readouterr().err
    assert without_seconds(printed) == without_seconds(expected_from(spec))


def test_a_script_says_all_that_a_run_may_say():
    fields = {f.name: f for f in dataclasses.fields(RunSpec)}
    told = dict(
        data="twonorm",
        kernel=Power(RBF(), p=0.5),
        machine=SVM(C=2.0),
        protocol=RepeatedKFold(folds=3),
        measure="F",
        axis=Axis("kernel.p", (0.1, 1.0)),
        second=Axis("kernel.kernel.sigma", (1.0, "median")),
        reference=RBF(),
        parameters=(("n", 60),),
        tuning=(Axis("machine.C", (1.0, math.inf)),),
        inner=RepeatedKFold(folds=4, repeats=1),
        leaky=True,
        selection="splits",
        draws=2,
        also=("accuracy", "balanced error"),
    )
    assert set(told) == set(fields), "a new field belongs into this test, and so into the script"
    algebra = 0.5 * RBF(sigma=0.7) + Deep(RBF(), level=1) * RBF(sigma="median")
    real = dict(machine=KernelPCARegression(), measure="squared error", also=())
    for other in ({}, dict(selection="likelihood", leaky=False), dict(kernel=algebra, axis=None, second=None), real):
        spec = RunSpec(**(told | other | ({"tuning": (), "leaky": False} if other is real else {})))
        text = script(spec)
        made: dict[str, Any] = {}
        exec(text.split("results = ")[0], made)
        assert made["spec"] == spec
        modules = {line.split()[1].split(".")[0] for line in text.splitlines() if line.startswith(("import ", "from "))}
        assert modules <= {"kernlib", "math"}
        assert len(text.splitlines()) < 40


def test_a_script_of_several_files_reads_them_all(table, tmp_path):
    """With the first of them alone there is no column 'kind'."""
    lines = [line.split(",") for line in table.read_text().splitlines()]
    X = np.array([line[:2] for line in lines[1:]], dtype=float)
    scores, labels = tmp_path / "scores.csv", tmp_path / "labels.csv"
    names = [f"row {i}" for i in range(len(X))]
    frame = pd.DataFrame(X @ X.T, names, names)
    frame.to_csv(scores)
    pd.DataFrame({"id": names, "kind": [line[2] for line in lines[1:]]}).to_csv(labels, index=False)
    (reading, *_) = readings_of_paths([scores, labels], label="kind")
    data = reading.dataset()
    spec = RunSpec(
        UPLOAD + data.digest, default_kernel(data), protocol=RepeatedSplits(repeats=3), parameters=reading.parameters
    )
    text = script(spec, scores.name, labels.name)
    assert "Run: python this_script.py scores.csv labels.csv;" in text
    found, given = (without_seconds(printed_by(text, tmp_path, *paths)) for paths in ((), (scores, labels)))
    assert found == given


def test_a_script_of_an_upload_names_the_file_and_checks_it(table, tmp_path):
    spec = uploaded(table)
    text, expected = script(spec, table.name), expected_from(spec, read_paths(table, label="kind"))
    (elsewhere := tmp_path / "elsewhere").mkdir()
    for folder, *arguments in ((table.parent,), (elsewhere, table)):
        assert without_seconds(printed_by(text, folder, *arguments)) == without_seconds(expected)
    with pytest.raises(SystemExit, match=r"Give the path of boxes\.csv"):
        printed_by(text, elsewhere)
    table.write_text(table.read_text().replace(",a\n", ",b\n", 1))
    with pytest.raises(DataError, match="expected digest"):
        printed_by(text, table.parent)


NAMES_TO_SAY = ["C:\\new\\table.csv", 'a"b.csv', '""".csv', "'''.csv", "a\nb.csv", "\u202egnp.csv", "$(x) b.csv"]


@pytest.mark.parametrize("name", NAMES_TO_SAY)
def test_a_script_says_any_file_name_as_it_is(table, name):
    text = script(uploaded(table), name)
    tree = ast.parse(text)
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and ast.unparse(n.func) == "sys.exit"]
    assert f"Give the path of {name}, digest" in calls[0].args[0].value
    told = ast.get_docstring(tree, clean=False)
    assert f" on {name}. Run: python this_script.py {shlex.quote(name)}" in told
    assert "\u202e" not in text


@pytest.mark.parametrize("told", ["abc", "0", "1e3", "9" * 400, "½"])
def test_a_memory_bound_that_is_no_number_is_refused(tmp_path, monkeypatch, capsys, told):
    monkeypatch.setenv("KERNLIB_MEMORY_MB", told)
    assert run_command(tmp_path, depth_run()) == 2
    assert "KERNLIB_MEMORY_MB must be a whole number of megabytes" in capsys.readouterr().err


def test_an_upload_on_the_command_line(table, tmp_path, capsys):
    spec = uploaded(table)
    assert run_command(tmp_path, spec) == 2
    assert "--data file" in capsys.readouterr().err
    assert run_command(tmp_path, spec, "--data", str(tmp_path / "none.csv")) == 2
    assert "No such file" in capsys.readouterr().err
    assert run_command(tmp_path, spec, "--data", str(table)) == 0
    scores = [float(line["score"]) for line in rows_of((tmp_path / "out" / "results.csv").read_text())]
    data = read_paths(table, label="kind")
    assert sorted(scores) == sorted(r.score for r in sweep(spec, data))


def test_a_sample_is_found_again_and_a_file_read_in_another_way_is_not(table):
    chosen = uploaded(table, label="height", roles={"kind": "left out"}, task="regression")
    assert reread_upload(table, RunSpec.from_json(chosen.to_json())).digest == chosen.upload
    with pytest.raises(DataError, match="A run of an earlier version"):
        reread_upload(table, replace(chosen, parameters=()))
    spec, sample = uploaded(table), read_paths(table, label="kind").stratified_sample(12, seed=3)
    drawn = replace(spec, data=UPLOAD + sample.digest, parameters=(*spec.parameters, ("n", 12), ("seed", 3)))
    assert reread_upload(table, drawn).digest == sample.digest
