"""The data sets that come with kernlib or with scikit-learn: for each its words and one reader.

A new one is a decorated reader; the order of the menus is that of the lines below.
"""

from __future__ import annotations

import gzip
from functools import partial
from typing import Any

import numpy as np

from ..values.arrays import Array, Split
from .catalogue import (
    CATALOGUE,
    ELEM_STAT_LEARN,
    SKLEARN,
    UCI,
    UNSTATED,
    Content,
    binary,
    read_csv,
    read_npz,
    sample,
    sample_file,
)
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


@sample(
    "breast-cancer-10",
    "Breast cancer, ten mean features",
    "vector",
    569,
    "× 10",
    source="scikit-learn load_breast_cancer, the ten 'mean' columns",
    licence=SKLEARN,
    citation="Street, Wolberg, Mangasarian 1993",
    look_for="Columns of very different scale: see what one bandwidth can do before and after scaling.",
    note="'Breast' of 'deep kernel machines', table 3.1: 212 and 357 rows.",
)
def breast_cancer() -> Content:
    """Return Wisconsin breast cancer, the ten mean features; code 1 = malignant (212), 0 = benign (357)."""
    raw = _of_sklearn("breast_cancer")
    classes = ("benign", "malignant")
    return dict(rows=raw["rows"][:, :10], y=1 - raw["y"], classes=classes, columns=raw["columns"][:10])


@sample(
    "iris",
    "Iris",
    "vector",
    150,
    "× 4",
    source="scikit-learn load_iris",
    licence=SKLEARN,
    citation="Fisher 1936",
    look_for="One species is a block of its own; the other two share a border.",
)
def iris() -> Content:
    """Return Fisher's irises, three classes of fifty."""
    return _of_sklearn("iris")


@sample(
    "wine",
    "Wine",
    "vector",
    178,
    "× 13",
    source="scikit-learn load_wine",
    licence=SKLEARN,
    citation="Aeberhard, Forina 1992",
    look_for="One column (proline) is in the hundreds and rules every distance until columns are scaled.",
)
def wine() -> Content:
    """Return chemical analyses of wines of three cultivars, 178 × 13."""
    return _of_sklearn("wine")


@sample(
    "digits",
    "Digits 0–9 (8×8)",
    "vector",
    1797,
    "× 64",
    source="scikit-learn load_digits",
    licence=SKLEARN,
    citation="Alpaydin, Kaynak 1998",
    look_for="Ten blocks on the diagonal; 1, 8 and 9 stand out least.",
)
def digits() -> Content:
    """Return ten handwritten digits of 8×8 pixels, 1797 rows, grey values 0–16."""
    return _of_sklearn("digits") | dict(columns=_pixels(8), image=(8, 8))


@sample(
    "digits-3-8",
    "Digits 3 and 8 (16×16)",
    "vector",
    1200,
    "× 256",
    files=("zip38.npz",),
    source="R package ElemStatLearn, zip.train",
    licence=ELEM_STAT_LEARN,
    citation="Hastie, Tibshirani, Friedman 2009; LeCun et al. 1989",
    look_for="Two shapes that differ in a few pixels: a good case for depth and for the image kernel.",
    note="'Digit38' of 'deep kernel machines', table 3.1: 658 and 542 rows.",
)
def zip38() -> Content:
    """Return ZIP-code digits 3 and 8, 16×16 grey values in [−1, 1]; 658 and 542 rows."""
    raw = read_npz("zip38.npz")
    return dict(rows=raw["X"], y=binary(raw["y"], 8), classes=("3", "8"), columns=_pixels(16), image=(16, 16))


@sample(
    "colon",
    "Colon tissues (gene expression)",
    "vector",
    62,
    "× 2000",
    files=("colon.npz",),
    source="R package plsgenomics, Colon",
    licence="GPL-2.0-or-later (R package plsgenomics)",
    citation="Alon et al. 1999, PNAS 96: 6745–6750",
    look_for="Far more columns than rows: a linear kernel is enough, and the diagonal is not yet large.",
    note="Raw intensities, not scaled.",
)
def colon() -> Content:
    """Return colon tissues, 62 × 2000 raw intensities; code 1 = normal (22), 0 = tumour (40)."""
    raw = read_npz("colon.npz")
    genes = tuple(f"gene{j + 1}" for j in range(raw["X"].shape[1]))
    return dict(rows=raw["X"], y=binary(raw["y"], 1), classes=("tumour", "normal"), columns=genes)


def _wave(pair: str) -> Content:
    """Return the waveform test set, all classes ("123") or two of them ("12", "13", "23")."""
    lines = [line for line in read_csv("waveform_test.csv") if line["y"] in pair]
    names = tuple(f"x{j}" for j in range(1, 22))
    rows = [[float(line[name]) for name in names] for line in lines]
    return dict(rows=rows, y=[line["y"] for line in lines], classes=tuple(pair), columns=names)


for _pair, _n, _counts in (
    ("12", 327, "175 and 152"),
    ("13", 348, "175 and 173"),
    ("23", 325, "152 and 173"),
    ("123", 500, "175, 152 and 173"),
):
    sample(
        f"wave-{_pair}",
        "Waveform, classes " + ", ".join(_pair),
        "vector",
        _n,
        "× 21",
        files=("waveform_test.csv",),
        source="R package ElemStatLearn, waveform.test",
        licence=ELEM_STAT_LEARN,
        citation="Breiman, Friedman, Olshen, Stone 1984",
        look_for="Mixtures of two triangles under noise: compare two classes with all three.",
        note=f"'Wave{_pair}' of 'deep kernel machines', table 3.1: {_counts} rows." if len(_pair) == 2 else "",
    )(partial(_wave, _pair))


@sample(
    "yeast",
    "Yeast, CYT against MIT",
    "vector",
    707,
    "× 8",
    files=("yeast_cyt_mit.csv",),
    source="UCI Yeast",
    licence=UCI,
    citation="Nakai, Kanehisa 1992; Horton, Nakai 1996",
    look_for="Two columns are nearly constant; the classes overlap whatever the bandwidth.",
    note="A stand-in: 463 and 244 rows here, 457 and 243 in 'deep kernel machines', table 3.1.",
)
def yeast() -> Content:
    """Return UCI yeast, classes CYT (463) and MIT (244), 707 × 8."""
    lines = read_csv("yeast_cyt_mit.csv")
    names = ("mcg", "gvh", "alm", "mit", "erl", "pox", "vac", "nuc")
    return dict(
        rows=[[float(line[name]) for name in names] for line in lines],
        y=[line["class"] for line in lines],
        classes=("CYT", "MIT"),
        columns=names,
        ids=tuple(line["name"] for line in lines),
    )


@sample(
    "large-diagonal-toy",
    "Large-diagonal toy",
    "vector",
    6,
    "× 10",
    source="'Almost orthogonal patterns', section 2",
    licence="six rows of numbers",
    citation="Schölkopf et al. 2002",
    look_for="The first column separates the classes, yet the diagonal of 64–82 hides its 1s: lower p.",
)
def large_diagonal_toy() -> Content:
    """Return the 6 × 10 example that a linear kernel memorises: XX' is nearly diagonal."""
    X = np.zeros((6, 10))
    X[:3, 0] = 1
    for row, column, value in ((0, 3, 9), (1, 5, 8), (2, 7, 9), (3, 2, 9), (4, 6, 8), (5, 8, 9)):
        X[row, column] = value
    return dict(rows=X, y=[1, 1, 1, 0, 0, 0], classes=("-1", "+1"))


def _ida(file: str) -> Content:
    """Return a set of the two-class benchmark with those of its published splits that are available."""
    raw = read_npz(f"ida/{file}.npz")
    n = raw["y"].shape[0]
    splits: list[Split] = []
    if "train" in raw:
        for number, train, test in zip(raw["realisation"], raw["train"], raw["test"], strict=True):
            splits.append(Split(str(int(number)), train, test))
    elif "train_1" in raw:
        splits.append(Split("1", raw["train_1"], np.setdiff1d(np.arange(n), raw["train_1"])))
    return dict(rows=raw["X"], y=binary(raw["y"], 1), classes=("-1", "+1"), splits=tuple(splits))


# Name, file, title, rows, columns, published splits that are available; below it, what to look for.
_SETS = """
banana | banana | Banana | 5300 | 2 | 10
    Crescents in the plane: draw the eigenvectors over it.
ida-breast-cancer | breast-cancer | Breast cancer (Ljubljana) | 277 | 9 | 10
    High noise: the source finds two relevant dimensions.
ida-diabetes | diabetis_pool | Diabetes (Pima) | 768 | 8 | 1
    High noise, low dimension: more directions only fit the noise.
ida-german | german | German credit | 1000 | 20 | 10
    High noise: the error of every machine in the source is close to the estimate.
ida-heart | heart | Heart | 270 | 13 | 10
    Few rows, few relevant dimensions: the source finds four.
ida-image | image | Image segmentation | 2310 | 18 | 10
    Low noise, high dimension: the label needs more than a hundred directions.
ida-ringnorm | ringnorm | Ringnorm (benchmark) | 7400 | 20 | 10
    Low noise, yet the label needs many directions: the classes differ in spread, and a little in place.
ida-splice | splice_pool | Splice sites, coded 0–3 | 3175 | 60 | 0
    A naive code of the four letters makes the problem noisy.
ida-thyroid | thyroid_pool | Thyroid | 215 | 5 | 0
    Low noise, low dimension.
ida-titanic | titanic | Titanic | 2201 | 3 | 10
    Three columns with few values: many rows are equal, the noise is high.
ida-twonorm | twonorm_pool | Twonorm (benchmark) | 7400 | 20 | 0
    Low noise: the label lies within two directions, and one of them holds it.
ida-waveform | waveform | Waveform (benchmark) | 5000 | 21 | 10
    Low noise; the signal lies in a plane.
"""
_lines = [_line.strip() for _line in _SETS.strip().split("\n")]
for _line, _look_for in zip(_lines[::2], _lines[1::2], strict=True):
    _name, _file, _title, _count, _d, _splits = _line.split(" | ")
    sample(
        _name,
        _title,
        "vector",
        int(_count),
        f"× {_d}",
        files=(f"ida/{_file}.npz",),
        # A Gram matrix of these many rows answers at once; n="all" gives the whole set with its published splits.
        default_n=400 if int(_count) > 5000 else "all",
        source="IDA benchmark as repackaged by Diethe 2015; data from UCI, DELVE, STATLOG",
        licence="MIT (the repackaging); see the origin of each set",
        citation="Rätsch, Onoda, Müller 2001; Diethe 2015",
        look_for=_look_for,
        note=f"'{_name.removeprefix('ida-')}' of 'kernels, feature space, model selection'; "
        + (
            f"{_splits} of its 100 (20 for image and splice) published splits."
            if _splits != "0"
            else "the pool only, its published splits are missing."
        ),
    )(partial(_ida, _file))


#: The columns of the benchmark's heart data (UCI Statlog Heart), and the words of those that are nominal, by code.
_HEART: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("age", ()),
    ("sex", ("female", "male")),
    ("chest pain", ("typical angina", "atypical angina", "no angina", "no pain")),
    ("blood pressure", ()),
    ("cholesterol", ()),
    ("sugar over 120", ("no", "yes")),
    ("ECG at rest", ("normal", "ST-T", "hypertrophy")),
    ("highest rate", ()),
    ("angina in exercise", ("no", "yes")),
    ("ST depression", ()),
    ("ST slope", ()),
    ("vessels coloured", ()),
    ("thallium", ("normal", "fixed defect", "reversible defect")),
)


@sample(
    "heart-mixed",
    "Heart, numbers and categories",
    "mixed",
    270,
    "× 13 (7 numbers, 6 categories)",
    files=("ida/heart.npz",),
    source="UCI Statlog Heart, in the IDA benchmark as repackaged by Diethe 2015",
    licence="UCI Machine Learning Repository, CC BY 4.0; MIT (the repackaging)",
    citation="Rätsch, Onoda, Müller 2001; Diethe 2015",
    look_for="Each kind of column has its own kernel: see what the categories add to the numbers.",
    note="The rows and splits of 'ida-heart', whose numbers the benchmark scaled to mean 0 and variance 1; the nominal "
    "columns hold their categories again instead of scaled codes.",
)
def heart_mixed() -> Content:
    """Return Statlog Heart, 270 × 13: seven columns of numbers and six nominal ones."""
    content = _ida("heart")
    X = content["rows"]
    rows = X.astype(object)
    for j, (_, words) in enumerate(_HEART):
        if words:
            rows[:, j] = np.array(words, dtype=object)[np.unique(X[:, j], return_inverse=True)[1]]
    kinds = tuple("categorical" if words else "vector" for _, words in _HEART)
    classes = ("no heart disease", "heart disease")
    return content | dict(rows=rows, columns=tuple(name for name, _ in _HEART), kinds=kinds, classes=classes)


# Nominal columns, strings and texts.


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


_PROMOTERS: dict[str, Any] = dict(
    files=("promoters.csv",),
    source="UCI Molecular Biology (Promoter Gene Sequences)",
    licence=UCI,
    citation="Harley, Reynolds 1987; Towell, Shavlik, Noordewier 1990",
)
_SPLICE: dict[str, Any] = dict(
    files=("splice.csv.gz",),
    source="UCI Molecular Biology (Splice-junction Gene Sequences)",
    licence=UCI,
    citation="Noordewier, Towell, Shavlik 1991",
)


def _strings(lines: list[dict[str, str]]) -> Content:
    """Return the strings of a file's lines in upper case as rows, with their names."""
    return dict(rows=[line["sequence"].upper() for line in lines], ids=tuple(line["name"] for line in lines))


@sample(
    "promoters",
    "Promoters (DNA strings)",
    "sequence",
    106,
    "strings of 57",
    **_PROMOTERS,
    look_for="Compare kernels that know the position (weighted degree) with those that do not (spectrum).",
    note="Letters in upper case.",
)
def promoters() -> Content:
    """Return promoter gene sequences: 106 strings of 57 letters A, C, G, T (upper case; the file has lower case)."""
    lines = read_csv("promoters.csv")
    return _strings(lines) | dict(y=binary([line["label"] for line in lines], "+"), classes=("-", "+"))


@sample(
    "promoters-categorical",
    "Promoters (57 nominal columns)",
    "categorical",
    106,
    "× 57",
    **_PROMOTERS,
    look_for="Rare letters count more under k1: the columns near −35 and −10 carry the class.",
    note="Letters in upper case; 'promoter_gene' of 'categorical kernels'.",
)
def promoters_categorical() -> Content:
    """Return the same 106 promoters as 57 nominal columns p-50 … p-1, p+1 … p+7."""
    content = promoters.read()
    positions = [*range(-50, 0), *range(1, 8)]
    rows = np.array([list(sequence) for sequence in content["rows"]], dtype=object)
    return content | dict(rows=rows, columns=tuple(f"p{p:+d}" for p in positions))


@sample(
    "splice",
    "Splice junctions (DNA strings)",
    "sequence",
    3190,
    "strings of 60",
    **_SPLICE,
    look_for="The class sits at the centre of the string (GT or AG): position matters more than content.",
    note="15 of the strings hold ambiguous letters (D, N, R, S).",
)
def splice() -> Content:
    """Return splice junctions: 3190 strings of 60 letters, EI 767, IE 768, N 1655; 15 hold ambiguous letters."""
    lines = read_csv("splice.csv.gz")
    return _strings(lines) | dict(y=[line["label"] for line in lines], classes=("EI", "IE", "N"))


@sample(
    "splice-two-class",
    "Splice sites against other places (DNA strings)",
    "sequence",
    3175,
    "strings of 60",
    **_SPLICE,
    look_for="Single letters, one-hot, read much of the site; weighted degree of degree 10 reads more of it.",
    note="'splice' of 'kernels, feature space, model selection': both kinds of site are one class, the 15 strings with "
    "ambiguous letters are left out.",
)
def splice_two_class() -> Content:
    """Return splice sites (EI and IE, 1527) against places that are none (N, 1648)."""
    lines = [line for line in read_csv("splice.csv.gz") if set(line["sequence"].upper()) <= set("ACGT")]
    return _strings(lines) | dict(y=1 - binary([line["label"] for line in lines], "N"), classes=("no site", "site"))


@sample(
    "splice-agct",
    "Splice sites, letters coded A, G, C, T",
    "vector",
    3175,
    "× 60",
    **_SPLICE | {"citation": "Noordewier, Towell, Shavlik 1991; Rätsch, Onoda, Müller 2001"},
    look_for="The order of the codes decides: compare with A, C, G, T in 'Splice sites, coded 0–3'.",
    note="A, G, C, T are 0, 1, 2, 3: the order with which the published values of 'kernels, feature space, model "
    "selection' agree, though it prints A, C, G, T.",
)
def splice_agct() -> Content:
    """Return the rows of 'splice-two-class' as numbers, A → 0, G → 1, C → 2, T → 3."""
    content = splice_two_class.read()
    code = {letter: float(k) for k, letter in enumerate("AGCT")}
    return content | dict(rows=[[code[letter] for letter in sequence] for sequence in content["rows"]])


@sample(
    "webkb",
    "WebKB, faculty against project",
    "text",
    1628,
    "texts",
    files=("webkb_faculty_project.csv.gz",),
    source="CMU WebKB (4 Universities)",
    licence=f"none stated by CMU: {UNSTATED}",
    citation="Craven et al. 1998; stemmed by Cardoso-Cachopo 2007",
    look_for="300 concepts hold 96% of the squared length of 7143 terms: change the number of concepts.",
    note="A stand-in: 1124 and 504 pages here, 631 and 396 from another cut in 'deep kernel machines'.",
)
def webkb() -> Content:
    """Return WebKB pages, stemmed: faculty 1124, project 504; eleven pages are empty."""
    lines = read_csv("webkb_faculty_project.csv.gz")
    return dict(
        rows=[line["text"] for line in lines], y=[line["label"] for line in lines], classes=("faculty", "project")
    )


# Nodes of a graph, graphs, time series, and square matrices of scores.


def _adjacency(nodes: list[dict[str, str]], file: str) -> Array:
    """Return the symmetric adjacency matrix of the nodes from a file of edges, without edges from a node to itself."""
    row = {node["id"]: i for i, node in enumerate(nodes)}
    A = np.zeros((len(nodes), len(nodes)))
    for edge in read_csv(file):
        if edge["from"] != edge["to"]:
            A[row[edge["from"]], row[edge["to"]]] = 1.0
    return np.maximum(A, A.T)


@sample(
    "karate",
    "Zachary's karate club",
    "node",
    34,
    "nodes",
    files=("karate/nodes.csv", "karate/edges.csv"),
    source="networkx karate_club_graph",
    licence="BSD-3 (networkx, © NetworkX Developers)",
    citation="Zachary 1977",
    look_for="Raise β: heat leaves the two leaders, and the factions become blocks.",
    note="Edges without their weights.",
)
def karate() -> Content:
    """Return Zachary's karate club: 34 members, 78 unweighted friendships, two factions of 17."""
    nodes = read_csv("karate/nodes.csv")
    return dict(
        rows=_adjacency(nodes, "karate/edges.csv"),
        y=[node["club"] for node in nodes],
        classes=("Mr. Hi", "Officer"),
        ids=tuple(node["id"] for node in nodes),
    )


@sample(
    "enron",
    "Enron e-mail graph",
    "node",
    182,
    "nodes",
    files=("enron/nodes.csv", "enron/edges.csv"),
    source="R package igraphdata, enron",
    licence="CC BY-SA 4.0 (R package igraphdata)",
    citation="Priebe, Conroy, Marchette, Park 2005",
    look_for="One leader in eleven: judge by AUC, and see whether depth gathers the leaders.",
    note="Binary, undirected, without self-loops. That CEO, President and Managing Director are the thesis's 16 is "
    "our inference from its counts (16 against 166).",
)
def enron() -> Content:
    """Return Enron e-mail: 182 accounts joined when either ever wrote to the other; code 1 = leaders (16)."""
    nodes = [node for node in read_csv("enron/nodes.csv") if node["isolated"] == "0"]
    leaders = {"CEO", "President", "Managing Director"}
    return dict(
        rows=_adjacency(nodes, "enron/edges.csv"),
        y=[int(node["status"] in leaders) for node in nodes],
        classes=("others", "leaders"),
        ids=tuple(f"{node['id']} {node['status']}".strip() for node in nodes),
    )


@sample(
    "lawyers",
    "Law firm partners",
    "node",
    36,
    "nodes",
    files=("lawyers/ELattr.csv", "lawyers/ELfriend.csv", "lawyers/ELwork.csv"),
    source="SIENA project page, Lazega lawyers",
    licence=f"none stated on the SIENA page: {UNSTATED}",
    citation="Lazega 2001, The Collegial Phenomenon",
    look_for="The film-strip of the thesis's figure 3.6: nearly diagonal, then blocks, then flat.",
    note=(
        "A stand-in: the thesis used opinions on firm policy; the partners' practice has its counts of 20 and 16. "
        "A tie counts as friendship when either names the other."
    ),
)
def lawyers() -> Content:
    """Return Lazega's law firm: A = ½·friends + ½·collaborated over the 36 partners; practice as the label (20/16)."""
    friends, work = (
        np.array([[float(v) for v in line.values()] for line in read_csv(f"lawyers/{name}.csv")])[:36, :36]
        for name in ("ELfriend", "ELwork")
    )
    partners = read_csv("lawyers/ELattr.csv")[:36]
    # friendship is directed in the file: one who names the other is enough
    A = 0.5 * np.maximum(friends, friends.T) + 0.5 * np.maximum(work, work.T)
    return dict(
        rows=A,
        y=[{"1": "litigation", "2": "corporate"}[line["practice"]] for line in partners],
        classes=("litigation", "corporate"),
        ids=tuple(line["seniority"] for line in partners),
    )


_MUTAG = tuple(f"MUTAG/MUTAG_{part}.txt" for part in ("A", "graph_indicator", "graph_labels", "node_labels"))


@sample(
    "mutag",
    "MUTAG molecules",
    "graph",
    188,
    "graphs",
    files=_MUTAG,
    source="TUDataset MUTAG",
    licence=f"none stated by TUDataset: {UNSTATED}",
    citation="Debnath et al. 1991",
    look_for="Rings of carbon and the nitro groups on them: longer walks see the rings.",
    note=(
        "Atoms carry their node label as the file numbers it (1–7); bonds carry none (edge labels are unreliable here)."
    ),
)
def mutag() -> Content:
    """Return MUTAG: 188 molecules with atom labels; code 1 = mutagenic (125), 0 = not (63)."""
    data = read_tudataset({file: sample_file(file).read_bytes() for file in _MUTAG}, "MUTAG", LIMITS)
    return dict(rows=data.rows, y=data.y, classes=("not mutagenic", "mutagenic"))


@sample(
    "japanese-vowels",
    "Japanese vowels, nine speakers",
    "series",
    270,
    "series of 7 to 26 times, 12 channels",
    files=("japanese-vowels.ts.gz",),
    source="UCI Japanese Vowels, training part as the UEA archive gives it",
    licence=UCI,
    citation="Kudo, Toyama, Shimbo 1999",
    look_for="Aligned, or compared time by time, few utterances are misclassified; by their rhythm alone, many are.",
    note="Each series is one utterance of /ae/: twelve cepstrum coefficients, one time every 6.4 ms.",
)
def japanese_vowels() -> Content:
    """Return utterances of nine men, 30 of each: the class is the speaker."""
    (file,) = japanese_vowels.files
    data = read_ts(gzip.decompress(sample_file(file).read_bytes()).decode(), file, LIMITS)
    return dict(rows=data.rows, y=data.y, classes=tuple(f"speaker {name}" for name in data.classes))


@sample(
    "digit-shift-scores",
    "Digits, best match over shifts",
    "matrix",
    120,
    "× 120 scores",
    files=("zip38.npz",),
    source="Computed from 120 of the ZIP-code digits 3 and 8 (R package ElemStatLearn)",
    licence=ELEM_STAT_LEARN,
    citation="Hastie, Tibshirani, Friedman 2009; LeCun et al. 1989",
    look_for="A maximum over shifts is no kernel: 26 eigenvalues are negative. Compare the repairs before taking one.",
    note="Entry (i, j) is the largest cosine of two images over shifts of one pixel in all directions.",
)
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
    n, height, width = images.shape
    flat = images.reshape(n, -1)
    padded = np.pad(images, ((0, 0), (reach, reach), (reach, reach)))
    S = np.full((n, n), -np.inf)
    for a in range(2 * reach + 1):
        for b in range(2 * reach + 1):
            np.maximum(S, flat @ padded[:, a : a + height, b : b + width].reshape(n, -1).T, out=S)
    lengths = np.linalg.norm(flat, axis=1)
    return np.asarray(np.maximum(S, S.T) / np.outer(lengths, lengths))
