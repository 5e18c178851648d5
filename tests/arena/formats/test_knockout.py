"""Knock-outs and pools: brackets, byes, best of N, lots."""

import itertools
import math
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palabre.arena.formats import read_format
from palabre.arena.formats.bracket import Tie
from palabre.arena.formats.knockout import Knockout
from palabre.arena.formats.pools import Pools
from palabre.arena.rows import Meeting, Outcome
from tests.arena.formats.players import names_of, results, rounds_of
from tests.sentences import tells


def drawn(meetings: Sequence[Meeting]) -> list[Outcome]:
    return [Outcome(meeting, lineup, (0.5, 0.5), (0, 0)) for meeting in meetings for lineup in meeting.lineups()]


def won(meetings: Sequence[Meeting], winners: Mapping[int, str] | str) -> list[Outcome]:
    """Both games of a meeting are won by this bot, which may depend on the number of the meeting."""
    played = []
    for meeting in meetings:
        winner = winners if isinstance(winners, str) else winners[meeting.repeat]
        for lineup in meeting.lineups():
            played.append(Outcome(meeting, lineup, tuple(float(bot == winner) for bot in lineup), (0, 0)))
    return played


def test_seeds_and_byes() -> None:
    """Six bots: the best two have byes, 3 meets 6 and 4 meets 5; then 1 meets the winner of 4 and 5."""
    knockout, names = Knockout(best_of=1), list("abcdef")
    first = knockout.next_round(names, [])
    assert {meeting.bots for meeting in first} == {("d", "e"), ("c", "f")}
    played = [game for meeting in first for game in won([meeting], meeting.bots[0])]
    second = knockout.next_round(names, played)
    assert {meeting.bots for meeting in second} == {("a", "d"), ("b", "c")}
    played += [game for meeting in second for game in won([meeting], meeting.bots[1])]
    final = knockout.next_round(names, played)
    assert [meeting.bots for meeting in final] == [("c", "d")]
    played += won(final, "d")
    assert knockout.next_round(names, played) == []
    assert knockout.places(names, played) == {"d": 1, "c": 2, "a": 3, "b": 3, "e": 5, "f": 5}
    assert [row.bot for row in knockout.table(names, played)][:2] == ["d", "c"]
    assert [tie.decided for tie in knockout.bracket(names, played)][:2] == ["bye", "meetings"]


def test_the_best_two_seeds_meet_in_the_final_only() -> None:
    for bots in range(2, 33):
        knockout, names = Knockout(best_of=1), names_of(bots)
        played: list[Outcome] = []
        while meetings := knockout.next_round(names, played):
            last = meetings
            played += [game for meeting in meetings for game in won([meeting], min(meeting.bots))]
        assert [meeting.bots for meeting in last] == [("b00", "b01")]


def test_best_of_five_ends_when_it_is_decided() -> None:
    """Three meetings first. After 2–1 one more can decide; after 2–2 the fifth does."""
    knockout, names = Knockout(best_of=5), ["a", "b"]
    first = knockout.next_round(names, [])
    assert [meeting.repeat for meeting in first] == [0, 1, 2]
    assert knockout.next_round(names, won(first, "b")) == []
    played = won(first, {0: "a", 1: "b", 2: "a"})
    second = knockout.next_round(names, played)
    assert [(meeting.round, meeting.repeat) for meeting in second] == [(1, 3)]
    assert knockout.next_round(names, played + won(second, "a")) == []
    played += won(second, "b")
    third = knockout.next_round(names, played)
    assert [meeting.repeat for meeting in third] == [4]
    played += won(third, "b")
    assert knockout.bracket(names, played) == [Tie(0, "a", "b", (2, 3), 5, "b", "meetings")]


def test_a_level_tie_has_extra_meetings_and_then_the_seed_decides() -> None:
    knockout, names = Knockout(best_of=1, extra=2), ["a", "b"]
    played = drawn(knockout.next_round(names, []))
    extra = knockout.next_round(names, played)
    assert [meeting.repeat for meeting in extra] == [1]
    after_extra = played + won(extra, "b")
    assert knockout.bracket(names, after_extra) == [Tie(0, "a", "b", (0.5, 1.5), 2, "b", "extra meetings")]
    [note] = knockout.notes(names, after_extra)
    assert tells(note, "format.through_extra", winner="b", stage=1, loser="a", meetings=2)
    played += drawn(extra)
    played += drawn(knockout.next_round(names, played))
    assert knockout.next_round(names, played) == []
    assert knockout.bracket(names, played) == [Tie(0, "a", "b", (1.5, 1.5), 3, "a", "seed")]
    [note] = knockout.notes(names, played)
    assert tells(note, "format.through_seed", winner="a", stage=1, loser="b", meetings=3)


@settings(max_examples=25)
@given(bots=st.integers(2, 20), best_of=st.integers(1, 4), extra=st.integers(0, 3), seed=st.integers(0, 10**6))
def test_any_knockout_has_a_champion(bots: int, best_of: int, extra: int, seed: int) -> None:
    knockout, names = Knockout(best_of=best_of, extra=extra), names_of(bots)
    games = results(list(itertools.chain(*rounds_of(knockout, names, seed))), seed)
    places = knockout.places(names, games)
    assert sorted(places) == names
    assert list(places.values()).count(1) == 1
    ties = [tie for tie in knockout.bracket(names, games) if tie.second is not None]
    assert len(ties) == bots - 1
    assert all(tie.winner is not None and tie.meetings <= best_of + extra for tie in ties)


@pytest.mark.parametrize("champion", range(9))
def test_every_bot_can_become_champion(champion: int) -> None:
    knockout, names = Knockout(), names_of(9)
    strengths = {name: 9.0 * (number == champion) for number, name in enumerate(names)}
    played: list[Outcome] = []
    while meetings := knockout.next_round(names, played):
        played += results(meetings, 0, strengths)
    assert knockout.table(names, played)[0].bot == names[champion]


def test_seeds_are_dealt_to_pools_forth_and_back() -> None:
    assert Pools(size=4).pools(list("abcdefgh")) == [["a", "d", "e", "h"], ["b", "c", "f", "g"]]
    assert [len(pool) for pool in Pools(size=4).pools(names_of(10))] == [3, 3, 4]


def test_pools_then_knockout() -> None:
    """Twelve bots in three pools of four; if the better seed always wins, two of each go on."""
    pools, names = Pools(), names_of(12)
    first = pools.next_round(names, [])
    assert len(first) == 3 * 6
    played = [game for meeting in first for game in won([meeting], min(meeting.bots))]
    assert pools.bracket(names, played[:-1]) == []
    seeds = pools.seeds(names, played)
    assert set(seeds) == {"b00", "b01", "b02", "b03", "b04", "b05"}
    assert seeds[:3] == ["b00", "b01", "b02"]
    second = pools.next_round(names, played)
    pool_of = {bot: number for number, pool in enumerate(pools.pools(names)) for bot in pool}
    assert len(second) == 4  # two ties of two meetings at first, and two byes
    assert all(pool_of[meeting.bots[0]] != pool_of[meeting.bots[1]] for meeting in second)
    assert min(meeting.repeat for meeting in second) == 1  # an opening that the pools did not have
    while meetings := pools.next_round(names, played):
        played += [game for meeting in meetings for game in won([meeting], min(meeting.bots))]
    table = pools.table(names, played)
    assert [row.bot for row in table][:2] == ["b00", "b01"]
    assert {row.bot for row in table[:6]} == set(seeds)


@settings(max_examples=25)
@given(bots=st.integers(4, 20), size=st.integers(3, 5), advance=st.integers(1, 2), seed=st.integers(0, 10**6))
def test_pools_go_to_the_end(bots: int, size: int, advance: int, seed: int) -> None:
    pools, names = Pools(size=size, advance=advance, best_of=1), names_of(bots)
    if len(pools.pools(names)) * advance < 2:
        return
    rounds = rounds_of(pools, names, seed)
    games = results(list(itertools.chain(*rounds)), seed)
    assert [row.rank for row in pools.table(names, games)].count(1) == 1
    going_on = pools.seeds(names, games)
    assert len(going_on) == sum(min(advance, len(pool)) for pool in pools.pools(names))
    # Two of a pool meet in the first stage only if there is one pool.
    pool_of = {bot: number for number, pool in enumerate(pools.pools(names)) for bot in pool}
    ties = [tie for tie in pools.bracket(names, games) if tie.stage == 0 and tie.second is not None]
    if len(pools.pools(names)) > 1:
        assert all(pool_of[tie.first] != pool_of[tie.second] for tie in ties if tie.second is not None)
    assert math.log2(len(pools.bracket(names, games)) + 1).is_integer()


def test_specs_make_these_formats() -> None:
    assert read_format("pools:size=3,advance=1,best_of=7") == Pools(size=3, advance=1, best_of=7)
    assert read_format("knockout:best_of=7,extra=1") == Knockout(best_of=7, extra=1)
