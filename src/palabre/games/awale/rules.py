"""Awalé with three colours: sixteen holes in a ring, 96 seeds, sow one colour and capture twos and threes.

There is one rule set, that of the Awalé course project. Player 1 owns the odd holes, player 2 the even ones. A red
move sows every hole, a blue move only the opponent's. Transparent seeds are played as red or as blue, and are sown
first. Easy to get wrong: the capture runs back round the ring over *any* hole with 2 or 3 seeds, including the mover's
own holes, the origin, and holes that received nothing. Starving the opponent is allowed and pays, because the starver
takes all that is left. But with fewer than 10 seeds on the board the game is already over, and these go to nobody.

The state is stored from the point of view of the player to move. One colour on one side of the board is one word, with
a byte for each hole:

    bits              0-7   8-15  16-23  24-31  32-39  40-47  48-55  56-63
    player 1's hole    1      3      5      7      9     11     13     15
    player 2's hole    2      4      6      8     10     12     14     16

No byte exceeds 32, or 96 when the colours are added up, so no sum overflows and every word is positive. Captures need
the holes in ring order; a *ring* is a word with one bit in four for each hole: hole 1 is bit 0, hole 16 is bit 60.
"""

from typing import NamedTuple

from palabre.author import Moves, Options, Table, combine, kernel, lowest, multiply, popcount, roll, rule

HOLES = 8  # of each player
RING_HOLES = 2 * HOLES
SEEDS = 96
SEEDS_OF_A_COLOUR = SEEDS // 3
MAJORITY = SEEDS // 2 + 1
FEWEST_SEEDS = 10  # on the board: with fewer, the game is over
LAST_PLY = 400
# A move is 4 * hole + kind, the kinds r, b, tr and tb being 0 to 3. At the start all of them are legal.
MOST_MOVES = MOVE_CODES = 4 * HOLES
AS_BLUE = 1  # the bits of a kind
WITH_CLEAR = 2
ONES = 0x0101010101010101
FORESIGHT = 100  # this many plies before the last, the key begins to depend on the ply


class State(NamedTuple):
    """A position of Awalé, the sides as drawn above; clear seeds are the transparent ones."""

    own_red: int  # the holes of the player to move
    own_blue: int
    own_clear: int
    other_red: int  # those of the opponent
    other_blue: int
    other_clear: int
    tally: int  # bits 0-7 seeds taken by player 1, 8-15 by player 2, 16-23 by both; 24-33 ply, 34 player to move


TAKEN = 16  # where parts of the tally begin
PLY = 24
PLAYER = 34
ENDED_BY_SEEDS = 128 | 128 << 8 | 128 << TAKEN
ENDED = ENDED_BY_SEEDS | 512 << PLY
# Added to a tally, it carries each part that ends the game into that part's bit of ENDED.
MARGINS = ENDED - (MAJORITY | MAJORITY << 8 | (SEEDS - FEWEST_SEEDS + 1) << TAKEN | LAST_PLY << PLY)


def _sow(hole: int, seeds: int, as_blue: int) -> list[int]:
    """What each hole of the ring receives when player 1 sows from hole 0 to 7 of theirs."""
    received = [0] * RING_HOLES
    origin = place = 2 * hole
    for _ in range(seeds):
        place = (place + 1) % RING_HOLES
        while place % 2 == 0 if as_blue else place == origin:
            place = (place + 1) % RING_HOLES
        received[place] += 1
    return received


def pack(holes: list[int]) -> int:
    """The word of a side."""
    return sum(seeds << 8 * hole for hole, seeds in enumerate(holes))


_HAND = range(2 * SEEDS_OF_A_COLOUR + 1)  # a hand holds seeds of two colours at most
# By AS_BLUE, hole and seeds: what a sowing adds to the sower's side and to the other one.
SOWN_OWN = Table([[[pack(_sow(hole, n, blue)[0::2]) for n in _HAND] for hole in range(HOLES)] for blue in (0, 1)])
SOWN_OTHER = Table([[[pack(_sow(hole, n, blue)[1::2]) for n in _HAND] for hole in range(HOLES)] for blue in (0, 1)])
# By AS_BLUE and seeds: how far from the origin the last seed falls; red goes round in 15 seeds, blue in 8.
REACH = Table([[(n - 1) % 15 + 1 for n in _HAND], [(n - 1) % 8 * 2 + 1 for n in _HAND]])
# By the set of kinds that a hole allows and a number: the kind with this number.
NTH_KIND = Table([([kind for kind in range(4) if kinds >> kind & 1] + [0] * 4)[:4] for kinds in range(16)])


@kernel
def seeds_in(word: int, hole: int) -> int:
    return word >> 8 * hole & 0xFF


@kernel
def taken(tally: int, player: int) -> int:
    return tally >> 8 * player & 0xFF


@kernel
def take(tally: int, player: int, seeds: int) -> int:
    """A tally after a player has taken seeds."""
    return tally + (seeds << 8 * player) + (seeds << TAKEN)


@kernel
def filled(word: int) -> int:
    """The lowest bit of each hole that has a seed of this colour."""
    return (word + 0x3F * ONES) >> 6 & ONES


@kernel
def movable(state: State) -> int:
    """The moves that the seeds allow, whether or not the game has ended: bit 8 * hole + kind."""
    return filled(state.own_red) | filled(state.own_blue) << 1 | filled(state.own_clear) * 0b1100


@kernel
def is_decided(state: State) -> bool:
    """Whether the game has ended by a majority, by too few seeds on the board, or by the last ply."""
    return (state.tally + MARGINS) & ENDED != 0


@rule
def is_over(state: State) -> bool:
    return movable(state) == 0 or is_decided(state)


@rule
def to_move(state: State) -> int:
    return state.tally >> PLAYER


@rule
def ply(state: State) -> int:
    return state.tally >> PLY & 0x3FF


@rule
def score(state: State, player: int) -> int:
    """Seeds taken, with those that the ending hands out; `play` does not hand them out."""
    if is_over(state):
        state = award_remaining(state)
    return taken(state.tally, player)


@rule
def legal_moves(state: State, moves: Moves) -> int:
    if is_decided(state):
        return 0
    left = movable(state)
    count = 0
    while left:
        bit = lowest(left)
        moves[count] = 4 * (bit >> 3) + (bit & 3)
        left &= left - 1
        count += 1
    return count


@rule
def count_moves(state: State) -> int:
    return 0 if is_decided(state) else popcount(movable(state))


@rule
def random_move(state: State, seed: int) -> int:
    """The move with a random number, found without a loop: its hole is the first whose moves reach past that number."""
    counts = filled(state.own_red) + filled(state.own_blue) + 2 * filled(state.own_clear)
    up_to = multiply(counts, ONES)  # each byte: the moves of this hole and of those before
    number = roll(seed, up_to >> 56)
    hole = popcount(((0x40 + number) * ONES - up_to) & 0x40 * ONES)
    kinds = movable(state) >> 8 * hole & 0xF
    kind: int = NTH_KIND[kinds][number - seeds_in(up_to - counts, hole)]
    return 4 * hole + kind


@rule
def play(state: State, move: int) -> State:
    player = to_move(state)
    hole = move >> 2
    blue = move & AS_BLUE
    # Player 2's hole i is followed by player 1's i + 1: there the other side receives what the next hole would give.
    facing = (hole + player) & 7
    clear = seeds_in(state.own_clear, hole) if move & WITH_CLEAR else 0
    seeds = clear + seeds_in(state.own_blue if blue else state.own_red, hole)
    # The transparent seeds are the first of the sowing, the coloured ones the rest of it.
    own_clear = SOWN_OWN[blue][hole][clear]
    own_rest = SOWN_OWN[blue][hole][seeds] - own_clear - ((seeds - clear) << 8 * hole)
    other_clear = SOWN_OTHER[blue][facing][clear]
    other_rest = SOWN_OTHER[blue][facing][seeds] - other_clear
    sown = State(
        state.other_red + (0 if blue else other_rest),
        state.other_blue + (other_rest if blue else 0),
        state.other_clear + other_clear,
        state.own_red + (0 if blue else own_rest),
        state.own_blue + (own_rest if blue else 0),
        state.own_clear + own_clear - (clear << 8 * hole),
        (state.tally + (1 << PLY)) ^ (1 << PLAYER),
    )
    return capture(sown, (2 * hole + player + REACH[blue][seeds]) % RING_HOLES)


@kernel
def ring(own: int, other: int, player: int) -> int:
    """The lowest bits of the bytes of both sides, in ring order."""
    return (own & ONES) << 4 * player | (other & ONES) << 4 - 4 * player


@kernel
def ripe(word: int) -> int:
    """The lowest bit of each hole that holds 2 or 3, whose half, rounded down, is 1; the other bits mean nothing."""
    halves = word >> 1 & 0x3F * ONES
    return ~(((halves ^ ONES) + 0x3F * ONES) >> 6)


@kernel
def run_back(holes: int, last: int) -> int:
    """Those of the holes in a ring that are met from the last one backwards, before the first gap."""
    run = 0
    bit = 1 << 4 * last
    while holes & ~run & bit:
        run |= bit
        last = (last - 1) % RING_HOLES
        bit = 1 << 4 * last
    return run


@kernel
def capture(state: State, last: int) -> State:
    """Give the seeds that are captured from the last hole on to the player who has just sown, the one not to move."""
    player = to_move(state)
    own = state.own_red + state.own_blue + state.own_clear
    other = state.other_red + state.other_blue + state.other_clear
    holes = run_back(ring(ripe(own), ripe(other), player), last)
    if holes == 0:
        return state
    seeds = 2 * popcount(holes) + popcount(holes & ring(own, other, player))  # twos, and threes are odd
    own_left = ~((holes >> 4 * player & ONES) * 0x7F)
    other_left = ~((holes >> 4 - 4 * player & ONES) * 0x7F)
    return State(
        state.own_red & own_left,
        state.own_blue & own_left,
        state.own_clear & own_left,
        state.other_red & other_left,
        state.other_blue & other_left,
        state.other_clear & other_left,
        take(state.tally, 1 - player, seeds),
    )


@rule
def award_remaining(state: State) -> State:
    """If the player to move has no seeds, hand all that are left to the opponent, even at the last ply.

    An end by majority, or by too few seeds on the board, comes first and hands out nothing.
    """
    if movable(state) or (state.tally + MARGINS) & ENDED_BY_SEEDS:
        return state
    left = SEEDS - (state.tally >> TAKEN & 0xFF)
    return State(0, 0, 0, 0, 0, 0, take(state.tally, 1 - to_move(state), left))


@rule
def key(state: State) -> int:
    """The ply counts only when the last one is near: before that, no search can reach it.

    Three chains side by side take two thirds of the time of one. They start from bits that no byte of the board has,
    so that no chain can equal another and cancel it out.
    """
    reds = combine(combine(1 << 6, state.own_red), state.other_red)
    blues = combine(combine(2 << 6, state.own_blue), state.other_blue)
    clears = combine(combine(3 << 6, state.own_clear), state.other_clear)
    near = max(0, ply(state) + FORESIGHT - LAST_PLY)
    tally = state.tally - (ply(state) << PLY) + (near << PLY)
    return combine(combine(reds, blues), combine(clears, tally))


def start(options: Options, seed: int) -> State:
    """Two seeds of each colour in each hole; nothing is left to chance."""
    return State(2 * ONES, 2 * ONES, 2 * ONES, 2 * ONES, 2 * ONES, 2 * ONES, 0)
