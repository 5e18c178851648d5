"""What a program passes to the public functions: paths and specs in any form, and everything else refused in words."""

import re
from pathlib import Path
from typing import Any

import pytest

import palabre

AWELE = palabre.game("awele")
START = AWELE.start()
GREEDY = palabre.bot("greedy", AWELE)


class Stubborn(palabre.Bot):
    """A bot of somebody's own, which is in no file that a worker could load."""

    def choose(self, position: palabre.Position, clock: palabre.Clock) -> palabre.Move:
        return position.moves()[0]


@pytest.mark.parametrize(
    ("limits", "told"),
    [
        ({"depth": 0}, "depth is 0; it must be a whole number from 1"),
        ({"depth": -3}, "depth is -3"),
        ({"depth": 2.5}, "depth is 2.5"),
        ({"nodes": 0}, "nodes is 0"),
        ({"nodes": True}, "nodes is True"),
        ({"lines": 0}, "lines is 0"),
        ({"lines": None}, "lines is None"),
        ({"time": -1}, "time is -1; it must be a number of seconds above 0"),
        ({"time": float("nan")}, "time is nan"),
        ({"time": "1"}, "time is '1'"),
    ],
)
def test_limits_that_are_none_are_refused(limits: dict[str, Any], told: str) -> None:
    with pytest.raises(palabre.PalabreError, match=re.escape(f"analyse: {told}")):
        palabre.analyse(START, **limits)


@pytest.mark.parametrize("limits", [{"depth": 0}, {"nodes": -1}])
def test_a_clock_of_nothing_is_refused(limits: dict[str, int]) -> None:
    with pytest.raises(palabre.PalabreError, match=r"Clock: .* it must be a whole number from 1"):
        palabre.Clock(**limits)


@pytest.mark.parametrize("ask", [palabre.analyse, palabre.play_randomly, lambda it: palabre.count_sequences(it, 1)])
def test_only_positions_are_asked_about(ask: Any) -> None:
    with pytest.raises(palabre.PalabreError, match=r"takes a Position, but was given 'awele'; palabre\.game\(SPEC\)"):
        ask("awele")
    with pytest.raises(palabre.PalabreError, match=r"given <Game awele> .*palabre\.game\('awele'\)\.start\(\)"):
        ask(AWELE)


@pytest.mark.parametrize("depth", [-1, 1.0, None])
def test_a_number_of_plies_is_whole_and_not_negative(depth: Any) -> None:
    with pytest.raises(palabre.PalabreError, match="depth is"):
        palabre.count_sequences(START, depth)


def test_random_games_without_a_limit_end_after_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palabre.evaluation.playout.USUAL_SECONDS", 0.05)
    assert palabre.play_randomly(START).games > 0
    with pytest.raises(palabre.PalabreError, match="games is 0"):
        palabre.play_randomly(START, games=0)
    with pytest.raises(palabre.PalabreError, match="seconds is 0"):
        palabre.play_randomly(START, seconds=0)


def test_games_are_named_by_specs_paths_or_themselves(small_game: Path) -> None:
    assert palabre.game(small_game) == palabre.game(str(small_game))
    assert palabre.bot("greedy", "awele").spec == palabre.bot("greedy", AWELE).spec == "greedy"
    assert palabre.play_match("random", "greedy", small_game, 2).games == 2
    for wrong in (None, 5, START):
        with pytest.raises(palabre.BadSpec, match=r"a game is a Game or a spec such as '.*', not"):
            palabre.game(wrong)  # type: ignore[arg-type]
        with pytest.raises(palabre.BadSpec, match="a game is a Game or a spec"):
            palabre.play_match("greedy", "random", wrong, 2)  # type: ignore[arg-type]
    with pytest.raises(palabre.BadSpec, match=r"a bot is named by a spec .*, not by"):
        palabre.bot(GREEDY, AWELE)  # type: ignore[arg-type]


def test_bots_of_a_match_are_named(tmp_path: Path) -> None:
    with pytest.raises(palabre.PalabreError, match=r"given .*Greedy; its spec is 'greedy'"):
        palabre.play_match(GREEDY, "random", AWELE, 2)  # type: ignore[arg-type]
    with pytest.raises(palabre.PalabreError, match="for a bot of your own, give the path of its file"):
        palabre.play_match("random", Stubborn(), AWELE, 2)  # type: ignore[arg-type]
    with pytest.raises(palabre.PalabreError, match="games is '20'"):
        palabre.play_match("greedy", "random", AWELE, "20")  # type: ignore[arg-type]


def test_files_are_texts_or_paths(tmp_path: Path) -> None:
    file = tmp_path / "match.event"
    palabre.play_match("greedy", "random", AWELE, 2, file=str(file))
    for name in (file, str(file)):
        with palabre.read_store(name) as event:
            records = event.records()
    with pytest.raises(palabre.PalabreError, match="read_store takes the path of a file, but was given None"):
        palabre.read_store(None)  # type: ignore[arg-type]
    kept = tmp_path / "games.pgn"
    kept.write_text(records[0].to_text(), encoding="utf-8")
    assert palabre.read_records(kept) == palabre.read_records(kept.read_text(encoding="utf-8")) == records[:1]
    with pytest.raises(palabre.PalabreError, match=r"for a file, give Path\('.*games\.pgn'\)"):
        palabre.read_records(str(kept))
    with pytest.raises(palabre.PalabreError, match="a text or a Path, but was given 5"):
        palabre.read_records(5)  # type: ignore[arg-type]


def test_a_bot_analyses_whether_it_has_played_or_not() -> None:
    searching = palabre.bot("alphabeta", AWELE)
    assert palabre.analyse(START, depth=3, bot=searching)[0].depth == 3
    assert palabre.analyse(START, depth=2, bot=searching)[0].depth == 2
    with pytest.raises(palabre.PalabreError, match=r"greedy does not search.* bots that search are"):
        palabre.analyse(START, bot=GREEDY)
