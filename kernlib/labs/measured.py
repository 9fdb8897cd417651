"""What the labs measure at each stop of their slider: errors by the one protocol, and what stands beside them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..analysis import decompose, diagonal_ratio, relevant_dimension
from ..analysis.gram import centred_alignment
from ..analysis.quick import quick_errors
from ..core.base import Kernel
from ..data import Dataset
from ..errors import DataError
from ..kernels.categorical import GeneralOverlap, Overlap, ProbabilityOverlap
from ..kernels.vectors import RBF, Linear, Polynomial
from ..machines import SVM
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


def _errors(data: Dataset, kernel: Kernel, y: Any = None) -> HalvesErrors:
    labels = data.y if y is None else y
    assert labels is not None
    return errors_on_halves(kernel, data.inputs, labels, task=data.task or "auto", groups=data.groups)


#: The kernel among the training rows of a half, of its test rows with them, and of each test row with itself.
Matrices = tuple[Array, Array, Array]


def _error_on_halves(data: Dataset, matrices: Callable[[Array, Array], Matrices]) -> float:
    """Return the mean test error where `matrices` of (train, test) learns more than a kernel from the training rows."""
    y = np.asarray(data.y)
    machine = halves_machine(suitable_measure(y, "classification"))
    wrong = []
    for train, test in halves_of(y, task="classification", groups=data.groups):
        K, K_star, diagonal = matrices(train, test)
        predicted = machine.fit(K, y[train], task="classification").predict(K_star, diagonal)
        wrong.append(float((predicted != y[test]).mean()))
    return float(np.mean(wrong))


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


def criteria_sentence(known: Mapping[Any, Measured], stop: Any, symbol: str) -> str:
    """Return the test error at a value, the least one, and those of the values that each criterion picks."""
    best = min(sorted(known), key=lambda v: known[v]["test error"])
    words = []
    for name, sign in (("−log ℓ", 1), ("leave-one-out error", 1), ("alignment", -1)):
        least = min(sign * one[name] for one in known.values())
        # Several values may tie: all of them are picked.
        tests = sorted(one["test error"] for one in known.values() if sign * one[name] == least)
        ends = dict.fromkeys((percent(tests[0]), percent(tests[-1])))
        words.append(f"{name.removesuffix(' error')} {' to '.join(ends)}")
    return (
        f"At {symbol} = {number(stop, 2)} the test error is {percent(known[stop]['test error'])}; the least is "
        f"{percent(known[best]['test error'])}, at {number(best, 2)}. "
        f"Values picked by the criteria have test errors {', '.join(words)}."
    )


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


def transduction_sentence(known: Mapping[Any, Measured], stop: Any, symbol: str) -> str:
    """Return what the test rows among the landmarks change at the slider's stop."""
    own, whole = known[stop]["training rows as landmarks"], known[stop]["all rows as landmarks"]
    change = "lower" if whole < own else "higher" if whole > own else "the same"
    than = "" if change == "the same" else f" than {percent(own)} with training rows alone"
    words = f"At {symbol} = {number(stop, 2)}, all rows as landmarks give {percent(whole)}, {change}{than}."
    root = known[stop].get("√K scheme, all rows")
    return words if root is None else f"{words} The √K scheme, on all rows, gives {percent(root)}."


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
    assert data.y is not None
    measured = {
        name: errors_on_halves(k, rows, data.y, task=data.task or "auto", groups=data.groups).test
        for name, (k, rows) in tables.items()
    }
    return measured | {f"ratio {name}": diagonal_ratio(k(rows)) for name, (k, rows) in tables.items()}


def pixels_sentence(known: Mapping[Any, Measured], stop: Any, symbol: str) -> str:
    """Return what the range of the columns changes at a degree, in the error and in the diagonal ratio."""
    here = known[stop]
    a, b, c = here["in [0, 1]"], here["in [−1, 1]"], here["in [0, 1], normalised"]
    r, s = here["ratio in [0, 1]"], here["ratio in [−1, 1]"]
    return (
        f"Degree {stop}: the test error is {percent(a)} in [0, 1] and {percent(b)} in [−1, 1]; ratios {number(r, 2)} "
        f"and {number(s, 2)}. Normalised lengths in [0, 1] give {percent(c)}."
    )


def capacity(data: Dataset, kernel: Kernel, _: Any = None) -> Measured:
    """Return training and test errors on the labels, and on shuffled labels."""
    true, noise = _errors(data, kernel), _errors(data, kernel, np.random.default_rng(0).permutation(np.asarray(data.y)))
    return {
        "test error": true.test,
        "training error": true.training,
        "test error, shuffled labels": noise.test,
        "training error, shuffled labels": noise.training,
    }


def capacity_sentence(known: Mapping[Any, Measured], stop: Any, symbol: str) -> str:
    """Return how well the machine fits shuffled labels at a value, and what that means."""
    here = known[stop]
    fit, new = here["training error, shuffled labels"], here["test error, shuffled labels"]
    return (
        f"At {symbol} = {number(stop, 2)} the machine misfits {percent(fit)} of shuffled training labels, and "
        f"{percent(new)} of new ones. On the true labels the test error is {percent(here['test error'])}."
    )


def selection(data: Dataset, kernel: Kernel, count: Any) -> Measured:
    """Return test errors of a linear machine on the columns that differ most between classes, and of a power.

    Columns are chosen from training rows, or from all rows, which is the leak. They are ranked by the distance of the
    means of the classes over the sum of their spreads ([O] section 4.2 selects by correlation).
    """
    assert data.y is not None
    X, y = np.asarray(data.inputs, dtype=np.float64), np.asarray(data.y)

    def error(chosen_from: Callable[[Array], Array]) -> float:
        def matrices(train: Array, test: Array) -> Matrices:
            chosen = X[:, chosen_from(train)]
            return Linear()(chosen[train]), Linear()(chosen[test], chosen[train]), Linear().diag(chosen[test])

        return _error_on_halves(data, matrices)

    return {
        "columns chosen on training rows": error(lambda train: _telling(X[train], y[train], int(count))),
        "columns chosen on all rows": error(lambda train: _telling(X, y, int(count))),
        "all columns, power of the kernel": _errors(data, Empirical(Power(kernel, p=_POWER))).test,
    }


def _telling(X: Array, y: Array, count: int) -> Array:
    parts = [X[y == c] for c in np.unique(y)]
    means, spreads = np.array([p.mean(axis=0) for p in parts]), np.array([p.std(axis=0) for p in parts])
    score = np.ptp(means, axis=0) / np.maximum(spreads.sum(axis=0), 1e-12)
    return np.argsort(-score, kind="stable")[:count]


def selection_sentence(known: Mapping[Any, Measured], stop: Any, symbol: str) -> str:
    """Return what the selection of so many columns reaches beside the power."""
    here = known[stop]
    own, leak, power = here.values()
    return (
        f"With {stop} columns the test error is {percent(own)}; chosen on all rows it would look like {percent(leak)}. "
        f"The power of the kernel, on all columns, has {percent(power)}."
    )


def regulariser(data: Dataset, kernel: Kernel, C: Any) -> Measured:
    """Return test errors under ‖w‖², under Σ a² with the kernel's values as features, and of the SVM with K K′.

    [O] equations 11 to 16: the last two are one machine. "largest difference" is that of their decisions.
    """
    from sklearn.svm import SVC

    assert data.y is not None
    y, bound = np.asarray(data.y), kernel.specification.bind(data.inputs)
    svm = SVM(C=float(C), scale="spread")
    wrong: dict[str, list[float]] = {"‖w‖²": [], "Σ a²": [], "SVM with K K′": []}
    gap = 0.0
    for train, test in halves_of(y, task="classification", groups=data.groups):
        fold = bound.fold(train, test, y[train])
        assert fold.K_star is not None
        # Features (12): the similarities to the training rows, on the scale on which K K′ has a spread of one.
        unit = np.sqrt(np.square(fold.K - fold.K.mean(axis=0)).sum() / len(fold.K))
        K, new = fold.K / unit, fold.K_star / unit
        plain = svm.fit(fold.K, y[train], task="classification")
        direct = SVC(kernel="linear", C=float(C), tol=1e-6).fit(K, y[train])
        mapped = svm.fit(K @ K.T, y[train], task="classification")
        guesses = (plain.predict(fold.K_star, fold.k_diag), direct.predict(new), mapped.predict(new @ K.T))
        for errors, guess in zip(wrong.values(), guesses, strict=True):
            errors.append(float((guess != y[test]).mean()))
        values = np.abs([np.ravel(direct.decision_function(new)), np.ravel(mapped.decision(new @ K.T))])
        gap = max(gap, float(np.ptp(values, axis=0).max()))
    return {name: float(np.mean(errors)) for name, errors in wrong.items()} | {"largest difference": gap}


def regulariser_sentence(known: Mapping[Any, Measured], stop: Any, symbol: str) -> str:
    """Return the errors under both regularisers, and how near the two forms of the second are."""
    here = known[stop]
    return (
        f"At C = {number(stop, 2)}, Σ a² has a test error of {percent(here['Σ a²'])}, and ‖w‖² "
        f"{percent(here['‖w‖²'])}. Decisions of the SVM with K K′ differ from those of Σ a² by at most "
        f"{number(here['largest difference'], 1)}."
    )


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


def bandwidth_sentence(known: Mapping[Any, Measured], stop: Any, symbol: str) -> str:
    """Return how far the test error depends on which rows gave h."""
    low, high = (percent(known[stop][f"{end} of 8 draws"]) for end in ("smallest", "largest"))
    if low == high:
        return f"With h from {stop} rows, the test error of level 1 is {low}, whichever rows are drawn."
    return f"With h from {stop} rows, the test error of level 1 is {low} to {high}, depending on the rows drawn."


def virtual(data: Dataset, kernel: Kernel, count: Any) -> Measured:
    """Return test errors of a machine trained on some images, and again with shifted copies of its support vectors.

    Each support vector is shifted by one pixel in four directions. Schölkopf, Burges and Vapnik, ICANN 1996.
    """
    assert data.y is not None
    X, y, side = np.asarray(data.inputs, dtype=np.float64), np.asarray(data.y), image_side(data)
    plain: list[float] = []
    more: list[float] = []
    for train, test in halves_of(y, task="classification", groups=data.groups):
        own = train[np.argsort(np.random.default_rng(0).random(len(train)))][: int(count)]
        rows, labels = X[own], y[own]
        for errors in (plain, more):
            fitted = SVM(C=10.0, scale="spread").fit(kernel(rows), labels, task="classification")
            wrong = fitted.predict(kernel(X[test], rows), kernel.diag(X[test])) != y[test]
            errors.append(float(wrong.mean()))
            if errors is plain:
                supports = np.asarray(fitted.support_)
                rows = np.vstack([rows, *(_shifted(rows[supports], side, step) for step in _STEPS)])
                labels = np.concatenate([labels, *([labels[supports]] * len(_STEPS))])
    return {"images": float(np.mean(plain)), "with virtual support vectors": float(np.mean(more))}


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
    images = np.pad(rows.reshape(-1, side, side), ((0, 0), (1, 1), (1, 1)), mode="edge")
    down, right = 1 - step[0], 1 - step[1]
    return images[:, down : down + side, right : right + side].reshape(len(rows), -1)


def virtual_sentence(known: Mapping[Any, Measured], stop: Any, symbol: str) -> str:
    """Return what the shifted copies change with so many images."""
    here = known[stop]
    a, b = here["images"], here["with virtual support vectors"]
    return f"With {stop} training images the test error is {percent(a)}; virtual support vectors make it {percent(b)}."


def power_error(data: Dataset, kernel: Kernel, p: float) -> float:
    """Return the test error of a kernel's power with the empirical map; at p = 1 that of the kernel."""
    return _errors(data, Empirical(Power(kernel, p=p))).test


def against_sentence(kernel: Sequence[float], power: Sequence[float], p: float) -> str:
    """Return on how many problems the power has the smaller error, from the errors of both on each problem."""
    lower, higher = (sum(sign * a > sign * b for a, b in zip(kernel, power, strict=True)) for sign in (1, -1))
    return (
        f"At p = {number(p, 2)} the power has the smaller test error on {lower} of {len(kernel)} problems. "
        f"On {higher} it has the larger one."
    )


def rare(data: Dataset, kernel: Kernel, alpha: Any) -> Measured:
    """Return test errors of k0, k1 and k2 at an exponent of h(z) = (1 − z^α)^{1/α}. [C] Definition 3, section 7.1."""
    return {
        "k0: a match counts 1": _errors(data, Overlap()).test,
        "k1: a match counts h(P)": _errors(data, ProbabilityOverlap(alpha=float(alpha))).test,
        "k2: unequal rare categories count g": _errors(data, GeneralOverlap(alpha=float(alpha))).test,
    }


def rare_sentence(known: Mapping[Any, Measured], stop: Any, symbol: str) -> str:
    """Return what rarity, and g beside it, add to plain matches."""
    k0, k1, k2 = known[stop].values()
    return (
        f"At α = {number(stop, 2)} plain matches misclassify {percent(k0)} of new rows, weighted ones {percent(k1)}. "
        f"With g between unequal categories it is {percent(k2)}."
    )


def few_rows(data: Dataset, kernel: Kernel, rows: Any) -> Measured:
    """Return test errors of k1 where P is estimated from a few of the training rows, and from all of them.

    Each half draws its rows once; the machine trains on all rows of the half. [C] section 4.2.
    """
    assert data.y is not None
    inputs, y = data.inputs, np.asarray(data.y)

    def error(count: int) -> float:
        def matrices(train: Array, test: Array) -> Matrices:
            source = np.random.default_rng(0).choice(train, min(count, len(train)), replace=False)
            own = ProbabilityOverlap().fit(inputs[source], y[source])
            return own(inputs[train]), own(inputs[test], inputs[train]), own.diag(inputs[test])

        return _error_on_halves(data, matrices)

    return {"P from few rows": error(int(rows)), "P from all training rows": error(data.n)}


def few_rows_sentence(known: Mapping[Any, Measured], stop: Any, symbol: str) -> str:
    """Return what few rows behind P cost."""
    few, every = known[stop].values()
    return (
        f"With P from {stop} rows the test error is {percent(few)}; with P from all training rows {percent(every)}. "
        "A category that these rows lack counts as the rarest."
    )


def likeness(data: Dataset, kernel: Kernel, share: Any) -> Measured:
    """Return how often the most similar pairs, a share of all in percent, have one class, and how often any pair."""
    assert data.y is not None
    K, y = kernel.specification.fold(data.inputs, y=data.y).K, np.asarray(data.y)
    size = np.sqrt(np.maximum(K.diagonal(), 0.0))
    first, second = np.triu_indices(len(y), 1)
    alike = K[first, second] / np.where((size[first] * size[second]) > 0, size[first] * size[second], np.inf)
    order = np.argsort(-alike, kind="stable")[: max(1, round(float(share) / 100 * len(alike)))]
    same = y[first] == y[second]
    return {"most similar pairs": float(same[order].mean()), "all pairs": float(same.mean())}


def likeness_sentence(known: Mapping[Any, Measured], stop: Any, symbol: str) -> str:
    """Return whether similar rows have one class."""
    near, every = known[stop].values()
    return (
        f"Of the {number(stop, 2)}% most similar pairs, {percent(near)} have one class; of all pairs {percent(every)}."
    )


def length(data: Dataset, kernel: Kernel, _: Any = None) -> Measured:
    """Return test errors of a kernel as it is and normalised, and of the size of the rows alone."""
    assert data.y is not None
    long = row_sizes(data)[:, None]
    return {
        "as it is": _errors(data, kernel).test,
        "normalised": _errors(data, Normalized(kernel)).test,
        "size alone": errors_on_halves(RBF(sigma=float(long.std())), long, data.y, groups=data.groups).test,
    }


def row_sizes(data: Dataset) -> Array:
    """Return the sizes of rows that differ in size."""
    sizes = data.row_kind.sizes(data)
    if sizes is None:
        raise DataError(f"{data.title}: rows of this kind have no size; expected strings, texts, graphs or series.")
    if len(set(sizes)) == 1:
        raise DataError(f"{data.title}: all rows have the size {number(sizes[0])}; expected rows of different sizes.")
    return np.asarray(sizes, dtype=np.float64)


def length_sentence(known: Mapping[Any, Measured], stop: Any, symbol: str) -> str:
    """Return what normalising takes away beside what size alone tells."""
    plain, normal, alone = known[stop].values()
    return (
        f"At {symbol} = {number(stop, 2)} the kernel misclassifies {percent(plain)} of new rows, normalised "
        f"{percent(normal)}. The size of the rows alone misclassifies {percent(alone)}."
    )


def with_rows(data: Dataset, n: int) -> Dataset:
    """Return at most n rows, classes in their proportions."""
    return data.stratified_sample(n) if data.n > n and data.row_kind.independent else data


MEASURES: dict[str, Callable[[Dataset, Kernel, Any], Measured]] = {
    "criteria": criteria,
    "transduction": transduction,
    "pixels": pixels,
    "capacity": capacity,
    "selection": selection,
    "regulariser": regulariser,
    "bandwidth": bandwidth,
    "virtual": virtual,
    "rare": rare,
    "few rows": few_rows,
    "likeness": likeness,
    "length": length,
}
