"""Python source as syntax trees."""

import ast
import threading

# Until Python 3.13, the parser counts the depth of its recursion for all threads together, and fails if two of them
# parse at once: "AST constructor recursion depth mismatch" (https://github.com/python/cpython/issues/106905).
_one_at_a_time = threading.Lock()


def parse(content: bytes) -> ast.Module:
    """The syntax tree of a file."""
    with _one_at_a_time:
        return ast.parse(content)
