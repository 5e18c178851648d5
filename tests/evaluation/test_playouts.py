"""What random games add up to."""

import pytest

import palabre
from palabre.evaluation.playout import play_randomly

pytestmark = pytest.mark.usefixtures("plain_python")
# Three plies before the end: some ways to play on are drawn.
NEAR_A_DRAW = "..E....../.b..B..../....A.C../....a.c../AE.B..e.b/.c....a../..d....../......C../......E.. 2"


@pytest.mark.parametrize(("spec", "text"), [("avalam", NEAR_A_DRAW), ("awele", None)])
def test_each_game_is_won_by_one_or_shared_by_both(spec: str, text: str | None) -> None:
    game = palabre.game(spec)
    played = play_randomly(game.start() if text is None else game.position(text), games=30, seed=1)
    assert played.games == 30
    assert played.shared[0] == played.shared[1] == 30 - sum(played.wins)
    assert played.shared[0] > 0 or text is None
    assert 0 < played.plies / played.games <= played.longest
