"""Seconds and bytes of a run or a Gram matrix, before either is computed."""
