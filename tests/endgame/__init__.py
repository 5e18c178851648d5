"""Tests of exact solvers."""
