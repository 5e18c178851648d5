"""A game of three players with a pass, as somebody might have written it this morning.

Take one or two sticks from the heap, or pass, but not right after a pass. Whoever takes the last stick wins. It has
neither words nor rules pages, and no evaluation.
"""

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
    "three-in-turn",
    "Three in Turn",
    "whoever of three takes the last stick wins",
    Preset("standard", "one heap", Parameter("heap", 9, range(1, 41), "how many sticks there are")),
)
MOST_MOVES = MOVE_CODES = 3  # how many sticks are taken; 0 is a pass


class State(NamedTuple):
    heap: int  # sticks left
    player: int  # who is to move
    has_passed: int  # 1 after a pass


@rule
def legal_moves(state: State, moves: Moves) -> int:
    count = 0
    for taken in range(state.has_passed, min(2, state.heap) + 1):
        moves[count] = taken
        count += 1
    return count


@rule
def play(state: State, move: int) -> State:
    return State(state.heap - move, (state.player + 1) % 3, 1 if move == 0 else 0)


@rule
def is_over(state: State) -> bool:
    return state.heap == 0


@rule
def to_move(state: State) -> int:
    return state.player


@rule
def players(state: State) -> int:
    return 3


@rule
def score(state: State, player: int) -> int:
    return 1 if state.heap == 0 and player == (state.player + 2) % 3 else 0


def start(options: Options, seed: int) -> State:
    return State(options.number("heap"), 0, 0)


def move_to_text(state: State, move: int) -> str:
    return str(move) if move else "pass"


def state_to_text(state: State) -> str:
    return f"{state.heap} {state.player + 1} {'passed' if state.has_passed else 'played'}"


def text_to_state(text: str, options: Options) -> State:
    heap, player, last = fields(text, 3, "sticks, the player to move, and whether the last one has passed or played")
    if last not in ("passed", "played"):
        raise ImpossiblePosition(f"the last player has passed or played, not {last!r}")
    return State(number(heap, options.number("heap"), "sticks"), player_from_text(player, 3), int(last == "passed"))


def cells(options: Options) -> list[Cell]:
    return [Cell("heap", 0, 0), *(Cell(str(taken), taken, 1, shape="square") for taken in (1, 2))]


def pieces(state: State) -> list[Piece]:
    return [Piece("heap", "seeds", count=state.heap, colour="brown")]


def clicks(state: State, move: int) -> list[Clicks]:
    return [(move_to_text(state, move),)]
