"""Tests of `games/abalone`."""
