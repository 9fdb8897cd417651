"""Coverage-guided fuzzing of the upload readers: whatever comes in, a data set or a DataError comes out.

Run from the project, in an environment with `pip install -e '.[fuzz,graphs]'` (pytest does not collect this file):

    python tests/fuzz/readers.py -max_total_time=180 -max_len=4096

The first byte of an input chooses the file's name, the rest is the file. A folder as
the last argument keeps the corpus; without one it starts from a file of each format. An input that broke
a reader is left as `crash-…` in the folder it runs in; the same command with that file alone runs it again.
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from contextlib import suppress
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

with atheris.instrument_imports(include=["kernlib.data"]):
    from kernlib.data import Limits, readings

from kernlib.errors import DataError
from tests.data.examples import EXAMPLES

LIMITS = Limits(
    bytes=100_000, rows=200, columns=50, cells=5_000, letters=2_000, side=60, members=30, unpacked=1_000_000
)
#: One name per kind of file; the content decides, so that the name is a hint at most.
NAMES = (
    "t.csv", "t.tsv", "t.txt", "t.csv.gz", "t.zip", "t.fasta", "t.jsonl", "t.graphml", "t.gml", "t.edges", "t.npz",
    "t.npy", "t.svmlight", "t.parquet", "t.json", "t.arff", "t.mat", "t.xlsx", "t.smi", "", "no-ending",
)  # fmt: skip


def one_input(raw: bytes) -> None:
    """A single input; any exception but a DataError with a sentence is a finding."""
    if not raw:
        return
    try:
        for reading in readings(NAMES[raw[0] % len(NAMES)], raw[1:], limits=LIMITS):
            with suppress(DataError):
                reading.dataset(missing="drop")
    except DataError as error:
        assert str(error)


def first_inputs(folder: Path) -> None:
    """A file of each format as the corpus to begin with."""
    for number, raw in enumerate(EXAMPLES.values()):
        (folder / f"{number:02}").write_bytes(b"\0" + raw)


def main() -> None:
    warnings.simplefilter("ignore")
    arguments = list(sys.argv)
    with tempfile.TemporaryDirectory() as folder:
        if not any(not argument.startswith("-") for argument in arguments[1:]):
            first_inputs(Path(folder))
            arguments.append(folder)
        atheris.Setup(arguments, one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
