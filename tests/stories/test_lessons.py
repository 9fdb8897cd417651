"""Lesson files: the shelf reads, its truths are those of the library, and every mistake is named with its line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kernlib import (
    RBF,
    Deep,
    Diffusion,
    Linear,
    Precomputed,
    ProbabilityOverlap,
    Repaired,
    Subsequence,
    WeisfeilerLehman,
)
from kernlib.analysis import diagnose, relevant_dimension
from kernlib.data import load_dataset
from kernlib.errors import DataError
from kernlib.experiments import Axis, RunSpec, curve, sweep
from kernlib.explain import train
from kernlib.machines import SVM
from kernlib.protocols import RepeatedSplits, errors_on_halves, halves_protocol
from kernlib.stories import (
    FIGURES,
    MAX_BYTES,
    QUANTITIES,
    ROW_SETS,
    LessonError,
    Question,
    read_lesson,
    read_shelf,
)
from kernlib.stories.lesson import View
from tests.benchmarks.lesson_truths import SEEDS, pairs_by_distance, verdict
from tests.benchmarks.lesson_truths import questions as questions_of

SHELF = Path(__file__).resolve().parents[2] / "pages" / "stories"
LESSONS = {lesson.name: lesson for lesson in read_shelf(SHELF)}


def questions():
    for name, lesson in LESSONS.items():
        for place, step in enumerate(lesson.steps):
            if step.kind == "predict":
                yield pytest.param(step.question, step.view, id=f"{name}-{place}")


def test_the_shelf_has_twelve_lessons_of_all_kinds():
    assert len(LESSONS) == 12
    kinds = {step.question.kind for lesson in LESSONS.values() for step in lesson.steps if step.kind == "predict"}
    assert kinds == {"choose", "number", "draw", "point", "order"}
    for lesson in LESSONS.values():
        assert lesson.steps[-1].kind == "explain"
        assert all(step.notes.ask and step.notes.students for step in lesson.steps if step.kind == "predict")
        assert sum(step.notes.minutes for step in lesson.steps) == lesson.minutes


@pytest.mark.parametrize(("question", "view"), list(questions()))
def test_every_truth_lies_within_what_can_be_answered(question, view):
    answer = question.truth(view)
    if question.kind in ("number", "draw"):
        assert min(answer.values) >= question.low
        assert max(answer.values) <= question.high
    elif question.kind == "point":
        assert 0 < len(answer.rows) < len(answer.places)
    else:
        assert sorted(answer.order) == list(range(len(answer.values)))
        assert np.isfinite(answer.values).all()


def asked(lesson: str, kind: str, measure: str) -> tuple[Question, object]:
    for step in LESSONS[lesson].steps:
        if step.kind == "predict" and (step.question.kind, step.question.measure) == (kind, measure):
            return step.question, step.view
    raise AssertionError(f"{lesson} asks no {kind} about {measure}")


def test_the_iteration_that_tells_two_molecules_apart():
    question, view = asked("12-two-molecules", "number", "first level that differs")
    found = int(question.truth(view).values[0])
    molecules = load_dataset("mutag").rows[[13, 68]]
    for level in range(found + 1):
        K = WeisfeilerLehman(level=level)(molecules)
        assert (K[0, 0] == K[0, 1] == K[1, 1]) == (level < found)
    assert found > 2
    with pytest.raises(DataError, match="has no levels"):
        QUANTITIES["first level that differs"].evaluate(view.scene(kernel="VertexHistogram()"), ["13", "68"])


def with_seed(view, seed):
    return type(view)(**{**vars(view), "parameters": (*(p for p in view.parameters if p[0] != "seed"), ("seed", seed))})


def training_error(seed):
    data = load_dataset("markov-strings", n=50, seed=seed)
    K, wrong = Subsequence(order=3, decay=0.25)(data.rows), []
    for _, rows, _ in halves_protocol().splits(data.y):
        part = K[np.ix_(rows, rows)]
        machine = SVM(C=10.0, scale="spread").fit(part, data.y[rows])
        wrong.append(np.mean(machine.predict(part, np.diagonal(part)) != data.y[rows]))
    return [100 * np.mean(wrong)]


def directions(seed):
    data = load_dataset("sinc", n=200, noise=0.1, seed=seed)
    return [relevant_dimension(RBF(sigma=0.7)(data.rows), data.y, centred=True).dimension]


def widths(seed):
    X = load_dataset("banana-like", n=60, noise=0.15, seed=seed).rows
    values = asked("01-what-is-a-kernel", "draw", "mean off-diagonal value")[0].values
    return [RBF(sigma=sigma)(X)[~np.eye(60, dtype=bool)].mean() for sigma in values]


def support(seed):
    data = load_dataset("banana-like", n=60, seed=seed)
    return sorted(train(RBF(sigma=0.7)(data.rows), data.y, SVM(C=10.0, scale="spread"), data.classes).support)


def correlation(seed):
    rows = load_dataset("banana-like", n=120, seed=seed).rows[[66, 106]]
    c = rows[0] @ rows[1] / np.linalg.norm(rows[0]) / np.linalg.norm(rows[1])
    for _ in range(10):  # the map of correlations of rectified linear units, at the edge of chaos
        c = (np.sqrt(1 - c * c) + (np.pi - np.arccos(c)) * c) / np.pi
    return [c]


@pytest.mark.parametrize("seed", [0, 5])
@pytest.mark.parametrize(
    ("lesson", "kind", "measure", "expected"),
    [
        ("05-support-vectors", "point", "support vectors", support),
        ("11-depth-in-an-infinite-network", "number", "cosine", correlation),
        ("02-a-diagonal-that-memorises", "number", "training error", training_error),
        ("04-how-many-directions", "number", "relevant dimension", directions),
        ("01-what-is-a-kernel", "draw", "mean off-diagonal value", widths),
    ],
)
def test_truths_are_those_of_the_library(lesson, kind, measure, expected, seed):
    question, view = asked(lesson, kind, measure)
    truth = question.truth(with_seed(view, seed))
    found = sorted(truth.rows) if kind == "point" else truth.values
    np.testing.assert_allclose(found, expected(seed), rtol=1e-12, atol=1e-9)


@pytest.mark.parametrize("seed", [0, 5])
def test_error_over_depth_falls_and_ends_in_memorising(seed):
    question, view = asked("03-how-deep", "draw", "test error")
    view = with_seed(view, seed)
    test = question.truth(view).values
    deepest = Deep(Linear(), level=question.values[-1])
    spec = RunSpec("banana-like", deepest, SVM(C=10.0, scale="spread"), halves_protocol())
    spec = replace(spec, parameters=(("n", 120), ("seed", seed)))
    assert test[-1] == pytest.approx(100 * float(curve(spec, sweep(spec)).mean[0]), rel=1e-12)
    assert min(test) < 0.5 * test[0]
    assert test[-1] == max(test) > 4 * min(test)
    assert replace(question, measure="training error").truth(view).values[-3:] == (0, 0, 0)
    collapse, at = asked("03-how-deep", "number", "level of collapse")
    assert collapse.truth(with_seed(at, seed)).values[0] < question.values[-1]


def test_levels_that_are_left_out_tie_in_one_of_five_draws():
    question, view = asked("03-how-deep", "order", "test error")
    ties = 0
    for seed in SEEDS:
        two = replace(question, values=(1, 4), arguments=(("seed", seed),))
        one, four = two.truth(with_seed(view, seed)).values
        assert one >= four
        ties += one == four
    assert ties == 1


def test_truths_of_data_without_a_seed():
    question, view = asked("09-heat-on-a-network", "point", "rows closer to the second row")
    K = Diffusion(beta=0.5).bind(load_dataset("karate").rows)(np.arange(34))
    assert set(question.truth(view).rows) == set(np.flatnonzero(K[:, 33] > K[:, 0]).tolist())
    question, view = asked("09-heat-on-a-network", "draw", "off-diagonal spread")
    K = Diffusion(beta=question.values[-1]).bind(load_dataset("karate").rows)(np.arange(34))
    assert question.truth(view).values[-1] == pytest.approx(K[~np.eye(34, dtype=bool)].std() / K.diagonal().mean())
    question, view = asked("10-scores-that-are-no-kernel", "number", "smallest eigenvalue")
    S = load_dataset("digit-shift-scores").rows
    c = np.linalg.eigh(S)[1][:, 0]
    assert question.truth(view).values == (pytest.approx(c @ S @ c),)
    assert c @ S @ c < -0.1
    # ABBA and BABA by hand: AB, BA, BB and AA are pieces of both.
    question, view = asked("08-abba-and-baba", "number", "shared pieces")
    assert question.truth(view).values == (4,)
    question, view = asked("09-heat-on-a-network", "order", "commute time")
    A = np.asarray(load_dataset("karate").rows, dtype=float)
    assert question.truth(view).values == pytest.approx([walk(A, int(a), int(b)) for a, b in question.pairs])
    repaired = Repaired(Precomputed(), method="clip").bind(S)(np.arange(len(S)))
    assert diagnose(repaired).psd


def walk(A, a, b):
    """Mean steps of a random walk from a to b and back, from the equations h(i) = 1 + Σ_j P_ij h(j), h(b) = 0."""
    P = A / A.sum(axis=1, keepdims=True)

    def hit(start, end):
        others = [i for i in range(len(A)) if i != end]
        h = np.linalg.solve(np.eye(len(others)) - P[np.ix_(others, others)], np.ones(len(others)))
        return h[others.index(start)]

    return hit(a, b) + hit(b, a)


def test_labels_of_a_shuffled_view_are_a_permutation():
    own = View(rows=("AA", "AB", "BA", "BB"), labels=("1", "2", "3", "4"), kernel="Spectrum(length=1)")
    for plain in (own, View("wine", (("n", 100),), kernel="RBF(sigma=1.0)")):
        shuffled, data = replace(plain, shuffled=True).scene().data, plain.scene().data
        assert sorted(shuffled.y) == sorted(data.y)
        assert (shuffled.y != data.y).any()


def test_the_chosen_kernel_of_promoters_is_that_of_a_tuned_run():
    question, view = asked("06-fooling-oneself", "choose", "error of the chosen kernel")
    arguments = dict(question.arguments)
    spec = RunSpec(
        "promoters-categorical",
        ProbabilityOverlap(),
        SVM(C=10.0, scale="spread"),
        RepeatedSplits(repeats=10, train=0.5, seed=0),
        leaky=True,
        tuning=(Axis("kernel", tuple(arguments["kernels"])),),
    )
    drawn = curve(spec, sweep(spec))
    assert question.truth(view).values == pytest.approx((100 * drawn.scores.mean(), 100 * drawn.leaky.mean()))


GOOD = """# A lesson

What is asked here?

```toml lesson
minutes = 5
source = "[K]"
```

## Look

Words.

```toml view
data = "banana-like"
parameters = {n = 40}
kernel = "RBF(sigma=1.0)"
figure = "gram"
drag = "kernel.sigma"
values = [0.1, 1.0]
```

## Guess

```toml predict
kind = "number"
question = "How large?"
measure = "effective rank"
low = 1
high = 40
```

## Answer

```toml reveal
```

## Why

Words.

```toml explain
formula = "x"
source = "[K] 1"
```
"""

DATA = 'data = "banana-like"\nparameters = {n = 40}\nkernel = "RBF(sigma=1.0)"'
#: What is changed, how, the line that is named, and a word of what was expected.
MISTAKES = [
    ("# A lesson", "A lesson", 1, "first line"),
    ("minutes = 5", "minutes = 500", 6, "1 to 120"),
    ("minutes = 5", "minutes: 5", 6, "name ="),
    ("minutes = 5", "hours = 5", 6, "minutes"),
    ('data = "banana-like"', 'data = "bananas"', 15, "datasets"),
    ("n = 40", "rows = 40", 16, "noise"),
    ("n = 40", "n = 1001", 16, "at most 1,000"),
    ("RBF(sigma=1.0)", "RBF(sigma=1.0", 17, "kernel"),
    ("RBF(sigma=1.0)", "Spectrum()", 17, "vector"),
    ('"gram"', '"matrix"', 18, "feature map"),
    ('drag = "kernel.sigma"', 'drag = "kernel.width"', 20, "value in range"),
    ('kind = "number"', 'kind = "essay"', 26, "draw"),
    ('"effective rank"', '"beauty"', 28, "diagonal ratio"),
    ('drag = "kernel.sigma"', 'drag = "machine.C"', 20, "kernel.p"),
    ("n = 40}", "n = 40}\nshuffled = 1", 17, "true or false"),
    ("high = 40", "high = 40\noptions = []", 31, "one of kind"),
    ("high = 40", 'high = "40"', 30, "a finite number"),
    (
        DATA,
        'rows = ["AB", "BA"]\nshuffled = true\nkernel = "Spectrum(length=1)"',
        16,
        "labels",
    ),
    ("n = 40}", "n = 40}\ncolours = [1, 0]", 17, "such as [0, 1]"),
    ("high = 40", "high = 0", 30, "low below high"),
    ("high = 40", "high = inf", 30, "a finite number"),
    ("high = 40", "high = 40\nstep = -1", 31, "0 to 39"),
    ('"effective rank"', '"support vectors"\narguments = {C = "x"}', 29, "a finite number"),
    ('"effective rank"', '"cosine"\narguments = {pair = ["0"]}', 29, "a list of 2"),
    ('"effective rank"', '"level of collapse"\narguments = {limit = 1_000_000}', 29, "0 to 1000"),
    ("minutes = 5", "minutes = " + "9" * 5_000, 6, "name ="),
    ("minutes = 5", "minutes = " + "[" * 5_000, 6, "name ="),
    ("minutes = 5", "a." * 60_000 + "a = 5", 6, "at most 200"),
    ('"gram"', '"pair"', 18, 'pair = ["0", "1"]'),
    ('"gram"', '"gram"\npair = ["0", "x"]', 19, "such as '0'"),
    (
        DATA,
        'rows = [["a", "b"]]\nkernel = "Overlap()"',
        15,
        "2 to 100",
    ),
    ('source = "[K] 1"', "", 42, "source = a text"),
    ("Words.\n\n```toml view", "<b>Words</b>.\n\n```toml view", 12, "words and formulas"),
    ("Words.\n\n```toml view", "Words.\n![x\ny](http://x/y.png)\n\n```toml view", 13, "words and formulas"),
    ("Words.\n\n```toml view", "Words.\n<img\nsrc=http://x/y.png>\n\n```toml view", 13, "words and formulas"),
    ("```toml reveal", "```toml answer", 35, "toml reveal"),
    ("## Guess\n", "## Guess\n" + "word " * 50 + "\n", 23, "at most"),
    ("```toml view", "```toml view\n```\n```toml view", 14, "one of each"),
]


@pytest.mark.parametrize(("before", "after", "line", "expected"), MISTAKES)
def test_a_mistake_is_named_with_its_line(before, after, line, expected):
    assert before in GOOD
    with pytest.raises(LessonError) as failure:
        read_lesson(GOOD.replace(before, after, 1).encode(), "mine.md")
    words = str(failure.value)
    assert len(words) < 600
    assert words.startswith("mine.md, line ")
    assert abs(int(words.split("line ")[1].split(":")[0]) - line) <= 2, words
    assert "expected" in words
    assert expected in words


def test_an_error_has_the_name_of_the_measure_that_suits_the_labels():
    rows = "rows = [" + ", ".join(f'"{"AB" * (i % 3)}A"' for i in range(20)) + "]\nlabels = ["
    for rare, name in ((10, "test error"), (3, "balanced error")):
        labels = ", ".join(f'"{int(i < rare)}"' for i in range(20))
        text = GOOD.replace(DATA, f'{rows}{labels}]\nkernel = "Spectrum(length=1)"').replace("sigma", "length")
        text = text.replace("[0.1, 1.0]", "[1, 2]").replace('"effective rank"', '"test error"')
        question, view = (getattr(read_lesson(text).steps[1], part) for part in ("question", "view"))
        assert question.quantity.axis == f"{name} (%)"
        data = view.scene().data
        error = errors_on_halves(view.scene().kernel, data.inputs, data.y, task="classification")
        assert question.truth(view).values == (pytest.approx(100 * error.test),)
        assert error.measure == name.removeprefix("test ")


def test_a_file_that_is_no_text_or_too_large_is_refused():
    with pytest.raises(LessonError, match="line 1: the text is not UTF-8"):
        read_lesson(b"# \xff\xfe", "x.md")
    with pytest.raises(LessonError, match="at most"):
        read_lesson(b"#" * (MAX_BYTES + 1), "x.md")


def test_the_guide_names_every_measure_figure_and_block():
    guide = (SHELF.parents[1] / ".github" / "LESSONS.md").read_text()
    for name in (*QUANTITIES, *ROW_SETS, *FIGURES, "view", "predict", "reveal", "explain", "notes"):
        assert f"`{name}`" in guide.replace("\n", " "), name


@pytest.mark.parametrize("name", LESSONS)
def test_five_seeds_give_the_same_verdict_or_the_lesson_says_that_it_is_a_draw(name):
    text = (SHELF / f"{name}.md").read_text()
    for first, *others in zip(*(questions_of(text, seed) for seed in SEEDS), strict=True):
        question, view, answer = first
        expected = verdict(question, view)
        seeded = [(q, v) for q, v, _ in others if (q, v) != (question, view)]
        differs = any(verdict(*one) != expected for one in seeded)
        assert differs == ("nother draw of the" in answer.text), (question.text, expected)


def test_the_pairs_of_lesson_1_are_what_its_options_call_them():
    step = LESSONS["01-what-is-a-kernel"].steps[0]
    assert step.question.pairs == pairs_by_distance(step.view.scene().data)
    answer = step.question.truth(step.view)
    assert answer.values[1] > answer.values[2] > answer.values[0] == pytest.approx(0.0, abs=0.02)


def test_what_lessons_say_beside_their_questions():
    for seed in range(5):  # lesson 10: the data are fixed, the halves are drawn
        question, view = asked("10-scores-that-are-no-kernel", "choose", "test error")
        assert replace(question, arguments={"seed": seed}).truth(view).best == 0, "clip"
    question, view = asked("05-support-vectors", "choose", "test error")
    two = replace(question, values=(10.0, 1000.0))
    for seed in range(5):
        a, b = replace(two, arguments={"seed": seed}).truth(with_seed(view, seed)).values
        assert abs(a - b) <= 2.0 + 1e-9
    data = load_dataset("karate")
    K = Diffusion(beta=0.5).bind(data.rows)(np.arange(34))
    joined = np.array(data.classes)[data.y] == "Officer"
    assert np.flatnonzero((K[:, 33] > K[:, 0]) != joined).tolist() == [8], "lesson 9: who is misplaced"
