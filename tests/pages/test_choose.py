"""The page Choose: the numbers of the command line, a verdict, kernels of one's own, one click from the Data page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kernlib import RBF, parse
from kernlib.advice import (
    OWN,
    candidates,
    find,
    headline,
    markdown,
    methods,
    nested,
    recommended,
    search,
    sections,
    title_of,
)
from kernlib.data import Dataset, load_dataset
from kernlib.figures.choose import report_page
from pages.parts.results import choosing
from pages.parts.server import jobs
from pages.parts.server.holder import Holder, using
from pages.views.choose.kernels import pipeline

from .drive import (
    assert_sound,
    choose,
    figures,
    kernel,
    open_app,
    own,
    printed_by,
    sentences,
    session,
    show,
    undo,
    until,
    upload,
)


def in_this_process(function, arguments, cancelled):
    """Run a stream in this process: a helper has a low priority, and waits for the other tests."""
    for state in function(*arguments):
        if cancelled():
            return
        yield state


@pytest.fixture(autouse=True, scope="module")
def _streams_in_this_process():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "in_subprocess", in_this_process)
        yield


def job(app):
    """The comparison that was asked for last."""
    return list(own(app)["streams"].values())[-1]


def compared(app):
    """Click, wait, and draw the page once more."""
    app.button(key="choose.go").click().run()
    until(lambda: not job(app).active)
    app.run()
    assert_sound(app)
    assert job(app).state == "done"
    return job(app).latest


@pytest.fixture(scope="module")
def iris(_streams_in_this_process):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KERNLIB_COMPUTE", "always")
        patch.setattr(choosing, "SECONDS", None)
        app = open_app("choose", data="iris", **{"g.n": "60"})
        assert "choose.settings" in figures(app)
        compared(app)
    return app


def test_the_page_has_the_numbers_of_the_command_line(iris):
    data = load_dataset("iris", n=60)
    *_, alone = search(data)
    found = job(iris).latest
    assert [(a.kernel, a.error) for a in found.best] == [(a.kernel, a.error) for a in alone.best]
    assert [(a.kernel, a.errors) for a in found.settings] == [(a.kernel, a.errors) for a in alone.settings]
    assert iris.subheader[0].value.replace("\\", "") == headline(replace(alone, nested=found.nested), data)
    drawn = figures(iris)["choose.race"]["data"]
    (errors,) = [trace for trace in drawn if trace["name"] == "error"]
    assert len(errors["customdata"]) == len(found.best)
    assert iris.button(key="choose.go").disabled, "nothing is left to compute"


def test_the_recommended_kernel_is_used_and_is_that_of_the_pipeline(iris):
    found = job(iris).latest
    chosen = recommended(found.best)
    tied = [one for one in found.best if not one.measured.dropped]
    assert len(list(chosen.kernel.walk())) == min(len(list(one.kernel.walk())) for one in tied)
    before = kernel(iris)
    iris.button(key="choose.use").click().run()
    assert_sound(iris)
    assert kernel(iris) == chosen.kernel
    assert iris.button(key="choose.use").disabled
    undo(iris)
    assert kernel(iris) == before
    with using(Holder(state=session(iris))):
        shown = pipeline(load_dataset("iris", n=60), chosen)
    assert f"KernelMachine({chosen.kernel.specification!r}, {chosen.machine!r})" in shown
    assert len(printed_by(shown)) == 1


def test_all_settings_are_evidence(iris):
    choose(iris, "choose.evidence", "True")
    assert_sound(iris)
    table = iris.dataframe[0].value
    assert len(table) == job(iris).latest.total
    assert (table["dropped because"] == "").sum() == len(job(iris).latest.race.losses)


def test_the_report_says_what_the_page_says(iris, tmp_path):
    choose(iris, "choose.evidence", "True")
    found, data = job(iris).latest, load_dataset("iris", n=60)
    assert iris.code[0].value == methods(found, data)
    text = markdown(title_of(data), sections(found, data))
    assert headline(found, data).partition(". ")[0] in text.replace("\\", "")
    assert all(repr(one.kernel) in text.replace("\\", "") for one in found.best)
    script = text.split("```python")[1].split("```")[0]
    assert iris.code[-1].value.strip() == script.strip(), "with the sample's n, its seed and the grid"
    assert printed_by(script)[:-1] == [f"{one.error} {one.kernel!r}" for one in found.best]
    html = report_page(found, data)
    assert html.count("plotly-graph-div") >= 1
    assert "src=" not in html.split("<script")[0]


def test_kernels_of_ones_own_join_the_same_race():
    app = open_app("data", data="iris", kernel="RBF(sigma=123.0)", **{"g.n": "40"})
    app.button(key="kernel.keep").click().run()
    assert app.button(key="kernel.keep").disabled
    show(app, "choose")
    choose(app, "choose.typed", "Nonsense(3)")
    app.button(key="choose.add").click().run()
    assert any("Nonsense" in warning.value for warning in app.warning)
    choose(app, "choose.typed", "Spectrum(length=2)")
    app.button(key="choose.add").click().run()  # reads strings: kept for other data
    choose(app, "choose.typed", "Deep(RBF(sigma=2.0), level=2)")
    app.button(key="choose.add").click().run()
    assert_sound(app)
    found = compared(app)
    own = {one.kernel for one in found.best if one.name == OWN}
    assert own == {RBF(sigma=123.0), parse("Deep(RBF(sigma=2.0), level=2)")}
    app.button(key=f"choose.away.{RBF(sigma=123.0)!r}").click().run()
    assert "RBF(sigma=123.0)" not in session(app).controls["choose.kept"]


@pytest.mark.parametrize(("data", "n"), [("iris", "150"), ("breast-cancer-10", "450")])
def test_the_page_shows_the_comparison_that_another_page_started(data, n):
    """Of as many rows as the slider has, and of more than are compared."""
    app = open_app("data", data=data, **{"g.n": n})
    app.button(key="data.compare").click().run()
    show(app, "choose")
    assert_sound(app)
    assert app.button(key="choose.go").disabled, "the comparison is active"
    next(button for button in app.button if button.label == "Stop").click().run()
    until(lambda: not job(app).active)


def test_shuffled_labels_an_upload_and_an_honest_error():
    rng = np.random.default_rng(3)
    noise = Dataset(
        "own", "Own", "vector", rng.normal(size=(40, 2)), y=rng.permutation(np.arange(40) % 2), classes=("a", "b")
    )
    app = open_app("data", data="iris", **{"g.n": "40"})
    upload(app, noise)
    app.button(key="data.compare").click().run()
    assert session(app).page == "choose"
    until(lambda: not job(app).active)
    show(app, "choose")
    assert_sound(app)
    assert app.subheader[0].value.startswith("No kernel is better than guessing")
    assert "carry information" not in sentences(app)
    choose(app, "choose.evidence", "True")
    assert "after choosing and training on 32 rows" in sentences(app)
    assert app.button(key="choose.go").disabled, "nothing is left to test"


def test_nested_cross_validation_by_its_button_where_the_budget_was_too_small(monkeypatch):
    monkeypatch.setattr(nested, "NESTED_SECONDS", 0.0)
    few = candidates(load_dataset("iris", n=40))[:3]
    monkeypatch.setattr(find, "candidates", lambda data: few)
    monkeypatch.setattr(choosing, "SECONDS", None)
    app = open_app("choose", data="iris", **{"g.n": "40"})
    found = compared(app)
    assert found.nested is None
    assert any("did not fit into the time" in note for note in found.notes)
    choose(app, "choose.evidence", "True")
    assert app.button(key="choose.go").label == "Test the whole procedure"
    compared(app)
    assert app.button(key="choose.go").label == "Compared"
    assert "after choosing and training on 32 rows" in sentences(app)
    assert "Nested cross-validation" in sentences(app)


def test_data_without_labels_have_no_verdict():
    app = open_app("choose", data="iris", **{"g.n": "20"})
    upload(app, Dataset("own", "Own", "vector", np.random.default_rng(0).normal(size=(20, 2))))
    assert_sound(app)
    assert any("Without labels" in info.value for info in app.info)
