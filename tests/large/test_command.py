"""`python -m kernlib gram`: a matrix and its leading pairs as files."""

from __future__ import annotations

import numpy as np
import pytest

from kernlib import RBF, Diffusion, Mismatch
from kernlib.__main__ import main
from kernlib.data import load_dataset

pytestmark = pytest.mark.usefixtures("one_thread")


def test_a_matrix_and_its_leading_pairs(tmp_path, capsys):
    out, pairs = tmp_path / "K.npy", tmp_path / "pairs.npz"
    how = ["--block", "50", "--rows", "120"]
    asked = ["gram", "RBF(sigma='median')", "twonorm", *how, "--leading", "3", "--pairs", str(pairs)]
    assert main([*asked, "--out", str(out)]) == 0
    told = capsys.readouterr()
    assert f"{out}: 120 × 120, float64, 0 MB" in told.out
    assert f"{pairs}: 3 of 120 eigenpairs, full: ‖Ku − lu‖ ≤" in told.out
    assert "6/6 tiles" in told.err
    K = RBF(sigma="median")(load_dataset("twonorm", n=120).rows)
    np.testing.assert_allclose(np.load(out), K, rtol=1e-12)
    found = np.load(pairs)
    np.testing.assert_allclose(found["eigenvalues"], np.linalg.eigvalsh(K)[:-4:-1], rtol=1e-9)
    np.testing.assert_allclose(K @ found["eigenvectors"], found["eigenvectors"] * found["eigenvalues"], atol=1e-8)
    assert found["trace"] == pytest.approx(120)
    assert main([*asked, "--out", str(tmp_path / "again.npy")]) == 2
    assert "pairs.npz: the file is there already" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["promoters", "karate"])
def test_strings_and_nodes(tmp_path, name):
    kernel = {"promoters": Mismatch(length=3), "karate": Diffusion(beta=0.2)}[name]
    assert main(["gram", repr(kernel), name, "--out", str(tmp_path / "K.npy"), "--block", "40"]) == 0
    data = load_dataset(name)
    np.testing.assert_allclose(np.load(tmp_path / "K.npy"), kernel(data.inputs), rtol=1e-9, atol=1e-12)


def test_a_file(tmp_path):
    rows = np.random.default_rng(0).normal(size=(30, 2))
    lines = ["a,b,kind", *(f"{a!r},{b!r},{'xy'[i % 2]}" for i, (a, b) in enumerate(rows.tolist()))]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    assert main(["gram", "RBF()", str(tmp_path / "t.csv"), "--out", str(tmp_path / "K.npy")]) == 0
    np.testing.assert_allclose(np.load(tmp_path / "K.npy"), RBF()(rows), rtol=1e-12)


def test_refused(tmp_path, capsys):
    for asked, said in (
        (["RBF()", "twonorm"], "expected --out FILE, --leading K, or both"),
        (["RBF()", "twonorm", "--leading", "3"], "go together"),
        (["RBF()", "twonrm", "--out", "K.npy"], "Did you mean 'twonorm'"),
        (["RB()", "twonorm", "--out", "K.npy"], "Nothing is called 'RB'"),
        (["RBF()", "twonorm", "--out", str(tmp_path / "no" / "K.npy")], "cannot be written there"),
    ):
        assert main(["gram", *asked]) == 2
        assert said in capsys.readouterr().err
