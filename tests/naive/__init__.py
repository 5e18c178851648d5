"""Naive twins: slow, obvious implementations of the rules that tests compare the fast ones with."""
