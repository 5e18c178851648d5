"""What a page is given to show a board: symbols that are all defined, cells that can be hit, facts that can be read."""

import json
import random
import re
from xml.etree import ElementTree

import pytest

import palabre
from palabre.core.board import ALL_PLAYER_COLOURS
from palabre.core.position import Position
from palabre.draw import frames
from palabre.draw.frames import cell_facts, contents, ground, stylesheet
from palabre.draw.palette import THEMES, Theme, properties
from tests.specs import all_specs

GAMES = [*all_specs(), "examples/connect_four.py", "examples/othello.py", "tests/take_away.py"]
# The messages of the table in frames.py.
MESSAGES = set(re.findall(r"^\| `(piece\.\w+)`", str(frames.__doc__), re.MULTILINE))


def somewhere(spec: str, seed: int = 1, plies: int = 30) -> Position:
    """A position of a random game."""
    dice = random.Random(seed)
    position = palabre.game(spec).start(seed)
    for _ in range(plies):
        if position.is_over:
            break
        position = position.play(dice.choice(position.moves()))
    return position


def facts_of(position: Position, cell: str) -> list[tuple[str, dict[str, object]]]:
    names = [each["name"] for each in ground(position)["cells"]]
    return [(name, dict(params)) for name, params in cell_facts(position)[names.index(cell)]]


@pytest.mark.parametrize("spec", GAMES)
def test_all_symbols_and_colours_that_are_used_are_defined(spec: str) -> None:
    position = somewhere(spec)
    found = ground(position)
    markup = found["defs"] + found["board"] + "".join(contents(position))
    markup += "".join(player["swatch"] for player in found["players"])
    names = re.findall(r' id="([^"]+)"', markup)
    assert len(set(names)) == len(names)
    assert set(re.findall(r"#(p-[a-z0-9-]+)", markup)) <= set(names)
    colours = set(re.findall(r"var\((--[a-z0-9-]+)\)", markup))
    assert colours <= set(properties("light"))
    ElementTree.fromstring(f"<svg>{markup}</svg>")
    assert "style=" not in markup, "a content security policy would drop it"


@pytest.mark.parametrize("spec", GAMES)
def test_cells_lie_in_the_picture_and_do_not_overlap(spec: str) -> None:
    found = ground(palabre.game(spec).start())
    cells = found["cells"]
    for cell in cells:
        assert cell["radius"] <= cell["x"] <= found["width"] - cell["radius"]
        assert cell["radius"] <= cell["y"] <= found["height"] - cell["radius"]
        assert cell["outline"].startswith("M")
    for at, cell in enumerate(cells):
        for other in cells[at + 1 :]:
            across, down = cell["x"] - other["x"], cell["y"] - other["y"]
            assert (across**2 + down**2) ** 0.5 >= 0.99 * (cell["radius"] + other["radius"])
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize("spec", GAMES)
def test_every_cell_of_any_position_can_be_described(spec: str) -> None:
    for plies in (0, 12, 60):
        position = somewhere(spec, plies=plies)
        facts = cell_facts(position)
        assert len(facts) == len(ground(position)["cells"]) == len(contents(position))
        assert {name for cell in facts for name, _ in cell} <= MESSAGES
        assert all(facts)
        assert cell_facts(position, [3, 1]) == [facts[3], facts[1]]


def test_facts_say_what_lies_on_a_cell() -> None:
    start = palabre.game("awale").start()
    colours = ["red", "blue", "clear"]
    assert facts_of(start, "3") == [("piece.seeds", {"count": 2, "colour": colour}) for colour in colours]
    assert facts_of(start, "store 1") == [("piece.none", {})]
    marble = {"player": 1, "colour": "white", "count": 1}
    assert facts_of(palabre.game("abalone").start(), "a1") == [("piece.marble", marble)]
    tower = {"player": 0, "colour": "amber", "height": 2, "settled": False}
    assert facts_of(palabre.game("avalam").start().play("c1d1"), "d1") == [("piece.tower", tower)]
    assert facts_of(palabre.game("avalam").start().play("c1d1"), "c1") == [("piece.none", {})]


def test_water_and_penguins_are_described() -> None:
    position = somewhere("penguins", plies=20)
    found = [fact for cell in cell_facts(position) for fact in cell]
    assert ("piece.gone", {}) in found
    assert ("piece.penguin", {"player": 0, "colour": "amber", "faded": False}) in found
    assert not any(name == "piece.tile" for name, _ in found), "a tile is named only if nothing is on it"


def test_every_theme_has_every_colour() -> None:
    assert [set(properties(theme)) for theme in THEMES] == [set(properties("light"))] * 3
    sheet = stylesheet()
    assert all(f':root[data-theme="{theme}"]' in sheet for theme in THEMES)


def luminance(colour: str) -> float:
    """Relative luminance as the accessibility guidelines define it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_what_is_written_can_be_read(theme: Theme) -> None:
    colours = properties(theme)
    pairs = [
        ("ink", "paper"),
        ("quiet", "paper"),
        ("wood-ink", "wood"),
        ("pit-ink", "pit"),
        ("ink", "plate"),
        ("nobody-ink", "nobody"),
    ]
    pairs += [(f"{name}-ink", name) for name in ALL_PLAYER_COLOURS]
    for ink, ground_colour in pairs:
        assert contrast(colours[f"--p-{ink}"], colours[f"--p-{ground_colour}"]) >= 4.5, (ink, ground_colour)
    assert contrast(colours["--p-water-ink"], colours["--p-water"]) >= 3
    assert contrast(colours["--p-amber"], colours["--p-blue"]) >= 2.5, "the first two players differ in lightness"
