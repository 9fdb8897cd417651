"""Measurements that take minutes: ``python -m tests.benchmarks STUDY [options]``; without a study it lists them."""
