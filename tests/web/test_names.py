"""One name for each seat: in the strip, in sentences, in results and in lists, in both languages."""

import json

import pytest

from palabre.core.errors import IllegalMove
from palabre.core.game import Game
from palabre.core.plain import readable, stored
from palabre.core.position import Position
from palabre.core.registry import game
from palabre.core.words import LANGUAGES, Message, say, text_of, the_player
from palabre.web import page
from palabre.web.bot_titles import bot_title, bot_titles
from palabre.web.reasons import why_not
from palabre.web.refusal import by_name, in_language, why_ended
from palabre.web.room import Room
from palabre.web.shown import seat_names, why_over
from palabre.web.store import RoomRow, SeatRow

AWELE = game("awele")
ME = SeatRow("person", "", "my browser", "")


def bot_seat(spec: str, wished: str = "") -> SeatRow:
    return SeatRow("bot", spec, None, wished or spec)


def room(*seats: SeatRow, start: Position | None = None) -> Room:
    row = RoomRow("room", "awele", None, 0, seats, None, {}, "my browser", created=0.0)
    return Room.begin(row, AWELE.start() if start is None else start)


def test_a_bot_is_called_by_its_level_or_its_name() -> None:
    seats = (bot_seat("palabre:level=3"), bot_seat("palabre:time=5.0", "palabre:level=10"))
    assert seat_names(seats, AWELE, "en") == ["Level 3", "Level 10"]
    assert seat_names(seats, AWELE, "fr") == ["Niveau 3", "Niveau 10"]
    seats = (bot_seat("palabre:time=5.0", "palabre"), bot_seat("alphabeta:depth=2"))
    assert seat_names(seats, AWELE, "en") == ["palabre", "alphabeta"]


def test_players_of_the_same_name_are_told_apart() -> None:
    assert seat_names((bot_seat("greedy"), bot_seat("greedy")), AWELE, "en") == ["greedy (1)", "greedy (2)"]
    assert bot_title("palabre:time=5.0", AWELE, "en") == "palabre"
    assert bot_titles(["palabre:time=5.0", "palabre:time=1.0"], AWELE, "fr").keys() == {
        "palabre:time=5.0",
        "palabre:time=1.0",
    }


def test_a_sentence_calls_the_players_as_the_strip_does() -> None:
    positions = [AWELE.start()]
    for move in ("C", "c"):
        positions.append(positions[-1].play(move))
    for language, bot in (("en", "Level 3"), ("fr", "Niveau 3")):
        names = seat_names((ME, bot_seat("palabre:level=3")), AWELE, language)
        shown = page.plies(positions, language, names=names)
        assert shown[1].told.startswith(names[0])
        assert shown[2].told.startswith(bot)
        assert bot in shown[1].status
        own = page.line_shown(positions, 0, language, names)
        assert own.player_names == names
        assert own.plies[2].told == shown[2].told
        usual = page.line_shown(positions, 0, language)
        assert usual.plies[1].status == AWELE.words(language).status(positions[1])


def test_an_ending_names_who_lost() -> None:
    here = room(ME, bot_seat("palabre:level=3"))
    assert why_over(here, "en") == ""
    here.lose(1, say("game.time_over"))
    for language, name in (("en", "Level 3"), ("fr", "Niveau 3")):
        told = why_over(here, language)
        assert told.startswith(name)
        assert say("game.time_over").text(language) in told
    gone = room(ME, bot_seat("greedy"))
    gone.resign(0)
    assert why_over(gone, "en").startswith(seat_names(gone.seats, AWELE, "en")[0])


NAMED = ["Ada", "Level 3"]
BLOCKED = game("abalone").position("11111/122222/12...../12....../12......./12....../12...../12..../12... 1 0")


def after(rules: Game, plies: int) -> Position:
    position = rules.start(1)
    for _ in range(plies):
        position = position.play(position.moves()[0])
    return position


def refused(position: Position, move: str) -> Message:
    with pytest.raises(IllegalMove) as caught:
        position.play(move)
    assert isinstance(caught.value.message, Message)
    return caught.value.message


def placed() -> tuple[Position, str, str]:
    """Penguins that have all been placed, and the tile of one of each player."""
    here = after(game("penguins"), 8)
    pieces = [piece for piece in here.game.view.pieces(here.state) if piece.kind == "penguin"]
    mine, theirs = (next(piece.cell for piece in pieces if piece.player == player) for player in (0, 1))
    return here, mine, theirs


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_call_the_players_by_their_names(language: str) -> None:
    here, mine, theirs = placed()
    odd = refused(game("awale").start(), "2r")
    sentences = [refused(here, theirs + mine), refused(here, mine + theirs), odd, BLOCKED.why_over]
    for told, called in zip(sentences, (NAMED, NAMED[1:], NAMED, NAMED[:1]), strict=True):
        assert told is not None
        usual = text_of(told, language)
        assert any(the_player(seat).text(language) in usual for seat in (0, 1))
        assert not any(name in usual for name in NAMED)
        shown = here.game.words(language, NAMED).message_text(told)
        assert not any(the_player(seat).text(language) in shown for seat in (0, 1))
        assert all(name in shown for name in called if name in NAMED), shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_click_or_a_typed_move_that_is_refused_names_them(language: str) -> None:
    here, mine, theirs = placed()
    assert NAMED[1] in why_not(here, [mine, theirs], here.game.words(language, NAMED))
    with pytest.raises(IllegalMove) as caught, by_name(NAMED):
        here.play(theirs + mine)
    assert all(name in caught.value.text(language) for name in NAMED)


def test_an_end_by_the_rules_names_them() -> None:
    seats = (ME, bot_seat("palabre:level=3"))
    for language in LANGUAGES:
        name = seat_names(seats, BLOCKED.game, language)[0]
        assert name in why_over(room(*seats, start=BLOCKED), language)
        assert NAMED[0] in page.line_shown([BLOCKED], 0, language, NAMED).now.why


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_lost_a_game_of_an_event_is_named(language: str) -> None:
    reason = say("forfeit.late_for_move", seconds=1.25, allowed=0.5)
    for seat, name in enumerate(NAMED):
        for told in (say("game.loses", player=seat + 1, reason=reason), say("game.resigns", player=seat + 1)):
            kept = readable(json.loads(json.dumps(stored(told))), None, "")
            params = {"player": name, "reason": reason}
            assert why_ended(kept, NAMED, language) == in_language(told.id.replace("game", "ended"), language, **params)
    for strange in ("player 9 loses: a bet", "player one resigns"):  # in files of others
        assert why_ended(strange, NAMED, "en") == strange
