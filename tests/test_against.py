"""The file and the table of `benchmarks.against`: what was played is kept, whatever interrupts the run."""

from pathlib import Path

from benchmarks.against import Row, append_row, read_rows, report


def row(pair: int, *points: float, game: str = "awele") -> Row:
    return Row(game, pair, (points[0], points[1]), (100, 80), (0.9, 1.8), ())


def test_pairs_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    written = [row(0, 1.0, 0.0), Row("awele", 1, (0.5, 1.0), (60, 70), (0.1, 0.2), ("player 1 loses: time",))]
    for pair in written:
        append_row(file, pair)
    assert read_rows(file) == written
    assert read_rows(tmp_path / "none.jsonl") == []


def test_a_line_cut_short_costs_its_own_pair_only(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    append_row(file, row(0, 1.0, 0.0))
    append_row(file, row(1, 1.0, 1.0))
    file.write_bytes(file.read_bytes()[:-20])
    assert read_rows(file) == [row(0, 1.0, 0.0)]
    append_row(file, row(1, 1.0, 1.0))
    append_row(file, row(2, 0.0, 0.5))
    assert [found.pair for found in read_rows(file)] == [0, 1, 2]


def test_the_table_counts_games_by_pairs_and_pools_them() -> None:
    rows = [row(0, 1.0, 0.0), row(1, 1.0, 1.0), row(0, 0.5, 0.0, game="abalone")]
    *_, awele, abalone, pooled = report(rows, ("awele", "abalone"))
    assert awele.startswith("| `awele` | 4 | 3–0–1 | 75.00 % ± 25.00 | ")
    assert abalone.startswith("| `abalone` | 2 | 0–1–1 | 25.00 % | ")
    assert pooled.startswith("| all | 6 | 3–1–2 | 58.33 % ± ")
    # 90 plies a game; 900 ms for the 90 moves of one side in two games, 1800 for the other's.
    assert awele.endswith("| 90 | 10 against 20 | 0 |")
