"""Why two rows are alike, and the trained machine: what the pages say follows rows, words, steps and C."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from kernlib import Spectrum
from kernlib.data import Dataset, load_dataset
from kernlib.explain import explain_rows
from pages.parts.frame import layout
from pages.parts.results import inside

from .drive import array, assert_sound, choose, ending, figures, finish, kernel, open_app, own, sentences, upload


def bars(app, key: str) -> list[float]:
    return [value for trace in figures(app)[key]["data"] for value in array(trace["x"]).tolist()]


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("promoters", "BIOA, positive (+): GCCTTC"),
        ("digit-shift-scores", "id 1, class 3"),
        ("karate", "row 0, Mr. Hi"),
    ],
)
def test_rows_are_called_so_that_numbers_and_signs_are_seen_to_be_names(name, called):
    assert inside.row_names(load_dataset(name))[0].startswith(called)


def test_the_parts_follow_rows_and_steps():
    app = open_app("alike", data="promoters", kernel="Spectrum(length=3)")
    data = own(app)["good_view"].data
    app.selectbox(key="alike.second").set_value(60).run()
    assert_sound(app)
    told = explain_rows(kernel(app), data.inputs, 0, 60)
    drawn = bars(app, "alike.parts.bars")
    assert drawn == pytest.approx([p.value for p in told.largest(18)][: len(drawn)])
    assert f"{told.value:.3g}" in [m.value for m in app.metric]


def test_a_level_colours_the_nodes_of_both_graphs():
    app = open_app("alike", data="mutag", kernel="Normalized(WeisfeilerLehman(level=3))")
    first = figures(app)["alike.graph.0"]["data"]
    ending(app.select_slider, "alike.level").set_value(0).run()
    assert_sound(app)
    assert figures(app)["alike.graph.0"]["data"] != first
    first = figures(app)["alike.graph.0"]["data"]
    assert "7 pairs of different graphs have distance 0" in sentences(app)
    app.button(key="alike.indistinct").click().run()
    assert_sound(app)
    assert "The two graphs above are such a pair." in sentences(app)
    assert [m.value for m in app.metric][-1] == "1"  # the normalised kernel value of different graphs


def test_learnt_relevances_are_bars():
    app = open_app("alike", data="banana", kernel="RBF(sigma='alignment')")
    assert_sound(app)
    data = own(app)["good_view"].data
    widths = kernel(app).fit(data.inputs, data.y).width()
    relevances = (data.inputs.std(axis=0) / widths) ** 2
    assert bars(app, "alike.weights.0") == pytest.approx(sorted(relevances, reverse=True))
    mixed = open_app("alike", data="banana", kernel="Mixture((Linear(), RBF(sigma=1.0)), weights='alignment')")
    assert sum(bars(mixed, "alike.weights.0")) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("rows", "labels", "second"),
    [
        (["AB", "AB", "AC", "BB"], "xxxy", 2),  # not the duplicate
        (["AB", "AB", "BB"], "xxy", 2),  # its class has duplicates alone
        (["AB", "AC", "BB"], "xyy", 2),  # alone in its class
        (["AB", "AB"], "xy", 1),
    ],
)
def test_the_first_pair_is_never_a_row_and_itself(rows, labels, second):
    data = Dataset("own", "Own", "sequence", np.array(rows, dtype=object), np.array(list(labels)))
    assert inside.first_pair(data, Spectrum(length=1)) == (0, second)


@pytest.mark.parametrize(
    ("data", "chain", "differ", "words"),
    [
        ("iris", "RBF(sigma=1.0)", True, "al "),
        ("iris", "Linear()", False, "al "),
        ("markov-strings", "Empirical(Power(Spectrum(length=1), p=0.5))", False, "‘"),  # pieces, not training rows
    ],
)
def test_long_bars_of_a_distance_ask_how_rows_differ_and_strings_show_shared_pieces(data, chain, differ, words):
    app = open_app("alike", data=data, kernel=chain)
    assert_sound(app)
    assert ("How do the rows differ?" in sentences(app)) == differ
    drawn = figures(app)["alike.parts.bars"]["layout"]
    assert ("difference" in drawn["xaxis"]["title"]["text"]) == differ
    assert all(words in text for text in drawn["yaxis"]["ticktext"])


def test_typed_rows_and_unknown_letters():
    app = open_app("alike", data="promoters", kernel="Subsequence(order=2, decay=0.5)")
    app.segmented_control(key="alike.what").set_value("Typed").run()
    first, second = (w for w in app.text_input if w.key.startswith("alike.typed"))
    first.set_value("ABBA")
    second.set_value("AB").run()
    assert_sound(app)
    assert bars(app, "alike.parts.bars") == [0.09375]
    second.set_value("<b>*zz*</b>").run()
    assert_sound(app)
    assert "nothing in common" in sentences(app)


@pytest.mark.parametrize("example", ["ABBA", "CAT, CART, BAT", "Convolution of ATG", "Six-node graph"])
def test_worked_examples_are_one_press_each(example):
    app = open_app("alike", data="banana")
    app.segmented_control(key="alike.what").set_value(example).run()
    assert_sound(app)
    key = next(k for k in figures(app) if k.startswith("alike.example."))
    assert sum(bars(app, key)) == pytest.approx(float(app.metric[0].value), rel=0.01)
    if example == "Six-node graph":
        walks = app.dataframe[-1].value
        assert walks["C → C"].tolist()[1:3] == [8.0, 18.0]


def test_a_press_in_the_map_comes_back_as_typed_arrays_do():
    points = [{"customdata": {"0": 7}}, {"customdata": [3]}, {"customdata": 5}, {}]
    chosen = SimpleNamespace(selection=SimpleNamespace(points=points))
    assert layout.selected_rows(chosen) == [3, 5, 7]


def test_the_machine_follows_c_and_classes():
    app = open_app("machine", data="iris")
    assert_sound(app)
    before = [m.value for m in app.metric]
    ending(app.select_slider, "machine.C").set_value(0.01).run()
    assert_sound(app)
    assert [m.value for m in app.metric] != before
    assert app.metric[0].value == "100"  # at so small a C every row is a support vector
    ending(app.selectbox, "machine.pair").set_value((1, 2)).run()
    assert_sound(app)
    names = {trace.get("name") for trace in figures(app)["machine.margins"]["data"]}
    assert names >= {"versicolor", "virginica"}
    # Of two of three classes, in feature space, and over a width.
    choose(app, "machine.tab", "Border in feature space")
    assert_sound(app)
    assert any(words.startswith("These two of ") for words in sentences(app).splitlines())
    choose(app, "machine.tab", "Weights of rows")
    finish(choose(app, "machine.alphas", "True"))
    assert_sound(app)
    curve, hard = figures(app)["machine.mean-alpha"]["data"]
    assert None not in curve["y"][:3]
    assert hard["y"][2] > curve["y"][2]
    app = open_app("machine", data="mutag", kernel="Normalized(LabelPairs(beta=0.1))")
    assert_sound(app)
    ending(app.select_slider, "machine.C").set_value(0.01).run()
    assert "Every row is assigned to mutagenic: the machine has learnt nothing at this C." in sentences(app)
    app = open_app("machine", data="sinc")
    assert_sound(app)
    assert "Targets are real numbers: *New rows* predicts those of a file." in sentences(app)
    finish(app)
    assert "a line cut in two looks like this" in sentences(app), "an interval is one cloud"


def test_probabilities_are_judged_on_rows_outside_the_training():
    app = open_app("machine", data="iris", **{"machine.tab": "Probabilities"})
    assert_sound(app)
    assert "Better than the share of the class (0.33)" in sentences(app)
    before = [m.value for m in app.metric]
    ending(app.selectbox, "machine.class").set_value(2).run()
    assert_sound(app)
    assert [m.value for m in app.metric] != before
    own = app.dataframe[-1].value["probability of its label"]
    assert own.is_monotonic_increasing
    choose(app, "machine.C", "inf")
    assert "logistic regression needs a finite C" in sentences(app)


def test_rows_without_labels_are_asked_for_groups():
    rows = np.random.default_rng(0).normal(size=(60, 2)) + 9.0 * (np.arange(60) < 35)[:, None]
    app = open_app("machine")
    assert_sound(finish(upload(app, Dataset("own", "Own", "vector", rows))))
    assert "2 groups are stable and lie apart." in sentences(app)
    assert app.metric[2].value == "35"
    choose(app, "machine.groups", "5")
    assert_sound(app)
    assert "Stable numbers of groups: 2" in sentences(app)
    choose(app, "machine.unlabelled", "Unusual rows")
    assert_sound(app)
    table = app.dataframe[-1].value
    assert table["score"].is_monotonic_increasing
    outside = int((table["score"] < 0).sum())
    assert f"{outside} of 60 rows lie outside" in sentences(app)
    assert outside <= 0.05 * 60
    choose(app, "machine.nu", "0.2")
    assert (app.dataframe[-1].value["score"] < 0).sum() > outside
