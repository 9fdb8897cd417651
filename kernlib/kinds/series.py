"""Time series: numbers over time, of any length, in one or more channels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DataError, DomainError
from ..kernels.series import Autocorrelation, DynamicTimeWarping, GlobalAlignment, Sampled
from ..kernels.vectors import RBF
from ..values.arrays import Array
from ..values.domains import Series, object_rows, require_rows
from ..wrappers import Deep, Empirical, Normalized
from .kind import LEVELS, POWERS, WIDTHS, Family, Kind, Preset, deep, powers, rounded_width, suited

if TYPE_CHECKING:
    from ..data.dataset import Dataset


class TimeSeries(Kind):
    """Series: an object array of `Series` (n,), all with equally many channels."""

    name = "series"
    expected = "a list of n time series, arrays of finite numbers (length,) or (length, channels)"
    layout = "objects"
    title = "Time series"
    called = "time series"
    one, many = "series", "series"
    search = "time series signals curves sensors measurements over time"
    starts = MappingProxyType(
        {
            GlobalAlignment: partial(suited, GlobalAlignment()),
            DynamicTimeWarping: partial(suited, DynamicTimeWarping()),
            Sampled: lambda data: Sampled() if data is None else _sampled(data),
        }
    )
    stand_in = "cylinder-bell-funnel"
    large, first_rows = 300, 200  # an alignment takes the square of the length

    def check(self, X: Any, owner: str) -> Array:
        require_rows(self, X, owner)
        rows = []
        for i, row in enumerate(X):
            try:
                rows.append(row if isinstance(row, Series) else Series(row))
            except DomainError as error:
                raise DomainError(f"{owner}: row {i} is no time series. {error}") from None
        return object_rows(rows)

    def one_row(self, row: Any) -> Any:
        return [row]

    def read_rows(self, rows: Any, who: str, gaps: bool = False) -> Array:
        series = self.check(rows, who)
        odd = next((i for i, row in enumerate(series) if row.channels != series[0].channels), None)
        if odd is not None:
            raise DataError(
                f"{who}: row {odd} has {series[odd].channels} channels; expected {series[0].channels}, as in row 0. "
                "Leave the others out."
            )
        return series

    def warnings(self, data: Dataset) -> Iterator[str]:
        constant = sum(bool((row.values == row.values[0]).all()) for row in data.rows)
        if constant:
            yield f"{constant} of {data.n} series are constant."

    def presets(self, data: Dataset) -> tuple[Preset, ...]:
        return (
            Preset(
                "Global alignment",
                suited(GlobalAlignment(), data),
                "All ways to stretch time count: curves of one shape at another pace are similar.",
            ),
            Preset(
                "Rhythm",
                Normalized(Autocorrelation(lags=_lags(data))),
                "How strongly a series resembles itself some times later, wherever the rhythm starts.",
            ),
            Preset(
                "Best alignment",
                Empirical(suited(DynamicTimeWarping(), data)),
                "Dynamic time warping is no valid kernel; each series is compared by its values with all others.",
            ),
        )

    def settings(self, data: Dataset) -> Iterator[Family]:
        alignment = suited(GlobalAlignment(), data)
        for times in WIDTHS:
            yield "Global alignment", _wider(alignment, times)
        for times in WIDTHS[1:4]:
            yield from deep("Deep alignment", _wider(alignment, times), LEVELS[:2])
        yield from powers("Global alignment, power", alignment, POWERS[1:])
        for lags in sorted({5, 10, 20, 40, _lags(data)}):
            yield "Rhythm", Normalized(Autocorrelation(lags=lags))
        yield from deep("Deep rhythm", Normalized(Autocorrelation(lags=_lags(data))), LEVELS[:2])
        warping = suited(DynamicTimeWarping(), data)
        for times in (0.25, 1.0, 4.0):
            yield "Best alignment", Empirical(DynamicTimeWarping(gamma=rounded_width(times * warping.gamma)))
        for times in WIDTHS[1:4]:
            yield "Time by time", _sampled(data, times)
        yield "Deep, time by time", Deep(_sampled(data), level=1)

    def cells(self, data: Dataset, rows: Sequence[int], full: bool) -> list[tuple[str, Any]]:
        most = 24 if full else 8
        return [
            ("length", [data.rows[i].length for i in rows]),
            ("first values", [_shown(data.rows[i].values, most) for i in rows]),
        ]


def _shown(values: Array, most: int) -> str:
    cells = (" / ".join(f"{v:.3g}" for v in time) for time in values[:most])
    return ", ".join(cells) + (", …" if len(values) > most else "")


def _wider(kernel: GlobalAlignment, times: float) -> GlobalAlignment:
    return GlobalAlignment(sigma=rounded_width(times * kernel.sigma))


def _sampled(data: Dataset, times: float = 1.0) -> Sampled:
    """Return a Gaussian of the values time by time, of series of unlike length at as many times as most have."""
    lengths = [row.length for row in data.rows]
    places = None if len({*lengths}) == 1 else int(min(200, max(2, np.median(lengths))))
    width = Sampled(RBF(sigma="median"), times=places).heuristics(data.rows)["sigma"]
    return Sampled(RBF(sigma=rounded_width(times * width)), times=places)


def _lags(data: Dataset) -> int:
    return int(max(1, min(20, np.median([row.length for row in data.rows]) // 3)))
