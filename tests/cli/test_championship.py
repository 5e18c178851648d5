"""`palabre championship` and `palabre debug` from outside."""

import html
import json
import re
import shlex
import shutil
import signal
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import palabre as api
from palabre.arena.store import read_store
from palabre.cli.championship import default_event, read_until
from tests import take_away
from tests.arena.championships import FIRST, LAST, hand_in
from tests.arena.needs import needs_sandbox
from tests.command import end, palabre, running, wait_until
from tests.messages import refuses
from tests.sentences import tells

pytestmark = pytest.mark.processes

TAKE_AWAY = str(take_away.__file__)
FAST = ("--unbalanced", "--opening-plies", "2", "--workers", "1")


def hold(*arguments: str, code: int = 0, **options: Any) -> tuple[str, str]:
    """What a championship prints, and what it tells."""
    done = palabre("championship", *arguments, "--game", TAKE_AWAY, *FAST, **options)
    assert done.returncode == code, done.stderr
    return done.stdout, done.stderr


@needs_sandbox
def test_a_folder_becomes_a_table_and_the_same_command_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "friday"
    hand_in(folder, "Anna")
    hand_in(folder, "\x1b[31m[red]Bert", LAST, file="bert.py")
    hand_in(folder, "Carl", file="carl.py")
    hand_in(folder, "Dora", "raise OSError('no \\x1b[31m book')", file="dora.py")
    (folder / "notes.pdf").write_bytes(b"")
    arguments = ("friday", "--marks", "rank", "--format", "round-robin:repeats=12")
    printed, errors = hold(*arguments, cwd=tmp_path)
    assert (tmp_path / "friday.event").exists()
    assert printed.startswith("72 games of ")
    lines = [line.split() for line in printed.splitlines()[1:]]
    assert lines[0] == ["rank", "bot", "points", "games", "W–D–L", "forfeits", "Elo", "(95", "%)", "mark"]
    assert lines[1][0] == "1"
    assert lines[1][-1] == "5"
    assert lines[4] == ["rejected", "Dora", *["–"] * 5, "0"]
    assert "[31m[red]Bert" in printed
    assert "\x1b" not in printed + errors
    assert tells(printed, "championship.alike", first="Anna", second="Carl")
    for text in (printed, errors):
        assert tells(text, "admission.rejected", bot="Dora (dora.py)")
        assert tells(text, "forfeit.raised_at", kind="OSError", error="no ?[31m book", file="dora.py", line=8)
    assert tells(errors, "admission.counts", admitted=3, rejected=1)
    assert tells(errors, "admission.ignored", names="notes.pdf")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    again, errors = hold(*arguments, cwd=tmp_path, settings={"TMPDIR": str(scratch)})
    assert (again, errors) == (printed, "")
    hand_in(folder, "Emil", LAST)
    hold(*arguments, cwd=tmp_path, settings={"TMPDIR": str(scratch)})
    assert list(scratch.glob("palabre-bot-*")) == []  # no copies are left behind


@needs_sandbox
def test_json_has_everything(tmp_path: Path) -> None:
    hand_in(tmp_path / "bots", "Anna")
    hand_in(tmp_path / "bots", "Bert", "return 7")
    printed, _ = hold("bots", "greedy", "--staff", "idiot", "--event", "e", "--marks", "rank", "--json", cwd=tmp_path)
    document = json.loads(printed)
    assert document["is_finished"]
    assert document["games"] == len(document["played"]) == 6
    assert {line["bot"]: (line["state"], line["role"]) for line in document["standings"]} == {
        "Anna": ("admitted", "competitor"),
        "greedy": ("admitted", "competitor"),
        "idiot": ("admitted", "staff"),
        "Bert": ("rejected", "competitor"),
    }
    assert [line["mark"] for line in document["standings"]][-1] == 0
    assert {bot["name"] for bot in document["bots"]} == {"Anna", "Bert", "greedy", "idiot"}
    assert any(tells(bot["note"], "forfeit.no_move") for bot in document["bots"])


@needs_sandbox
def test_a_dry_run_plays_nothing(tmp_path: Path) -> None:
    hand_in(tmp_path / "bots", "Anna")
    printed, errors = hold("bots", "greedy", "idiot", "--dry-run", "--format", "round-robin:repeats=100", cwd=tmp_path)
    assert tells(printed, "cost.all", format="round-robin:repeats=100")
    assert tells(printed, "cost.games", games=600)
    assert tells(printed, "cost.time", workers=1)
    assert tells(printed, "cost.memory")
    assert re.search(r"Anna +Anna\.py +author of Anna +\d+\.\d", errors)
    assert [path.name for path in tmp_path.iterdir()] == ["bots"]
    document = json.loads(hold("bots", "greedy", "--dry-run", "--json", cwd=tmp_path)[0])
    assert document["most_games"] == 2
    assert document["seconds"] > 0


def test_a_championship_that_was_killed_goes_on(tmp_path: Path) -> None:
    event = tmp_path / "e"
    arguments = ("championship", "greedy", "idiot", "idiot:seed=1", "--game", "awele", "--format", "course:repeats=500")
    options = ("--event", str(event), "--unbalanced")

    def kept() -> int:
        try:
            with read_store(event) as store:
                return len(store.games())
        except ValueError:
            return 0

    with running(*arguments, *options) as process:
        wait_until(lambda: kept() > 20)
        end(process, signal.SIGKILL)
    before = kept()
    assert before < 3000
    with running(*arguments, *options) as process:
        wait_until(lambda: kept() > before + 20)
        printed, _ = end(process)
    assert process.returncode == 130
    assert tells(printed, "championship.games_so_far", game="awele", format="course:repeats=500")
    assert tells(printed, "championship.unfinished")
    with read_store(event) as store:
        rows = store.games()
        assert len({(row.meeting, row.rotation) for row in rows}) == len(rows)


@pytest.mark.parametrize(
    ("arguments", "id", "params"),
    [
        (("greedy",), "format.too_few", {"format": "round-robin", "least": 2}),
        (("greedy", "idiot", "--format", "swizz"), "format.unknown", {"name": "swizz"}),
        (("greedy", "idiot", "--until", "25:00"), "option.until", {"text": "25:00"}),
        (("greedy", "idiot", "--marks", "first"), "marks.unknown", {"spec": "first"}),
        (("greedy", "idiot", "--withdraw", "nobody"), "event.stranger", {"option": "--withdraw", "bot": "nobody"}),
        (("greedy", "idiot", "--again", "nobody"), "event.stranger", {"option": "--again", "bot": "nobody"}),
    ],
)
def test_mistakes_are_told_in_one_line(
    tmp_path: Path, arguments: tuple[str, ...], id: str, params: dict[str, object]
) -> None:
    printed, words = hold(*arguments, code=2, cwd=tmp_path)
    assert printed == ""
    assert words.startswith("palabre: ")
    assert tells(words, id, **params)


def test_the_file_of_an_event_is_named_after_the_folder(tmp_path: Path) -> None:
    assert default_event([str(tmp_path), "greedy"], api.game("awele")) == Path(f"{tmp_path.name}.event")
    assert default_event(["greedy", "idiot"], api.game("awele")) == Path("championship.event")


def test_until_is_the_next_time_that_the_clock_shows() -> None:
    now = datetime(2026, 11, 18, 22, 30)
    assert read_until("06:00", now) == datetime(2026, 11, 19, 6, 0).timestamp()
    assert read_until("23:00", now) == datetime(2026, 11, 18, 23, 0).timestamp()
    with refuses("option.until", text="6 am"):
        read_until("6 am", now)


@needs_sandbox
def test_an_author_sees_a_failure_again_with_the_command_in_the_report(tmp_path: Path) -> None:
    body = "print('I see', len(position.moves()))\n"
    body += f"        if len(position.played) > 3 and position.start_text: 1 / 0\n        {FIRST}"
    mine = hand_in(tmp_path / "my bots", "Anna", body, file="the bot.py")
    openings = tmp_path / "openings.txt"
    openings.write_text("9 1\n", encoding="utf-8")
    hold("my bots", "greedy", "--openings", str(openings), "--report", "out", "--event", "an event", cwd=tmp_path)
    page = (tmp_path / "out" / "private" / "bot-001" / "index.html").read_text()
    found = re.search(r"<code>(palabre debug .*?)</code>", page)
    assert found is not None
    words = shlex.split(html.unescape(found[1]))
    folder = tmp_path / "out" / "private" / "bot-001"  # all that the author gets
    own = shutil.copy(mine, folder)
    done = palabre(*words[1:], cwd=folder)
    assert done.returncode == 1
    assert "I see" in done.stdout
    assert "ZeroDivisionError" in done.stderr
    Path(own).write_text(mine.read_text().replace("1 / 0", "breakpoint()"))
    done = palabre(*words[1:], cwd=folder, stdin="p 6 * 7\nc\n")
    assert "(Pdb) 42" in done.stdout
    assert done.returncode == 0
    assert "it answers " in done.stdout


@needs_sandbox
@pytest.mark.parametrize("called", ["bots/anna.py", "anna.py", "anna", "Anna"])
def test_a_bot_that_plays_again_is_given_by_file_or_by_name(tmp_path: Path, called: str) -> None:
    hand_in(tmp_path / "bots", "Anna", file="anna.py")
    hold("bots", "greedy", cwd=tmp_path)
    hand_in(tmp_path / "bots", "Anna", LAST, file="anna.py")
    _, errors = hold("bots", "greedy", code=2, cwd=tmp_path)
    assert tells(errors, "event.bot_changed", bot="Anna")
    printed, _ = hold("bots", "greedy", "--again", called, cwd=tmp_path)
    assert printed.startswith("2 games of ")


@needs_sandbox
def test_another_time_is_told_as_such(tmp_path: Path) -> None:
    hand_in(tmp_path / "bots", "Anna", file="anna.py")
    hold("bots", "greedy", "--time", "300", cwd=tmp_path)
    _, errors = hold("bots", "greedy", code=2, cwd=tmp_path)
    assert tells(errors, "event.other_clock", file="bots.event", before="--time 300")
