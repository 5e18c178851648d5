"""Whole games by clicks, from the card of the game to the screen at its end."""

import random

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit

# Games, who plays them, and the animation. Bots let their answer rest for half a second, so they play a short game.
GAMES = [
    ("awale", ["me", "other"], "off"),
    ("abalone:official,turns=12", ["me", "other"], "fast"),
    ("avalam:official", ["me", "other"], "off"),
    ("awele:abapa", ["me", "other"], "off"),
    ("penguins:course,players=3", ["me", "other", "other"], "off"),
    ("examples/connect_four.py", ["idiot", "me"], "off"),
]


@pytest.mark.parametrize(("spec", "seats", "speed"), GAMES, ids=[spec for spec, *_ in GAMES])
def test_a_game_by_clicks(operator: Visit, spec: str, seats: list[str], speed: str) -> None:
    player = operator({"speed": speed})
    player.begin(spec, *seats)
    player.play_to_the_end(random.Random(1))
    end = player.find("end")
    expect(end.get_by_role("heading")).to_be_visible()
    expect(end.locator("dd")).to_have_count(len(seats))
    expect(player.page.locator(".cell.lit")).to_have_count(0)
    assert len(player.moves) > len(seats)


def test_bots_that_move_during_a_motion(operator: Visit) -> None:
    """Two bots have answered before the first move has come to rest; the board shows all and does not stay behind."""
    player = operator({"speed": "normal"})
    player.begin("penguins:course,players=3", "me", "idiot", "idiot")
    player.play(2, random.Random(1))
    assert len(player.moves) == 6


def test_a_game_with_a_pass(operator: Visit) -> None:
    player = operator()
    player.begin("examples/othello.py", "me", "other")
    player.play_to_the_end(random.Random(3))  # luck with which somebody cannot move
    assert "pass" in [move.lower() for move in player.moves]
    expect(player.find("end")).to_be_visible()


def test_somebodys_game_of_three_with_a_pass(operator: Visit) -> None:
    player = operator()
    player.begin("browser/three_in_turn.py", "me", "other", "other")
    player.page.locator(".word").click()
    expect(player.page.locator(".moves .move")).to_have_text(["pass"])
    expect(player.page.locator(".word")).to_have_count(0)  # nobody may pass after a pass
    player.play_to_the_end(random.Random(1))
    expect(player.find("end").locator("dd")).to_have_count(3)
