"""Tests of `palabre.web.pool`."""
