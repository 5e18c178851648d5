"""Single games between bots, for measurements: whole games from an opening, and bots with weights of their own."""

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from palabre import Bot, Clock, Position, bot, random_openings


def opening(game: str, number: int) -> Position:
    """The position after the opening with this number: random moves, which are not balanced."""
    return random_openings(game, 1, first=number)[0]


def play_out(bots: Sequence[Bot], start: Position, seed: int = 0) -> Position:
    """The last position of a game between bots, one for each seat."""
    for seat, player in enumerate(bots):
        player.sit_down(start.game, seat, seed)
    position = start
    while not position.is_over:
        position = position.play(bots[position.to_move].choose(position, Clock()))
    return position


def duel(one: Bot, other: Bot, start: Position, seed: int) -> float:
    """The mean share of one bot against another in two games from a position, one from either seat."""
    return (share((one, other), 0, start, seed) + share((other, one), 1, start, seed)) / 2


def share(bots: Sequence[Bot], seat: int, start: Position, seed: int) -> float:
    """The share of the bot in a seat, of a game from a position."""
    shares = play_out(bots, start, seed).result
    assert shares is not None
    return shares[seat]


@contextmanager
def weighted(spec: str, game: str, evaluation: str, **weights: float) -> Iterator[Bot]:
    """The bot of a spec such as `alphabeta:depth=2` with an evaluation in which some weights are changed."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "weights.json")
        document = {"game": game, "evaluation": evaluation, "weights": weights}
        file.write_text(json.dumps(document), encoding="utf-8")
        yield bot(f"{spec},eval={file}", game)
