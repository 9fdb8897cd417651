"""`import kernlib` stays light: no dashboard, no plots, no data frames, no SciPy, no scikit-learn."""

from __future__ import annotations

import subprocess
import sys


def test_import_loads_no_heavy_packages():
    code = "import sys, kernlib; print(sorted({m.split('.')[0] for m in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for heavy in ("streamlit", "plotly", "pandas", "sklearn", "scipy", "joblib"):
        assert f"'{heavy}'" not in loaded, heavy
