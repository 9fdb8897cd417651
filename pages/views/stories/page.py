"""Stories: lessons that ask for a prediction before they show the answer."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import streamlit as st

from kernlib import KernlibError
from kernlib.figures.frames import png
from kernlib.figures.stories import reveal_figure, scene_figures
from kernlib.stories import MAX_BYTES, Lesson, Room, Step
from kernlib.stories.classroom import EndedError
from kernlib.values.words import size_in_words
from pages.parts.frame import layout
from pages.parts.inputs import controls
from pages.parts.inputs.controls import button, code, in_row, plain
from pages.parts.server.runs import keep, kept, network_url, part
from pages.parts.session import state
from pages.parts.session.state import current
from pages.views.stories import story
from pages.views.stories.export import lesson_page


def shelf() -> None:
    """Draw all lessons as cards, the upload of a lesson, and the way into a class."""
    with st.container(border=True):
        code_form()
    class_line()
    layout.heading(
        "What do you expect a kernel to do?",
        "Each lesson asks first. Then it computes the answer and draws it over yours.",
    )
    for place, lesson in layout.grid(story.lessons().values()):
        with place.container(border=True, height="stretch", key=f"lesson-card-{lesson.name}"):
            with layout.guarded():
                picture = png(story.card_picture(lesson.steps[0].view))
                st.image(picture, width="stretch", alt=f"Gram matrix: {lesson.title}")
            st.markdown(f"**{plain(lesson.title)}**")
            st.caption(plain(lesson.question))
            button(
                f"Start, {minutes(lesson.minutes)}",
                f"stories.start.{lesson.name}",
                story.turn,
                lesson.name,
                0,
                width="stretch",
                help=f"Source: {lesson.source}",
            )
    with st.container(border=True):
        st.subheader("Open your own lesson", anchor=False)
        given = st.file_uploader(
            f"A Markdown file with blocks of TOML, at most {size_in_words(MAX_BYTES)}",
            type=["md"],
            key="stories.file",
            help="The guide explains the blocks.",
            max_upload_size=1,  # the smallest that Streamlit has; its own words on it are not shown
        )
        if given is not None and given.file_id != kept("stories.read", str):
            try:
                lesson = story.open_file(given.name, given.getvalue())
            except KernlibError as error:
                st.error(plain(error), icon=":material/error:")
            else:
                keep("stories.read", given.file_id)
                story.turn(lesson.name, 0)
                st.rerun()


def code_form() -> None:
    """Draw the field for the code of a class."""
    with st.form("stories.join", border=False, clear_on_submit=True):
        with in_row(vertical_alignment="bottom"):
            letters = st.text_input("Join a class", max_chars=8, width=220, placeholder="Code on the screen")
            join = st.form_submit_button("Join", icon=":material/login:")
        if join:
            state.choose("stories.class", letters.strip().upper() or None)
            st.rerun()


def minutes(count: float) -> str:
    """Return a number of minutes as text."""
    return f"{count:g} minute{'' if count == 1 else 's'}"


def lesson_steps(lesson: Lesson, place: int) -> None:
    """Draw one step of a lesson with the bar of steps above it."""
    step = lesson.steps[place]
    last = len(lesson.steps) - 1

    def turned(by: int) -> None:
        story.turn(lesson.name, max(0, min(last, place + by)))

    following = story.after(lesson)
    bar = in_row(gap="small")
    button("All lessons", "stories.shelf", story.turn, "", 0, draw=bar.button, icon=":material/apps:", type="tertiary")
    bar.markdown(f"**{plain(lesson.title)}** · {place + 1} of {last + 1}", width="stretch")
    tools(bar, lesson)
    ways = bar.container(horizontal=True, wrap=False, gap="small", width="content")
    button("Back", "stories.back", turned, -1, draw=ways.button, icon=":material/arrow_back:", disabled=place == 0)
    ended = place == last
    button(
        "Next" if not ended else "Next lesson" if following else "All lessons",
        "stories.next",
        story.turn if ended else turned,
        *((following, 0) if ended else (1,)),
        draw=ways.button,
        icon=":material/arrow_forward:",
        type="primary" if step.kind != "predict" else "secondary",
    )
    st.progress((place + 1) / (last + 1))
    room = own_room()
    if room is not None and (room.lesson.name, room.step) != (lesson.name, place):
        story.classroom().turn(room, story.person(), lesson, place)
    story.keys(turned, "" if room is None else story.person())
    later = next((one for one in lesson.steps[place:] if one.kind == "predict"), None)
    if later is not None and later.question is not None:
        story.begin_truth(later.question, later.view)
    surface_first = step.kind == "predict" and step.question is not None and step.question.in_picture
    with st.container(key="lesson-surface" if surface_first else "lesson-words"):
        DRAW[step.kind](lesson, place, step)


def words(step: Step) -> None:
    st.subheader(plain(step.title), anchor=False)
    if step.text:
        st.markdown(step.text)  # `read_lesson` has refused HTML and pictures in it


def show(lesson: Lesson, place: int, step: Step) -> None:
    """Draw a figure whose one parameter may be dragged; an explanation has its formula, and leads to its own page."""
    explains = step.kind == "explain"
    picture, beside = st.columns([4, 3] if explains else layout.MAIN, gap="medium")
    with beside:
        words(step)
        changes, view = dict[str, Any](), step.view
        if view.path:
            start = view.values[view.start]
            dragged = controls.option(st.select_slider, f"Drag {view.symbol}", view.values, "stories.drag", start)
            changes[view.path] = dragged
        if explains:
            st.latex(step.formula)
            st.caption(f"Source: {plain(step.source)}")
            button("Try it yourself", "stories.try", story.try_it, view, icon=":material/tune:")
        class_line()
    with picture:
        drawn(step, place, **changes)


def drawn(step: Step, place: int, **changes: Any) -> None:
    """Draw the figure of a step."""
    view = step.view
    with layout.guarded():
        figures = scene_figures(story.scene_of(view, **changes), view.figure, step.question)
        for i, (beside, fig) in enumerate(zip(st.columns(len(figures)), figures, strict=True)):
            with beside:
                key = f"stories.{step.kind}.{place}" + (f".{i}" if i else "")
                layout.figure(fig, key, fill="page", name=view.figure.replace(" ", "-"))


def predict(lesson: Lesson, place: int, step: Step) -> None:
    """Draw the question, the surface for the guess, and the button to the answer."""
    assert step.question is not None
    picture, beside = st.columns([4, 3], gap="medium")
    room = own_room()
    on_surface = step.question.in_picture  # a step's own figure would colour the rows by what is asked
    with beside:
        if room is not None:  # the answers stand above what the lecturer says
            class_box(room, lesson, place)
            st.markdown(f"**{plain(step.question.text)}**")
        words(step)
        if room is None:
            st.markdown(f"**{plain(step.question.text)}** {step.question.do}")
            if not on_surface:
                with layout.guarded():
                    story.ask(step.question, step.view, (lesson.name, place))
            answer_button(lesson, place, "Show the answer", "stories.show")
            button(
                "Ask the class",
                "stories.class.open",
                story.classroom().open,
                story.person(),
                lesson,
                place,
                icon=":material/groups:",
                width="stretch",
                help="Students answer all questions on their phones, anonymously. One code serves all lessons of the "
                "hour. The class ends after three hours without use.",
            )
    with picture, layout.guarded():
        if on_surface:
            story.ask(step.question, step.view, (lesson.name, place))
        else:
            drawn(step, place)


def answer_button(lesson: Lesson, place: int, label: str, key: str) -> None:
    """Draw the button that turns to the next step, which has the answer."""
    button(
        label,
        key,
        story.turn,
        lesson.name,
        min(place + 1, len(lesson.steps) - 1),
        type="primary",
        icon=":material/lightbulb:",
        width="stretch",
    )


def reveal(lesson: Lesson, place: int, step: Step) -> None:
    """Draw the truth over the guess, and one sentence with the numbers."""
    asked = max(i for i, one in enumerate(lesson.steps[:place]) if one.kind == "predict")
    question, view = step.question, lesson.steps[asked].view
    assert question is not None
    guess = story.guesses().get((lesson.name, asked))
    picture, beside = st.columns(layout.MAIN, gap="medium")
    room = own_room()
    others = [] if room is None else list(room.answers_to((lesson.name, asked)).values())
    with beside:
        words(step)
        st.markdown(f"**{plain(question.text)}**")
        sentence = st.container()
        class_line()
    with picture, layout.guarded():
        answer = story.truth_of(question, view)
        fig = reveal_figure(question, answer, guess, others)
        layout.figure(fig, f"stories.reveal.{place}", fill="page", name="answer")
        with sentence:
            own = story.own_words(question, step.view, guess)
            if guess is None and room is None:
                st.info("You have not answered yet. Go back to compare your own answer.", icon=":material/undo:")
            else:
                own = f"{question.compare(answer, guess)} {own}"
            if own:
                st.info(plain(own), icon=":material/lightbulb:")


DRAW = {"look": show, "predict": predict, "reveal": reveal, "explain": show}


def tools(bar: Any, lesson: Lesson) -> None:
    """Draw the switches of a lesson and the lesson as one file."""
    with bar.container(key="tools", horizontal=True, vertical_alignment="center", width="content"):
        layout.projector_switch()
        st.link_button(
            "Teach",
            f"?{urlencode({'stories.lesson': lesson.name, 'stories.notes': 'True'})}",
            icon=":material/open_in_new:",
            type="tertiary",
            help="The lecturer's notes in a second window, which stays off the projected screen.",
        )
        layout.download(
            f"{lesson.name}.html",
            lambda: lesson_page(lesson),
            "stories.export",
            "Lesson as one file",
            type="tertiary",
            help="One HTML file of about 5 MB that asks and answers without a network.",
        )


def all_notes(lesson: Lesson) -> None:
    """Draw the lecturer's notes of a lesson on one page; those of the step that a class sees are marked."""
    total = sum(step.notes.minutes for step in lesson.steps)
    layout.heading(lesson.title, f"Notes for the lecturer: {minutes(total)}. Source: {lesson.source}")
    room = own_room()

    def draw() -> None:
        for number, step in enumerate(lesson.steps):
            here = (lesson.name, number)
            with st.container(border=True):
                now = ":material/play_arrow: " if room is not None and (room.lesson.name, room.step) == here else ""
                st.markdown(f"{now}**{number + 1}. {plain(step.title)}** · {step.kind} · {minutes(step.notes.minutes)}")
                if step.question is not None and step.kind == "predict":
                    st.markdown(plain(step.question.text))
                if step.notes.ask:
                    st.markdown(f"**Ask:** {plain(step.notes.ask)}")
                if step.notes.students:
                    st.markdown(f"**Students usually say:** {plain(step.notes.students)}")

    if room is None:
        draw()
    else:
        part(draw, 1.0)


# -- a class: the lecturer's screen -------------------------------------------------------------------------


def own_room() -> Room | None:
    """Return the room that this person has opened: one for all lessons."""
    return story.classroom().own(story.person())


def class_address() -> str | None:
    """Return the address that a class opens; None where phones cannot reach this server."""
    return network_url(st.context.url or "")


def class_box(room: Room, lesson: Lesson, place: int) -> None:
    """Draw code, address, how many have answered, and the button that shows all answers."""
    address = class_address()

    def counted() -> None:
        phones = story.classroom().present(room)
        st.markdown(f"**{len(room.answers_to((lesson.name, place)))}** of {phones} answered")

    with st.container(border=True, key="class-code", gap="small"):
        with in_row(wrap=False, gap="medium"):
            if address is not None:
                picture = story.qr_code(f"{address}?{urlencode({'stories.class': room.code})}")
                st.image(picture, width=150, alt=f"QR code of {address} with the code {room.code}")
            with st.container(width="stretch", gap=None):
                st.title(room.code, anchor=False)
                if address is not None:
                    st.markdown(f"at {code(spoken(address))}")
                part(counted, 1.0)
        with in_row():
            answer_button(lesson, place, "Reveal", "stories.class.reveal")
            end_button(room)
        if address is None:
            st.caption(
                ":material/wifi_off: **Phones cannot reach this server**: it listens on this machine only. Start it "
                "again with `streamlit run app.py --server.address 0.0.0.0`."
            )


def spoken(address: str) -> str:
    """Return an address as people type it."""
    return address.removeprefix("http://")


def class_line() -> None:
    """Draw the code of the class on the steps between two questions, and the button that ends it."""
    room = own_room()
    if room is not None:
        address = class_address()
        with in_row():
            st.caption(
                f"Class **{room.code}**" + ("" if address is None else f" at {code(spoken(address))}"), width="content"
            )
            end_button(room)


def end_button(room: Room) -> None:
    """Draw the button that ends a class."""
    button(
        "End the class",
        "stories.class.end",
        story.classroom().end,
        room,
        story.person(),
        icon=":material/close:",
        type="tertiary",
    )


# -- a class: a student's phone -----------------------------------------------------------------------------


def student(letters: str) -> None:
    """Draw what a class sees on a student's phone: the question, the answer, or that the lecturer explains."""
    story.remember_person()
    try:
        room = story.classroom().room(letters, story.person())
    except KernlibError as error:
        if isinstance(error, EndedError):
            st.info(plain(error), icon=":material/groups:")
        else:
            st.error(plain(error), icon=":material/error:")
        button("All lessons", "stories.leave", story.turn, "", 0, icon=":material/apps:")
        code_form()
        return
    me = story.person()
    story.classroom().look(room, me)
    step, asked = room.lesson.steps[room.step], asked_now(room)
    known, drawn = asked in room.revealed, False

    def follow() -> None:
        nonlocal drawn
        exists, shown = story.classroom().look(room, me), asked_now(room)
        if drawn or not exists or shown != asked or (shown is None and room.lesson.steps[room.step] is not step):
            st.rerun()
        if asked in room.revealed and not known:
            # At once, above the question; the page's run follows: those of a whole class wait for one another.
            drawn = True
            phone_question(room, asked, revealed=True)

    part(follow, 1.0)
    if asked is None:
        st.subheader(plain(step.title), anchor=False)
        st.info("Follow on the lecturer's screen. The next question appears here.", icon=":material/groups:")
    else:
        phone_question(room, asked, known)
    with st.expander("Enter another code"):
        code_form()


def asked_now(room: Room) -> tuple[str, int] | None:
    """Return the question that phones show; None on the steps between two questions."""
    return room.asked if room.lesson.steps[room.step].kind in ("predict", "reveal") else None


def phone_question(room: Room, asked: story.Place, revealed: bool) -> None:
    """Draw a question of the class with the button that sends the answer, or the answer over those of the class."""
    me, step, answers = story.person(), room.lesson.steps[asked[1]], room.answers_to(asked)
    question, own = step.question, answers.get(me)
    assert question is not None
    st.subheader(plain(question.text), anchor=False)
    if revealed:
        answer = story.truth_of(question, step.view)
        layout.chart(reveal_figure(question, answer, own, list(answers.values())), "stories.phone.answer")
        st.info(plain(question.compare(answer, own)), icon=":material/lightbulb:")
        return
    st.caption(question.do)
    place = f"{room.code}.{asked[0]}", asked[1]
    story.ask(question, step.view, place, own)

    def send() -> None:
        guess = story.guesses().get(place)
        if guess is not None:  # None is the answer that was sent before a reload
            story.classroom().answer(room, asked, me, guess)

    unanswered = own is None and place not in story.guesses()
    button("Send my answer", "stories.send", send, type="primary", width="stretch", disabled=unanswered)
    if own is not None:
        st.success("Sent. You can change your answer until the lecturer shows all.")


joined = current().controls.get("stories.class", "")
shown, number = story.here()
if joined:
    student(joined)
elif shown is None:
    shelf()
elif current().controls.get("stories.notes") == "True":
    all_notes(shown)
else:
    lesson_steps(shown, number)
