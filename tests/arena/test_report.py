"""Reports: what they tell, and that nothing a bot says about itself gets out of its quotes."""

import csv
import itertools
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

import palabre
from palabre.arena.outcome import Meeting
from palabre.arena.report.exports import harmless
from palabre.arena.report.markup import shown
from palabre.arena.report.write import write_report
from palabre.arena.rows import BotRow, GameRow, Settings
from palabre.arena.store import Store, open_store
from palabre.core.record import load
from palabre.draw.frames import Looks, contents, frames
from tests.command import palabre as command

HOSTILE = ["<script>alert(1)</script>", '=HYPERLINK("x")', "../../x", "\x1b[31mred", "x" * 10_000, "</script>", "‮olleh"]
CHROMIUM = shutil.which("chromium")


def row(first: str, second: str, rotation: int) -> GameRow:
    """A short game that the second seat has won, with these names on it."""
    return GameRow(
        meeting=Meeting(0, (first, second), 0),
        rotation=rotation,
        attempt=1,
        bots=(first, second) if rotation == 0 else (second, first),
        shares=(0.0, 1.0),
        scores=(0, 0),
        margin=None,
        opening=0,
        start=None,
        moves=("C", "d", "E", "a"),
        movers=(0, 1, 0, 1),
        seconds=(0.1, 0.2, None, 0.4),
        depths=(None,) * 4,
        nodes=(None,) * 4,
        ending="player 1 loses: error: <b>boom</b>",
        forfeit=0,
        details='Traceback\n  File "bot.py", line 3\nZeroDivisionError: <i>\x1b[2J',
    )


def event(names: list[str]) -> Store:
    """An event in memory in which each bot has met the next one."""
    store = open_store(None)
    store.begin(Settings("awele", "match"))
    store.admit(
        BotRow(name, f"{number}.py", str(number), {"seed": 0}, authors=name) for number, name in enumerate(names)
    )
    for first, second in itertools.pairwise(names):
        for rotation in (0, 1):
            store.add_game(row(first, second, rotation))
    return store


class Tags(HTMLParser):
    """All tags of a page, and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def pages(folder: Path) -> list[Tags]:
    return [Tags(file.read_text(encoding="utf-8")) for file in folder.rglob("*.html")]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    with event(HOSTILE) as store:
        write_report(store, folder, "<b>title", "an event", parquet=True)
    return folder


def test_no_name_becomes_markup(hostile: Path) -> None:
    for page in pages(hostile):
        assert not {tag for tag, _ in page.tags} & {"b", "i", "script"} or all(
            set(attributes) == {"src"} for tag, attributes in page.tags if tag == "script"
        )
        assert all(ord(sign) >= 32 or sign == "\n" for sign in page.text)
        assert "‮" not in page.text
    index = Tags((hostile / "public" / "index.html").read_text(encoding="utf-8"))
    assert "<script>alert(1)</script>" in index.text, "the name is shown, as text"


def test_no_name_ends_a_script(hostile: Path) -> None:
    for file in (hostile / "public" / "games").glob("*.js"):
        text = file.read_text(encoding="utf-8")
        assert "<" not in text
        games = json.loads(text.removeprefix("receive(").rstrip().removesuffix(");"))
        assert [one["number"] for one in games.values()] == list(range(1, len(games) + 1))


def test_no_name_is_a_file_name(hostile: Path) -> None:
    names = {path.name for path in hostile.rglob("*")}
    assert all(re.fullmatch(r"[a-z0-9.-]+", name) for name in names), names
    assert not (hostile.parent / "x").exists()


def test_no_name_is_a_formula(hostile: Path) -> None:
    for file in hostile.rglob("*.csv"):
        with file.open(encoding="utf-8", newline="") as lines:
            for line in csv.reader(lines):
                assert not any(field.startswith(("=", "@", "+")) for field in line), line
    assert harmless("=1+1") == "'=1+1"
    assert harmless("-2 seeds") == "'-2 seeds"
    assert harmless(-2) == -2


def test_long_and_invisible_texts_are_shown_short_and_plain() -> None:
    assert shown("a" * 100, 10) == "a" * 9 + "…"
    assert shown("a\x1b[31m\nb") == "a?[31m?b"
    assert shown("Awélé – é́") == "Awélé – é́"


def test_authors_read_why_their_bot_failed(hostile: Path) -> None:
    page = Tags((hostile / "private" / "bot-001" / "index.html").read_text(encoding="utf-8"))
    assert "player 1 loses: error: <b>boom</b>" in page.text
    assert "ZeroDivisionError" in page.text
    assert re.search(r"palabre debug 0\.py --event 'an event' --game \d+ --ply 4", page.text)
    assert palabre.game("awele").start().play("C").play("d").play("E").play("a").text in page.text


def test_tables_and_records_have_every_game(hostile: Path) -> None:
    import pandas

    games = 2 * (len(HOSTILE) - 1)
    assert len(load(hostile / "public" / "games.txt")) == games
    assert len(pandas.read_parquet(hostile / "public" / "games.parquet")) == games
    with (hostile / "public" / "games.csv").open(encoding="utf-8", newline="") as lines:
        assert len(list(csv.DictReader(lines))) == games


def test_frames_lead_to_the_pictures_of_all_positions() -> None:
    position = palabre.game("avalam").start()
    positions = [position]
    for _ in range(12):
        positions.append(positions[-1].play(positions[-1].moves()[0]))
    looks = Looks()
    found = frames(positions, looks)
    markup = looks.markup()
    cells: dict[int, int] = {}
    for here, change in zip(positions, found["changes"], strict=True):
        cells |= dict(zip(change[::2], change[1::2], strict=True))
        assert [markup[cells[cell]] for cell in range(len(cells))] == contents(here)
    assert found["moves"] == [move.text for move in positions[-1].played]


def test_the_command_writes_a_report(tmp_path: Path) -> None:
    file = tmp_path / "friends.event"
    played = command("match", "random", "greedy", "--game", "awele", "--games", "4", "--event", str(file))
    assert played.returncode == 0, played.stderr
    done = command("report", str(file), "--title", "Friends")
    assert done.returncode == 0, done.stderr
    index = Tags((tmp_path / "friends-report" / "public" / "index.html").read_text(encoding="utf-8"))
    assert "4 games of 2 bots" in index.text
    with (tmp_path / "friends-report" / "public" / "standings.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert [one["bot"] for one in rows] == ["greedy", "idiot"]
    assert rows[0]["wins"] == "4"
    refused = command("report", str(tmp_path / "nothing.event"))
    assert refused.returncode == 2
    assert "nothing.event" in refused.stderr


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium to look at the page with")
def test_the_replay_steps_to_the_ply_in_its_address(hostile: Path, tmp_path: Path) -> None:
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
    flags += [
        "--disable-component-update",
        "--disable-sync",
        f"--user-data-dir={tmp_path}",
        "--virtual-time-budget=5000",
    ]
    address = (hostile / "public" / "replay.html").resolve().as_uri()
    done = subprocess.run(
        [str(CHROMIUM), *flags, "--dump-dom", f"{address}#1@2"],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    page = Tags(done.stdout)
    assert "2 / 4" in page.text
    assert "../../x" in page.text
    assert [attributes["data-ply"] for tag, attributes in page.tags if "aria-current" in attributes] == ["2"]
