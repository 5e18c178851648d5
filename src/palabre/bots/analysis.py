"""Analysis: what a bot that searches thinks of a position, for a program, the terminal and the browser."""

from palabre.bots.bot import Bot, SearchBot
from palabre.bots.specs import bot as find_bot
from palabre.bots.specs import bots_for, named_bots
from palabre.core.errors import PalabreError, listing
from palabre.core.game import Game
from palabre.core.given import given_count, given_limit, given_position, given_seconds
from palabre.core.position import Position
from palabre.core.words import say
from palabre.evaluation.names import default_evaluation, evaluation
from palabre.search.clock import Clock
from palabre.search.thought import Thought, Watch

ANY_GAME = "mcts"  # knows a chance in any game, also where the evaluation has no odds
USUAL_TIME = 1.0  # seconds, if there is no limit


class Lines:
    """The best lines known so far, in order; `add` is the `watch` of a search."""

    def __init__(self) -> None:
        self.thoughts: tuple[Thought, ...] = ()

    def add(self, thought: Thought) -> None:
        """Take in a thought, which may come from the search's thread."""
        better = self.thoughts[: thought.rank - 1]
        worse = [
            line for line in self.thoughts[len(better) :] if line.rank > thought.rank and line.move != thought.move
        ]
        self.thoughts = (*better, thought, *worse)

    def finish(self, last: Thought) -> None:
        """Take in what `think` returned: an unfinished iteration may have found a better move."""
        if not self.thoughts or last.move != self.thoughts[0].move:
            self.thoughts = (last, *(line for line in self.thoughts if line.move != last.move))


def default_bot(game: Game) -> str:
    """The bot that analyses if none is named: the engine in a game of two whose evaluation knows its odds, else `mcts`.

    Tree search tells every player's chances in any game. The engine knows those of two players, and only if the
    evaluation says what its points are worth.
    """
    weights = evaluation(game, default_evaluation(game))
    return "palabre" if game.players == 2 and getattr(weights, "odds", None) is not None else ANY_GAME


def analysing_bot(wanted: str | Bot | None, game: Game) -> SearchBot:
    """This bot, that of a spec, or the default one, if it searches; a `PalabreError` lists those that do."""
    found = wanted if isinstance(wanted, Bot) else find_bot(default_bot(game) if wanted is None else wanted, game)
    if isinstance(found, SearchBot):
        return found
    known = named_bots(game)
    searching = [name for name in bots_for(game) if issubclass(known[name], SearchBot)]
    raise PalabreError(say("error.no_analysis", bot=found.spec, bots=listing(searching)))


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
    second. The bot's own limits, such as `depth=6` in its spec, apply to its moves and do not count here. A spec makes
    a new bot for each call; a bot that you pass in keeps what it learns.
    """
    given_position("analyse", position)
    given_seconds("analyse", "time", time)
    given_limit("analyse", "depth", depth)
    given_limit("analyse", "nodes", nodes)
    given_count("analyse", "lines", lines)
    player = analysing_bot(bot, position.game)
    is_limited = time is not None or nodes is not None or (depth is not None and player.counts_depth)
    if position.is_over:
        return []
    if not hasattr(player, "search"):  # it is new, or has not played yet
        player.sit_down(position.game, position.to_move)
    found = Lines()

    def hear(thought: Thought) -> None:
        found.add(thought)
        if watch is not None:
            watch(thought)

    clock = Clock(per_move=time if is_limited else USUAL_TIME, depth=depth, nodes=nodes)
    found.finish(player.think(position, clock, hear, lines))
    return list(found.thoughts)
