"""Tests of `games/awele`."""
