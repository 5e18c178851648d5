"""Positions as the page shows them: who sits where, and places as texts."""

import html
import re
from urllib.parse import parse_qs

import pytest

import palabre
from palabre.core import registry
from palabre.core.words import LANGUAGES
from palabre.draw import rulebook
from palabre.web.page import ground_of, rules_in_words
from palabre.web.rules import lessons_markup


@pytest.mark.parametrize(("spec", "bottom"), [("awele", 0), ("abalone", 1), ("avalam", 0), ("examples/othello.py", 0)])
def test_the_player_at_the_lower_edge_owns_the_lowest_cells_and_pieces(spec: str, bottom: int) -> None:
    assert ground_of(palabre.game(spec)).bottom == bottom


@pytest.mark.parametrize("name", registry.names())
def test_every_player_has_a_sign_and_a_colour(name: str) -> None:
    game = palabre.game(name)
    ground = ground_of(game)
    assert len(ground.swatches) == len(set(ground.colours)) == len(ground.colours) == game.players


def test_what_was_chosen_about_the_rules_is_set_as_in_its_language() -> None:
    game = palabre.game("abalone:turns=2")
    assert rules_in_words(game, "en").endswith(": 2")
    assert rules_in_words(game, "fr").endswith("\N{NO-BREAK SPACE}: 2")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", registry.names())
def test_every_position_of_a_lesson_can_be_tried_on_the_board(name: str, language: str) -> None:
    markup = lessons_markup(registry.game(name), language)
    links = [html.unescape(link) for link in re.findall(r'href="/analyse\?([^"]*)"', markup)]
    page = registry.words(name, language).lessons_page()
    assert page is not None
    pictures = rulebook.pictures(page)
    assert len(links) == len(pictures) >= 10
    for link, shown in zip(links, pictures, strict=True):
        query = {key: values[0] for key, values in parse_qs(link).items()}
        game = registry.game(query["game"])
        position = game.position(query["start"]) if "start" in query else game.start()
        for move in query.get("moves", "").split():
            position = position.play(move)
        assert position.text == shown.position.text
