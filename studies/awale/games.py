"""Single games for measurements: how long each move took, who saw a win, and which positions occurred again."""

import time
from typing import Any

from palabre import Bot, Clock, Game, Move, Position, Record, SearchBot, Thought, bot
from studies.duel import play_out

FIRST = "first "
WON = 1.0  # what a won game is worth in the authors' evaluations


class FirstOfEqual(Bot):
    """A search that plays the first of equal moves, as a program does that leaves nothing to chance."""

    def __init__(self, player: SearchBot) -> None:
        self._player = player

    def start(self, game: Game, seat: int) -> None:
        self._player.start(game, seat)

    def choose(self, position: Position, clock: Clock) -> Move:
        self.thought = self._player.think(position, self._player.move_limits(position, clock))
        return self.thought.best[0]


class Recorded(Bot):
    """A bot that adds a row to a list for each of its moves."""

    def __init__(self, player: Bot, rows: list[dict[str, Any]]) -> None:
        self._player, self._rows = player, rows

    def sit_down(self, game: Game, seat: int, seed: int = 0) -> None:
        self._player.sit_down(game, seat, seed)

    def choose(self, position: Position, clock: Clock) -> Move | str:
        begin, worked = time.perf_counter(), time.process_time()
        move = self._player.choose(position, clock)
        thought = self._player.thought
        row = {
            "mover": position.to_move,
            "nodes": None if thought is None else thought.nodes,
            "seconds": round(time.perf_counter() - begin, 6),
            "worked": round(time.process_time() - worked, 6),  # seconds of the processor
            "sight": None if thought is None else plies_to_win(thought),
            "ahead": position.to_move if thought is None or thought.value >= 0 else 1 - position.to_move,
        }
        self._rows.append(row)
        return move


def seated(spec: str, game: Game) -> Bot:
    """The bot of a spec; `first alphabeta:…` plays the first of equal moves."""
    made = bot(spec.removeprefix(FIRST), game)
    if not spec.startswith(FIRST):
        return made
    assert isinstance(made, SearchBot)
    return FirstOfEqual(made)


def played(first: str, second: str, start: Position) -> dict[str, Any]:
    """A game between two bots, as a row."""
    moves: list[dict[str, Any]] = []
    last = play_out([Recorded(seated(spec, start.game), moves) for spec in (first, second)], start)
    positions = [position.text.rsplit(" ", 1)[0] for position in Record.of(last).positions()]  # without the ply
    again = next((ply for ply, here in enumerate(positions) if here in positions[:ply]), None)
    return {
        "scores": list(last.scores),
        "plies": len(moves),
        "ending": str(last.why_over),
        "movers": [move["mover"] for move in moves],
        "nodes": [move["nodes"] for move in moves],
        "seconds": [move["seconds"] for move in moves],
        "worked": [move["worked"] for move in moves],
        "sights": [move["sight"] for move in moves],  # in how many plies its player then saw the win, if at all
        "repeated": len(positions) - len(set(positions)),
        # Who was ahead, by the search of the player who moved, when a position first came round again.
        "ahead": None if again is None else moves[again - len(positions)]["ahead"],
        "shares": list(last.result or ()),
    }


def plies_to_win(thought: Thought) -> int | None:
    """In how many plies, at most, the player to move is sure to win."""
    if thought.plies_to_win is not None:
        return thought.plies_to_win if thought.plies_to_win > 0 else None
    is_textbook = thought.resolution == 1 and not thought.is_proven
    return thought.depth if is_textbook and thought.value >= WON else None
