"""Who enters: names that are reserved, names that look alike, authors that belong to somebody else."""

import os
import zipfile
from pathlib import Path

import pytest

from palabre.arena.entries import bind_authors, gather, refuse_reserved_names, rename
from palabre.arena.leaderboard import STANDARDS
from palabre.arena.rows import DEMO, STAFF, BotRow
from palabre.cli.admission import print_admission
from palabre.cli.output import console
from palabre.search.clock import Clock
from tests.arena.championships import FIRST, LAST, SMALL, hand_in, hold
from tests.arena.needs import needs_sandbox
from tests.messages import holds, refuses
from tests.sentences import tells

pytestmark = pytest.mark.processes
OLD = 1e9  # seconds since 1970
LOOK_ALIKE = "gr\u0435edy"  # with a Cyrillic letter


def rows(held: list[BotRow]) -> dict[str, str]:
    return {row.name: row.state for row in held}


# -------------------------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("name", "owner"),
    [
        ("palabre:level=3", "palabre"),
        ("Palabre : Level=3", "palabre"),
        ("p\u0430labre:level=3", "palabre"),
        ("pa1abre:anything", "palabre"),
        ("palabre\ua789level=3", "palabre"),  # with a letter that looks like a colon
        ("MCTS", "mcts"),
        (LOOK_ALIKE, "greedy"),
        ("\uff52andom", "random"),
        ("Boss", "boss"),  # of the staff
        ("B\u043ess", "boss"),
        ("mascot", "mascot"),  # of the demonstration
    ],
)
def test_names_of_the_organisers_bots_are_reserved(tmp_path: Path, name: str, owner: str) -> None:
    entries = [
        *gather([str(hand_in(tmp_path / "theirs", name, file="eve.py"))], SMALL, Clock()),
        *gather([str(hand_in(tmp_path / "ours", "boss"))], SMALL, Clock(), STAFF),
        *gather([str(hand_in(tmp_path / "more", "mascot"))], SMALL, Clock(), DEMO),
    ]
    eve, boss, mascot = rename(refuse_reserved_names(entries, SMALL))
    assert (eve.row.state, eve.row.name, eve.submission) == ("rejected", "eve", None)
    holds(eve.row.why_rejected(), "submission.reserved_name", file="eve.py", owner=owner)
    assert [boss.row.name, mascot.row.name] == ["boss", "mascot"]


def test_a_file_that_is_called_like_a_staff_bot_does_not_take_its_name(tmp_path: Path) -> None:
    entries = [
        *gather([str(hand_in(tmp_path, "greedy"))], SMALL, Clock()),
        *gather(["greedy"], SMALL, Clock(), STAFF),
    ]
    assert [entry.row.name for entry in rename(refuse_reserved_names(entries, SMALL))] == ["greedy (2)", "greedy"]


def test_look_alikes_are_told_apart_and_named(tmp_path: Path) -> None:
    names = ["Max", "M\u0430x", "M a x", "MAX\u3164"]
    files = [str(hand_in(tmp_path, name, file=f"{number}.py")) for number, name in enumerate(names)]
    entries = rename(gather(files, SMALL, Clock()))
    assert [entry.row.name for entry in entries] == ["Max", "M\u0430x (2)", "M a x (3)", "MAX (4)"]
    assert [entry.called for entry in entries] == ["", "M\u0430x", "M a x", "MAX"]
    with console.capture() as captured:
        print_admission(console, [], {}, [], [entry for entry in entries if entry.called])
    first, *others, _ = captured.get().splitlines()
    assert tells(first, "submission.look_alike", bot="M\u0430x (2)", file="1.py", called="M\u0430x")
    assert "CYRILLIC SMALL LETTER A" in first
    assert len(others) == 2


@needs_sandbox
def test_marks_depend_on_staff_bots_whatever_others_call_themselves(tmp_path: Path) -> None:
    eve = hand_in(tmp_path, "boss", FIRST, file="eve.py")
    boss = hand_in(tmp_path / "staff", "boss", LAST)
    with hold([eve, "idiot"], tmp_path / "e", staff=[str(boss)], marks="vs boss>=0.5:5,else:1") as held:
        assert rows(held.bots) == {"eve": "rejected", "boss": "admitted", "idiot": "admitted"}
        [staff] = [bot for bot in held.bots if bot.role == STAFF]
        assert held.store.facts[STANDARDS] == {"boss": [staff.name, staff.digest]}
        marks = {line.bot.name: line.mark for line in held.leaderboard().lines}
        assert (marks["eve"], marks["boss"]) == (0.0, None)


@needs_sandbox
def test_marks_by_a_competitor_are_refused(tmp_path: Path) -> None:
    bots = [str(hand_in(tmp_path, "Anna")), str(hand_in(tmp_path, "Bert"))]
    for word in ("Anna", "Anna.py", "greedi"):
        with refuses("marks.no_standard", bot=word):
            hold(bots, staff=["greedy"], marks=f"vs {word}>=0.5:5")


def test_marks_are_refused_when_their_staff_bot_has_changed() -> None:
    with hold(["idiot"], staff=["greedy"], marks="vs greedy>=0.5:5") as held:
        held.store.keep_fact(STANDARDS, {"greedy": ["greedy", "another digest"]})
        with refuses("marks.changed", bot="greedy"):
            held.leaderboard()


# ------------------------------------------------------------------------------------------------------------- authors


def team(folder: Path, *files: tuple[str, str]) -> dict[str, Path]:
    """Submissions by the names of their files and of their only author; the first is the oldest."""
    found = {}
    for date, (file, author) in enumerate(files, start=1):
        found[file] = hand_in(folder, f"bot of {file}", file=file, authors=author)
        os.utime(found[file], (OLD + date, OLD + date))
    return found


def bind(folder: Path, bound: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    entries, owners = bind_authors(gather([str(folder)], SMALL, Clock()), bound)
    return {Path(entry.row.spec).name: entry.row.state for entry in entries}, owners


def test_authors_are_bound_to_the_file_of_their_first_submission(tmp_path: Path) -> None:
    team(tmp_path, ("anna.py", "Anna"))
    states, owners = bind(tmp_path, {})
    assert owners == {"anna": "anna.py"}
    for claim in ("Anna", "ANNA", "\u0410nna", "A nna"):
        team(tmp_path, ("anna.py", "Anna"), ("aaa.py", claim))
        os.utime(tmp_path / "aaa.py", (0, 0))  # dates can be forged
        states, after = bind(tmp_path, owners)
        assert (states, after) == ({"anna.py": "admitted", "aaa.py": "rejected"}, owners)


def test_the_claim_is_named_and_the_rival_stays_out_even_alone(tmp_path: Path) -> None:
    team(tmp_path, ("eve.py", "Anna"))
    [entry], owners = bind_authors(gather([str(tmp_path)], SMALL, Clock()), {"anna": "anna.py"})
    assert owners == {"anna": "anna.py"}
    holds(entry.row.why_rejected(), "submission.claimed", file="eve.py", author="Anna", owner="anna.py")
    assert entry.row.authors == ""


def test_another_form_of_the_same_file_is_a_new_version(tmp_path: Path) -> None:
    source = team(tmp_path / "source", ("anna.py", "Anna"))["anna.py"]
    folder = tmp_path / "bots"
    folder.mkdir()
    with zipfile.ZipFile(folder / "anna.zip", "w") as packed:
        packed.write(source, "anna.py")
    assert bind(folder, {"anna": "anna.py"}) == ({"anna.zip": "admitted"}, {"anna": "anna.zip"})
    source.rename(folder / "anna.py")
    assert bind(folder, {"anna": "anna.py"})[0] == {"anna.py": "admitted", "anna.zip": "rejected"}


@needs_sandbox
def test_a_rival_cannot_displace_a_bot_in_a_league(tmp_path: Path) -> None:
    folder, event = tmp_path / "bots", tmp_path / "e"
    hand_in(folder, "Anna")
    hand_in(folder, "Bert", LAST)
    hold([folder], event, league=True).store.close()
    hand_in(folder, "Better", LAST, authors="author of Anna", file="eve.py")
    with hold([folder], event, league=True) as held:
        assert rows(held.bots) == {"Anna": "admitted", "Bert": "admitted", "eve": "rejected"}
        assert held.leaderboard().lines[-1].mark is None
    (folder / "Anna.py").unlink()
    with pytest.raises(ValueError, match="'Anna' plays in"):
        hold([folder], event, league=True)
    hold([folder, "greedy"], event, league=True, withdrawn=["Anna"], play=False).store.close()
    with hold([folder, "greedy"], event, league=True, play=False) as held:
        assert rows(held.bots)["Better"] == "admitted", "who withdraws a bot frees its authors"
