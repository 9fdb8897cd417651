"""The data sets that come with kernlib or with scikit-learn: a reader for each.

A new one is an entry of sample_data/README.md, which has its words, and a decorated reader.
"""

from __future__ import annotations

import gzip
from functools import partial
from typing import Any

import numpy as np

from ..values.arrays import Array, Split
from .catalogue import CATALOGUE, Content, binary, read_csv, read_npz, sample, sample_file
from .containers.formats import read_ts
from .containers.graphs import read_tudataset
from .files import LIMITS

# Numbers: from scikit-learn, shipped files, and the two-class benchmark of Rätsch, Onoda and Müller.


def _of_sklearn(name: str) -> Content:
    """Return a data set that comes with scikit-learn."""
    from sklearn import datasets

    raw = getattr(datasets, f"load_{name}")()
    return dict(rows=raw.data, y=raw.target, classes=tuple(raw.target_names), columns=tuple(raw.feature_names))


def _pixels(side: int) -> tuple[str, ...]:
    """Return names for the pixels of a square picture."""
    return tuple(f"r{i}c{j}" for i in range(side) for j in range(side))


for _name in ("iris", "wine"):
    sample(_name)(partial(_of_sklearn, _name))


@sample("breast-cancer-10")
def breast_cancer() -> Content:
    """Return Wisconsin breast cancer, the ten mean features; code 1 = malignant (212), 0 = benign (357)."""
    raw = _of_sklearn("breast_cancer")
    classes = ("benign", "malignant")
    return dict(rows=raw["rows"][:, :10], y=1 - raw["y"], classes=classes, columns=raw["columns"][:10])


@sample("digits")
def digits() -> Content:
    """Return ten handwritten digits of 8×8 pixels, 1797 rows, grey values 0–16."""
    return _of_sklearn("digits") | dict(columns=_pixels(8), image=(8, 8))


@sample("digits-3-8")
def zip38() -> Content:
    """Return ZIP-code digits 3 and 8, 16×16 grey values in [−1, 1]; 658 and 542 rows."""
    raw = read_npz("zip38.npz")
    return dict(rows=raw["X"], y=binary(raw["y"], 8), classes=("3", "8"), columns=_pixels(16), image=(16, 16))


@sample("colon")
def colon() -> Content:
    """Return colon tissues, 62 × 2000 raw intensities; code 1 = normal (22), 0 = tumour (40)."""
    raw = read_npz("colon.npz")
    genes = tuple(f"gene{j + 1}" for j in range(raw["X"].shape[1]))
    return dict(rows=raw["X"], y=binary(raw["y"], 1), classes=("tumour", "normal"), columns=genes)


def _wave(pair: str) -> Content:
    """Return the waveform test set, all classes ("123") or two of them ("12", "13", "23")."""
    lines = read_csv("waveform_test.csv")
    lines = lines[lines["y"].isin([*pair])]
    names = [f"x{j}" for j in range(1, 22)]
    return dict(rows=lines[names].to_numpy(float), y=lines["y"], classes=tuple(pair), columns=names)


for _pair in ("12", "13", "23", "123"):
    sample(f"wave-{_pair}")(partial(_wave, _pair))


@sample("yeast")
def yeast() -> Content:
    """Return UCI yeast, classes CYT (463) and MIT (244), 707 × 8."""
    lines = read_csv("yeast_cyt_mit.csv")
    names = ["mcg", "gvh", "alm", "mit", "erl", "pox", "vac", "nuc"]
    return dict(
        rows=lines[names].to_numpy(float), y=lines["class"], classes=("CYT", "MIT"), columns=names, ids=lines["name"]
    )


@sample("large-diagonal-toy")
def large_diagonal_toy() -> Content:
    """Return the 6 × 10 example that a linear kernel memorises: XX' is nearly diagonal."""
    X = np.zeros((6, 10))
    X[:3, 0] = 1
    for row, column, value in ((0, 3, 9), (1, 5, 8), (2, 7, 9), (3, 2, 9), (4, 6, 8), (5, 8, 9)):
        X[row, column] = value
    return dict(rows=X, y=[1, 1, 1, 0, 0, 0], classes=("-1", "+1"))


def _ida(file: str) -> Content:
    """Return a set of the two-class benchmark with those of its published splits that are available."""
    raw = read_npz(file)
    n = raw["y"].shape[0]
    splits: list[Split] = []
    if "train" in raw:
        for number, train, test in zip(raw["realisation"], raw["train"], raw["test"], strict=True):
            splits.append(Split(str(int(number)), train, test))
    elif "train_1" in raw:
        splits.append(Split("1", raw["train_1"], np.setdiff1d(np.arange(n), raw["train_1"])))
    return dict(rows=raw["X"], y=binary(raw["y"], 1), classes=("-1", "+1"), splits=tuple(splits))


for _entry in CATALOGUE.values():
    if _entry.name == "banana" or _entry.name.startswith("ida-"):
        sample(_entry.name)(partial(_ida, _entry.files[0]))


#: The columns of the benchmark's heart data (UCI Statlog Heart), and the words of those that are nominal, by code.
_HEART = """
age, sex: female/male, chest pain: typical angina/atypical angina/no angina/no pain, blood pressure, cholesterol,
sugar over 120: no/yes, ECG at rest: normal/ST-T/hypertrophy, highest rate, angina in exercise: no/yes, ST depression,
ST slope, vessels coloured, thallium: normal/fixed defect/reversible defect
"""


@sample("heart-mixed")
def heart_mixed() -> Content:
    """Return Statlog Heart, 270 × 13: seven columns of numbers and six nominal ones."""
    content = _ida("ida/heart.npz")
    rows, columns, kinds = content["rows"].astype(object), list[str](), list[str]()
    for j, column in enumerate(_HEART.replace("\n", " ").split(", ")):
        name, _, words = column.strip().partition(": ")
        columns.append(name)
        kinds.append("categorical" if words else "vector")
        if words:
            codes = np.unique(content["rows"][:, j], return_inverse=True)[1]
            rows[:, j] = np.array(words.split("/"), dtype=object)[codes]
    classes = ("no heart disease", "heart disease")
    return content | dict(rows=rows, columns=columns, kinds=kinds, classes=classes)


# Nominal columns, strings and texts.


def _monks(number: int) -> Content:
    """Return MONK's problem 1, 2 or 3: training rows first, then the 432 test rows; one split, "published"."""
    train, test = (read_csv(f"monks/monks-{number}.{part}.csv") for part in ("train", "test"))
    names = [f"a{j}" for j in range(1, 7)]
    rows = np.concatenate([train[names], test[names]]).astype(np.int64)
    ids = [*("train " + train["id"]), *("test " + test["id"])]
    split = Split("published", np.arange(len(train)), np.arange(len(train), len(rows)))
    y = [*train["class"], *test["class"]]
    return dict(rows=rows, y=y, classes=("0", "1"), columns=names, ids=ids, splits=(split,))


for _number in (1, 2, 3):
    sample(f"monks-{_number}")(partial(_monks, _number))


@sample("solar-flare")
def solar_flare() -> Content:
    """Return UCI solar flares, ten nominal columns of 1066 regions; code 1 = any flare in the next day (our rule)."""
    lines = read_csv("ida/flare-solar_uci_flare2.csv")
    rows, flares = lines.iloc[:, :10], lines.iloc[:, 10:].to_numpy(float)
    return dict(
        rows=rows.to_numpy(object),
        y=(flares > 0).any(axis=1).astype(int),
        classes=("quiet", "flares"),
        columns=rows.columns,
    )


def _strings(lines: Any) -> Content:
    """Return the strings of a file's lines in upper case as rows, with their names."""
    return dict(rows=lines["sequence"].str.upper().tolist(), ids=lines["name"])


@sample("promoters")
def promoters() -> Content:
    """Return promoter gene sequences: 106 strings of 57 letters A, C, G, T (upper case; the file has lower case)."""
    lines = read_csv("promoters.csv")
    return _strings(lines) | dict(y=binary(lines["label"], "+"), classes=("-", "+"))


@sample("promoters-categorical")
def promoters_categorical() -> Content:
    """Return the same 106 promoters as 57 nominal columns p-50 … p-1, p+1 … p+7."""
    content = promoters()
    positions = [*range(-50, 0), *range(1, 8)]
    rows = np.array([list(sequence) for sequence in content["rows"]], dtype=object)
    return content | dict(rows=rows, columns=tuple(f"p{p:+d}" for p in positions))


@sample("splice")
def splice() -> Content:
    """Return splice junctions: 3190 strings of 60 letters, EI 767, IE 768, N 1655; 15 hold ambiguous letters."""
    lines = read_csv("splice.csv.gz")
    return _strings(lines) | dict(y=lines["label"], classes=("EI", "IE", "N"))


@sample("splice-two-class")
def splice_two_class() -> Content:
    """Return splice sites (EI and IE, 1527) against places that are none (N, 1648)."""
    lines = read_csv("splice.csv.gz")
    lines = lines[lines["sequence"].str.fullmatch("[ACGTacgt]*")]
    return _strings(lines) | dict(y=1 - binary(lines["label"], "N"), classes=("no site", "site"))


@sample("splice-agct")
def splice_agct() -> Content:
    """Return the rows of 'splice-two-class' as numbers, A → 0, G → 1, C → 2, T → 3."""
    content = splice_two_class()
    code = {letter: float(k) for k, letter in enumerate("AGCT")}
    return content | dict(rows=[[code[letter] for letter in sequence] for sequence in content["rows"]])


@sample("webkb")
def webkb() -> Content:
    """Return WebKB pages, stemmed: faculty 1124, project 504; eleven pages are empty."""
    lines = read_csv("webkb_faculty_project.csv.gz")
    return dict(rows=lines["text"].tolist(), y=lines["label"], classes=("faculty", "project"))


# Nodes of a graph, graphs, time series, and square matrices of scores.


def _adjacency(nodes: Any, file: str) -> Array:
    """Return the symmetric adjacency matrix of the nodes from a file of edges, without edges from a node to itself."""
    row = {name: i for i, name in enumerate(nodes["id"])}
    edges, A = read_csv(file), np.zeros((len(nodes), len(nodes)))
    edges = edges[edges["from"] != edges["to"]]
    A[edges["from"].map(row), edges["to"].map(row)] = 1.0
    return np.maximum(A, A.T)


@sample("karate")
def karate() -> Content:
    """Return Zachary's karate club: 34 members, 78 unweighted friendships, two factions of 17."""
    nodes = read_csv("karate/nodes.csv")
    return dict(
        rows=_adjacency(nodes, "karate/edges.csv"),
        y=nodes["club"],
        classes=("Mr. Hi", "Officer"),
        ids=nodes["id"],
    )


@sample("enron")
def enron() -> Content:
    """Return Enron e-mail: 182 accounts joined when either ever wrote to the other; code 1 = leaders (16)."""
    nodes = read_csv("enron/nodes.csv")
    nodes = nodes[nodes["isolated"] == "0"]
    return dict(
        rows=_adjacency(nodes, "enron/edges.csv"),
        y=nodes["status"].isin(["CEO", "President", "Managing Director"]).astype(int),
        classes=("others", "leaders"),
        ids=(nodes["id"] + " " + nodes["status"]).str.strip(),
    )


@sample("lawyers")
def lawyers() -> Content:
    """Return Lazega's law firm: A = ½·friends + ½·collaborated over the 36 partners; practice as the label (20/16)."""
    friends, work = (read_csv(f"lawyers/{name}.csv").to_numpy(float)[:36, :36] for name in ("ELfriend", "ELwork"))
    partners = read_csv("lawyers/ELattr.csv")[:36]
    # friendship is directed in the file: one who names the other is enough
    A = 0.5 * np.maximum(friends, friends.T) + 0.5 * np.maximum(work, work.T)
    return dict(
        rows=A,
        y=partners["practice"].map({"1": "litigation", "2": "corporate"}),
        classes=("litigation", "corporate"),
        ids=partners["seniority"],
    )


@sample("mutag")
def mutag() -> Content:
    """Return MUTAG: 188 molecules with atom labels; code 1 = mutagenic (125), 0 = not (63)."""
    names = (f"MUTAG/MUTAG_{part}.txt" for part in ("A", "graph_indicator", "graph_labels", "node_labels"))
    data = read_tudataset({name: sample_file(name).read_bytes() for name in names}, "MUTAG", LIMITS)
    return dict(rows=data.rows, y=data.y, classes=("not mutagenic", "mutagenic"))


@sample("japanese-vowels")
def japanese_vowels() -> Content:
    """Return utterances of nine men, 30 of each: the class is the speaker."""
    file = "japanese-vowels.ts.gz"
    data = read_ts(gzip.decompress(sample_file(file).read_bytes()).decode(), file, LIMITS)
    return dict(rows=data.rows, y=data.y, classes=tuple(f"speaker {name}" for name in data.classes))


@sample("digit-shift-scores")
def digit_shift_scores() -> Content:
    """Return the shift-tolerant similarity of 120 digits, symmetric with a unit diagonal, indefinite."""
    digits = CATALOGUE["digits-3-8"].load().stratified_sample(120, seed=0)
    scores = best_shift_cosine(digits.rows.reshape(-1, 16, 16) + 1.0)
    return dict(rows=scores, y=digits.y, classes=digits.classes, ids=digits.ids)


def best_shift_cosine(images: Array, reach: int = 1) -> Array:
    """Return max(S, S') of S_ij = max_{|a|,|b| ≤ reach} ⟨x_i, shift_ab x_j⟩ / (‖x_i‖‖x_j‖).

    Parameters: `images` (n, height, width), `reach` in pixels. Returns (n, n).

    >>> best_shift_cosine(np.eye(3)[:2].reshape(2, 1, 3)).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    n, *shape = images.shape
    flat = images.reshape(n, -1)
    padded = np.pad(images, ((0, 0), (reach, reach), (reach, reach)))
    shifted = np.lib.stride_tricks.sliding_window_view(padded, shape, axis=(1, 2)).reshape(n, -1, flat.shape[1])
    S = np.max([flat @ shifted[:, k].T for k in range(shifted.shape[1])], axis=0)
    lengths = np.linalg.norm(flat, axis=1)
    return np.asarray(np.maximum(S, S.T) / np.outer(lengths, lengths))
