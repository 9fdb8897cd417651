"""Imports stay light: what a package loads is what every use of it needs; the rest is imported where it is called."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import PROJECT

HEAVY = ("streamlit", "plotly", "pandas", "sklearn", "scipy", "joblib")


def test_import_loads_no_heavy_packages():
    code = "import sys, kernlib.experiments; print(sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "'kernlib'" in loaded
    for name in HEAVY:
        assert f"'{name}'" not in loaded, name


WAITING = """
import asyncio, sys, app
from pages.parts.server.runs import warmed_up
early = {"kernlib", "sklearn", "scipy"} & {*sys.modules}
async def serve():
    async with app.warm_up(app.app):
        await asyncio.to_thread(warmed_up)
asyncio.run(serve())
print(sorted(early), "sklearn.svm" in sys.modules, "pages.run" in sys.modules)
"""


def test_the_server_answers_first_and_imports_while_it_waits():
    said = subprocess.run([sys.executable, "-c", WAITING], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert said.stdout == "[] True True\n"


FIRST = """
from pathlib import Path
from streamlit.testing.v1 import AppTest
from pages.parts.server import runs
runs._WARMING.start()
app = AppTest.from_file(Path("pages/start.py").resolve(), default_timeout=600)
for _ in range(2):
    app.run()
    keys = [chart.proto.id for chart in app.get("plotly_chart")]
    drawn = any("see.gram" in key for key in keys)
    print(drawn, any("test error" in line.value for line in app.markdown), [e.stack_trace for e in app.exception])
"""


def test_the_first_picture_is_drawn_before_what_errors_need_is_imported():
    said = subprocess.run([sys.executable, "-c", FIRST], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert said.stdout.splitlines() == ["True False []", "True True []"]


def test_blas_has_one_thread_in_tests():
    """Two threads of one product beside another worker wait for each other: tests took up to 70 times as long."""
    import scipy.linalg  # noqa: F401
    from threadpoolctl import threadpool_info

    assert {info["num_threads"] for info in threadpool_info() if info["user_api"] == "blas"} == {1}
