"""Move ordering: what the history remembers of quiet moves, in plain Python."""

import pytest

import palabre
from palabre.core.verbs import legal_moves, move_buffer
from palabre.search.engine_parameters import EngineParameters
from palabre.search.ordering import code_of, is_quiet, pick_best, score_moves, update_history
from palabre.search.worker import CODES, HISTORY, NO_MOVE, new_worker

pytestmark = pytest.mark.usefixtures("plain_python")


def test_the_move_that_cut_off_is_rewarded_and_those_tried_before_it_are_punished() -> None:
    game = palabre.game("awele")
    state = game.start().state
    worker = new_worker(game, 1, 0, EngineParameters())
    moves = move_buffer(state)
    count = legal_moves(state, moves)
    score_moves(state, moves, count, NO_MOVE, worker)
    assert all(is_quiet(scored) for scored in moves[:count])
    codes = [code_of(scored) for scored in moves[:count]]

    update_history(state, moves, 2, 3, worker)
    remembered = [worker[HISTORY + code] for code in codes]
    assert remembered[0] == remembered[1] == -remembered[2] < 0
    assert remembered[3:] == [0, 0, 0]
    assert not any(worker[HISTORY + worker[CODES] : HISTORY + 2 * worker[CODES]]), "the opponent's moves are others"

    count = legal_moves(state, moves)
    score_moves(state, moves, count, NO_MOVE, worker)
    ordered = [code_of(pick_best(moves, place, count)) for place in range(count)]
    assert ordered[0] == codes[2]
    assert set(ordered[-2:]) == set(codes[:2])
