"""Curves that are kept for comparison: drawn once, over one parameter alone, called by what differs."""

from __future__ import annotations

from kernlib import RBF, Deep, Empirical, Linear, Power
from kernlib.experiments import Axis, FoldResult, RunSpec, curve
from kernlib.machines import SVM, NearestCentroid
from pages.views.curves import run_report

from .drive import assert_sound, choose, open_app, sentences, session, show, until


def run(kernel, path, machine=None) -> run_report.KeptCurve:
    spec = RunSpec("iris", kernel, machine or SVM(), axis=Axis(path, (0, 1) if "level" in path else (0.5, 1.0)))
    results = [FoldResult(v, s, 0.1 * s, 75, 75, 0.0) for v in spec.values for s in range(3)]
    return run_report.KeptCurve(spec, curve(spec, results))


POWERS = Empirical(Power(RBF(sigma=1.0), p=1.0))


def names(kept, now) -> list[str]:
    return [one.label for one in run_report.beside(now, kept)]


def test_a_curve_is_called_by_what_differs():
    first, second = run(POWERS, "kernel.kernel.p"), run(POWERS, "kernel.kernel.p", NearestCentroid())
    labels = names([first], second)
    assert len(set(labels)) == 2
    assert not any("iris" in label or "RBF" in label for label in labels), "data and kernel are the same"


def test_the_present_curve_is_drawn_once():
    now = run(POWERS, "kernel.kernel.p")
    assert len(names([run(POWERS, "kernel.kernel.p")], now)) == 1


def test_p_and_level_never_share_an_axis():
    levels = run(Deep(Linear(), level=1), "kernel.level")
    assert len(names([levels], run(POWERS, "kernel.kernel.p"))) == 1


def test_a_number_that_is_tuned_or_varied_has_no_slider_and_no_value():
    app = open_app("curves", data="iris")
    for control, chosen, words in (
        ("curves.tune", "C", "C is tuned inside the training part."),
        ("curves.axis", "C of SVM, in units of 1/spread", "C is varied."),
    ):
        choose(app, control, chosen)
        assert_sound(app)
        assert words in sentences(app)
        assert not [w for w in (*app.slider, *app.select_slider) if "curves.SVM.C" in w.key]


def leaves(block):
    """Return the elements of a part of the page from top to bottom."""
    for child in block.children.values():
        yield from leaves(child) if hasattr(child, "children") else [child]


def test_the_number_in_view_is_measured_below_its_verdict_and_the_leak_is_in_sight(monkeypatch):
    monkeypatch.setenv("KERNLIB_COMPUTE", "ask")
    app = open_app("see", data="iris", **{"g.n": "60"})
    app.button(key="see.next").click().run()
    show(app, "curves")
    for name, text in {"leaky": "True", "protocol": "by hand", "RepeatedSplits.repeats": "2"}.items():
        choose(app, f"curves.{name}", text)
    app.button(key=next(b.key for b in app.button if b.label == "Run")).click().run()
    until(lambda: not session(app).job.active)
    app.run()
    assert_sound(app)
    assert session(app).job.spec.axis.path == "kernel.sigma"
    assert "Tuning on the test rows would make the score look" in sentences(app)
    page = list(leaves(app.main))
    verdict = next(i for i, one in enumerate(page) if one.type == "markdown" and one.value.startswith("**Best: "))
    assert verdict < next(i for i, one in enumerate(page) if one.type == "plotly_chart")
    folded = {toggle.key for fold in app.expander for toggle in fold.toggle}
    assert [toggle for toggle in app.toggle if toggle.key.endswith("curves.leaky") and toggle.key not in folded]
