"""Cross-validation by games."""

import pytest

import palabre
from palabre.arena.result import student_95
from palabre.bots.bot import Bot
from palabre.bots.specs import bot
from palabre.core.observations import from_cells
from palabre.core.position import Position
from palabre.learn.crossvalidation import Hits, count_hits, folds, move_hits
from tests.core.test_observations import won_games

AWELE = palabre.game("awele")
OBSERVATIONS = from_cells(AWELE, [row.cells for rows in won_games(AWELE, 4) for row in rows])


def test_a_game_is_left_out_as_a_whole() -> None:
    found = list(folds(OBSERVATIONS))
    assert len(found) == 4
    for lesson, questions in found:
        [game] = {one.game for one in questions}
        assert game not in {one.game for one in lesson}
        assert not {one.cells[:-2] for one in lesson} & {one.cells[:-2] for one in questions}
    asked = sum(len(questions) for _, questions in found)
    assert asked < len(OBSERVATIONS)  # all games begin with the same position, which nobody is asked about


def test_who_knows_the_row_by_heart_is_not_helped() -> None:
    class Parrot(Bot):
        """Plays what was played in the same position, or else the first legal move."""

        def learn(self, data: object, budget: float) -> None:
            self.known = {one.cells[:-2]: one.move.code for one in data}  # type: ignore[attr-defined]

        def score_moves(self, position: Position) -> list[float]:
            state = position.state
            cells = tuple(str(word >> 8 * pit & 0xFF) for word in (state.own, state.other) for pit in range(6))
            wanted = self.known.get(cells, position.moves()[0].code)
            return [float(move.code == wanted) for move in position.moves()]

    class First(Bot):
        def score_moves(self, position: Position) -> list[float]:
            return [-move.code for move in position.moves()]

    assert move_hits(Parrot, OBSERVATIONS) == move_hits(First, OBSERVATIONS)


def test_a_learner_is_asked_about_games_that_it_does_not_know() -> None:
    hits = move_hits(lambda: bot("learner:model=bayes,aim=imitate", AWELE), OBSERVATIONS)
    assert len(hits.asked) == 4
    assert 0 < hits.share < 1
    low, high = hits.interval
    assert low <= hits.share <= high


def test_the_interval_is_that_of_a_ratio_over_games() -> None:
    hits = count_hits([[1, 1, 0, 0], [], [1, 0], [1, 1, 1]])
    assert hits == Hits((2.0, 1.0, 3.0), (4, 2, 3))
    assert hits.share == pytest.approx(6 / 9)
    residuals = [2 - 4 * 6 / 9, 1 - 2 * 6 / 9, 3 - 3 * 6 / 9]
    error = (3 / 2 * sum(one**2 for one in residuals)) ** 0.5 / 9
    low, _ = hits.interval
    assert low == pytest.approx(max(0.0, 6 / 9 - student_95(2) * error))
    assert Hits((1.0,), (2,)).interval == (0.0, 1.0)
