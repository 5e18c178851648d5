"""Kernels as machine code, kept on disk. Only this package knows Numba."""
