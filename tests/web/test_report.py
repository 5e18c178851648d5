"""Reports: what they show, and that nothing a bot says about itself gets out of its quotes."""

import base64
import csv
import gzip
import json
import platform
import re
import zipfile
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import palabre
from palabre.arena.rows import BotRow, Settings
from palabre.arena.store import open_store
from palabre.core.plain import stored
from palabre.core.record import load
from palabre.core.words import say
from palabre.draw.frames import contents
from palabre.search.clock import Clock
from palabre.web.report.data import replayed_game
from palabre.web.report.exports import harmless
from palabre.web.report.facts import kind_of_failure, public_ending
from palabre.web.report.markup import shown
from palabre.web.report.write import write_report
from tests.command import palabre as command
from tests.sentences import tells
from tests.web.reports import HOSTILE, LOSES, data_of, event, row


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
    own: list[dict[str, str | None]] = [{"type": "application/json", "id": "data"}, {"src": "report.js"}]
    for page in pages(hostile):
        assert not {tag for tag, _ in page.tags} & {"b", "i"}
        assert all(attributes in own for tag, attributes in page.tags if tag == "script")
        assert all(ord(sign) >= 32 or sign == "\n" for sign in page.text)
        assert "‮" not in page.text
    names = [row["name"] for row in data_of(hostile / "public" / "index.html")["state"]["table"]]
    assert "<script>alert(1)</script>" in names, "the name is shown, as text"
    assert "?olleh" in names
    overview = Tags((hostile / "private" / "index.html").read_text(encoding="utf-8"))
    assert "<script>alert(1)</script>" in overview.text


def test_no_name_ends_a_script(hostile: Path) -> None:
    numbers: list[int] = []
    for file in (hostile / "public" / "games").glob("*.js"):
        text = file.read_text(encoding="utf-8")
        packed = re.fullmatch('var PACKED = "([A-Za-z0-9+/=]+)";\n', text)
        assert packed is not None
        games = json.loads(gzip.decompress(base64.b64decode(packed[1])))
        numbers += map(int, games)
        assert all(one["game"]["ending"].endswith(" loses: error") for one in games.values())
    assert numbers == list(range(1, 2 * (len(HOSTILE) - 1) + 1))


def test_everyone_may_know_what_kind_of_failure_it_was() -> None:
    lost = row("Anna", "Bert", 0)
    both = say("game.also", first=LOSES, player=2, reason=say("forfeit.garbage", answer="x"))
    for message, kind in (
        (LOSES, "error"),
        (say("game.loses", player=1, reason=say("forfeit.late", seconds=2.0, left=1.0)), "time"),
        (say("game.loses", player=1, reason=say("forfeit.garbage", answer="x")), ""),
        (both, "error"),
    ):
        assert kind_of_failure(replace(lost, message=stored(message))) == kind
    assert public_ending(replace(lost, message=None)) == "player 1 loses", "of an event of an earlier version"


def test_no_name_is_a_file_name(hostile: Path) -> None:
    names = {path.name for path in hostile.rglob("*")}
    assert all(re.fullmatch(r"[a-z0-9.-]+", name) for name in names), names
    assert not (hostile.parent / "x").exists()


def test_each_game_that_is_drawn_is_reported(tmp_path: Path) -> None:
    drawn: list[int] = []
    with event(["Anna", "Bert", "Carl"]) as store:
        write_report(store, tmp_path, "title", on_game=lambda: drawn.append(len(drawn)))
        assert len(drawn) == store.count_games() == 4


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


def test_plies_lead_to_the_pictures_of_all_positions() -> None:
    position = palabre.game("avalam").start()
    positions = [position]
    for _ in range(12):
        positions.append(positions[-1].play(positions[-1].moves()[0]))
    names = ["Anna", "Bert"]
    found = replayed_game(positions, names, names, "1-0", "", [None] * 12, "en")
    cells: dict[int, str] = {}
    for here, ply in zip(positions, found.plies, strict=True):
        cells |= {cell: markup for cell, markup, _ in ply.contents}
        assert [cells[cell] for cell in range(len(cells))] == contents(here)
    moves = [move.text for move in positions[-1].played]
    assert [ply.move for ply in found.plies[1:]] == found.game.place.moves == moves


def test_the_command_writes_a_report(tmp_path: Path) -> None:
    file = tmp_path / "friends.event"
    played = command("match", "random", "greedy", "--game", "awele", "--games", "4", "--event", str(file))
    assert played.returncode == 0, played.stderr
    done = command("report", str(file), "--title", "Friends")
    assert done.returncode == 0, done.stderr
    data = data_of(tmp_path / "friends-report" / "public" / "index.html")
    assert (data["title"], data["state"]["played"], len(data["state"]["table"])) == ("Friends", 4, 2)
    with (tmp_path / "friends-report" / "public" / "standings.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert [one["bot"] for one in rows] == ["greedy", "random"]
    assert rows[0]["wins"] == "4"
    refused = command("report", str(tmp_path / "nothing.event"))
    assert refused.returncode == 2
    assert "nothing.event" in refused.stderr


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
    assert "1 of 3 bots" in (tmp_path / "nobody" / "public" / "index.html").read_text(encoding="utf-8")
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
    table = data_of(tmp_path / "named" / "public" / "index.html")["state"]["table"]
    assert {row["name"]: row["authors"] for row in table} == {name: f"author of {name}" for name in ("Anna", "Bert")}
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
