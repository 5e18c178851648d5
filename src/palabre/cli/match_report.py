"""What a match has shown, as people read it."""

import math

from palabre.arena.documents import match_document
from palabre.arena.match import Match
from palabre.arena.result import MatchResult, MatchTable, Side
from palabre.cli.live import replays, standing_cells
from palabre.cli.output import NOTHING, console, print_json, print_table, table
from palabre.core.game import Game
from palabre.core.words import own_words

say = own_words(__file__)


def report(match: Match, as_json: bool) -> None:
    """Print what the games so far, at least one, show."""
    if as_json:
        print_json(match_document(match))
        return
    rows = match.rows(superseded=True)
    played = sum(row.superseded is None for row in rows)
    played_of_all = f"{played}" if played == match.games else f"{played} of {match.games}"
    console.print(str(say("played.games", games=played_of_all, game=rules(match.game))))
    if len(match.bots) == 2 and match.game.players == 2:
        print_duel(match.result())
    else:
        _print_match_table(match.table())
    for line in replays(rows):
        console.print(line)


def print_duel(result: MatchResult) -> None:
    """The result of a match of two, in words."""
    listing = table("bot", ">wins", ">draws", ">losses", ">forfeits", ">ms a move", ">slowest")
    for side, wins, losses in (
        (result.first, result.wins, result.losses),
        (result.second, result.losses, result.wins),
    ):
        listing.add_row(side.bot, str(wins), str(result.draws), str(losses), str(side.forfeits), *_times(side))
    print_table(console, listing)
    console.print(f"score of {result.first.bot}: {_score_in_words(result)}")
    low, high = result.elo_95
    console.print(f"Elo difference: {elo_in_words(result.elo)} (95 %: {elo_in_words(low)} to {elo_in_words(high)})")
    console.print(f"pairs worth 0, ¼, ½, ¾, 1: {', '.join(str(count) for count in result.pairs)}")
    if result.games_for_one_percent is not None:
        console.print(f"games needed to know the score to ± 1 % (95 %): {result.games_for_one_percent:,}")
    if result.lead is not None:
        console.print(f"mean lead at the end: {result.lead:+.2f}")


def _print_match_table(result: MatchTable) -> None:
    listing = table("bot", ">score", ">±", ">seats", ">wins", ">shared", ">losses", ">forfeits", ">ms/move", ">slowest")
    for standing in result.standings:
        listing.add_row(*standing_cells(standing), *_times(standing.side))
    print_table(console, listing)
    console.print(str(say("played.fair_share", percent=100 * result.fair_share)))


def rules(game: Game) -> str:
    """A game, and what a reader of a result should know about its rules."""
    return f"{game.spec}, {game.facts.presets[game.options.preset].line}"


def _score_in_words(result: MatchResult) -> str:
    low, high = result.score_95
    error = NOTHING if result.standard_error is None else f"{100 * result.standard_error:.1f}"
    return f"{100 * result.score:.1f} % ± {error} (95 %: {100 * low:.1f} to {100 * high:.1f} %)"


def _times(side: Side) -> list[str]:
    return [
        NOTHING if seconds is None else f"{1000 * seconds:.2f}"
        for seconds in (side.seconds_per_move, side.slowest_move)
    ]


def elo_in_words(value: float) -> str:
    """An Elo difference, which may be infinite."""
    return f"{round(value):+d}" if math.isfinite(value) else "+∞" if value > 0 else "-∞"
