"""Deliberate mistakes that the tests must notice.

Each file in `patches` is a unified diff that breaks one thing. Its header says what it breaks:

    Breaks: a captured seed is counted twice
    Layer: games
    Caught-by: tests/games/awele/test_rules.py
    Run: plain

`Caught-by` names the tests that should fail, files or single tests; `Run` says how: as `plain` Python, or `compiled`.
A mistake that no test notices is a test that is missing.
"""
