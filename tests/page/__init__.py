"""Tests of the page's modules that need no browser, run by Node; `tests/browser` has the others."""
