"""The upload panel as a person meets it: good files load, bad ones say one sentence and change nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from kernlib.data import Dataset
from pages.parts.server import run_queue
from pages.parts.session import uploaded
from pages.views.data.templates import TEMPLATES

from .builders import header_of

GOOD = b"x,z,kind\n" + b"".join(b"%d,%.2f,%s\n" % (i, i / 3, (b"a", b"b")[i % 2]) for i in range(20))


def script() -> None:
    import streamlit as st

    from pages.parts.inputs import controls
    from pages.views.data import upload

    def loaded(data, by_hand) -> None:
        st.session_state.setdefault("got", []).append(data)

    controls.begin()
    st.session_state["waits"] = upload.draw(loaded)


def page(*files: tuple[str, bytes]) -> AppTest:
    app = AppTest.from_function(script, default_timeout=600).run()
    return put(app, *files) if files else app


def put(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    app.file_uploader(key="upload.files").set_value([(name, raw, "application/octet-stream") for name, raw in files])
    return app.run()


def got(app: AppTest) -> list[Dataset]:
    assert not app.exception
    return list(app.session_state["got"]) if "got" in app.session_state else []


def box(app: AppTest, label: str) -> Any:
    return next(b for b in app.selectbox if label in b.label)


def button(app: AppTest) -> Any:
    return app.button(key="upload.use")


def test_nothing_happens_without_a_file() -> None:
    app = page()
    assert not got(app)
    assert len(app.get("download_button")) == len(TEMPLATES)


def test_a_plain_table_needs_no_decision() -> None:
    app = page(("t.csv", GOOD))
    (data,) = got(app)
    assert data.class_counts == {"a": 10, "b": 10}
    assert "CSV table" in app.markdown[0].value
    app.run()
    assert len(got(app)) == 1  # a rerun does not load it again
    assert "upload.use" not in {b.key for b in app.button}, "no grey button"
    assert any("The pages show this data" in c.value for c in app.caption)
    assert not app.session_state["waits"]


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda t: t.file)
def test_each_template_loads_at_once(template: Any) -> None:
    app = page((template.file, template.make()))
    assert len(got(app)) == 1
    assert not app.error


def test_an_upload_can_be_taken_again_after_something_else_was_shown() -> None:
    def other() -> None:
        import streamlit as st

        from kernlib.data import load_dataset
        from pages.views.data import upload

        upload.draw(lambda data, _: st.session_state.setdefault("got", []).append(data), load_dataset("iris"))

    app = put(AppTest.from_function(other, default_timeout=600).run(), ("t.csv", GOOD))
    assert not button(app).disabled
    button(app).click().run()
    assert len(got(app)) == 2


def test_missing_cells_are_the_one_decision() -> None:
    raw = GOOD.replace(b"\n3,1.00", b"\n3,").replace(b"\n5,1.67", b"\n5,")
    app = page(("t.csv", raw))
    assert not got(app)
    assert not app.error
    assert any("2 missing cells" in m.value for m in app.markdown)
    next(b for b in app.button if b.label.startswith("Fill with the column's mean")).click().run()
    (data,) = got(app)  # one click answers the question and shows the data
    assert (data.fill, data.missing) == ("mean", 2)
    box(app, "2 missing cells").select("most_frequent").run()
    assert len(got(app)) == 1  # changed, shown, taken when asked
    button(app).click().run()
    assert got(app)[-1].fill == "most_frequent"


def test_the_label_can_be_changed() -> None:
    app = page(("t.csv", GOOD))
    box(app, "Label").select("x").run()
    box(app, "Label holds").select("regression").run()
    button(app).click().run()
    first, second = got(app)
    assert first.task == "classification"
    assert second.task == "regression"
    box(app, "Label").select("").run()
    button(app).click().run()
    assert got(app)[-1].y is None


def test_rows_can_be_taken_for_something_else() -> None:
    app = page(("t.csv", GOOD))
    box(app, "Rows are").select("categorical").run()
    button(app).click().run()
    assert [d.domain for d in got(app)] == ["vector", "categorical"]


def test_many_rows_are_sampled_and_it_is_said() -> None:
    raw = b"x,kind\n" + b"".join(b"%d,%s\n" % (i, (b"a", b"b", b"b", b"b")[i % 4]) for i in range(4000))
    app = page(("t.csv", raw))
    (data,) = got(app)
    assert data.class_counts == {"a": 125, "b": 375}
    assert any("Stratified sample of 500 of 4000 rows, seed 0" in c.value for c in app.caption)
    app.number_input(key="upload.seed").set_value(7).run()
    button(app).click().run()
    assert got(app)[-1].digest != data.digest


def test_a_matrix_too_large_for_a_page_names_its_command() -> None:
    app = page(("K.npy", header_of((6000, 6000), follow=2**20)))
    assert not got(app)
    assert "expected at most 3000 × 3000" in app.error[0].value
    assert app.code[0].value == "python -m kernlib gram 'Precomputed()' K.npy --leading 50 --pairs pairs.npz"


def test_two_files_together() -> None:
    app = page(("e.csv", b"from,to\na,b\nb,c\n"), ("n.csv", b"id,club\na,u\nb,v\nc,u\n"))
    assert got(app)[0].class_counts == {"u": 2, "v": 1}


def test_groups_are_counted_and_can_be_given_and_taken() -> None:
    raw = b"patient,x,kind\n" + b"".join(b"p%d,%d,%s\n" % (i // 4, i, (b"a", b"b")[i % 2]) for i in range(20))
    app = page(("t.csv", raw))
    (data,) = got(app)
    assert data.group_counts == {f"p{i}": 4 for i in range(5)}
    assert any("5 groups of rows that belong together, p0 4, p1 4" in c.value for c in app.caption)
    other = page(("t.csv", raw.replace(b"patient", b"town")))
    (data,) = got(other)
    assert data.groups is None
    assert not any("groups" in c.value for c in other.caption)


SORTED = "a,b,number,kind\n" + "".join(f"{i % 7 / 2},{i % 5 / 4},{3 * i},{'uv'[i // 10]}\n" for i in range(20))


def test_a_guess_is_a_sentence_and_one_press_changes_it() -> None:
    app = page(("t.csv", SORTED.encode()))
    assert got(app)[-1].columns == ("a", "b")
    texts = [m.value for m in app.markdown]
    assert any("'number' names the rows and is left out" in words for words in texts)
    assert any("'kind' is read as the label" in words for words in texts)
    next(b for b in app.button if "as a number" in b.label).click().run()
    assert got(app)[-1].columns == ("a", "b", "number")  # shown at once
    assert not any("'number' names the rows" in m.value for m in app.markdown)
    app.button(key="upload.anew").click().run()
    assert got(app)[-1].columns == ("a", "b")
    next(b for b in app.button if b.label == "There is no label").click().run()
    assert got(app)[-1].y is None
    assert got(app)[-1].domain == "mixed"


def test_dropping_most_rows_is_not_offered_first() -> None:
    lines = "".join(f"{i % 7 / 2},{'' if i % 10 or i % 4 else i},{'uv'[i % 2]}\n" for i in range(100))
    app = page(("t.csv", f"x,z,kind\n{lines}".encode()))
    choices = [b.label for b in app.button if "upload.missing" in b.key]
    assert choices[-1] == "Drop these rows: 5 of 100 remain, of one class only"
    assert choices[0] == "Fill with the column's mean in the training rows"
    other = page(("t.csv", GOOD.replace(b"\n3,1.00", b"\n3,")))
    assert next(b for b in other.button if "upload.missing" in b.key).label == "Drop these rows: 19 of 20 remain"


def test_an_open_question_waits_and_one_press_answers_it() -> None:
    lines = "".join(f"{160 + i * 1.3:.1f},{55 + i * 7 % 30 * 1.1:.1f}\n" for i in range(30))
    app = page(("hw.csv", f"height,weight\n{lines}".encode()))
    assert not got(app)
    assert app.session_state["waits"], "the page hides pictures of other data"
    assert [i.value for i in app.info] == ["Answer the question above, or accept the guess with *Use this data*."]
    assert not button(app).disabled
    next(b for b in app.button if b.label == "'weight' is the label").click().run()
    (data,) = got(app)
    assert (data.task, data.columns) == ("regression", ("height",))
    assert not app.session_state["waits"]
    gaps = page(("t.csv", GOOD.replace(b"\n3,1.00", b"\n3,")))
    assert gaps.session_state["waits"]
    assert [i.value for i in gaps.info] == ["Make the choice above; then the data can be used."]


def test_a_class_with_one_row_can_be_left_out() -> None:
    app = page(("t.csv", GOOD + b"7.5,1.25,rare\n"))
    assert got(app)[-1].class_counts == {"a": 10, "b": 10, "rare": 1}
    next(b for b in app.button if b.label == "Leave out class rare with one row").click().run()
    assert got(app)[-1].class_counts == {"a": 10, "b": 10}
    assert got(app)[-1].note == "Left out: class 'rare', 1 rows."


BAD = {
    "empty": (("t.csv", b""), "the file is empty"),
    "ragged": (("t.csv", b"x,y\n1,2\n3\n"), "line 3 has 1 cells; expected 2"),
    "picture": (("t.csv", b"\x89PNG\r\n\x1a\n"), "it is a picture"),
    "no numbers": (("t.csv", b"id,label\nr1,a\nr2,b\nr3,a\n"), "no column is read as"),
    "pickle": (("t.npy", b"\x80\x04\x95"), "it is a pickle"),
    "binary": (("t.xyz", bytes(range(256)) * 4), "a binary file of a kind that is not known here"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_says_one_sentence_and_what_was_loaded_stays(case: str) -> None:
    file, words = BAD[case]
    app = page(("good.csv", GOOD))
    put(app, file)
    assert len(got(app)) == 1
    (error,) = app.error
    assert words in error.value.replace("\\", "")
    assert any("still shows the previous data set" in c.value for c in app.caption)
    put(app, ("good.csv", GOOD))
    assert not app.error


def test_a_hostile_name_is_inert() -> None:
    name = "![x](http://evil)<img src=x onerror=alert(1)>$x$\u202e" + "n" * 5000 + ".csv"
    app = page((name, b"x,y\n1,2\n3\n"))
    (error,) = app.error
    assert len(error.value) < 500
    assert "\\[x\\]" in error.value
    assert "http://" not in error.value
    assert "<img" not in error.value.replace("\\<", "")
    assert "\u202e" not in error.value


def test_hostile_words_are_inert() -> None:
    word = "[x](javascript:alert(1))<b>*y*"
    raw = "".join(f'{i},"{word}{i % 2}"\n' for i in range(10))
    app = page(("t.csv", f"x,label\n{raw}".encode()))
    assert len(got(app)) == 1
    caption = next(c.value for c in app.caption if "classes" in c.value)
    assert "\\[x\\]" in caption
    assert "<b>" not in caption.replace("\\<b\\>", "")


def test_a_session_sees_its_own_upload_alone() -> None:
    page(("t.csv", GOOD))
    other = page()
    assert not got(other)
    assert "upload.read" not in other.session_state


def test_a_file_whose_reading_takes_too_long_is_refused_in_a_sentence(monkeypatch) -> None:
    monkeypatch.setattr(uploaded, "READING", 0.0)
    app = page(("t.csv", GOOD))
    assert any("t.csv: reading took longer than" in box.value for box in app.error)
    assert not got(app)


def test_large_files_are_read_one_after_another_and_the_page_says_how_many_are_before(monkeypatch) -> None:
    others, places = [run_queue.Turn(begun=0.0), run_queue.Turn()], []
    run_queue.files.queue.extend(others)

    def one_is_read(_: float) -> None:
        places.append(run_queue.files.queue[-1] not in others and len(run_queue.files.queue) - 1)
        del run_queue.files.queue[0]
        if len(places) == 1:
            st.stop()  # as a newer click ends the run: the session leaves the queue

    monkeypatch.setattr(run_queue, "pause", one_is_read)
    large = GOOD + b"".join(b"%d,%.2f,%s\n" % (i, i / 3, (b"a", b"b")[i % 2]) for i in range(20, 90_000))
    assert len(large) > run_queue.LARGE
    app = page(("small.csv", GOOD))
    assert not places  # a small file waits for nobody
    put(app, ("t.csv", large))
    assert [box.value for box in app.info] == ["2 files of other people are read before yours."]
    assert run_queue.files.queue == others[1:]
    app.run()
    assert places == [2, 1]
    assert not run_queue.files.queue
    assert any("90,000" in box.label for box in app.number_input)


SURVEY = "Survey, May\n\npain,weight,kind\n" + "".join(
    f"{[0, 1, 2, 3, 4, -9, -8][i % 7]},{60 + i % 14}kg,{'ab'[i * i % 3 % 2]}\n" for i in range(40)
)


def test_the_file_stands_beside_the_table_and_each_question_beside_its_readings() -> None:
    app = page(("survey.csv", SURVEY.encode()))
    assert not got(app)
    assert any("43 lines, 2 left out above, 1 header, 40 rows" in c.value for c in app.caption)
    raw, table = next(
        (a.value, b.value) for a, b in zip(app.dataframe, app.dataframe[1:], strict=False) if "is" in a.value
    )
    assert raw["is"].tolist()[:4] == ["left out", "left out", "names", "row"]
    assert list(table.columns) == ["pain · numeric", "weight · numeric", "kind · label"]
    by_label = {b.label: b for b in app.button}
    assert {"Use 'weight' as a category", "They are missing", "They are numbers"} <= set(by_label)
    assert any("pain · code missing" in d.value and "weight · numeric" not in d.value for d in app.dataframe)
    by_label["They are missing"].click().run()
    assert not got(app), "another question is open"
    next(b for b in app.button if b.label == "Keep this reading").click().run()
    next(b for b in app.button if b.label.startswith("Drop these rows")).click().run()
    assert got(app)[-1].n == 30
    assert not app.session_state["waits"]


def test_lines_marks_and_missing_words_are_changed_beside_the_table() -> None:
    cells = "".join(f"{i * i % 7},{'unknown' if i == 3 else f'1.{i}'},{'ab'[i % 2]}\n" for i in range(9))
    app = page(("t.csv", f"x,z,kind\n{cells}".encode()))
    next(t for t in app.text_input if t.label == "Words for missing cells").set_value("unknown").run()
    assert any("1 missing cell" in m.value for m in app.markdown)
    next(n for n in app.number_input if n.label == "Lines above the table").set_value(2).run()
    box(app, "First line").select("data").run()
    assert any("1 missing cell" in m.value for m in app.markdown), "the words for missing cells are kept"
    assert any("10 lines, 2 left out above, no header, 8 rows" in c.value for c in app.caption)


def test_clean_files_ask_nothing() -> None:
    from kernlib.data import read_upload

    from .builders import npz, xlsx

    chains = "".join(f">s{i} {'ab'[i % 2]}\n{'ACGT' * 5}{'ACGT'[i % 4]}\n" for i in range(12))
    clean = {
        "t.csv": GOOD,
        "t.fasta": chains.encode(),
        "t.npz": npz(X=np.random.default_rng(0).normal(size=(20, 3)), y=np.arange(20) % 2),
        "t.xlsx": xlsx([["size", "width", "kind"], *([i / 3, i * i % 7, "ab"[i % 2]] for i in range(20))]),
    }
    for name, raw in clean.items():
        assert not [guess.sentence for guess in read_upload(name, raw).guesses if guess.question], name
