"""The sweep: one fold result after another, for every value of an axis and every split.

The base Gram matrix is computed once for the whole run; kernels that learn are fitted on each training part alone. The
outer loop runs over splits, so that the whole curve appears early.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from ..core.base import Kernel, Memo
from ..core.steps import normal_form
from ..data import Dataset
from ..errors import DataError, KernlibError
from ..numerics.workers import Backend, chosen_backend, memory_budget, one_blas_thread, spread
from ..values.domains import form
from ..wrappers.landmarks import LandmarkAccuracy, landmark_error, landmarks_of
from .axis import with_value
from .folds import REFERENCE, FoldResult, Group, Keep, Part, Point, Setting, groups, parts, run
from .spec import RunSpec


def bytes_needed(groups: Iterable[Group], n: int, train: int, test: int, jobs: int = 1) -> int:
    """Return the bytes of an (n, n) matrix for every kernel that learns nothing, and of the folds in progress.

    For a kernel that `has_factor`, a fold holds its factor alone, with one column per landmark.

    >>> from kernlib import RBF
    >>> from kernlib.experiments import RunSpec
    >>> from kernlib.experiments.folds import groups
    >>> bytes_needed(groups(RunSpec("colon", RBF())), n=62, train=31, test=31) // 8
    11532
    """
    matrices: set[Kernel] = set()
    fold = 0
    for group in groups:
        for kernel in map(normal_form, group.kernels):
            _looked_up(kernel, matrices)
            if kernel.has_factor:
                columns = min(train, landmarks_of(kernel))
                # The values against the landmarks, the factor, the machine's copies; its (m, m) matrices.
                fold = max(fold, 6 * (train + test) * columns + 4 * columns**2)
            else:
                # The slice, its transform, the machine's copy and a temporary; (m, n) twice.
                fold = max(fold, 4 * train * train + 4 * test * train)
    return 8 * (len(matrices) * n * n + jobs * fold)


def _looked_up(kernel: Kernel, kernels: set[Kernel]) -> None:
    if kernel.fitted:
        kernels.add(kernel)
        kernels.update(part for part in kernel.walk() if not part.children)
        return
    for below in kernel.needs:
        _looked_up(below, kernels)


def check_memory(needed: int, n: int) -> None:
    """Raise DataError, with a sample size that fits, if a run needs more than the memory budget."""
    budget = memory_budget()
    if needed <= budget:
        return
    fits = max(2, int(n * (budget / needed) ** 0.5))
    raise DataError(
        f"The run needs {needed / 2**30:.3g} GiB for its Gram matrices over {n} rows; expected at most "
        f"{budget / 2**30:.3g} GiB. Take a sample of at most {fits} rows, vary fewer values of the kernel, or "
        "use landmarks: Nystrom(kernel, landmarks=300)."
    )


class SingleRun(NamedTuple):
    """A run on one data set with one protocol, and the place of its results in the whole run.

    `whole` maps its values, and REFERENCE, to those of the whole run; `first_split` is the number of its first split.
    """

    spec: RunSpec
    whole: dict[Any, Any]
    first_split: int


def single_runs(spec: RunSpec) -> tuple[SingleRun, ...]:
    """Return the runs that a spec consists of: one per value of a protocol axis, and per draw.

    >>> from kernlib import RBF
    >>> from kernlib.experiments import Axis
    >>> spec = RunSpec("twonorm", RBF(), axis=Axis("protocol.train", (0.3, 0.5)), draws=3)
    >>> runs = single_runs(spec)
    >>> len(runs), runs[4].spec.parameters, runs[4].first_split
    (6, (('seed', 1),), 25)
    """
    inner = [axis for axis in spec.axes if not axis.outside]
    runs = []
    for fixed in itertools.product(*(axis.values if axis.outside else (None,) for axis in spec.axes)):
        one = replace(spec, draws=1).over(inner)
        for axis, value in zip(spec.axes, fixed, strict=True):
            one = _with_protocol(one, axis.path, value) if axis.outside else one
        whole: dict[Any, Any] = {REFERENCE: REFERENCE}
        for value in one.values:
            left = iter(one.by_axis(value))
            named = [v if axis.outside else next(left) for axis, v in zip(spec.axes, fixed, strict=True)]
            whole[value] = tuple(named) if len(named) > 1 else named[0] if named else None
        for draw in range(spec.draws):
            runs.append(SingleRun(_redrawn(one, draw) if draw else one, whole, draw * one.protocol.count))
    return tuple(runs)


def _with_protocol(spec: RunSpec, path: str, value: Any) -> RunSpec:
    return replace(spec, protocol=with_value(spec.protocol, path.split(".")[1:], value))


def _redrawn(spec: RunSpec, draw: int) -> RunSpec:
    """Return the spec with the seeds of data and splits increased by `draw`."""
    given = dict(spec.parameters)
    drawn = replace(spec, parameters=tuple((given | {"seed": int(given.get("seed", 0)) + draw}).items()))
    return _with_protocol(drawn, "protocol.seed", spec.protocol.seed + draw)  # type: ignore[attr-defined]


def sweep(
    spec: RunSpec,
    data: Dataset | None = None,
    *,
    done: Collection[tuple[Any, int]] = (),
    cancelled: Callable[[], bool] = lambda: False,
    jobs: int = 1,
    backend: Backend = "auto",
    keep: Keep | None = None,
) -> Iterator[FoldResult]:
    """Yield the fold results of a run as they are computed; the same numbers for any `jobs` and `backend`.

    Parameters
    ----------
    data : the data set if it is already loaded; required for an upload.
    done : (value, split) pairs to skip.
    cancelled : called before every fit; a split that is not complete is discarded.
    jobs : workers, 1 computes in the caller's own thread.
    backend : "threading" (matrices are shared; libsvm and BLAS release the interpreter lock), "loky"
        (processes, for kernels that learn in pure Python), "dask" (the cluster that
        `cluster_address` names), or "auto": with one worker the caller's thread, else the cluster if
        one is configured, else threads or processes by the kernel's nature.
    keep : called with the value, the split, the predictions and the decisions of every fold of a run in this thread.

    A fold that raises does not end the run: its result names the problem. Work lost to a dead worker is redone.
    Memory: one (n, n) matrix for the base kernel and one for every value of a kernel axis.
    Raises DataError for data without labels, another data set than the spec's upload, too little
    memory, and what the protocol raises; ParameterError for a backend that is not available.

    >>> from kernlib import RBF
    >>> from kernlib.protocols import RepeatedSplits
    >>> spec = RunSpec("breast-cancer-10", RBF(sigma="median"), protocol=RepeatedSplits(repeats=2))
    >>> [result.score < 0.2 for result in sweep(spec)]
    [True, True]
    """
    runs = single_runs(spec)
    if len(runs) > 1:
        return _one_by_one(runs, spec, data, set(done), cancelled=cancelled, jobs=jobs, backend=backend)
    data = matching(spec, data)
    setting, grouped = Setting.of(spec, data), groups(spec)
    first = next(parts(setting, data))
    check_memory(bytes_needed(grouped, data.n, len(first.train), len(first.test), max(1, jobs)), data.n)
    backend = chosen_backend(backend, jobs, natural_backend(spec), "sweep")
    finished = set(done)
    work = Work(setting, data, grouped, lambda value, split: (value, split) in finished, cancelled, keep)
    return _results(work, finished, jobs, backend)


def _one_by_one(
    runs: Sequence[SingleRun], spec: RunSpec, data: Dataset | None, done: set[tuple[Any, int]], **options: Any
) -> Iterator[FoldResult]:
    """Yield the results of several data sets or protocols in turn, one sweep for each."""
    for one, whole, first in runs:
        known = data if one.parameters == spec.parameters else None
        pairs = itertools.product(whole, range(one.protocol.count))
        own = {(value, split) for value, split in pairs if (whole[value], split + first) in done}
        for result in sweep(one, known, done=own, **options):
            yield replace(result, value=whole[result.value], split=result.split + first)


def matching(spec: RunSpec, data: Dataset | None) -> Dataset:
    """Return the spec's data: loaded from the catalogue, or the given data set if its digest is that of the upload."""
    if data is None:
        return spec.load()
    if spec.upload and data.digest != spec.upload:
        raise DataError(
            f"{data.name}: the run was specified for other data; expected digest {spec.upload[:12]}…, "
            f"got {data.digest[:12]}…. Choose the same file, column roles and sample as in the run."
        )
    return data


def natural_backend(spec: RunSpec) -> Backend:
    """Return "loky" for kernels whose folds hold the interpreter lock (strings or graphs that learn), else "threading".

    >>> from kernlib import Empirical, Power, Subsequence
    >>> natural_backend(RunSpec("promoters", Empirical(Power(Subsequence()))))
    'threading'
    """
    leaves = (part for part in spec.kernel.walk() if not part.children)
    return "loky" if any(leaf.learns and form(leaf.reads).objects for leaf in leaves) else "threading"


#: A group, its points that are still to be computed, and a split.
Task = tuple[Group, list[Point], Part]


@dataclass
class Work:
    """The folds still to be computed; a group is bound when its first fold is sent, and only once.

    `skip` says of a value and the number of a split whether its result is not wanted. All is done with one BLAS thread,
    so that a base matrix has the same last digits wherever folds are computed.
    """

    setting: Setting
    data: Dataset
    groups: list[Group]
    skip: Callable[[Any, int], bool]
    stop: Callable[[], bool]
    keep: Keep | None = None
    memo: Memo = field(default_factory=dict)
    abandoned: bool = False
    bound: dict[int, Group] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Task]:
        for part in parts(self.setting, self.data):
            if self.cancelled():
                return
            yield from self.on(part)

    def on(self, part: Part) -> Iterator[Task]:
        """Yield the tasks of one split."""
        for number, group in enumerate(self.groups):
            todo = [point for point in group.points if not self.skip(point.value, part.number)]
            if not todo:
                continue
            if self.cancelled():
                return
            if number not in self.bound:
                self.bound[number] = group.bind(self.data.inputs, self.memo)
            yield self.bound[number], todo, part

    def cancelled(self) -> bool:
        return self.abandoned or self.stop()


def _results(work: Work, finished: set[tuple[Any, int]], jobs: int, backend: Backend) -> Iterator[FoldResult]:
    """Yield the results as they come, from this thread, threads, processes or a cluster.

    Threads share the matrices, and stop before their next fit when nobody wants their results.
    """
    apart = backend == "dask" or (backend == "loky" and jobs != 1)
    watched: dict[str, Any] = {"cancelled": _never} if apart else {"cancelled": work.cancelled, "keep": work.keep}
    function = partial(run, setting=work.setting, **watched)
    results = spread(function, lambda: work, jobs, backend, owner="sweep")
    try:
        for of_task in results:
            finished.update((r.value, r.split) for r in of_task)
            yield from of_task
            if work.cancelled():
                return
    finally:
        work.abandoned = True
        results.close()


def _never() -> bool:
    return False


def landmark_errors(spec: RunSpec, data: Dataset | None = None) -> dict[Any, LandmarkAccuracy]:
    """Return the error of the landmarks by value of the axis, on the first split's training part; empty without any.

    Values whose kernel cannot be fitted are left out. Of a run over several data sets, the first set is used.
    Raises as `sweep`.

    >>> from kernlib import RBF, Nystrom
    >>> from kernlib.experiments import Axis
    >>> spec = RunSpec("iris", Nystrom(RBF()), axis=Axis("kernel.landmarks", (5, 40)))
    >>> errors = landmark_errors(spec)
    >>> errors[40].relative < errors[5].relative
    True
    """
    one = single_runs(spec)[0].spec
    data = matching(one, data if one.parameters == spec.parameters else None)
    setting = Setting.of(one, data)
    kernels = {value: one.at(value)[0] for value in one.values}
    if one.reference is not None:
        kernels[REFERENCE] = one.reference
    train = next(parts(setting, data)).train
    errors: dict[Kernel, LandmarkAccuracy | None] = {}
    with one_blas_thread():
        for kernel in {*kernels.values()}:
            errors[kernel] = None
            with suppress(KernlibError):  # the run's results report it
                errors[kernel] = landmark_error(kernel, data.inputs[train], setting.y[train])
    return {value: error for value, kernel in kernels.items() if (error := errors[kernel]) is not None}
