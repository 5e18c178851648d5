"""Take-Away, the smallest complete game: take 1 to MOST sticks from a heap; whoever takes the last one wins.

Tests copy this file, edit the copy and load it by its path, as somebody who writes a game would. It has only the
rules that a game must have, so it also shows the answers that the other verbs have by default.
"""

from pathlib import Path
from typing import NamedTuple

from palabre.author import (
    Cell,
    Clicks,
    GameFacts,
    ImpossiblePosition,
    Moves,
    Options,
    Parameter,
    Piece,
    Preset,
    fields,
    number,
    player_from_text,
    rule,
)

GAME = GameFacts(
    "take-away",
    "Take-Away",
    "whoever takes the last stick wins",
    Preset("standard", "one heap", Parameter("heap", 12, range(1, 41), "how many sticks there are")),
)
MOST = 3
MOST_MOVES = MOVE_CODES = 9


class State(NamedTuple):
    heap: int  # sticks left
    player: int  # who is to move


@rule
def legal_moves(state: State, moves: Moves) -> int:
    for taken in range(min(MOST, state.heap)):
        moves[taken] = taken
    return min(MOST, state.heap)


@rule
def play(state: State, move: int) -> State:
    return State(state.heap - move - 1, 1 - state.player)


@rule
def is_over(state: State) -> bool:
    return state.heap == 0


@rule
def to_move(state: State) -> int:
    return state.player


@rule
def score(state: State, player: int) -> int:
    return 1 if state.heap == 0 and player != state.player else 0


def start(options: Options, seed: int) -> State:
    return State(options.number("heap"), 0)


def move_to_text(state: State, move: int) -> str:
    return str(move + 1)


def state_to_text(state: State) -> str:
    return f"{state.heap} {state.player + 1}"


def text_to_state(text: str, options: Options) -> State:
    heap, player = fields(text, 2, "sticks and the player to move")
    state = State(number(heap, options.number("heap"), "sticks"), player_from_text(player, 2))
    if state.heap == options.number("heap") and state.player == 1:
        raise ImpossiblePosition("player 1 begins")
    return state


def cells(options: Options) -> list[Cell]:
    return [Cell("heap", 0, 0), *(Cell(str(taken), taken, 1, shape="square") for taken in range(1, MOST + 1))]


def pieces(state: State) -> list[Piece]:
    return [Piece("heap", "seeds", count=state.heap, colour="brown")]


def clicks(state: State, move: int) -> list[Clicks]:
    return [(move_to_text(state, move),)]


def source(**changes: str) -> str:
    """This file with other values for some of its constants: `source(MOST="2")`."""
    text = Path(__file__).read_text(encoding="utf-8")
    for name, value in changes.items():
        before = next(line for line in text.splitlines() if line.startswith(f"{name} = "))
        text = text.replace(before, f"{name} = {value}")
    return text


def for_three() -> str:
    """This file as a game for three: the same heap, the turn goes round, and whoever takes the last stick wins."""
    text = source().replace("1 - state.player", "(state.player + 1) % 3").replace("(player, 2)", "(player, 3)")
    text = text.replace("player != state.player", "player == (state.player + 2) % 3")
    return text.replace("== 1:\n", "!= 0:\n") + "\n\n@rule\ndef players(state: State) -> int:\n    return 3\n"


def sequences(heap: int, plies: int, most: int = MOST) -> int:
    """Perft, counted without any of the above."""
    if plies == 0:
        return 1
    return sum(sequences(heap - taken, plies - 1, most) for taken in range(1, min(most, heap) + 1))
