"""The commands that pages print run as they stand, on a file that needs answers, in the folder of the file."""

from __future__ import annotations

import re
import shlex

import numpy as np
import pytest

from kernlib.__main__ import main
from pages.parts.results import choosing

from .drive import assert_sound, choose, finish, open_app, session, show, until, until_runs_end

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
    app = open_app("data")
    app.file_uploader(key="upload.files").set_value([("clinical data.csv", CLINICAL, "text/csv")])
    app.run()
    next(box for box in app.selectbox if box.label == "Predict").select("outcome").run()
    app.button(key="upload.use").click().run()
    assert_sound(app)
    assert session(app).data.uploaded
    return app


def test_the_command_under_a_report_reads_the_file_as_the_page_does(app, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clinical data.csv").write_bytes(CLINICAL)
    monkeypatch.setattr(choosing, "SECONDS", 1.0)
    show(app, "data")
    app.button(key="data.compare").click().run()
    show(app, "choose")
    jobs = app.session_state["holder"].kept["streams"]
    until(lambda: not list(jobs.values())[-1].active)
    choose(app, "choose.evidence", "True")
    assert_sound(app)
    (command,) = [words for words in printed(app) if words[0] == "advise"]
    assert main([*command, "--seconds", "1"]) == 0
    shown = session(app).load(session(app).data)
    assert f"digest {shown.digest[:16]}" in (tmp_path / "report.html").read_text()


def test_the_command_of_a_run(app, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clinical data.csv").write_bytes(CLINICAL)
    short = {"axis": "nothing", "protocol": "by hand", "RepeatedSplits.repeats": "2", "value.evidence": "True"}
    for name, text in short.items():
        choose(show(app, "curves"), f"choose.{name}", text)
    until_runs_end()
    finish(app)
    (command,) = [words for words in printed(app) if words[0] == "run"]
    (tmp_path / "run.json").write_text(session(app).job.spec.to_json())
    assert main(command) == 0
