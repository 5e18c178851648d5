"""A click that enters no move is answered with the reason, whatever the game."""

import random

import pytest

import palabre
from palabre.core.game_words import sentence
from palabre.core.position import Position
from palabre.core.words import LANGUAGES, text_of
from palabre.web.page import names_of
from palabre.web.reasons import why_not
from palabre.web.refusal import in_language
from tests.specs import all_specs

FED = "1,0,0,0,0,1/0,0,0,0,0,0 23,23 1 0"  # player 2 has no seeds: only F, which reaches them, may be played


def position(spec: str, text: str | None = None, plies: int = 0) -> Position:
    found = palabre.game(spec).start(1) if text is None else palabre.game(spec).position(text)
    for _ in range(plies):
        found = found.play(found.moves()[0])
    return found


def reason(here: Position, *clicks: str, language: str = "en") -> str:
    return why_not(here, clicks, here.game.words(language, ["Ada", "Level 3"]))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("here", "cell"),
    [
        (position("awele"), "c"),
        (position("awale"), "2"),
        (position("abalone:official"), "a1"),
        (position("avalam:course", plies=1), None),
        (position("penguins", plies=8), None),
    ],
    ids=str,
)
def test_what_is_another_players_is_called_so(here: Position, cell: str | None, language: str) -> None:
    if cell is None:
        pieces = here.game.view.pieces(here.state)
        cell = next(piece.cell for piece in pieces if piece.player == 1 - here.to_move)
    name = ["Ada", "Level 3"][1 - here.to_move]
    assert reason(here, cell, language=language) == in_language("reason.not_yours", language, player=name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_of_a_game_say_why(language: str) -> None:
    fed = position("awele:abapa", FED)
    for pit in "AB":
        assert reason(fed, pit, language=language) == sentence(text_of(fed.game.explain(fed.state, pit), language))
    assert reason(fed, "A") != reason(fed, "B")  # it must feed, and it is empty
    for spec, clicks in (
        ("penguins", ("a1", "h1")),
        ("avalam:official", ("f9", "a6")),
        ("abalone:course", ("i5", "e5")),
    ):
        here = position(spec, plies=8 if spec == "penguins" else 0)
        text = text_of(here.game.explain(here.state, "".join(clicks)), language)
        begins_with_cell = text.split()[0] in clicks
        assert reason(here, *clicks, language=language) == (f"{text}." if begins_with_cell else sentence(text))


def test_what_is_empty_or_cannot_move_is_called_so() -> None:
    empty = in_language("reason.empty", "en")
    assert reason(position("abalone:official"), "e5") == empty
    assert reason(position("abalone:official"), "i5", "a1") != empty
    stuck = position("abalone:course")
    first = {path[0] for move in stuck.moves() for path in stuck.game.view.clicks(stuck.state, move.code)}
    own = {piece.cell for piece in stuck.game.view.pieces(stuck.state) if piece.player == 0}
    for cell in own - first:
        assert reason(stuck, cell) == in_language("reason.no_move_from", "en")


@pytest.mark.parametrize("spec", [*all_specs(), "examples/othello.py", "examples/connect_four.py"])
def test_every_click_that_enters_nothing_has_a_reason(spec: str) -> None:
    here, luck = palabre.game(spec).start(1), random.Random(1)
    for _ in range(12):
        if here.is_over:
            break
        paths = [path for move in here.moves() for path in here.game.view.clicks(here.state, move.code)]
        for cell in here.game.view.cells(here.game.options):
            if all(path[0] != cell.name for path in paths):
                for language in LANGUAGES:
                    assert why_not(here, [cell.name], here.game.words(language))
        here = here.play(luck.choice(here.moves()))


def test_clicks_that_no_cell_has_are_no_error() -> None:
    here = position("awele")
    assert names_of(here.game, [0, 10**6, "r"]) == ["a", "", "r"]
    assert reason(here, "")
