"""Predicted cost of a Gram matrix by tiles: values, flops, bytes, traffic, and the time at given rates."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Counts:
    """Number of `tiles`, of kernel `values` evaluated and of `flops` for products with columns; bytes `stored` of the
    result, `sent` to the workers and `returned` by them, over all passes."""

    tiles: int
    values: int
    flops: float
    stored: int
    sent: int
    returned: int

    @property
    def traffic(self) -> int:
        """Return the bytes transferred between the workers and the client."""
        return self.sent + self.returned


@dataclass(frozen=True)
class Rates:
    """Seconds for a kernel value on a worker, a flop of a product, a byte transferred, a byte written, the overhead of
    a task, and the start before the first task; `cores` shared by workers and client, None where each has its own
    machine."""

    value: float
    flop: float
    byte: float
    written: float
    task: float
    start: float = 0.0
    cores: int | None = None


def _values(n: int, block: int) -> tuple[int, int]:
    """Return the number of tiles and of their values, in closed form, as n may be a million.

    >>> _values(5, 3) == (3, 9 + 6 + 4)
    True
    """
    whole, rest = divmod(n, block)
    parts = whole + bool(rest)
    diagonal = whole * block**2 + rest**2
    return parts * (parts + 1) // 2, (n * n + diagonal) // 2


def gram_counts(n: int, block: int, row_bytes: int, workers: int = 1, itemsize: int = 8) -> Counts:
    """Return the counts of `gram_blocks`: the whole matrix, evaluated by workers and returned in float64 tiles.

    >>> gram_counts(1_000_000, 2048, row_bytes=400).stored / 1e12
    8.0
    """
    tiles, values = _values(n, block)
    return Counts(tiles, values, 0.0, itemsize * n * n, workers * n * row_bytes, 8 * values)


def product_counts(n: int, block: int, row_bytes: int, columns: int, passes: int = 1, workers: int = 1) -> Counts:
    """Return the counts of a `GramOperator` in `leading_eigenpairs`: K V for `columns` columns, `passes` times.

    Every tile above the diagonal is multiplied twice. Each worker receives V once and returns the share of K V of each
    of its tiles; nothing is stored.

    >>> product_counts(1_000_000, 2048, row_bytes=400, columns=60).flops / 1e12
    120.0
    """
    tiles, values = _values(n, block)
    parts = -(-n // block)
    sent = workers * (8 * columns * n + n * row_bytes)
    # Each part of K V comes from every tile of its row and its column of tiles.
    returned = 8 * columns * n * parts
    return Counts(
        passes * tiles,
        passes * values,
        passes * 2.0 * columns * n * n,
        8 * n * columns,
        passes * sent,
        passes * returned,
    )


def seconds(counts: Counts, rates: Rates, workers: int) -> float:
    """Return the time with `workers`: the longest of their own work, of the client's work, and of both on the cores.

    >>> once = gram_counts(1000, 100, row_bytes=400)
    >>> seconds(once, Rates(value=1e-6, flop=0, byte=0, written=0, task=0), workers=4).__round__(4)
    0.1375
    """
    work = counts.values * rates.value + counts.flops * rates.flop
    client = counts.traffic * rates.byte + counts.stored * rates.written + counts.tiles * rates.task
    shared = 0.0 if rates.cores is None else (work + client) / rates.cores
    return rates.start + max(work / workers, client, shared)
