"""Adaptive events: they play where it is unsure, and stop when it is sure."""

import itertools
from collections import Counter

import pytest

from palabre.arena.formats.adaptive import Adaptive
from palabre.arena.formats.roundrobin import RoundRobin
from palabre.arena.ratings import rate
from palabre.arena.rows import Outcome
from tests.arena.formats.players import names_of, results


def play(format: Adaptive, strengths: dict[str, float], seed: int = 0) -> list[Outcome]:
    names, played = list(strengths), list[Outcome]()
    while meetings := format.next_round(names, played):
        played += results(meetings, seed, strengths)
    return played


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("bots", [4, 5, 9, 16])
def test_the_first_batch_connects_all(bots: int, players: int) -> None:
    names = names_of(bots)
    first = Adaptive(players=players).next_round(names, [])
    assert len(rate(results(first), names).groups) == 1
    assert all(len(set(meeting.bots)) == players for meeting in first)


def test_it_stops_when_the_order_is_sure() -> None:
    """Bots far apart need little; the same bots with all meetings allowed do not use them up."""
    far = {name: -1.5 * number for number, name in enumerate(names_of(5))}
    played = play(Adaptive(meetings=2000), far)
    assert len(played) // 2 < 400
    ratings = rate(played)
    assert [rating.bot for rating in ratings.bots] == list(far)
    assert all(ratings.los(one, other) >= 0.95 for one, other in itertools.pairwise(far))


def test_it_plays_where_it_is_unsure() -> None:
    """The last two are nearly equal, so they meet more often than the others."""
    strengths = {"b00": 4.0, "b01": 2.0, "b02": 0.05, "b03": 0.0}
    met = Counter(game.meeting.bots for game in play(Adaptive(batch=4, meetings=100), strengths))
    assert met.most_common(1)[0][0] == ("b02", "b03")
    assert met["b02", "b03"] > sum(met.values()) / 2


def test_equal_bots_use_up_the_meetings_and_no_more() -> None:
    equal = dict.fromkeys(names_of(4), 0.0)
    format = Adaptive(batch=7, meetings=50, level=0.9999)
    played = play(format, equal)
    assert len(played) == 2 * 50
    assert format.count_meetings(list(equal)) == (6, 50)


def test_it_orders_bots_better_than_a_round_robin_of_as_many_meetings() -> None:
    """Twelve bots, evenly apart. The error of an order is by how many places the bots are off."""
    strengths = {name: -0.4 * number for number, name in enumerate(names_of(12))}
    round_robin = RoundRobin(repeats=2)

    def error(played: list[Outcome]) -> int:
        return sum(abs(place - int(rating.bot[1:])) for place, rating in enumerate(rate(played).bots))

    errors = Counter[str]()
    for seed in range(8):
        all_meetings = round_robin.next_round(list(strengths), [])
        errors["round-robin"] += error(results(all_meetings, seed, strengths))
        errors["adaptive"] += error(play(Adaptive(batch=12, meetings=len(all_meetings)), strengths, seed))
    assert errors["adaptive"] < errors["round-robin"]


def test_the_table_is_by_rating() -> None:
    """The bots have played unequally often; whoever has the most points need not be the best."""
    strengths = {"b00": 4.0, "b01": 2.0, "b02": 0.05, "b03": 0.0}
    format = Adaptive(batch=4, meetings=100)
    played = play(format, strengths)
    table = format.table(list(strengths), played)
    assert [row.bot for row in table] == [rating.bot for rating in rate(played).bots]
    assert table[0].points < max(row.points for row in table)


@pytest.mark.parametrize("players", [3, 4])
def test_boards_of_many(players: int) -> None:
    format = Adaptive(players=players, batch=4, meetings=30)
    strengths = {name: -0.8 * number for number, name in enumerate(names_of(6))}
    played = play(format, strengths)
    assert all(len(game.bots) == players for game in played)
    assert len(played) // players <= 30
    assert rate(played).bots[0].bot in ("b00", "b01")
