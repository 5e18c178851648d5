"""`palabre sprt`: is the new bot better than the old one? Plays until that is decided, and no longer."""

import dataclasses
from collections.abc import Sequence
from typing import Annotated

import typer

from palabre.arena.documents import match_document, result_document
from palabre.arena.match import Match
from palabre.arena.openings import OPENING_PLIES, read_openings
from palabre.arena.result import pair_counts
from palabre.arena.rows import GameRow
from palabre.arena.sequential import MOST_GAMES, Hypotheses, sprt_match
from palabre.arena.sprt import Sprt
from palabre.cli.clocks import TimesPerGame, TimesPerMove, read_clocks
from palabre.cli.event_options import (
    Again,
    DataFile,
    EventFile,
    GameSpec,
    LearningTime,
    On,
    OpeningsFile,
    Plies,
    RecordFile,
    Unbalanced,
    Workers,
    read_lesson,
    where_to_begin,
)
from palabre.cli.live import replays
from palabre.cli.match import play
from palabre.cli.match_report import elo_in_words, print_duel, rules
from palabre.cli.output import MOST, Json, PositionText, Seed, Untrusted, a_number, console, print_json
from palabre.cli.records import Trust
from palabre.core.errors import PalabreError
from palabre.core.words import own_words
from palabre.play.guard import LEARNING_SECONDS

say = own_words(__file__)

MOST_ELO = 10_000.0  # more than lies between any two bots
DECISIONS = {
    "H1": "sprt.accepted",
    "H0": "sprt.rejected",
    "continue": "sprt.undecided",
}


def sprt_command(
    new: Annotated[str, typer.Argument(metavar="NEW", help="The bot that may be better.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="The bot to compare it with.")],
    spec: GameSpec,
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
    seconds: TimesPerMove = None,
    clock: TimesPerGame = None,
    seed: Seed = 0,
    workers: Workers = None,
    on: On = None,
    plies: Plies = None,
    unbalanced: Unbalanced = False,
    openings: OpeningsFile = None,
    position: PositionText = None,
    data: DataFile = None,
    learning: LearningTime = LEARNING_SECONDS,
    trust: Trust = False,
    untrusted: Untrusted = False,
    event: EventFile = None,
    again: Again = None,
    record: RecordFile = None,
    as_json: Json = False,
) -> None:
    """Play pairs of games until a pentanomial SPRT decides whether NEW is stronger than OLD."""
    game, after = where_to_begin(spec, position, trust=trust)
    if game.players != 2:
        raise PalabreError(say("pairing.not_for_two", asker="sprt", game=game.spec, players=game.players))
    if openings is not None and after is not None:
        raise PalabreError(say("option.two_starts", first="--openings", second=say("option.a_position")))
    wanted = Hypotheses(elo0, elo1, alpha, beta)
    with sprt_match(
        new,
        old,
        game,
        wanted,
        max_games,
        clocks=read_clocks(game, 2, seconds, clock),
        seed=seed,
        plies=OPENING_PLIES if plies is None else plies,
        balanced=not unbalanced,
        after=after,
        openings=() if openings is None else read_openings(game, openings, plies),
        file=event,
        again=again or (),
        untrusted=untrusted,
        lesson=read_lesson(game, data, learning),
    ) as between:

        def so_far(rows: Sequence[GameRow]) -> str:
            return _llr(wanted.judge(pair_counts(between.bots[0].name, rows)))

        try:
            play(between, workers, on=on, record=record, extra=so_far)
        except (KeyboardInterrupt, PalabreError):
            if between.rows():
                _report(between, wanted, as_json)
            raise
        _report(between, wanted, as_json)


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
