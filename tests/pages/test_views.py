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
from kernlib.data import CATALOGUE, Dataset, load_dataset
from kernlib.experiments import curve, scikit_script, value_to_take
from kernlib.experiments.decisions import presets_for
from kernlib.explain import train
from kernlib.machines import SVM
from pages.parts.frame import layout, slider
from pages.parts.results import compute, levels
from pages.parts.server.holder import Holder, session_holder, using
from pages.parts.session import state as change
from pages.views.choose.value_evidence import run_of_choice

from .drive import (
    DATA,
    VIEWS,
    array,
    assert_sound,
    choose,
    ending,
    figures,
    finish,
    heat,
    kernel,
    link,
    open_app,
    own,
    printed_by,
    sentences,
    session,
    show,
    slider_of,
    until_runs_end,
    upload,
)

#: The figure that each page is about; the first letters where its key depends on the data.
MAIN = {
    "see": "see.gram",
    "stories": "",
    "labs": "",
    "data": "data.",
    "depth": "depth.",
    "spectrum": "spectrum.rebuilt",
    "choose": "choose.settings",
    "curves": "",
    "use": "use.",
    "papers": "papers.Table 1",
    "reference": "",
}


@pytest.mark.parametrize("data", [*DATA, "sinc", "enron"])
def test_every_page_shows_every_kind_of_data(data):
    """Also data without labels or with real ones."""
    app = open_app("see", data=data, **few_rows(data) if data not in DATA else {})
    for view in VIEWS if data in (DATA[0], "enron") else VIEWS[:6]:  # what is learnt on the others is the same
        show(app, view)
        assert_sound(app)
        assert (app.header or app.subheader)[0].value
        assert link(app)["data"] == data
        if MAIN[view] and data in DATA:
            drawn = {key: figure for key, figure in figures(app).items() if key.startswith(MAIN[view])}
            assert drawn, view
            assert all(figure["data"] for figure in drawn.values())


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
    slider = slider_of(app)
    (sentences,) = [target["frames"] for target in slider["targets"] if target["kind"] == "sentence"]
    assert sentences[slider["index"]] == app.subheader[0].value
    assert len(set(sentences)) > 3
    assert all(None not in target["frames"] for target in slider["targets"]), "every picture follows"
    with using(app.session_state["holder"]):
        change.move(slider["name"].partition(".")[2], float(slider["stops"][-2]))
    assert app.run().subheader[0].value == sentences[-2]


def few_rows(name):
    """Return a link's words for 40 rows, where a data set has more to choose from."""
    return {"g.n": "40"} if any(p.name == "n" for p in CATALOGUE[name].parameters()) else {}


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
    def stops(app) -> list[str]:
        return slider_of(app)["stops"]

    app = open_app("see", data="iris", kernel="RBF(sigma=1.2345)")
    before = stops(app)
    assert "1.234" in before
    with using(app.session_state["holder"]):
        change.move("kernel.sigma", float(before[0]))
    app.run()
    assert stops(app) == before, "one move later it is still there"


def test_rows_without_labels_stand_in_the_order_of_their_clusters():
    rows = np.random.default_rng(0).normal(size=(30, 2)) + 9.0 * (np.arange(30) % 2)[:, None]
    app = open_app("see")
    assert_sound(upload(app, Dataset("own", "Own", "vector", rows)))
    clustered = heat(app)
    assert heat(choose(app, "see.order", "clustering")) == clustered
    assert heat(choose(app, "see.order", "as read")) != clustered


def test_the_spectrum_page_follows_the_directions_kept():
    app = open_app("spectrum", data="banana-like", **{"g.n": "80", "spectrum.evidence": "True"})
    assert_sound(app)
    known = {key: figure["data"] for key, figure in figures(app).items()}
    choose(app, "spectrum.d", "1")
    assert_sound(app)
    moved = {key for key, figure in figures(app).items() if figure["data"] != known[key]}
    assert moved == {"spectrum.coefficients", "spectrum.rebuilt"}  # which mark d
    rd = compute.relevant(session(app).data.load(), kernel(app))
    table = app.dataframe[0].value
    assert sorted(table["row"]) == rd.disputed_at(1).tolist()
    assert (table.margin < 0).all()
    assert (table.given != table.rebuilt).all()
    (menu,) = [box for box in app.selectbox if box.label == "Parameter"]
    assert menu.options[0] == "Directions kept, d"
    menu.set_value(next(option for option in menu.options if "RBF" in option)).run()
    assert_sound(finish(app))
    assert link(app)["spectrum.d.hand"] == "kernel"


@pytest.mark.parametrize("data", ["digits-3-8", "iris", "karate", "digit-shift-scores", "promoters-categorical"])
def test_doubtful_labels_are_shown_as_what_they_are(data):
    app = open_app("spectrum", data=data, **{"spectrum.evidence": "True", "spectrum.d": "1"})
    assert_sound(app)
    assert list(app.info) == []
    assert ("spectrum.doubtful" in figures(app)) != bool(len(app.dataframe))
    assert len({key for key in figures(app) if key not in ("spectrum.coefficients", "spectrum.rebuilt")}) <= 4


def test_labels_that_are_all_alike_leave_the_eigenvalues():
    app = open_app("spectrum")
    upload(app, Dataset("one", "One class", "vector", np.arange(12.0)[:, None], np.array(["a"] * 12)))
    assert_sound(app)
    assert "All labels are alike" in app.subheader[0].value
    assert set(figures(app)) == {"spectrum.eigenvalues"}
    upload(app, Dataset("none", "No labels", "vector", np.arange(12.0)[:, None]))
    assert_sound(app)
    assert app.subheader[0].value == "This data has no labels: the first 2 of 12 directions hold 90% of the kernel."
    assert set(figures(app)) == {"spectrum.eigenvalues"}


def measured(app, *waits):
    """Run the page until it has the numbers of all levels, and no caption begins with one of the words."""
    for _ in range(400):
        measuring = any("measuring" in head.value for head in app.subheader)
        if not measuring and not any(caption.value.startswith(waits) for caption in app.caption if waits):
            return app
        app.run()
    raise AssertionError(f"still there: {[caption.value for caption in app.caption]}")


def test_the_slider_of_depth_moves_the_level_of_the_kernel_and_its_picture_shows_that_level():
    app = measured(open_app("depth", data="banana", **{"g.n": "120"}))
    assert (
        "No level is significantly better than level 0: test error 25%, at best 21.7% at level 1"
        in app.subheader[0].value
    )
    assert not any(b.key == "depth.best" for b in app.button)
    base = kernel(app)
    app = measured(open_app("depth", data="banana", kernel=repr(Deep(base, level=7)), **{"g.n": "120"}))
    assert_sound(app)
    assert "depth.border" in figures(app), "rows in a plane show their border first"
    app.segmented_control(key="depth.view").set_value("Matrix").run()
    assert_sound(app)
    data = session(app).load(session(app).data)
    order = np.argsort(data.y, kind="stable")
    drawn = array(next(t["z"] for t in figures(app)["depth.gram"]["data"] if t["type"] == "heatmap"))
    exact = Deep(base, level=7)(data.inputs)[np.ix_(order, order)]
    assert np.corrcoef(drawn.ravel(), block_means(exact, len(drawn))[0].ravel())[0, 1] > 0.999
    app.selectbox(key=next(b.key for b in app.selectbox if b.key.startswith("depth.recipes"))).select_index(1).run()
    assert_sound(app)
    assert kernel(app) == ArcCosine(base, order=1, level=7), "the recipe that is chosen is in use at once"


def test_rows_that_are_no_points_in_a_plane_have_their_border_across_feature_space():
    base = Deep(parse("Empirical(Power(Subsequence(order=3, decay=0.25), p=0.5))"), level=5)
    app = measured(open_app("depth", data="markov-strings", kernel=repr(base), **{"depth.view": "Border"}))
    assert_sound(app)
    data = session(app).load(session(app).data)
    trained = train(base(data.inputs), data.y, SVM(C=10.0, scale="spread"))
    drawn = figures(app)["depth.border"]["data"][:2]
    at = np.concatenate([array(trace["x"]) for trace in drawn])
    rows = np.concatenate([array(trace["customdata"]).ravel() for trace in drawn]).astype(int)
    assert_allclose(at, trained.decision[rows], atol=1e-3)
    assert not {"depth.gram", "depth.border"} <= set(figures(app))


def test_the_drawer_of_depth_compares_the_levels():
    app = measured(open_app("depth", data="markov-strings", **{"depth.evidence": "True"}))
    assert_sound(app)
    table = app.dataframe[0].value.set_index("level")
    assert table["significantly worse"].dtype == bool
    for level in (0, 2):
        row = table.loc[level]
        assert row["test error"] == pytest.approx(np.mean([row[f"half {half}"] for half in range(1, 6)]), abs=1e-4)
        assert row["95% from"] < row["test error"] < row["to"]


def test_levels_in_use_keep_their_own_parameters_and_bandwidths():
    data = load_dataset("banana", n=60)
    kernel = Deep(RBF(sigma=1.0), level=2, bandwidths=(1.5, None))
    offered, outer = levels.recipes(data, kernel)
    shown, used = levels.levels_of_page(data, offered[0], outer)
    assert used == 2
    assert shown.kernel(2) == kernel
    assert shown.kernel(3) == Deep(RBF(sigma=1.0), level=3, bandwidths=(1.5, None, None))
    assert shown.kernel(0) == RBF(sigma=1.0)
    offered, outer = levels.recipes(data, ArcCosine(Deep(RBF(sigma=1.0), level=1), order=2, level=3))
    assert offered[0].at(3) == ArcCosine(Deep(RBF(sigma=1.0), level=1), order=2, level=3)


def test_the_map_arrives_and_a_click_takes_its_cell():
    app = open_app("depth", data="banana", kernel="RBF(sigma=1.0)", **{"g.n": "40", "depth.view": "Map"})
    finish(app)
    assert_sound(app)
    assert any(re.search(r"Learning: \d+ of \d+ .*learning nothing", one.value) for one in app.markdown)
    drawn = figures(app)["depth.map"]["data"]
    assert len(drawn[2]["x"]) == len(drawn[1]["text"]) >= 20


def test_the_reference_finds_a_kernel_by_a_word():
    app = open_app("reference")
    app.session_state["line.kernel"] = False
    total = len(app.run().expander)
    first = " ".join(e.label for e in app.main.expander)
    assert "Subsequence" in first, "kernels for the rows in view come first"
    assert "RBF" not in first
    app.text_input(key="reference.find").set_value("subsequence").run()
    assert_sound(app)
    assert 0 < len(app.main.expander) < total
    assert "Subsequence" in " ".join(e.label for e in app.main.expander)
    app.text_input(key="reference.find").set_value("zzz").run()
    assert_sound(app)
    assert len(app.main.expander) == 0


@pytest.mark.parametrize(
    "name", ["banana", "promoters", "promoters-categorical", "mutag", "karate", "digit-shift-scores"]
)
def test_every_preset_button_is_another_kernel(name):
    app = open_app(data=name, **few_rows(name))
    domain, seen = CATALOGUE[name].domain, set()
    offered = [b.key for b in app.button if b.key and b.key.startswith("preset.")]
    assert offered == [f"preset.{domain}.{p.name}" for p in presets_for(session(app).load(session(app).data))]
    for key in offered:
        app.button(key=key).click().run()
        assert_sound(app)
        seen.add(repr(kernel(app)))
        assert figures(app)["see.gram"]["data"]
    assert len(seen) == len(offered) >= 3, sentences(app)


def test_the_doctor_shows_a_remedy_and_takes_it():
    app = open_app(data="banana", kernel="RBF(sigma=0.01)")
    choose(app, "see.evidence", "True")
    assert "A large diagonal" in sentences(app)
    assert_sound(app)
    assert "doctor.picture.a large diagonal.now" in figures(app)
    app.button(key="doctor.take.a large diagonal").click().run()
    assert_sound(app)
    assert kernel(app).sigma > 0.5
    assert "##### A large diagonal" not in sentences(app)


def test_a_class_with_too_few_rows_is_left_out_where_it_is_named():
    rng = np.random.default_rng(0)
    data = Dataset("own", "Own", "vector", rng.normal(size=(15, 2)), y=["a"] * 7 + ["b"] * 7 + ["c"])
    app = open_app("see", data="banana", **{"g.n": "20"})
    upload(app, data)
    show(app, "curves")
    assert "1 of class 'c'" in sentences(app).replace("\\", "")
    app.button(key="choose.leave-out").click().run()
    assert_sound(app)
    shown = session(app).data
    assert shown.parameters == (("without:c", True),)
    assert session(app).load(shown).class_counts == {"a": 7, "b": 7}
    assert not [b for b in app.button if b.key == "choose.leave-out"]
    # Ten folds need ten rows of each class: there are seven.
    app.selectbox(key="choose.protocol").select("by hand").run()
    app.selectbox(key="choose.protocol.kind").select("RepeatedKFold").run()
    app.button(key="choose.fewer-folds").click().run()
    assert_sound(app)
    assert ending(app.slider, "choose.RepeatedKFold.folds").value == 7
    assert not [b for b in app.button if b.key == "choose.fewer-folds"]


def test_the_exported_pipeline_holds_the_recommended_value():
    link = {"g.n": "30", "choose.axis": "sigma of RBF", "choose.range": "0.5|5.0", "choose.range.count": "3"}
    app = open_app("curves", data="iris", kernel="RBF(sigma=0.7)", **link)
    until_runs_end()
    assert_sound(finish(app))
    job = session(app).job
    drawn = curve(job.spec, job.results)
    value = drawn.values[value_to_take(job.spec, drawn)]
    assert app.subheader[0].value.startswith(f"Take sigma = {value:g}: ")
    pipeline = scikit_script(run_of_choice(job.spec, drawn))
    assert f"KernelMachine(RBF(sigma={value!r}), " in pipeline
    assert len(printed_by(pipeline)) == 1, "one kernel, one mean"
    app.button(key="choose.value.use").click().run()
    assert kernel(app) == RBF(sigma=value)


@pytest.mark.parametrize(
    ("controls", "varied", "tuned", "kernel_of_run", "selection"),
    [
        (
            {
                "choose.axis": "sigma of RBF",
                "choose.range": "0.5|2.0",
                "choose.range.count": "3",
                "choose.tune": "C|depth: levels on top",
                "choose.leaky": "True",
                "choose.protocol": "by hand",
                "choose.RepeatedSplits.repeats": "2",
            },
            {"kernel.kernel.sigma": (0.5, 1.0, 2.0)},
            ["machine.C", "kernel.level"],
            "Deep(RBF(sigma=1.0), level=0)",
            "splits",
        ),
        (
            {"choose.axis": "training size (share of rows)"},
            {"protocol.train": (0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875)},
            [],
            "RBF(sigma=1.0)",
            "splits",
        ),
        (
            {"choose.axis": "nothing", "choose.tune": "sigma of RBF", "choose.selection": "largest alignment"},
            {},
            ["kernel.sigma"],
            "RBF(sigma=1.0)",
            "alignment",
        ),
    ],
)
def test_the_controls_vary_and_tune_what_a_run_can(controls, varied, tuned, kernel_of_run, selection):
    app = open_app(
        "curves", data="iris", kernel="RBF(sigma=1.0)", **{"g.n": "30", "choose.value.evidence": "True"}, **controls
    )
    until_runs_end()
    assert_sound(finish(app))
    spec = session(app).job.spec
    assert {axis.path: axis.values for axis in spec.axes} == varied
    assert [axis.path for axis in spec.tuning] == tuned
    assert (spec.kernel, spec.selection) == (parse(kernel_of_run), selection)
    assert spec.leaky == ("choose.leaky" in controls)
    # The run as a file is the same run again, in another session too.
    other = open_app("curves", data="iris", **{"choose.value.evidence": "True"})
    until_runs_end()
    finish(other)
    for content, run in ((b"{}", None), (spec.to_json().encode(), spec)):
        other.file_uploader(key="choose.file").set_value(("run.json", content, "application/json")).run()
        assert_sound(other)
        assert bool(session(other).notices) == (run is None)
    assert session(other).run.spec == spec
    assert session(other).kernel == spec.kernel


def test_new_rows_are_predicted():
    app = open_app("use", data="iris", **{"use.new": "True"})
    iris = load_dataset("iris")
    header = ",".join(iris.columns)
    text = "\n".join([header, *(",".join(map(str, iris.rows[i])) for i in (0, 60, 140))]) + "\n"
    own(app)["use.file"] = ("flowers.csv", text.encode())
    app.run()
    assert "3 rows of flowers.csv predicted:** setosa 1, versicolor 1, virginica 1" in sentences(app)
    table = app.dataframe[-1].value
    assert table["predicted"].tolist() == ["setosa", "versicolor", "virginica"]
    assert (table["probability"] > 0.5).all()
    own(app)["use.file"] = ("flowers.csv", text.replace(iris.columns[2], "other").encode())
    app.run()
    assert f"it lacks {iris.columns[2]}; the machine needs" in " ".join(info.value for info in app.info)


def test_a_download_is_made_with_the_session_that_drew_its_button(monkeypatch):
    """Streamlit makes it in a thread that knows no session."""
    drawn = {}
    monkeypatch.setattr(layout.st, "download_button", lambda label, **options: drawn.update(options))
    with using(Holder(state="this session")):
        layout.download("state.txt", lambda: str(session_holder().state), "key")
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(drawn["data"]).result() == b"this session"


def test_a_sample_predicts_another_column_as_a_file_does():
    app = open_app("see", data="iris")
    app.button(key="line.as-file").click().run()
    assert session(app).page == "data"
    show(app, "data")
    assert_sound(app)
    next(box for box in app.selectbox if box.label == "Predict").select("petal width (cm)").run()
    app.button(key="upload.use").click().run()
    assert_sound(finish(app))
    data = session(app).load(session(app).data)
    assert data.task == "regression"
    assert_allclose(data.y, load_dataset("iris").rows[:, 3])
    assert "predict: petal width (cm)" in sentences(app)
