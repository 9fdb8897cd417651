"""[O] Schölkopf, Weston, Eskin, Leslie, Noble 2002: subpolynomial powers p against a large diagonal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import (
    Empirical,
    Linear,
    LogRows,
    Polynomial,
    Power,
    PrincipalComponents,
    Standardized,
    StandardizedRows,
    Subsequence,
    UnitRows,
)
from ..analysis import centred_alignment
from ..data import load_dataset
from ..experiments import REFERENCE, Axis, RunSpec
from ..machines import SVM, NearestNeighbour
from ..protocols import RepeatedKFold, RepeatedSplits
from .experiment import Exact, Experiment, Measured, Row, places, printed

_STRINGS = "orthogonal/table1_strings"
_COLON = "orthogonal/table2_colon_noise"
_HIDDEN = "orthogonal/table3_hidden_variables"
_HARD = SVM(C=math.inf)
_SSK = Subsequence(order=3, decay=0.25)
_HALVES = RepeatedSplits(repeats=20, train=0.5, seed=0)
_ALL_ROWS = (
    "The empirical map uses training and test rows as landmarks, as in the paper's equation 19: a transductive step, "
    "which uses test rows but no test label. With the training rows alone 9 of the 17 figures agree."
)


def _powers(table: str) -> tuple[Row, ...]:
    place = f"{table}/empirical_subpolynomial"
    return tuple(Row(f"p = {p}", f"{place}/{p}", at=float(p)) for p in printed(place))


def _axis(table: str) -> Axis:
    return Axis("kernel.kernel.p", tuple(float(p) for p in printed(f"{table}/empirical_subpolynomial")))


def _toy() -> Sequence[Any]:
    data = load_dataset("large-diagonal-toy")
    K = Linear()(data.rows)
    machine = _HARD.fit(K, np.where(data.y == data.y[0], 1, -1))  # type: ignore[index]
    return K.astype(int).tolist(), (data.rows.T @ machine.weights_).tolist(), float(machine.intercept_[0])


def _figure_2() -> Sequence[Any]:
    K = LogRows(StandardizedRows(Standardized(UnitRows(Linear()))))(load_dataset("colon").rows)
    return [float(K[i, j]) for i in range(4) for j in range(i + 1, 4)]


def _figure_1() -> Sequence[Any]:
    K = _SSK(printed("orthogonal/figure1/strings"))
    return ((K / K.max()).tolist(),)


def _noisy() -> Sequence[Any]:
    """Return mean and spread of the linear kernel's diagonal and off-diagonal increase by the noise, over 20 draws."""
    sizes, products = [], []
    for seed in range(20):
        N = np.asarray(load_dataset("colon-noise", seed=seed, scaling="tissues").rows)[:, 2000:]
        K = N @ N.T
        sizes.append(1.0 + K.diagonal())
        products.append(K[np.triu_indices(len(K), 1)])
    return [_over_draws(np.array(values)) for values in (sizes, products)]


def _over_draws(values: np.ndarray) -> Measured:
    """Return mean and spread of values (draws, entries), with the standard error over the draws."""
    se = values.mean(axis=1).std(ddof=1) / math.sqrt(len(values))
    return Measured(float(values.mean()), float(values.std(ddof=1)), len(values), float(se))


def _summary(values: Sequence[float]) -> list[float]:
    """Return mean and standard deviation of printed entries."""
    return [float(np.mean(values)), float(np.std(values, ddof=1))]


#: K' − K off the diagonal, from the printed entries.
_INCREASE = [
    after - before
    for after, before in zip(
        printed("orthogonal/figure2/after_off_diagonal"), printed("orthogonal/figure2/before").values(), strict=True
    )
]


_ONE_DRAW = "The values have heavy tails: the printed mean and spread are of one draw, ours of twenty."


def _closeness() -> Sequence[Any]:
    """Return the alignment of powers with the Gram matrix of the hidden variables alone, over 20 draws."""
    drawn = []
    for seed in range(20):
        data = load_dataset("hidden-variables", seed=seed)
        K = Polynomial(degree=4, offset=1.0)(data.rows)
        drawn.append([centred_alignment(np.abs(K) ** p, data.rows[:, :10]) for p in _CLOSE])
    return [_over_draws(own[:, None]) for own in np.array(drawn).T]


#: The powers that are compared with the hidden variables.
_CLOSE = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)


def _values() -> Sequence[Any]:
    same, apart = [], []
    for seed in range(20):
        data = load_dataset("markov-strings", seed=seed)
        K, positive = _SSK(data.rows), np.asarray(data.y) == 1
        within = K[np.ix_(positive, positive)]
        same.append(within[np.triu_indices(len(within), 1)])
        apart.append(K[np.ix_(positive, ~positive)].ravel())
    return [[float(np.mean(values)), float(np.std(values))] for values in (same, apart)]


EXPERIMENTS: tuple[Experiment | Exact, ...] = (
    Experiment(
        "O",
        "Table 1",
        "Markov strings: error of a hard-margin SVM",
        RunSpec(
            "markov-strings",
            Empirical(Power(_SSK), landmarks="all"),
            _HARD,
            _HALVES,
            axis=_axis(_STRINGS),
            reference=_SSK,
            draws=20,
        ),
        (Row("original kernel", f"{_STRINGS}/original", at=REFERENCE), *_powers(_STRINGS)),
        realisations=20,
        protocol=_ALL_ROWS + " 20 draws of 50 strings, 20 halves each.",
        tried=2,
    ),
    Experiment(
        "O",
        "Table 1, nearest neighbour",
        "Markov strings: error of the nearest neighbour",
        RunSpec(
            "markov-strings",
            Empirical(Power(_SSK), landmarks="all"),
            NearestNeighbour(k=1),
            _HALVES,
            axis=Axis("kernel.kernel.p", (0.6, 0.3)),
            reference=_SSK,
            draws=20,
        ),
        (
            Row("original kernel", f"{_STRINGS}/one_nearest_neighbour/original", at=REFERENCE),
            *(Row(f"p = {p}", f"{_STRINGS}/one_nearest_neighbour/{p}", at=float(p)) for p in ("0.6", "0.3")),
        ),
        realisations=20,
        protocol=_ALL_ROWS,
        tried=2,
    ),
    Experiment(
        "O",
        "Table 1, kernel PCA",
        "Markov strings: fifteen kernel PCA features, then a hard-margin SVM",
        RunSpec("markov-strings", PrincipalComponents(_SSK, components=15), _HARD, _HALVES, draws=20),
        (Row("15 features", f"{_STRINGS}/kpca_15_features_svm"),),
        realisations=20,
        tried=2,
        protocol="The directions come from all fifty strings, training and test: a transductive step. Uncentred; the "
        "centred features give 0.28, those of the 25 training strings 0.46. 20 draws, 20 halves each.",
    ),
    Experiment(
        "O",
        "Table 2",
        "Colon tissues with 10 000 columns of sparse noise: balanced error",
        RunSpec(
            "colon-noise",
            Empirical(Power(Linear()), landmarks="all"),
            _HARD,
            RepeatedKFold(folds=10, repeats=10),
            "balanced error",
            axis=_axis(_COLON),
            reference=Linear(),
            draws=20,
            parameters=(("scaling", "tissues"),),
        ),
        (Row("original kernel", f"{_COLON}/original", at=REFERENCE), *_powers(_COLON)),
        realisations=100,
        tried=16,
        note="Not explained. Our minimum is a little higher and flatter than the printed one; the printed figures are "
        "of one draw of the noise, ours of twenty.",
        protocol="Logarithms, each tissue standardised, then each gene, rows scaled to length 1: the one of 16 "
        "preparations that gives the cosines of Figure 2. Landmarks are all rows. 20 draws of the noise.",
    ),
    Experiment(
        "O",
        "Table 2, without noise",
        "Colon tissues without added noise: balanced error",
        RunSpec(
            "colon",
            LogRows(StandardizedRows(Standardized(UnitRows(Linear())))),
            _HARD,
            RepeatedKFold(folds=10, repeats=10),
            "balanced error",
        ),
        (Row("without noise", f"{_COLON}/without_noise"),),
        realisations=100,
        tried=16,
        protocol="The genes are standardised on each training part.",
    ),
    Experiment(
        "O",
        "Table 3",
        "Ten hidden variables behind the kernel (⟨h, h'⟩ + 1)⁴: error",
        RunSpec(
            "hidden-variables",
            Empirical(Power(Polynomial(degree=4, offset=1.0))),
            _HARD,
            RepeatedKFold(folds=10, repeats=10),
            axis=_axis(_HIDDEN),
            reference=Polynomial(degree=4, offset=1.0),
            parameters=(("n", 130),),
            draws=10,
        ),
        (Row("original kernel", f"{_HIDDEN}/original", at=REFERENCE), *_powers(_HIDDEN)),
        realisations=100,
        tried=2,
        protocol="The number of rows is not printed. The printed spreads suggest 110 to 130; with 130 rows all 11 "
        "figures agree, with 100 rows 7. 10 draws, 10 × 10 folds.",
    ),
    Exact(
        "O",
        "Section 2",
        "A toy problem that a hard-margin SVM memorises",
        (
            Row("Gram matrix", "orthogonal/toy/gram"),
            Row(
                "weights w",
                "orthogonal/toy/svm_w",
                why="The rows have their last 9 in column 9, the weights their last −0.11 in column 10: one of the two "
                "is misprinted. All other weights agree within one unit of the last printed digit.",
            ),
            Row("threshold b", "orthogonal/toy/svm_b"),
        ),
        _toy,
        decimals=2,
    ),
    Exact(
        "O",
        "Figure 2",
        "Cosines between the first four colon tissues",
        tuple(Row(f"tissues {place.rpartition('/')[2]}", place) for place in places("orthogonal/figure2/before")),
        _figure_2,
        decimals=2,
        protocol="Logarithms, each tissue standardised, then each gene, rows scaled to length 1; 16 preparations were "
        "tried.",
    ),
    Exact(
        "O",
        "Figure 2 with noise, mean of four tissues",
        "Linear kernel after adding sparse noise: mean and spread",
        (
            Row("diagonal of K'", "orthogonal/figure2/after_diagonal"),
            Row("K' − K off the diagonal", "orthogonal/figure2/after_off_diagonal"),
        ),
        _noisy,
        values=(_summary(printed("orthogonal/figure2/after_diagonal")), _summary(_INCREASE)),
        realisations=4,
        protocol="The printed matrix is of one draw of the noise, so its entries are compared in the mean: four on "
        "the diagonal, six increases K' − K off the diagonal, counted as four. Ours are all 62 tissues in 20 draws.",
    ),
    Exact(
        "O",
        "Figure 1",
        "Four strings and their Gram matrix over its largest entry",
        (
            Row(
                "Gram matrix",
                "orthogonal/figure1/gram",
                why="The strings are printed with 18 to 20 of their 20 letters, so the matrix cannot be computed from "
                "them; the order of its diagonal agrees.",
            ),
        ),
        _figure_1,
        decimals=4,
    ),
    Exact(
        "O",
        "Table 1, kernel values",
        "Markov strings: mean and spread of the kernel between strings, 20 draws",
        (
            Row("two of the sticky class", f"{_STRINGS}/kernel_value_same_positive", why=_ONE_DRAW),
            Row("one of each class", f"{_STRINGS}/kernel_value_opposite", why=_ONE_DRAW),
        ),
        _values,
        decimals=5,
    ),
    Exact(
        "O",
        "Hidden variables",
        "Alignment of powers of the kernel with the Gram matrix of the hidden variables",
        tuple(Row(f"alignment at p = {p:g}", "") for p in _CLOSE),
        _closeness,
        of="drawn",
        protocol="Centred alignment of |k|^p with the linear kernel of the ten hidden variables, which the generator "
        "knows; 20 draws. The paper offers closeness to that matrix as an interpretation and measures nothing.",
    ),
)
