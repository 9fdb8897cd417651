"""What a Gram matrix by tiles costs, on paper: values, flops, bytes, traffic, and their time at given rates."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Counts", "Rates", "gram_counts", "product_counts", "seconds"]


@dataclass(frozen=True)
class Counts:
    """`tiles` and kernel `values` that are evaluated; `flops` beside them, for products with columns; `stored` bytes of
    the result; `sent` bytes to the workers and `returned` by them, over all passes."""

    tiles: int
    values: int
    flops: float
    stored: int
    sent: int
    returned: int

    @property
    def traffic(self) -> int:
        """Bytes that travel between the workers and whoever asked."""
        return self.sent + self.returned


@dataclass(frozen=True)
class Rates:
    """Seconds for a kernel value on a worker, a flop of a product, a byte that travels, a byte that is written, a task
    beside its work, and what comes before the first; `cores` that workers and their client share, None where each has
    its own machine."""

    value: float
    flop: float
    byte: float
    written: float
    task: float
    start: float = 0.0
    cores: int | None = None


def _values(n: int, block: int) -> tuple[int, int]:
    """Tiles and the values in them; in closed form, as n may be a million.

    >>> _values(5, 3) == (3, 9 + 6 + 4)
    True
    """
    whole, rest = divmod(n, block)
    parts = whole + bool(rest)
    diagonal = whole * block**2 + rest**2
    return parts * (parts + 1) // 2, (n * n + diagonal) // 2


def gram_counts(n: int, block: int, row_bytes: int, workers: int = 1, itemsize: int = 8) -> Counts:
    """The whole matrix, evaluated by workers and returned tile by tile in float64: what `gram_blocks` does.

    >>> gram_counts(1_000_000, 2048, row_bytes=400).stored / 1e12
    8.0
    """
    tiles, values = _values(n, block)
    return Counts(tiles, values, 0.0, itemsize * n * n, workers * n * row_bytes, 8 * values)


def product_counts(n: int, block: int, row_bytes: int, columns: int, passes: int = 1, workers: int = 1) -> Counts:
    """K V for `columns` columns, `passes` times, nothing stored: what a `GramOperator` does in `leading_eigenpairs`.

    Every tile above the diagonal is multiplied twice. V goes to each worker once, and of every tile its share of K V
    comes back.

    >>> product_counts(1_000_000, 2048, row_bytes=400, columns=60).flops / 1e12
    120.0
    """
    tiles, values = _values(n, block)
    parts = -(-n // block)
    sent = workers * (8 * columns * n + n * row_bytes)
    # Each part of K V comes from every tile of its row and its column of tiles.
    returned = 8 * columns * n * parts
    return Counts(
        passes * tiles, passes * values, passes * 2.0 * columns * n * n, 8 * n * columns,
        passes * sent, passes * returned,
    )  # fmt: skip


def seconds(counts: Counts, rates: Rates, workers: int) -> float:
    """The time that `workers` take: the longest of their work, what one client does for all, and both on the cores.

    >>> once = gram_counts(1000, 100, row_bytes=400)
    >>> seconds(once, Rates(value=1e-6, flop=0, byte=0, written=0, task=0), workers=4).__round__(4)
    0.1375
    """
    work = counts.values * rates.value + counts.flops * rates.flop
    client = counts.traffic * rates.byte + counts.stored * rates.written + counts.tiles * rates.task
    shared = 0.0 if rates.cores is None else (work + client) / rates.cores
    return rates.start + max(work / workers, client, shared)
