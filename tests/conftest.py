"""What the page and browser tests share: Chromium, and a server that runs the app."""

from __future__ import annotations

import gc
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# As many tests run side by side as there are cores: threads of BLAS beside them wait for each other in loops, and a
# decomposition that takes 20 ms takes 500. Servers and workers that tests start inherit it.
# NumPy reads it when it is imported.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np  # noqa: E402
import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

# Tests start about a hundred processes, and pytest rewrites every module of tests: each would compile all of them anew
# where the environment keeps no bytecode. The folders __pycache__ are ignored by Git.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

PROJECT = Path(__file__).resolve().parent.parent


# How long an example takes says more of the machine than of the code. A run tries the same examples as the run before:
# new ones are searched by hand, `pytest --hypothesis-profile=search`, not by who lands something else.
# Rows that a kernel does not read are drawn again, and a kernel may be slow: neither is a fault.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
settings.register_profile("kernlib", unhurried, derandomize=True, max_examples=40)
settings.register_profile("search", unhurried)
settings.load_profile("kernlib")


#: The program that runs the tests, before any of them has run a page.
_MAIN = sys.modules["__main__"]

#: What takes long by waiting and what takes long by computing comes first, so that workers end together.
FIRST = ("tests/browser/", "tests/experiments/test_cluster.py", "tests/pages/", "tests/experiments/", "tests/kernels/")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect without the garbage collector, which would search thousands of tests and modules again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items):
    """Long tests first, in the order of `FIRST`; all others as they come, the short examples of docstrings last."""
    items.sort(key=lambda item: next((k for k, start in enumerate(FIRST) if item.nodeid.startswith(start)), len(FIRST)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Under pytest-xdist: tests that share a server, a cluster, computed pages or parsed files share a worker.

    (xdist's own groups are not kept by pytest 9.2.)
    """
    from xdist.scheduler import LoadScopeScheduling

    class Together(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            path = nodeid.partition("::")[0]
            apart = "test_a_page_by_its_link" in nodeid  # a page each, so many that two workers share them
            together = (*FIRST[:3], "tests/test_structure.py")
            return path if path.startswith(together) and not apart else nodeid

    config.option.loadscopereorder = False
    return Together(config, log)


@pytest.fixture(autouse=True)
def _own_main_module():
    """AppTest leaves the app behind as `__main__`, which every process spawned later would then run.

    Fixtures of a module run AppTest before this one, so that what it finds may be the app already.
    """
    sys.modules["__main__"] = _MAIN
    yield
    sys.modules["__main__"] = _MAIN


@pytest.fixture(scope="session")
def chromium():
    """The system's Chromium; skips where there is none, unless KERNLIB_REQUIRE_BROWSER says that there must be one."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    reason = "no chromium, chromium-browser or google-chrome on PATH"
    if os.environ.get("KERNLIB_REQUIRE_BROWSER"):
        pytest.fail(f"{reason}, and KERNLIB_REQUIRE_BROWSER is set")
    pytest.skip(reason)


@dataclass(frozen=True)
class Server:
    """A running app: its address, its process, and where it writes its log."""

    url: str
    pid: int
    log: Path


@pytest.fixture(scope="session")
def app_server(tmp_path_factory):
    """Start the app on a free port, for modules that leave no run behind and do not ask who came first."""
    with running_app(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="module")
def own_server(tmp_path_factory):
    """Start the app for one module: it finds no other's runs and caches, and leaves none."""
    with running_app(tmp_path_factory.mktemp("server")) as server:
        yield server


@contextmanager
def running_app(folder: Path, script: str = "app.py") -> Iterator[Server]:
    """Start a server of the app that computes without asking, stop it at the end; `folder` gets its log."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = folder / "streamlit.log"
    command = [sys.executable, "-m", "streamlit", "run", script]
    command += ["--server.port", str(port), "--server.headless", "true"]
    with log.open("w") as out:
        process = subprocess.Popen(
            command, cwd=PROJECT, stdout=out, stderr=subprocess.STDOUT, env=os.environ | {"KERNLIB_COMPUTE": "always"}
        )
    server = Server(f"http://127.0.0.1:{port}", process.pid, log)
    try:
        _wait_until_healthy(server, process)
        yield server
    finally:
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_healthy(server: Server, process: subprocess.Popen, seconds: float = 600.0) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=60) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    pytest.fail(f"the app did not start:\n{server.log.read_text()[-3000:]}")


@pytest.fixture(autouse=True)
def _own_kernels_of_this_test(monkeypatch):
    """A test registers kernels for itself alone."""
    monkeypatch.setattr("kernlib.own.registered._OWN", {})


#: The state of each generator of a test module after the module's import.
_BEGINNINGS: dict[np.random.Generator, dict[str, Any]] = {}


@pytest.fixture(autouse=True)
def _same_draws(request):
    """Set the generators of a test's module back to where they began: no draw depends on the tests before it."""
    module = request.node.getparent(pytest.Module)
    for value in vars(module.obj).values() if module else ():
        if isinstance(value, np.random.Generator):
            value.bit_generator.state = _BEGINNINGS.setdefault(value, value.bit_generator.state)
