"""The outcome of a run: curves, files, and journals that an interrupted run continues from."""
