"""Values in a notebook: kernels as chain and formulas, results as their figures; packages export what they hold."""

from __future__ import annotations

import ast
import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import plotly.io as pio
import pytest

from kernlib import RBF, Deep, Linear
from kernlib.analysis import (
    confusion,
    decompose,
    diagnose,
    kernel_pca,
    relevant_dimension,
    relevant_dimension_loo,
    roc_curves,
)
from kernlib.experiments import Axis, curve, sweep
from kernlib.registry import KERNELS
from kernlib.values.notebook import kernel_html
from tests.experiments.problems import points, spec_of
from tests.figures.checking import check


def results():
    X = np.random.default_rng(0).normal(size=(24, 2))
    K, y = X @ X.T, np.arange(24) % 2
    data = points(24)
    spec = spec_of(data, RBF(), axis=Axis("kernel.sigma", (0.5, 1.0, 2.0)))
    yield decompose(K)
    yield kernel_pca(K)
    yield diagnose(K, y)
    yield relevant_dimension(K, y)
    yield relevant_dimension_loo(K, y)
    yield from roc_curves(y, X[:, 0])
    yield confusion(y, y)
    yield curve(spec, sweep(spec, data))


def test_results_show_their_figure(monkeypatch):
    monkeypatch.setattr(pio.renderers, "default", "plotly_mimetype")
    for result in results():
        check(result.figure())
        shown = result._repr_mimebundle_()
        assert "application/vnd.plotly.v1+json" in shown
        assert type(result).__name__ in shown["text/plain"]
        assert len(shown["text/plain"]) < 1200
    told = repr(kernel_pca(np.array([[2.0, 1.0], [1.0, 2.0]]), components=1))
    assert told.startswith("KernelPCA(eigenvalues=[3], eigenvectors=[[0.707107], [0.707107]], centered=False, total=4,")
    assert "eigenvectors=<24 × 24>" in repr(decompose(np.eye(24)))


def test_without_plotly_a_result_prints(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "kernlib.figures.spectrum", None)
    assert list(decompose(np.eye(2))._repr_mimebundle_()) == ["text/plain"]


def test_kernels_show_chain_and_formulas():
    shown = (Deep(RBF(sigma=1.5), level=2) + Linear())._repr_html_()
    assert "level 2" in shown
    assert RBF.formula.replace("<", "&lt;") in shown
    assert shown.count("<tr>") == 4
    for cls in KERNELS:
        assert cls.formula.count("$") == 0

    class Hostile(Linear):
        def chip(self):
            return "<script>alert(1)</script>"

    assert "<script" not in kernel_html(Hostile())


@cache
def imported() -> set[str]:
    """The names that another module imports, or takes from a module that it has imported."""
    files = (f for room in ("kernlib", "pages") for f in (Path(__file__).parent.parent / room).rglob("*.py"))
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files if file.name != "__init__.py"]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    return names | {node.attr for node in nodes if isinstance(node, ast.Attribute)}


@pytest.mark.parametrize("package", ["analysis", "figures"])
def test_packages_export_the_public_names_of_their_modules(package):
    whole = import_module(f"kernlib.{package}")
    exported = [name for name in vars(whole) if not name.startswith("_")]
    names = [found.name for found in pkgutil.iter_modules(whole.__path__) if found.name != "kinds"]  # found by name
    for module in (import_module(f"kernlib.{package}.{name}") for name in names):
        public = {
            name
            for name, value in vars(module).items()
            if callable(value) and getattr(value, "__module__", "") == module.__name__ and not name.startswith("_")
        }
        assert public <= {*exported} | imported(), module.__name__
