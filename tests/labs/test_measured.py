"""What the labs measure, compared with the library called directly, and that sentences say what is drawn."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import precision_recall_curve, roc_curve

from kernlib import (
    RBF,
    Empirical,
    GeneralOverlap,
    Linear,
    Overlap,
    Polynomial,
    Power,
    ProbabilityOverlap,
    Subsequence,
    WeisfeilerLehman,
)
from kernlib.data import Dataset, load_dataset
from kernlib.errors import DataError
from kernlib.labs import leak, measured, rarity, weights
from kernlib.machines import SVM
from kernlib.measures import MEASURES
from kernlib.protocols import errors_on_halves
from kernlib.protocols.halves import halves_of
from kernlib.stories import in_terms
from kernlib.values.words import percent


def words_of(lab, known, stop, at):
    return measured.MEASUREMENTS[lab].sentence(known, stop, at)


def error_of(kernel, data):
    """Return the test error by the library alone."""
    return errors_on_halves(kernel, data.inputs, data.y, task=data.task or "auto").test


@pytest.fixture(scope="module")
def strings():
    return load_dataset("markov-strings"), Subsequence(order=3, decay=0.25)


def test_all_rows_as_landmarks_look_better_than_training_rows(strings):
    known = {p: measured.transduction(*strings, p) for p in (0.5, 1.0)}
    own, whole = ([known[p][name] for p in known] for name in ("training rows as landmarks", "all rows as landmarks"))
    np.testing.assert_allclose(own, [0.256, 0.472], atol=0.001)
    np.testing.assert_allclose(whole, [0.176, 0.352], atol=0.001)
    words = words_of("transduction", known, 0.5, "p = 0.5")
    assert words.startswith("At p = 0.5 the test error is 26% with training rows as landmarks, and 18% with all rows.")
    assert words.endswith("The √K scheme, on all rows, has 18%."), "these eigenvalues allow it"
    indefinite = {name: known[0.5][name] for name in list(known[0.5])[:2]}
    assert "√K" not in words_of("transduction", {0.5: indefinite}, 0.5, "p = 0.5")


def test_pixels_in_minus_one_to_one_lower_the_error_while_the_ratio_stays():
    data = load_dataset("digits-3-8", n=300)
    here = measured.pixels(data, Linear(), 6)
    assert here["in [−1, 1]"] < 0.6 * here["in [0, 1]"]
    assert here["ratio in [−1, 1]"] == pytest.approx(here["ratio in [0, 1]"], rel=0.15)
    direct = error_of(Polynomial(degree=6, offset=0.0), data)  # the sample's pixels lie in [−1, 1]
    assert here["in [−1, 1]"] == pytest.approx(direct)
    a, b, c, r, s, _ = here.values()
    assert words_of("pixels", {6: here}, 6, "6") == (
        f"Degree 6: the test error is {percent(a)} in [0, 1] and {percent(b)} in [−1, 1]. "
        f"The diagonal ratio is {r:.0f} and {s:.0f}. Lengths normalised in [0, 1] give {percent(c)}."
    )


def test_a_narrow_rbf_fits_shuffled_labels_and_a_wide_one_does_not():
    data = load_dataset("banana", n=160)
    narrow, wide = (measured.capacity(data, RBF(sigma=sigma)) for sigma in (0.05, 20.0))
    name = "training error, shuffled labels"
    assert narrow[name] == 0
    assert wide[name] > 0.3
    assert abs(narrow["test error, shuffled labels"] - 0.5) < 0.1
    words = words_of("capacity", {0.05: narrow}, 0.05, "σ = 0.05")
    assert words.startswith("At σ = 0.05 the training error is 0% on shuffled labels, and 0% on the true ones.")
    assert words.endswith(f"are {percent(narrow['test error, shuffled labels'])} and {percent(narrow['test error'])}.")


def test_columns_chosen_on_all_rows_have_seen_the_test_rows():
    data = load_dataset("colon-noise", scaling="tissues")
    here = measured.selection(data, Linear(), 1000)
    assert here["columns chosen on all rows"] < here["columns chosen on training rows"] - 0.1
    power = error_of(Empirical(Power(Linear(), p=0.5)), data)
    assert here["all columns, power of the kernel"] == power


def test_criteria_sentence_names_the_values_that_the_criteria_pick():
    known = {
        3.0: {"test error": 0.2, "leave-one-out error": 0.1, "−log ℓ": 3.0, "alignment": 0.7},
        1.0: {"test error": 0.3, "leave-one-out error": 0.1, "−log ℓ": 2.0, "alignment": 0.9},
        2.0: {"test error": 0.2, "leave-one-out error": 0.2, "−log ℓ": 1.0, "alignment": 0.8},
    }
    expected = (
        "At σ = 1 the test error is 30%; the smallest, 20%, is at 2. "
        "Picking the value by a criterion gives 20% (−log ℓ), 20% to 30% (leave-one-out error), 30% (alignment)."
    )
    for order in ([1.0, 2.0, 3.0], [3.0, 2.0, 1.0]):  # the slider measures from its stop outwards
        assert words_of("criterion", {v: known[v] for v in order}, 1.0, "σ = 1") == expected


def test_points_below_the_line_are_counted(strings):
    data, kernel = strings
    errors = {p: [measured.power_error(data, kernel, p), 0.1, 0.1, 0.1] for p in (1.0, 0.5)}
    assert errors[1.0][0] == error_of(kernel, data), "the kernel itself, without a map"
    errors[0.5][1:3] = 0.2, 0.3
    assert errors[0.5][0] < errors[1.0][0]
    words = measured.against_sentence(errors[1.0], errors[0.5], 0.5)
    assert words == "At p = 0.5 the power has the smaller test error on 1 of 4 data sets. On 2 it has the larger one."


def test_errors_where_a_class_is_rare_are_all_of_the_measure_that_is_named():
    rng = np.random.default_rng(0)
    rare = (np.arange(80) < 12).astype(int)
    rows = rng.normal(size=(80, 16)) + 0.8 * rare[:, None]
    data = Dataset("toy", "Toy", "vector", rows, y=rare, task="classification")
    balanced = error_of(Linear(), data)
    assert measured.selection(data, Linear(), 16)["columns chosen on training rows"] == pytest.approx(balanced)
    letters = Dataset("toy", "Toy", "categorical", (rows > 0).astype(str).astype(object), y=rare)
    found = measured.few_rows(letters, ProbabilityOverlap(), letters.n)
    assert found["P from few rows"] == found["P from all training rows"], "all of them"
    assert found["P from few rows"] == pytest.approx(error_of(ProbabilityOverlap(), letters))
    here = measured.regulariser(data, Linear(), 10.0)["‖w‖²"]
    wrong = measured.virtual(data, Linear(), 80)["images"]
    measure, machine = MEASURES["balanced error"], SVM(C=10.0, scale="spread")
    expected = [
        measure(rare[test], machine.fit(rows[train] @ rows[train].T, rare[train]).predict(rows[test] @ rows[train].T))
        for train, test in halves_of(rare)
    ]
    assert here == wrong == pytest.approx(np.mean(expected))


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("banana", "Test error, and leave-one-out error"),
        ("sinc", "Unexplained variance, and leave-one-out unexplained variance"),
        ("toy", "Balanced error, and leave-one-out error"),
    ],
)
def test_an_error_has_the_name_of_its_measure(rows, words):
    data = Dataset("toy", "Toy", "vector", np.eye(40), y=[0] * 34 + [1] * 6) if rows == "toy" else load_dataset(rows)
    assert in_terms("Test error, and leave-one-out error", data) == words
    training = in_terms("training error", data)
    assert training in MEASURES or training == "training error"


def test_rates_are_those_of_scikit_learn_and_precision_follows_the_prevalence():
    rng = np.random.default_rng(0)
    rare = rng.random(200) < 0.2
    values = (rng.normal(size=200) + 1.5 * rare).round(1)  # with ties
    found = rarity.rates(values, rare)
    alarms, hits, _ = roc_curve(rare, values, drop_intermediate=False)
    np.testing.assert_allclose(found.hits, hits)
    np.testing.assert_allclose(found.alarms, alarms)
    precision, recall, _ = precision_recall_curve(rare, values)
    np.testing.assert_allclose(found.precision(rare.mean())[1:], precision[-2::-1])
    np.testing.assert_allclose(found.hits[1:], recall[-2::-1])
    half, few = (found.precision(share)[found.at_recall(0.8)] for share in (0.5, 0.01))
    assert few < 0.1 < half
    assert f"{100 * (1 - few):.0f}%" in rarity.rates_sentence(found, 0.01)


def test_the_best_of_many_kernels_looks_better_than_it_is():
    data = load_dataset("ida-german", n=200)
    chosen, honest = leak.tried_kernels(data, RBF(sigma=3.0), 40)
    assert chosen.min() < chosen.mean() - 0.05
    assert honest[-1] > chosen.min() + 0.05
    words = leak.leak_sentence(chosen, honest, 0.3, 40)
    assert f"an error of {100 * chosen.min():.2g}% on the test rows" in words
    assert "guessing has 30%." in words
    rare = replace(data, y=(np.arange(200) < 20).astype(int))
    assert in_terms(words, rare) == words, "an error rate, whatever the shares of the classes"


def test_named_weights_are_the_source_s_kernels():
    data = load_dataset("promoters-categorical")
    for name, kernel in (("all equal", "k0"), ("1 − P", "k1")):
        errors = weights.weight_errors(data, weights.named_weights()[name])
        assert errors["drawn"] == errors[kernel]
    assert errors["k0"].test < errors["k1"].test
    assert weights.category_probabilities(data).sum() == pytest.approx(57)


def test_the_regulariser_of_the_weights_is_the_machine_of_the_empirical_map(strings):
    data, kernel = strings
    here = measured.regulariser(data, kernel, 10.0)
    assert here["largest difference"] < 0.01
    assert here["Σ a²"] == here["SVM with K K′"]
    assert here["‖w‖²"] == error_of(kernel, data)
    assert here["SVM with K K′"] == error_of(Empirical(kernel), data)


def test_a_bandwidth_of_few_rows_depends_on_the_rows():
    data = load_dataset("banana", n=160)
    few, many = (measured.bandwidth(data, Linear(), rows) for rows in (2, 80))
    spread = [one["largest of 8 draws"] - one["smallest of 8 draws"] for one in (few, many)]
    assert spread[1] < spread[0]
    assert abs(few["mean of 8 draws"] - many["mean of 8 draws"]) < 0.03, "h is no smaller for few rows"


def test_virtual_support_vectors_lower_the_error_of_few_images():
    data = load_dataset("digits-3-8", n=300)
    here = measured.virtual(data, Polynomial(degree=3, offset=1.0), 80)
    assert here["with virtual support vectors"] < here["images"]
    image = np.arange(16.0).reshape(1, 16)
    right = measured._shifted(image, 4, (0, 1)).reshape(4, 4)
    np.testing.assert_array_equal(right[:, 1:], image.reshape(4, 4)[:, :-1])


def test_the_most_similar_pairs_are_those_of_the_largest_cosine():
    rows = np.array([[1.0, 0.0], [5.0, 0.1], [0.0, 1.0], [0.0, 3.0], [1.0, 1.0]])
    data = Dataset("toy", "Toy", "vector", rows, y=[0, 0, 1, 1, 0])
    assert measured.likeness(data, Linear(), 20) == {"most similar pairs": 1.0, "all pairs": 0.4}
    assert measured.likeness(data, Linear(), 100)["most similar pairs"] == 0.4


def test_size_alone_and_normalising():
    data = load_dataset("mutag")
    found = measured.length(data, WeisfeilerLehman(level=0))
    assert found["as it is"] == pytest.approx(error_of(WeisfeilerLehman(level=0), data))
    assert found["size alone"] < found["normalised"], "what the kernel knows without the size is less"
    with pytest.raises(DataError, match="have no size"):
        measured.length(load_dataset("iris"), RBF())


def test_k0_needs_no_exponent_and_g_lies_between():
    data = load_dataset("promoters-categorical")
    one, other = measured.rare(data, Overlap(), 1.0), measured.rare(data, Overlap(), 8.0)
    assert one["k0: a match counts 1"] == other["k0: a match counts 1"]
    assert list(other.values())[2] == pytest.approx(error_of(GeneralOverlap(alpha=8.0), data))
