"""Tests of the formats of events."""
