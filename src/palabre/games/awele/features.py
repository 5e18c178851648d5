"""What a net sees of a position of Awélé, from the side of the player to move.

    12 x 17   how many seeds each pit has, 16 or more as one
    2 x 25    how many seeds each player has taken
    12 x 6    for each pit, what can be taken at once: by its sowing, or from it

The last are what `standard` cannot see without a search. A pit attacks if its last seed makes two or three in a pit of
the other side. Both sides are asked, as if each were to move. Grand slams count, too; a pit with more than 22 seeds,
whose sowing goes round twice, attacks nothing.
"""

from palabre.author import Rows, answer, features, kernel, multiply, phase
from palabre.games.awele.rules import (
    BOARD,
    GATHER,
    ONES,
    PITS,
    SEEDS,
    STORE,
    TOP_BITS,
    State,
    seeds_in,
    taken,
    total,
)

MOST_SEEDS = 16  # in a pit, as far as a net can tell
COUNTS = MOST_SEEDS + 1
TAKEN = 2 * PITS * COUNTS  # the first feature of the seeds taken
MOST_TAKEN = SEEDS // 2  # no one has more before the end
ATTACKS = TAKEN + 2 * (MOST_TAKEN + 1)  # the first feature of the attacks
KINDS = 6  # of them: a sowing that makes 2, or 3; a pit with 1 seed or 2 that is attacked once, or more often
ALL_PITS = (1 << PITS) - 1
ROUND = 2 * PITS - 1  # the pits that a sowing visits before it goes round again
FEATURES = ATTACKS + 2 * PITS * KINDS
MOST_FEATURES = 2 * PITS + 2 + 2 * PITS + 2 * PITS
PHASES = 6
PHASE_BITS = 3  # eight seeds on the board are a phase; the last one has nine


@answer(features)
def features_of_pits(state: State, rows: Rows) -> int:
    for pit in range(PITS):
        rows[pit] = COUNTS * pit + min(seeds_in(state.own, pit), MOST_SEEDS)
        rows[PITS + pit] = COUNTS * (PITS + pit) + min(seeds_in(state.other, pit), MOST_SEEDS)
    rows[2 * PITS] = TAKEN + taken(state.own)
    rows[2 * PITS + 1] = TAKEN + MOST_TAKEN + 1 + taken(state.other)
    count = attacks(state.own, state.other, ATTACKS, ATTACKS + PITS * KINDS, rows, 2 * PITS + 2)
    return attacks(state.other, state.own, ATTACKS + PITS * KINDS, ATTACKS, rows, count)


@kernel
def attacks(own: int, other: int, attackers: int, targets: int, rows: Rows, count: int) -> int:
    """Write the attacks of one side on the other after `count` features; the sides' features begin at these numbers.

    A sowing from a pit with n seeds ends n pits further on. It has the bit of that pit, counted from the first one of
    its own side, so pits that are attacked are found without a branch. With 12 seeds it has passed its origin, which
    it skips: it ends a round further on, less the origin, and has given each pit of the other side two seeds.
    """
    filled, two_or_more, three_or_more = at_least(other, 1), at_least(other, 2), at_least(other, 3)
    one, two = filled & ~two_or_more, two_or_more & ~three_or_more
    makes_two = one << PITS | (ALL_PITS & ~filled) << PITS + ROUND
    makes_three = two << PITS | one << PITS + ROUND
    once = often = 0  # the ends of sowings that capture
    for pit in range(PITS):
        end = 1 << pit + seeds_in(own, pit) & (makes_two | makes_three)
        rows[count] = attackers + KINDS * pit + (1 if end & makes_three else 0)
        count += 1 if end else 0
        often |= once & end
        once |= end
    often = (often >> PITS) | (often >> PITS + ROUND) | (once >> PITS) & (once >> PITS + ROUND)
    once = (once >> PITS) | (once >> PITS + ROUND)
    for pit in range(PITS):
        rows[count] = targets + KINDS * pit + 2 + 2 * (often >> pit & 1) + (two >> pit & 1)
        count += once >> pit & 1
    return count


@kernel
def at_least(side: int, seeds: int) -> int:
    """The pits of a side with so many seeds or more, as six bits."""
    tops = (side & BOARD) + (0x80 - seeds) * ONES & TOP_BITS
    return multiply(tops >> 7, GATHER) >> STORE - 8 & ALL_PITS


@answer(phase)
def phase_by_seeds(state: State) -> int:
    return min(total(state.own) + total(state.other) >> PHASE_BITS, PHASES - 1)
