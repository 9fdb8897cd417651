"""The sweep: one fold result after another, for every value of an axis and every split.

The base Gram matrix is computed once for the whole run; kernels that learn are fitted on each training part alone. The
outer loop runs over splits, so that the whole curve appears early.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from ...core.base import Kernel, Memo
from ...data import Dataset
from ...errors import DataError
from ...numerics.blas import one_blas_thread
from ...numerics.workers import Backend, cluster_address, end_with_parent, require_backend, spread
from ...values.arrays import Array
from ...values.domains import form
from ...values.labels import AskedTask
from ..memory import bytes_needed, check_memory
from ..spec import RunSpec
from .folds import FoldResult, Group, Part, Setting, groups, parts, run
from .single import SingleRun, median_sweep, single_runs, taking_turns


def sweep(
    spec: RunSpec,
    data: Dataset | None = None,
    *,
    done: Collection[tuple[Any, int]] = (),
    cancelled: Callable[[], bool] = lambda: False,
    jobs: int = 1,
    backend: Backend = "auto",
    memory: int | None = None,
) -> Iterator[FoldResult]:
    """Yield the fold results of a run as they are computed; the same numbers for any `jobs` and `backend`.

    Parameters
    ----------
    data : the data set if it is already loaded; required for an upload.
    done : (value, split) pairs to skip.
    cancelled : called before every fit; complete results are still yielded.
    jobs : workers, 1 computes in the caller's own thread.
    backend : "threading" (matrices are shared; libsvm and BLAS release the interpreter lock), "loky"
        (processes, for kernels that learn in pure Python), "dask" (the cluster that
        `cluster_address` names), or "auto": with one worker the caller's thread, else the cluster if
        one is configured, else threads or processes by the kernel's nature.
    memory : memory budget in bytes, by default `memory_budget()`.

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
    if spec.settled:
        loaded = matching(spec, data)
        run_alone = partial(sweep, data=loaded, cancelled=cancelled, jobs=jobs, backend=backend, memory=memory)
        return median_sweep(spec, run_alone, set(done))
    runs = single_runs(spec)
    if len(runs) > 1:
        return _one_by_one(runs, spec, data, set(done), cancelled, jobs, backend, memory)
    data = matching(spec, data)
    y, task = labels_of(data)
    grouped = groups(spec)
    first = next(parts(spec, y, task, data))
    check_memory(bytes_needed(grouped, data.n, len(first.train), len(first.test), max(1, jobs)), data.n, memory)
    require_backend(backend, "sweep")
    if backend == "auto":
        backend = "dask" if jobs > 1 and cluster_address() else natural_backend(spec)
    work = _Work(spec, data, y, task, grouped, set(done), cancelled)
    if backend == "threading" or (backend == "loky" and jobs == 1):
        return _here(work, jobs)
    return _elsewhere(work, jobs, backend)


def _one_by_one(
    runs: Sequence[SingleRun],
    spec: RunSpec,
    data: Dataset | None,
    done: set[tuple[Any, int]],
    cancelled: Callable[[], bool],
    jobs: int,
    backend: Backend,
    memory: int | None,
) -> Iterator[FoldResult]:
    """Yield the results of several data sets or protocols in turn, one sweep for each."""

    def stream(one: SingleRun) -> Iterator[FoldResult]:
        # Started in turn, so that not all data sets are in memory before the first result.
        known = data if one.spec.parameters == spec.parameters else None
        options = dict(done=one.inward(done), cancelled=cancelled, jobs=jobs, backend=backend, memory=memory)
        for result in sweep(one.spec, known, **options):  # type: ignore[arg-type]
            yield one.outward(result)

    # One draw after another, because each holds its data; the values of an axis alternate.
    draws = sorted({one.first_split for one in runs})
    for first in draws:
        yield from taking_turns([stream(one) for one in runs if one.first_split == first])


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


def labels_of(data: Dataset) -> tuple[Array, AskedTask]:
    """Return labels and task; raise DataError for data without labels."""
    if data.y is None:
        raise DataError(f"{data.name}: error curves need labels; expected one per row, got none. Name a label column.")
    return data.y, data.task or "auto"


def natural_backend(spec: RunSpec) -> Backend:
    """Return "loky" for kernels whose folds hold the interpreter lock (strings or graphs that learn), else "threading".

    An attribute `pure_python` of the kernel class overrides the rule.

    >>> from kernlib import Empirical, Power, Subsequence
    >>> natural_backend(RunSpec("promoters", Empirical(Power(Subsequence()))))
    'threading'
    """
    return "loky" if any(map(_pure_python, spec.kernel.walk())) else "threading"


def _pure_python(kernel: Kernel) -> bool:
    declared = getattr(kernel, "pure_python", None)
    return (
        not kernel.children and kernel.learns and (form(kernel.reads).objects if declared is None else bool(declared))
    )


@dataclass
class _Work:
    """The folds still to be computed; a group is bound when its first fold is sent, and only once."""

    spec: RunSpec
    data: Dataset
    y: Array
    task: AskedTask
    groups: list[Group]
    done: set[tuple[Any, int]]
    stop: Callable[[], bool]
    abandoned: bool = False
    bound: dict[int, Group] = field(default_factory=dict)
    memo: Memo = field(default_factory=dict)

    @cached_property
    def setting(self) -> Setting:
        return Setting.of(self.spec, self.task, self.data.groups)

    def __iter__(self) -> Iterator[tuple[Group, tuple[int, ...], Part]]:
        """Yield group, points and split of every task."""
        for part in parts(self.spec, self.y, self.task, self.data):
            for number, group in enumerate(self.groups):
                todo = tuple(i for i, p in enumerate(group.points) if (p.value, part.number) not in self.done)
                if not todo:
                    continue
                if self.cancelled():
                    return
                yield self._bind(number), todo, part

    def _bind(self, number: int) -> Group:
        if number not in self.bound:
            # The same thread count as in the folds, so that a base matrix has the same last digits everywhere.
            with one_blas_thread():
                self.bound[number] = self.groups[number].bind(self.data.inputs, self.memo)
        return self.bound[number]

    def cancelled(self) -> bool:
        return self.abandoned or self.stop()

    def abandon(self, stream: Any) -> None:
        """Stop the threads before their next fit and discard their results."""
        self.abandoned = True
        with suppress(Exception):
            for _ in stream:
                pass
        stream.close()
        self.abandoned = False

    def finished(self, results: list[FoldResult]) -> list[FoldResult]:
        self.done |= {(r.value, r.split) for r in results}
        return results


def _here(work: _Work, jobs: int) -> Iterator[FoldResult]:
    """Yield results computed in this process: in this thread, or on threads that share the matrices."""
    with one_blas_thread():
        if jobs == 1:
            for task in work:
                yield from run(*task, work.setting, work.y, work.cancelled)
                if work.cancelled():
                    return
            return
        from joblib import Parallel, delayed

        calls = (delayed(run)(*task, work.setting, work.y, work.cancelled) for task in work)
        stream = Parallel(n_jobs=jobs, backend="threading", return_as="generator", pre_dispatch="2*n_jobs")(calls)
        try:
            for results in stream:
                yield from results
                if work.cancelled():
                    return
        finally:
            work.abandon(stream)


def _elsewhere(work: _Work, jobs: int, backend: Backend) -> Iterator[FoldResult]:
    """Yield results from processes or a cluster; folds of a dead worker are sent again, finally to this process."""
    from joblib import delayed

    def calls() -> Iterator[Any]:
        return (delayed(_remote)(*task, work.setting, work.y, backend == "loky") for task in work)

    left = spread(calls, jobs, backend, owner="sweep")
    with closing(left):
        while True:
            try:
                results = next(left)
            except StopIteration as ended:
                complete = bool(ended.value)
                break
            yield from work.finished(results)
            if work.cancelled():
                return
    if not complete:
        yield from _here(work, jobs)


def _remote(group: Group, todo: tuple[int, ...], part: Part, setting: Setting, y: Array, own: bool) -> list[FoldResult]:
    if own:
        end_with_parent()
    with one_blas_thread():
        return run(group, todo, part, setting, y, lambda: False)
