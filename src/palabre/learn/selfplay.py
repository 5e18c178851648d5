"""Games of the engine against itself, to learn from: fast, all different, and the same for the same seed."""

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from palabre.arena.parcels import Parcels
from palabre.bots.specs import bot
from palabre.core import registry
from palabre.core.bits import combine
from palabre.core.dice import roll, shake
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.record import Record, append, load, read_records
from palabre.core.verbs import State, gain, move_buffer, tactical_moves
from palabre.core.words import say
from palabre.laws.first_use import checked_game
from palabre.play.game import OngoingGame
from palabre.workers.calls import calls

FEWEST_OPENING, MOST_OPENING = 4, 9  # random plies: more than in a match, so that every game is a new one
CLUSTER_GAMES = 64  # games at once on a cluster, at most a quarter of those that are given out
MEMORY = 2  # megabytes; games of few nodes need no more
SELF_PLAY = 11  # the family of seeds of these games


@dataclass(frozen=True)
class SelfPlay:
    """How games are played. Equal settings play the same games, in any process."""

    spec: str
    evaluation: str
    nodes: int
    seed: int

    def record(self, number: int) -> str:
        """The record of the game with this number."""
        game = registry.game(self.spec)
        luck = combine(combine(SELF_PLAY, self.seed), number)
        player = bot("palabre", game, nodes=self.nodes, eval=self.evaluation, memory=MEMORY)
        played = OngoingGame(game.start(luck), [player] * game.players)  # one engine, one table for both
        luck = shake(luck)
        opening = FEWEST_OPENING + roll(luck, MOST_OPENING - FEWEST_OPENING + 1)
        while not played.is_over and len(played.moves) < opening:
            luck = shake(luck)
            choices = played.position.moves()
            played.play(choices[roll(luck, len(choices))])
        if not played.is_over:
            played.sit_down()
        while not played.is_over:
            played.ask_bot()
        return played.record({"Round": str(number + 1), "Opening": f"{opening} random plies"}).to_text()


def play_games(how: SelfPlay, numbers: Sequence[int], processes: int, on: str | None = None) -> Iterator[str]:
    """The records of the games with these numbers, in their order, as they end.

    So many processes play; or, with `on`, all cores of a Ray cluster ("ray", "ray://HOST:PORT").
    """
    if not numbers:
        return
    yield how.record(numbers[0])  # compiles, so that the other processes find the code on disk
    if on is not None:
        yield from _play_on(on, how, numbers[1:])
        return
    if processes == 1:
        yield from map(how.record, numbers[1:])
        return
    settings = (how.spec, how.evaluation, how.nodes, how.seed)
    with calls(processes) as submit:
        yield from in_order(lambda number: submit(record_of, *settings, number), numbers[1:], processes)


def self_play_records(
    how: SelfPlay, games: int, processes: int, file: Path | None = None, on: str | None = None, first: int = 0
) -> Iterator[Record]:
    """Games of a series from a number on: those that a file already has, then the others, which are added to it."""
    game = checked_game(how.spec)
    known = load(file, trusted=game.spec)[:games] if file is not None and file.exists() else []
    others = [record.game.spec for record in known if record.game.state_class is not game.state_class]
    if others:
        raise PalabreError(say("fit.other_game", file=file, found=others[0], game=game.spec))
    yield from known
    for text in play_games(how, range(first + len(known), first + games), processes, on):
        record = read_records(text, trusted=True)[0]
        if file is not None:
            append(record, file)
        yield record


def _play_on(on: str, how: SelfPlay, numbers: Sequence[int]) -> Iterator[str]:
    parcels = Parcels()
    settings = (parcels.game(how.spec), parcels.file(how.evaluation), how.nodes, how.seed)
    with calls(0, on, parcels.archives) as submit:
        yield from in_order(lambda number: submit(record_of, *settings, number), numbers, CLUSTER_GAMES)


def record_of(spec: str, evaluation: str, nodes: int, seed: int, number: int) -> str:
    """The record of a game, called in another process or on another machine."""
    return SelfPlay(spec, evaluation, nodes, seed).record(number)


def in_order(submit: Callable[[int], Future[str]], numbers: Iterable[int], processes: int) -> Iterator[str]:
    """What is submitted for these numbers, in their order.

    A few are submitted ahead, so that no process waits.
    """
    coming = iter(numbers)
    running = deque(submit(number) for number in itertools.islice(coming, 4 * processes))
    while running:
        yield running.popleft().result()
        running += [submit(number) for number in itertools.islice(coming, 1)]


def quiet_positions(record: Record) -> list[State]:
    """The quiet states of a game, which an evaluation can judge: after the opening, with no capture to make."""
    opening = int(record.tags.get("Opening", "0").split()[0])
    positions = record.positions()
    return [
        here.state
        for number, (here, text) in enumerate(zip(positions, record.moves, strict=False))
        if number >= opening and _is_quiet(here, text)
    ]


def _is_quiet(position: Position, next_move: str) -> bool:
    state = position.state
    return not tactical_moves(state, move_buffer(state)) and gain(state, position.move(next_move).code) <= 0


def game_of_two(spec: str) -> Game:
    """The game of a spec; a `PalabreError` if it is not for two."""
    game = registry.game(spec)
    if game.players != 2:
        raise PalabreError(say("fit.two_players", game=game.spec, players=game.players))
    return game
