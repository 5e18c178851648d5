"""Awélé: twelve pits, 48 seeds, sow and capture twos and threes.

Two rule sets. `course` is the one of the Awélé course project: it ends at 25 seeds, when fewer than `stop` seeds
remain, after `stagnation` plies without a capture, or when the player to move has no move, and then he takes his own
seeds. `abapa` is the international one: no count of seeds left, but a repeated position ends the game, and at any
end each side takes what lies on its side. In both, a *grand slam* (taking everything the opponent has) is legal and
takes nothing, and a player must feed an opponent who has no seeds.

The state is seen from the player to move. One side of the board is one word, a byte a pit in sowing order:

    own     bits  0-7   8-15  16-23  24-31  32-39  40-47   48-55
            pit    1      2      3      4      5      6     seeds taken
"""

from typing import NamedTuple

from palabre.core.bits import combine, nth, popcount
from palabre.core.dice import roll
from palabre.core.kernels import Table, kernel, rule
from palabre.core.spec import Options
from palabre.core.verbs import Moves

PITS = 6
SEEDS = 48
MAJORITY = SEEDS // 2 + 1
MOST_MOVES = MOVE_CODES = PITS
STORE = 8 * PITS  # where the byte of taken seeds begins
BOARD = (1 << STORE) - 1  # the six pits of a word
ONES = 0x010101010101
TOP_BITS = 0x80 * ONES
# A playout, which does not remember positions, takes so many plies without a capture for a repetition.
PLAYOUT_PATIENCE = 200
FORESIGHT = 100  # plies before the stagnation limit from which positions differ by it


class State(NamedTuple):
    """A position of Awélé, own and other as drawn above."""

    own: int  # the pits and the store of the player to move
    other: int  # those of the opponent
    player: int  # who is to move, 0 or 1
    quiet: int  # plies since the last capture
    rules: int  # ABAPA, or stop + STAGNATION * stagnation


STAGNATION = 64  # place value of the stagnation limit in `State.rules`; stop is below it
ABAPA = -1


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
    """The pit of the last seed, counted from the sower's first."""
    return (pit + (seeds - 1) % (2 * PITS - 1) + 1) % (2 * PITS)


SOWN_OWN = Table([[_pack(_sow(pit, seeds)[:PITS]) for seeds in range(SEEDS + 1)] for pit in range(PITS)])
SOWN_OTHER = Table([[_pack(_sow(pit, seeds)[PITS:]) for seeds in range(SEEDS + 1)] for pit in range(PITS)])
LAST_PIT = Table([[_last(pit, seeds) for seeds in range(SEEDS + 1)] for pit in range(PITS)])


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
    """The pits that may be played, as the top bits of their bytes; the end rules are not looked at."""
    pits = state.own & BOARD
    if state.other & BOARD == 0:
        # Byte i needs 6 - i seeds to reach the other side: the bytes of REACH add what brings that to 128.
        return (pits + REACH) & TOP_BITS
    return (pits + 0x7F * ONES) & TOP_BITS


REACH = _pack([0x80 - (PITS - pit) for pit in range(PITS)])


@kernel
def is_decided(state: State) -> bool:
    """Whether one of the endings holds that come before "no legal move"."""
    if taken(state.own) >= MAJORITY or taken(state.other) >= MAJORITY:
        return True
    if state.rules == ABAPA:
        return False
    left = SEEDS - taken(state.own) - taken(state.other)
    return left < state.rules % STAGNATION or state.quiet >= state.rules // STAGNATION


@rule
def is_over(state: State) -> bool:
    return movable(state) == 0 or is_decided(state)


@rule
def to_move(state: State) -> int:
    return state.player


@rule
def score(state: State, player: int) -> int:
    return taken(state.own) if player == state.player else taken(state.other)


@rule
def legal_moves(state: State, moves: Moves) -> int:
    if is_decided(state):
        return 0
    playable = movable(state)
    count = 0
    for pit in range(PITS):
        if playable >> 8 * pit & 0x80:
            moves[count] = pit
            count += 1
    return count


@rule
def count_moves(state: State) -> int:
    return 0 if is_decided(state) else popcount(movable(state))


@rule
def random_move(state: State, seed: int) -> int:
    playable = movable(state)
    return nth(playable, roll(seed, popcount(playable))) >> 3


@rule
def play(state: State, move: int) -> State:
    seeds = seeds_in(state.own, move)
    own = state.own - (seeds << 8 * move) + SOWN_OWN[move][seeds]
    other = state.other + SOWN_OTHER[move][seeds]
    captured = 0
    left = other
    pit = LAST_PIT[move][seeds] - PITS
    while pit >= 0 and seeds_in(left, pit) & 0xFE == 2:
        captured += seeds_in(left, pit)
        left &= ~(0xFF << 8 * pit)
        pit -= 1
    if captured and left & BOARD:  # a grand slam takes nothing
        return end(State(left, own + (captured << STORE), 1 - state.player, 0, state.rules))
    return end(State(other, own, 1 - state.player, state.quiet + 1, state.rules))


@kernel
def end(state: State) -> State:
    """Hand out the seeds that an ending gives to a side; nothing happens while the game goes on."""
    if state.rules == ABAPA:
        return settle(state) if is_over(state) else state
    if movable(state) == 0 and not is_decided(state):
        return State(collect(state.own), state.other, state.player, state.quiet, state.rules)
    return state


@rule
def settle(state: State) -> State:
    """Each side takes the seeds on its own side."""
    return State(collect(state.own), collect(state.other), state.player, state.quiet, state.rules)


@kernel
def collect(word: int) -> int:
    """A side with all its seeds in the store."""
    return taken(word) + total(word) << STORE


@rule
def key(state: State) -> int:
    """The plies without a capture count only when the limit is near: before, they cannot be felt by any search."""
    fingerprint = combine(combine(1 + state.player, state.own), state.other)
    if state.rules == ABAPA:
        return fingerprint
    return combine(fingerprint, max(0, state.quiet + FORESIGHT - state.rules // STAGNATION))


@rule
def repetition(state: State) -> int:
    """The twelve pits as bars and stars: a one closes each pit, a zero is a seed; 60 bits with the player."""
    if state.rules != ABAPA:
        return 0
    code = 1
    for pit in range(PITS):
        code = code << seeds_in(state.own, pit) + 1 | 1
    for pit in range(PITS):
        code = code << seeds_in(state.other, pit) + 1 | 1
    return code << 1 | state.player


@rule
def is_stale(state: State) -> bool:
    return state.rules == ABAPA and state.quiet >= PLAYOUT_PATIENCE


def start(options: Options, seed: int) -> State:
    """Four seeds in each pit; nothing is drawn by lot."""
    return State(4 * ONES, 4 * ONES, 0, 0, rules_word(options))


def rules_word(options: Options) -> int:
    """The parameters of a spec as one word of the state."""
    if options.preset == "abapa":
        return ABAPA
    return options.number("stop") + STAGNATION * options.number("stagnation")
