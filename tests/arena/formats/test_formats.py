"""What holds for every format, and the formats whose meetings depend on no result."""

import itertools
import math
import random
import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palabre.arena.formats import FORMATS, read_format
from palabre.arena.rows import Meeting
from palabre.core.errors import PalabreError
from tests.arena.formats.players import names_of, results, rounds_of
from tests.messages import refuses

SPECS = [
    "round-robin",
    "round-robin:repeats=3",
    "gauntlet:bots=b00+b02",
    "swiss",
    "swiss:rounds=3,repeats=2",
    "knockout",
    "knockout:best_of=1,extra=0",
    "pools:size=3,advance=1",
    "pools:size=5,best_of=5",
    "adaptive:batch=4,meetings=40",
    "course:repeats=4",
]


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=12)
@given(bots=st.integers(4, 11), seed=st.integers(0, 10**6), cut=st.floats(0, 1))
def test_laws(spec: str, bots: int, seed: int, cut: float) -> None:
    format, names = read_format(spec), names_of(bots)
    rounds = rounds_of(format, names, seed)
    meetings = list(itertools.chain(*rounds))
    # Nobody meets itself, no meeting is drawn twice, and the same bots never have one opening twice.
    assert all(len(set(meeting.bots)) == 2 and set(meeting.bots) <= set(names) for meeting in meetings)
    assert len({(meeting.bots, meeting.repeat) for meeting in meetings}) == len(meetings)
    # The number of meetings is what was said before.
    least, most = format.count_meetings(names)
    assert least <= len(meetings) <= most
    # Rounds are numbered in order.
    numbers = [meeting.round for meeting in meetings]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(max(numbers) + 1))
    # All are in the table, and somebody is first.
    games = results(meetings, seed)
    table = format.table(names, games)
    assert sorted(row.bot for row in table) == names
    assert table[0].rank == 1
    # Interrupted anywhere, also between the games of a meeting, the event goes on with what is missing, in any order.
    done = games[: int(cut * len(games))]
    random.Random(seed).shuffle(done)
    missing = format.next_round(names, done)
    complete = {meeting for meeting, count in Counter(game.meeting for game in done).items() if count == 2}
    assert not complete & set(missing)
    assert set(missing) <= set(meetings)
    if len(complete) < len(meetings):
        first_open = next(number for number, drawn in enumerate(rounds) if not set(drawn) <= complete)
        assert set(missing) == set(rounds[first_open]) - complete
    else:
        assert missing == []


@pytest.mark.parametrize("spec", ["swiss", "knockout:best_of=1,extra=0"])
@given(bots=st.integers(4, 14), seed=st.integers(0, 10**6))
@settings(max_examples=12)
def test_nobody_plays_twice_in_a_round(spec: str, bots: int, seed: int) -> None:
    for drawn in rounds_of(read_format(spec), names_of(bots), seed):
        playing = [bot for meeting in drawn for bot in meeting.bots]
        assert len(playing) == len(set(playing))


@given(bots=st.integers(2, 12), repeats=st.integers(1, 3), players=st.integers(2, 4))
@settings(max_examples=30)
def test_everybody_meets_everybody(bots: int, repeats: int, players: int) -> None:
    format, names = read_format(f"round-robin:repeats={repeats}", players=players), names_of(bots)
    if bots < players:
        with pytest.raises(PalabreError, match="needs at least"):
            format.next_round(names, [])
        return
    meetings = format.next_round(names, [])
    met = Counter(tuple(sorted(meeting.bots)) for meeting in meetings)
    assert met == dict.fromkeys(itertools.combinations(names, players), repeats)
    assert {meeting.repeat for meeting in meetings} == set(range(repeats))
    assert len(meetings) == math.comb(bots, players) * repeats


@pytest.mark.parametrize("spec", ["round-robin:repeats=2", "course:repeats=2", "gauntlet:bots=b00+b02"])
def test_a_new_bot_changes_no_other_bots_meetings(spec: str) -> None:
    format, names = read_format(spec), names_of(6)
    before = format.next_round(names, [])
    for more in ([*names, "zz"], ["aa", *names], list(reversed(names))):
        assert set(before) <= set(format.next_round(more, []))
    missing = format.next_round([*names, "zz"], results(before))
    assert missing
    assert all("zz" in meeting.bots for meeting in missing)


@given(bots=st.integers(4, 30))
def test_all_play_about_as_much_at_any_time(bots: int) -> None:
    """An event that ends early is fair: after any number of meetings nobody is far ahead of the others."""
    count = Counter(dict.fromkeys(names_of(bots), 0))
    for meeting in read_format("round-robin").next_round(names_of(bots), []):
        count.update(meeting.bots)
        assert max(count.values()) - min(count.values()) <= 2


@pytest.mark.parametrize("players", [3, 4])
def test_repeats_change_the_neighbours_at_larger_boards(players: int) -> None:
    """Rotations keep who sits after whom; as many repeats as there are ways to sit around a table show all of them."""
    ways = math.factorial(players - 1)
    meetings = read_format(f"round-robin:repeats={ways}", players=players).next_round(names_of(players), [])
    assert len({meeting.bots for meeting in meetings}) == ways
    lineups = {lineup for meeting in meetings for lineup in meeting.lineups()}
    assert lineups == set(itertools.permutations(names_of(players)))


def test_a_gauntlet() -> None:
    format = read_format("gauntlet:bots=easy+hard,repeats=2")
    names = ["a", "easy", "b", "hard"]
    meetings = format.next_round(names, [])
    pairs = Counter(frozenset(meeting.bots) for meeting in meetings)
    assert pairs == {frozenset((bot, staff)): 2 for bot in "ab" for staff in ("easy", "hard")}
    table = format.table(names, results(meetings, strengths={"a": 1, "b": -1, "easy": -9, "hard": 9}))
    assert [(row.bot, row.rank) for row in table] == [("a", 1), ("b", 2), ("hard", None), ("easy", None)]
    assert [row.points for row in table[:2]] == [4, 4]  # of the games against the fixed opponents; a lost by less
    assert read_format("gauntlet", staff=["easy", "hard"]).next_round(names, []) == meetings[:4]
    three = read_format("gauntlet:bots=x+y+z", players=3).next_round(["a", "b", "x", "y", "z"], [])
    assert {tuple(sorted(meeting.bots)) for meeting in three} == {
        (bot, *pair) for bot in "ab" for pair in itertools.combinations("xyz", 2)
    }


def test_the_course() -> None:
    """Two games a meeting, seeds summed, three points, a hundred times; demo bots play and do not compete."""
    format, names = read_format("course"), ["a", "b", "demo"]
    meetings = format.next_round(names, [])
    assert len(meetings) == 300
    table = format.table(names, results(meetings, strengths={"a": 2, "b": 1, "demo": 5}), staff=["demo"])
    assert [(row.bot, row.rank) for row in table] == [("a", 1), ("b", 2), ("demo", None)]
    assert 2 * 100 <= sum(row.points for row in table[:2]) <= 3 * 100  # only the meetings with each other


@pytest.mark.parametrize("spec", [*SPECS, "adaptive:level=0.9"])
def test_specs_read_what_they_write(spec: str) -> None:
    assert read_format(spec).spec == spec
    assert read_format(read_format(spec).spec) == read_format(spec)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_says_what_it_is(name: str) -> None:
    kind = FORMATS[name]
    assert kind.summary
    assert kind.__doc__
    assert all(parameter.summary for parameter in kind.parameters)
    made = read_format(name, staff=["x"])
    assert {parameter.name for parameter in kind.parameters} == set(vars(made)) - {"players"}


@pytest.mark.parametrize(
    ("spec", "id", "params"),
    [
        ("swis", "did_you_mean", {"choice": "swiss"}),
        ("swiss:round=3", "did_you_mean", {"choice": "rounds"}),
        ("swiss:rounds=many", "spec.bad_value", {"name": "rounds", "value": "many"}),
        ("round-robin:repeats=0", "spec.bad_value", {"name": "repeats", "value": "0"}),
        ("gauntlet:bots=a++b", "spec.bad_value", {"name": "bots", "value": "a++b"}),
        ("adaptive:level=2", "spec.bad_value", {"name": "level", "value": "2"}),
    ],
)
def test_bad_specs_are_refused(spec: str, id: str, params: dict[str, object]) -> None:
    with refuses(id, **params):
        read_format(spec)


@pytest.mark.parametrize("name", ["swiss", "knockout", "pools"])
def test_formats_for_two_say_so(name: str) -> None:
    with refuses("format.players", players=3):
        read_format(name, players=3)


@pytest.mark.parametrize(
    ("spec", "names", "id", "params"),
    [
        ("round-robin", "a", "format.too_few", {"least": 2}),
        ("round-robin", "aba", "format.same_name", {"names": "a"}),
        ("gauntlet:bots=z", "ab", "format.gauntlet_stranger", {"bot": "z"}),
        ("gauntlet", "ab", "format.gauntlet_few", {"least": 1}),
        ("gauntlet:bots=a+b", "ab", "format.gauntlet_alone", {}),
        ("pools:size=4,advance=1", "abc", "format.pools_one", {"advance": 1}),
        ("pools:size=3,advance=3", "abcdef", "format.pools_all", {"advance": 3, "size": 3}),
    ],
)
def test_names_that_do_not_do(spec: str, names: str, id: str, params: dict[str, object]) -> None:
    with refuses(id, **params):
        read_format(spec).next_round(list(names), [])


@pytest.mark.parametrize("spec", ["swiss", "knockout", "pools", "adaptive"])
def test_bots_cannot_join_a_drawn_event(spec: str) -> None:
    format, names = read_format(spec), names_of(8)
    played = results(format.next_round(names, []))
    played += results(format.next_round(names, played)[:1])
    with refuses("format.other_bots", format=format.spec):
        format.next_round([*names, "b08", "b09"], played)


def test_meetings_have_all_rotations() -> None:
    assert Meeting(0, ("a", "b", "c"), 0).lineups() == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]


def test_formats_load_neither_numpy_nor_pydantic() -> None:
    code = "import sys, palabre.arena.formats; sys.exit(bool({'numpy', 'scipy', 'pydantic'} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", code], check=True)
