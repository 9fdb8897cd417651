"""A notebook of ten cells in a kernel process of its own: arrays, a kernel function, and the kernel that comes back."""

from __future__ import annotations

import os

import nbformat
from nbclient import NotebookClient

CELLS = [
    "import kernlib, numpy as np",
    "from scipy.spatial.distance import cdist",
    "from sklearn.datasets import load_wine; X, y = load_wine(return_X_y=True); X = (X - X.mean(0)) / X.std(0)",
    "@kernlib.kernel_from\n"
    "def Cauchy(X, Y, *, gamma: float = 3.0):\n"
    "    return 1 / (1 + cdist(X, Y, 'sqeuclidean') / gamma**2)",
    "view = kernlib.show(X, y, kernel=Cauchy)\nview",
    "first = view.kernel; first",
    # What the page writes when its slider is dragged.
    "from kernlib.serving.opened import note_kernel; note_kernel(view._server.folder, view._name, 'Cauchy(gamma=5.0)')",
    "view.kernel",
    "from sklearn.svm import SVC; from sklearn.model_selection import cross_val_score\n"
    "cross_val_score(view.pipeline(SVC(kernel='precomputed')), X, y, cv=3).mean() > 0.9",
    "view.close(); view.kernel, view._server.alive, view._server.folder.exists()",
]


def test_ten_cells(tmp_path, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([os.getcwd(), os.environ.get("PYTHONPATH", "")]))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [
        next((o["data"] for o in cell["outputs"] if o["output_type"] == "execute_result"), {})
        for cell in notebook.cells
    ]
    words = [data.get("text/plain", "") for data in shown]
    assert words[4].startswith("View('http://localhost:")
    assert shown[4]["text/html"].startswith('<iframe src="http://localhost:')
    assert words[5] == "Cauchy(gamma=3.0)"
    assert words[7] == "Cauchy(gamma=5.0)"
    assert "True" in words[8]
    assert words[9] == "(Cauchy(gamma=5.0), False, False)"
