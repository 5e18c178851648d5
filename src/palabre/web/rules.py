"""The rules and the lessons of a game as pages: their Markdown with the positions in it drawn."""

import html
from functools import lru_cache
from urllib.parse import urlencode

from palabre.core.game import Game
from palabre.draw import rulebook
from palabre.web.page import place_of
from palabre.web.pictures import picture
from palabre.web.refusal import in_language


@lru_cache(maxsize=64)
def rules_markup(game: Game, language: str) -> str:
    """The rules of a game as HTML, in English if there is no translation; empty if they have not been written."""
    page = game.words(language).rules_page()
    return "" if page is None else rulebook.page(page, _drawn)


@lru_cache(maxsize=64)
def lessons_markup(game: Game, language: str) -> str:
    """The lessons of a game likewise; below each position is a link to try it on the board."""
    page = game.words(language).lessons_page()
    text = html.escape(in_language("rules.try", language))
    return "" if page is None else rulebook.page(page, _drawn, lambda shown: _link(shown, text))


def _drawn(shown: rulebook.Picture) -> str:
    return picture(shown.position, shown.caption)


def _link(shown: rulebook.Picture, text: str) -> str:
    place = place_of(shown.position)
    query = urlencode({"game": place.game, "start": place.start or "", "moves": " ".join(place.moves)})
    return f'<a href="/analyse?{html.escape(query)}">{text}</a>'
