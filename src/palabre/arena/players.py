"""Who sits down at a board: the one place where a spec becomes a bot that plays for the arena."""

from palabre.bots.bot import Bot
from palabre.bots.specs import bot
from palabre.core.game import Game
from palabre.core.registry import is_path, split


def seat(spec: str, game: Game) -> Bot:
    """The bot that a spec names, ready to learn and to play a game."""
    return bot(spec, game)


def may_end_us(spec: str) -> bool:
    """Whether a bot runs somebody's own code in the process that plays: it could end or block that process."""
    return is_path(split(spec.strip())[0])
