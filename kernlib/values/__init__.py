"""Values that kernels, data and everything above them speak of: arrays, rows, graphs, pairs, labels, splits."""
