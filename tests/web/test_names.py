"""One name for each seat: in the strip, in sentences, in results and in lists, in both languages."""

from palabre.core.registry import game
from palabre.core.words import say
from palabre.web import page
from palabre.web.bot_titles import bot_title, bot_titles
from palabre.web.live import seat_names, why_over
from palabre.web.room import Room
from palabre.web.store import RoomRow, SeatRow

AWELE = game("awele")
ME = SeatRow("person", "", "my browser", "")


def bot_seat(spec: str, wished: str = "") -> SeatRow:
    return SeatRow("bot", spec, None, wished or spec)


def room(*seats: SeatRow) -> Room:
    return Room.begin(
        RoomRow("room", "awele", None, 0, seats, None, {}, "my browser", created=0.0), AWELE.start(), now=0.0
    )


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
    here.lose(1, say("game.time_over"), now=1.0)
    for language, name in (("en", "Level 3"), ("fr", "Niveau 3")):
        told = why_over(here, language)
        assert told.startswith(name)
        assert say("game.time_over").text(language) in told
    gone = room(ME, bot_seat("greedy"))
    gone.resign(0, now=1.0)
    assert why_over(gone, "en").startswith(seat_names(gone.seats, AWELE, "en")[0])
