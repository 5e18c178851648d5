"""Tests of `compile`."""
