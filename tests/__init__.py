"""Palabre's tests."""
