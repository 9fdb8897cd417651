"""The two-class benchmark of Rätsch, Onoda and Müller with its published splits, and heart with its categories."""

from __future__ import annotations

from functools import partial

import numpy as np

from ...values.split import Split
from .files import read_npz
from .sample import Content, binary, sample


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
    _name, _file, _title, _n, _d, _splits = _line.split(" | ")
    sample(
        _name,
        _title,
        "vector",
        int(_n),
        f"× {_d}",
        files=(f"ida/{_file}.npz",),
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
