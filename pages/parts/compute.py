"""Cached accessors: the only place where a page reaches the mathematics.

Nothing is computed twice for one view: all that needs a Gram matrix asks `gram`, all that needs
its spectrum asks `decomposition`. Arrays that come out are shared, and so are read-only.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from kernlib import Kernel, KernlibError, analysis, parse
from kernlib.analysis.relevant import (
    PermutationBand,
    RelevantDimension,
    RelevantDimensionLOO,
    permutation_band,
    relevant_dimension,
    relevant_dimension_loo,
)
from kernlib.analysis.spectrum import Decomposition, decompose
from kernlib.blas import one_blas_thread
from kernlib.data import Dataset, load_dataset
from kernlib.errors import DataError
from kernlib.experiments import (
    CostEstimate,
    Criteria,
    Decisions,
    FromRows,
    GramCost,
    RunSpec,
    cheap_criteria,
    decisions,
    estimate,
    from_all_rows,
    gram_cost,
)
from kernlib.overview.film import Frame, frame_of, missing_frame

from .caching import cached
from .chain import base_of
from .jobs import matrix_job

__all__ = [
    "AT_ONCE",
    "MAX_ROWS",
    "TooLong",
    "angles_and_distances",
    "band",
    "cost",
    "criteria",
    "data_set",
    "decided",
    "decomposition",
    "diagnostics",
    "diagonal_ratio",
    "feature_map",
    "film_order",
    "findings",
    "frame",
    "frames",
    "from_rows",
    "geometry_matrix",
    "gram",
    "heuristics",
    "labelled",
    "loo",
    "order",
    "pace",
    "relevant",
    "require_quick",
    "require_size",
]

#: Rows in one view: a Gram matrix of this size takes 72 MB and a second to decompose.
MAX_ROWS = 3000


@st.cache_resource(max_entries=24, show_spinner="Reading the rows…")
def data_set(name: str, parameters: tuple[tuple[str, Any], ...]) -> Dataset:
    """A catalogue data set with its parameters."""
    return load_dataset(name, **dict(parameters))


def require_size(data: Dataset) -> None:
    """DataError for more rows than a page can hold, before anything is allocated."""
    if data.n > MAX_ROWS:
        raise DataError(
            f"{data.title}: a Gram matrix of {data.n} rows would take {data.n**2 * 8 / 1e6:.0f} MB; expected at "
            f"most {MAX_ROWS} rows here. Choose a smaller sample."
        )


#: Seconds up to which a page computes a Gram matrix itself.
AT_ONCE = 4.0
#: Seconds that a view may take which evaluates kernels anew.
AT_MOST = 20.0


class TooLong(DataError):
    """A Gram matrix that no page waits for; `waiting.panel` offers to compute it apart."""

    def __init__(self, data: Dataset, kernel: Kernel, cost: GramCost) -> None:
        super().__init__(
            f"Comparing {data.n} rows with each other by {' → '.join(kernel.chain())} takes {cost.words()}. "
            "Take fewer rows, or a cheaper kernel."
        )
        self.data, self.kernel, self.cost = data, kernel, cost


@cached(64)
def gram_costs(data: Dataset, kernel: Kernel) -> GramCost:
    """What the Gram matrix will take."""
    return gram_cost(kernel.specification, data)


def require_quick(data: Dataset, kernel: Kernel, times: int = 1) -> None:
    """DataError where a view that evaluates the kernel anew, so many times, would keep its page waiting."""
    cost = gram_costs(data, kernel)
    if cost.seconds * times > AT_MOST:
        often = "" if times == 1 else f", {times} times, each"
        raise DataError(
            f"This view compares all rows anew by {' → '.join(kernel.chain())}{often}, which takes {cost.words()}; "
            "expected a few seconds. Take fewer rows or a cheaper kernel; error curves are computed behind the page."
        )


@cached(12, "Comparing all rows with each other…")
def gram(data: Dataset, kernel: Kernel) -> np.ndarray:
    """The Gram matrix on all rows of the data set; TooLong where it must be computed apart first."""
    require_size(data)
    job = matrix_job(data, kernel)
    if job is not None and job.K is not None:
        K = job.K
    else:
        cost = gram_costs(data, kernel)
        if cost.seconds > AT_ONCE:
            raise TooLong(data, kernel, cost)
        K = kernel.specification.fold(data.inputs, y=data.y).K
    if not np.isfinite(K).all():
        raise DataError(
            f"{kernel!r}: some values are not finite on {data.title}; expected finite numbers. "
            "Standardise the columns, or move the parameters away from their ends."
        )
    K.flags.writeable = False
    return K


def _evaluate(data: Dataset, kernel: Kernel) -> np.ndarray:
    """The Gram matrix of a kernel that is only passed through: a film would sweep the cache of `gram` empty."""
    if repr(kernel) == repr(st.session_state.get("kernel")):
        return gram(data, kernel)
    base = base_of(kernel)
    require_quick(data, base)
    # Over a power or levels the base's matrix is the same in every frame.
    shared = {} if base.learns or base is kernel else dict(_bound(data, base))
    K = kernel.specification.bind(data.inputs, shared).fold(np.arange(data.n), y=data.y).K
    if not np.isfinite(K).all():
        raise DataError("Some values of the kernel are not finite here.")
    return K


@cached(2)
def _bound(data: Dataset, kernel: Kernel) -> dict[Kernel, Kernel]:
    """The look-up of a base kernel that learns nothing."""
    memo: dict[Kernel, Kernel] = {}
    kernel.specification.bind(data.inputs, memo)
    return memo


@cached(32)
def film_order(data: Dataset, kernel: Kernel) -> np.ndarray:
    """The rows' order in all frames of a film: by label, which no value moves, else as `kernel` clusters them."""
    if labelled(data):
        return analysis.order_rows(np.zeros((data.n, data.n)), data.y, "class")
    return analysis.order_rows(_evaluate(data, kernel), by="clustering")


@cached(600)
def _frame(data: Dataset, kernel: Kernel, order_of: str) -> tuple[Frame, float]:
    require_size(data)
    import sklearn.model_selection  # noqa: F401  (a second of loading is not this kernel's pace)

    begin = time.thread_time()  # what this thread works, whatever else the machine is busy with
    K = _evaluate(data, kernel)
    y = data.y if labelled(data) else None
    shown = repr(kernel) == repr(st.session_state.get("kernel"))
    found = frame_of(
        K,
        y,
        film_order(data, parse(order_of) if order_of else kernel),
        None,
        task=data.task or "auto",
        groups=data.groups,
        decomposition=decomposition(data, kernel) if shown and y is not None else None,
    )
    return found, time.thread_time() - begin


def frame(data: Dataset, kernel: Kernel, value: Any = None, order_of: Kernel | None = None) -> Frame:
    """Pictures and quick errors of one kernel; a value at which it cannot be evaluated gives an empty frame.

    `order_of` is the kernel by which unlabelled rows are ordered. One cache serves the overview's pictures, the
    what-if curve, the film, and the first look of an error curve.
    """
    known: set[tuple[str, str, str]] = st.session_state.setdefault("frames.known", set())
    known.add(_frame_key(data, kernel, order_of))
    try:
        return replace(_frame(data, kernel, _order_key(data, order_of))[0], value=value)
    except KernlibError as error:
        return missing_frame(value, data.n, str(error))


def _frame_key(data: Dataset, kernel: Kernel, order_of: Kernel | None) -> tuple[str, str, str]:
    return data.digest, repr(kernel), _order_key(data, order_of)


def frames(
    data: Dataset, kernels: dict[Any, Kernel], seconds: float, order_of: Kernel | None = None
) -> dict[Any, Frame]:
    """Frames of kernels by value, in so far as they are known or the time allows; at least one more a call.

    With no `seconds` at all, only what this session has asked for before. Ends first, then halves of halves, so that
    a curve is there early as a whole.
    """
    begin, found = time.perf_counter(), {}
    values = list(kernels)
    with one_blas_thread():  # a curve in the background leaves a core to whoever moves a slider
        for i in _spread(len(values)):
            started = time.perf_counter()
            if seconds <= 0 and _frame_key(data, kernels[values[i]], order_of) not in st.session_state.get(
                "frames.known", ()
            ):
                continue
            found[values[i]] = frame(data, kernels[values[i]], values[i], order_of)
            now = time.perf_counter()
            if 0 < seconds < now - begin and now - started > 0.002:  # what is known costs next to nothing
                break
    return found


def _spread(count: int) -> list[int]:
    order, step = [0, count - 1], count - 1
    while step > 1:
        step = -(-step // 2)
        order += range(0, count, step)
    order += range(count)
    return list(dict.fromkeys(i for i in order if 0 <= i < count))


def pace(data: Dataset, kernel: Kernel, order_of: Kernel | None = None) -> float:
    """Seconds that the kernel's frame took when it was computed."""
    try:
        return _frame(data, kernel, _order_key(data, order_of))[1]
    except KernlibError:
        return 0.0


def _order_key(data: Dataset, kernel: Kernel | None) -> str:
    # Labels order the rows of labelled data, whatever the kernel: their frames are shared.
    return "" if kernel is None or labelled(data) else repr(kernel)


@cached(64)
def diagonal_ratio(data: Dataset, kernel: Kernel) -> float:
    """Mean diagonal over mean |off-diagonal|, without the spectrum."""
    return analysis.diagonal_ratio(gram(data, kernel))


@cached(64)
def heuristics(data: Dataset, kernel: Kernel) -> dict[str, float]:
    """What the rows suggest for the base kernel's parameters."""
    try:
        return kernel.heuristics(data.inputs)
    except KernlibError:
        return {}


@cached(12)
def from_rows(data: Dataset, kernel: Kernel) -> tuple[FromRows, ...]:
    """The numbers that were set by looking at all rows, those that a run tests on included."""
    return from_all_rows(kernel, data.inputs)


@cached(12, "Finding the eigenvalues…")
def decomposition(data: Dataset, kernel: Kernel) -> Decomposition:
    """The one eigendecomposition of the Gram matrix."""
    return decompose(gram(data, kernel))


@cached(32, "Measuring the matrix…")
def diagnostics(data: Dataset, kernel: Kernel) -> analysis.GramDiagnostics:
    """The numbers beside the heatmap."""
    eigenvalues = decomposition(data, kernel).eigenvalues
    y = data.y if labelled(data) else None
    return analysis.diagnose(gram(data, kernel), y, eigenvalues=eigenvalues, task=data.task or "auto")


@cached(32)
def findings(data: Dataset, kernel: Kernel) -> tuple[analysis.Finding, ...]:
    """What the matrix doctor says."""
    return analysis.examine(gram(data, kernel), data.y, eigenvalues=decomposition(data, kernel).eigenvalues)


@cached(6)
def geometry_matrix(data: Dataset, kernel: Kernel, what: str) -> np.ndarray:
    """Cosines or distances between all rows in feature space."""
    K = gram(data, kernel)
    shown = analysis.cosine(K) if what == "cosines" else np.sqrt(analysis.squared_distances(K))
    shown.flags.writeable = False
    return shown


@cached(6)
def angles_and_distances(data: Dataset, kernel: Kernel) -> analysis.Geometry:
    """Angles and distances of all pairs, with their bounds."""
    return analysis.angles_and_distances(gram(data, kernel))


@cached(12)
def feature_map(data: Dataset, kernel: Kernel) -> np.ndarray:
    """The rows as points whose inner products are the matrix, the leading directions first."""
    found = decomposition(data, kernel)
    return found.eigenvectors * np.sqrt(np.maximum(found.eigenvalues, 0.0))


@cached(32, "Ordering the rows…")
def order(data: Dataset, kernel: Kernel, by: str) -> np.ndarray:
    """Row numbers in the order in which the heatmap shows them."""
    return analysis.order_rows(gram(data, kernel), data.y, by)


@cached(32, "Finding the relevant dimension…")
def relevant(data: Dataset, kernel: Kernel, max_dimension: int | None = None) -> RelevantDimension:
    """Relevant dimension of the labels under the kernel."""
    return relevant_dimension(
        gram(data, kernel),
        _labels(data),
        max_dimension,
        task=data.task or "auto",
        decomposition=decomposition(data, kernel),
        centred=True,
    )


@cached(32, "Leaving rows out one by one…")
def loo(data: Dataset, kernel: Kernel, max_dimension: int | None = None) -> RelevantDimensionLOO:
    """The leave-one-out alternative."""
    return relevant_dimension_loo(
        gram(data, kernel),
        _labels(data),
        max_dimension,
        task=data.task or "auto",
        decomposition=decomposition(data, kernel),
        centred=True,
    )


@cached(32, "Shuffling the labels 200 times…")
def band(data: Dataset, kernel: Kernel, max_dimension: int | None = None) -> PermutationBand:
    """How low −log ℓ falls when the labels are shuffled."""
    return permutation_band(relevant(data, kernel, max_dimension), permutations=200, seed=0)


@cached(64, "Timing a few folds…")
def cost(data: Dataset, kernel: Kernel, spec: RunSpec) -> CostEstimate:
    """What the run will take."""
    return estimate(spec, data)


@cached(16, "Collecting the decisions of all splits…")
def decided(data: Dataset, kernel: Kernel, spec: RunSpec, value: Any) -> Decisions:
    """The test decisions of all splits at one value."""
    require_quick(data, kernel)
    return decisions(spec, data, value)


@cached(16, "Evaluating the criteria at each value…")
def criteria(data: Dataset, kernel: Kernel, spec: RunSpec) -> Criteria:
    """The criteria that need no machine, over the run's axis."""
    require_quick(data, kernel, len(spec.values))
    return cheap_criteria(spec, data)


def _labels(data: Dataset) -> np.ndarray:
    if data.y is None:
        raise DataError(
            f"{data.title} has no labels; this view compares the kernel with labels. Choose a label column."
        )
    return data.y


def labelled(data: Dataset) -> bool:
    """Whether the labels say anything: there are some, and not all one class."""
    return data.y is not None and (data.task == "regression" or len(set(data.y.tolist())) > 1)
