"""Learning from Python: games of the engine against itself, weights that fit the results of games, and nets."""

import itertools
from collections.abc import Sequence
from pathlib import Path

from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.given import described, given_count, given_integer, given_path, given_seconds
from palabre.core.record import Record
from palabre.core.words import say
from palabre.evaluation.names import STANDARD, evaluation
from palabre.evaluation.net_file import SIZES
from palabre.laws.first_use import given_game
from palabre.learn.fit import Fit, fit_records
from palabre.learn.generations import Generation, Learning, LearningSettings, open_learning
from palabre.learn.labels import Workers
from palabre.learn.selfplay import SelfPlay, game_of_two, self_play_records


def self_play(
    game: Game | str | Path,
    games: int,
    *,
    eval: str = STANDARD,
    nodes: int = 2000,
    seed: int = 0,
    first: int = 0,
    processes: int = 1,
    file: str | Path | None = None,
    on: str | None = None,
) -> list[Record]:
    """Games of the engine against itself with an evaluation, or a file of weights, to learn from.

    They begin with a few random moves, so that all are different. The same seed gives the same games; `first` is the
    number of the first one, so that a series can be continued. `processes` is the number of games at once; with `on`
    ("ray", "ray://HOST:PORT") a Ray cluster plays. A `file` of records keeps the games: those that it has are not
    played again.
    """
    checked = game_of_two(given_game(game).spec)
    for name, number in (("games", games), ("nodes", nodes), ("processes", processes)):
        given_count("self_play", name, number)
    given_count("self_play", "first", first, 0)
    how = SelfPlay(checked.spec, eval, nodes, seed)
    path = None if file is None else given_path("self_play", file)
    return list(self_play_records(how, games, processes, path, on, first))


def fit(records: Sequence[Record], eval: str = STANDARD) -> Fit:
    """The weights of an evaluation, or of a file of weights, that best predict who wins these two-player games.

    This is Texel tuning: a logistic regression on quiet positions, regularised towards the current weights. Only
    evaluations that are weighted sums can be fitted.
    """
    if not records:
        raise PalabreError(say("fit.no_games"))
    if not all(isinstance(record, Record) for record in records):
        raise PalabreError(say("given.records_to_fit", asker="fit", given=described(records)))
    return fit_records(evaluation(records[0].game, eval), records)


def learn_net(
    game: Game | str | Path,
    folder: str | Path,
    generations: int = 1,
    *,
    positions: int = 500_000,
    nodes: int = 1_000,
    lanes: int = 64,
    seed: int = 0,
    gate_seconds: float = 0.05,
    gate_nodes: int = 0,
    gate_games: int = 400,
    processes: int = 1,
    on: str | None = None,
) -> list[Generation]:
    """Learn a net for a game by self-play, in a folder that keeps everything; the same call goes on where it stopped.

    In each generation so many `positions` are labelled by searches of so many `nodes`, a net of 32, 64 or 128 `lanes`
    is trained on them, and a sequential test decides whether it is stronger than the best one so far, at equal seconds
    a move or, with `gate_nodes`, at equal nodes. FOLDER/best.net is the best net. The same arguments and `gate_nodes`
    learn the same on a machine with NumPy on one thread (OPENBLAS_NUM_THREADS=1). `processes` play at once; with `on`
    ("ray", "ray://HOST:PORT") a Ray cluster does.
    """
    checked = game_of_two(given_game(game).spec)
    for name, number in (("generations", generations), ("positions", positions), ("nodes", nodes)):
        given_count("learn_net", name, number)
    for name, number in (("gate_games", gate_games), ("processes", processes)):
        given_count("learn_net", name, number)
    given_count("learn_net", "gate_nodes", gate_nodes, 0)
    given_integer("learn_net", "seed", seed)
    given_seconds("learn_net", "gate_seconds", gate_seconds)
    if lanes not in SIZES:
        raise PalabreError(say("net.lanes", lanes=lanes))
    settings = LearningSettings(checked.spec, positions, nodes, lanes, seed, gate_seconds, gate_nodes, gate_games)
    with open_learning(Learning(given_path("learn_net", folder), settings, Workers(processes, on))) as learning:
        return list(itertools.islice(learning.generations(), generations))
