"""Games that are played again are announced: while it happens, in the result, on record and in the report."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import palabre
from palabre.arena.match import Match
from palabre.arena.playing import Player, PlayGame
from palabre.arena.rows import MACHINE_LATE, GameRow
from palabre.arena.store import read_store
from palabre.cli import live
from palabre.cli.match import play
from palabre.cli.match_options import MatchOptions
from palabre.cli.match_report import report
from palabre.core.words import say as say_in_general
from palabre.web.report.write import write_report
from tests import take_away
from tests.sentences import tells
from tests.web.reports import data_of

GAME = palabre.game(str(take_away.__file__))
IN_PROCESS = MatchOptions(GAME.spec, workers=0)
LATE = say_in_general("forfeit.late_for_move", seconds=9.0, allowed=1.0)


@pytest.fixture
def busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that is to blame for the first two attempts at each game that the first bot begins."""
    whole = Player.play

    def late(self: Player, task: PlayGame, report: Any = None) -> GameRow:
        row = whole(self, task, report)
        if task.rotation or task.attempt > 2:
            return row
        ending = str(say_in_general("game.loses", player=1, reason=LATE))
        return replace(row, forfeit=0, ending=ending, shares=(0.0, 1.0), margin=None, machine_late=True)

    monkeypatch.setattr(Player, "play", late)


@pytest.mark.usefixtures("busy_machine")
def test_a_game_that_is_played_again_is_announced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "some.event"
    with Match(("greedy", "idiot"), GAME, 2, balanced=False, file=file) as match:
        play(match, IN_PROCESS, lambda: report(match, as_json=False))
        title = match.title(match.rows()[0])
    printed, notes = capsys.readouterr()
    announced = str(live.say("replayed.late", title=title, reason=f"greedy loses: {LATE}"))
    assert notes.splitlines().count(announced) == 2
    assert f"{title}: greedy loses: {LATE}" not in notes.splitlines()
    assert str(live.say("replayed.late_games", count=2)) in printed.splitlines()
    with read_store(file, trusted=True) as store:
        assert [row.superseded for row in store.games(superseded=True)].count(MACHINE_LATE) == 2
        write_report(store, tmp_path / "report", "late")
    private = (tmp_path / "report" / "private" / "bot-001" / "index.html").read_text(encoding="utf-8")
    assert tells(private, "report.replayed")
    assert private.count(f">{MACHINE_LATE}</td>") == 2
    assert str(LATE) in private
    state = data_of(tmp_path / "report" / "public" / "index.html")["state"]
    assert any(tells(note, "report.late", count=2) for note in state["notes"])
    assert [row["replayed"] for row in state["table"] if row["replayed"]] == [2]


def test_a_match_without_replays_speaks_of_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "some.event"
    with Match(("greedy", "idiot"), GAME, 2, balanced=False, file=file) as match:
        play(match, IN_PROCESS, lambda: report(match, as_json=False))
    printed, notes = capsys.readouterr()
    assert "again" not in printed + notes
    with read_store(file, trusted=True) as store:
        write_report(store, tmp_path / "report", "quiet")
    pages = (tmp_path / "report").rglob("index.html")
    assert not [page for page in pages if "played again" in page.read_text(encoding="utf-8")]
