"""Analysis: what a bot that searches thinks of a position, for a program, the terminal and the browser."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from palabre.bots.bot import Bot, SearchBot
from palabre.bots.specs import bot as find_bot
from palabre.bots.specs import bots_for, named_bots
from palabre.core.errors import PalabreError, listing
from palabre.core.game import Game
from palabre.core.given import given_count, given_function, given_limit, given_position, given_seconds
from palabre.core.position import Position
from palabre.core.spec import Value
from palabre.core.words import say
from palabre.evaluation.names import default_evaluation, evaluation, unit
from palabre.search.clock import AnalysisClock
from palabre.search.thought import Thought, Watch, thought_facts

ANY_GAME = "mcts"  # knows a chance in any game, also where the evaluation has no odds
USUAL_TIME = 1.0  # seconds, if there is no limit


@dataclass
class Lines:
    """The best lines known so far, in order; `add` is the `watch` of a search, which calls another one in turn."""

    watch: Watch | None = None
    thoughts: tuple[Thought, ...] = ()

    def add(self, thought: Thought) -> None:
        """Take in a thought, which may come from the search's thread."""
        better = self.thoughts[: thought.rank - 1]
        worse = [
            line for line in self.thoughts[len(better) :] if line.rank > thought.rank and line.move != thought.move
        ]
        self.thoughts = (*better, thought, *worse)
        if self.watch is not None:
            self.watch(thought)

    def finish(self, last: Thought) -> None:
        """Take in what `think` returned.

        An unfinished iteration may have found a better move, and the nodes and the time are those of the whole search.
        """
        best = last
        if self.thoughts and last.move == self.thoughts[0].move:
            best = self.thoughts[0]  # a search may report more of a line than it returns
        lines = (best, *(line for line in self.thoughts if line.move != last.move))
        self.thoughts = tuple(
            replace(line, rank=place, nodes=last.nodes, seconds=last.seconds) for place, line in enumerate(lines, 1)
        )


def default_bot(game: Game) -> str:
    """The bot that analyses if none is named: the engine in a game of two whose evaluation knows its odds, else `mcts`.

    Tree search knows every player's chances in any game. The engine knows those of two players, and only with an
    evaluation that has odds.
    """
    weights = evaluation(game, default_evaluation(game))
    return "palabre" if game.players == 2 and getattr(weights, "odds", None) is not None else ANY_GAME


def analysing_bot(
    wanted: str | Bot | None, game: Game, *, to_depth: bool = False, **options: Value | None
) -> SearchBot:
    """This bot, that of a spec, or the default one, if it searches; a `PalabreError` lists those that do.

    With `to_depth` it must be one whose search can be limited in depth. `options` are further parameters of a bot that
    is named or the default one.
    """
    spec = default_bot(game) if wanted is None else wanted
    player = spec if isinstance(spec, Bot) else find_bot(spec, game, **options)
    if not isinstance(player, SearchBot):
        raise PalabreError(say("error.no_analysis", bot=player.spec, bots=listing(bots_that_analyse(game))))
    if to_depth and not player.counts_depth:
        known = named_bots(game)
        others = [name for name in bots_for(game) if getattr(known[name], "counts_depth", False)]
        raise PalabreError(say("error.no_depth", bot=player.spec, bots=listing(others)))
    return player


def bots_that_analyse(game: Game) -> list[str]:
    """The names of the bots that can analyse positions of a game."""
    known = named_bots(game)
    return [name for name in bots_for(game) if known[name].can_analyse]


def analyse(
    position: Position,
    time: float | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    lines: int = 1,
    bot: str | Bot | None = None,
    watch: Watch | None = None,
) -> list[Thought]:
    """What a bot thinks of the best `lines` moves of a position, the best one first; empty if the game is over.

    The search ends at the first limit it reaches: seconds, plies of depth or nodes. Without any, it ends after a
    second; with a time of `math.inf`, when another thread calls `stop` of the bot. The bot's own limits, such as
    `depth=6` in its spec, apply to its moves and do not count here. A spec makes a new bot for each call; a bot that
    you pass in keeps what it learns. `watch` is called with each line whenever it has changed.
    """
    given_position("analyse", position)
    given_function("analyse", "watch", watch)
    limits = given_limits("analyse", time, depth, nodes, lines)
    player = analysing_bot(bot, position.game, to_depth=depth is not None)
    if position.is_over:
        return []
    if "search" not in vars(player):  # it is new, or has not played yet
        player.sit_down(position.game, position.to_move)
    return list(think_lines(player, position, limits, lines, Lines(watch)))


def given_limits(asker: str, time: float | None, depth: int | None, nodes: int | None, lines: int) -> AnalysisClock:
    """The limits that a program passes in, checked; the default time if there are none."""
    is_endless = time == math.inf
    given_seconds(asker, "time", None if is_endless else time)
    given_limit(asker, "depth", depth)
    given_limit(asker, "nodes", nodes)
    given_count(asker, "lines", lines)
    if time is None and depth is None and nodes is None:
        time = USUAL_TIME
    return AnalysisClock(None if is_endless else time, depth=depth, nodes=nodes)


def eval_of(player: SearchBot) -> str | None:
    """The name of the evaluation by which a bot searches; None if it has none to choose."""
    name = dict(player.options.values).get("eval")
    return None if name is None else str(name)


def analysis_facts(position: Position, player: SearchBot, thoughts: Sequence[Thought]) -> dict[str, Any]:
    """What `analyse` returns, as JSON has it, with the bot's evaluation and its unit."""
    best = thoughts[0] if thoughts else None
    return {
        "game": position.game.spec,
        "position": position.text,
        "to_move": position.to_move + 1,
        "result": position.result,
        "bot": player.spec,
        "eval": eval_of(player),
        "unit": unit(position.game, eval_of(player)),
        "depth": best.depth if best else 0,
        "nodes": max((thought.nodes for thought in thoughts), default=0),
        "seconds": max((thought.seconds for thought in thoughts), default=0.0),
        "proven": best.is_proven if best else position.is_over,
        "lines": [thought_facts(thought) for thought in thoughts],
    }


def think_lines(
    player: SearchBot, position: Position, clock: AnalysisClock, lines: int, known: Lines
) -> tuple[Thought, ...]:
    """What a bot that has been seated thinks of the best `lines` moves; `known` has the best lines meanwhile.

    Programs, commands and the page in the browser analyse through this function, so all of them report the same.
    """
    known.finish(player.think(position, clock, known.add, lines))
    return known.thoughts
