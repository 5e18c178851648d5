"""Palabre: a workbench for board-game AI.

import palabre
position = palabre.game("awele").start()
position = position.play("C")

What is listed in `__all__`, here, in `palabre.author` for the files of a game and in `palabre.study`, is public;
docs/api.md describes it. Everything else may change without notice.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from palabre.arena.championship import Championship, Plan
    from palabre.arena.formats import read_format
    from palabre.arena.marks import read_marks
    from palabre.arena.match import play_match
    from palabre.arena.openings import random_openings
    from palabre.arena.outcome import Meeting, Outcome
    from palabre.arena.ratings import Ratings, rate
    from palabre.arena.result import MatchResult
    from palabre.arena.rows import GameRow
    from palabre.arena.sequential import play_sprt
    from palabre.arena.sprt import Sprt, sprt
    from palabre.arena.store import read_store
    from palabre.bots.analysing import analyse_many
    from palabre.bots.analysis import analyse
    from palabre.bots.bot import Bot, SearchBot
    from palabre.bots.learner import Learner
    from palabre.bots.review import ReviewedMove, review
    from palabre.bots.specs import bot
    from palabre.compile.compiler import compiled, integers
    from palabre.core.errors import BadSpec, IllegalMove, ImpossiblePosition, PalabreError, UnreadableText
    from palabre.core.game import Game
    from palabre.core.observations import Observation, observed, read_observations
    from palabre.core.position import Move, Position
    from palabre.core.record import Record, read_records
    from palabre.core.spec import Decimal, Parameter
    from palabre.evaluation.playout import Playouts, play_randomly
    from palabre.learn.api import fit, self_play
    from palabre.learn.crossvalidation import Hits, count_hits, folds, move_hits
    from palabre.learn.fit import Fit
    from palabre.search.clock import Clock
    from palabre.search.perft import count_sequences
    from palabre.search.thought import Thought

__version__ = "0.1.0"

__all__ = [
    "BadSpec",
    "Bot",
    "Championship",
    "Clock",
    "Decimal",
    "Fit",
    "Game",
    "GameRow",
    "Hits",
    "IllegalMove",
    "ImpossiblePosition",
    "Learner",
    "MatchResult",
    "Meeting",
    "Move",
    "Observation",
    "Outcome",
    "PalabreError",
    "Parameter",
    "Plan",
    "Playouts",
    "Position",
    "Ratings",
    "Record",
    "ReviewedMove",
    "SearchBot",
    "Sprt",
    "Thought",
    "UnreadableText",
    "analyse",
    "analyse_many",
    "bot",
    "compiled",
    "count_hits",
    "count_sequences",
    "fit",
    "folds",
    "game",
    "integers",
    "move_hits",
    "observed",
    "play_match",
    "play_randomly",
    "play_sprt",
    "random_openings",
    "rate",
    "read_format",
    "read_marks",
    "read_observations",
    "read_records",
    "read_store",
    "review",
    "self_play",
    "sprt",
]

# Imported when they are first used: a program starts faster without the others, and the command is ready for Ctrl-C
# before anything takes time.
_HOMES = {
    "BadSpec": "palabre.core.errors",
    "Bot": "palabre.bots.bot",
    "Championship": "palabre.arena.championship",
    "Clock": "palabre.search.clock",
    "Decimal": "palabre.core.spec",
    "Fit": "palabre.learn.fit",
    "Game": "palabre.core.game",
    "GameRow": "palabre.arena.rows",
    "Hits": "palabre.learn.crossvalidation",
    "IllegalMove": "palabre.core.errors",
    "ImpossiblePosition": "palabre.core.errors",
    "Learner": "palabre.bots.learner",
    "MatchResult": "palabre.arena.result",
    "Meeting": "palabre.arena.outcome",
    "Move": "palabre.core.position",
    "Observation": "palabre.core.observations",
    "Outcome": "palabre.arena.outcome",
    "PalabreError": "palabre.core.errors",
    "Parameter": "palabre.core.spec",
    "Plan": "palabre.arena.championship",
    "Playouts": "palabre.evaluation.playout",
    "Position": "palabre.core.position",
    "Ratings": "palabre.arena.ratings",
    "Record": "palabre.core.record",
    "ReviewedMove": "palabre.bots.review",
    "SearchBot": "palabre.bots.bot",
    "Sprt": "palabre.arena.sprt",
    "Thought": "palabre.search.thought",
    "UnreadableText": "palabre.core.errors",
    "analyse": "palabre.bots.analysis",
    "analyse_many": "palabre.bots.analysing",
    "bot": "palabre.bots.specs",
    "compiled": "palabre.compile.compiler",
    "count_hits": "palabre.learn.crossvalidation",
    "count_sequences": "palabre.search.perft",
    "fit": "palabre.learn.api",
    "folds": "palabre.learn.crossvalidation",
    "integers": "palabre.compile.compiler",
    "move_hits": "palabre.learn.crossvalidation",
    "observed": "palabre.core.observations",
    "play_match": "palabre.arena.match",
    "play_randomly": "palabre.evaluation.playout",
    "play_sprt": "palabre.arena.sequential",
    "random_openings": "palabre.arena.openings",
    "rate": "palabre.arena.ratings",
    "read_format": "palabre.arena.formats",
    "read_marks": "palabre.arena.marks",
    "read_observations": "palabre.core.observations",
    "read_records": "palabre.core.record",
    "read_store": "palabre.arena.store",
    "review": "palabre.bots.review",
    "self_play": "palabre.learn.api",
    "sprt": "palabre.arena.sprt",
}


def game(spec: "str | Path") -> "Game":
    """The game that a spec names: `awele`, `abalone:official,layout=alien`, `examples/connect_four.py`.

    A game file of your own is checked for a second or two before its first use, as the commands do; the error names the
    law that it breaks. A file that has passed is not checked again until it changes.
    """
    from palabre.core import registry

    if isinstance(spec, str) and not registry.is_path(registry.split(spec.strip())[0]):
        return registry.game(spec)
    from palabre.laws.first_use import given_game  # not needed for the games that come with Palabre

    return given_game(spec)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found  # so that the next access finds it at once
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, "__doc__", "__version__"])
