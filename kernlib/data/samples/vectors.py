"""Rows of numbers: small classics, digits, genes, and the toy with a large diagonal."""

from __future__ import annotations

from functools import partial

import numpy as np

from .files import read_csv, read_npz
from .sample import ELEM_STAT_LEARN, SKLEARN, UCI, Content, binary, sample


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
