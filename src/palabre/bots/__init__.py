"""Players: the `Bot` class, the named bots, bots from users' files, and the specs that name them all."""

from palabre.bots.bot import Bot

__all__ = ["Bot"]
