"""Tests of `games/penguins`."""
