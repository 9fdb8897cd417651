"""Predicted and measured time of workers, and a prediction for 10⁶ rows.

python -m tests.benchmarks workers [--only WORDS] [--quick | --toy]
"""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from joblib import delayed

from kernlib.core.algebra import Constant
from kernlib.core.base import Kernel
from kernlib.kernels.subsequence import Subsequence
from kernlib.kernels.vectors import RBF
from kernlib.large import GramOperator, gram_blocks
from kernlib.numerics.blas import one_blas_thread
from kernlib.numerics.workers import require_distributed, spread
from kernlib.values.words import size_in_words, table_lines

from .case import named, numbers, options, strings
from .cost import Counts, Rates, gram_counts, product_counts, seconds
from .limits import best_of

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

    def do(self) -> None:
        how: Any = dict(block=self.block, backend="dask")
        if self.to_file:
            with tempfile.TemporaryDirectory() as folder:
                gram_blocks(self.kernel, self.rows, Path(folder) / "K.npy", **how)
        else:
            GramOperator(self.kernel, self.rows, **how) @ np.ones((self.n, _COLUMNS))


def main(arguments: Sequence[str]) -> None:
    """Read the options and print the page."""
    asked = options(__doc__).parse_args(arguments)
    print(run_scaling(asked.quick, asked.toy, asked.only))


def run_scaling(quick: bool = False, toy: bool = False, only: str = "") -> str:
    """Return the page as Markdown, measured with a Dask cluster of 1 to 4 worker processes on this machine.

    Parameters: `only` a part of a row's name. Raises ParameterError if the extra 'cluster' is not installed, or no name
    matches.
    """
    works = _works(quick, toy)
    names = named([work.name for work in works], only)
    chosen = [work for work in works if work.name in names]
    cores = os.cpu_count() or 1
    measured: dict[tuple[str, int], float] = {}
    values: dict[str, float] = {}
    numbers_of_workers = range(1, 2 if toy else 5)
    for workers in numbers_of_workers:
        with _cluster(workers) as client:
            if not values:
                # On a worker: Dask's memory settings change the time of one value a lot.
                values = {work.name: client.submit(_value, work).result() for work in works}
                flop, (start, task, byte) = client.submit(_per_flop).result(), _link(1 if toy else 100)
            for work in chosen:
                work.do()  # the first run pays for imports
                measured[work.name, workers] = best_of(work.do, 1 if toy else 2)
    rates = Rates(0.0, flop, byte, _per_byte_written(works[0]), task, start, cores)
    how = dict(quick=" --toy" if toy else " --quick" if quick else "", plural="" if cores == 1 else "s")
    lines = [_HEAD.format(cores=cores, byte=1e-6 / byte, task=task * 1e3, start=start * 1e3, **how)]
    busy = os.getloadavg()[1] if hasattr(os, "getloadavg") else 0.0
    if busy > 1.5 * cores + 3:
        lines += [f"The machine had other work during the measurement (load {busy:.0f}): these times are unreliable.\n"]
    shares, rows = [], []
    for work, workers in itertools.product(chosen, numbers_of_workers):
        took = measured[work.name, workers]
        predicted = seconds(work.counts(workers), replace(rates, value=values[work.name]), workers)
        shares.append(took / predicted)
        name = work.name if workers == 1 else ""
        rows.append((name, str(workers), _time(predicted), _time(took), f"{took / predicted:.2f}"))
    lines += table_lines(("work", "workers", "predicted", "measured", "measured / predicted"), rows)
    lines += [f"\nMeasured over predicted: {min(shares):.2f} to {max(shares):.2f}."]
    value = values[works[0].name]
    lines += [_PAPER.format(value=value * 1e9, flops=1e-9 / flop, link=1 / byte / 1e6)]
    columns = ("method", "values", "flops of products", "traffic", "stored", "1 worker", "8 workers", "64 workers")
    lines += [*table_lines(columns, _paper(replace(rates, value=value, start=0.0, cores=None))), "", _WORDS]
    return "\n".join(lines)


def _works(quick: bool, toy: bool) -> list[_Work]:
    """Return three kinds of work: dominated by writing, by evaluating a product, and by expensive values."""
    n, more, m = (60, 60, 12) if toy else (3000, 8000, 300) if quick else (8000, 16_000, 600)
    X, texts = numbers(more, 50), strings(m, 100, "ACDEFGHIKLMNPQRSTVWY")
    side = 16 if toy else 1000
    return [
        _Work(f"RBF, {n} × 50, matrix to a file", RBF(sigma=5.0), X[:n], 400, side, True),
        _Work(f"RBF, {more} × 50, K V of {_COLUMNS} columns", RBF(sigma=5.0), X, 400, side, False),
        _Work(
            f"subsequences, {m} strings of 100, matrix to a file",
            Subsequence(order=3, decay=0.25),
            texts,
            100,
            max(m // 10, 4),
            True,
        ),
    ]


def _paper(rates: Rates) -> Iterator[tuple[str, ...]]:
    """Yield the table's rows: the library's methods for a million rows of 50 numbers with the RBF kernel."""
    m = 1000
    ways: list[tuple[str, Callable[[int], Counts]]] = [
        ("matrix, tiles of 2048 rows, float32", lambda w: gram_counts(_MILLION, 2048, 400, w, itemsize=4)),
        ("50 leading pairs, 12 passes, tiles of 2048", lambda w: product_counts(_MILLION, 2048, 400, _COLUMNS, 12, w)),
        (
            "50 leading pairs, 12 passes, tiles of 16384 (2 GB each)",
            lambda w: product_counts(_MILLION, 16384, 400, _COLUMNS, 12, w),
        ),
        (
            f"factor of `Nystrom` with {m} landmarks",
            lambda w: Counts(
                -(-_MILLION // 2048),
                _MILLION * m,
                2.0 * _MILLION * m * m,
                8 * _MILLION * m,
                400 * _MILLION + w * 8 * m * m,
                8 * _MILLION * m,
            ),
        ),
    ]
    for name, of in ways:
        one = of(1)
        times = [_time(seconds(of(w), rates, w)) for w in (1, 8, 64)]
        sizes = size_in_words(one.traffic), size_in_words(one.stored)
        yield name, f"{one.values:.1e}", f"{one.flops:.1e}", *sizes, *times


_HEAD = """# Beyond one machine: predicted and measured times

`python -m tests.benchmarks workers{quick}` writes this page; the machine had {cores} core{plural}. Each worker is a
process of a Dask cluster on that machine, with one thread. The prediction uses the time of a few tiles on one worker,
the cluster's time for an empty task ({task:.1f} ms) and before the first task ({start:.0f} ms), the transfer rate
({byte:.0f} MB/s), and the time to write a file of that size from values without cost. The predicted time is the
longest of the workers' own work, the client's work (receiving, writing), and both together on the shared cores. More
workers than cores cannot be faster here.
"""

_PAPER = """
## Prediction for a million rows

RBF on 10⁶ × 50 numbers, at the rates above: {value:.2g} ns a value, {flops:.1f} GFLOP/s of products on a worker,
{link:.0f} MB/s between client and workers, each worker on its own core. This table is predicted, not measured.
"""

_WORDS = """The time of the matrix is the time of the client that writes it, for any number of workers. An
eigenvalue computation therefore evaluates the matrix again in each pass; its time then depends on the traffic of the
columns, which larger tiles reduce. Landmarks avoid the factor n², with an error that is shown wherever they are used.

## How to run it

Install `pip install 'kernlib[cluster]'` on every machine, start one worker for each core, and run the command from any
of them:

```console
$ dask scheduler --port 8786
$ dask worker tcp://SCHEDULER:8786 --nthreads 1 --no-nanny
$ python -m kernlib gram KERNEL DATA --out K.npy --leading 20 --pairs pairs.npz \\
    --backend dask --address tcp://SCHEDULER:8786
```

Other workers redo the work lost to a dead worker; the same command resumes after an interruption. Tested with
`Deep(RBF(sigma='median'))` on 20,000 rows: with two workers of which one was killed after 15 of 55 tiles, and on one
machine killed twice, among the tiles and among the eigenpairs. Each time the file was equal to the last bit. Without a
cluster the command takes about 25 s on two cores; the file's 3.2 GB count as memory where the system has room for them.
Without `--out` it takes about 30 s of one core and 0.33 GB."""


@contextmanager
def _cluster(workers: int) -> Iterator[Any]:
    """Yield the client of a Dask cluster on this machine, configured by KERNLIB_DASK meanwhile."""
    distributed = require_distributed("workers")
    before = os.environ.get("KERNLIB_DASK")
    with (
        distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        os.environ["KERNLIB_DASK"] = cluster.scheduler_address
        try:
            yield client
        finally:
            if before is None:
                del os.environ["KERNLIB_DASK"]
            else:
                os.environ["KERNLIB_DASK"] = before


def _link(tasks: int) -> tuple[float, float, float]:
    """Return the seconds before the first task, for a task, and for a byte transferred."""

    def calls(count: int, size: int) -> float:
        sent = lambda: (delayed(np.zeros)(size) for _ in range(count))  # noqa: E731
        return best_of(lambda: list(spread(sent, 1, "dask", owner="workers", one_by_one=True)), 3)

    size = 1 << 20
    calls(2, 1)
    start = calls(1, 1)
    task = max(calls(tasks + 1, 1) - start, 1e-9) / tasks
    few = max(1, tasks // 4)
    return start, task, max((calls(few + 1, size) - start) / few - task, 1e-9) / (8 * size)


def _value(work: _Work) -> float:
    """Return the seconds for one value on one worker, from an off-diagonal tile."""
    A, B = work.rows[: work.block], work.rows[work.block : 2 * work.block]
    with one_blas_thread():
        work.kernel(A, B)
        return best_of(lambda: work.kernel(A, B), 3) / (len(A) * len(B))


def _per_flop() -> float:
    K, V = np.ones((1000, 1000)), np.ones((1000, _COLUMNS))
    with one_blas_thread():
        return best_of(lambda: K @ V, 5) / (2 * K.size * _COLUMNS)


def _per_byte_written(work: _Work) -> float:
    """Return the seconds for a byte of the same file, written in this process from values without cost."""
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
