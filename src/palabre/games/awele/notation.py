"""Awélé in text: moves `A`…`F` and `a`…`f`, positions `4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0`.

A position is the pits of player 1 / of player 2, each in the owner's sowing order, the seeds taken, the player to
move, and the plies since the last capture.
"""

from palabre.author import ImpossiblePosition, Message, Options, fields, number, numbers, own_words, player_from_text
from palabre.games.awele.rules import (
    BOARD,
    MAJORITY,
    PITS,
    SEEDS,
    STAGNATION,
    STORE,
    State,
    rules_word,
    seeds_in,
    taken,
)

say = own_words(__file__)

PIT_NAMES = "ABCDEF"
FORM = say("form")
MOST_QUIET = 1_000_000  # a bound for the last field, so that it fits any counter


def move_to_text(state: State, move: int) -> str:
    """`A`…`F` for player 1's pits 1…6, `a`…`f` for player 2's."""
    return PIT_NAMES[move] if state.player == 0 else PIT_NAMES[move].lower()


def state_to_text(state: State) -> str:
    first, second = (state.own, state.other) if state.player == 0 else (state.other, state.own)
    sides = [",".join(str(seeds_in(word, pit)) for pit in range(PITS)) for word in (first, second)]
    return f"{'/'.join(sides)} {taken(first)},{taken(second)} {state.player + 1} {state.quiet}"


def text_to_state(text: str, options: Options) -> State:
    sides, stores, player_text, quiet_text = fields(text, 4, FORM)
    words = []
    total = 0
    for side, store in zip(fields(sides, 2, FORM, separator="/"), numbers(stores, 2, SEEDS, FORM), strict=True):
        pits = numbers(side, PITS, SEEDS, FORM)
        total += sum(pits) + store
        words.append(sum(seeds << 8 * pit for pit, seeds in enumerate(pits)) + (store << STORE))
    if total != SEEDS:
        raise ImpossiblePosition(say("error.total", total=total, seeds=SEEDS))
    player = player_from_text(player_text, 2)
    quiet = number(quiet_text, MOST_QUIET, FORM)
    return State(words[player], words[1 - player], player, quiet, rules_word(options))


def explain(state: State, text: str) -> Message:
    """Why a text is not a legal move."""
    pit = PIT_NAMES.find(text.upper()) if len(text) == 1 else -1
    if pit < 0:
        return say("error.one_letter", first=PIT_NAMES[0], last=PIT_NAMES[-1])
    if seeds_in(state.own, pit) == 0:
        return say("error.empty_pit")
    return say("error.must_feed")


def why_over(state: State) -> Message:
    """Why the game has ended."""
    stores = taken(state.own), taken(state.other)
    if max(stores) >= MAJORITY:
        return say("over.majority", seeds=max(stores))
    if SEEDS - sum(stores) < state.rules & 0xFF:
        return say("over.few_seeds", count=SEEDS - sum(stores))
    if state.quiet >= state.rules >> STAGNATION:
        return say("over.stagnation", count=state.quiet)
    if state.own & BOARD:
        return say("over.cannot_feed")
    # A position read from a text may have been awarded its seeds already; then nobody can tell the two apart.
    return say("over.no_seeds") if state.other & BOARD else say("over.no_move")
