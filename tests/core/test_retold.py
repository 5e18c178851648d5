"""Why games have ended and bots have failed, known again by the English sentence and said in another language."""

import pytest

import palabre
from palabre.core.errors import IllegalMove
from palabre.core.retold import retold
from palabre.core.words import DEFAULT, Message, say, the_player

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
        say("game.loses", player=2, reason=say("forfeit.error", error="ZeroDivisionError")),
        say("game.loses", player=2, reason=say("forfeit.illegal", error=illegal("z"))),
        say("game.loses", player=2, reason=say("forfeit.illegal", error=illegal('it\'s "a" move'))),
        say(
            "game.also",
            first=say("game.loses", player=1, reason=say("forfeit.raised", kind="ValueError", error="a; b (c)")),
            player=2,
            reason=say("forfeit.no_move", answer="None"),
        ),
        say("game.loses", player=1, reason=say("forfeit.garbage", answer="x" * 1500)),
        say("game.loses", player=1, reason=say("forfeit.raised", kind="IllegalMove", error=illegal("z"))),
        say(
            "engine.last_words",
            death=say("engine.died", command="sh -c 'exit 3'", how=say("ended.code", code=3)),
            words="it's \"over\"; it said 'x'",
        ),
    ],
    ids=lambda message: str(message)[:30],
)
def test_what_ends_games_is_known_again(message: Message) -> None:
    home = GAME.words().home
    assert retold(str(message), DEFAULT, home) == str(message)
    assert retold(str(message), "fr", home) == message.text("fr")
    assert message.text("fr") != str(message)


def test_a_player_in_what_the_rules_say_is_known_again() -> None:
    penguins = palabre.game("penguins")
    here = penguins.position(
        "0001033/00202201/2002000/00000023/0010000/10022011/2010000/12010322 d7,f1,g1,h2/c1,d8,f7,h1 26,43 17,26 2"
    )
    with pytest.raises(IllegalMove) as caught:
        here.play("d7d6")
    message = say("game.loses", player=1, reason=say("forfeit.illegal", error=caught.value.message))
    assert retold(str(message), "fr", penguins.words().home) == message.text("fr")
    assert the_player(0).text("fr") in message.text("fr").partition(":")[2]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "adjudicated",
        "the dog: has eaten the board",
        "player one loses",
        "player 7 has eaten the board",
        "'str' object is not callable",
        "from 1 to 9",
    ],
)
def test_what_others_have_written_stays_as_it_is(text: str) -> None:
    assert retold(text, "fr") == text


def test_what_python_says_is_a_quotation_in_a_french_sentence() -> None:
    text = "player 2 loses: error: KeyError: 'key' (mine.py, line 7: return {}['key'])"
    assert plain(retold(text, "fr")) == (
        "le joueur 2 perd : erreur KeyError : « 'key' » (mine.py, ligne 7 : « return {}['key'] »)"
    )
    text = "player 1 loses: mine.py cannot learn: mine.py cannot be loaded: RuntimeError: no (mine.py, line 5)"
    assert plain(retold(text, "fr")) == (
        "le joueur 1 perd : mine.py ne peut pas apprendre : "
        "impossible de charger mine.py : « RuntimeError: no (mine.py, line 5) »"
    )


def test_an_error_without_a_message_is_told_all_the_same() -> None:
    """Events of earlier versions have nothing there, later ones say so."""
    assert plain(retold("error: AssertionError:  (mine.py, line 3: assert False)", "fr")) == (
        "erreur AssertionError :  (mine.py, ligne 3 : « assert False »)"
    )
    message = say("forfeit.raised", kind="AssertionError", error=say("forfeit.no_message"))
    assert plain(retold(str(message), "fr")) == "erreur AssertionError : sans message"


def plain(text: str) -> str:
    """A text with ordinary spaces."""
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
