"""Lessons on the page: every step of every lesson, guesses, links, a lecturer's own file, a class."""

from __future__ import annotations

import json
import re
import threading
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from kernlib import DataError
from kernlib.experiments import CostEstimate
from kernlib.stories import read_shelf
from pages.parts.results import compute
from pages.parts.server import runs
from pages.views.stories import story
from pages.views.stories.export import lesson_page
from pages.views.stories.story import classroom
from tests.stories.test_lessons import GOOD

from .drive import buttons, ending, figures, headings, link, open_app, press, sentences, show

LESSONS = read_shelf(Path(__file__).resolve().parents[2] / "pages" / "stories")


def lesson(name: str, step: int = 0) -> AppTest:
    return open_app("stories", stories__lesson=name, stories__step=str(step))


def own_lesson(text: str) -> AppTest:
    return open_app("stories").file_uploader[0].set_value(("mine.md", text.encode(), "text/markdown")).run()


def test_the_shelf_has_a_card_for_every_lesson_and_leads_to_its_first_step():
    app, third = open_app("stories"), LESSONS[2]
    assert [key for key in buttons(app) if ".start." in key] == [f"stories.start.{one.name}" for one in LESSONS]
    assert link(press(app, f"stories.start.{third.name}"))["stories.lesson"] == third.name
    assert f"1 of {len(third.steps)}" in sentences(app)
    assert "stories.lesson" not in link(press(app, "stories.shelf"))


def test_a_slow_lesson_of_a_person_does_not_hold_the_shelf(monkeypatch):
    asked, held = threading.Event(), threading.Event()
    first, second = LESSONS[0].steps[0], LESSONS[1].steps[0]
    own = replace(first.view, kernel="Linear()")

    def computed(function, arguments, *_):
        if own in arguments:
            asked.set()
            held.wait(60)
        return function(*arguments)

    monkeypatch.setattr(story, "result_in_subprocess", computed)
    question = next(step.question for step in LESSONS[0].steps if step.question)
    story.begin_truth(question, own)
    assert asked.wait(60)
    assert story.scene_of(second.view).gram.shape
    assert story.truth_of(second.question, second.view)
    held.set()
    assert story.truth_of(question, own)


def test_a_view_that_would_block_the_page_is_refused(monkeypatch):
    monkeypatch.setattr(compute, "gram_costs", lambda *_: CostEstimate(7200.0, 3200))
    with pytest.raises(DataError, match="takes about 2 h"):
        story.scene_of(replace(LESSONS[0].steps[0].view, kernel="RBF(sigma=0.123)"))


@pytest.mark.parametrize("one", LESSONS, ids=lambda one: one.name)
def test_every_step_is_drawn_and_every_answer_compared(one):
    app = lesson(one.name)
    for place, step in enumerate(one.steps):
        assert f"{place + 1} of {len(one.steps)}" in sentences(app)
        assert step.title in headings(app)
        if step.kind == "predict" and step.question.kind == "choose":
            app.radio[0].set_value(0).run()
        elif step.kind == "predict" and step.question.kind == "number":
            app.slider[0].set_value(int(step.question.low)).run()
        if step.kind == "reveal":
            assert ("You have not answered yet" in sentences(app)) != (step.question.kind in ("choose", "number"))
            assert any(key.startswith("stories.reveal") for key in figures(app))
        if step.view.path:
            before = figures(app)
            app.select_slider[0].set_value(step.view.values[-1 if step.view.start == 0 else 0]).run()
            assert figures(app) != before, "the slider moves the figure"
        press(app, "stories.next")
    following = [*(later.name for later in LESSONS), None][LESSONS.index(one) + 1]
    assert link(app).get("stories.lesson") == following, "after the last lesson comes the shelf"


def test_an_untouched_slider_is_no_guess_and_a_guess_is_in_no_link():
    app = press(lesson("04-how-many-directions"), "stories.show")
    assert "You have not answered yet" in sentences(app)
    assert "your guess" not in json.dumps(figures(app))
    press(app, "stories.back")
    press(app, "answer.04-how-many-directions.0.keep")
    assert re.search(r"Your answer: 20$", sentences(app), re.MULTILINE)
    app.slider[0].set_value(21).run()
    press(app, "stories.show")
    assert "Your guess was 21 directions; the answer is 9 directions: 12 directions too high." in sentences(app)
    press(app, "stories.back")
    assert app.slider[0].value == 21
    assert set(link(app)) == {"data", "kernel", "stories.lesson", "stories.step"}


@pytest.mark.parametrize(("name", "step"), [("no-such-lesson", 2), ("03-how-deep", 99), ("03-how-deep", -1)])
def test_a_wrong_link_is_no_error(name, step):
    lesson(name, step)


@pytest.mark.usefixtures("in_red")
def test_a_lecturer_opens_a_lesson_and_a_mistake_is_named():
    app = own_lesson(GOOD.replace("minutes = 5", "minutes = 0"))
    assert "line 6: minutes cannot have this value; expected 1 to 120; found 0" in app.error[0].value
    app = own_lesson(GOOD)
    assert "1 of 4" in sentences(app)
    assert link(app)["stories.lesson"] == "own-mine"
    # It is asked on phones, too.
    press(press(app, "stories.next"), "stories.class.open")
    phone = open_app("stories", stories__class=class_code(app))
    assert "How large?" in headings(phone)


def test_a_lesson_is_where_it_was_left_and_its_notes_stand_in_a_window_of_their_own():
    app = show(show(lesson("02-a-diagonal-that-memorises", 3), "see"), "stories")
    assert "4 of 7" in sentences(app)
    [teach] = [one.proto for one in app.get("link_button") if one.proto.label == "Teach"]
    assert "Many draw a straight line" not in sentences(app), "never on the projected screen"
    app = open_app("stories", **dict(parse_qsl(teach.url.removeprefix("?"))))
    words = sentences(app)
    assert "Many draw a straight line" in words
    assert "· 1 minute" in words
    assert not re.search(r"\b1 minutes|Ask:\*\* –", words)


def class_code(app: AppTest) -> str:
    return app.title[0].value


def test_a_class_answers_all_questions_under_one_code():
    """Two questions of one lesson, three phones, one of which comes back as another session of the same browser."""
    name = "04-how-many-directions"
    (steps,) = [one.steps for one in LESSONS if one.name == name]
    asked = [place for place, step in enumerate(steps) if step.kind == "predict"]
    teacher = press(lesson(name, asked[0]), "stories.class.open")
    code = class_code(teacher)
    assert "**0** of 0 answered" in sentences(teacher)
    assert not teacher.slider, "the class is asked, not the lecturer"
    phones = []
    for guess in (5, 9, 30):
        phone = open_app("stories", stories__class=code)
        assert not phone.sidebar.selectbox, "the question, nothing else"
        assert ending(phone.button, "stories.send").disabled, "an untouched slider is no answer"
        phone.slider[0].set_value(guess).run()
        press(phone, "stories.send")
        assert "Sent." in sentences(phone)
        phones.append(phone)
    assert "**3** of 3 answered" in sentences(teacher.run())
    assert not any("class" in key for key in figures(teacher)), "answers are hidden until they are revealed"
    room = classroom().room(code, "test")
    assert sorted(room.answers_to((name, asked[0])).values()) == [5, 9, 30]
    press(teacher, "stories.class.reveal")
    assert "3 answers of the class" in sentences(teacher)
    for phone, words in zip(phones, ("4 directions too low", "as you guessed", "21 directions too high"), strict=True):
        assert words in sentences(phone.run())
    while room.step < asked[1]:
        press(teacher, "stories.next")
        if room.step not in (asked[0] + 1, asked[1]):
            assert "Follow on the lecturer's screen" in sentences(phones[0].run())
    assert class_code(teacher) == code
    question = room.lesson.steps[asked[1]].question
    for phone in phones:
        assert question.text in headings(phone.run()), "the phone follows by itself"
    while room.lesson.name == name:
        press(teacher, "stories.next")
    assert room.lesson.name == "05-support-vectors"
    assert f"**{code}**" in sentences(teacher) or class_code(teacher) == code
    assert room.lesson.steps[0].question.text in headings(phones[1].run()), "phones follow to the next lesson"
    press(teacher, "stories.class.end")
    assert f"The class with the code '{code}' has ended" in sentences(phones[0].run())
    assert f"stories.start.{name}" in buttons(press(phones[0], "stories.leave"))


def test_a_cookie_that_is_no_name_is_nobody_and_a_server_for_this_machine_alone_says_so(monkeypatch):
    """Reloads of a phone and of the lecturer are tested in a browser."""
    monkeypatch.setattr(type(st.context), "cookies", property(lambda _: {"kernlib_person": "<script>"}))
    monkeypatch.setattr("pages.parts.server.runs.network_url", lambda url: None)
    teacher = press(lesson("04-how-many-directions"), "stories.class.open")
    assert classroom().room(class_code(teacher), "test").owner != "<script>"
    assert "--server.address 0.0.0.0" in sentences(teacher)


def test_a_class_that_selects_rows_does_not_see_them_coloured_by_the_answer():
    teacher = press(lesson("09-heat-on-a-network", 0), "stories.class.open")
    assert figures(teacher) == {}


@pytest.mark.parametrize(
    ("url", "listens", "told"),
    [
        ("http://localhost:8501/stories", "localhost", None),
        ("http://127.0.0.1:8501/stories", "::1", None),
        ("http://localhost:8501/stories", "0.0.0.0", "http://10.1.2.3:8501/stories"),
        ("http://localhost:8501/stories", None, "http://10.1.2.3:8501/stories"),
        ("http://localhost/base/stories", "10.9.9.9", "http://10.9.9.9/base/stories"),
        ("https://class.example/stories", "localhost", "https://class.example/stories"),
    ],
)
def test_the_address_of_a_class_is_one_that_phones_can_open(monkeypatch, url, listens, told):
    monkeypatch.setattr(runs.st, "get_option", {"server.address": listens}.get)
    monkeypatch.setattr(runs, "own_address", lambda: "10.1.2.3")
    assert runs.network_url(url) == told


def test_a_machine_knows_its_own_address_or_name():
    own = runs.own_address()
    assert own
    assert not own.startswith("127."), own


@pytest.mark.usefixtures("in_red")
def test_a_wrong_code_says_so_and_asks_for_another():
    app = open_app("stories", stories__class="XXXX")
    assert "No class has the code 'XXXX'" in app.error[0].value
    room = classroom().open("teacher", LESSONS[3], 0)
    app.text_input[0].set_value(room.code.lower())
    assert not press(app, "Join").error
    assert link(app)["stories.class"] == room.code


@pytest.mark.parametrize("one", LESSONS, ids=lambda one: one.name)
def test_an_offline_lesson_holds_all_and_asks_no_one(one):
    page = lesson_page(one)
    body = page.split("</script></head><body>")[1]
    assert page.count('class="question"') == sum(step.kind == "predict" for step in one.steps)
    assert body.count('class="plot"') >= sum(step.kind == "reveal" for step in one.steps)
    assert "src=" not in body
    assert "http" not in body.replace("http://www.w3.org/2000/svg", "")
    for block in body.split('<script type="application/json" class="')[1:]:
        json.loads(block.split('">', 1)[1].split("</script>")[0])
