"""Matches: pairs from both seats, openings that are legal and seeded, results that repeat, hostile bots that lose."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import palabre
from palabre.arena.match import Match, play_match
from palabre.arena.openings import OPENING_PLIES, random_opening
from palabre.arena.result import MatchResult, Side
from palabre.arena.rows import GameRow
from palabre.search.clock import Clock
from tests import take_away
from tests.command import PATIENCE
from tests.messages import refuses
from tests.specs import all_games

AWELE = palabre.game("awele")
HOSTILE = """\
from palabre.bots import Bot
class MyBot(Bot):
    def choose(self, position, clock):
        {body}
"""


def timeless(result: MatchResult) -> MatchResult:
    """A result without what depends on the machine."""

    def side(which: Side) -> Side:
        return replace(which, seconds_per_move=None, slowest_move=None)

    return replace(result, first=side(result.first), second=side(result.second))


def moves(rows: Iterable[GameRow]) -> list[tuple[str, ...]]:
    return [row.moves for row in rows]


def play(first: str, second: str, game: Any, games: int, **options: Any) -> list[GameRow]:
    """The games of a match, played in this process."""
    with Match([first, second], game, games, **options) as match:
        return list(match.play())


def write(folder: Path, body: str) -> str:
    (folder / "mybot.py").write_text(HOSTILE.format(body=body), encoding="utf-8")
    return str(folder / "mybot.py")


def test_games_come_in_pairs_from_the_same_opening_with_seats_exchanged() -> None:
    with Match(["greedy", "idiot:seed=3"], AWELE, 20, seed=5) as match:
        played = [match.record(row) for row in match.play()]
    assert len(played) == 20
    openings = set()
    for one, other in zip(played[0::2], played[1::2], strict=True):
        assert one.moves[:OPENING_PLIES] == other.moves[:OPENING_PLIES]
        assert (one.tags["Player1"], one.tags["Player2"]) == ("greedy", "idiot:seed=3")
        assert (other.tags["Player1"], other.tags["Player2"]) == ("idiot:seed=3", "greedy")
        openings.add(one.moves[:OPENING_PLIES])
    assert len(openings) == 10
    assert [record.tags["Round"] for record in played] == [str(number) for number in range(1, 21)]


def test_a_random_board_is_the_same_for_both_games_of_a_pair() -> None:
    starts = [row.start for row in play("idiot", "idiot", palabre.game("penguins"), 6)]
    assert starts[0::2] == starts[1::2]
    assert len(set(starts)) == 3


def test_the_same_seed_gives_the_same_match() -> None:
    def played(seed: int) -> tuple[list[tuple[str, ...]], MatchResult]:
        with Match(["idiot", "alphabeta:depth=2"], AWELE, 6, seed=seed) as match:
            return moves(match.play()), timeless(match.result())

    assert played(1) == played(1)
    assert played(1) != played(2)


def test_what_has_been_played_is_not_played_again() -> None:
    with Match(["idiot", "idiot"], AWELE, 4, seed=9) as match:
        first = next(match.play())
        rest = list(match.play())
        assert [match.number(row) for row in rest] == [2, 3, 4]
        assert match.rows() == [first, *rest]
        assert list(match.play()) == []


def test_bots_have_other_luck_in_every_game() -> None:
    """Two idiots from the same opening do not play the same game twice."""
    played = moves(play("idiot", "idiot", AWELE, 20))
    assert len(set(played)) == 20


def test_bots_are_asked_to_learn_once_before_the_first_game(tmp_path: Path) -> None:
    path = tmp_path / "mybot.py"
    path.write_text(
        "from palabre.bots import Bot\n"
        "class MyBot(Bot):\n"
        "    lessons = 0\n"
        "    def learn(self, data, budget):\n"
        "        assert len(data) == 0 and budget > 0\n"
        "        self.lessons += 1\n"
        "    def start(self, game, seat):\n"
        "        assert self.lessons == 1 and game.spec == 'awele'\n"
        "        self.seat = seat\n"
        "    def choose(self, position, clock):\n"
        "        assert self.seat == position.to_move\n"
        "        return position.moves()[0]\n"
    )
    result = play_match(str(path), str(path), AWELE, 4)
    assert (result.first.forfeits, result.second.forfeits) == (0, 0)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("raise KeyError('x')", "error: KeyError"),
        ("return 'Z'", "illegal move"),
        ("return None", "no move"),
        ("pass", "no move"),
        ("return position.play(position.moves()[0]).moves()[0]", "illegal move"),
        ("position.state = None; return position.moves()[0]", "error: "),
        ("import time; time.sleep(0.3); return position.moves()[0]", "time: "),
    ],
)
def test_a_hostile_bot_loses_every_game(body: str, reason: str, tmp_path: Path) -> None:
    """A move of the next position is a pit of the other side, which a text in the other case may name: `avalam` has
    no such cases, so the game here is that."""
    clocks = Clock(per_move=0.1 if reason == "time: " else PATIENCE), Clock(per_move=PATIENCE)
    with Match([write(tmp_path, body), "idiot"], palabre.game("avalam"), 4, clocks=clocks) as match:
        played = list(match.play())
        result = match.result()
    assert (result.wins, result.losses, result.first.forfeits, result.score, result.lead) == (0, 0, 4, 0.0, None)
    assert all(reason in row.ending for row in played)


def test_a_bot_that_fails_now_and_then_loses_those_games(tmp_path: Path) -> None:
    path = write(tmp_path, "return 'Z' if self.roll(40) == 0 else self.pick(position.moves())")
    result = play_match(path, "idiot", AWELE, 40)
    assert 0 < result.first.forfeits < 40
    assert result.second.forfeits == 0
    assert result.wins + result.draws + result.losses + result.first.forfeits == 40
    assert result.score == (result.wins + result.draws / 2) / 40


def test_looking_three_plies_ahead_beats_an_idiot() -> None:
    result = play_match("alphabeta:depth=3", "idiot", AWELE, 20)
    assert result.score >= 0.9
    assert result.elo_95[0] > 0
    assert result.lead is not None
    assert result.lead > 10


def test_greedy_beats_an_idiot() -> None:
    result = play_match("greedy", "idiot", AWELE, 100)
    assert result.score_95[0] > 0.8
    assert play_match("idiot", "greedy", AWELE, 100).score_95[1] < 0.2


def test_a_bot_is_as_good_as_itself() -> None:
    """Over 200 games the error bar is about five per cent; three of them would be an accident in four hundred."""
    result = play_match("idiot", "idiot", AWELE, 200)
    assert result.standard_error is not None
    assert abs(result.score - 0.5) < 3 * result.standard_error


def test_in_the_school_rule_of_avalam_player_1_never_loses() -> None:
    for row in play("greedy", "idiot", palabre.game("avalam"), 10):
        assert row.shares[0] >= 0.5, row


def test_the_limits_reach_the_bots(tmp_path: Path) -> None:
    path = write(tmp_path, "assert clock.per_move == 301.5 and clock.remaining is None; return position.moves()[0]")
    assert play_match(path, path, AWELE, 2, clock=Clock(per_move=301.5)).first.forfeits == 0


@pytest.mark.processes
@pytest.mark.parametrize("clock", [Clock(per_move=PATIENCE), Clock(remaining=PATIENCE)])
def test_no_timed_game_is_played_beside_those_of_the_workers(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palabre.arena.games.ThreadCrew", lambda *given: pytest.fail("this process plays"))
    with Match(["greedy", "random"], AWELE, 2, clocks=clock) as match:
        assert len(list(match.play(workers=1, in_thread=True))) == 2


@pytest.mark.parametrize("games", [-2, 0, 1, 7])
def test_games_that_make_no_pairs_are_refused(games: int) -> None:
    with refuses("match.no_pairs", games=games, better=max(2, games + 1)):
        Match(["idiot", "idiot"], AWELE, games)


def test_a_result_of_two_needs_a_board_for_two() -> None:
    with refuses("pairing.not_for_two", game="penguins:players=3", players=3):
        play_match("idiot", "idiot", palabre.game("penguins:players=3"), 3)


def test_a_bot_that_cannot_learn_plays_no_game(tmp_path: Path) -> None:
    path = tmp_path / "dull.py"
    path.write_text(HOSTILE.format(body="return 'A'") + "    def learn(self, data, budget):\n        data[0]\n")
    with refuses("lesson.failed", bot=str(path)) as caught:
        play("idiot", str(path), AWELE, 2)
    why = str(caught.value)
    assert "IndexError" in why
    assert "dull.py, line 6" in why


# -------------------------------------------------------------------------------------------------------- openings


def test_random_openings_are_those_of_a_match_that_does_not_balance_them() -> None:
    with Match(["random", "random"], AWELE, 8, seed=5, balanced=False) as match:
        played = [match.record(row) for row in match.play()]
    drawn = palabre.random_openings("awele", 4, seed=5)
    assert [one.played for one in drawn] == [record.positions()[OPENING_PLIES].played for record in played[::2]]
    assert palabre.random_openings(AWELE, 2, seed=5, first=2) == drawn[2:]
    assert [one.ply for one in palabre.random_openings(AWELE, 1, plies=7)] == [7]
    with refuses("given.count", name="count"):
        palabre.random_openings("awele", 0)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: str(game.spec))
def test_an_opening_is_legal_seeded_and_does_not_end_the_game(game: Any) -> None:
    start = game.start(1)
    opening = random_opening(start, OPENING_PLIES, 7)
    assert opening == random_opening(start, OPENING_PLIES, 7)
    position = start
    for move in opening:
        position = position.play(move)
        assert not position.is_over
    assert len(opening) <= OPENING_PLIES


def test_an_opening_is_shorter_where_every_move_ends_the_game() -> None:
    assert random_opening(palabre.game("abalone:turns=1").start(), 4, 1) == []
    assert len(random_opening(palabre.game("abalone:turns=3").start(), 4, 1)) == 2
    heap = palabre.game(f"{take_away.__file__}:heap=3").start()
    assert {tuple(random_opening(heap, 4, seed)) for seed in range(50)} == {("1", "1"), ("2",)}
    over = AWELE.position("1,1,1,1,1,1/0,0,0,0,0,0 36,6 1 0")
    assert random_opening(over, 4, 1) == []


def test_every_move_can_be_an_opening() -> None:
    firsts = [random_opening(AWELE.start(), 1, seed)[0] for seed in range(600)]
    assert all(60 < firsts.count(move) < 140 for move in "ABCDEF")


def test_the_shortest_game_is_a_match_too() -> None:
    result = play_match("idiot", "idiot", palabre.game("abalone:turns=1"), 2)
    assert result.games == 2
