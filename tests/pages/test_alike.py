"""Why two rows are alike, and the trained machine: what the pages say follows rows, words, steps and C."""

from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np
import pytest

from kernlib.data import Dataset, load_dataset
from kernlib.explain import explain_rows
from kernlib.machines import SVM, KernelPCARegression, KernelRidge, NearestNeighbour
from pages.parts.frame import layout
from pages.parts.results import choosing, compute, machines
from pages.parts.server.runs import using
from pages.parts.session.state import machine_of, offered, proposed_machine

from .drive import (
    array,
    choose,
    figures,
    finish,
    give,
    headline,
    holder,
    kernel,
    open_app,
    press,
    rows,
    sentences,
    session,
    upload,
)


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
    assert machines.row_names(load_dataset(name))[0].startswith(called)


@pytest.mark.parametrize(
    ("data", "asked"),
    [
        ("promoters", "Spectrum(length=3)"),
        ("markov-strings", "Empirical(Power(Subsequence(order=3, decay=0.25), p=0.5))"),
    ],
)
def test_the_parts_follow_rows_and_steps(data, asked):
    """Of a map over training rows, they are what the two rows share below it."""
    app = open_app("see", data=data, kernel=asked, see__pair="30|34")
    told = explain_rows(kernel(app), rows(app).inputs, 30, 34)
    assert f"k = {told.value:.3g}" in sentences(app)
    drawn, parts = bars(app, "see.parts"), (told.below or told).parts
    assert drawn == pytest.approx(sorted((p.value for p in parts), key=abs, reverse=True)[: len(drawn)])
    press(app, "see.back")
    assert {"see.map", "see.parts"} & {*figures(app)} == {"see.map"}


def test_a_level_colours_the_nodes_of_both_graphs():
    app = open_app("see", data="mutag", kernel="Normalized(WeisfeilerLehman(level=3))", see__pair="0|1")
    first = figures(app)["alike.0"]["data"]
    give(app, "alike.level", 0)
    assert figures(app)["alike.0"]["data"] != first


def test_a_press_in_the_map_comes_back_as_typed_arrays_do():
    given = ({"customdata": {"0": 7}}, {"customdata": [7], "x": 3}, {"customdata": 7}, {"x": 7}, {})
    chosen = [SimpleNamespace(selection=SimpleNamespace(points=[point])) for point in given]
    assert [layout.pressed_value(one) for one in chosen] == [7, 7, 7, 7, None]
    assert layout.pressed_value(chosen[3], "customdata") is None


def test_the_machine_is_changed_in_one_place_and_on_all_pages():
    app, iris = open_app("use", data="iris", use__evidence="True"), load_dataset("iris")
    before = headline(app)
    give(app, "all.C", 0.01)
    assert headline(app) != before
    closest = r"only versicolor and virginica, each row tested once: \d+ of 100 lie on the wrong side\.$"
    assert re.search(closest, headline(app)), "the closest two classes"
    proposed = compute.on_halves(iris, kernel(app), proposed_machine(iris))
    with using(holder(app)):
        assert machine_of(iris) == SVM(C=0.01, scale="spread")
        changed = compute.frame(iris, kernel(app)).errors
    assert changed.test > proposed.test, "the errors of all pages are those of this machine"
    give(app, "use.pair", (0, 1))
    drawn = figures(app)
    assert {trace.get("name") for trace in drawn["use.border"]["data"]} >= {"setosa", "versicolor"}
    assert "use.confusion" in drawn
    app = open_app("use", data="mutag", kernel="Normalized(LabelPairs(beta=0.1))", all__C="0.01")
    assert "Every row is assigned to mutagenic: the machine has learnt nothing at this C." in headline(app)
    assert "use.doubtful.graph.2" in figures(app), "graphs have figures of their own"


def test_real_targets_have_a_machine_and_its_files():
    app = open_app("use", data="sinc", use__evidence="True")
    finish(app)
    assert "unexplained variance" in headline(app)
    assert {"use.border", "use.predicted"} <= set(figures(app))
    assert all("regression" in machine.task for machine in offered(load_dataset("sinc")).values())
    choose(app, "all.machine", "KernelPCARegression")
    assert "the kernel PCA regression has" in headline(app)
    with using(holder(app)):
        assert machine_of(load_dataset("sinc")) == KernelPCARegression(centred=True)


def test_another_machine_goes_to_choose_runs_and_lessons():
    app = open_app("choose", data="iris", all__machine="KernelRidge", all__ridge="0.5")
    iris, ridge = load_dataset("iris"), KernelRidge(ridge=0.5)
    with using(holder(app)):
        assert choosing.machine(iris) == ridge
    app = open_app("curves", data="iris", curves__machine="NearestNeighbour", curves__NearestNeighbour__k="3")
    with using(holder(app)):
        assert machine_of(iris) == NearestNeighbour(k=3), "a link of before, where the run had the machine"
    app = open_app("stories", data="iris", all__machine="KernelRidge")
    assert "not of the machine chosen on *Use*" in sentences(app)


def test_rows_without_labels_are_asked_for_groups():
    groups = np.random.default_rng(0).normal(size=(40, 2)) + 9.0 * (np.arange(40) < 25)[:, None]
    app = finish(upload(open_app("use"), Dataset("own", "Own", "vector", groups)))
    assert "2 groups are stable and lie apart" in headline(app)
    choose(app, "use.groups", "5")
    assert "Stable numbers of groups: 2" in headline(app)
    choose(app, "use.evidence", "True")
    assert "use.stability" in figures(app)


def test_two_rows_of_a_table_are_compared_in_their_own_cells():
    """An old link names them apart."""
    app = open_app("see", data="iris", alike__first="0", alike__second="149")
    assert session(app).controls["see.pair"] == "0|149"
    one, other = load_dataset("iris").rows[[0, 149]]
    assert f"petal length (cm) ({one[2]:g} and {other[2]:g})" in sentences(app)
    assert "Unlike in petal" in sentences(app)
    assert sum(bars(app, "see.parts")) == pytest.approx((((one - other) / kernel(app).width()) ** 2).sum() / 2)
