"""What a kernel is: its protocol, the three kinds of steps, sums and products, and kernels bound to row numbers."""
