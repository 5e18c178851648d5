"""`pipe:COMMAND`: programs that read and write moves as lines."""

import sys
from pathlib import Path

import pytest

import palabre
from palabre.bots import line_program, pipe
from palabre.bots.foreign import EngineDied
from palabre.bots.pipe import Pipe
from palabre.bots.specs import bot, split_specs
from palabre.play.finished import FinishedGame
from palabre.play.referee import play_game
from palabre.search.clock import Clock
from tests.command import PATIENCE
from tests.messages import holds, refuses

AWALE = palabre.game("awale")
EASY = Clock(per_move=PATIENCE)  # no program needs that long, on whatever machine
# A program that knows the rules: it keeps the game, answers with its last move, and writes down all it is told.
PLAYER = """
import sys, palabre
position = palabre.game({spec!r}).start()
log = open({log!r}, "a")
for line in sys.stdin:
    print(line.strip(), file=log, flush=True)
    if line.startswith("RESULT"):
        break
    if line.startswith("POSITION "):
        position = position.game.position(line.removeprefix("POSITION "))
        continue
    for word in line.split() if line.strip() != "START" else []:
        position = position.play(word)
    move = position.moves()[-1]
    position = position.play(move)
    print(move.text.upper(), flush=True)
"""


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program has all the time it needs to end when its game has."""
    for name in ("QUITTING", "ENDING", "ERRORS_PATIENCE"):
        monkeypatch.setattr(line_program, name, PATIENCE)


def program(tmp_path: Path, source: str, prefix: str = "pipe:") -> Pipe:
    file = tmp_path / "player.py"
    file.write_text(source)
    made = bot(f"{prefix}{sys.executable} {file}", AWALE)
    assert isinstance(made, Pipe)
    return made


def played_against_first(player: Pipe, seat: int = 0, **options: object) -> FinishedGame:
    others = [bot("random", AWALE), bot("random", AWALE)]
    others[seat] = player
    return play_game(others, AWALE.start(), clock=EASY, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("seat", [0, 1])
def test_a_program_reads_and_writes_moves(tmp_path: Path, seat: int) -> None:
    log = tmp_path / "log"
    player = program(tmp_path, PLAYER.format(spec="awale", log=str(log)))
    played = played_against_first(player, seat)
    assert played.reason is None
    moves = list(played.moves)
    errors = log.read_text().splitlines()
    own = [line for line in errors if not line.startswith("RESULT")]
    assert own == (["START", *moves[1::2]] if seat == 0 else moves[::2])[: len(own)]
    assert len(own) == len(moves[seat::2])
    assert errors[-1] == f"RESULT {played.scores[0]} {played.scores[1]}"
    assert player.process is not None
    assert not player.process.is_open


def test_the_dialect_of_the_course_has_capital_letters(tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = program(tmp_path, PLAYER.format(spec="awale", log=str(log)), "pipe:upper:")
    assert player.spec.startswith("pipe:upper:")
    assert played_against_first(player).reason is None
    errors = log.read_text().splitlines()
    assert errors[0] == "START"
    assert all(line == line.upper() for line in errors)
    assert any("R" in line or "B" in line for line in errors[1:-1])


def test_openings_and_other_first_positions_are_told(tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = program(tmp_path, PLAYER.format(spec="awale", log=str(log)))
    opening = [AWALE.start().moves()[0].text]
    opening.append(AWALE.start().play(opening[0]).moves()[0].text)
    assert played_against_first(player, opening=opening).reason is None
    assert log.read_text().splitlines()[0] == " ".join(opening)
    log.unlink()
    later = AWALE.start().play(opening[0])
    fresh = AWALE.position(later.text)
    played = play_game([bot("random", AWALE), player], fresh, clock=EASY)
    assert played.reason is None
    assert log.read_text().splitlines()[:2] == [f"POSITION {fresh.text}", "START"]


@pytest.mark.parametrize(
    ("source", "id", "params"),
    [
        ("input(); print('99zz', flush=True); input()", "engine.illegal", {"answer": "99zz"}),
        ("import sys; sys.exit('no idea')", "ended.code", {"code": 1}),
        ("import sys; sys.exit('no idea')", "engine.last_words", {"words": "no idea"}),
        ("import os, sys; print('oh', file=sys.stderr, flush=True); os.abort()", "ended.signal", {"signal": "SIGABRT"}),
        ("import os, sys; print('oh', file=sys.stderr, flush=True); os.abort()", "engine.last_words", {"words": "oh"}),
        ("input(); print('x' * 100000, end='', flush=True); input()", "engine.long_line", {"most": 65536}),
    ],
)
def test_programs_that_fail_get_a_death_certificate(
    tmp_path: Path, source: str, id: str, params: dict[str, object]
) -> None:
    player = program(tmp_path, source)
    assert play_game([player, bot("random", AWALE)], AWALE.start(), clock=EASY).forfeit == 0
    player.sit_down(AWALE, 0)
    with refuses(id, **params):
        player.choose(AWALE.start(), EASY)


def test_a_program_that_does_not_answer_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_program, "QUITTING", 0.1)
    monkeypatch.setattr(pipe, "STARTING", 0.1)  # for it to wait for its input, which it never does
    player = program(tmp_path, f"import time; time.sleep({2 * PATIENCE})")
    player.sit_down(AWALE, 0)
    with refuses("engine.silent", seconds=0.3) as refusal:
        player.choose(AWALE.start(), Clock(per_move=0.3))
    assert isinstance(refusal.value, EngineDied)
    holds(refusal.value.message, "engine.told", line="START")
    assert player.process is not None
    assert not player.process.is_open


def test_bad_commands_are_refused() -> None:
    with refuses("engine.no_command", prefix="pipe:"):
        bot("pipe:", AWALE)
    with refuses("engine.no_program", program="/nowhere/player"):
        bot("pipe:/nowhere/player", AWALE)
    assert split_specs('person,pipe:./a "b,c",greedy') == ["person", 'pipe:./a "b,c"', "greedy"]
