"""Predictions of new rows: those of scikit-learn on the same matrices, from training rows alone, also by the script."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from kernlib import RBF, Empirical, Nystrom, Power, Spectrum, SquareRoot, Standardized
from kernlib.data import load_dataset, readings
from kernlib.errors import TransductiveError
from kernlib.estimators import GramTransformer
from kernlib.experiments import UPLOAD, RunSpec, predict_rows, predict_script
from kernlib.machines import SVM, KernelRidge
from tests.experiments.problems import printed_by

IRIS = load_dataset("iris")
TRAIN, NEW = IRIS.take(range(0, 150, 2)), IRIS.take(range(1, 150, 2))


def test_predictions_are_those_of_scikit_learn():
    kernel = Standardized(RBF(sigma=1.5))
    found = predict_rows(kernel, SVM(C=2.0), TRAIN, NEW)
    model = make_pipeline(GramTransformer(kernel), SVC(kernel="precomputed", C=2.0)).fit(TRAIN.rows, TRAIN.labels)
    assert list(found.predicted) == model.predict(NEW.rows).tolist()
    assert len(set(found.predicted)) == 3


@pytest.mark.parametrize("kernel", [RBF(sigma="median"), Nystrom(RBF(sigma="median"), landmarks=20)])
def test_a_new_row_has_no_influence_on_another(kernel):
    few = predict_rows(kernel, SVM(), TRAIN, NEW.take([3, 40]))
    all_rows = predict_rows(kernel, SVM(), TRAIN, NEW)
    assert [all_rows.predicted[3], all_rows.predicted[40]] == list(few.predicted)


def test_real_targets_are_predicted_and_a_kernel_of_all_rows_at_once_is_refused():
    sinc = load_dataset("sinc", n=120, noise=0.0)
    train, new = sinc.take(range(0, 120, 2)), sinc.take(range(1, 120, 2))
    found = predict_rows(RBF(sigma=1.0), KernelRidge(ridge=1e-3), train, new)
    assert np.corrcoef(found.predicted, new.y)[0, 1] > 0.99
    with pytest.raises(TransductiveError, match="Remove that step"):
        predict_rows(SquareRoot(RBF()), SVM(), TRAIN, NEW)


def lines(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_the_script_trains_the_machine_again_and_gives_the_same_predictions(tmp_path):
    strings = load_dataset("promoters")
    kernel, machine = Empirical(Power(Spectrum(length=3), p=0.5)), SVM(C=10.0, scale="spread")
    fasta = tmp_path / "new.fasta"
    fasta.write_text("".join(f">{strings.ids[i]}\n{strings.rows[i]}\n" for i in (3, 80, 20)))
    text = predict_script(RunSpec("promoters", kernel, machine))
    assert "pickle" not in text
    expected = predict_rows(kernel, machine, strings, strings.take([3, 80, 20]))
    printed = printed_by(text, tmp_path, fasta)
    assert printed == expected.to_csv()
    assert [line[1] for line in lines(printed)] == ["predicted", *expected.predicted]

    table = tmp_path / "train, 1.csv"
    table.write_text("size,y,shape\n1.5,a,2\n2.5,b,1\n0.5,a,3\n2,b,1\n")
    raw = table.read_bytes()
    data = readings(table.name, raw)[0].dataset()
    spec = RunSpec(UPLOAD + data.digest, RBF(sigma=1.0), SVM())
    new = tmp_path / "new.csv"
    new.write_text("name,shape,size\n=u,3,0.5\nv,1,2\n")
    printed = printed_by(predict_script(spec, table.name), tmp_path, table, new)
    assert [line[:2] for line in lines(printed)] == [["row", "predicted"], ["'=u", "a"], ["v", "b"]]
    (elsewhere := tmp_path / "elsewhere").mkdir()
    with pytest.raises(SystemExit, match=r"train, 1\.csv, digest"):
        printed_by(predict_script(spec, table.name), elsewhere, new)
