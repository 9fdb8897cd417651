"""A session whose browser is away gives up what can be computed again, and goes on when the browser is back."""

from __future__ import annotations

from weakref import WeakSet, ref

import pytest
from streamlit.testing.v1 import AppTest

from kernlib import RBF
from pages.parts.server import caching, jobs
from pages.parts.server.caching import look_through
from pages.parts.server.runs import using
from pages.parts.session import uploaded

from .drive import buttons, drop, holder, open_app, press, sentences, until

TABLE = b"x,z,class\n" + b"".join(b"%d,%.2f,%s\n" % (i, i / 3, (b"a", b"b")[i % 2]) for i in range(20))


def upload(name: str) -> AppTest:
    """Drop the table, and use its rows where there is room for them."""
    app = drop(open_app("data"), name, TABLE)
    return press(app, "upload.use") if "upload.use" in buttons(app) else app


def test_a_session_that_is_away_gives_up_what_can_be_computed_again(monkeypatch):
    read = []
    monkeypatch.setattr(
        uploaded, "result_in_subprocess", lambda function, given, *_: read.append(given[0]) or function(*given)
    )
    monkeypatch.setattr(caching, "UNWATCHED", 0.05)
    app = upload("t.csv")
    own, shown = holder(app), holder(app).state.data
    assert shown.uploaded
    with using(own):
        task = jobs.start_matrix(shown.load(), RBF(sigma=2.0))
    until(lambda: task.state == "done")
    # All sessions of these tests have one name in Streamlit's caches: which of them arrived is not asked here.
    assert {"upload.data", "matrices"} <= own.computed.keys()
    caching.leave(own)
    own.left = 0.0  # the browser is back in time
    caching.leave(own)
    until(lambda: not own.computed)
    assert read == ["t.csv"]
    app.run()
    assert own.state.data == shown
    assert read == ["t.csv"] * 2
    assert not [w for w in app.warning if "t.csv" in w.value]


def test_a_session_whose_browser_came_back_in_time_keeps_its_results(monkeypatch):
    monkeypatch.setattr(caching, "UNWATCHED", 0.0)
    app = open_app("see", data="iris")
    own, gone = holder(app), []
    monkeypatch.setattr(caching, "look_through", lambda: gone.append(1))
    own.computed["matrices"] = {"a": 1}
    caching.leave(own)
    until(lambda: gone)
    assert not own.computed
    own.computed["matrices"], own.left = {"a": 1}, 0.0
    monkeypatch.setattr(caching, "UNWATCHED", 0.2)
    caching.leave(own)
    own.left = 0.0
    other = holder(open_app("see", data="iris"))
    caching.leave(other)
    until(lambda: len(gone) == 2)
    assert "matrices" in own.computed


def test_a_session_that_begins_anew_leaves_nothing_of_its_file(monkeypatch):
    monkeypatch.setattr(uploaded, "result_in_subprocess", lambda function, given, *_: function(*given))
    own = holder(drop(open_app("data"), "t.csv", TABLE))
    file = own.kept["upload.held"]
    with using(own):
        kept = [ref(one) for one in (file, file.reading, file.data, *file.reading.part.columns)]
    del file
    own.begin_anew()
    look_through()
    assert [one() for one in kept] == [None] * len(kept)


@pytest.mark.usefixtures("in_red")
def test_uploads_of_sessions_that_were_left_make_room_the_oldest_first(monkeypatch):
    budget = caching._PER_BYTE * 2.5 * len(TABLE) / caching._OF_UPLOADS  # room for two
    monkeypatch.setattr(caching, "_uploaders", WeakSet())
    monkeypatch.setattr(caching, "memory_budget", lambda: budget)
    apps = [upload("a.csv"), upload("b.csv")]
    holders = [holder(app) for app in apps]
    assert "it has room for" in sentences(upload("c.csv")), "both are here"
    for own in (holders[1], holders[0]):  # b was left first
        caching.leave(own)
    third = upload("c.csv")
    assert holder(third).state.data.uploaded
    assert holders[1].state is None
    assert holders[0].state.data.uploaded
    apps[1].run()  # the browser is back, and its session begins anew
    assert holders[1].state is not None
