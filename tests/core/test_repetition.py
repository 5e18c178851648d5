"""A repeated position ends the game, and one place says so: `is_over`, once `award_remaining` has answered.

The game is Take-Away with a last stick that nobody can take: a move that would do so waits instead. It counts no
reversible plies, and without the rule it would never end.
"""

from pathlib import Path

import pytest

import palabre
from palabre.core import registry
from palabre.core.game import Game
from palabre.core.verbs import is_over
from palabre.evaluation.names import evaluation
from palabre.evaluation.playout import PLAYOUT_PATIENCE, TO_THE_END, random_game, usual_lead
from palabre.play.game import OngoingGame
from palabre.search.clock import Clock
from palabre.search.engine import Engine
from palabre.search.mcts import Mcts
from palabre.search.perft import count_sequences
from palabre.search.simulation import MctsParameters
from tests import take_away
from tests.laws.zoo import PLAY, REPETITION, WAITING, edited, write
from tests.messages import refuses

pytestmark = pytest.mark.usefixtures("plain_python")
LONGEST = 20  # plies: more than any game here has


@pytest.fixture
def waiting(tmp_path: Path) -> Game:
    return palabre.game(write(tmp_path, edited(PLAY, WAITING + REPETITION)))


def end_of(game: Game, text: str) -> palabre.Position:
    """The end of the game in which the first move is always played."""
    position = game.position(text)
    for _ in range(LONGEST):
        if position.is_over:
            break
        position = position.play(position.moves()[0])
    assert position.is_over, "it goes on"
    return position


def test_a_position_ends_the_game_when_it_comes_up_again(waiting: Game) -> None:
    end = end_of(waiting, "1 1")
    assert (len(end.played), end.moves(), end.result, end.text) == (2, [], (0.0, 1.0), "0 1")
    assert waiting.position(end.text).is_over, "its text knows it, too"


def test_a_game_in_progress_ends_with_it(waiting: Game) -> None:
    game = OngoingGame(waiting.position("1 1"))
    for _ in range(2):
        game.play("1")
    assert game.is_over


def test_searches_and_playouts_see_the_same_end(waiting: Game) -> None:
    """With one stick left, both wait, and then whoever is to move again has lost."""
    position = waiting.position("1 1")
    assert Engine(waiting, evaluation(waiting, "score"), megabytes=1).think(position, Clock(depth=4)).value < 0
    assert (
        Mcts(waiting, evaluation(waiting, "score"), MctsParameters()).think(position, Clock(nodes=50)).proven_result
        == -1
    )
    assert count_sequences(position, 2) == 1
    assert count_sequences(position, 3) == 0


def test_a_playout_ends_though_nobody_counts_reversible_plies(waiting: Game) -> None:
    state = waiting.position("1 1").state
    end, plies, _ = random_game(state, 1, TO_THE_END)
    assert (is_over(end), plies) == (True, PLAYOUT_PATIENCE)
    assert usual_lead(state, evaluation(waiting, "score"), 1, 1) >= 0


def test_three_players_see_it_in_the_tree(tmp_path: Path) -> None:
    """A simulation that meets the repetition counts its result, though no win of the mover proves all shares."""
    ended = "State(0, (state.player + 1) % 3) if state.heap else state"
    waited = REPETITION.replace("* 2", "* 3").replace("State(0, state.player)", ended)
    text = take_away.for_three() + waited
    before = "return State(state.heap - move - 1, "
    assert before in text
    game = palabre.game(write(tmp_path, text.replace(before, "return State(max(1, state.heap - move - 1), ")))
    shares = (
        Mcts(game, evaluation(game, "score"), MctsParameters()).think(game.position("2 1"), Clock(nodes=200)).shares
    )
    assert end_of(game, "1 2").result == (0.0, 1.0, 0.0)
    assert shares is not None
    assert shares[1] > 0.95, "all but the first visits meet the end"


def test_a_key_without_an_ending_is_refused_at_load(tmp_path: Path) -> None:
    key = REPETITION.partition("@rule\ndef award")[0]
    with refuses("contract.no_ending"):
        palabre.game(write(tmp_path, edited("", key)))


def test_a_repeated_position_that_goes_on_is_refused_in_play(tmp_path: Path) -> None:
    text = edited(PLAY, WAITING + REPETITION.replace("State(0, state.player)", "state"))
    with refuses("contract.goes_on"):
        end_of(registry.game(write(tmp_path, text)), "1 1")
