"""Choosing by training rows alone: criteria of a Gram matrix, and races by cross-validation."""
