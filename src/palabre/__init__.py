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

    from palabre.arena.bot_check import BotCheck, check_bot
    from palabre.arena.championship import Championship, Plan
    from palabre.arena.debugging import DebugAnswer, debug_bot
    from palabre.arena.formats import read_format
    from palabre.arena.marks import read_marks
    from palabre.arena.match import Match, play_match
    from palabre.arena.openings import random_openings
    from palabre.arena.ratings import Ratings, rate
    from palabre.arena.record_stats import RecordStats, record_stats
    from palabre.arena.recorded_games import read_games
    from palabre.arena.result import MatchResult, MatchTable
    from palabre.arena.rows import GameRow, Meeting, Outcome
    from palabre.arena.sequential import play_sprt
    from palabre.arena.sprt import Sprt, sprt
    from palabre.arena.store import read_store
    from palabre.bots.analysing import analyse_many
    from palabre.bots.analysis import analyse
    from palabre.bots.bot import Bot, SearchBot
    from palabre.bots.learner import Learner
    from palabre.bots.new_files import new_bot, new_game
    from palabre.bots.review import ReviewedMove, review
    from palabre.bots.specs import bot
    from palabre.bots.warmup import warmup
    from palabre.compile.compiler import compiled, integers
    from palabre.core.errors import BadSpec, IllegalMove, ImpossiblePosition, PalabreError, UnreadableText
    from palabre.core.game import Game
    from palabre.core.observations import Observation, observations_to_text, observe, observed, read_observations
    from palabre.core.position import Move, Position
    from palabre.core.record import Record, read_records
    from palabre.core.spec import Decimal, Parameter
    from palabre.environments.adapters import gymnasium_env, openspiel_game, pettingzoo_env
    from palabre.environments.arrays import Arrays, Plane, Planes, arrays, planes
    from palabre.environments.vector import Vector, VectorStep, vector
    from palabre.evaluation.playout import Playouts, play_randomly
    from palabre.laws.apart import Checked, check_game
    from palabre.learn.api import fit, learn_net, self_play
    from palabre.learn.calibration import Calibration, calibrate
    from palabre.learn.crossvalidation import Hits, count_hits, folds, move_hits
    from palabre.learn.fit import Fit
    from palabre.learn.generations import Generation
    from palabre.learn.training import Training, train
    from palabre.sandbox.installation import installation
    from palabre.search.clock import Clock
    from palabre.search.perft import count_sequences, divide
    from palabre.search.speed import Speed, measure_speed
    from palabre.search.thought import Thought
    from palabre.web.report.write import write_report

__version__ = "0.1.0"

__all__ = [
    "Arrays",
    "BadSpec",
    "Bot",
    "BotCheck",
    "Calibration",
    "Championship",
    "Checked",
    "Clock",
    "DebugAnswer",
    "Decimal",
    "Fit",
    "Game",
    "GameRow",
    "Generation",
    "Hits",
    "IllegalMove",
    "ImpossiblePosition",
    "Learner",
    "Match",
    "MatchResult",
    "MatchTable",
    "Meeting",
    "Move",
    "Observation",
    "Outcome",
    "PalabreError",
    "Parameter",
    "Plan",
    "Plane",
    "Planes",
    "Playouts",
    "Position",
    "Ratings",
    "Record",
    "RecordStats",
    "ReviewedMove",
    "SearchBot",
    "Speed",
    "Sprt",
    "Thought",
    "Training",
    "UnreadableText",
    "Vector",
    "VectorStep",
    "analyse",
    "analyse_many",
    "arrays",
    "bot",
    "calibrate",
    "check_bot",
    "check_game",
    "compiled",
    "count_hits",
    "count_sequences",
    "debug_bot",
    "divide",
    "fit",
    "folds",
    "game",
    "gymnasium_env",
    "installation",
    "integers",
    "learn_net",
    "measure_speed",
    "move_hits",
    "new_bot",
    "new_game",
    "observations_to_text",
    "observe",
    "observed",
    "openspiel_game",
    "pettingzoo_env",
    "planes",
    "play_match",
    "play_randomly",
    "play_sprt",
    "random_openings",
    "rate",
    "read_format",
    "read_games",
    "read_marks",
    "read_observations",
    "read_records",
    "read_store",
    "record_stats",
    "review",
    "self_play",
    "sprt",
    "train",
    "vector",
    "warmup",
    "write_report",
]

# Imported when they are first used: a program starts faster without the others, and the command is ready for Ctrl-C
# before anything takes time.
_HOMES = {
    "Arrays": "palabre.environments.arrays",
    "BadSpec": "palabre.core.errors",
    "Bot": "palabre.bots.bot",
    "BotCheck": "palabre.arena.bot_check",
    "Calibration": "palabre.learn.calibration",
    "Championship": "palabre.arena.championship",
    "Checked": "palabre.laws.apart",
    "Clock": "palabre.search.clock",
    "DebugAnswer": "palabre.arena.debugging",
    "Decimal": "palabre.core.spec",
    "Fit": "palabre.learn.fit",
    "Game": "palabre.core.game",
    "GameRow": "palabre.arena.rows",
    "Generation": "palabre.learn.generations",
    "Hits": "palabre.learn.crossvalidation",
    "IllegalMove": "palabre.core.errors",
    "ImpossiblePosition": "palabre.core.errors",
    "Learner": "palabre.bots.learner",
    "Match": "palabre.arena.match",
    "MatchResult": "palabre.arena.result",
    "MatchTable": "palabre.arena.result",
    "Meeting": "palabre.arena.rows",
    "Move": "palabre.core.position",
    "Observation": "palabre.core.observations",
    "Outcome": "palabre.arena.rows",
    "PalabreError": "palabre.core.errors",
    "Parameter": "palabre.core.spec",
    "Plan": "palabre.arena.championship",
    "Plane": "palabre.environments.arrays",
    "Planes": "palabre.environments.arrays",
    "Playouts": "palabre.evaluation.playout",
    "Position": "palabre.core.position",
    "Ratings": "palabre.arena.ratings",
    "Record": "palabre.core.record",
    "RecordStats": "palabre.arena.record_stats",
    "ReviewedMove": "palabre.bots.review",
    "SearchBot": "palabre.bots.bot",
    "Speed": "palabre.search.speed",
    "Sprt": "palabre.arena.sprt",
    "Thought": "palabre.search.thought",
    "Training": "palabre.learn.training",
    "UnreadableText": "palabre.core.errors",
    "Vector": "palabre.environments.vector",
    "VectorStep": "palabre.environments.vector",
    "analyse": "palabre.bots.analysis",
    "analyse_many": "palabre.bots.analysing",
    "arrays": "palabre.environments.arrays",
    "bot": "palabre.bots.specs",
    "calibrate": "palabre.learn.calibration",
    "check_bot": "palabre.arena.bot_check",
    "check_game": "palabre.laws.apart",
    "compiled": "palabre.compile.compiler",
    "count_hits": "palabre.learn.crossvalidation",
    "count_sequences": "palabre.search.perft",
    "debug_bot": "palabre.arena.debugging",
    "divide": "palabre.search.perft",
    "fit": "palabre.learn.api",
    "folds": "palabre.learn.crossvalidation",
    "gymnasium_env": "palabre.environments.adapters",
    "installation": "palabre.sandbox.installation",
    "integers": "palabre.compile.compiler",
    "learn_net": "palabre.learn.api",
    "measure_speed": "palabre.search.speed",
    "move_hits": "palabre.learn.crossvalidation",
    "new_bot": "palabre.bots.new_files",
    "new_game": "palabre.bots.new_files",
    "observations_to_text": "palabre.core.observations",
    "observe": "palabre.core.observations",
    "observed": "palabre.core.observations",
    "openspiel_game": "palabre.environments.adapters",
    "pettingzoo_env": "palabre.environments.adapters",
    "planes": "palabre.environments.arrays",
    "play_match": "palabre.arena.match",
    "play_randomly": "palabre.evaluation.playout",
    "play_sprt": "palabre.arena.sequential",
    "random_openings": "palabre.arena.openings",
    "rate": "palabre.arena.ratings",
    "read_format": "palabre.arena.formats",
    "read_games": "palabre.arena.recorded_games",
    "read_marks": "palabre.arena.marks",
    "read_observations": "palabre.core.observations",
    "read_records": "palabre.core.record",
    "read_store": "palabre.arena.store",
    "record_stats": "palabre.arena.record_stats",
    "review": "palabre.bots.review",
    "self_play": "palabre.learn.api",
    "sprt": "palabre.arena.sprt",
    "train": "palabre.learn.training",
    "vector": "palabre.environments.vector",
    "warmup": "palabre.bots.warmup",
    "write_report": "palabre.web.report.write",
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
    public = getattr(import_module(_HOMES[name]), name)
    globals()[name] = public  # so that the next access finds it at once
    return public


def __dir__() -> list[str]:
    return sorted([*__all__, "__doc__", "__version__"])
