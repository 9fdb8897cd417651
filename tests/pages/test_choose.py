"""The page Choose: the numbers of the command line, a verdict, kernels of one's own, one click from the Data page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kernlib import RBF, parse
from kernlib.advice import (
    OWN,
    Advice,
    candidates,
    find,
    headline,
    joined,
    markdown,
    nested,
    recommended,
    search,
    sections,
    title_of,
)
from kernlib.data import Dataset, load_dataset
from kernlib.figures.choose import report_page
from pages.parts.frame import layout
from pages.parts.results import choosing
from pages.parts.server import jobs
from pages.parts.server.runs import using
from pages.parts.session import state as change
from pages.views.choose import kernels

from . import drive
from .drive import (
    buttons,
    choose,
    ended,
    figures,
    holder,
    kernel,
    open_app,
    own,
    press,
    printed_by,
    sentences,
    session,
    show,
    undo,
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
    press(app, "choose.go")
    ended(job(app))
    app.run()
    assert job(app).state == "done"
    return job(app).latest


@pytest.fixture(scope="module")
def iris(_streams_in_this_process):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KERNLIB_COMPUTE", "always")
        patch.setattr(choosing, "SECONDS", None)
        app = open_app("choose", data="iris", kernel="Deep(RBF(sigma=2.0), level=2)", g__n="60")
        assert "choose.settings" in figures(app)
        compared(app)
    return app


def test_the_page_has_the_numbers_of_the_command_line(iris):
    data = load_dataset("iris", n=60)
    *_, alone = search(data, own=(kernel(iris),))
    found = job(iris).latest
    assert [(a.kernel, a.error) for a in found.best] == [(a.kernel, a.error) for a in alone.best]
    assert [(a.kernel, a.errors) for a in found.settings] == [(a.kernel, a.errors) for a in alone.settings]
    assert drive.headline(iris).replace("\\", "") == headline(replace(alone, nested=found.nested), data)
    drawn = figures(iris)["choose.kernels"]["data"]
    (errors,) = [trace for trace in drawn if trace["name"] == "error"]
    assert len(errors["customdata"]) == len(found.best)
    assert buttons(iris)["choose.go"].disabled, "nothing is left to compute"


def test_the_recommended_kernel_is_used_and_is_that_of_the_pipeline(iris, monkeypatch):
    found, before = job(iris).latest, kernel(iris)
    chosen = recommended(found.best)
    steps = {one: len([*one.kernel.walk()]) for one in found.best if not one.measured.dropped}
    assert steps[chosen] == min(steps.values())
    assert kernel(press(iris, "choose.use")) == chosen.kernel
    assert buttons(iris)["choose.use"].disabled
    assert kernel(undo(iris)) == before
    made = {}
    monkeypatch.setattr(layout, "download", lambda file, make, *of, **options: made.update({file: make}))
    iris.run()
    with using(holder(iris)):
        shown = made["pipeline.py"]()
    assert f"KernelMachine({chosen.kernel.specification!r}, {chosen.machine!r})" in shown
    assert len(printed_by(shown)) == 1


def test_the_report_says_what_the_page_says(iris):
    choose(iris, "choose.evidence", "True")
    found, data = job(iris).latest, load_dataset("iris", n=60)
    text = markdown(title_of(data), sections(found, data))
    assert headline(found, data).partition("\n")[0] in text.replace("\\", "")
    assert all(repr(one.kernel) in text.replace("\\", "") for one in found.best)
    script = text.split("```python")[1].split("```")[0]
    assert iris.code[-1].value.strip() == script.strip(), "with the sample's n, its seed and the grid"
    assert printed_by(script)[:-2] == [f"{one.error} {one.kernel!r}" for one in found.best]
    html = report_page(found, data)
    assert html.count('<div class="plot"') == 1
    assert "src=" not in html.split("<script")[0]


def test_the_kernel_in_use_takes_part_in_the_race():
    first, deep = "RBF(sigma=123.0)", "Deep(RBF(sigma=2.0), level=2)"
    app = open_app("choose", data="iris", kernel=first, g__n="40")
    assert {one.kernel for one in compared(app).best if one.name == OWN} == {parse(first)}
    with using(holder(app)):
        change.adopt(parse(deep))
    assert buttons(app.run())["choose.go"].label == "Resume"
    found = compared(app)
    assert {one.kernel for one in found.best if one.name == OWN} == {parse(first), parse(deep)}
    assert "in use" in str(figures(app)["choose.kernels"])
    assert set(joined(found)) == {parse(first), parse(deep)}


@pytest.mark.parametrize(("data", "n"), [("iris", "150"), ("breast-cancer-10", "450")])
def test_the_page_shows_the_comparison_that_another_page_started(data, n):
    """Of as many rows as the slider has, and of more than are compared."""
    app = show(press(open_app("data", data=data, g__n=n), "data.compare"), "choose")
    assert buttons(app)["choose.go"].disabled, "the comparison is active"
    press(app, "Stop")
    ended(job(app))


def test_shuffled_labels_an_upload_and_an_honest_error():
    rng = np.random.default_rng(3)
    noise = Dataset(
        "own", "Own", "vector", rng.normal(size=(40, 2)), y=rng.permutation(np.arange(40) % 2), classes=("a", "b")
    )
    app = press(upload(open_app("data"), noise), "data.compare")
    assert session(app).page == "choose"
    ended(job(app))
    show(app, "choose")
    assert app.subheader[0].value.startswith("No kernel is better than guessing")
    assert "carry information" not in sentences(app)
    choose(app, "choose.evidence", "True")
    assert "after choosing and training on 32 rows" in sentences(app)
    assert buttons(app)["choose.go"].disabled, "nothing is left to test"


def test_nested_cross_validation_by_its_button_where_the_budget_was_too_small(monkeypatch):
    monkeypatch.setattr(nested, "NESTED_SECONDS", 0.0)
    few = candidates(load_dataset("iris", n=40))[:3]
    monkeypatch.setattr(find, "candidates", lambda data: few)
    monkeypatch.setattr(choosing, "SECONDS", None)
    app = open_app("choose", data="iris", g__n="40", choose__evidence="True")
    found = compared(app)
    assert found.nested is None
    assert any("did not fit into the time" in note for note in found.notes)
    assert buttons(app)["choose.go"].label == "Test the whole procedure"
    compared(app)
    assert buttons(app)["choose.go"].label == "Compared"
    assert "after choosing and training on 32 rows" in sentences(app)
    assert "Nested cross-validation" in sentences(app)


def test_data_without_labels_have_no_verdict():
    app = upload(open_app("choose"), Dataset("own", "Own", "vector", np.random.default_rng(0).normal(size=(20, 2))))
    assert "Without labels" in sentences(app)


def test_the_pipeline_of_real_labels_measures_what_the_page_says():
    """It printed an error rate of 1.0 beside 1.4% of unexplained variance on the page."""
    app = open_app("choose", data="sinc")
    with using(holder(app)):
        text = kernels.pipeline(load_dataset("sinc"), Advice("Gaussian", RBF(sigma=1.0)))
    assert float(printed_by(text)[-1].removeprefix("unexplained variance ")) < 0.9
