"""What the labs measure at each stop of their slider: errors by the one protocol, and what stands beside them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis import cosine, decompose, diagonal_ratio, relevant_dimension
from ..analysis.gram import centred_alignment
from ..analysis.quick import quick_errors
from ..core.base import Kernel
from ..data import Dataset
from ..errors import DataError
from ..kernels.categorical import GeneralOverlap, Overlap, ProbabilityOverlap
from ..kernels.vectors import RBF, Linear, Polynomial
from ..machines import SVM
from ..measures import MEASURES
from ..protocols import HalvesErrors, errors_on_halves
from ..protocols.halves import halves_machine, halves_of, suitable_measure
from ..values.arrays import Array
from ..values.labels import read_labels
from ..values.words import number, percent
from ..wrappers.deep import Deep
from ..wrappers.elementwise import Power
from ..wrappers.feature_space import Normalized
from ..wrappers.landmarks import Empirical
from ..wrappers.spectral import Repaired, SquareRoot

#: The power beside selected columns, one of those in [O] Table 2.
_POWER = 0.5
#: What a stop of a slider measures, by name.
Measured = dict[str, float]
#: The sentence on the numbers of all known stops, from these, the stop and it as text.
Words = Callable[[Mapping[Any, Measured], Any, str], str]


@dataclass(frozen=True)
class Measurement:
    """What a lab measures at each stop of its slider, and the sentence on it.

    `of` returns numbers by name from data, kernel and stop: the first `curves` are shares, which are drawn. In `words`,
    {at} is the stop as text, and {0}, {1}, … are the numbers in their order.
    """

    of: Callable[[Dataset, Kernel, Any], Measured]
    words: str | Words
    curves: int

    def sentence(self, known: Mapping[Any, Measured], stop: Any, at: str) -> str:
        """Return what the numbers of a stop say; `at` is the stop as text."""
        if callable(self.words):
            return self.words(known, stop, at)
        values = [percent(v) if i < self.curves else number(v, 2) for i, v in enumerate(known[stop].values())]
        return self.words.format(*values, at=at)


def _errors(data: Dataset, kernel: Kernel, rows: Any = None, y: Any = None) -> HalvesErrors:
    """Return the errors on the halves of a data set, with other rows or labels if given."""
    rows, y = data.inputs if rows is None else rows, np.asarray(data.y) if y is None else y
    return errors_on_halves(kernel, rows, y, task=data.task or "auto", groups=data.groups)


def _on_halves(data: Dataset, names: Sequence[str], predict: Callable[[Array, Array], Sequence[Any]]) -> Measured:
    """Return the mean test errors, by name, of the predictions that `predict` returns for (training, test) rows."""
    y = np.asarray(data.y)
    measure = MEASURES[suitable_measure(y, "classification")]
    halves = halves_of(y, task="classification", groups=data.groups)
    errors = [[measure(y[test], one) for one in predict(train, test)] for train, test in halves]
    return dict(zip(names, np.mean(errors, axis=0).tolist(), strict=True))


def _predicted(data: Dataset, train: Array, kernel: Kernel, rows: Array, new: Array) -> Array:
    """Return what the machine of all pages, trained on `rows`, the training rows, by a fitted kernel, predicts."""
    y = np.asarray(data.y)
    machine = halves_machine(suitable_measure(y, "classification"))
    fitted = machine.fit(kernel(rows), y[train], task="classification")
    return np.asarray(fitted.predict(kernel(new, rows), kernel.diag(new)))


def _criteria_words(known: Mapping[Any, Measured], stop: Any, at: str) -> str:
    """Return the test error at a value, the least one, and those of the values that each criterion picks."""
    best = min(sorted(known), key=lambda v: known[v]["test error"])
    picked = []
    for name, sign in (("−log ℓ", 1), ("leave-one-out error", 1), ("alignment", -1)):
        least = min(sign * one[name] for one in known.values())
        # Several values may tie: all of them are picked.
        tests = sorted(one["test error"] for one in known.values() if sign * one[name] == least)
        ends = dict.fromkeys((percent(tests[0]), percent(tests[-1])))
        picked.append(f"{' to '.join(ends)} ({name})")
    return (
        f"At {at} the test error is {percent(known[stop]['test error'])}; the smallest, "
        f"{percent(known[best]['test error'])}, is at {number(best, 2)}. "
        f"Picking the value by a criterion gives {', '.join(picked)}."
    )


def criteria(data: Dataset, kernel: Kernel, _: Any = None) -> Measured:
    """Return the test error of a kernel, and what three criteria that need no machine say of it."""
    assert data.y is not None
    task = data.task or "auto"
    K = kernel.specification.fold(data.inputs, y=data.y).K
    pairs = decompose(K)
    relevant = relevant_dimension(K, data.y, task=task, decomposition=pairs, centred=True)
    targets = read_labels(data.y, task, data.n, "criteria").targets
    return {
        "test error": _errors(data, kernel).test,
        "leave-one-out error": quick_errors(K, data.y, task=task, groups=data.groups, decomposition=pairs).ridge,
        "−log ℓ": relevant.minimum,
        "alignment": centred_alignment(K, targets),
    }


def _transduction_words(known: Mapping[Any, Measured], stop: Any, at: str) -> str:
    """Return the test errors at a stop; the √K scheme has one where no eigenvalue is negative."""
    own, whole, *root = map(percent, known[stop].values())
    words = f"At {at} the test error is {own} with training rows as landmarks, and {whole} with all rows."
    return words + "".join(f" The √K scheme, on all rows, has {one}." for one in root)


def transduction(data: Dataset, kernel: Kernel, p: Any) -> Measured:
    """Return test errors of the p-th power with training rows, or all rows, as landmarks, and of the √K scheme."""
    power = Power(kernel, p=float(p))
    measured = {
        "training rows as landmarks": _errors(data, Empirical(power)).test,
        "all rows as landmarks": _errors(data, Empirical(power, landmarks="all")).test,
    }
    if decompose(kernel.specification.fold(data.inputs, y=data.y).K).eigenvalues[-1] >= -1e-9:
        scheme = Repaired(Power(SquareRoot(kernel), p=float(p)), method="square")
        measured["√K scheme, all rows"] = _errors(data, scheme).test
    return measured


def pixels(data: Dataset, kernel: Kernel, degree: Any) -> Measured:
    """Return test errors of a polynomial on columns in [0, 1] and in [−1, 1], and on the first normalised.

    Columns share one scale, that of the whole table.
    """
    X = np.asarray(data.inputs, dtype=np.float64)
    low, high = float(X.min()), float(X.max())
    if not low < high:
        raise DataError(f"{data.title}: all cells are equal; expected columns that differ. Choose other data.")
    unit = (X - low) / (high - low)
    poly = Polynomial(degree=int(degree), offset=0.0)
    tables: dict[str, tuple[Kernel, Array]] = {"in [0, 1]": (poly, unit), "in [−1, 1]": (poly, 2 * unit - 1)}
    tables["in [0, 1], normalised"] = (Normalized(poly), unit)
    errors = {name: _errors(data, k, rows).test for name, (k, rows) in tables.items()}
    return errors | {f"ratio {name}": diagonal_ratio(k(rows)) for name, (k, rows) in tables.items()}


def capacity(data: Dataset, kernel: Kernel, _: Any = None) -> Measured:
    """Return training and test errors on the labels, and on shuffled labels."""
    shuffled = np.random.default_rng(0).permutation(np.asarray(data.y))
    true, noise = _errors(data, kernel), _errors(data, kernel, y=shuffled)
    return {
        "test error": true.test,
        "training error": true.training,
        "test error, shuffled labels": noise.test,
        "training error, shuffled labels": noise.training,
    }


def selection(data: Dataset, kernel: Kernel, count: Any) -> Measured:
    """Return test errors of a linear machine on the columns that differ most between classes, and of a power.

    Columns are chosen from training rows, or from all rows, which is the leak. They are ranked by the distance of the
    means of the classes over the sum of their spreads ([O] section 4.2 selects by correlation).
    """
    X, y = np.asarray(data.inputs, dtype=np.float64), np.asarray(data.y)

    def predict(train: Array, test: Array) -> list[Array]:
        kept = [_telling(X[rows], y[rows], int(count)) for rows in (train, np.arange(len(y)))]
        return [_predicted(data, train, Linear(), X[np.ix_(train, one)], X[np.ix_(test, one)]) for one in kept]

    power = {"all columns, power of the kernel": _errors(data, Empirical(Power(kernel, p=_POWER))).test}
    return _on_halves(data, ("columns chosen on training rows", "columns chosen on all rows"), predict) | power


def _telling(X: Array, y: Array, count: int) -> Array:
    parts = [X[y == c] for c in np.unique(y)]
    means, spreads = np.array([p.mean(axis=0) for p in parts]), np.array([p.std(axis=0) for p in parts])
    score = np.ptp(means, axis=0) / np.maximum(spreads.sum(axis=0), 1e-12)
    return np.argsort(-score, kind="stable")[:count]


def regulariser(data: Dataset, kernel: Kernel, C: Any) -> Measured:
    """Return test errors under ‖w‖², under Σ a² with the kernel's values as features, and of the SVM with K K′.

    [O] equations 11 to 16: the last two are one machine. "largest difference" is that of their decisions.
    """
    from sklearn.svm import SVC

    y, bound = np.asarray(data.y), kernel.specification.bind(data.inputs)
    svm, gaps = SVM(C=float(C), scale="spread"), [0.0]

    def predict(train: Array, test: Array) -> list[Array]:
        fold = bound.fold(train, test, y[train])
        assert fold.K_star is not None
        # Features (12): the similarities to the training rows, on the scale on which K K′ has a spread of one.
        unit = np.sqrt(np.square(fold.K - fold.K.mean(axis=0)).sum() / len(fold.K))
        K, new = fold.K / unit, fold.K_star / unit
        plain = svm.fit(fold.K, y[train], task="classification")
        direct = SVC(kernel="linear", C=float(C), tol=1e-6).fit(K, y[train])
        mapped = svm.fit(K @ K.T, y[train], task="classification")
        values = np.abs([np.ravel(direct.decision_function(new)), np.ravel(mapped.decision(new @ K.T))])
        gaps.append(float(np.ptp(values, axis=0).max()))
        return [plain.predict(fold.K_star, fold.k_diag), direct.predict(new), mapped.predict(new @ K.T)]

    return _on_halves(data, ("‖w‖²", "Σ a²", "SVM with K K′"), predict) | {"largest difference": max(gaps)}


#: Draws of the rows from which a bandwidth is learnt.
_DRAWS = 8


def bandwidth(data: Dataset, kernel: Kernel, rows: Any) -> Measured:
    """Return test errors of level 1 where h is the mean distance of a few rows, over draws of these rows."""
    K = kernel.specification.fold(data.inputs, y=data.y).K
    rng, errors = np.random.default_rng(0), []
    for _ in range(_DRAWS):
        few = rng.choice(data.n, min(int(rows), data.n), replace=False)
        part = K[np.ix_(few, few)]
        squares = part.diagonal()[:, None] + part.diagonal() - 2 * part
        # h averages over all pairs, and a row's distance from itself is 0: few rows would give a smaller h.
        h = float(np.sqrt(np.maximum(squares, 0.0)).mean()) * (1 - 1 / data.n) / (1 - 1 / len(few))
        errors.append(_errors(data, Deep(kernel, level=1, bandwidths=(h,))).test)
    return {
        "largest of 8 draws": max(errors),
        "mean of 8 draws": float(np.mean(errors)),
        "smallest of 8 draws": min(errors),
    }


def virtual(data: Dataset, kernel: Kernel, count: Any) -> Measured:
    """Return test errors of a machine trained on some images, and again with shifted copies of its support vectors.

    Each support vector is shifted by one pixel in four directions. Schölkopf, Burges and Vapnik, ICANN 1996.
    """
    X, y, side = np.asarray(data.inputs, dtype=np.float64), np.asarray(data.y), image_side(data)

    def predict(train: Array, test: Array) -> list[Array]:
        own = train[np.argsort(np.random.default_rng(0).random(len(train)))][: int(count)]
        rows, labels, predicted = X[own], y[own], []
        for _ in range(2):
            fitted = SVM(C=10.0, scale="spread").fit(kernel(rows), labels, task="classification")
            predicted.append(fitted.predict(kernel(X[test], rows), kernel.diag(X[test])))
            supports = np.asarray(fitted.support_)
            rows = np.vstack([rows, *(_shifted(rows[supports], side, step) for step in _STEPS)])
            labels = np.concatenate([labels, *([labels[supports]] * len(_STEPS))])
        return predicted

    return _on_halves(data, ("images", "with virtual support vectors"), predict)


def image_side(data: Dataset) -> int:
    """Return the side of rows that are square images."""
    side = math.isqrt(data.d or 0)
    if side * side != data.d or side < 4:
        raise DataError(
            f"{data.title}: {data.d} columns are no square image; expected 16, 25, 36, … Choose images of digits."
        )
    return side


#: Shifts down and right.
_STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))


def _shifted(rows: Array, side: int, step: tuple[int, int]) -> Array:
    """Return square images shifted by a step, the pixels of the edge repeated."""
    from scipy.ndimage import shift

    images = shift(rows.reshape(-1, side, side), (0, *step), order=0, mode="nearest")
    return np.asarray(images.reshape(len(rows), -1))


def power_error(data: Dataset, kernel: Kernel, p: float) -> float:
    """Return the test error of a kernel's power with the empirical map; at p = 1 that of the kernel itself."""
    return _errors(data, kernel if p == 1 else Empirical(Power(kernel, p=p))).test


def against_sentence(kernel: Sequence[float], power: Sequence[float], p: float) -> str:
    """Return on how many problems the power has the smaller error, from the errors of both on each problem."""
    lower, higher = (sum(sign * a > sign * b for a, b in zip(kernel, power, strict=True)) for sign in (1, -1))
    return (
        f"At p = {number(p, 2)} the power has the smaller test error on {lower} of {len(kernel)} data sets. "
        f"On {higher} it has the larger one."
    )


def rare(data: Dataset, kernel: Kernel, alpha: Any) -> Measured:
    """Return test errors of k0, k1 and k2 at an exponent of h(z) = (1 − z^α)^{1/α}. [C] Definition 3, section 7.1."""
    return {
        "k0: a match counts 1": _errors(data, Overlap()).test,
        "k1: a match counts h(P)": _errors(data, ProbabilityOverlap(alpha=float(alpha))).test,
        "k2: unequal rare categories count g": _errors(data, GeneralOverlap(alpha=float(alpha))).test,
    }


def few_rows(data: Dataset, kernel: Kernel, rows: Any) -> Measured:
    """Return test errors of k1 where P is estimated from a few of the training rows, and from all of them.

    Each half draws its rows once; the machine trains on all rows of the half. [C] section 4.2.
    """
    inputs, y = data.inputs, np.asarray(data.y)

    def predict(train: Array, test: Array) -> list[Array]:
        predicted = []
        for count in (int(rows), data.n):
            source = np.random.default_rng(0).choice(train, min(count, len(train)), replace=False)
            own = ProbabilityOverlap().fit(inputs[source], y[source])
            predicted.append(_predicted(data, train, own, inputs[train], inputs[test]))
        return predicted

    return _on_halves(data, ("P from few rows", "P from all training rows"), predict)


def likeness(data: Dataset, kernel: Kernel, share: Any) -> Measured:
    """Return how often the most similar pairs, a share of all in percent, have one class, and how often any pair."""
    assert data.y is not None
    K, y = kernel.specification.fold(data.inputs, y=data.y).K, np.asarray(data.y)
    first, second = np.triu_indices(len(y), 1)
    alike = cosine(K)[first, second]
    order = np.argsort(-alike, kind="stable")[: max(1, round(float(share) / 100 * len(alike)))]
    same = y[first] == y[second]
    return {"most similar pairs": float(same[order].mean()), "all pairs": float(same.mean())}


def length(data: Dataset, kernel: Kernel, _: Any = None) -> Measured:
    """Return test errors of a kernel as it is and normalised, and of the size of the rows alone."""
    long = row_sizes(data)[:, None]
    return {
        "as it is": _errors(data, kernel).test,
        "normalised": _errors(data, Normalized(kernel)).test,
        "size alone": _errors(data, RBF(sigma=float(long.std())), long).test,
    }


def row_sizes(data: Dataset) -> Array:
    """Return the sizes of rows that differ in size."""
    sizes = data.row_kind.sizes(data)
    if sizes is None:
        raise DataError(f"{data.title}: rows of this kind have no size; expected strings, texts, graphs or series.")
    if len(set(sizes)) == 1:
        raise DataError(f"{data.title}: all rows have the size {number(sizes[0])}; expected rows of different sizes.")
    return np.asarray(sizes, dtype=np.float64)


def with_rows(data: Dataset, n: int) -> Dataset:
    """Return at most n rows, classes in their proportions."""
    return data.stratified_sample(n) if data.n > n and data.row_kind.independent else data


#: What each lab measures, by the lab's name.
MEASUREMENTS = {
    "criterion": Measurement(criteria, _criteria_words, 2),
    "transduction": Measurement(transduction, _transduction_words, 3),
    "pixels": Measurement(
        pixels,
        "Degree {at}: the test error is {0} in [0, 1] and {1} in [−1, 1]. The diagonal ratio is {3} and {4}. "
        "Lengths normalised in [0, 1] give {2}.",
        3,
    ),
    "capacity": Measurement(
        capacity,
        "At {at} the training error is {3} on shuffled labels, and {1} on the true ones. "
        "On new rows the test errors are {2} and {0}.",
        4,
    ),
    "selection": Measurement(
        selection,
        "Keeping {at} of the columns, the test error is {0}. Chosen on all rows, test rows included, it would be {1}. "
        "The power of the kernel, on all columns, has {2}.",
        3,
    ),
    "regulariser": Measurement(
        regulariser,
        "At {at} the test error is {1} with Σ a², and {0} with ‖w‖². "
        "The SVM with K K′ decides as Σ a² does: values of f differ by at most {3}.",
        3,
    ),
    "bandwidth": Measurement(
        bandwidth, "With h from {at} rows, eight draws of them give test errors of level 1 from {2} to {0}.", 3
    ),
    "virtual": Measurement(
        virtual,
        "With {at} training images the test error is {0}; with shifted copies of the support vectors it is {1}.",
        2,
    ),
    "rare": Measurement(
        rare,
        "At {at} the test error is {0} with plain matches, and {1} where rare matches count more. "
        "With g between unequal categories it is {2}.",
        3,
    ),
    "few-rows": Measurement(
        few_rows,
        "With P from {at} rows the test error is {0}; with P from all training rows {1}. "
        "A category that these rows lack counts as the rarest.",
        2,
    ),
    "likeness": Measurement(likeness, "Of the {at} most similar pairs, {0} have the same class; of all pairs {1}.", 2),
    "length": Measurement(
        length,
        "At {at} the test error is {0}, and {1} once the kernel is normalised. The size of the rows alone has {2}.",
        3,
    ),
}
