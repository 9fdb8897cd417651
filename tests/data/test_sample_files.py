"""Every sample file that has a format of its own is read, with the class counts of the README."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kernlib.data import CATALOGUE, Dataset, load_dataset, readings
from kernlib.data.samples.sample import SAMPLE_DATA

from .builders import zipped

#: file → rows, classes as the files name them.
COUNTS: dict[str, tuple[int, dict[str, int]]] = {
    "promoters.csv": (106, {"+": 53, "-": 53}),
    "splice.csv.gz": (3190, {"EI": 767, "IE": 768, "N": 1655}),
    "monks/monks-1.train.csv": (124, {"0": 62, "1": 62}),
    "monks/monks-2.train.csv": (169, {"0": 105, "1": 64}),
    "monks/monks-3.train.csv": (122, {"0": 62, "1": 60}),
    "monks/monks-1.test.csv": (432, {"0": 216, "1": 216}),
    "monks/monks-2.test.csv": (432, {"0": 290, "1": 142}),
    "monks/monks-3.test.csv": (432, {"0": 204, "1": 228}),
    "japanese-vowels.ts.gz": (270, {str(i): 30 for i in range(1, 10)}),
    "colon.npz": (62, {"-1": 40, "1": 22}),
    "zip38.npz": (1200, {"3": 658, "8": 542}),
    "waveform_test.csv": (500, {"1": 175, "2": 152, "3": 173}),
    "yeast_cyt_mit.csv": (707, {"CYT": 463, "MIT": 244}),
    "webkb_faculty_project.csv.gz": (1628, {"faculty": 1124, "project": 504}),
    "ida/banana.npz": (5300, {"-1": 2924, "1": 2376}),
    "ida/breast-cancer.npz": (277, {"-1": 196, "1": 81}),
    "ida/german.npz": (1000, {"-1": 700, "1": 300}),
    "ida/heart.npz": (270, {"-1": 150, "1": 120}),
    "ida/image.npz": (2310, {"-1": 990, "1": 1320}),
    "ida/titanic.npz": (2201, {"-1": 1490, "1": 711}),
    "ida/waveform.npz": (5000, {"-1": 3353, "1": 1647}),
    "ida/diabetis_pool.npz": (768, {"-1": 500, "1": 268}),
    "ida/ringnorm.npz": (7400, {"-1": 3736, "1": 3664}),
    "ida/twonorm_pool.npz": (7400, {"-1": 3697, "1": 3703}),
    "ida/splice_pool.npz": (3175, {"-1": 1648, "1": 1527}),
    "ida/thyroid_pool.npz": (215, {"-1": 150, "1": 65}),
    "ida/flare-solar_uci_flare2.csv": (1066, {"B": 147, "C": 211, "D": 239, "E": 95, "F": 43, "H": 331}),
}
#: Files that are one data set together, or a matrix without labels of its own.
TOGETHER = {
    "MUTAG/MUTAG_A.txt",
    "MUTAG/MUTAG_graph_indicator.txt",
    "MUTAG/MUTAG_graph_labels.txt",
    "MUTAG/MUTAG_node_labels.txt",
    "karate/edges.csv",
    "karate/nodes.csv",
    "enron/edges.csv",
    "enron/nodes.csv",
    "lawyers/ELattr.csv",
    "lawyers/ELfriend.csv",
    "lawyers/ELwork.csv",
}


def folder(name: str) -> bytes:
    return zipped({f"{name}/{path.name}": path.read_bytes() for path in sorted((SAMPLE_DATA / name).iterdir())})


def read(file: str, **more: object) -> Dataset:
    path = SAMPLE_DATA / file
    reading = readings(path.name, path.read_bytes())[0]
    return reading.dataset(**{"missing": "refuse"} | more)


def test_no_file_is_left_out() -> None:
    there = {str(p.relative_to(SAMPLE_DATA)) for p in Path(SAMPLE_DATA).rglob("*") if p.is_file()}
    assert there - {"README.md", "GPL-2.0.txt"} == set(COUNTS) | TOGETHER


@pytest.mark.parametrize("file", COUNTS)
def test_a_file_and_its_classes(file: str) -> None:
    n, counts = COUNTS[file]
    data = read(file)
    assert data.n == n
    assert data.class_counts == counts
    entry = next(e for e in CATALOGUE.values() if file in e.files)
    shipped = load_dataset(entry.name, n="all") if entry.kind == "sample" else None
    if shipped is not None and shipped.n == n and shipped.domain == data.domain == "vector":
        np.testing.assert_allclose(data.rows, shipped.rows, rtol=1e-6)
        if file.startswith("ida/"):
            np.testing.assert_array_equal(data.y, shipped.y)


def test_published_splits_come_along() -> None:
    assert [len(read("ida/banana.npz").splits), len(read("ida/thyroid_pool.npz").splits)] == [10, 0]


def test_graphs() -> None:
    mutag = readings("MUTAG.zip", folder("MUTAG"))[0].dataset()
    assert mutag.class_counts == {"-1": 63, "1": 125}
    ours = load_dataset("mutag")
    assert all(a == b for a, b in zip(mutag.rows, ours.rows, strict=True))

    karate = readings("karate.zip", folder("karate"))[0].dataset(label="club")
    assert karate.class_counts == {"Mr. Hi": 17, "Officer": 17}
    np.testing.assert_array_equal(karate.rows > 0, load_dataset("karate").rows > 0)

    nodes = (SAMPLE_DATA / "enron/nodes.csv").read_bytes()
    edges = (SAMPLE_DATA / "enron/edges.csv").read_bytes()
    enron = readings("edges.csv", edges, more={"nodes.csv": nodes}, label="none")[0].dataset()
    assert enron.n == 184
    alone = [w for w in enron.warnings if "no edge" in w]
    assert alone == ["2 of 184 nodes have no edge."]

    for name in ("ELfriend", "ELwork"):
        reading = readings(
            f"{name}.csv",
            (SAMPLE_DATA / f"lawyers/{name}.csv").read_bytes(),
            label="practice",
            kind="edges",
            more={"ELattr.csv": (SAMPLE_DATA / "lawyers/ELattr.csv").read_bytes()},
        )[0]
        partners = reading.dataset().take(range(36))
        assert partners.domain == "node"
        assert partners.class_counts == {"1": 20, "2": 16}
