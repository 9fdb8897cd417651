"""Larger parts of single pages."""
