"""What kernels refuse beyond declared ranges: rows of no kind, and one table of what a kernel refuses by itself."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array

import kernlib
from kernlib import (
    ANOVA,
    RBF,
    ChiSquared,
    Coded,
    CodonImproved,
    CommuteTime,
    Conformal,
    Convolution,
    Deep,
    Diffusion,
    DrawnOverlap,
    Empirical,
    Encoded,
    Entrywise,
    Exponential,
    Fisher,
    GlobalAlignment,
    Graph,
    Imputed,
    Intersection,
    KernlibError,
    LabelPairs,
    LabelSequences,
    LatentSemantic,
    Linear,
    LocalityImprovedImage,
    LogRows,
    Matern,
    MetricPairs,
    Mismatch,
    Mixture,
    Motif,
    On,
    Overlap,
    Pairs,
    Precomputed,
    PrecomputedDistances,
    ProbabilityOverlap,
    Ranged,
    Repaired,
    SoftMarginDiagonal,
    Spectrum,
    SquareRoot,
    Standardized,
    Subsequence,
    TensorPairs,
    VectorSpace,
    WeightedDegree,
    polynomial,
)

from .test_contract import EVERY

X = np.random.default_rng(0).normal(size=(6, 2))
S = np.array([[2.0, 1.0, -0.5], [1.0, 3.0, 0.2], [-0.5, 0.2, 1.0]])
SCORES = np.array([[0.0, 2.0, 1.0], [2.0, 0.0, -1.0], [1.0, -1.0, 3.0]])
EDGE, ARROW = Graph([[0, 1], [1, 0]]), Graph([[0, 1], [0, 0]])
TABLE = np.array([[0.0, 1.0, "red", "ACGT"], [0.5, 1.0, "blue", None]], dtype=object)
RAISED = SoftMarginDiagonal(Linear())


@pytest.mark.parametrize(
    "rows", [5, [], "one", [3.5], [object()]], ids=["number", "none", "text", "numbers", "objects"]
)
def test_rows_of_no_kind(rows):
    for kernel in EVERY:
        if kernel.reads in ("vector", "categorical", "sequence", "text", "graph", "series"):
            with pytest.raises(KernlibError, match=r"expected|reads|no rows|no time series"):
                kernel(rows)


REFUSED = [
    # rows of numbers
    (lambda: Linear()(["a", "b"]), "Linear reads a finite float array"),
    (lambda: Linear()([1.0, 2.0]), "X.reshape(-1, 1)"),
    (lambda: Linear()(np.array([[1, None]], object)), "row 0, column 1 is nan"),
    (lambda: Linear()(np.array([[1, 2], [1, "b"]], object)), "got 'b' in row 1, column 1. Next: enc"),
    (lambda: Linear()(csr_array(X)), "got a sparse csr_array. Next: X.toarray() makes it dense"),
    (lambda: Linear()(X, X[:, :1]), "X has 2 columns and Y has 1"),
    (lambda: Deep(Linear()).fold(np.eye(3), np.eye(3), y=[0, 1]), "one label per row"),
    (lambda: RBF(sigma="median").fit(X, 1), "one label per row; got 6 rows and the int 1"),
    (lambda: RBF(sigma=-1), "0 < sigma, or 'median', or"),
    (lambda: RBF(sigma="median")(np.ones((5, 2))), "median distance between the 5 training rows is 0"),
    (lambda: Empirical(Linear()).fit(np.ones((3, 2)))(np.ones((2, 3))), "has 3 columns; expected 2"),
    (lambda: Standardized(Linear()).fit(np.ones((3, 2)))(np.ones((2, 1))), "has 1 columns; expected 2"),
    (lambda: (Imputed(Linear()) + Linear())(np.array([[1.0], [np.nan]])), "column 0 is nan"),
    (lambda: LogRows(Linear())([[1.0, 0.0]]), "row 0, column 1 is 0"),
    (lambda: ChiSquared()([[1.0, 2.0], [0.5, -1.5]]), "expected counts or shares from 0 on; row 1, column 1 is -1.5"),
    (lambda: Intersection()([[1.0], [-1.5]]), "expected counts or shares from 0 on; row 1, column 0 is -1.5"),
    (lambda: Matern(length="median").fit(np.ones((3, 2))), "distance between the 3 training rows is 0"),
    (lambda: Ranged(Linear(), low=0.0, high=0.0), "expected low < high"),
    (lambda: ANOVA(order=64)(np.zeros((1, 2_000_000))), "ANOVA: order=64 of 2000000 columns makes 2^"),
    (lambda: Exponential(Linear()).diag([[100.0]]), "reaches 1e+04, so with gamma=1.0"),
    (lambda: Conformal(Linear(), f=lambda rows: rows)(X), "expected shape (6,), got shape (6, 2)"),
    (lambda: Conformal(Linear(), f=lambda rows: rows[:, 0] * np.nan)(X), "got values that are not finite"),
    (lambda: (Linear() + LocalityImprovedImage(shape=(2, 2)))(np.ones((3, 5))), "expected 4, one per pixel"),
    (lambda: LocalityImprovedImage(width=4), "Try width=5"),
    (lambda: polynomial(Linear(), (1.0, -0.5)), "finite numbers from 0 on that are not all 0; got (1.0, -0.5)"),
    (lambda: polynomial(Linear(), (0, 0)), "not all 0; got (0, 0). Leave a power out with 0. Try coefficients=(0, 1)"),
    # levels, landmarks, mixtures, drawn functions
    (lambda: Deep(Linear(), level=2, bandwidths=(1.0,)), "expected 2, got 1"),
    (lambda: Deep(Linear(), level=1, bandwidths=(0.0,)), "one finite number above 0, or None, per level"),
    (lambda: Deep(Linear())(np.ones((4, 2))), "all 4 training rows coincide in feature space, or nearly"),
    (lambda: Mixture((Linear(),)), "two kernels or more"),
    (lambda: Mixture((Linear(), Spectrum())), "sequence and vector rows; expected one kind"),
    (
        lambda: Mixture((RBF(), Linear()), weights="alignment").fit(np.ones((4, 2)), [0, 1, 0, 1]),
        "none of the 2 kernels is aligned",
    ),
    (lambda: Entrywise(Linear(), heights=(0.5, 0.2, 1.0)), "at least two heights from 0 on, none lower than the one"),
    (lambda: Entrywise(Linear(), heights=(0.5, 1.0), bottom=2.0), "bottom must be"),
    (lambda: Entrywise(Linear(), heights=(0.0, 1.0), bottom=0.5), "all heights above 0 where bottom is"),
    (lambda: Deep(Linear), "Call the class: Deep(Linear())."),
    (lambda: Deep(len), "Make it one: kernel_from(f)(), from_sklearn(kernel)"),
    (lambda: DrawnOverlap(heights=(0.0, 0.0)), "none negative and one above 0"),
    (lambda: RAISED.fold(X, None, [0.1, 0.2, 0.3, 0.4, 0.5, 0.7]), "y must hold classes;"),
    (lambda: RAISED.fit(X), "labels of the training rows are missing"),
    (lambda: RAISED(X, X), "kernel.fit(train)"),
    (lambda: Repaired(RAISED).fit(X, [0, 1] * 3), "put SoftMarginDiagonal around that step"),
    # categories and columns
    (lambda: Overlap()(["a", "b"]), "got shape (2,). Next: X.reshape"),
    (lambda: Overlap()(np.array([[{}], [{}]])), "unhashable type: 'dict'. Next: turn such entries"),
    (lambda: ProbabilityOverlap().fit([["a"], ["b"]])([["a", "b"]]), "expected 1 as in the training"),
    (lambda: Overlap(composition="product", before="f1", gamma=100.0)([["a"] * 10]), "expected gamma <= 70.98 for"),
    (lambda: Coded(Overlap()), "Coded: expected a kernel that reads vector rows"),
    (lambda: On((), Linear()), "On: columns must be a tuple of different column numbers from 0 on; got ()"),
    (lambda: On((0, 0), Linear()), "different column numbers from 0 on; got (0, 0)"),
    (lambda: On((0,), Precomputed()), "reads matrix rows. Next: use it without this step; its rows are not columns"),
    (lambda: On((2, 3), Spectrum()), "got (2, 3). Next: On((2,), …) + On((3,)"),
    (lambda: (On((0,), Linear()) + On((9,), Linear()))(TABLE), "column 9 does not exist; expected numbers from 0 to 3"),
    (
        lambda: On((0, 2), Linear())(TABLE),
        "must hold numbers, since Linear() reads vectors; got one that is none, could not convert string",
    ),
    (lambda: On((0,), Linear()) + Linear(), "Put each on its own columns"),
    # strings and texts
    (lambda: Subsequence()("acgt"), "list of n strings; got one str"),
    (lambda: Subsequence(weights=(1.0,)), "order=3"),
    (lambda: Motif(patterns=("A[C",)), "Close every bracket"),
    (lambda: Mismatch(length=2, mismatches=3), "length=2"),
    (lambda: Mismatch(alphabet="aab"), "every letter once"),
    (lambda: Mismatch(length=18, mismatches=7)(["ACGT" * 5]), "Choose shorter words or fewer mismatches"),
    (lambda: WeightedDegree()(["ACG", "ACG", "AC"]), "row 0 has 3 letters and row 2 has 2"),
    (lambda: CodonImproved()(["ACG"], ["ACGT"]), "row 0 has 3 letters and the second argument's row 0 has 4"),
    (lambda: Convolution("two-substrings", ()), "kernels must be a tuple of one kernel per part; got ()"),
    (lambda: Convolution("two-substrings", (Spectrum(),)), "makes 2 parts; expected as many kernels, got 1"),
    (lambda: Convolution("two-substrings", (Spectrum(), Precomputed())), "got Precomputed(), which needs"),
    (lambda: Convolution(lambda x: [(x, x)], (Linear(),))(X), "expected 1 parts, got 2 in row 0"),
    (
        lambda: Convolution("two-substrings", (LatentSemantic(concepts=1), Spectrum())).fit(["A"]),
        "none of the 1 training rows can be decomposed; expected at least one",
    ),
    (lambda: Encoded("rbf"), "Encoded: kernel must be a kernel"),
    (lambda: Encoded(Linear()).fold(["ACG"], ["AC"]), "X has 3 letters"),
    (lambda: VectorSpace()(["", "!"]), "the 2 training texts hold no words; expected at least one"),
    # graphs
    (lambda: Graph([[0, 1]]), "adjacency must be square; got shape (1, 2). Give one row"),
    (lambda: Graph([[0, np.nan], [1, 0]]), "entry (0, 1) is nan. Put 0 where there is no edge."),
    (lambda: Graph([[0, -1], [1, 0]]), "weights from 0 on, since they count walks; entry (0, 1) is -1."),
    (lambda: Graph([[0, 1], [0, 0]], None, {(1, 0): "="}), "names (1, 0), expected an edge (i, j)"),
    (lambda: LabelPairs(beta=1.0, series="geometric")([EDGE]), "graph 0 converges only for beta < 1/ρ(E) = 1;"),
    (lambda: LabelSequences(beta=2.0)([EDGE, ARROW]), "expected beta <= 0.99, got 2"),
    (lambda: LabelPairs(beta=1000.0)([Graph(np.ones((2, 2)))]), "larger than a float can hold"),
    (
        lambda: LabelSequences(beta=2.0, series="exponential")([Graph(np.ones((40, 40)))]),
        "expected exp(beta·ρ) < 1e308. Choose a smaller beta.",
    ),
    # nodes, matrices, pairs, series
    (lambda: Diffusion()([[0, 1], [0, 0]]), "entry (0, 1) is 1 and entry (1, 0) is 0. Take (S + S.T) / 2"),
    (lambda: CommuteTime()([[0.0, -1.0], [-1.0, 0.0]]), "weights from 0 on; entry (0, 1) is -1"),
    (lambda: Precomputed()(S, S + 1), "rows of two matrices cannot be distinguished"),
    (lambda: Precomputed().fold(S, S), "Next: bound = kernel.bind(S), then bound(test, train)"),
    (lambda: Precomputed().bind(S)([3]), "row 3 does not exist; expected row numbers from 0 to 2"),
    (lambda: PrecomputedDistances()([[0.0, 1.0], [1.0, 0.5]]), "entry (1, 1) is 0.5"),
    (lambda: SquareRoot(Precomputed())(SCORES), "the square root needs eigenvalues from 0 on; the smallest is -2."),
    (lambda: TensorPairs(Precomputed())([[0, 1]]), "expected TensorPairs(kernel.bind(rows)) for plain"),
    (lambda: MetricPairs(Linear())("01"), "or Pairs(rows, numbers) in their place; got a str."),
    (lambda: TensorPairs(Precomputed().bind(S))([[0, 3]]), "row 3 does not exist; expected row numbers from 0 to 2"),
    (lambda: TensorPairs(Precomputed().bind(S))((S, [[0, 1]])), "already bound to its rows; expected only row"),
    (lambda: Pairs(S, [[0, 1], [-1, 2]]), "Pairs: pair 1 is (-1, 2); expected row numbers from 0 to 2."),
    (lambda: TensorPairs(Linear())(Pairs(S, [[0, 1]]), Pairs(S[:2], [[0, 1]])), "two sets of 3 and 2 different rows"),
    (lambda: GlobalAlignment()([[1.0], []]), "row 1 is no time series"),
    (lambda: GlobalAlignment()([[1.0], [1.0, np.nan]]), "time 1, channel 0 is nan"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_refusals_name_the_problem_and_the_next_step(call, words):
    with np.errstate(over="ignore"), pytest.raises(KernlibError) as error:
        call()
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("kernel", "rows", "words"),
    [
        (Subsequence(order=5), ["abc", "ab", ""], "order=5 needs strings of length 5 or more, the longest here has"),
        (Spectrum(length=4), ["ab", "", "c"], "length=4 needs .* has length 2; every value is 0"),
        (Mismatch(), ["ab", "", "c"], "length=5 needs .* length 2; every value is 0"),
        (CodonImproved(), ["ac", "gt"], "length 3 or more, the longest here has length 2"),
        (WeightedDegree(), ["", ""], "longest here has length 0"),
        (Fisher(), ["", ""], "the 2 training rows .* every value is 0"),
        (ANOVA(order=3), np.ones((4, 2)), "order=3 asks for more columns than the 2 .* Try order=2"),
    ],
)
def test_rows_too_short_leave_zeros_and_a_warning(kernel, rows, words):
    with pytest.warns(UserWarning, match=words):
        K = kernel(rows)
    assert not K.any()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert not kernel.diag(rows).any()


@pytest.mark.parametrize(
    ("text", "chip"),
    [
        ("RBF(sigma=1.5)", "RBF(1.5)"),
        ("RBF(sigma='median')", "RBF(median)"),
        ("Overlap(gamma=2.0)", "Overlap"),
        ("ProbabilityOverlap(before='f1', after='f2')", "ProbabilityOverlap(1, before=f1, after=f2, 1)"),
        ("Mismatch(alphabet='ACGT')", "Mismatch(5, 1, ACGT)"),
        ("LocalityImprovedImage(shape=(28, 28))", "LocalityImprovedImage(28×28, 9, 2, 2)"),
        ("Subsequence(order=2, decay=0.25, weights=(1.0, 2.0))", "Subsequence(2, 0.25, c=(1.0, 2.0))"),
    ],
)
def test_chips_are_short(text, chip):
    assert kernlib.parse(text).chip() == chip
