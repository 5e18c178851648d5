"""What the page and reports say of an event in a language."""

from collections.abc import Callable, Iterable, Sequence

from palabre.arena.ratings import Ratings
from palabre.arena.rows import BotRow
from palabre.core.game import Game
from palabre.core.words import Message, text_of
from palabre.web.bot_titles import bot_titles
from palabre.web.page import rules_in_words
from palabre.web.refusal import in_language, why_ended

MOST_NAMED = 10  # bots in a note
LONGEST_TEXT = 1000  # characters of a reason


class EventTexts:
    """The texts of an event of a game in a language; `names` are those of its bots, as browsers see them."""

    def __init__(self, game: Game, names: Iterable[str], language: str) -> None:
        self.game, self.language = game, language
        self.titles = bot_titles(names, game, language)
        self.rules = rules_of(game, language)

    def called(self, names: Sequence[str]) -> list[str]:
        """What bots are called."""
        return [self.titles.get(name, name) for name in names]

    def ending(self, why: Message | str, players: Sequence[str]) -> str:
        """Why a game ended."""
        return why_ended(why, self.called(players), self.language)[:LONGEST_TEXT]

    def ratings_notes(self, ratings: Ratings, name: Callable[[str], str]) -> list[str]:
        """What a reader of the ratings should know; `name` makes what browsers see of the name of a bot."""
        groups = [", ".join(self.called(list(map(name, group[:MOST_NAMED])))) for group in ratings.groups[:MOST_NAMED]]
        extreme = [name(one.bot) for one in ratings.bots if one.is_extreme][:MOST_NAMED]
        notes = [in_language("arena.apart", self.language, bots="; ".join(groups))] if len(groups) > 1 else []
        if extreme:
            notes.append(in_language("arena.guessed", self.language, bots=", ".join(self.called(extreme))))
        return notes

    def rejected_notes(self, bots: Iterable[BotRow], name: Callable[[str], str]) -> list[str]:
        """Which bots were not admitted, and why."""
        rejected = [bot for bot in bots if bot.state == "rejected"][:MOST_NAMED]
        home = self.game.words().home
        reasons = [text_of(bot.why_rejected(home), self.language)[:LONGEST_TEXT] for bot in rejected]
        return [
            in_language("arena.rejected", self.language, bot=name(bot.name), reason=reason)
            for bot, reason in zip(rejected, reasons, strict=True)
        ]


def rules_of(game: Game, language: str) -> str:
    """A game and its rules, in words."""
    return f"{game.words(language).title}, {rules_in_words(game, language)}"
