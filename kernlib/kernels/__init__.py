"""The leaf kernels, one module per kind of row."""
