"""Matches and championships in the browser; start with `events.py`."""
