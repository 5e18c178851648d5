"""Why games have ended, known again by the English sentence and said in another language."""

import pytest

import palabre
from palabre.core.errors import IllegalMove
from palabre.core.words import DEFAULT, Message, say
from palabre.web.endings import ending_in

GAME = palabre.game("awele")


def illegal(move: str) -> Message:
    with pytest.raises(IllegalMove) as caught:
        GAME.start().play(move)
    assert isinstance(caught.value.message, Message)
    return caught.value.message


@pytest.mark.parametrize(
    "message",
    [
        say("game.resigns", player=2),
        say("game.draw_agreed"),
        say("game.loses", player=1, reason=say("game.time_over")),
        say("game.loses", player=1, reason=say("forfeit.late_for_move", seconds=1.25, allowed=0.5)),
        say("game.loses", player=2, reason=say("forfeit.error", error="ZeroDivisionError: division by zero")),
        say("game.loses", player=2, reason=say("forfeit.illegal", error=illegal("z"))),
        say("game.loses", player=2, reason=say("forfeit.illegal", error=illegal('it\'s "a" move'))),
        say(
            "game.also",
            first=say("game.loses", player=1, reason=say("game.left")),
            second=say("game.loses", player=2, reason=say("forfeit.no_move", answer="None")),
        ),
    ],
    ids=lambda message: str(message)[:30],
)
def test_what_ends_games_is_known_again(message: Message) -> None:
    home = GAME.words().home
    assert ending_in(DEFAULT, str(message), home) == str(message)
    assert ending_in("fr", str(message), home) == message.text("fr")


@pytest.mark.parametrize("text", ["", "adjudicated", "the dog: has eaten the board", "player one loses"])
def test_what_others_have_written_stays_as_it_is(text: str) -> None:
    assert ending_in("fr", text) == text
