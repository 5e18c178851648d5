"""`palabre warmup`: after it nothing has to be compiled."""

import json
from pathlib import Path

import pytest

from palabre.bots.specs import bots_for
from palabre.bots.warmup import bot_specs
from palabre.core import registry
from palabre.evaluation.names import evaluations
from tests.command import palabre, python
from tests.sentences import tells

pytestmark = pytest.mark.processes

PLAY_EVERY_BOT = """
import logging, sys
logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
import palabre
from palabre.bots.specs import bot, bots_for
from palabre.search.clock import Clock
game = palabre.game(sys.argv[1])
for name in bots_for(game):
    players = [bot(name, game) for _ in range(game.players)]
    for seat, player in enumerate(players):
        player.sit_down(game, seat)
    position = game.start()
    while not position.is_over:
        position = position.play(players[position.to_move].choose(position, Clock(per_move=0.02)))
    print("played", name)
"""


def test_nothing_is_compiled_after_a_warmup(small_game: Path, tmp_path: Path) -> None:
    """Every bot then plays from the code on disk, the engine's, too: a recursive kernel that begins with a constant.

    A call of it from code that was kept for a constant jumped to nowhere.
    """
    done = palabre("warmup", str(small_game), "--json", cache=tmp_path)
    assert done.returncode == 0, done.stderr
    assert tells(done.stderr, "compile.preparing", title="Take-Away")
    assert list(json.loads(done.stdout)["ready"]) == [str(small_game)]
    again = palabre("warmup", str(small_game), cache=tmp_path)
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout.startswith("Take-Away: ready (")
    errors = python(PLAY_EVERY_BOT, str(small_game), PALABRE_CACHE=str(tmp_path))
    assert errors.count("played") > 5
    assert "preparing" not in errors


@pytest.mark.parametrize("name", registry.names())
def test_all_is_every_bot_and_every_evaluation(name: str) -> None:
    game = registry.game(name)
    known = [name for name in bots_for(game) if name != "learner"]  # which compiles nothing, and needs data
    assert list(bot_specs(game, everything=False)) == known
    everything = set(bot_specs(game, everything=True))
    assert everything >= set(known)
    for bot in {"palabre", "alphabeta"} & set(bots_for(game)):
        assert everything >= {f"{bot}:eval={evaluation}" for evaluation in evaluations(game)}
