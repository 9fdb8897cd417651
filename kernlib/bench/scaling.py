"""``python -m kernlib bench --workers``: predicted and measured cost of workers, a million rows on paper."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from joblib import delayed

from ..algebra import Constant
from ..base import Kernel
from ..blas import one_blas_thread
from ..errors import ParameterError
from ..kernels.subsequence import Subsequence
from ..kernels.vectors import RBF
from ..large import GramOperator, gram_blocks
from ..large.cost import Counts, Rates, gram_counts, product_counts, seconds
from ..values.words import size_in_words
from ..workers import require_distributed, spread
from .case import numbers, strings
from .limits import best_of

__all__ = ["run_scaling"]

_COLUMNS = 60
_MILLION = 1_000_000


@dataclass(frozen=True)
class _Work:
    name: str
    kernel: Kernel
    rows: Any
    row_bytes: int
    block: int
    to_file: bool

    @property
    def n(self) -> int:
        return len(self.rows)

    def counts(self, workers: int) -> Counts:
        if self.to_file:
            return gram_counts(self.n, self.block, self.row_bytes, workers)
        return product_counts(self.n, self.block, self.row_bytes, _COLUMNS, workers=workers)

    def do(self, backend: Any, jobs: int = 1) -> None:
        how: Any = dict(block=self.block, backend=backend, jobs=jobs)
        if self.to_file:
            with tempfile.TemporaryDirectory() as folder:
                gram_blocks(self.kernel, self.rows, Path(folder) / "K.npy", **how)
        else:
            GramOperator(self.kernel, self.rows, **how) @ np.ones((self.n, _COLUMNS))


def run_scaling(quick: bool = False, toy: bool = False, only: str = "", most: int = 4) -> str:
    """The whole page as Markdown: measured with a Dask cluster on this machine, one worker process for each of 1 to
    `most`; of the works whose name holds the words `only`.

    Raises ParameterError where the extra 'cluster' is not installed, or no work is named so.
    """
    works = _works(quick, toy)
    chosen = [i for i, work in enumerate(works) if only.lower() in work.name.lower()]
    if not chosen:
        raise ParameterError(
            f"bench: --only must be part of a row's name; got {only!r}. Try one of: {'; '.join(w.name for w in works)}."
        )
    cores = os.cpu_count() or 1
    measured: dict[tuple[int, int], float] = {}
    values: list[float] = []
    for workers in range(1, 2 if toy else most + 1):
        with _cluster(workers) as client:
            if not values:
                # On a worker: what Dask does to its memory makes much of a difference to one value.
                values = [client.submit(_value, work).result() for work in works]
                flop, (start, task, byte) = client.submit(_per_flop).result(), _link(1 if toy else 100)
            for i in chosen:
                work = works[i]
                work.do("dask")  # the first run pays for imports
                measured[i, workers] = best_of(lambda work=work: work.do("dask"), 1 if toy else 2)  # type: ignore[misc]
    rates = Rates(0.0, flop, byte, _per_byte_written(works[0]), task, start, cores)
    how = dict(quick=" --toy" if toy else " --quick" if quick else "", plural="" if cores == 1 else "s")
    lines = [_HEAD.format(cores=cores, byte=1e-6 / byte, task=task * 1e3, start=start * 1e3, **how)]
    busy = os.getloadavg()[1] if hasattr(os, "getloadavg") else 0.0
    if busy > 1.5 * cores + 3:
        lines += [f"Take the times below with care: others kept the machine busy, its load was {busy:.0f}.\n"]
    lines += ["| work | workers | predicted | measured | measured / predicted |", "|---|---|---|---|---|"]
    shares = []
    for (i, workers), took in sorted(measured.items()):
        work = works[i]
        told = seconds(work.counts(workers), replace(rates, value=values[i]), workers)
        shares.append(took / told)
        name = work.name if workers == 1 else ""
        lines.append(f"| {name} | {workers} | {_time(told)} | {_time(took)} | {took / told:.2f} |")
    lines += [f"\nMeasured over predicted lies between {min(shares):.2f} and {max(shares):.2f}."]
    lines += [_PAPER.format(value=values[0] * 1e9, flops=1e-9 / flop, link=1 / byte / 1e6)]
    columns = ("way", "values", "flops of products", "traffic", "stored", "1 worker", "8 workers", "64 workers")
    lines += [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    lines += [*_paper(replace(rates, value=values[0], start=0.0, cores=None)), "", _WORDS]
    return "\n".join(lines)


def _works(quick: bool, toy: bool) -> list[_Work]:
    """A matrix that is mostly written, a product that is mostly evaluated, and values that cost much."""
    n, more, m = (60, 60, 12) if toy else (3000, 8000, 300) if quick else (8000, 16_000, 600)
    X, texts = numbers(more, 50), strings(m, 100, "ACDEFGHIKLMNPQRSTVWY")
    side = 16 if toy else 1000
    return [
        _Work(f"RBF, {n} × 50, the matrix to a file", RBF(sigma=5.0), X[:n], 400, side, True),
        _Work(f"RBF, {more} × 50, K V of {_COLUMNS} columns", RBF(sigma=5.0), X, 400, side, False),
        _Work(
            f"subsequences, {m} strings of 100, the matrix to a file", Subsequence(order=3, decay=0.25), texts, 100,
            max(m // 10, 4), True,
        ),
    ]  # fmt: skip


def _paper(rates: Rates) -> Iterator[str]:
    """A million rows of 50 numbers under RBF, in the ways that the library has."""
    m = 1000
    ways: list[tuple[str, Callable[[int], Counts]]] = [
        ("the matrix, tiles of 2048 rows, float32", lambda w: gram_counts(_MILLION, 2048, 400, w, itemsize=4)),
        ("50 leading pairs, 12 passes, tiles of 2048", lambda w: product_counts(_MILLION, 2048, 400, _COLUMNS, 12, w)),
        ("the same, tiles of 16384 (2 GB each)", lambda w: product_counts(_MILLION, 16384, 400, _COLUMNS, 12, w)),
        (
            f"`Nystrom` of {m} landmarks, its factor",
            lambda w: Counts(
                -(-_MILLION // 2048), _MILLION * m, 2.0 * _MILLION * m * m, 8 * _MILLION * m,
                400 * _MILLION + w * 8 * m * m, 8 * _MILLION * m,
            ),
        ),
    ]  # fmt: skip
    for name, of in ways:
        one = of(1)
        times = " | ".join(_time(seconds(of(w), rates, w)) for w in (1, 8, 64))
        sizes = f"{size_in_words(one.traffic)} | {size_in_words(one.stored)}"
        yield f"| {name} | {one.values:.1e} | {one.flops:.1e} | {sizes} | {times} |"


_HEAD = """# Beyond one machine: predicted and measured

Made by `python -m kernlib bench --workers{quick}` on a machine of {cores} core{plural}. Each worker is a process
of a Dask cluster there, with one thread. Predicted: from the time of a few tiles on one worker, from what the
cluster takes for one empty task after the other ({task:.1f} ms) and before the first ({start:.0f} ms), from the rate
at which bytes travel ({byte:.0f} MB/s), and from a file of that size whose values cost nothing; it is the longest of
the workers' own work, of what the one client does for all of them (receiving, writing), and of both together on the
cores that they share. More workers than cores cannot be faster here: the prediction says so, and the measurement
should.
"""

_PAPER = """
## A million rows, on paper

RBF on 10⁶ × 50 numbers, from the same rates: {value:.2g} ns for a value, {flops:.1f} GFLOP/s of products on a worker,
{link:.0f} MB/s between client and workers, each worker on a core of its own. Nothing of this was run.
"""

_WORDS = """Read across: the matrix is a matter of the one client that writes it, whatever the number of workers. So it
is evaluated anew for each pass of an eigenvalue computation; then the traffic of the columns counts, which larger
tiles divide. Landmarks take the n² out of it, with an error that is shown wherever they are used.

## How

With `pip install 'kernlib[cluster]'` on every machine, one worker for each core, and from any of them the command:

```console
$ dask scheduler --port 8786
$ dask worker tcp://SCHEDULER:8786 --nthreads 1 --no-nanny
$ python -m kernlib gram KERNEL DATA --out K.npy --leading 20 --pairs pairs.npz \\
    --backend dask --address tcp://SCHEDULER:8786
```

What a worker that dies has left is done again by the others; what an interrupted command has left, by the same command.
Tried with `Deep(RBF(sigma='median'))` on 20,000 rows, two workers of which one was killed with 15 of 55 tiles written,
and on one machine killed twice, among the tiles and among the eigenpairs: each time the same file to the last bit.
Without a cluster that takes about 25 s on two cores, of which the file's 3.2 GB count as memory where the system has
room for them; without `--out` about 30 s of one core and 0.33 GB."""


@contextmanager
def _cluster(workers: int) -> Iterator[Any]:
    """The client of a Dask cluster on this machine, which is the one that is configured meanwhile."""
    distributed = require_distributed("bench")
    before = os.environ.get("KERNLIB_DASK")
    with distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as cluster, distributed.Client(cluster) as client:  # fmt: skip
        os.environ["KERNLIB_DASK"] = cluster.scheduler_address
        try:
            yield client
        finally:
            if before is None:
                del os.environ["KERNLIB_DASK"]
            else:
                os.environ["KERNLIB_DASK"] = before


def _link(tasks: int) -> tuple[float, float, float]:
    """Seconds before the first task, for a task, and for a byte that travels, as work by tiles has them."""

    def calls(count: int, size: int) -> float:
        sent = lambda: (delayed(np.zeros)(size) for _ in range(count))  # noqa: E731
        return best_of(lambda: list(spread(sent, 1, "dask", owner="bench", one_by_one=True)), 3)

    size = 1 << 20
    calls(2, 1)
    start = calls(1, 1)
    task = max(calls(tasks + 1, 1) - start, 1e-9) / tasks
    few = max(1, tasks // 4)
    return start, task, max((calls(few + 1, size) - start) / few - task, 1e-9) / (8 * size)


def _value(work: _Work) -> float:
    """Seconds for one value on one worker, from a tile beside the diagonal."""
    A, B = work.rows[: work.block], work.rows[work.block : 2 * work.block]
    with one_blas_thread():
        work.kernel(A, B)
        return best_of(lambda: work.kernel(A, B), 3) / (len(A) * len(B))


def _per_flop() -> float:
    K, V = np.ones((1000, 1000)), np.ones((1000, _COLUMNS))
    with one_blas_thread():
        return best_of(lambda: K @ V, 5) / (2 * K.size * _COLUMNS)


def _per_byte_written(work: _Work) -> float:
    """Of the same file with values that cost nothing, written in this process."""
    rows = np.zeros((work.n, 1))
    with tempfile.TemporaryDirectory() as folder:
        names = iter(range(10))

        def write() -> None:
            gram_blocks(Constant(), rows, Path(folder) / f"{next(names)}.npy", block=work.block)

        return best_of(write, 2) / (8 * work.n**2)


def _time(seconds: float) -> str:
    for unit, size in (("days", 86400.0), ("h", 3600.0), ("min", 60.0), ("s", 1.0)):
        if seconds >= 2 * size or unit == "s":
            return f"{seconds / size:.3g} {unit}"
    raise AssertionError
