"""Tests of `games/awale`."""
