"""States whose words do not fit 64 bits: the author of the game is told which and what to do, wherever it shows first.

In plain Python integers have no width, so such a state can be made; compiled code cannot take it.
"""

from pathlib import Path

import pytest

from palabre.bots.bot import Bot
from palabre.bots.specs import bot
from palabre.compile.compiler import compiled, is_disabled
from palabre.core import registry
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.words import say
from palabre.play.referee import play_game
from palabre.search.clock import Clock
from palabre.search.perft import perft
from tests import take_away
from tests.command import PLAIN
from tests.command import palabre as command
from tests.messages import refuses
from tests.sentences import tells


@pytest.fixture
def game(tmp_path: Path) -> Game:
    """Take-Away, where the second move makes a heap that is far too large."""
    play = "state.heap - move - 1,"
    text = take_away.source().replace(play, f"{play[:-1]} + (1 << 63) * (state.player == 1),")
    file = tmp_path / "mine.py"
    file.write_text(text, encoding="utf-8")
    return registry.game(str(file))


class Looks(Bot):
    """Looks two plies ahead in plain Python before it moves."""

    def choose(self, position: Position, clock: Clock) -> Move:
        for move in position.moves():
            after = position.play(move)
            for reply in after.moves():
                after.play(reply)
        return position.moves()[0]


def test_a_move_that_makes_such_a_state_is_refused(game: Game) -> None:
    with refuses("contract.wide", field="heap", origin=say("contract.origin.move", position="11 2", move="2")):
        game.start().play("1").play("2")


def test_a_text_that_reads_as_such_a_state_is_refused(game: Game) -> None:
    with refuses("contract.wide", field="heap"):
        Position.first(game, game.start().state._replace(heap=-(1 << 63) - 1))


@pytest.mark.parametrize("other", ["random", "idiot"])
def test_no_player_loses_for_it(game: Game, other: str) -> None:
    with refuses("contract.wide", field="heap"):
        play_game([bot(other, game), bot("random", game)], game.start())


def test_no_bot_loses_that_has_found_it_out(game: Game) -> None:
    with refuses("contract.wide", field="heap"):
        play_game([Looks(), bot("random", game)], game.start())


def test_a_match_ends_with_the_sentence(game: Game) -> None:
    done = command("match", "random", "random", "--game", game.spec, "--games", "2", settings=PLAIN)
    assert done.returncode == 2, done.stdout
    assert tells(done.stderr, "contract.wide", field="heap")


@pytest.mark.skipif(is_disabled(), reason="words of plain Python have no width")
def test_a_kernel_refuses_such_a_state(game: Game) -> None:
    fast = compiled(perft, game)
    state = game.start().state
    for _ in range(2):  # before anything is compiled, and afterwards
        with refuses("contract.wide", field="heap"):
            fast(state._replace(heap=1 << 63), 1)
        assert fast(state, 1) == 3
