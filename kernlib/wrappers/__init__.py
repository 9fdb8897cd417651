"""Kernels made from kernels: each wraps one and is one."""
