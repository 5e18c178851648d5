"""Balanced openings: even ones are chosen, the draw ends, and the same seed gives the same ones."""

import json
from pathlib import Path

import pytest

import palabre
from palabre.arena.balance import CANDIDATES, FAR, Judge, draw_balanced
from palabre.arena.match import Match
from palabre.arena.openings import draw_openings, play_opening
from palabre.core.position import Position


class Shares(Judge):
    """A judge who says of each position what a test wants to hear."""

    def __init__(self, game: palabre.Game, said: list[float]) -> None:
        super().__init__(game)
        self.said = iter(said)

    def shares(self, position: Position) -> tuple[float, ...]:
        first = next(self.said)
        return first, 1 - first


def candidates(number: int) -> Position:
    return palabre.game("awele").start()


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is judged in a test is remembered for this test alone; the compiled code stays where it is."""
    monkeypatch.setattr("palabre.arena.balance.remembered_in", lambda: tmp_path)


def test_the_first_even_candidate_is_taken() -> None:
    game = palabre.game("awele")
    found = draw_balanced(candidates, Shares(game, [0.9, 0.2, 0.55, 0.5]))
    assert found.candidates == 3
    assert found.shares[0] == 0.55
    assert found.is_even


def test_the_draw_ends_with_the_most_even_one() -> None:
    game = palabre.game("awele")
    said = [0.9] * CANDIDATES
    said[7] = 0.75
    found = draw_balanced(candidates, Shares(game, said))
    assert found.candidates == CANDIDATES
    assert found.shares[0] == 0.75
    assert not found.is_even


@pytest.mark.parametrize("spec", ["awele", "penguins"])
def test_openings_of_two_players_are_balanced(spec: str) -> None:
    game = palabre.game(spec)
    found = draw_openings(game, 6, 4, seed=5, judge=Judge(game))
    again = draw_openings(game, 3, 4, seed=5, first=3, judge=Judge(game))
    assert again == found[3:], "an opening depends on the seed and its number alone"
    for one in found:
        assert one.value is not None
        assert abs(one.value - 0.5) <= FAR or "the most even of" in one.source
        assert len(one.moves) == 4
        fresh = Judge(game)
        assert fresh.shares(play_opening(game, one))[0] == one.value, "whatever was judged before"


def test_three_players_are_judged_by_their_shares() -> None:
    game = palabre.game("penguins:players=3")
    judge = Judge(game)
    shares = judge.shares(game.start(1))
    assert judge.name == "mcts"
    assert sum(shares) == pytest.approx(1, abs=0.001)


def test_what_was_judged_is_remembered(tmp_path: Path) -> None:
    game = palabre.game("awele")
    judge = Judge(game)
    shares = judge.shares(game.start())
    judge.save()
    [file] = tmp_path.glob("*.json")
    assert json.loads(file.read_text(encoding="utf-8")) == {game.start().text: list(shares)}
    file.write_text("{damaged", encoding="utf-8")
    assert Judge(game).shares(game.start()) == shares


def test_a_match_says_how_its_openings_were_drawn() -> None:
    game = palabre.game("awele")
    for balanced in (True, False):
        with Match(("random", "greedy"), game, 4, seed=3, balanced=balanced) as match:
            list(match.play())
            used = match.store.openings()[:2]
            assert [one.value is not None for one in used] == [balanced, balanced]
            assert all(row.opening == 4 for row in match.rows())
