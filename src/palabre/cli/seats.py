"""Who plays: people and bots, as `--players` names them."""

import contextlib
from collections.abc import Iterator, Sequence, Sized

from palabre.bots.bot import Bot
from palabre.bots.opponents import opponent
from palabre.bots.specs import split_specs
from palabre.core.errors import BadSpec, PalabreError, did_you_mean
from palabre.core.game import Game
from palabre.core.words import own_words
from palabre.play.game import PERSON
from palabre.sandbox.players import check_protection, is_foreign, seat

say = own_words(__file__)


def read_players(text: str | None, game: Game) -> list[str]:
    """Who plays, in turn, as `--players` names them: `person` or the spec of a bot."""
    return [PERSON] + [opponent(game)] * (game.players - 1) if text is None else split_specs(text)


def check_number(players: Sized, game: Game) -> None:
    """Refuse too many or too few players. Check each of them first: a mistake in one may be the reason."""
    if len(players) != game.players:
        raise PalabreError(say("seat.wrong_number", given=len(players), game=game.spec, players=game.players))


def seated(players: Sequence[str], game: Game, *, untrusted: bool) -> list[Bot | None]:
    """The bots of these specs in their seats, with None for each person."""
    untrusted = check_protection(filter(is_foreign, players), untrusted=untrusted)
    seats: list[Bot | None] = []
    for word in players:
        with suggest_person(word):
            seats.append(None if word == PERSON else seat(word, game, untrusted=untrusted, rivals=players))
    check_number(seats, game)
    return seats


@contextlib.contextmanager
def suggest_person(word: str) -> Iterator[None]:
    """Suggest `person` for a word that is no bot and looks like it."""
    try:
        yield
    except BadSpec as error:
        meant = did_you_mean(word, [PERSON])
        if meant:
            raise PalabreError(say("seat.no_player", word=word, hint=meant)) from error
        raise
