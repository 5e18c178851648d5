"""Reports: what they tell, and that nothing a bot says about itself gets out of its quotes."""

import csv
import itertools
import json
import platform
import re
import subprocess
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest

import palabre
from palabre.arena.outcome import Meeting
from palabre.arena.rows import BotRow, GameRow, Settings
from palabre.arena.store import Store, open_store
from palabre.core.record import load
from palabre.core.words import say
from palabre.draw.frames import Looks, contents, frames
from palabre.search.clock import Clock
from palabre.web.report.exports import harmless
from palabre.web.report.markup import shown
from palabre.web.report.write import write_report
from tests.command import PATIENCE
from tests.command import palabre as command
from tests.programs import require
from tests.sentences import tells

HOSTILE = ["<script>alert(1)</script>", '=HYPERLINK("x")', "../../x", "\x1b[31mred", "x" * 10_000, "</script>", "‮olleh"]


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
        write_report(store, folder, "<b>title", parquet=True)
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
    assert tells(page.text, "game.loses", player=1, reason="error: <b>boom</b>")
    assert "ZeroDivisionError" in page.text
    assert "palabre debug 0.py --event failures.event --game 1 --ply 4" in page.text
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
    assert [one["bot"] for one in rows] == ["greedy", "random"]
    assert rows[0]["wins"] == "4"
    refused = command("report", str(tmp_path / "nothing.event"))
    assert refused.returncode == 2
    assert "nothing.event" in refused.stderr


@pytest.mark.browser
@pytest.mark.needs("chromium")
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
        [require("chromium"), *flags, "--dump-dom", f"{address}#1@2"],
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    page = Tags(done.stdout)
    assert "2 / 4" in page.text
    assert "../../x" in page.text
    assert [attributes["data-ply"] for tag, attributes in page.tags if "aria-current" in attributes] == ["2"]


def files(folder: Path) -> list[str]:
    """All that is in a folder, as text."""
    return [file.read_bytes().decode("utf-8", "replace") for file in folder.rglob("*") if file.is_file()]


def test_nobody_reads_in_public_why_a_bot_failed(hostile: Path) -> None:
    for text in files(hostile / "public"):
        assert "boom" not in text
        assert "ZeroDivisionError" not in text
    for line in load(hostile / "public" / "games.txt"):
        assert line.tags["Termination"] == str(say("game.loses", player=1, reason="error"))
    others = (hostile / "private" / "bot-002" / "index.html").read_text(encoding="utf-8")
    assert f"{say('game.loses', player=1, reason='error')}</td>" in others, "the games that its opponents forfeited"


def test_the_machine_is_told_in_private_only(hostile: Path) -> None:
    kernel = platform.platform()
    assert not any(kernel in text for text in files(hostile / "public"))
    assert kernel in (hostile / "private" / "index.html").read_text(encoding="utf-8")


def rejected(note: str = "error: KeyError (bot.py, line 3: secret = 1)") -> BotRow:
    return BotRow("Rita", "in/rita.py", "r", clock=Clock(per_move=0.5), authors="Rita R.", state="rejected", note=note)


def test_a_rejection_is_explained_in_private_with_a_command(tmp_path: Path) -> None:
    with event(["Anna", "Bert"]) as store:
        store.admit([rejected()])
        write_report(store, tmp_path, "friday")
        write_report(store, tmp_path / "nobody", "friday", anonymous=True)
    public = (tmp_path / "public" / "index.html").read_text(encoding="utf-8")
    assert "1 of 3 bots: Rita" in public
    assert not any("secret" in text or "KeyError" in text for text in files(tmp_path / "public"))
    own = (tmp_path / "private" / "bot-003" / "index.html").read_text(encoding="utf-8")
    assert "secret = 1" in own
    assert "palabre check rita.py --game awele --time 0.5" in own
    assert not any("Rita" in text for text in files(tmp_path / "nobody" / "public"))


def test_authors_are_left_out_if_that_is_wanted(tmp_path: Path) -> None:
    with open_store(None) as store:
        store.begin(Settings("awele", "match"))
        store.admit(BotRow(name, f"{name}.py", name, authors=f"author of {name}") for name in ("Anna", "Bert"))
        for rotation in (0, 1):
            store.add_game(row("Anna", "Bert", rotation))
        write_report(store, tmp_path / "named", "friday")
        write_report(store, tmp_path / "anonymous", "friday", anonymous=True)
    assert "author of Anna" in (tmp_path / "named" / "public" / "index.html").read_text(encoding="utf-8")
    assert not any("author of" in text or ".py" in text for text in files(tmp_path / "anonymous" / "public"))
    assert "author of Anna" in (tmp_path / "anonymous" / "private" / "index.html").read_text(encoding="utf-8")


def test_files_are_named_and_packed_for_their_authors(hostile: Path) -> None:
    with (hostile / "private" / "bots.csv").open(encoding="utf-8", newline="") as lines:
        assert [one["file"] for one in csv.DictReader(lines)] == [f"{number}.py" for number in range(len(HOSTILE))]
    with zipfile.ZipFile(hostile / "private" / "bot-001.zip") as packed:
        assert packed.namelist() == [f"bot-001/{name}" for name in ("failures.event", "index.html", "report.css")]


def test_a_report_takes_the_place_of_the_last_one_and_of_nothing_else(tmp_path: Path) -> None:
    with event(["Anna", "Bert", "Carl"]) as store:
        write_report(store, tmp_path, "friday")
    (tmp_path / "public" / "mine.html").write_text("mine")
    with event(["Anna", "Bert"]) as store:
        write_report(store, tmp_path, "saturday")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["private", "public"]
    assert (tmp_path / "public" / "mine.html").read_text() == "mine"
    bots = {path.name for path in (tmp_path / "private").glob("bot-*")}
    assert bots == {"bot-001", "bot-001.zip", "bot-002", "bot-002.zip"}


@pytest.mark.browser
@pytest.mark.needs("chromium")
def test_a_class_of_sixty_fits_on_a_page(tmp_path: Path) -> None:
    """Names stay in one line, and the page scrolls downwards only; tables of all against all scroll on their own."""
    names = [f"The bot of group {number}" for number in range(60)]
    with event(names) as store:
        write_report(store, tmp_path, "friday")
    page = tmp_path / "public" / "index.html"
    measure = "document.title = [document.documentElement.scrollWidth - innerWidth, document.body.scrollHeight]"
    measure += ".concat([...document.querySelectorAll('.cross td.name')].map((cell) => cell.offsetHeight))"
    page.write_text(page.read_text(encoding="utf-8").replace("</body>", f"<script>{measure}</script></body>"))
    flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        f"--user-data-dir={tmp_path / 'chromium'}",
    ]
    done = subprocess.run(
        [require("chromium"), *flags, "--window-size=1200,800", "--dump-dom", page.resolve().as_uri()],
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    found = re.search("<title>([^<]*)</title>", done.stdout)
    assert found is not None
    wider, height, *cells = map(int, found[1].split(","))
    assert wider <= 0
    assert height < 12_000
    assert len(cells) == 120
    assert max(cells) < 40
