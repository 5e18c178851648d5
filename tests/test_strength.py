"""`benchmarks.strength`: what was played goes into the report that has the marks of its table."""

import json
from pathlib import Path

import pytest

from benchmarks import strength


def test_every_table_has_its_place_in_one_report() -> None:
    reports = [page.read_text(encoding="utf-8") for page in strength.REPORTS.glob("*.md")]
    for table in {contest.table for contest in strength.contests(None)}:
        marks = f"<!-- {table} -->\n", f"<!-- end of {table} -->\n"
        assert [sum(report.count(mark) for report in reports) for mark in marks] == [1, 1], table


def test_a_table_is_written_between_its_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "RESULTS", tmp_path)
    monkeypatch.setattr(strength, "REPORTS", tmp_path)
    report, other = tmp_path / "engine.md", tmp_path / "levels.md"
    report.write_text("before\n<!-- mcts -->\nold\n<!-- end of mcts -->\nafter\n", encoding="utf-8")
    other.write_text("<!-- levels -->\nkept\n<!-- end of levels -->\n", encoding="utf-8")
    played = next(contest for contest in strength.contests(2) if contest.table == "mcts")
    side = {"seconds_per_move": 0.02}
    result = {"wins": 1, "draws": 0, "losses": 1, "score": 0.5, "standard_error": 0.1, "score_95": [0.3, 0.7]}
    played.file.write_text(json.dumps({**result, "first": side, "second": side}), encoding="utf-8")
    strength.write(2)
    row = f"| `{played.game}` | `heuristic_weight=0` | 1–0–1 | 50.0 % ± 10.0 | 30 to 70 % | 20 against 20 |"
    expected = f"before\n<!-- mcts -->\n{strength.HEADING}\n{row}\n<!-- end of mcts -->\nafter\n"
    assert report.read_text(encoding="utf-8") == expected
    assert "kept" in other.read_text(encoding="utf-8")
