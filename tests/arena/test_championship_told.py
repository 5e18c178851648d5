"""What is told of a championship: how long it will take, who is alike, who makes progress, the report."""

import csv
import os
from pathlib import Path

import pytest

from palabre.arena.estimate import estimate
from palabre.arena.leaderboard import read_leaderboard
from palabre.arena.league import progress_of
from palabre.arena.likeness import SameMoves, same_files, same_moves
from palabre.arena.rows import GameRow, Meeting
from palabre.arena.store import read_store
from palabre.bots.submission_source import fingerprint
from palabre.web.report.write import write_report
from tests.arena.championships import FIRST, LAST, SMALL, hand_in, hold
from tests.arena.needs import needs_sandbox
from tests.sentences import tells
from tests.web.reports import data_of

pytestmark = pytest.mark.processes


def test_how_long_it_will_take() -> None:
    with hold(["greedy", "idiot", "idiot:seed=9"], format="round-robin:repeats=10", play=False) as held:
        list(held.examine(["greedy", "idiot", "idiot:seed=9"], ours=True))
        form, names = held.format(held.admitted), [bot.name for bot in held.admitted]
        found = estimate(form, names, SMALL, list(held.verdicts.values()), [], workers=2)
        assert (found.least_games, found.most_games, found.played) == (60, 60, 0)
        assert found.game_seconds is not None
        assert found.seconds == pytest.approx(found.game_seconds * 30)
        assert estimate(form, names, SMALL, [], [], 2).seconds is None
        list(held.play())
        done = estimate(form, names, SMALL, [], held.rows(), workers=2)
        assert (done.played, done.seconds) == (60, 0)


def row(bots: tuple[str, str], moves: str, opening: int = 0) -> GameRow:
    played = tuple(moves.split())
    movers = tuple(ply % 2 for ply in range(len(played)))
    nothing = (None,) * len(played)
    return GameRow(
        meeting=Meeting(0, bots, 0),
        rotation=0,
        attempt=1,
        bots=bots,
        shares=(1, 0),
        scores=(0, 0),
        margin=0,
        opening=opening,
        moves=played,
        movers=movers,
        seconds=nothing,
        depths=nothing,
        nodes=nothing,
        ending="",
    )


def test_copies_under_other_names_are_the_same_files(tmp_path: Path) -> None:
    first = fingerprint(hand_in(tmp_path / "a", "Anna").parent)
    copied = hand_in(tmp_path / "b", "Bert", file="mine.py", authors="somebody else")
    copied.write_text(copied.read_text().replace("class Mine", "# of my own\nclass Bert"))
    assert fingerprint(copied.parent) == first
    assert fingerprint(hand_in(tmp_path / "c", "Anna", LAST).parent) != first
    (tmp_path / "b" / "book.bin").write_bytes(b"1")
    assert fingerprint(tmp_path / "b") != first
    (tmp_path / "a" / "Anna.py").write_text("not Python (")
    assert fingerprint(tmp_path / "a") != first


def test_bots_that_are_alike_are_told() -> None:
    assert same_files({"a": "1", "b": "2", "c": "1", "d": ""}) == [("a", "c")]
    games = [row(("a", "x"), "A b C"), row(("b", "x"), "A b C d"), row(("c", "x"), "A b D"), row(("d", "x"), "B")]
    assert same_moves(games, ["a", "b", "c", "d"], least=2) == [SameMoves(("a", "b"), 2)]
    assert same_moves(games, ["a", "b"], least=3) == []
    assert same_moves([*games, row(("a", "x"), "A b D")], ["a", "b"], least=2) == []
    assert same_moves([row(("a", "x"), "A b C", 2), row(("c", "x"), "B b C", 1)], ["a", "c"], least=1) == []


@needs_sandbox
def test_a_league_takes_the_newest_version_of_each_bot_and_shows_progress(tmp_path: Path) -> None:
    folder, event = tmp_path / "bots", tmp_path / "e"
    hand_in(folder, "Anna")
    hand_in(folder, "Bert", LAST)
    hold([folder, "greedy"], event, league=True).store.close()
    hand_in(folder, "Anna", LAST)
    hand_in(folder, "Bertha", FIRST, authors="author of Bert", file="Bert.py")
    with hold([folder, "greedy"], event, league=True) as held:
        assert sorted(bot.name for bot in held.admitted) == ["Anna", "Bertha", "greedy"]
        assert len(held.rows()) == 6
        versions = progress_of(held.store)
        assert [(one.bot, one.number) for one in versions] == [
            ("Anna", 1),
            ("Anna", 2),
            ("Bert", 1),
            ("Bertha", 1),
            ("greedy", 1),
        ]
        assert [one.games for one in versions] == [4, 4, 4, 4, 8]
        assert versions[0].since < versions[1].since
        write_report(held.store, tmp_path / "report", "week 2")
    shown = data_of(tmp_path / "report" / "public" / "index.html")["statistics"]["versions"]
    assert [(one["title"], one["since"], one["games"]) for one in shown] == [
        (one.title, one.since[:10], one.games) for one in versions
    ]
    assert "Anna, version 2" in [one["title"] for one in shown]


def test_the_report_has_the_places_and_marks_stay_private(tmp_path: Path) -> None:
    with hold(["idiot", "greedy"], tmp_path / "e", demo=["idiot:seed=9"], marks="rank:6,20") as held:
        write_report(held.store, tmp_path / "report", "friday")
        best = held.leaderboard().lines[0].bot.name
    rows = (tmp_path / "report" / "public" / "standings.csv").read_text().splitlines()
    assert rows[1].startswith(f"1,{best},")
    assert rows[3].startswith("demo,idiot:seed=9,")
    marks = (tmp_path / "report" / "private" / "marks.csv").read_text().splitlines()
    assert marks[:2] == ["file,authors,bot,rank,mark", f",,{best},1,20.0"]
    assert (
        "Mark: 20."
        in (tmp_path / "report" / "private" / "bot-001" / "index.html").read_text()
        + (tmp_path / "report" / "private" / "bot-002" / "index.html").read_text()
    )
    assert "20" not in (tmp_path / "report" / "public" / "standings.csv").read_text()
    with read_store(tmp_path / "e", trusted=True) as store:
        assert read_leaderboard(store).marks == "rank:6,20"


def test_the_report_counts_as_the_table_does_and_says_what(tmp_path: Path) -> None:
    with hold(["idiot", "greedy"], tmp_path / "e", demo=["idiot:seed=9"]) as held:
        write_report(held.store, tmp_path / "report", "friday")
        rows = {line.bot.name: line.standing for line in held.leaderboard().lines}
    with (tmp_path / "report" / "public" / "standings.csv").open(encoding="utf-8", newline="") as lines:
        for told in csv.DictReader(lines):
            row = rows[told["bot"]]
            assert row is not None
            counts = [row.games, row.wins, row.draws, row.losses, row.forfeits]
            assert [int(told[name]) for name in ("games", "wins", "draws", "losses", "forfeits")] == counts
    public = (tmp_path / "report" / "public" / "index.html").read_text(encoding="utf-8")
    assert tells(public, "report.competitors_only")
    private = (tmp_path / "report" / "private" / "bot-001" / "index.html").read_text(encoding="utf-8")
    assert " of 2; Elo" in private, "of those that compete"


@needs_sandbox
def test_copies_are_told_to_the_teacher_alone(tmp_path: Path) -> None:
    hand_in(tmp_path / "bots", "Anna")
    hand_in(tmp_path / "bots", "Carl")
    with hold([tmp_path / "bots"], tmp_path / "e") as held:
        write_report(held.store, tmp_path / "report", "friday")
    told = "The same files, except for names: Anna, Carl"
    assert told in (tmp_path / "report" / "private" / "index.html").read_text(encoding="utf-8")
    assert "same files" not in (tmp_path / "report" / "public" / "index.html").read_text(encoding="utf-8")


def test_private_pages_are_for_their_owner_only(tmp_path: Path) -> None:
    report = tmp_path / "report"
    (report / "private" / "bot-001").mkdir(parents=True)
    (report / "private" / "bot-001" / "index.html").write_text("of an earlier version, for all to read")
    (report / "private" / "notes.txt").write_text("of the organiser")
    (report / "private").chmod(0o777)
    before = os.umask(0)
    try:
        with hold(["idiot", "greedy"], tmp_path / "e", marks="rank") as held:
            for _ in range(2):
                write_report(held.store, report, "friday")
    finally:
        os.umask(before)
    places = [report / "private", *(report / "private").rglob("*")]
    assert {place.name for place in places} >= {"private", "marks.csv", "bot-001", "bot-002.zip", "notes.txt"}
    assert {place: oct(place.stat().st_mode & 0o777) for place in places} == {
        place: "0o700" if place.is_dir() else "0o600" for place in places
    }
    assert (report / "public" / "index.html").stat().st_mode & 0o044 == 0o044
