"""Single games for measurements: who moved how long, who saw a win, and what came round again."""

import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from palabre.bots.bot import Bot, Choice
from palabre.bots.specs import bot
from palabre.bots.textbook import AlphaBetaBot
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.play.game import OngoingGame
from palabre.play.referee import play_game
from palabre.search.thought import Thought

FIRST = "first "
WON = 1.0  # what a won game is worth in the authors' evaluations


class FirstOfEqual(AlphaBetaBot):
    """Alpha-beta that plays the first of equal moves, as a program does that leaves nothing to chance."""

    def pick(self, choices: Sequence[Choice]) -> Choice:
        return choices[0]


def seated(spec: str, game: Game) -> Bot:
    """The bot of a spec; `first alphabeta:…` plays the first of equal moves."""
    made = bot(spec.removeprefix(FIRST), game)
    if not spec.startswith(FIRST):
        return made
    first = FirstOfEqual()
    first.spec, first.options = spec, made.options
    return first


def played(first: str, second: str, start: Position) -> dict[str, Any]:
    """A game between two bots, as a row."""
    bots = [seated(spec, start.game) for spec in (first, second)]
    sights: list[int | None] = []
    ahead: list[int] = []
    worked = [time.process_time()]

    def look(game: OngoingGame) -> None:
        worked.append(time.process_time())
        mover = game.positions[-2].to_move
        thought = bots[mover].thought
        sights.append(None if thought is None else plies_to_win(thought))
        ahead.append(mover if thought is None or thought.value >= 0 else 1 - mover)

    found = play_game(bots, start, on_move=look)
    skipped = len(found.movers) - len(sights)  # moves of the opening
    positions = [position.text.rsplit(" ", 1)[0] for position in found.record.positions()]  # without the ply
    again = next((ply for ply, here in enumerate(positions) if here in positions[:ply]), None)
    return {
        "scores": list(found.scores),
        "plies": len(found.movers) - skipped,
        "ending": str(found.record.positions()[-1].why_over),
        "movers": list(found.movers[skipped:]),
        "nodes": list(found.nodes[skipped:]),
        "seconds": [round(seconds or 0.0, 6) for seconds in found.move_seconds[skipped:]],
        "worked": [round(now - before, 6) for before, now in pairwise(worked)],  # seconds of the processor
        "sights": sights,  # for each move, in how many plies at most its player then saw the win, if at all
        "repeated": len(positions) - len(set(positions)),
        # Who was ahead, by the search of the player who moved, when a position first came round again.
        "ahead": None if again is None else ahead[again - len(positions)],
        "shares": list(found.shares),
    }


def plies_to_win(thought: Thought) -> int | None:
    """In how many plies, at most, the player to move is sure to win."""
    if thought.plies_to_win is not None:
        return thought.plies_to_win if thought.plies_to_win > 0 else None
    is_textbook = thought.resolution == 1 and not thought.is_proven
    return thought.depth if is_textbook and thought.value >= WON else None
