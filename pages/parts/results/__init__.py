"""Cached accessors, by which pages reach the mathematics."""
