"""Moves entered click by click: the module of the page that knows how far somebody has come, by itself."""

from typing import Any

import pytest

from tests.browser.conftest import Visit

# No path is the beginning of another. The last two differ in their second click only.
PATHS = [
    {"clicks": [1, 2], "move": "short"},
    {"clicks": [1, 3, 4], "move": "long"},
    {"clicks": [1, 5, 6], "move": "left"},
    {"clicks": [1, 7, 6], "move": "right"},
    {"clicks": [8, 9], "move": "other"},
]
STEPS = """async ([all, steps]) => {
  const { Paths } = await import("/static/paths.js");
  const paths = new Paths(all);
  return steps.map(([name, ...clicks]) => [paths[name](...clicks) ?? null, paths.clicks, [...paths.next].sort()]);
}"""


@pytest.mark.parametrize(
    ("steps", "seen"),
    [
        ([["click", 1], ["click", 2]], [[None, [1], [2, 3, 5, 7]], ["short", [1, 2], [None]]]),
        # The last click again takes back that click alone.
        (
            [["click", 1], ["click", 3], ["click", 3]],
            [[None, [1], [2, 3, 5, 7]], [None, [1, 3], [4]], [None, [1], [2, 3, 5, 7]]],
        ),
        # Another first click begins anew, and one that leads nowhere gives up.
        ([["click", 1], ["click", 8]], [[None, [1], [2, 3, 5, 7]], [None, [8], [9]]]),
        ([["click", 1], ["click", 9]], [[None, [1], [2, 3, 5, 7]], [None, [], [1, 8]]]),
        # A drag is the path of two clicks, or the only one that ends there; if there are several, a click decides.
        ([["drag", 1, 2]], [["short", [], [1, 8]]]),
        ([["drag", 1, 4]], [["long", [1], [2, 3, 5, 7]]]),
        ([["drag", 1, 6], ["click", 7]], [[None, [1], [5, 7]], [None, [1, 7], [6]]]),
    ],
)
def test_clicks_and_drags_go_along_the_paths(operator: Visit, steps: list[Any], seen: list[Any]) -> None:
    assert operator().page.evaluate(STEPS, [PATHS, steps]) == seen
