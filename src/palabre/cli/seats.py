"""Who plays, by what `--players` says: people and bots."""

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
    """Who plays, in turn, by what `--players` says: `person` or the spec of a bot."""
    return [PERSON] + [opponent(game)] * (game.players - 1) if text is None else split_specs(text)


def check_number(players: Sized, game: Game) -> None:
    """Refuse too many or too few players. What is wrong with one of them is told first, since it may be the reason."""
    if len(players) != game.players:
        raise PalabreError(say("seat.wrong_number", given=len(players), game=game.spec, players=game.players))


def seated(text: str | None, game: Game, *, untrusted: bool) -> list[Bot | None]:
    """Who plays, in turn: bots, and None for a person."""
    words = read_players(text, game)
    untrusted = check_protection(filter(is_foreign, words), untrusted=untrusted)
    seats = [None if word == PERSON else _bot(word, game, untrusted, words) for word in words]
    check_number(seats, game)
    return seats


def _bot(word: str, game: Game, untrusted: bool, words: Sequence[str]) -> Bot:
    with meant_a_person(word):
        return seat(word, game, untrusted=untrusted, rivals=words)


@contextlib.contextmanager
def meant_a_person(word: str) -> Iterator[None]:
    """What is no bot may be a person, misspelt."""
    try:
        yield
    except BadSpec as error:
        meant = did_you_mean(word, [PERSON])
        if not meant:
            raise
        raise PalabreError(say("seat.no_player", word=word, hint=meant)) from error
