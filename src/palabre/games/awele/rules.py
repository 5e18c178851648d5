"""Awélé: twelve pits, 48 seeds, sow and capture twos and threes.

There are two rule sets. `course` is that of the Awélé course project. A game ends when a player has 25 seeds, when
fewer than `stop` seeds remain, after `stagnation` plies without a capture, or when the player to move has no move; that
player then takes the seeds on their side. `abapa` is the international rule set. There the seeds that remain do not end
the game, but a repeated position does, and at any end each side takes what lies on its side. In both, a *grand slam*
(taking everything the opponent has) is legal and takes nothing, and a player must feed an opponent who has no seeds.

The state is stored from the point of view of the player to move. One side of the board is one word, with a byte for
each pit in sowing order:

    own     bits  0-7   8-15  16-23  24-31  32-39  40-47   48-55
            pit    1      2      3      4      5      6     seeds taken
"""

from typing import NamedTuple

from palabre.author import Moves, Options, Table, combine, kernel, multiply, popcount, roll, rule

PITS = 6
SEEDS = 48
MAJORITY = SEEDS // 2 + 1
MOST_MOVES = MOVE_CODES = PITS
STORE = 8 * PITS  # where the byte of taken seeds begins
BOARD = (1 << STORE) - 1  # the six pits of a word
ONES = 0x010101010101
TOP_BITS = 0x80 * ONES
FORESIGHT = 100  # this many plies before the stagnation limit, the key begins to depend on it


class State(NamedTuple):
    """A position of Awélé, own and other as drawn above."""

    own: int  # the pits and the store of the player to move
    other: int  # those of the opponent
    player: int  # who is to move, 0 or 1
    quiet: int  # plies since the last capture
    rules: int  # bits 0-7 stop, bit 8 abapa, from bit 16 stagnation


ABAPA = 1 << 8
STAGNATION = 16  # where the stagnation limit begins in `State.rules`
NO_STAGNATION = 1 << 40  # a stagnation limit that is not reached


def _sow(pit: int, seeds: int) -> list[int]:
    """What each of the twelve pits receives: one seed each in turn, the pit of origin skipped."""
    received = [0] * (2 * PITS)
    place = pit
    for _ in range(seeds):
        place = (place + 1) % (2 * PITS)
        if place == pit:
            place = (place + 1) % (2 * PITS)
        received[place] += 1
    return received


def _pack(pits: list[int]) -> int:
    return sum(seeds << 8 * pit for pit, seeds in enumerate(pits))


def _last(pit: int, seeds: int) -> int:
    """Where the byte of the last seed's pit begins in the opponent's word; negative on the sower's side."""
    return 8 * ((pit + (seeds - 1) % (2 * PITS - 1) + 1) % (2 * PITS) - PITS)


# Indexed by pit and seeds: what a sowing adds to the sower's word (whose pit is emptied) and to the other.
SOWN_OWN = Table([[_pack(_sow(pit, n)[:PITS]) - (n << 8 * pit) for n in range(SEEDS + 1)] for pit in range(PITS)])
SOWN_OTHER = Table([[_pack(_sow(pit, n)[PITS:]) for n in range(SEEDS + 1)] for pit in range(PITS)])
LAST = Table([[_last(pit, n) for n in range(SEEDS + 1)] for pit in range(PITS)])


@kernel
def seeds_in(word: int, pit: int) -> int:
    return word >> 8 * pit & 0xFF


@kernel
def total(pits: int) -> int:
    """The sum of the six pits of a word."""
    return ((pits & BOARD) * ONES >> 40) & 0xFF


@kernel
def taken(word: int) -> int:
    return word >> STORE


@kernel
def movable(state: State) -> int:
    """The pits that may be played, as the top bits of their bytes, whether or not the game has ended."""
    pits = state.own & BOARD
    if state.other & BOARD == 0:
        # Byte i needs 6 - i seeds to reach the other side: the bytes of REACH add what brings that to 128.
        return (pits + REACH) & TOP_BITS
    return (pits + 0x7F * ONES) & TOP_BITS


REACH = _pack([0x80 - (PITS - pit) for pit in range(PITS)])


@kernel
def is_decided(state: State) -> bool:
    """Whether the game has ended, other than for want of a legal move."""
    mine, yours = taken(state.own), taken(state.other)
    # Each term is negative when its ending holds, and so is their union: one test instead of four.
    return (
        (MAJORITY - 1 - mine)
        | (MAJORITY - 1 - yours)
        | (SEEDS - mine - yours - (state.rules & 0xFF))
        | ((state.rules >> STAGNATION) - 1 - state.quiet)
    ) < 0


@rule
def is_over(state: State) -> bool:
    return movable(state) == 0 or is_decided(state)


@rule
def to_move(state: State) -> int:
    return state.player


@rule
def score(state: State, player: int) -> int:
    """The seeds taken, with those that the ending hands out; `play` does not hand them out."""
    if is_over(state):
        state = award_remaining(state)
    return taken(state.own) if player == state.player else taken(state.other)


@rule
def legal_moves(state: State, moves: Moves) -> int:
    if is_decided(state):
        return 0
    playable = movable(state)
    count = 0
    for pit in range(PITS):
        moves[count] = pit  # the next pit overwrites it unless it counts, so there is no branch to mispredict
        count += playable >> 8 * pit + 7 & 1
    return count


@rule
def count_moves(state: State) -> int:
    return 0 if is_decided(state) else popcount(movable(state))


@rule
def random_move(state: State, seed: int) -> int:
    playable = movable(state)
    pit: int = PICK[multiply(playable >> 7, GATHER) >> STORE - 8 & 63][roll(seed, popcount(playable))]
    return pit


# PICK[set of pits][n] is the n-th pit of the set. GATHER brings the lowest bits of the six bytes of a word together
# in its sixth byte: bit 8 i times 2 ** (40 - 7 i) is bit 40 + i, and no two of the other products coincide.
PICK = Table([[*(pit for pit in range(PITS) if chosen >> pit & 1), *[0] * PITS][:PITS] for chosen in range(1 << PITS)])
GATHER = sum(1 << STORE - 8 - 7 * pit for pit in range(PITS))


@rule
def play(state: State, move: int) -> State:
    seeds = seeds_in(state.own, move)
    own = state.own + SOWN_OWN[move][seeds]
    other = state.other + SOWN_OTHER[move][seeds]
    captured = 0
    left = other
    place = LAST[move][seeds]
    while place >= 0 and other >> place & 0xFE == 2:
        captured += other >> place & 0xFF
        left &= ~(0xFF << place)
        place -= 8
    quiet = state.quiet + 1
    if captured and left & BOARD:  # a grand slam takes nothing
        own += captured << STORE
        other = left
        quiet = 0
    return State(other, own, 1 - state.player, quiet, state.rules)


@rule
def award_remaining(state: State) -> State:
    """Hand out what the ending gives: in `abapa` to each side its own seeds, in `course` to a stuck mover theirs."""
    if state.rules & ABAPA:
        return State(collect(state.own), collect(state.other), state.player, state.quiet, state.rules)
    if is_decided(state):
        return state
    return State(collect(state.own), state.other, state.player, state.quiet, state.rules)


@kernel
def collect(word: int) -> int:
    """A side with all its seeds in the store."""
    return taken(word) + total(word) << STORE


@rule
def key(state: State) -> int:
    """The plies without a capture count only when the limit is near: before that, no search can reach it."""
    fingerprint = combine(combine(1 + state.player, state.own), state.other)
    return combine(fingerprint, max(0, state.quiet + FORESIGHT - (state.rules >> STAGNATION)))


@rule
def repetition_key(state: State) -> int:
    """The twelve pits as bars and stars: a one closes each pit, a zero is a seed; 60 bits with the player."""
    if state.rules & ABAPA == 0:
        return 0
    code = 1
    for pit in range(PITS):
        code = code << seeds_in(state.own, pit) + 1 | 1
    for pit in range(PITS):
        code = code << seeds_in(state.other, pit) + 1 | 1
    return code << 1 | state.player


@rule
def reversible_plies(state: State) -> int:
    """A capture cannot be undone: the seeds taken do not come back."""
    return state.quiet


def start(options: Options, seed: int) -> State:
    """Four seeds in each pit; nothing is left to chance."""
    return State(4 * ONES, 4 * ONES, 0, 0, rules_word(options))


def rules_word(options: Options) -> int:
    """The parameters of a spec as one word of the state."""
    if options.preset == "abapa":
        return ABAPA + (NO_STAGNATION << STAGNATION)
    return options.number("stop") + (options.number("stagnation") << STAGNATION)
