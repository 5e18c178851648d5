"""`palabre sprt`: is the new bot better than the old one? Plays until that is decided, and no longer."""

import dataclasses
from collections.abc import Sequence
from typing import Annotated

import typer

from palabre.arena.documents import match_document, result_document
from palabre.arena.match import Match
from palabre.arena.result import pair_counts
from palabre.arena.rows import GameRow
from palabre.arena.sequential import MOST_GAMES, Hypotheses, sprt_match
from palabre.arena.sprt import Sprt
from palabre.cli.live import replays
from palabre.cli.match import play
from palabre.cli.match_options import MatchOptions
from palabre.cli.match_report import elo_in_words, print_duel, rules
from palabre.cli.option_groups import with_option_groups
from palabre.cli.output import MOST, Json, a_number, console, print_json
from palabre.core.errors import PalabreError
from palabre.core.words import own_words

say = own_words(__file__)

MOST_ELO = 10_000.0  # more than lies between any two bots
DECISIONS = {
    "H1": "sprt.accepted",
    "H0": "sprt.rejected",
    "continue": "sprt.undecided",
}


@with_option_groups
def sprt_command(
    new: Annotated[str, typer.Argument(metavar="NEW", help="The bot that may be better.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="The bot to compare it with.")],
    elo0: Annotated[
        float, typer.Option(callback=a_number, min=-MOST_ELO, max=MOST_ELO, help="H0: NEW is this many Elo stronger.")
    ] = 0.0,
    elo1: Annotated[
        float, typer.Option(callback=a_number, min=-MOST_ELO, max=MOST_ELO, help="H1: NEW is this many Elo stronger.")
    ] = 10.0,
    alpha: Annotated[
        float, typer.Option(callback=a_number, min=0.0, max=1.0, help="Probability of accepting H1 when H0 is true.")
    ] = 0.05,
    beta: Annotated[
        float, typer.Option(callback=a_number, min=0.0, max=1.0, help="Probability of accepting H0 when H1 is true.")
    ] = 0.05,
    max_games: Annotated[int, typer.Option(min=2, max=MOST, help="Stop undecided after this many games.")] = MOST_GAMES,
    *,
    options: MatchOptions,
    as_json: Json = False,
) -> None:
    """Play pairs of games until a pentanomial SPRT decides whether NEW is stronger than OLD."""
    game, settings = options.settings(2)
    if game.players != 2:
        raise PalabreError(say("pairing.not_for_two", asker="sprt", game=game.spec, players=game.players))
    wanted = Hypotheses(elo0, elo1, alpha, beta)
    with sprt_match(new, old, game, wanted, max_games, **settings) as between:

        def so_far(rows: Sequence[GameRow]) -> str:
            return _llr(wanted.judge(pair_counts(between.bots[0].name, rows)))

        play(between, options, lambda: _report(between, wanted, as_json), extra=so_far)


def _llr(test: Sprt) -> str:
    return f"LLR {test.llr:+.2f} ({test.lower:.2f} to {test.upper:.2f})"


def _report(match: Match, wanted: Hypotheses, as_json: bool) -> None:
    result = match.result()
    test = wanted.judge(result.pairs)
    if as_json:
        print_json({**match_document(match), "sprt": {**dataclasses.asdict(wanted), **result_document(test)}})
        return
    console.print(str(say("played.games", games=result.games, game=rules(match.game))))
    print_duel(result)
    low, high = test.elo_95
    console.print(f"{_llr(test)}, Elo {elo_in_words(test.elo)} (95 %: {elo_in_words(low)} to {elo_in_words(high)})")
    for line in replays(match.rows(superseded=True)):
        console.print(line)
    console.print(str(say(DECISIONS[test.decision], bot=result.first.bot, elo0=wanted.elo0, elo1=wanted.elo1)))
