"""What people are told while a kernel is compiled."""

import contextlib
import io
import logging
import time
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import palabre
from palabre.cli import output
from palabre.cli.output import ToNotes
from palabre.compile import preparation
from palabre.compile.preparation import USUAL_SPEED, expected_seconds, outline, remember, reported
from palabre.search.perft import perft
from tests.messages import holds
from tests.take_away import State

PERFT: Any = perft


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """A machine that has never compiled anything, and a process that has told nothing."""
    monkeypatch.setenv("PALABRE_CACHE", str(tmp_path))
    monkeypatch.setattr(preparation, "_announced", set())
    caplog.set_level(logging.DEBUG, "palabre")


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.INFO]


def fractions(caplog: pytest.LogCaptureFixture) -> list[float]:
    return [record.__dict__["fraction"] for record in caplog.records if hasattr(record, "fraction")]


def test_an_outline_has_the_rules_of_the_game_and_the_answers_by_default() -> None:
    lengths = outline(PERFT, State)
    assert {"perft", "legal_moves", "play", "count_moves"} <= set(lengths)
    assert not {"key", "evaluate", "search"} & set(lengths)
    assert min(lengths.values()) > 0


def test_a_larger_game_takes_longer() -> None:
    small, large = (sum(outline(PERFT, kind).values()) for kind in (State, palabre.game("abalone").state_class))
    assert small < large


def test_the_first_time_what_is_usual_is_promised_and_the_next_time_what_was_measured(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    for title in ("Heap", "Heap", "Pile"):
        with reported(title, PERFT, State):
            now += 4.2
    args: list[Any] = [record.args for record in caplog.records if record.levelno >= logging.INFO]
    (heap,), (pile,) = args
    holds(heap, "compile.preparing", title="Heap", seconds=1)
    holds(pile, "compile.preparing", title="Pile", seconds=4)


def test_the_time_grows_if_it_takes_longer(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    remember(sum(outline(PERFT, State).values()), 4.0)
    with reported("Heap", PERFT, State) as is_made:
        for name in outline(PERFT, State):  # all of it, which is seven tenths of the time
            is_made(name)
        now += 7.0
        is_made("perft")
    told_seconds = [record.seconds for record in caplog.records if hasattr(record, "seconds")]
    assert told_seconds[:-2] == [4.0] * (len(told_seconds) - 2)
    assert told_seconds[-2] == pytest.approx(10.0)


def test_progress_goes_from_0_to_1_also_if_compiling_fails(caplog: pytest.LogCaptureFixture) -> None:
    with contextlib.suppress(OverflowError), reported("Heap", PERFT, State) as is_made:
        for name in ("play", "Numba's own", "legal_moves", "perft"):
            is_made(name)
        raise OverflowError
    found = fractions(caplog)
    assert found == sorted(found)
    assert found[0] == 0
    assert found[-2] < found[-1] == 1
    assert len(set(found)) == 5  # what is not in the outline moves nothing
    assert expected_seconds(1000) == 1000 / USUAL_SPEED  # and nothing has been learnt from it


def test_one_slow_moment_does_not_spoil_what_is_remembered() -> None:
    for seconds in (1.0, 1.2, 40.0, 1.1):
        remember(8000, seconds)
    assert 0.9 < expected_seconds(8000) < 1.3
    for _ in range(20):
        remember(8000, 2.0)
    assert expected_seconds(8000) == 2.0


@pytest.mark.parametrize("content", ["", "{", "[0]", '["fast"]', "[null]", "7"])
def test_damaged_speeds_are_forgotten(content: str, tmp_path: Path) -> None:
    (tmp_path / "speeds.json").write_text(content, encoding="utf-8")
    assert expected_seconds(8000) == 8000 / USUAL_SPEED
    remember(8000, 2.0)
    assert expected_seconds(8000) == 2.0


def test_speeds_that_cannot_be_written_are_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PALABRE_CACHE", str(tmp_path / "file" / "cache"))
    remember(8000, 2.0)
    assert expected_seconds(8000) == 8000 / USUAL_SPEED


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_terminal_shows_a_bar_and_a_file_only_the_line(is_terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=is_terminal, width=80, markup=False, highlight=False)
    monkeypatch.setattr(output, "notes", console)
    logger = logging.getLogger("palabre")
    monkeypatch.setattr(logger, "handlers", [ToNotes()])
    with reported("Heap", PERFT, State) as is_made:
        is_made("play")
    text = shown.getvalue()
    line = "preparing Heap for this processor, once (about 1 s)…"
    assert text.count(line) == 1
    assert ("━" in text) == is_terminal
    if not is_terminal:
        assert text == f"{line}\n"
