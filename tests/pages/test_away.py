"""A session whose browser is away gives up what can be computed again, and goes on when the browser is back."""

from __future__ import annotations

from weakref import WeakSet

import pytest
from streamlit.testing.v1 import AppTest

from kernlib import RBF
from pages.parts.server import caching, jobs
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
    monkeypatch.setattr(caching, "UNWATCHED", 0.2)
    own, other = (holder(open_app("see", data="iris")) for _ in range(2))
    for one in (own, other):
        one.computed["matrices"] = {"a": 1}
        caching.leave(one)
    own.left = 0.0
    until(lambda: not other.computed)
    assert "matrices" in own.computed


@pytest.mark.usefixtures("in_red")
def test_uploads_that_take_too_much_are_refused(monkeypatch):
    budget = caching._PER_BYTE * 2.5 * len(TABLE) / caching._OF_UPLOADS  # room for two
    monkeypatch.setattr(caching, "_uploaders", WeakSet())
    monkeypatch.setattr(caching, "memory_budget", lambda: budget)
    apps = [upload("a.csv"), upload("b.csv")]
    assert all(holder(app).state.data.uploaded for app in apps)
    assert "it has room for" in sentences(upload("c.csv"))
