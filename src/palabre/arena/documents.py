"""Matches, sequential tests and championships as JSON has them; an infinite number is null."""

import dataclasses
import math
from typing import Any

import msgspec

from palabre.arena.championship import Championship
from palabre.arena.leaderboard import Line
from palabre.arena.match import Match
from palabre.arena.result import MatchResult
from palabre.arena.rows import BotRow, GameRow
from palabre.arena.sprt import Sprt


def match_document(match: Match) -> dict[str, Any]:
    """A match with at least one game: its result, settings, bots and games."""
    is_duel = len(match.bots) == 2 and match.game.players == 2
    return {
        **(result_document(match.result()) if is_duel else dataclasses.asdict(match.table())),
        "seed": match.seed,
        "games_wanted": match.games,
        "openings": msgspec.to_builtins(match.store.settings.openings),
        "data": match.store.settings.data,
        "bots": [
            {
                "name": bot.name,
                "spec": bot.spec,
                "parameters": dict(bot.options),
                "clock": dataclasses.asdict(bot.clock),
                "digest": bot.digest or None,
            }
            for bot in match.bots
        ],
        "played": [{"number": match.number(row), **game_document(row)} for row in match.rows(superseded=True)],
    }


def result_document(result: MatchResult | Sprt) -> dict[str, Any]:
    """The result of a match of two, or what a sequential test shows."""
    numbers = {"elo": finite(result.elo), "elo_95": [finite(bound) for bound in result.elo_95]}
    return {**dataclasses.asdict(result), **numbers}


def championship_document(championship: Championship) -> dict[str, Any]:
    """A championship with at least one game: its settings, table, bots and games."""
    board = championship.leaderboard()
    settings = championship.store.settings
    return {
        "game": championship.game.spec,
        "format": championship.plan.format,
        "seed": championship.plan.seed,
        "openings": msgspec.to_builtins(settings.openings),
        "data": settings.data,
        "is_finished": championship.is_finished,
        "games": board.games,
        "marks": board.marks,
        "standings": [_line(line) for line in board.lines],
        "bots": [bot_document(bot) for bot in championship.store.bots()],
        "progress": [dataclasses.asdict(version) for version in championship.versions()],
        "played": [game_document(row) for row in championship.rows(superseded=True)],
    }


def _line(line: Line) -> dict[str, Any]:
    standing = {} if line.standing is None else dataclasses.asdict(line.standing)
    rating = line.rating
    elo = None if rating is None else {"elo": finite(rating.elo), "standard_error": finite(rating.error)}
    return {
        **standing,
        "rank": standing.get("rank"),
        "bot": line.bot.name,
        "authors": line.bot.authors,
        "role": line.bot.role,
        "state": line.bot.state,
        "rating": elo,
        "mark": line.mark,
    }


def bot_document(bot: BotRow) -> dict[str, Any]:
    """A bot of an event."""
    return {**dataclasses.asdict(bot), "options": dict(bot.options)}


def estimate_document(championship: Championship, workers: int) -> dict[str, Any]:
    """How long a championship will take, and its bots."""
    cost = championship.estimate(workers)
    bots = [bot_document(bot) for bot in championship.bots]
    return {**dataclasses.asdict(cost), "seconds": cost.seconds, "bots": bots}


def game_document(row: GameRow) -> dict[str, Any]:
    """A game of an event."""
    plain = dict(vars(row))
    del plain["meeting"]
    return {"repeat": row.meeting.repeat, **plain, "plies": row.plies}


def finite(value: float) -> float | None:
    """A number, or None if it is infinite."""
    return value if math.isfinite(value) else None
