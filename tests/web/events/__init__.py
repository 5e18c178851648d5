"""Tests of `palabre.web.events.events`."""
