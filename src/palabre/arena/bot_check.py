"""The admission test of championships for one bot, or a folder of bots, without a championship."""

from dataclasses import dataclass
from pathlib import Path

from palabre.arena.entries import gather, ignored, is_handed_in, refuse_reserved_names, rename
from palabre.arena.rows import BotRow
from palabre.arena.trial import Verdict, after_trial, examine_all
from palabre.core.game import Game
from palabre.laws.first_use import given_game
from palabre.sandbox.players import check_protection, is_foreign
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
    game = given_game(game)
    is_protected = check_protection([spec] if is_handed_in(spec, game) or is_foreign(spec) else [], untrusted=False)
    entries = rename(refuse_reserved_names(gather([spec], game, clock or Clock(), untrusted=is_protected), game))
    places = [(entry.row, entry.place) for entry in entries if entry.row.state == "admitted"]
    verdicts = {verdict.bot.name: verdict for verdict in examine_all(places, game, untrusted=is_protected)}
    bots = tuple(after_trial(entry.row, verdicts.get(entry.row.name), game) for entry in entries)
    return BotCheck(bots, verdicts, tuple(ignored([spec], game)))
