"""Awalé in text: moves `3r`, `14tb`, positions `2.2.2/2.2.2/… 0,0 1 0`.

A move is a hole and what is played from it. A position is the sixteen holes, each red.blue.transparent, the seeds
taken, the player to move, and the plies played.
"""

import re

from palabre.author import (
    ImpossiblePosition,
    Message,
    Options,
    fields,
    number,
    numbers,
    own_words,
    player_from_text,
    the_player,
)
from palabre.games.awale.rules import (
    FEWEST_SEEDS,
    HOLES,
    LAST_PLY,
    MAJORITY,
    PLAYER,
    PLY,
    RING_HOLES,
    SEEDS,
    SEEDS_OF_A_COLOUR,
    State,
    movable,
    pack,
    ply,
    seeds_in,
    take,
    taken,
    to_move,
)

say = own_words(__file__)

KINDS = ("r", "b", "tr", "tb")
COLOURS = ("red", "blue", "transparent")
FORM = say("form", seeds=SEEDS_OF_A_COLOUR, plies=LAST_PLY)
MOVE_FORM = re.compile(f"([1-9][0-9]?)({'|'.join(KINDS)})")


def hole_name(player: int, hole: int) -> str:
    """`1`, `3`, … `15` for player 1's holes 0…7, `2`, `4`, … `16` for player 2's."""
    return str(2 * hole + player + 1)


def move_to_text(state: State, move: int) -> str:
    """The name of the hole and what is played from it: `r`, `b`, `tr` or `tb`."""
    return hole_name(to_move(state), move >> 2) + KINDS[move & 3]


def seeds_by_hole(state: State) -> list[tuple[int, int, int]]:
    """The red, blue and transparent seeds of holes 1 to 16."""
    own = (state.own_red, state.own_blue, state.own_clear)
    other = (state.other_red, state.other_blue, state.other_clear)
    sides = (own, other) if to_move(state) == 0 else (other, own)
    return [
        (seeds_in(red, hole), seeds_in(blue, hole), seeds_in(clear, hole))
        for hole in range(HOLES)
        for red, blue, clear in sides
    ]


def state_to_text(state: State) -> str:
    holes = "/".join(f"{red}.{blue}.{clear}" for red, blue, clear in seeds_by_hole(state))
    return f"{holes} {taken(state.tally, 0)},{taken(state.tally, 1)} {to_move(state) + 1} {ply(state)}"


def text_to_state(text: str, options: Options) -> State:
    board, stores, player_text, ply_text = fields(text, 4, FORM)
    holes = [
        numbers(hole, len(COLOURS), SEEDS_OF_A_COLOUR, FORM, separator=".")
        for hole in fields(board, RING_HOLES, FORM, separator="/")
    ]
    first, second = numbers(stores, 2, SEEDS, FORM)
    _refuse_wrong_sums(holes, first + second)
    player = player_from_text(player_text, 2)
    tally = take(take(0, 0, first), 1, second) | number(ply_text, LAST_PLY, FORM) << PLY | player << PLAYER
    own, other = holes[player::2], holes[1 - player :: 2]
    words = [pack([hole[colour] for hole in side]) for side in (own, other) for colour in range(len(COLOURS))]
    return State._make([*words, tally])


def _refuse_wrong_sums(holes: list[list[int]], stored: int) -> None:
    on_board = [sum(hole[colour] for hole in holes) for colour in range(len(COLOURS))]
    for colour, seeds in zip(COLOURS, on_board, strict=True):
        if seeds > SEEDS_OF_A_COLOUR:
            raise ImpossiblePosition(say(f"error.surplus_{colour}", seeds=seeds, most=SEEDS_OF_A_COLOUR))
    total = sum(on_board) + stored
    if total != SEEDS:
        raise ImpossiblePosition(say("error.total", total=total, seeds=SEEDS))


def explain(state: State, text: str) -> Message:
    """Why a text is not a legal move."""
    match = MOVE_FORM.fullmatch(text.lower())
    if match is None:
        return say("error.form", holes=RING_HOLES, kinds=list(KINDS))
    hole, kind = match.groups()
    if int(hole) > RING_HOLES:
        return say("error.no_hole", hole=hole, holes=RING_HOLES)
    if int(hole) % 2 == to_move(state):
        return say("error.not_yours", hole=hole, odd=the_player(0), even=the_player(1))
    if kind[0] == "t":
        return say("error.no_transparent", hole=hole, kind=kind)
    return say("error.no_red" if kind == "r" else "error.no_blue", hole=hole)


def why_over(state: State) -> Message:
    """Why the game has ended."""
    stores = taken(state.tally, 0), taken(state.tally, 1)
    if max(stores) >= MAJORITY:
        return say("over.majority", seeds=max(stores))
    if SEEDS - sum(stores) < FEWEST_SEEDS:
        return say("over.few_seeds", count=SEEDS - sum(stores))
    return say("over.plies", plies=LAST_PLY) if movable(state) else say("over.no_seeds")
