"""Nothing here is a test of pytest's: the harness needs atheris, and runs by itself."""

collect_ignore_glob = ["*.py"]
