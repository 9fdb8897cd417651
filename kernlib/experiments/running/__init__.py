"""Runs: training and test parts, sweeps over them, here or in a helper process."""
