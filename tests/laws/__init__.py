"""Tests of the laws that `palabre check` checks."""
