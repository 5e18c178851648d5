"""Positions that need no search: exact solvers, one file per game."""
