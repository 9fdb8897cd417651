"""Guesses from a browser are checked, and the sentence that compares them is made of numbers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from kernlib import DataError, InfiniteWidth, Linear, Overlap, Precomputed, ProbabilityOverlap, Repaired
from kernlib.data import load_dataset
from kernlib.figures.stories import reveal_figure, scene_figures
from kernlib.figures.theme import CLASS_COLOURS, MUTED, alt, caption
from kernlib.labs.weights import weight_words
from kernlib.protocols import errors_on_halves
from kernlib.stories import FIGURES, Choose, Draw, Number, Order, Point, Scene, Truth, View
from kernlib.stories.quantities import best_of_kernels
from kernlib.values.words import percent

DRAW = Draw("?", "test error", path="kernel.p", values=(0.1, 0.5, 1.0), low=0, high=60)
NUMBER = Number("?", "relevant dimension", low=1, high=40, step=1)
CHOOSE = Choose("?", "test error", options=("a", "b"), kernels=("Linear()", "RBF()"), rank="smallest")
ORDER = Order("?", "cosine", pairs=(("a", "b"), ("a", "c"), ("b", "c")))
POINT = Point("?", "support vectors")
PLACES = np.random.default_rng(0).normal(size=(6, 2))
ANSWERS = {
    "draw": Truth((40.0, 20.0, 50.0), ("p = 0.1", "p = 0.5", "p = 1")),
    "number": Truth((9.0,)),
    "choose": Truth((20.0, 10.0), ("a", "b"), best=1, order=(1, 0)),
    "order": Truth((0.2, 0.9, 0.5), ORDER.names, best=1, order=(1, 2, 0)),
    "point": Truth(rows=(0, 1, 2), places=PLACES, names=tuple("abcdef")),
}
QUESTIONS = {q.kind: q for q in (DRAW, NUMBER, CHOOSE, ORDER, POINT)}


@pytest.mark.parametrize(
    ("question", "guess", "words"),
    [
        (DRAW, (40.0, 20.0, 50.0), "as you drew it (20%). On average your curve is 0 points"),
        (DRAW, (0.0, None, 60.0), "You put the lowest point at p = 0.1; it is at p = 0.5"),
        (DRAW, (None, 30.0, None), "You drew a level line; the lowest point is at p = 0.5 (20%)."),
        (NUMBER, 9.0, "The answer is 9 directions, as you guessed."),
        (NUMBER, 10.0, "Your guess was 10 directions; the answer is 9 directions: close."),
        (NUMBER, 30.0, "21 directions too high"),
        (CHOOSE, 1, "Right. “b” has the smallest test error, 10%. Then comes “a” (20%)."),
        (CHOOSE, 0, "You chose “a”"),
        (ORDER, (1, 2, 0), "Every item is in its place"),
        (ORDER, (0, 2, 1), "0 of 3 pairs"),
        (POINT, (0, 1, 5), "2 of your 3 rows are among the 3 support vectors; you missed 1 and 1 is not among them"),
    ],
)
def test_the_sentence_says_where_the_guess_was_right(question, guess, words):
    answer = ANSWERS[question.kind]
    assert words in question.compare(answer, question.checked(guess, 6))
    assert question.compare(answer).endswith(".")


@pytest.mark.parametrize(
    ("question", "guess"),
    [
        (DRAW, [1.0, 2.0]),
        (DRAW, [None, None, None]),
        (DRAW, [1.0, 2.0, 61.0]),
        (DRAW, "abc"),
        (DRAW, [1.0, "2", {}]),
        (NUMBER, math.nan),
        (NUMBER, 41),
        (NUMBER, True),
        (NUMBER, "9"),
        (NUMBER, None),
        (CHOOSE, 2),
        (CHOOSE, -1),
        (CHOOSE, 0.0),
        (CHOOSE, None),
        (ORDER, [0, 1]),
        (ORDER, [0, 1, 1]),
        (ORDER, [True, 0, 2]),
        (ORDER, [0, 1, 2.0]),
        (POINT, [6]),
        (POINT, [-1]),
        (POINT, ["a"]),
        (POINT, {"a": 1}),
    ],
)
def test_what_a_browser_may_send_is_refused_in_a_sentence(question, guess):
    with pytest.raises(DataError, match="does not fit the question; expected"):
        question.checked(guess, 6)


def test_a_tie_has_two_right_answers():
    tied = Truth((10.0, 10.0 + 1e-14, 5.0), ("a", "b", "c"), best=0, order=(0, 1, 2))
    assert CHOOSE.compare(tied, 1).startswith("Right. ")
    assert ORDER.compare(tied, (1, 0, 2)) == "Every item is in its place."
    assert CLASS_COLOURS[1] not in reveal_figure(ORDER, tied, (1, 0, 2)).data[0].marker.color
    colours = reveal_figure(ORDER, tied, (2, 0, 1)).data[0].marker.color
    assert [colour == CLASS_COLOURS[1] for colour in colours] == [False, True, True], "a may be second, as b may"


def test_bars_and_sentence_print_the_same_digits():
    answer = Truth((8 / 3, 23 / 6), ("a", "b"), best=0, order=(0, 1))
    question = replace(CHOOSE, rank="smallest")
    for printed, words in zip(("2.67%", "3.83%"), reveal_figure(question, answer).data[0].text, strict=True):
        assert words == printed
        assert printed in question.compare(answer, 0)


def test_a_matrix_keeps_its_colours_while_a_slider_moves():
    view = View("banana-like", (("n", 40),), kernel="RBF(sigma=0.5)", path="kernel.sigma", colours=(0.0, 1.0))
    for sigma in (0.02, 20.0):
        shown = scene_figures(view.scene(**{"kernel.sigma": sigma}), "gram")[0].data[0]
        assert (shown.zmin, shown.zmax) == (0.0, 1.0), "an identity and a constant look like one"


@pytest.mark.parametrize(("question", "guess", "words"), [(CHOOSE, 1, "3.8%"), (NUMBER, 9.0, "4 directions")])
def test_what_the_source_prints_stands_in_the_sentence_and_in_the_figure(question, guess, words):
    cited, answer = replace(question, printed=3.8), ANSWERS[question.kind]
    assert cited.compare(answer, guess).endswith(f"The source prints {words}.")
    assert reveal_figure(cited, answer).layout.annotations[-1].text.startswith("printed: 3.8")


def test_a_change_rises_falls_or_stays():
    question = Choose(
        "?",
        "relevant dimension",
        path="data.n",
        values=(100, 200),
        rank="change",
        options=("rises", "falls", "stays"),
    )
    view = View("sinc", (("n", 100), ("noise", 0.1)), kernel="RBF(sigma=0.5)")
    answer = question.truth(view)
    low, high = answer.values
    expected = 2 if abs(high - low) <= 0.05 * max(low, high) else 0 if high > low else 1
    assert answer.best == expected
    verb = ("rises", "falls", "stays about the same")[expected]
    assert question.compare(answer).startswith(f"The relevant dimension {verb}: from ")


@pytest.mark.parametrize("kind", QUESTIONS)
def test_every_kind_has_a_figure_with_and_without_guesses(kind):
    guess = {"draw": (0.0, None, 60.0), "number": 30.0, "choose": 0, "order": (0, 2, 1), "point": (0, 5)}[kind]
    alone = reveal_figure(QUESTIONS[kind], ANSWERS[kind])
    both = reveal_figure(QUESTIONS[kind], ANSWERS[kind], guess)
    many = reveal_figure(QUESTIONS[kind], ANSWERS[kind], guess, [guess] * 5)
    assert alt(alone)
    if kind != "point":
        drawn = both.to_dict()["layout"]["xaxis"]  # as it is sent
        assert drawn["title"]["text"]
    if kind == "draw":  # values are spaced as on the surface that was drawn on
        assert (drawn["type"], list(both.data[0].x)) == ("category", ["0.1", "0.5", "1"])
    assert both.to_json() != alone.to_json()
    assert many.to_json() != both.to_json()


CLASS = {
    "draw": [(0.0, None, 60.0), (10.0, 20.0, 30.0)],
    "number": [9.0, 9.0, 30.0],
    "choose": [0, 1, 1],
    "order": [(0, 2, 1), (1, 0, 2), (1, 2, 0)],
    "point": [(0, 5), (5,)],
}


def test_the_median_of_a_class_is_drawn_with_its_answers():
    drawn = reveal_figure(QUESTIONS["draw"], ANSWERS["draw"], None, CLASS["draw"])
    [median] = [line for line in drawn.data if line.name == "median of the class"]
    assert list(median.y) == [5.0, 25.0, 45.0]
    numbers = reveal_figure(QUESTIONS["number"], ANSWERS["number"], None, CLASS["number"])
    assert [note.text for note in numbers.layout.annotations] == ["measured", "median of the class"]
    assert list(numbers.data[0].x) == [9.0, 9.0]
    assert sorted(numbers.data[1].x) == CLASS["number"]
    for fig in (drawn, numbers):
        assert "guess" not in fig.to_json().replace("guesses", ""), "a lecturer has no guess"


def test_a_class_that_judged_a_change_is_counted_in_words():
    question = replace(
        CHOOSE, rank="change", options=("rises", "falls", "stays"), kernels=(), path="data.n", values=(1, 2)
    )
    fig = reveal_figure(question, Truth((4.0, 9.0), ("n = 1", "n = 2")), 1, [0, 1, 1, 2])
    assert "Your choice: falls. Class: rises 1, falls 2, stays 1." in caption(fig)
    order = reveal_figure(ORDER, ANSWERS["order"], (0, 1, 2), [(1, 2, 0), (0, 2, 1)])
    assert [text.split("class ")[1] for text in order.data[0].text] == ["2", "2", "2"]


def test_every_figure_of_a_view_can_be_drawn():
    view = View("sinc", (("n", 60),), kernel="RBF(sigma=0.5)")
    others = {
        "border": View("banana-like", (("n", 40),), kernel="RBF(sigma=0.5)"),
        "new row": View("digit-shift-scores", kernel="Repaired(Precomputed())"),
        "staircase": View("banana-like", (("n", 40),), kernel="InfiniteWidth(Linear(), level=2)"),
        "pair": View("mutag", kernel="WeisfeilerLehman(level=2)", pair=("13", "68")),
        "errors of a hundred kernels": View("wine", (("n", 60),), kernel="RBF(sigma=3.0)"),
    }
    for name in FIGURES:
        shown = others.get(name, view)
        assert scene_figures(shown.scene(), name)[0].data


@pytest.mark.parametrize("measure", ["test error", "training error"])
def test_an_error_rate_of_real_targets_is_refused_in_a_sentence(measure):
    question = Number("?", measure, low=0, high=100)
    with pytest.raises(DataError, match="needs classes; found real targets"):
        question.truth(View("sinc", (("n", 40),), kernel="RBF(sigma=0.5)"))


def test_a_new_row_with_its_own_scores_has_a_negative_squared_length_until_it_is_repaired():
    data = load_dataset("digit-shift-scores")
    [fig] = scene_figures(Scene(data, Repaired(Precomputed(), method="clip")), "new row")
    S = np.array(data.inputs, dtype=float)
    values, U = np.linalg.eigh(S)
    np.testing.assert_allclose(fig.data[0].y, ((U * np.maximum(values, 0)) @ U.T - S)[-1, :-1], atol=1e-9)
    values, U = np.linalg.eigh(S[:-1, :-1])
    S[:-1, :-1] = (U * np.maximum(values, 0)) @ U.T
    assert f"squared length is −{-np.linalg.eigvalsh(S)[0]:.2g}. Once" in caption(fig)
    assert "together it is 0." in caption(fig)
    with pytest.raises(DataError, match="repairs nothing"):
        scene_figures(Scene(data, Precomputed()), "new row")


def test_the_staircase_ends_where_the_layers_take_the_two_rows():
    data = load_dataset("banana-like", n=40)
    for kernel in (InfiniteWidth(Linear(), level=10, biases=0.0), InfiniteWidth(Linear(), level=1, activation="erf")):
        scene = Scene(data, kernel)
        K0 = Linear()(data.rows)
        i, j = np.unravel_index(np.argmin(K0 / np.sqrt(np.outer(K0.diagonal(), K0.diagonal()))), K0.shape)
        way = scene_figures(scene, "staircase")[0].data[2]
        K = scene.gram
        if kernel.biases == 0:  # lengths of rows do not matter without biases
            assert way.x[-1] == pytest.approx(K[i, j] / np.sqrt(K[i, i] * K[j, j]), abs=1e-6)
        assert len(way.x) == 2 * kernel.level + 1
    with pytest.raises(DataError, match="no layers"):
        scene_figures(Scene(data, Linear()), "staircase")


def test_the_histogram_counts_the_hundred_kernels_behind_the_question():
    scene = View("wine", (("n", 100),), shuffled=True, kernel="Standardized(RBF(sigma=3.0))").scene()
    guessing, bars, best = scene_figures(scene, "errors of a hundred kernels")[0].data
    assert guessing.x[0] == pytest.approx(100 - np.bincount(scene.labels).max())
    assert sum(bars.y[::2]) == 100
    assert best.x[0] == pytest.approx(best_of_kernels(scene, shuffled=False))
    first = next(i for i, count in enumerate(bars.y[::2]) if count)
    assert bars.x[2 * first] <= best.x[0] <= bars.x[2 * first + 1]
    assert best.y[0] == bars.y[2 * first]


def test_a_pair_of_rows_is_drawn_at_the_level_of_the_kernel_or_as_its_kind():
    molecules = View("mutag", kernel="WeisfeilerLehman(level=0)", pair=("13", "68"))
    for level in range(5):
        figures = scene_figures(molecules.scene(**{"kernel.level": level}), "pair")
        assert len(figures) == 2
        grey = [trace for fig in figures for trace in fig.data if trace.marker.color == MUTED and trace.name != "edges"]
        assert bool(grey) == (level == 4), "the lesson's molecules differ from level 4 on"
    strings = View(rows=("CAT", "BAT"), kernel="Spectrum(length=1)", pair=("CAT", "BAT"))
    assert len(scene_figures(strings.scene(), "pair")) == 1
    vectors = View("banana-like", (("n", 40),), kernel="RBF(sigma=1.0)", pair=("0", "1"))
    with pytest.raises(DataError, match="no picture of a pair"):
        scene_figures(vectors.scene(), "pair")


def test_a_reader_s_own_weight_of_a_match_is_measured():
    rows = View("promoters-categorical", kernel="Overlap()")
    values = tuple(i / 10 for i in range(11))
    question = Draw("?", "weight of a match", path="measure.probability", values=values)
    data = load_dataset("promoters-categorical")
    k0, k1 = (
        percent(errors_on_halves(kernel, data.inputs, data.y, task="classification").test)
        for kernel in (Overlap(), ProbabilityOverlap(alpha=1.0))
    )
    for error, drawn in ((k0, [1.0] * 11), (k1, [1.0, *[None] * 9, 0.0])):
        assert weight_words(question, rows, drawn).startswith(f"With this h the test error is {error}.")
    assert weight_words(question, rows, [0.0] * 11) == "Under this h no two rows are similar."
    alone = f"h = 1 − P (k1) has a test error of {k1}, not significantly worse than equal weights (k0) with {k0}."
    assert weight_words(question, rows, None) == alone
