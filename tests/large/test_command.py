"""`python -m kernlib gram`: a matrix and its leading pairs as files."""

from __future__ import annotations

import io

import numpy as np
import pytest
from numpy.testing import assert_allclose

from kernlib import RBF, Diffusion, Mismatch
from kernlib.__main__ import main
from kernlib.data import load_dataset, read_paths
from kernlib.large import GramOperator, leading, leading_eigenpairs

pytestmark = pytest.mark.usefixtures("one_thread")


def test_a_matrix_and_its_leading_pairs(tmp_path, capsys):
    out, pairs = tmp_path / "K.npy", tmp_path / "pairs.npz"
    asked = ["gram", "RBF(sigma='median')", "twonorm", "--rows", "120", "--leading", "3", "--pairs", str(pairs)]
    assert main([*asked, "--out", str(out)]) == 0
    told = capsys.readouterr()
    assert f"{out}: 120 × 120, float64, 115 kB" in told.out
    assert f"{pairs}: 3 of 120 eigenpairs, full: ‖Ku − lu‖ ≤" in told.out
    assert "1/1 tiles" in told.err
    K = RBF(sigma="median")(load_dataset("twonorm", n=120).rows)
    assert_allclose(np.load(out), K, rtol=1e-12)
    found = np.load(pairs)
    assert_allclose(found["eigenvalues"], np.linalg.eigvalsh(K)[:-4:-1], rtol=1e-9)
    assert_allclose(K @ found["eigenvectors"], found["eigenvectors"] * found["eigenvalues"], atol=1e-8)
    assert found["trace"] == pytest.approx(120)
    assert main([*asked, "--out", str(tmp_path / "again.npy")]) == 2
    assert "pairs.npz: the file exists" in capsys.readouterr().err


def test_passes_over_no_matrix_are_told_and_an_interruption_says_what_is_kept(tmp_path, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    out, pairs = tmp_path / "K.npy", tmp_path / "pairs.npz"
    how = ["gram", "Deep(RBF(sigma=5.0))", "twonorm", "--rows", "1100", "--leading", "3", "--pairs", str(pairs)]
    monkeypatch.setattr("sys.stderr", told := Terminal())
    assert main(how) == 0
    assert "1/1 tiles" in told.getvalue()
    assert "1/1 parts in pass 2 over K, error " in told.getvalue()
    found = dict(np.load(pairs))
    pairs.unlink()
    with monkeypatch.context() as stopped:
        stopped.setattr(GramOperator, "times", interrupt)
        assert main(how) == 130
        assert "interrupted; nothing is kept." in told.getvalue()
        stopped.setattr(leading._Stored, "times", interrupt)
        assert main([*how, "--out", str(out)]) == 130
        assert "the matrix is complete" in told.getvalue()
    assert main([*how, "--out", str(out)]) == 2
    whole = leading_eigenpairs(np.load(out, mmap_mode="r"), 3)
    assert_allclose(whole.eigenvalues, found["eigenvalues"], rtol=1e-9)
    assert [p.name for p in tmp_path.iterdir()] == ["K.npy"]


def interrupt(*given):
    raise KeyboardInterrupt


@pytest.mark.parametrize(("name", "kernel"), [("promoters", Mismatch(length=3)), ("karate", Diffusion(beta=0.2))])
def test_strings_and_nodes(tmp_path, name, kernel):
    assert main(["gram", repr(kernel), name, "--out", str(tmp_path / "K.npy")]) == 0
    data = load_dataset(name)
    assert_allclose(np.load(tmp_path / "K.npy"), kernel(data.inputs), rtol=1e-9, atol=1e-12)


def test_a_file(tmp_path, capsys):
    rows = np.random.default_rng(0).normal(size=(30, 2))
    lines = ["a,b,kind", *(f"{a!r},{b!r},{'xy'[i % 2]}" for i, (a, b) in enumerate(rows.tolist()))]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    asked = ["gram", "RBF()", str(tmp_path / "t.csv"), "--out"]
    assert main([*asked, str(tmp_path / "K.npy")]) == 2
    assert "--label: nothing says what is predicted; 'kind' could be, or 'none'" in capsys.readouterr().err
    asked[3:3] = ["--label", "kind"]
    assert main([*asked, str(tmp_path / "K.npy")]) == 0
    assert_allclose(np.load(tmp_path / "K.npy"), RBF()(rows), rtol=1e-12)
    assert "--role a=compared --role b=compared --role kind=predict" in capsys.readouterr().err
    assert main([*asked, str(tmp_path / "one.npy"), "--role", "b=ignore", "--rows", "20"]) == 0
    drawn = read_paths(tmp_path / "t.csv", label="kind", roles={"b": "ignore"}, rows=20)
    assert drawn.d == 1
    assert_allclose(np.load(tmp_path / "one.npy"), RBF()(drawn.rows), rtol=1e-12)


def test_a_file_with_gaps_and_a_matrix(tmp_path):
    (tmp_path / "gaps.csv").write_text("a,b,kind\n1,2,x\n,1,y\n3,5,x\n0,4,y\n")
    asked = ["gram", "Imputed(Linear(), strategy='mean')", str(tmp_path / "gaps.csv"), "--label", "kind", "--out"]
    assert main([*asked, str(tmp_path / "no.npy")]) == 2
    assert main([*asked, str(tmp_path / "K.npy"), "--missing", "mean"]) == 0
    X = np.array([[1, 2], [4 / 3, 1], [3, 5], [0, 4]])
    assert_allclose(np.load(tmp_path / "K.npy"), X @ X.T, rtol=1e-12)
    scores = RBF()(np.random.default_rng(0).normal(size=(40, 2)))
    np.save(tmp_path / "scores.npy", scores)
    pairs = ["--leading", "2", "--pairs", str(tmp_path / "p.npz")]
    pairs += ["--kind", "matrix", "--matrix", "scores"]
    assert main(["gram", "Precomputed()", str(tmp_path / "scores.npy"), *pairs]) == 0
    assert_allclose(np.load(tmp_path / "p.npz")["eigenvalues"], np.linalg.eigvalsh(scores)[:-3:-1])


def test_refused(tmp_path, capsys):
    for asked, said in (
        (["RBF()", "twonorm"], "expected --out FILE, --leading K, or both"),
        (["RBF()", "twonorm", "--leading", "3"], "go together"),
        (["RBF()", "twonrm", "--out", "K.npy"], "Did you mean 'twonorm'"),
        (["RB()", "twonorm", "--out", "K.npy"], "Unknown name 'RB'"),
        (["RBF()", "twonorm", "--out", str(tmp_path / "no" / "K.npy")], "cannot be written there"),
        (["RBF()", "nowhere.csv", "--out", "K.npy"], "nowhere.csv: the file cannot be read"),
        (["RBF()", __file__, "--role", "a=labels", "--out", "K.npy"], "column 'a' has the role 'labels'; expected"),
    ):
        assert main(["gram", *asked]) == 2
        assert said in capsys.readouterr().err
