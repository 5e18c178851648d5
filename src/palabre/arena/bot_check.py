"""The admission test of championships for one bot, or a folder of bots."""

from dataclasses import dataclass
from pathlib import Path

from palabre.arena.championship import Championship, Plan
from palabre.arena.rows import BotRow
from palabre.arena.trial import Verdict
from palabre.core.game import Game
from palabre.laws.first_use import given_game
from palabre.search.clock import Clock


@dataclass(frozen=True)
class BotCheck:
    """The results of the admission test of some bots."""

    bots: tuple[BotRow, ...]
    verdicts: dict[str, Verdict]  # by the name of the bot; one that cannot be read has none
    ignored: tuple[Path, ...]  # files that are no bots

    @property
    def is_admitted(self) -> bool:
        """Whether all of them are admitted."""
        return all(bot.state == "admitted" for bot in self.bots)


def check_bot(spec: str, game: Game | str | Path, clock: Clock | None = None) -> BotCheck:
    """Put a bot, a submission or a folder of submissions through the admission test, with this clock."""
    with Championship(Plan(given_game(game), clock=clock or Clock()), [spec], None) as held:
        for _ in held.examine(ours=True):
            pass
        return BotCheck(tuple(held.bots), held.verdicts, tuple(held.ignored))
