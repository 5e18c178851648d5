"""Every way in which a game can end is told for what it is, in both languages."""

from pathlib import Path

import pytest

import palabre
from palabre.core.words import Message, say

EMPTY = "0.0.0"


def awale(holes: dict[int, str], rest: str) -> str:
    """A position of Awalé with these holes, all others empty."""
    return "/".join(holes.get(hole, EMPTY) for hole in range(1, 17)) + f" {rest}"


FULL_HALF = dict.fromkeys(range(1, 17), "2.2.2")

# Spec, first position (None for the start), moves, what is said in English and the beginning of it in French.
ENDINGS = [
    (
        "awele:stop=0",
        "0,0,0,0,0,1/1,3,0,0,0,0 24,19 1 0",
        "F",
        "26 seeds taken are more than half of all",
        "26 graines",
    ),
    ("awele", "0,0,0,0,1,1/1,3,0,0,0,0 21,21 1 0", "F", "only 4 seeds are left on the board", "il ne reste que 4"),
    ("awele:stagnation=1", None, "A", "there has been 1 ply without a capture", "1 demi-coup a été joué"),
    (
        "awele:stop=0",
        "0,1,0,0,0,0/0,0,0,0,0,1 23,23 2 0",
        "f",
        "the opponent has no seeds, and the player to move cannot feed them",
        "l’adversaire n’a plus de graines",
    ),
    (
        "awele:stop=0",
        "0,0,0,0,0,0/1,0,0,0,0,1 23,23 1 0",
        "",
        "the player to move has no seeds left to play",
        "le joueur au trait n’a plus de graines",
    ),
    (
        "awele:abapa",
        "0,0,0,0,0,0/0,0,0,0,0,0 24,24 1 0",
        "",
        "the player to move has no legal move",
        "le joueur au trait n’a aucun coup",
    ),
    ("awele:abapa", "0,0,0,0,0,1/1,3,0,0,0,0 24,19 1 0", "F", "26 seeds taken are more than half of all", "26 graines"),
    (
        "awele:abapa",
        "0,0,0,0,1,0/0,1,0,0,1,1 22,22 1 0",
        "E b F f A e B c C d D a",
        "a position has come up for the second time",
        "une position s’est produite pour la deuxième fois",
    ),
    (
        "awale",
        awale({1: "1.0.0", 2: "1.0.0", 3: "0.0.10", 4: "0.0.2"}, "47,35 1 30"),
        "1r",
        "49 seeds taken are more than half of all",
        "49 graines",
    ),
    (
        "awale",
        awale({1: "1.0.0", 2: "1.0.0", 3: "0.0.4", 4: "0.0.5"}, "43,42 1 30"),
        "1r",
        "only 9 seeds are left on the board",
        "il ne reste que 9 graines",
    ),
    (
        "awale",
        awale({1: "1.0.0", 2: "1.0.0", 9: "0.0.12"}, "40,42 1 30"),
        "1r",
        "the player to move has no seeds left, so the opponent takes all the others",
        "le joueur au trait n’a plus de graines",
    ),
    ("awale", awale(FULL_HALF, "0,0 2 399"), "2r", "400 plies have been played", "400 demi-coups ont été joués"),
    (
        "abalone:official",
        "211../111111/111..../......../........./......../..222../22222./..... 1 0",
        "i7i6",
        "6 marbles of one side are off the board",
        "6 billes d’un camp",
    ),
    ("abalone:turns=1", None, "g5f5", "1 ply has been played", "1 demi-coup a été joué"),
    (
        "abalone",
        "11111/122222/12...../12....../12......./12....../12...../12..../12... 1 0",
        "",
        "player 1 has no legal move",
        "le joueur 1 n’a aucun coup",
    ),
    (
        "avalam:official",
        "..Ab...../........./........./........./........./........./..EeEeEe./....EeE../......... 1",
        "d1c1",
        "no tower can move any more",
        "plus aucune tour",
    ),
    (
        "penguins",
        "0001033/00202201/2002000/00000023/0010000/10022011/2010000/12010322 d7,f1,g1,h2/c1,d8,f7,h1 26,43 17,26 2",
        "f7f8",
        "no penguin can move any more",
        "plus aucun pingouin",
    ),
]


@pytest.mark.parametrize(("spec", "text", "moves", "english", "french"), ENDINGS)
def test_the_reason_is_told(spec: str, text: str | None, moves: str, english: str, french: str) -> None:
    game = palabre.game(spec)
    position = game.start() if text is None else game.position(text)
    for move in moves.split():
        assert position.why_over is None
        position = position.play(move)
    why = position.why_over
    assert isinstance(why, Message)
    assert str(why) == english
    assert why.text("fr").startswith(french)


def test_a_game_that_does_not_say_why_has_ended_by_its_rules() -> None:
    game = palabre.game(str(Path(__file__).parents[2] / "examples" / "connect_four.py"))
    position = game.start()
    for move in "abababa":
        position = position.play(move)
    assert position.why_over == say("over.rules")
