"""Every page on every kind of data; what a figure shows follows the widgets; state outlives a page switch."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import RBF, ArcCosine, Deep, parse
from kernlib.analysis.matrix import block_means
from kernlib.data import Dataset, load_dataset
from kernlib.experiments import curve, scikit_script, value_to_take
from kernlib.experiments.decisions import presets_for
from kernlib.machines import SVM
from kernlib.protocols import errors_on_halves, held_out_decisions, suitable_measure
from pages.parts.frame import layout, slider
from pages.parts.results import directions
from pages.parts.server.runs import Holder, session_holder, using
from pages.parts.session import state as change
from pages.views.choose.value_evidence import run_of_choice

from .drive import (
    DATA,
    VIEWS,
    array,
    buttons,
    choose,
    choose_data,
    drop,
    ending,
    figures,
    finish,
    give,
    headline,
    heat,
    holder,
    kernel,
    link,
    open_app,
    own,
    press,
    printed_by,
    rows,
    sent,
    sentences,
    session,
    show,
    starting,
    until,
    until_runs_end,
    upload,
)

#: The figure that a page is about; the first letters where its key depends on the data.
MAIN = {
    "see": "see.gram",
    "data": "data.",
    "depth": "depth.",
    "spectrum": "spectrum.rebuilt",
    "choose": "choose.settings",
    "use": "use.",
    "papers": "papers.Table 1",
}
#: A page of data's first rows, where there are more.
FEW = {"g.n": "40"}


@pytest.mark.parametrize("data", [*DATA, "sinc", "enron"])
def test_every_page_shows_every_kind_of_data(data):
    """Also data without labels or with real ones."""
    app = open_app("see", data=data, **FEW if data == "sinc" else {})
    for view in VIEWS if data in (DATA[0], "enron") else VIEWS[:6]:  # what is learnt on the others is the same
        show(app, view)
        assert (app.header or app.subheader)[0].value
        assert link(app)["data"] == data
        if view in MAIN and data in DATA:
            drawn = [figure for key, figure in figures(app).items() if key.startswith(MAIN[view])]
            assert drawn, view
            assert all(figure["data"] for figure in drawn)


@pytest.mark.parametrize(
    "page",
    [
        dict(view="see", data="markov-strings"),
        {"view": "spectrum", "data": "iris", "spectrum.d.hand": "kernel"},
        dict(view="use", data="markov-strings"),
        dict(view="use", data="banana", kernel="RBF(sigma=1.0)"),
    ],
    ids=lambda page: f"{page['view']}-{page['data']}",
)
def test_the_slider_has_the_sentence_of_every_stop(page):
    app = finish(open_app(**page))
    slider = sent(app, "scrub")
    (sentences,) = [target["frames"] for target in slider["targets"] if target["kind"] == "sentence"]
    assert sentences[slider["index"]] == headline(app)
    assert len(set(sentences)) > 3
    assert all(None not in target["frames"] for target in slider["targets"]), "every picture follows"
    with using(holder(app)):
        change.move(slider["name"].partition(".")[2], float(slider["stops"][-2]))
    assert headline(app.run()) == sentences[-2]


def test_a_picture_of_the_slider_is_in_one_bundle_that_stays_while_more_arrive():
    def bundles(*frames) -> list[str]:
        targets = [{"kind": "points", "frames": [*frames, None]}, {"kind": "sentence", "frames": ["a", None]}]
        (light, said), sent = slider._bundled("p", targets)
        assert said["frames"] == ["a", None], "what is short comes with the slider"
        pictures = {name: frame for bundle in sent for name, frame in bundle.items()}
        assert [name and pictures[name] for name in light["frames"]] == [*frames, None]
        assert sum(map(len, sent)) == len(set(frames)), "each picture once"
        return [json.dumps(bundle) for bundle in sent]

    small, large, other = "s", "x" * 20_000, "y" * 20_000
    with using(Holder()):
        assert len(bundles(small)) == 1
        (first,) = bundles(small, large)
        assert len(first) > 20_000, "a small one grows: Streamlit would send it again in any case"
        assert bundles(small, large, other)[0] == first
        assert bundles(large, small)[0] == first, "also after a move"
        (last,) = bundles(other)
        assert len(last) < 21_000, "what no frame needs is gone"


def test_the_slider_in_hand_keeps_a_value_that_is_no_stop_of_its_own():
    app = open_app("see", data="iris", kernel="RBF(sigma=1.2345)")
    before = sent(app, "scrub")["stops"]
    assert "1.234" in before
    with using(holder(app)):
        change.move("kernel.sigma", float(before[0]))
    assert sent(app.run(), "scrub")["stops"] == before, "one move later it is still there"


def test_rows_without_labels_stand_in_the_order_of_their_clusters():
    two_clusters = np.random.default_rng(0).normal(size=(30, 2)) + 9.0 * (np.arange(30) % 2)[:, None]
    app = upload(open_app("see"), Dataset("own", "Own", "vector", two_clusters))
    clustered = heat(app)
    assert heat(choose(app, "see.order", "clustering")) == clustered
    assert heat(choose(app, "see.order", "as read")) != clustered


def test_the_spectrum_page_follows_the_directions_kept():
    app = open_app("spectrum", data="banana-like", g__n="80", spectrum__evidence="True")
    known = figures(app)
    choose(app, "spectrum.d", "1")
    moved = {key for key, figure in figures(app).items() if figure["data"] != known[key]["data"]}
    assert moved == {"spectrum.coefficients", "spectrum.rebuilt"}  # which mark d
    table = app.dataframe[0].value
    assert sorted(table["row"]) == directions.relevant(rows(app), kernel(app)).disputed.tolist()
    assert (table.margin < 0).all()
    assert (table.given != table.rebuilt).all()
    menu = ending(app.selectbox, "Parameter")
    assert menu.options[0] == "Directions kept, d"
    menu.set_value(next(option for option in menu.options if "RBF" in option)).run()
    assert link(finish(app))["spectrum.d.hand"] == "kernel"


@pytest.mark.parametrize("data", ["digits-3-8", "iris", "karate", "digit-shift-scores", "promoters-categorical"])
def test_doubtful_labels_are_shown_as_what_they_are(data):
    app = open_app("spectrum", data=data, spectrum__evidence="True")
    assert not app.info
    assert ("spectrum.doubtful" in figures(app)) != bool(len(app.dataframe))
    assert len({*figures(app)} - {"spectrum.coefficients", "spectrum.rebuilt"}) <= 4


def test_labels_that_are_all_alike_leave_the_eigenvalues():
    app, column = open_app("spectrum"), np.arange(12.0)[:, None]
    for labels, words in (
        (np.array(["a"] * 12), "All labels are alike"),
        (None, "This data has no labels: the first 2 of 12 directions hold 90% of the kernel."),
    ):
        upload(app, Dataset("own", "Own", "vector", column, labels))
        assert words in headline(app)
        assert {*figures(app)} == {"spectrum.eigenvalues"}


def measured(**link):
    """Open Depth, and run it until it has the numbers of all levels."""
    app = open_app("depth", **link)
    until(lambda: "measuring" not in headline(app) or app.run() is None)
    return app


def test_the_slider_of_depth_moves_the_level_of_the_kernel_and_its_picture_shows_that_level():
    app = measured(data="banana", g__n="120")
    assert "No level is significantly better than level 0: test error 25%, at best 21.7% at level 1" in headline(app)
    assert "depth.best" not in buttons(app)
    base, data = kernel(app), rows(app)
    app = measured(data="banana", kernel=repr(Deep(base, level=7)), g__n="120")
    assert "depth.border" in figures(app), "rows in a plane show their border first"
    give(app, "depth.view", "Matrix")
    order = np.argsort(data.y, kind="stable")
    drawn = array(heat(app, "depth.gram"))
    exact = Deep(base, level=7)(data.inputs)[np.ix_(order, order)]
    assert np.corrcoef(drawn.ravel(), block_means(exact, len(drawn))[0].ravel())[0, 1] > 0.999
    starting(app.selectbox, "depth.recipes").select_index(1).run()
    assert kernel(app) == ArcCosine(base, order=1, level=7), "the recipe that is chosen is in use at once"


def test_rows_that_are_no_points_in_a_plane_have_their_border_across_feature_space():
    base = Deep(parse("Empirical(Power(Subsequence(order=3, decay=0.25), p=0.5))"), level=5)
    app = measured(data="markov-strings", kernel=repr(base), depth__view="Border")
    data = rows(app)
    decision = held_out_decisions(base, data.inputs, data.y, SVM(C=10.0, scale="spread"))
    for trace in figures(app)["depth.border"]["data"][:2]:
        places = array(trace["customdata"]).ravel().astype(int)
        assert_allclose(array(trace["x"]), decision[places], atol=1e-3)
    assert "depth.gram" not in figures(app)


def test_the_drawer_of_depth_compares_the_levels():
    app = measured(data="markov-strings", depth__evidence="True")
    table = app.dataframe[0].value.set_index("level")
    assert table["significantly worse"].dtype == bool
    for level in (0, 2):
        row = table.loc[level]
        assert row["test error"] == pytest.approx(np.mean([row[f"half {half}"] for half in range(1, 6)]), abs=1e-4)
        assert row["95% from"] < row["test error"] < row["to"]


def test_the_map_arrives_and_a_click_takes_its_cell():
    app = finish(open_app("depth", data="banana", kernel="RBF(sigma=1.0)", g__n="40", depth__view="Map"))
    verdict = (
        r"(By 5 halves, \d+ of the other \d+ (is|are) significantly worse|5 halves are too few to rank \d+ kernels)\."
    )
    assert re.search(verdict, sentences(app))
    drawn = figures(app)["depth.map"]["data"]
    assert len(drawn[2]["x"]) == len(drawn[1]["text"]) >= 20


def test_the_reference_finds_a_kernel_by_a_word():
    def cards() -> list[str]:
        return [card.label.split()[0].strip("*") for card in app.main.expander if "·" in card.label]

    app = open_app("reference")
    first = cards()
    assert "Subsequence" in first, "kernels for the rows in view come first"
    assert "RBF" not in first
    give(app, "reference.find", "subsequence")
    assert "Subsequence" in cards() != first
    give(app, "reference.find", "zzz")
    assert cards() == []


@pytest.mark.parametrize(
    "name", ["banana", "promoters", "promoters-categorical", "mutag", "karate", "digit-shift-scores"]
)
def test_every_preset_button_is_another_kernel(name):
    app, seen = open_app(data=name, **FEW if name == "promoters" else {}), set()
    offered = [key for key in buttons(app) if key.startswith("preset.")]
    assert offered == [f"preset.{rows(app).domain}.{p.name}" for p in presets_for(rows(app))]
    for key in offered:
        seen.add(repr(kernel(press(app, key))))
        assert figures(app)["see.gram"]["data"]
    assert len(seen) == len(offered) >= 3, sentences(app)


def test_the_doctor_shows_a_remedy_and_takes_it():
    app = open_app(data="banana", kernel="RBF(sigma=0.01)", see__evidence="True")
    assert "A large diagonal" in sentences(app)
    table = next(frame.value for frame in app.dataframe if "still wrong" in frame.value)
    assert "a large diagonal" in table["still wrong"][0]
    assert "a large diagonal" not in table["still wrong"][1]
    press(app, "doctor.take.a large diagonal.0")
    assert kernel(app).sigma > 0.5
    assert "##### A large diagonal" not in sentences(app)


def test_a_class_with_too_few_rows_is_named():
    data = Dataset("own", "Own", "vector", np.arange(15.0)[:, None], y=["a"] * 7 + ["b"] * 7 + ["c"])
    app = show(upload(open_app("data"), data), "curves")
    assert "1 of class 'c'" in sentences(app).replace("\\", "")
    assert not session(app).job


def test_the_exported_pipeline_holds_the_recommended_value():
    few = SHORT | {"choose.axis": "sigma of RBF", "choose.range": "0.5|5.0", "choose.range.count": "3"}
    app = run(data="iris", kernel="RBF(sigma=0.7)", **few)
    job = session(app).job
    drawn = curve(job.spec, job.results)
    value = drawn.values[value_to_take(job.spec, drawn)]
    assert headline(app).startswith(f"Take sigma = {value:g}: ")
    pipeline = scikit_script(run_of_choice(job.spec, drawn))
    assert f"KernelMachine(RBF(sigma={value!r}), " in pipeline
    assert len(printed_by(pipeline)) == 1, "one kernel, one mean"
    press(app, "choose.value.use")
    assert kernel(app) == RBF(sigma=value)


#: A run of moments.
SHORT = {"g.n": "30", "choose.protocol": "by hand", "choose.RepeatedSplits.repeats": "5"}


def run(**link):
    """Open the error curves, and draw them again when their run has ended."""
    app = open_app("curves", **link)
    until_runs_end()
    return finish(app)


def test_the_first_splits_are_those_of_all_pages():
    own = "Subsequence(order=3, decay=0.25)"
    shown = {"data": "markov-strings", "kernel": own, "g.n": "30"}
    app = run(**shown, **{"choose.axis": "nothing"})
    assert "splits, seed 0; See has the first 5 of them" in sentences(app)
    data, results = rows(app), sorted(session(app).job.results, key=lambda one: one.split)
    assert_allclose([one.score for one in results[:5]], errors_on_halves(parse(own), data.inputs, data.y).tests)
    fewer = {"choose.axis": "nothing", "choose.protocol": "by hand", "choose.RepeatedSplits.repeats": "3"}
    for other in (
        fewer,
        {"choose.axis": "nothing", "choose.tune": "C"},
        {"choose.axis": "training size (share of rows)"},
    ):
        assert "See has" not in sentences(run(**shown, **other)), other


def test_a_rare_class_has_the_balanced_error_of_all_pages():
    app = run(data="enron", **{"choose.axis": "nothing", **SHORT})
    assert session(app).job.spec.measure == suitable_measure(rows(app).y) == "balanced error"


@pytest.mark.parametrize(
    ("controls", "varied", "tuned"),
    [
        (
            {
                "choose.axis": "sigma of RBF",
                "choose.range": "0.5|2.0",
                "choose.range.count": "3",
                "choose.tune": "C",
                "choose.leaky": "True",
            },
            {"kernel.sigma": (0.5, 1.0, 2.0)},
            ["machine.C"],
        ),
        (
            {"choose.axis": "training size (share of rows)"},
            {"protocol.train": (0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875)},
            [],
        ),
    ],
)
def test_the_controls_vary_and_tune_what_a_run_can(controls, varied, tuned):
    short = SHORT | {"data": "iris", "choose.value.evidence": "True"}
    spec = session(run(kernel="RBF(sigma=1.0)", **short, **controls)).job.spec
    assert {axis.path: axis.values for axis in spec.axes} == varied
    assert [axis.path for axis in spec.tuning] == tuned
    assert spec.leaky == ("choose.leaky" in controls)
    # The run as a file is the same run again, in another session too.
    other = run(**short)
    for content, notices in (b"{}", True), (spec.to_json().encode(), False):
        drop(other, "run.json", content, "choose.file")
        assert bool(session(other).notices) == notices
    assert session(other).run.spec == spec
    assert session(other).kernel == spec.kernel


def test_new_rows_are_predicted():
    app, iris = open_app("use", data="iris", use__new="True"), load_dataset("iris")
    text = "\n".join(",".join(map(str, row)) for row in (iris.columns, *iris.rows[[0, 60, 140]]))
    own(app)["use.file"] = ("flowers.csv", text.encode())
    app.run()
    assert "3 rows of flowers.csv predicted:** setosa 1, versicolor 1, virginica 1" in sentences(app)
    table = app.dataframe[-1].value
    assert [*table["predicted"]] == ["setosa", "versicolor", "virginica"]
    own(app)["use.file"] = ("flowers.csv", text.replace(iris.columns[2], "other").encode())
    assert f"it lacks {iris.columns[2]}; the machine needs" in sentences(app.run())


def test_a_download_is_made_with_the_session_that_drew_its_button(monkeypatch):
    """Streamlit makes it in a thread that knows no session."""
    drawn = {}
    monkeypatch.setattr(layout.st, "download_button", lambda label, **options: drawn.update(options))
    with using(Holder(state="this session")):
        layout.download("state.txt", lambda: str(session_holder().state), "key")
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(drawn["data"]).result() == b"this session"


def test_a_sample_predicts_another_column_as_a_file_does():
    app = press(open_app("see", data="iris"), "line.as-file")
    assert session(app).page == "data"
    give(show(app, "data"), "Predict", "petal width (cm)")
    finish(press(app, "upload.use"))
    assert rows(app).task == "regression"
    assert_allclose(rows(app).y, load_dataset("iris").rows[:, 3])
    assert "predict: petal width (cm)" in sentences(app)


def test_another_label_and_other_cells_bring_other_data_and_another_kernel():
    """The label of the loaded rows changes at once: five classes are distinguished. Cells change in the panel."""
    table = "id,size,width,class\n" + "".join(f"row {i},{i % 5},{i * i % 7}.5,{'ab'[i // 2 % 2]}\n" for i in range(24))
    app = press(drop(open_app("data"), "mine.csv", table.encode()), "upload.use")
    assert (type(kernel(app)), rows(app).classes) == (RBF, ("a", "b"))
    give(show(app, "see"), "Predict", "size")
    second = session(app).data
    assert len(rows(app).classes) == 5
    press(show(app, "data"), "Change how it is read")
    give(app, "Its cells are", "word")
    assert session(app).data == second
    press(app, "upload.use")
    assert rows(app).domain == "categorical" == kernel(app).reads
    assert "categories · n = 24" in sentences(app)


def test_the_largest_of_equal_classes_is_not_named():
    app = open_app("data", data="iris")
    assert headline(app) == "150 rows in 3 classes of equal size."
    assert "the largest, benign, has 63%" in headline(choose_data(app, "breast-cancer-10"))
    alone = Dataset("own", "Own", "vector", np.arange(8.0)[:, None], np.zeros(8, dtype=int), classes=("benign",))
    app = upload(app, alone)
    assert headline(app) == "8 rows, all of one class, benign: nothing to predict."
    for page in ("choose", "use"):
        assert "suitable_measure" not in sentences(show(app, page))
        assert not app.exception
    assert "gram" in "".join(figures(app)), "Use shows the groups of rows that have one label"
