"""What a process of a bot reports of an error: none of it need be true, and all of it can be read in any language."""

from typing import Any

import pytest

import palabre
from palabre.core.errors import IllegalMove
from palabre.core.plain import stored
from palabre.core.words import LANGUAGES, Message, say, text_of
from palabre.sandbox.proxy import _error_in_words
from palabre.sandbox.warm import LONGEST_MESSAGE, error_report
from tests.messages import holds

GAME = palabre.game("awele")
BLANKS = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"


def illegal() -> IllegalMove:
    with pytest.raises(IllegalMove) as caught:
        GAME.start().play("Z")
    return caught.value


@pytest.mark.parametrize("is_loading", [False, True])
@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"text": None, "is_ours": True, "error": None},
        {"text": "x" * 5000, "is_ours": True, "message": 3, "error": "E" * 500},
        {"text": "t", "is_ours": True, "message": {"id": "no.such.message", "params": {}}},
        {"text": "t", "is_ours": True, "message": {"id": "game.resigns", "params": {"player": {"id": "x"}}}},
        {"text": "t", "is_ours": True, "message": {"id": "forfeit.error", "params": {"error": float("nan")}}},
        {"text": "t", "is_ours": True, "message": {"id": "forfeit.error", "params": {"error": "x" * 2000}}},
        {"text": "t", "is_ours": True, "message": {"id": "forfeit.error", "params": {"error": "\x1b[2J\ud800"}}},
        {"text": "t", "is_ours": True, "message": [[[[[[[[[[[[[[]]]]]]]]]]]]]]},
        {"text": "t\x1b[2J\ud800", "place": ["a\nb", {}, 7], "is_ours": [1]},
    ],
)
def test_whatever_is_reported_becomes_one_short_printable_line(answer: dict[str, Any], is_loading: bool) -> None:
    reason = _error_in_words(answer, GAME, is_loading=is_loading)
    for language in LANGUAGES:
        text = text_of(reason, language)
        assert len(text) < 1000
        assert all(sign.isprintable() or sign in BLANKS for sign in text)


def test_a_message_of_ours_is_read_in_the_language_of_the_reader() -> None:
    error = illegal()
    reason = _error_in_words(error_report(error, GAME), GAME, is_loading=False)
    holds(reason, "forfeit.raised", kind="IllegalMove")
    holds(reason, "error.illegal_move", move="Z")
    assert error.text("fr") in text_of(reason, "fr")


def test_places_inside_the_sandbox_are_left_out() -> None:
    report = {"text": "t", "is_ours": True, "message": stored(say("spec.no_bot_file", path="/bot/mine.py"))}
    holds(_error_in_words(report, GAME, is_loading=True), "spec.no_bot_file", path="mine.py")


def test_a_message_that_would_not_fit_a_line_is_reported_as_its_text() -> None:
    error = IllegalMove(Message("forfeit.error", {"error": ["x" * 2000] * 50}))
    report = error_report(error, GAME)
    assert report["message"] is None
    assert len(str(report)) < 2 * LONGEST_MESSAGE
    assert isinstance(_error_in_words(report, GAME, is_loading=True), str)
