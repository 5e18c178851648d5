"""Points, tie-breaks, cross-tables and marks, by hand."""

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palabre.arena.marks import ByRank, ByThresholds, Condition, read_marks
from palabre.arena.rows import Meeting, Outcome
from palabre.arena.standings import CrossCell, Row, complete_meetings, cross_table, points_of_meeting, standings
from palabre.core.errors import PalabreError
from tests.messages import refuses

Result = float | tuple[int, ...]


def meet(
    bots: str, *results: Result, repeat: int = 0, forfeits: Sequence[int | None] = (), round: int = 0
) -> list[Outcome]:
    """A meeting of bots with names of one letter. A result is the share of the first of them in a game of two, or the
    scores of all, in the order of `bots`; the highest score wins."""
    meeting = Meeting(round, tuple(bots), repeat)
    played = []
    for number, (lineup, result) in enumerate(zip(meeting.lineups(), results, strict=False)):
        scores = result if isinstance(result, tuple) else (0, 0)
        if isinstance(result, tuple):
            best = [bot for bot, score in zip(bots, scores, strict=True) if score == max(scores)]
            shares = {bot: 1 / len(best) if bot in best else 0.0 for bot in bots}
        else:
            shares = dict(zip(bots, (result, 1 - result), strict=True))
        by_bot = dict(zip(bots, scores, strict=True))
        forfeit = forfeits[number] if forfeits else None
        played.append(
            Outcome(
                meeting, lineup, tuple(shares[bot] for bot in lineup), tuple(by_bot[bot] for bot in lineup), forfeit
            )
        )
    return played


def ranks(table: Sequence[Row]) -> dict[str, int | None]:
    return {row.bot: row.rank for row in table}


def test_only_whole_meetings_count() -> None:
    whole, half = meet("ab", 1, 0.5), meet("ac", 1)
    assert list(complete_meetings([*half, *whole])) == [Meeting(0, ("a", "b"), 0)]
    table = standings([*whole, *half], "abc")
    assert [(row.bot, row.points, row.games) for row in table] == [("a", 1.5, 2), ("b", 0.5, 2), ("c", 0, 0)]


def test_seeds_of_both_games_decide_a_meeting_of_the_course() -> None:
    """a wins one game 25–20 and loses the other 10–30: 35 to 50 seeds, so b has the three points."""
    lost = meet("ab", (25, 20), (10, 30))
    drawn = meet("ac", (25, 20), (15, 20))
    assert points_of_meeting(lost, "meetings") == {"a": 0, "b": 3}
    assert points_of_meeting(lost, "shares") == {"a": 1, "b": 1}
    assert points_of_meeting(drawn, "meetings") == {"a": 1, "c": 1}
    assert points_of_meeting(lost, "margin") == {"a": -15, "b": 15}
    assert points_of_meeting(lost, "wins") == {"a": 1, "b": 1}


def test_a_forfeit_loses_the_meeting_whatever_the_seeds() -> None:
    """b loses the first game 40–8, and a forfeits the second, in which a sits in seat 1."""
    played = meet("ab", (40, 8), (12, 13), forfeits=(None, 1))
    assert points_of_meeting(played, "meetings") == {"a": 0, "b": 3}
    assert points_of_meeting(played, "margin") == {"a": 32, "b": -32}
    assert standings(played, "ab")[0].forfeits + standings(played, "ab")[1].forfeits == 1


def test_both_failing_gives_nobody_a_point() -> None:
    failed = [game._replace(shares=(0.0, 0.0), forfeit=0) for game in meet("ab", (0, 0), (0, 0))]
    assert points_of_meeting(failed, "meetings") == {"a": 0, "b": 0}
    assert points_of_meeting(failed, "shares") == {"a": 0, "b": 0}
    assert cross_table(failed, "ab")["a", "b"] == CrossCell(0, 0, 2)


def test_three_players() -> None:
    played = meet("abc", (9, 5, 5), (7, 7, 1), (3, 6, 4))
    assert points_of_meeting(played, "shares") == {"a": 1.5, "b": 1.5, "c": 0}
    assert points_of_meeting(played, "meetings") == {"a": 3, "b": 0, "c": 0}  # 19, 18 and 10
    assert points_of_meeting(played, "margin") == {"a": 4 + 3 - 2, "b": -2 + 3 + 2.5, "c": -2 - 6 - 0.5}
    assert cross_table(played, "abc")["a", "b"] == CrossCell(1, 1, 1)
    assert cross_table(played, "abc")["b", "c"] == CrossCell(2, 1, 0)


def test_direct_encounter() -> None:
    """a and b have four points each; b beat a."""
    played = (
        meet("ab", 0, 0.5)
        + meet("ac", 1, 1)
        + meet("ad", 1, 0.5)
        + meet("bc", 1, 0.5)
        + meet("bd", 1, 0)
        + meet("cd", 0, 0)
    )
    table = standings(played, "abcd", tie_breaks=["direct"])
    assert [(row.bot, row.points) for row in table] == [("b", 4), ("a", 4), ("d", 3.5), ("c", 0.5)]
    assert [row.rank for row in table] == [1, 2, 3, 4]
    assert ByRank().give(table, played) == {"b": 5, "a": 5, "d": 2.33, "c": 1}, "tie-breaks decide ranks, not marks"
    assert [row.rank for row in standings(played, "abcd", tie_breaks=[])][:2] == [1, 1]


def test_sonneborn_berger_and_buchholz() -> None:
    """a beat c (0 points) and drew with b; d beat b and was beaten by nobody it met. By hand, points: a 3, b 1, c 0,
    d 2. Sonneborn–Berger of a: 0 · 1 + 1 · ½; Buchholz of a: 0 + 1."""
    played = meet("ac", 1, 1) + meet("ab", 1, 0) + meet("bd", 0, 0)
    rows = {
        row.bot: dict(row.tie_breaks) for row in standings(played, "abcd", tie_breaks=["sonneborn-berger", "buchholz"])
    }
    assert rows["a"] == {"sonneborn-berger": 0.5, "buchholz": 1}
    assert rows["d"] == {"sonneborn-berger": 1, "buchholz": 1}
    assert rows["b"] == {"sonneborn-berger": 1.5, "buchholz": 5}


def test_a_bye_is_a_meeting_won() -> None:
    played = meet("ab", 1, 0)
    assert {row.bot: row.points for row in standings(played, "abc", byes={"c": 1})} == {"a": 1, "b": 1, "c": 2}
    table = standings(played, "abc", byes={"c": 1}, points="meetings")
    assert {row.bot: (row.points, row.byes) for row in table} == {"a": (1, 0), "b": (1, 0), "c": (3, 1)}


def test_staff_plays_and_does_not_compete() -> None:
    played = meet("ab", 1, 0.5) + meet("as", 0, 0) + meet("bs", 1, 1)
    table = standings(played, "sab", staff=["s"])
    assert ranks(table) == {"a": 1, "b": 2, "s": None}
    assert [row.bot for row in table] == ["a", "b", "s"]
    assert [row.points for row in table] == [1.5, 0.5, 2]
    counted = standings(played, "sab", staff=["s"], against_staff=True)
    assert ranks(counted) == {"b": 1, "a": 2, "s": None}


def test_places_override_points() -> None:
    played = meet("ab", 1, 1)
    assert ranks(standings(played, "ab", places={"b": 1, "a": 2})) == {"b": 1, "a": 2}


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=12, max_size=12))
def test_the_points_are_as_many_as_the_games(results: list[float]) -> None:
    pairs = zip(itertools.combinations("abcd", 2), zip(results[::2], results[1::2], strict=True), strict=True)
    played = [game for (one, other), two in pairs for game in meet(one + other, *two)]
    table = standings(played, "abcd")
    assert sum(row.points for row in table) == len(played)
    assert sorted(row.rank or 0 for row in table) == [row.rank for row in table]
    cells = cross_table(played, "abcd")
    for row in table:
        assert row.wins == sum(cell.wins for (bot, _), cell in cells.items() if bot == row.bot)
        assert row.points == row.wins + row.draws / 2


def test_marks_by_rank() -> None:
    played = (
        meet("ab", 1, 1) + meet("ac", 1, 1) + meet("bc", 1, 1) + meet("ad", 1, 1) + meet("bd", 1, 1) + meet("cd", 1, 1)
    )
    table = standings(played, "abcd")
    assert read_marks("rank").give(table, played, ["x"]) == {"a": 5, "b": 3.67, "c": 2.33, "d": 1, "x": 0}
    assert read_marks("rank:6,20").give(table, played) == {"a": 20, "b": 15.33, "c": 10.67, "d": 6}
    assert ByRank().give(standings([], "a"), []) == {"a": 5}


def test_equal_bots_get_equal_marks() -> None:
    played = meet("ab", 1, 0) + meet("ac", 1, 1) + meet("bc", 1, 1)
    assert ByRank().give(standings(played, "abc"), played) == {"a": 5, "b": 5, "c": 1}


def test_marks_by_thresholds() -> None:
    played = (
        meet("ae", 1, 0.5)
        + meet("ah", 0, 0)
        + meet("be", 0, 0)
        + meet("bh", 0, 0)
        + meet("ce", 1, 1)
        + meet("ch", 1, 0)
    )
    table = standings(played, "abceh", staff="eh")
    marks = read_marks("vs e>=0.5:2, e>=0.9:3, h>=0.5:5, else:1")
    assert marks == ByThresholds((Condition("e", 0.5, 2), Condition("e", 0.9, 3), Condition("h", 0.5, 5)), 1)
    assert marks.give(table, played, ["x"]) == {"c": 5, "a": 2, "b": 1, "x": 0}
    with refuses("marks.stranger", bot="z"):
        read_marks("vs z>=0.5:2").give(table, played)


@pytest.mark.parametrize(
    "spec", ["", "ranks", "rank:5", "rank:5,1", "rank:a,b", "vs a", "vs a>=2:1", "vs else:1", "vs a>=.:1"]
)
def test_bad_marks_are_refused(spec: str) -> None:
    with pytest.raises(PalabreError, match="marks"):
        read_marks(spec)
