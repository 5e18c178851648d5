"""Why games have ended and bots have failed: stored as messages, and read in any language, whoever has written them."""

import json
from pathlib import Path
from typing import Any

import pytest

import palabre
from palabre.core.errors import IllegalMove
from palabre.core.plain import LONGEST_TEXT, BadMessage, check, readable, stored
from palabre.core.words import LANGUAGES, Message, say, text_of, the_player

GAME = palabre.game("awele")
HOME = GAME.words().home


def through_a_file(message: Message, home: str | None = None) -> Message | str:
    return readable(json.loads(json.dumps(stored(message, home))), home, "the text beside it")


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
def test_what_ends_games_is_read_in_any_language(message: Message) -> None:
    kept = through_a_file(message, HOME)
    for language in LANGUAGES:
        assert text_of(kept, language) == message.text(language)
    assert message.text("fr") != str(message)


def test_a_player_in_what_the_rules_say_stays_a_message() -> None:
    penguins = palabre.game("penguins")
    here = penguins.position(
        "0001033/00202201/2002000/00000023/0010000/10022011/2010000/12010322 d7,f1,g1,h2/c1,d8,f7,h1 26,43 17,26 2"
    )
    with pytest.raises(IllegalMove) as caught:
        here.play("d7d6")
    message = say("game.loses", player=1, reason=say("forfeit.illegal", error=caught.value.message))
    home = penguins.words().home
    assert text_of(through_a_file(message, home), "fr") == message.text("fr")
    assert the_player(0).text("fr") in message.text("fr").partition(":")[2]


def test_no_path_of_words_is_stored() -> None:
    plain = json.dumps(stored(illegal("z"), HOME))
    assert str(Path(HOME).parent) not in plain
    why = illegal("z").params["why"]
    assert stored(illegal("z"), None)["params"]["why"] == str(why)  # in words that a reader may not have
    assert readable(json.loads(plain), None, "text") == "text"  # another game, or none
    assert text_of(readable(json.loads(plain), HOME, "text"), "fr") == illegal("z").text("fr")


def test_long_and_odd_parameters_are_stored_as_something_that_can_be_read() -> None:
    class Odd:
        def __str__(self) -> str:
            return "odd"

    message = say("forfeit.raised", kind=Odd(), error="\ud800" + "x" * 10_000)
    kept = through_a_file(message)
    assert isinstance(kept, Message)
    assert kept.params == {"kind": "odd", "error": "?" + "x" * (LONGEST_TEXT - 1)}
    for number in (float("nan"), float("inf"), 10**400):
        assert text_of(through_a_file(say("forfeit.memory", used=number, most=1)), "fr").startswith("mémoire")


def test_messages_too_deep_within_each_other_end_in_english() -> None:
    message = say("game.resigns", player=1)
    for _ in range(50):
        message = say("game.also", first=message, player=2, reason=say("game.time_over"))
    kept = through_a_file(message)
    assert str(kept) == str(message)
    assert text_of(kept, "fr").endswith(say("game.time_over").text("fr"))


@pytest.mark.parametrize(
    "plain",
    [
        None,
        3,
        "game.resigns",
        [],
        {},
        {"id": "game.resigns"},
        {"id": 3, "params": {}},
        {"id": "x" * 1000, "params": {}},
        {"id": "game.resigns", "params": []},
        {"id": "game.resigns", "params": {"player": None}},
        {"id": "game.resigns", "params": {"player": {"name": "x"}}},
        {"id": "game.resigns", "params": {"player": "x" * (LONGEST_TEXT + 1)}},
        {"id": "game.resigns", "params": {"player": "\ud800"}},
        {"id": "game.resigns", "params": {"player": 10**30}},
        {"id": "game.resigns", "params": {"player": float("nan")}},
        {"id": "game.resigns", "params": {"player": ["x"] * 1000}},
        {"id": "game.resigns", "params": {"player": [[[[[[[[[[[]]]]]]]]]]]}},
        {"id": "game.resigns", "params": {"player": 1}, "home": "/etc"},
        {"id": "game.resigns", "params": {"player": 1}, "home": 3},
    ],
)
def test_what_is_no_message_is_refused_and_read_as_the_text_beside_it(plain: Any) -> None:
    with pytest.raises(BadMessage):
        check(plain)
    assert readable(plain, HOME, "the text") == "the text"


@pytest.mark.parametrize(
    "plain",
    [
        {"id": "no.such.message", "params": {}},
        {"id": "game.resigns", "params": {}},
        {"id": "game.resigns", "params": {"seat": 1}},
        {"id": "game.loses", "params": {"player": 1.5, "reason": "x"}},  # which is shown as a whole number
        {"id": "title", "params": {}},
        {"id": "game.loses", "params": {"player": 1, "reason": {"id": "unknown", "params": {}}}},
    ],
)
def test_a_message_without_a_text_here_is_read_as_the_text_beside_it(plain: Any) -> None:
    check(plain)
    assert readable(plain, None, "the text") == "the text"


def test_texts_of_others_can_be_changed_on_the_way() -> None:
    plain = stored(say("game.loses", player=1, reason=say("forfeit.error", error="/bot/mine.py")))
    assert str(readable(plain, None, "", lambda text: text.replace("/bot/", ""))) == "player 1 loses: error: mine.py"


def test_what_python_says_is_a_quotation_in_a_french_sentence() -> None:
    raised = {"kind": "KeyError", "error": "'key'", "file": "mine.py", "line": "7", "code": "return {}['key']"}
    message = say("game.loses", player=2, reason=say("forfeit.raised_at", **raised))
    assert plain_spaces(text_of(through_a_file(message), "fr")) == (
        "le joueur 2 perd : erreur KeyError : « 'key' » (mine.py, ligne 7 : « return {}['key'] »)"
    )
    unloadable = say("spec.unloadable", file="mine.py", error="RuntimeError: no (mine.py, line 5)")
    message = say("game.loses", player=1, reason=say("lesson.failed", bot="mine.py", why=unloadable))
    assert plain_spaces(text_of(through_a_file(message), "fr")) == (
        "le joueur 1 perd : mine.py ne peut pas apprendre : "
        "impossible de charger mine.py : « RuntimeError: no (mine.py, line 5) »"
    )


def test_an_error_without_a_message_says_so() -> None:
    message = say("forfeit.raised", kind="AssertionError", error=say("forfeit.no_message"))
    assert plain_spaces(text_of(through_a_file(message), "fr")) == "erreur AssertionError : sans message"


def plain_spaces(text: str) -> str:
    """A text with ordinary spaces."""
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")
