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

from kernlib import Kernel, KernlibError, Nystrom, analysis, parse
from kernlib.analysis.factored import diagnose_factor
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
    landmark_error,
    landmark_errors,
    short_rows,
)
from kernlib.experiments.memory import landmarks_of
from kernlib.folding import factored
from kernlib.overview.film import Frame, frame_of, frame_of_factor, missing_frame
from kernlib.values.factor import Factor
from kernlib.values.words import size_in_words
from kernlib.wrappers.landmarks import LandmarkError
from kernlib.wrappers.nystrom import with_landmarks

from .caching import cached
from .chain import base_of, typical
from .jobs import SpectrumJob, matrix_job, registry, spectrum_job
from .large import LANDMARKS, MAX_ROWS, Sample, is_large, most_rows, shown, whole_of

__all__ = [
    "AT_ONCE",
    "TooLarge",
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
    "in_view",
    "labelled",
    "landmarks_cost",
    "landmarks_of_run",
    "loo",
    "on_its_way",
    "order",
    "pace",
    "relevant",
    "require_quick",
    "require_size",
    "short",
    "spectrum",
]


@st.cache_resource(max_entries=24, show_spinner="Reading the rows…")
def data_set(name: str, parameters: tuple[tuple[str, Any], ...]) -> Dataset:
    """A catalogue data set with its parameters."""
    return load_dataset(name, **dict(parameters))


class TooLarge(DataError):
    """More rows than a page compares in this way; `state.offer` says which way it can."""

    def __init__(self, data: Dataset, kernel: Kernel) -> None:
        self.data, self.kernel, self.most = data, kernel, most_rows(kernel)
        try:
            #: The same by way of landmarks, for as many rows as these allow; None where that is no other kernel.
            self.short: Kernel | None = with_landmarks(kernel, LANDMARKS)
        except KernlibError:  # a kernel that exists for all rows at once
            self.short = None
        said = f"{data.title}: {data.n:,} rows compared with each other would take {size_in_words(data.n**2 * 8)}; "
        said += f"expected at most {self.most:,} rows here"
        if kernel.has_factor:
            said = (
                f"{data.title}: {data.n:,} rows by {landmarks_of(kernel):,} landmarks would take more memory than "
                f"there is; expected at most {self.most:,} rows"
            )
            self.short = None
        elif self.short is not None:
            said += f", or {most_rows(self.short):,} with landmarks as the kernel's last step, when few stand for all"
        super().__init__(f"{said}.")


def require_size(data: Dataset, kernel: Kernel) -> None:
    """TooLarge for more rows than a page can hold with this kernel, before anything is allocated."""
    whole = whole_of(data)
    if whole.n > MAX_ROWS and whole.n > most_rows(kernel):
        raise TooLarge(whole, kernel)


#: Seconds up to which a page computes a Gram matrix itself.
AT_ONCE = 4.0
#: Seconds that a view may take which evaluates kernels anew.
AT_MOST = 20.0


class TooLong(DataError):
    """A Gram matrix that no page waits for; `waiting.panel` offers to compute it apart."""

    def __init__(self, data: Dataset, kernel: Kernel, cost: GramCost) -> None:
        #: What goes on, in words.
        self.words = f"Comparing {data.n:,} rows with {'landmarks' if kernel.has_factor else 'each other'}"
        super().__init__(
            f"{self.words} by {' → '.join(kernel.chain())} takes {cost.words()}. Take fewer rows, or a cheaper kernel."
        )
        self.data, self.kernel, self.cost = data, kernel, cost


def gram_costs(data: Dataset, kernel: Kernel) -> GramCost:
    """What the Gram matrix will take, or the short rows of a large one; every value of a slider about the same."""
    return _gram_costs(whole_of(data) if kernel.has_factor else data, typical(kernel.specification))


@cached(64)
def _gram_costs(data: Dataset, kernel: Kernel) -> GramCost:
    return gram_cost(kernel, data)


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
    """The Gram matrix on all rows that are shown; TooLong where it must be computed apart first."""
    require_size(data, kernel)
    if isinstance(data, Sample) and kernel.has_factor:
        K = short(whole_of(data), kernel).dense(data.places)
        K.flags.writeable = False
        return K
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


@cached(4, "Comparing all rows with the landmarks…", many=2)
def _learnt_short(data: Dataset, kernel: Kernel) -> tuple[Factor, LandmarkError | None]:
    """The short rows of all rows by a kernel with landmarks, and the landmarks' error."""
    require_size(data, kernel)
    job = matrix_job(data, kernel)
    if job is not None and job.short is not None:
        F, error = job.short
    else:
        cost = gram_costs(data, kernel)
        if cost.seconds > AT_ONCE:
            raise TooLong(data, kernel, cost)
        F, error = short_rows(kernel.specification, data)
    F.flags.writeable = False
    return Factor(F), error


def short(data: Dataset, kernel: Kernel) -> Factor:
    """The short rows of all rows of a large data set, by a kernel with landmarks."""
    return _learnt_short(data, kernel)[0]


def _short(data: Dataset, kernel: Kernel) -> Factor:
    plain = kernel.specification
    return factored(plain, plain._rows(data.inputs), None, data.y).K


@cached(4, many=2)
def spectrum(data: Dataset, kernel: Kernel) -> Decomposition:
    """The eigenpairs of all rows: those that the landmarks span, of a large data set."""
    return decompose(short(whole_of(data), kernel)) if _from_short(data, kernel) else decomposition(data, kernel)


def _from_short(data: Dataset, kernel: Kernel) -> bool:
    return kernel.has_factor and is_large(whole_of(data))


def landmarks_cost(data: Dataset, kernel: Kernel) -> LandmarkError | None:
    """How far a kernel's landmarks are from what they stand for, on all rows; None for a kernel without."""
    if _from_short(data, kernel):
        return _learnt_short(whole_of(data), kernel)[1]
    return _landmarks_cost(data, kernel)


@cached(32)
def _landmarks_cost(data: Dataset, kernel: Kernel) -> LandmarkError | None:
    return landmark_error(kernel.specification, data.inputs, data.y) if with_any(kernel) else None


def with_any(kernel: Kernel) -> bool:
    """Whether there are landmarks anywhere in the kernel."""
    return isinstance(kernel, Nystrom) or any(map(with_any, kernel.children))


def _evaluate(data: Dataset, kernel: Kernel) -> np.ndarray:
    """The Gram matrix of a kernel that is only passed through: a film would sweep the cache of `gram` empty."""
    if repr(kernel) == repr(st.session_state.get("kernel")):
        return gram(data, kernel)
    if isinstance(data, Sample) and kernel.has_factor:
        return _short(whole_of(data), kernel).dense(data.places)
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
    require_size(data, kernel)
    import sklearn.model_selection  # noqa: F401  (a second of loading is not this kernel's pace)

    begin = time.thread_time()  # what this thread works, whatever else the machine is busy with
    if isinstance(data, Sample) and kernel.has_factor:
        return _frame_of_all(data, kernel, order_of), time.thread_time() - begin
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


def _frame_of_all(data: Sample, kernel: Kernel, order_of: str) -> Frame:
    """Pictures of the sample, numbers of all rows."""
    whole, here = whole_of(data), repr(kernel) == repr(st.session_state.get("kernel"))
    return frame_of_factor(
        short(whole, kernel) if here else _short(whole, kernel),
        whole.y if labelled(whole) else None,
        data.places,
        film_order(data, parse(order_of) if order_of else kernel),
        None,
        task=whole.task or "auto",
        groups=whole.groups,
        decomposition=spectrum(data, kernel) if here else None,
    )


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


def heuristics(data: Dataset, kernel: Kernel) -> dict[str, float]:
    """What the rows suggest for the base kernel's parameters, whatever they are now."""
    return _heuristics(data, typical(kernel))


@cached(64)
def _heuristics(data: Dataset, kernel: Kernel) -> dict[str, float]:
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
    job = spectrum_job(data, kernel)
    return decompose(gram(data, kernel)) if job is None or job.found is None else job.found


#: Rows from which on the eigenpairs of a matrix are found while its picture is looked at.
LATER = 1000


def on_its_way(data: Dataset, kernel: Kernel) -> SpectrumJob | None:
    """The work on the eigenpairs of a large matrix, to be begun once the page rests; None where it need not wait."""
    if data.n <= LATER or isinstance(data, Sample):
        return None
    job = spectrum_job(data, kernel) or registry().wait_with_spectrum(data, kernel, gram(data, kernel))
    if job.active:
        job.watch()
        return job
    return None


@cached(32, "Measuring the matrix…", many=4)
def diagnostics(data: Dataset, kernel: Kernel) -> analysis.GramDiagnostics:
    """The numbers beside the heatmap."""
    if isinstance(data, Sample) and kernel.has_factor:
        whole = whole_of(data)
        y = whole.y if labelled(whole) else None
        return diagnose_factor(short(whole, kernel), y, data.places, spectrum(data, kernel), task=whole.task or "auto")
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
    found = spectrum(data, kernel)
    U = found.eigenvectors[data.places] if isinstance(data, Sample) and kernel.has_factor else found.eigenvectors
    return U * np.sqrt(np.maximum(found.eigenvalues, 0.0))


@cached(32, "Ordering the rows…")
def order(data: Dataset, kernel: Kernel, by: str) -> np.ndarray:
    """Row numbers in the order in which the heatmap shows them."""
    return analysis.order_rows(gram(data, kernel), data.y, by)


@cached(32, "Finding the relevant dimension…", many=2)
def relevant(data: Dataset, kernel: Kernel, max_dimension: int | None = None) -> RelevantDimension:
    """Relevant dimension of the labels under the kernel."""
    return relevant_dimension(
        _all_of(data, kernel),
        _labels(whole_of(data) if _from_short(data, kernel) else data),
        max_dimension,
        task=data.task or "auto",
        decomposition=spectrum(data, kernel),
        centred=True,
    )


@cached(32, "Leaving rows out one by one…", many=2)
def loo(data: Dataset, kernel: Kernel, max_dimension: int | None = None) -> RelevantDimensionLOO:
    """The leave-one-out alternative."""
    return relevant_dimension_loo(
        _all_of(data, kernel),
        _labels(whole_of(data) if _from_short(data, kernel) else data),
        max_dimension,
        task=data.task or "auto",
        decomposition=spectrum(data, kernel),
        centred=True,
    )


@cached(32, "Shuffling the labels 200 times…", many=4)
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


@cached(16, "Probing the landmarks…")
def landmarks_of_run(data: Dataset, kernel: Kernel, spec: RunSpec) -> dict[Any, LandmarkError]:
    """The error of the landmarks at each value of a run; empty without any."""
    varied = [parse(v) for axis in spec.axes if axis.path == "kernel" for v in axis.values]
    if not any(map(with_any, [k for k in (kernel, spec.reference, *varied) if k is not None])):
        return {}
    require_quick(data, kernel, len(spec.values))
    return landmark_errors(spec, data)


def _all_of(data: Dataset, kernel: Kernel) -> np.ndarray | Factor:
    """What says how alike all rows are: their matrix, or the short rows of a large data set."""
    return short(whole_of(data), kernel) if _from_short(data, kernel) else gram(data, kernel)


@st.cache_resource(max_entries=24, show_spinner=False)
def _shown(digest: str, _data: Dataset) -> Dataset:
    return shown(_data)


def in_view(data: Dataset) -> Dataset:
    """The rows that pictures show, drawn once for a data set; an upload's stay with its session."""
    if not is_large(data):
        return data
    if not data.name.startswith("upload:"):
        return _shown(data.digest, data)
    own: dict[str, Dataset] = st.session_state.setdefault("samples", {})
    if data.digest not in own:
        own.clear()
        own[data.digest] = shown(data)
    return own[data.digest]


def _labels(data: Dataset) -> np.ndarray:
    if data.y is None:
        raise DataError(
            f"{data.title} has no labels; this view compares the kernel with labels. Choose a label column."
        )
    return data.y


def labelled(data: Dataset) -> bool:
    """Whether the labels say anything: there are some, and not all one class."""
    return data.y is not None and (data.task == "regression" or len(set(data.y.tolist())) > 1)
