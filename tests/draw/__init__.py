"""Tests of `draw`."""
