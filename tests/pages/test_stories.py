"""Lessons on the page: every step of every lesson, guesses, links, a lecturer's own file, a class."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from kernlib import Deep, Linear
from kernlib.stories import read_shelf
from pages.parts.lessons.story import classroom
from pages.parts.lessons.story_export import lesson_page
from tests.stories.test_lessons import GOOD

from .drive import ending, figures, link, open_app, sentences, session, show

LESSONS = read_shelf(Path(__file__).resolve().parents[2] / "pages" / "stories")


def lesson(name: str, step: int = 0) -> AppTest:
    return open_app("stories", **{"stories.lesson": name, "stories.step": str(step)})


def press(app: AppTest, key: str) -> AppTest:
    return ending(app.button, key).click().run()


def test_the_shelf_has_a_card_for_every_lesson_and_leads_to_its_first_step():
    app = open_app("stories")
    starts = [b for b in app.button if b.key and b.key.startswith("stories.start.")]
    assert len(starts) == len(LESSONS)
    starts[2].click().run()
    assert link(app)["stories.lesson"] == LESSONS[2].name
    assert f"1 of {len(LESSONS[2].steps)}" in sentences(app)
    press(app, "stories.shelf")
    assert "stories.lesson" not in link(app)


@pytest.mark.parametrize("one", LESSONS, ids=lambda one: one.name)
def test_every_step_is_drawn_and_every_answer_compared(one):
    app = lesson(one.name)
    for place, step in enumerate(one.steps):
        assert not app.exception
        assert not app.error
        assert f"{place + 1} of {len(one.steps)}" in sentences(app)
        assert step.title in [heading.value for heading in app.subheader]
        if step.kind == "predict" and step.question.kind == "choose":
            app.radio[0].set_value(0).run()
        elif step.kind == "predict" and step.question.kind == "number":
            app.slider[0].set_value(int(step.question.low)).run()
        if step.kind == "reveal":
            told = sentences(app)
            answered = step.question.kind in ("choose", "number")
            assert ("You have not answered yet" in told) != answered
            assert any(key.startswith("stories.reveal") for key in figures(app))
        if step.view.path:
            before = figures(app)
            app.select_slider[0].set_value(step.view.values[-1 if step.view.start == 0 else 0]).run()
            assert figures(app) != before, "the slider moves the figure"
        if place + 1 < len(one.steps):
            press(app, "stories.next")
    press(app, "stories.next")
    following = [*(later.name for later in LESSONS), None][LESSONS.index(one) + 1]
    assert link(app).get("stories.lesson") == following, "after the last lesson comes the shelf"


def test_an_untouched_slider_is_a_guess_and_a_guess_is_in_no_link():
    app = lesson("04-how-many-directions", 0)
    press(app, "stories.show")
    assert "Your guess was 20 directions; the answer is 9 directions: 11 directions too high." in sentences(app)
    press(app, "stories.back")
    assert app.slider[0].value == 20
    assert set(link(app)) == {"data", "kernel", "stories.lesson", "stories.step"}


def test_a_lesson_is_where_it_was_left():
    app = lesson("02-a-diagonal-that-memorises", 3)
    show(show(app, "gram"), "stories")
    assert "4 of 7" in sentences(app)


def test_try_it_opens_the_view_on_the_other_pages():
    app = lesson("03-how-deep", 6)
    press(app, "stories.try")
    assert session(app).data.name == "banana-like"
    assert session(app).kernel == Deep(Linear(), level=1)
    app = lesson("08-abba-and-baba", 5)
    press(app, "stories.try")
    assert session(app).data.uploaded
    assert session(app).load(session(app).data).ids == ("ABBA", "BABA", "CAT", "CART", "BAT")


@pytest.mark.parametrize(("name", "step"), [("no-such-lesson", "2"), ("03-how-deep", "99"), ("03-how-deep", "-1")])
def test_a_wrong_link_is_no_error(name, step):
    app = open_app("stories", **{"stories.lesson": name, "stories.step": step})
    assert not app.exception
    assert not app.error


def test_a_lecturer_opens_a_lesson_and_a_mistake_is_named():
    app = open_app("stories")
    app.file_uploader[0].set_value(("mine.md", GOOD.replace("minutes = 5", "minutes = 0").encode(), "text/markdown"))
    app.run()
    assert "line 6: minutes is out of range" in app.error[0].value
    app.file_uploader[0].set_value(("mine.md", GOOD.encode(), "text/markdown"))
    app.run()
    assert "1 of 4" in sentences(app)
    assert link(app)["stories.lesson"] == "own-mine"


def test_notes_are_shown_to_who_teaches():
    app = lesson("02-a-diagonal-that-memorises", 0)
    ending(app.toggle, "stories.teach").set_value(True).run()
    assert "Only the diagonal." in sentences(app)
    press(press(app, "stories.next"), "stories.next")
    assert "They expect a small test error." in sentences(app), "until they are switched off"
    app = open_app("stories", **{"stories.lesson": "02-a-diagonal-that-memorises", "stories.notes": "True"})
    assert "Many draw a straight line" in sentences(app)


def test_a_class_answers_and_sees_the_answer():
    teacher = lesson("04-how-many-directions", 0)
    press(teacher, "stories.class.open")
    code = teacher.title[0].value
    assert "**0** answered" in sentences(teacher)
    phones = []
    for guess in (5, 9, 30):
        phone = open_app("stories", **{"stories.class": code})
        assert not phone.sidebar.selectbox, "the question, nothing else"
        phone.slider[0].set_value(guess).run()
        press(phone, "stories.send")
        assert "Sent." in sentences(phone)
        phones.append(phone)
    room = classroom().room(code, "test")
    assert sorted(room.answers.values()) == [5, 9, 30]
    press(teacher, "stories.class.reveal")
    assert "3 answers of the class" in sentences(teacher)
    for phone, words in zip(phones, ("4 directions too low", "as you guessed", "21 directions too high"), strict=True):
        assert words in sentences(phone.run())
    press(teacher, "stories.back")
    press(teacher, "stories.class.end")
    assert "No question has the code" in phones[0].run().error[0].value


def test_a_wrong_code_says_so():
    app = open_app("stories", **{"stories.class": "XXXX"})
    assert "No question has the code 'XXXX'" in app.error[0].value


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
