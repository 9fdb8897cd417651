"""Nominal columns: MONK's problems, solar flares."""

from __future__ import annotations

from functools import partial

import numpy as np

from ...values.split import Split
from .files import read_csv
from .sample import UCI, Content, sample


def _monks(number: int) -> Content:
    """Return MONK's problem 1, 2 or 3: training rows first, then the 432 test rows; one split, "published"."""
    train, test = (read_csv(f"monks/monks-{number}.{part}.csv") for part in ("train", "test"))
    lines = train + test
    names = tuple(f"a{j}" for j in range(1, 7))
    rows = np.array([[int(line[name]) for name in names] for line in lines])
    ids = [f"train {line['id']}" for line in train] + [f"test {line['id']}" for line in test]
    split = Split("published", np.arange(len(train)), np.arange(len(train), len(lines)))
    y = [int(line["class"]) for line in lines]
    return dict(rows=rows, y=y, classes=("0", "1"), columns=names, ids=tuple(ids), splits=(split,))


for _number, _n, _rule, _look_for in (
    (1, 556, "a1 = a2 or a5 = 1", "Overlap() ** 2 sees pairs of columns, the mean of overlaps does not"),
    (2, 601, "exactly two columns are 1", "the mean of overlaps guesses, Overlap() ** 2 sees pairs of columns"),
    (
        3,
        554,
        "(a5 = 3 and a4 = 1) or (a5 ≠ 4 and a2 ≠ 3), 5 % noise in the training labels",
        "the mean of overlaps is enough, and a product over all columns guesses on unseen rows",
    ),
):
    sample(
        f"monks-{_number}",
        f"MONK's problem {_number}",
        "categorical",
        _n,
        f"× 6 ({_n - 432} for training)",
        files=(f"monks/monks-{_number}.train.csv", f"monks/monks-{_number}.test.csv"),
        source="UCI MONK's Problems",
        licence=UCI,
        citation="Thrun et al. 1991",
        look_for=f"The rule: {_rule}. Compare kernels: {_look_for}.",
        note="The test part is the whole space of 432 rows and contains the training rows.",
    )(partial(_monks, _number))


@sample(
    "solar-flare",
    "Solar flares (UCI)",
    "categorical",
    1066,
    "× 10",
    files=("ida/flare-solar_uci_flare2.csv",),
    source="UCI Solar Flare, flare.data2",
    licence=UCI,
    citation="Bradshaw 1989",
    look_for="Few categories, many equal rows with different labels: the noise is in the data.",
    note="A stand-in: the benchmark's flare-solar has its own binary rule, which is not known; here a region is "
    "positive when it made any C, M or X flare.",
)
def solar_flare() -> Content:
    """Return UCI solar flares, ten nominal columns of 1066 regions; code 1 = any flare in the next day (our rule)."""
    lines = read_csv("ida/flare-solar_uci_flare2.csv")
    names = list(lines[0])
    return dict(
        rows=np.array([[line[name] for name in names[:10]] for line in lines], dtype=object),
        y=[int(any(int(line[name]) > 0 for name in names[10:])) for line in lines],
        classes=("quiet", "flares"),
        columns=tuple(names[:10]),
    )
