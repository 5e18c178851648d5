"""Learning from Python: games of the engine against itself, and weights that fit the results of games."""

from collections.abc import Sequence
from pathlib import Path

from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.given import described, given_count, given_path
from palabre.core.record import Record
from palabre.core.words import say
from palabre.evaluation.names import STANDARD, evaluation
from palabre.laws.first_use import given_game
from palabre.learn.fit import Fit, fit_records
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
