"""Tests of `games/avalam`."""
