"""Cached accessors, by which pages reach the mathematics.

Views share Gram matrices by `gram` and eigendecompositions by `decomposition`. Cached values are shared by all callers
and by sessions: nobody writes to their arrays.

What takes longer than a page may is a result: computed in slices by the page's ticks (`Slices`), or behind the page by
a helper process (`jobs.Task`); `waiting.show` draws it. What is quick is an accessor.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np

from kernlib import Kernel, KernlibError, analysis
from kernlib.analysis.doctor import LARGE_DIAGONAL, with_diagonal
from kernlib.analysis.spectrum import Decomposition, decompose
from kernlib.analysis.summary import Summary, summarise
from kernlib.core.folding import factored
from kernlib.data import Dataset
from kernlib.errors import DataError
from kernlib.experiments import (
    CostEstimate,
    Decisions,
    FromRows,
    RunSpec,
    decisions,
    estimate,
    from_all_rows,
    gram_cost,
    landmark_error,
    short_rows,
)
from kernlib.figures.gram import thumbnail
from kernlib.labs.measured import with_rows
from kernlib.machines import Machine
from kernlib.numerics.workers import one_blas_thread
from kernlib.protocols import HalvesErrors, SharedHalves, errors_of_matrix, errors_on_halves
from kernlib.values.arrays import Factor
from kernlib.values.words import size_in_words
from kernlib.wrappers.landmarks import LandmarkAccuracy, landmarks_of, with_landmarks
from pages.parts.server.caching import Known, known
from pages.parts.server.jobs import (
    LANDMARKS,
    Sample,
    Task,
    decompose_at_rest,
    is_large,
    limits,
    most_rows,
    own_task,
    shown,
    start_matrix,
    whole_of,
)
from pages.parts.server.runs import importing, look
from pages.parts.session.chain import base_of, typical
from pages.parts.session.state import is_current, machine_of

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


#: What a result may fail with; any other error is a mistake in the program.
FAILURES = (KernlibError, MemoryError)


@dataclass(eq=False)
class Slices(Generic[K, T]):
    """Pieces by key, computed one by one in the order of `keys`, until one fails.

    A piece is the `function` of what is `given` for its key.
    """

    name: str
    keys: Sequence[K]
    function: Known[..., T]
    given: Callable[[K], tuple[Any, ...]]
    _known: dict[K, T] = field(default_factory=dict)
    _error: Exception | None = None

    def value(self) -> dict[K, T]:
        """Return what is known, without computing."""
        for key in self.keys:
            if key not in self._known and self._error is None and self.function.has(*self.given(key)):
                self._compute(key)
        return self._known

    def failure(self) -> Exception | None:
        return self._error

    def _compute(self, key: K) -> None:
        try:
            self._known[key] = self.function(*self.given(key))
        except FAILURES as error:
            self._error = error

    def done(self) -> bool:
        return len(self.value()) == len(self.keys) or self._error is not None

    def work(self, seconds: float) -> None:
        """Compute pieces for so many seconds, at least one; all where the others take no longer than that again."""
        begin, known = time.perf_counter(), self.value()
        left = [key for key in self.keys if key not in known and self._error is None]
        with one_blas_thread():  # a curve in the background leaves a core to the sliders
            for done, key in enumerate(left):
                spent = time.perf_counter() - begin
                if done and spent >= seconds and spent / done * (len(left) - done) > seconds:
                    break
                look()
                self._compute(key)
                if self._error is not None:
                    break

    def progress(self) -> tuple[float, str]:
        known, total = len(self.value()), len(self.keys)
        return known / total, f"{known} of {total} {self.name}"


class TooLargeError(DataError):
    """More rows than a page can hold with this kernel; `frame.waiting` offers other ways."""

    def __init__(self, data: Dataset, kernel: Kernel) -> None:
        self.data, self.kernel, self.most = data, kernel, most_rows(kernel)
        try:
            #: The same kernel with landmarks; None where landmarks are impossible or do not help.
            self.short: Kernel | None = with_landmarks(kernel, LANDMARKS)
        except KernlibError:  # a kernel that exists for all rows at once
            self.short = None
        message = f"{data.title}: {data.n:,} rows compared with each other would take {size_in_words(data.n**2 * 8)}; "
        message += f"expected at most {self.most:,} rows here"
        if kernel.has_factor:
            message = (
                f"{data.title}: {data.n:,} rows by {landmarks_of(kernel):,} landmarks would take more memory than "
                f"there is; expected at most {self.most:,} rows"
            )
            self.short = None
        elif self.short is not None:
            message += f", or {most_rows(self.short):,} with landmarks as the kernel's last step"
        super().__init__(f"{message}.")


def require_size(data: Dataset, kernel: Kernel) -> None:
    """Raise TooLargeError for more rows than a page can hold with this kernel, before anything is allocated."""
    whole = whole_of(data)
    if is_large(whole) and whole.n > most_rows(kernel):
        raise TooLargeError(whole, kernel)


class TooLongError(DataError):
    """A Gram matrix, or the factor of a large one, that takes too long for a page; a job may compute it."""

    def __init__(self, data: Dataset, kernel: Kernel, cost: CostEstimate) -> None:
        self.data, self.kernel, self.cost = data, kernel, cost
        self._words = f"Comparing {data.n:,} rows with {'landmarks' if kernel.has_factor else 'each other'}"
        chain = " → ".join(kernel.chain())
        super().__init__(f"{self._words} by {chain} takes {cost.words()}. Take fewer rows, or a cheaper kernel.")

    @property
    def job(self) -> Task | None:
        """Return the session's task for it, if it has been started."""
        return own_task("matrices", self.data, self.kernel)

    def start(self) -> None:
        """Compute the matrix behind the page."""
        start_matrix(self.data, self.kernel, self._words, self.cost.seconds if self.cost.sure else 0.0)


def gram_costs(data: Dataset, kernel: Kernel) -> CostEstimate:
    """Return the cost of the Gram matrix, or of the factor of a large one, about the same at all values of a slider."""
    return _gram_costs(typical(kernel.specification), whole_of(data) if kernel.has_factor else data)


_gram_costs = known()(gram_cost)


def require_quick(data: Dataset, kernel: Kernel, times: int = 1) -> None:
    """Raise DataError where a view that evaluates the kernel again, this many times, would block its page."""
    cost = gram_costs(data, kernel)
    if cost.seconds * times > limits().view:
        often, takes = ("", "which takes") if times == 1 else (f", {times} times", "and each time takes")
        raise DataError(
            f"This view compares all rows again by {' → '.join(kernel.chain())}{often}, {takes} {cost.words()}; "
            "expected a few seconds. Take fewer rows or a cheaper kernel; error curves are computed in the background."
        )


def _computed(data: Dataset, kernel: Kernel, make: Callable[[], T]) -> T:
    """Return what a job has computed of data and kernel, or make it; TooLongError where a job must compute it first."""
    require_size(data, kernel)
    job = own_task("matrices", data, kernel)
    if job is not None and job.latest is not None:
        found: T = job.latest
        return found
    cost = gram_costs(data, kernel)
    if cost.seconds > limits().page:
        raise TooLongError(data, kernel, cost)
    return make()


def read_only(values: np.ndarray) -> np.ndarray:
    """Return the same array, which raises an error when it is written to."""
    values.flags.writeable = False
    return values


def _finite(K: np.ndarray, data: Dataset, kernel: Kernel) -> np.ndarray:
    if not np.isfinite(K).all():
        raise DataError(
            f"{kernel!r}: some values are not finite on {data.title}; expected finite numbers. "
            "Standardise the columns, or move the parameters away from their ends."
        )
    return K


@known("Comparing all rows with each other…")
def gram(data: Dataset, kernel: Kernel) -> np.ndarray:
    """Return the Gram matrix on all rows in view; raise TooLongError where a job must compute it first."""
    if isinstance(data, Sample) and kernel.has_factor:
        return read_only(landmark_factor(whole_of(data), kernel).dense(data.places))
    return read_only(_finite(_computed(data, kernel, lambda: _fold(data, kernel)), data, kernel))


@known("Comparing all rows with the landmarks…")
def _learnt_short(data: Dataset, kernel: Kernel) -> tuple[Factor, LandmarkAccuracy | None]:
    """Return the factor of all rows by a kernel with landmarks, and the landmarks' error."""
    F, error = _computed(data, kernel, lambda: short_rows(kernel.specification, data))
    return Factor(read_only(F)), error


def landmark_factor(data: Dataset, kernel: Kernel) -> Factor:
    """Return the factor of all rows of a large data set, by a kernel with landmarks."""
    return _learnt_short(data, kernel)[0]


#: Rows of a small matrix.
FEW = 40


def few_rows(data: Dataset) -> Dataset:
    """Return the rows of a small matrix, classes in their proportions."""
    return with_rows(data, FEW)


def small_matrix(data: Dataset, kernel: Kernel) -> np.ndarray:
    """Return the picture of a kernel's matrix, rows by class."""
    order = np.arange(data.n) if data.y is None else np.argsort(data.y, kind="stable")
    return thumbnail(kernel.specification.fold(data.inputs, y=data.y).K, order)


#: A Gram matrix or a factor, the rows that it compares, and the numbers of the rows drawn where not all are.
Compared = tuple[np.ndarray | Factor, Dataset, np.ndarray | None]


def compared(data: Dataset, kernel: Kernel) -> Compared:
    """Return the Gram matrix of the rows, or of a large data set the factor of all rows.

    That of a kernel that is not the session's is not kept: a slider's frames would empty the cache.
    """
    if _from_short(data, kernel):
        whole, plain = whole_of(data), kernel.specification
        if is_current(kernel) or _learnt_short.has(whole, kernel):
            F = landmark_factor(whole, kernel)
        else:
            F = factored(plain, plain.checked_rows(whole.inputs), None, whole.y).K
        return F, whole, data.places if isinstance(data, Sample) else None
    return matrix(data, kernel), data, None


def matrix(data: Dataset, kernel: Kernel) -> np.ndarray:
    """Return the same as `gram`; that of a kernel that is not the session's is not kept."""
    if isinstance(data, Sample) or is_current(kernel) or gram.has(data, kernel):
        return gram(data, kernel)
    require_quick(data, base_of(kernel))
    return _finite(_fold(data, kernel), data, kernel)


@known()
def spectrum(data: Dataset, kernel: Kernel) -> Decomposition:
    """Return the eigenpairs of all rows; of large data, those that the landmarks span."""
    return (
        decompose(landmark_factor(whole_of(data), kernel)) if _from_short(data, kernel) else decomposition(data, kernel)
    )


def _from_short(data: Dataset, kernel: Kernel) -> bool:
    return kernel.has_factor and is_large(whole_of(data))


@known()
def landmarks_cost(data: Dataset, kernel: Kernel) -> LandmarkAccuracy | None:
    """Return the error of a kernel's landmarks on all rows; None for a kernel without landmarks."""
    if _from_short(data, kernel):
        return _learnt_short(whole_of(data), kernel)[1]
    return landmark_error(kernel.specification, data.inputs, data.y) if landmarks_of(kernel) else None


def _fold(data: Dataset, kernel: Kernel) -> np.ndarray:
    """Return the Gram matrix; a base that learns nothing is evaluated once for all powers, levels and halves."""
    base = base_of(kernel)
    if base.learns:
        return kernel.specification.fold(data.inputs, y=data.y).K
    return kernel.specification.bind(data.inputs, dict(_bound(data, base))).fold(np.arange(data.n), y=data.y).K


@known()
def _bound(data: Dataset, kernel: Kernel) -> dict[Kernel, Kernel]:
    """Return the bound form of a base kernel that learns nothing."""
    memo: dict[Kernel, Kernel] = {}
    kernel.specification.bind(data.inputs, memo)
    return memo


@known()
def film_order(data: Dataset, kernel: Kernel) -> np.ndarray:
    """Return the rows' order in all frames of a film: by label, else as `kernel` clusters the rows."""
    if labelled(data):
        return analysis.order_rows(np.zeros((data.n, data.n)), data.y, "class")
    return analysis.order_rows(gram(data, kernel), by="clustering")


@known()
def _frame(data: Dataset, kernel: Kernel, order_of: Kernel | None, machine: Machine | None) -> Summary:
    try:
        require_size(data, kernel)
        K, whole, sample = compared(data, kernel)
        y, errors = whole.y if labelled(whole) else None, None
        if data.y is not None and y is not None and machine is not None:
            plain, task = kernel.specification, data.task or "auto"
            with suppress(KernlibError):  # rows that cannot be halved, or a machine that fails
                if plain.learns or plain.transductive or isinstance(K, Factor):  # learnt from each training half
                    errors = on_halves(data, plain, machine)
                else:
                    errors = errors_of_matrix(K, data.y, task=task, groups=data.groups, machine=machine)
        return summarise(
            K,
            y,
            film_order(data, order_of or kernel),
            task=whole.task or "auto",
            errors=errors,
            sample=sample,
        )
    except TooLongError:
        raise
    except KernlibError as error:
        return Summary(data.n, problem=str(error))


def on_halves(data: Dataset, kernel: Kernel, machine: Machine, shared: SharedHalves | None = None) -> HalvesErrors:
    """Return the errors on the halves of the rows in view; a base that learns nothing is evaluated once for all."""
    assert data.y is not None
    memo, task = bound_base(data, kernel) if shared is None else None, data.task or "auto"
    return errors_on_halves(
        kernel, data.inputs, data.y, task=task, groups=data.groups, memo=memo, machine=machine, shared=shared
    )


def bound_base(data: Dataset, kernel: Kernel) -> dict[Kernel, Kernel]:
    """Return the bound form of a kernel's base, empty for one that learns; DataError where halves take too long."""
    base = base_of(kernel)
    require_quick(data, base, 2 if base.learns else 1)
    return {} if base.learns else dict(_bound(data, base))


def frame(data: Dataset, kernel: Kernel, order_of: Kernel | None = None) -> Summary:
    """Return pictures and errors of one kernel; an empty frame where the kernel cannot be evaluated.

    `order_of` is the kernel by which unlabelled rows are ordered. One cache serves the page See, its slider,
    and what Choose shows before a run.
    """
    try:
        return _frame(data, kernel, _order_key(data, order_of), machine_for(data))
    except TooLongError as error:
        return Summary(data.n, problem=str(error))


def frames(
    data: Dataset,
    kernels: dict[Any, Kernel],
    order_of: Kernel | None = None,
    name: str = "values",
) -> Slices[Any, Summary]:
    """Return the frames by value, to be asked for in their order; none where all their matrices take too long."""
    order, machine = _order_key(data, order_of), machine_for(data)
    keys = list(kernels)
    if keys and not importing():
        evaluation = gram_costs(data, kernels[keys[0]]).seconds
        if evaluation > limits().value and evaluation * len({*map(base_of, kernels.values())}) > limits().matrix:
            keys = []
    return Slices(name, keys, _frame, lambda value: (data, kernels[value], order, machine))


def _order_key(data: Dataset, kernel: Kernel | None) -> Kernel | None:
    # Labels order the rows of labelled data, whatever the kernel: their frames are shared.
    return None if labelled(data) else kernel


def heuristics(data: Dataset, kernel: Kernel) -> dict[str, float]:
    """Return the values that the rows suggest for the base kernel's parameters."""
    return _heuristics(data, typical(kernel))


@known()
def _heuristics(data: Dataset, kernel: Kernel) -> dict[str, float]:
    try:
        return kernel.heuristics(data.inputs)
    except KernlibError:
        return {}


def graph_frequencies(data: Dataset, kernel: Any) -> np.ndarray:
    """Return the eigenvalues of a node kernel's Laplacian, ascending."""
    return _graph_frequencies(data, typical(kernel))


@known()
def _graph_frequencies(data: Dataset, kernel: Any) -> np.ndarray:
    return np.asarray(kernel.eigenvalues(kernel.checked_rows(data.inputs))[0])


@known()
def from_rows(data: Dataset, kernel: Kernel) -> tuple[FromRows, ...]:
    """Return the numbers that were learnt from all rows, including the test rows of a run."""
    return from_all_rows(kernel, data.inputs)


@known("Computing the eigenvalues…")
def decomposition(data: Dataset, kernel: Kernel) -> Decomposition:
    """Return the eigendecomposition of the Gram matrix."""
    job = own_task("spectra", data, kernel)
    return decompose(gram(data, kernel)) if job is None or job.latest is None else job.latest


#: Above this number of rows the eigenpairs are computed after the picture is drawn.
LATER = 1000


def eigenpairs(data: Dataset, kernel: Kernel) -> Task | None:
    """Return the eigenpairs of a large matrix, to be asked for; None where they are known or quick to compute."""
    if data.n <= LATER or isinstance(data, Sample):
        return None
    task = own_task("spectra", data, kernel) or decompose_at_rest(data, kernel, gram(data, kernel))
    return task if task.active else None


@known("Computing the diagnostics…")
def diagnostics(data: Dataset, kernel: Kernel) -> analysis.GramDiagnostics:
    """Return the numbers beside the heatmap."""
    K, whole, sample = compared(data, kernel)
    y = whole.y if labelled(whole) else None
    eigenvalues = spectrum(data, kernel).eigenvalues
    return analysis.diagnose(K, y, eigenvalues=eigenvalues, task=whole.task or "auto", sample=sample)


@known()
def findings(data: Dataset, kernel: Kernel) -> tuple[analysis.Finding, ...]:
    """Return the findings of the matrix doctor."""
    K = gram(data, kernel)
    try:
        eigenvalues = decomposition(data, kernel).eigenvalues
    except DataError:  # an asymmetric matrix has none, which the doctor says
        eigenvalues = None
    found = (
        *analysis.examine(K, data.y, eigenvalues=eigenvalues),
        *analysis.examine_own(kernel, data.inputs),
    )
    if data.y is None or all(f.name != LARGE_DIAGONAL for f in found):
        return found
    return with_diagonal(found, frame(data, kernel).errors)


@known("Ordering the rows…")
def order(data: Dataset, kernel: Kernel, by: str) -> np.ndarray:
    """Return row numbers in the order in which the heatmap shows them."""
    return analysis.order_rows(gram(data, kernel), data.y, by)


#: The estimated cost of a run on a data set.
cost = known("Timing a few folds…")(estimate)


@known("Collecting the decisions of all splits…")
def decided(data: Dataset, kernel: Kernel, spec: RunSpec, value: Any) -> Decisions:
    """Return the test decisions of all splits at one value."""
    require_quick(data, kernel)
    return decisions(spec, data, value)


_shown = known()(shown)


def in_view(data: Dataset) -> Dataset:
    """Return the rows that pictures show, drawn once for a data set."""
    return _shown(data) if is_large(data) else data


def machine_for(data: Dataset) -> Machine | None:
    """Return the machine of all pages; None where there is nothing to learn, and before machines are imported."""
    return machine_of(data) if labelled(data) and not importing() else None


#: Said where no errors can be measured.
UNLABELLED = (
    "Without labels that differ no kernel is better than another. Choose data with such labels in the line, or name a "
    "label. The page *Use* shows which groups a kernel sees."
)


def labelled(data: Dataset) -> bool:
    """Return whether there are labels, and at least two values of them."""
    return data.y is not None and (data.task == "regression" or len(set(data.y.tolist())) > 1)
