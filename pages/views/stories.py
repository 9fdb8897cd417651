"""Stories: lessons that ask for a prediction before they show the answer."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st

from kernlib import KernlibError
from kernlib.figures.stories import reveal_figure, scene_figure
from kernlib.stories import MAX_BYTES, Lesson, LessonError, Question, Room, Step, compare, truth_words
from pages.parts.frame import layout
from pages.parts.inputs import controls
from pages.parts.inputs.plain import plain
from pages.parts.lessons import story
from pages.parts.lessons.story_export import lesson_page
from pages.parts.server.jobs import session_id
from pages.parts.session import state
from pages.parts.session.polling import part
from pages.parts.session.value import current, deferred

_ICONS = {"look": "visibility", "predict": "help", "reveal": "lightbulb", "explain": "function"}
_DO = {
    "choose": "Choose one.",
    "number": "Move the slider.",
    "draw": "Draw with the mouse, a finger, or the arrow keys.",
    "point": "Click rows to select them.",
    "order": "Move the items into order, first on top.",
}


#: Questions that are answered in a picture.
ON_SURFACE = ("draw", "point")
#: Cards side by side on a desk.
ACROSS = 5


def shelf() -> None:
    """Draw all lessons as cards, the upload of a lesson, and the way into a class."""
    layout.heading(
        "What do you expect a kernel to do?",
        "Each lesson asks first. Then it computes the answer and draws it over yours.",
    )
    for row in _rows(list(story.lessons().values()), ACROSS):
        for place, lesson in zip(st.columns(ACROSS, gap="small"), row, strict=False):
            with place.container(border=True, height="stretch"):
                card(lesson)
    left, right = st.columns(2, gap="medium")
    with left.container(border=True):
        st.subheader("Join a class", anchor=False)
        with st.form("stories.join", border=False):
            code = st.text_input("Code on the lecturer's screen", max_chars=8)
            if st.form_submit_button("Join", icon=":material/login:"):
                state.choose("stories.class", code.strip().upper() or None)
                st.rerun()
    with right.container(border=True):
        st.subheader("Open your own lesson", anchor=False)
        given = st.file_uploader(
            "A Markdown file with blocks of TOML",
            type=["md"],
            key="stories.file",
            help=f"At most {MAX_BYTES // 1000} kB. The guide explains the blocks.",
        )
        if given is not None and given.file_id != st.session_state.get("stories.read"):
            try:
                lesson = story.open_file(given.name, given.getvalue())
            except LessonError as error:
                st.error(plain(error), icon=":material/error:")
            else:
                st.session_state["stories.read"] = given.file_id
                story.turn(lesson.name, 0)
                st.rerun()


def _rows(lessons: list[Lesson], across: int) -> list[list[Lesson]]:
    return [lessons[i : i + across] for i in range(0, len(lessons), across)]


def card(lesson: Lesson) -> None:
    """Draw the card of one lesson: picture, question, minutes, source."""
    with layout.guarded():
        st.image(story.card_picture(lesson.steps[0].view), width="stretch", alt=f"Gram matrix: {lesson.title}")
    st.markdown(f"**{plain(lesson.title)}**")
    st.caption(plain(lesson.question))
    st.button(
        f"Start, {lesson.minutes} minutes",
        key=f"stories.start.{lesson.name}",
        on_click=deferred(story.turn, lesson.name, 0),
        width="stretch",
        help=f"Source: {lesson.source}",
    )


def lesson_steps(lesson: Lesson, place: int) -> None:
    """Draw one step of a lesson with the bar of steps above it."""
    step = lesson.steps[place]
    last = len(lesson.steps) - 1

    def turned(by: int) -> None:
        story.turn(lesson.name, max(0, min(last, place + by)))

    following = story.after(lesson)
    bar = st.container(horizontal=True, vertical_alignment="center", gap="small")
    bar.button(
        "All lessons",
        icon=":material/apps:",
        key="stories.shelf",
        on_click=deferred(story.turn, "", 0),
        type="tertiary",
    )
    bar.markdown(f"**{plain(lesson.title)}** · {place + 1} of {last + 1}", width="stretch")
    tools(bar, lesson)
    ways = bar.container(horizontal=True, wrap=False, gap="small", width="content")
    ways.button(
        "Back", icon=":material/arrow_back:", key="stories.back", on_click=deferred(turned, -1), disabled=place == 0
    )
    ended = place == last
    ways.button(
        "Next" if not ended else "Next lesson" if following else "All lessons",
        icon=":material/arrow_forward:",
        key="stories.next",
        on_click=deferred(story.turn if ended else turned, *((following, 0) if ended else (1,))),
        type="primary" if step.kind != "predict" else "secondary",
    )
    st.progress((place + 1) / (last + 1))
    story.keys(turned)
    for number, later in enumerate(lesson.steps):
        if later.kind == "predict" and later.question is not None and number >= place:
            story.begin_truth(later.question, later.view)
            break
    surface_first = step.kind == "predict" and step.question is not None and step.question.kind in ON_SURFACE
    with st.container(key="lesson-surface" if surface_first else "lesson-words"):
        DRAW[step.kind](lesson, place, step)


def words(step: Step) -> None:
    st.subheader(plain(step.title), anchor=False)
    if step.text:
        st.markdown(story.lesson_markdown(step))


def look(lesson: Lesson, place: int, step: Step) -> None:
    """Draw a figure whose one parameter may be dragged."""
    picture, beside = st.columns(layout.MAIN, gap="medium")
    with beside:
        words(step)
        changes = dragged(step)
        notes(lesson, step)
    with picture:
        drawn(step, place, changes)


def dragged(step: Step) -> dict[str, Any]:
    """Draw the slider of the parameter that may be dragged; return the value by its path."""
    view = step.view
    if not view.path:
        return {}
    start = view.values[view.start]
    return {view.path: controls.option(st.select_slider, f"Drag {view.symbol}", view.values, "stories.drag", start)}


def drawn(step: Step, place: int, changes: dict[str, Any] | None = None) -> None:
    """Draw the figure of a step."""
    view = step.view
    with layout.guarded():
        fig = scene_figure(story.scene_of(view, **(changes or {})), view.figure, step.question)
        layout.figure(fig, f"stories.{step.kind}.{place}", fill="page", name=view.figure.replace(" ", "-"))


def predict(lesson: Lesson, place: int, step: Step) -> None:
    """Draw the question, the surface for the guess, and the button to the answer."""
    assert step.question is not None
    picture, beside = st.columns([4, 3], gap="medium")
    on_surface = step.question.kind in ON_SURFACE
    with beside:
        words(step)
        st.markdown(f"**{plain(step.question.text)}** {_DO[step.question.kind]}")
        if not on_surface:
            surface(lesson.name, place, step)
        st.button(
            "Show the answer",
            type="primary",
            icon=":material/lightbulb:",
            key="stories.show",
            on_click=deferred(show, lesson, place, step.question),
            width="stretch",
        )
        ask_class(lesson, place, step)
        notes(lesson, step)
    with picture, layout.guarded():
        if on_surface:
            surface(lesson.name, place, step)
        else:
            drawn(step, place)


def surface(lesson: str, place: int, step: Step) -> None:
    assert step.question is not None
    key = f"stories.answer.{lesson}.{place}"
    with layout.guarded():
        story.ask(
            step.question,
            step.view,
            key,
            story.guess_of(lesson, place),
            lambda guess: story.keep_guess(lesson, place, guess),
        )


def show(lesson: Lesson, place: int, question: Question) -> None:
    """Go to the answer; a slider that was not moved is a guess too."""
    key = f"stories.answer.{lesson.name}.{place}"
    if story.guess_of(lesson.name, place) is None and question.kind == "number":
        story.keep_guess(lesson.name, place, float(st.session_state[key]))
    if len(lesson.steps) > place + 1:
        story.turn(lesson.name, place + 1)


def reveal(lesson: Lesson, place: int, step: Step) -> None:
    """Draw the truth over the guess, and one sentence with the numbers."""
    asked = max(i for i, one in enumerate(lesson.steps[:place]) if one.kind == "predict")
    question, view = step.question, lesson.steps[asked].view
    assert question is not None
    guess = story.guess_of(lesson.name, asked)
    picture, beside = st.columns(layout.MAIN, gap="medium")
    room = own_room(lesson, asked)
    others = list(room.answers.values()) if room is not None and room.revealed else []
    with beside:
        words(step)
        st.markdown(f"**{plain(question.text)}**")
        sentence = st.container()
        notes(lesson, step)
    with picture, layout.guarded():
        answer = story.truth_of(question, view)
        fig = reveal_figure(question, answer, guess, others)
        layout.figure(fig, f"stories.reveal.{place}", fill="page", name="answer")
        with sentence:
            if guess is None and room is not None:
                st.info(plain(truth_words(question, answer)), icon=":material/lightbulb:")
            elif guess is None:
                st.info("You have not answered yet. Go back to compare your own answer.", icon=":material/undo:")
            else:
                st.info(plain(compare(question, answer, guess).sentence), icon=":material/lightbulb:")


def explain(lesson: Lesson, place: int, step: Step) -> None:
    """Draw the formula behind the answer, and the link to the same view on its own page."""
    picture, beside = st.columns([4, 3], gap="medium")
    with beside:
        words(step)
        changes = dragged(step)
        st.latex(step.formula)
        st.caption(f"Source: {plain(step.source)}")
        st.button(
            "Try it yourself", icon=":material/tune:", key="stories.try", on_click=deferred(story.try_it, step.view)
        )
        notes(lesson, step)
    with picture:
        drawn(step, place, changes)


DRAW = {"look": look, "predict": predict, "reveal": reveal, "explain": explain}


def tools(bar: Any, lesson: Lesson) -> None:
    """Draw the switches of a lesson and the lesson as one file."""
    with bar.container(key="lesson-tools", horizontal=True, vertical_alignment="center", width="content"):
        controls.switch("Projector", False, "all.projector", help="Larger letters, for a bright room.")
        controls.switch("Teach", False, "stories.teach", help="Show the lecturer's notes of this step.")
        layout.download(
            f"{lesson.name}.html", lambda: lesson_page(lesson), "stories.export", "Lesson as one file", type="tertiary",
            help="One HTML file of about 5 MB that asks and answers without a network.",
        )  # fmt: skip


def notes(lesson: Lesson, step: Step) -> None:
    """Draw the lecturer's notes of a step, where they are wanted."""
    if current().controls.get("stories.teach") != "True":
        return
    with st.container(border=True):
        st.markdown(f"**Ask:** {plain(step.notes.ask) or '–'}")
        st.markdown(f"**Students usually say:** {plain(step.notes.students) or '–'}")
        minutes = sum(one.notes.minutes for one in lesson.steps)
        st.caption(f"{step.notes.minutes:g} minutes for this step, {minutes:g} for the lesson.")
        st.link_button(
            "Notes of all steps in a second window",
            f"?{urlencode({'stories.lesson': lesson.name, 'stories.notes': 'True'})}",
        )


def all_notes(lesson: Lesson) -> None:
    """Draw the lecturer's notes of a lesson on one page."""
    layout.heading(lesson.title, f"Notes for the lecturer. Source: {lesson.source}")
    for number, step in enumerate(lesson.steps, start=1):
        with st.container(border=True):
            st.markdown(f"**{number}. {plain(step.title)}** · {step.kind} · {step.notes.minutes:g} minutes")
            if step.question is not None and step.kind == "predict":
                st.markdown(plain(step.question.text))
            if step.notes.ask:
                st.markdown(f"**Ask:** {plain(step.notes.ask)}")
            if step.notes.students:
                st.markdown(f"**Students usually say:** {plain(step.notes.students)}")


# -- a class ----------------------------------------------------------------------------------------------


def own_room(lesson: Lesson, place: int) -> Room | None:
    """Return the room that this session opened for a step."""
    room: Room | None = st.session_state.get("stories.room")
    return room if room is not None and (room.story, room.step) == (lesson.name, place) else None


def open_room(lesson: Lesson, place: int) -> None:
    try:
        st.session_state["stories.room"] = story.classroom().open(session_id(), lesson.name, place)
    except KernlibError as error:
        state.change(state.notify, str(error))


def close_room(room: Room) -> None:
    story.classroom().end(room, session_id())
    st.session_state["stories.room"] = None


def reveal_room(room: Room, lesson: Lesson, place: int) -> None:
    story.classroom().reveal(room, session_id())
    story.turn(lesson.name, min(place + 1, len(lesson.steps) - 1))


def ask_class(lesson: Lesson, place: int, step: Step) -> None:
    """Open the question to the class: a code, an address, and how many have answered."""
    room = own_room(lesson, place)
    if room is None:
        st.button(
            "Ask the class",
            icon=":material/groups:",
            key="stories.class.open",
            on_click=deferred(open_room, lesson, place),
            width="stretch",
            help="Students answer on their phones, anonymously. The question ends after three hours without use.",
        )
        return
    url = urlsplit(st.context.url or "")
    address = f"{url.scheme}://{url.netloc}/stories"
    with st.container(border=True, key="class-code"):
        st.title(room.code, anchor=False, text_alignment="center")
        st.markdown(f"Open **{address}** and enter the code.", text_alignment="center")
        picture = story.qr_code(f"{address}?{urlencode({'stories.class': room.code})}")
        if picture is not None:
            st.image(picture, width=180, alt=f"QR code of {address} with the code {room.code}")

        part(lambda: st.markdown(f"**{len(room.answers)}** answered"), 1.0)
        st.button(
            "Show all answers",
            icon=":material/lightbulb:",
            key="stories.class.reveal",
            on_click=deferred(reveal_room, room, lesson, place),
            width="stretch",
        )
        st.button(
            "End",
            icon=":material/close:",
            key="stories.class.end",
            on_click=deferred(close_room, room),
            type="tertiary",
        )


def student(code: str) -> None:
    """Draw the question of a class on a student's phone, and nothing else."""
    try:
        room = story.classroom().room(code, session_id())
    except KernlibError as error:
        st.error(plain(error), icon=":material/error:")
        st.button("Enter another code", on_click=deferred(state.choose, "stories.class", None))
        return
    lesson = story.lessons().get(room.story)
    if lesson is None:
        st.error("This lesson was opened from the lecturer's own file. Phones can answer only this server's lessons.")
        return
    step = lesson.steps[room.step]
    question, own = step.question, room.answers.get(session_id())
    assert question is not None
    st.subheader(plain(question.text), anchor=False)
    if room.revealed:
        answer = story.truth_of(question, step.view)
        layout.chart(reveal_figure(question, answer, own, list(room.answers.values())), "stories.phone.answer")
        if own is not None:
            st.info(plain(compare(question, answer, own).sentence), icon=":material/lightbulb:")
        return
    st.caption(_DO[question.kind])
    key = f"stories.phone.{room.code}"
    story.ask(question, step.view, key, own, lambda guess: story.keep_guess(room.code, room.step, guess))
    st.button(
        "Send my answer",
        type="primary",
        width="stretch",
        key="stories.send",
        on_click=deferred(send, room, question, key),
    )
    if own is not None:
        st.success("Sent. You can change your answer until the lecturer shows all.")

    def wait() -> None:
        if room.revealed:
            st.rerun()

    part(wait, 1.0)


def send(room: Room, question: Question, key: str) -> None:
    guess = story.guess_of(room.code, room.step)
    if guess is None and question.kind == "number":
        guess = float(st.session_state[key])
    if guess is None:
        return
    try:
        story.classroom().answer(room, session_id(), guess)
    except KernlibError as error:
        state.change(state.notify, str(error))


code = current().controls.get("stories.class", "")
shown, number = story.here()
if code:
    student(code)
elif shown is None:
    shelf()
elif current().controls.get("stories.notes") == "True":
    all_notes(shown)
else:
    lesson_steps(shown, number)
