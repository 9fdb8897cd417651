"""The data sets that come with kernlib or with scikit-learn: for each its words and one reader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ..errors import DataError
from ..values.arrays import Array
from ..values.domains import Domain
from ..values.split import Split
from .dataset import Dataset
from .files import read_csv, read_npz, sample_file

__all__ = ["SAMPLES", "Sample", "best_shift_cosine"]

Content = dict[str, Any]

UCI = "UCI Machine Learning Repository, CC BY 4.0"
SKLEARN = "scikit-learn, BSD-3 (data: UCI, CC BY 4.0)"


@dataclass(frozen=True)
class Sample:
    """One data set with all that is said of it before it is read.

    `read` gives the content (rows, y, classes, columns, ids, splits), `load` the `Dataset`.

    >>> SAMPLES["karate"].load()
    Dataset('karate', node, n=34, classes={'Mr. Hi': 17, 'Officer': 17})
    """

    name: str
    title: str
    domain: Domain
    n: int
    size: str
    files: tuple[str, ...] = ()
    source: str = ""
    licence: str = ""
    citation: str = ""
    look_for: str = ""
    note: str = ""
    read: Callable[[], Content] = field(default=dict, repr=False, compare=False)

    def load(self) -> Dataset:
        """All rows; DataError when a file is missing."""
        return Dataset(
            name=self.name, title=self.title, domain=self.domain, source=self.source, licence=self.licence,
            citation=self.citation, look_for=self.look_for, note=self.note,
            recipe=f"load_dataset({self.name!r})",
            **self.read(),
        )  # fmt: skip


SAMPLES: dict[str, Sample] = {}


def sample(
    name: str, title: str, domain: Domain, n: int, size: str, **words: Any
) -> Callable[[Callable[[], Content]], Sample]:
    """Register the decorated reader under `name` with its words."""

    def register(read: Callable[[], Content]) -> Sample:
        SAMPLES[name] = Sample(name, title, domain, n, size, read=read, **words)
        return SAMPLES[name]

    return register


def _binary(values: Sequence[Any] | Array, positive: Any) -> Array:
    """Class codes: 1 where the value is the positive one."""
    return np.array([value == positive for value in values], dtype=np.int64)


# Vectors


@sample(
    "breast-cancer-10",
    "Breast cancer, ten mean features",
    "vector",
    569,
    "569 × 10",
    files=(),
    source="scikit-learn load_breast_cancer, the ten 'mean' columns",
    licence=SKLEARN,
    citation="Street, Wolberg, Mangasarian 1993",
    look_for="Columns of very different scale: see what one bandwidth can do before and after scaling.",
    note="'Breast' of 'deep kernel machines', table 3.1: 212 and 357 rows.",
)
def breast_cancer() -> Content:
    """Wisconsin breast cancer, the ten mean features; code 1 = malignant (212), 0 = benign (357)."""
    from sklearn.datasets import load_breast_cancer

    raw = load_breast_cancer()
    return dict(
        rows=raw.data[:, :10],
        y=1 - raw.target,
        classes=("benign", "malignant"),
        columns=tuple(str(c) for c in raw.feature_names[:10]),
    )


@sample(
    "iris",
    "Iris",
    "vector",
    150,
    "150 × 4",
    files=(),
    source="scikit-learn load_iris",
    licence=SKLEARN,
    citation="Fisher 1936",
    look_for="One species is a block of its own; the other two share a border.",
)
def iris() -> Content:
    """Fisher's irises, three classes of fifty."""
    from sklearn.datasets import load_iris

    raw = load_iris()
    return dict(
        rows=raw.data, y=raw.target, classes=tuple(str(c) for c in raw.target_names), columns=tuple(raw.feature_names)
    )


@sample(
    "wine",
    "Wine",
    "vector",
    178,
    "178 × 13",
    files=(),
    source="scikit-learn load_wine",
    licence=SKLEARN,
    citation="Aeberhard, Forina 1992",
    look_for="One column (proline) is in the hundreds and rules every distance until columns are scaled.",
)
def wine() -> Content:
    """Chemical analyses of wines of three cultivars, 178 × 13."""
    from sklearn.datasets import load_wine

    raw = load_wine()
    return dict(
        rows=raw.data, y=raw.target, classes=tuple(str(c) for c in raw.target_names), columns=tuple(raw.feature_names)
    )


@sample(
    "digits",
    "Digits 0–9 (8×8)",
    "vector",
    1797,
    "1797 × 64",
    files=(),
    source="scikit-learn load_digits",
    licence=SKLEARN,
    citation="Alpaydin, Kaynak 1998",
    look_for="Ten blocks on the diagonal; 1 and 8 leak into the others.",
)
def digits() -> Content:
    """Ten handwritten digits of 8×8 pixels, 1797 rows, grey values 0–16."""
    from sklearn.datasets import load_digits

    raw = load_digits()
    return dict(
        rows=raw.data,
        y=raw.target,
        classes=tuple("0123456789"),
        columns=tuple(f"r{i}c{j}" for i in range(8) for j in range(8)),
    )


@sample(
    "digits-3-8",
    "Digits 3 and 8 (16×16)",
    "vector",
    1200,
    "1200 × 256",
    files=("zip38.npz",),
    source="R package ElemStatLearn, zip.train",
    licence="as the R package ElemStatLearn gives it",
    citation="Hastie, Tibshirani, Friedman 2009; LeCun et al. 1989",
    look_for="Two shapes that differ in a few pixels: a good case for depth and for the image kernel.",
    note="'Digit38' of 'deep kernel machines', table 3.1: 658 and 542 rows.",
)
def zip38() -> Content:
    """ZIP-code digits 3 and 8, 16×16 grey values in [−1, 1]; 658 and 542 rows."""
    raw = read_npz("zip38.npz")
    return dict(
        rows=raw["X"],
        y=_binary(raw["y"], 8),
        classes=("3", "8"),
        columns=tuple(f"r{i}c{j}" for i in range(16) for j in range(16)),
    )


@sample(
    "colon",
    "Colon tissues (gene expression)",
    "vector",
    62,
    "62 × 2000",
    files=("colon.npz",),
    source="R package plsgenomics, Colon",
    licence="as the R package plsgenomics gives it",
    citation="Alon et al. 1999, PNAS 96: 6745–6750",
    look_for="Far more columns than rows: a linear kernel is enough, and the diagonal is not yet large.",
    note="Raw intensities, not scaled.",
)
def colon() -> Content:
    """Colon tissues, 62 × 2000 raw intensities; code 1 = normal (22), 0 = tumour (40)."""
    raw = read_npz("colon.npz")
    return dict(
        rows=raw["X"],
        y=_binary(raw["y"], 1),
        classes=("tumour", "normal"),
        columns=tuple(f"gene{j + 1}" for j in range(raw["X"].shape[1])),
    )


def _wave(pair: str) -> Content:
    """The waveform test set, all classes ("123") or two of them ("12", "13", "23")."""
    lines = [line for line in read_csv("waveform_test.csv") if line["y"] in pair]
    names = tuple(f"x{j}" for j in range(1, 22))
    rows = [[float(line[name]) for name in names] for line in lines]
    return dict(rows=rows, y=[line["y"] for line in lines], classes=tuple(pair), columns=names)


for _pair, _n, _counts in (
    ("12", 327, "175 and 152"), ("13", 348, "175 and 173"), ("23", 325, "152 and 173"),
    ("123", 500, "175, 152 and 173"),
):  # fmt: skip
    sample(
        f"wave-{_pair}", "Waveform, classes " + ", ".join(_pair), "vector", _n, f"{_n} × 21",
        files=("waveform_test.csv",), source="R package ElemStatLearn, waveform.test",
        licence="as the R package ElemStatLearn gives it", citation="Breiman, Friedman, Olshen, Stone 1984",
        look_for="Mixtures of two triangles under noise: see how few components carry the class.",
        note=f"'Wave{_pair}' of 'deep kernel machines', table 3.1: {_counts} rows." if len(_pair) == 2 else
        "",
    )(partial(_wave, _pair))  # fmt: skip


@sample(
    "yeast",
    "Yeast, CYT against MIT",
    "vector",
    707,
    "707 × 8",
    files=("yeast_cyt_mit.csv",),
    source="UCI Yeast",
    licence=UCI,
    citation="Nakai, Kanehisa 1992; Horton, Nakai 1996",
    look_for="Two columns are nearly constant; the classes overlap whatever the bandwidth.",
    note="A stand-in: 463 and 244 rows here, 457 and 243 in 'deep kernel machines', table 3.1.",
)
def yeast() -> Content:
    """UCI yeast, classes CYT (463) and MIT (244), 707 × 8."""
    lines = read_csv("yeast_cyt_mit.csv")
    names = ("mcg", "gvh", "alm", "mit", "erl", "pox", "vac", "nuc")
    return dict(
        rows=[[float(line[name]) for name in names] for line in lines],
        y=[line["class"] for line in lines],
        classes=("CYT", "MIT"),
        columns=names,
        ids=tuple(line["name"] for line in lines),
    )


def _ida(file: str) -> Content:
    """A set of the two-class benchmark with those of its published splits that could be had."""
    raw = read_npz(f"ida/{file}.npz")
    n = raw["y"].shape[0]
    splits: list[Split] = []
    if "train" in raw:
        for number, train, test in zip(raw["realisation"], raw["train"], raw["test"], strict=True):
            splits.append(Split(str(int(number)), train, test))
    elif "train_1" in raw:
        splits.append(Split("1", raw["train_1"], np.setdiff1d(np.arange(n), raw["train_1"])))
    return dict(rows=raw["X"], y=_binary(raw["y"], 1), classes=("-1", "+1"), splits=tuple(splits))


for _name, _file, _published, _title, _n, _d, _splits, _look_for in (
    ("banana", "banana", "banana", "Banana", 5300, 2, 10, (
        "Crescents in the plane: draw the eigenvectors "
        "over it."
    )),
    ("ida-breast-cancer", "breast-cancer", "breast-cancer", "Breast cancer (Ljubljana)", 277, 9, 10,
     "High noise: two dimensions are all that can be learnt."),
    ("ida-diabetes", "diabetis_pool", "diabetes", "Diabetes (Pima)", 768, 8, 1,
     "High noise, low dimension: more components only fit the noise."),
    ("ida-german", "german", "german", "German credit", 1000, 20, 10,
     "High noise: every machine errs about as often as the estimate says."),
    ("ida-heart", "heart", "heart", "Heart", 270, 13, 10, "Few rows, four relevant dimensions."),
    ("ida-image", "image", "image", "Image segmentation", 2310, 18, 10,
     "Low noise, high dimension: hundreds of components carry the label."),
    ("ida-ringnorm", "ringnorm", "ringnorm", "Ringnorm (benchmark)", 7400, 20, 10,
     "Low noise, yet many components carry the label: the classes differ in spread."),
    ("ida-splice", "splice_pool", "splice", "Splice sites, coded 0–3", 3175, 60, 0,
     "A naive code of the four letters makes the problem noisy."),
    ("ida-thyroid", "thyroid_pool", "thyroid", "Thyroid", 215, 5, 0, "Low noise, low dimension."),
    ("ida-titanic", "titanic", "titanic", "Titanic", 2201, 3, 10,
     "Three columns with few values: many rows are equal, the noise is high."),
    ("ida-twonorm", "twonorm_pool", "twonorm", "Twonorm (benchmark)", 7400, 20, 0,
     "Low noise in one or two dimensions, all others carry nothing."),
    ("ida-waveform", "waveform", "waveform", "Waveform (benchmark)", 5000, 21, 10,
     "Low noise; the signal lies in a plane."),
):  # fmt: skip
    sample(
        _name, _title, "vector", _n, f"{_n} × {_d}", files=(f"ida/{_file}.npz",),
        source="IDA benchmark as repackaged by Diethe 2015; data from UCI, DELVE, STATLOG",
        licence="MIT (the repackaging); see the origin of each set",
        citation="Rätsch, Onoda, Müller 2001; Diethe 2015", look_for=_look_for,
        note=f"'{_published}' of 'kernels, feature space, model selection'; "
        + (f"{_splits} of its 100 (20 for image and splice) published splits." if _splits
           else "the pool only, its published splits are missing."),
    )(partial(_ida, _file))  # fmt: skip


@sample(
    "large-diagonal-toy",
    "Large-diagonal toy",
    "vector",
    6,
    "6 × 10",
    files=(),
    source="'Almost orthogonal patterns', section 3",
    licence="six rows of numbers",
    citation="Schölkopf et al. 2002",
    look_for="The first column tells the classes apart, yet the diagonal of 64–82 hides its 1s: lower p.",
)
def large_diagonal_toy() -> Content:
    """The 6 × 10 example that a linear kernel memorises: XX' is nearly diagonal."""
    X = np.zeros((6, 10))
    X[:3, 0] = 1
    for row, column, value in ((0, 3, 9), (1, 5, 8), (2, 7, 9), (3, 2, 9), (4, 6, 8), (5, 8, 9)):
        X[row, column] = value
    return dict(rows=X, y=[1, 1, 1, 0, 0, 0], classes=("-1", "+1"))


#: The columns of the benchmark's heart data (UCI Statlog Heart), and the words of those that are nominal, by code.
_HEART: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("age", ()), ("sex", ("female", "male")),
    ("chest pain", ("typical angina", "atypical angina", "no angina", "no pain")), ("blood pressure", ()),
    ("cholesterol", ()), ("sugar over 120", ("no", "yes")), ("ECG at rest", ("normal", "ST-T", "hypertrophy")),
    ("highest rate", ()), ("angina in exercise", ("no", "yes")), ("ST depression", ()), ("ST slope", ()),
    ("vessels coloured", ()), ("thallium", ("normal", "fixed defect", "reversible defect")),
)  # fmt: skip


@sample(
    "heart-mixed",
    "Heart, numbers and categories",
    "mixed",
    270,
    "270 × 13 (7 numbers, 6 categories)",
    files=("ida/heart.npz",),
    source="UCI Statlog Heart, in the IDA benchmark as repackaged by Diethe 2015",
    licence="UCI Machine Learning Repository, CC BY 4.0; MIT (the repackaging)",
    citation="Rätsch, Onoda, Müller 2001; Diethe 2015",
    look_for="Each kind of column has its own kernel: see what the categories add to the numbers.",
    note="The rows and splits of 'ida-heart', whose numbers the benchmark scaled to mean 0 and variance 1; the nominal "
    "columns carry their words again instead of scaled codes.",
)
def heart_mixed() -> Content:
    """Statlog Heart, 270 × 13: seven columns of numbers and six nominal ones."""
    content = _ida("heart")
    X = content["rows"]
    rows = X.astype(object)
    for j, (_, words) in enumerate(_HEART):
        if words:
            rows[:, j] = np.array(words, dtype=object)[np.unique(X[:, j], return_inverse=True)[1]]
    kinds = tuple("categorical" if words else "vector" for _, words in _HEART)
    classes = ("no heart disease", "heart disease")
    return content | dict(rows=rows, columns=tuple(name for name, _ in _HEART), kinds=kinds, classes=classes)


# Categorical


def _monks(number: int) -> Content:
    """MONK's problem 1, 2 or 3: training rows first, then the 432 test rows; one split, "published"."""
    train, test = (read_csv(f"monks/monks-{number}.{part}.csv") for part in ("train", "test"))
    lines = train + test
    names = tuple(f"a{j}" for j in range(1, 7))
    rows = np.array([[int(line[name]) for name in names] for line in lines])
    ids = [f"train {line['id']}" for line in train] + [f"test {line['id']}" for line in test]
    split = Split("published", np.arange(len(train)), np.arange(len(train), len(lines)))
    y = [int(line["class"]) for line in lines]
    return dict(rows=rows, y=y, classes=("0", "1"), columns=names, ids=tuple(ids), splits=(split,))


for _number, _n, _rule in (
    (1, 556, "a1 = a2 or a5 = 1"),
    (2, 601, "exactly two columns are 1"),
    (3, 554, "(a5 = 3 and a4 = 1) or (a5 ≠ 4 and a2 ≠ 3), 5 % noise in the training labels"),
):
    sample(
        f"monks-{_number}", f"MONK's problem {_number}", "categorical", _n, f"{_n} × 6 ({_n - 432} for "
        f"training)",
        files=(f"monks/monks-{_number}.train.csv", f"monks/monks-{_number}.test.csv"),
        source="UCI MONK's Problems", licence=UCI, citation="Thrun et al. 1991",
        look_for=f"The rule ({_rule}) joins columns; a mean of overlaps cannot see it, a product can.",
        note="The test part is the whole space of 432 rows and contains the training rows.",
    )(partial(_monks, _number))  # fmt: skip


def _promoter_lines() -> list[dict[str, str]]:
    return read_csv("promoters.csv")


@sample(
    "promoters",
    "Promoters (DNA strings)",
    "sequence",
    106,
    "106 strings of 57",
    files=("promoters.csv",),
    source="UCI Molecular Biology (Promoter Gene Sequences)",
    licence=UCI,
    citation="Harley, Reynolds 1987; Towell, Shavlik, Noordewier 1990",
    look_for="Compare kernels that know the position (weighted degree) with those that do not (spectrum).",
    note="Letters in upper case.",
)
def promoters() -> Content:
    """Promoter gene sequences: 106 strings of 57 letters A, C, G, T (upper case; the file has lower case)."""
    lines = _promoter_lines()
    return dict(
        rows=[line["sequence"].upper() for line in lines],
        y=_binary([line["label"] for line in lines], "+"),
        classes=("-", "+"),
        ids=tuple(line["name"] for line in lines),
    )


@sample(
    "promoters-categorical",
    "Promoters (57 nominal columns)",
    "categorical",
    106,
    "106 × 57",
    files=("promoters.csv",),
    source="UCI Molecular Biology (Promoter Gene Sequences)",
    licence=UCI,
    citation="Harley, Reynolds 1987; Towell, Shavlik, Noordewier 1990",
    look_for="Rare letters count more under k1: the columns near −35 and −10 carry the class.",
    note="Letters in upper case; 'promoter_gene' of 'categorical kernels'.",
)
def promoters_categorical() -> Content:
    """The same 106 promoters as 57 nominal columns p-50 … p-1, p+1 … p+7."""
    lines = _promoter_lines()
    positions = [*range(-50, 0), *range(1, 8)]
    return dict(
        rows=np.array([list(line["sequence"].upper()) for line in lines], dtype=object),
        y=_binary([line["label"] for line in lines], "+"),
        classes=("-", "+"),
        columns=tuple(f"p{p:+d}" for p in positions),
        ids=tuple(line["name"] for line in lines),
    )


@sample(
    "solar-flare",
    "Solar flares (UCI)",
    "categorical",
    1066,
    "1066 × 10",
    files=("ida/flare-solar_uci_flare2.csv",),
    source="UCI Solar Flare, flare.data2",
    licence=UCI,
    citation="Bradshaw 1989",
    look_for="Few modalities, many equal rows with different labels: the noise is in the data.",
    note=(
        "A stand-in: the benchmark's flare-solar has its own binary rule, which is not known; "
        "here a region is "
        "positive when it made any C, M or X flare."
    ),
)
def solar_flare() -> Content:
    """UCI solar flares, ten nominal columns of 1066 regions; code 1 = any flare in the next day (our rule)."""
    lines = read_csv("ida/flare-solar_uci_flare2.csv")
    names = list(lines[0])
    return dict(
        rows=np.array([[line[name] for name in names[:10]] for line in lines], dtype=object),
        y=[int(any(int(line[name]) > 0 for name in names[10:])) for line in lines],
        classes=("quiet", "flares"),
        columns=tuple(names[:10]),
    )


# Sequences and texts


@sample(
    "splice",
    "Splice junctions (DNA strings)",
    "sequence",
    3190,
    "3190 strings of 60",
    files=("splice.csv.gz",),
    source="UCI Molecular Biology (Splice-junction Gene Sequences)",
    licence=UCI,
    citation="Noordewier, Towell, Shavlik 1991",
    look_for="The class sits at the centre of the string (GT or AG): position matters more than content.",
    note="15 of the strings hold ambiguous letters (D, N, R, S).",
)
def splice() -> Content:
    """Splice junctions: 3190 strings of 60 letters, EI 767, IE 768, N 1655; 15 hold ambiguous letters."""
    lines = read_csv("splice.csv.gz")
    return dict(
        rows=[line["sequence"].upper() for line in lines],
        y=[line["label"] for line in lines],
        classes=("EI", "IE", "N"),
        ids=tuple(line["name"] for line in lines),
    )


def _two_class_splice() -> tuple[list[dict[str, str]], Array]:
    """The 3175 splice strings without ambiguous letters, and 1 where there is a site of either kind."""
    lines = [line for line in read_csv("splice.csv.gz") if set(line["sequence"].upper()) <= set("ACGT")]
    return lines, 1 - _binary([line["label"] for line in lines], "N")


@sample(
    "splice-two-class",
    "Splice sites against other places (DNA strings)",
    "sequence",
    3175,
    "3175 strings of 60",
    files=("splice.csv.gz",),
    source="UCI Molecular Biology (Splice-junction Gene Sequences)",
    licence=UCI,
    citation="Noordewier, Towell, Shavlik 1991",
    look_for="Weighted degree of degree 10 reads the site; codes of single letters do not.",
    note="'splice' of 'kernels, feature space, model selection': both kinds of site are one class, the 15 strings with "
    "ambiguous letters are left out.",
)
def splice_two_class() -> Content:
    """Splice sites (EI and IE, 1527) against places that are none (N, 1648)."""
    lines, y = _two_class_splice()
    return dict(
        rows=[line["sequence"].upper() for line in lines], y=y, classes=("no site", "site"),
        ids=tuple(line["name"] for line in lines),
    )  # fmt: skip


@sample(
    "splice-agct",
    "Splice sites, letters coded A, G, C, T",
    "vector",
    3175,
    "3175 × 60",
    files=("splice.csv.gz",),
    source="UCI Molecular Biology (Splice-junction Gene Sequences)",
    licence=UCI,
    citation="Noordewier, Towell, Shavlik 1991; Rätsch, Onoda, Müller 2001",
    look_for="The order of the codes decides: compare with A, C, G, T in 'Splice sites, coded 0–3'.",
    note="A, G, C, T are 0, 1, 2, 3: the order with which the published numbers of 'kernels, feature space, model "
    "selection' agree, though it prints A, C, G, T.",
)
def splice_agct() -> Content:
    """The rows of 'splice-two-class' as numbers, A → 0, G → 1, C → 2, T → 3."""
    lines, y = _two_class_splice()
    code = {letter: float(k) for k, letter in enumerate("AGCT")}
    return dict(
        rows=[[code[letter] for letter in line["sequence"].upper()] for line in lines], y=y,
        classes=("no site", "site"), ids=tuple(line["name"] for line in lines),
    )  # fmt: skip


@sample(
    "webkb",
    "WebKB, faculty against project",
    "text",
    1628,
    "1628 texts",
    files=("webkb_faculty_project.csv.gz",),
    source="CMU WebKB (4 Universities)",
    licence="none stated by CMU",
    citation="Craven et al. 1998; stemmed by Cardoso-Cachopo 2007",
    look_for="A few hundred concepts hold what 10 000 terms hold: move the number of concepts.",
    note="A stand-in: 1124 and 504 pages here, 631 and 396 from another cut in 'deep kernel machines'.",
)
def webkb() -> Content:
    """WebKB pages, stemmed: faculty 1124, project 504; eleven pages are empty."""
    lines = read_csv("webkb_faculty_project.csv.gz")
    return dict(
        rows=[line["text"] for line in lines], y=[line["label"] for line in lines], classes=("faculty", "project")
    )


# Nodes of one graph


@sample(
    "karate",
    "Zachary's karate club",
    "node",
    34,
    "34 nodes",
    files=("karate/nodes.csv", "karate/edges.csv"),
    source="networkx karate_club_graph",
    licence="BSD-3 (networkx)",
    citation="Zachary 1977",
    look_for="Raise β: heat leaves the two leaders, and the factions become blocks.",
    note="Edges without their weights.",
)
def karate() -> Content:
    """Zachary's karate club: 34 members, 78 unweighted friendships, two factions of 17."""
    nodes = read_csv("karate/nodes.csv")
    A = np.zeros((len(nodes), len(nodes)))
    for edge in read_csv("karate/edges.csv"):
        A[int(edge["from"]), int(edge["to"])] = 1.0
    return dict(
        rows=np.maximum(A, A.T),
        y=[node["club"] for node in nodes],
        classes=("Mr. Hi", "Officer"),
        ids=tuple(node["id"] for node in nodes),
    )


@sample(
    "enron",
    "Enron e-mail graph",
    "node",
    182,
    "182 nodes",
    files=("enron/nodes.csv", "enron/edges.csv"),
    source="R package igraphdata, enron",
    licence="CC BY-SA 4.0",
    citation="Priebe, Conroy, Marchette, Park 2005",
    look_for="One leader in eleven: judge by AUC, and see whether depth gathers the leaders.",
    note="Binary, undirected, without self-loops. That CEO, President and Managing Director are the thesis's 16 is "
    "our inference from its counts (16 against 166).",
)
def enron() -> Content:
    """Enron e-mail: 182 accounts joined when either ever wrote to the other; code 1 = leaders (16)."""
    nodes = [node for node in read_csv("enron/nodes.csv") if node["isolated"] == "0"]
    row = {node["id"]: i for i, node in enumerate(nodes)}
    A = np.zeros((len(nodes), len(nodes)))
    for edge in read_csv("enron/edges.csv"):
        if edge["from"] != edge["to"]:
            A[row[edge["from"]], row[edge["to"]]] = 1.0
    leaders = {"CEO", "President", "Managing Director"}
    return dict(
        rows=np.maximum(A, A.T),
        y=[int(node["status"] in leaders) for node in nodes],
        classes=("others", "leaders"),
        ids=tuple(f"{node['id']} {node['status']}".strip() for node in nodes),
    )


@sample(
    "lawyers",
    "Law firm partners",
    "node",
    36,
    "36 nodes",
    files=("lawyers/ELattr.csv", "lawyers/ELfriend.csv", "lawyers/ELwork.csv"),
    source="SIENA project page, Lazega lawyers",
    licence="none stated on the SIENA page; cite the source",
    citation="Lazega 2001, The Collegial Phenomenon",
    look_for="The film-strip of the thesis's figure 3.6: nearly diagonal, then blocks, then flat.",
    note=(
        "A stand-in: the thesis used opinions on firm policy; the partners' practice has its counts of 20 and 16. "
        "A tie counts as friendship when either names the other."
    ),
)
def lawyers() -> Content:
    """Lazega's law firm: A = ½·friends + ½·collaborated over the 36 partners; practice as the label (20/16)."""
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


# Graphs


@sample(
    "mutag",
    "MUTAG molecules",
    "graph",
    188,
    "188 graphs",
    files=(
        "MUTAG/MUTAG_A.txt",
        "MUTAG/MUTAG_graph_indicator.txt",
        "MUTAG/MUTAG_graph_labels.txt",
        "MUTAG/MUTAG_node_labels.txt",
    ),
    source="TUDataset MUTAG",
    licence="none stated by TUDataset; cite the source",
    citation="Debnath et al. 1991",
    look_for="Rings of carbon and the nitro groups on them: longer walks see the rings.",
    note=(
        "Atoms carry their node label as the file numbers it (1–7); bonds carry none (edge labels are unreliable here)."
    ),
)
def mutag() -> Content:
    """MUTAG: 188 molecules with atom labels; code 1 = mutagenic (125), 0 = not (63)."""
    try:
        from ..values.graph import Graph
    except ImportError:
        raise DataError(
            "Dataset 'mutag': it needs kernlib.kernels.graphs.Graph, which this installation lacks. "
            "Update kernlib, or choose another data set."
        ) from None
    owner = np.loadtxt(sample_file("MUTAG/MUTAG_graph_indicator.txt"), dtype=np.int64) - 1
    kinds = np.loadtxt(sample_file("MUTAG/MUTAG_node_labels.txt"), dtype=np.int64)
    edges = np.loadtxt(sample_file("MUTAG/MUTAG_A.txt"), dtype=np.int64, delimiter=",") - 1
    y = np.loadtxt(sample_file("MUTAG/MUTAG_graph_labels.txt"), dtype=np.int64)
    starts = np.searchsorted(owner, np.arange(y.size + 1))
    graphs = np.empty(y.size, dtype=object)
    for g, (first, last) in enumerate(pairwise(starts)):
        A = np.zeros((last - first, last - first))
        own = edges[(edges[:, 0] >= first) & (edges[:, 0] < last)] - first
        A[own[:, 0], own[:, 1]] = 1.0
        graphs[g] = Graph(np.maximum(A, A.T), labels=tuple(str(a) for a in kinds[first:last]))
    return dict(rows=graphs, y=(y == 1).astype(np.int64), classes=("not mutagenic", "mutagenic"))


# Scores


@sample(
    "digit-shift-scores",
    "Digits, best match over shifts",
    "matrix",
    120,
    "120 × 120 scores",
    files=("zip38.npz",),
    source="Computed from 120 of the ZIP-code digits 3 and 8 (R package ElemStatLearn)",
    licence="as the R package ElemStatLearn gives it",
    citation="Hastie, Tibshirani, Friedman 2009; LeCun et al. 1989",
    look_for="A maximum over shifts is no kernel: 26 eigenvalues are negative. Compare the repairs before taking one.",
    note="Entry (i, j) is the largest cosine of two images over shifts of one pixel in all directions.",
)
def digit_shift_scores() -> Content:
    """Shift-tolerant similarity of 120 digits, symmetric with a unit diagonal, indefinite."""
    digits = SAMPLES["digits-3-8"].load().stratified_sample(120, seed=0)
    scores = best_shift_cosine(digits.rows.reshape(-1, 16, 16) + 1.0)
    return dict(rows=scores, y=digits.y, classes=digits.classes, ids=digits.ids)


def best_shift_cosine(images: Array, reach: int = 1) -> Array:
    """Largest cosine over shifts: S_ij = max_{|a|,|b| ≤ reach} ⟨x_i, shift_ab x_j⟩ / (‖x_i‖‖x_j‖), then max(S, S').

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
