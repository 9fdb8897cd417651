"""The commands that pages print run as they stand, on a file that needs answers, in the folder of the file."""

from __future__ import annotations

import re
import shlex

import numpy as np
import pytest

from kernlib.__main__ import main
from pages.parts.results import choosing

from .drive import choose, drop, ended, finish, give, open_app, own, press, rows, session, show, until_runs_end

_RNG = np.random.default_rng(0)
#: Gaps, and two columns that could be predicted.
CLINICAL = "\n".join(
    ["age,dose,sex,outcome"]
    + [
        f"{'' if i % 11 == 3 else i + 30 * (i % 2)},{_RNG.normal():.2f},{'fm'[i // 2 % 2]},{'yn'[i % 2]}"
        for i in range(44)
    ]
).encode()


def printed(app) -> list[list[str]]:
    """Return the commands on a page, as words."""
    found = [
        words for caption in app.caption for words in re.findall(r"`+ ?(python -m kernlib .*?) ?`+", caption.value)
    ]
    found += [block.value for block in app.code if block.value.startswith("python -m kernlib ")]
    return [shlex.split(words)[3:] for words in found]


@pytest.fixture(scope="module")
def app():
    app = drop(open_app("data"), "clinical data.csv", CLINICAL)
    give(app, "Predict", "outcome")
    return press(app, "upload.use")


def test_the_command_under_a_report_reads_the_file_as_the_page_does(app, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clinical data.csv").write_bytes(CLINICAL)
    monkeypatch.setattr(choosing, "SECONDS", 1.0)
    show(press(show(app, "data"), "data.compare"), "choose")
    ended(*own(app)["streams"].values())
    choose(app, "choose.evidence", "True")
    (command,) = [words for words in printed(app) if words[0] == "advise"]
    assert main(command) == 0
    assert f"digest {rows(app).digest[:16]}" in (tmp_path / "report.html").read_text()


def test_the_command_of_a_run(app, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clinical data.csv").write_bytes(CLINICAL)
    short = {"axis": "nothing", "protocol": "by hand", "RepeatedSplits.repeats": "2", "value.evidence": "True"}
    show(app, "data")
    for name, text in short.items():
        choose(app, f"choose.{name}", text)
    show(app, "curves")
    until_runs_end()
    finish(app)
    (command,) = [words for words in printed(app) if words[0] == "run"]
    (tmp_path / "run.json").write_text(session(app).job.spec.to_json())
    assert main(command) == 0
