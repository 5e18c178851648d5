"""Swiss events: pairs by points, byes, no rematch."""

import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palabre.arena.formats import read_format
from palabre.arena.rows import Meeting, Outcome
from tests.arena.formats.players import names_of, results, rounds_of


def decided(meetings: list[Meeting], order: str) -> list[Outcome]:
    """All games are won by the bot that stands first in the order."""
    return [
        Outcome(meeting, lineup, tuple(float(bot == min(lineup, key=order.index)) for bot in lineup), (0, 0))
        for meeting in meetings
        for lineup in meeting.lineups()
    ]


def test_the_first_rounds_of_the_dutch_system() -> None:
    """Round 1: the upper half meets the lower half in order. If all favourites win, round 2 does the same with the
    winners, and with the losers."""
    swiss, names = read_format("swiss:rounds=3"), list("abcdefgh")
    first = swiss.next_round(names, [])
    assert {meeting.bots for meeting in first} == {("a", "e"), ("b", "f"), ("c", "g"), ("d", "h")}
    played = decided(first, "abcdefgh")
    second = swiss.next_round(names, played)
    assert {meeting.bots for meeting in second} == {("a", "c"), ("b", "d"), ("e", "g"), ("f", "h")}
    played += decided(second, "abcdefgh")
    third = swiss.next_round(names, played)
    assert ("a", "b") in {meeting.bots for meeting in third}
    assert {meeting.round for meeting in third} == {meeting.repeat for meeting in third} == {2}
    table = swiss.table(names, played + decided(third, "abcdefgh"))
    assert [(row.bot, row.points) for row in table[:2]] == [("a", 6), ("b", 4)]


def test_three_quarters_of_a_meeting_count() -> None:
    """a and b won both games, c and d one and a half: a meets b, although all four have won their meetings."""
    swiss, names = read_format("swiss:rounds=3"), list("abcdefgh")
    first = swiss.next_round(names, [])
    played = decided(first, "abcdefgh")
    drawn = [("g", "c"), ("h", "d")]
    played = [game._replace(shares=(0.5, 0.5)) if game.bots in drawn else game for game in played]
    second = {meeting.bots for meeting in swiss.next_round(names, played)}
    assert second == {("a", "b"), ("c", "d"), ("g", "h"), ("e", "f")}


def test_a_bye_pairs_like_a_meeting_won() -> None:
    """b won both games and e had the bye, so they meet; a and c won one game each."""
    swiss, names = read_format("swiss:rounds=3"), list("abcde")
    first = swiss.next_round(names, [])
    assert {meeting.bots for meeting in first} == {("a", "c"), ("b", "d")}
    drawn = [("a", "c"), ("c", "a")]
    played = [game._replace(shares=(0.5, 0.5)) if game.bots in drawn else game for game in decided(first, "abcde")]
    assert ("b", "e") in {meeting.bots for meeting in swiss.next_round(names, played)}


@settings(max_examples=25)
@given(bots=st.integers(3, 15), seed=st.integers(0, 10**6))
def test_byes_are_fair_and_nobody_meets_again(bots: int, seed: int) -> None:
    swiss, names = read_format("swiss"), names_of(bots)
    rounds = rounds_of(swiss, names, seed)
    pairs = [meeting.bots for drawn in rounds for meeting in drawn]
    assert len(set(pairs)) == len(pairs)
    games = results(list(itertools.chain(*rounds)), seed)
    byes = swiss.byes(names, games)
    assert sum(byes.values()) == (len(rounds) if bots % 2 else 0)
    assert max(byes.values(), default=0) <= 1
    playing = Counter(bot for pair in pairs for bot in pair)
    assert all(playing[name] + byes.get(name, 0) == len(rounds) for name in names)
    table = swiss.table(names, games)
    assert sum(row.points for row in table) == len(games) + 2 * sum(byes.values())


@pytest.mark.parametrize(("bots", "rounds", "expected"), [(8, 0, 5), (60, 0, 8), (4, 9, 3), (5, 9, 5), (2, 0, 1)])
def test_how_many_rounds(bots: int, rounds: int, expected: int) -> None:
    """By default two more than a knock-out needs, and never more than there are opponents, or byes."""
    swiss = read_format(f"swiss:rounds={rounds}")
    assert swiss.rounds_for(names_of(bots)) == expected  # type: ignore[attr-defined]


def test_an_event_ends_where_no_round_can_be_drawn() -> None:
    """Of six bots two groups of three are left, in which nobody has met: there is no pairing for all."""
    swiss, names = read_format("swiss:rounds=5"), list("abcdef")
    rounds = [["ad", "be", "cf"], ["ae", "bf", "cd"], ["af", "bd", "ce"]]
    played = [
        game
        for number, pairs in enumerate(rounds)
        for game in decided([Meeting(number, tuple(pair), number) for pair in pairs], "abcdef")
    ]
    assert swiss.draw(names, played, 3) == []
    assert swiss.count_meetings(names) == (9, 15)


def test_repeats_play_the_same_pairs_from_other_openings() -> None:
    swiss, names = read_format("swiss:rounds=2,repeats=3"), names_of(4)
    rounds = rounds_of(swiss, names)
    assert [sorted(meeting.repeat for meeting in drawn) for drawn in rounds] == [[0, 0, 1, 1, 2, 2], [3, 3, 4, 4, 5, 5]]
    assert all(count == 3 for drawn in rounds for count in Counter(meeting.bots for meeting in drawn).values())


def test_the_best_bot_wins_a_large_event() -> None:
    swiss, names = read_format("swiss:repeats=3"), names_of(40)
    strengths = {name: 1.0 * -number for number, name in enumerate(names)}
    played: list[Outcome] = []
    while meetings := swiss.next_round(names, played):
        played += results(meetings, 1, strengths)
    assert [row.bot for row in swiss.table(names, played)][:2] == ["b00", "b01"]
