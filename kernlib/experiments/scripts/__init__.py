"""A run as Python: with this library alone, or in scikit-learn's terms."""
