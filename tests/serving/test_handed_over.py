"""What goes over to a server and comes back: arrays without pickles, kernels of this process, the kernel on screen."""

from __future__ import annotations

import dataclasses
import os
import socket
import stat
import subprocess
import sys
import time
import webbrowser
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from nbclient import NotebookClient
from sklearn.gaussian_process.kernels import Matern
from sklearn.svm import SVC

import kernlib
from kernlib import DataError, DomainError, KernlibError, Linear, ParameterError, kernel_from, own_kernels
from kernlib.data import load_dataset
from kernlib.serving import opened as folder_of
from kernlib.serving import view as serving_view
from kernlib.serving.inputs import dataset_of
from kernlib.serving.opened import Opened
from kernlib.serving.server import answers, any_port, dashboard, free_port, open_browser, options_of, private_folder
from kernlib.serving.view import PAGES, as_kernel
from tests.own import kernels

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    "name", ["iris", "heart-mixed", "karate", "mutag", "webkb", "digit-pairs", "cylinder-bell-funnel"]
)
def test_a_data_set_goes_over(tmp_path, name):
    data = load_dataset(name)
    known, file = folder_of.add_dataset(tmp_path, data)
    again = folder_of.datasets_of(tmp_path, Opened(((known, file),)))[known]
    assert dataclasses.replace(again, name=data.name) == data
    assert (again.ids, again.columns, again.classes, again.task) == (data.ids, data.columns, data.classes, data.task)
    gaps = dataset_of([[1.0, np.nan], [2.0, 3.0]], missing="mean")
    known, file = folder_of.add_dataset(tmp_path, gaps)
    assert folder_of.datasets_of(tmp_path, Opened(((known, file),)))[known].missing == 1


def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "size": [1.5, 2.5, np.nan, 3.0],
            "count": pd.array([1, None, 3, 4], dtype="Int64"),
            "colour": pd.Categorical(["red", "blue", None, "red"]),
            "flag": [True, False, True, True],
            "kind": ["u", "v", "u", "v"],
            "patient": ["p", "p", "q", "q"],
        },
        index=list("abcd"),
    )


def test_a_frame_is_read_by_its_dtypes():
    data = dataset_of(frame(), y="kind", groups="patient", missing="mean")
    assert data.kinds == ("vector", "vector", "categorical", "categorical")
    assert (data.columns, data.ids) == (("size", "count", "colour", "flag"), ("a", "b", "c", "d"))
    assert (data.labels, data.groups) == (("u", "v", "u", "v"), ("p", "p", "q", "q"))
    assert data.missing == 2
    assert data.rows[2, 2] == "?"
    dropped = dataset_of(frame(), y="kind", groups="patient", missing="drop")
    assert (dropped.ids, dropped.labels, dropped.groups) == (("a", "d"), ("u", "v"), ("p", "q"))
    both = dataset_of(frame(), y="kind", groups="kind", missing="mean")
    assert (both.groups, "patient" in both.columns) == (("u", "v", "u", "v"), True)
    numbers = dataset_of(frame()[["size"]].dropna(), frame()["kind"].loc[["a", "b", "d"]])
    assert (numbers.domain, numbers.n, numbers.classes) == ("vector", 3, ("u", "v"))


def test_what_people_have_becomes_rows():
    X = np.arange(12.0).reshape(6, 2)
    assert dataset_of(X, [0, 1, 0, 1, 0, 1]).classes == ("0", "1")
    assert dataset_of(X, np.linspace(0, 1, 6)).task == "regression"
    masked = np.ma.array(X, mask=X == 4.0)
    assert dataset_of(masked, missing="mean").missing == 1
    assert dataset_of(sp.csr_array(X)) == dataset_of(X)
    assert dataset_of([nx.path_graph(3), nx.path_graph(2)]).domain == "graph"
    assert dataset_of(pd.Series(["the cat", "a dog"])).domain == "text"
    assert dataset_of(np.array([["a", "b"], ["c", "b"]])).domain == "categorical"
    assert dataset_of([["a", 1.5], ["b", 2.5]]).kinds == ("categorical", "vector")
    assert dataset_of(pd.DataFrame(np.eye(2), index=[0, 1], columns=[0, 1])).domain == "vector", "numbers are no names"
    assert dataset_of(X @ X.T, matrix="kernel").domain == "matrix"
    assert dataset_of([np.arange(3.0), np.arange(4.0)]).domain == "series"
    wine = load_dataset("wine")
    assert dataset_of(wine) is wine


@pytest.mark.parametrize(
    ("X", "y", "named", "words"),
    [
        (np.zeros(3), None, {}, r"shape \(3,\); expected \(rows, columns\). X.reshape\(-1, 1\)"),
        (np.zeros((2, 2, 2)), None, {}, "flattens images"),
        ([[1, 2], [3]], None, {}, "different lengths"),
        (np.eye(3) * 1j, None, {}, "holds complex128 values; expected real numbers"),
        (np.array([[1.0, np.nan], [np.nan, 3]]), None, {}, r"2 missing cells, the first in row 0.*missing='mean'"),
        (np.eye(3), [1, 2], {}, "one label for each of the 3 rows"),
        (np.eye(3), np.ma.array([1, 2, 3], mask=[0, 0, 1]), {}, "y has missing entries"),
        (np.eye(3), "kind", {}, "names a column, and X has no names"),
        (frame(), "nothing", {}, "is no column; expected one of size, count"),
        (frame(), frame()["kind"].iloc[::-1], {}, "indexes of X and y differ; expected the same 4 rows"),
        (frame().set_axis(["a", "a", *"bcde"], axis=1), None, {}, "two columns are called 'a'"),
        (
            pd.DataFrame({"day": pd.to_datetime(["2020-01-01", "2020-01-02"])}),
            None,
            {},
            "column 'day' holds a Timestamp",
        ),
        (pd.DataFrame({"what": [object(), object()]}), None, {}, "column 'what' holds a object"),
        (sp.csr_array((60_000, 900)), None, {}, r"as a table its 60,000 × 900 cells.*matrix='kernel'"),
        (5, None, {}, "X is a int; expected rows"),
        (np.ones((2, 3)), None, {"matrix": "kernel"}, "reads a square .* got shape"),
        (np.eye(3), None, {"matrix": "gram"}, "matrix must be 'kernel' or 'distance'"),
        (np.eye(3), None, {"missing": "median"}, "missing must be one of mean"),
        (load_dataset("iris"), [1], {}, "has its own labels"),
    ],
)
def test_what_is_unclear_is_refused_in_one_sentence(X, y, named, words):
    with pytest.raises(DataError, match=words):
        dataset_of(X, y, **named)


def test_whatever_is_a_kernel_is_taken_as_one():
    assert as_kernel(kernels.cauchy, "vector") == own_kernels()[0]()
    assert as_kernel(Linear, "vector") == as_kernel("Linear()", "vector") == as_kernel(Linear(), "vector")
    assert type(as_kernel(Matern(), "vector")).__name__ == "SklearnMatern"
    assert as_kernel(lambda X, Y: None, "text").reads == "text"
    with pytest.raises(DomainError, match="reads text rows; got vector rows"):
        kernlib.show(np.eye(3), kernel="VectorSpace()", browser=False)
    with pytest.raises(ParameterError, match="page must be one of see"):
        kernlib.show(np.eye(3), page="nowhere", browser=False)


def test_kernels_go_over_from_their_own_process(tmp_path):
    code = (
        "import sys; from pathlib import Path; from kernlib import kernel_from, own_kernels\n"
        "from kernlib.serving.opened import add_kernels\n"
        "scale = 3.0\n"
        "@kernel_from\n"
        "def Mine(X, Y, *, a: float = 1.0): return scale * a * X @ Y.T\n"
        "add_kernels(Path(sys.argv[1]), [Mine()])\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, cwd=PROJECT)
    assert folder_of.register_kernels(tmp_path) == []
    assert kernlib.parse("Mine(a=2.0)")([[1.0], [2.0]])[0, 1] == 12.0
    (tmp_path / "kernels" / "Broken.pickle").write_bytes(b"cnowhere_at_all\nf\n.")
    (problem,) = folder_of.register_kernels(tmp_path)
    assert problem.startswith("Broken: ModuleNotFoundError")
    with (tmp_path / "open").open("w") as held:
        kernel = kernel_from(lambda X, Y: held and X @ Y.T, name="Holds")()
        with pytest.raises(KernlibError, match=r"Holds: PicklingError.*It cannot be sent to the server"):
            folder_of.add_kernels(tmp_path, [kernel])
        view = kernlib.show(np.eye(3), browser=False)  # no kernel was asked for: this one is left out
        view.close()


def test_ports_and_addresses():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        port = held.getsockname()[1]
        with pytest.raises(DataError, match=rf"port {port} is taken; the next free one is \d+. Use --port"):
            free_port("localhost", port)
    with pytest.raises(DataError, match="is no address of this machine"):
        free_port("no.such.host.invalid", 8700)
    with pytest.raises(DataError, match="from 1 to 65535"):
        free_port("localhost", 70000)
    assert dashboard() == PROJECT / "app.py"
    assert "--server.baseUrlPath=secret" in options_of(8700, "localhost", "secret")
    with private_folder() as folder:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not folder.exists()


def test_the_pages_of_the_command_are_those_of_the_dashboard():
    import pages

    assert {*(page.address or "see" for page in pages.PAGES), *pages.MOVED} <= set(PAGES)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing.csv"], "nothing.csv: there is no such file; expected a file or the name of a sample"),
        (["."], "is a folder"),
        (["wine", "--page", "nowhere"], "--page must be one of"),
        (["wine", "--kernel", "Foo()"], "Unknown name 'Foo'"),
        (["wine", "--load", "nope.py"], "nope.py: the file cannot be read"),
        (["wine", "--address", "192.0.2.1"], "is no address of this machine"),
    ],
)
def test_the_command_refuses_in_one_sentence(arguments, words, capsys):
    from kernlib.__main__ import main

    assert main(["show", *arguments, "--no-browser"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("kernlib: ")
    assert words in said
    assert said.count("\n") == 1


def test_a_call_is_served_alone_at_an_address_of_its_own_and_ends(capsys):
    """One server for all calls of a process, started once, dead once, and gone at the end."""
    import urllib.error
    import urllib.request

    X, y = load_dataset("iris").rows, load_dataset("iris").labels
    mine = kernel_from(kernels.cauchy, name="Cauchy")
    view = kernlib.show(X, y, kernel=mine, page="spectrum", browser=False)
    server = view._server
    try:
        assert repr(view).startswith("View('http://localhost:")
        assert "/spectrum?data=upload%3A" in view.url
        assert f'src="{view.url.replace("&", "&amp;")}"' in view._repr_html_()
        assert stat.S_IMODE(server.folder.stat().st_mode) == 0o700
        with pytest.raises(urllib.error.HTTPError):  # the address without its secret part
            urllib.request.urlopen(f"http://localhost:{server.port}/", timeout=60)
        for option in ("args=", "command="):  # what other users of the machine can read
            listed = subprocess.run(
                ["ps", "-ww", "-o", option, "-p", str(server.process.pid)], capture_output=True, text=True, check=True
            ).stdout
            assert "kernlib.serving.server" in listed
            assert server.path not in listed
        assert view.kernel == mine()
        folder_of.note_kernel(server.folder, view._name, "Cauchy(gamma=3.0)")  # what the page writes
        assert view.kernel == mine(gamma=3.0)
        assert view.pipeline(SVC(kernel="precomputed")).fit(X, y).score(X, y) > 0.9
        second = kernlib.show(["a b", "b c"], browser=False)
        assert second._server is server
        server.process.kill()
        server.process.wait()
        address, refused = server.address, pytest.raises(DataError, match=f"Port {server.port} is not available")
        with socket.create_server(("127.0.0.1", server.port)), refused:
            kernlib.show(X[:20], browser=False)
        third = kernlib.show(X[:20], browser=False)
        assert third._server is server
        assert third.url.startswith(address), "where its views are open"
        assert "runs again with all its data sets" in capsys.readouterr().err
        assert len(folder_of.read_opened(server.folder).sets) == 3
        first_process = server.process
        kernel_from(lambda X, Y, *, gamma=1.0: X @ Y.T, name="Cauchy")
        kernlib.show(X, y, browser=False)
        assert server.process is not first_process  # results of the earlier Cauchy are gone
        for restarts in (False, True):  # a new name is added; another class of this name replaces results

            @dataclasses.dataclass(frozen=True, repr=False)
            class Written(Linear):
                """Return inner products."""

            process = server.process
            kernlib.show(X, y, kernel=Written(), browser=False)
            assert (server.process is not process) == restarts
    finally:
        view.close()
    assert not server.folder.exists()
    assert server.process.poll() is not None
    assert repr(view.kernel) == "Cauchy(gamma=3.0)"


def test_a_browser_gets_no_secret_by_its_arguments(monkeypatch, tmp_path, capsys):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda url: opened.append(url) or True)
    open_browser("http://localhost:8501/hg7Gq2/?a=1&b=2", tmp_path)
    assert "hg7Gq2" not in opened[0]
    file = Path(urlsplit(opened[0]).path)
    assert 'url=http://localhost:8501/hg7Gq2/?a=1&amp;b=2"' in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "http://localhost:8501/hg7Gq2/" in capsys.readouterr().err


@pytest.mark.parametrize(("address", "secret"), [("localhost", True), ("127.0.0.1", True), ("0.0.0.0", False)])
def test_the_command_serves_at_a_secret_address_unless_a_class_types_it(monkeypatch, capsys, address, secret):
    served = []
    monkeypatch.setattr(serving_view, "run", lambda *given: served.append(given))
    monkeypatch.delenv(folder_of.VARIABLE, raising=False)
    serving_view.show_command(["wine"], {}, page="depth", address=address, browser=False)
    ((port, listens, path),) = served
    assert (listens, len(path) >= 20) == (address, secret)
    assert f"http://localhost:{port}/{path + '/' if secret else ''}depth " in capsys.readouterr().err


def test_a_command_that_is_terminated_leaves_no_folder(tmp_path):
    command = [sys.executable, "-m", "kernlib", "show", "wine", "--no-browser", "--port", str(any_port())]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=PROJECT, env=environment) as process:
        address = process.stderr.readline().split()[1]
        while not answers(address):
            assert process.poll() is None
        assert [*tmp_path.glob("kernlib-*")]
        process.terminate()
        process.stderr.read()
    assert not [*tmp_path.glob("kernlib-*")]


def test_the_server_ends_with_a_caller_that_is_killed():
    code = (
        "import kernlib, os, signal, numpy as np\n"
        "view = kernlib.show(np.eye(3), browser=False)\n"
        "print(view._server.process.pid, view._server.folder, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PROJECT, check=False)
    pid, folder = done.stdout.split()
    for _ in range(600):
        if not Path(f"/proc/{pid}").exists() and not Path(folder).exists():
            return
        time.sleep(0.1)
    pytest.fail("the server or its folder has stayed")


#: A notebook in a kernel process of its own: arrays, a kernel function, and the kernel that comes back.
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
