"""Tests of `ugi`."""
