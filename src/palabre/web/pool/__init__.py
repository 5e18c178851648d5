"""Searches in processes of their own, shared fairly among all who ask; start with `thinking.py`."""
