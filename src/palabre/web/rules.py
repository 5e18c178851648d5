"""The rules of a game as a page: its Markdown with the positions in it drawn."""

from functools import lru_cache

from palabre.core.game import Game
from palabre.draw import rulebook
from palabre.web.pictures import picture


@lru_cache(maxsize=64)
def rules_markup(game: Game, language: str) -> str:
    """The rules of a game as HTML, in English if there is no translation; empty if nobody has written them."""
    page = game.words(language).rules_page()
    return "" if page is None else rulebook.page(page, lambda shown: picture(shown.position, shown.caption))
