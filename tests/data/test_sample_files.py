"""Every sample file that has a format of its own is read, with the class counts of the README."""

from __future__ import annotations

import pytest
from numpy.testing import assert_allclose, assert_array_equal

from kernlib.data import CATALOGUE, Dataset, Entry, load_dataset, readings
from kernlib.data.catalogue import SAMPLE_DATA

from .builders import zipped

#: Files that are a part of a sample, or whose classes the sample derives: their classes as the file names them.
PARTS: dict[str, dict[str, int]] = {
    "monks/monks-1.train.csv": {"0": 62, "1": 62},
    "monks/monks-2.train.csv": {"0": 105, "1": 64},
    "monks/monks-3.train.csv": {"0": 62, "1": 60},
    "monks/monks-1.test.csv": {"0": 216, "1": 216},
    "monks/monks-2.test.csv": {"0": 290, "1": 142},
    "monks/monks-3.test.csv": {"0": 204, "1": 228},
    "ida/flare-solar_uci_flare2.csv": {"B": 147, "C": 211, "D": 239, "E": 95, "F": 43, "H": 331},
}
#: Files that are a whole sample: they have the classes of the sample, under other names in some.
WHOLE: dict[str, Entry] = {}
for entry in sorted(CATALOGUE.values(), key=lambda entry: -entry.n):
    if len(entry.files) == 1 and entry.kind == "sample" and entry.files[0] not in PARTS:
        WHOLE.setdefault(entry.files[0], entry)


def folder(name: str) -> bytes:
    return zipped({f"{name}/{path.name}": path.read_bytes() for path in sorted((SAMPLE_DATA / name).iterdir())})


def read(file: str, **more: object) -> Dataset:
    path = SAMPLE_DATA / file
    reading = readings(path.name, path.read_bytes())[0]
    return reading.dataset(**{"missing": "refuse"} | more)


@pytest.mark.parametrize("file", [*PARTS, *WHOLE])
def test_a_file_and_its_classes(file):
    data = read(file)
    if file in PARTS:
        assert data.class_counts == PARTS[file]
        return
    shipped = load_dataset(WHOLE[file].name, n="all")
    assert sorted(data.class_counts.values()) == sorted(shipped.class_counts.values())
    if shipped.domain == data.domain == "vector":
        assert_allclose(data.rows, shipped.rows, rtol=1e-6)
        if file.startswith("ida/"):
            assert_array_equal(data.y, shipped.y)


def test_graphs():
    mutag = readings("MUTAG.zip", folder("MUTAG"))[0].dataset()
    assert mutag.class_counts == {"-1": 63, "1": 125}
    ours = load_dataset("mutag")
    assert all(a == b for a, b in zip(mutag.rows, ours.rows, strict=True))

    karate = readings("karate.zip", folder("karate"))[0].dataset(label="club")
    assert karate.class_counts == {"Mr. Hi": 17, "Officer": 17}
    assert_array_equal(karate.rows > 0, load_dataset("karate").rows > 0)

    enron = readings("enron.zip", folder("enron"))[0].dataset(label="none")
    assert "2 of 184 nodes have no edge." in enron.warnings

    attributes = (SAMPLE_DATA / "lawyers/ELattr.csv").read_bytes()
    for name in ("ELfriend.csv", "ELwork.csv"):
        raw = (SAMPLE_DATA / "lawyers" / name).read_bytes()
        first = readings(name, raw, more={"ELattr.csv": attributes}, label="practice", kind="edges")[0]
        partners = first.dataset().take(range(36))
        assert (partners.domain, partners.class_counts) == ("node", {"1": 20, "2": 16})
