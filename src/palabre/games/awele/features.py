"""What a net sees of a position of Awélé, from the side of the player to move.

    12 x 17   how many seeds each pit has, 16 or more as one
    2 x 25    how many seeds each player has taken
    12 x 6    for each pit, what can be taken at once: by its sowing, or from it

The last are what `standard` cannot see without a search. A pit attacks if its last seed makes two or three in a pit of
the other side. Both sides are asked, as if each were to move. Grand slams count, too.
"""

from palabre.author import Rows, answer, features, kernel, phase
from palabre.games.awele.rules import LAST, PITS, SEEDS, SOWN_OTHER, State, seeds_in, taken, total

MOST_SEEDS = 16  # in a pit, as far as a net can tell
COUNTS = MOST_SEEDS + 1
TAKEN = 2 * PITS * COUNTS  # the first feature of the seeds taken
MOST_TAKEN = SEEDS // 2  # nobody has more before the end
ATTACKS = TAKEN + 2 * (MOST_TAKEN + 1)  # the first feature of the attacks
KINDS = 6  # of them: a sowing that makes 2, or 3; a pit with 1 seed or 2 that is attacked once, or more often
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
    """Write the attacks of one side on the other after `count` features; the sides' features begin at these numbers."""
    once = often = 0  # the pits attacked, each as the lowest bit of its byte
    for pit in range(PITS):
        seeds = seeds_in(own, pit)
        last = LAST[pit][seeds]
        made = other + SOWN_OTHER[pit][seeds] >> (last & 63) & 0xFF
        hits = 1 if (seeds > 0) & (last >= 0) & (made & 0xFE == 2) else 0  # without a branch to mispredict
        rows[count] = attackers + KINDS * pit + (made & 1)
        count += hits
        target = hits << (last & 63)
        often |= once & target
        once |= target
    for pit in range(PITS):
        there = seeds_in(other, pit)
        rows[count] = targets + KINDS * pit + 2 + 2 * (often >> 8 * pit & 1) + (there == 2)
        count += once >> 8 * pit & 1
    return count


@answer(phase)
def phase_by_seeds(state: State) -> int:
    return min(total(state.own) + total(state.other) >> PHASE_BITS, PHASES - 1)
