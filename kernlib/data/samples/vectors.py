"""Rows of numbers: from scikit-learn, shipped files, and the two-class benchmark of Rätsch, Onoda and Müller."""

from __future__ import annotations

from functools import partial

import numpy as np

from ...values.arrays import Split
from ..entries import ELEM_STAT_LEARN, SKLEARN, UCI, Content, binary, read_csv, read_npz, sample


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
