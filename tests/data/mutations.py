"""Files with small faults, the same in every run: whatever comes in, a data set or a DataError comes out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from kernlib.data import Limits, readings
from kernlib.errors import DataError

from .examples import EXAMPLES

FOLDER = Path(__file__).parent / "readings"
LIMITS = Limits(
    bytes=100_000, rows=200, columns=50, cells=5_000, letters=2_000, side=60, members=30, unpacked=1_000_000
)
#: Further small files: a row number in front of kernel values, a matrix by its entries.
MORE = {
    "k.svm": b"15 0:1 1:4 2:6 3:1\n45 0:2 1:6 2:18 3:0\n25 0:3 1:1 2:0 3:1\n",
    "m.mtx": b"%%MatrixMarket matrix coordinate real general\n3 2 2\n1 1 1.5\n3 2 1\n",
}
#: Words that a reader may fall over: numbers beyond every type, line ends, marks, half a character.
WORDS: tuple[bytes, ...] = (
    *b"1e999 -1e999 nan inf 1_0 -0 0x1F True null ? \\ \\u0000 \\ud800 \" ' # ; > @ % { } [ ] < , : :: |".split(),
    *b"\x1c \x85 \f \v \r \r\n \n\n \xef\xbb\xbf \xff\xfe \xe2\x80\xa8 \xc2\x85 \xc3 \0 \t".split(b" "),
    *(b"9" * 400, b"a" * 9000, b"1 " * 5000, b" ", "\u0660\u0661".encode(), "²".encode()),
)


def seeds() -> list[tuple[str, bytes]]:
    """Return small files of every format that is read."""
    files = [(file.name, file.read_bytes()) for file in sorted(FOLDER.iterdir())]
    return [*EXAMPLES.items(), *MORE.items(), *files]


def mutated(count: int, seed: int = 0) -> Iterator[tuple[str, bytes]]:
    """Yield files with one to four faults each."""
    choose, files = random.Random(seed), seeds()
    for _ in range(count):
        name, raw = choose.choice(files)
        for _ in range(choose.randint(1, 4)):
            raw = _changed(raw, choose)
        if choose.random() < 0.2:
            raw = raw.replace(b"\n", choose.choice((b"\r", b"\r\n", b"\xe2\x80\xa8", b"\x1c", b"\n\n")))
        if choose.random() < 0.1:
            raw = choose.choice((b"\xef\xbb\xbf", b"\n", b"\r\n", b"#\n", b" ", b"\x1c")) + raw
        if choose.random() < 0.05:
            raw = raw.decode("latin-1").encode("utf-16")
        yield choose.choice((name, name, "t.csv", "t")), raw


def _changed(raw: bytes, choose: random.Random) -> bytes:
    at, lines = choose.randrange(len(raw) + 1), raw.splitlines(keepends=True)
    size, k = choose.randint(1, 20), choose.randrange(len(lines) or 1)
    return choose.choice(
        (
            raw[:at] + choose.choice(WORDS) + raw[at:],
            raw[:at] + choose.choice(WORDS) + raw[at + size :],
            raw[:at] + raw[at + size :],
            raw[:at] + raw[at : at + size] * choose.randint(2, 5) + raw[at + size :],
            raw[:at] + bytes([choose.randrange(256)]) + raw[at + 1 :],
            raw[:at],
            b"".join(lines[:k] + lines[k + 1 :]),
            b"".join(lines[:k] + lines[k : k + 1] * 2 + lines[k + 1 :]),
            b"".join(lines[:k]) + choose.choice(WORDS) + b"\n" + b"".join(lines[k:]),
        )
    )


def wrong(name: str, raw: bytes) -> Exception | None:
    """Return what comes out of a file beside readings, data sets and a DataError; None where that is all."""
    try:
        for reading in readings(name, raw, limits=LIMITS):
            try:
                reading.dataset(missing="drop", **({"symmetrise": "mean"} if "matrix" in reading.choices else {}))
            except DataError:
                continue
    except DataError:
        return None
    except Exception as error:  # to be listed
        return error
    return None
