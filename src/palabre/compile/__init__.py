"""Numba, and the only place that knows it: kernels as machine code, kept on disk."""
