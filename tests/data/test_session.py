"""An upload belongs to the session that made it: no menu, link or file shows it to anyone else."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.conftest import PROJECT
from tests.pages.drive import drop, ending, give, heat, link, open_app, press, rows, sentences, session, show

MARK = "never-to-be-seen"
RAW = b"size,width,kind\n" + b"".join(b"%d.5,%d,%s\n" % (i, i * i % 7, (MARK.encode(), b"b")[i % 2]) for i in range(20))
GROUPED = b"patient,size,kind\n" + b"".join(b"p%d,%d.5,%s\n" % (i // 4, i, (b"a", b"b")[i % 2]) for i in range(40))


def with_upload(raw: bytes = RAW) -> AppTest:
    return press(give(drop(open_app("data"), "mine.csv", raw), "Predict", "kind"), "upload.use")


def predict(app: AppTest, name: str) -> None:
    """Choose the label in the line; where its menu is not drawn, in the open panel."""
    next(box for box in app.selectbox if box.label == "Predict").select(name).run()


def menu(app: AppTest, name: str) -> list[str]:
    return list(ending(app.selectbox, name).options)


def files(*folders: Path) -> dict[Path, int]:
    """Every file below with the time at which it changed; not what Python and the tests' own tools keep."""
    own = {"__pycache__", ".git", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"}
    return {
        path: path.stat().st_mtime_ns
        for folder in folders
        for path in folder.rglob("*")
        if not own & set(path.parts) and path.is_file()
    }


def test_the_button_that_compares_kernels_takes_the_label_in_sight():
    def offered() -> bool:
        return any(button.key == "data.compare" for button in app.button)

    app = with_upload()
    assert offered()
    press(app, "upload.open")
    predict(app, "width")
    assert rows(app).classes == ("b", MARK), "the pages show the earlier label"
    assert not offered()
    press(app, "upload.use")
    assert offered()
    assert MARK not in rows(app).classes
    predict(app, "kind")
    assert MARK in rows(app).classes, "on the line a label is taken at once"


def test_the_panel_stands_above_the_chooser_at_once():
    """Else it moves up at the first click, away from the pointer."""
    app = drop(open_app("data"), "mine.csv", RAW)

    def keys(block: Any) -> Iterator[str | None]:
        for child in block.children.values():
            yield from keys(child) if hasattr(child, "children") else [getattr(child, "key", None)]

    drawn = list(keys(app.main))
    assert drawn.index("upload.use") < drawn.index("upload.files")


def test_another_session_does_not_see_an_upload():
    mine = with_upload()
    name = link(mine)["data"]
    assert name.startswith("upload:")
    assert MARK in sentences(mine)
    assert "mine.csv" in menu(mine, "Data")
    show(mine, "see")
    assert heat(mine)

    other = open_app("data")
    assert "mine.csv" not in menu(other, "Data")
    assert MARK not in sentences(other)
    assert not session(other).uploads

    ((_, own),) = session(mine).uploads.values()
    digest = own.digest
    for address in (name, f"upload:{digest}"):
        linked = open_app(data=address)  # on the first page: a notice is said once
        text = sentences(linked)
        assert "only the session that uploaded a file can show it" in text
        assert MARK not in text
        assert "mine.csv" not in menu(linked, "Data")
        assert not session(linked).uploads
        assert session(linked).data.name == "markov-strings"


def test_an_upload_leaves_nothing_on_disk(tmp_path, monkeypatch):
    for variable in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    assert tempfile.gettempdir() == str(tmp_path)
    open_app()  # what is loaded once
    before = files(PROJECT)
    app = with_upload()
    for view in ("see", "depth", "spectrum", "curves", "data"):
        show(app, view)
    assert not files(tmp_path)
    # Somebody may edit the project meanwhile: what counts is that no file came or changed that knows the upload.
    changed = [path for path, time in files(PROJECT).items() if before.get(path) != time]
    assert [path for path in changed if MARK.encode() in path.read_bytes() and path != Path(__file__)] == []


def test_the_file_stays_open_to_change_after_the_page_was_left():
    lines = (b"%d,%d.5,%d,%s\n" % (i, i % 9, i * i % 7, (b"a", b"b")[i % 2]) for i in range(20))
    app = with_upload(b"row,size,width,kind\n" + b"".join(lines))
    show(app, "see")
    show(app, "data")
    predict(app, "size")  # applies at once, as the rows are in use
    assert rows(app).task == "regression"
    give(app, "Compared", ["width"])
    assert rows(app).columns == ("width",), "a column is left out at once"
    show(app, "see")
    assert rows(app).columns == ("width",)
    predict(app, "kind")  # in the line, on any page
    assert rows(app).task == "classification"
    predict(app, "size")
    show(app, "see")
    show(app, "data")
    assert next(box for box in app.selectbox if box.label == "Predict").value == "size"
    before = session(app).data
    press(app, "upload.open")
    predict(app, "kind")
    assert session(app).data == before, "in the open panel nothing changes before the click"
    press(app, "upload.use")
    assert rows(app).task == "classification"


def test_data_with_groups_are_split_by_them():
    app = show(with_upload(GROUPED), "curves")
    how = ending(app.selectbox, "How rows are split")
    assert how.options[0] == how.value == "groups stay together"
    assert "groups stay together" not in menu(show(with_upload(), "curves"), "How rows are split")


def test_a_file_that_cannot_be_read_is_refused_where_it_can_be_read_differently(monkeypatch):
    monkeypatch.setattr("tests.pages.drive.RED", True)
    app = open_app("data")
    before = session(app).data
    drop(app, "t.csv", b"x,y\n1,a\n2,b\n3\n4,b\n")
    assert "line 4 has 1 cell; expected 2" in app.error[0].value
    lines = [box for box in app.number_input if box.label.startswith("Lines")]
    assert [box.value for box in lines] == [None, None]  # 0 lines of names could not be chosen
    give(app, "Lines of names", 0)
    assert ending(app.number_input, "Lines of names").value == 0
    give(app, "Between cells", "none")
    assert not app.error
    assert session(app).data == before
    assert [button.label for button in app.button if button.key == "upload.use"] == ["Use these rows"]
