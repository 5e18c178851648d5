"""The example of a bot with a compiled search of its own."""

from pathlib import Path

import pytest

import palabre
from palabre.bots.specs import bot
from palabre.play.referee import play_game
from palabre.sandbox.players import close_bot, seat
from tests.arena.needs import needs_sandbox

FILE = Path(__file__).parents[2] / "examples" / "compiled_search.py"
DEPTH = 3


@pytest.mark.kernels
@pytest.mark.parametrize("spec", ["awele", "avalam"])
def test_it_finds_a_move_that_alpha_beta_finds(spec: str) -> None:
    game = palabre.game(spec)
    mine, theirs = bot(f"{FILE}:depth={DEPTH}", game), bot(f"alphabeta:depth={DEPTH},eval=score", game)
    position = game.start()
    for player in (mine, theirs):
        player.sit_down(game, 0)
    for _ in range(4):
        move = mine.choose(position, palabre.Clock())
        assert isinstance(theirs, palabre.SearchBot)
        assert move in theirs.think(position, palabre.Clock(depth=DEPTH)).best
        position = position.play(move)


@needs_sandbox
@pytest.mark.usefixtures("plain_python")
def test_it_plays_in_a_sandbox() -> None:
    game = palabre.game("awele")
    player = seat(f"{FILE}:depth=2", game, untrusted=True)
    try:
        assert play_game([player, bot("idiot", game)], game.start()).reason is None
    finally:
        close_bot(player)
